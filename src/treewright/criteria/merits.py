"""Merits: how good a split of a node into branches is.

Each function takes a table of counts, one row per branch and one column per class; weights and fractions are allowed,
and so are empty branches. Except for `gini_index` and `intrinsic_value`, higher is better and 0 means useless.
Logarithms have base 2. A difference that rounding pushes below 0 is returned as 0. The last functions are what C4.5
does with gains before it ranks columns.
"""

from collections.abc import Callable
from math import isfinite, log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.criteria.class_counts import proportions, read_branches
from treewright.criteria.impurities import classification_error, entropy, gini
from treewright.errors import InputError

Impurity = Callable[[ArrayLike], float]


def weighted_impurity(table: ArrayLike, impurity: Impurity) -> float:
    """Impurity after a split: the mean impurity of the branches, weighted by their rows.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.
    impurity : callable
        A function of class counts, such as `entropy` or `gini`.

    Returns
    -------
    float
        In the unit of the impurity.

    Examples
    --------
    Quinlan's info_x(T) of outlook on the golf table is 0.694:

    >>> round(weighted_impurity([[2, 3], [4, 0], [3, 2]], entropy), 3)
    0.694
    """
    branches = read_branches(table)
    branch_proportions = proportions(branches.sum(axis=1))
    return float(sum(p * impurity(b) for p, b in zip(branch_proportions, branches, strict=True) if p > 0))


def decrease(table: ArrayLike, impurity: Impurity) -> float:
    """Decrease of impurity by a split: impurity of all rows minus the weighted impurity of the branches.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.
    impurity : callable
        A function of class counts, such as `entropy` or `gini`.

    Returns
    -------
    float
        At least 0, in the unit of the impurity.

    Examples
    --------
    >>> round(decrease([[2, 3], [4, 0], [3, 2]], classification_error), 3)
    0.071
    """
    branches = read_branches(table)
    return max(0.0, impurity(branches.sum(axis=0)) - weighted_impurity(branches, impurity))


def information_gain(table: ArrayLike) -> float:
    """Information gain in bits: entropy of all rows minus the weighted entropy of the branches (ID3).

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.

    Returns
    -------
    float
        At least 0, in bits.

    Examples
    --------
    Colour (色泽) of Zhou's melons. The book prints 0.109 because it rounds the entropies first:

    >>> round(information_gain([[3, 3], [4, 2], [1, 4]]), 4)
    0.1081
    """
    return decrease(table, entropy)


def intrinsic_value(table: ArrayLike) -> float:
    """Intrinsic value (split information) in bits: the entropy of the branch weights.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.

    Returns
    -------
    float
        From 0 if all rows are in one branch to log2(n_branches).

    Examples
    --------
    Zhou prints IV(色泽) = 1.580:

    >>> round(intrinsic_value([[3, 3], [4, 2], [1, 4]]), 3)
    1.58
    """
    return entropy(read_branches(table).sum(axis=1))


split_info = intrinsic_value
"""Quinlan's name for the intrinsic value."""


def gain_ratio(table: ArrayLike) -> float:
    """Gain ratio: information gain divided by intrinsic value (C4.5); 0 when all rows are in one branch.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    Quinlan prints 0.156 for outlook on the golf table:

    >>> round(gain_ratio([[2, 3], [4, 0], [3, 2]]), 3)
    0.156
    """
    value = intrinsic_value(table)
    return information_gain(table) / value if value > 0 else 0.0


def gini_index(table: ArrayLike) -> float:
    """Gini index of a split: the weighted Gini impurity of its branches; lower is better.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.

    Returns
    -------
    float
        0 if every branch is pure.

    Examples
    --------
    With two branches this is Li Hang's Gini(D, A): owning a house (A3) gives 0.27:

    >>> round(gini_index([[6, 0], [3, 6]]), 2)
    0.27
    """
    return weighted_impurity(table, gini)


def gini_decrease(table: ArrayLike) -> float:
    """Gini impurity of all rows minus the Gini index of the split (CART).

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    Han and Kamber's age in {<=30, >40} against 31..40: 0.459 - 0.357

    >>> round(gini_decrease([[5, 5], [4, 0]]), 3)
    0.102
    """
    return decrease(table, gini)


