"""Intervals of one column within which a tree predicts the same, and the prediction on each of them.

What comes in: a tree, a row, and one of its columns; the other columns keep their values. `value_intervals` divides the
values of the column at the thresholds of the tree (of splits, and of surrogates if they are used); each category is an
interval of its own. `predict_on_intervals` predicts on all of them in one pass over the nodes that the row can reach:
one by one would take intervals times nodes.

For that the row goes down every branch where the free column is tested, with its whole weight. Each such branch opens a
*region*: the nodes up to the next test of the column. A region is open for some of the intervals, and the nodes where
the row ends in it count for these intervals only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import route_fractional
from treewright.data.schema import Column, Kind
from treewright.language import messages
from treewright.model.formatting import format_categories, format_category, format_value
from treewright.model.prediction_rule import TIE, choose_classes, expected_costs
from treewright.model.tree import Tree

NEAR = 1e-9
"""Sums nearer to a tie than this are not trusted, because their terms are added in another order."""

ROUNDING = 2e-14
"""About ten times the rounding error of a sum, relative to its largest term and the root of the number of terms."""

NOWHERE = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class ValueIntervals:
    """The intervals of one column, from low to high values or in the order of the categories.

    column    the column
    breaks    float64, where they meet: interval i has the values above breaks[i - 1] and up to breaks[i]; None for
              categories, each of which is an interval
    nearest   float64, the value of each interval that is nearest to the row's own, in codes
    distance  float64, how far that is; NaN for the row's own interval
    """

    column: Column
    breaks: NDArray[np.float64] | None
    nearest: NDArray[np.float64]
    distance: NDArray[np.float64]

    def value(self, i: int) -> object:
        """Return the nearest value of an interval, as the user writes it."""
        code = float(self.nearest[i])
        return code if self.column.kind is Kind.NUMBER else self.column.categories[int(code)]

    def words(self, alike: NDArray[np.bool_], at: int, language: str = "en") -> str:
        """Return the condition that holds on interval `at` and on adjacent ones that are alike, or on alike categories.

        >>> breaks, nearest = np.array([30.0, 50.0]), np.array([30.0, 50.0, 51.0])
        >>> age = ValueIntervals(Column("age", Kind.NUMBER), breaks, nearest, np.zeros(3))
        >>> age.words(np.array([True, False, False]), 0), age.words(np.array([False, True, True]), 1)
        ('age <= 30', 'age > 30')
        """
        name = self.column.name
        if self.breaks is None:
            found = [self.column.categories[i] for i in np.flatnonzero(alike).tolist()]
            if len(found) == 1:
                return f"{name} = {format_category(found[0])}"
            _ = messages(language)
            return _("{column} in {categories}", column=name, categories=format_categories(found, language))
        apart = np.flatnonzero(~alike)
        low = int(apart[apart < at].max(initial=-1)) + 1
        high = int(apart[apart > at].min(initial=len(alike))) - 1
        return _between(self.column, self.breaks, low, high, language)


def value_intervals(
    tree: Tree, position: int, now: float, spread: float | None, surrogates: bool
) -> ValueIntervals | None:
    """Return the intervals of a column around the value of a row; None if the tree never tests the column.

    now         the value of the row as a code; NaN or minus infinity if it is unknown
    spread      highest minus lowest value in the training data; None if it is unknown
    surrogates  whether surrogates are used

    >>> from treewright.model.build import golf_example
    >>> found = value_intervals(golf_example(), 1, 80.0, 30.0, False)
    >>> found.nearest.tolist(), found.distance.round(3).tolist()
    ([75.0, 80.0], [0.167, nan])
    """
    column, own = tree.schema.columns[position], tree.column == position
    second = tree.surrogates if surrogates else None
    also = np.zeros(0, bool) if second is None else second.column == position
    if not own.any() and not also.any():
        return None
    if column.kind is Kind.CATEGORY:
        codes = np.arange(column.n_categories, dtype=np.float64)
        return ValueIntervals(column, None, codes, np.where(codes == now, np.nan, 1.0))
    cuts = tree.threshold[own]
    if second is not None:
        cuts = np.concatenate([cuts, second.threshold[also]])
    cuts = cuts[np.isfinite(cuts)]  # an infinite one tests only whether the value is known
    if column.kind is Kind.ORDERED:
        cuts = np.floor(cuts)
        cuts = cuts[(cuts >= 0) & (cuts < column.n_categories - 1)]
    breaks = np.unique(cuts)
    return _around(column, breaks, now, spread)


def _around(column: Column, breaks: NDArray[np.float64], now: float, spread: float | None) -> ValueIntervals:
    """Return the intervals between these breaks, with their distances from `now`."""
    is_number = column.kind is Kind.NUMBER
    ends = breaks  # an interval has its upper end, and what is just above the end of the one before
    starts = np.nextafter(breaks, np.inf) if is_number else breaks + 1.0
    low_ends, high_starts = np.concatenate([ends, [np.nan]]), np.concatenate([[np.nan], starts])
    if not now > -np.inf:
        nearest = np.where(np.isnan(low_ends), high_starts, low_ends)
        nearest[np.isnan(nearest)] = 0.0  # only whether it is known is tested: any value will do
        return ValueIntervals(column, breaks, nearest, np.ones(len(nearest)))
    at = int(np.searchsorted(breaks, now))
    index = np.arange(len(breaks) + 1)
    nearest = np.where(index < at, low_ends, np.where(index > at, high_starts, now))
    # Just above a break is as far as the break itself: no digit of the distance is the next float's.
    edge = np.where(index < at, low_ends, np.concatenate([[np.nan], breaks if is_number else starts]))
    if not is_number:
        spread = column.n_categories - 1.0
    elif spread is None:
        spread = float(max(breaks.max(initial=now), now) - min(breaks.min(initial=now), now))
    # Halves, because the difference of two numbers may be too large to be one.
    distance = np.abs(0.5 * edge - 0.5 * now) / (0.5 * spread if spread > 0 else 1.0)
    distance[at] = np.nan
    distance[np.isinf(nearest)] = np.nan  # nothing lies above the largest number there is
    return ValueIntervals(column, breaks, nearest, distance)


def _between(column: Column, breaks: NDArray[np.float64], low: int, high: int, language: str) -> str:
    """Return the condition that holds from interval `low` to interval `high`."""
    name, last = column.name, len(breaks)
    if low == 0 and high == last:
        _ = messages(language)
        return _("{column} is known", column=name)

    def limit(i: int) -> str:
        return format_value(column, float(breaks[i]))

    if column.kind is Kind.ORDERED:
        first = 0 if low == 0 else int(breaks[low - 1]) + 1
        final = column.n_categories - 1 if high == last else int(breaks[high])
        if first == final:
            return f"{name} = {format_category(column.categories[first])}"
    if low == 0:
        return f"{name} <= {limit(high)}"
    return f"{name} > {limit(low - 1)}" if high == last else f"{limit(low - 1)} < {name} <= {limit(high)}"


@dataclass(frozen=True, slots=True, eq=False)
class IntervalPredictions:
    """The prediction on each interval, class codes or numbers; and whether it is certain, or too near a tie."""

    predictions: NDArray[Any]
    certain: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _ReachedNodes:
    """The nodes that a row reaches with one column free, each before its children.

    nodes    their numbers
    weight   the fraction of the row at each
    parent   the index of the parent in this list
    tests    whether the node tests the free column
    region   the index of the node that opens the region
    """

    nodes: NDArray[np.int64]
    weight: NDArray[np.float64]
    parent: NDArray[np.int64]
    tests: NDArray[np.bool_]
    region: NDArray[np.int64]


def predict_on_intervals(
    tree: Tree, values: NDArray[np.float64], position: int, found: ValueIntervals, unseen: str
) -> IntervalPredictions:
    """Predict on each interval of a column.

    values  the row as a table of one row; a missing value in another column sends it down every branch
    unseen  where unseen categories go: majority or stop

    >>> from treewright.model.build import golf_example
    >>> row = np.array([[0, 80.0, 1]])
    >>> found = value_intervals(golf_example(), 1, 80.0, None, False)
    >>> predict_on_intervals(golf_example(), row, 1, found, "stop").predictions.tolist()
    [1, 0]
    """
    reach = _reach_nodes(tree, values, position, unseen)
    is_end = np.ones(len(reach.nodes), bool)
    is_end[reach.parent[1:]] = False
    ends = np.flatnonzero(is_end)
    region, weight = reach.region[ends], reach.weight[ends]
    value = tree.value[reach.nodes[ends]]
    open_for = _open_intervals(tree, found, reach)
    n = len(found.nearest)
    if bool(np.all(weight == 1.0)) and len(np.unique(region)) == len(region):
        # One path for each interval: the end itself is found, and no sum is rounded.
        end_of = _sum_by_interval(open_for, region, np.arange(len(ends))[:, None], n)[:, 0].astype(np.int64)
        at_end = value[end_of]
        predictions = at_end[:, 0] if tree.schema.target.is_number else tree.predicted_class[reach.nodes[ends]][end_of]
        return IntervalPredictions(predictions, np.ones(n, bool))
    mean = _sum_by_interval(open_for, region, weight[:, None] * value, n)
    if tree.schema.target.is_number:
        noise = ROUNDING * np.sqrt(len(ends)) * float(np.abs(value).max())
        return IntervalPredictions(mean[:, 0], NEAR * np.abs(mean[:, 0]) > noise)
    costs = expected_costs(tree.prediction_rule, mean)
    highest = 1.0 if tree.prediction_rule.costs is None else float(np.max(tree.prediction_rule.costs))
    certain = np.count_nonzero(costs <= costs.min(axis=1, keepdims=True) + NEAR * highest, axis=1) == 1
    return IntervalPredictions(choose_classes(tree.prediction_rule, mean, TIE), certain)


def _reach_nodes(tree: Tree, values: NDArray[np.float64], position: int, unseen: str) -> _ReachedNodes:
    free = values.copy()
    free[0, position] = np.nan
    fraction = tree.branch_fractions.copy()
    fraction[1:][tree.column[tree.parent[1:]] == position] = 1.0
    picks = NOWHERE if unseen == "stop" else tree.heaviest_branch
    start = np.zeros(1, np.int64)
    n_nodes, n_leaves = tree.n_nodes, tree.n_leaves
    out_node, out_weight, counts = np.empty(n_nodes, np.int64), np.empty(n_nodes), np.empty(1, np.int64)
    work = (out_node, out_weight, counts, np.empty(n_leaves, np.int64), np.empty(n_leaves))
    packed = tree.packed
    route_fractional(free, packed.cells, packed.tables, (picks, tree.n_children, fraction), start, start, work, True)
    nodes, weight = out_node[: counts[0]].copy(), out_weight[: counts[0]].copy()
    index = np.zeros(n_nodes, np.int64)
    index[nodes] = np.arange(len(nodes))
    parent = index[np.maximum(tree.parent[nodes], 0)]
    tests = tree.column[nodes] == position
    opens = tests[parent]
    opens[0] = True
    region = np.where(opens, np.arange(len(nodes)), parent)
    while True:  # each round doubles the steps made towards the first node of the region
        further = region[region]
        if np.array_equal(further, region):
            return _ReachedNodes(nodes, weight, parent, tests, region)
        region = further


def _open_intervals(
    tree: Tree, found: ValueIntervals, reach: _ReachedNodes
) -> dict[int, NDArray[np.int64] | range]:
    """Return the intervals that each region is open for, by the index of the node that opens it."""
    n = len(found.nearest)
    every: NDArray[np.int64] | range = range(n) if found.breaks is not None else np.arange(n)
    open_for: dict[int, NDArray[np.int64] | range] = {0: every}
    index = dict(zip(reach.nodes.tolist(), range(len(reach.nodes)), strict=True))
    testing = np.flatnonzero(reach.tests)
    nodes = reach.nodes[testing]
    of_node = zip(nodes.tolist(), reach.region[testing].tolist(), _first_above(tree, nodes, found), strict=True)
    for node, region, above in of_node:
        first, here = int(tree.first_child[node]), open_for[region]
        parts: list[NDArray[np.int64] | range]
        if above >= 0 and isinstance(here, range):
            parts = [range(here.start, min(here.stop, above)), range(max(here.start, above), here.stop)]
        elif above >= 0:  # a test whether a category is known
            parts = [here]
        else:
            parts = list(_by_branch(tree, node, np.asarray(here)))
        for branch in range(int(tree.n_children[node])):
            open_for[index[first + branch]] = parts[branch] if branch < len(parts) else every[:0]
    return open_for


def _first_above(tree: Tree, nodes: NDArray[np.int64], found: ValueIntervals) -> list[int]:
    """Return the first interval above the threshold of each node; -1 for a split on categories."""
    threshold, column = tree.threshold[nodes], found.column
    breaks = np.zeros(0) if found.breaks is None else found.breaks
    above = np.searchsorted(breaks, threshold, side="right")
    above[threshold == np.inf] = len(breaks) + 1
    if column.kind is Kind.ORDERED:
        above[threshold >= column.n_categories - 1] = len(breaks) + 1
    above[np.isnan(threshold)] = -1
    return above.tolist()


def _by_branch(tree: Tree, node: int, codes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the categories by the branch that they take."""
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    known, branch_of = tree.table_code[own], tree.table_branch[own]
    at = np.minimum(np.searchsorted(known, codes), max(len(known) - 1, 0))
    branch = np.full(len(codes), tree.other[node])
    if len(known):
        branch = np.where(known[at] == codes, branch_of[at], branch)
    order = np.argsort(branch, kind="stable")
    cuts = np.searchsorted(branch[order], np.arange(1, int(tree.n_children[node])))
    return np.split(codes[order], cuts)


def _sum_by_interval(
    open_for: dict[int, NDArray[np.int64] | range], region: NDArray[np.int64], amounts: NDArray[Any], n: int
) -> NDArray[Any]:
    """Sum the amounts on each interval: those of a region count where it is open."""
    if not isinstance(open_for[0], range):
        total = np.zeros((n, amounts.shape[1]), amounts.dtype)
        for at, amount in zip(region.tolist(), amounts, strict=True):
            total[open_for[at]] += amount
        return total
    # A region counts from its first interval on, and no more after its last.
    steps = np.zeros((n + 1, amounts.shape[1]), amounts.dtype)
    starts = np.array([open_for[at].start for at in region.tolist()])  # type: ignore[union-attr]
    stops = np.array([max(open_for[at].start, open_for[at].stop) for at in region.tolist()])  # type: ignore[union-attr]
    np.add.at(steps, starts, amounts)
    np.subtract.at(steps, stops, amounts)
    return np.cumsum(steps, axis=0)[:n]
