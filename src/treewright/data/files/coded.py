"""Coded: rows as a file holds them, in the codes of a model's columns.

In: a frame as it was read from a file, often all text, and the columns of a model. Out: an `Encoded`. A column of plain
numbers, or of text that training showed, is coded by polars at once; one with anything else in it (spaces, markers,
unknown words) takes the way of `like_schema` and `encode_table`, which knows all of that and what to say of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import Encoded, Unseen, encode_table
from treewright.data.files.cell_meaning import any_number
from treewright.data.files.like import like_schema
from treewright.data.schema import Column, Kind

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Coder:
    """Codes frames of a file for a model.

    columns  the columns of the model
    by_name  whether they are met by their names; else by their places
    unseen   what a category becomes that training never showed: "error", "missing" or "mark"
    missing  cells of text that say "not known"
    decimal  the mark before the decimals of numbers in text

    >>> import polars as pl
    >>> coder = Coder((Column("size", Kind.NUMBER), Column("colour", Kind.CATEGORY, ("blue", "red"))), True, "mark")
    >>> coder.code(pl.DataFrame({"colour": ["red", "blue"], "size": ["1.5", "2"]})).values.tolist()
    [[1.5, 1.0], [2.0, 0.0]]
    """

    columns: tuple[Column, ...]
    by_name: bool
    unseen: str
    missing: Sequence[str] = ()
    decimal: str = "."
    _kinds: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import polars as pl

        for i, column in enumerate(self.columns):
            words = [word for word in column.categories if isinstance(word, str)]
            if words and len(words) == column.n_categories:
                self._kinds[i] = pl.Enum(words)

    def code(self, frame: pl.DataFrame) -> Encoded:
        """The rows of a frame, which has at least one and all the columns of the model."""
        values = np.empty((len(frame), len(self.columns)), order="F")
        slow: list[int] = []
        in_doubt = any_number(self.missing)  # a number may say that nothing is known
        for i, column in enumerate(self.columns):
            series = frame.get_column(column.name) if self.by_name else frame.to_series(i)
            found = None if in_doubt and column.kind == Kind.NUMBER else self._quick(series, i, column)
            if found is None:
                slow.append(i)
            else:
                values[:, i] = found
        unseen: tuple[Unseen, ...] = ()
        if slow:
            rest = self._careful(frame, slow)
            values[:, slow] = rest.values
            unseen = rest.unseen
        values += 0.0  # -0.0 and 0.0 are one number
        return Encoded(values, unseen)

    def _quick(self, series: pl.Series, i: int, column: Column) -> NDArray[np.float64] | None:
        """The codes of a column in which nothing is out of the ordinary; else None."""
        import polars as pl

        if column.kind == Kind.NUMBER and series.dtype == pl.Float64:
            read = series
        elif series.dtype != pl.String:
            return None
        elif column.kind == Kind.NUMBER:
            if self.decimal == ",":
                return None
            read = series.cast(pl.Float64, strict=False)
        elif i in self._kinds:
            read = series.cast(self._kinds[i], strict=False).to_physical().cast(pl.Float64)
        else:
            return None
        values = read.to_numpy()  # null becomes NaN
        if np.count_nonzero(np.isfinite(values)) + series.null_count() == len(values):
            return values
        doubtful = series.filter(~read.is_finite().fill_null(value=False) & series.is_not_null())
        if all(self._says_missing(word, column) for word in doubtful.unique().to_list()):
            return np.where(np.isfinite(values), values, np.nan)
        return None

    def _says_missing(self, word: object, column: Column) -> bool:
        """Whether a cell that is neither a number nor a category of the column only says that nothing is known."""
        bare = word.strip(" \t") if isinstance(word, str) else "no text"
        return (not bare or bare in self.missing) and bare not in column.categories

    def _careful(self, frame: pl.DataFrame, chosen: list[int]) -> Encoded:
        """The codes of some columns by the usual way."""
        columns = [self.columns[i] for i in chosen]
        if not self.by_name:
            frame = frame.select(frame.to_series(i) for i in chosen)
        alike = like_schema(
            frame, columns, by_name=self.by_name, missing=self.missing, decimal=self.decimal
        )
        return encode_table(alike, columns, self.unseen)