def error_decrease(table: ArrayLike) -> float:
    """Classification error of all rows minus the weighted classification error of the branches.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    >>> round(error_decrease([[6, 0], [3, 6]]), 3)
    0.2
    """
    return decrease(table, classification_error)


def twoing(table: ArrayLike) -> float:
    """Twoing merit of a binary split (CART): p_L p_R / 4 times (sum over the classes of |p(j|L) - p(j|R)|)².

    Parameters
    ----------
    table : array-like of shape (2, n_classes)
        Class counts or weights of the two branches.

    Returns
    -------
    float
        From 0 to 0.25; 0 if a branch is empty.

    Examples
    --------
    A perfect split into halves has the largest value:

    >>> twoing([[5, 0], [0, 5]])
    0.25
    """
    branches = read_branches(table)
    if len(branches) != 2:
        raise InputError(f"twoing requires a table of two branches, got {len(branches)}; merge branches.")
    branch_proportions = proportions(branches.sum(axis=1))
    if not branch_proportions.all():
        return 0.0
    difference = np.abs(proportions(branches[0]) - proportions(branches[1])).sum()
    return float(branch_proportions.prod() / 4.0 * difference**2)


def g_statistic(table: ArrayLike) -> float:
    """Likelihood-ratio statistic G of branches against classes: 2 N times the gain in natural units.

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class counts or weights of each branch.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    Mingers prints G = 8.55 for a test on O'levels in his tree of degree classes (1st, 2.1, 2.2, 3rd, fail):

    >>> round(g_statistic([[0, 0, 14, 0, 0], [0, 3, 8, 2, 0]]), 2)
    8.55
    """
    total_weight = float(read_branches(table).sum())
    return 2.0 * total_weight * float(np.log(2.0)) * information_gain(table)


def cut_penalty(n_cuts: int, weight: float) -> float:
    """Penalty in bits on the gain of a numeric cut (C4.5 Release 8): log2(n_cuts) / weight.

    Parameters
    ----------
    n_cuts : int
        The number of admissible cuts of the column.
    weight : float
        The weight of the rows of the node.

    Returns
    -------
    float
        In bits.

    Examples
    --------
    Density (密度) of Zhou's 17 melons has 16 cuts:

    >>> round(cut_penalty(16, 17), 4)
    0.2353
    """
    if n_cuts < 1:
        raise InputError(f"`n_cuts` must be at least 1, got {n_cuts}.")
    if not (isfinite(weight) and weight > 0):
        raise InputError(f"`weight` must be finite and above 0, got {weight}.")
    return log2(n_cuts) / weight


def average_gain(gains: ArrayLike) -> float:
    """Mean gain of the columns that have a candidate.

    Parameters
    ----------
    gains : array-like of shape (n_columns,)
        The gain of each column that has a candidate.

    Returns
    -------
    float

    Examples
    --------
    The six columns of Zhou's melons 2.0:

    >>> round(average_gain([0.1081, 0.1427, 0.1408, 0.3806, 0.2892, 0.0060]), 4)
    0.1779
    """
    return float(_read_gains(gains).mean())


def at_least_average(gains: ArrayLike, slack: float = 1e-10) -> NDArray[np.bool_]:
    """Columns that C4.5 ranks by gain ratio: those whose gain is at least the average, minus a slack.

    Parameters
    ----------
    gains : array-like of shape (n_columns,)
        The gain of each column that has a candidate.
    slack : float, default=1e-10
        How far below the average a gain may be.

    Returns
    -------
    ndarray of bool of shape (n_columns,)
        True for the columns that are ranked.

    Examples
    --------
    Only texture (纹理) and navel (脐部) of Zhou's melons 2.0 are ranked:

    >>> at_least_average([0.1081, 0.1427, 0.1408, 0.3806, 0.2892, 0.0060]).tolist()
    [False, False, False, True, True, False]
    """
    read = _read_gains(gains)
    ranked: NDArray[np.bool_] = read >= read.mean() - slack
    return ranked


def _read_gains(gains: ArrayLike) -> NDArray[np.float64]:
    """Gains as a float64 vector, one per column."""
    read = np.asarray(gains, dtype=np.float64)
    if read.ndim != 1 or read.size == 0 or not np.isfinite(read).all():
        raise InputError(f"`gains` must be one finite gain per column, such as [0.25, 0.03], got {gains!r}.")
    return read
