"""Scores as printed tables: the figures of a model, its confusion matrix, its classes and its leaves.

Class names come from the user's table, so characters that would control a terminal are escaped. The functions take
`language`, "en" or "zh".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from treewright.data.dataset import Dataset
from treewright.evaluate.scores import ClassScores, NumberScores, Scores
from treewright.language import messages
from treewright.model.formatting import format_category, format_number, format_weight, printable, truncate
from treewright.model.tree import Tree
from treewright.model.tree_text import path_texts
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import find_leaves, predict_class_codes, predict_numbers
from treewright.text_table import Grid

MAX_CLASS_NAME = 24
"""Characters of a class name in a table."""

MAX_CLASSES = 20
"""Classes of a confusion matrix that is printed."""


def percent(fraction: float) -> str:
    """Format a fraction as a percentage.

    >>> percent(0.0714), percent(0.0)
    ('7.1%', '0.0%')
    """
    return f"{100 * fraction:.1f}%"


def describe_error(scores: Scores, language: str = "en") -> str:
    """Return the error in a few words.

    >>> from treewright.evaluate.scores import class_scores, number_scores
    >>> describe_error(class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])))
    '25.0% (1 of 4)'
    >>> describe_error(number_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0])))
    'RMSE 1.7321, MAE 1, R² -3.5'
    """
    _ = messages(language)
    if isinstance(scores, NumberScores):
        r2 = "" if scores.r2 is None else f", R² {scores.r2:.5g}"
        return f"RMSE {scores.rmse:.5g}, MAE {scores.mae:.5g}{r2}"
    n, total = format_weight(scores.errors), format_weight(scores.weight)
    return _("{percent} ({n} of {total})", percent=percent(scores.error), n=n, total=total)


def score_lines(scores: Scores, language: str = "en") -> list[str]:
    """Return all figures, one on each line.

    >>> from treewright.evaluate.scores import number_scores
    >>> score_lines(number_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0])))[0]
    'rows  3'
    """
    _ = messages(language)
    lines = [[_("rows"), f"{scores.n_rows:,}"]]
    if scores.weight != scores.n_rows:
        lines.append([_("weight"), format_weight(scores.weight)])
    if isinstance(scores, NumberScores):
        r2 = _("undefined: all rows have the same value") if scores.r2 is None else f"{scores.r2:.6g}"
        lines += [
            ["RMSE", format_number(float(f"{scores.rmse:.6g}"))],
            ["MAE", f"{scores.mae:.6g}"],
            ["R²", r2],
        ]
    else:
        lines += [
            [_("accuracy"), percent(scores.accuracy)],
            [_("error rate"), describe_error(scores, language)],
        ]
        if scores.mean_cost is not None:
            lines.append([_("mean cost"), f"{scores.mean_cost:.5g}"])
        if scores.log_loss is not None:
            lines.append([_("log loss"), f"{scores.log_loss:.4f}{_ruled_out(scores, language)}"])
        if scores.brier is not None:
            lines.append([_("Brier score"), f"{scores.brier:.4f}"])
    return Grid(lines[0], lines[1:], [False, False], []).lines()


def _ruled_out(scores: ClassScores, language: str) -> str:
    """Return a remark on rows whose true class has probability 0, which dominate the log loss."""
    if not scores.ruled_out:
        return ""
    weight, _ = format_weight(scores.ruled_out), messages(language)
    return " " + _.plural(
        "({n} row with probability 0 for its true class)",
        "({n} rows with probability 0 for their true class)",
        1 if weight == "1" else 2,
        n=weight,
    )


def confusion_lines(scores: ClassScores, language: str = "en") -> list[str]:
    """Return the confusion matrix: a line for each true class, a column for each predicted class.

    >>> from treewright.evaluate.scores import class_scores
    >>> for line in confusion_lines(class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))):
    ...     print(line)
    true \\ predicted  no  yes
    no                  1    1
    yes                 0    2
    """
    _ = messages(language)
    n = len(scores.classes)
    if n > MAX_CLASSES:
        most = MAX_CLASSES
        return [
            _(
                "The confusion matrix has {n} classes; it is printed for up to {most}, see --json.",
                n=n,
                most=most,
            )
        ]
    names = class_names(scores.classes)
    rows = [[name, *map(format_weight, scores.confusion[i])] for i, name in enumerate(names)]
    below = []
    if scores.unknown_weight:
        weight = format_weight(scores.unknown_weight)
        below.append(
            _.plural(
                "{n} row of a class that is not in the training data, counted as wrong",
                "{n} rows of classes that are not in the training data, counted as wrong",
                1 if weight == "1" else 2,
                n=weight,
            )
        )
    return Grid([_("true \\ predicted"), *names], rows, [False] + [True] * n, below).lines()


def class_lines(scores: ClassScores, language: str = "en") -> list[str]:
    """Return precision, recall and F1 of each class.

    >>> from treewright.evaluate.scores import class_scores
    >>> for line in class_lines(class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))):
    ...     print(line)
    class  rows  precision  recall      F1
    no        2     1.0000  0.5000  0.6667
    yes       2     0.6667  1.0000  0.8000
    """
    _ = messages(language)
    columns = (scores.precision, scores.recall, scores.f1)
    rows = [
        [name, format_weight(scores.confusion[i].sum()), *(_figure(float(column[i])) for column in columns)]
        for i, name in enumerate(class_names(scores.classes))
    ]
    head = [_("class"), _("rows"), _("precision"), _("recall"), "F1"]
    return Grid(head, rows, [False] + [True] * 4, []).lines()


def class_names(classes: Sequence[object]) -> list[str]:
    """Return the classes as they are printed in tables."""
    return [truncate(printable(format_category(name)), MAX_CLASS_NAME) for name in classes]


def _figure(number: float) -> str:
    return "-" if isnan(number) else f"{number:.4f}"


@dataclass(frozen=True, slots=True)
class LeafScore:
    """How good the predictions of a leaf are.

    node        its number
    where       the path to it
    prediction  its prediction and training rows, as the tree prints them
    rows        number of rows that reach it; a row divided among leaves counts where most of its weight ends
    weight      weight of these rows
    loss        weight of the wrong predictions; for regression the sum of squared errors
    """

    node: int
    where: str
    prediction: str
    rows: int
    weight: float
    loss: float

    @property
    def error(self) -> float | None:
        """The error rate, or the mean squared error; None for a leaf without rows."""
        return self.loss / self.weight if self.weight > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """Return the score as data that JSON can hold."""
        found = {name: getattr(self, name) for name in ("node", "where", "prediction", "rows", "weight")}
        return {**found, "error": self.error}


def leaf_scores(tree: Tree, rows: Dataset, rule: MissingPolicy, language: str = "en") -> list[LeafScore]:
    """Return the score of each leaf, and of each inner node where a row stops, by node number.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 60.0, 0]]), np.array([1, 0]))
    >>> [(one.node, one.rows, one.error) for one in leaf_scores(tree, rows, MissingPolicy()) if one.rows]
    [(4, 2, 0.5)]
    """
    leaves = find_leaves(tree, rows.values, rule)
    weight = rows.row_weights
    if tree.schema.target.is_number:
        losses = (predict_numbers(tree, rows.values, rule) - rows.target) ** 2
    else:
        losses = (predict_class_codes(tree, rows.values, rule) != rows.target).astype(np.float64)
    n = tree.n_nodes
    counts = np.bincount(leaves, minlength=n)
    weights, sums = np.bincount(leaves, weight, n), np.bincount(leaves, weight * losses, n)
    shown = np.flatnonzero((counts > 0) | tree.is_leaf).tolist()
    return [
        LeafScore(i, path, tree.node(i).prediction_words(language), int(counts[i]), float(weights[i]), float(sums[i]))
        for i, path in zip(shown, path_texts(tree, shown, language), strict=True)
    ]


def leaf_lines(scores: list[LeafScore], is_number: bool, language: str = "en") -> list[str]:
    """Return the leaves as a table, the one with the largest loss first."""
    _ = messages(language)
    errors = ["RMSE"] if is_number else [_("wrong"), _("error rate")]
    head = [_("leaf"), _("rows"), *errors, _("prediction"), _("path")]
    rows = []
    for one in sorted(scores, key=lambda one: (-one.loss, one.node)):
        error = "-" if one.error is None else f"{one.error**0.5:.5g}" if is_number else percent(one.error)
        figures = [error] if is_number else [format_weight(one.loss), error]
        texts = [printable(one.prediction), printable(one.where)]
        rows.append([str(one.node), format_weight(one.weight), *figures, *texts])
    return Grid(head, rows, [True] * (len(head) - 2) + [False, False], []).lines()
