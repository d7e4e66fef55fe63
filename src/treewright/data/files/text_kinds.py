"""Text kinds: columns of text become numbers and categories, each with a reason.

In: a `TextTable`, and how its columns are to be read. Out: a `Found` for each column.

A column of text is a number when every known cell reads as one. Whole numbers that begin with a zero, or have more than
15 digits, are codes, not amounts, and make a category of their column.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from treewright.data.files.cell_meaning import CODE, any_number, are_dates, as_number, is_number, known
from treewright.data.files.kinds import CATEGORY, GUESS, NUMBER, SKIP, Found, finite, no_number, said
from treewright.data.files.text import TextTable
from treewright.data.files.wording import shown
from treewright.errors import InputError, KindError

if TYPE_CHECKING:
    import polars as pl

FEW = 0.1
"""A category with no larger part of its cells not numbers is worth a note."""
TRUTH_PAIRS = ({"true", "false"}, {"yes", "no"}, {"t", "f"}, {"y", "n"})
TRUTHS = frozenset().union(*TRUTH_PAIRS)
N_AT_ONCE = 256
"""Columns that are compared with numbers at once: each question to polars has its price, and each answer its size."""


def text_kinds(table: TextTable, wanted: Mapping[str, str]) -> dict[str, Found]:
    """The columns of a text. `wanted` says for each: "number", "category", "guess", or "skip" to leave it unread.

    Columns whose first rows look like numbers are read as such. Where a cell further down does not fit, the text of
    those columns is read again, so that no text is kept that nobody needs.
    """
    tried, texts = [], []
    for place, name in enumerate(table.names):
        if wanted[name] == NUMBER or (wanted[name] == GUESS and _may_be(table, place)):
            tried.append(name)
        elif wanted[name] != SKIP:
            texts.append(name)
    frame = _read(table, wanted, tried, texts)
    failed = dict.fromkeys(_where_any(frame, tried, "is_nan"))
    again = _read(table, wanted, (), list(failed))
    for name in _where_any(frame, [name for name in tried if name not in failed], "is_infinite"):
        finite(frame[name], table.where)
    found: dict[str, Found] = {}
    for name in tried:
        if name not in failed:
            found[name] = Found(name, frame[name], NUMBER, said(wanted[name], "numbers"))
        elif wanted[name] == NUMBER:
            raise no_number(name, again[name], frame[name], table.where)
    for name in texts:
        if wanted[name] == CATEGORY:
            found[name] = Found(name, frame[name], CATEGORY, "said to be a category")
    guessed = frame.select(name for name in texts if wanted[name] == GUESS)
    for some in (guessed, again):
        for start in range(0, some.width, N_AT_ONCE):
            found |= _categories(table, some[:, start : start + N_AT_ONCE])
    return found


def _read(
    table: TextTable, wanted: Mapping[str, str], tried: Sequence[str], texts: Sequence[str]
) -> "pl.DataFrame":
    """Some columns as numbers (NaN where one is none) and others as text; null is a missing cell in both."""
    import polars as pl

    if not tried and not texts:
        return pl.DataFrame()
    made = []
    for frame in table.frames([*tried, *texts]):
        numbers = _numbers(table, frame.select(tried), wanted)
        made.append(pl.DataFrame([*numbers, *_cells(table, frame, texts)]))
    whole = pl.concat(made, rechunk=False)
    if whole.height != table.n_rows:
        raise InputError(
            f"{table.name} was read as {whole.height} rows, but has {table.n_rows}; check its quotes."
        )
    return whole


def _cells(table: TextTable, frame: "pl.DataFrame", names: Sequence[str]) -> "pl.DataFrame":
    """Cells as text without the spaces around them; null when missing."""
    import polars as pl

    cell = pl.col(names)
    bare = frame.select(cell.str.strip_chars(" \t"))
    return bare.select(known(cell, table.missing, pl).name.keep())


def _numbers(table: TextTable, frame: "pl.DataFrame", wanted: Mapping[str, str]) -> "pl.DataFrame":
    """Cells as numbers; null when missing, NaN when a cell is none, or a code and nobody said that it is a number.

    Columns where every cell is a plain number are done at once; others pay for a closer look.
    """
    import polars as pl

    names = frame.columns
    if not names:
        return frame
    values = frame.select(pl.all().cast(pl.Float64, strict=False))
    nulls = zip(frame.null_count().row(0), values.null_count().row(0), strict=True)
    nans = values.select(pl.all().is_nan().any()).row(0)
    codes = frame.select(pl.all().str.contains(CODE).any()).row(0)
    closer = table.decimal == "," or any_number(table.missing)
    odd = [
        name
        for name, (before, after), nan, code in zip(names, nulls, nans, codes, strict=True)
        if closer or after > before or nan or (code and wanted[name] == GUESS)
    ]
    if not odd:
        return values
    cells = _cells(table, frame, odd)
    looks = [
        as_number(pl.col(names), table.decimal, pl, codes=codes).name.keep()
        for codes in (True, False)
        if (names := [name for name in odd if (wanted[name] == GUESS) is codes])
    ]
    return values.with_columns(cells.select(looks))


def _may_be(table: TextTable, place: int) -> bool:
    """Whether no cell of the first rows speaks against numbers in the column at this place."""
    cells = (row[place] for row in table.sample if place < len(row))
    known = (cell for cell in cells if cell and cell not in table.missing)
    return all(
        is_number(cell, table.decimal) or cell.lstrip("+-").lower() in ("inf", "infinity") for cell in known
    )


def _where_any(frame: "pl.DataFrame", names: Sequence[str], what: str) -> list[str]:
    """The columns of which some cell is so; asked of all at once, as each question to polars has its price."""
    import polars as pl

    if not names:
        return []
    answers = frame.select(getattr(pl.col(names), what)().any()).row(0)
    return [name for name, answer in zip(names, answers, strict=True) if answer]


def _categories(table: TextTable, frame: "pl.DataFrame") -> dict[str, Found]:
    """Columns of text that are no numbers, with what speaks against numbers; dates are refused."""
    import polars as pl

    numbers = frame.select(as_number(pl.all(), table.decimal, pl).name.keep())
    wrong = numbers.select(pl.all().is_nan())
    found = {}
    for text, n_wrong, row in zip(frame, wrong.sum().row(0), wrong.select(pl.all().arg_max()).row(0), strict=True):
        first = text[row]
        if are_dates([first]) and are_dates(text.drop_nulls().unique()):
            raise KindError(
                f"Column {text.name!r} holds dates or times such as {first!r}, which are neither numbers nor "
                "categories; ignore it, make it a category, or turn it into numbers such as days since a fixed date."
            )
        if first.lower() in TRUTHS and {word.lower() for word in text.drop_nulls().unique()} in TRUTH_PAIRS:
            found[text.name] = Found(text.name, text, CATEGORY, "truth values")
        else:
            found[text.name] = _against(table, text, n_wrong, row)
    return found


def _against(table: TextTable, text: "pl.Series", n_wrong: int, row: int) -> Found:
    """A column of text with what speaks against numbers: so many cells are none, the first of them in this row."""
    first, n_known = text[row], len(text) - text.null_count()
    if is_number(first, table.decimal):
        digits = first.lstrip("+-")
        reason = "begins with a zero" if digits.startswith("0") else "has more than 15 digits"
        why = f"{shown(first)} in {table.where(row)} {reason}, so these are codes"
        note = f"Column {shown(text.name)} is a category, as {why}; name it as numeric if they are numbers."
        return Found(text.name, text, CATEGORY, why, note)
    if n_wrong == n_known:
        return Found(text.name, text, CATEGORY, f"words, such as {shown(first)}")
    why = f"{n_wrong} of {n_known} known cells are no numbers, such as {shown(first)} in {table.where(row)}"
    if n_wrong > FEW * n_known:
        return Found(text.name, text, CATEGORY, why)
    note = (
        f"Column {shown(text.name)} is a category, though {n_known - n_wrong} of {n_known} known cells are numbers; "
        f"if {shown(first)} means that nothing is known, name it as a missing marker."
    )
    return Found(text.name, text, CATEGORY, why, note)
