"""Node statistics: the training rows of a node, counted by branch.

`NodeStatistics` returns class weights, means and losses of branches, and their impurities. Weights are summed as
integers in the unit of growth, so that no sum depends on the order of rows.
"""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.impurities import poisson_losses
from treewright.grow.candidates import ReplayedNode
from treewright.grow.prepare import Prepared

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]

COARSE, DIGITS = 9e-13, 2.0**-52
"""As in growth: a mean in units may be off by this part of the range of its targets, plus this part of itself."""
EXACT = 2**53
"""Sums of integers below this are exact as floats, in any order."""


@dataclass(frozen=True, eq=False)
class NodeStatistics:
    """The rows of a node, sorted by target.

    prepared  the table as growth sees it
    row       the position of each row in that table
    weight    in units
    target    class codes, or numbers
    moment    weight times target in units, for regression
    impurity  of all rows
    bounds    of the node's prediction by `monotonic_cst`
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
        """The number of classes; 0 for regression."""
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
    def position(self) -> NDArray[np.intp]:
        """The position in the node of each row of the table; undefined for rows that are not in the node."""
        position = np.empty(self.prepared.dataset.n_rows, np.intp)
        position[self.row] = np.arange(len(self.row))
        return position

    @property
    def counts_weight(self) -> bool:
        """Whether minimums are of weight that is not just the number of rows."""
        return bool(self.prepared.numbers["count_weight"] and self.prepared.table["weighted"])

    @cached_property
    def classes(self) -> list[int]:
        """The classes of the rows, ascending."""
        return np.flatnonzero(np.bincount(self.target)).tolist()

    def counted(self, order: NDArray[np.intp]) -> Whole:
        """The cumulative number of the rows in an order."""
        return np.arange(1, len(order) + 1)

    def reached(self, order: NDArray[np.intp]) -> Whole:
        """The cumulative weight of the rows in an order."""
        if not self.prepared.table["weighted"]:  # each row is one unit
            return np.arange(1, len(order) + 1)
        return np.cumsum(self.weight[order])

    def reached_of(self, label: NDArray[Any], order: NDArray[np.intp], own: int) -> Whole:
        """The cumulative weight of the rows of one class; `label` has the classes in this order."""
        if not self.prepared.table["weighted"]:
            return np.cumsum(label == own)
        return np.cumsum(np.where(label == own, self.weight[order], 0))

    def values(self, column: int) -> Floats:
        """The values of a column; NaN is missing."""
        return self.prepared.dataset.values[:, column].take(self.row)

    def tables(self, branch: NDArray[np.intp], n: int) -> Whole:
        """Class weights, or weight and moment, of each of n branches; rows with branch -1 are in none."""
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
        """The impurity of each branch, from its table and `stats`; 0 for an empty branch."""
        if self.n_classes:
            return self.prepared.plan.measured_by.of_weights(table)
        return np.array([loss / weight if weight else 0.0 for weight, _, loss in stats])

    def stats(self, branch: NDArray[np.intp], table: Whole) -> list[tuple[float, ...]]:
        """Class weights of each branch, or weight, value and loss, in the user's units."""
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
        if self.prepared.plan.measured_by.by_deviance:
            loss = poisson_losses(y, centre.take(own))
        else:
            off = np.abs(y - centre.take(own))
            loss = off**2 if is_mean else off
        losses = np.bincount(own, weight * loss, len(table))
        return list(zip((table[:, 0] * self.unit).tolist(), centre.tolist(), losses.tolist(), strict=True))

    def _means(self, own: NDArray[np.intp], y: Floats, weight: Whole, table: Whole) -> Floats:
        """The means in units; where units are too coarse for a branch, the means of the targets themselves."""
        known, some = self.prepared.table, table[:, 0] > 0
        moment = np.divide(table[:, 1], table[:, 0], out=np.zeros(len(table)), where=some)
        least, most = np.full(len(table), np.inf), np.full(len(table), -np.inf)
        least[own[::-1]], most[own] = y[::-1], y  # rows are sorted by y, and the last write stays
        off = np.bincount(own, weight * (y - least.take(own)), len(table))
        in_units = known["y_centre"] + moment * known["y_unit"]
        exact = np.where(some, least, 0.0) + np.divide(off, table[:, 0], out=np.zeros(len(table)), where=some)
        allowed = COARSE * np.where(some, most - least, 0.0) + DIGITS * np.abs(exact)
        return np.where(some & (np.abs(exact - in_units) > allowed), exact, in_units)

    def _medians(self, own: NDArray[np.intp], y: Floats, weight: Whole, table: Whole) -> Floats:
        """The medians of rows sorted by y: the value at which half of a branch's weight is reached, or the midpoint
        to the next value where exactly half is reached."""
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


def _sums(position: NDArray[np.intp], whole: Whole, n: int) -> Whole:
    """The exact sums of integers by position."""
    if int(np.abs(whole).sum()) < EXACT:
        return np.bincount(position, whole, n).astype(np.int64)
    sums: Whole = np.zeros(n, np.int64)
    np.add.at(sums, position, whole)
    return sums


def node_statistics(prepared: Prepared, replayed: ReplayedNode) -> NodeStatistics:
    """The rows of a node, in an order that depends only on targets and weights."""
    target = prepared.dataset.target[replayed.rows]
    order = np.lexsort((replayed.weights, target))
    moment = replayed.moments[order] if len(replayed.moments) else replayed.moments
    rows, weights = replayed.rows[order], replayed.weights[order]
    return NodeStatistics(prepared, rows, weights, target[order], moment, replayed.impurity, replayed.bounds)
