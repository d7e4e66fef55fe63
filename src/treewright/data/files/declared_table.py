"""Tables of ARFF and .names files, which declare their columns.

In: the cells of a file and the declarations of its columns. Out: a `DeclaredTable`. A cell that does not fit its
declaration is an error that names the file, line, column and value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from treewright.data.files.date_forms import date_series, find_date_form
from treewright.data.files.error_text import LONGEST, quote_value
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl
    from numpy import float64
    from numpy.typing import NDArray

N_SHOWN = 8
"""Categories listed in an error."""


@dataclass(frozen=True, slots=True)
class DeclaredTable:
    """A table and the declarations of its columns.

    The columns of `frame` are numbers (Float64) or dates (Datetime, Time) if they are declared so, else text (String).
    A missing value is null.

    frame    the columns in the order of the file, including the target
    levels   the declared categories of a column, in the order of the file
    ordered  columns whose levels go from low to high
    ignored  columns that the file declares as not to be used
    numeric  columns that the file declares as numbers
    target   the column that the file declares as the target, or None
    weights  one weight for each row, or None
    name     what messages call the table: its path, or the name of its relation

    >>> import polars
    >>> DeclaredTable(polars.DataFrame({"a": [1.0]}), numeric={"a"}).target is None
    True
    """

    frame: pl.DataFrame
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: set[str] = field(default_factory=set)
    ignored: set[str] = field(default_factory=set)
    numeric: set[str] = field(default_factory=set)
    target: str | None = None
    weights: NDArray[float64] | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class LineNumbers:
    """The name of a file in messages, and the line in which each of its rows begins."""

    file: str
    row: list[int] = field(default_factory=list)

    def at(self, row: int) -> str:
        """The beginning of a message about a row."""
        return self.line(self.row[row])

    def line(self, number: int) -> str:
        """The beginning of a message about a line.

        >>> LineNumbers("golf.data").line(3)
        "'golf.data', line 3"
        """
        return f"{self.file!r}, line {number}"


def number_column(name: str, cells: Sequence[str | None], lines: LineNumbers) -> pl.Series:
    """The cells as Float64; None is a missing value.

    >>> number_column("humidity", ["85", None, "7e1"], LineNumbers("golf.data", [1, 2, 3])).to_list()
    [85.0, None, 70.0]
    """
    import polars as pl

    text = pl.Series(cells, dtype=pl.String)
    numbers = text.cast(pl.Float64, strict=False)
    wrong = text.is_not_null() & ~numbers.is_finite().fill_null(value=False)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise InputError(
            f"{lines.at(row)}: column {quote_value(name)} must contain numbers, got {quote_value(text[row])}; "
            "write a number, or ? for a missing value."
        )
    return numbers.alias(name)


def date_column(name: str, cells: Sequence[str | None]) -> pl.Series:
    """The cells as dates or times if nearly all of them have one form, else as text; None is a missing value.

    >>> date_column("day", ["2024-02-29", None]).dtype, date_column("day", ["leap day"]).dtype
    (Datetime(time_unit='us', time_zone=None), String)
    """
    import polars as pl

    text = pl.Series(name, cells, dtype=pl.String)
    found = find_date_form(Counter(cell for cell in cells if cell is not None), (), day_first=False)
    return text if found is None or not found.n_known else date_series(text, found.values).alias(name)


def category_column(name: str, cells: Sequence[str | None], levels: Sequence[str], lines: LineNumbers) -> pl.Series:
    """The cells as text, each of them one of the declared categories; None is a missing value.

    >>> category_column("windy", ["true", None], ("true", "false"), LineNumbers("golf.data", [1, 2])).to_list()
    ['true', None]
    """
    import polars as pl

    text = pl.Series(cells, dtype=pl.String)
    known = set(levels)
    if not known.issuperset(text.unique().drop_nulls().to_list()):
        row = next(i for i, cell in enumerate(cells) if cell is not None and cell not in known)
        raise InputError(
            f"{lines.at(row)}: column {quote_value(name)} has the value {quote_value(text[row])}, which is not one of "
            f"its declared categories ({_some_levels(levels, text[row])}); correct it, or declare it."
        )
    return text.alias(name)


def _some_levels(levels: Sequence[str], value: str) -> str:
    """The categories; only the closest ones if there are many."""
    if len(levels) <= N_SHOWN:
        return ", ".join(map(quote_value, levels))
    short = [level for level in levels[:1_000] if len(level) <= LONGEST]
    close = get_close_matches(value[:LONGEST], short, N_SHOWN) or levels[:N_SHOWN]
    return ", ".join(map(quote_value, close)) + f" and {len(levels) - len(close)} more"
