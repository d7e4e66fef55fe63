"""Cuts: all admissible cuts of a number at a node, with what each of them gains.

In: the rows a node holds and a column. Out: thresholds, gains and which of them tie. Growth keeps the best cut only;
here the others are worked out, from the same whole numbers and by the same rules.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.criteria.merits import twoing
from treewright.grow.candidates import Walk
from treewright.grow.freeze import largest_values
from treewright.ledger.held import Floats, Held, Whole
from treewright.ledger.medians import losses_of_beginnings
from treewright.ledger.order import in_order
from treewright.search.cuts import midpoints
from treewright.search.scores import TIE

NONE = np.zeros(0, np.intp)
EVERY = slice(None)


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The admissible cuts of a number, in the order in which growth looks at them.

    written     gives the thresholds of some of them as the tree would write them; infinity: known against missing
    gain        on the rows that were cut, before rho and charge
    missing     what becomes of missing rows: 0 or 1 is the side they are on, -1: none
    """

    written: Callable[[NDArray[np.intp] | slice], Floats]
    gain: Floats
    missing: NDArray[np.int8]

    @property
    def threshold(self) -> Floats:
        """The thresholds of all cuts."""
        return self.written(EVERY)

    def best_first(self, scale: float, n: int) -> NDArray[np.intp]:
        """The best n cuts by gain, those that tie in the order of growth."""
        if not len(self.gain):
            return np.zeros(0, np.intp)
        step = TIE * scale or 1.0  # nothing is left of an impurity near the smallest number there is
        # Cuts that can be among them: the order of the others is nobody's question, and sorting is slow.
        nth = max(len(self.gain) - n, 0)
        some = np.flatnonzero(self.gain >= np.partition(self.gain, nth)[nth] - 2.0 * step)
        gain = self.gain[some]  # the best one is among them
        best = gain.max()
        below = np.rint((best - gain) / step)
        below[gain >= best - TIE * scale] = 0.0
        return some[np.lexsort((some, below))[:n]]

    def after(self, threshold: float, scale: float) -> "Cuts":
        """Without the cuts that would have won over the one that growth took: they did not keep an order.

        These are the better ones, and of those as good the ones that stand before it.
        """
        every = self.threshold
        at = np.flatnonzero(every == threshold)
        if not len(at):
            return self
        own = int(at[np.argmax(self.gain[at])])
        more = self.gain - self.gain[own]
        before = np.arange(len(more)) < own
        kept = (more <= TIE * scale) & ~(before & (more >= -TIE * scale))
        return Cuts(every[kept].__getitem__, self.gain[kept], self.missing[kept])

    def tied(self, scale: float, cuts: NDArray[np.intp] | slice = EVERY) -> NDArray[np.bool_]:
        """Which of all cuts, or of these, are as good as the best one."""
        return self.gain[cuts] >= self.gain.max(initial=-np.inf) - TIE * scale


def cuts_of(
    walk: Walk, rows: Held, column: int, values: Floats, order: NDArray[np.intp] | None = None
) -> Cuts:
    """All admissible cuts of a number, on its known rows; where missing rows join a side, on all rows.

    values  of the rows in the column
    order   of the rows by value, where that is known and no value is missing; rows of one value may come in any order,
            because no cut is between them
    """
    gone = NONE
    if order is None:
        known = ~np.isnan(values)
        order, gone = np.flatnonzero(known), np.flatnonzero(~known)
        order = order[np.argsort(values[order])]
    learned = rows.prepared.numbers["missing"] == codes.LEARNED and len(gone) > 0
    rising = values.take(order)
    between = np.flatnonzero(rising[1:] != rising[:-1])
    if not learned:
        place = in_order(rows, column, order, _admissible(rows, order, between))
        gains, nowhere = _gains(rows, order, place), np.full(len(place), -1, np.int8)
        return Cuts(lambda some: _thresholds(walk, column, rising, place[some]), gains, nowhere)
    high = np.concatenate([order, gone])
    place = in_order(rows, column, high, _admissible(rows, high, np.append(between, len(order) - 1)), len(order) - 1)
    written = np.full(len(place), np.inf)
    inside = place < len(order) - 1
    written[inside] = _thresholds(walk, column, rising, place[inside])
    low = np.concatenate([gone, order])
    below = in_order(rows, column, low, _admissible(rows, low, between + len(gone)))
    written = np.concatenate([written, _thresholds(walk, column, rising, below - len(gone))])
    return Cuts(
        written.__getitem__,
        np.concatenate([_gains(rows, high, place), _gains(rows, low, below)]),
        np.repeat(np.array([1, 0], np.int8), [len(place), len(below)]),
    )


def side_minimum(rows: Held, weight: int) -> float:
    """What each side of a cut of rows of this weight has to reach, in rows or weights of one row."""
    numbers = rows.prepared.numbers
    least = float(numbers["min_leaf"])
    if numbers["release8_side"] and rows.n_classes:
        part = (weight - numbers["tolerance"]) / numbers["row_weight"] / (10.0 * rows.n_classes)
        least = max(least, min(part, 25.0))
    return least


