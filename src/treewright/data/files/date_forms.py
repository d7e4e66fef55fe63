"""Dates and times in text: 2024-12-31 18:30, 31.12.2024, 12/31/2024, 31-Dec-2024, 2024年12月31日, 18:30.

In: the distinct cells of a column. Out: the form that fits them, and the date or time of each cell. The form, such as
"dmy", is stored with the column of a model, so that rows for the model are read in the same way.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from treewright.data.files.cell_parsing import is_number
from treewright.data.files.number_forms import MOSTLY, N_FIRST, is_number_marker
from treewright.errors import InputError

FORMS = ("ymd", "dmy", "mdy", "name", "time")
"""Forms that are recognised: the order of year, month and day; a name of the month; a time of day."""
DECLARED = ("excel", "timestamp")
"""Forms that must be declared: days since 1899-12-30, and seconds since 1970-01-01."""

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: i + 1 for i, name in enumerate(_NAMES)}
_YMD = re.compile(
    r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]+(.+))?\Z|(\d{4})年(\d{1,2})月(\d{1,2})日(?: *(.+))?\Z", re.ASCII
)
_PAIR = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ]+(.+))?\Z", re.ASCII)
_NAMED = (
    re.compile(r"(?P<d>\d{1,2})[- ]+(?P<m>[A-Za-z]{3,9})\.?,?[- ]+(?P<y>\d{4})(?:[T ,]+(?P<t>.+))?\Z", re.ASCII),
    re.compile(r"(?P<m>[A-Za-z]{3,9})\.? +(?P<d>\d{1,2}),? +(?P<y>\d{4})(?:[T ,]+(?P<t>.+))?\Z", re.ASCII),
)
_TIME = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([AaPp][Mm])?\s?(Z|UTC|[+-]\d{2}:?\d{2})?\Z", re.ASCII
)


def parse_date(cell: str, form: str) -> datetime | time | None:
    """The date or time in a cell, in UTC if it has a time zone; None if it does not have this form.

    >>> parse_date("31/12/2024 6:30 PM", "dmy"), parse_date("31/12/2024", "mdy")
    (datetime.datetime(2024, 12, 31, 18, 30), None)
    """
    try:
        if form == "time":
            found = _parse_time(cell)
            return None if found is None else (datetime.min + found[0]).time()
        if form in FORMS:
            return _parse_day(cell, form)
        return _parse_declared(cell, form)
    except (ValueError, OverflowError):
        return None


def _parse_day(cell: str, form: str) -> datetime | None:
    clock: str | None
    if form == "ymd":
        found = _YMD.match(cell)
        if found is None:
            return None
        year, month, day, clock = found.group(1, 3, 4, 5) if found[1] else found.group(6, 7, 8, 9)
    elif form == "name":
        found = next(filter(None, (one.match(cell) for one in _NAMED)), None)
        if found is None or found["m"][:3].lower() not in _MONTHS:
            return None
        year, month, day, clock = found["y"], str(_MONTHS[found["m"][:3].lower()]), found["d"], found["t"]
    else:
        found = _PAIR.match(cell)
        if found is None:
            return None
        first, second, year, clock = found.group(1, 3, 4, 5)
        day, month = (first, second) if form == "dmy" else (second, first)
    moment = datetime(int(year), int(month), int(day))
    if clock is None:
        return moment
    at = _parse_time(clock)
    if at is None:
        return None
    moment += at[0]
    return moment if at[1] is None else (moment - at[1]).replace(tzinfo=UTC)


def _parse_time(text: str) -> tuple[timedelta, timedelta | None] | None:
    """A time of day, and the offset of its time zone, None if it has none."""
    found = _TIME.match(text)
    if found is None:
        return None
    hour, minute, second = (int(part or 0) for part in found.group(1, 2, 3))
    if found[5]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[5].lower() == "pm" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    at = timedelta(hours=hour, minutes=minute, seconds=second, microseconds=int((found[4] or "0").ljust(6, "0")[:6]))
    zone = found[6]
    if zone is None:
        return at, None
    if zone in ("Z", "UTC"):
        return at, timedelta(0)
    size = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return at, -size if zone[0] == "-" else size


def _parse_declared(cell: str, form: str) -> datetime | None:
    if form not in DECLARED:
        found = datetime.strptime(cell, form)
        return found if found.tzinfo is None else found.astimezone(UTC)
    if not is_number(cell, "."):
        return None
    if form == "excel":
        return datetime(1899, 12, 30) + timedelta(days=float(cell))
    return datetime(1970, 1, 1) + timedelta(seconds=float(cell))


def check_form(form: str, column: str) -> None:
    """Refuse a form that is neither known nor a format of `strptime`."""
    if form not in (*FORMS, *DECLARED) and "%" not in form:
        raise InputError(
            f"Column {column!r} has the unknown date format {form!r}; use one of {', '.join((*FORMS, *DECLARED))}, or "
            "a format such as '%Y%m%d'."
        )


@dataclass(frozen=True, slots=True)
class DatesFound:
    """The form of a column and what it reads.

    values     the date or time of each distinct cell that has the form; None for markers of missing values
    n_wrong    known cells that do not have it
    ambiguous  a cell, if all cells fit both orders of day and month; or ""
    """

    form: str
    values: dict[str, Any]
    n_wrong: int
    n_known: int
    ambiguous: str = ""


def find_date_form(counts: Mapping[str, int], missing: Sequence[str], day_first: bool) -> DatesFound | None:
    """The form of most of the cells, given with their counts; None if fewer than `MOSTLY` have one.

    day_first  whether the day is first if all cells fit both orders

    >>> find_date_form({"3/4/2024": 1, "3/14/2024": 1}, (), True).form
    'mdy'
    """
    some = dict([pair for pair in counts.items() if not is_number_marker(pair[0], missing)][:N_FIRST])
    some_known = sum(some.values())
    forms = [
        form
        for form in FORMS
        if 2 * sum(n for cell, n in some.items() if parse_date(cell, form) is not None) > some_known
    ]
    found = [read_dates(counts, form, missing) for form in (forms if day_first else sorted(forms, key=_mdy_first))]
    best = min(found, key=lambda one: one.n_wrong, default=None)
    if best is None or best.n_wrong > (1 - MOSTLY) * best.n_known:
        return None
    tied = best.form in ("dmy", "mdy") and sum(one.n_wrong == best.n_wrong for one in found) > 1
    differs = {one.form: one.values for one in found}
    if tied and differs["dmy"] != differs["mdy"]:
        return DatesFound(best.form, best.values, best.n_wrong, best.n_known, next(iter(best.values)))
    return best


def _mdy_first(form: str) -> bool:
    return form != "mdy"


def read_dates(counts: Mapping[str, int], form: str, missing: Sequence[str]) -> DatesFound:
    """The cells in a form that is known."""
    values: dict[str, Any] = {}
    n_wrong = n_known = 0
    for cell, n in counts.items():
        if is_number_marker(cell, missing):
            values[cell] = None
            continue
        n_known += n
        value = parse_date(cell, form)
        if value is None:
            n_wrong += n
        else:
            values[cell] = value
    return DatesFound(form, values, n_wrong, n_known)


def date_series(text: Any, values: Mapping[str, Any]) -> Any:
    """The dates of a column of text: Datetime, in UTC if a cell has a time zone, or Time; null for other cells."""
    import polars as pl

    known = [value for value in values.values() if value is not None]
    if known and all(isinstance(value, time) for value in known):
        return _mapped(text, values, pl.Time, lambda value: value)
    zoned = any(value.tzinfo is not None for value in known)
    made = _mapped(text, values, pl.Datetime("us"), lambda value: value.replace(tzinfo=None))
    return made.dt.replace_time_zone("UTC") if zoned else made


def _mapped(text: Any, values: Mapping[str, Any], dtype: Any, convert: Callable[[Any], Any]) -> Any:
    import polars as pl

    cells = pl.Series(list(values), dtype=pl.String)
    new = pl.Series([None if value is None else convert(value) for value in values.values()], dtype=dtype)
    return text.alias("").replace_strict(cells, new, default=None, return_dtype=dtype).alias(text.name)


