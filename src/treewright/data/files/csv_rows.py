"""CSV rows: a text by the rules of CSV, slowly and carefully.

In: the bytes of a text (UTF-8) and its delimiter. Out: its rows with their lines; or the same rows written so plainly
that every reader sees the same in them.
"""

import csv
import io
import mmap
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from treewright.errors import InputError

N_ROWS = 200
"""Rows at the beginning that are looked at."""
_END = "\x00"
"""A last line of our own: where it comes out inside of a cell, a quote was never closed. Texts with NUL are refused."""


def first_rows(text: str, delimiter: str) -> list[list[str]]:
    """The first rows of a text, blank ones left out, cells without the spaces around them.

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
    """The rows of a text by the rules of CSV: a cell in quotes may hold anything, two quotes in it are one."""
    csv.field_size_limit(2**31 - 1)
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != " ", strict=False)


class Rows:
    """The rows of a text by the rules of CSV, blank ones left out, and the line in which each begins."""

    def __init__(self, data: bytes | mmap.mmap, delimiter: str) -> None:
        lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
        self._rows = read_rows(chain(lines, (_END,)), delimiter)
        self.line = 0

    def __iter__(self) -> Iterator[list[str]]:
        behind = 0
        for row in self._rows:
            self.line, behind = behind + 1, self._rows.line_num
            if row and row[-1].endswith(_END):
                if row != [_END]:
                    raise InputError(
                        f"A quote opens in or behind line {self.line} and is never closed; close it, or double it."
                    )
                return
            if len(row) > 1 or (row and row[0].strip(" \t")):
                yield row


def straightened(
    data: bytes | mmap.mmap, delimiter: str, width: int, has_names: bool, name: str
) -> tuple[bytes, int]:
    """The rows behind the names, written anew with commas, quotes where they are needed, and no blank lines."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL if width == 1 else csv.QUOTE_MINIMAL)
    rows, n_rows = Rows(data, delimiter), 0
    for row in rows:
        if len(row) != width:
            raise ragged(name, width, rows.line, len(row))
        n_rows += 1
        if n_rows > has_names:
            writer.writerow(row)
    return out.getvalue().encode("utf-8"), n_rows - has_names


def ragged(name: str, width: int, line: int, n_cells: int) -> InputError:
    """The error for a row that is not as wide as the first."""
    cells = "1 cell" if n_cells == 1 else f"{n_cells} cells"
    return InputError(
        f"Line {line} of {name} has {cells}, but the first row has {width}; mend the line, or give the delimiter "
        "if that is another one."
    )
