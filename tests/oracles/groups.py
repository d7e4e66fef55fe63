"""Groups of categories: blocks merged pair by pair while the gain ratio improves.

In: a `Ground`, a category column and the rows of a node. Out: a `Candidate`, or None.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from tests.oracles.candidates import Candidate, by_category, each_candidate, enough, first_best
from tests.oracles.ground import Ground

MANY_PRESENT = 256
LIGHT = Fraction(1, 2)
BETTER = 1e-5
RATIO_TIE = 1e-11

Block = list[int]
"""Codes of categories that share a branch, rising."""


class Merger:
    """The search for blocks at one node of one column."""

    def __init__(self, ground: Ground, present: dict[int, list[int]]) -> None:
        self.ground = ground
        self.present = present
        self.rows = [r for rows in present.values() for r in rows]
        self.light = [code for code in present if ground.heft(present[code]) <= LIGHT]
        self.tolerance = float(ground.tolerance(self.rows))
        self.tied = False

    def rows_of(self, block: Block) -> list[int]:
        return [r for code in block for r in self.present[code]]

    def branches(self, blocks: Sequence[Block]) -> list[list[int]]:
        """The rows of each block, and of the extra one when it has any."""
        return [self.rows_of(block) for block in [*blocks, self.light] if block]

    def gain(self, blocks: Sequence[Block]) -> float:
        return float(self.ground.gain(self.rows, self.branches(blocks)))

    def ratio(self, blocks: Sequence[Block]) -> float:
        return self.gain(blocks) / self.ground.split_information(self.branches(blocks))

    def first_blocks(self) -> list[Block]:
        """One block a category, those of one and the same single class together."""
        of_class: dict[int, Block] = {}
        blocks: list[Block] = []
        for code, rows in self.present.items():
            if code in self.light:
                continue
            if not self.ground.is_pure(rows):
                blocks.append([code])
                continue
            only = self.ground.target[rows[0]]
            if only not in of_class:
                of_class[only] = []
                blocks.append(of_class[only])
            of_class[only].append(code)
        return blocks

    def barred(self, blocks: Sequence[Block]) -> int | None:
        """The largest block, when too few blocks are big enough to lose one."""
        reach = sum(1 for b in blocks if self.ground.size(self.rows_of(b)) >= self.ground.min_leaf)
        if reach >= 3:
            return None
        units = [self.ground.units(self.rows_of(b)) for b in blocks]
        self.tied |= len(blocks) > 2 and units.count(max(units)) > 1
        return units.index(max(units))

    def merged(self) -> list[Block]:
        blocks = self.first_blocks()
        half = self.gain(blocks) / 2
        while len(blocks) > 2:
            barred = self.barred(blocks)
            tries = [
                join(blocks, first, second)
                for first, second in combinations(range(len(blocks)), 2)
                if barred not in (first, second)
            ]
            kept = [t for t in tries if self.gain(t) >= half - self.tolerance]
            tries = kept or tries
            if not tries:
                break
            ratios = [self.ratio(t) for t in tries]
            best, tied = first_best(ratios, RATIO_TIE)
            if ratios[best] < self.ratio(blocks) + BETTER:
                break
            blocks = tries[best]
            self.tied |= tied
        return blocks


def join(blocks: Sequence[Block], first: int, second: int) -> list[Block]:
    """The blocks with two of them merged, still in order of their lowest code.

    >>> join([[0], [1, 4], [2]], 0, 2)
    [[0, 2], [1, 4]]
    """
    rest = [b for i, b in enumerate(blocks) if i not in (first, second)]
    return sorted([*rest, sorted(blocks[first] + blocks[second])])


def group_candidate(ground: Ground, column: int, rows: list[int]) -> Candidate | None:
    """The column in blocks; absent and light categories share the last branch."""
    n_categories = ground.columns[column].n_categories
    present = by_category(ground, column, rows)
    if n_categories <= 2 or len(present) > MANY_PRESENT:
        return each_candidate(ground, column, rows)
    merger = Merger(ground, present)
    blocks = merger.merged()
    branches = [merger.rows_of(block) for block in blocks]
    grouped = {code: branch for branch, block in enumerate(blocks) for code in block}
    if not enough(ground, branches):
        return None
    if len(grouped) < n_categories:
        branches.append(merger.rows_of(merger.light))
    branch_of = tuple(grouped.get(code, len(blocks)) for code in range(n_categories))
    return Candidate(column, branches, ground.gain(rows, branches), branch_of=branch_of, tied=merger.tied)
