"""Typed kinds: columns whose types say what they are become numbers and categories, each with a reason.

In: a frame from a file with types, and how its columns are to be read. Out: a `Found` for each column.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from treewright.data.cells import EXACT
from treewright.data.files.cell_meaning import as_number
from treewright.data.files.kinds import (
    CATEGORY,
    GUESS,
    NUMBER,
    SKIP,
    Found,
    finite,
    no_number,
    said,
)
from treewright.data.files.wording import row_words
from treewright.errors import InputError, KindError

if TYPE_CHECKING:
    import polars as pl


def typed_kinds(frame: "pl.DataFrame", wanted: Mapping[str, str]) -> dict[str, Found]:
    """The columns of a frame whose types say what they are."""
    return {name: _typed(frame[name], wanted[name]) for name in frame.columns if wanted[name] != SKIP}


def _typed(series: "pl.Series", wanted: str) -> Found:
    import polars as pl

    name, dtype = series.name, series.dtype
    if wanted == CATEGORY:
        text = number_text(series) if dtype.is_float() else series
        text = text if dtype in (pl.Boolean, pl.Enum) else text.cast(pl.String)
        return Found(name, text, CATEGORY, "said to be a category")
    if dtype.is_numeric() or dtype == pl.Null or (dtype == pl.Boolean and wanted == NUMBER):
        if dtype.is_integer() and series.len() and not _exact(series):
            if wanted == GUESS:
                return Found(name, series.cast(pl.String), CATEGORY, "has more digits than a number can hold")
            raise InputError(f"Column {name!r} has whole numbers too long for float64; make it a category.")
        numbers = series.cast(pl.Float64).fill_nan(None)
        return Found(name, finite(numbers, row_words), NUMBER, said(wanted, "numbers"))
    if dtype == pl.Boolean:
        return Found(name, series, CATEGORY, "truth values")
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        text = series if dtype == pl.Enum else series.cast(pl.String)
        if wanted != NUMBER:
            return Found(name, text, CATEGORY, f"its type is {dtype.base_type()}")
        text = text.cast(pl.String)
        numbers = (
            text.to_frame().select(as_number(pl.col(name), ".", pl, codes=False)).to_series().alias(name)
        )
        if numbers.is_nan().any():
            raise no_number(name, text, numbers, row_words)
        return Found(name, finite(numbers, row_words), NUMBER, "said to be numbers")
    if dtype.is_temporal():
        raise KindError(
            f"Column {name!r} holds dates or times ({dtype}), which are neither numbers nor categories; "
            "ignore it, make it a category, or turn it into numbers such as days since a fixed date."
        )
    raise KindError(
        f"Column {name!r} has the type {dtype}, neither numbers nor text; ignore it, or take it apart."
    )


def number_text(series: "pl.Series") -> "pl.Series":
    """Floats as text, whole ones without a point, as a person writes them; NaN is missing.

    >>> import polars as pl
    >>> number_text(pl.Series([1.0, 2.5, None])).to_list()
    ['1', '2.5', None]
    """
    import polars as pl

    cell = pl.col(series.name).fill_nan(None)
    whole = (cell == cell.floor()) & (cell.abs() < EXACT)
    text = pl.when(whole).then(cell.cast(pl.Int64, strict=False).cast(pl.String)).otherwise(cell.cast(pl.String))
    return series.to_frame().select(text.alias(series.name)).to_series()


def _exact(series: "pl.Series") -> bool:
    return not bool(((series > EXACT) | (series < -EXACT)).any())
