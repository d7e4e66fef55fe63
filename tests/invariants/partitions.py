"""Comparing two trees of the same rows by what they do to the rows.

In: described trees and their tables. Out: nothing, or an assertion that names the node. `same_partitions` walks
both trees from the root and looks no further below a node where the tie rule had to decide, because there a
renaming may rightly change the choice; what was chosen from has to be worth the same all the same.
"""

from collections.abc import Callable

import pytest

from tests.oracles.compare import describe, engine_tree, oracle_tree
from tests.oracles.grower import Node
from tests.oracles.options import Options
from tests.oracles.tables import Table

CLOSE = 1e-9


def send(tree: Node, table: Table) -> Node:
    """The tree with the training rows that reach each node, sent by the tests in the nodes."""
    weights = table.weights or (1.0,) * table.n_rows
    tree["rows"] = [r for r in range(table.n_rows) if weights[r] > 0]
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        children = node.get("children", [])
        for child in children:
            child["rows"] = []
        for r in node["rows"] if children else []:
            value = table.columns[node["column"]].values[r]
            branch = int(value > node["threshold"]) if "threshold" in node else node["branch_of"][int(value)]
            children[branch]["rows"].append(r)
        nodes += children
    return tree


def sent_tree(table: Table, options: Options) -> Node:
    return send(describe(engine_tree(table, options)), table)


def same_numbers(a: Node, b: Node, keys: tuple[str, ...] = ("gain", "merit")) -> bool:
    return all(a.get(key) == pytest.approx(b.get(key), rel=CLOSE, abs=CLOSE) for key in keys)


def pairs_of_children(a: Node, b: Node) -> list[tuple[Node, Node]] | None:
    """The children that hold the same rows, or None when they part the rows differently."""
    in_b = {frozenset(child["rows"]): child for child in b["children"] if child["rows"]}
    in_a = {frozenset(child["rows"]): child for child in a["children"] if child["rows"]}
    return [(child, in_b[rows]) for rows, child in in_a.items()] if in_a.keys() == in_b.keys() else None


def same_partitions(
    a: Node, b: Node, judge: Node, *, tied: tuple[str, ...], column: Callable[[int], int] = lambda c: c
) -> None:
    """Both trees part the rows alike; `judge` is the oracle's tree of `a`, `column` maps a's columns to b's."""
    walk = [(a, b, judge)]
    while walk:
        x, y, known = walk.pop()
        assert x["rows"] == y["rows"]
        assert ("children" in x) == ("children" in y)
        if "children" not in x:
            continue
        if any(known[key] for key in tied):
            if "tied_cuts" not in tied:
                assert same_numbers(x, y, ("merit",))
            continue
        assert column(x["column"]) == y["column"]
        assert same_numbers(x, y)
        pairs = pairs_of_children(x, y)
        assert pairs is not None, "the rows are parted differently"
        judged = {frozenset(child["rows"]): child for child in known["children"]}
        walk += [(m, n, judged[frozenset(m["rows"])]) for m, n in pairs]


def judged(table: Table, options: Options) -> Node:
    """The oracle's tree, which knows where ties were."""
    return oracle_tree(table, options)


def alike(
    a: Node,
    b: Node,
    *,
    keys: tuple[str, ...] = ("count", "stats", "threshold", "branch_of"),
    column: Callable[[int], int] = lambda c: c,
) -> None:
    """Two trees are the same node by node: columns and `keys` exactly, gains and merits to 1e-9."""
    walk = [(a, b)]
    while walk:
        x, y = walk.pop()
        for key in keys:
            assert x.get(key) == y.get(key), key
        assert ("children" in x) == ("children" in y)
        if "children" not in x:
            continue
        assert column(x["column"]) == y["column"]
        assert same_numbers(x, y)
        walk += zip(x["children"], y["children"], strict=True)


def full_branches(tree: Node) -> Node:
    """The tree without its empty branches."""
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if "children" in node:
            node["children"] = [child for child in node["children"] if child["count"]]
            nodes += node["children"]
    return tree
