"""Impurities: how mixed the rows of a node are.

Each function takes class counts (or weights, or probabilities) or target numbers, and returns a number that is 0 for a
pure node. Logarithms have base 2, so entropies are in bits.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.criteria.class_counts import proportions, read_counts, read_targets
from treewright.errors import InputError


def entropy(counts: ArrayLike) -> float:
    """Entropy in bits: minus the sum over the classes of p log2 p.

    Parameters
    ----------
    counts : array-like of shape (n_classes,)
        Class counts, weights or probabilities of at least 0, not all 0.

    Returns
    -------
    float
        From 0 for a pure node to log2(n_classes).

    Examples
    --------
    The 8 good and 9 bad melons of Zhou's data set 2.0 have Ent(D) = 0.998:

    >>> round(entropy([8, 9]), 3)
    0.998
    >>> entropy([5, 0])
    0.0
    """
    p = proportions(read_counts(counts))
    p = p[p > 0]
    return max(0.0, float(-(p * np.log2(p)).sum()))


def entropy_terms(proportion: NDArray[np.float64]) -> NDArray[np.float64]:
    """The term of each class in the entropy.

    >>> entropy_terms(np.array([0.5, 0.0])).tolist()
    [0.5, 0.0]
    """
    return -proportion * np.log2(proportion, out=np.zeros(proportion.shape), where=proportion > 0) + 0.0


def gini(counts: ArrayLike) -> float:
    """Gini impurity: 1 minus the sum over the classes of p².

    It is the probability that two rows drawn with replacement have different classes.

    Parameters
    ----------
    counts : array-like of shape (n_classes,)
        Class counts, weights or probabilities of at least 0, not all 0.

    Returns
    -------
    float
        From 0 for a pure node to 1 - 1 / n_classes.

    Examples
    --------
    Tan, Steinbach and Kumar print 0.420 for 3 cheats among 10 tax payers:

    >>> round(gini([3, 7]), 3)
    0.42
    """
    p = proportions(read_counts(counts))
    return float((p * (1.0 - p)).sum())


def gini_terms(proportion: NDArray[np.float64]) -> NDArray[np.float64]:
    """The term of each class in the Gini impurity.

    >>> gini_terms(np.array([0.5, 0.0])).tolist()
    [0.25, 0.0]
    """
    return proportion * (1.0 - proportion)


def classification_error(counts: ArrayLike) -> float:
    """Error rate of the majority class: 1 minus the largest class proportion.

    Parameters
    ----------
    counts : array-like of shape (n_classes,)
        Class counts, weights or probabilities of at least 0, not all 0.

    Returns
    -------
    float
        From 0 for a pure node to 1 - 1 / n_classes.

    Examples
    --------
    >>> round(classification_error([9, 5]), 3)
    0.357
    """
    return float(1.0 - proportions(read_counts(counts)).max())


def squared_error(y: ArrayLike, weight: ArrayLike | None = None) -> float:
    """Mean squared difference between the targets and their mean.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Finite target values.
    weight : array-like of shape (n_rows,), optional
        The weight of each row; 1 by default.

    Returns
    -------
    float
        0 if all targets are equal.

    Examples
    --------
    Li Hang's table 5.2 reaches a summed squared error of 3.36 with its first cut, 5 rows on each side:

    >>> low, high = [4.50, 4.75, 4.91, 5.34, 5.80], [7.05, 7.90, 8.23, 8.70, 9.00]
    >>> round(5 * squared_error(low) + 5 * squared_error(high), 2)
    3.36
    """
    values, row_weight = read_targets(y, weight)
    p = proportions(row_weight)
    # Measured from one of the targets, so that equal targets have an error of exactly 0.
    values = values - values[0]
    center = (p * values).sum()
    return float((p * (values - center) ** 2).sum())


def poisson(y: ArrayLike, weight: ArrayLike | None = None) -> float:
    """Half the mean Poisson deviance of the targets about their mean: the mean of y log(y / mean), with log the natural
    logarithm and 0 log 0 = 0.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Finite target values of at least 0: numbers of events, or rates.
    weight : array-like of shape (n_rows,), optional
        The weight of each row, for a rate its exposure; 1 by default.

    Returns
    -------
    float
        0 if all targets are equal.

    Examples
    --------
    Of 0 and 2 events, mean 1, only the second has a term, 2 log 2:

    >>> round(poisson([0, 2]), 3)
    0.693
    """
    values, row_weight = read_targets(y, weight)
    if values.min() < 0:
        raise InputError(f"The Poisson deviance needs targets of at least 0, got {values.min():g}; use squared_error.")
    p = proportions(row_weight)
    center = float((p * values).sum())
    if center == 0.0 or values.min() == values.max():
        return 0.0
    return float((p * poisson_losses(values, center)).sum())


def poisson_losses(y: NDArray[np.float64], rate: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Half the Poisson deviance of each target about a rate: y log(y / rate) - (y - rate).

    >>> poisson_losses(np.array([0.0, 1.0, 2.0]), 1.0).round(3).tolist()
    [1.0, 0.0, 0.386]
    """
    whole = np.asarray(rate) + np.zeros(np.shape(y))
    # log1p and a series keep the digits of targets close to the rate; a rate of 0 is that of targets of 0
    t = np.divide(y - whole, whole, out=np.zeros(whole.shape), where=whole > 0)
    some = np.maximum(t, np.nextafter(-1.0, 0.0))
    series = t * t * np.polynomial.polynomial.polyval(t, [(-1) ** k / ((k + 1) * (k + 2)) for k in range(9)])
    plain = np.where(t > -1.0, (1.0 + some) * np.log1p(some) - some, 1.0)
    return np.asarray(whole * np.where(np.abs(t) < 0.01, series, plain))


def absolute_error(y: ArrayLike, weight: ArrayLike | None = None) -> float:
    """Mean absolute difference between the targets and their median.

    With weights, the median is the lowest value at which half of the weight is reached.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Finite target values.
    weight : array-like of shape (n_rows,), optional
        The weight of each row; 1 by default.

    Returns
    -------
    float
        0 if all targets are equal.

    Examples
    --------
    The targets 1, 2 and 6 are 1, 0 and 4 from their median:

    >>> round(absolute_error([1, 2, 6]), 3)
    1.667
    """
    values, row_weight = read_targets(y, weight)
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(row_weight[order])
    center = values[order[np.searchsorted(reached, reached[-1] / 2)]]
    return float((proportions(row_weight) * np.abs(values - center)).sum())
