"""Trials: the largest branch of a place instead of the place, with the rows of the other branches.

In: what `Routes` counted. Out: the estimated errors of the branch, and the rows that its places have if it is raised.
Where every row takes one path, one pass counts a trial. With fractional weights the parts of a row depend on the known
weights of the place that it is at; so all rows of the place go down level by level, one pass each.
"""

from collections.abc import Callable, Container, Iterable, Mapping

import numpy as np

from treewright._core import codes
from treewright.data.fixed_point import WEIGHT_TOLERANCE
from treewright.scale.raising_places import Places
from treewright.scale.raising_routes import Arrived, MissingRoute, Routes


class OneBranchTrial:
    """The rows of the other branches are sent down the largest one, each on one path.

    moved  the rows that came to each place
    """

    def __init__(self, places: Places, place: int, largest: int) -> None:
        self.places, self.place, self.largest = places, place, largest
        self.moved: dict[int, Arrived] = {}
        self.is_done = places.count[place] == places.count[largest]

    def wanted(self) -> list[int]:
        """The places to be counted."""
        return self.places.below(self.largest)

    def take(self, found: Mapping[int, Arrived]) -> None:
        """Take the counts of all places."""
        self.moved = {place: found[place] for place in self.places.below(self.largest) if found[place].n_rows}
        self.is_done = True

    def estimate(self) -> float:
        """The estimated errors of the branch; the sum is that of the kernel, in its order."""
        places, total = self.places, float(self.places.now[self.largest])
        if not self.moved:
            return total
        order = places_in_order(places, self.largest, self.moved)
        order = [place for place in order if places.stops or places.is_leaf(place)]
        stats = {place: places.stats[place] + one.stats for place, one in self.moved.items()}
        after = places.estimates(np.array([stats[place] for place in order])).tolist()
        for place, estimate in zip(order, after, strict=True):
            if places.is_leaf(place):
                total += estimate - float(places.now[place])
                continue
            moved, children = self.moved[place].stats.sum(), places.children(place)
            passed_on = sum(int(self.moved[child].stats.sum()) for child in children if child in self.moved)
            staying, weight = int(places.staying[place]), int(places.stats[place].sum())
            before = places.part_that_stays(float(places.as_leaf[place]), staying, weight)
            total += places.part_that_stays(estimate, staying + int(moved) - passed_on, weight + int(moved)) - before
        return total

    def adopt(self) -> set[int]:
        """Let the branch take the place; the places that other rows came to."""
        places, touched = self.places, list(self.moved)
        if touched:
            stats = places.stats[touched] + np.array([one.stats for one in self.moved.values()])
            count = places.count[touched] + np.array([one.n_rows for one in self.moved.values()])
            places.set_rows(touched, stats, count)
            places.changed[touched], places.size[touched] = 1, count
        places.take_over(self.place, self.largest)
        return set(touched)


class Descent:
    """All rows of a place go down from another one, level by level, with fractional weights.

    found  the rows that came to each place
    known  place -> weight and rows of each branch, without those with a missing value
    n_most place -> how many rows it has at most
    """

    def __init__(self, routes: Routes, start: int, one: float, is_end: Callable[[int], bool]) -> None:
        """`one`: the units of a row; `is_end`: whether rows go no further than a place."""
        self.routes, self.places, self.start, self.one, self.is_end = routes, routes.places, start, one, is_end
        self.found: dict[int, Arrived] = {}
        self.known: dict[int, list[tuple[int, int]]] = {}
        self.n_most: dict[int, int] = {}
        self._frontier = [start]

    @property
    def is_counted(self) -> bool:
        """Whether all rows have arrived."""
        return not self._frontier

    def wanted(self) -> list[int]:
        """The places to be counted: those that the rows are at, by their branches if they go on."""
        return [one for place in self._frontier for one in (self._branches(place) or [place])]

    def _branches(self, place: int) -> list[int]:
        return [] if self.is_end(place) else self.places.children(place)

    def take(self, found: Mapping[int, Arrived]) -> None:
        """Take the counts, and find out where the rows with missing values go."""
        following: list[int] = []
        for place in self._frontier:
            if not found[place].n_rows:
                continue
            self.found[place] = found[place]
            branches = self._branches(place)
            if branches:
                following += self._go_on(place, branches, found)
        self._frontier = following

    def _go_on(self, place: int, branches: list[int], found: Mapping[int, Arrived]) -> list[int]:
        """Divide the rows of a place; the branches that have yet to be counted."""
        known = [(int(found[branch].stats.sum()), found[branch].n_rows) for branch in branches]
        n_missing = found[place].n_rows - sum(count for _, count in known)
        self.n_most |= {branch: count + n_missing for branch, (_, count) in zip(branches, known, strict=True)}
        usual = int(self.places.tree.missing_branch[self.places.split_of[place]])
        if not n_missing:  # they are counted, and leaves have not to be counted again
            final = [branch for branch in branches if not self._branches(branch) and found[branch].n_rows]
            self.found |= {branch: found[branch] for branch in final}
            self.known[place] = known
            return [branch for branch in branches if found[branch].n_rows and branch not in self.found]
        if n_missing == found[place].n_rows:
            self.known[place] = [(0, 0)] * len(branches)
            self.known[place][usual] = int(found[place].stats.sum()), n_missing
            self.routes.missing[place] = MissingRoute(usual)
            return [branches[usual]]
        self.known[place] = known
        order = order_branches([weight for weight, _ in known], WEIGHT_TOLERANCE * self.one)
        total, most = 0.0, 1 + codes.MOST_COPIES * found[place].n_rows // n_missing
        for b in order:
            total += float(known[b][0])
        fractions = [float(known[b][0]) / total for b in order]
        self.routes.missing[place] = MissingRoute(parts=(order[:most], fractions[:most]))
        return [branches[b] for b in sorted(order)]


