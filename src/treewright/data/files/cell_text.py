"""CellText: the cells of a column as the words of a file.

In: a column of polars, and how a word is spelled in the format. Out: a text for each cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

MISSING = "?"


def cell_texts(column: pl.Series, spelled: Callable[[str], str]) -> list[str]:
    """The cells as a file holds them, "?" where nothing is known.

    >>> import polars
    >>> cell_texts(polars.Series([1.0, None, 2.5]), str), cell_texts(polars.Series(["a", None]), str.upper)
    (['1', '?', '2.5'], ['A', '?'])
    """
    if column.dtype.is_numeric():
        return [
            MISSING if cell is None or cell != cell else number_text(cell, column.name) for cell in column
        ]
    known = {cell: spelled(value_text(cell)) for cell in column.unique().drop_nulls()}
    return [MISSING if cell is None else known[cell] for cell in column]


def number_text(number: float, name: str) -> str:
    """A number with all its digits, a whole one without a point; an infinite one is refused.

    >>> number_text(85.0, "humidity"), number_text(0.1 + 0.2, "humidity")
    ('85', '0.30000000000000004')
    """
    if math.isinf(number):
        raise InputError(
            f"Column {name!r} holds an infinite number, which the format does not know; replace it."
        )
    return str(int(number)) if number == int(number) and abs(number) < 2**53 else repr(float(number))


def value_text(value: object) -> str:
    """A category as text; truth values as most files have them.

    >>> value_text(True), value_text("True")
    ('true', 'True')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def levels_met(column: pl.Series) -> tuple[str, ...]:
    """The categories of a column in the order of its rows, or of its type where that lists them.

    >>> import polars
    >>> levels_met(polars.Series(["b", None, "a", "b"]))
    ('b', 'a')
    """
    categories = getattr(column.dtype, "categories", None)
    if type(column.dtype).__name__ == "Enum" and categories is not None:
        return tuple(categories.to_list())
    return tuple(value_text(value) for value in column.unique(maintain_order=True).drop_nulls())
