"""Encoding: a table of any library becomes a float64 matrix and a description of its columns.

In: a numpy array, a list of rows, or a pandas, polars or pyarrow table. Out: for training a `Table`; for prediction an
`Encoded`, in the codes of the training columns. Numbers are kept, a category becomes its code, a missing cell becomes
NaN; an unseen category (one that does not occur in training) is an error, NaN or `UNSEEN`, as the caller chooses.
"""

import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import copy_table, put_places
from treewright.data.categorical_features import FROM_DTYPE, Declaration, declared_categories
from treewright.data.cells import (
    LARGEST_EXACT,
    NARROW_RANGE,
    Categories,
    Cells,
    Numbers,
    as_categories,
    as_numbers,
    integers_to_float,
    recode,
    refuse_infinite,
)
from treewright.data.column_ranges import ColumnRanges, find_column_ranges, has_infinite, has_missing
from treewright.data.dates import derive_columns, expand_dates
from treewright.data.frames import as_records, default_names, open_table, read_records
from treewright.data.schema import Column, Kind, Schema, input_names
from treewright.errors import InputError, UnseenCategoryWarning, one_of
from treewright.text_table import pluralize

LARGE = 2**20
"""From this many cells on the column ranges are computed once and kept: reading the table again takes time."""

N_SHOWN = 8
"""Categories listed in an error."""

UNSEEN = -np.inf
"""The code of an unseen category; no number has it, because infinite cells are refused."""

UNSEEN_POLICIES = ("error", "missing", "mark")
"""What an unseen category becomes: an error, a missing cell, or `UNSEEN`."""

UNSEEN_EFFECTS = {
    "missing": "is treated as missing",
    "majority": "follows the heaviest branch",
    "stop": "stops at the node that splits on the column",
    "error": "",
}
"""What happens to an unseen category at prediction, as the end of a sentence that begins with "such a value"."""

N_WARNED = 4
"""Categories listed in the warning."""

SIMILAR, LONGEST_SIMILAR, MOST_SIMILAR = 0.7, 100, 1_000
"""How similar (difflib's ratio) a category must be to be suggested for an unseen one; and the number of characters, and
of categories, up to which this is tried."""

_PACKAGE = str(Path(__file__).parent.parent) + os.sep


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table encoded for training.

    columns        name, kind and categories of each column
    values         float64 (n_rows, n_columns), any strides: numbers, or codes of categories; NaN is missing
    feature_names  the names as a list, or None if the columns of X are not named by strings
    ranges         the column ranges of the values, if they were computed
    """

    columns: tuple[Column, ...]
    values: NDArray[np.float64]
    feature_names: list[str] | None
    ranges: ColumnRanges | None = None


@dataclass(frozen=True, slots=True)
class Unseen:
    """A category that does not occur in training.

    column, value  where it is found, and what it is
    n_rows         the number of rows that have it
    rows           these rows
    similar        the category of the column that it may be a misspelling of; None if there is none
    """

    column: str
    value: object
    n_rows: int
    rows: NDArray[np.intp] | tuple[()] = field(default=(), repr=False, compare=False)
    similar: str | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A table encoded for prediction.

    values  float64 (n_rows, n_columns), any strides: numbers, or codes of categories; NaN is missing, and
            `UNSEEN` an unseen category if the policy is "mark"
    unseen  the unseen categories, by column and then by the first row that has them
    """

    values: NDArray[np.float64]
    unseen: tuple[Unseen, ...] = ()


def read_table(X: Any, categorical_features: Any = FROM_DTYPE) -> Table:
    """Read a table for training.

    >>> table = read_table([[1.5, "red"], [2.0, "blue"]])
    >>> table.columns[1].categories
    ('blue', 'red')
    >>> table.values.tolist()
    [[1.5, 1.0], [2.0, 0.0]]
    """
    matrix, ranges = _number_matrix(X)
    if matrix is not None:
        return _read_matrix(matrix, ranges, categorical_features, X)
    table = open_table(X)
    names, declared = table.names, declared_categories(categorical_features, table.names)
    table, derived = expand_dates(table, declared)
    if any(derived):
        of_name = dict(zip(names, declared, strict=True))
        declared = [of_name.get(name, False) for name in table.names]
    values = np.empty((table.n_rows, len(table.names)), order="F")
    columns = []
    for i, name in enumerate(table.names):
        column, cells = _describe(table.read(i, bool(declared[i])), name, declared[i])
        _fill_column(cells, values[:, i])
        columns.append(derived[i] or column)
    return Table(tuple(columns), values, table.feature_names)


