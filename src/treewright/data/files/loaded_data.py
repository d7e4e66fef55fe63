"""`Data`: a table read from a file, ready for an estimator, with the kind of each column and the reason.

In: columns as they were read, and their roles. Out: `Data` with X, y and the weights; printed, it shows the kind of
every column and why.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.categorical_features import FROM_DTYPE
from treewright.data.files.translatable import Translatable
from treewright.language import N_
from treewright.text_table import Grid, element, pluralize, printable, truncate

if TYPE_CHECKING:
    import polars as pl

FEW = 10
"""Integers with at most this many distinct values may be codes, which the reason mentions."""
FEATURES = ("number", "category", "ordered", "date")
"""Kinds of columns that are features."""
CONSTANT = Translatable(N_("constant"))
N_SHOWN = 40
"""Columns that are printed."""
LONGEST = 40
"""Characters of a name that are printed."""


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A column of a file: its kind and the reason.

    Attributes
    ----------
    name : str
    kind : "number", "category", "ordered", "date", "target", "weight" or "ignored"
    n_values : int or None
        Number of distinct values; None for a column that was not read.
    n_missing : int or None
        Number of missing cells; None for a column that was not read.
    why : str
        The reason for the kind.
    """

    name: str
    kind: str
    n_values: int | None
    n_missing: int | None
    why: str


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """A table from a file; `X, y = data` unpacks it.

    Attributes
    ----------
    X : polars.DataFrame
        The features. Numbers are Float64; dates are Datetime, Date, Time or Duration; categories are
        String, Boolean, or Enum if their levels are declared.
    y : polars.Series or None
        The target; integers are Int64.
    sample_weight : array or None
        The weight of each row.
    source : str
        Where the table comes from.
    notes : tuple of str
        Sentences about what was done and may be unexpected.
    levels : mapping
        The declared categories of columns, by name; those of ordered columns from low to high.
    missing : tuple of str or None
        The missing-value markers of a text.
    formats : mapping
        How numbers and dates are written, such as "$1,234.5" or "dmy", by column; plain numbers are not in it.

    Examples
    --------
    >>> from polars import DataFrame, Series
    >>> X, y = Data(DataFrame({"size": ["S", "L"]}), Series("fits", ["no", "yes"]))
    >>> X.columns, y.name
    (['size'], 'fits')
    """

    X: "pl.DataFrame"
    y: "pl.Series | None" = None
    sample_weight: "NDArray[np.float64] | None" = None
    source: str = ""
    notes: tuple[str, ...] = ()
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    read_columns: tuple["DataColumn", ...] = field(default=(), repr=False)
    missing: tuple[str, ...] | None = None
    formats: Mapping[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.X, self.y))

    def __len__(self) -> int:
        return self.X.height

    @property
    def target(self) -> str | None:
        """The name of the target."""
        return None if self.y is None else self.y.name

    @property
    def categorical_features(self) -> Any:
        """The parameter of an estimator: "from_dtype", or the levels of ordered columns by name, low to high."""
        ordered = [part.name for part in self.read_columns if part.kind == "ordered"]
        return {name: list(self.levels[name]) for name in ordered} or FROM_DTYPE

    @cached_property
    def columns(self) -> tuple[ReadColumn, ...]:
        """Every column of the file in its order, with its kind and the reason."""
        return tuple(part.column() for part in self.read_columns)

    def write_schema(self, path: Any, overwrite: bool = False) -> None:
        """Write the kinds, levels and roles of the columns to a JSON file for `read(..., schema=path)`.

        Parameters
        ----------
        path : str or path
            File to write; compressed if it ends in .gz or .zst.
        overwrite : bool, default=False
            Whether an existing file is replaced; otherwise it is an error.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from treewright import read
        >>> with TemporaryDirectory() as folder:
        ...     table, schema = Path(folder, "golf.csv"), Path(folder, "schema.json")
        ...     _ = table.write_text("wind,play\\n1,yes\\n2,no\\n")
        ...     read(table, "play", categorical=["wind"]).write_schema(schema)
        ...     read(table, schema=schema).columns[0].kind
        'category'
        """
        from treewright.data.files.schema_file import write_schema

        write_schema(self, path, overwrite=overwrite)

    def __repr__(self) -> str:
        return format_data(self)

    def _repr_html_(self) -> str:
        return data_html(self)


@dataclass(frozen=True, slots=True, eq=False)
class DataColumn:
    """A column of a file and its kind or role; `series` is None if it was not read."""

    name: str
    kind: str
    series: "pl.Series | None"
    why: str

    def column(self) -> ReadColumn:
        """The column with its values counted."""
        if self.series is None:
            return ReadColumn(self.name, self.kind, None, None, self.why)
        n_missing = self.series.null_count()
        n_values = self.series.n_unique() - (n_missing > 0)
        why = self.why or self._reason(n_values)
        if self.why and n_values == 1 and self.kind in FEATURES:
            why = Translatable(N_("{reason}; constant"), reason=why)
        return ReadColumn(self.name, self.kind, n_values, n_missing, why)

    def _reason(self, n_values: int) -> str:
        """The reason for the kind by the values."""
        if n_values < 2:
            return CONSTANT if n_values else Translatable(N_("no known values"))
        series = self.series
        if series is None or not series.dtype.is_numeric():
            return Translatable(N_("text"))
        if self.kind == "target" and series.dtype.is_integer():
            return Translatable(N_("integers, which may be classes or amounts"))
        known = series.alias("").drop_nulls()
        whole = bool((known == known.floor()).all())
        if whole and n_values <= FEW:
            return Translatable(
                N_("integers with {n} distinct values; use `categorical` if they are codes"), n=n_values
            )
        if whole:
            return Translatable(N_("every known cell is an integer"))
        return Translatable(N_("every known cell is a number"))


def format_data(data: "Data") -> str:
    """What print(data) shows: a table of the columns, and the notes below it."""
    return "\n".join([_heading(data), *_column_table(data).lines(), *map(printable, data.notes)])


def data_html(data: "Data") -> str:
    """The same for a notebook."""
    notes = "".join(element("p", printable(note)) for note in data.notes)
    return f"<div>{element('p', _heading(data))}{_column_table(data).html()}{notes}</div>"


def _heading(data: "Data") -> str:
    target = "no target" if data.target is None else f"target {_shown(data.target)}"
    size = f"{pluralize(data.X.height, 'row')}, {pluralize(data.X.width, 'column')}"
    return f"{printable(data.source)}: {size}, {target}"


def _column_table(data: "Data") -> Grid:
    rows = []
    for column in (part.column() for part in data.read_columns[:N_SHOWN]):
        counts = ["" if n is None else str(n) for n in (column.n_values, column.n_missing)]
        rows.append([_shown(column.name), column.kind, *counts, printable(column.why)])
    n_more = len(data.read_columns) - N_SHOWN
    below = [f"… {pluralize(n_more, 'more column')}"] if n_more > 0 else []
    return Grid(["column", "kind", "values", "missing", "why"], rows, [False, False, True, True, False], below)


def _shown(name: str) -> str:
    return printable(truncate(name, LONGEST))
