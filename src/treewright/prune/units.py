"""Units: weights of any size, counted in rows.

In: a grown tree and rows whose weights need not be counts. Out: the same in rows: a weight is divided by what counts as
one row; and a pruned tree back in the weights it had. Methods that ask how many rows stand behind a number can take
every weight as a count of rows, and a table whose weights sum to 1 is pruned like the same table without weights.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.units import exact_sum
from treewright.model.answering import Answering
from treewright.model.columns import COLUMNS
from treewright.model.tree import Tree


def one_row(rows: Dataset) -> float:
    """The weight that counts as one row: 1 where all weights are whole, so copies; else the mean weight.

    >>> from treewright.data.schema import Schema, Target
    >>> rows = Dataset(Schema((), Target()), np.zeros((2, 0)), np.array([1.0, 2.0]), np.array([0.25, 0.5]))
    >>> one_row(rows), one_row(replace(rows, weight=None))
    (0.375, 1.0)
    """
    weight = rows.weight
    if weight is None or rows.is_counted:
        return 1.0
    return exact_sum(weight) / int(np.count_nonzero(weight))


def rows_in(rows: Dataset | None, unit: float) -> Dataset | None:
    """The rows with weights that are counts of `unit`."""
    if rows is None or rows.weight is None or unit == 1.0:
        return rows
    return replace(rows, weight=rows.weight / unit)


def tree_in(tree: Tree, unit: float) -> Tree:
    """The tree with weights that are counts of `unit`."""
    if unit == 1.0:
        return tree
    how = replace(tree.answering, row_weight=tree.answering.row_weight / unit)
    return _weighed(tree, tree.weight / unit, tree.stats / unit, how)


def tree_back(pruned: Tree, grown: Tree, origin: NDArray[Any], unit: float) -> Tree:
    """A pruned tree in the weights of the grown one; a node whose rows did not change has exactly the same."""
    if unit == 1.0:
        return pruned
    same = pruned.weight == (grown.weight / unit)[origin]
    weight = np.where(same, grown.weight[origin], pruned.weight * unit)
    stats = np.where(same[:, None], grown.stats[origin], pruned.stats * unit)
    return _weighed(pruned, weight, stats, grown.answering)


def _weighed(tree: Tree, weight: NDArray[Any], stats: NDArray[Any], answering: Answering) -> Tree:
    if tree.schema.target.is_number:  # (weight, value, loss): the value is no weight
        stats = stats.copy()
        stats[:, 1] = tree.stats[:, 1]
    columns = {name: getattr(tree, name) for name in COLUMNS} | {"weight": weight, "stats": stats}
    return Tree.unchecked(tree.schema, tree.criterion, tree.missing, tree.surrogates, answering=answering, **columns)