def _read_matrix(
    matrix: NDArray[np.float64], ranges: ColumnRanges | None, categorical_features: Any, X: NDArray[Any]
) -> Table:
    """A table of numbers, some of which may be declared as categories; without such, the matrix itself.

    The array of the user, X, is never written to; a matrix that was made from it is.
    """
    columns = _number_columns(matrix.shape[1])
    declared = declared_categories(categorical_features, default_names(matrix.shape[1]))
    if True not in declared and not any(declared):
        return Table(columns, matrix, None, ranges)
    described = list(columns)
    is_shared = matrix is X or np.may_share_memory(matrix, X)
    values = np.empty(matrix.shape, order="F") if is_shared else matrix
    copy_table(matrix, values)  # turns -0.0 into 0.0: they are one number, and print as one
    for i, declaration in enumerate(declared):
        if not declaration:
            continue
        found = put_places(values, i, max(NARROW_RANGE, len(values))) if declaration is True else None
        if found is not None:
            described[i] = Column(columns[i].name, Kind.CATEGORY, tuple(found))
        else:
            described[i], cells = _describe(Numbers(values[:, i]), columns[i].name, declaration)
            _fill_column(cells, values[:, i])
    return Table(tuple(described), values, None)


def encode_table(X: Any, columns: Sequence[Column], unseen: str = "error") -> Encoded:
    """Read a table for prediction, in the codes of the training columns.

    Columns are matched by position, those of dicts and other records by name. `unseen` is what an unseen category
    becomes: "error", "missing" (NaN) or "mark" (`UNSEEN`).

    >>> colour = Column("colour", Kind.CATEGORY, ("blue", "red"))
    >>> encode_table([["red"], [None], ["blue"]], [colour]).values.ravel().tolist()
    [1.0, nan, 0.0]
    >>> encoded = encode_table([["red"], ["mauve"]], [colour], unseen="mark")
    >>> encoded.values.ravel().tolist(), encoded.unseen
    ([1.0, -inf], (Unseen(column='colour', value='mauve', n_rows=1),))
    """
    one_of("unseen", unseen, UNSEEN_POLICIES)
    if type(X) is not np.ndarray:
        names = input_names(columns)
        records = as_records(X, names)
        X = X if records is None else read_records(records, names)
    if all(column.kind == Kind.NUMBER for column in columns):
        matrix, _ = _number_matrix(X)
        if matrix is not None:
            _same_width(matrix.shape[1], columns)
            return Encoded(matrix)
    table = derive_columns(open_table(X), columns)
    _same_width(len(table.names), columns)
    if table.feature_names is None:  # errors use the names of training
        table = replace(table, names=tuple(column.name for column in columns))
    values = np.empty((table.n_rows, len(columns)), order="F")
    found: list[Unseen] = []
    for i, column in enumerate(columns):
        cells = table.read(i, column.kind != Kind.NUMBER)
        if column.kind == Kind.NUMBER:
            values[:, i] = as_numbers(cells, f"Column {column.name!r}").values
        else:
            values[:, i], new = _translate(as_categories(cells), column, unseen)
            found += new
    values += 0.0
    return Encoded(values, tuple(found))


def attach_formats(frame: Any, formats: Mapping[str, str]) -> None:
    """Attach to a frame how its columns are written in the file they come from; operations on the frame lose it."""
    frame._treewright_formats = dict(formats)


def attached_formats(frame: Any) -> Mapping[str, str]:
    """The formats that are attached to a frame, by column; empty for a frame without."""
    return getattr(frame, "_treewright_formats", None) or {}


