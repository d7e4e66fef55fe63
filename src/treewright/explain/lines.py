"""Lines: sentences and tables that fit a terminal.

In: a sentence or a grid of any width. Out: the same on lines of a readable width. A column is folded within itself, so
that a row may take several lines; nothing is lost but the middle of what no one can read.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from treewright.model.grid import Grid, text_width

WIDTH = 110
"""Cells of a terminal that a line takes."""

LEAST = 34
"""Cells that a folded column keeps at least."""

LONGEST, LONGEST_END = 600, 200
"""Characters of a sentence, and those of its end that stay when it has more: there stands what was decided."""


BREAKS = re.compile("(?<![<>=]) +")
"""Where a line may be broken: not between a sign and its number."""


def wrapped(lines: Iterable[str], width: int = WIDTH) -> list[str]:
    """Lines of a readable length, broken between words, but not within "<= 75".

    A word that takes a whole line is broken as well. A Chinese character takes two cells.

    >>> wrapped(["a " * 60])[0] == ("a " * 55).strip()
    True
    >>> wrapped(["西瓜 色泽 = 青绿"], 8)
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
    """A word in pieces that are not wider than a line."""
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


def shortened(line: str) -> str:
    """A sentence that can be read, whatever names are in it: of one that is too long the middle is left out.

    >>> len(shortened("n" * 10_000 + ": pruned.")), shortened("n" * 10_000 + ": pruned.")[-7:]
    (600, 'pruned.')
    """
    return line if len(line) <= LONGEST else line[: LONGEST - LONGEST_END - 1] + "…" + line[-LONGEST_END:]


def folded(grid: Grid, width: int = WIDTH) -> list[str]:
    """The lines of a table of this width, as far as its words can be broken; numbers never are.

    >>> table = Grid(["node", "where"], [["7", "outlook = sunny and humidity > 75"]], [True, False], [])
    >>> print("\\n".join(folded(table, 30)))
    node  where
       7  outlook = sunny and
          humidity > 75
    """
    widths = [max(map(text_width, cells)) for cells in zip(grid.head, *grid.rows, strict=True)]
    over = sum(widths) + 2 * (len(widths) - 1) - width
    words = [i for i, on_right in enumerate(grid.right) if not on_right]
    for i in sorted(words, key=lambda i: -widths[i]):
        kept = max(LEAST, text_width(grid.head[i]), widths[i] - over)
        if over > 0 and kept < widths[i]:
            over -= widths[i] - kept
            widths[i] = kept
    rows = []
    for row in grid.rows:
        cells = [
            [cell] if text_width(cell) <= wide else wrapped([cell], wide)
            for cell, wide in zip(row, widths, strict=True)
        ]
        tall = max(map(len, cells))
        rows += [[cell[i] if i < len(cell) else "" for cell in cells] for i in range(tall)]
    return replace(grid, rows=rows, below=wrapped(grid.below, width)).lines()
