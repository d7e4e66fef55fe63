"""The engine of a source of rows, and its columns by name."""

from importlib import import_module
from typing import Any

from treewright.data.sources import FILES, library_of
from treewright.errors import InputError
from treewright.scale.engine import Engine

ENGINES = {
    FILES: ("treewright.scale.local", "LocalEngine"),
    "dask": ("treewright.scale.dask_engine", "DaskEngine"),
    "pyspark": ("treewright.scale.spark_engine", "SparkEngine"),
    "duckdb": ("treewright.scale.query", "QueryEngine"),
    "_duckdb": ("treewright.scale.query", "QueryEngine"),
    "polars": ("treewright.scale.query", "QueryEngine"),
    "ibis": ("treewright.scale.query", "QueryEngine"),
}
"""The engine of each library, by module and class."""


def open_engine(source: Any) -> Engine:
    """The engine that counts the rows of a source."""
    library = library_of(source)
    if library is None:
        raise InputError(f"{type(source).__name__} is not a source of rows; pass a table, a path or a lazy frame.")
    module, name = ENGINES[library]
    engine: Engine = getattr(import_module(module), name)(source)
    return engine


def find_column(parameter: str, given: object, kinds: dict[str, str]) -> str:
    """The name of a column of a source, as a parameter has it; `kinds` are the columns.

    >>> find_column("y", "buys", {"age": "number", "buys": "text"})
    'buys'
    """
    if not isinstance(given, str) or given not in kinds:
        known = ", ".join(map(repr, list(kinds)[:8])) + (", ..." if len(kinds) > 8 else "")
        what = repr(given) if isinstance(given, str) else f"an object of type {type(given).__name__}"
        raise InputError(f"{parameter} must be the name of a column of the source, {known}, got {what}.")
    return given
