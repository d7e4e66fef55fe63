"""Cuts: all admissible cuts of a number at a node, with their gains.

Growth keeps only the best cut of a column. Here all of them are computed from the rows of the node, with the same
integers and by the same rules: thresholds, gains, and which of them tie.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.criteria.impurities import poisson_losses
from treewright.criteria.merits import twoing
from treewright.criteria.split_scores import midpoints
from treewright.grow.candidates import GrowthReplay
from treewright.grow.freeze import largest_values_not_above
from treewright.ledger.node_statistics import Floats, NodeStatistics, Whole

Positions = NDArray[np.intp]
"""Positions in the rows of a node."""

NO_POSITIONS = np.zeros(0, np.intp)
EVERY = slice(None)


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The admissible cuts of a number, in the order in which growth considers them.

    thresholds  returns the thresholds of some cuts, as they would be written in the tree; infinity separates known from
                missing values
    gain        on the rows that are cut, before rho and penalty
    missing     where missing values go: 0 or 1 is a side, -1 neither
    """

    thresholds: Callable[[Positions | slice], Floats]
    gain: Floats
    missing: NDArray[np.int8]

    @property
    def threshold(self) -> Floats:
        """The thresholds of all cuts."""
        return self.thresholds(EVERY)

    def best_first(self, scale: float, n: int) -> Positions:
        """The positions of the n best cuts; ties are in the order of growth."""
        if not len(self.gain):
            return np.zeros(0, np.intp)
        step = codes.GAIN_TIE * scale or 1.0  # a tie of a subnormal impurity underflows to 0
        # Only cuts that can be among the n best are sorted: sorting all of them is slow.
        nth = max(len(self.gain) - n, 0)
        some = np.flatnonzero(self.gain >= np.partition(self.gain, nth)[nth] - 2.0 * step)
        gain = self.gain[some]
        best = gain.max()
        below = np.rint((best - gain) / step)
        below[gain >= best - codes.GAIN_TIE * scale] = 0.0
        return some[np.lexsort((some, below))[:n]]

    def without_excluded(self, threshold: float, scale: float) -> "Cuts":
        """The cuts without those that growth excluded: better than the chosen one, or equal and before it.

        They violate a monotonic constraint.
        """
        every = self.threshold
        at = np.flatnonzero(every == threshold)
        if not len(at):
            return self
        own = int(at[np.argmax(self.gain[at])])
        more = self.gain - self.gain[own]
        before = np.arange(len(more)) < own
        kept = (more <= codes.GAIN_TIE * scale) & ~(before & (more >= -codes.GAIN_TIE * scale))
        return Cuts(every[kept].__getitem__, self.gain[kept], self.missing[kept])

    def tied(self, scale: float, cuts: Positions | slice = EVERY) -> NDArray[np.bool_]:
        """Which cuts are as good as the best one: of all, or of those at these positions."""
        return self.gain[cuts] >= self.gain.max(initial=-np.inf) - codes.GAIN_TIE * scale


def find_cuts(
    replay: GrowthReplay, rows: NodeStatistics, column: int, values: Floats, order: Positions | None = None
) -> Cuts:
    """Find all admissible cuts of a number, on the rows with a known value.

    Where missing values join a side, the cuts are those of all rows.


    values  of the column, for each row of the node
    order   the rows sorted by value, where that is known and no value is missing; rows with equal values may be in any
            order, because no cut is between them
    """
    gone = NO_POSITIONS
    if order is None:
        known = ~np.isnan(values)
        order, gone = np.flatnonzero(known), np.flatnonzero(~known)
        order = order[np.argsort(values[order])]
    learned = rows.prepared.numbers["missing"] == codes.LEARNED and len(gone) > 0
    ascending = values.take(order)
    between = np.flatnonzero(ascending[1:] != ascending[:-1])
    if not learned:
        position = keep_monotone(rows, column, order, _admissible(rows, order, between))
        gains, nowhere = _gains(rows, order, position), np.full(len(position), -1, np.int8)
        return Cuts(lambda some: _thresholds(replay, column, ascending, position[some]), gains, nowhere)
    high = np.concatenate([order, gone])
    position = keep_monotone(
        rows, column, high, _admissible(rows, high, np.append(between, len(order) - 1)), len(order) - 1
    )
    threshold = np.full(len(position), np.inf)
    inside = position < len(order) - 1
    threshold[inside] = _thresholds(replay, column, ascending, position[inside])
    low = np.concatenate([gone, order])
    below = keep_monotone(rows, column, low, _admissible(rows, low, between + len(gone)))
    threshold = np.concatenate([threshold, _thresholds(replay, column, ascending, below - len(gone))])
    return Cuts(
        threshold.__getitem__,
        np.concatenate([_gains(rows, high, position), _gains(rows, low, below)]),
        np.repeat(np.array([1, 0], np.int8), [len(position), len(below)]),
    )


