"""The lowest and the highest value of each column of a table, and whether cells are missing or infinite.

In: an encoded table of float64. Out: its `ColumnRanges`, computed once for every reader; or a yes or no.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import find_ends, look

SMALL = 2**12
"""Tables of up to this many cells are scanned by a kernel: the call is over before numpy has started."""

INFINITE, MISSING = 1, 2
"""Bits of the kernel's result."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRanges:
    """The ranges of the columns of one array.

    table        the array itself, so that a reader can check that the ranges belong to its array
    low, high    the lowest and the highest value of each column; NaN if the column has no value
    has_missing  whether the column has a NaN cell
    """

    table: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    has_missing: NDArray[np.bool_]

    @property
    def are_finite(self) -> bool:
        """Whether no value is infinite."""
        return not (np.isinf(self.low).any() or np.isinf(self.high).any())


def find_column_ranges(table: NDArray[np.float64]) -> ColumnRanges:
    """The ranges of a table with at least one row.

    >>> ranges = find_column_ranges(np.array([[3.0, np.nan], [1.0, np.nan], [2.0, np.nan]]))
    >>> ranges.low, ranges.high, ranges.has_missing
    (array([ 1., nan]), array([ 3., nan]), array([False,  True]))
    """
    if not table.flags.c_contiguous:
        low, high = np.fmin.reduce(table, axis=0), np.fmax.reduce(table, axis=0)
        return ColumnRanges(table, low, high, np.isnan(np.minimum.reduce(table, axis=0)))
    n_columns = table.shape[1]
    low, high, nan_sum = np.full(n_columns, np.inf), np.full(n_columns, -np.inf), np.zeros(n_columns)
    find_ends(table, low, high, nan_sum)
    missing = np.isnan(nan_sum)
    if missing.any():  # by a missing or an infinite value
        for f in missing.nonzero()[0]:
            missing[f] = np.isnan(table[:, f]).any()
        unknown = low > high
        low[unknown] = high[unknown] = np.nan
    return ColumnRanges(table, low, high, missing)


def has_missing(values: NDArray[np.float64]) -> bool:
    """Whether a cell is NaN.

    >>> has_missing(np.array([[1.0, np.nan]])), has_missing(np.array([[1.0, np.inf]]))
    (True, False)
    """
    if values.size <= SMALL:
        return look(values) & MISSING != 0
    return bool(np.isnan(values.min()))  # a minimum propagates NaN, and needs no memory


def has_infinite(values: NDArray[np.float64]) -> bool:
    """Whether a cell is infinite.

    >>> has_infinite(np.array([[1.0, np.nan]])), has_infinite(np.array([[1.0, -np.inf]]))
    (False, True)
    """
    if values.size <= SMALL:
        return look(values) & INFINITE != 0
    # fmax and fmin ignore NaN.
    return bool(np.fmax.reduce(values, axis=None) == np.inf or np.fmin.reduce(values, axis=None) == -np.inf)
