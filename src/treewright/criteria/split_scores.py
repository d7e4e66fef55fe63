"""Split scores: every cut of a number and every binary split of a category, with its scores.

The functions take one column and its target. They are for reading and for checking by hand; the compiled engine
considers the same candidates. Growth uses only `midpoints`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright._core.codes import GAIN_TIE
from treewright.criteria.class_counts import Contingency, contingency, read_targets
from treewright.criteria.impurities import classification_error, entropy, gini
from treewright.criteria.merits import gain_ratio, gini_index, information_gain
from treewright.criteria.registry import CRITERIA, LOSSES, MERITS
from treewright.errors import InputError, one_of

TIE_SCALES = {
    "information_gain": entropy,
    "gini_decrease": gini,
    "error_decrease": classification_error,
    "twoing": gini,
}
"""Two merits tie when they differ by at most `GAIN_TIE` times this impurity of all rows; for other merits times 1."""

MAX_CATEGORIES = 16
"""A column of 16 categories has 32,767 binary splits; each further category doubles them."""


@dataclass(frozen=True, slots=True, eq=False)
class CutScores:
    """Scores of the cuts of a number against classes; one entry per cut, thresholds ascending.

    Attributes
    ----------
    classes : tuple
    threshold : ndarray
    merit : ndarray
        By the chosen criterion; higher is better.
    tie : float
        Merits that differ by at most this are equal.
    gain : ndarray
        Information gain in bits.
    ratio : ndarray
        Gain ratio.
    gini_index : ndarray
        Weighted Gini impurity of the two sides; lower is better.
    low, high : ndarray of shape (n_cuts, n_classes)
        Class counts of the rows with value <= threshold, and of the other rows.
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
        """The position of the cut with the highest merit; of ties the lowest cut."""
        return first_best(self.merit, self.tie)


@dataclass(frozen=True, slots=True, eq=False)
class RegressionCutScores:
    """Scores of the cuts of a number against a numeric target; one entry per cut, thresholds ascending.

    Attributes
    ----------
    threshold : ndarray
    loss : ndarray
        Summed over the rows of both sides (not the mean); lower is better.
    tie : float
        Losses that differ by at most this are equal.
    low_value, high_value : ndarray
        The mean (absolute error: the median) of the rows with value <= threshold, and of the other rows.
    """

    threshold: NDArray[np.float64]
    loss: NDArray[np.float64]
    tie: float
    low_value: NDArray[np.float64]
    high_value: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The position of the cut with the lowest loss; of ties the lowest cut."""
        return first_best(-self.loss, self.tie)


@dataclass(frozen=True, slots=True)
class SubsetScore:
    """A binary split of categories with its scores; `gain` is in bits, a lower `gini_index` is better."""

    branch0: tuple[object, ...]
    branch1: tuple[object, ...]
    gain: float
    ratio: float
    gini_index: float


def candidate_cuts(x: ArrayLike) -> NDArray[np.float64]:
    """Return the midpoints between neighbouring distinct values.

    Examples
    --------
    >>> candidate_cuts([85, 80, 83, 80])
    array([81.5, 84. ])
    """
    distinct = np.unique(_read_numbers(x))
    return midpoints(distinct[:-1], distinct[1:])


def boundary_cuts(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Return the cuts that can be best (Fayyad and Irani 1992).

    A cut between two neighbouring values whose rows all have the same class is left out.

    Examples
    --------
    >>> boundary_cuts([64, 65, 68, 69, 70, 71], ["yes", "no", "yes", "yes", "yes", "no"])
    array([64.5, 66.5, 70.5])
    """
    distinct, table = _count_by_value(x, y)
    present = table.counts > 0
    pure = present.sum(axis=1) == 1
    first = present.argmax(axis=1)
    same = pure[:-1] & pure[1:] & (first[:-1] == first[1:])
    return np.compress(~same, midpoints(distinct[:-1], distinct[1:]))