def side_minimum(rows: NodeStatistics, weight: int) -> float:
    """The minimum size of each side of a cut of rows of this weight, in rows or in weights of one row."""
    numbers = rows.prepared.numbers
    least = float(numbers["min_leaf"])
    if numbers["release8_side"] and rows.n_classes:
        part = (weight - numbers["tolerance"]) / numbers["row_weight"] / (10.0 * rows.n_classes)
        least = max(least, min(part, 25.0))
    return least


def _admissible(rows: NodeStatistics, order: Positions, between: Positions) -> Positions:
    """Of these positions, each the last one below a cut, those that leave both sides large enough, with a rate."""
    if not len(order):
        return between
    numbers = rows.prepared.numbers
    if not rows.prepared.table["weighted"]:  # each row is one unit
        least = max(side_minimum(rows, len(order)), numbers["min_leaf_weight"])
        first, last = _both_sides(between + 1, len(order), least)
        return _with_rates(rows, order, between[first:last])
    reached = rows.reached(order)
    total = int(reached[-1])
    least, low = side_minimum(rows, total), reached[between]
    first, last = _both_sides(low, total, numbers["min_leaf_weight"])
    if numbers["count_weight"]:
        own = _both_sides(low, total, least * numbers["row_weight"])
    else:
        counted = rows.counted(order)
        own = _both_sides(counted[between], int(counted[-1]), least)
    return _with_rates(rows, order, between[max(first, own[0]) : min(last, own[1])])


def _both_sides(low: Whole, total: int, least: float) -> tuple[int, int]:
    """The range of ascending sums that are at least `least` and leave at least as much of the total: first, end."""
    n_high = len(low) - np.searchsorted((total - low)[::-1], least)
    return int(np.searchsorted(low, least)), int(n_high)


def _thresholds(replay: GrowthReplay, column: int, ascending: Floats, position: Positions) -> Floats:
    bins = replay.prepared.bins.get(column)
    low = ascending[position]
    middle = midpoints(low, ascending[position + 1]) if bins is None else bins.upper_edges(low)
    if replay.prepared.plan.threshold == "value":
        middle = largest_values_not_above(replay.rising(column), middle)
    return middle + 0.0


def _gains(rows: NodeStatistics, order: Positions, position: Positions) -> Floats:
    """The gains of the cuts behind these positions of the order."""
    if not len(position):
        return np.zeros(0)
    if rows.n_classes:
        return _class_gains(rows, order, position)
    if rows.prepared.plan.measured_by.by_deviance:
        return _deviance_gains(rows, order, position)
    if not rows.prepared.plan.by_median:
        return _mean_gains(rows, order, position)
    weight, moment = rows.weight[order], rows.moment[order]
    rank = np.unique(rows.target[order], return_inverse=True)[1]
    low = prefix_losses(rank, weight, moment, position + 1)
    high = prefix_losses(rank[::-1], weight[::-1], moment[::-1], len(order) - position - 1)
    whole = prefix_losses(rank, weight, moment, np.array([len(order)]))
    return (whole - low - high) / weight.sum() * rows.prepared.table["y_unit"]


def _class_gains(rows: NodeStatistics, order: Positions, position: Positions) -> Floats:
    """Gains by class weights, one class at a time: a table of all rows by all classes would be large."""
    criterion = rows.prepared.plan.measured_by
    if criterion.terms is None or (criterion.measure is not None and criterion.measure is not twoing):
        return _table_gains(rows, order, position)
    label, reached = rows.target.take(order), rows.reached(order)
    total, low = int(reached[-1]), reached.take(position)
    before, impurity, apart = 0.0, np.zeros((2, len(position))), np.zeros(len(position))
    rest, whole_rest = low, total
    both, sides = np.array([low, total - low], np.float64), np.empty((2, len(position)))
    for own in rows.classes:
        if own == rows.classes[-1]:  # the remaining weight
            below, whole = rest, whole_rest
        else:
            reached = rows.reached_of(label, order, own)
            below, whole = reached.take(position), int(reached[-1])
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


