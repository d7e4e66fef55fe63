"""Limits: how many errors a leaf is to be expected to make, by the errors it made on its training rows.

In: rows, errors among them, and a confidence. Out: the upper confidence limit U_CF(E, N) of the rate behind them, in
one of three ways. The formulas are compiled and stand in treewright._core.limits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright._core.prune import estimates
from treewright.errors import ParameterError, one_of
from treewright.prune.parameters import at_least

LIMITS = ("exact", "release8", "weka")
"""In the order of their codes in the kernel."""

CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1.0)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)
"""Release 8's table of the normal distribution, between whose entries it goes in straight lines."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit by its name, and the confidence CF.

    >>> limit = Limit("release8", 0.25)
    >>> limit.estimates(np.array([16.0, 6.0]), np.array([1.0, 0.0])).round(3).tolist()
    [2.507, 1.238]
    """

    name: str
    confidence: float

    def __post_init__(self) -> None:
        one_of("limit", self.name, LIMITS)
        at_least("confidence", self.confidence, 0.0)
        if not 0.0 < self.confidence < 1.0 or (self.name == "weka" and self.confidence > 0.5):
            below = "at most 0.5, as in Weka" if self.name == "weka" else "below 1"
            raise ParameterError(
                f"confidence={self.confidence!r} cannot be used; give a number above 0 and {below}: "
                "the lower, the more is pruned."
            )

    @property
    def code(self) -> int:
        return LIMITS.index(self.name)

    @property
    def square(self) -> float:
        """The square of the quantile that the normal approximation takes."""
        if self.name == "release8":
            return float(np.interp(self.confidence, CONFIDENCES, DEVIATIONS)) ** 2
        from statistics import NormalDist

        return NormalDist().inv_cdf(1.0 - self.confidence) ** 2

    def estimates(self, rows: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.float64]:
        """The errors to be expected of leaves: N U_CF(E, N); 0 of one without rows."""
        out = np.empty(len(rows))
        rows, errors = (np.ascontiguousarray(a, np.float64) for a in (rows, errors))
        estimates(rows, errors, self.code, float(self.confidence), self.square, out)
        return out


def upper_limit(
    errors: ArrayLike, rows: ArrayLike, confidence: float = 0.25, limit: str = "exact"
) -> NDArray[np.float64]:
    """U_CF(E, N): the error rate that a leaf with E errors among N training rows is charged with.

    errors, rows  numbers or arrays of them; parts of rows count as such
    confidence    CF: were the rate U, so few errors would have this probability
    limit         "exact": the binomial limit (Clopper and Pearson), between whole numbers by the incomplete beta
                  function; "release8": as in Quinlan's program, the normal approximation with the quantile out of a
                  small table; "weka": the same with the exact quantile

    Without an error all three are 1 - CF^(1/N). Quinlan's book has U_25%(0, 6) = 0.206 and U_25%(1, 16) = 0.157; the
    second one is his program's, and 0.160 by the binomial distribution:

    >>> upper_limit([0, 1], [6, 16]).round(4)
    array([0.2063, 0.1596])
    >>> upper_limit([1], [16], limit="release8").round(4)
    array([0.1567])
    """
    given = Limit(limit, confidence)
    e, n = np.broadcast_arrays(np.asarray(errors, np.float64), np.asarray(rows, np.float64))
    if not ((e >= 0) & (e <= n) & (n < np.inf)).all():
        raise ParameterError("errors and rows are numbers with 0 <= errors <= rows; give both for each leaf.")
    found = given.estimates(n.ravel(), e.ravel())
    return np.divide(found, n.ravel(), out=np.zeros_like(found), where=n.ravel() > 0).reshape(e.shape)
