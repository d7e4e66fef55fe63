"""Cell meaning: what a cell of text says: nothing, a number, a code or a date.

In: cells, as Python texts or as an expression of polars. Out: whether they are that, or what they are.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

MISSING = ("?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A")
"""Cells that say "not known", besides the empty one."""
CODE = r"^[+-]?(?:0[0-9]|[0-9]{16,}$)"
"""Texts that look like numbers but are codes: 00123, and whole numbers that float64 may confuse."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
_DAY = (
    r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}年\d{1,2}月\d{1,2}日)"
)
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:[AaPp][Mm])?(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
_MOMENT = re.compile(rf"(?:{_DAY}(?:[T ]\s?{_TIME})?|{_TIME})\Z", re.ASCII)


def known(cell: Any, missing: Sequence[str], pl: Any) -> Any:
    """An expression of text with null where a cell is empty or says "not known".

    >>> import polars
    >>> polars.DataFrame({"a": ["", "NA", "7"]}).select(known(polars.col("a"), ["NA"], polars)).to_series().to_list()
    [None, None, '7']
    """
    return pl.when(cell.is_in(["", *missing]).not_()).then(cell)


def is_number(cell: str, decimal: str) -> bool:
    """Whether a cell reads as a number.

    >>> is_number("1.5e3", "."), is_number("1,5", "."), is_number("1,5", ",")
    (True, False, True)
    """
    if decimal == ",":
        if "." in cell:
            return False
        cell = cell.replace(",", ".")
    return _NUMBER.match(cell) is not None


def any_number(missing: Sequence[str]) -> bool:
    """Whether a cell that says "not known" reads as a number, so that numbers have to be looked at one by one.

    >>> any_number(MISSING), any_number(["NA", "-999"])
    (False, True)
    """
    return any(is_number(marker, ".") for marker in missing)


def known_numbers(series: Any, missing: Sequence[str]) -> Any:
    """A column with null where a number is one that says "not known"; a column of others stays as it is.

    >>> import polars
    >>> known_numbers(polars.Series([1, -999]), ["NA", "-999"]).to_list()
    [1, None]
    """
    markers = [float(marker) for marker in missing if is_number(marker, ".")]
    if not markers or not series.dtype.is_numeric():
        return series
    is_marker = series.cast(float, strict=False).is_in(markers)
    return series.set(is_marker, None) if is_marker.any() else series


def as_number(cell: Any, decimal: str, pl: Any, *, codes: bool = True) -> Any:
    """An expression of text as a number: null stays null, what is no number is NaN, and so is a code if `codes`."""
    plain = cell.str.replace(",", ".", literal=True) if decimal == "," else cell
    wrong = cell.str.contains(CODE) if codes else pl.lit(False)
    if decimal == ",":
        wrong |= cell.str.contains(".", literal=True)
    value = plain.cast(pl.Float64, strict=False).fill_null(float("nan"))
    return pl.when(cell.is_null()).then(None).when(wrong).then(float("nan")).otherwise(value)


def are_dates(words: Iterable[str]) -> bool:
    """Whether all of the words are dates or times; no word is no date.

    >>> are_dates(["2024-02-29", "2024-03-01 12:30"]), are_dates(["2024-02-29", "never"]), are_dates([])
    (True, False, False)
    """
    words = iter(words)
    first = next(words, None)
    return first is not None and _is_date(first) and all(map(_is_date, words))


def _is_date(word: str) -> bool:
    return _MOMENT.match(word) is not None