def score_cuts(
    x: ArrayLike, y: ArrayLike, criterion: str = "information_gain", weight: ArrayLike | None = None
) -> CutScores:
    """Score every cut of a column of numbers against classes.

    Parameters
    ----------
    x : array-like
        Finite numbers.
    y : array-like
        The class of each row.
    criterion : str
        A name in `treewright.criteria.MERITS`.
    weight : array-like, optional
        The weight of each row; 1 by default.

    Returns
    -------
    CutScores

    Examples
    --------
    Taxable income of Tan, Steinbach and Kumar:

    >>> income = [125, 100, 70, 120, 95, 60, 220, 85, 75, 90]
    >>> cheat = ["No", "No", "No", "No", "Yes", "No", "No", "Yes", "No", "Yes"]
    >>> scores = score_cuts(income, cheat, "gini_decrease")
    >>> float(scores.threshold[scores.best]), round(float(scores.gini_index[scores.best]), 3)
    (97.5, 0.3)
    """
    merit = MERITS[one_of("criterion", criterion, MERITS)]
    distinct, table = _count_by_value(x, y, weight)
    low = np.cumsum(table.counts, axis=0)[:-1]
    high = np.cumsum(table.counts[::-1], axis=0)[::-1][1:]
    scale = TIE_SCALES[criterion](table.counts.sum(axis=0)) if criterion in TIE_SCALES else 1.0

    def score_each(score: Callable[..., float]) -> NDArray[np.float64]:
        return np.array([score([a, b]) for a, b in zip(low, high, strict=True)], dtype=np.float64)

    return CutScores(
        classes=table.classes,
        threshold=midpoints(distinct[:-1], distinct[1:]),
        merit=score_each(merit),
        tie=GAIN_TIE * scale,
        gain=score_each(information_gain),
        ratio=score_each(gain_ratio),
        gini_index=score_each(gini_index),
        low=low,
        high=high,
    )


def best_cut(
    x: ArrayLike, y: ArrayLike, criterion: str = "information_gain", weight: ArrayLike | None = None
) -> tuple[float, float]:
    """Return the threshold and the merit of the best cut; of ties the lowest cut.

    Examples
    --------
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
    """Score every cut of a column of numbers against a numeric target.

    Examples
    --------
    Li Hang's table 5.2: the first cut is between 5 and 6 and leaves a summed squared error of 3.36:

    >>> y = [4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00]
    >>> scores = score_regression_cuts(range(1, 11), y)
    >>> float(scores.threshold[scores.best]), round(float(scores.loss[scores.best]), 2)
    (5.5, 3.36)
    """
    loss = LOSSES[one_of("criterion", criterion, LOSSES)]
    center = np.median if CRITERIA[criterion].by_median else np.mean
    values, (target, _) = _read_numbers(x), read_targets(y)
    if len(values) != len(target):
        raise InputError(f"`x` has {len(values)} rows and `y` has {len(target)}; pass one target per row.")
    distinct = np.unique(values)
    sides = [(target[values <= a], target[values > a]) for a in distinct[:-1]]
    threshold = midpoints(distinct[:-1], distinct[1:])
    if CRITERIA[criterion].by_deviance:  # no side has a rate of 0
        has_rates = [bool(a.any() and b.any()) for a, b in sides]
        sides, threshold = [side for side, has in zip(sides, has_rates, strict=True) if has], threshold[has_rates]
    return RegressionCutScores(
        threshold=threshold,
        loss=np.array([len(a) * loss(a) + len(b) * loss(b) for a, b in sides], dtype=np.float64),
        tie=GAIN_TIE * len(target) * loss(target),
        low_value=np.array([center(a) for a, _ in sides], dtype=np.float64),
        high_value=np.array([center(b) for _, b in sides], dtype=np.float64),
    )


def score_subsets(x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None) -> tuple[SubsetScore, ...]:
    """Score every binary split of the categories, each once; the first category is always in branch 0.

    Examples
    --------
    Income in Han and Kamber's table (class counts high 2/2, medium 4/2, low 3/1): {high} against the rest has
    Gini index 0.443, {high, low} against {medium} 0.458, {high, medium} against {low} 0.450:

    >>> income = ["high"] * 4 + ["medium"] * 6 + ["low"] * 4
    >>> buys = ["no", "no", "yes", "yes"] + ["yes"] * 4 + ["no"] * 2 + ["yes"] * 3 + ["no"]
    >>> for split in score_subsets(income, buys):
    ...     print(split.branch0, round(split.gini_index, 3))
    ('high', 'low') 0.458
    ('high', 'medium') 0.45
    ('high',) 0.443
    """
    table = contingency(x, y, weight)
    n = len(table.branches)
    if n > MAX_CATEGORIES:
        raise InputError(
            f"`x` must have at most {MAX_CATEGORIES} categories, got {n}, which have {2 ** (n - 1) - 1} binary splits; "
            "merge categories."
        )
    # Bit i - 1 of the number sends category i to branch 1, as in the rules of growth.
    return tuple(
        _score_subset(table, [i > 0 and bool(number >> (i - 1) & 1) for i in range(n)])
        for number in range(1, 2 ** (n - 1))
    )


def one_against_rest(x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None) -> tuple[SubsetScore, ...]:
    """Score each category (branch 0) against all others: the Gini(D, a=v) of Zhou and of Li Hang.

    Examples
    --------
    Li Hang's example 5.4 has 0.44 for youth, 0.48 and 0.44:

    >>> age = ["青年"] * 5 + ["中年"] * 5 + ["老年"] * 5
    >>> loan = ["否"] * 3 + ["是"] * 2 + ["否"] * 2 + ["是"] * 3 + ["否"] + ["是"] * 4
    >>> [round(split.gini_index, 2) for split in one_against_rest(age, loan)]
    [0.44, 0.48, 0.44]
    """
    table = contingency(x, y, weight)
    n = len(table.branches)
    return tuple(_score_subset(table, [i != v for i in range(n)]) for v in range(n))


def midpoints(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return thresholds t between neighbours low < high: the midpoints, always low <= t < high.

    >>> midpoints(np.array([0.36, 1.0e308]), np.array([0.403, 1.5e308]))
    array([3.815e-001, 1.250e+308])
    """
    with np.errstate(over="ignore"):
        middle = (low + high) / 2.0
    is_finite = np.isfinite(middle)
    if not is_finite.all():
        # Halving first cannot overflow, but it loses the last bit of the smallest numbers: so only where needed.
        middle = np.where(is_finite, middle, low / 2.0 + high / 2.0)
    # Between neighbouring floats there is no midpoint, and rounding may give the higher one.
    return np.where(middle < high, middle, low)


