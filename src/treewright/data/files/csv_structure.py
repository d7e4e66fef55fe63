"""The structure of a CSV text, found by numpy before any cell is read.

In: the bytes of a text (UTF-8) and its delimiter. Out: the number of rows, the first row with another number of
cells, and whether the quotes are so regular that the fast reader of polars sees the same cells as the careful reader.
The text is scanned piece by piece and not copied.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 22
NEWLINE, RETURN, QUOTE = b'\n\r"'


@dataclass(slots=True, eq=False)
class CsvStructure:
    """What the scan found; blank lines are not rows.

    width       number of cells of the first row
    n_rows      number of rows, including the names
    n_lines     number of lines, including those in quoted cells
    has_blank   whether there are blank lines before the last row
    odd_quotes  whether quotes are in places where readers differ, or are never closed
    nul_line    the line of the first NUL byte; None if there is none
    ragged      line and number of cells of the first row that is not as wide as the first
    begin       the byte after the first row
    row_ends    bytes after the ends of some rows, the last one after the last row
    """

    width: int = 0
    n_rows: int = 0
    n_lines: int = 0
    has_blank: bool = False
    odd_quotes: bool = False
    nul_line: int | None = None
    ragged: tuple[int, int] | None = None
    begin: int = 0
    row_ends: list[int] = field(default_factory=list)

    @property
    def is_regular(self) -> bool:
        """Whether the fast reader sees the same rows as the careful one."""
        return not (self.odd_quotes or self.has_blank or self.nul_line is not None or self.ragged is not None)


@dataclass(slots=True, eq=False)
class _State:
    """What one piece passes on to the next: open quote, cells and first byte of the row, pending blank lines."""

    inside: int = 0
    n_delimiters: int = 0
    start: int = 0
    line: int = 1
    row_line: int = 1
    pending_blank: bool = False


def scan_structure(data: NDArray[np.uint8], delimiter: int) -> CsvStructure:
    """Scan a whole text.

    >>> found = scan_structure(np.frombuffer(b'a,b\\n1,"x,\\ny"\\n2\\n', dtype=np.uint8), ord(","))
    >>> found.width, found.n_rows, found.ragged
    (2, 3, (4, 1))
    """
    seen, state = CsvStructure(), _State()
    for start in range(0, len(data), PIECE):
        _scan_piece(data, start, delimiter, seen, state)
    if state.inside:
        seen.odd_quotes = True
    if state.start < len(data):
        ends = np.array([len(data)], dtype=np.int64)
        _count_rows(data, ends, np.array([state.n_delimiters]), np.array([state.line]), seen, state)
    seen.n_lines = state.line - 1 + (len(data) > 0 and data[-1] != NEWLINE)
    return seen


def _scan_piece(data: NDArray[np.uint8], start: int, delimiter: int, seen: CsvStructure, state: _State) -> None:
    """Scan one piece of the text."""
    piece = data[start : start + PIECE]
    if seen.nul_line is None and piece.min() == 0:
        seen.nul_line = state.line + int((piece[: int(piece.argmin())] == NEWLINE).sum())
    all_ends = np.flatnonzero(piece == NEWLINE)
    ends, delimiters = all_ends, np.flatnonzero(piece == delimiter)
    quotes = np.flatnonzero(piece == QUOTE)
    if len(quotes) or state.inside:
        seen.odd_quotes = seen.odd_quotes or _has_odd_quotes(data, quotes + start, delimiter, state.inside)
        ends = ends[(np.searchsorted(quotes, ends) + state.inside) & 1 == 0]
        delimiters = delimiters[(np.searchsorted(quotes, delimiters) + state.inside) & 1 == 0]
        state.inside = (state.inside + len(quotes)) & 1
    below = np.searchsorted(delimiters, ends)
    counts = np.diff(below, prepend=-state.n_delimiters)
    lines = state.line + np.searchsorted(all_ends, ends)
    _count_rows(data, ends + start, counts, lines, seen, state)
    state.n_delimiters = (
        len(delimiters) - int(below[-1]) if len(ends) else state.n_delimiters + len(delimiters)
    )
    state.line += len(all_ends)


def _has_odd_quotes(data: NDArray[np.uint8], quotes: NDArray[np.int64], delimiter: int, inside: int) -> bool:
    """Whether a quote opens after, or closes before, anything but a delimiter, a line end or a quote."""
    opens = quotes[inside::2]
    closes = quotes[1 - inside :: 2]
    before = data[np.maximum(opens - 1, 0)]
    opens_well = np.isin(before, (delimiter, NEWLINE, RETURN, QUOTE)) | (opens == 0)
    after = data[np.minimum(closes + 1, len(data) - 1)]
    closes_well = np.isin(after, (delimiter, NEWLINE, RETURN, QUOTE)) | (closes == len(data) - 1)
    return not (bool(opens_well.all()) and bool(closes_well.all()))


def _count_rows(
    data: NDArray[np.uint8],
    ends: NDArray[np.int64],
    counts: NDArray[np.int64],
    lines: NDArray[np.int64],
    seen: CsvStructure,
    state: _State,
) -> None:
    """Count the rows that end at `ends`, with `counts` delimiters in each."""
    if not len(ends):
        return
    starts = np.concatenate(([state.start], ends[:-1] + 1))
    state.start = int(ends[-1]) + 1
    if seen.width == 0:
        first = next((i for i in range(len(ends)) if not _is_blank(data[starts[i] : ends[i]])), None)
        seen.width = 0 if first is None else int(counts[first]) + 1
    blank = np.zeros(len(ends), dtype=bool)
    for i in _maybe_blank(ends - starts, counts, seen.width).tolist():
        blank[i] = _is_blank(data[starts[i] : ends[i]])
        if not blank[i] and seen.width > 1:
            break  # a row that is too short is an error, whatever follows
    begins = np.concatenate(([state.row_line], lines[:-1] + 1))
    state.row_line = int(lines[-1]) + 1
    rows = np.flatnonzero(~blank)
    if not len(rows):
        state.pending_blank = True
        return
    seen.has_blank = seen.has_blank or state.pending_blank or bool(blank[: rows[-1]].any())
    state.pending_blank = bool(blank[rows[-1] :].any())
    wrong = rows[counts[rows] + 1 != seen.width]
    if seen.ragged is None and len(wrong):
        seen.ragged = (int(begins[wrong[0]]), int(counts[wrong[0]]) + 1)
    if seen.n_rows == 0:
        seen.begin = int(ends[rows[0]]) + 1
    seen.n_rows += len(rows)
    seen.row_ends.append(min(int(ends[rows[-1]]) + 1, len(data)))


def _maybe_blank(lengths: NDArray[np.int64], counts: NDArray[np.int64], width: int) -> NDArray[np.intp]:
    """Rows that may be blank; in a text of one column only empty ones, so that not every row is inspected."""
    if width == 1:
        return np.flatnonzero(lengths <= 1)
    return np.flatnonzero(counts == 0)


def _is_blank(row: NDArray[np.uint8]) -> bool:
    return not row.tobytes().strip(b" \t\r")
