"""Routing in plain Python and exact fractions, written from the meaning of the rules: the slow twin of the kernels.

In: a tree and one row of values. Out: the weight of the row at every node it meets and at every node where it ends.
"""

import math
from fractions import Fraction

from treewright.model.tree import Tree


class Lacking(Exception):
    """The row lacks the value that a node asks for, and the rule is `error`."""

    def __init__(self, node: int) -> None:
        super().__init__(node)
        self.node = node


def children_of(tree: Tree, node: int) -> list[int]:
    return [int(child) for child in range(tree.n_nodes) if tree.parent[child] == node]


def heaviest(tree: Tree, node: int) -> int:
    """The child of most weight, the first one on a tie."""
    best = None
    for child in children_of(tree, node):
        if best is None or tree.weight[child] > tree.weight[best]:
            best = child
    assert best is not None
    return best


def lookup(codes, branches, value: float) -> int | None:
    for code, branch in zip(codes, branches, strict=True):
        if code == value:
            return int(branch)
    return None


def known(tree: Tree, node: int, value: float) -> int:
    """The branch of a value that is there."""
    if math.isnan(tree.threshold[node]):
        own = range(tree.table_start[node], tree.table_start[node + 1])
        found = lookup([tree.table_code[i] for i in own], [tree.table_branch[i] for i in own], value)
        return int(tree.other[node]) if found is None else found
    return 0 if value <= tree.threshold[node] else 1


def by_surrogate(tree: Tree, node: int, row: list[float]) -> int:
    """The branch of the first surrogate that knows its value, else the missing branch."""
    s = tree.surrogates
    for i in [] if s is None else range(s.start[node], s.start[node + 1]):
        value = row[s.column[i]]
        if math.isnan(value) or math.isinf(value):
            continue
        if s.low[i] >= 0:
            is_low = value <= s.threshold[i]
            return int(s.low[i]) if is_low else 1 - int(s.low[i])
        own = range(s.table_start[i], s.table_start[i + 1])
        branch = lookup([s.table_code[j] for j in own], [s.table_branch[j] for j in own], value)
        if branch is not None:
            return branch
    return int(tree.missing_branch[node])


def onward(tree: Tree, node: int, row: list[float], missing: str, unseen: str) -> dict[int, Fraction]:
    """The children a row goes to, with its share in each; none where its way ends."""
    children = children_of(tree, node)
    if not children:
        return {}
    value = row[tree.column[node]]
    if value == -math.inf:
        return {} if unseen == "stop" else {heaviest(tree, node): Fraction(1)}
    if not math.isnan(value):
        return {children[known(tree, node, value)]: Fraction(1)}
    if missing == "error":
        raise Lacking(node)
    if missing == "stop":
        return {}
    if missing == "majority":
        return {heaviest(tree, node): Fraction(1)}
    if missing in ("learned", "branch"):
        return {children[tree.missing_branch[node]]: Fraction(1)}
    if missing == "surrogate":
        return {children[by_surrogate(tree, node, row)]: Fraction(1)}
    weights = [Fraction(float(tree.weight[child])) for child in children]
    if sum(weights) == 0:
        return {children[tree.missing_branch[node]]: Fraction(1)}
    return {child: w / sum(weights) for child, w in zip(children, weights, strict=True) if w > 0}


def way(tree: Tree, row: list[float], missing: str, unseen: str) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """The weight of the row at every node it meets, and at every node where a way of it ends."""
    met, ended = {0: Fraction(1)}, {}
    for node in range(tree.n_nodes):  # a parent stands before its children
        if node not in met:
            continue
        to = onward(tree, node, row, missing, unseen)
        if not to:
            ended[node] = met[node]
        for child, share in to.items():
            met[child] = met[node] * share
    return met, ended


def heaviest_end(ended: dict[int, Fraction]) -> int:
    return min(node for node, weight in ended.items() if weight == max(ended.values()))


def exact_shares(tree: Tree, node: int) -> list[Fraction]:
    """The class shares of a node; an empty one has its parent's."""
    while tree.weight[node] == 0:
        node = int(tree.parent[node])
    classes = [Fraction(float(w)) for w in tree.stats[node]]
    return [w / sum(classes) for w in classes]


def answer(tree: Tree, ended: dict[int, Fraction]) -> list[Fraction]:
    """The class shares of a row that ends there."""
    of_ends = [(weight, exact_shares(tree, node)) for node, weight in ended.items()]
    return [sum(w * s[c] for w, s in of_ends) for c in range(tree.stats.shape[1])]