def first_best(merit: NDArray[np.float64], tie: float) -> int:
    """Return the position of the largest merit, the first of those that tie with it.

    >>> first_best(np.array([0.1, 0.3, 0.3 + 1e-16]), tie=1e-11)
    1
    """
    if merit.size == 0:
        raise InputError("The column must have at least two distinct values to have a cut; drop the column.")
    return int(np.argmax(merit >= merit.max() - tie))


def _score_subset(table: Contingency, in_branch1: Iterable[bool]) -> SubsetScore:
    side: NDArray[np.bool_] = np.array(list(in_branch1), dtype=np.bool_)
    branches = [table.counts[~side].sum(axis=0), table.counts[side].sum(axis=0)]
    names = tuple(zip(table.branches, side.tolist(), strict=True))
    return SubsetScore(
        branch0=tuple(name for name, is_in_1 in names if not is_in_1),
        branch1=tuple(name for name, is_in_1 in names if is_in_1),
        gain=information_gain(branches),
        ratio=gain_ratio(branches),
        gini_index=gini_index(branches),
    )


def _count_by_value(
    x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None
) -> tuple[NDArray[np.float64], Contingency]:
    """The distinct values, ascending, and the class counts of each."""
    table = contingency(_read_numbers(x), y, weight)
    distinct = np.array(table.branches, dtype=np.float64)
    order = np.argsort(distinct)
    return distinct[order], Contingency(tuple(distinct[order].tolist()), table.classes, table.counts[order])


def _read_numbers(x: ArrayLike) -> NDArray[np.float64]:
    """A column of finite numbers as float64."""
    try:
        values = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("`x` must be a column of numbers, one per row.") from None
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"`x` must be one-dimensional and not empty, got the shape {values.shape}.")
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(f"`x` must be finite, got {values[row]:g} in row {row}; drop that row or replace the value.")
    # Adding 0 makes -0.0 and 0.0 one value in print as they are in comparison.
    return values + 0.0
