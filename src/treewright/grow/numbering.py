"""The codes of columns of few values: a byte for each cell, which rises with the value.

In: a table, and columns that may have few values. Out: their codes, and a row of each value. Whole numbers that are
near each other are read as they stand; other numbers, bins and categories with missing cells are numbered in
an array of their own first.
"""

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import MOST, number_values, rank_in_place, take_whole
from treewright.data.dataset import Dataset
from treewright.grow.bins import Bins
from treewright.grow.table import in_batches, spread

FIRST_ROWS = 1024
"""So many rows tell whether a column may be one of whole numbers near each other."""
NUMBERED = 64
"""Most columns whose values are numbered at a time; their tables then stay near."""
EXACT = 2.0**53
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


class Whole:
    """Columns of whole numbers near each other: their lowest code is `base`, and each code has a row or -1."""

    def __init__(self, values: Floats, columns: list[int]) -> None:
        self.values, self.columns = values, columns
        self.base = _base_of(values[:FIRST_ROWS, columns])
        self.fits = np.ones(len(columns), np.uint8)
        self.row_of = np.full((len(columns), MOST), -1, np.int32)

    def take(self, codes: Bytes, n_jobs: int) -> None:
        """Write the codes of all rows, which the threads share, from the first place of `codes` on."""
        n_rows = len(codes)
        fits, row_of = np.tile(self.fits, (n_jobs, 1)), np.tile(self.row_of, (n_jobs, 1, 1))
        columns, bits = np.array(self.columns, np.int64), self.values.view(np.uint64)
        bits_of = np.add.outer(self.base, np.arange(MOST)).astype(np.float64).view(np.uint64)

        def take(part: range) -> None:
            """Those of the i-th part of the rows, for each i."""
            for i in part:
                first, end = n_rows * i // n_jobs, n_rows * (i + 1) // n_jobs
                take_whole(self.values, bits, columns, self.base, bits_of, first, end, codes, row_of[i], fits[i])

        spread(take, [range(i, i + 1) for i in range(n_jobs)], n_jobs)
        self.fits, self.row_of = fits.min(axis=0), row_of.max(axis=0)

    def fitting(self) -> list[int]:
        """The columns that are what they seemed to be."""
        return [f for f, fits in zip(self.columns, self.fits, strict=True) if fits]

    def rank(self, codes: Bytes, n_levels: dict[int, int]) -> list[Longs]:
        """Leave out codes that no row has; for each column a row of each value, rising.

        n_levels  category -> how many there are: their codes stay as they are, and nobody asks for their rows
        """
        met = self.row_of >= 0
        ranks = np.cumsum(met, axis=1, dtype=np.uint8) - met  # wraps around only behind the last code met
        categories = [c for c, f in enumerate(self.columns) if f in n_levels]
        ranks[categories] = np.arange(MOST)
        if (ranks != np.arange(MOST))[met].any():
            rank_in_place(codes, ranks)
        rows = [own[has].astype(np.int64) for own, has in zip(self.row_of, met, strict=True)]
        for c in categories:
            rows[c] = np.zeros(n_levels[self.columns[c]], np.int64)
        return rows


def _base_of(cells: Floats) -> Longs:
    """By column, 0 if no cell is below it; else, or if they are high, what leaves room on both sides."""
    low, high = cells.min(axis=0), cells.max(axis=0)
    far = (np.maximum(np.abs(low), np.abs(high)) >= EXACT) | ((low >= 0) & (high < MOST))
    low[far] = high[far] = 0
    gap = (high - low).astype(np.int64)
    return np.where(far | (gap >= MOST), 0, low.astype(np.int64) - (MOST - 1 - gap) // 2)


def may_be_whole(values: Floats, columns: list[int]) -> list[int]:
    """The columns that have, in their first rows, whole numbers near each other."""
    first = Whole(values, columns)
    first.take(np.empty((min(len(values), FIRST_ROWS), len(columns)), np.uint8), 1)
    return first.fitting()


def number_columns(
    dataset: Dataset, columns: list[int], bins: dict[int, Bins], found: Bytes, ranks: Bytes, n_jobs: int
) -> list[Longs]:
    """Number and rank the values of some columns; for each a row of each value, rising, and none if it has too many.

    found, ranks  column, row -> the number of the cell's value; column, number -> its rank
    """
    first_row = np.empty((len(columns), MOST), np.int64)
    n_found = np.empty(len(columns), np.int64)
    numbers, bits = np.array(columns, np.int64), dataset.values.view(np.uint64)

    def number(part: range) -> None:
        """Number the values, or the bins, of some columns."""
        own = slice(part.start, part.stop)
        if bins:
            _number_with_bins(dataset.values, numbers[own], bins, found[own], first_row[own], n_found[own])
        else:
            number_values(bits, numbers[own], found[own], first_row[own], n_found[own])

    spread(number, in_batches(len(columns), NUMBERED, n_jobs), n_jobs)
    rows = []
    for p, f in enumerate(columns):
        own = first_row[p, : max(n_found[p], 0)]
        rising = np.argsort(dataset.values[own, f])  # of bins, any value tells which is higher
        ranks[p, rising] = np.arange(len(rising))
        rows.append(own[rising])
    return rows


def _number_with_bins(
    values: Floats, columns: Longs, bins: dict[int, Bins], found: Bytes, first_row: Longs, n_found: Longs
) -> None:
    """The same as number_values, where some columns have bins instead of values."""
    for c, f in enumerate(columns.tolist()):
        own = slice(c, c + 1)
        if f in bins:
            bins[f].number(values[:, f], found[c], first_row[c])
            n_found[c] = len(bins[f].top)
        else:
            number_values(values.view(np.uint64), columns[own], found[own], first_row[own], n_found[own])
