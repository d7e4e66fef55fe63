"""Markdown: text of the user in a table of Markdown, whatever it holds.

In: a head and rows of words. Out: the lines of the table.
"""

import re
from collections.abc import Sequence

from treewright.model.words import printable

# What Markdown reads as its own inside of a line: emphasis, code, links, cells, tags, and what its usual extensions
# add: mathematics, marked text, pictures by name, addresses and people. "x <= 3" needs none of them.
_MARKS = re.compile(r"[\\`*_\[\]|~^$]|=(?==)|(?<==)=|:(?=\S)|@(?=\w)")
_TAG, _ENTITY = re.compile(r"<(?=[A-Za-z/!?])"), re.compile(r"&(?=[#\w])")


def markdown_text(text: str) -> str:
    """The text, so that a reader of the page sees it as it is.

    >>> print(markdown_text("a|b <b> *c* <= 3"))
    a\\|b &lt;b> \\*c\\* <= 3
    """
    text = _ENTITY.sub("&amp;", printable(text))
    return _TAG.sub("&lt;", _MARKS.sub(r"\\\g<0>", text))


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """The lines of a table; the cells of the rows are text, whatever they hold.

    >>> markdown_table(["rule", "if"], [["1", "x <= 3"]], [True, False])
    ['| rule | if |', '|---:|---|', '| 1 | x <= 3 |']
    """
    lines = [f"| {' | '.join(head)} |", "|" + "|".join("---:" if one else "---" for one in right) + "|"]
    return lines + [f"| {' | '.join(map(markdown_text, cells))} |" for cells in rows]
