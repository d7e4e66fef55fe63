"""Trees as SQL: one SELECT statement that scores a table in the database.

In: a `Scoring`, a dialect and the name of a table. Out: the statement. It finds the leaf of each row by nested CASE
expressions, and joins the predictions of the leaves. A row that goes down several branches, because a value is missing,
gets the sum over the leaves of their probabilities times the fractions on the path. NULL and NaN are missing values.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from treewright.errors import ExportError, one_of
from treewright.export.check import Predicted
from treewright.export.probe_rows import Probes
from treewright.export.scoring import EVERY, STOP, NodeTest, Scoring, ValueTest
from treewright.export.sql_dialects import DIALECTS, LARGEST, Dialect
from treewright.model.prediction_rule import TIE

LEAF = "treewright_leaf"
"""The column that has the number of the leaf; null for a row that goes down several branches, or is refused."""
ROW = "treewright_row"
MAX_DEPTH = 3_000


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
    _refuse(scoring)
    names = [LEAF, "prediction"]
    if probabilities and not scoring.is_regression:
        names += [f"p{k}" for k in range(len(scoring.classes))]
    parts = [writer.leaves(names), *writer.routed(".".join(_table_parts(table, writer.dialect)))]
    if scoring.is_fractional:
        parts += writer.mixed()
    lines = [*(f"-- {' '.join(line.split())}" for line in header)]
    return "\n".join([*lines, "WITH " + ",\n".join(parts), *writer.result(len(names) > 2)]) + ";"


def _table_parts(table: str | Sequence[str], dialect: Dialect) -> list[str]:
    """The identifiers of a table and of its schema, if it is in one."""
    parts = table.split(".") if isinstance(table, str) else table
    return list(map(dialect.identifier, parts))


def _refuse(scoring: Scoring) -> None:
    """Raise an ExportError for what SQL cannot express."""
    columns = [scoring.tree.schema.columns[i] for i in scoring.used]
    for column in columns:
        if column.source is not None:
            raise ExportError(
                f"Column {column.source!r} has dates, from which the export to SQL does not derive numbers; convert it "
                "to a number before fit."
            )
        kinds = {bool if isinstance(one, bool) else str if isinstance(one, str) else float for one in column.categories}
        if len(kinds) > 1:
            raise ExportError(
                f"Column {column.name!r} has categories of different types, but a column of a database has one type; "
                "convert them to text before fit."
            )
    if scoring.is_fractional and scoring.unseen == "error":
        raise ExportError(
            "SQL cannot refuse unseen categories of rows that go down several branches; set unseen_category='missing' "
            "or 'majority', or missing_predict='majority'."
        )
    if scoring.tree.depth > MAX_DEPTH:
        raise ExportError(
            f"The tree is {scoring.tree.depth} levels deep, and SQL of more than {MAX_DEPTH} levels is too deep for "
            "databases; set max_depth, or prune the tree."
        )


class _Writer:
    """Writes the parts of a statement in one dialect."""

    def __init__(self, scoring: Scoring, dialect: Dialect) -> None:
        self.scoring, self.dialect, self.tree = scoring, dialect, scoring.tree
        self.names = [dialect.identifier(name) for name in self.tree.schema.names]

    # --- conditions ---

    def known(self, test: ValueTest) -> list[tuple[str, int]]:
        """The conditions of known values, each with its branch."""
        name = self.names[test.position]
        if test.codes is not None:
            return [(self._in(test, codes), branch) for codes, branch in zip(test.codes, test.branches, strict=True)]
        if test.threshold is None:
            return [(f"{name} <= {LARGEST}" if self.dialect.has_nan else f"{name} IS NOT NULL", test.branches[0])]
        cut = self.dialect.number(test.threshold)
        above = f"{name} > {cut}"
        if self.dialect.has_nan:
            above += f" AND {name} <= {LARGEST}"
        return [(f"{name} <= {cut}", test.branches[0]), (above, test.branches[1])]

    def _in(self, test: ValueTest, codes: Sequence[int]) -> str:
        categories = test.column.categories
        column = self.names[test.position]
        if any(isinstance(one, str) for one in categories):
            column = self.dialect.text.format(column)
        listed = [self.dialect.literal(categories[code]) for code in codes]
        return f"{column} = {listed[0]}" if len(listed) == 1 else f"{column} IN ({', '.join(listed)})"

    def cases(self, one: NodeTest) -> tuple[list[tuple[str, int]], int]:
        """The conditions of a node with their branches, in order, and the branch of everything else."""
        found, name = self.known(one.test), self.names[one.test.position]
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
        return self.dialect.rows(names, rows)

    def routed(self, table: str) -> Iterator[str]:
        """The subqueries that find the leaf of each row; several for a deep tree, each of some levels."""
        starts, source, done = [0], f"{table} AS data", "data"
        for step in range(self.tree.depth // self.dialect.levels + 1):
            name = "routed" if step == 0 else f"routed{step}"
            pieces, pending = [], []
            for start in starts:
                lines, below = self._case(start, 6 if step else 4)
                pieces.append((start, lines))
                pending += below
            yield self._routing(name, done, source, pieces, first=step == 0)
            starts, source, done = pending, name, name
            if not starts:
                break
        self.last = done

    def _routing(self, name: str, done: str, source: str, pieces: Any, *, first: bool) -> str:
        if first:
            expression = "\n".join(pieces[0][1])
            return f"{name} AS (\n  SELECT data.*,\n{expression} AS {LEAF}\n  FROM {source}\n)"
        cases = "\n".join(f"      WHEN {start} THEN\n" + "\n".join(lines) for start, lines in pieces)
        return (
            f"{name} AS (\n  SELECT {done}.*,\n    CASE {done}.{self._leaf(done)}\n{cases}\n      ELSE "
            f"{done}.{self._leaf(done)}\n    END AS {self._leaf(name)}\n  FROM {source}\n)"
        )

    @staticmethod
    def _leaf(name: str) -> str:
        """The column with the leaf, or with the node that the next subquery goes on from."""
        return LEAF if name in ("data", "routed") else f"{LEAF}_{name.removeprefix('routed')}"

    def _case(self, start: int, indent: int) -> tuple[list[str], list[int]]:
        """The lines of a CASE expression for a subtree of at most so many levels, and the nodes it goes on from."""
        lines: list[str] = []
        pending: list[int] = []
        depth0 = int(self.tree.depths[start])
        # Work in reverse: a text to write, or a node to open at an indentation after some words.
        waiting: list[tuple[int, str, int]] = [(indent, "", start)]
        while waiting:
            space, words, node = waiting.pop()
            one = self.scoring.tests[node] if node >= 0 else None
            pad = " " * space
            if node == -1:
                lines.append(pad + words)
            elif one is None or int(self.tree.depths[node]) - depth0 >= self.dialect.levels:
                if one is not None:
                    pending.append(node)
                lines.append(f"{pad}{words} {node}" if words else f"{pad}{node}")
            else:
                if words:
                    lines.append(pad + words)
                    space += 2
                waiting += reversed(self._opened(one, space))
        return lines, pending

    def _opened(self, one: NodeTest, space: int) -> list[tuple[int, str, int]]:
        """The lines of the CASE expression of one node, with the nodes that follow."""
        cases, otherwise = self.cases(one)
        opened: list[tuple[int, str, int]] = []
        if not cases:
            return [self._branch(one, space, "", otherwise)]
        if one.surrogates:
            # The branch is decided first, so that no subtree is written twice.
            opened.append((space, "CASE CASE", -1))
            opened += [(space + 4, f"WHEN {words} THEN {branch}", -1) for words, branch in cases]
            opened.append((space + 4, f"ELSE {otherwise}", -1))
            opened.append((space + 2, "END", -1))
            for branch, child in enumerate(one.children):
                opened.append((space + 2, f"WHEN {branch} THEN", child))
            if any(branch == STOP for _, branch in cases) or otherwise == STOP:
                opened.append((space + 2, f"WHEN {STOP} THEN {one.node}", -1))
        else:
            opened.append((space, "CASE", -1))
            for words, branch in cases:
                opened.append(self._branch(one, space + 2, f"WHEN {words} THEN", branch))
            opened.append(self._branch(one, space + 2, "ELSE", otherwise))
        opened.append((space, "END", -1))
        return opened

    def _branch(self, one: NodeTest, space: int, words: str, branch: int) -> tuple[int, str, int]:
        if branch >= 0:
            return space, words, one.children[branch]
        return space, f"{words} {self._ended(one, branch)}".strip(), -1

    @staticmethod
    def _ended(one: NodeTest, branch: int) -> str:
        return str(one.node) if branch == STOP else "NULL"

    # --- rows that go down several branches ---

    def mixed(self) -> Iterator[str]:
        """The subqueries with the probabilities of rows that go down several branches."""
        sums: dict[int, list[str]] = {k: [] for k in range(self.tree.value.shape[1])}
        columns = []
        for node, product in self._products():
            columns.append(f"    CASE WHEN {self.last}.{self._leaf(self.last)} IS NULL THEN {product} END AS w{node}")
            for k, value in enumerate(self.tree.value[node].tolist()):
                if value:
                    sums[k].append(f"w{node} * {self.dialect.real(value)}")
        listed = ",\n".join(columns)
        yield f"weighted AS (\n  SELECT {self.last}.*,\n{listed}\n  FROM {self.last}\n)"
        totals = ",\n".join(f"    {' + '.join(terms) or '0e0'} AS m{k}" for k, terms in sums.items())
        yield f"mixed AS (\n  SELECT weighted.*,\n{totals}\n  FROM weighted\n)"

    def _products(self) -> Iterator[tuple[int, str]]:
        """For each node where a path can end, the fraction of a row there."""
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while waiting:
            node, factors = waiting.pop()
            one = self.scoring.tests[node]
            if one is None:
                yield node, " * ".join(factors) or "1e0"
                continue
            name = self.names[one.test.position]
            if one.unseen == STOP:
                known = " OR ".join(words for words, _ in self.known(one.test))
                stops = f"CASE WHEN {name} IS NULL OR {known} THEN 0e0 ELSE 1e0 END"
                yield node, " * ".join((*factors, stops))
            for branch, child in enumerate(one.children):
                waiting.append((child, (*factors, self._factor(one, branch))))

    def _factor(self, one: NodeTest, branch: int) -> str:
        """The fraction of a row at a node that goes down one of its branches."""
        fraction = one.fractions[branch] if one.missing == EVERY else float(one.missing == branch)
        parts = [f"WHEN {words} THEN {float(to == branch)}e0" for words, to in self.known(one.test)]
        if one.unseen is not None:
            parts.append(f"WHEN {self.names[one.test.position]} IS NOT NULL THEN {float(one.unseen == branch)}e0")
        return f"CASE {' '.join(parts)} ELSE {self.dialect.real(fraction)} END"

    # --- the result ---

    def result(self, probabilities: bool) -> list[str]:
        """The last SELECT."""
        source = "mixed" if self.scoring.is_fractional else self.last
        leaf = self._leaf(self.last)
        columns = [f"{source}.*", *self._predictions(source, probabilities)]
        joined = f"LEFT JOIN leaves ON leaves.{LEAF} = {source}.{leaf}"
        return [f"SELECT {', '.join(columns)}", f"FROM {source}", joined]

    def _predictions(self, source: str, probabilities: bool) -> list[str]:
        double, fractional = self.dialect.double, self.scoring.is_fractional
        if self.scoring.is_regression:
            number = f"CAST(leaves.prediction AS {double})"
            return [f"COALESCE({number}, {source}.m0) AS prediction" if fractional else f"{number} AS prediction"]
        found = ["leaves.prediction"]
        if fractional:
            found = [f"COALESCE(leaves.prediction, {self._chosen(source)}) AS prediction"]
        if probabilities:
            for k, label in enumerate(self.scoring.classes):
                value = f"CAST(leaves.p{k} AS {double})"
                value = f"COALESCE({value}, {source}.m{k})" if fractional else value
                found.append(f"{value} AS {self.dialect.identifier(f'probability_{label}')}")
        return found

    def _chosen(self, source: str) -> str:
        """The predicted class of a row that goes down several branches: the first one on a tie."""
        classes, costs = self.scoring.classes, self.tree.prediction_rule.costs
        sums = [f"{source}.m{k}" for k in range(len(classes))]
        if len(classes) == 1:
            return self.dialect.literal(classes[0])
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
        terms = [f"{source}.m{k} * {self.dialect.real(cost)}" for k, cost in enumerate(costs) if cost]
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
    scoring = probes.scoring
    n = 1 if scoring.is_regression else 1 + len(scoring.classes) * probabilities
    answers = [row[-n:] for row in sorted(found, key=lambda row: int(row[0]))]
    numbers = [row if scoring.is_regression else row[1:] for row in answers]
    values = np.array([[np.nan if x is None else x for x in row] for row in numbers], np.float64)
    if scoring.is_regression:
        return Predicted(None, values)
    return Predicted([_label(scoring, row[0]) for row in answers], values if probabilities else None)


def _label(scoring: Scoring, value: Any) -> Any:
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
        *schemas, _ = parts = _table_parts(table, dialect)
        for schema in schemas:
            if schema.lower() not in ('"main"', '"temp"'):
                connection.execute(f"ATTACH ':memory:' AS {schema}")
        target = ".".join(parts)
        connection.execute(f"CREATE TABLE {target} ({', '.join([ROW, *names])})")
        places = ", ".join("?" * (len(names) + 1))
        rows = zip(range(len(probes.values)), *columns.values(), strict=True)
        connection.executemany(f"INSERT INTO {target} VALUES ({places})", rows)
        return connection.execute(text).fetchall()


def _run_duckdb(text: str, probes: Probes, table: str | Sequence[str]) -> list[tuple[Any, ...]]:
    import duckdb

    dialect, columns = DIALECTS["duckdb"], _used_columns(probes)
    schema = probes.scoring.tree.schema
    by_name = dict(zip(schema.names, schema.columns, strict=True))
    connection = duckdb.connect()
    try:
        types = [_duckdb_type(by_name[name].categories) for name in columns]
        declared = [f"{dialect.identifier(name)} {kind}" for name, kind in zip(columns, types, strict=True)]
        *schemas, _ = parts = _table_parts(table, dialect)
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
