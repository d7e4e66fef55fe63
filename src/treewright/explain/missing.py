"""Missing: what missing values and unseen categories do to the answers of a tree.

In: a tree, encoded rows and the rule they are answered by. Out: a `MissingReport`: for each column how often it is
missing, how many answers depend on that, and how many would be others under another strategy; and where in the
tree the holes are met.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import Unseen
from treewright.errors import one_of
from treewright.explain.page import TABLES, as_frame, as_html, as_text
from treewright.model.strategies import ANYWHERE, REFUSED, STRATEGIES
from treewright.model.tree import Tree
from treewright.model.way import ways
from treewright.predict.answers import class_codes, numbers
from treewright.predict.route import visited
from treewright.predict.rule import Rule

CELLS = 2**22
"""About how many (row, node) or (row, column) pairs are looked at together: some 50 megabytes, well below a second."""

CLOSE = 1e-9
"""Two numbers are the same answer when they differ by no more than this share of the larger one."""


@dataclass(frozen=True, slots=True)
class ColumnHoles:
    """One column of a report.

    name       the column
    n_missing  rows in which it is missing
    share      the same as a share of all rows
    n_unseen   rows with a category that training never showed
    n_met      rows whose way through the tree comes to a question about this column that they cannot answer
    n_changed  how many of these would get another answer, by strategy
    """

    name: str
    n_missing: int
    share: float
    n_unseen: int
    n_met: int
    n_changed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class NodeHoles:
    """One node of a report: its number, the way to it in words, the column it asks for, and the rows without it."""

    node: int
    words: str
    column: str
    n_rows: int


@dataclass(frozen=True, slots=True)
class MissingReport:
    """What missing values and unseen categories do to the answers of a tree; print it, or read its fields.

    n_rows     rows in the table
    missing    the strategy the answers follow
    unseen     what is done with unseen categories: missing, majority, stop or error
    columns    a `ColumnHoles` for each column, in the order of the table
    nodes      a `NodeHoles` for each node where a row lacks what is asked, most rows first
    n_met      rows whose answer depends on something missing or unseen
    n_changed  how many of these would get another answer, by strategy
    """

    n_rows: int
    missing: str
    unseen: str
    columns: tuple[ColumnHoles, ...]
    nodes: tuple[NodeHoles, ...]
    n_met: int
    n_changed: Mapping[str, int]

    def to_frame(self, table: str = "columns") -> Any:
        """The report as a data frame of pandas, or of polars where pandas is not installed.

        table  "columns": a row for each column; "nodes": a row for each node where something is missing
        """
        return as_frame(self, one_of("table", table, TABLES))

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def missing_report(
    tree: Tree,
    values: NDArray[np.float64],
    rule: Rule,
    unseen: Sequence[Unseen] = (),
    unseen_category: str = "missing",
) -> MissingReport:
    """What the holes in these rows do to the answers of the tree.

    values           encoded as for prediction: NaN is missing, minus infinity a category that was never seen
    unseen           the categories that training never showed, as the encoder found them
    unseen_category  what was made of them

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, np.nan, 1], [0, 70.0, 1], [1, np.nan, 0]])
    >>> report = missing_report(golf_example(), rows, Rule("fractional"))
    >>> report.columns[1].n_missing, report.columns[1].n_met
    (2, 1)
    """
    own = tree.missing if rule.missing is None else rule.missing
    others = [Rule(name, rule.unseen) for name in _strategies(tree) if name != own]
    tally = _Tally(tree, [rule, *others])
    rows = np.flatnonzero(_with_holes(tree, values))
    n_together = max(1, CELLS // max(tree.n_nodes, tree.schema.n_columns))
    for start in range(0, len(rows), n_together):
        tally.add(values[rows[start : start + n_together]])
    names = [str(other.missing) for other in others]
    n_unseen = dict.fromkeys(tree.schema.names, 0)
    for one in unseen:
        n_unseen[one.column] += one.n_rows
    columns = []
    for i, name in enumerate(tree.schema.names):
        n_missing = int(np.count_nonzero(np.isnan(values[:, i])))
        if unseen_category == "missing":  # these cells are NaN too
            n_missing -= n_unseen[name]
        changed = dict(zip(names, tally.changed[:, i].tolist(), strict=True))
        share = n_missing / max(1, len(values))
        columns.append(ColumnHoles(name, n_missing, share, n_unseen[name], int(tally.met[i]), changed))
    everywhere = dict(zip(names, tally.changed[:, -1].tolist(), strict=True))
    return MissingReport(
        len(values), own, unseen_category, tuple(columns), _places(tree, tally.at_node), int(tally.met[-1]), everywhere
    )


class _Tally:
    """Counts of rows, added up over parts of a table.

    met      rows that meet a hole in each column; the last entry: in any
    changed  how many of these have another answer under each other rule; (n_rules - 1, n_columns + 1)
    at_node  rows that meet a hole at each node
    """

    def __init__(self, tree: Tree, rules: Sequence[Rule]) -> None:
        self.tree, self.rules = tree, rules
        n_columns = tree.schema.n_columns
        self.met = np.zeros(n_columns + 1, dtype=np.int64)
        self.changed = np.zeros((len(rules) - 1, n_columns + 1), dtype=np.int64)
        self.at_node = np.zeros(tree.n_nodes, dtype=np.int64)

    def add(self, values: NDArray[np.float64]) -> None:
        met = self._meetings(values)
        self.met += met.sum(axis=0)
        own, *others = (self._answers(values, rule) for rule in self.rules)
        for i, other in enumerate(others):
            self.changed[i] += met[_differ(own, other)].sum(axis=0)

    def _meetings(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which rows meet a hole in each column, and in any; every row is on its way with all its shares."""
        met_nodes = visited(self.tree, values, self.rules[0])
        rows, nodes = met_nodes.rows, met_nodes.nodes
        asks = self.tree.column[nodes] >= 0
        rows, nodes = rows[asks], nodes[asks]
        column = self.tree.column[nodes]
        hole = _is_hole(values[rows, column])
        self.at_node += np.bincount(nodes[hole], minlength=self.tree.n_nodes)
        met = np.zeros((len(values), self.tree.schema.n_columns + 1), dtype=bool)
        met[rows[hole], column[hole]] = True
        met[rows[hole], -1] = True
        return met

    def _answers(self, values: NDArray[np.float64], rule: Rule) -> NDArray[Any]:
        answer = numbers if self.tree.schema.target.is_number else class_codes
        return answer(self.tree, values, rule)


