"""Which columns of a file are numbers and which are categories, and why.

In: a `CsvTable` or a typed frame, and the kinds that the user requested. Out: a `ColumnFound` for each column.

A column of text is a number if every known cell is one, or if nearly all of them are numbers in one form, such as
$1,234.50. Integers that begin with a zero, or have more than 15 digits, are codes, not amounts, and make their column
a category.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treewright.data.cells import LARGEST_EXACT
from treewright.data.dates import read_moments
from treewright.data.files.boolean_words import BooleansFound, find_booleans
from treewright.data.files.cell_parsing import (
    CODE,
    has_number_marker,
    is_number,
    null_if_missing,
    parse_numbers,
)
from treewright.data.files.column_names import columns_named
from treewright.data.files.csv_table import CsvTable
from treewright.data.files.date_forms import DatesFound, check_form, date_series, find_date_form, read_dates
from treewright.data.files.error_text import quote_value, row_number
from treewright.data.files.number_forms import (
    MOSTLY,
    FormFound,
    NumberForm,
    find_number_form,
    is_number_marker,
    map_cells,
    read_given_form,
)
from treewright.data.files.reading_notes import (
    cells_left_out,
    describe_booleans,
    describe_dates,
    describe_form,
    join_sentences,
)
from treewright.data.files.translatable import Translatable
from treewright.errors import InputError, KindError
from treewright.language import N_

if TYPE_CHECKING:
    import polars as pl

NUMBER, CATEGORY, DATE, GUESS, SKIP = "number", "category", "date", "guess", "skip"
SET_BY_USER = Translatable(N_("set by the user"))
BOOLEAN = Translatable(N_("booleans"))

FEW = 0.1
"""A category gets a note if at most this fraction of its cells are not numbers."""
EMPTY: Mapping[str, str] = {}
MAX_SPELLINGS = 40
"""Different cells among the first ones; booleans do not have more."""
N_FIRST = 1000
"""Known cells of which one must contain a digit, or else the column is looked at no further."""
N_AT_ONCE = 256
"""Columns that are compared with numbers at once: each call of polars costs time, and each result memory."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnFound:
    """A column as it was read: Float64 for numbers; String, Enum or Boolean for categories; nulls are missing cells.

    why     the reason for the kind, or "" if the values show it
    note    a sentence if the kind may be unexpected, else ""
    format  how numbers are written if they are not plain: the text of a `NumberForm`
    """

    name: str
    series: "pl.Series"
    kind: str
    why: str = ""
    note: str = ""
    format: str | None = None


def first_true(booleans: "pl.Series") -> int:
    """The first row in which a series is true; there must be one."""
    return int(booleans.arg_max() or 0)


def refuse_infinite(series: "pl.Series", where: Callable[[int], str]) -> "pl.Series":
    """The numbers, none of which is infinite."""
    infinite = series.alias("").is_infinite()
    if infinite.any():
        row = first_true(infinite)
        raise InputError(
            f"Column {series.name!r} has the infinite value {series[row]} in {where(row)}; "
            "replace it with a finite number or a missing value."
        )
    return series


def are_whole(numbers: "pl.Series") -> bool:
    """Whether all known numbers are integers that float64 represents exactly.

    >>> import polars
    >>> are_whole(polars.Series([1.0, None])), are_whole(polars.Series([1.0, 2.5]))
    (True, False)
    """
    known = numbers.alias("").drop_nulls()
    return bool(((known == known.floor()) & (known.abs() < LARGEST_EXACT)).all())


def not_a_number(name: str, text: "pl.Series", numbers: "pl.Series", where: Callable[[int], str]) -> InputError:
    """The error for the first cell (NaN in `numbers`) that is not a number, in a column set as numeric."""
    row = first_true(numbers.alias("").is_nan())
    return InputError(
        f"Column {name!r} must contain numbers, got {quote_value(text[row])} in {where(row)}; correct the cell, pass "
        "the value as a missing-value marker, or read the column as a category."
    )


