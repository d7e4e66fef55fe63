"""SQL dialects: how identifiers, texts, numbers and rows of constants are written.

In: a name or value of the user. Out: SQL text in which it is one identifier or one literal, whatever characters it has.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType

from treewright.errors import ExportError

LARGEST = "1.7976931348623157e308"
"""The largest float: a number above a threshold is at most this, and NaN is not."""

TableWriter = Callable[[str, list[str], list[list[str]]], str]
"""Writes a table of constants: its name, its column names and its rows."""

_CONTROL = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a database writes SQL.

    quotes        the characters around an identifier; the closing one is doubled inside
    double        the name of the type of 64-bit floats
    escapes       whether a backslash is an escape character in texts
    doubled       whether a quote in a text is doubled; otherwise it has a backslash
    escaped_names whether a backslash is an escape character in identifiers
    prefix        before a text
    booleans      the literals of false and true
    has_nan       whether columns may have NaN that is above every number
    text          around a column of texts, so that case and spaces count; {} is the column
    rows          a table of constants: its name, its column names and its rows
    greatest      the functions of the greatest and the least of several numbers
    levels        CASE expressions of a tree that are nested: those around and inside them add two
    sum_levels    levels of a tree in one sum over leaves, which is nested in the same way
    most_listed   values of an IN list; None: any number
    materialized  whether a subquery can be declared to be evaluated once
    excludes      whether SELECT * EXCLUDE leaves out columns: then large trees test codes of categories of a subquery
    """

    quotes: str = '""'
    double: str = "DOUBLE PRECISION"
    escapes: bool = False
    doubled: bool = True
    escaped_names: bool = False
    prefix: str = ""
    booleans: tuple[str, str] = ("FALSE", "TRUE")
    has_nan: bool = False
    text: str = "{}"
    rows: TableWriter
    greatest: tuple[str, str] = ("GREATEST", "LEAST")
    levels: int = 60
    sum_levels: int = 60
    most_listed: int | None = None
    materialized: bool = False
    excludes: bool = False

    def identifier(self, name: str) -> str:
        """A name as one identifier.

        >>> DIALECTS["duckdb"].identifier('a "b" c'), DIALECTS["sqlserver"].identifier("a]b")
        ('"a ""b"" c"', '[a]]b]')
        """
        if "\0" in name or not name:
            raise ExportError(f"The name {name!r} cannot be an identifier of SQL; use another name.")
        if self.escaped_names and ("`" in name or "\\" in name or "\n" in name):
            raise ExportError(f"The name {name!r} cannot be an identifier of this database; use another name.")
        return self.quotes[0] + name.replace(self.quotes[1], self.quotes[1] * 2) + self.quotes[1]

    def literal(self, value: object) -> str:
        """A value of the user as one literal.

        >>> DIALECTS["sqlite"].literal("it's"), DIALECTS["mysql"].literal("a\\\\b"), DIALECTS["duckdb"].literal(True)
        ("'it''s'", "'a\\\\\\\\b'", 'TRUE')
        """
        if isinstance(value, bool):
            return self.booleans[value]
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return self.number(value)
        text = str(value)
        if "\0" in text:
            raise ExportError(f"The value {text!r} cannot be a text of SQL, because it has a null character.")
        if self.escapes:
            text = text.replace("\\", "\\\\")
            text = "".join(_CONTROL.get(char, char) for char in text)
        return f"{self.prefix}'" + text.replace("'", "''" if self.doubled else "\\'") + "'"

    def number(self, value: float) -> str:
        """A float as a literal that is read as the same float.

        >>> DIALECTS["duckdb"].number(75.0), DIALECTS["duckdb"].number(0.1), DIALECTS["duckdb"].number(0.1 + 0.2)
        ('75', '0.1', '0.30000000000000004e0')
        """
        if not isfinite(value):
            raise ExportError(f"The number {value!r} cannot be written in SQL.")
        value += 0.0
        if value == int(value) and abs(value) < 2**53:
            return str(int(value))
        text = repr(value)
        # A decimal of up to 15 digits is converted exactly; a longer one has to be a float from the start.
        digits = len(text.lstrip("-0.").replace(".", ""))
        return text if "e" in text or digits <= 15 else text + "e0"

    def real(self, value: float) -> str:
        """A float as a literal of the type of floats, for arithmetic."""
        text = repr(float(value) + 0.0)
        return text if "e" in text else text + "e0"


def _values(name: str, names: list[str], rows: list[list[str]]) -> str:
    listed = ",\n    ".join(f"({', '.join(row)})" for row in rows)
    return f"{name}({', '.join(names)}) AS (\n  VALUES\n    {listed}\n)"


def _selected(values: str) -> TableWriter:
    """A table of constants as a derived table: SELECT * FROM (VALUES ...) AS v(names)."""

    def write(name: str, names: list[str], rows: list[list[str]]) -> str:
        listed = ",\n    ".join(f"({', '.join(row)})" for row in rows)
        return f"{name} AS (\n  " + values.format(name=name, rows=f"\n    {listed}\n  ", names=", ".join(names)) + "\n)"

    return write


def _structs(name: str, names: list[str], rows: list[list[str]]) -> str:
    """A table of constants as an array of structs, of which the first has the names."""
    first = ", ".join(f"{value} AS {column}" for value, column in zip(rows[0], names, strict=True))
    others = [f"STRUCT({', '.join(row)})" for row in rows[1:]]
    listed = ",\n    ".join([f"STRUCT({first})", *others])
    return f"{name} AS (\n  SELECT * FROM UNNEST([\n    {listed}\n  ])\n)"


def _rows_of_mysql(name: str, names: list[str], rows: list[list[str]]) -> str:
    listed = ",\n    ".join(f"ROW({', '.join(row)})" for row in rows)
    return f"{name}({', '.join(names)}) AS (\n  VALUES\n    {listed}\n)"


DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        "sqlite": Dialect(
            double="REAL", booleans=("0", "1"), rows=_values, greatest=("MAX", "MIN"), levels=12, sum_levels=8,
            materialized=True,  # the parser of SQLite has a stack of 100 symbols
        ),
        # DuckDB joins every longer list of an expression to the whole table.
        "duckdb": Dialect(double="DOUBLE", has_nan=True, rows=_values, most_listed=4, excludes=True),
        "postgres": Dialect(has_nan=True, rows=_values, materialized=True),
        "spark": Dialect(
            quotes="``", double="DOUBLE", escapes=True, doubled=False, has_nan=True,
            rows=_selected("SELECT * FROM VALUES{rows}AS {name}({names})"),
        ),
        "bigquery": Dialect(
            quotes="``", double="FLOAT64", escapes=True, doubled=False, escaped_names=True, rows=_structs
        ),
        "snowflake": Dialect(
            double="FLOAT", escapes=True, has_nan=True, rows=_selected("SELECT * FROM VALUES{rows}AS {name}({names})")
        ),
        "sqlserver": Dialect(
            quotes="[]", double="FLOAT", prefix="N", booleans=("0", "1"), text="{} COLLATE Latin1_General_BIN2",
            rows=_selected("SELECT * FROM (VALUES{rows}) AS {name}({names})"),
            levels=8, sum_levels=8,  # Microsoft documents a limit of 10
        ),
        "mysql": Dialect(
            quotes="``", double="DOUBLE", escapes=True, text="{} COLLATE utf8mb4_0900_bin", rows=_rows_of_mysql
        ),
        "mariadb": Dialect(
            quotes="``", double="DOUBLE", escapes=True, text="{} COLLATE utf8mb4_nopad_bin", rows=_values
        ),
    }
)  # fmt: skip
"""The dialects by name."""
