"""Columns that alone predict the target nearly perfectly: they may be known only after the target.

In: encoded columns and the target. Out: a `Leak` for each such column. A column predicts by the most frequent class, or
the mean, of the other rows with the same value, and a numeric column also by a few intervals; so a column whose values
are nearly all different is not a leak by chance. No result depends on the order of the rows or on sample weights.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind
from treewright.evaluate.table_checks import row_hashes

MIN_ROWS, MIN_OTHERS = 30, 10
"""Leaks are looked for in tables of so many rows, of which so many are not of the most frequent class."""

MAX_ERROR, MAX_REMAINING = 0.01, 0.1
"""The error rate of a leak: at most so much, and at most this fraction of the error rate of the most frequent class."""

MIN_R2 = 0.999
"""R² of a leak."""

ROWS_PER_VALUE = 10
"""Predicting by the exact value, or by an interval, needs so many rows for each, on average."""

MAX_INTERVALS = 64
"""Intervals of a numeric column that predict a numeric target."""

MAX_ROWS = 50_000
"""A larger table is represented by so many rows, chosen by their values."""


@dataclass(frozen=True, slots=True, eq=False)
class TargetValues:
    """A target without missing values.

    values     int64 class codes, or float64 numbers
    n_classes  None for regression
    """

    values: NDArray[np.int64] | NDArray[np.float64]
    n_classes: int | None


@dataclass(frozen=True, slots=True)
class Leak:
    """A column that predicts the target.

    score    its accuracy, or R² for regression
    is_copy  whether its values are those of the target, or other names of the classes
    """

    column: str
    score: float
    is_copy: bool


def find_leaks(columns: Iterable[Column], values: NDArray[np.float64], target: TargetValues) -> Iterator[Leak]:
    """Yield the columns that alone predict the target.

    >>> x = np.arange(40) % 2
    >>> values = np.column_stack([1.0 - x, np.arange(40) % 3])
    >>> columns = [Column("shipped", Kind.NUMBER), Column("size", Kind.NUMBER)]
    >>> list(find_leaks(columns, values, TargetValues(x, 2)))
    [Leak(column='shipped', score=1.0, is_copy=True)]
    """
    y, n_classes = target.values, target.n_classes
    if len(y) < MIN_ROWS:
        return
    others = MIN_OTHERS if n_classes is None else len(y) - np.bincount(y.astype(np.int64)).max()
    if others < MIN_OTHERS:
        return
    limit = min(MAX_ERROR, MAX_REMAINING * others / len(y))
    if len(y) > MAX_ROWS:
        hashes = row_hashes([*values.T, y.astype(np.float64)])
        chosen = hashes <= np.partition(hashes, MAX_ROWS)[MAX_ROWS]
        values, y = values[chosen], y[chosen]
    for column, cells in zip(columns, values.T, strict=True):
        is_number = column.kind is Kind.NUMBER
        if n_classes is None:
            score = _r2_by_column(cells, y, is_number)
            if score >= MIN_R2:
                yield Leak(column.name, score, is_number and np.array_equal(cells, y))
        else:
            error = _error_by_column(cells, y.astype(np.int64), n_classes, is_number)
            if error <= limit:
                yield Leak(column.name, 1 - error, _renames_classes(cells, y, n_classes))


def _error_by_column(
    cells: NDArray[np.float64], codes: NDArray[np.int64], n_classes: int, is_number: bool
) -> float:
    """Return the error rate of the best prediction of the class by the column alone."""
    missing = np.isnan(cells)
    errors = [_error_by_value(cells, codes, n_classes)]
    if missing.any():
        errors.append(_error_by_value(missing.astype(np.float64), codes, n_classes))
    known = ~missing
    enough = 2 * known.sum() > len(cells) >= ROWS_PER_VALUE * 2 * n_classes
    if is_number and enough and _may_have_few_intervals(cells[known], codes[known], n_classes):
        errors.append(_error_by_intervals(cells, codes, n_classes))
    return min(errors)


def _error_by_value(cells: NDArray[np.float64], codes: NDArray[np.int64], n_classes: int) -> float:
    """Return the error rate of predicting the most frequent class of the other rows with the same value."""
    groups, n_groups = _groups(cells)
    if n_groups * ROWS_PER_VALUE > len(cells):
        return 1.0
    table = np.bincount(groups * n_classes + codes, minlength=n_groups * n_classes).reshape(n_groups, n_classes)
    second, most = np.partition(table, -2, axis=1)[:, -2:].T
    return 1 - float(most[most - 1 > second].sum()) / len(cells)


def _error_by_intervals(cells: NDArray[np.float64], codes: NDArray[np.int64], n_classes: int) -> float:
    """Return the error rate of a tree of at most two intervals for each class; a missing value is an error."""
    from treewright.estimators import CARTClassifier

    known = ~np.isnan(cells)
    x, y = cells[known, None], codes[known]
    model = CARTClassifier(max_leaf_nodes=2 * n_classes, pruning=None).fit(x, y)
    return 1 - float(np.count_nonzero(model.predict(x) == y)) / len(cells)


def _may_have_few_intervals(cells: NDArray[np.float64], codes: NDArray[np.int64], n_classes: int) -> bool:
    """Return False if no such tree can be a leak: each error adds at most two changes of class to the sorted rows."""
    changes = np.count_nonzero(np.diff(codes[np.argsort(cells, kind="stable")]))
    return bool(changes <= 2 * MAX_ERROR * len(cells) + 2 * n_classes)


def _renames_classes(cells: NDArray[np.float64], y: NDArray[np.int64] | NDArray[np.float64], n_classes: int) -> bool:
    """Return whether each value of the column belongs to one class, and each class to one value."""
    groups, n_groups = _groups(cells)
    n_pairs = len(np.unique(groups * n_classes + y.astype(np.int64)))
    return n_groups == n_classes == n_pairs and not np.isnan(cells).any()


def _groups(cells: NDArray[np.float64]) -> tuple[NDArray[np.int64], int]:
    """Return the number of the distinct value of each row, and how many there are; missing values are one."""
    values, groups = np.unique(cells, return_inverse=True)
    return groups.astype(np.int64), len(values)


def _r2_by_column(cells: NDArray[np.float64], y: NDArray[np.float64] | NDArray[np.int64], is_number: bool) -> float:
    """Return R² of the best prediction of a number by the column alone."""
    total = float(((y - y.mean()) ** 2).sum())
    groups, n_groups = _groups(cells)
    if total == 0 or n_groups < 2:
        return 0.0
    best = 0.0
    if n_groups * ROWS_PER_VALUE <= len(y):
        best = 1 - _squared_error_by_value(groups, y) / total
    if not is_number or np.isnan(cells).any():
        return best
    best = max(best, float(np.corrcoef(cells, y)[0, 1]) ** 2)
    n_intervals = min(MAX_INTERVALS, len(y) // ROWS_PER_VALUE)
    # Within an interval, squared steps between neighbours are at most four times the squared residuals.
    steps = np.sort(np.diff(y[np.argsort(cells, kind="stable")]) ** 2)[: -(n_intervals - 1)]
    if best >= MIN_R2 or steps.sum() > 4 * (1 - MIN_R2) * total:
        return best
    from treewright.estimators import CARTRegressor

    model = CARTRegressor(max_leaf_nodes=n_intervals, pruning=None).fit(cells[:, None], y)
    return max(best, 1 - float(((model.predict(cells[:, None]) - y) ** 2).sum()) / total)


def _squared_error_by_value(
    groups: NDArray[np.int64], y: NDArray[np.float64] | NDArray[np.int64]
) -> float:
    """Return the squared error of predicting the mean of the other rows with the same value."""
    counts = np.bincount(groups)
    residuals = y - (np.bincount(groups, y) / counts)[groups]
    n = counts[groups]
    left_out = np.where(n > 1, residuals * n / np.maximum(n - 1, 1), y - y.mean())
    return float((left_out**2).sum())