def find_text_kinds(
    table: CsvTable, wanted: Mapping[str, str], formats: Mapping[str, str] = EMPTY
) -> dict[str, ColumnFound]:
    """The columns of a text. `wanted` has for each "number", "category", "guess", or "skip" to leave it unread;
    `formats` has how some of them are written.

    Columns whose first rows look like numbers are read as numbers. If a later cell is not a number, the text of the
    column is read again, so that no unneeded text is kept in memory.
    """
    looks = [
        (wanted[name] == NUMBER and name not in formats) or (wanted[name] == GUESS and _looks_numeric(table, position))
        for position, name in enumerate(table.names)
    ]
    tried = [name for name, look in zip(table.names, looks, strict=True) if look]
    texts = [name for name, look in zip(table.names, looks, strict=True) if not look and wanted[name] != SKIP]
    frame = _read(table, wanted, tried, texts)
    failed = dict.fromkeys(_where_any(frame, tried, "is_nan"))
    again = _read(table, wanted, (), list(failed))
    for name in _where_any(frame, [name for name in tried if name not in failed], "is_infinite"):
        refuse_infinite(frame[name], table.where)
    found: dict[str, ColumnFound] = {}
    for name in tried:
        if name not in failed:
            why = "" if wanted[name] == GUESS else SET_BY_USER
            found[name] = ColumnFound(name, frame[name], NUMBER, why)
        elif wanted[name] == NUMBER:
            found[name] = _read_as_number(table, again[name], frame[name])
    for name in texts:
        if wanted[name] == CATEGORY:
            found[name] = ColumnFound(name, frame[name], CATEGORY, SET_BY_USER)
        elif name in formats:
            found[name] = _read_format(table, frame[name], formats[name], wanted[name])
    guessed = frame.select(columns_named(name for name in texts if name not in found))
    again = again.select(columns_named(name for name in again.columns if name not in found))
    for some in (guessed, again):
        for start in range(0, some.width, N_AT_ONCE):
            found |= _categories(table, some[:, start : start + N_AT_ONCE])
    return found


def _read(
    table: CsvTable, wanted: Mapping[str, str], tried: Sequence[str], texts: Sequence[str]
) -> "pl.DataFrame":
    """Some columns as numbers (NaN for a cell that is not a number) and others as text; null is a missing cell."""
    import polars as pl

    if not tried and not texts:
        return pl.DataFrame()
    made = []
    for frame in table.frames([*tried, *texts]):
        numbers = _numbers(table, frame.select(columns_named(tried)), wanted)
        made.append(pl.DataFrame([*numbers, *_cells(table, frame, texts)]))
    whole = pl.concat(made, rechunk=False)
    if whole.height != table.n_rows:
        raise InputError(
            f"{table.name} has {table.n_rows} rows, but {whole.height} were read; check its quotes."
        )
    return whole


def _cells(table: CsvTable, frame: "pl.DataFrame", names: Sequence[str]) -> "pl.DataFrame":
    """Cells as text without the spaces around them; null if missing."""
    import polars as pl

    cell = columns_named(names)
    bare = frame.select(cell.str.strip_chars(" \t"))
    return bare.select(null_if_missing(cell, table.missing, pl).name.keep())


def _numbers(table: CsvTable, frame: "pl.DataFrame", wanted: Mapping[str, str]) -> "pl.DataFrame":
    """Cells as numbers; null if missing, NaN if a cell is not a number, or is a code and the user requested no kind.

    Columns in which every cell is a plain number are cast at once; only the others are parsed cell by cell.
    """
    import polars as pl

    names = frame.columns
    if not names:
        return frame
    values = frame.select(pl.all().cast(pl.Float64, strict=False))
    nulls = zip(frame.null_count().row(0), values.null_count().row(0), strict=True)
    nans = values.select(pl.all().is_nan().any()).row(0)
    codes = frame.select(pl.all().str.contains(CODE).any()).row(0)
    closer = table.decimal == "," or has_number_marker(table.missing)
    odd = [
        name
        for name, (before, after), nan, code in zip(names, nulls, nans, codes, strict=True)
        if closer or after > before or nan or (code and wanted[name] == GUESS)
    ]
    if not odd:
        return values
    cells = _cells(table, frame, odd)
    looks = [
        parse_numbers(columns_named(names), table.decimal, pl, codes=codes).name.keep()
        for codes in (True, False)
        if (names := [name for name in odd if (wanted[name] == GUESS) is codes])
    ]
    return values.with_columns(cells.select(looks))


def _looks_numeric(table: CsvTable, position: int) -> bool:
    """Whether all known cells of this column in the first rows are numbers."""
    cells = (row[position] for row in table.sample if position < len(row))
    known = (cell for cell in cells if cell and cell not in table.missing)
    return all(
        is_number(cell, table.decimal) or cell.lstrip("+-").lower() in ("inf", "infinity") for cell in known
    )


