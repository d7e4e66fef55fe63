"""Scores: what every cut of one column of numbers is worth.

In: a column of numbers and the target. Out: a table with one entry per cut, and the best cut of it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.criteria.counts import read_targets
from treewright.criteria.impurities import classification_error, entropy, gini
from treewright.criteria.merits import gain_ratio, gini_index, information_gain
from treewright.criteria.registry import CRITERIA, LOSSES, MERITS
from treewright.errors import InputError, one_of
from treewright.search.cuts import by_value, midpoints, read_numbers

TIE = 1e-11
"""Two gains tie when they differ by no more than this share of the node's impurity; two ratios, by this."""

SCALES = {
    "information_gain": entropy,
    "gini_decrease": gini,
    "error_decrease": classification_error,
    "twoing": gini,
}
"""The impurity that a tie of a merit is measured by; 1 for the others."""


@dataclass(frozen=True, slots=True, eq=False)
class CutScores:
    """One entry per candidate cut, thresholds rising.

    merit       by the criterion asked for; more is better
    tie         merits no further apart than this are equal
    gain        information gain in bits
    ratio       gain ratio
    gini_index  weighted Gini impurity of the two sides; less is better
    low, high   class counts of value <= threshold and of the rest, one column per class
    """

    classes: tuple[object, ...]
    threshold: NDArray[np.float64]
    merit: NDArray[np.float64]
    tie: float
    gain: NDArray[np.float64]
    ratio: NDArray[np.float64]
    gini_index: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The position of the cut of most merit, the lowest on a tie."""
        return first_best(self.merit, self.tie)


@dataclass(frozen=True, slots=True, eq=False)
class RegressionCutScores:
    """One entry per candidate cut, thresholds rising.

    loss                   summed over the rows of both sides (not the mean); less is better
    tie                    losses no further apart than this are equal
    low_value, high_value  the mean (absolute error: the median) of value <= threshold and of the rest
    """

    threshold: NDArray[np.float64]
    loss: NDArray[np.float64]
    tie: float
    low_value: NDArray[np.float64]
    high_value: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The position of the cut of least loss, the lowest on a tie."""
        return first_best(-self.loss, self.tie)


def first_best(merit: NDArray[np.float64], tie: float) -> int:
    """The position of the largest merit, the first of those that tie with it.

    >>> first_best(np.array([0.1, 0.3, 0.3 + 1e-16]), tie=1e-11)
    1
    """
    if merit.size == 0:
        raise InputError("the column has one distinct value, so it has no cut; leave it out.")
    return int(np.argmax(merit >= merit.max() - tie))


def score_cuts(
    x: ArrayLike, y: ArrayLike, criterion: str = "information_gain", weight: ArrayLike | None = None
) -> CutScores:
    """Score every cut of a column of numbers against classes.

    The criterion is a name in `treewright.criteria.MERITS`. Taxable income of Tan, Steinbach and Kumar:

    >>> income = [125, 100, 70, 120, 95, 60, 220, 85, 75, 90]
    >>> cheat = ["No", "No", "No", "No", "Yes", "No", "No", "Yes", "No", "Yes"]
    >>> scores = score_cuts(income, cheat, "gini_decrease")
    >>> float(scores.threshold[scores.best]), round(float(scores.gini_index[scores.best]), 3)
    (97.5, 0.3)
    """
    merit = MERITS[one_of("criterion", criterion, MERITS)]
    distinct, table = by_value(x, y, weight)
    low = np.cumsum(table.counts, axis=0)[:-1]
    high = np.cumsum(table.counts[::-1], axis=0)[::-1][1:]

    scale = SCALES[criterion](table.counts.sum(axis=0)) if criterion in SCALES else 1.0

    def each(score: Callable[..., float]) -> NDArray[np.float64]:
        return np.array([score([a, b]) for a, b in zip(low, high, strict=True)], dtype=np.float64)

    return CutScores(
        classes=table.classes,
        threshold=midpoints(distinct[:-1], distinct[1:]),
        merit=each(merit),
        tie=TIE * scale,
        gain=each(information_gain),
        ratio=each(gain_ratio),
        gini_index=each(gini_index),
        low=low,
        high=high,
    )


def best_cut(
    x: ArrayLike, y: ArrayLike, criterion: str = "information_gain", weight: ArrayLike | None = None
) -> tuple[float, float]:
    """The threshold and the merit of the best cut, the lowest on a tie.

    Humidity under sunny on the golf table:

    >>> threshold, gain = best_cut([85, 90, 95, 70, 70], ["no", "no", "no", "yes", "yes"])
    >>> threshold, round(gain, 3)
    (77.5, 0.971)
    """
    scores = score_cuts(x, y, criterion, weight)
    return float(scores.threshold[scores.best]), float(scores.merit[scores.best])


def score_regression_cuts(
    x: ArrayLike, y: ArrayLike, criterion: str = "squared_error"
) -> RegressionCutScores:
    """Score every cut of a column of numbers against a target of numbers.

    Li Hang's table 5.2: the first cut lies between 5 and 6 and leaves a summed squared error of 3.36:

    >>> y = [4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00]
    >>> scores = score_regression_cuts(range(1, 11), y)
    >>> float(scores.threshold[scores.best]), round(float(scores.loss[scores.best]), 2)
    (5.5, 3.36)
    """
    loss = LOSSES[one_of("criterion", criterion, LOSSES)]
    center = np.median if CRITERIA[criterion].by_median else np.mean
    values, (target, _) = read_numbers(x), read_targets(y)
    if len(values) != len(target):
        raise InputError(f"x has {len(values)} rows and y has {len(target)}; give one target per row.")
    distinct = np.unique(values)
    sides = [(target[values <= a], target[values > a]) for a in distinct[:-1]]
    return RegressionCutScores(
        threshold=midpoints(distinct[:-1], distinct[1:]),
        loss=np.array([len(a) * loss(a) + len(b) * loss(b) for a, b in sides], dtype=np.float64),
        tie=TIE * len(target) * loss(target),
        low_value=np.array([center(a) for a, _ in sides], dtype=np.float64),
        high_value=np.array([center(b) for _, b in sides], dtype=np.float64),
    )
