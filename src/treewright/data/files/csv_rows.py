"""The careful CSV reader, based on Python's csv module.

In: the bytes of a text (UTF-8) and its delimiter. Out: its rows with their line numbers; or the same rows written
again in standard form, so that the fast reader of polars sees the same cells.
"""

import csv
import io
import mmap
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from treewright.errors import InputError
from treewright.text_table import pluralize

N_ROWS = 200
"""Rows at the beginning that are inspected."""
_END = "\x00"
"""Added as the last line: if it ends up in a cell, a quote is never closed. Texts that contain NUL are refused."""


def first_rows(text: str, delimiter: str) -> list[list[str]]:
    """The first rows of a text without blank ones, and without the spaces around cells.

    >>> first_rows('a, "b,c"\\n\\n1,2\\n', ",")
    [['a', 'b,c'], ['1', '2']]
    """
    rows: list[list[str]] = []
    for row in read_rows(io.StringIO(text, newline=""), delimiter):
        if len(row) > 1 or (row and row[0].strip(" \t")):
            rows.append([cell.strip(" \t") for cell in row])
            if len(rows) == N_ROWS:
                break
    return rows


def read_rows(lines: Iterable[str], delimiter: str) -> Any:
    """The rows of a text by the rules of CSV: a quoted cell may contain anything, and two quotes in it mean one."""
    csv.field_size_limit(2**31 - 1)
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != " ", strict=False)


class CsvRows:
    """The rows of a text without blank ones; `line` is the line in which the current row begins."""

    def __init__(self, data: bytes | mmap.mmap, delimiter: str) -> None:
        lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
        self._rows = read_rows(chain(lines, (_END,)), delimiter)
        self.line = 0

    def __iter__(self) -> Iterator[list[str]]:
        last_line = 0
        for row in self._rows:
            self.line, last_line = last_line + 1, self._rows.line_num
            if row and row[-1].endswith(_END):
                if row != [_END]:
                    raise InputError(
                        f"A quote that opens in or after line {self.line} is never closed; close it, or double it."
                    )
                return
            if len(row) > 1 or (row and row[0].strip(" \t")):
                yield row


def rewrite_csv(
    data: bytes | mmap.mmap, delimiter: str, width: int, has_names: bool, name: str
) -> tuple[bytes, int]:
    """The rows after the names, written with commas, minimal quotes and no blank lines; and the number of rows."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL if width == 1 else csv.QUOTE_MINIMAL)
    rows, n_rows = CsvRows(data, delimiter), 0
    for row in rows:
        if len(row) != width:
            raise wrong_width(name, width, rows.line, len(row))
        n_rows += 1
        if n_rows > has_names:
            writer.writerow(row)
    return out.getvalue().encode("utf-8"), n_rows - has_names


def wrong_width(name: str, width: int, line: int, n_cells: int) -> InputError:
    """The error for a row that does not have as many cells as the first."""
    return InputError(
        f"Line {line} of {name} has {pluralize(n_cells, 'cell')}, but the first row has {width}; correct the line, or "
        "pass `delimiter` if it is another character."
    )
