"""The training cases of generalised rules, and which rules cover them.

c4.5rules has no weights: every case counts 1. Here a row of weight 2 is two cases if all weights are whole numbers;
otherwise a row counts its weight divided by the mean weight. Weights are counted in small whole units, so sums do not
depend on the order of the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.fixed_point import weights_in_units
from treewright.data.schema import Schema
from treewright.rules.rule import Condition, matching_rows


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """The training rows that have weight.

    schema          of the table
    columns         float64, one array for each column
    target          the class codes
    units           what each row counts for, in small units, as whole float64 numbers
    units_per_case  how many units are one case
    case_weight     the weight of one case
    """

    schema: Schema
    columns: tuple[NDArray[np.float64], ...]
    target: NDArray[np.int32]
    units: NDArray[np.float64]
    units_per_case: float
    case_weight: float

    @property
    def n_rows(self) -> int:
        return len(self.target)

    @property
    def n_classes(self) -> int:
        return self.schema.target.n_classes

    @property
    def total(self) -> float:
        """The number of cases."""
        return float(self.units.sum()) / self.units_per_case

    @property
    def class_counts(self) -> NDArray[np.float64]:
        """The number of cases of each class."""
        return self.count(self.target, self.n_classes)

    def count(
        self, groups: NDArray[np.integer], n_groups: int, rows: NDArray[np.integer] | None = None
    ) -> NDArray[np.float64]:
        """Count the cases of each group from 0 to n_groups - 1; `rows` are the rows that `groups` belongs to.

        >>> from treewright.data.schema import Target
        >>> data = Dataset(Schema((), Target(classes=("a", "b"))), np.zeros((3, 0)), np.array([0, 1, 1], np.int32))
        >>> training_cases(data).count(np.array([0, 2, 2]), 3).tolist()
        [1.0, 0.0, 2.0]
        """
        return np.bincount(groups, self.units if rows is None else self.units[rows], n_groups) / self.units_per_case


def training_cases(rows: Dataset) -> Cases:
    """Count the rows of a dataset as cases; rows without weight are left out.

    >>> from treewright.data.schema import Target
    >>> schema = Schema((), Target(classes=("a", "b")))
    >>> data = Dataset(schema, np.zeros((3, 0)), np.array([0, 1, 1], np.int32), np.array([0.5, 0.0, 1.5]))
    >>> training_cases(data).class_counts.tolist()
    [0.5, 1.5]
    """
    weight, used = rows.weight, rows
    if weight is not None and not weight.all():
        used = rows.take(np.flatnonzero(weight))
    found = weights_in_units(used.weight)
    units = np.ones(used.n_rows) if found.whole is None else found.whole.astype(np.float64)
    units_per_case = 1.0 if rows.is_counted else float(units.sum()) / used.n_rows
    columns = tuple(np.ascontiguousarray(column) for column in used.values.T)
    # Not the mean of the weights: that would depend on the order in which they are added up.
    case_weight = units_per_case * found.unit
    target = used.target.astype(np.int32, copy=False)
    return Cases(rows.schema, columns, target, units, units_per_case, case_weight)


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """Pairs of a rule and a row that satisfies it, sorted by rule and then by row.

    start  n_rules + 1 offsets: rule i covers row[start[i]:start[i + 1]]
    row    int32, the row of each pair
    """

    start: NDArray[np.int64]
    row: NDArray[np.int32]

    @property
    def rule(self) -> NDArray[np.int64]:
        """The rule of each pair."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def rows_of(self, rule: int) -> NDArray[np.int32]:
        """The rows that satisfy a rule."""
        return self.row[self.start[rule] : self.start[rule + 1]]


def cover_cases(rules: Sequence[Sequence[Condition]], cases: Cases) -> Cover:
    """Find the cases that satisfy all conditions of each rule."""
    return _cover([matching_rows(conditions, cases.columns) for conditions in rules])


def without_coverage(cover: Cover, rules: NDArray[np.bool_]) -> Cover:
    """Return the cover in which no row satisfies these rules."""
    kept = ~rules[cover.rule]
    length = np.where(rules, 0, np.diff(cover.start))
    return Cover(np.concatenate([[0], np.cumsum(length)]), cover.row[kept])


def select_rules(cover: Cover, rules: NDArray[np.intp]) -> Cover:
    """Return the cover of these rules alone, in this order."""
    return _cover([cover.rows_of(int(rule)) for rule in rules])


def _cover(rows: list[NDArray[np.int32]]) -> Cover:
    start = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(found) for found in rows], out=start[1:])
    return Cover(start, np.concatenate([*rows, np.zeros(0, np.int32)]).astype(np.int32, copy=False))
