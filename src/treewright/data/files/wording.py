"""Wording: what stands in a file, in the sentences of errors.

In: a word, a name, a line, a complaint of polars. Out: the same in a few plain words.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

LONGEST = 60
"""Characters of a value that an error shows."""


def shown(text: str) -> str:
    """A word of a file, quoted, on one line and not too long.

    >>> shown("a\\n"), shown("long " * 100)[-10:]
    ("'a\\\\n'", "ong long…'")
    """
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def closest(name: object, names: Iterable[str]) -> str:
    """The names most like this one.

    >>> closest("color", ("age", "colour"))
    "'colour'"
    """
    names = list(names)
    return ", ".join(map(repr, get_close_matches(str(name), names) or names[:10]))


def row_words(row: int) -> str:
    """Where a row of a table without lines stands, as `TextTable.where` says it of a text.

    >>> row_words(3)
    'row 3'
    """
    return f"row {row}"


def reason_of(error: BaseException) -> str:
    """What polars says about a file it cannot read, short enough for a sentence."""
    return shown(str(error).split("\n")[0].rstrip("."))


@dataclass(frozen=True, slots=True)
class Lines:
    """A file as messages call it, and the line in which each of its rows begins."""

    file: str
    row: list[int] = field(default_factory=list)

    def at(self, row: int) -> str:
        """The beginning of a message about a row."""
        return self.line(self.row[row])

    def line(self, number: int) -> str:
        """The beginning of a message about a line.

        >>> Lines("golf.data").line(3)
        "'golf.data', line 3"
        """
        return f"{self.file!r}, line {number}"
