"""Change: the nearest change of one value that alters the answer.

In: a tree, a row in its codes and the rule it is answered by. Out: for each column the nearest value that, put in the
place of the row's own, gives another answer; nearest first. Only values at which the tree turns are tried: just across
its thresholds, and the categories it knows. All of them are sent down the tree together.

The distance of a change is a share of what a column can change by:
  number    |new - now| / spread, the spread being highest less lowest value in training; where the training rows are
            not at hand, highest less lowest of the tree's thresholds and the row's own value
  ordered   steps between the two categories / steps from the first to the last
  category  1, whichever category it is
  missing   1, whatever it becomes
On a tie the lower value, the category that stands first in its column, and the column that stands first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.explain.before import CLOSE, answer_of
from treewright.explain.free import answers_on
from treewright.explain.steps import Cell
from treewright.explain.stretch import Stretches, stretches
from treewright.model.strategies import SHARES, STRATEGIES
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers
from treewright.predict.rule import Rule, missing_rule

CELLS = 2**22
"""About how many cells of changed rows are made at a time."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that alone would alter the answer.

    column    the place of the column in the table
    name      its name
    words     what would have to hold: "humidity <= 75 (now 80)"
    now       what the row has; None where it is missing
    value     the nearest value that does it
    answer    what the tree says then
    shares    of the classes then; None for regression
    distance  how far it is, see above
    """

    column: int
    name: str
    words: str
    now: Any
    value: Any
    answer: Any
    shares: Mapping[Any, float] | None
    distance: float


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """The stretches of a column, and the nearest one that alters the answer."""

    position: int
    found: Stretches
    answers: NDArray[Any]
    at: int


def nearest_changes(
    tree: Tree, values: NDArray[np.float64], row: Sequence[Cell], rule: Rule, spread: NDArray[np.float64] | None, n: int
) -> list[Change]:
    """The n nearest changes of one value that alter the answer, no two of the same column.

    values  the row as a table of one row, in codes; `row` has the same in the user's words
    spread  of each column in training, None where that is not at hand

    >>> from treewright.explain.steps import read_cells
    >>> from treewright.model.build import golf_example
    >>> tree, values = golf_example(), np.array([[0, 80.0, 1]])
    >>> cells = read_cells(tree.schema.columns, values[0], {})
    >>> [(c.words, c.answer) for c in nearest_changes(tree, values, cells, Rule(), None, 1)]
    [('outlook = overcast (now sunny)', 'Play')]
    """
    if n == 0 or tree.n_nodes == 1:
        return []
    stand_ins = STRATEGIES[missing_rule(tree, rule)].surrogates
    own = _answers(tree, values, rule)[0]
    turns: list[_Turn] = []
    for position in range(tree.schema.n_columns):
        width = None if spread is None else float(spread[position])
        found = stretches(tree, position, float(values[0, position]), width, stand_ins)
        if found is None:
            continue
        answers = _on_stretches(tree, values, position, found, rule)
        distance = np.where(_same(answers, own) | np.isnan(found.distance), np.inf, found.distance)
        at = int(np.argmin(distance))
        if distance[at] < np.inf:
            turns.append(_Turn(position, found, answers, at))
    turns.sort(key=lambda turn: (turn.found.distance[turn.at], turn.position))
    return [_change(tree, values, row, rule, turn) for turn in turns[:n]]


def _on_stretches(
    tree: Tree, values: NDArray[np.float64], position: int, found: Stretches, rule: Rule
) -> NDArray[Any]:
    """The answer on each stretch of a column."""
    others = np.unique(tree.column[tree.column >= 0])
    others = others[others != position]
    if STRATEGIES[missing_rule(tree, rule)].goes != SHARES and not np.all(values[0, others] > -np.inf):
        # What another column lacks may be decided by this one, or end the way: every value is tried.
        return _tried(tree, values, position, found.nearest, rule)
    quick = answers_on(tree, values, position, found, rule.unseen)
    answers, doubtful = quick.answers, np.flatnonzero(~quick.certain)
    if len(doubtful):
        answers[doubtful] = _tried(tree, values, position, found.nearest[doubtful], rule)
    return answers


def _tried(
    tree: Tree, values: NDArray[np.float64], position: int, tried: NDArray[np.float64], rule: Rule
) -> NDArray[Any]:
    """The answers to the row with each of these values in one of its columns."""
    n_together = max(1, CELLS // values.shape[1])
    found = []
    for start in range(0, len(tried), n_together):
        part = tried[start : start + n_together]
        rows = np.repeat(values, len(part), axis=0)
        rows[:, position] = np.where(np.isfinite(part), part, values[0, position])
        found.append(_answers(tree, rows, rule))
    return np.concatenate(found)


def _answers(tree: Tree, values: NDArray[np.float64], rule: Rule) -> NDArray[Any]:
    answer = numbers if tree.schema.target.is_number else class_codes
    return answer(tree, values, rule)


def _same(answers: NDArray[Any], one: Any) -> NDArray[np.bool_]:
    """Which answers are the same: classes, or numbers but for rounding."""
    if answers.dtype.kind != "f":
        return answers == one
    return np.abs(answers - one) <= CLOSE * np.maximum(np.abs(answers), abs(one))


def _change(
    tree: Tree, values: NDArray[np.float64], row: Sequence[Cell], rule: Rule, turn: _Turn
) -> Change:
    found, at, position = turn.found, turn.at, turn.position
    alike = _same(turn.answers, turn.answers[at]) & ~np.isnan(found.distance)
    changed = values.copy()
    changed[0, position] = found.nearest[at]
    answer, by_class = answer_of(tree, changed, rule)
    return Change(
        column=position,
        name=found.column.name,
        words=f"{found.words(alike, at)} (now {row[position].words()})",
        now=row[position].value,
        value=found.value(at),
        answer=answer,
        shares=by_class,
        distance=float(found.distance[at]),
    )
