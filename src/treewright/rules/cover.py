"""Cover: which training cases satisfy which rules.

In: rules and the training cases. Out: the rows of each rule, one after the other, and the rules of each row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.rules.cases import Cases
from treewright.rules.condition import Condition


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """Pairs of a rule and a row that satisfies it, by rule and then by row.

    start  n_rules + 1 offsets: rule i covers row[start[i]:start[i + 1]]
    """

    start: NDArray[np.int64]
    row: NDArray[np.int32]

    @property
    def rule(self) -> NDArray[np.int64]:
        """The rule of each pair."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def of(self, rule: int) -> NDArray[np.int32]:
        """The rows that satisfy a rule."""
        return self.row[self.start[rule] : self.start[rule + 1]]


def cover_of(rules: Sequence[Sequence[Condition]], cases: Cases) -> Cover:
    """The cases that satisfy all conditions of each rule."""
    rows = [matching(conditions, cases.columns) for conditions in rules]
    start = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(found) for found in rows], out=start[1:])
    return Cover(start, np.concatenate([*rows, np.zeros(0, np.int32)]).astype(np.int32, copy=False))


def matching(
    conditions: Sequence[Condition],
    columns: Sequence[NDArray[np.float64]],
    rows: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """The rows, of those given or of all, that satisfy all conditions; each is asked only of those left before it.

    >>> from treewright.data.schema import Column, Kind
    >>> ages = np.array([1.0, 4.0, np.nan, 9.0])
    >>> matching([Condition(Column("age", Kind.NUMBER), 0, low=3)], [ages]).tolist()
    [1, 3]
    """
    for condition in conditions:
        cells = columns[condition.position]
        if rows is None:
            rows = np.flatnonzero(condition.holds(cells)).astype(np.int32)
        else:
            rows = rows[condition.holds(cells[rows])]
    return np.arange(len(columns[0]), dtype=np.int32) if rows is None else rows


def nothing_covered(cover: Cover, rules: NDArray[np.bool_]) -> Cover:
    """The cover in which these rules are satisfied by no row."""
    kept = ~rules[cover.rule]
    length = np.where(rules, 0, np.diff(cover.start))
    return Cover(np.concatenate([[0], np.cumsum(length)]), cover.row[kept])


def some_rules(cover: Cover, rules: NDArray[np.intp]) -> Cover:
    """The cover of these rules alone, in this order."""
    rows = [cover.of(int(rule)) for rule in rules]
    length = [len(found) for found in rows]
    return Cover(np.concatenate([[0], np.cumsum(length)]).astype(np.int64), np.concatenate([*rows, cover.row[:0]]))
