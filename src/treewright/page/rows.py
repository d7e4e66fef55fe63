"""Rows: some rows of the table for the page, as text.

In: the training rows and the number of each in the user's table. Out: their cells, at most a few thousand rows, some
of every leaf. A page is passed on, so it holds rows only where the user gave them for it.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.folds import hold_out
from treewright.data.schema import Column, Kind
from treewright.model.tree import Tree
from treewright.model.words import category_words, number_words
from treewright.page.plain import sentence
from treewright.predict.route import USUAL, leaves

MOST_ROWS, MOST_CELLS = 5_000, 150_000
"""Rows, and cells, that a page holds."""

MOST_LETTERS = 200
"""Letters of a cell; what is longer is cut."""


def rows_part(tree: Tree, rows: Dataset, numbers: NDArray[np.int64]) -> dict[str, Any]:
    """Cells and leaves of some rows, in the order of the table.

    numbers  the number of each row in the user's table

    >>> from treewright.model.build import golf_example
    >>> golf = golf_example()
    >>> rows = Dataset(golf.schema, np.array([[0, 70.0, 0], [1, np.nan, 1]]), np.array([1, 1]))
    >>> rows_part(golf, rows, np.arange(2))["cells"]
    [['sunny', '70', 'False', 'Play'], ['overcast', None, 'True', 'Play']]
    """
    counts = np.ones(rows.n_rows, bool) if rows.weight is None else rows.weight > 0
    counted = np.flatnonzero(counts)
    leaf = leaves(tree, rows.values[counted], USUAL)
    order = np.argsort(numbers[counted], kind="stable")
    most = max(1, min(MOST_ROWS, MOST_CELLS // (rows.n_columns + 1)))
    chosen = order[_some_of_each(leaf[order], tree.weight, most)]
    shown = counted[chosen]
    schema = rows.schema
    columns = [_words(column, rows.values[shown, i]) for i, column in enumerate(schema.columns)]
    classes = schema.target.classes
    target = Column(schema.target.name, Kind.NUMBER if classes is None else Kind.CATEGORY, classes or ())
    columns.append(_words(target, rows.target[shown].astype(np.float64)))
    return {
        "cells": [list(cells) for cells in zip(*columns, strict=True)],
        "leaf": leaf[chosen].tolist(),
        "number": numbers[shown].tolist(),
        "n_rows": len(counted),
    }


def _some_of_each(leaf: NDArray[np.int64], weight: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """The places of the first few rows of each leaf, in rising order: as many of each as there is room for."""
    if len(leaf) <= most:
        return np.arange(len(leaf))
    by_leaf = np.argsort(leaf, kind="stable")
    at, counts = np.unique(leaf, return_counts=True)
    rank = np.empty(len(leaf), np.int64)
    rank[by_leaf] = np.arange(len(leaf)) - np.repeat(np.cumsum(counts) - counts, counts)
    each = int(np.searchsorted(np.cumsum(np.bincount(rank)), most, side="right"))
    chosen = rank < each
    # What room is left goes to the heaviest leaves, a row each.
    left = most - int(np.count_nonzero(chosen))
    heavy = at[np.argsort(-weight[at], kind="stable")]
    further = np.isin(leaf, heavy[np.isin(heavy, leaf[rank == each])][:left]) & (rank == each)
    return np.flatnonzero(chosen | further)


def _words(column: Column, cells: NDArray[np.float64]) -> list[str | None]:
    """Cells as text; None is a missing one."""
    if column.kind is Kind.NUMBER:
        return [None if x != x else number_words(x) for x in cells.tolist()]
    words = [sentence(category_words(one), MOST_LETTERS) for one in column.categories]
    return [None if x != x else words[int(x)] for x in cells.tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Numbered(Dataset):
    """Rows that know their numbers in the user's table, whatever part of them is taken."""

    number: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def take(self, rows: NDArray[np.intp]) -> "Numbered":
        """The dataset of these rows, in this order."""
        weight = None if self.weight is None else self.weight[rows]
        taken = self.values[rows], self.target[rows], weight
        return Numbered(self.schema, *taken, self.copies, number=self.number[rows])


def numbers_in_table(table: Dataset, fraction: float) -> NDArray[np.int64]:
    """The number of each training row in a table of which a fraction is held out.

    >>> from treewright.data.schema import Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> table = Dataset(schema, np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 1, 1]))
    >>> len(numbers_in_table(table, 0.5))
    4
    """
    every = np.arange(table.n_rows)
    numbered = Numbered(table.schema, table.values, table.target, table.weight, table.copies, number=every)
    training = hold_out(numbered, fraction)[0]
    assert isinstance(training, Numbered)
    return training.number
