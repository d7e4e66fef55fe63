"""The missing-value report: how missing values and unseen categories affect the predictions of a tree.

What comes in: a tree, encoded rows and a missing-value policy. What goes out: a `MissingReport`: for each column how
often it is missing, how many predictions depend on that, and how many would differ under another strategy; and the
nodes of the tree where values are missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import Unseen
from treewright.deprecation import DeprecatedAlias
from treewright.errors import one_of
from treewright.language import Messages, messages
from treewright.model.formatting import printable
from treewright.model.strategies import REFUSED, STRATEGIES, UNIVERSAL_STRATEGIES
from treewright.model.tree import Tree
from treewright.model.tree_text import path_texts
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_numbers, visited_nodes
from treewright.text_table import Grid, element, new_frame

CELLS = 2**22
"""About how many (row, node) or (row, column) pairs are processed together: some 50 megabytes."""

CLOSE = 1e-9
"""Two numbers are the same prediction if they differ by at most this fraction of the larger one."""

TABLES = ("columns", "nodes")
N_COLUMNS, N_NODES = 20, 10
"""Columns and nodes that the text lists, those with most rows."""


@dataclass(frozen=True, slots=True)
class ColumnMissing:
    """One column of a report.

    name        the column
    n_missing   rows in which it is missing
    proportion  of all rows
    n_unseen    rows with a category that the training data do not have
    n_met       rows whose path tests this column where their value is missing or unseen
    n_changed   how many of these would get another prediction, by strategy
    """

    name: str
    n_missing: int
    proportion: float
    n_unseen: int
    n_met: int
    n_changed: Mapping[str, int]

    share = DeprecatedAlias("proportion")


@dataclass(frozen=True, slots=True)
class NodeMissing:
    """One node of a report: its number, the path to it, the column it splits on, and the rows without a value."""

    node: int
    words: str
    column: str
    n_rows: int


@dataclass(frozen=True, slots=True)
class MissingReport:
    """How missing values and unseen categories affect the predictions of a tree; print it, or read its attributes.

    Attributes
    ----------
    n_rows : int
        Rows in the table.
    missing : str
        Strategy for missing values.
    unseen : str
        What is done with unseen categories: "missing", "majority", "stop" or "error".
    columns : tuple of ColumnMissing
        In the order of the table.
    nodes : tuple of NodeMissing
        The nodes where a row has no value to test, most rows first.
    n_met : int
        Rows whose prediction depends on a missing value or an unseen category.
    n_changed : mapping
        How many of these would get another prediction, by strategy.
    language : str
        Language of the text: "en" or "zh".

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> X, y = [["sunny", 85], ["sunny", 90], ["rain", 70], ["rain", 75]], ["stay", "stay", "play", "play"]
    >>> report = C45Classifier(min_samples_leaf=1).fit(X, y).missing_report([[None, 80], ["rain", None]])
    >>> [(column.name, column.n_missing, column.n_met) for column in report.columns]
    [('x0', 1, 1), ('x1', 1, 0)]
    >>> report.n_met
    1
    """

    n_rows: int
    missing: str
    unseen: str
    columns: tuple[ColumnMissing, ...]
    nodes: tuple[NodeMissing, ...]
    n_met: int
    n_changed: Mapping[str, int]
    language: str = "en"

    def to_frame(self, table: str = "columns") -> Any:
        """Return a pandas data frame, or a polars one if pandas is not installed.

        Parameters
        ----------
        table : {"columns", "nodes"}, default="columns"
            A row for each column, or for each node where values are missing.
        """
        return as_frame(self, one_of("table", table, TABLES))

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def missing_report(
    tree: Tree,
    values: NDArray[np.float64],
    policy: MissingPolicy,
    unseen: Sequence[Unseen] = (),
    unseen_category: str = "missing",
    language: str = "en",
) -> MissingReport:
    """Report how missing values in these rows affect the predictions of the tree.

    values           encoded as for prediction: NaN is missing, minus infinity an unseen category
    unseen           the unseen categories, as the encoder found them
    unseen_category  what is done with them
    language         of the text: "en" or "zh"

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, np.nan, 1], [0, 70.0, 1], [1, np.nan, 0]])
    >>> report = missing_report(golf_example(), rows, MissingPolicy("fractional"))
    >>> report.columns[1].n_missing, report.columns[1].n_met
    (2, 1)
    """
    own = tree.missing if policy.missing is None else policy.missing
    messages(language)
    others = [MissingPolicy(name, policy.unseen) for name in _strategies(tree) if name != own]
    tally = _Tally(tree, [policy, *others])
    rows = np.flatnonzero(_has_missing(tree, values))
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
        proportion = n_missing / max(1, len(values))
        columns.append(ColumnMissing(name, n_missing, proportion, n_unseen[name], int(tally.met[i]), changed))
    everywhere = dict(zip(names, tally.changed[:, -1].tolist(), strict=True))
    return MissingReport(
        n_rows=len(values),
        missing=own,
        unseen=unseen_category,
        columns=tuple(columns),
        nodes=_node_counts(tree, tally.at_node, language),
        n_met=int(tally.met[-1]),
        n_changed=everywhere,
        language=language,
    )


class _Tally:
    """Counts of rows, summed over parts of a table.

    met      rows that need a missing value of each column; the last entry: of any
    changed  (n_policies - 1, n_columns + 1): how many of these have another prediction under each other policy
    at_node  rows that need a missing value at each node
    """

    def __init__(self, tree: Tree, policies: Sequence[MissingPolicy]) -> None:
        self.tree, self.policies = tree, policies
        n_columns = tree.schema.n_columns
        self.met = np.zeros(n_columns + 1, dtype=np.int64)
        self.changed = np.zeros((len(policies) - 1, n_columns + 1), dtype=np.int64)
        self.at_node = np.zeros(tree.n_nodes, dtype=np.int64)

    def add(self, values: NDArray[np.float64]) -> None:
        met = self._needed(values)
        self.met += met.sum(axis=0)
        own, *others = (self._predict(values, policy) for policy in self.policies)
        for i, other in enumerate(others):
            self.changed[i] += met[_differ(own, other)].sum(axis=0)

    def _needed(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which rows need a missing value of each column, and of any, with all their fractions."""
        visits = visited_nodes(self.tree, values, self.policies[0])
        rows, nodes = visits.rows, visits.nodes
        splits = self.tree.column[nodes] >= 0
        rows, nodes = rows[splits], nodes[splits]
        column = self.tree.column[nodes]
        missing = _is_missing(values[rows, column])
        self.at_node += np.bincount(nodes[missing], minlength=self.tree.n_nodes)
        met = np.zeros((len(values), self.tree.schema.n_columns + 1), dtype=bool)
        met[rows[missing], column[missing]] = True
        met[rows[missing], -1] = True
        return met

    def _predict(self, values: NDArray[np.float64], policy: MissingPolicy) -> NDArray[Any]:
        predict = predict_numbers if self.tree.schema.target.is_number else predict_class_codes
        return predict(self.tree, values, policy)


