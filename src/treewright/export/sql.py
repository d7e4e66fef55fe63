"""Trees as SQL: one SELECT statement that scores a table in the database.

In: a `Scoring`, a dialect and the name of a table. Out: the statement. It finds the leaf of each row by nested CASE
expressions, and joins the predictions of the leaves. A row that goes down several branches, because a value is missing,
gets the sum over the leaves of their probabilities times the fractions on the path. NULL and NaN are missing values.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from treewright.errors import ExportError, one_of
from treewright.export.check import Predicted
from treewright.export.probe_rows import Probes
from treewright.export.rule_scoring import Scored
from treewright.export.scoring import EVERY, REFUSE, STOP, NodeTest, Scoring, common_type
from treewright.export.sql_conditions import ConditionWriter
from treewright.export.sql_dialects import DIALECTS, Dialect
from treewright.model.prediction_rule import TIE

LEAF = "treewright_leaf"
"""The column that has the number of the leaf; null for a row that goes down several branches, or is refused."""
ROW = "treewright_row"
OWN_TABLES = r"leaves|coded|(routed|mixed)\d*|rules|matched"
"""The names of the subqueries, for trees and for rules."""
MAX_DEPTH = 3_000
STORED = 50
"""Leaves times classes from which the sums of fractional weights are stored, where a database can be told to."""
MOST_EXACT, MOST_INTEGER = 2**53, 2**63 - 1
"""The largest integers that a column of floats, and an integer of a database, represent exactly."""
CHAINED = 50
"""Leaves from which one CASE expression has the tests of a node and of the branch after its ELSE.

