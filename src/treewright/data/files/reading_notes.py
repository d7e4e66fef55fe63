"""The notes of the reader about columns whose cells were changed: what was removed, and what became missing.

In: a column and what was found in it. Out: a sentence that can be translated.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.data.files.boolean_words import BooleansFound
from treewright.data.files.date_forms import DatesFound
from treewright.data.files.error_text import quote_value
from treewright.data.files.number_forms import FormFound
from treewright.data.files.translatable import Translatable
from treewright.language import N_

if TYPE_CHECKING:
    import polars as pl

SEVERAL, MANY = 10, 50
"""A category gets a note if it has more than `MANY` values, or more than `SEVERAL` of which most occur once."""


def describe_form(column: str, found: FormFound, decimal: str) -> str:
    """What was removed from the numbers of a column; "" if they are plain. `decimal` is the decimal mark of the file.

    >>> from treewright.data.files.number_forms import NumberForm
    >>> describe_form("price", FormFound(NumberForm(".", "$"), {}, 0, 9, grouped=True), ".")
    "Column 'price' is read as a number: currency '$' and thousands separators are removed."
    """
    parts = []
    removed = _removed(found)
    if removed:
        parts.append(removed)
    if found.form.decimal != decimal:
        comma = found.form.decimal == ","
        mark = N_("the decimal mark is a comma") if comma else N_("the decimal mark is a point")
        parts.append(Translatable(mark))
    if found.ambiguous and found.grouped:
        parts.append(
            Translatable(
                N_("{value} is read as {number}, because every group has 3 digits"),
                value=quote_value(found.ambiguous),
                number=format(found.values[found.ambiguous], ".15g"),
            )
        )
    if not parts:
        return ""
    what = parts[0]
    for part in parts[1:]:
        what = Translatable(N_("{first}; {second}"), first=what, second=part)
    return Translatable(N_("Column {column} is read as a number: {what}."), column=quote_value(column), what=what)


def _removed(found: FormFound) -> Translatable | None:
    """The marks that were removed from the numbers."""
    mark = found.form.mark
    values = {"mark": quote_value(mark)}
    if found.form.is_currency:
        if found.grouped:
            return Translatable(N_("currency {mark} and thousands separators are removed"), **values)
        return Translatable(N_("currency {mark} is removed"), **values)
    if mark:
        if found.grouped:
            return Translatable(N_("{mark} and thousands separators are removed"), **values)
        return Translatable(N_("{mark} is removed"), **values)
    return Translatable(N_("thousands separators are removed")) if found.grouped else None


def describe_dates(column: str, found: DatesFound) -> str:
    """What a column of dates or times becomes, and the order of day and month if it is not certain."""
    name = quote_value(column)
    if found.form == "time":
        return Translatable(N_("Column {column} is read as times of day: the number of hours."), column=name)
    note = Translatable(
        N_(
            "Column {column} is read as dates: days since 1970-01-01, and year, month, weekday and hour if they vary."
        ),
        column=name,
    )
    if not found.ambiguous:
        return note
    if found.form == "dmy":
        order = N_(
            "Every cell of column {column} fits both orders of day and month; {value} is read with the day first."
        )
    else:
        order = N_(
            "Every cell of column {column} fits both orders of day and month; {value} is read with the month first."
        )
    return join_sentences([note, Translatable(order, column=name, value=quote_value(found.ambiguous))])


def describe_booleans(column: str, found: BooleansFound) -> Translatable:
    """The two values of a column of booleans, and the cells that are missing in it.

    >>> describe_booleans("active", BooleansFound({"Yes": "yes", "yes": "yes", "no": "no"}, 0, 9))
    "Column 'active' is read as booleans, 'yes' and 'no', in any spelling; use `categorical` to keep all spellings."
    """
    first, second = dict.fromkeys(spelled for spelled in found.spelling.values() if spelled is not None)
    absent = [quote_value(cell) for cell, spelled in found.spelling.items() if spelled is None]
    values = {"column": quote_value(column), "first": quote_value(first), "second": quote_value(second)}
    if not absent:
        return Translatable(
            N_(
                "Column {column} is read as booleans, {first} and {second}, in any spelling; use `categorical` to keep "
                "all spellings."
            ),
            **values,
        )
    return Translatable(
        N_(
            "Column {column} is read as booleans, {first} and {second}, in any spelling, with {markers} as missing; "
            "use `categorical` to keep all spellings."
        ),
        **values,
        markers=", ".join(absent),
    )


def cells_left_out(column: str, n: int, n_known: int, value: str, where: str) -> Translatable:
    """The sentence about cells that do not have the form of their column.

    >>> cells_left_out("price", 1, 20, "'sold out'", "line 7")
    "Column 'price': 1 of 20 known cells does not fit and becomes missing: 'sold out' in line 7."
    """
    values = {"column": quote_value(column), "n": n, "n_known": n_known, "value": value, "where": where}
    if n == 1:
        return Translatable(
            N_("Column {column}: 1 of {n_known} known cells does not fit and becomes missing: {value} in {where}."),
            **values,
        )
    return Translatable(
        N_("Column {column}: {n} of {n_known} known cells do not fit and become missing, such as {value} in {where}."),
        **values,
    )


def many_values(column: str, series: "pl.Series") -> str:
    """A note about a category with many values, or of whose values most occur once; "" for others."""
    counts = series.alias("value").drop_nulls().value_counts(name="n")["n"]
    n_once = int((counts == 1).sum())
    if len(counts) <= SEVERAL or (len(counts) <= MANY and 2 * n_once <= len(counts)):
        return ""
    values = {"column": quote_value(column), "n": len(counts), "n_once": n_once}
    if 2 * n_once <= len(counts):
        return Translatable(
            N_("Column {column} is a category with {n} values; use `ignore` if they do not help to predict."), **values
        )
    return Translatable(
        N_(
            "Column {column} is a category with {n} values, of which {n_once} occur once; use `ignore` if they do not "
            "help to predict."
        ),
        **values,
    )


def join_sentences(sentences: Sequence[str]) -> str:
    """Sentences as one text.

    >>> join_sentences(["One.", "Two."])
    'One. Two.'
    """
    text = ""
    for sentence in sentences:
        text = Translatable(N_("{first} {second}"), first=text, second=sentence) if text else sentence
    return text
