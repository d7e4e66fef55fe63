"""Declared cells: text becomes what the file itself declares, numbers or some categories (ARFF and .names).

In: the cells of one column in the order of the rows, None where nothing is known, and the lines they stand in. Out: a
polars Series. A cell that does not fit is refused with its file, line, column and value.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from treewright.data.files.wording import LONGEST, Lines, shown
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

N_SHOWN = 8
"""Categories listed in an error."""


def number_column(name: str, cells: Sequence[str | None], lines: Lines) -> pl.Series:
    """The cells as Float64.

    >>> number_column("humidity", ["85", None, "7e1"], Lines("golf.data", [1, 2, 3])).to_list()
    [85.0, None, 70.0]
    """
    import polars as pl

    text = pl.Series(name, cells, dtype=pl.String)
    numbers = text.cast(pl.Float64, strict=False)
    doubtful = text.is_not_null() & ~numbers.is_finite().fill_null(value=False)
    for row in doubtful.arg_true().to_list():
        raise InputError(
            f"{lines.at(row)}: column {shown(name)} has the value {shown(text[row])}, which is no number; "
            "write a number, or ? where it is not known."
        )
    return numbers


def category_column(name: str, cells: Sequence[str | None], levels: Sequence[str], lines: Lines) -> pl.Series:
    """The cells as text, each of them one of the declared categories.

    >>> category_column("windy", ["true", None], ("true", "false"), Lines("golf.data", [1, 2])).to_list()
    ['true', None]
    """
    import polars as pl

    text = pl.Series(name, cells, dtype=pl.String)
    known = set(levels)
    if not known.issuperset(text.unique().drop_nulls().to_list()):
        row = next(i for i, cell in enumerate(cells) if cell is not None and cell not in known)
        raise InputError(
            f"{lines.at(row)}: column {shown(name)} has the value {shown(text[row])}, which is not among its "
            f"declared categories ({_some(levels, text[row])}); correct it, or declare it."
        )
    return text


def _some(levels: Sequence[str], value: str) -> str:
    """Some of the categories, the closest ones where they are many."""
    if len(levels) <= N_SHOWN:
        return ", ".join(map(shown, levels))
    short = [level for level in levels[:1_000] if len(level) <= LONGEST]
    close = get_close_matches(value[:LONGEST], short, N_SHOWN) or levels[:N_SHOWN]
    return ", ".join(map(shown, close)) + f" and {len(levels) - len(close)} more"
