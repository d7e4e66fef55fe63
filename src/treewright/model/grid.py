"""Grid: a table of words on a terminal or in a notebook, and a table of cells as a data frame.

In: a head and rows of words; or columns of cells by name. Out: aligned lines, HTML, or a frame. Names and categories
come from the user's table, so they are shown as text, whatever they hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from unicodedata import combining, east_asian_width

from treewright.errors import TreewrightError

LIBRARIES = ("pandas", "polars")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of words: its head, its rows, which columns stand on the right, and the lines below it."""

    head: list[str]
    rows: list[list[str]]
    right: list[bool]
    below: list[str]

    def lines(self) -> list[str]:
        """The table for a terminal.

        >>> Grid(["node", "where"], [["0", "root"]], [True, False], ["… 2 more nodes"]).lines()
        ['node  where', '   0  root', '… 2 more nodes']
        """
        lines = [self.head, *self.rows]
        widths = [max(map(text_width, cells)) for cells in zip(*lines, strict=True)]
        return [*(_line(cells, widths, self.right) for cells in lines), *self.below]

    def html(self) -> str:
        """The table for a notebook.

        >>> Grid(["node"], [["<0>"]], [True], []).html()
        '<table><tr><th>node</th></tr><tr><td>&lt;0&gt;</td></tr></table>'
        """
        lines = [[element("th", cell) for cell in self.head]]
        lines += [[element("td", cell) for cell in row] for row in self.rows]
        table = "".join("<tr>" + "".join(line) + "</tr>" for line in lines)
        return f"<table>{table}</table>" + "".join(element("p", line) for line in self.below)


def element(tag: str, text: str) -> str:
    """The text in a tag, whatever it holds.

    >>> element("p", "a < b")
    '<p>a &lt; b</p>'
    """
    return f"<{tag}>{escape(text)}</{tag}>"


def counted(n: int, what: str) -> str:
    """So many of something.

    >>> counted(1, "row"), counted(2, "row")
    ('1 row', '2 rows')
    """
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def new_frame(columns: Mapping[str, Any]) -> Any:
    """A data frame of these columns, by the first library that is installed: pandas, else polars.

    >>> new_frame({"node": [0, 3]}).shape
    (2, 1)
    """
    for library in LIBRARIES:
        if find_spec(library) is not None:
            return import_module(library).DataFrame(columns)
    raise TreewrightError(
        "A data frame needs pandas or polars, and neither is installed; install one of them, "
        "or read the fields of the report."
    )


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, on_right in zip(cells, widths, right, strict=True):
        space = " " * (width - text_width(cell))
        padded.append(space + cell if on_right else cell + space)
    return "  ".join(padded).rstrip()


def text_width(text: str) -> int:
    """The cells of a terminal that the text takes: two for a Chinese character, none for a combining mark.

    >>> text_width("ab"), text_width("西瓜")
    (2, 4)
    """
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