class DividedTrial(Descent):
    """All rows of a place are sent down its largest branch with fractional weights, in memory where few are left.

    leaves  place with few rows -> the estimated errors of the leaves below it, in the order of the kernel
    """

    def __init__(self, routes: Routes, place: int, largest: int, few: tuple[int, float]) -> None:
        """`few`: rows that are fetched at most, and the units of a row."""
        n_few, one = few
        super().__init__(routes, largest, one, lambda one: self.n_most.get(one, n_few + 1) <= n_few)
        self.place, self.largest = place, largest
        self.leaves: dict[int, list[float]] = {}
        for below in routes.places.below(largest):
            routes.missing.pop(below, None)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to be counted or fetched."""
        return self.is_counted and not self.few()

    def few(self) -> list[int]:
        """The inner places where few rows have arrived, which are yet to be sent further in memory."""
        inner = [place for place in self.found if place not in self.known and not self.places.is_leaf(place)]
        return [place for place in inner if place not in self.leaves]

    def estimate(self) -> float:
        """The estimated errors of the branch; the sum is that of the kernel, in its order."""
        order = places_in_order(self.places, self.largest, self.found)
        leaves = [place for place in order if self.places.is_leaf(place)]
        found = self.leaves | {
            place: [estimate] for place, estimate in zip(leaves, self._estimates(leaves), strict=True)
        }
        total = 0.0
        for place in order:
            for estimate in found.get(place, ()):
                total += estimate
        return total

    def _estimates(self, leaves: list[int]) -> list[float]:
        if not leaves:
            return []
        return self.places.estimates(np.array([self.found[place].stats for place in leaves])).tolist()

    def adopt(self) -> set[int]:
        """Let the branch take the place; the places that rows came to."""
        places, missing = self.places, self.routes.missing
        places.take_over(self.place, self.largest)
        own = {self.place if place == self.largest else place: rows for place, rows in self.found.items()}
        if self.largest in missing:
            missing[self.place] = missing.pop(self.largest)
        else:
            missing.pop(self.place, None)
        self.known[self.place] = self.known.pop(self.largest)
        set_arrived(places, own)
        at = list(own)
        places.changed[at], places.size[at] = 1, places.count[at]
        places.changed[clear_empty(places, self.known, own)] = 1
        return set(own) - {self.place}


def places_in_order(places: Places, start: int, found: Container[int]) -> list[int]:
    """The places from one on that rows came to, in the order of the kernels."""
    order, stack = [], [start]
    while stack:
        order.append(stack.pop())
        stack += [child for child in places.children(order[-1]) if child in found]
    return order


def set_arrived(places: Places, found: Mapping[int, Arrived]) -> None:
    """Set the rows of the places that rows came to."""
    count = np.array([one.n_rows for one in found.values()])
    places.set_rows(list(found), np.array([one.stats for one in found.values()]), count)


def clear_empty(places: Places, passed: Iterable[int], found: Mapping[int, Arrived]) -> list[int]:
    """Make leaves of the branches of these places that no rows came to, and return them."""
    empty = [child for place in passed for child in places.children(place) if child not in found]
    for place in empty:
        places.stats[place], places.count[place], places.size[place], places.as_leaf[place] = 0, 0, 0, 0.0
        places.become_leaf(place)
    return empty


def order_branches(weight: list[int], close: float) -> list[int]:
    """The branches with known rows, the heaviest first: the first one of those that are heavy by rounding.

    >>> order_branches([3, 0, 9, 5, 9], 0.5)
    [2, 4, 3, 0]
    """
    most = float(max(weight))
    heaviest = next(b for b, own in enumerate(weight) if not float(own) < most - close)
    others = [b for b, own in enumerate(weight) if own > 0 and b != heaviest]
    return [heaviest, *sorted(others, key=lambda b: (-float(weight[b]), b))]
