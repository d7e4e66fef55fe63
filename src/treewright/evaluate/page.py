"""Page: scores as lines of text.

In: scores. Out: the confusion matrix, the table of the classes and the errors in words, aligned for a terminal in any
alphabet. Names of classes come from the user's table, so what would steer a terminal is escaped.
"""

from collections.abc import Sequence
from math import isnan

from treewright.evaluate.scores import ClassScores, NumberScores, Scores
from treewright.model.grid import Grid, counted
from treewright.model.words import beginning, category_words, number_words, printable, weight_words

LONGEST = 24
"""Characters of the name of a class in a table."""

MOST_CLASSES = 20
"""Classes of a confusion matrix that is shown."""


def percent(share: float) -> str:
    """A share of rows.

    >>> percent(0.0714), percent(0.0)
    ('7.1%', '0.0%')
    """
    return f"{100 * share:.1f}%"


def error_words(scores: Scores) -> str:
    """How right, in a few words.

    >>> import numpy as np
    >>> from treewright.evaluate.scores import class_scores, number_scores
    >>> error_words(class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])))
    '25.0% (1 of 4)'
    >>> error_words(number_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0])))
    'RMSE 1.7321, MAE 1, R2 -3.5'
    """
    if isinstance(scores, NumberScores):
        r2 = "" if scores.r2 is None else f", R2 {scores.r2:.5g}"
        return f"RMSE {scores.rmse:.5g}, MAE {scores.mae:.5g}{r2}"
    return f"{percent(scores.error)} ({weight_words(scores.errors)} of {weight_words(scores.weight)})"


def confusion_lines(scores: ClassScores) -> list[str]:
    """The confusion matrix: a line for each class, a column for each answer.

    >>> import numpy as np
    >>> from treewright.evaluate.scores import class_scores
    >>> for line in confusion_lines(class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))):
    ...     print(line)
    class \\ answer  no  yes
    no                1    1
    yes               0    2
    """
    n = len(scores.classes)
    if n > MOST_CLASSES:
        return [f"{n} classes; the confusion matrix is shown for up to {MOST_CLASSES}, and --json has all of it."]
    names = class_names(scores.classes)
    rows = [[name, *map(weight_words, scores.confusion[i])] for i, name in enumerate(names)]
    below = []
    if scores.strangers:
        below.append(f"{weight_words(scores.strangers)} more of classes that training never showed: all wrong")
    return Grid(["class \\ answer", *names], rows, [False] + [True] * n, below).lines()


def class_lines(scores: ClassScores) -> list[str]:
    """Precision, recall and F1 of each class.

    >>> import numpy as np
    >>> from treewright.evaluate.scores import class_scores
    >>> for line in class_lines(class_scores(("no", "yes"), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))):
    ...     print(line)
    class  rows  precision  recall      F1
    no        2     1.0000  0.5000  0.6667
    yes       2     0.6667  1.0000  0.8000
    """
    columns = (scores.precision, scores.recall, scores.f1)
    rows = [
        [name, weight_words(scores.confusion[i].sum()), *(_share(float(column[i])) for column in columns)]
        for i, name in enumerate(class_names(scores.classes))
    ]
    return Grid(["class", "rows", "precision", "recall", "F1"], rows, [False] + [True] * 4, []).lines()


def score_lines(scores: Scores) -> list[str]:
    """All figures, each on a line of its own.

    >>> import numpy as np
    >>> from treewright.evaluate.scores import number_scores
    >>> score_lines(number_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0])))[0]
    'rows       3'
    """
    lines = [["rows", f"{scores.n_rows:,}"]]
    if scores.weight != scores.n_rows:
        lines.append(["weight", weight_words(scores.weight)])
    if isinstance(scores, NumberScores):
        r2 = "not known: all rows have the same value" if scores.r2 is None else f"{scores.r2:.6g}"
        lines += [["RMSE", number_words(float(f"{scores.rmse:.6g}"))], ["MAE", f"{scores.mae:.6g}"], ["R2", r2]]
    else:
        lines += [["accuracy", percent(scores.accuracy)], ["error", error_words(scores)]]
        if scores.mean_cost is not None:
            lines.append(["mean cost", f"{scores.mean_cost:.5g}"])
        if scores.log_loss is not None:
            much = weight_words(scores.ruled_out)
            ruled_out = f" ({counted_rows(much)} given no share of the right class)" if scores.ruled_out else ""
            lines.append(["log loss", f"{scores.log_loss:.4f}{ruled_out}"])
        if scores.brier is not None:
            lines.append(["Brier", f"{scores.brier:.4f}"])
    return Grid(lines[0], lines[1:], [False, False], []).lines()


def class_names(classes: Sequence[object]) -> list[str]:
    """The classes as they stand in tables."""
    return [beginning(printable(category_words(name)), LONGEST) for name in classes]


def counted_rows(much: str) -> str:
    """So many rows, by weight."""
    return counted(1, "row") if much == "1" else f"{much} rows"


def _share(share: float) -> str:
    return "-" if isnan(share) else f"{share:.4f}"
