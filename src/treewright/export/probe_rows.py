"""Rows that try every decision of a tree, and what the tree predicts for them: the test of an export.

In: a `Scoring`, and training rows if they are kept. Out: `Probes`: rows that reach every leaf; at every split the
threshold and its two neighbours among the floats, every branch, a missing value and an unseen category; and their
predictions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf, isfinite, nan, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind
from treewright.export.rule_scoring import Scored
from treewright.export.scoring import Scoring, ValueTest
from treewright.model.strategies import REFUSED, STRATEGIES
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import (
    predict_class_codes,
    predict_numbers,
    predict_probabilities,
    visited_nodes,
)

MAX_PROBES = 20_000
"""Rows that try decisions; of a larger tree, evenly spaced ones."""
MAX_TRAINING_ROWS = 5_000
"""Training rows that are tried, evenly spaced."""
UNSEEN_TEXT = "a category that did not occur"
LARGEST_INTEGER = 2**53
"""Above it, floats are not exact integers."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Probes:
    """Rows and their predictions.

    values         encoded: NaN is missing, minus infinity an unseen category
    probabilities  (n_rows, n_classes) class probabilities, or (n_rows, 1) predicted numbers
    classes        the code of the predicted class; None for a regression tree
    refused        rows for which `predict` raises an error
    """

    scoring: Scored
    values: Floats
    probabilities: Floats
    classes: NDArray[np.intp] | None
    refused: NDArray[np.bool_]

    def cells(self) -> list[list[Any]]:
        """The rows in the values of the user, a list for each column; None is missing."""
        columns = self.scoring.tree.schema.columns
        return [decode_cells(column, self.values[:, i]) for i, column in enumerate(columns)]


def unseen_value(column: Column) -> Any:
    """A value of the same type that is not one of the categories, also as a float; None if there is none.

    >>> unseen_value(Column("grade", Kind.CATEGORY, (1, 2, 3))), unseen_value(Column("id", Kind.CATEGORY, (2**70, 0)))
    (4, 1)
    """
    categories = column.categories
    if not categories or all(isinstance(one, bool) for one in categories):
        return None
    if all(isinstance(one, int | float) for one in categories):
        above = max(categories) + 1  # type: ignore[type-var, operator]
        return above if abs(above) < LARGEST_INTEGER else next(k for k in count() if k not in categories)
    text = UNSEEN_TEXT
    while text in categories:
        text += "."
    return text


def decode_cells(column: Column, values: Floats) -> list[Any]:
    """Encoded values as those of the user; None is missing."""
    if column.kind is Kind.NUMBER:
        return [None if x != x else x for x in values.tolist()]
    other = unseen_value(column)
    return [None if x != x else other if x == -inf else column.categories[int(x)] for x in values.tolist()]


def make_probes(scoring: Scoring, training: Floats | None = None) -> Probes:
    """Make rows that try every decision of a tree, with their predictions; `training` has encoded rows.

    >>> from treewright.model.build import golf_example
    >>> from treewright.export.scoring import scoring
    >>> probes = make_probes(scoring(golf_example(), "fractional"))
    >>> sorted(set(probes.classes.tolist())), bool(np.isnan(probes.values).any())
    ([0, 1], True)
    """
    rows = evenly_spaced(np.array(list(_probe_rows(scoring))), MAX_PROBES)
    if training is not None and len(training):
        rows = np.concatenate([rows, evenly_spaced(training, MAX_TRAINING_ROWS)])
    without_impossible_unseen(scoring.tree.schema.columns, rows)
    return predict_probes(scoring, rows)


def without_impossible_unseen(columns: Sequence[Column], rows: Floats) -> None:
    """Make unseen categories of columns that can have none, such as booleans, missing values."""
    for i, column in enumerate(columns):
        if column.kind is not Kind.NUMBER and unseen_value(column) is None:
            rows[np.isneginf(rows[:, i]), i] = nan


