"""What a split pays for its own description, and the floor that columns have to reach: the constants stand here.

In: numbers of cuts, categories and groups; a `Ground` and rows. Out: bits, by exact whole numbers; what is left of a
gain that pays for them; what a node asks of a gain.
"""

import math
from collections.abc import Sequence
from functools import cache

from tests.oracles.ground import Ground, Real

NOT_ABOVE = 1e-10
"""A penalised gain counts as 0 up to here."""
SPLIT_OR_LEAF = 1.0
"""Bits that tell a split from a leaf, besides those of the choice it is."""
ONE_MORE_ANSWER = 0.5
"""Regression: bits for each doubling of the rows."""
SURE = 0.9
"""The part of log2(candidates) that the floor of the description asks for."""
FEW, MANY = 500, 1000
"""Training rows a class: up to the first the floor is the average gain, from the second on nothing of it is left."""


@cache
def ways(n: int, k: int) -> int:
    """In how many ways n things make k groups (Stirling's numbers of the second kind).

    >>> [ways(4, k) for k in range(1, 5)]
    [1, 7, 6, 1]
    """
    if k in (0, n):
        return int(k == n)
    row = [1]  # S(0, 0), then one row after the other: no recursion as deep as n
    for _ in range(n):
        row = [0, *(j * row[j] + row[j - 1] for j in range(1, len(row))), 1]
    return row[k]


def bits_of_cuts(n_cuts: int) -> float:
    """To name one of so many cuts.

    >>> bits_of_cuts(8)
    3.0
    """
    return math.log2(n_cuts)


def bits_of_two(n: int) -> float:
    """To name one of the ways to part n values in two.

    >>> bits_of_two(2), round(bits_of_two(3), 6)
    (0.0, 1.584963)
    """
    return math.log2(2 ** (n - 1) - 1)


def bits_of_groups(n: int, k: int) -> float:
    """To name one of the ways to make k groups of n values; a branch for each value is no choice.

    >>> bits_of_groups(4, 2) == bits_of_two(4), bits_of_groups(4, 4)
    (True, 0.0)
    """
    return math.log2(ways(n, k)) if k < n else 0.0


def average_part(rows_a_class: float) -> float:
    """How much of the floor is the average gain.

    >>> average_part(100), average_part(625), average_part(5000)
    (1.0, 0.75, 0.0)
    """
    return min(1.0, max(0.0, (MANY - rows_a_class) / (MANY - FEW)))


def part_of(ground: Ground) -> float:
    """The same for a table: all of it where the floor is not that of the description."""
    if ground.options.floor != "description":
        return 1.0
    return average_part(float(ground.training / ground.one) / max(ground.n_classes, 1))


def floor_of(ground: Ground, rows: Sequence[int], average: float, n_candidates: int) -> float:
    """The gain a candidate has to reach, but for the slack."""
    part = part_of(ground)
    return part * average + (1 - part) * SURE * math.log2(n_candidates) / float(ground.heft(rows))


def bits_of_a_split(ground: Ground, rows: Sequence[int]) -> float:
    """What every split pays with penalty="description"."""
    if ground.options.is_regression:
        return SPLIT_OR_LEAF + ONE_MORE_ANSWER * math.log2(max(float(ground.heft(rows)), 1))
    return SPLIT_OR_LEAF * (1 - part_of(ground))


def less_penalty(ground: Ground, rows: Sequence[int], gain: Real, bits: float) -> float | None:
    """What these bits leave of a gain, or None when that is nothing.

    Regression: a target takes log2 of its deviation to be told, so a bit a row is worth a doubling of the deviation.
    """
    penalty = bits / float(ground.heft(rows))
    least = NOT_ABOVE
    if ground.options.is_regression:
        power = 2 if ground.options.criterion == "squared_error" else 1
        penalty = float(ground.impurity(rows) - gain) * (2 ** min(power * penalty, 1000) - 1)
        least *= float(ground.impurity(rows))
    left = float(gain) - penalty
    return left if left > least else None
