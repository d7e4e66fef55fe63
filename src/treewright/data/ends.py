"""Ends: the lowest and the highest value of each column of a table, and which columns have missing cells.

In: an encoded table. Out: its ends, found once for all who ask: whether a value is infinite, which columns have holes,
how far a column reaches.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import find_ends


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The ends of the columns of one array.

    table  the array itself: that the ends are those of a given one can be asked
    low    the lowest value of each column, and `high` the highest; NaN where none is known
    holes  whether a cell of the column is NaN
    """

    table: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    holes: NDArray[np.bool_]

    @property
    def are_finite(self) -> bool:
        """Whether no value is infinite."""
        return not (np.isinf(self.low).any() or np.isinf(self.high).any())


def ends_of(table: NDArray[np.float64]) -> Ends:
    """The ends of a table with at least one row.

    >>> ends = ends_of(np.array([[3.0, np.nan], [1.0, np.nan], [2.0, np.nan]]))
    >>> ends.low, ends.high, ends.holes
    (array([ 1., nan]), array([ 3., nan]), array([False,  True]))
    """
    if not table.flags.c_contiguous:
        low, high = np.fmin.reduce(table, axis=0), np.fmax.reduce(table, axis=0)
        return Ends(table, low, high, np.isnan(np.minimum.reduce(table, axis=0)))
    n_columns = table.shape[1]
    low, high, gap = np.full(n_columns, np.inf), np.full(n_columns, -np.inf), np.zeros(n_columns)
    find_ends(table, low, high, gap)
    holes = np.isnan(gap)
    if holes.any():  # or infinite values, which are none
        for f in holes.nonzero()[0]:
            holes[f] = np.isnan(table[:, f]).any()
        unknown = low > high
        low[unknown] = high[unknown] = np.nan
    return Ends(table, low, high, holes)
