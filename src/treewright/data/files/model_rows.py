"""Rows of a file for a model, whose columns are known.

In: a frame as it was read from a file, often all text, and the columns of a model. Out: a frame of the model's
columns for `encode_table`, or an `Encoded`. The types of training do not matter: a category that was True, 1 or 1.5
there is matched by its text, such as "true", "1" or "1.50". Work is done once for each distinct text, not for each
row.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dates import HOURS, Moments, derive, read_moments
from treewright.data.encode import Encoded, Unseen, encode_table
from treewright.data.files.boolean_words import boolean_spellings
from treewright.data.files.cell_parsing import (
    MISSING_MARKERS,
    has_number_marker,
    is_number,
    null_if_missing,
    null_number_markers,
    parse_numbers,
)
from treewright.data.files.column_kinds import first_true
from treewright.data.files.column_names import columns_named
from treewright.data.files.date_forms import date_series, parse_date, read_dates
from treewright.data.files.error_text import closest_names, quote_value
from treewright.data.files.number_forms import NumberForm, is_number_marker, parse_column
from treewright.data.schema import Column, Kind, input_names
from treewright.errors import InputError
from treewright.text_table import pluralize

if TYPE_CHECKING:
    import polars as pl

N_SHOWN = 8
"""Columns listed in an error."""
BOOLEANS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}


def select_model_columns(
    frame: pl.DataFrame,
    columns: Sequence[Column],
    *,
    by_name: bool,
    missing: Sequence[str] = MISSING_MARKERS,
    decimal: str = ".",
) -> pl.DataFrame:
    """The columns of a model, taken from a frame.

    by_name  whether columns are matched by name, and other columns ignored; else by position
    missing  missing-value markers, besides the empty cell, unless they are categories of the model
    decimal  the decimal mark of numbers in text

    >>> import polars
    >>> windy = Column("windy", Kind.CATEGORY, (False, True))
    >>> frame = polars.DataFrame({"id": ["7", "8"], "windy": ["true", ""]})
    >>> select_model_columns(frame, [windy], by_name=True).to_dict(as_series=False)
    {'windy': [True, None]}
    """
    import polars as pl

    _refuse_absent_columns(frame.columns, columns, by_name)
    made = []
    names = input_names(columns)
    moments: dict[str, Moments | None] = {}
    for column in columns:
        given = column.name if column.source is None else column.source
        series = (frame.get_column(given) if by_name else frame.to_series(names.index(given))).alias(given)
        if column.source is not None:
            if given not in moments:
                moments[given] = _moments(series, date_format(columns, given), missing)
            cells = series.clear(len(series)) if series.dtype == pl.String else series  # text without dates is missing
            made.append(pl.Series(column.name, derive(moments[given], column, cells)))
        elif column.kind == Kind.NUMBER:
            made.append(_numbers(series, column, missing, decimal))
        else:
            made.append(_categories(series, column, missing))
    return pl.DataFrame(made)


def match_row(cells: Mapping[str, str | None], columns: Sequence[Column]) -> NDArray[np.object_]:
    """One row of typed text as a table of one row, in the order of a model's columns; works without polars.

    cells  texts by column name; a column that is absent or None is a missing value

    >>> windy = Column("windy", Kind.CATEGORY, (False, True))
    >>> match_row({"windy": "true"}, [Column("humidity", Kind.NUMBER), windy]).tolist()
    [[None, True]]
    """
    row = np.empty((1, len(columns)), dtype=object)
    for i, column in enumerate(columns):
        text = cells.get(column.name if column.source is None else column.source)
        if text is None:
            continue
        if column.source is not None:
            row[0, i] = _date_part(text, column, date_format(columns, column.source))
        elif column.kind == Kind.NUMBER:
            row[0, i] = _number(text, column)
        else:
            row[0, i] = _meanings([text], column.categories, MISSING_MARKERS, typed=False).get(text, text)
    return row


def _number(text: str, column: Column) -> float | None:
    bare = text.strip(" \t")
    if not bare or bare in MISSING_MARKERS:
        return None
    value = float(bare) if is_number(bare, ".") else None
    if column.format is not None:
        found = number_form(column).parse(bare)
        value = value if found is None else found
    if value is None:
        raise InputError(
            f"Column {column.name!r} must be a number, got {quote_value(text)}; use a number, or ? for a missing value."
        )
    return value


def date_format(columns: Sequence[Column], source: str) -> str:
    """How the dates of a column are written in text; as ISO dates if the model does not say."""
    return next((column.format for column in columns if column.source == source and column.format), "ymd")


def _date_part(text: str, column: Column, form: str) -> float | None:
    bare = text.strip(" \t")
    if not bare or bare in MISSING_MARKERS:
        return None
    form = "time" if column.part == HOURS else form
    value = parse_date(bare, form)
    if value is None:
        raise InputError(
            f"Column {column.source!r} must contain dates or times written as {form!r}, got {quote_value(text)}; "
            "correct it, or use ? for a missing value."
        )
    return float(derive(read_moments(np.array([value], dtype=object)), column, ())[0])


def _moments(series: pl.Series, form: str, missing: Sequence[str]) -> Moments | None:
    """The dates of a column, parsed if they are text."""
    import narwhals.stable.v2 as nw
    import polars as pl

    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return read_moments(nw.from_native(series, series_only=True))
    cell = columns_named(series.name).cast(pl.String).str.strip_chars(" \t")
    cells = pl.DataFrame([series]).select(null_if_missing(cell, missing, pl).alias("")).to_series()
    found = read_dates(dict.fromkeys(cells.drop_nulls().unique().to_list(), 1), form, missing)
    if found.n_wrong:
        row = first_true(cells.is_not_null() & ~cells.is_in(list(found.values)))
        raise _wrong_cell(series.name, f"dates or times written as {form!r}", cells[row], row)
    return read_moments(nw.from_native(date_series(cells, found.values), series_only=True)) if found.n_known else None


def _wrong_cell(column: str, expected: str, cell: str, row: int) -> InputError:
    """The error for a cell that is not what the column of the model contains."""
    return InputError(
        f"Column {column!r} must contain {expected}, got {quote_value(cell)} in row {row}",
        advice="correct the cell, or leave it empty if the value is missing",
        option=f"correct the cell, or use --missing-marker {shlex.quote(cell)} if the value is missing",
    )


def number_form(column: Column) -> NumberForm:
    """The form in which the numbers of a column are written.

    >>> number_form(Column("price", Kind.NUMBER, format="$1,234.5")).mark
    '$'
    """
    form = NumberForm.from_text(column.format or "")
    if form is None:
        raise InputError(
            f"Column {column.name!r} of the model has the unknown format {column.format!r}; fit and save it again."
        )
    return form


def _refuse_absent_columns(names: Sequence[str], columns: Sequence[Column], by_name: bool) -> None:
    """Raise an error if the table lacks a column of the model."""
    wanted = input_names(columns)
    if not by_name:
        if len(names) != len(wanted):
            raise InputError(
                f"The model has no column names, so the table must have its {pluralize(len(wanted), 'column')} in "
                f"their order, got {pluralize(len(names), 'column')}; use --target if one of them is the target."
            )
        return
    there = set(names)
    lacking = [name for name in wanted if name not in there]
    if lacking:
        more = f" and {len(lacking) - N_SHOWN} more" if len(lacking) > N_SHOWN else ""
        raise InputError(
            f"{'Column' if len(lacking) == 1 else 'Columns'} {', '.join(map(repr, lacking[:N_SHOWN]))}{more} of the "
            f"model not found in the table; the names closest to {lacking[0]!r} are {closest_names(lacking[0], names)}."
        )


def _numbers(series: pl.Series, column: Column, missing: Sequence[str], decimal: str) -> pl.Series:
    """Numbers, parsed if they are text, in the form that the column has in training; any other value is an error."""
    import polars as pl

    if series.dtype.is_numeric() or series.dtype == pl.Null:
        return null_number_markers(series, missing)
    if series.dtype == pl.Boolean:
        return series.cast(pl.Float64)
    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return series  # dates and containers, for which the encoder raises an error
    cell = columns_named(series.name).cast(pl.String).str.strip_chars(" \t")
    cells = pl.DataFrame([series]).select(null_if_missing(cell, missing, pl).alias("")).to_series()
    if column.format is not None:
        values, refused = parse_column(cells, number_form(column).parse, missing)
    else:
        values = pl.DataFrame([cells]).select(parse_numbers(pl.all(), decimal, pl, codes=False)).to_series()
        odd = cells.filter(values.is_nan()).unique().to_list() if values.is_nan().any() else []
        refused = [cell for cell in odd if not is_number_marker(cell, missing)]
        values = values.fill_nan(None) if odd else values
    if refused:
        row = first_true(cells.is_in(refused))
        written = "" if column.format is None else f" written as {column.format!r}"
        raise _wrong_cell(series.name, f"numbers{written}", str(series[row]), row)
    return values.alias(series.name)


def _categories(series: pl.Series, column: Column, missing: Sequence[str]) -> pl.Series:
    """Categories of the model by their text; other values are kept for the encoder, which treats them as unseen."""
    import polars as pl

    if series.dtype == pl.Null or series.dtype.is_temporal() or series.dtype.is_nested():
        return series
    text = series.alias("").cast(pl.String)
    texts = text.drop_nulls().unique().sort()
    typed = series.dtype.is_float() or series.dtype == pl.Boolean
    meaning = _meanings(texts.to_list(), column.categories, missing, typed)
    unknown = [value for value in texts if value not in meaning]
    values = [*dict.fromkeys(value for value in meaning.values() if value is not None), *unknown]
    code_of = {value: code for code, value in enumerate(values)}
    codes = [code_of.get(meaning.get(value, value)) for value in texts]
    coded = text.replace_strict(
        texts, pl.Series(codes, dtype=pl.UInt32), default=None, return_dtype=pl.UInt32
    )
    kinds = {type(value) for value in values}
    if kinds <= {str}:
        return _decode_values(pl.Series(values, dtype=pl.String), coded, column.name)
    if kinds == {bool}:
        return _decode_values(pl.Series(values, dtype=pl.Boolean), coded, column.name)
    if kinds <= {int, float, bool}:
        return _decode_values(pl.Series([float(value) for value in values]), coded, column.name)
    cells = [None if code is None else values[code] for code in coded]
    return pl.Series(column.name, cells, dtype=pl.Object)


def _decode_values(values: pl.Series, codes: pl.Series, name: str) -> pl.Series:
    return values.gather(codes).alias(name)


def _meanings(
    texts: Sequence[str], categories: Sequence[object], missing: Sequence[str], typed: bool
) -> dict[str, Any]:
    """The category that each text means, None for a missing cell; texts that mean no category are left out.

    typed  whether the texts were converted from numbers or booleans, so that "1.0" may mean the category "1"
    """
    exact = {str(category): category for category in reversed(categories)}
    numbers, booleans = _by_value(categories, typed)
    meaning: dict[str, Any] = {}
    for text in texts:
        bare = text.strip(" \t")
        if text in exact or bare in exact:
            meaning[text] = exact[text] if text in exact else exact[bare]
        elif numbers and is_number(bare, ".") and float(bare) in numbers:
            meaning[text] = numbers[float(bare)]
        elif bare.lower() in booleans:
            meaning[text] = booleans[bare.lower()]
        elif not bare or bare in missing:
            meaning[text] = None
    return meaning


def _by_value(categories: Sequence[object], typed: bool) -> tuple[dict[float, Any], dict[str, Any]]:
    """Categories by their number, and by their boolean."""
    numbers: dict[float, Any] = {}
    booleans: dict[str, Any] = {}
    for category in reversed(categories):
        if isinstance(category, bool):
            booleans |= {text: category for text, boolean in BOOLEANS.items() if boolean is category}
        elif isinstance(category, int | float):
            numbers[float(category)] = category
        elif typed and isinstance(category, str):
            if is_number(category, "."):
                numbers[float(category)] = category
            booleans[category.lower()] = category
    return numbers, boolean_spellings(categories) | booleans


@dataclass(frozen=True, slots=True, eq=False)
class RowEncoder:
    """Encodes frames of a file for a model.

    A column of plain numbers, or of categories of the model, is encoded by polars at once. A column with anything else
    (spaces, missing-value markers, unseen categories) is encoded by `select_model_columns` and `encode_table`.

    columns  the columns of the model
    by_name  whether columns are matched by name; else by position
    unseen   what an unseen category becomes: "error", "missing" or "mark"
    missing  missing-value markers of text
    decimal  the decimal mark of numbers in text

    >>> import polars as pl
    >>> columns = (Column("size", Kind.NUMBER), Column("colour", Kind.CATEGORY, ("blue", "red")))
    >>> frame = pl.DataFrame({"colour": ["red", "blue"], "size": ["1.5", "2"]})
    >>> RowEncoder(columns, by_name=True, unseen="mark").encode(frame).values.tolist()
    [[1.5, 1.0], [2.0, 0.0]]
    """

    columns: tuple[Column, ...]
    by_name: bool
    unseen: str
    missing: Sequence[str] = ()
    decimal: str = "."
    _kinds: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        import polars as pl

        for i, column in enumerate(self.columns):
            texts = [category for category in column.categories if isinstance(category, str)]
            if texts and len(texts) == column.n_categories:
                self._kinds[i] = pl.Enum(texts)

    def encode(self, frame: pl.DataFrame) -> Encoded:
        """The encoded rows of a frame, which has at least one row and all columns of the model."""
        values = np.empty((len(frame), len(self.columns)), order="F")
        slow: list[int] = []
        in_doubt = has_number_marker(self.missing)  # a number may be a missing-value marker
        names = input_names(self.columns)
        for i, column in enumerate(self.columns):
            if column.source is not None:
                slow.append(i)
                continue
            series = frame.get_column(column.name) if self.by_name else frame.to_series(names.index(column.name))
            series = series.alias("")
            found = None if in_doubt and column.kind == Kind.NUMBER else self._encode_fast(series, i, column)
            if found is None:
                slow.append(i)
            else:
                values[:, i] = found
        unseen: tuple[Unseen, ...] = ()
        if slow:
            rest = self._encode_slowly(frame, slow)
            values[:, slow] = rest.values
            unseen = rest.unseen
        values += 0.0  # -0.0 and 0.0 are one number
        return Encoded(values, unseen)

    def _encode_fast(self, series: pl.Series, i: int, column: Column) -> NDArray[np.float64] | None:
        """The values of a column of plain numbers or training categories; None for any other column."""
        import polars as pl

        if column.kind == Kind.NUMBER and series.dtype == pl.Float64:
            read = series
        elif series.dtype != pl.String:
            return None
        elif column.kind == Kind.NUMBER:
            if self.decimal == "," or column.format is not None:
                return None
            read = series.cast(pl.Float64, strict=False)
        elif i in self._kinds:
            read = series.cast(self._kinds[i], strict=False).to_physical().cast(pl.Float64)
        else:
            return None
        values = read.to_numpy()  # null becomes NaN
        if np.count_nonzero(np.isfinite(values)) + series.null_count() == len(values):
            return values
        doubtful = series.filter(~read.is_finite().fill_null(value=False) & series.is_not_null())
        if all(self._is_missing(value, column) for value in doubtful.unique().to_list()):
            return np.where(np.isfinite(values), values, np.nan)
        return None

    def _is_missing(self, value: object, column: Column) -> bool:
        """Whether a cell is empty or a missing-value marker, and not a category of the column."""
        bare = value.strip(" \t") if isinstance(value, str) else "no text"
        return (not bare or bare in self.missing) and bare not in column.categories

    def _encode_slowly(self, frame: pl.DataFrame, chosen: list[int]) -> Encoded:
        """Some columns by `select_model_columns` and `encode_table`."""
        columns = [self.columns[i] for i in chosen]
        if not self.by_name:
            names = input_names(self.columns)
            frame = frame.select(frame.to_series(names.index(name)) for name in input_names(columns))
        selected = select_model_columns(
            frame, columns, by_name=self.by_name, missing=self.missing, decimal=self.decimal
        )
        return encode_table(selected, columns, self.unseen)
