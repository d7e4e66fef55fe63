"""Merits: how much a split of a node into branches is worth.

In: a table of counts, one row per branch and one column per class (weights and fractions are welcome, empty
branches too). Out: one number. Except for `gini_index` and `intrinsic_value`, more is better and 0 is useless.
Logarithms have base 2. A difference that rounding pushes below 0 is returned as 0.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from treewright.criteria.counts import read_branches, shares
from treewright.criteria.impurities import classification_error, entropy, gini
from treewright.errors import InputError

Impurity = Callable[[ArrayLike], float]


def weighted_impurity(table: ArrayLike, impurity: Impurity) -> float:
    """The impurity left after a split: the sum over the branches of weight share times impurity.

    Quinlan's info_x(T) of outlook on the golf table is 0.694:

    >>> round(weighted_impurity([[2, 3], [4, 0], [3, 2]], entropy), 3)
    0.694
    """
    branches = read_branches(table)
    branch_share = shares(branches.sum(axis=1))
    return float(sum(s * impurity(b) for s, b in zip(branch_share, branches, strict=True) if s > 0))


def decrease(table: ArrayLike, impurity: Impurity) -> float:
    """What a split takes off the impurity: impurity of the whole less the weighted impurity of the branches.

    >>> round(decrease([[2, 3], [4, 0], [3, 2]], classification_error), 3)
    0.071
    """
    branches = read_branches(table)
    return max(0.0, impurity(branches.sum(axis=0)) - weighted_impurity(branches, impurity))


def information_gain(table: ArrayLike) -> float:
    """Information gain in bits: entropy of the whole less the weighted entropy of the branches (ID3).

    Colour (色泽) of Zhou's melons. The book prints 0.109 because it rounds the entropies first:

    >>> round(information_gain([[3, 3], [4, 2], [1, 4]]), 4)
    0.1081
    """
    return decrease(table, entropy)


def intrinsic_value(table: ArrayLike) -> float:
    """Intrinsic value in bits, or split information: the entropy of the branch weights.

    Zhou prints IV(色泽) = 1.580:

    >>> round(intrinsic_value([[3, 3], [4, 2], [1, 4]]), 3)
    1.58
    """
    return entropy(read_branches(table).sum(axis=1))


split_info = intrinsic_value
"""Quinlan's name for the intrinsic value."""


def gain_ratio(table: ArrayLike) -> float:
    """Gain ratio: information gain divided by intrinsic value (C4.5); 0 when all rows take one branch.

    Quinlan prints 0.156 for outlook on the golf table:

    >>> round(gain_ratio([[2, 3], [4, 0], [3, 2]]), 3)
    0.156
    """
    value = intrinsic_value(table)
    return information_gain(table) / value if value > 0 else 0.0


def gini_index(table: ArrayLike) -> float:
    """Gini index of a split: the weighted Gini impurity of its branches; less is better.

    With two branches this is Li Hang's Gini(D, A): owning a house (A3) gives 0.27:

    >>> round(gini_index([[6, 0], [3, 6]]), 2)
    0.27
    """
    return weighted_impurity(table, gini)


def gini_decrease(table: ArrayLike) -> float:
    """Gini impurity of the whole less the Gini index of the split (CART).

    Han and Kamber's age in {<=30, >40} against 31..40: 0.459 - 0.357

    >>> round(gini_decrease([[5, 5], [4, 0]]), 3)
    0.102
    """
    return decrease(table, gini)


def error_decrease(table: ArrayLike) -> float:
    """Classification error of the whole less the weighted classification error of the branches.

    >>> round(error_decrease([[6, 0], [3, 6]]), 3)
    0.2
    """
    return decrease(table, classification_error)


def twoing(table: ArrayLike) -> float:
    """Twoing merit of a split in two (CART): the product of the two branch shares, divided by 4, times the
    square of the sum over the classes of the absolute difference of the two branches' class shares.

    A perfect split into halves has the largest value:

    >>> twoing([[5, 0], [0, 5]])
    0.25
    """
    branches = read_branches(table)
    if len(branches) != 2:
        raise InputError(
            f"twoing compares two branches, but the table has {len(branches)}; merge them into two."
        )
    branch_share = shares(branches.sum(axis=1))
    if not branch_share.all():
        return 0.0
    difference = np.abs(shares(branches[0]) - shares(branches[1])).sum()
    return float(branch_share.prod() / 4.0 * difference**2)


def g_statistic(table: ArrayLike) -> float:
    """Likelihood-ratio statistic G of branches against classes: 2 N times the gain in natural units.

    Mingers prints G = 8.55 for a test on O'levels in his tree of degree classes (1st, 2.1, 2.2, 3rd, fail):

    >>> round(g_statistic([[0, 0, 14, 0, 0], [0, 3, 8, 2, 0]]), 2)
    8.55
    """
    total_weight = float(read_branches(table).sum())
    return 2.0 * total_weight * float(np.log(2.0)) * information_gain(table)
