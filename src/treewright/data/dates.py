"""Dates and times as numbers: days since 1970-01-01, and the year, month, weekday and hour where they vary.

In: the columns of an open table. Out: the same table with columns of numbers instead of dates. The column `date`
becomes `date` (days), `date: year`, `date: month`, `date: weekday` (1 is Monday) and `date: hour`. Times of day become
a number of hours, durations a number of days. The number of days is counted in UTC; the parts are those of the clock in
the time zone of the column.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import is_missing
from treewright.data.frames import OpenTable
from treewright.data.schema import Column, Kind, input_names
from treewright.errors import InputError, KindError

DAYS, HOURS, DURATION = "days", "hours", "duration"
PARTS = ("year", "month", "weekday", "hour")
"""Parts of a date, which become columns if they vary."""

_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """The dates, times of day or durations of a column, in microseconds; NaN is missing.

    what   "days" for dates, "hours" for times of day, "duration"
    utc    int64 since 1970-01-01 in UTC, since midnight, or the length of the duration
    local  the same by the clock of the time zone
    known  bool
    """

    what: str
    utc: NDArray[np.int64]
    local: NDArray[np.int64]
    known: NDArray[np.bool_]

    def part(self, part: str) -> NDArray[np.float64]:
        """A number for each row."""
        if part in (DAYS, DURATION):
            values: NDArray[Any] = self.utc / _DAY
        elif part == HOURS:
            values = self.utc / (_DAY / 24)
        else:
            moments = self.local.astype("M8[us]")
            values = {
                "year": lambda: moments.astype("M8[Y]").astype(np.int64) + 1970,
                "month": lambda: moments.astype("M8[M]").astype(np.int64) % 12 + 1,
                "weekday": lambda: (self.local // _DAY + 3) % 7 + 1,
                "hour": lambda: self.local % _DAY // (_DAY // 24),
            }[part]()
        return np.where(self.known, values, np.nan)

    def parts(self) -> list[str]:
        """The number of the moments, and the parts that vary."""
        if self.what != DAYS:
            return [self.what]
        return [DAYS, *(part for part in PARTS if len(np.unique(self.part(part)[self.known])) > 1)]


def derived_name(source: str, part: str) -> str:
    """The name of a column that is derived from dates.

    >>> derived_name("sold", "days"), derived_name("sold", "year")
    ('sold', 'sold: year')
    """
    return f"{source}: {part}" if part in PARTS else source


def expand_dates(table: OpenTable, kept: Sequence[object]) -> tuple[OpenTable, list[Column | None]]:
    """The table with numbers instead of dates, and the derivation of each column; None for a column as it was.

    kept  for each column, whether it is declared as a category, which dates may be
    """
    moments = [None if keep else read_moments(column) for column, keep in zip(table.columns, kept, strict=True)]
    if all(one is None for one in moments):
        return table, [None] * len(table.names)
    names: list[str] = []
    columns: list[Any] = []
    derived: list[Column | None] = []
    for name, column, one in zip(table.names, table.columns, moments, strict=True):
        if one is None:
            names.append(name)
            columns.append(column)
            derived.append(None)
            continue
        for part in one.parts():
            names.append(derived_name(name, part))
            columns.append(one.part(part))
            derived.append(Column(names[-1], Kind.NUMBER, source=name, part=part))
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(f"X has a column {repeated!r} besides the dates that it would be made from; rename it.")
    feature_names = None if table.feature_names is None else names
    return replace(table, names=tuple(names), feature_names=feature_names, columns=columns), derived


def derive_columns(table: OpenTable, columns: Sequence[Column]) -> OpenTable:
    """The table of a model's columns, some of which are derived from the dates of the table."""
    names = input_names(columns)
    if len(names) != len(table.names) or not any(column.source is not None for column in columns):
        return table
    found: dict[str, Moments | None] = {}
    made = []
    for column in columns:
        source = column.source
        given = table.columns[names.index(column.name if source is None else source)]
        if source is None or column.part is None:
            made.append(given)
            continue
        if source not in found:
            found[source] = read_moments(given)
        made.append(derive(found[source], column, given))
    labels = [column.name for column in columns]
    return replace(table, names=tuple(labels), columns=made)