def with_formats(schema: Schema, X: Any) -> Schema:
    """The schema with the formats that are attached to the frame.

    >>> import polars
    >>> from treewright.data.schema import Target
    >>> frame = polars.DataFrame({"price": [1.5]})
    >>> attach_formats(frame, {"price": "$1,234.5"})
    >>> with_formats(Schema((Column("price", Kind.NUMBER),), Target("sold")), frame).columns[0].format
    '$1,234.5'
    """
    formats = attached_formats(X)
    if not formats:
        return schema
    columns = tuple(
        replace(column, format=formats.get(column.name)) if column.kind == Kind.NUMBER else column
        for column in schema.columns
    )
    target = schema.target
    return Schema(columns, replace(target, format=formats.get(target.name)) if target.is_number else target)


def refuse_missing(columns: Sequence[Column], values: NDArray[np.float64]) -> None:
    """Raise an error that names the first column with a missing cell, if there is one."""
    if not has_missing(values):
        return
    for column, cells in zip(columns, values.T, strict=True):
        missing = np.isnan(cells)
        if missing.any():
            raise InputError(
                f"Column {column.name!r} has a missing value (NaN) in row {int(missing.argmax())}; "
                "fill it, drop the row, or pass another `missing`."
            )


def warn_unseen(found: Sequence[Unseen], effect: str) -> None:
    """Warn once of all these categories; `effect` ends the sentence, as in "such a value is treated as missing"."""
    warnings.warn(unseen_message(found, effect), UnseenCategoryWarning, stacklevel=_stack_level())


def unseen_message(found: Sequence[Unseen], effect: str) -> str:
    """The text of the warning.

    >>> unseen_message([Unseen("colour", "mauve", 2)], "such a value is treated as missing")
    "Unseen category 'mauve' in column 'colour' (2 rows); such a value is treated as missing."
    """
    shown = []
    for one in found[:N_WARNED]:
        advice = "" if one.similar is None else f"; did you mean {one.similar!r}?"
        shown.append(f"{one.value!r} in column {one.column!r} ({pluralize(one.n_rows, 'row')}{advice})")
    if len(found) > N_WARNED:
        shown.append(f"and {len(found) - N_WARNED} more")
    return f"Unseen {'category' if len(found) == 1 else 'categories'} {', '.join(shown)}; {effect}."


def _stack_level() -> int:
    """The `stacklevel` of the first frame outside of this package, counted from `warn_unseen`."""
    steps, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        steps, frame = steps + 1, frame.f_back
    return steps


def _number_matrix(X: Any) -> tuple[NDArray[np.float64] | None, ColumnRanges | None]:
    """A numpy array of numbers as float64, not copied if it is that already, or None for anything else; and its column
    ranges, if they were computed.
    """
    if type(X) not in (np.ndarray, np.memmap) or X.ndim != 2 or X.dtype.kind not in "fiu" or X.size == 0:
        return None, None
    if X.dtype.kind == "f":
        matrix = np.asarray(X, dtype=np.float64)
        ranges = find_column_ranges(matrix) if matrix.size >= LARGE else None
        if has_infinite(matrix) if ranges is None else not ranges.are_finite:
            for i, name in enumerate(default_names(X.shape[1])):
                refuse_infinite(matrix[:, i], f"Column {name!r}")
        return matrix, ranges
    if X.dtype.itemsize == 8 and (X.max() > LARGEST_EXACT or X.min() < -LARGEST_EXACT):
        for i, name in enumerate(default_names(X.shape[1])):
            integers_to_float(X[:, i], f"Column {name!r}")
    return X.astype(np.float64), None


@lru_cache(maxsize=8)
def _number_columns(n_columns: int) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.NUMBER) for name in default_names(n_columns))


def _describe(cells: Cells, name: str, declared: Declaration) -> tuple[Column, NDArray[Any]]:
    """The training column of these cells, and its values or codes."""
    if isinstance(cells, Numbers) and not declared:
        return Column(name, Kind.NUMBER), cells.values
    found = as_categories(cells)
    if isinstance(declared, tuple):
        return Column(name, Kind.ORDERED, declared), _ordered_codes(found, name, declared)
    kind = Kind.ORDERED if found.ordered and not declared else Kind.CATEGORY
    return Column(name, kind, found.categories), found.codes


