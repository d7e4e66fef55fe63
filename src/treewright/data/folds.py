"""Folds: rows dealt into parts, always in the same way, or in as many other ways as asked for.

In: a dataset. Out: training and held-out datasets. No chance and no seed: rows are put in order by their target, then
by a number mixed from their values, and dealt in turn. So every part has its share of each class (of the low and the
high numbers), and the parts are the same whatever the order of the rows and columns, and whatever a number is
measured in: of the values of a column only their order counts. A row of weight 3 is dealt as three rows, unless weights
are importances.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import sort_entries
from treewright.data.dataset import Dataset
from treewright.errors import InputError

ROW_MASK = 2**31 - 1
"""The bits of a sorted entry that are the row; the highest bit marks the first row of each value."""

STRETCH = 20
"""Neighbours by a numeric target that change places from one repeat to the next: two rounds of ten folds."""

MOST_UNITS = 2**53
"""Whole weights are counted as copies up to this sum."""


@dataclass(frozen=True, slots=True, eq=False)
class Deal:
    """Rows in the order in which they are dealt.

    A unit is a row, or where all weights are whole, one of the copies that the weight stands for.

    dataset  the rows that have a weight
    order    int64, rows in order
    units    int64, how many units each of them is
    stops    int64, the units dealt after each of them
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

    def part(self, held: NDArray[np.int64]) -> tuple[Dataset, Dataset]:
        """The rows without, and with, the units held out of each row in order."""
        left = np.empty_like(held)
        left[self.order] = self.units - held
        training, some = left.nonzero()[0], held.nonzero()[0]
        # Held-out rows stay in the order of the deal, so that sums over them have but one result. Growth needs no
        # order, and rows are taken faster in their own.
        return self._take(training, left[training]), self._take(self.order[some], held[some])

    def _take(self, rows: NDArray[np.int64], units: NDArray[np.int64]) -> Dataset:
        taken = self.dataset.take(rows)
        return replace(taken, weight=units.astype(np.float64)) if self.counted else taken


def deal(dataset: Dataset, repeat: int = 0) -> Deal:
    """Put the rows in order; every `repeat` is another order within a class, and always the same one.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> deal(Dataset(schema, np.array([[1.0], [2.0], [3.0]]), np.array([1, 0, 1]))).n_units
    3
    """
    weight = dataset.weight
    if weight is not None and not weight.all():
        dataset = dataset.take(np.flatnonzero(weight))
        weight = dataset.weight
    counted = weight is not None and weight.sum() < MOST_UNITS and dataset.is_counted
    units = weight.astype(np.int64) if counted and weight is not None else np.ones(dataset.n_rows, np.int64)
    target, key = np.ascontiguousarray(dataset.target), _keys(dataset, units)
    by = [key, target]
    if repeat:  # rows that are alike stay together, all others meet new neighbours
        key = _mixed(key + _mixed(np.array([repeat], np.uint64)))
        by = [target, key, _stretches(target, key, units)] if dataset.schema.target.is_number else [key, target]
    # Rows alike in all that is known may still differ in weight.
    order = np.lexsort(by if weight is None else [weight, *by])
    units = units[order]
    return Deal(dataset, order, units, np.cumsum(units), counted)


