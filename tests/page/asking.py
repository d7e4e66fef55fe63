"""A twin of the page's script: rows answered by the document alone, one node after the other.

In: a document, the key of one of its views, and a row as it was given (numbers, categories, None). Out: the nodes where
it ends with their weights, and the answer. Written from the contract; it knows no tree.
"""

from treewright.model.words import category_words

UNSEEN = object()


class Asked:
    """A view of a document that can be asked."""

    def __init__(self, document, key):
        self.document, self.nodes = document, document["nodes"]
        self.view = next(view for view in document["views"] if view["key"] == key)
        self.changes = dict(map(tuple, self.view["changes"]))
        self.gone = set(self.view["gone"])
        self.contents = self.view["stats"] or {}

    def question(self, node):
        """The node whose question stands here; -1 at a leaf."""
        if node in self.changes:
            return self.changes[node]
        return node if self.nodes["column"][node] >= 0 else -1

    def said(self, node, name):
        """What a node says about its rows in this view."""
        return self.contents.get(str(node), {}).get(name, self.nodes[name][node])

    def branch_of(self, node, question, name):
        return self.contents.get(str(node), {}).get(name, self.nodes[name][question])

    def children(self, question):
        first = self.nodes["first_child"][question]
        return [c for c in range(first, first + self.nodes["n_children"][question]) if c not in self.gone]

    def present(self):
        """The nodes of the view, level by level."""
        found = [0]
        for node in found:
            question = self.question(node)
            if question >= 0:
                found += self.children(question)
        return found

    def value(self, node):
        """What a node answers: class shares, or a number."""
        entry = self.contents.get(str(node), {})
        given = entry.get("value", None if "stats" in entry else self.nodes["value"][node])
        if given is not None:
            return given
        return [w / self.said(node, "weight") for w in self.said(node, "stats")]

    def codes(self, row):
        """The cells of a row as the page has them: numbers, places in lists of categories, None, UNSEEN."""
        found = []
        for column, cell in zip(self.document["columns"], row, strict=True):
            missing = cell is None or cell != cell
            if missing or column["kind"] == "number":
                found.append(None if missing else float(cell))
            else:
                words = category_words(cell)
                found.append(column["categories"].index(words) if words in column["categories"] else UNSEEN)
        return found

    def ends(self, row):
        """(node, weight) where the ways of a row end."""
        cells = self.codes(row)
        found, waiting = [], [(0, 1.0)]
        while waiting:
            node, weight = waiting.pop()
            question = self.question(node)
            if question < 0:
                found.append((node, weight))
                continue
            to = self.step(node, question, cells)
            if to is None:
                found.append((node, weight))
            elif to == "every":
                shares = [(child, weight * self.said(child, "share")) for child in self.children(question)]
                waiting += [(child, share) for child, share in shares if share > 0]
            else:
                waiting.append((self.nodes["first_child"][question] + to, weight))
        return sorted(found)

    def step(self, node, question, cells):
        """The branch a row takes; "every" of them, or None where its way ends."""
        cell = cells[self.nodes["column"][question]]
        rule = self.document["missing"]["name"]
        if cell is UNSEEN:
            rule = self.document["unseen"] if self.document["unseen"] != "missing" else rule
        elif cell is not None:
            threshold, table = self.nodes["threshold"][question], self.nodes["table"][question]
            if threshold is not None:
                return 0 if threshold == "inf" or cell <= threshold else 1
            known = dict(zip(*table, strict=True))
            branch = known.get(cell)
            if branch is not None and self.nodes["first_child"][question] + branch not in self.gone:
                return branch
            return self.branch_of(node, question, "other")
        return self.without(node, question, cells, rule)

    def without(self, node, question, cells, rule):
        """The branch of a row whose value is not known here."""
        if rule == "fractional":
            return "every"
        if rule == "majority":
            return self.branch_of(node, question, "heaviest")
        if rule == "stop":
            return None
        assert rule in ("surrogate", "learned", "branch"), rule
        if rule == "surrogate":
            for one in (self.nodes["surrogates"] or {}).get(str(question), []):
                cell = cells[one["column"]]
                if cell is None or cell is UNSEEN:
                    continue
                if one.get("threshold") is not None:
                    low = one["low_branch"]
                    return low if cell <= one["threshold"] else 1 - low
                known = dict(zip(*one["table"], strict=True))
                if cell in known:
                    return known[cell]
        return self.branch_of(node, question, "missing_branch")

    def answer(self, row):
        """The class (as words) or the number that the row is answered with."""
        ends = self.ends(row)
        sums = [0.0] * len(self.value(0))
        for node, weight in ends:
            sums = [s + weight * v for s, v in zip(sums, self.value(node), strict=True)]
        if self.document["target"]["classes"] is None:
            return sums[0]
        how = self.document["answering"]
        if how is not None and how["costs"] is not None:
            lost = [sum(s * row[j] for s, row in zip(sums, how["costs"], strict=True)) for j in range(len(sums))]
            least = min(lost) * (1 + 1e-12)
            return self.document["target"]["classes"][next(c for c, one in enumerate(lost) if one <= least)]
        most = max(sums) * (1 - 1e-12) if len(ends) > 1 or how is not None else max(sums)
        return self.document["target"]["classes"][next(c for c, s in enumerate(sums) if s >= most)]