def _where_any(frame: "pl.DataFrame", names: Sequence[str], what: str) -> list[str]:
    """The columns with a cell for which the expression method `what` is true; one call of polars for all."""
    if not names:
        return []
    flags = frame.select(getattr(columns_named(names), what)().any()).row(0)
    return [name for name, flag in zip(names, flags, strict=True) if flag]


def _categories(table: CsvTable, frame: "pl.DataFrame") -> dict[str, ColumnFound]:
    """Columns of text that are not plain numbers, with the reason."""
    import polars as pl

    numbers = frame.select(parse_numbers(pl.all(), table.decimal, pl).name.keep())
    wrong = numbers.select(pl.all().is_nan())
    found = {}
    counts, rows = (wrong.select(each).row(0) for each in (pl.all().sum(), pl.all().arg_max()))
    for text, n_wrong, row in zip(frame, counts, rows, strict=True):
        if booleans := _find_booleans(table, text):
            found[text.name] = _read_booleans(table, text, booleans)
        elif form := _find_form(table, text):
            found[text.name] = read_form(table, text, form)
        elif dates := _find_dates(table, text):
            found[text.name] = read_date_column(table, text, dates)
        else:
            found[text.name] = _describe_category(table, text, n_wrong, row)
    return found


def _find_booleans(table: CsvTable, text: "pl.Series") -> BooleansFound | None:
    """The booleans in a column of text; None if it has none. Most columns are left after their first cells."""
    known = text.alias("").drop_nulls()
    if known.head(N_FIRST).n_unique() > MAX_SPELLINGS:
        return None
    return find_booleans(_count_cells(known), table.missing)


def _read_booleans(table: CsvTable, text: "pl.Series", found: BooleansFound) -> ColumnFound:
    """A column of booleans, each value in one spelling, with a note if it had several."""
    import polars as pl

    if found.as_written:
        return ColumnFound(text.name, text, CATEGORY, BOOLEAN)
    notes: list[str] = [describe_booleans(text.name, found)]
    if found.n_wrong:
        row = _first_without_value(text, found.spelling)
        notes.append(cells_left_out(text.name, found.n_wrong, found.n_known, quote_value(text[row]), table.where(row)))
    series = map_cells(text, found.spelling, pl.String)
    return ColumnFound(text.name, series, CATEGORY, BOOLEAN, join_sentences(notes))


def _first_without_value(text: "pl.Series", values: Mapping[str, object]) -> int:
    """The first row whose cell is known and has no value; there must be one."""
    return first_true(text.is_not_null() & ~text.alias("").is_in(list(values)))


def _read_as_number(table: CsvTable, text: "pl.Series", numbers: "pl.Series") -> ColumnFound:
    """A column set as numeric, of which some `numbers` are NaN: numbers in one form, or an error."""
    form = _find_form(table, text)
    if form is None or form.n_wrong:
        raise not_a_number(text.name, text, numbers, table.where)
    return replace(read_form(table, text, form), why=SET_BY_USER)


def _read_format(table: CsvTable, text: "pl.Series", written: str, wanted: str) -> ColumnFound:
    """A column in a format that is known."""
    import polars as pl

    if wanted == DATE:
        check_form(written, text.name)
        dates = read_dates(_count_cells(text.alias("").drop_nulls()), written, table.missing)
        if dates.n_wrong > (1 - MOSTLY) * dates.n_known:
            row = _first_without_value(text, dates.values)
            raise InputError(
                f"Column {text.name!r} must contain dates written as {written!r}, got {quote_value(text[row])} in "
                f"{table.where(row)}; correct the cell, or pass another format."
            )
        return replace(read_date_column(table, text, dates), why=SET_BY_USER)
    form = NumberForm.from_text(written)
    if form is None:
        raise InputError(
            f"Column {text.name!r} has the unknown format {written!r}; use one such as '1,234.5' or '$1.234,5'."
        )
    found = read_given_form(_count_cells(text.alias("").drop_nulls()), form, table.missing)
    if found is None:
        numbers = text.to_frame().select(parse_numbers(columns_named(text.name), table.decimal, pl)).to_series()
        raise not_a_number(text.name, text, numbers, table.where)
    return replace(read_form(table, text, found), why=SET_BY_USER)


def _find_form(table: CsvTable, text: "pl.Series") -> FormFound | None:
    """The form of the numbers in a column of text; None if they have none. Most columns of words are left at once."""
    known = text.alias("").drop_nulls()
    first = known.head(N_FIRST)
    if not first.str.contains("[0-9]").any() and not all(is_number_marker(cell, table.missing) for cell in first):
        return None
    return find_number_form(_count_cells(known), table.decimal, table.missing)


