"""Survey: the shape of a text of rows and cells, before anybody reads its cells.

In: the bytes of a text (UTF-8) and its delimiter. Out: how many rows it has, the first row with another number of
cells, and whether it keeps so closely to the rules of quoting that a fast reader sees what a careful one sees. The
text is looked at piece by piece, without a copy of it.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 22
NEWLINE, RETURN, QUOTE = b'\n\r"'


@dataclass(slots=True, eq=False)
class Survey:
    """What was seen.

    width      cells in the first row that is not blank
    n_rows     rows that are not blank, that of the names among them
    n_lines    lines, those in quoted cells too
    blank      whether blank lines stand before the last row
    odd        whether quotes stand in places where readers differ, or end nowhere
    zero       the line of the first NUL byte, if there is one
    ragged     line and number of cells of the first row that is not as wide as the first
    begin      the byte behind the first row that is not blank
    cuts       bytes behind the ends of some rows, the last of them behind the last row that is not blank
    """

    width: int = 0
    n_rows: int = 0
    n_lines: int = 0
    blank: bool = False
    odd: bool = False
    zero: int | None = None
    ragged: tuple[int, int] | None = None
    begin: int = 0
    cuts: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _State:
    """What one piece leaves to the next: open quote, cells and first byte of the row, blank rows not yet followed."""

    inside: int = 0
    n_delimiters: int = 0
    start: int = 0
    line: int = 1
    row_line: int = 1
    pending_blank: bool = False


def survey(data: NDArray[np.uint8], delimiter: int) -> Survey:
    """Look at a whole text.

    >>> found = survey(np.frombuffer(b'a,b\\n1,"x,\\ny"\\n2\\n', dtype=np.uint8), ord(","))
    >>> found.width, found.n_rows, found.ragged
    (2, 3, (4, 1))
    """
    seen, state = Survey(), _State()
    for start in range(0, len(data), PIECE):
        _look(data, start, delimiter, seen, state)
    if state.inside:
        seen.odd = True
    if state.start < len(data):
        ends = np.array([len(data)], dtype=np.int64)
        _rows(data, ends, np.array([state.n_delimiters]), np.array([state.line]), seen, state)
    seen.n_lines = state.line - 1 + (len(data) > 0 and data[-1] != NEWLINE)
    return seen


def _look(data: NDArray[np.uint8], start: int, delimiter: int, seen: Survey, state: _State) -> None:
    """Take one piece of the text into account."""
    piece = data[start : start + PIECE]
    if seen.zero is None and piece.min() == 0:
        seen.zero = state.line + int((piece[: int(piece.argmin())] == NEWLINE).sum())
    all_ends = np.flatnonzero(piece == NEWLINE)
    ends, delimiters = all_ends, np.flatnonzero(piece == delimiter)
    quotes = np.flatnonzero(piece == QUOTE)
    if len(quotes) or state.inside:
        seen.odd = seen.odd or _odd(data, quotes + start, delimiter, state.inside)
        ends = ends[(np.searchsorted(quotes, ends) + state.inside) & 1 == 0]
        delimiters = delimiters[(np.searchsorted(quotes, delimiters) + state.inside) & 1 == 0]
        state.inside = (state.inside + len(quotes)) & 1
    below = np.searchsorted(delimiters, ends)
    counts = np.diff(below, prepend=-state.n_delimiters)
    lines = state.line + np.searchsorted(all_ends, ends)
    _rows(data, ends + start, counts, lines, seen, state)
    state.n_delimiters = (
        len(delimiters) - int(below[-1]) if len(ends) else state.n_delimiters + len(delimiters)
    )
    state.line += len(all_ends)


def _odd(data: NDArray[np.uint8], quotes: NDArray[np.int64], delimiter: int, inside: int) -> bool:
    """Whether a quote opens behind something else than a delimiter, or closes before something else."""
    opens = quotes[inside::2]
    closes = quotes[1 - inside :: 2]
    before = data[np.maximum(opens - 1, 0)]
    fine = np.isin(before, (delimiter, NEWLINE, RETURN, QUOTE)) | (opens == 0)
    behind = data[np.minimum(closes + 1, len(data) - 1)]
    fine_too = np.isin(behind, (delimiter, NEWLINE, RETURN, QUOTE)) | (closes == len(data) - 1)
    return not (bool(fine.all()) and bool(fine_too.all()))


def _rows(
    data: NDArray[np.uint8],
    ends: NDArray[np.int64],
    counts: NDArray[np.int64],
    lines: NDArray[np.int64],
    seen: Survey,
    state: _State,
) -> None:
    """Count the rows that end here, `counts` delimiters in each; blank ones are none."""
    if not len(ends):
        return
    starts = np.concatenate(([state.start], ends[:-1] + 1))
    state.start = int(ends[-1]) + 1
    if seen.width == 0:
        first = next((i for i in range(len(ends)) if not _is_blank(data[starts[i] : ends[i]])), None)
        seen.width = 0 if first is None else int(counts[first]) + 1
    blank = np.zeros(len(ends), dtype=bool)
    for i in _suspects(ends - starts, counts, seen.width).tolist():
        blank[i] = _is_blank(data[starts[i] : ends[i]])
        if not blank[i] and seen.width > 1:
            break  # a row that is too short: what stands behind it does not matter any more
    begins = np.concatenate(([state.row_line], lines[:-1] + 1))
    state.row_line = int(lines[-1]) + 1
    rows = np.flatnonzero(~blank)
    if not len(rows):
        state.pending_blank = True
        return
    seen.blank = seen.blank or state.pending_blank or bool(blank[: rows[-1]].any())
    state.pending_blank = bool(blank[rows[-1] :].any())
    wrong = rows[counts[rows] + 1 != seen.width]
    if seen.ragged is None and len(wrong):
        seen.ragged = (int(begins[wrong[0]]), int(counts[wrong[0]]) + 1)
    if seen.n_rows == 0:
        seen.begin = int(ends[rows[0]]) + 1
    seen.n_rows += len(rows)
    seen.cuts.append(min(int(ends[rows[-1]]) + 1, len(data)))


def _suspects(lengths: NDArray[np.int64], counts: NDArray[np.int64], width: int) -> NDArray[np.intp]:
    """Rows that may be blank. In a text of one column only empty ones are, lest every row be looked at."""
    if width == 1:
        return np.flatnonzero(lengths <= 1)
    return np.flatnonzero(counts == 0)


def _is_blank(row: NDArray[np.uint8]) -> bool:
    return not row.tobytes().strip(b" \t\r")