def _differ(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Where two answers differ: classes, or numbers by more than rounding."""
    if one.dtype.kind != "f":
        return one != other
    return np.abs(one - other) > CLOSE * np.maximum(np.abs(one), np.abs(other))


def _strategies(tree: Tree) -> list[str]:
    """The strategies that this tree can answer by."""
    grown = {tree.missing} | ({"surrogate"} if tree.surrogates is not None else set())
    others = [name for name in ANYWHERE if STRATEGIES[name].goes != REFUSED]
    return [*sorted(name for name in grown if STRATEGIES[name].needs_growth), *others]


def _is_hole(cells: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Missing or unseen: NaN is not above minus infinity, and neither is minus infinity."""
    return ~(cells > -np.inf)


def _with_holes(tree: Tree, values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The rows with a hole in a column that the tree asks for; no other row can meet one."""
    found = np.zeros(len(values), dtype=bool)
    for column in np.unique(tree.column[tree.column >= 0]):
        found |= _is_hole(values[:, column])
    return found


def _places(tree: Tree, at_node: NDArray[np.int64]) -> tuple[NodeHoles, ...]:
    """The nodes where holes are met, most rows first, then by number."""
    nodes = np.flatnonzero(at_node)
    nodes = nodes[np.argsort(-at_node[nodes], kind="stable")]
    names, words = tree.schema.names, ways(tree, nodes)
    found = zip(nodes.tolist(), words, strict=True)
    return tuple(NodeHoles(i, where, names[tree.column[i]], int(at_node[i])) for i, where in found)