Below, another CASE is nested there, which shows the tree. Column stores such as DuckDB take time for every CASE: about
0.4 microseconds for a node and 2,048 rows. Joins of a table of nodes, one for each of the last levels, lookups in lists
of thresholds, and subtrees that are evaluated apart from each other took at least as long for 1,000 leaves.
"""
_Item = tuple[int, str, int]
"""An indentation, words, and the node to open after them; -1 if none."""


def write(
    scoring: Scoring,
    *,
    header: Sequence[str] = (),
    dialect: str = "duckdb",
    table: str | Sequence[str] = "data",
    probabilities: bool = True,
) -> str:
    """Return a SELECT statement that scores a table.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    header : sequence of str
        Lines of a comment at the top.
    dialect : str
        One of `DIALECTS`.
    table : str or sequence of str
        The table; "schema.table" or ("schema", "table") for one in a schema.
    probabilities : bool
        Whether the statement has a column for the probability of each class.

    Examples
    --------
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> print(write(scoring(golf_example(), "majority"), table="days", probabilities=False))
    WITH leaves(treewright_leaf, prediction) AS (
      VALUES
        (2, 'Play'),
        (4, 'Play'),
        (5, 'Don''t Play'),
        (6, 'Play'),
        (7, 'Don''t Play')
    ),
    routed AS (
      SELECT data.*,
        CASE
          WHEN "outlook" = 'overcast' THEN 2
          WHEN "outlook" = 'rain' THEN
            CASE
              WHEN "windy" = TRUE THEN 7
              ELSE 6
            END
          ELSE
            CASE
              WHEN "humidity" <= 75 THEN 4
              ELSE 5
            END
        END AS treewright_leaf
      FROM "days" AS data
    )
    SELECT routed.*, leaves.prediction
    FROM routed
    LEFT JOIN leaves ON leaves.treewright_leaf = routed.treewright_leaf;
    """
    writer = _Writer(scoring, DIALECTS[one_of("dialect", dialect, list(DIALECTS))])
    refuse_inexpressible(scoring)
    names = [LEAF, "prediction"]
    if probabilities and not scoring.is_regression:
        names += [f"p{k}" for k in range(len(scoring.classes))]
    source = ".".join(table_parts(table, writer.dialect))
    parts = [writer.leaves(names)]
    if writer.is_chained and writer.dialect.excludes:
        parts.append(writer.codes(source))
        source = "coded"
    parts += writer.routed(source)
    if scoring.is_fractional:
        parts += writer.mixed()
    lines = [*(f"-- {' '.join(line.split())}" for line in header)]
    return "\n".join([*lines, "WITH " + ",\n".join(parts), *writer.result(len(names) > 2)]) + ";"


def table_parts(table: str | Sequence[str], dialect: Dialect) -> list[str]:
    """The identifiers of a table and of its schema, if it is in one."""
    parts = table.split(".") if isinstance(table, str) else table
    if len(parts) == 1 and re.fullmatch(OWN_TABLES, parts[0], re.IGNORECASE):
        raise ExportError(
            f"The table cannot be called {parts[0]!r}, which is the name of a subquery of the statement; pass it with "
            f"its schema, such as table='main.{parts[0]}', or use a view of another name."
        )
    return list(map(dialect.identifier, parts))


def refuse_inexpressible(scoring: Scored) -> None:
    """Raise an ExportError for what SQL cannot express."""
    schema = scoring.tree.schema
    _refuse_values(f"The target {schema.target.name!r}", scoring.classes, MOST_INTEGER)
    lower = [name.lower() for name in schema.names]
    for i in scoring.used:
        column = schema.columns[i]
        if lower.count(lower[i]) > 1:
            other = next(name for name in schema.names if name.lower() == lower[i] and name != column.name)
            raise ExportError(
                f"The columns {column.name!r} and {other!r} differ only in case, which databases do not tell apart; "
                "rename one of them before fit."
            )
        _refuse_values(f"Column {column.name!r}", [column.name, *column.categories], MOST_EXACT)
        if column.source is not None:
            raise ExportError(
                f"Column {column.source!r} has dates, from which the export to SQL does not derive numbers; convert it "
                "to a number before fit."
            )
        if column.categories and common_type(column.categories) is None:
            raise ExportError(
                f"Column {column.name!r} has categories of different types, but a column of a database has one type; "
                "convert them to text before fit."
            )
    if scoring.tree.depth > MAX_DEPTH:
        raise ExportError(
            f"The tree is {scoring.tree.depth} levels deep, and SQL of more than {MAX_DEPTH} levels is too deep for "
            "databases; set max_depth, or prune the tree."
        )


def _refuse_values(owner: str, values: Iterable[object], most: int) -> None:
    """Raise an ExportError for texts that cannot be encoded, and for integers that a database may round."""
    for value in values:
        if isinstance(value, str) and not value.isascii() and any("\ud800" <= one <= "\udfff" for one in value):
            raise ExportError(
                f"{owner} has the text {value!r}, which is not valid Unicode, so a database cannot hold it; replace it "
                "before fit."
            )
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > most:
            raise ExportError(
                f"{owner} has the integer {value}, which a database may round; convert the integers to text before fit."
            )


class _Writer(ConditionWriter):
    """Writes the parts of a statement in one dialect."""

    def __init__(self, scoring: Scoring, dialect: Dialect) -> None:
        super().__init__(scoring, dialect)
        self.scoring, self.tree = scoring, scoring.tree
        self.is_chained = scoring.tree.n_leaves >= CHAINED
        self.own: list[str] = []  # columns of subqueries that nobody asked for
        self.last = "routed"
        # Otherwise these databases put the text of a subquery wherever its columns are used.
        n_sums = scoring.tree.n_leaves * scoring.tree.value.shape[1]
        stores = dialect.materialized and n_sums >= STORED and scoring.is_fractional
        self.opening = "AS MATERIALIZED (" if stores else "AS ("

    def cases(self, one: NodeTest) -> tuple[list[tuple[str, int]], int]:
        """The conditions of a node with their branches, in order, and the branch of everything else."""
        found, name = self.known(one.test), self.names[one.test.position]
        if self.is_chained and one.test.threshold is not None and one.missing < 0 and not one.surrogates:
            last = max(one.test.branches, key=one.fractions.__getitem__)
            kept = [(words, branch) for words, branch in found if branch != last]
            return [*kept, (self.is_missing(one.test.position), one.missing)], last
        if one.unseen is not None and not one.surrogates:
            return self._known_or_missing(one, found), one.unseen
        for surrogate in one.surrogates:
            found += self.known(surrogate)
        if one.unseen is not None:
            at = len(one.test.branches)
            # Known values whose branch is that of unseen ones need no condition of their own.
            kept = [(words, branch) for words, branch in found[:at] if branch != one.unseen]
            return [*kept, (f"{name} IS NOT NULL", one.unseen), *found[at:]], one.missing
        if not one.surrogates:
            return [(words, branch) for words, branch in found if branch != one.missing], one.missing
        return found, one.missing

    def _known_or_missing(self, one: NodeTest, known: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """The same but for the branch of unseen categories, which takes the rest: each branch occurs once."""
        cases = [(words, branch) for words, branch in known if branch != one.unseen]
        if one.missing == one.unseen:
            return cases
        lost, branches = self.is_missing(one.test.position), [branch for _, branch in cases]
        if one.missing not in branches:
            return [*cases, (lost, one.missing)]
        return [(f"{words} OR {lost}" if branch == one.missing else words, branch) for words, branch in cases]

    # --- the parts of the statement ---

    def leaves(self, names: list[str]) -> str:
        """The table of the leaves: their numbers and predictions."""
        rows = []
        for node in self.scoring.end_nodes():
            row = [str(node)]
            if self.scoring.is_regression:
                row.append(self.dialect.real(float(self.tree.value[node, 0])))
            else:
                row.append(self.dialect.literal(self.scoring.classes[int(self.tree.predicted_class[node])]))
                row += [self.dialect.real(p) for p in self.tree.value[node].tolist()[: len(names) - 2]]
            rows.append(row)
        return self.dialect.rows("leaves", names, rows)

    def codes(self, table: str) -> str:
        """The subquery with the codes of the columns that are tested."""
        listed = ",\n".join(f"    {words}" for words in self.code(self.scoring))
        return f"coded AS (\n  SELECT data.*,\n{listed}\n  FROM {table} AS data\n)"

    def routed(self, table: str) -> Iterator[str]:
        """The subqueries that find the leaf of each row; several for a deep tree, each of some levels."""
        starts = [0]
        steps: list[list[tuple[int, list[str]]]] = []
        while starts:
            found = [(start, *self._case(start, 6 if steps else 4)) for start in starts]
            steps.append([(start, lines) for start, lines, _ in found])
            starts = [node for _, _, below in found for node in below]
        names = [f"routed{step or ''}" for step in range(len(steps))]
        self.last, source, done = names[-1], f"{table} AS data", "data"
        self.own += [self._leaf(name) for name in names[:-1]]
        for name, pieces in zip(names, steps, strict=True):
            yield self._routing(name, done, source, pieces, first=done == "data")
            source, done = name, name

    def _routing(self, name: str, done: str, source: str, pieces: Any, *, first: bool) -> str:
        if first:
            expression = "\n".join(pieces[0][1])
            return f"{name} {self.opening}\n  SELECT data.*,\n{expression} AS {self._leaf(name)}\n  FROM {source}\n)"
        cases = "\n".join(f"      WHEN {start} THEN\n" + "\n".join(lines) for start, lines in pieces)
        return (
            f"{name} {self.opening}\n  SELECT {done}.*,\n    CASE {done}.{self._leaf(done)}\n{cases}\n      ELSE "
            f"{done}.{self._leaf(done)}\n    END AS {self._leaf(name)}\n  FROM {source}\n)"
        )

    def _leaf(self, name: str) -> str:
        """The column with the leaf, or with the node that the next subquery goes on from."""
        return LEAF if name == self.last else f"{LEAF}_{name.removeprefix('routed') or 0}"

    def _case(self, start: int, indent: int) -> tuple[list[str], list[int]]:
        """The lines of a CASE expression for a subtree of at most so many levels, and the nodes it goes on from."""
        lines: list[str] = []
        pending: list[int] = []
        # Work in reverse: a text to write, or a node to open at an indentation after some words.
        waiting: list[_Item] = [(indent, "", start)]
        while waiting:
            space, words, node = waiting.pop()
            one = self.scoring.tests[node] if node >= 0 else None
            pad = " " * space
            opens_at = space + 2 if words else space
            if node == -1:
                lines.append(pad + words)
            elif one is not None and words == "ELSE" and self.is_chained and len(whens := self._whens(one, space)) > 1:
                waiting += reversed(whens)
            elif one is None or opens_at - indent >= 4 * self.dialect.levels:
                if one is not None:
                    pending.append(node)
                lines.append(f"{pad}{words} {node}" if words else f"{pad}{node}")
            else:
                if words:
                    lines.append(pad + words)
                *cases, otherwise = self._whens(one, opens_at + 2)
                if cases:
                    waiting += reversed([(opens_at, "CASE", -1), *cases, otherwise, (opens_at, "END", -1)])
                else:
                    waiting.append((opens_at, otherwise[1].removeprefix("ELSE").strip(), otherwise[2]))
        return lines, pending

    def _whens(self, one: NodeTest, space: int) -> list[_Item]:
        """The lines of a node between CASE and END, with the nodes that follow; the last is that of ELSE."""
        cases, otherwise = self.cases(one)
        if not one.surrogates:
            whens = [self._branch(one, space, f"WHEN {words} THEN", branch) for words, branch in cases]
            return [*whens, self._branch(one, space, "ELSE", otherwise)]
        # The branch is decided first, so that no subtree is written twice.
        found: list[_Item] = []
        for branch in sorted({branch for _, branch in cases} - {otherwise}):
            start, rest, end = "WHEN CASE", cases, f"END = {branch} THEN"
            if one.test.threshold is not None or (one.test.position in self.coded and one.unseen is None):
                # Surrogates are evaluated for missing values only: most values are known.
                words = next((words for words, to in cases[: len(one.test.branches)] if to == branch), "FALSE")
                start = f"WHEN {words} OR (({self.is_missing(one.test.position)}) AND CASE"
                rest, end = cases[len(one.test.branches) :], f"END = {branch}) THEN"
            found.append((space, start, -1))
            found += [(space + 2, f"WHEN {words} THEN {to}", -1) for words, to in rest]
            found += [(space + 2, f"ELSE {otherwise}", -1), self._branch(one, space, end, branch)]
        return [*found, self._branch(one, space, "ELSE", otherwise)]

    def _branch(self, one: NodeTest, space: int, words: str, branch: int) -> _Item:
        if branch >= 0:
            return space, words, one.children[branch]
        return space, f"{words} {one.node if branch == STOP else 'NULL'}", -1

    # --- rows that go down several branches ---

    def mixed(self) -> Iterator[str]:
        """The subqueries with the probabilities of rows that go down several branches; several for a deep tree."""
        levels, source = self.dialect.sum_levels, self.last
        is_mixed = f"{self._leaf(self.last)} IS NULL"
        starts: dict[int, list[int]] = {}
        for node in np.flatnonzero(self.tree.depths % levels == 0).tolist():
            if self.scoring.tests[node] is not None:
                starts.setdefault(int(self.tree.depths[node]) // levels, []).append(node)
        for step in sorted(starts, reverse=True):
            name = f"mixed{step or ''}"
            columns = []
            for k in range(self.tree.value.shape[1]):
                for node, total in self._sums(starts[step], k):
                    columns.append(f"    CASE WHEN {source}.{is_mixed} THEN {total} END AS {self._sum(node, k)}")
                    self.own.append(self._sum(node, k))
            listed = ",\n".join(columns)
            yield f"{name} {self.opening}\n  SELECT {source}.*,\n{listed}\n  FROM {source}\n)"
            source = name

    @staticmethod
    def _sum(node: int, k: int) -> str:
        """The column with the sum of a subtree for a class."""
        return f"treewright_sum{k}_{node}" if node else f"treewright_sum{k}"

    def _sums(self, starts: Sequence[int], k: int) -> Iterator[tuple[int, str]]:
        """For each subtree the sum, over the nodes where a path can end, of its fractions times the value of a class.

        A sum is nested as the tree is: only subtrees that a row reaches are evaluated.
        """
        for start in starts:
            inner, i = [start], 0
            while i < len(inner):
                one = self.scoring.tests[inner[i]]
                assert one is not None
                inner += [child for child in one.children if self._is_within(child)]
                i += 1
            sums: dict[int, str] = {}
            for node in reversed(inner):
                one = self.scoring.tests[node]
                assert one is not None
                sums[node] = self._sum_of(one, k, sums)
            yield start, sums[start] or "0e0"

    def _is_within(self, node: int) -> bool:
        """Whether the sum of a node is part of that of its parent, not a column of another subquery."""
        return self.scoring.tests[node] is not None and int(self.tree.depths[node]) % self.dialect.sum_levels > 0

    def _sum_of(self, one: NodeTest, k: int, sums: dict[int, str]) -> str:
        """The sum of a node from those of its children; empty if it is 0."""
        known, other = self.known(one.test), f"WHEN {self.names[one.test.position]} IS NOT NULL"
        fractions, value = one.fractions, self.tree.value[:, k].tolist()
        if one.missing != EVERY:
            fractions = tuple(float(branch == one.missing) for branch in range(len(one.children)))
        ends = [value[child] if self.scoring.tests[child] is None else 0.0 for child in one.children]
        # The sum of a row that is refused is NULL, whatever else is added to it.
        is_refused = one.unseen == REFUSE
        unseen = 0.0 if is_refused else value[one.node] if one.unseen == STOP else ends[one.unseen or 0]
        terms = []
        if any(ends) or unseen or is_refused:
            cases = [f"WHEN {words} THEN {self.dialect.real(ends[to])}" for words, to in known]
            if one.unseen is not None:
                cases.append(f"{other} THEN {'NULL' if is_refused else self.dialect.real(unseen)}")
            mean = sum(fraction * end for fraction, end in zip(fractions, ends, strict=True))
            terms.append(f"CASE {' '.join(cases)} ELSE {self.dialect.real(mean)} END")
        for branch, child in enumerate(one.children):
            if self.scoring.tests[child] is None:
                continue
            total = f"({sums.pop(child)})" if self._is_within(child) else self._sum(child, k)
            if total != "()":
                # Rows that go elsewhere leave first: only rows that reach the subtree are evaluated in it.
                cases = [f"WHEN {words} THEN 0e0" for words, to in known if to != branch]
                here = [f"WHEN {words} THEN 1e0" for words, to in known if to == branch]
                here += [] if one.unseen is None else [f"{other} THEN {float(one.unseen == branch)}e0"]
                factor = self.dialect.real(fractions[branch])
                factor = f"CASE {' '.join(here)} ELSE {factor} END" if here else factor
                terms.append(f"CASE {' '.join(cases)} ELSE {total} * {factor} END" if cases else f"{total} * {factor}")
        return "\n      + ".join(terms)

    # --- the result ---

    def result(self, probabilities: bool) -> list[str]:
        """The last SELECT."""
        source = "mixed" if self.scoring.is_fractional else self.last
        leaf = self._leaf(self.last)
        own = [*self.coded.values(), *self.own] if self.dialect.excludes else []
        excluded = f" EXCLUDE ({', '.join(own)})" if own else ""
        columns = [f"{source}.*{excluded}", *self._predictions(source, probabilities)]
        joined = f"LEFT JOIN leaves ON leaves.{LEAF} = {source}.{leaf}"
        return [f"SELECT {', '.join(columns)}", f"FROM {source}", joined]

    def _predictions(self, source: str, probabilities: bool) -> list[str]:
        double, fractional = self.dialect.double, self.scoring.is_fractional
        if self.scoring.is_regression:
            number = f"CAST(leaves.prediction AS {double})"
            number = f"COALESCE({number}, {source}.{self._sum(0, 0)})" if fractional else number
            return [f"{number} AS prediction"]
        found = ["leaves.prediction"]
        if fractional:
            found = [f"COALESCE(leaves.prediction, {self._chosen(source)}) AS prediction"]
        if probabilities:
            for k, label in enumerate(self.scoring.classes):
                value = f"CAST(leaves.p{k} AS {double})"
                value = f"COALESCE({value}, {source}.{self._sum(0, k)})" if fractional else value
                found.append(f"{value} AS {self.dialect.identifier(f'probability_{label}')}")
        return found

    def _chosen(self, source: str) -> str:
        """The predicted class of a row that goes down several branches: the first one on a tie."""
        classes, costs = self.scoring.classes, self.tree.prediction_rule.costs
        sums = [f"{source}.{self._sum(0, k)}" for k in range(len(classes))]
        if len(classes) == 1:
            return f"CASE WHEN {sums[0]} IS NOT NULL THEN {self.dialect.literal(classes[0])} END"
        if costs is not None:
            sums = [self._cost(source, [row[j] for row in costs]) for j in range(len(classes))]
        best = f"{self.dialect.greatest[costs is not None]}({', '.join(sums)})"
        compare = f"<= {best} * {1 + TIE!r}" if costs is not None else f">= {best} * {1 - TIE!r}"
        cases = [
            f"WHEN {value} {compare} THEN {self.dialect.literal(label)}"
            for value, label in zip(sums, classes, strict=True)
        ]
        return f"CASE {' '.join(cases)} END"

    def _cost(self, source: str, costs: list[float]) -> str:
        terms = [f"{source}.{self._sum(0, k)} * {self.dialect.real(cost)}" for k, cost in enumerate(costs) if cost]
        return f"({' + '.join(terms) or '0e0'})"


def run(
    text: str, probes: Probes, dialect: str = "duckdb", table: str | Sequence[str] = "data", probabilities: bool = True
) -> Predicted | None:
    """Execute a statement for the probes; None if there is no database of the dialect at hand."""
    if dialect == "sqlite":
        found = _run_sqlite(text, probes, table)
    elif dialect == "duckdb":
        try:
            found = _run_duckdb(text, probes, table)
        except ImportError:
            return None
    else:
        return None
    return read_predictions(found, probes, probabilities)


def read_predictions(found: list[tuple[Any, ...]], probes: Probes, probabilities: bool = True) -> Predicted:
    """The predictions in the rows that a statement returned; the first column has the number of the probe."""
    scoring = probes.scoring
    n = 1 if scoring.is_regression else 1 + len(scoring.classes) * probabilities
    answers = [row[-n:] for row in sorted(found, key=lambda row: int(row[0]))]
    numbers = [row if scoring.is_regression else row[1:] for row in answers]
    values = np.array([[np.nan if x is None else x for x in row] for row in numbers], np.float64)
    if scoring.is_regression:
        return Predicted(None, values)
    return Predicted([_label(scoring, row[0]) for row in answers], values if probabilities else None)


def _label(scoring: Scored, value: Any) -> Any:
    """A predicted class as the user has it: a database without booleans has 0 and 1."""
    return next((label for label in scoring.classes if label == value), value)


def _used_columns(probes: Probes) -> dict[str, list[Any]]:
    cells, names = probes.cells(), probes.scoring.tree.schema.names
    return {names[i]: cells[i] for i in probes.scoring.used}


def _run_sqlite(text: str, probes: Probes, table: str | Sequence[str]) -> list[tuple[Any, ...]]:
    import sqlite3

    dialect, columns = DIALECTS["sqlite"], _used_columns(probes)
    names = [dialect.identifier(name) for name in columns]
    with sqlite3.connect(":memory:") as connection:
        *schemas, _ = parts = table_parts(table, dialect)
        for schema in schemas:
            if schema.lower() not in ('"main"', '"temp"'):
                connection.execute(f"ATTACH ':memory:' AS {schema}")
        target = ".".join(parts)
        connection.execute(f"CREATE TABLE {target} ({', '.join([ROW, *names])})")
        places = ", ".join("?" * (len(names) + 1))
        rows = zip(range(len(probes.values)), *columns.values(), strict=True)
        connection.executemany(f"INSERT INTO {target} VALUES ({places})", rows)
        try:
            return connection.execute(text).fetchall()
        except (sqlite3.OperationalError, MemoryError) as error:
            why = str(error) or "out of memory"
            raise ExportError(
                f"SQLite does not execute the statement: {why}. Prune the tree or set max_leaf_nodes, use another "
                "dialect, or set missing_predict='majority'."
            ) from error


def _run_duckdb(text: str, probes: Probes, table: str | Sequence[str]) -> list[tuple[Any, ...]]:
    import duckdb

    dialect, columns = DIALECTS["duckdb"], _used_columns(probes)
    schema = probes.scoring.tree.schema
    by_name = dict(zip(schema.names, schema.columns, strict=True))
    connection = duckdb.connect()
    try:
        types = [_duckdb_type(by_name[name].categories) for name in columns]
        declared = [f"{dialect.identifier(name)} {kind}" for name, kind in zip(columns, types, strict=True)]
        *schemas, _ = parts = table_parts(table, dialect)
        if len(schemas) > 1:
            connection.execute(f"ATTACH ':memory:' AS {schemas[0]}")
        if schemas:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {'.'.join(schemas)}")
        target = ".".join(parts)
        connection.execute(f"CREATE TABLE {target} ({', '.join([f'{ROW} BIGINT', *declared])})")
        given = {ROW: np.arange(len(probes.values))}
        for i, (cells, kind) in enumerate(zip(columns.values(), types, strict=True)):
            given[f"c{i}"] = _duckdb_array(cells, kind)
        connection.register("given", given)
        connection.execute(f"INSERT INTO {target} SELECT * FROM given")
        return connection.execute(text).fetchall()
    finally:
        connection.close()


def _duckdb_type(categories: tuple[object, ...]) -> str:
    if not categories:
        return "DOUBLE"
    if all(isinstance(one, bool) for one in categories):
        return "BOOLEAN"
    return "VARCHAR" if isinstance(categories[0], str) else "DOUBLE"


def _duckdb_array(cells: list[Any], kind: str) -> Any:
    if kind == "DOUBLE":
        return np.array([np.nan if cell is None else float(cell) for cell in cells])
    return np.array(cells, dtype=object)
