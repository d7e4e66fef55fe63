"""The arithmetic of the comparison.

In: numbers by fold. Out: means, ranks, differences with their standard errors. Nothing here knows of trees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

CLOSE = 1e-9
"""Numbers nearer than this are the same: means of the same folds may differ in the last digit."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of paired differences and two standard errors of it."""

    mean: float
    error: float
    corrected: float

    @property
    def in_errors(self) -> float:
        """The mean in standard errors; without any spread a difference is beyond all bounds."""
        return _in_units(self.mean, self.error)

    @property
    def in_corrected(self) -> float:
        """The mean in corrected standard errors."""
        return _in_units(self.mean, self.corrected)


def _in_units(mean: float, unit: float) -> float:
    if abs(mean) <= CLOSE:
        return 0.0
    return mean / unit if unit > 0 else inf * (1 if mean > 0 else -1)


def difference(ours: Sequence[float], theirs: Sequence[float], n_folds: int = 10) -> Difference:
    """Ours minus theirs on the same folds.

    The plain standard error is s / sqrt(n). Folds share training rows, so it is too small; Nadeau and Bengio (2003)
    put 1/n + (test rows / training rows) for 1/n, which is 1/n + 1/(n_folds - 1) here.

    >>> found = difference([0.9, 0.8, 0.7, 0.8], [0.8, 0.8, 0.8, 0.6])
    >>> round(found.mean, 6), round(found.error, 6)
    (0.05, 0.06455)
    """
    apart = np.asarray(ours, dtype=np.float64) - np.asarray(theirs, dtype=np.float64)
    n = len(apart)
    spread = float(apart.std(ddof=1)) if n > 1 else inf
    if spread <= CLOSE:
        spread = 0.0
    return Difference(float(apart.mean()), spread / sqrt(n), spread * sqrt(1 / n + 1 / (n_folds - 1)))


def ranks(values: Mapping[str, float]) -> dict[str, float]:
    """1 for the largest; equal values share the mean of their ranks.

    >>> ranks({"a": 0.7, "b": 0.9, "c": 0.7, "d": 0.1})
    {'a': 2.5, 'b': 1.0, 'c': 2.5, 'd': 4.0}
    """
    found = {}
    for name, value in values.items():
        n_above = sum(other > value + CLOSE for other in values.values())
        n_same = sum(abs(other - value) <= CLOSE for other in values.values())
        found[name] = n_above + (n_same + 1) / 2
    return found


def tally(ours: Sequence[float], theirs: Sequence[float]) -> tuple[int, int, int]:
    """How often ours is more, less, and the same.

    >>> tally([0.9, 0.8, 0.7], [0.8, 0.8, 0.8])
    (1, 1, 1)
    """
    apart = np.asarray(ours) - np.asarray(theirs)
    return int((apart > CLOSE).sum()), int((apart < -CLOSE).sum()), int((np.abs(apart) <= CLOSE).sum())
