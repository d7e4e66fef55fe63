"""Few: what a tree answers to a few ordinary rows of an array.

In: a tree, and an array as the user has it. Out: the nodes where its rows end, and what stands there; nothing for rows
that are many or in any way unusual. Reading rows in blocks serves for all; for one row it takes ten times as long.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.fast_paths import up_to
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers, shares
from treewright.predict.route import leaves


def ends_of_few(tree: Tree, rows: NDArray[Any]) -> NDArray[np.int64] | None:
    """The node where each row ends; None where rows have to be read in another way.

    >>> from treewright.model.build import build, leaf, number
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    >>> tree = build(schema, number("age", 3, leaf(20.0), leaf(12.5)))
    >>> ends_of_few(tree, np.array([[4.0], [1.0]])), ends_of_few(tree, np.array([[np.nan]]))
    (array([2, 1]), None)
    """
    kind = rows.dtype
    if rows.ndim != 2 or not 0 < len(rows) <= up_to("few rows"):
        return None
    if kind != np.float64:
        if kind.kind not in "fiu" or kind.itemsize > 4:  # longer ones may lose digits
            return None
        rows = rows.astype(np.float64)
    ways = tree.ways
    nodes = np.empty(len(rows), np.int64)
    return nodes if ways is not None and ways.send(rows, nodes) else None


def _shares_at(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    return tree.value.take(nodes, axis=0)


def _class_codes_at(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.intp]:
    return tree.answers.take(nodes)


def _numbers_at(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    return tree.value[:, 0].take(nodes)


AT_NODES: dict[Any, Callable[[Tree, NDArray[np.int64]], NDArray[Any]]] = {
    shares: _shares_at,
    class_codes: _class_codes_at,
    numbers: _numbers_at,
    leaves: lambda _, nodes: nodes,
}
"""What each question is answered with where rows end at leaves."""
