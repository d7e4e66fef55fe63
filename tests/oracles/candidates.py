"""Candidates of one column, scored one by one: numbers, a branch per category, two subsets.

In: a `Ground`, a column and the rows of a node whose value is known. Out: a `Candidate` of these rows alone, not
yet penalised, or None when the column has none.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from tests.oracles.ground import Ground, Real
from tests.oracles.penalties import bits_of_two

MANY_ABSENT = 256


@dataclass(frozen=True)
class Candidate:
    """A column's best split of a node.

    branches        the rows that the split itself sends down each branch
    branch_of       the branch of each category of the column; empty for a threshold
    n_cuts          how many cuts a threshold was chosen from; 0 for categories
    bits            what the groups of a category take to be named
    unplaced        rows of missing value that are in no branch yet
    missing_branch  where the missing rows are, when the split placed them
    """

    column: int
    branches: list[list[int]]
    gain: Real
    threshold: float = math.nan
    branch_of: tuple[int, ...] = ()
    tied: bool = False
    n_cuts: int = 0
    bits: float = 0.0
    unplaced: list[int] = field(default_factory=list)
    missing_branch: int | None = None

    @property
    def is_threshold(self) -> bool:
        return not self.branch_of


def first_best(scores: Sequence[Real], tolerance: Real) -> tuple[int, bool]:
    """The first of the scores that tie with the best, and whether there are others.

    >>> first_best([1.0, 3.0, 3.0], 0.0)
    (1, True)
    """
    best = max(scores)
    near = [i for i, score in enumerate(scores) if score >= best - tolerance]
    return near[0], len(near) > 1


def midpoint(a: float, b: float) -> float:
    """The float nearest to (a + b) / 2, or a when that would be b.

    >>> midpoint(1e308, 1.5e308)
    1.25e+308
    """
    middle = float((Fraction(a) + Fraction(b)) / 2)
    return middle if a <= middle < b else a


def neighbours(ground: Ground, column: int, rows: Sequence[int]) -> list[tuple[float, float]]:
    """The neighbouring distinct values of a number, from low to high."""
    values = ground.columns[column].values
    return list(pairwise(sorted({values[r] for r in rows})))


def side_minimum(ground: Ground, rows: Sequence[int]) -> Fraction:
    """What each side of a cut has to reach."""
    least = Fraction(ground.options.min_leaf)
    if ground.options.side == "leaf":
        return least
    return max(least, min(Fraction(25), ground.heft(rows) / (10 * ground.n_classes)))


def threshold(ground: Ground, column: int, a: float, b: float) -> float:
    """What is written between two neighbouring values."""
    middle = midpoint(a, b)
    if ground.options.threshold == "midpoint":
        return middle
    known = [ground.columns[column].values[r] for r in ground.rows]
    return max(v for v in known if v is not None and v <= middle)


def number_candidate(ground: Ground, column: int, rows: list[int]) -> Candidate | None:
    """The best cut of a number, or of the codes of an ordered category."""
    values, side = ground.columns[column].values, side_minimum(ground, rows)
    cuts = []
    for a, b in neighbours(ground, column, rows):
        branches = [[r for r in rows if values[r] <= a], [r for r in rows if values[r] > a]]
        if all(ground.reaches(branch, side) for branch in branches) and ground.has_rates(branches):
            cuts.append((a, b, branches, ground.gain(rows, branches)))
    if not cuts:
        return None
    best, tied = first_best([gain for *_, gain in cuts], ground.tolerance(rows))
    a, b, branches, gain = cuts[best]
    return Candidate(
        column, branches, gain, threshold=threshold(ground, column, a, b), tied=tied, n_cuts=len(cuts)
    )


def by_category(ground: Ground, column: int, rows: list[int]) -> dict[int, list[int]]:
    """The rows of each category present, in rising order of its code."""
    values = ground.columns[column].values
    present: dict[int, list[int]] = {int(code): [] for code in sorted({values[r] for r in rows})}
    for r in rows:
        present[int(values[r])].append(r)
    return present


def enough(ground: Ground, branches: Sequence[Sequence[int]]) -> bool:
    """Whether at least two branches reach the leaf minimum, and none with rows has a rate of 0."""
    if not ground.has_rates(branches):
        return False
    return sum(1 for b in branches if b and ground.reaches(b, ground.options.min_leaf)) >= 2


def each_candidate(ground: Ground, column: int, rows: list[int]) -> Candidate | None:
    """One branch for every category of the column."""
    n_categories = ground.columns[column].n_categories
    present = by_category(ground, column, rows)
    if n_categories - len(present) > MANY_ABSENT:
        last = len(present)
        position = {code: branch for branch, code in enumerate(present)}
        branch_of = tuple(position.get(code, last) for code in range(n_categories))
        branches = [*present.values(), []]
    else:
        branch_of = tuple(range(n_categories))
        branches = [present.get(code, []) for code in range(n_categories)]
    if not enough(ground, branches):
        return None
    return Candidate(column, branches, ground.gain(rows, branches), branch_of=branch_of)


def height(ground: Ground, rows: list[int]) -> Fraction:
    """What the categories of a subset split are ordered by, before their code."""
    if ground.options.is_regression:
        return ground.mean(rows)
    return Fraction(ground.class_units(rows)[1], ground.units(rows))


def level(ground: Ground, present: dict[int, list[int]]) -> bool:
    """Whether the order of two categories is left to their codes in a way that can matter.

    A cut between categories of equal share or mean is never the best one, except by absolute error.
    """
    heights = [height(ground, rows) for rows in present.values()]
    return ground.options.criterion == "absolute_error" and len(set(heights)) < len(heights)


def high_ends(ground: Ground, present: dict[int, list[int]]) -> list[set[int]]:
    """The sets of codes that may form branch 1, in the order in which they are considered."""
    codes = list(present)
    if ground.options.is_regression or ground.n_classes == 2:
        order = sorted(codes, key=lambda code: (height(ground, present[code]), code))
        return [set(order[cut:]) for cut in range(1, len(order))]
    numbers = range(1, 2 ** (len(codes) - 1))
    return [{codes[i] for i in range(1, len(codes)) if number >> (i - 1) & 1} for number in numbers]


def best_subsets(
    ground: Ground, present: dict[int, list[int]]
) -> tuple[set[int], list[list[int]], Real, bool] | None:
    """The codes of branch 1, both branches, the gain, and whether the tie rule decided; all splits are tried."""
    rows = [r for of_code in present.values() for r in of_code]
    splits = []
    for high in high_ends(ground, present):
        branches = [
            [r for code in present if code not in high for r in present[code]],
            [r for code in present if code in high for r in present[code]],
        ]
        if enough(ground, branches):
            splits.append((high, branches, ground.gain(rows, branches)))
    if not splits:
        return None
    best, tied = first_best([gain for *_, gain in splits], ground.tolerance(rows))
    return *splits[best], tied or level(ground, present)


def subset_candidate(ground: Ground, column: int, rows: list[int]) -> Candidate | None:
    """The best two subsets of the categories present, however many categories there are."""
    present = by_category(ground, column, rows)
    found = best_subsets(ground, present)
    if found is None:
        return None
    high, branches, gain, tied = found
    branch_of = subset_branches(ground, column, present, high)
    return Candidate(column, branches, gain, branch_of=branch_of, tied=tied, bits=bits_of_two(len(present)))


def subset_branches(
    ground: Ground, column: int, present: dict[int, list[int]], high: set[int]
) -> tuple[int, ...]:
    """The branch of every category of the column; an absent one takes the heavier branch of those present."""
    codes = range(ground.columns[column].n_categories)
    sides = [[r for code in codes if code in present and (code in high) == b for r in present[code]] for b in (0, 1)]
    other = ground.heavier(sides)
    return tuple(int(code in high) if code in present else other for code in codes)