def _admissible(rows: Held, order: NDArray[np.intp], between: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of these places, each the last one below a cut, those that leave both sides enough."""
    if not len(order):
        return between
    numbers = rows.prepared.numbers
    if not rows.prepared.table["weighted"]:  # each row is one unit
        least = max(side_minimum(rows, len(order)), numbers["min_leaf_weight"])
        first, last = _both_sides(between + 1, len(order), least)
        return between[first:last]
    reached = rows.reached(order)
    total = int(reached[-1])
    least, low = side_minimum(rows, total), reached[between]
    first, last = _both_sides(low, total, numbers["min_leaf_weight"])
    if numbers["count_weight"]:
        own = _both_sides(low, total, least * numbers["row_weight"])
    else:
        own = _both_sides(between + 1, len(order), least)
    return between[max(first, own[0]) : min(last, own[1])]


def _both_sides(low: Whole, total: int, least: float) -> tuple[int, int]:
    """The first and behind the last of rising amounts that are at least so much and leave as much of the total."""
    n_high = len(low) - np.searchsorted((total - low)[::-1], least)
    return int(np.searchsorted(low, least)), int(n_high)


def _thresholds(walk: Walk, column: int, rising: Floats, place: NDArray[np.intp]) -> Floats:
    bins = walk.prepared.bins.get(column)
    low = rising[place]
    middle = midpoints(low, rising[place + 1]) if bins is None else bins.behind(low)
    if walk.prepared.plan.threshold == "value":
        middle = largest_values(walk.rising(column), middle)
    return middle + 0.0


def _gains(rows: Held, order: NDArray[np.intp], place: NDArray[np.intp]) -> Floats:
    """What the cuts behind these places of the order gain."""
    if not len(place):
        return np.zeros(0)
    if rows.n_classes:
        return _class_gains(rows, order, place)
    if not rows.prepared.plan.by_median:
        return _mean_gains(rows, order, place)
    weight, moment = rows.weight[order], rows.moment[order]
    rank = np.unique(rows.target[order], return_inverse=True)[1]
    low = losses_of_beginnings(rank, weight, moment, place + 1)
    high = losses_of_beginnings(rank[::-1], weight[::-1], moment[::-1], len(order) - place - 1)
    whole = losses_of_beginnings(rank, weight, moment, np.array([len(order)]))
    return (whole - low - high) / weight.sum() * rows.prepared.table["y_unit"]


def _class_gains(rows: Held, order: NDArray[np.intp], place: NDArray[np.intp]) -> Floats:
    """One class after the other, so that many rows of many classes need no table of both."""
    criterion = rows.prepared.plan.measured_by
    if criterion.terms is None or (criterion.measure is not None and criterion.measure is not twoing):
        return _table_gains(rows, order, place)
    label, reached = rows.target.take(order), rows.reached(order)
    total, low = int(reached[-1]), reached.take(place)
    before, impurity, apart = 0.0, np.zeros((2, len(place))), np.zeros(len(place))
    rest, whole_rest = low, total
    both, sides = np.array([low, total - low], np.float64), np.empty((2, len(place)))
    for own in rows.classes:
        if own == rows.classes[-1]:  # what is left
            below, whole = rest, whole_rest
        else:
            reached = rows.reached_of(label, order, own)
            below, whole = reached.take(place), int(reached[-1])
            rest, whole_rest = rest - below, whole_rest - whole
        sides[0], sides[1] = below, whole - below
        sides /= both
        impurity += criterion.terms(sides)
        if criterion.measure is twoing:
            apart += np.abs(sides[0] - sides[1])
        before += float(criterion.terms(np.array([whole / total]))[0])
    share = low / total
    if criterion.measure is twoing:
        return share * (1.0 - share) * apart**2 / 4.0
    return before - share * impurity[0] - (1.0 - share) * impurity[1]


def _table_gains(rows: Held, order: NDArray[np.intp], place: NDArray[np.intp]) -> Floats:
    """The same for any criterion, from the class weights of both sides of each cut."""
    criterion = rows.prepared.plan.measured_by
    cells = np.zeros((len(order), rows.n_classes), np.int64)
    cells[np.arange(len(order)), np.asarray(rows.target)[order]] = rows.weight[order]
    reached = np.cumsum(cells, axis=0)
    low, high = reached[place], reached[-1] - reached[place]
    if criterion.measure is not None:
        return np.array([criterion.measure(sides) for sides in np.stack([low, high], axis=1)])
    share = low.sum(axis=1) / int(reached[-1].sum())
    before = float(criterion.of_weights(reached[-1:])[0])
    return before - share * criterion.of_weights(low) - (1.0 - share) * criterion.of_weights(high)


def _mean_gains(rows: Held, order: NDArray[np.intp], place: NDArray[np.intp]) -> Floats:
    reached, moment = rows.reached(order), np.cumsum(rows.moment.take(order))
    total, whole = int(reached[-1]), int(moment[-1])
    centre = whole // total
    low = reached.take(place)
    # counted from the mean, to the unit: whole numbers lose nothing, and what is left is small
    below = (moment.take(place) - centre * low).astype(np.float64)
    rest = float(whole - centre * total)
    inner = below / low * below + (rest - below) / (total - low) * (rest - below) - rest / total * rest
    return np.maximum(inner, 0.0) / total * rows.prepared.table["y_unit"] ** 2
