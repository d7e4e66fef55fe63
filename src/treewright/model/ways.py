"""RowRouter: a tree as a few ordinary rows are sent down it.

In: a tree. Out: its packed nodes, and the code of every number that is a category.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import RowRouter
from treewright.data.schema import Column, Kind

if TYPE_CHECKING:
    from treewright.model.tree import Tree

HIGHEST = 2**16
"""Categories that are whole numbers below this are found by their place in a table."""


def ways_of(tree: "Tree") -> RowRouter | None:
    """The tree with its columns; None where categories are no such numbers."""
    columns = tree.schema.columns
    tables = [np.zeros(0) if column.kind == Kind.NUMBER else code_table(column) for column in columns]
    if any(table is None for table in tables):
        return None
    codes = np.concatenate([np.zeros(0), *(table for table in tables if table is not None)])
    length = np.array([0 if table is None else len(table) for table in tables], np.int64)
    first = np.cumsum(length) - length
    first[[column.kind == Kind.NUMBER for column in columns]] = -1
    packed = tree.packed
    return RowRouter(packed.cells, packed.tables, first, length, np.where(np.isnan(codes), -1, codes).astype(np.int32))


def code_table(column: Column) -> NDArray[np.float64] | None:
    """The code of each whole number from 0 on in a column whose categories are such numbers, NaN where a number is none
    of them; None for other columns.
    """
    found = [value for value in column.categories if type(value) is int and 0 <= value < HIGHEST]
    if len(found) < column.n_categories:
        return None
    table = np.full(max(found, default=-1) + 1, np.nan)
    table[found] = np.arange(len(found))
    return table