def derive(moments: Moments | None, column: Column, given: Any) -> NDArray[np.float64]:
    """The numbers of a derived column; `given` are the cells that the moments were read from."""
    if moments is None:
        if all(map(is_missing, given.tolist() if hasattr(given, "tolist") else given.to_list())):
            return np.full(len(given), np.nan)
        raise KindError(
            f"Column {column.source!r} must contain dates or times as in training; convert it, for example with "
            "pandas.to_datetime."
        )
    what = column.part if column.part in (HOURS, DURATION) else DAYS
    if moments.what != what:
        words = {DAYS: "dates", HOURS: "times of day", DURATION: "durations"}
        raise KindError(f"Column {column.source!r} must contain {words[str(what)]}, got {words[moments.what]}.")
    return moments.part(str(column.part))


def read_moments(column: Any) -> Moments | None:
    """The moments in a column of a table; None for a column of anything else."""
    if not isinstance(column, np.ndarray):
        dtype: Any = getattr(column, "dtype", None)
        if isinstance(dtype, np.dtype):
            column = column.to_numpy()
        elif not hasattr(dtype, "is_temporal"):
            return None  # a category type of pandas
        elif dtype.is_temporal():
            return _of_series(column)
        elif str(dtype) != "Object":
            return None
        else:
            column = np.array(column.to_list(), dtype=object)
    if column.dtype.kind in "Mm":
        return _of_numpy(column, column)
    return _of_objects(column.tolist()) if column.dtype.kind == "O" else None


def _of_series(series: Any) -> Moments:
    """The moments of a narwhals series of a temporal type."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype == nw.Time:
        found = _of_objects(series.to_list())
        return found or _of_numpy(np.full(len(series), "NaT", "m8[us]"), np.full(len(series), "NaT", "m8[us]"), HOURS)
    if dtype == nw.Duration:
        values = series.to_numpy().astype("m8[us]")
        return _of_numpy(values, values)
    if dtype == nw.Date:
        series = series.cast(nw.Datetime("us"))
    elif dtype.time_zone is not None:
        utc = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None).to_numpy()
        return _of_numpy(utc, series.dt.replace_time_zone(None).to_numpy())
    values = series.to_numpy()
    return _of_numpy(values, values)


def _of_numpy(utc: NDArray[Any], local: NDArray[Any], what: str | None = None) -> Moments:
    unit = f"{utc.dtype.kind}8[us]"
    known = ~np.isnat(utc)
    if isinstance(utc, np.ma.MaskedArray):
        known &= ~np.ma.getmaskarray(utc)
    numbers = [np.where(known, np.asarray(one).astype(unit).astype(np.int64), 0) for one in (utc, local)]
    return Moments(what or (DAYS if utc.dtype.kind == "M" else DURATION), numbers[0], numbers[1], known)


def _of_objects(cells: Sequence[Any]) -> Moments | None:
    """The moments of Python objects; None if one is something else, or none is known."""
    first = next((cell for cell in cells if not is_missing(cell)), None)
    if not isinstance(first, (date, time, timedelta, np.datetime64, np.timedelta64)):
        return None
    known = [not is_missing(cell) for cell in cells]
    some = [cell for cell, there in zip(cells, known, strict=True) if there]
    some = [cell.astype("M8[us]").item() if isinstance(cell, np.datetime64) else cell for cell in some]
    some = [cell.astype("m8[us]").item() if isinstance(cell, np.timedelta64) else cell for cell in some]
    kinds = ((DAYS, date), (HOURS, time), (DURATION, timedelta))
    what = next((what for what, kind in kinds if all(isinstance(cell, kind) for cell in some)), None)
    if what is None:
        return None
    utc, local = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    pairs = [_microseconds(cell) for cell in some]
    utc[known], local[known] = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Moments(what, utc, local, np.array(known))


def _microseconds(cell: Any) -> tuple[int, int]:
    """A Python date, time or duration in microseconds, in UTC and by its own clock."""
    one = timedelta(microseconds=1)
    if isinstance(cell, timedelta):
        return (cell // one,) * 2
    if isinstance(cell, time):
        return (timedelta(0, (cell.hour * 60 + cell.minute) * 60 + cell.second, cell.microsecond) // one,) * 2
    if not isinstance(cell, datetime):
        cell = datetime(cell.year, cell.month, cell.day)
    local = (cell.replace(tzinfo=None) - datetime(1970, 1, 1)) // one
    return local - (cell.utcoffset() or timedelta(0)) // one, local
