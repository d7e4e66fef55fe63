"""Significance: how unlikely a chi-square statistic is, even where the probability is too small for a float.

In: statistics and their degrees of freedom. Out: natural logarithms of p-values. A large table easily has a statistic
whose p-value is below 1e-308; two trees can still be told apart by their logarithms.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.distributions import log_gamma

STEPS = 20_000
CLOSE = 1e-14


def log_p_value(statistic: NDArray[np.float64], degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of the chance of a statistic as large or larger; 0 where there are no degrees of freedom.

    >>> log_p_value(np.array([3.841458820694124, 5000.0, 0.0]), np.array([1.0, 2.0, 0.0])).round(6).tolist()
    [-2.995732, -2500.0, 0.0]
    """
    found = np.zeros(len(statistic))
    free = np.flatnonzero(degrees > 0)
    half, x = degrees[free] / 2.0, np.maximum(statistic[free], 0.0) / 2.0
    far = x > half + 1.0
    found[free[far]] = _log_tail(half[far], x[far])
    found[free[~far]] = np.log1p(-_lower(half[~far], x[~far]))
    return found


def _lower(a: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(a, x), the lower incomplete gamma function in parts of the whole, where x <= a + 1: its power series."""
    term = 1.0 / a
    total = term.copy()
    for i in range(1, STEPS):
        term *= x / (a + i)
        total += term
        if not np.any(term > CLOSE * total):
            break
    with np.errstate(divide="ignore"):
        return np.exp(a * np.log(x) - x - log_gamma(a)) * total


def _log_tail(a: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """log Q(a, x), the upper incomplete gamma function in parts of the whole, far out where x > a + 1.

    Q(a, x) = x^a e^-x / Gamma(a) times a continued fraction, 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))), which
    is worked out from the front (Lentz).
    """
    partial = x + 1.0 - a
    above, below = np.full(len(x), np.inf), 1.0 / partial
    fraction = below.copy()
    open_ = np.arange(len(x))
    for i in range(1, STEPS):
        if not len(open_):
            break
        term = i * (a[open_] - i)
        partial[open_] += 2.0
        below[open_] = 1.0 / (partial[open_] + term * below[open_])
        above[open_] = partial[open_] + term / above[open_]
        step = above[open_] * below[open_]
        fraction[open_] *= step
        open_ = open_[np.abs(step - 1.0) > CLOSE]
    return a * np.log(x) - x - log_gamma(a) + np.log(fraction)
