"""Interval: how far the share or the mean of a few rows may be from that of all such rows.

In: the numbers of a leaf. Out: an `Interval`, or why there is none.

A share has the interval of Clopper and Pearson (1934): it misses in no more than 1 - confidence of all samples,
however few rows there are, and its limits are those that C4.5 prunes by. A mean has the interval of Student. Both take
the leaf for given, and it was not: growth looked for a leaf as pure as this one. So both are too narrow, and say so.
"""

from dataclasses import dataclass
from math import sqrt

from treewright.distributions import beta_quantile, student_quantile

CAVEAT = "The leaf was chosen by looking at these rows, so the interval is too narrow."
"""What has to be said with every interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval for what a leaf says.

    low, high   its limits
    confidence  how often such an interval holds, were the leaf not chosen by its rows
    n_rows      how many rows it rests on: their weight, counted in rows
    method      "Clopper-Pearson" for a share, "Student" for a mean
    """

    low: float
    high: float
    confidence: float
    n_rows: float
    method: str


def share_interval(hits: float, n_rows: float, confidence: float) -> Interval | None:
    """The interval of a share: `hits` of `n_rows`, which need not be whole; None without rows.

    >>> found = share_interval(6, 6, 0.5)  # C4.5's U25(0, 6) is 0.206
    >>> round(1 - found.low, 3), found.high
    (0.206, 1.0)
    """
    if not n_rows > 0:
        return None
    hits = min(max(hits, 0.0), n_rows)
    outside = (1.0 - confidence) / 2.0
    low = beta_quantile(hits, n_rows - hits + 1.0, outside) if hits > 0 else 0.0
    high = beta_quantile(hits + 1.0, n_rows - hits, 1.0 - outside) if hits < n_rows else 1.0
    return Interval(low, high, confidence, float(n_rows), "Clopper-Pearson")


def mean_interval(mean: float, loss: float, n_rows: float, confidence: float) -> Interval | None:
    """The interval of a mean, from the sum of squared errors of `n_rows` rows; None where that is one row or less.

    >>> found = mean_interval(5.0, 8.0, 5, 0.95)  # 5 ± 2.776 * sqrt(8 / (5 * 4))
    >>> round(found.low, 3), round(found.high, 3)
    (3.244, 6.756)
    """
    if not n_rows > 1:
        return None
    reach = student_quantile(n_rows - 1.0, (1.0 + confidence) / 2.0) * sqrt(max(loss, 0.0) / n_rows / (n_rows - 1.0))
    return Interval(mean - reach, mean + reach, confidence, float(n_rows), "Student")
