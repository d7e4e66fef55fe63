"""Binning: the values of a numeric column put into at most `max_bins` bins before growth.

In: a table and the largest number of values of a column. Out: for each column with more values, its bins, with about
as many rows in each, and the edges between them. They depend on the values alone, not on the order of the rows, their
weights or the target. Equal values are in one bin. A frequent value has a bin of its own, which does not count
against the others.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import MOST, number_bins, sort_values
from treewright.criteria.split_scores import midpoints
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.grow.column_batches import column_batches, each_column, run_in_threads

Floats = NDArray[np.float64]
FREQUENT = 4
"""A value with as many rows as this many bins gets a bin of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """The bins of a column: the highest value of each, and the edges between them, halfway to the next value."""

    top: Floats
    edge: Floats

    def upper_edges(self, values: Floats) -> Floats:
        """The upper edges of the bins of these values; none of them is in the last bin."""
        return self.edge[np.searchsorted(self.top, values)]

    def number(self, values: Floats, numbers: NDArray[np.uint8], row_of: NDArray[np.int64] | None = None) -> None:
        """Write the bin number of each value, and a row of each bin; a missing value counts as the lowest one."""
        padded = np.full(MOST, np.inf)
        padded[: len(self.top)] = self.top
        number_bins(values, padded, numbers, np.empty(MOST, np.int64) if row_of is None else row_of)


def find_bins(dataset: Dataset, max_bins: int | None, n_jobs: int = 1) -> dict[int, Bins]:
    """The bins of each numeric column with more than max_bins different values."""
    if max_bins is None:
        return {}
    numbers = np.array([f for f, c in enumerate(dataset.schema.columns) if c.kind is not Kind.CATEGORY], int)
    found: dict[int, Bins] = {}

    def find(part: range) -> None:
        room = np.empty((2, dataset.n_rows), np.uint64)
        for f, cells in each_column(dataset.values, numbers[part.start : part.stop]):
            sort_values(cells.view(np.uint64), room)
            bins = bin_sorted_values(cells, max_bins)
            if bins is not None:
                found[f] = bins

    run_in_threads(find, column_batches(len(numbers), dataset.n_rows, n_jobs), n_jobs)
    return found


def bin_sorted_values(rising: Floats, max_bins: int) -> Bins | None:
    """The bins of a sorted column, missing values last; None if it has no more than max_bins different values.

    >>> found = bin_sorted_values(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 3)
    >>> found.top.tolist(), found.edge.tolist()
    ([2.0, 4.0, 6.0], [2.5, 4.5])
    """
    rising = rising[: np.searchsorted(rising, np.nan)]
    starts = np.flatnonzero(np.concatenate([[True], rising[1:] != rising[:-1]])) if len(rising) else np.zeros(0, int)
    if len(starts) <= max_bins:
        return None
    ends = np.append(starts[1:], len(rising))
    frequent = np.flatnonzero(is_frequent(ends - starts, len(rising), max_bins))
    top = np.unique(rising[top_ranks(len(rising), starts[frequent], ends[frequent], max_bins)])
    return bins_below(top, rising[np.searchsorted(rising, top[:-1], side="right")])


def is_frequent(counts: NDArray[np.int64], n_rows: int, max_bins: int) -> NDArray[np.bool_]:
    """Whether values that so many of the rows have get a bin of their own."""
    return counts * max_bins > FREQUENT * n_rows


def top_ranks(n_rows: int, starts: NDArray[np.int64], ends: NDArray[np.int64], max_bins: int) -> NDArray[np.int64]:
    """The ranks, from 0, of the highest values of the bins of a column with so many values.

    starts, ends  of each frequent value, the rank of its first row and the one behind its last

    >>> none = np.zeros(0, np.int64)
    >>> top_ranks(6, none, none, 3)
    array([1, 3, 5])
    """
    n_light = n_rows - int((ends - starts).sum())
    n_bins = max_bins - 2 * len(starts) - 1  # each interval between frequent values has at least one bin
    if not len(starts) or n_bins < 1:
        return _equal_frequency_ranks(n_rows, max_bins)
    ranks = [starts]
    for low, high in zip(np.append(0, ends), np.append(starts, n_rows), strict=True):
        if high > low:
            ranks.append(low + _equal_frequency_ranks(high - low, max(1, (high - low) * n_bins // n_light)))
    return np.sort(np.concatenate(ranks))


def _equal_frequency_ranks(n_rows: int, n_bins: int) -> NDArray[np.int64]:
    """The ranks of the last rows of bins with about the same number of rows."""
    return np.asarray(-(-n_rows * np.arange(1, n_bins + 1, dtype=np.int64) // n_bins) - 1)


def bins_below(top: Floats, following: Floats) -> Bins:
    """The bins with these highest values; `following` has the next value behind each of them but the last."""
    return Bins(top, midpoints(top[:-1], following))


def replace_by_bins(dataset: Dataset, bins: dict[int, Bins]) -> Dataset:
    """The table with every value replaced by the highest value of its bin."""
    values = np.array(dataset.values, order="F")
    numbers = np.empty(dataset.n_rows, np.uint8)
    for f, own in bins.items():
        own.number(dataset.values[:, f], numbers)
        values[:, f] = np.where(np.isnan(values[:, f]), np.nan, own.top[numbers])
    return replace(dataset, values=values)
