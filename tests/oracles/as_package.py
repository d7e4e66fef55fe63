"""The slow grower's tree as a tree of the package, so that the package can be asked what the oracle answers.

In: a grown tree, its table and options. Out: a `Tree`, and for each of its nodes the path that names it in
`tests.oracles.prediction`. With compare.py the only file of the oracle that knows the package.
"""

import math
from typing import Any

import numpy as np

from tests.oracles.compare import dataset
from tests.oracles.grower import Node
from tests.oracles.options import Options
from tests.oracles.prediction import Path
from tests.oracles.tables import Table
from treewright.model.surrogates import Surrogates
from treewright.model.tree import LEAF, TABLE, THRESHOLD, Tree


def in_order(tree: Node) -> list[tuple[Path, Node]]:
    """The nodes level by level: parents before children, siblings together."""
    nodes: list[tuple[Path, Node]] = [((), tree)]
    for path, node in nodes:
        nodes += [((*path, b), child) for b, child in enumerate(node.get("children", []))]
    return nodes


def kind_of(node: Node) -> int:
    if "children" not in node:
        return LEAF
    return THRESHOLD if "threshold" in node else TABLE


def surrogates_of(nodes: list[Node]) -> Surrogates:
    """All surrogates, node after node."""
    lists = [node.get("surrogates", []) for node in nodes]
    found = [s for of_node in lists for s in of_node]
    return Surrogates(
        start=np.cumsum([0, *map(len, lists)]),
        column=np.array([s.column for s in found], np.int32),
        threshold=np.array([s.threshold for s in found], np.float64),
        low=np.array([s.low for s in found], np.int32),
        agree=np.array([float(s.agree) for s in found], np.float64),
        adjusted=np.array([float(s.adjusted) for s in found], np.float64),
        table_start=np.cumsum([0, *(len(s.branch_of) for s in found)]),
        table_code=np.array([code for s in found for code, _ in s.branch_of], np.int32),
        table_branch=np.array([branch for s in found for _, branch in s.branch_of], np.int32),
    )


def as_package(tree: Node, table: Table, options: Options) -> tuple[Tree, list[Path]]:
    """The tree and the paths of its nodes, checked by the package as any tree made by hand."""
    named = in_order(tree)
    paths, nodes = [path for path, _ in named], [node for _, node in named]
    place = {path: i for i, path in enumerate(paths)}

    def each(key: str, at_leaf: Any) -> list[Any]:
        return [node.get(key, at_leaf) for node in nodes]

    tables = [node.get("branch_of", ()) if "children" in node else () for node in nodes]
    packaged = Tree(
        schema=dataset(table).schema,
        criterion=options.criterion,
        missing=options.missing,
        surrogates=surrogates_of(nodes) if any(node.get("surrogates") for node in nodes) else None,
        parent=[place[path[:-1]] if path else -1 for path in paths],
        first_child=[place[(*p, 0)] if "children" in n else -1 for p, n in named],
        n_children=[len(node.get("children", [])) for node in nodes],
        kind=[kind_of(node) for node in nodes],
        column=each("column", -1),
        threshold=each("threshold", math.nan),
        table_start=np.cumsum([0, *map(len, tables)]),
        table_code=[code for branch_of in tables for code in range(len(branch_of))],
        table_branch=[branch for branch_of in tables for branch in branch_of],
        other=[0 if kind_of(node) == TABLE else -1 for node in nodes],
        missing_branch=each("missing_branch", -1),
        count=each("count", 0),
        weight=each("weight", 0.0),
        stats=np.array(each("stats", None)),
        value=np.array(each("value", None)),
        impurity=[node["impurity"] or 0.0 for node in nodes],
        gain=each("gain", math.nan),
        merit=each("merit", math.nan),
    )
    return packaged, paths
