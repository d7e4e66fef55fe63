"""Data: a table read from a file, ready for an estimator, and what was decided about each of its columns.

In: columns as they were read, and the part that each plays. Out: `Data` with X, y and the weights; printed, it shows
the kind of every column and why.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.declared import FROM_DTYPE

if TYPE_CHECKING:
    import polars as pl

FEW = 10
"""Whole numbers with at most so many values may be meant as codes, and are worth a word."""
FEATURES = ("number", "category", "ordered")
"""Kinds of columns that are learned from."""
CONSTANT = "one value only, which divides no rows"


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A column of a file: what it is, and why.

    kind       "number", "category", "ordered", "target", "weight" or "ignored"
    n_values   different values; None for a column that was not read
    n_missing  missing cells; None for a column that was not read
    why        the reason in words
    """

    name: str
    kind: str
    n_values: int | None
    n_missing: int | None
    why: str


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """A table from a file; `X, y = data` takes it apart.

    X              polars DataFrame: numbers are Float64; categories String, Boolean, or Enum where levels are declared
    y              polars Series of the target, or None; whole numbers are Int64
    sample_weight  one number for each row, or None
    source         where the table came from
    notes          what was done and may be unexpected, in sentences
    levels         the declared categories of columns, by name; those of ordered ones stand low to high

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
    parts: tuple["Part", ...] = field(default=(), repr=False)
    missing: tuple[str, ...] | None = None

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
        """What to give an estimator: "from_dtype", or the levels of ordered columns by name, low to high."""
        ordered = [part.name for part in self.parts if part.kind == "ordered"]
        return {name: list(self.levels[name]) for name in ordered} or FROM_DTYPE

    @cached_property
    def columns(self) -> tuple[ReadColumn, ...]:
        """Every column of the file in its order: its kind and why."""
        return tuple(part.column() for part in self.parts)

    def write_schema(self, path: Any, overwrite: bool = False) -> None:
        """Write the kinds, levels and parts of the columns as a file that `read(..., schema=path)` takes."""
        from treewright.data.files.schema_file import write_schema

        write_schema(self, path, overwrite=overwrite)

    def __repr__(self) -> str:
        from treewright.data.files.listing import listing

        return listing(self)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A column of a file and the part it plays; `series` is None when it was not read."""

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
            why += f"; {CONSTANT}"
        return ReadColumn(self.name, self.kind, n_values, n_missing, why)

    def _reason(self, n_values: int) -> str:
        """Why the kind is plain from the values."""
        if n_values == 0:
            return "no value is known"
        if n_values == 1:
            return CONSTANT
        series = self.series
        if series is None or not series.dtype.is_numeric():
            return "words"
        if self.kind == "target" and series.dtype.is_integer():
            return "whole numbers, which may be classes or amounts"
        whole = bool((series.drop_nulls() == series.drop_nulls().floor()).all())
        if whole and n_values <= FEW:
            return f"whole numbers, {n_values} of them; name the column as categorical if they are codes"
        return "every known cell is a whole number" if whole else "every known cell is a number"
