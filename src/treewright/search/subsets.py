"""Subsets: what every split of one column of categories into two is worth.

In: a column of categories and the classes of its rows. Out: one record per split, in the user's own words.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.criteria.crosstab import Contingency, contingency
from treewright.criteria.merits import gain_ratio, gini_index, information_gain
from treewright.errors import InputError

MAX_CATEGORIES = 16
"""A column of 16 categories has 32,767 splits into two; each one more doubles them."""


@dataclass(frozen=True, slots=True)
class SubsetScore:
    """A split into the categories of branch 0 and those of branch 1, with its scores.

    gain is in bits; of the Gini index less is better.
    """

    branch0: tuple[object, ...]
    branch1: tuple[object, ...]
    gain: float
    ratio: float
    gini_index: float


def score_subsets(x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None) -> tuple[SubsetScore, ...]:
    """Score every split of the categories into two, each once; the first category met is always in branch 0.

    Income in Han and Kamber's table (class counts high 2/2, medium 4/2, low 3/1): {high} against the rest has
    Gini index 0.443, {high, low} against {medium} 0.458, {high, medium} against {low} 0.450:

    >>> income = ["high"] * 4 + ["medium"] * 6 + ["low"] * 4
    >>> buys = ["no", "no", "yes", "yes"] + ["yes"] * 4 + ["no"] * 2 + ["yes"] * 3 + ["no"]
    >>> for split in score_subsets(income, buys):
    ...     print(split.branch0, round(split.gini_index, 3))
    ('high', 'low') 0.458
    ('high', 'medium') 0.45
    ('high',) 0.443
    """
    table = contingency(x, y, weight)
    n = len(table.branches)
    if n > MAX_CATEGORIES:
        raise InputError(
            f"x has {n} categories, and {2 ** (n - 1) - 1} splits into two are too many to list; "
            f"merge some until at most {MAX_CATEGORIES} are left."
        )
    # Bit i - 1 of the number sends category i to branch 1, as in the rules of growth.
    return tuple(
        _scored(table, [i > 0 and bool(number >> (i - 1) & 1) for i in range(n)])
        for number in range(1, 2 ** (n - 1))
    )


def one_against_rest(x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None) -> tuple[SubsetScore, ...]:
    """Score each category against all others: branch 0 is the category. With the Gini index this is the
    Gini(D, a=v) of Zhou and of Li Hang, whose example 5.4 has 0.44 for youth, 0.48 and 0.44:

    >>> age = ["青年"] * 5 + ["中年"] * 5 + ["老年"] * 5
    >>> loan = ["否"] * 3 + ["是"] * 2 + ["否"] * 2 + ["是"] * 3 + ["否"] + ["是"] * 4
    >>> [round(split.gini_index, 2) for split in one_against_rest(age, loan)]
    [0.44, 0.48, 0.44]
    """
    table = contingency(x, y, weight)
    n = len(table.branches)
    return tuple(_scored(table, [i != v for i in range(n)]) for v in range(n))


def _scored(table: Contingency, in_branch1: Iterable[bool]) -> SubsetScore:
    side: NDArray[np.bool_] = np.array(list(in_branch1), dtype=np.bool_)
    branches = [table.counts[~side].sum(axis=0), table.counts[side].sum(axis=0)]
    names = tuple(zip(table.branches, side.tolist(), strict=True))
    return SubsetScore(
        branch0=tuple(name for name, is_in_1 in names if not is_in_1),
        branch1=tuple(name for name, is_in_1 in names if is_in_1),
        gain=information_gain(branches),
        ratio=gain_ratio(branches),
        gini_index=gini_index(branches),
    )
