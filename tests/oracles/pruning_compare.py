"""Between the package and the slow pruner: a tree as nested nodes, and two trees held against each other.

In: a tree of the package and rows. Out: `Node`s with the rows at every node they come to, sent down by the oracle's own
rule; the names of nodes; and where a pruned tree is no part of the grown one.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from tests.oracles.compare import describe
from tests.oracles.prediction import follow
from tests.oracles.pruning import Node, Path, at_most
from tests.oracles.pruning_information import groupings
from tests.oracles.surrogates import Surrogate
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.model.tree import Tree


def paths_of(tree: Tree) -> list[Path]:
    """The branches that lead to each node."""
    paths: list[Path] = [()]
    for i in range(1, tree.n_nodes):
        parent = int(tree.parent[i])
        paths.append((*paths[parent], i - int(tree.first_child[parent])))
    return paths


def inner_paths(tree: Tree) -> set[Path]:
    return {path for path, n in zip(paths_of(tree), tree.n_children, strict=True) if n}


def as_nodes(
    tree: Tree, rows: Dataset, unit: float = 1.0, missing: str | None = None, unseen: str = "majority"
) -> Node:
    """The tree for the slow pruner, with the rows of a dataset at every node they come to; its weights in rows.

    missing, unseen  what is done with a missing value and an unseen category; None is as the tree was grown
    """
    told, paths = describe(tree), paths_of(tree)
    flat = [told]
    for one in flat:
        one["exact"] = Fraction(one["weight"])
        one["surrogates"] = [
            Surrogate(column, 0, Fraction(0), Fraction(0), np.nan if cut is None else cut, low, branches)
            for (column, low, cut, branches), *_ in one.get("told_surrogates", ())
        ]
        flat += one.get("children", [])
    is_number = tree.schema.target.is_number
    nodes = {
        path: Node(
            path,
            _in_rows(tree.stats[i].tolist(), unit, is_number),
            float(tree.value[i, 0]) if is_number else _first_best(tree.value[i].tolist()),
            merit=float(tree.merit[i]),
            is_number=is_number,
            squared=tree.criterion != "absolute_error",
            tests=_n_tests(tree, i, unit),
        )
        for i, path in enumerate(paths)
    }
    for path in paths[1:]:
        nodes[path[:-1]].children.append(nodes[path])
    weight = np.ones(rows.n_rows) if rows.weight is None else rows.weight
    for row, w, y in zip(rows.values.tolist(), weight.tolist(), rows.target.tolist(), strict=True):
        way = follow(told, [None if v != v else v for v in row], missing or tree.missing, unseen)
        for path, share in way.reach.items():
            nodes[path].arrived.append((float(share * Fraction(w)), y))
        for path, share in way.ends.items():
            nodes[path].ended.append((float(share * Fraction(w)), y))
    return nodes[()]


def with_costs(root: Node, tree: Tree, costs: list[list[float]]) -> Node:
    """The nodes answer what costs least to be expected, the first on a tie."""
    for i, path in enumerate(paths_of(tree)):
        node = root
        for branch in path:
            node = node.children[branch]
        shares = tree.value[i].tolist()
        expected = [sum(p * row[a] for p, row in zip(shares, costs, strict=True)) for a in range(len(shares))]
        node.answer = next(a for a, cost in enumerate(expected) if at_most(cost, min(expected)))
        node.costs = costs
    return root


def _in_rows(stats: list[float], unit: float, is_number: bool) -> list[float]:
    """Weights, and a loss, as counts of a unit; the mean is none."""
    return [s if is_number and k == 1 else s / unit for k, s in enumerate(stats)]


def _n_tests(tree: Tree, i: int, unit: float) -> float:
    """How many tests the split of a node was one of: cuts between rows or categories, or groupings of categories."""
    if tree.n_children[i] == 0:
        return 1.0
    column = tree.schema.columns[tree.column[i]]
    if column.kind is Kind.CATEGORY:
        met = tree.table_branch[tree.table_start[i] : tree.table_start[i + 1]].tolist()
        found = groupings(len(met), len(set(met)))
    else:
        found = max(float(tree.weight[i]) / unit - 1, 1.0)
        found = max(min(found, column.n_categories - 1.0), 1.0) if column.kind is Kind.ORDERED else found
    # Where growth may ask whether the value is missing, that is one more.
    return (found + (tree.missing in ("branch", "learned"))) * tree.schema.n_columns


def _first_best(shares: list[float]) -> int:
    return shares.index(max(shares))


CONTENTS = ("count", "weight", "stats", "value", "impurity")
SPLIT = ("column", "threshold", "branch_of", "gain", "merit", "missing_branch", "told_surrogates")


def same_nodes(smaller: Tree, grown: Tree) -> str:
    """Where the smaller tree is not a part of the grown one from the root on; empty when it is.

    Each node has the rows it had, and each inner node the split it had with all its branches.
    """
    pairs: list[tuple[Path, Any, Any]] = [((), describe(smaller), describe(grown))]
    for path, one, other in pairs:
        keys = (*CONTENTS, *SPLIT) if "children" in one else CONTENTS
        for key in keys:
            if one.get(key) != other.get(key):
                return f"{path}: {key} is {one.get(key)!r} and was {other.get(key)!r}"
        below, were = one.get("children", []), other.get("children", [])
        if below and len(below) != len(were):
            return f"{path}: {len(below)} branches, which were {len(were)}"
        pairs += [((*path, b), x, were[b]) for b, x in enumerate(below)]
    return ""
