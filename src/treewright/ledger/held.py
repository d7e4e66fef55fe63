"""Held: the rows a node holds, to be counted by branch.

In: a node as growth saw it. Out: class weights, means and losses of its branches, and their impurities. Weights are
added up as whole numbers of growth's unit, so that nothing depends on the order of rows.
"""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.grow.candidates import Seen
from treewright.grow.prepare import Prepared

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]

COARSE, DIGITS = 9e-13, 2.0**-52
"""As in growth: a mean in units may be off by so much of the range of its rows' targets, and of itself."""
EXACT = 2**53
"""Sums of whole numbers below this are exact as floats, in any order."""


@dataclass(frozen=True, eq=False)
class Held:
    """The rows of a node, those of low targets first.

    prepared  the table as growth has it
    row       places in that table
    weight    in units
    target    class codes, or numbers
    moment    weighted targets in units, of numbers
    impurity  of all rows
    bounds    what a monotone tree lets the node answer
    """

    prepared: Prepared
    row: NDArray[np.intp]
    weight: Whole
    target: NDArray[Any]
    moment: Whole
    impurity: float
    bounds: tuple[float, float] = (-inf, inf)

    @cached_property
    def total(self) -> int:
        """The weight of all rows, in units."""
        return int(self.weight.sum())

    @cached_property
    def n_classes(self) -> int:
        """How many classes there are; 0 for numbers."""
        return self.prepared.dataset.schema.target.n_classes

    @cached_property
    def unit(self) -> float:
        """The weight of one unit."""
        return self.prepared.weights.unit

    @cached_property
    def row_weight(self) -> Floats:
        """The weight of each row in the user's units."""
        weight: Floats = self.weight * np.float64(self.unit)
        return weight

    @cached_property
    def place(self) -> NDArray[np.intp]:
        """The place of each row of the table among the rows; of others anything."""
        place = np.empty(self.prepared.dataset.n_rows, np.intp)
        place[self.row] = np.arange(len(self.row))
        return place

    @cached_property
    def classes(self) -> list[int]:
        """The classes that rows have, rising."""
        return np.flatnonzero(np.bincount(self.target)).tolist()

    def reached(self, order: NDArray[np.intp]) -> Whole:
        """The weight of the first row in an order, of the first two, and so on."""
        if not self.prepared.table["weighted"]:  # each row is one unit
            return np.arange(1, len(order) + 1)
        return np.cumsum(self.weight[order])

    def reached_of(self, label: NDArray[Any], order: NDArray[np.intp], own: int) -> Whole:
        """The same of the rows of one class; `label` has the classes in this order."""
        if not self.prepared.table["weighted"]:
            return np.cumsum(label == own)
        return np.cumsum(np.where(label == own, self.weight[order], 0))

    def values(self, column: int) -> Floats:
        """What the rows have in a column; NaN is missing."""
        return self.prepared.dataset.values[:, column].take(self.row)

    def tables(self, branch: NDArray[np.intp], n: int) -> Whole:
        """A row for each branch: class weights, or weight and moment; a row of branch -1 is in none."""
        own, weight, target, moment = branch, self.weight, self.target, self.moment
        if branch.min(initial=0) < 0:
            placed = branch >= 0
            own, weight, target = branch[placed], weight[placed], target[placed]
            moment = moment[placed] if len(moment) else moment
        if self.n_classes:
            cells = own * self.n_classes + target
            if not self.prepared.table["weighted"]:  # each row is one unit
                return np.bincount(cells, minlength=n * self.n_classes).reshape(n, self.n_classes)
            return _sums(cells, weight, n * self.n_classes).reshape(n, self.n_classes)
        weights = _sums(own, weight, n) if self.prepared.table["weighted"] else np.bincount(own, minlength=n)
        return np.column_stack([weights, _sums(own, moment, n)])

    def weights(self, table: Whole) -> Whole:
        """The weight of each branch of a table, in units."""
        return table.sum(axis=1) if self.n_classes else table[:, 0]

    def impurities(self, table: Whole, stats: list[tuple[float, ...]]) -> Floats:
        """The impurity of each branch of a table and its `stats`, per unit of weight; 0 where it is empty."""
        if self.n_classes:
            return self.prepared.plan.measured_by.of_weights(table)
        return np.array([loss / weight if weight else 0.0 for weight, _, loss in stats])

    def stats(self, branch: NDArray[np.intp], table: Whole) -> list[tuple[float, ...]]:
        """Class weights; or weight, value and loss."""
        if self.n_classes:
            return [tuple(row) for row in (table * self.unit).tolist()]
        return self._numbers(branch, table)

    def _numbers(self, branch: NDArray[np.intp], table: Whole) -> list[tuple[float, ...]]:
        """Weight, mean or median, and loss of each branch."""
        own, y, units, weight = branch, self.target, self.weight, self.row_weight
        if branch.min(initial=0) < 0:
            placed = branch >= 0
            own, y, units, weight = branch[placed], y[placed], units[placed], weight[placed]
        is_mean = not self.prepared.plan.by_median
        centre = self._means(own, y, units, table) if is_mean else self._medians(own, y, units, table)
        off = np.abs(y - centre.take(own))
        losses = np.bincount(own, weight * (off**2 if is_mean else off), len(table))
        return list(zip((table[:, 0] * self.unit).tolist(), centre.tolist(), losses.tolist(), strict=True))

    def _means(self, own: NDArray[np.intp], y: Floats, weight: Whole, table: Whole) -> Floats:
        """The means in units or, where these are too coarse for the rows of a branch, of the targets themselves."""
        known, some = self.prepared.table, table[:, 0] > 0
        moment = np.divide(table[:, 1], table[:, 0], out=np.zeros(len(table)), where=some)
        least, most = np.full(len(table), np.inf), np.full(len(table), -np.inf)
        least[own[::-1]], most[own] = y[::-1], y  # rows stand in order of y, and the last one that is written stays
        off = np.bincount(own, weight * (y - least.take(own)), len(table))
        in_units = known["y_centre"] + moment * known["y_unit"]
        exact = np.where(some, least, 0.0) + np.divide(off, table[:, 0], out=np.zeros(len(table)), where=some)
        allowed = COARSE * np.where(some, most - least, 0.0) + DIGITS * np.abs(exact)
        return np.where(some & (np.abs(exact - in_units) > allowed), exact, in_units)

    def _medians(self, own: NDArray[np.intp], y: Floats, weight: Whole, table: Whole) -> Floats:
        """Of rows that stand in order of y: the value at which half of a branch's weight is reached, or halfway to
        the next one where it is exactly half."""
        order = np.argsort(own, kind="stable")
        y, reached = y[order], np.cumsum(weight[order])
        before = np.cumsum(table[:, 0]) - table[:, 0]
        some = table[:, 0] > 0
        at = np.searchsorted(reached, before[some] + (table[some, 0] + 1) // 2)
        middle = y[at]
        half = 2 * (reached[at] - before[some]) == table[some, 0]
        middle[half] = middle[half] / 2 + y[at[half] + 1] / 2
        centre = np.zeros(len(table))
        centre[some] = middle
        return centre


def _sums(place: NDArray[np.intp], whole: Whole, n: int) -> Whole:
    """The sums of whole numbers by place, exact."""
    if int(np.abs(whole).sum()) < EXACT:
        return np.bincount(place, whole, n).astype(np.int64)
    sums: Whole = np.zeros(n, np.int64)
    np.add.at(sums, place, whole)
    return sums


def held(prepared: Prepared, seen: Seen) -> Held:
    """The rows of a node, in an order that only targets and weights decide."""
    target = prepared.dataset.target[seen.rows]
    order = np.lexsort((seen.weights, target))
    moment = seen.moments[order] if len(seen.moments) else seen.moments
    rows, weights = seen.rows[order], seen.weights[order]
    return Held(prepared, rows, weights, target[order], moment, seen.impurity, seen.bounds)
