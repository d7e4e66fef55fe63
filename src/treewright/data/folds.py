"""Folds and hold-out samples, stratified and deterministic.

In: a dataset. Out: training and held-out datasets. There is no random seed: rows are sorted by their target, then by a
hash of their values, and assigned to the folds in turn. So every fold is stratified by class (or by the size of a
numeric target), and the folds do not depend on the order of rows and columns or on the scale of a number: only the
order of the values of a column counts. A row of weight 3 is treated as three rows, unless weights are importances.
Repeats give other folds, which are always the same too.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import sort_entries
from treewright.data.dataset import Dataset
from treewright.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

ROW_MASK = 2**31 - 1
"""The bits of a sorted entry that are the row; the highest bit marks the first row of each value."""

NEIGHBOURHOOD = 20
"""Rows with similar numeric targets that are reordered from one repeat to the next: two rounds of ten folds."""

MOST_COPIES = 2**53
"""Integer weights are treated as copies up to this sum."""


@dataclass(frozen=True, slots=True, eq=False)
class OrderedRows:
    """Rows in the order in which they are assigned to folds.

    A unit is a row or, if all weights are integers, one of the copies that the weight means.

    dataset  the rows with a weight above 0
    order    int64, the sorted rows
    units    int64, the number of units of each of them
    stops    int64, the number of units up to and including each of them
    counted  whether a row of weight w is w units
    """

    dataset: Dataset
    order: NDArray[np.int64]
    units: NDArray[np.int64]
    stops: NDArray[np.int64]
    counted: bool

    @property
    def n_units(self) -> int:
        return int(self.stops[-1]) if len(self.stops) else 0

    @property
    def starts(self) -> NDArray[np.int64]:
        return self.stops - self.units

    def split(self, held_out: NDArray[np.int64]) -> tuple[Dataset, Dataset]:
        """The training rows and the held-out rows; `held_out` has the units held out of each sorted row."""
        left = np.empty_like(held_out)
        left[self.order] = self.units - held_out
        training, some = left.nonzero()[0], held_out.nonzero()[0]
        # Held-out rows stay sorted, so that sums over them do not depend on the order of the table. Growth does not
        # depend on it, and rows are copied faster in the order of the table.
        return self._take(training, left[training]), self._take(self.order[some], held_out[some])

    def _take(self, rows: NDArray[np.int64], units: NDArray[np.int64]) -> Dataset:
        taken = self.dataset.take(rows)
        return replace(taken, weight=units.astype(np.float64)) if self.counted else taken


def order_rows(dataset: Dataset, repeat: int = 0) -> OrderedRows:
    """Sort the rows; each `repeat` is another order within a class, and always the same one.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> order_rows(Dataset(schema, np.array([[1.0], [2.0], [3.0]]), np.array([1, 0, 1]))).n_units
    3
    """
    weight = dataset.weight
    if weight is not None and not weight.all():
        dataset = dataset.take(np.flatnonzero(weight))
        weight = dataset.weight
    counted = weight is not None and weight.sum() < MOST_COPIES and dataset.is_counted
    units = weight.astype(np.int64) if counted and weight is not None else np.ones(dataset.n_rows, np.int64)
    target, key = np.ascontiguousarray(dataset.target), _keys(dataset, units)
    by = [key, target]
    if repeat:  # identical rows stay together, all others get new neighbours
        key = _hash(key + _hash(np.array([repeat], np.uint64)))
        by = [target, key, _neighbourhoods(target, key, units)] if dataset.schema.target.is_number else [key, target]
    # Rows with identical values may still differ in weight.
    order = np.lexsort(by if weight is None else [weight, *by])
    units = units[order]
    return OrderedRows(dataset, order, units, np.cumsum(units), counted)


def folds(dataset: Dataset, k: int, repeat: int = 0) -> Iterator[tuple[Dataset, Dataset]]:
    """Divide the rows into k folds and yield, for each fold, the other rows and the fold.

    Parameters
    ----------
    dataset : Dataset
        The rows.
    k : int
        Number of folds, reduced to the number of rows if there are fewer. A class with fewer than k rows is absent from
        some folds.
    repeat : int
        0, 1, 2 and so on: each gives other folds.

    Yields
    ------
    training, held_out : Dataset

    Examples
    --------
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> rows = Dataset(schema, np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 0, 1, 1]))
    >>> [(training.target.tolist(), held_out.target.tolist()) for training, held_out in folds(rows, 2)]
    [([0, 1], [0, 1]), ([0, 1], [0, 1])]
    """
    rows = order_rows(dataset, repeat)
    k = min(k, rows.n_units)
    if k < 2:
        raise InputError(f"Folds need at least 2 rows, got {rows.n_units}.")
    stops, starts = rows.stops, rows.starts
    for fold in range(k):
        # Of the units below u, those of the fold are u - fold divided by k, rounded up.
        yield rows.split((fold - starts) // k - (fold - stops) // k)


def hold_out(dataset: Dataset, fraction: float) -> tuple[Dataset, Dataset]:
    """Training rows and a held-out fraction, stratified by class; every class keeps at least one row for training.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> rows = Dataset(schema, np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 1, 1]))
    >>> training, held_out = hold_out(rows, 0.5)
    >>> training.target.tolist(), held_out.target.tolist()
    ([0, 0, 0, 1], [0, 0, 0, 1])
    """
    rows = order_rows(dataset)
    stops, starts = (np.floor(edge * fraction).astype(np.int64) for edge in (rows.stops, rows.starts))
    held_out = stops - starts
    if not dataset.schema.target.is_number:
        _keep_one_of_each_class(rows, held_out)
    if not held_out.any():
        raise InputError(
            f"A fraction of {fraction:g} of {rows.n_units} rows holds out no row; "
            "use a larger fraction, or pass validation rows."
        )
    return rows.split(held_out)


def _keep_one_of_each_class(rows: OrderedRows, held_out: NDArray[np.int64]) -> None:
    """Return the first unit of every class that has none left to the training rows."""
    code = rows.dataset.target[rows.order]
    left = np.bincount(code, rows.units - held_out)
    first = np.searchsorted(code, np.flatnonzero((left == 0) & (np.bincount(code) > 0)))
    held_out[first] -= 1


def _neighbourhoods(target: NDArray[Any], key: NDArray[np.uint64], units: NDArray[np.int64]) -> NDArray[np.int64]:
    """Groups of rows with similar numeric targets, which take the place of classes; identical rows share a group."""
    order = np.lexsort((key, target))
    starts = np.cumsum(units[order]) - units[order]
    changes = (np.diff(target[order]) != 0) | (np.diff(key[order]) != 0)
    first = np.maximum.accumulate(np.where(np.concatenate([[True], changes]), np.arange(len(order)), 0))
    found = np.empty(len(order), np.int64)
    found[order] = starts[first] // NEIGHBOURHOOD
    return found


def _keys(dataset: Dataset, units: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A hash of each row, made from the ranks of its values; the order of rows and columns does not matter.

    Every column contributes a hash of its own relation to the target, because columns have no order. Columns with the
    same relation are distinguished by a count, or the rows (1, 2) and (2, 1) would be the same.
    """
    rows = np.arange(dataset.n_rows, dtype=np.uint32)
    copies = units.astype(np.uint64)
    is_number = dataset.schema.target.is_number
    target = _hash(_ranks(dataset.target, rows) if is_number else dataset.target.astype(np.uint64))
    key = np.zeros(dataset.n_rows, np.uint64)
    seen: Counter[int] = Counter()
    for f in range(dataset.n_columns):
        rank = _ranks(dataset.values[:, f], rows)
        if rank.any():  # a constant column contributes nothing
            own = (_hash(rank + target) * copies).sum(keepdims=True)
            key += _hash(rank + _hash(own + np.uint64(seen[own.item()])))
            seen[own.item()] += 1
    return key


