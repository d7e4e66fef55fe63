"""The role of each column of a file: feature, target, weights or ignored.

In: what the user, a schema file and the file itself say about the columns, and the columns that were read. Out: the
kind as which each column is read; then a `Data`. The user overrides the schema file, and the schema file overrides
the file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.encode import attach_formats
from treewright.data.files.column_kinds import (
    CATEGORY,
    DATE,
    GUESS,
    NUMBER,
    SET_BY_USER,
    SKIP,
    ColumnFound,
    are_whole,
    days_of,
    first_true,
)
from treewright.data.files.column_names import known_columns
from treewright.data.files.error_text import closest_names, quote_value
from treewright.data.files.loaded_data import FEATURES, Data, DataColumn
from treewright.data.files.reading_notes import many_values
from treewright.data.files.translatable import Translatable
from treewright.errors import InputError, ParameterError
from treewright.language import N_

if TYPE_CHECKING:
    import polars as pl

ORDERED = "ordered"


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Roles and kinds of columns, by name.

    kinds    "number", "category", "ordered" or "date"
    levels   the categories of a column; those of an ordered one from low to high
    others   the reason to ignore columns that are not in `kinds`; "" if they are not ignored
    reason   the reason for all of this if it is not set by the user: "declared in the file"
    reasons  the reasons by column if they are not set by the user
    formats  how columns of numbers or dates are written, such as "$1,234.5" or "dmy"
    """

    target: str | None = None
    weights: str | None = None
    ignore: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: str = ""
    reason: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)

    def requested_kind(self, name: str) -> str:
        """The kind as which a column is read: "number", "category", "guess" or "skip"."""
        if name == self.weights:
            return NUMBER
        if name in self.ignore or (self.others and name not in self.kinds and name != self.target):
            return SKIP
        kind = self.kinds.get(name, GUESS)
        return CATEGORY if kind == ORDERED or (kind == GUESS and name in self.levels) else kind


def roles_from_parameters(names: Sequence[str], given: Mapping[str, Any]) -> ColumnRoles:
    """The roles by the parameters of `read`; an error if a column is unknown or two parameters conflict."""
    kinds: dict[str, str] = {}
    levels: dict[str, tuple[str, ...]] = {}
    ordered = given["ordered"] or {}
    if not isinstance(ordered, Mapping):
        raise ParameterError(
            f"`ordered` must map columns to their categories from low to high, got a {type(ordered).__name__}."
        )
    dates = given.get("dates") or {}
    if not isinstance(dates, Mapping):
        raise ParameterError(f"`dates` must map columns to their formats, got a {type(dates).__name__}.")
    for parameter, kind in (("categorical", CATEGORY), ("numeric", NUMBER), ("ordered", ORDERED), ("dates", DATE)):
        for name in known_columns(parameter, given.get(parameter) or (), names):
            if name in kinds:
                raise ParameterError(
                    f"Column {name!r} cannot be both {kinds[name]} and {kind}; choose one."
                )
            kinds[name] = kind
    for name, categories in ordered.items():
        levels[name] = read_levels(name, categories)
    ignore = known_columns("ignore", given["ignore"] or (), names)
    target, weights = given["target"], given["weights"]
    for parameter, name in (("target", target), ("weights", weights)):
        if name is not None:
            if not isinstance(name, str):
                raise ParameterError(f"`{parameter}` must be a column name, got {name!r}.")
            known_columns(parameter, name, names)
            if name in ignore:
                raise ParameterError(f"Column {name!r} cannot be both {parameter} and ignored; choose one.")
    if target is not None and target == weights:
        raise ParameterError(f"Column {target!r} cannot be both target and weights; choose one.")
    return ColumnRoles(target, weights, ignore, kinds, levels, formats=dates)


def read_levels(column: str, categories: Any) -> tuple[str, ...]:
    """The levels of an ordered column as text; an error if one is repeated.

    >>> read_levels("size", ["S", "M"])
    ('S', 'M')
    """
    if isinstance(categories, str) or not hasattr(categories, "__iter__"):
        raise ParameterError(
            f"`ordered` must list the categories of column {column!r} from low to high, got {categories!r}."
        )
    levels = tuple(map(str, categories))
    if not levels:
        raise ParameterError(f"`ordered` must list the categories of column {column!r} from low to high, got none.")
    if len(set(levels)) < len(levels):
        repeated = next(one for i, one in enumerate(levels) if one in levels[:i])
        raise ParameterError(
            f"`ordered` must list each category of column {column!r} once, got {quote_value(repeated)} twice."
        )
    return levels


def merge_roles(first: ColumnRoles, second: ColumnRoles) -> ColumnRoles:
    """The roles of both; the first overrides the second, and entirely so if it ignores all other columns."""
    if first.others:
        levels = {name: some for name, some in second.levels.items() if name in first.kinds} | dict(first.levels)
        return replace(first, levels=levels)
    named = {*first.kinds, *first.ignore, first.target, first.weights}
    kinds = {name: kind for name, kind in second.kinds.items() if name not in named} | dict(first.kinds)
    if first.target in second.kinds and first.target not in first.kinds:
        kinds[str(first.target)] = second.kinds[str(first.target)]
    levels = {name: some for name, some in second.levels.items() if name not in first.kinds} | dict(
        first.levels
    )
    target = first.target or (second.target if second.target not in named else None)
    weights = first.weights or (second.weights if second.weights not in named else None)
    used = {target, weights, *first.kinds}
    ignore = (*first.ignore, *(name for name in second.ignore if name not in (*first.ignore, *used)))
    reasons = dict.fromkeys((*second.kinds, *second.ignore), second.reason) | dict(second.reasons)
    reasons = {name: why for name, why in reasons.items() if name not in (*first.kinds, *first.ignore)}
    reasons |= first.reasons
    formats = {name: one for name, one in second.formats.items() if name not in first.kinds} | dict(first.formats)
    return ColumnRoles(
        target, weights, ignore, kinds, levels, first.others or second.others, reasons=reasons, formats=formats
    )