def _find_dates(table: CsvTable, text: "pl.Series") -> DatesFound | None:
    """The form of the dates in a column of text; None if they have none."""
    known = text.alias("").drop_nulls()
    first = known.head(N_FIRST)
    if not first.str.contains("[0-9][-/.: 年][0-9A-Za-z]|[A-Za-z]{3,9}[.]? +[0-9]{1,2},? ").any():
        return None
    day_first = table.delimiter == ";" or table.decimal == "," or first.str.contains(r"^[0-9]+\.[0-9]+\.").any()
    return find_date_form(_count_cells(known), table.missing, day_first)


def read_date_column(table: CsvTable, text: "pl.Series", found: DatesFound) -> ColumnFound:
    """A column of dates in this form, with a note."""
    name, value = text.name, quote_value(next((cell for cell, one in found.values.items() if one is not None), ""))
    series = date_series(text, found.values)
    notes: list[str] = [describe_dates(name, found)]
    if found.n_wrong:
        row = _first_without_value(text, found.values)
        notes.append(cells_left_out(name, found.n_wrong, found.n_known, quote_value(text[row]), table.where(row)))
    times = found.form == "time"
    why = Translatable(N_("times such as {value}") if times else N_("dates such as {value}"), value=value)
    return ColumnFound(name, series.alias(name), DATE, why, join_sentences(notes), found.form)


def _count_cells(known: "pl.Series") -> dict[str, int]:
    """The distinct cells in alphabetical order, with their counts."""
    counted = known.alias("cell").value_counts(name="n").sort("cell")
    return dict(zip(counted["cell"], counted["n"], strict=True))


def read_form(table: CsvTable, text: "pl.Series", found: FormFound) -> ColumnFound:
    """A column of numbers in this form, with a note that says what was removed and which cells became missing."""
    import polars as pl

    form, name = found.form, text.name
    numbers = map_cells(text, found.values, pl.Float64)
    form_note = describe_form(name, found, table.decimal)
    notes = [form_note] if form_note else []
    if found.n_wrong:
        row = _first_without_value(text, found.values)
        notes.append(cells_left_out(name, found.n_wrong, found.n_known, quote_value(text[row]), table.where(row)))
    plain = not form.mark and not found.grouped and form.decimal == table.decimal
    why = "" if plain else Translatable(N_("numbers written as {form}"), form=repr(form.text))
    return ColumnFound(name, numbers, NUMBER, why, join_sentences(notes), None if plain else form.text)


def _describe_category(table: CsvTable, text: "pl.Series", n_wrong: int, row: int) -> ColumnFound:
    """A column of text that is not numeric, because `n_wrong` cells are not numbers, the first of them in this row."""
    name, first, n_known = text.name, text[row], len(text) - text.null_count()
    value = quote_value(first)
    if is_number(first, table.decimal):
        if first.lstrip("+-").startswith("0"):
            reason = Translatable(N_("{value} in {where} begins with a zero"), value=value, where=table.where(row))
        else:
            reason = Translatable(N_("{value} in {where} has more than 15 digits"), value=value, where=table.where(row))
        note = Translatable(
            N_("Column {column} is a category, because {reason}; use `numeric` if these are numbers."),
            column=quote_value(name),
            reason=reason,
        )
        return ColumnFound(name, text, CATEGORY, Translatable(N_("codes: {reason}"), reason=reason), note)
    if n_wrong == n_known:
        return ColumnFound(name, text, CATEGORY, Translatable(N_("text, such as {value}"), value=value))
    why = Translatable(
        N_("{n} of {n_known} known cells are not numbers, such as {value} in {where}"),
        n=n_wrong,
        n_known=n_known,
        value=value,
        where=table.where(row),
    )
    if n_wrong > FEW * n_known:
        return ColumnFound(name, text, CATEGORY, why)
    note = Translatable(
        N_(
            "Column {column} is a category, although {n} of {n_known} known cells are numbers; if {value} means a "
            "missing value, pass it as a missing-value marker."
        ),
        column=quote_value(name),
        n=n_known - n_wrong,
        n_known=n_known,
        value=value,
    )
    return ColumnFound(name, text, CATEGORY, why, note)


