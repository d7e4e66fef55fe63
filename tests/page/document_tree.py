"""Predictions from the data of a page alone, node by node: a second implementation of the page's script.

It is written from the contract of the data and uses no tree of the library. A row has numbers, categories and None.
"""

from treewright.model.formatting import format_category

UNSEEN = object()


class DocumentTree:
    """A view of the data of a page."""

    def __init__(self, document, key):
        self.document, self.nodes = document, document["nodes"]
        self.view = next(view for view in document["views"] if view["key"] == key)
        self.changes = dict(map(tuple, self.view["changes"]))
        self.gone = set(self.view["gone"])
        self.contents = self.view["stats"] or {}

    def splitting_node(self, node):
        """The node whose split this node uses; -1 at a leaf."""
        if node in self.changes:
            return self.changes[node]
        return node if self.nodes["column"][node] >= 0 else -1

    def field(self, node, name):
        """A field of a node in this view."""
        return self.contents.get(str(node), {}).get(name, self.nodes[name][node])

    def branch_of(self, node, splitting, name):
        return self.contents.get(str(node), {}).get(name, self.nodes[name][splitting])

    def children(self, splitting):
        first = self.nodes["first_child"][splitting]
        return [c for c in range(first, first + self.nodes["n_children"][splitting]) if c not in self.gone]

    def present(self):
        """The nodes of the view, level by level."""
        found = [0]
        for node in found:
            splitting = self.splitting_node(node)
            if splitting >= 0:
                found += self.children(splitting)
        return found

    def value(self, node):
        """The class probabilities or the number of a node."""
        entry = self.contents.get(str(node), {})
        given = entry.get("value", None if "stats" in entry else self.nodes["value"][node])
        if given is not None:
            return given
        return [w / self.field(node, "weight") for w in self.field(node, "stats")]

    def codes(self, row):
        """The values of a row: numbers, codes of categories, None, UNSEEN."""
        found = []
        for column, cell in zip(self.document["columns"], row, strict=True):
            missing = cell is None or cell != cell
            if missing or column["kind"] == "number":
                found.append(None if missing else float(cell))
            else:
                words = format_category(cell)
                found.append(column["categories"].index(words) if words in column["categories"] else UNSEEN)
        return found

    def ends(self, row):
        """(node, weight) where the paths of a row end."""
        cells = self.codes(row)
        found, waiting = [], [(0, 1.0)]
        while waiting:
            node, weight = waiting.pop()
            splitting = self.splitting_node(node)
            if splitting < 0:
                found.append((node, weight))
                continue
            to = self.step(node, splitting, cells)
            if to is None:
                found.append((node, weight))
            elif to == "every":
                fractions = [(child, weight * self.field(child, "share")) for child in self.children(splitting)]
                waiting += [(child, fraction) for child, fraction in fractions if fraction > 0]
            else:
                waiting.append((self.nodes["first_child"][splitting] + to, weight))
        return sorted(found)

    def step(self, node, splitting, cells):
        """The branch of a row; "every" for all of them, None if its path ends."""
        cell = cells[self.nodes["column"][splitting]]
        rule = self.document["missing"]["name"]
        if cell is UNSEEN:
            rule = self.document["unseen"] if self.document["unseen"] != "missing" else rule
        elif cell is not None:
            threshold, table = self.nodes["threshold"][splitting], self.nodes["table"][splitting]
            if threshold is not None:
                return 0 if threshold == "inf" or cell <= threshold else 1
            known = dict(zip(*table, strict=True))
            branch = known.get(cell)
            if branch is not None and self.nodes["first_child"][splitting] + branch not in self.gone:
                return branch
            return self.branch_of(node, splitting, "other")
        return self.without(node, splitting, cells, rule)

    def without(self, node, splitting, cells, rule):
        """The branch of a row whose value is missing here."""
        if rule == "fractional":
            return "every"
        if rule == "majority":
            return self.branch_of(node, splitting, "heaviest")
        if rule == "stop":
            return None
        assert rule in ("surrogate", "learned", "branch"), rule
        if rule == "surrogate":
            for one in (self.nodes["surrogates"] or {}).get(str(splitting), []):
                cell = cells[one["column"]]
                if cell is None or cell is UNSEEN:
                    continue
                if one.get("threshold") is not None:
                    low = one["low_branch"]
                    return low if cell <= one["threshold"] else 1 - low
                known = dict(zip(*one["table"], strict=True))
                if cell in known:
                    return known[cell]
        return self.branch_of(node, splitting, "missing_branch")

    def predict(self, row):
        """The predicted class as text, or the number."""
        ends = self.ends(row)
        sums = [0.0] * len(self.value(0))
        for node, weight in ends:
            sums = [s + weight * v for s, v in zip(sums, self.value(node), strict=True)]
        if self.document["target"]["classes"] is None:
            return sums[0]
        rule_of = self.document["prediction_rule"]
        if rule_of is not None and rule_of["costs"] is not None:
            lost = [sum(s * row[j] for s, row in zip(sums, rule_of["costs"], strict=True)) for j in range(len(sums))]
            least = min(lost) * (1 + 1e-12)
            return self.document["target"]["classes"][next(c for c, one in enumerate(lost) if one <= least)]
        most = max(sums) * (1 - 1e-12) if len(ends) > 1 or rule_of is not None else max(sums)
        return self.document["target"]["classes"][next(c for c, s in enumerate(sums) if s >= most)]
