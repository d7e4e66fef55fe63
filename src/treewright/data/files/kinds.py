"""Kinds: what a column of a file can be, and the refusals that text and typed columns share.

In: a column as it was read. Out: a `Found`: the column, its kind and the reason.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright.data.cells import EXACT
from treewright.data.files.wording import shown
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

NUMBER, CATEGORY, GUESS, SKIP = "number", "category", "guess", "skip"


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A column as it was read: Float64 for numbers; String, Enum or Boolean for categories; nulls are missing cells.

    why   the reason for the kind, or "" where it is plain from the values
    note  a sentence, where the kind may surprise
    """

    name: str
    series: "pl.Series"
    kind: str
    why: str = ""
    note: str = ""


def first_true(truths: "pl.Series") -> int:
    """The first row in which a series is true; there is one."""
    return int(truths.arg_max() or 0)


def finite(series: "pl.Series", where: Callable[[int], str]) -> "pl.Series":
    """The numbers, none of which is infinite."""
    infinite = series.is_infinite()
    if infinite.any():
        row = first_true(infinite)
        raise InputError(
            f"Column {series.name!r} has the infinite value {series[row]} in {where(row)}; "
            "replace it by a finite number or a missing value."
        )
    return series


def are_whole(numbers: "pl.Series") -> bool:
    """Whether all known numbers are whole ones that float64 holds exactly.

    >>> import polars
    >>> are_whole(polars.Series([1.0, None])), are_whole(polars.Series([1.0, 2.5]))
    (True, False)
    """
    known = numbers.drop_nulls()
    return bool(((known == known.floor()) & (known.abs() < EXACT)).all())


def no_number(name: str, text: "pl.Series", numbers: "pl.Series", where: Callable[[int], str]) -> InputError:
    """The error for the first cell of a column that is said to be numbers and is not (NaN in `numbers`)."""
    row = first_true(numbers.is_nan())
    return InputError(
        f"Column {name!r} is said to be a number, but has {shown(text[row])} in {where(row)}; mend the cell, name it "
        "as a missing marker, or leave the column a category."
    )


def said(wanted: str, what: str) -> str:
    """Why a column is what it is: because the user says so, or "" where that was a guess."""
    return f"said to be {what}" if wanted != GUESS else ""