def find_typed_kinds(frame: "pl.DataFrame", wanted: Mapping[str, str]) -> dict[str, ColumnFound]:
    """The columns of a typed frame; `wanted` as in `find_text_kinds`."""
    return {name: _find_typed_kind(frame[name], wanted[name]) for name in frame.columns if wanted[name] != SKIP}


def _find_typed_dates(series: "pl.Series", wanted: str) -> ColumnFound:
    """A column of dates, times or durations."""
    import polars as pl

    if wanted == NUMBER:
        return ColumnFound(series.name, days_of(series), NUMBER, SET_BY_USER)
    by_type = Translatable(N_("its type is {type}"), type=str(series.dtype.base_type()))
    is_time = series.dtype in (pl.Time, pl.Duration)
    note = "" if is_time else describe_dates(series.name, DatesFound("ymd", {}, 0, 0))
    return ColumnFound(series.name, series, DATE, by_type, note)


def _find_typed_kind(series: "pl.Series", wanted: str) -> ColumnFound:  # noqa: PLR0911 (one for each kind of type)
    import polars as pl

    name, dtype = series.name, series.dtype
    if wanted == DATE and not dtype.is_temporal():
        raise InputError(f"Column {name!r} has the type {dtype}, so `dates` does not apply; convert the column.")
    if wanted == CATEGORY:
        text = number_text(series) if dtype.is_float() else series
        text = text if dtype in (pl.Boolean, pl.Enum) else text.cast(pl.String)
        return ColumnFound(name, text, CATEGORY, SET_BY_USER)
    if dtype.is_numeric() or dtype == pl.Null or (dtype == pl.Boolean and wanted == NUMBER):
        if dtype.is_integer() and series.len() and not _exact(series):
            if wanted == GUESS:
                too_long = Translatable(N_("integers with too many digits for float64"))
                return ColumnFound(name, series.cast(pl.String), CATEGORY, too_long)
            raise InputError(
                f"Column {name!r} has integers with too many digits for float64; read it as a category."
            )
        numbers = series.alias("").cast(pl.Float64).fill_nan(None).alias(name)
        why = "" if wanted == GUESS else SET_BY_USER
        return ColumnFound(name, refuse_infinite(numbers, row_number), NUMBER, why)
    if dtype == pl.Boolean:
        return ColumnFound(name, series, CATEGORY, BOOLEAN)
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        text = series if dtype == pl.Enum else series.cast(pl.String)
        if wanted != NUMBER:
            by_type = Translatable(N_("its type is {type}"), type=str(dtype.base_type()))
            return ColumnFound(name, text, CATEGORY, by_type)
        text = text.cast(pl.String)
        numbers = (
            text.to_frame().select(parse_numbers(columns_named(name), ".", pl, codes=False)).to_series().alias(name)
        )
        if numbers.alias("").is_nan().any():
            raise not_a_number(name, text, numbers, row_number)
        return ColumnFound(name, refuse_infinite(numbers, row_number), NUMBER, SET_BY_USER)
    if dtype.is_temporal():
        return _find_typed_dates(series, wanted)
    raise KindError(
        f"Column {name!r} has the unsupported type {dtype}; ignore it, or convert it to numbers or text."
    )


def days_of(series: "pl.Series") -> "pl.Series":
    """The numbers of dates or times on the time line; null is missing.

    >>> import polars as pl
    >>> days_of(pl.Series([None, 2]).cast(pl.Date)).to_list()
    [None, 2.0]
    """
    import narwhals.stable.v2 as nw
    import polars as pl

    moments = read_moments(nw.from_native(series, series_only=True))
    if moments is None:
        return series
    return pl.Series(series.name, moments.part(moments.what)).fill_nan(None)


def number_text(series: "pl.Series") -> "pl.Series":
    """Floats as text, integers without a decimal point; NaN is missing.

    >>> import polars as pl
    >>> number_text(pl.Series([1.0, 2.5, None])).to_list()
    ['1', '2.5', None]
    """
    import polars as pl

    cell = columns_named(series.name).fill_nan(None)
    whole = (cell == cell.floor()) & (cell.abs() < LARGEST_EXACT)
    text = pl.when(whole).then(cell.cast(pl.Int64, strict=False).cast(pl.String)).otherwise(cell.cast(pl.String))
    return series.to_frame().select(text.alias(series.name)).to_series()


def _exact(series: "pl.Series") -> bool:
    return not bool(((series > LARGEST_EXACT) | (series < -LARGEST_EXACT)).any())
