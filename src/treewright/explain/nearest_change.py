"""The nearest change of one value that changes the prediction.

What comes in: a tree, an encoded row and a missing-value policy. What goes out: for each column the nearest value that,
in place of the row's own, gives another prediction; nearest first. Only values at which the tree can change are tried:
just across its thresholds, and the categories it knows.

The distance of a change is relative to what a column can change by:
  number    |new - now| / spread, where the spread is highest minus lowest value in the training data; if that is
            unknown, highest minus lowest of the tree's thresholds and the row's own value
  ordered   steps between the two categories / steps from the first to the last
  category  1, whichever category it is
  missing   1, whatever it becomes
On a tie the lower value, the category that comes first in its column, and the column that comes first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.deprecation import DeprecatedAlias
from treewright.explain.row_path import CLOSE, Cell, predict_row
from treewright.explain.value_intervals import ValueIntervals, predict_on_intervals, value_intervals
from treewright.language import messages
from treewright.model.strategies import STRATEGIES, TO_ALL
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing
from treewright.predict.predictions import predict_class_codes, predict_numbers

CELLS = 2**22
"""About how many cells of changed rows are made at a time."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that alone would change the prediction.

    column         the index of the column in the table
    name           its name
    words          the condition that would have to hold, such as "humidity <= 75 (now 80)"
    now            the value of the row; None if it is missing
    value          the nearest value that satisfies it
    prediction     with that value
    probabilities  of the classes with that value; None for regression
    distance       see the description of the module
    """

    column: int
    name: str
    words: str
    now: Any
    value: Any
    prediction: Any
    probabilities: Mapping[Any, float] | None
    distance: float

    answer = DeprecatedAlias("prediction")
    shares = DeprecatedAlias("probabilities")


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """The intervals of a column with their predictions, and the nearest interval that changes the prediction."""

    position: int
    intervals: ValueIntervals
    predictions: NDArray[Any]
    nearest: int


def nearest_changes(
    tree: Tree,
    values: NDArray[np.float64],
    row: Sequence[Cell],
    policy: MissingPolicy,
    spread: NDArray[np.float64] | None,
    n: int,
    language: str = "en",
) -> list[Change]:
    """Return the n nearest changes of one value that change the prediction, no two of the same column.

    values  the row as an encoded table of one row; `row` has the user's values
    spread  of each column in the training data; None if it is unknown

    >>> from treewright.explain.row_path import read_cells
    >>> from treewright.model.build import golf_example
    >>> tree, values = golf_example(), np.array([[0, 80.0, 1]])
    >>> cells = read_cells(tree.schema.columns, values[0], {})
    >>> [(c.words, c.prediction) for c in nearest_changes(tree, values, cells, MissingPolicy(), None, 1)]
    [('outlook = overcast (now sunny)', 'Play')]
    """
    if n == 0 or tree.n_nodes == 1:
        return []
    surrogates = STRATEGIES[resolve_missing(tree, policy)].surrogates
    own = _predict(tree, values, policy)[0]
    candidates: list[_Candidate] = []
    for position in range(tree.schema.n_columns):
        width = None if spread is None else float(spread[position])
        intervals = value_intervals(tree, position, float(values[0, position]), width, surrogates)
        if intervals is None:
            continue
        predictions = _predict_intervals(tree, values, position, intervals, policy)
        distance = np.where(_same(predictions, own) | np.isnan(intervals.distance), np.inf, intervals.distance)
        nearest = int(np.argmin(distance))
        if distance[nearest] < np.inf:
            candidates.append(_Candidate(position, intervals, predictions, nearest))
    candidates.sort(key=lambda one: (one.intervals.distance[one.nearest], one.position))
    return [_change(tree, values, row, policy, one, language) for one in candidates[:n]]


def _predict_intervals(
    tree: Tree, values: NDArray[np.float64], position: int, intervals: ValueIntervals, policy: MissingPolicy
) -> NDArray[Any]:
    """Predict on each interval of a column."""
    others = np.unique(tree.column[tree.column >= 0])
    others = others[others != position]
    if STRATEGIES[resolve_missing(tree, policy)].goes != TO_ALL and not np.all(values[0, others] > -np.inf):
        # A missing value of another column may be decided by this one, or end the path: every value is tried.
        return _predict_values(tree, values, position, intervals.nearest, policy)
    quick = predict_on_intervals(tree, values, position, intervals, policy.unseen)
    predictions, uncertain = quick.predictions, np.flatnonzero(~quick.certain)
    if len(uncertain):
        predictions[uncertain] = _predict_values(tree, values, position, intervals.nearest[uncertain], policy)
    return predictions


def _predict_values(
    tree: Tree, values: NDArray[np.float64], position: int, tried: NDArray[np.float64], policy: MissingPolicy
) -> NDArray[Any]:
    """Predict the row with each of these values in one of its columns."""
    n_together = max(1, CELLS // values.shape[1])
    found = []
    for start in range(0, len(tried), n_together):
        part = tried[start : start + n_together]
        rows = np.repeat(values, len(part), axis=0)
        rows[:, position] = np.where(np.isfinite(part), part, values[0, position])
        found.append(_predict(tree, rows, policy))
    return np.concatenate(found)


def _predict(tree: Tree, values: NDArray[np.float64], policy: MissingPolicy) -> NDArray[Any]:
    predict = predict_numbers if tree.schema.target.is_number else predict_class_codes
    return predict(tree, values, policy)


def _same(predictions: NDArray[Any], one: Any) -> NDArray[np.bool_]:
    """Return which predictions are the same: classes, or numbers up to rounding."""
    if predictions.dtype.kind != "f":
        return predictions == one
    return np.abs(predictions - one) <= CLOSE * np.maximum(np.abs(predictions), abs(one))


def _change(
    tree: Tree,
    values: NDArray[np.float64],
    row: Sequence[Cell],
    policy: MissingPolicy,
    candidate: _Candidate,
    language: str,
) -> Change:
    _ = messages(language)
    intervals, at, position = candidate.intervals, candidate.nearest, candidate.position
    alike = _same(candidate.predictions, candidate.predictions[at]) & ~np.isnan(intervals.distance)
    changed = values.copy()
    changed[0, position] = intervals.nearest[at]
    prediction, by_class = predict_row(tree, changed, policy)
    condition, now = intervals.words(alike, at, language), row[position].words(language)
    return Change(
        column=position,
        name=intervals.column.name,
        words=_("{condition} (now {value})", condition=condition, value=now),
        now=row[position].value,
        value=intervals.value(at),
        prediction=prediction,
        probabilities=by_class,
        distance=float(intervals.distance[at]),
    )
