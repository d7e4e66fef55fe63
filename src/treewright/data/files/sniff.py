"""Sniff: what divides the cells of a text, and how its numbers are written.

In: the beginning of a text. Out: the delimiter, the decimal mark, and whether the first line can hold names.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

DELIMITERS = ("\t", ";", "|", ",")
"""Where several fit equally, the first of these: a comma also stands in numbers and in sentences."""
N_ROWS = 200
"""Rows at the beginning that are looked at."""

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
_COMMA_NUMBER = re.compile(r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
_POINT_NUMBER = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


def first_rows(text: str, delimiter: str, n_rows: int = N_ROWS) -> list[list[str]]:
    """The first rows of a text, blank ones left out, cells without the spaces around them.

    >>> first_rows('a, "b,c"\\n\\n1,2\\n', ",")
    [['a', 'b,c'], ['1', '2']]
    """
    rows: list[list[str]] = []
    for row in read_rows(io.StringIO(text, newline=""), delimiter):
        if len(row) > 1 or (row and row[0].strip(" \t")):
            rows.append([cell.strip(" \t") for cell in row])
            if len(rows) == n_rows:
                break
    return rows


def read_rows(lines: Iterable[str], delimiter: str) -> Any:
    """The rows of a text by the rules of CSV: a cell in quotes may hold anything, two quotes in it are one."""
    csv.field_size_limit(2**31 - 1)
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != " ", strict=False)


def sniff_delimiter(text: str, decimal: str | None = None) -> str:
    """The delimiter that cuts the first rows into the same number of cells, at least two; a comma if none does.

    A comma that stands in numbers (`decimal`) divides nothing.

    >>> sniff_delimiter('a;b\\n1,5;2,5\\n'), sniff_delimiter('a\\n1\\n')
    (';', ',')
    """
    best, best_share = ";" if decimal == "," else ",", 0.0
    for delimiter in DELIMITERS:
        if delimiter not in text or delimiter == decimal:
            continue
        widths = [len(row) for row in first_rows(text, delimiter)]
        width, n_rows = Counter(widths).most_common(1)[0] if widths else (1, 0)
        share = n_rows / len(widths) if width > 1 else 0.0
        if share > best_share:
            best, best_share = delimiter, share
    return best


def sniff_decimal(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """The mark before the decimals: a comma only where a cell is such a number and none has a point.

    >>> sniff_decimal([["a", "b"], ["1,5", "red"]], ";")
    ','
    """
    if delimiter == ",":
        return "."
    cells = [cell for row in rows for cell in row]
    commas = any(map(_COMMA_NUMBER.match, cells))
    return "," if commas and not any(map(_POINT_NUMBER.match, cells)) else "."


def is_number(cell: str, decimal: str) -> bool:
    """Whether a cell reads as a number.

    >>> is_number("1.5e3", "."), is_number("1,5", "."), is_number("1,5", ",")
    (True, False, True)
    """
    if decimal == ",":
        if "." in cell:
            return False
        cell = cell.replace(",", ".")
    return NUMBER.match(cell) is not None


def number_among(row: Sequence[str], decimal: str) -> str | None:
    """The first cell of a row that is a number, if one is: a row of names has none."""
    return next(filter(partial(is_number, decimal=decimal), row), None)
