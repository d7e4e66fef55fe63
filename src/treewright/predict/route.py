"""Route: rows to leaves.

In: a tree and encoded values, any strides. Out: the leaf of every row, or every node on its way. The rule itself
is compiled and stands in treewright._core.route; nothing else decides which branch a row takes.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treewright._core.route import climb, route
from treewright.errors import InputError
from treewright.model.tree import Tree

STEPS = 2**23
"""About how many steps, (row, node) pairs, are made between two looks for Ctrl-C: less than 0.2 seconds."""


def leaves(tree: Tree, values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The leaf each row comes to.

    values  float64 (n_rows, n_columns), categories as their codes in the tree's schema; a code that is not in
            the table of a node takes the node's `other` branch

    >>> from treewright.model.build import golf_example
    >>> leaves(golf_example(), np.array([[0, 70.0, 1], [1, 70.0, 1], [2, 70.0, 1]]))
    array([4, 2, 7])
    """
    # The kernel reads aligned native float64; arrays from records or files may be neither.
    values = np.require(values, np.float64, "A")
    if values.ndim != 2 or values.shape[1] != tree.schema.n_columns:
        raise InputError(
            f"The values have the shape {values.shape}, but the tree knows {tree.schema.n_columns} columns; "
            f"give a table with one column for each."
        )
    out = np.zeros(len(values), dtype=np.int64)
    if tree.n_nodes == 1:
        return out
    packed = tree.packed
    n_rows = max(1, min(2**20, STEPS // tree.depth))
    for start in range(0, len(values), n_rows):
        part = slice(start, start + n_rows)
        missing = route(values[part], packed.cells, packed.tables, out[part])
        if missing >= 0:
            _refuse_missing(tree, start + missing, int(out[start + missing]))
    return out


def _refuse_missing(tree: Tree, row: int, node: int) -> None:
    column = tree.schema.columns[tree.column[node]]
    raise InputError(
        f"Column {column.name!r} is missing (NaN) in row {row}, where the tree asks for it; "
        f"fill missing values in before predicting."
    )


def paths(tree: Tree, values: NDArray[np.float64]) -> csr_matrix:
    """Which nodes each row meets: a sparse (n_rows, n_nodes) matrix of ones.

    >>> from treewright.model.build import golf_example
    >>> paths(golf_example(), np.array([[0, 70.0, 1]])).toarray()
    array([[1, 1, 0, 0, 1, 0, 0, 0]])
    """
    ends_at = leaves(tree, values)
    ends = np.cumsum(tree.depths[ends_at] + 1)
    starts = np.concatenate([[0], ends])
    nodes = np.empty(starts[-1], dtype=np.int64)
    climb(tree.parent, ends_at, ends, nodes)
    ones = np.ones(len(nodes), dtype=np.int64)
    return csr_matrix((ones, nodes, starts), shape=(len(ends_at), tree.n_nodes))