def predict_probes(scoring: Scoring, values: Floats) -> Probes:
    """The predictions of encoded rows, by the functions that `predict` uses."""
    tree, refuses_missing = scoring.tree, STRATEGIES[scoring.missing].goes == REFUSED
    if scoring.unseen == "missing":
        values = np.where(np.isneginf(values), nan, values)
    policy = MissingPolicy(
        "stop" if refuses_missing else scoring.missing, "majority" if scoring.unseen == "majority" else "stop"
    )
    lacks = np.zeros(values.shape, bool)  # cells for which predict raises an error, if a test looks at them
    if refuses_missing:
        lacks |= np.isnan(values)
    if scoring.unseen == "error":
        lacks |= np.isneginf(values)
    visits = visited_nodes(tree, values, policy)
    is_inner = tree.n_children[visits.nodes] > 0
    rows = visits.rows[is_inner]
    refused = np.zeros(len(values), bool)
    refused[rows[lacks[rows, tree.column[visits.nodes[is_inner]]]]] = True
    if scoring.is_regression:
        return Probes(scoring, values, predict_numbers(tree, values, policy)[:, None], None, refused)
    probabilities = predict_probabilities(tree, values, policy)
    return Probes(scoring, values, probabilities, predict_class_codes(tree, values, policy), refused)


def evenly_spaced(rows: Floats, most: int) -> Floats:
    """At most so many of the rows."""
    return rows if len(rows) <= most else rows[np.linspace(0, len(rows) - 1, most).astype(np.intp)]


def _probe_rows(scoring: Scoring) -> Iterator[Floats]:
    """Rows that reach each node, and at each split every value that makes a difference."""
    columns = scoring.tree.schema.columns
    start = tuple((-inf, inf) if column.kind is Kind.NUMBER else range(column.n_categories) for column in columns)
    waiting: list[tuple[int, Floats, tuple[Any, ...]]] = [(0, np.zeros(len(columns)), start)]
    while waiting:
        node, row, known = waiting.pop()
        one = scoring.tests[node]
        if one is None:
            yield row
            continue
        position = one.test.position
        for value in (*_values_to_try(one.test), nan, *(() if one.test.codes is None else (-inf,))):
            yield with_value(row, position, value)
        for surrogate in one.surrogates:
            for value in _values_to_try(surrogate):
                yield with_value(with_value(row, position, nan), surrogate.position, value)
        for branch, child in enumerate(one.children):
            value, left = _take_branch(one.test, branch, known[position])
            narrowed = (*known[:position], left, *known[position + 1 :])
            waiting.append((child, with_value(row, position, value), narrowed))


def with_value(row: Floats, position: int, value: float) -> Floats:
    """A copy of a row with another value in one column."""
    changed = row.copy()
    changed[position] = value
    return changed


def _values_to_try(test: ValueTest) -> list[float]:
    """The threshold and its neighbours, or a first and a last category of each branch."""
    if test.codes is not None:
        return [float(code) for codes in test.codes for code in (*codes[:1], *codes[-1:])]
    cut = test.threshold
    return [0.0] if cut is None else [cut, nextafter(cut, -inf), nextafter(cut, inf)]


def _take_branch(test: ValueTest, branch: int, known: Any) -> tuple[float, Any]:
    """A value that takes the branch, and which values of the column do; NaN if only missing values do.

    known  the values of the column that come to the node: (low, high] of a number, or codes
    """
    if branch not in test.branches:
        return nan, known
    if test.codes is not None:
        codes = [code for code in test.codes[test.branches.index(branch)] if code in known]
        return (float(codes[0]), codes) if codes else (nan, known)
    low, high = known
    if test.threshold is not None and branch == test.branches[0]:
        high = min(high, test.threshold)
    elif test.threshold is not None:
        low = max(low, test.threshold)
    return (number_inside(low, high), (low, high)) if low < high else (nan, known)


def number_inside(low: float, high: float) -> float:
    """A number above `low` and at most `high`."""
    if isfinite(low) and isfinite(high):
        middle = low / 2 + high / 2
        return middle if low < middle <= high else high
    if isfinite(high):
        return min(0.0, high) if high >= 0 else high
    return max(0.0, nextafter(low, inf)) if isfinite(low) else 0.0