@dataclass(frozen=True, slots=True, eq=False)
class ColumnsRead:
    """What was read from a file.

    names    all column names
    found    the columns that were read
    where    the line or number of a row, as error messages name it
    notes    sentences about what may be unexpected
    weight   the row weights that the file declares, or None
    missing  the missing-value markers of text, or None
    """

    source: str
    names: tuple[str, ...]
    found: Mapping[str, ColumnFound]
    where: Callable[[int], str]
    notes: tuple[str, ...] = ()
    weight: Any = None
    missing: tuple[str, ...] | None = None


def build_data(columns: ColumnsRead, roles: ColumnRoles) -> Data:
    """The columns in their roles; rows without a target are dropped."""
    import polars as pl

    notes, rows = [*columns.notes, *(found.note for found in columns.found.values() if found.note)], None
    weight = columns.weight
    if roles.weights is not None:
        weight = _read_weights(columns.found[roles.weights].series, columns.where)
    y = None
    if roles.target is not None:
        y = _read_target(_apply_levels(columns.found[roles.target], roles, columns.where))
        if y.null_count():
            rows = y.alias("").is_not_null()
            notes.append(_dropped_rows(y.null_count(), roles.target))
            y = y.filter(rows)
            if not y.len():
                raise InputError(
                    f"No row of {columns.source!r} has a value in {roles.target!r}; choose another target."
                )
            weight = weight if weight is None else weight[rows.to_numpy()]
    described, features = [], []
    for name in columns.names:
        described.append(column := _describe_column(name, columns, roles, rows, y))
        if column.kind in FEATURES:
            features.append(column.series)
        found = columns.found.get(name)
        if found and not found.note and column.kind == CATEGORY and name not in (*roles.kinds, *roles.levels):
            notes += filter(None, [many_values(name, found.series)])
    if not features:
        raise InputError(
            f"{columns.source!r} has no feature columns; ignore fewer columns, or pass another file."
        )
    levels = {name: some for name, some in roles.levels.items() if name in columns.found}
    X = pl.DataFrame(features)
    formats = {name: found.format for name, found in columns.found.items() if found.format is not None}
    attach_formats(X, formats)
    return Data(
        X, y, weight, columns.source, tuple(notes), levels, tuple(described), columns.missing, formats
    )


def _dropped_rows(n: int, target: str) -> Translatable:
    if n == 1:
        return Translatable(N_("Dropped 1 row without a value in {target}."), target=repr(target))
    return Translatable(N_("Dropped {n} rows without a value in {target}."), n=n, target=repr(target))


def _describe_column(
    name: str, columns: ColumnsRead, roles: ColumnRoles, rows: "pl.Series | None", y: "pl.Series | None"
) -> DataColumn:
    """One column with its role and the reason, without the dropped rows."""
    found = columns.found.get(name)
    reason = roles.reasons.get(name)
    if name == roles.target:
        return DataColumn(name, "target", y, reason or (found.why if found else ""))
    if name == roles.weights:
        series = columns.found[name].series
        return DataColumn(name, "weight", series if rows is None else series.filter(rows), SET_BY_USER)
    if found is None:
        return DataColumn(name, "ignored", None, reason or (SET_BY_USER if name in roles.ignore else roles.others))
    series = _apply_levels(found, roles, columns.where)
    kind, why = found.kind, reason or found.why
    if roles.kinds.get(name) == ORDERED:
        levels = " < ".join(roles.levels[name])
        kind, why = ORDERED, Translatable(N_("{reason}: {levels}"), reason=reason or SET_BY_USER, levels=levels)
    return DataColumn(name, kind, series if rows is None else series.filter(rows), why)


def _apply_levels(found: ColumnFound, roles: ColumnRoles, where: Callable[[int], str]) -> "pl.Series":
    """The column as an Enum of its declared levels, if it has some; a value that is not declared is an error."""
    import polars as pl

    levels = roles.levels.get(found.name)
    if levels is None or found.kind == NUMBER:
        return found.series
    text = found.series.cast(pl.String)
    column = text.cast(pl.Enum(levels), strict=False)
    lost = column.alias("").is_null() & text.alias("").is_not_null()
    if lost.any():
        row = first_true(lost)
        raise InputError(
            f"Column {found.name!r} has the value {quote_value(text[row])} in {where(row)}, which is not one of its "
            f"levels; the closest are {closest_names(text[row], levels)}."
        )
    return column


def _read_target(y: "pl.Series") -> "pl.Series":
    """The target: integers as Int64, so that classes 1 and 2 are not called 1.0 and 2.0; categories as text."""
    import polars as pl

    if y.dtype == pl.Enum:
        return y.cast(pl.String)
    if y.dtype.is_temporal():
        return _read_target(days_of(y))
    if y.dtype == pl.Float64 and y.len() > y.null_count():
        return y.cast(pl.Int64) if are_whole(y) else y
    return y


def _read_weights(series: "pl.Series", where: Callable[[int], str]) -> Any:
    """Weights as numbers of at least 0, none of them missing."""
    for wrong, what in ((series.alias("").is_null(), "a missing weight"), (series < 0, "a negative weight")):
        if wrong.any():
            row = first_true(wrong)
            raise InputError(
                f"Column {series.name!r} has {what} in {where(row)}; weights must be numbers of at least 0."
            )
    return np.ascontiguousarray(series.to_numpy(), dtype=np.float64)