def _ranks(cells: NDArray[Any], rows: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """0 for the lowest value, 1 for the next and so on; missing values share the last one."""
    values = np.array(cells, np.float64)
    values[np.isnan(values)] = np.nan  # one bit pattern of NaN, which is sorted after the highest value
    entries = np.empty(len(values), np.uint32)
    sort_entries(values.view(np.uint64), rows, ROW_MASK, entries, np.empty((3, len(rows)), np.uint64))
    ranks = np.empty(len(values), np.uint64)
    ranks[entries & np.uint32(ROW_MASK)] = np.cumsum(entries >> np.uint32(31), dtype=np.uint64) - np.uint64(1)
    return ranks


def _hash(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The numbers hashed by the steps of splitmix64 (Steele, Lea and Flood 2014)."""
    z = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def map_in_threads(task: Callable[[Item], Result], items: Iterable[Item], n_jobs: int) -> Iterator[Result]:
    """The results of the task for each item, in order, computed in `n_jobs` threads, for example one task per fold.

    Tasks that have not started when the caller stops reading are cancelled.

    >>> list(map_in_threads(abs, [-3, 2, -1], 2))
    [3, 2, 1]
    """
    if n_jobs == 1:
        yield from map(task, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    running: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="treewright") as pool:
        try:
            for item in items:
                running.append(pool.submit(task, item))
                if len(running) > n_jobs:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for one in running:
                one.cancel()
