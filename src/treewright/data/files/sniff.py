"""Sniff: what divides the cells of a text, and how its numbers are written.

In: the beginning of a text. Out: the delimiter, the decimal mark, and whether the first line can hold names.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial

from treewright.data.files.cell_meaning import is_number
from treewright.data.files.csv_rows import first_rows

DELIMITERS = ("\t", ";", "|", ",")
"""Where several fit equally, the first of these: a comma also stands in numbers and in sentences."""

_COMMA_NUMBER = re.compile(r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
_POINT_NUMBER = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


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


def number_among(row: Sequence[str], decimal: str) -> str | None:
    """The first cell of a row that is a number, if one is: a row of names has none."""
    return next(filter(partial(is_number, decimal=decimal), row), None)
