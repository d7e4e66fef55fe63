"""Tables of text for a terminal or a notebook, data frames of results, and text that is safe to print.

In: a header and rows of text; columns of values by name; any text. Out: aligned lines, HTML, or a data frame. Names and
categories come from the user's table, so they are escaped and shown as text, whatever they contain.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from unicodedata import combining, east_asian_width

from treewright.errors import TreewrightError

LIBRARIES = ("pandas", "polars")

# Control characters, line and paragraph separators, bidirectional overrides and lone surrogates: everything that moves
# the cursor, breaks the line, reorders the text around it or cannot be encoded.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text: its header, its rows, which columns are right-aligned, and the lines below it."""

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
        """The table for a notebook, in the colours of its theme; the lines below it are paragraphs.

        >>> Grid(["node"], [["<0>"]], [True], []).html()[-56:]
        '<td style="text-align:right">&lt;0&gt;</td></tr></table>'
        """
        # Jupyter aligns all cells to the right, by a rule that only a style of the cell itself overrides.
        styles = [f' style="text-align:{"right" if on_right else "left"}"' for on_right in self.right]
        lines = [_html_line("th", self.head, styles), *(_html_line("td", row, styles) for row in self.rows)]
        return f"<table>{''.join(lines)}</table>" + "".join(element("p", line) for line in self.below)


def element(tag: str, text: str) -> str:
    """The text in an HTML element, escaped.

    >>> element("p", "a < b")
    '<p>a &lt; b</p>'
    """
    return f"<{tag}>{escape(text)}</{tag}>"


def pluralize(n: int, what: str) -> str:
    """A count and its noun, in the plural unless the count is 1.

    >>> pluralize(1, "row"), pluralize(2, "row")
    ('1 row', '2 rows')
    """
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def new_frame(columns: Mapping[str, Any]) -> Any:
    """A data frame of these columns: a pandas one if pandas is installed, else a polars one.

    >>> new_frame({"node": [0, 3]}).shape
    (2, 1)
    """
    for library in LIBRARIES:
        if find_spec(library) is not None:
            return import_module(library).DataFrame(columns)
    raise TreewrightError(
        "A data frame needs pandas or polars, and neither is installed; install one of them, "
        "or use the attributes of the result."
    )


def _html_line(tag: str, cells: Sequence[str], styles: Sequence[str]) -> str:
    parts = [f"<{tag}{style}>{escape(cell)}</{tag}>" for cell, style in zip(cells, styles, strict=True)]
    return f"<tr>{''.join(parts)}</tr>"


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, on_right in zip(cells, widths, right, strict=True):
        space = " " * (width - text_width(cell))
        padded.append(space + cell if on_right else cell + space)
    return "  ".join(padded).rstrip()


def text_width(text: str) -> int:
    """The width of the text on a terminal: two cells for a Chinese character, none for a combining mark.

    >>> text_width("ab"), text_width("西瓜")
    (2, 4)
    """
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def truncate(text: str, most: int) -> str:
    """The text, cut to at most this many characters.

    >>> truncate("abcdef", 4), truncate("abcd", 4)
    ('abc…', 'abcd')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def printable(text: str) -> str:
    """The text on one line, with control characters, line breaks and direction marks escaped.

    >>> print(printable("a\\nb \\x1b[31m"))
    a\\x0ab \\x1b[31m
    """
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