def folds(dataset: Dataset, k: int, repeat: int = 0) -> Iterator[tuple[Dataset, Dataset]]:
    """Part the rows in k and give, for each part in turn, the other rows and the part.

    repeat  0, 1, 2 and so on: each deals the rows in another way, which is always the same

    There are no more parts than units. A class that has fewer units than there are parts is absent from some.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> rows = Dataset(schema, np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 0, 1, 1]))
    >>> [(training.target.tolist(), held_out.target.tolist()) for training, held_out in folds(rows, 2)]
    [([0, 1], [0, 1]), ([0, 1], [0, 1])]
    """
    dealt = deal(dataset, repeat)
    k = min(k, dealt.n_units)
    if k < 2:
        raise InputError(f"{dealt.n_units} row cannot be parted in folds; give at least two rows.")
    stops, starts = dealt.stops, dealt.starts
    for fold in range(k):
        # Of the units below u, those of the fold are u - fold divided by k, rounded up.
        yield dealt.part((fold - starts) // k - (fold - stops) // k)


def hold_out(dataset: Dataset, fraction: float) -> tuple[Dataset, Dataset]:
    """Training rows, and a fraction held out, the same of every class; a class always keeps a row for training.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> rows = Dataset(schema, np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 1, 1]))
    >>> training, held_out = hold_out(rows, 0.5)
    >>> training.target.tolist(), held_out.target.tolist()
    ([0, 0, 0, 1], [0, 0, 0, 1])
    """
    dealt = deal(dataset)
    stops, starts = (np.floor(edge * fraction).astype(np.int64) for edge in (dealt.stops, dealt.starts))
    held = stops - starts
    if not dataset.schema.target.is_number:
        _leave_some(dealt, held)
    if not held.any():
        raise InputError(
            f"A fraction of {fraction:g} of {dealt.n_units} rows is no row to be held out; "
            "give a larger fraction, or validation rows."
        )
    return dealt.part(held)


def _leave_some(dealt: Deal, held: NDArray[np.int64]) -> None:
    """Give back the first unit of every class that has none left."""
    code = dealt.dataset.target[dealt.order]
    left = np.bincount(code, dealt.units - held)
    first = np.searchsorted(code, np.flatnonzero((left == 0) & (np.bincount(code) > 0)))
    held[first] -= 1


def _stretches(target: NDArray[Any], key: NDArray[np.uint64], units: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers in stretches of neighbours, which stand in for classes; rows that are alike are in the same one."""
    order = np.lexsort((key, target))
    starts = np.cumsum(units[order]) - units[order]
    changes = (np.diff(target[order]) != 0) | (np.diff(key[order]) != 0)
    first = np.maximum.accumulate(np.where(np.concatenate([[True], changes]), np.arange(len(order)), 0))
    found = np.empty(len(order), np.int64)
    found[order] = starts[first] // STRETCH
    return found


def _keys(dataset: Dataset, units: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A number for each row, mixed from the ranks of its values; the order of rows and columns does not matter.

    Every column mixes in a number of its own, drawn from what it says about the target: columns have no order. Only
    where two say the same are they told apart by it, or (1, 2) would be the same row as (2, 1).
    """
    rows = np.arange(dataset.n_rows, dtype=np.uint32)
    copies = units.astype(np.uint64)
    is_number = dataset.schema.target.is_number
    answer = _mixed(_ranks(dataset.target, rows) if is_number else dataset.target.astype(np.uint64))
    key = np.zeros(dataset.n_rows, np.uint64)
    seen: Counter[int] = Counter()
    for f in range(dataset.n_columns):
        rank = _ranks(dataset.values[:, f], rows)
        if rank.any():  # a column with one value says nothing
            own = (_mixed(rank + answer) * copies).sum(keepdims=True)
            key += _mixed(rank + _mixed(own + np.uint64(seen[own.item()])))
            seen[own.item()] += 1
    return key


def _ranks(cells: NDArray[Any], rows: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """0 for the lowest value, 1 for the next and so on; missing values share the last one."""
    values = np.array(cells, np.float64)
    values[np.isnan(values)] = np.nan  # one form of NaN, which is sorted behind the highest value
    entries = np.empty(len(values), np.uint32)
    sort_entries(values.view(np.uint64), rows, ROW_MASK, entries, np.empty((3, len(rows)), np.uint64))
    ranks = np.empty(len(values), np.uint64)
    ranks[entries & np.uint32(ROW_MASK)] = np.cumsum(entries >> np.uint32(31), dtype=np.uint64) - np.uint64(1)
    return ranks


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look drawn by chance: the steps of splitmix64 (Steele, Lea and Flood 2014)."""
    z = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
