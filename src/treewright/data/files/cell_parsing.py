"""Whether a cell of text is missing, a number or a code.

In: cells, as Python strings or as a polars expression. Out: whether they are that, or their values.
"""

import re
from collections.abc import Sequence
from typing import Any

MISSING_MARKERS = ("?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A")
"""Cells that are missing values, besides the empty one."""
CODE = r"^[+-]?(?:0[0-9]|[0-9]{16,}$)"
"""Text that looks like a number but is a code: 00123, and integers with too many digits for float64."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


def null_if_missing(cell: Any, missing: Sequence[str], pl: Any) -> Any:
    """A string expression with null for cells that are empty or a missing-value marker.

    >>> import polars as pl
    >>> pl.DataFrame({"a": ["", "NA", "7"]}).select(null_if_missing(pl.col("a"), ["NA"], pl))["a"].to_list()
    [None, None, '7']
    """
    return pl.when(cell.is_in(["", *missing]).not_()).then(cell)


def is_number(cell: str, decimal: str) -> bool:
    """Whether a cell is a number.

    >>> is_number("1.5e3", "."), is_number("1,5", "."), is_number("1,5", ",")
    (True, False, True)
    """
    if decimal == ",":
        if "." in cell:
            return False
        cell = cell.replace(",", ".")
    return _NUMBER.match(cell) is not None


def has_number_marker(missing: Sequence[str]) -> bool:
    """Whether a missing-value marker is a number, so that numbers must be compared with it.

    >>> has_number_marker(MISSING_MARKERS), has_number_marker(["NA", "-999"])
    (False, True)
    """
    return any(is_number(marker, ".") for marker in missing)


def null_number_markers(series: Any, missing: Sequence[str]) -> Any:
    """A column of numbers with null for missing-value markers; other columns are not changed.

    >>> import polars
    >>> null_number_markers(polars.Series([1, -999]), ["NA", "-999"]).to_list()
    [1, None]
    """
    markers = [float(marker) for marker in missing if is_number(marker, ".")]
    if not markers or not series.dtype.is_numeric():
        return series
    is_marker = series.alias("").cast(float, strict=False).is_in(markers)
    return series.set(is_marker, None) if is_marker.any() else series


def parse_numbers(cell: Any, decimal: str, pl: Any, *, codes: bool = True) -> Any:
    """A string expression as numbers: null stays null, other text becomes NaN, and so does a code if `codes`."""
    plain = cell.str.replace(",", ".", literal=True) if decimal == "," else cell
    wrong = cell.str.contains(CODE) if codes else pl.lit(False)
    if decimal == ",":
        wrong |= cell.str.contains(".", literal=True)
    value = plain.cast(pl.Float64, strict=False).fill_null(float("nan"))
    return pl.when(cell.is_null()).then(None).when(wrong).then(float("nan")).otherwise(value)
