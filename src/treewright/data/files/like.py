"""Like: rows from a file become columns that a fitted model understands.

In: a frame as it was read, all text or with types, and the columns of a model. Out: a frame with these columns in this
order that `encode_table` reads. The types of training do not matter: a category that was True, 1 or 1.5 there is met by
its text, such as "true", "1" or "1.50". Work is done once for each different text, not for each row.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treewright.data.files.cell_meaning import MISSING, as_number, is_number, known, known_numbers
from treewright.data.files.kinds import first_true
from treewright.data.files.wording import closest, shown
from treewright.data.schema import Column, Kind
from treewright.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

N_SHOWN = 8
"""Columns listed in an error."""
TRUTHS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}


def like_schema(
    frame: "pl.DataFrame",
    columns: Sequence[Column],
    *,
    by_name: bool,
    missing: Sequence[str] = MISSING,
    decimal: str = ".",
) -> "pl.DataFrame":
    """The columns of a model, taken from a frame.

    by_name  whether columns are met by their names, and others in the frame left out; else by their places
    missing  texts that say "not known", besides the empty one, unless training showed them as categories
    decimal  the mark before the decimals of numbers that are text

    >>> import polars
    >>> windy = Column("windy", Kind.CATEGORY, (False, True))
    >>> frame = polars.DataFrame({"id": ["7", "8"], "windy": ["true", ""]})
    >>> like_schema(frame, [windy], by_name=True).to_dict(as_series=False)
    {'windy': [True, None]}
    """
    import polars as pl

    _refuse_lacking(frame.columns, columns, by_name)
    made = []
    for i, column in enumerate(columns):
        series = frame.get_column(column.name) if by_name else frame.to_series(i)
        series = series.alias(column.name)
        if column.kind == Kind.NUMBER:
            made.append(_numbers(series, missing, decimal))
        else:
            made.append(_categories(series, column, missing))
    return pl.DataFrame(made)


def row_like_schema(cells: Mapping[str, str | None], columns: Sequence[Column]) -> "NDArray[np.object_]":
    """One row that was typed, as a table of one row in the order of a model's columns; without polars.

    cells  texts by column name; what is not there, or None, is a missing value

    >>> windy = Column("windy", Kind.CATEGORY, (False, True))
    >>> row_like_schema({"windy": "true"}, [Column("humidity", Kind.NUMBER), windy]).tolist()
    [[None, True]]
    """
    import numpy as np

    row = np.empty((1, len(columns)), dtype=object)
    for i, column in enumerate(columns):
        text = cells.get(column.name)
        if text is None:
            continue
        if column.kind == Kind.NUMBER:
            row[0, i] = _number(text, column.name)
        else:
            row[0, i] = _meanings([text], column.categories, MISSING, typed=False).get(text, text)
    return row


def _number(text: str, name: str) -> float | None:
    bare = text.strip(" \t")
    if not bare or bare in MISSING:
        return None
    if not is_number(bare, "."):
        raise InputError(
            f"Column {name!r} has the value {shown(text)}, but the model knows it as a number; give a number, or ? "
            "where it is not known."
        )
    return float(bare)


def _refuse_lacking(names: Sequence[str], columns: Sequence[Column], by_name: bool) -> None:
    """Raise an error when a column of the model is not among these."""
    if not by_name:
        if len(names) != len(columns):
            raise InputError(
                f"The table has {len(names)} columns, but the model knows {len(columns)} and met them without names; "
                "give these columns alone and in their order."
            )
        return
    there = set(names)
    lacking = [column.name for column in columns if column.name not in there]
    if lacking:
        more = f" and {len(lacking) - N_SHOWN} more" if len(lacking) > N_SHOWN else ""
        raise InputError(
            f"The table has no column {', '.join(map(repr, lacking[:N_SHOWN]))}{more}, which the model needs; "
            f"the names closest to {lacking[0]!r} are {closest(lacking[0], names)}."
        )


def _numbers(series: "pl.Series", missing: Sequence[str], decimal: str) -> "pl.Series":
    """Numbers as they are, or read from text; what is no number is refused."""
    import polars as pl

    if series.dtype.is_numeric() or series.dtype == pl.Null:
        return known_numbers(series, missing)
    if series.dtype == pl.Boolean:
        return series.cast(pl.Float64)
    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return series  # dates and containers, of which the encoder says what to do
    cell = pl.col(series.name).cast(pl.String).str.strip_chars(" \t")
    values = (
        pl.DataFrame([series])
        .select(as_number(known(cell, missing, pl), decimal, pl, codes=False).alias(series.name))
        .to_series()
    )
    wrong = values.is_nan()
    if wrong.any():
        row = first_true(wrong)
        raise InputError(
            f"Column {series.name!r} has {shown(str(series[row]))} in row {row}, but the model knows it as a number; "
            "mend the cell, or leave it empty where the number is not known."
        )
    return values


def _categories(series: "pl.Series", column: Column, missing: Sequence[str]) -> "pl.Series":
    """Categories of the model by their text; what it does not know stays as it is, for the encoder to judge."""
    import polars as pl

    if series.dtype == pl.Null or series.dtype.is_temporal() or series.dtype.is_nested():
        return series
    text = series.cast(pl.String)
    words = text.drop_nulls().unique().sort()
    typed = series.dtype.is_float() or series.dtype == pl.Boolean
    meaning = _meanings(words.to_list(), column.categories, missing, typed)
    unknown = [word for word in words if word not in meaning]
    values = [*dict.fromkeys(value for value in meaning.values() if value is not None), *unknown]
    place = {value: code for code, value in enumerate(values)}
    codes = [place.get(meaning.get(word, word)) for word in words]
    placed = text.replace_strict(
        words, pl.Series(codes, dtype=pl.UInt32), default=None, return_dtype=pl.UInt32
    )
    kinds = {type(value) for value in values}
    if kinds <= {str}:
        return _gathered(pl.Series(values, dtype=pl.String), placed, column.name)
    if kinds == {bool}:
        return _gathered(pl.Series(values, dtype=pl.Boolean), placed, column.name)
    if kinds <= {int, float, bool}:
        return _gathered(pl.Series([float(value) for value in values]), placed, column.name)
    cells = [None if code is None else values[code] for code in placed]
    return pl.Series(column.name, cells, dtype=pl.Object)


def _gathered(values: "pl.Series", codes: "pl.Series", name: str) -> "pl.Series":
    return values.gather(codes).alias(name)


def _meanings(
    words: Sequence[str], categories: Sequence[object], missing: Sequence[str], typed: bool
) -> dict[str, Any]:
    """The category that each text means, None for a missing cell; texts that mean none are left out.

    typed  whether the texts were numbers or truth values a moment ago, so that "1.0" may mean the category "1"
    """
    exact = {str(category): category for category in reversed(categories)}
    numbers, truths = _by_value(categories, typed)
    meaning: dict[str, Any] = {}
    for word in words:
        bare = word.strip(" \t")
        if word in exact or bare in exact:
            meaning[word] = exact[word] if word in exact else exact[bare]
        elif numbers and is_number(bare, ".") and float(bare) in numbers:
            meaning[word] = numbers[float(bare)]
        elif bare.lower() in truths:
            meaning[word] = truths[bare.lower()]
        elif not bare or bare in missing:
            meaning[word] = None
    return meaning


def _by_value(categories: Sequence[object], typed: bool) -> tuple[dict[float, Any], dict[str, Any]]:
    """Categories by the number they are, and by the truth value."""
    numbers: dict[float, Any] = {}
    truths: dict[str, Any] = {}
    for category in reversed(categories):
        if isinstance(category, bool):
            truths |= {word: category for word, truth in TRUTHS.items() if truth is category}
        elif isinstance(category, int | float):
            numbers[float(category)] = category
        elif typed and isinstance(category, str):
            if is_number(category, "."):
                numbers[float(category)] = category
            truths[category.lower()] = category
    return numbers, truths
