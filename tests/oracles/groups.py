"""Groups of categories: blocks merged pair by pair while the gain ratio improves.

In: a `Ground`, a category column, the rows of a node whose value is known, and those whose value is missing. Out: a
`Candidate` of the known rows, or None.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from tests.oracles.candidates import Candidate, by_category, each_candidate, enough
from tests.oracles.ground import Ground
from tests.oracles.penalties import bits_of_groups

MANY_PRESENT = 512
LIGHT = Fraction(1, 2)
STRAY = Fraction(1, 10)
BETTER = 1e-5
RATIO_TIE = 1e-11
NOT_ABOVE = 1e-10

Block = list[int]
"""Codes of categories that share a branch, rising."""


class Merger:
    """The search for blocks at one node of one column."""

    def __init__(self, ground: Ground, present: dict[int, list[int]], missing: Sequence[int]) -> None:
        self.ground = ground
        self.present = present
        self.rows = [r for rows in present.values() for r in rows]
        self.missing = missing if ground.options.info == "all" else []
        self.rho = ground.units(self.rows) / ground.units([*self.rows, *self.missing])
        self.light = [code for code in present if self.is_light(present[code])]
        self.tolerance = float(ground.tolerance(self.rows))
        self.tied = False

    def is_light(self, rows: list[int]) -> bool:
        """Whether a category has too little weight to be merged."""
        heft = self.ground.heft(rows)
        self.ground.doubt("light", heft, LIGHT, rows)
        return heft <= LIGHT

    def rows_of(self, block: Block) -> list[int]:
        return [r for code in block for r in self.present[code]]

    def branches(self, blocks: Sequence[Block]) -> list[list[int]]:
        """The rows of each block, and of the extra one when it has any."""
        return [self.rows_of(block) for block in [*blocks, self.light] if block]

    def gain(self, blocks: Sequence[Block]) -> float:
        return float(self.ground.gain(self.rows, self.branches(blocks)))

    def ratio(self, blocks: Sequence[Block]) -> float:
        information = self.ground.split_information([*self.branches(blocks), list(self.missing)])
        return self.rho * self.gain(blocks) / information if information else 0.0

    def is_of(self, block: Block, only: int) -> bool:
        """Whether a block is of this class, but for a tenth of a row."""
        rows = self.rows_of(block)
        others = self.ground.heft([r for r in rows if self.ground.target[r] != only])
        self.ground.doubt("stray", others, STRAY, rows)
        return others <= STRAY

    def class_of(self, block: Block) -> int | None:
        """The one class of a block, or None when it has several."""
        rows = self.rows_of(block)
        hefts = [
            self.ground.heft([r for r in rows if self.ground.target[r] == c])
            for c in range(self.ground.n_classes)
        ]
        for heft in hefts:
            self.ground.doubt("stray", heft, STRAY, rows)
        only = next((c for c, heft in enumerate(hefts) if heft >= STRAY), None)
        return only if only is not None and self.is_of(block, only) else None

    def first_blocks(self) -> list[Block]:
        """One block a category, those of one and the same single class together."""
        blocks = [[code] for code in self.present if code not in self.light]
        first = 0
        while first < len(blocks):
            only, second = self.class_of(blocks[first]), first + 1
            while only is not None and second < len(blocks):
                if self.is_of(blocks[second], only):
                    blocks = join(blocks, first, second)
                else:
                    second += 1
            first += 1
        return blocks

    def n_reaching(self, blocks: Sequence[Block]) -> int:
        least = self.ground.options.min_leaf
        return sum(1 for b in blocks if self.ground.reaches(self.rows_of(b), least))

    def barred(self, blocks: Sequence[Block]) -> int | None:
        """The largest block, when too few blocks are big enough to lose one."""
        if self.n_reaching(blocks) >= 3:
            return None
        units = [self.ground.units(self.rows_of(b)) for b in blocks]
        self.tied |= len(blocks) > 2 and units.count(max(units)) > 1
        return self.ground.heavier([self.rows_of(b) for b in blocks])

    def best_merge(self, blocks: list[Block], half: float) -> list[Block] | None:
        """The blocks after the merge that comes out best of a walk through all pairs."""
        barred = self.barred(blocks)
        best: list[Block] | None = None
        best_ratio, best_keeps = 0.0, False
        for pair in combinations(range(len(blocks)), 2):
            if barred in pair:
                continue
            merged = join(blocks, *pair)
            ratio, keeps = self.ratio(merged), self.gain(merged) >= half - self.tolerance
            self.tied |= best is not None and abs(ratio - best_ratio) <= RATIO_TIE
            # whether a pair that loses half replaces one that keeps it depends on which comes first
            self.tied |= best is not None and keeps != best_keeps
            if best is None or (keeps and not best_keeps) or ratio >= best_ratio - RATIO_TIE:
                best, best_ratio, best_keeps = merged, ratio, keeps
        return best

    def merged(self) -> list[Block]:
        blocks = self.first_blocks()
        half = self.gain(blocks) / 2
        while len(blocks) > 2:
            best = self.best_merge(blocks, half)
            if best is None:
                break
            if self.ratio(best) < self.ratio(blocks) + BETTER and self.n_reaching(blocks) >= 2:
                break
            blocks = best
        return sorted(blocks)


def join(blocks: Sequence[Block], first: int, second: int) -> list[Block]:
    """The blocks with two of them merged at the place of the first; the last one moves to that of the second.

    >>> join([[0], [1, 4], [2], [3]], 0, 1)
    [[0, 1, 4], [3], [2]]
    """
    merged = list(blocks)
    merged[first] = sorted(blocks[first] + blocks[second])
    merged[second] = merged[-1]
    return merged[:-1]


def group_candidate(
    ground: Ground, column: int, rows: list[int], missing: Sequence[int] = ()
) -> Candidate | None:
    """The column in blocks; absent and light categories share the last branch."""
    n_categories = ground.columns[column].n_categories
    present = by_category(ground, column, rows)
    if n_categories <= 2 or len(present) > MANY_PRESENT:
        return each_candidate(ground, column, rows)
    merger = Merger(ground, present, missing)
    blocks = merger.merged()
    branches = [merger.rows_of(block) for block in blocks]
    bits = bits_of_groups(len(present), len(merger.branches(blocks)))
    grouped = {code: branch for branch, block in enumerate(blocks) for code in block}
    if not enough(ground, branches) or merger.ratio(blocks) <= NOT_ABOVE:
        return None
    if len(grouped) < n_categories:
        branches.append(merger.rows_of(merger.light))
    branch_of = tuple(grouped.get(code, len(blocks)) for code in range(n_categories))
    return Candidate(
        column, branches, ground.gain(rows, branches), branch_of=branch_of, tied=merger.tied, bits=bits
    )
