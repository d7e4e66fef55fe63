"""Predictions inside a database: the statement of `to_sql` on a DuckDB relation, an Ibis table or a Spark DataFrame.

In: a task of `prediction` and a source. Out: a source of the same kind with further columns, which is computed when it
is used.

The statement is about a table with names of our own: c0, c1, ... are the columns of the source, x0, x1, ... are those
that the model tests, and classes are their codes. So no name of the user is part of it, none can clash, and the order
of the columns does not matter. The columns that the model tests are converted to the types that it knows: a comparison
of a 32-bit number with the literal of a threshold would be made in 32 bits.
"""

from copy import copy
from dataclasses import replace
from secrets import token_hex
from typing import Any

import narwhals.stable.v2 as nw

from treewright.data.schema import Kind, Schema
from treewright.errors import ExportError, InputError
from treewright.export.scoring import scoring_of
from treewright.export.sql import refuse_inexpressible
from treewright.scale.engine import BOOLEAN, NUMBER, TEXT
from treewright.scale.prediction import PREDICTION, PredictionTask, check_columns, class_type, column_kind
from treewright.scale.query_frames import kind_of, place

DIALECT_OF_BACKEND = {
    "duckdb": "duckdb", "sqlite": "sqlite", "postgres": "postgres", "mysql": "mysql", "mssql": "sqlserver",
    "snowflake": "snowflake", "bigquery": "bigquery", "pyspark": "spark", "databricks": "spark",
}  # fmt: skip
"""The dialect of `to_sql` for each backend of Ibis that has one."""
KINDS = {float: (NUMBER, BOOLEAN), str: (TEXT,), bool: (BOOLEAN,)}
"""The kinds of columns of a source from which the values of a model can be read."""
TYPES: dict[type, Any] = {str: nw.String, bool: nw.Boolean, int: nw.Int64, float: nw.Float64}


def predict_by_sql(task: PredictionTask, source: Any, library: str) -> Any:
    """The source with the new columns."""
    names = list(source.columns)
    check_columns(task, names)
    dialect = dialect_of(source, library)
    scoring = scoring_of(task.model)
    refuse_inexpressible(scoring)
    used = [i for i in scoring.used if scoring.tree.schema.columns[i].source is None]
    if task.classes is not None:
        class_type(task.classes)
    table = f"treewright_{token_hex(8)}"
    statement = _anonymous(task.model).to_sql(dialect, table=(table,), **_wanted(task)).rstrip(";")
    rows = _named_rows(source, names, library)
    if used:
        rows = rows.with_columns(**_inputs(task, source, names, used))
    found = nw.from_native(_run(rows.to_native(), statement, table, library))
    kept = [nw.col(f"c{i}").alias(name) for i, name in enumerate(names)]
    return found.select(*kept, *_predictions(task)).to_native()


def dialect_of(source: Any, library: str) -> str:
    """The dialect of the database of a source."""
    if library == "pyspark":
        return "spark"
    if library != "ibis":
        return "duckdb"
    backend = source.get_backend().name
    if backend not in DIALECT_OF_BACKEND:
        raise ExportError(
            f"There is no SQL for the backend {backend!r} of Ibis; use one of {', '.join(DIALECT_OF_BACKEND)}, or "
            "predict tables in memory."
        )
    return DIALECT_OF_BACKEND[backend]


def _wanted(task: PredictionTask) -> dict[str, bool]:
    return {"probabilities": task.has_probabilities}


def _anonymous(model: Any) -> Any:
    """The same model with names of our own and with codes for classes."""
    tree = model._tree()
    columns = tuple(replace(column, name=f"x{i}") for i, column in enumerate(tree.schema.columns))
    target, classes = tree.schema.target, tree.schema.target.classes
    target = replace(target, name="target", classes=None if classes is None else tuple(range(len(classes))))
    other = copy(model)
    other.__dict__ = vars(other) | {"tree_": replace(tree, schema=Schema(columns, target))}
    return other


def _named_rows(source: Any, names: list[str], library: str) -> Any:
    """The rows with the columns c0, c1, ..., as a lazy frame of narwhals."""
    own = [f"c{i}" for i in range(len(names))]
    if library == "pyspark":  # whose names may be expressions
        return nw.from_native(source.toDF(*own))
    return nw.from_native(source).select(*(nw.nth(i).alias(name) for i, name in enumerate(own)))


def _inputs(task: PredictionTask, source: Any, names: list[str], used: list[int]) -> dict[str, Any]:
    """The columns x0, x1, ... that the model tests, from those of the source."""
    types = list(nw.from_native(source).collect_schema().values())
    found = {}
    for i in used:
        column = task.model._tree().schema.columns[i]
        at = names.index(column.name)
        values, kind = column_kind(column), kind_of(types[at])
        if values is not None and kind not in KINDS[values]:
            expected = {float: "numbers", str: "texts", bool: "booleans"}[values]
            raise InputError(
                f"Column {column.name!r} of the source has the type {types[at]}, but the model was fitted on "
                f"{expected}; convert it."
            )
        found[f"x{i}"] = _converted(nw.col(f"c{at}"), types[at], column.kind == Kind.NUMBER)
    return found


def _converted(cell: Any, dtype: Any, is_number: bool) -> Any:
    """A cell in the type of the literals that it is compared with."""
    if is_number or (kind_of(dtype) == NUMBER and not dtype.is_integer()):
        return cell.cast(nw.Float64)
    return cell.cast(nw.String) if kind_of(dtype) == TEXT else cell


def _run(rows: Any, statement: str, table: str, library: str) -> Any:
    """The result of the statement about a table, as a source of the library."""
    if library == "ibis":
        return rows.alias(table).sql(statement)
    if library == "pyspark":
        # A DataFrame that is named in braces needs no view that would stay behind.
        text = statement.replace("{", "{{").replace("}", "}}").replace(f"`{table}`", "{rows}")
        return rows.sparkSession.sql(text, rows=rows)
    return rows.query(table, statement)


def _predictions(task: PredictionTask) -> list[Any]:
    """The new columns: codes become classes."""
    if task.classes is None:
        return [nw.col(PREDICTION)]
    classes: tuple[Any, ...] = task.classes
    code, dtype = nw.col(PREDICTION), TYPES[class_type(classes)]
    labels = [nw.lit(label, dtype) for label in classes]
    # A row that the model refuses has no class.
    chosen = nw.when(~code.is_null()).then(place(code, [nw.lit(i) for i in range(len(labels) - 1)], labels))
    probabilities = [nw.col(f"probability_{k}").alias(name) for k, name in enumerate(task.names[1:])]
    return [chosen.alias(PREDICTION), *probabilities]