def _table_gains(rows: NodeStatistics, order: Positions, position: Positions) -> Floats:
    """The same for any criterion, from a table of the class weights of both sides of each cut."""
    criterion = rows.prepared.plan.measured_by
    cells = np.zeros((len(order), rows.n_classes), np.int64)
    cells[np.arange(len(order)), np.asarray(rows.target)[order]] = rows.weight[order]
    reached = np.cumsum(cells, axis=0)
    low, high = reached[position], reached[-1] - reached[position]
    if criterion.measure is not None:
        return np.array([criterion.measure(sides) for sides in np.stack([low, high], axis=1)])
    share = low.sum(axis=1) / int(reached[-1].sum())
    before = float(criterion.of_weights(reached[-1:])[0])
    return before - share * criterion.of_weights(low) - (1.0 - share) * criterion.of_weights(high)


def _mean_gains(rows: NodeStatistics, order: Positions, position: Positions) -> Floats:
    reached, moment = rows.reached(order), np.cumsum(rows.moment.take(order))
    total, whole = int(reached[-1]), int(moment[-1])
    centre = whole // total
    low = reached.take(position)
    # Moments are centred on the mean, rounded to a unit: integers are exact, and the centred ones stay small.
    below = (moment.take(position) - centre * low).astype(np.float64)
    rest = float(whole - centre * total)
    inner = below / low * below + (rest - below) / (total - low) * (rest - below) - rest / total * rest
    return np.maximum(inner, 0.0) / total * rows.prepared.table["y_unit"] ** 2


def _deviance_gains(rows: NodeStatistics, order: Positions, position: Positions) -> Floats:
    """Half the deviances of the rates of both sides about the rate of all rows."""
    reached, moment = rows.reached(order), np.cumsum(rows.moment.take(order))
    total, whole = int(reached[-1]), int(moment[-1])
    low, below = reached.take(position), moment.take(position)
    high, above = total - low, whole - below
    inner = low * poisson_losses(below / low, whole / total) + high * poisson_losses(above / high, whole / total)
    return np.asarray(inner / total * rows.prepared.table["y_unit"])


def _with_rates(rows: NodeStatistics, order: Positions, position: Positions) -> Positions:
    """Of these positions those with a target above 0 on both sides, where the criterion needs a rate."""
    if not rows.prepared.plan.measured_by.by_deviance or not len(order):
        return position
    moment = np.cumsum(rows.moment.take(order))
    below = moment.take(position)
    return position[(below > 0) & (below < moment[-1])]


def keep_monotone(
    rows: NodeStatistics, column: int, order: Positions, position: Positions, test: int = -1
) -> Positions:
    """Of these positions, each the last one below a cut of the rows in this order, those that satisfy `monotonic_cst`.

    Growth decides by the same rules (`_core/grow/monotone.py`). `test` is the position behind which all values are
    missing: a cut there need not be monotonic.
    """
    numbers = rows.prepared.numbers
    if not numbers["monotone"] or not len(position):
        return position
    low, high = _side_predictions(rows, order, position)
    least, most = rows.bounds
    kept = (low >= least) & (low <= most) & (high >= least) & (high <= most)
    sense = int(numbers["monotonic"][column])
    if sense:
        kept &= ((high >= low) if sense > 0 else (high <= low)) | (position == test)
    return position[kept]


def _side_predictions(rows: NodeStatistics, order: Positions, position: Positions) -> tuple[Floats, Floats]:
    """The predictions of both sides of each cut."""
    numbers, table, weight = rows.prepared.numbers, rows.prepared.table, rows.weight[order]
    if rows.prepared.plan.by_median:
        values, rank = np.unique(rows.target[order], return_inverse=True)
        high = prefix_medians(rank[::-1], weight[::-1], values, len(order) - position - 1)
        return prefix_medians(rank, weight, values, position + 1), high
    moment = np.where(rows.target == 1, rows.weight, 0) if rows.n_classes else rows.moment
    reached, summed = np.cumsum(weight), np.cumsum(moment[order])
    known, total = int(reached[-1]), rows.total
    sides = []
    low = summed[position], reached[position]
    for own, part in (low, (summed[-1] - low[0], known - low[1])):
        mean = own / part
        if numbers["missing"] == codes.FRACTIONAL and len(order) < len(rows.row):
            mean = (known * mean + float(int(moment.sum()) - int(summed[-1]))) / total
        sides.append(mean if rows.n_classes else table["y_centre"] + mean * table["y_unit"])
    return sides[0], sides[1]


