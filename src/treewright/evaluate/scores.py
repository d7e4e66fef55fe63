"""How good predictions are: the confusion matrix and what follows from it, and the errors of regression.

The functions take true and predicted values of the same rows, or a tree and rows. All figures are weighted by the
sample weights. `score_report` prints them.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.evaluate.calibration import (
    Reliability,
    brier_losses,
    default_reliability,
    log_losses,
    true_class_probabilities,
)
from treewright.model.formatting import format_category
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_numbers, predict_probabilities

UNKNOWN_CLASS = -1
"""The code of a class that is not in the training data: every prediction for it is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassScores:
    """Scores of a classifier.

    classes         in the order of the matrix
    confusion       float64 (n_classes, n_classes): the weight of the rows of a class (line) predicted as a class
                    (column)
    unknown_weight  weight of the rows whose class is not in the training data
    n_rows          number of rows
    log_loss        mean of -ln(probability of the true class); None without probabilities
    ruled_out       weight of the rows whose true class was predicted with probability 0; they make the log loss large
    costs           cost of a prediction, by (true class, predicted class); None without a cost matrix
    brier           Brier score; None without probabilities
    calibration     reliability table: of the second of two classes, otherwise of the predicted class; or None
    """

    classes: tuple[object, ...]
    confusion: NDArray[np.float64]
    unknown_weight: float
    n_rows: int
    log_loss: float | None = None
    ruled_out: float = 0.0
    costs: NDArray[np.float64] | None = None
    brier: float | None = None
    calibration: Reliability | None = None

    @property
    def weight(self) -> float:
        """Weight of all rows."""
        return float(self.confusion.sum()) + self.unknown_weight

    @property
    def errors(self) -> float:
        """Weight of the rows that are predicted wrong."""
        return self.weight - float(np.trace(self.confusion))

    @property
    def error(self) -> float:
        """Proportion of wrong predictions."""
        return self.errors / self.weight

    @property
    def accuracy(self) -> float:
        """Proportion of correct predictions."""
        return float(np.trace(self.confusion)) / self.weight

    @property
    def mean_cost(self) -> float | None:
        """Mean cost of a prediction, over the rows of known classes; None without costs."""
        if self.costs is None:
            return None
        return float(
            (self.confusion * self.costs).sum() / max(self.confusion.sum(), np.finfo(np.float64).tiny)
        )

    @property
    def precision(self) -> NDArray[np.float64]:
        """For each class, the proportion of its predictions that are correct; NaN if it is never predicted."""
        return _divide(np.diagonal(self.confusion), self.confusion.sum(axis=0))

    @property
    def recall(self) -> NDArray[np.float64]:
        """For each class, the proportion of its rows that are predicted correctly; NaN if it has no rows."""
        return _divide(np.diagonal(self.confusion), self.confusion.sum(axis=1))

    @property
    def f1(self) -> NDArray[np.float64]:
        """For each class, the harmonic mean of precision and recall."""
        return _divide(
            2 * np.diagonal(self.confusion), self.confusion.sum(axis=0) + self.confusion.sum(axis=1)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as data that JSON can hold; an undefined score is None."""
        columns = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        by_class = [
            {"class": format_category(name), "weight": float(self.confusion[i].sum())}
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
            "unknown_weight": self.unknown_weight,
            "classes": by_class,
            "confusion": self.confusion.tolist(),
        }


@dataclass(frozen=True, slots=True)
class NumberScores:
    """Scores of a regressor.

    mse     mean squared error
    mae     mean absolute error
    r2      coefficient of determination; None if all true values are the same
    n_rows  number of rows
    weight  weight of these rows
    """

    mse: float
    mae: float
    r2: float | None
    n_rows: int
    weight: float

    @property
    def rmse(self) -> float:
        """Root mean squared error, in the unit of the target."""
        return sqrt(self.mse)

    @property
    def error(self) -> float:
        """Root mean squared error."""
        return self.rmse

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as data that JSON can hold."""
        found = {"rmse": self.rmse, "mae": self.mae, "r2": self.r2}
        return {"rows": self.n_rows, "weight": self.weight, **found}


Scores = ClassScores | NumberScores


def class_scores(
    classes: tuple[object, ...],
    actual: NDArray[Any],
    predicted: NDArray[Any],
    probabilities: NDArray[np.float64] | None = None,
    weight: NDArray[np.float64] | None = None,
) -> ClassScores:
    """Return the scores of predicted class codes; a true code may be UNKNOWN_CLASS.

    >>> found = class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    >>> found.confusion.tolist(), found.accuracy, found.recall.tolist()
    ([[1.0, 1.0], [0.0, 2.0]], 0.75, [0.5, 1.0])
    """
    _check_rows(len(actual), weight)
    counts = np.ones(len(actual)) if weight is None else weight
    n, known = len(classes), actual != UNKNOWN_CLASS
    cell = actual[known].astype(np.int64) * n + predicted[known]
    confusion = np.bincount(cell, counts[known], n * n).reshape(n, n).astype(np.float64)
    found = ClassScores(tuple(classes), confusion, float(counts[~known].sum()), len(actual))
    if probabilities is None:
        return found
    return replace(
        found,
        log_loss=float(np.average(log_losses(actual, probabilities), weights=counts)),
        ruled_out=float(counts[true_class_probabilities(actual, probabilities) <= 0.0].sum()),
        brier=float(np.average(brier_losses(actual, probabilities), weights=counts)),
        calibration=default_reliability(classes, actual, predicted, probabilities, weight),
    )


def number_scores(
    actual: NDArray[Any], predicted: NDArray[np.float64], weight: NDArray[np.float64] | None = None
) -> NumberScores:
    """Return the scores of predicted numbers.

    >>> found = number_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0]))
    >>> found.mae, round(found.rmse, 4), found.r2
    (1.0, 1.7321, -3.5)
    """
    _check_rows(len(actual), weight)
    difference = predicted - actual
    mse = float(np.average(difference**2, weights=weight))
    spread = float(np.average((actual - np.average(actual, weights=weight)) ** 2, weights=weight))
    r2 = 1.0 - mse / spread if spread > 0.0 else None
    total = float(len(actual)) if weight is None else float(weight.sum())
    return NumberScores(mse, float(np.average(np.abs(difference), weights=weight)), r2, len(actual), total)


def score_tree(tree: Tree, rows: Dataset, rule: MissingPolicy) -> Scores:
    """Return the scores of a tree on rows in its codes; a class may be UNKNOWN_CLASS.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> score_tree(tree, rows, MissingPolicy()).error
    0.5
    """
    if tree.schema.target.is_number:
        return number_scores(rows.target, predict_numbers(tree, rows.values, rule), rows.weight)
    predicted = predict_class_codes(tree, rows.values, rule)
    probabilities = predict_probabilities(tree, rows.values, rule)
    found = class_scores(tree.schema.target.classes or (), rows.target, predicted, probabilities, rows.weight)
    costs = tree.prediction_rule.costs
    return found if costs is None else replace(found, costs=np.array(costs))


def _divide(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide, with NaN where the whole is 0."""
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)


def _or_none(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _check_rows(n_rows: int, weight: NDArray[np.float64] | None) -> None:
    if not n_rows or (weight is not None and not weight.any()):
        raise InputError("There are no labelled rows with a weight above 0; pass a table that has some.")
