"""Wrap sentences and tables to the width of a terminal.

A Chinese character takes two cells, which `textwrap` of the standard library does not know. A column of a table is
wrapped within itself, so a row may take several lines.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from treewright.text_table import Grid, text_width

WIDTH = 110
"""Cells of a terminal in a line."""

MIN_COLUMN_WIDTH = 34
"""Cells that a wrapped column keeps at least."""

MAX_LENGTH, END_LENGTH = 600, 200
"""Characters of a sentence, and those of its end that are kept if it has more: the end says what was decided."""

BREAKS = re.compile("(?<![<>=]) +")
"""Where a line may be broken: not between an operator and its number."""


def wrap_lines(lines: Iterable[str], width: int = WIDTH) -> list[str]:
    """Break lines between words, but not within "<= 75"; a word that is wider than a line is broken too.

    >>> wrap_lines(["a " * 60])[0] == ("a " * 55).strip()
    True
    >>> wrap_lines(["西瓜 色泽 = 青绿"], 8)
    ['西瓜', '色泽', '= 青绿']
    """
    found = []
    for line in lines:
        own: list[str] = []
        reached = 0
        for word in (part for whole in BREAKS.split(line.strip()) for part in _broken(whole, width)):
            wide = text_width(word)
            if own and reached + 1 + wide > width:
                found.append(" ".join(own))
                own, reached = [], 0
            reached += wide + bool(own)
            own.append(word)
        found.append(" ".join(own))
    return found


def _broken(word: str, width: int) -> list[str]:
    """Break a word into pieces that are not wider than a line."""
    if text_width(word) <= width:
        return [word]
    pieces, start, reached = [], 0, 0
    for i, character in enumerate(word):
        wide = text_width(character)
        if reached + wide > width and i > start:
            pieces.append(word[start:i])
            start, reached = i, 0
        reached += wide
    return [*pieces, word[start:]]


def shorten_text(line: str) -> str:
    """Shorten a sentence by its middle, if long names make it too long.

    >>> len(shorten_text("n" * 10_000 + ": pruned.")), shorten_text("n" * 10_000 + ": pruned.")[-7:]
    (600, 'pruned.')
    """
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - END_LENGTH - 1] + "…" + line[-END_LENGTH:]


def wrap_table(grid: Grid, width: int = WIDTH) -> list[str]:
    """Return the lines of a table of this width, as far as its texts can be broken; numbers never are.

    >>> table = Grid(["node", "where"], [["7", "outlook = sunny and humidity > 75"]], [True, False], [])
    >>> print("\\n".join(wrap_table(table, 30)))
    node  where
       7  outlook = sunny and
          humidity > 75
    """
    widths = [max(map(text_width, cells)) for cells in zip(grid.head, *grid.rows, strict=True)]
    over = sum(widths) + 2 * (len(widths) - 1) - width
    words = [i for i, on_right in enumerate(grid.right) if not on_right]
    for i in sorted(words, key=lambda i: -widths[i]):
        kept = max(MIN_COLUMN_WIDTH, text_width(grid.head[i]), widths[i] - over)
        if over > 0 and kept < widths[i]:
            over -= widths[i] - kept
            widths[i] = kept
    rows = []
    for row in grid.rows:
        cells = [
            [cell] if text_width(cell) <= wide else wrap_lines([cell], wide)
            for cell, wide in zip(row, widths, strict=True)
        ]
        tall = max(map(len, cells))
        rows += [[cell[i] if i < len(cell) else "" for cell in cells] for i in range(tall)]
    return replace(grid, rows=rows, below=wrap_lines(grid.below, width)).lines()