def _differ(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where two predictions differ: classes, or numbers by more than rounding."""
    if one.dtype.kind != "f":
        return one != other
    return np.abs(one - other) > CLOSE * np.maximum(np.abs(one), np.abs(other))


def _strategies(tree: Tree) -> list[str]:
    """Return the strategies that this tree can predict by."""
    grown = {tree.missing} | ({"surrogate"} if tree.surrogates is not None else set())
    others = [name for name in UNIVERSAL_STRATEGIES if STRATEGIES[name].goes != REFUSED]
    return [*sorted(name for name in grown if STRATEGIES[name].needs_growth), *others]


def _is_missing(cells: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which cells are missing or unseen: neither NaN nor minus infinity is above minus infinity."""
    return ~(cells > -np.inf)


def _has_missing(tree: Tree, values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the rows with a missing value in a column that the tree tests."""
    found = np.zeros(len(values), dtype=bool)
    for column in np.unique(tree.column[tree.column >= 0]):
        found |= _is_missing(values[:, column])
    return found


def _node_counts(tree: Tree, at_node: NDArray[np.int64], language: str) -> tuple[NodeMissing, ...]:
    """Return the nodes where values are missing, most rows first, then by number."""
    nodes = np.flatnonzero(at_node)
    nodes = nodes[np.argsort(-at_node[nodes], kind="stable")]
    names, words = tree.schema.names, path_texts(tree, nodes, language)
    found = zip(nodes.tolist(), words, strict=True)
    return tuple(NodeMissing(i, where, names[tree.column[i]], int(at_node[i])) for i, where in found)


def as_text(report: MissingReport) -> str:
    """Return the report as text."""
    parts = [_opening(report)]
    for grid in _grids(report):
        parts += ["", *grid.lines()]
    return "\n".join(parts)


def as_html(report: MissingReport) -> str:
    """Return the report as HTML for a notebook."""
    parts = [element("p", _opening(report))]
    parts += [grid.html() for grid in _grids(report)]
    return "<div>" + "".join(parts) + "</div>"


def as_frame(report: MissingReport, table: str) -> Any:
    """Return one of the tables as a data frame."""
    if table == "nodes":
        names = ("node", "words", "column", "n_rows")
        return new_frame({name: [getattr(one, name) for one in report.nodes] for name in names})
    cells: dict[str, list[Any]] = {
        "column": [one.name for one in report.columns],
        "n_missing": [one.n_missing for one in report.columns],
        "share": [one.proportion for one in report.columns],
        "n_unseen": [one.n_unseen for one in report.columns],
        "n_met": [one.n_met for one in report.columns],
    }
    for strategy in report.n_changed:
        cells[f"changed_{strategy}"] = [one.n_changed[strategy] for one in report.columns]
    return new_frame(cells)


def _opening(report: MissingReport) -> str:
    _ = messages(report.language)
    rows = _.plural("{n} row", "{n} rows", report.n_rows)
    if not any(one.n_missing or one.n_unseen for one in report.columns):
        return _("{rows}, no missing value and no unseen category.", rows=rows)
    return _(
        "{rows}; missing values: {strategy}; unseen categories {handling}.",
        rows=rows,
        strategy=_strategy_name(report.missing, _),
        handling=_unseen_handling(report.unseen, _),
    )


def _strategy_name(name: str, _: Messages) -> str:
    """Return the name of a missing-value strategy; in English it is the value of the parameter."""
    return {
        "fractional": _.context("strategy", "fractional"),
        "surrogate": _.context("strategy", "surrogate"),
        "learned": _.context("strategy", "learned"),
        "branch": _.context("strategy", "branch"),
        "majority": _.context("strategy", "majority"),
        "stop": _.context("strategy", "stop"),
        "error": _.context("strategy", "error"),
    }.get(name, name)


def _unseen_handling(name: str, _: Messages) -> str:
    return {
        "missing": _("count as missing"),
        "majority": _("follow the heaviest branch"),
        "stop": _("stop at the node that tests them"),
        "error": _("raise an error"),
    }[name]


def _grids(report: MissingReport) -> list[Grid]:
    """Return the tables of columns and of nodes; one without rows is left out."""
    return [grid for grid in (_columns_table(report), _nodes_table(report)) if grid.rows]


def _columns_table(report: MissingReport) -> Grid:
    _ = messages(report.language)
    strategies = [_strategy_name(name, _) for name in report.n_changed]
    incomplete = [one for one in report.columns if one.n_missing or one.n_unseen]
    # A stable sort of indices, so that columns stay in the order of the table.
    shown = sorted(sorted(range(len(incomplete)), key=lambda i: -incomplete[i].n_met)[:N_COLUMNS])
    rows = []
    for one in (incomplete[i] for i in shown):
        cells = [str(one.n_missing), f"{one.proportion:.1%}", str(one.n_unseen), str(one.n_met)]
        rows.append([printable(one.name), *cells, *map(str, one.n_changed.values())])
    if len(rows) > 1:
        rows.append([_("any"), "", "", "", str(report.n_met), *map(str, report.n_changed.values())])
    below = []
    n_more = len(incomplete) - len(shown)
    if n_more:
        below.append(
            _.plural(
                "… {n} more column with fewer rows affected",
                "… {n} more columns with fewer rows affected",
                n_more,
            )
        )
    below.append(_("affected: rows with a missing or unseen value of the column and a path that tests it"))
    if strategies:
        below.append(
            _(
                "{strategies}: how many of these would get another prediction with this strategy",
                strategies=", ".join(strategies),
            )
        )
    n_complete = len(report.columns) - len(incomplete)
    if n_complete:
        below.append(
            _.plural("nothing is missing in {n} more column", "nothing is missing in {n} more columns", n_complete)
        )
    head = [_("column"), _("missing"), _("proportion"), _("unseen"), _("affected"), *strategies]
    return Grid(head, rows, [False, *[True] * (len(head) - 1)], below)


def _nodes_table(report: MissingReport) -> Grid:
    _ = messages(report.language)
    rows = [
        [str(one.node), str(one.n_rows), printable(one.column), printable(one.words)]
        for one in report.nodes[:N_NODES]
    ]
    n_more = len(report.nodes) - len(rows)
    below = [_.plural("… {n} more node", "… {n} more nodes", n_more)] if n_more else []
    return Grid([_("node"), _("rows"), _("splits on"), _("path")], rows, [True, True, False, False], below)
