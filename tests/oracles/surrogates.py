"""Surrogates: splits of other columns that agree with the split of a node.

In: a `Ground` and the split chosen for a node. Out: its surrogates, best first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.candidates import Candidate, by_category, midpoint, neighbours
from tests.oracles.ground import Ground
from tests.oracles.options import Cell

LEAST_SIDE = 2
"""Rows that each side of a surrogate's cut has to hold."""


@dataclass(frozen=True)
class Surrogate:
    """A split of another column: a cut, whose low values go to branch `low`, or the branch of each category."""

    column: int
    agreement: int
    agree: Fraction
    adjusted: Fraction
    threshold: float = math.nan
    low: int = -1
    branch_of: tuple[tuple[int, int], ...] = ()

    def send(self, value: Cell) -> int | None:
        """The branch of a value, or None when the surrogate cannot say."""
        if value is None:
            return None
        if self.branch_of:
            return dict(self.branch_of).get(int(value)) if math.isfinite(value) else None
        return self.low if value <= self.threshold else 1 - self.low


def cut_agreements(
    ground: Ground, column: int, sides: Sequence[list[int]], others: list[int]
) -> list[tuple[int, float, int, tuple[tuple[int, int], ...]]]:
    """(agreement, threshold, low branch, no table) of every cut that may be a surrogate, in order of preference.

    The `others` are known here and not on the column of the split; cuts lie between their values too.
    """
    values = ground.columns[column].values
    found = []
    for a, b in neighbours(ground, column, sides[0] + sides[1] + others):
        low = [[r for r in side if values[r] <= a] for side in sides]
        high = [[r for r in side if values[r] > a] for side in sides]
        if min(len(low[0] + low[1]), len(high[0] + high[1])) < LEAST_SIDE:
            continue
        for branch in (0, 1):
            agreement = ground.units(low[branch]) + ground.units(high[1 - branch])
            found.append((agreement, midpoint(a, b), branch, ()))
    return found


def table_agreement(
    ground: Ground, column: int, sides: Sequence[list[int]], _others: list[int]
) -> list[tuple[int, float, int, tuple[tuple[int, int], ...]]]:
    """The one table of a category column: each category goes where most of its weight goes."""
    more = int(ground.units(sides[1]) > ground.units(sides[0]))
    of_side = [by_category(ground, column, side) for side in sides]
    table, agreement = [], 0
    for code in sorted({*of_side[0], *of_side[1]}):
        low, high = (ground.units(side.get(code, [])) for side in of_side)
        branch = more if low == high else int(high > low)
        table.append((code, branch))
        agreement += max(low, high)
    return [(agreement, math.nan, -1, tuple(table))]


def find_surrogates(ground: Ground, chosen: Candidate) -> list[Surrogate]:
    """The columns that agree best with a split in two, best first."""
    known, best_of = sum(map(ground.units, chosen.branches)), []
    majority = max(map(ground.units, chosen.branches))
    for number, column in enumerate(ground.columns):
        sides = [[r for r in b if column.values[r] is not None] for b in chosen.branches]
        others = [r for r in chosen.unplaced if column.values[r] is not None]
        if number == chosen.column:
            continue
        score = table_agreement if column.kind == "category" else cut_agreements
        # max keeps the first of equals, which is the lowest cut, low values to branch 0
        best = max(score(ground, number, sides, others), key=lambda s: s[0], default=None)
        if best is None or best[0] <= majority:
            continue
        agreement, threshold, low, table = best
        agree, adjusted = Fraction(agreement, known), Fraction(agreement - majority, known - majority)
        best_of.append(Surrogate(number, agreement, agree, adjusted, threshold, low, table))
    best_of.sort(key=lambda s: -s.agreement)
    return best_of[: ground.options.max_surrogates]


def surrogates_of(ground: Ground, chosen: Candidate) -> list[Surrogate]:
    """The surrogates of a split, where the options have any."""
    if ground.options.missing != "surrogate":
        return []
    return find_surrogates(ground, chosen) if ground.holes or ground.options.surrogates == "always" else []
