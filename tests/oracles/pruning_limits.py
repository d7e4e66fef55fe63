"""How many errors a leaf is to be expected to make: Quinlan's program, Weka and the binomial distribution.

In: rows, errors among them and a confidence. Out: an estimate of the errors, from the formulas as published. Nothing
is imported from the package.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from statistics import NormalDist

from scipy.special import betaincinv

TIE = 1e-9

DEVIATES = [(0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.1, 1.28), (0.2, 0.84),
            (0.4, 0.25), (1.0, 0.0)]  # fmt: skip
"""Quinlan's table of the normal distribution: what lies above a deviate."""


def release8_deviate(confidence: float) -> float:
    """Between two entries of the table the program draws a straight line."""
    for (a, high), (b, low) in pairwise(DEVIATES):
        if a <= confidence <= b:
            return high + (low - high) * (confidence - a) / (b - a)
    raise ValueError(confidence)


def normal_extra(n: float, e: float, confidence: float, z: float, at_the_end: Callable[[float], float]) -> float:
    """Errors to add to e among n: the upper limit of a normal distribution, and its ends.

    at_the_end  what is added of the right answers where nearly all are wrong
    """
    none_wrong = n * (1 - confidence ** (1 / n))
    if e < 1e-6:
        return none_wrong
    if e < 0.9999:
        return none_wrong + e * (normal_extra(n, 1.0, confidence, z, at_the_end) - none_wrong)
    if e + 0.5 >= n:
        return at_the_end(n - e)
    c, half = z * z, e + 0.5
    limit = (half + c / 2 + math.sqrt(c * (half * (1 - half / n) + c / 4))) / (n + c)
    return n * limit - e


def binomial_limit(n: float, e: float, confidence: float) -> float:
    """The share p of errors at which e or fewer of n have the probability `confidence`.

    Between whole numbers, and where the sum is long, the incomplete beta function takes its place, as Clopper and
    Pearson have it.
    """
    if e >= n * (1 - TIE):
        return 1.0
    if n % 1 or e % 1 or n > 200:
        return 1 - float(betaincinv(n - e, e + 1, confidence))
    n, e = int(n), int(e)
    low, high = 0.0, 1.0
    for _ in range(100):
        p = (low + high) / 2
        few = math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(e + 1))
        low, high = (p, high) if few > confidence else (low, p)
    return (low + high) / 2


def estimate(n: float, e: float, confidence: float, limit: str) -> float:
    """The errors of a leaf with n rows of which e are wrong, as error-based pruning expects them."""
    if n <= 0:
        return 0.0
    match limit:
        case "release8":
            return e + normal_extra(n, e, confidence, release8_deviate(confidence), lambda right: 0.67 * right)
        case "weka":
            z = NormalDist().inv_cdf(1 - confidence)
            return e + normal_extra(n, e, confidence, z, lambda right: max(right, 0.0))
        case "exact":
            return n * binomial_limit(n, e, confidence)
    raise ValueError(limit)