def _ordered_codes(found: Categories, name: str, levels: tuple[object, ...]) -> NDArray[np.int64]:
    """The codes in the order that the user declared; a value that is not declared is an error."""
    codes = recode(found.codes, found.categories, levels)
    lost = (codes < 0) & (found.codes >= 0)
    if lost.any():
        row = int(lost.argmax())
        raise InputError(
            f"Column {name!r} has the value {found.categories[found.codes[row]]!r} in row {row}, which is not in "
            f"`categorical_features`; its categories are {_list_values(levels)}."
        )
    return codes


def _translate(found: Categories, column: Column, policy: str) -> tuple[NDArray[np.float64], list[Unseen]]:
    """The codes in a training column, and the unseen categories."""
    codes = recode(found.codes, found.categories, column.categories)
    values = np.empty(len(codes))
    _fill_column(codes, values)
    lost = (codes < 0) & (found.codes >= 0)
    if not lost.any():
        return values, []
    unseen: list[Unseen] = []
    for code, rows in _rows_by_code(found.codes, np.flatnonzero(lost)):
        value = found.categories[code]
        similar = similar_category(value, column.categories) if len(unseen) < N_WARNED else None
        unseen.append(Unseen(column.name, value, len(rows), rows, similar))
    if policy == "error":
        advice = f"use one of {_list_values(column.categories)}"
        if not column.categories:
            advice = "the training column has no values, so leave the cell missing"
        elif unseen[0].similar is not None:
            advice = f"did you mean {unseen[0].similar!r}? U{advice[1:]}"
        raise InputError(
            f"Column {column.name!r} has the value {unseen[0].value!r}, which does not occur in training; {advice}."
        )
    if policy == "mark":
        values[lost] = UNSEEN
    return values, unseen


def similar_category(value: object, categories: Sequence[object]) -> str | None:
    """The category that a text may be a misspelling of, whatever its case; None if there is none, or too many.

    >>> similar_category("Suny", ("rain", "sunny")), similar_category("fog", ("rain", "sunny"))
    ('sunny', None)
    """
    if not isinstance(value, str) or len(value) > LONGEST_SIMILAR or len(categories) > MOST_SIMILAR:
        return None
    texts = [one for one in categories if isinstance(one, str) and len(one) <= LONGEST_SIMILAR]
    known = {text.casefold(): text for text in reversed(texts)}  # of equal ones the first
    close = get_close_matches(value.casefold(), known, n=1, cutoff=SIMILAR)
    return known[close[0]] if close else None


def _rows_by_code(codes: NDArray[Any], rows: NDArray[np.intp]) -> list[tuple[int, NDArray[np.intp]]]:
    """The different codes of these rows and the rows of each, by the first row."""
    rows = rows[np.argsort(codes[rows], kind="stable")]
    groups = np.split(rows, np.flatnonzero(np.diff(codes[rows])) + 1)
    groups.sort(key=lambda group: int(group[0]))
    return [(int(codes[group[0]]), group) for group in groups]


def _fill_column(cells: NDArray[Any], values: NDArray[np.float64]) -> None:
    """Write numbers, or codes, of which those below 0 are missing, into a column."""
    np.add(cells, 0.0, out=values)  # -0.0 and 0.0 are one number, and print as one
    if cells.dtype.kind == "i":
        missing = cells < 0
        if missing.any():
            np.copyto(values, np.nan, where=missing)


def _same_width(n_columns: int, columns: Sequence[Column]) -> None:
    if n_columns != len(columns):
        raise InputError(
            f"X has {n_columns} features, but Treewright is expecting {len(columns)} features as input: "
            f"{_list_values([column.name for column in columns])}."
        )


def _list_values(values: Sequence[object]) -> str:
    """The first few values, and how many more there are."""
    more = f" and {len(values) - N_SHOWN} more" if len(values) > N_SHOWN else ""
    return ", ".join(map(repr, values[:N_SHOWN])) + more
