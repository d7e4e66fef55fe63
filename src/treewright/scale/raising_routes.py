"""Where rows go while branches are raised on a source: counted, or fetched, at some places of the current tree.

In: the places that are wanted. Out: their class weights, or their rows. Rows go down from the root, and are left out as
soon as they cannot come to such a place. At a place whose largest branch is tried instead of it, the rows of the other
branches go on into that branch; with fractional weights all rows do, undivided.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.scale.engine import Level, RowCounts
from treewright.scale.levels import NONE, CodeBranches, SplitNode, describe_level
from treewright.scale.raising_places import Places
from treewright.scale.subtrees import rows_by_slot
from treewright.scale.survey import Survey
from treewright.scale.tree_levels import splitter

Longs = NDArray[np.int64]
Parts = tuple[list[int], list[float]]
MOST_CODES = 2**20
"""Codes of splits that a pass sends to the workers at least; more of them if there is much memory."""
CODE_BYTES = 64
"""Memory for one of them."""
KEPT_SPLITS = 2**13
"""Splits whose tables of codes are kept from pass to pass."""


class Arrived(NamedTuple):
    """The rows that came to a place: their class weights, in units, and how many they are."""

    stats: Longs
    n_rows: int


class MissingRoute(NamedTuple):
    """Where rows with a missing value go: down one branch (NONE: they end), or down several in parts."""

    branch: int = NONE
    parts: Parts | None = None


class Routes:
    """Sends rows down the places.

    tried    place -> its largest branch, where that is tried instead of it
    missing  with fractional weights: place -> where its rows with a missing value go; they end at other places
    """

    def __init__(self, engine: RowCounts, survey: Survey, places: Places, memory: int, least: float) -> None:
        """`least`: a smaller part of a row, in units, is not made; 0 if rows are not divided."""
        self.engine, self.survey, self.places, self.least = engine, survey, places, least
        self.is_divided = least > 0
        self.tried: dict[int, int] = {}
        self.missing: dict[int, MissingRoute] = {}
        self._most_codes = max(MOST_CODES, memory // CODE_BYTES)
        self._split_of: Callable[[int], SplitNode] = lru_cache(KEPT_SPLITS)(splitter(places.tree, survey))
        self._longest = max(one.n_codes + 1 for one in survey.columns)

    def count(self, wanted: list[int]) -> dict[int, Arrived]:
        """Count the rows of these places, and of those next above them; some places at a time, each in one pass."""
        found: dict[int, Arrived] = {}
        for some in self._groups(wanted):
            levels, slots = self._describe(some, is_fetched=False)
            needed = {*some, *self.places.parent[some].tolist()}
            counted = [own if needed.intersection(own) else [] for own in slots]
            counts = self.engine.tally(levels, [len(own) for own in counted])
            rows = counts[-1].sum(axis=1).tolist()
            for i, place in enumerate(place for own in counted for place in own):
                found[place] = Arrived(counts[0, i], rows[i])
        return found

    def fetch(self, wanted: list[int]) -> Iterator[dict[str, Any]]:
        """The rows of these places: codes, classes and weights (None: one each) of each."""
        levels, slots = self._describe(wanted, is_fetched=True)
        rows = dict(zip(slots[-1], rows_by_slot(self.engine.take(levels, 0, len(wanted)), 0, len(wanted)), strict=True))
        for place in wanted:
            yield rows.pop(place)

    def _groups(self, wanted: list[int]) -> Iterator[list[int]]:
        """Places whose routes have not too many codes together."""
        columns = self.survey.columns
        some, n_codes, parents = list[int](), 0, set[int]()
        for place in wanted:
            parent = int(self.places.parent[place])
            if parent >= 0 and parent not in parents:
                parents.add(parent)
                split = self._split_of(int(self.places.split_of[parent]))
                own = sum(columns[one.column].n_codes + 1 for one in (split.by, *split.surrogates))
                if some and n_codes + own > self._most_codes:
                    yield some
                    some, n_codes, parents = [], 0, {parent}
                n_codes += own
            some.append(place)
        if some:
            yield some

    # --- levels ---

    def _describe(self, wanted: list[int], *, is_fetched: bool) -> tuple[list[Level], list[list[int]]]:
        """The levels that lead to these places, and the place of each slot; if they are fetched, the last level has all
        of them.
        """
        slots, depth = self._arrange(wanted)
        passed = {int(self.places.parent[place]) for one in slots for place in one}
        levels, kept = list[Level](), list[int]()
        for d, own in enumerate(slots):
            if is_fetched:
                own[:0] = kept  # those that have arrived wait there
                kept = [place for place in own if place not in passed]
            if d == max(depth.values()):
                break
            following = [*kept, *slots[d + 1]] if is_fetched else slots[d + 1]
            slot_of = {place: i for i, place in enumerate(following)}
            splits = [self._split(place, slot_of) if place in passed else None for place in own]
            if is_fetched:
                splits = [self._waiting(place) if one is None else one for one, place in zip(splits, own, strict=True)]
            levels.append(describe_level(splits, slot_of, self._longest, self.least))
        return levels, slots

    def _arrange(self, wanted: list[int]) -> tuple[list[list[int]], dict[int, int]]:
        """The places that rows pass, by depth, and the depth of each."""
        depth, parent = {0: 0}, self.places.parent
        slots: list[list[int]] = [[0]]
        for place in wanted:
            path, at = [], place
            while at not in depth:
                path.append(at)
                at = int(parent[at])
            for below in reversed(path):
                depth[below] = depth[int(parent[below])] + 1
                if depth[below] == len(slots):
                    slots.append([])
                slots[depth[below]].append(below)
        return slots, depth

    def _split(self, place: int, slot_of: dict[int, int]) -> SplitNode:
        """Where the rows of a place go; where its largest branch is tried, the others lead there in `slot_of`."""
        split, route = self._split_of(int(self.places.split_of[place])), self.missing.get(place, MissingRoute())
        if self.is_divided:
            split = split._replace(missing_branch=route.branch, parts=route.parts)
        else:
            split = split._replace(parts=None)
        if place not in self.tried:
            return split
        largest = self.tried[place]
        into = slot_of[largest] if self.is_divided else slot_of.pop(largest)
        slot_of |= {child: into for child in split.children if child != largest}
        if self.is_divided:
            return split._replace(missing_branch=0, parts=None)
        if split.missing_branch == NONE:  # rows stop here; they go on like those of another branch
            return split._replace(missing_branch=int(split.children[0] == largest))
        return split

    def _waiting(self, place: int) -> SplitNode:
        """All rows of a place stay there for another level."""
        return SplitNode(CodeBranches(0, np.zeros(self.survey.columns[0].n_codes, np.int64)), [place], 1, 0)
