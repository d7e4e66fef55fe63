"""Distributions: the log-gamma function, and quantiles of the beta and Student distributions.

SciPy has these functions too, but importing it takes longer than loading a model and explaining a prediction.
"""

from math import exp, inf, lgamma, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

TINY = 1e-300
CLOSE = 1e-15
MAX_STEPS = 100_000
"""Maximum number of steps of a continued fraction; about the square root of the larger parameter are needed."""
LARGE = 12.0
"""From here on Stirling's series is exact to the last digit."""
LEAST_LOG = -740.0
"""About the logarithm of the smallest float."""


def log_gamma(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the gamma function of numbers above 0; each distinct number is computed once.

    >>> log_gamma(np.array([1.0, 3.0, 4.0])).round(6).tolist()
    [0.0, 0.693147, 1.791759]
    """
    different, place = np.unique(values, return_inverse=True)
    found: NDArray[np.float64] = np.array(list(map(lgamma, different.tolist())))[place].reshape(np.shape(values))
    return found


def beta_cdf(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b).

    >>> round(beta_cdf(2.0, 3.0, 0.5), 12)
    0.6875
    """
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    height = exp(_log_beta_term(a, b, log(x), x))
    if x * (a + b + 2.0) < a + 1.0:
        return height * _continued_fraction(a, b, x) / a
    return 1.0 - height * _continued_fraction(b, a, 1.0 - x) / b


def beta_quantile(a: float, b: float, probability: float) -> float:
    """Return the x with I_x(a, b) = probability, by Newton's method for log x with bisection as a safeguard.

    >>> round(beta_quantile(1.0, 6.0, 0.75), 4)  # Quinlan's U25%(0, 6)
    0.2063
    """
    low, high = LEAST_LOG, 0.0
    at = log(a / (a + b))
    for _ in range(200):
        x = exp(at)
        above = beta_cdf(a, b, x) - probability
        if above > 0.0:
            high = at
        else:
            low = at
        slope = exp(_log_beta_term(a, b, at, x)) / (1.0 - x) if x < 1.0 else 0.0
        last, at = at, at - above / slope if slope > TINY else low
        if not low < at < high:
            at = (low + high) / 2.0
        if abs(at - last) <= CLOSE * (1.0 + abs(at)):
            break
    return exp(at)


def student_quantile(degrees: float, probability: float) -> float:
    """Return the quantile of Student's t distribution for a probability of at least one half.

    >>> round(student_quantile(4.0, 0.975), 4)
    2.7764
    """
    within = 2.0 * probability - 1.0
    # t^2 / (t^2 + degrees) has a beta distribution; of it and its complement, the one below one half is more precise.
    if beta_cdf(0.5, degrees / 2.0, 0.5) > within:
        part = beta_quantile(0.5, degrees / 2.0, within)
        return sqrt(degrees * part / (1.0 - part))
    rest = beta_quantile(degrees / 2.0, 0.5, 2.0 * (1.0 - probability))
    return sqrt(degrees * (1.0 - rest) / rest) if rest > TINY else inf


def _log_beta_term(a: float, b: float, log_x: float, x: float) -> float:
    """Return log(x^a (1 - x)^b / B(a, b)) without the cancellation of log-gammas of large numbers."""
    rest = log1p(-x) if x < 1.0 else LEAST_LOG
    less, more = min(a, b), max(a, b)
    if less < LARGE:
        ratio = lgamma(less + more) - lgamma(more) if more < LARGE else (
            (more - 0.5) * log1p(less / more) + less * (log(less + more) - 1.0)
            + _stirling_rest(less + more) - _stirling_rest(more)
        )
        return a * log_x + b * rest + ratio - lgamma(less)
    n = a + b
    far = x * n - a  # how far x is from the mean of the distribution
    low = log1p(far / a) if abs(far) < 0.5 * a else log_x + log(n / a)
    high = log1p(-far / b) if abs(far) < 0.5 * b else rest + log(n / b)
    return (
        a * low + b * high + 0.5 * log(a * b / (2.0 * pi * n))
        + _stirling_rest(n) - _stirling_rest(a) - _stirling_rest(b)
    )


def _stirling_rest(x: float) -> float:
    """Return the remainder of Stirling's formula for the log-gamma of a large number."""
    y = 1.0 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * 691 / 360360))))) / x


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (Lentz), for x below (a + 1) / (a + b + 2)."""
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0) or TINY)
    found = d
    for m in range(1, MAX_STEPS):
        for term in (
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ):
            d = 1.0 / (1.0 + term * d or TINY)
            c = 1.0 + term / c or TINY
            found *= c * d
        if abs(c * d - 1.0) < CLOSE:
            break
    return found
