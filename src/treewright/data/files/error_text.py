"""Values, names and rows of a file as error messages show them."""

from collections.abc import Iterable
from difflib import get_close_matches

from treewright.data.files.translatable import Translatable
from treewright.language import N_

LONGEST = 60
"""Characters of a value that an error shows."""


def quote_value(text: str) -> str:
    """A value of a file in quotes, on one line and not too long.

    >>> quote_value("a\\n"), quote_value("long " * 100)[-10:]
    ("'a\\\\n'", "ong long…'")
    """
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def closest_names(name: object, names: Iterable[str]) -> str:
    """The names most similar to this one.

    >>> closest_names("color", ("age", "colour"))
    "'colour'"
    """
    names = list(names)
    return ", ".join(map(repr, get_close_matches(str(name), names) or names[:10]))


def row_number(row: int) -> str:
    """The position of a row in a table without lines; `CsvTable.where` is the same for text.

    >>> row_number(3)
    'row 3'
    """
    return Translatable(N_("row {row}"), row=row)


def short_reason(error: BaseException) -> str:
    """What polars says about a file that it cannot read, short enough for a sentence."""
    return quote_value(str(error).split("\n")[0].rstrip("."))