def prefix_medians(
    rank: Whole, weight: Whole, values: Floats, length: Whole
) -> Floats:
    """The median target of the first `length` rows, for each length; the midpoint where two values share the middle.

    The ranks are sorted bit by bit, as in a wavelet tree, and all lengths descend together: the time grows with rows
    times the bits of a rank.

    rank    of each target among the distinct targets, from 0
    values  the distinct targets, ascending

    >>> rank, one, values = np.array([0, 2, 1]), np.ones(3, np.int64), np.array([1.0, 2.0, 6.0])
    >>> prefix_medians(rank, one, values, np.array([1, 2, 3])).tolist()
    [1.0, 3.5, 2.0]
    """
    low, high = (values[_middle_ranks(rank, weight, length, more)] for more in (0, 1))
    return np.where(low == high, low, low / 2 + high / 2)


def _middle_ranks(rank: Whole, weight: Whole, length: Whole, more: int) -> Whole:
    """The first rank at which half of the weight is reached (`more` is 0) or exceeded (1)."""
    half = np.concatenate([[0], np.cumsum(weight)])[length] + more
    first, last = np.zeros(len(length), np.int64), length.astype(np.int64)
    before, found = np.zeros(len(length), np.int64), np.zeros(len(length), np.int64)
    for bit in range(int(rank.max(initial=0)).bit_length() - 1, -1, -1):
        low = (rank >> bit & 1) == 0
        n_low, w_low = (np.concatenate([[0], np.cumsum(np.where(low, a, 0))]) for a in (np.ones_like(weight), weight))
        here = w_low[last] - w_low[first]
        goes_low = 2 * (before + here) >= half
        before += np.where(goes_low, 0, here)
        found |= np.where(goes_low, 0, 1 << bit)
        first, last = (np.where(goes_low, n_low[a], n_low[-1] + a - n_low[a]) for a in (first, last))
        order = np.argsort(~low, kind="stable")
        rank, weight = rank[order], weight[order]
    return found


def prefix_losses(rank: Whole, weight: Whole, moment: Whole, length: Whole) -> Floats:
    """The sum of w |y - median| of the first `length` rows, for each length, in units of the moment.

    rank    of each target among the distinct targets, from 0
    moment  weight times target

    >>> y, one = np.array([1, 6, 2]), np.ones(3, np.int64)
    >>> prefix_losses(np.array([0, 2, 1]), one, y, np.array([1, 2, 3])).tolist()
    [0.0, 5.0, 5.0]
    """
    total, all_moment = (np.concatenate([[0], np.cumsum(a)])[length] for a in (weight, moment))
    # The ranks that are still possible are at `first` to `last` - 1.
    first, last = np.zeros(len(length), np.int64), length.astype(np.int64)
    before, below = np.zeros(len(length), np.int64), np.zeros(len(length), np.int64)
    for bit in range(int(rank.max(initial=0)).bit_length() - 1, -1, -1):
        low = (rank >> bit & 1) == 0
        n_low, w_low, m_low = (
            np.concatenate([[0], np.cumsum(np.where(low, a, 0))]) for a in (np.ones_like(weight), weight, moment)
        )
        here = w_low[last] - w_low[first]
        goes_low = 2 * (before + here) >= total
        before += np.where(goes_low, 0, here)
        below += np.where(goes_low, 0, m_low[last] - m_low[first])
        first, last = (np.where(goes_low, n_low[a], n_low[-1] + a - n_low[a]) for a in (first, last))
        order = np.argsort(~low, kind="stable")
        rank, weight, moment = rank[order], weight[order], moment[order]
    own, own_moment = (
        np.concatenate([[0], np.cumsum(a)])[last] - np.concatenate([[0], np.cumsum(a)])[first]
        for a in (weight, moment)
    )
    median = own_moment / own
    above, rest = all_moment - below - own_moment, total - before - own
    return (above - below) - median * (rest - before)
