"""Upper confidence limits of the error rate of a leaf, U_CF(E, N), from its E errors among N training rows.

Three formulas: exact, as in C4.5 Release 8, and as in Weka. They are compiled, in `_core/prune/error_limits.py`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright._core.prune import estimates
from treewright.errors import ParameterError, at_least, one_of

LIMITS = ("exact", "release8", "weka")
"""In the order of their codes in the kernels."""

CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1.0)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)
"""The table of the normal distribution in Release 8, which interpolates linearly between its entries."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One of the limits, and the confidence CF.

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
            upper = "at most 0.5, as in Weka" if self.name == "weka" else "below 1"
            raise ParameterError(
                f"confidence must be above 0 and {upper}, got {self.confidence!r}; a lower value prunes more."
            )

    @property
    def code(self) -> int:
        return LIMITS.index(self.name)

    @property
    def square(self) -> float:
        """The square of the quantile of the normal approximation."""
        if self.name == "release8":
            return float(np.interp(self.confidence, CONFIDENCES, DEVIATIONS)) ** 2
        from statistics import NormalDist

        return NormalDist().inv_cdf(1.0 - self.confidence) ** 2

    def estimates(self, rows: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.float64]:
        """The estimated errors of leaves, N U_CF(E, N); 0 for a leaf without rows."""
        out = np.empty(len(rows))
        rows, errors = (np.ascontiguousarray(a, np.float64) for a in (rows, errors))
        estimates(rows, errors, self.code, float(self.confidence), self.square, out)
        return out


def upper_limit(
    errors: ArrayLike, rows: ArrayLike, confidence: float = 0.25, limit: str = "exact"
) -> NDArray[np.float64]:
    """U_CF(E, N): the estimated error rate of a leaf with E errors among N training rows.

    Parameters
    ----------
    errors, rows : array_like
        Numbers or arrays; they need not be whole numbers.
    confidence : float, default=0.25
        CF: the probability of so few errors if the error rate were U.
    limit : {"exact", "release8", "weka"}, default="exact"
        "exact": the binomial limit (Clopper and Pearson), between whole numbers by the incomplete beta function;
        "release8": as in Quinlan's program, the normal approximation with a quantile from a small table; "weka": the
        same with the exact quantile.

    Returns
    -------
    ndarray
        The limit for each pair of errors and rows; 0 for a leaf without rows.

    Examples
    --------
    Without an error all three are 1 - CF^(1/N). Quinlan's book has U_25%(0, 6) = 0.206 and U_25%(1, 16) = 0.157; the
    second one is that of his program, and 0.160 by the binomial distribution:

    >>> upper_limit([0, 1], [6, 16]).round(4)
    array([0.2063, 0.1596])
    >>> upper_limit([1], [16], limit="release8").round(4)
    array([0.1567])
    """
    given = Limit(limit, confidence)
    e, n = np.broadcast_arrays(np.asarray(errors, np.float64), np.asarray(rows, np.float64))
    if not ((e >= 0) & (e <= n) & (n < np.inf)).all():
        raise ParameterError("errors and rows must be numbers with 0 <= errors <= rows.")
    found = given.estimates(n.ravel(), e.ravel())
    return np.divide(found, n.ravel(), out=np.zeros_like(found), where=n.ravel() > 0).reshape(e.shape)
