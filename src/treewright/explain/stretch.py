"""Stretch: the values of a column between which a tree makes no difference.

In: a tree, one of its columns, and what a row has there. Out: the stretches of values that the tree tells apart, with
the value of each that is nearest to the row's own and how far that is; and what holds on some of them, in words. A
number turns at thresholds, of splits and of surrogates where these are asked; a category may do so at every other one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind
from treewright.model.tree import Tree
from treewright.model.words import category_words, number_words, set_words


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """The stretches of one column, from low to high values or in the order of the categories.

    column    what the column is
    breaks    float64, where they meet: stretch i has the values above breaks[i - 1] and up to breaks[i]; None for
              categories, of which each is a stretch
    nearest   float64, the value of each stretch that is nearest to the row's own, in codes
    distance  float64, how far that is; NaN for the row's own stretch, which is no change
    """

    column: Column
    breaks: NDArray[np.float64] | None
    nearest: NDArray[np.float64]
    distance: NDArray[np.float64]

    def value(self, i: int) -> object:
        """The nearest value of a stretch, as the user writes it."""
        code = float(self.nearest[i])
        return code if self.column.kind is Kind.NUMBER else self.column.categories[int(code)]

    def words(self, alike: NDArray[np.bool_], at: int) -> str:
        """What holds on stretch `at` and on those that are alike: its neighbours in one go, or other categories.

        >>> age = Stretches(Column("age", Kind.NUMBER), np.array([30.0, 50.0]), np.array([30.0, 50, 51]), np.zeros(3))
        >>> age.words(np.array([True, False, False]), 0), age.words(np.array([False, True, True]), 1)
        ('age <= 30', 'age > 30')
        """
        name = self.column.name
        if self.breaks is None:
            found = [self.column.categories[i] for i in np.flatnonzero(alike).tolist()]
            return f"{name} = {category_words(found[0])}" if len(found) == 1 else f"{name} in {set_words(found)}"
        apart = np.flatnonzero(~alike)
        low = int(apart[apart < at].max(initial=-1)) + 1
        high = int(apart[apart > at].min(initial=len(alike))) - 1
        return _between(self.column, self.breaks, low, high)


def stretches(tree: Tree, position: int, now: float, spread: float | None, stand_ins: bool) -> Stretches | None:
    """The stretches of a column around what a row has there; None where the tree never asks for it.

    now        the row's value in codes; NaN or minus infinity where it is not known
    spread     highest less lowest value in training, None where that is not at hand
    stand_ins  whether surrogates are asked

    >>> from treewright.model.build import golf_example
    >>> found = stretches(golf_example(), 1, 80.0, 30.0, False)
    >>> found.nearest.tolist(), found.distance.round(3).tolist()
    ([75.0, 80.0], [0.167, nan])
    """
    column, own = tree.schema.columns[position], tree.column == position
    second = tree.surrogates if stand_ins else None
    also = np.zeros(0, bool) if second is None else second.column == position
    if not own.any() and not also.any():
        return None
    if column.kind is Kind.CATEGORY:
        codes = np.arange(column.n_categories, dtype=np.float64)
        return Stretches(column, None, codes, np.where(codes == now, np.nan, 1.0))
    cuts = tree.threshold[own]
    if second is not None:
        cuts = np.concatenate([cuts, second.threshold[also]])
    cuts = cuts[np.isfinite(cuts)]  # an endless one asks only whether the value is known
    if column.kind is Kind.ORDERED:
        cuts = np.floor(cuts)
        cuts = cuts[(cuts >= 0) & (cuts < column.n_categories - 1)]
    breaks = np.unique(cuts)
    return _around(column, breaks, now, spread)


def _around(column: Column, breaks: NDArray[np.float64], now: float, spread: float | None) -> Stretches:
    """The stretches between these breaks, seen from `now`."""
    is_number = column.kind is Kind.NUMBER
    ends = breaks  # a stretch holds its upper end, and what is just above the end of the one before
    starts = np.nextafter(breaks, np.inf) if is_number else breaks + 1.0
    low_ends, high_starts = np.concatenate([ends, [np.nan]]), np.concatenate([[np.nan], starts])
    if not now > -np.inf:
        nearest = np.where(np.isnan(low_ends), high_starts, low_ends)
        nearest[np.isnan(nearest)] = 0.0  # nothing but whether it is known is asked: any value will do
        return Stretches(column, breaks, nearest, np.ones(len(nearest)))
    at = int(np.searchsorted(breaks, now))
    place = np.arange(len(breaks) + 1)
    nearest = np.where(place < at, low_ends, np.where(place > at, high_starts, now))
    # Just above a break is as far as the break itself: no digit of the distance is the next float's.
    edge = np.where(place < at, low_ends, np.concatenate([[np.nan], breaks if is_number else starts]))
    if not is_number:
        spread = column.n_categories - 1.0
    elif spread is None:
        spread = float(max(breaks.max(initial=now), now) - min(breaks.min(initial=now), now))
    # Halves, because the difference of two numbers may be too large to be one.
    distance = np.abs(0.5 * edge - 0.5 * now) / (0.5 * spread if spread > 0 else 1.0)
    distance[at] = np.nan
    distance[np.isinf(nearest)] = np.nan  # nothing lies above the largest number there is
    return Stretches(column, breaks, nearest, distance)


def _between(column: Column, breaks: NDArray[np.float64], low: int, high: int) -> str:
    """What holds from stretch `low` to stretch `high`."""
    name, last = column.name, len(breaks)
    if low == 0 and high == last:
        return f"{name} is known"

    def word(i: int) -> str:
        return category_words(column.categories[int(breaks[i])]) if column.categories else number_words(breaks[i])

    if column.kind is Kind.ORDERED:
        first = 0 if low == 0 else int(breaks[low - 1]) + 1
        behind = column.n_categories - 1 if high == last else int(breaks[high])
        if first == behind:
            return f"{name} = {category_words(column.categories[first])}"
    if low == 0:
        return f"{name} <= {word(high)}"
    return f"{name} > {word(low - 1)}" if high == last else f"{word(low - 1)} < {name} <= {word(high)}"
