"""Scores: how right answers are.

In: what rows really are and what they were answered with, or a tree and rows. Out: for classes the confusion matrix and
what follows from it; for numbers the mean errors. Everything counts by weight.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.evaluate.calibration import brier_losses, log_losses, right_shares, usual_reliability
from treewright.evaluate.reliability import Reliability
from treewright.model.tree import Tree
from treewright.model.words import category_words
from treewright.predict.answers import class_codes, numbers, shares
from treewright.predict.rule import Rule

STRANGER = -1
"""The code of a class that training never showed: whatever is answered is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassScores:
    """How right classes were answered.

    classes      in the order of the matrix
    confusion    float64 (n_classes, n_classes): the weight of the rows of a class (line) answered so (column)
    strangers    the weight of the rows of classes that training never showed
    n_rows       rows that were answered
    log_loss     the mean of -ln(share of the right class); None where shares are not known
    ruled_out    the weight of the rows whose class was given no share at all; they make the log loss large
    costs        what an answer costs, (true class, answered class); None where nothing is known of costs
    brier        the mean squared distance of the shares from what came true; None where shares are not known
    calibration  how often shares came true: of two classes that of the second, of more that of the answer; or None
    """

    classes: tuple[object, ...]
    confusion: NDArray[np.float64]
    strangers: float
    n_rows: int
    log_loss: float | None = None
    ruled_out: float = 0.0
    costs: NDArray[np.float64] | None = None
    brier: float | None = None
    calibration: Reliability | None = None

    @property
    def weight(self) -> float:
        """Of all rows."""
        return float(self.confusion.sum()) + self.strangers

    @property
    def errors(self) -> float:
        """The weight of the rows that were answered wrong."""
        return self.weight - float(np.trace(self.confusion))

    @property
    def error(self) -> float:
        """The share of wrong answers."""
        return self.errors / self.weight

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return float(np.trace(self.confusion)) / self.weight

    @property
    def mean_cost(self) -> float | None:
        """What an answer costs on average, over the rows of classes that training showed; None without costs."""
        if self.costs is None:
            return None
        return float((self.confusion * self.costs).sum() / max(self.confusion.sum(), np.finfo(np.float64).tiny))

    @property
    def precision(self) -> NDArray[np.float64]:
        """For each class, the share of the answers of this class that are right; NaN where there are none."""
        return _parts(np.diagonal(self.confusion), self.confusion.sum(axis=0))

    @property
    def recall(self) -> NDArray[np.float64]:
        """For each class, the share of its rows that were answered so; NaN where it has none."""
        return _parts(np.diagonal(self.confusion), self.confusion.sum(axis=1))

    @property
    def f1(self) -> NDArray[np.float64]:
        """For each class, twice its right answers over its rows and its answers together."""
        return _parts(2 * np.diagonal(self.confusion), self.confusion.sum(axis=0) + self.confusion.sum(axis=1))

    def to_dict(self) -> dict[str, Any]:
        """All of it as data that JSON can hold; what cannot be said is None."""
        columns = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        by_class = [
            {"class": category_words(name), "weight": float(self.confusion[i].sum())}
            | {key: _or_none(column[i]) for key, column in columns.items()}
            for i, name in enumerate(self.classes)
        ]
        return {
            "rows": self.n_rows,
            "weight": self.weight,
            "accuracy": self.accuracy,
            "error": self.error,
            **({} if self.costs is None else {"mean_cost": self.mean_cost}),
            "log_loss": self.log_loss,
            "ruled_out": self.ruled_out,
            "brier": self.brier,
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
            "strangers": self.strangers,
            "classes": by_class,
            "confusion": self.confusion.tolist(),
        }


@dataclass(frozen=True, slots=True)
class NumberScores:
    """How close numbers were answered.

    mse     the mean squared error
    mae     the mean absolute error
    r2      1 less the squared error over that of answering the mean of these rows; None where they are all the same
    n_rows  rows that were answered
    weight  of these rows
    """

    mse: float
    mae: float
    r2: float | None
    n_rows: int
    weight: float

    @property
    def rmse(self) -> float:
        """The root of the mean squared error: in the unit of the target."""
        return sqrt(self.mse)

    @property
    def error(self) -> float:
        """The root mean squared error: what a smaller number is better of."""
        return self.rmse

    def to_dict(self) -> dict[str, Any]:
        """All of it as data that JSON can hold."""
        found = {"rmse": self.rmse, "mae": self.mae, "r2": self.r2}
        return {"rows": self.n_rows, "weight": self.weight, **found}


Scores = ClassScores | NumberScores


def class_scores(
    classes: tuple[object, ...],
    actual: NDArray[Any],
    answered: NDArray[Any],
    class_shares: NDArray[np.float64] | None = None,
    weight: NDArray[np.float64] | None = None,
) -> ClassScores:
    """Scores of answers by codes of classes; an actual code of STRANGER is a class that training never showed.

    >>> found = class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    >>> found.confusion.tolist(), found.accuracy, found.recall.tolist()
    ([[1.0, 1.0], [0.0, 2.0]], 0.75, [0.5, 1.0])
    """
    _refuse_none(len(actual), weight)
    counts = np.ones(len(actual)) if weight is None else weight
    n, known = len(classes), actual != STRANGER
    place = actual[known].astype(np.int64) * n + answered[known]
    confusion = np.bincount(place, counts[known], n * n).reshape(n, n).astype(np.float64)
    found = ClassScores(tuple(classes), confusion, float(counts[~known].sum()), len(actual))
    if class_shares is None:
        return found
    return replace(
        found,
        log_loss=float(np.average(log_losses(actual, class_shares), weights=counts)),
        ruled_out=float(counts[right_shares(actual, class_shares) <= 0.0].sum()),
        brier=float(np.average(brier_losses(actual, class_shares), weights=counts)),
        calibration=usual_reliability(classes, actual, answered, class_shares, weight),
    )


def number_scores(
    actual: NDArray[Any], answered: NDArray[np.float64], weight: NDArray[np.float64] | None = None
) -> NumberScores:
    """Scores of answers by numbers.

    >>> found = number_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0]))
    >>> found.mae, round(found.rmse, 4), found.r2
    (1.0, 1.7321, -3.5)
    """
    _refuse_none(len(actual), weight)
    off = answered - actual
    mse = float(np.average(off**2, weights=weight))
    spread = float(np.average((actual - np.average(actual, weights=weight)) ** 2, weights=weight))
    r2 = 1.0 - mse / spread if spread > 0.0 else None
    total = float(len(actual)) if weight is None else float(weight.sum())
    return NumberScores(mse, float(np.average(np.abs(off), weights=weight)), r2, len(actual), total)


def score(tree: Tree, rows: Dataset, rule: Rule) -> Scores:
    """How right a tree answers rows, which are in its codes; a class may be STRANGER.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> score(tree, rows, Rule()).error
    0.5
    """
    if tree.schema.target.is_number:
        return number_scores(rows.target, numbers(tree, rows.values, rule), rows.weight)
    answered, by_class = class_codes(tree, rows.values, rule), shares(tree, rows.values, rule)
    found = class_scores(tree.schema.target.classes or (), rows.target, answered, by_class, rows.weight)
    costs = tree.answering.costs
    return found if costs is None else replace(found, costs=np.array(costs))


def _parts(some: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(some, whole, out=np.full(len(some), np.nan), where=whole > 0)


def _or_none(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _refuse_none(n_rows: int, weight: NDArray[np.float64] | None) -> None:
    if not n_rows or (weight is not None and not weight.any()):
        raise InputError("There is no row with an answer and a weight to compare with; give a table that has some.")
