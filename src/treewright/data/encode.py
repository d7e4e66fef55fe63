"""Encode: a table as the user has it becomes a matrix of float64 and the description of its columns.

In: a numpy array, a list of rows, or a pandas, polars or pyarrow table. Out: at fit a `Table`; at predict an
`Encoded`, in the codes of the columns that were fitted. Numbers stay as they are, a category becomes its code, a
missing cell becomes NaN; a category that training never showed is an error, NaN or `UNSEEN`, as the caller asks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import copy_table, put_places
from treewright.data.cells import (
    EXACT,
    NARROW,
    Cells,
    Numbers,
    Words,
    as_numbers,
    as_words,
    exact,
    finite,
    moved,
)
from treewright.data.declared import FROM_DTYPE, Declaration, declared_categories
from treewright.data.ends import Ends, ends_of
from treewright.data.frames import open_sheet, unnamed
from treewright.data.records import are_records, read_records
from treewright.data.schema import Column, Kind
from treewright.data.strange import has_hole, has_infinity
from treewright.errors import InputError, one_of

LARGE = 2**20
"""From this many cells on the ends of a table are found once and kept: to read it again takes time."""

N_SHOWN = 8
"""Categories listed in an error."""

UNSEEN = -np.inf
"""The code of a category that training never showed; free for it, because infinite cells are refused."""

POLICIES = ("error", "missing", "mark")
"""What a category that training never showed becomes: an error, a missing cell, or `UNSEEN`."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """An encoded table.

    columns        what each column is called and which categories it has
    values         float64 (n_rows, n_columns), any strides: numbers, or codes of categories; NaN is missing
    feature_names  the names as a list, or None when X carries no string names
    ends           those of the values, where reading has found them
    """

    columns: tuple[Column, ...]
    values: NDArray[np.float64]
    feature_names: list[str] | None
    ends: Ends | None = None


@dataclass(frozen=True, slots=True)
class Unseen:
    """A category that training never showed: its column, its value, and in how many rows it stands."""

    column: str
    value: object
    n_rows: int


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A table encoded for prediction.

    values  float64 (n_rows, n_columns), any strides: numbers, or codes of categories; NaN is missing, and
            `UNSEEN` a category that training never showed, where marks were asked for
    unseen  the categories that training never showed, by column and then by the first row that has them
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
    matrix, ends = _number_matrix(X)
    if matrix is not None:
        return _read_matrix(matrix, ends, categorical_features, given=X)
    sheet = open_sheet(X)
    declared = declared_categories(categorical_features, sheet.names)
    values = np.empty((sheet.n_rows, len(sheet.names)), order="F")
    columns = []
    for i, name in enumerate(sheet.names):
        column, cells = _describe(sheet.read(i, bool(declared[i])), name, declared[i])
        _put(cells, values[:, i])
        columns.append(column)
    return Table(tuple(columns), values, sheet.feature_names)


def _read_matrix(
    matrix: NDArray[np.float64], ends: Ends | None, categorical_features: Any, given: NDArray[Any]
) -> Table:
    """A table of numbers, some of them declared to be categories; without such, the matrix itself.

    The array that was given is never written to; a matrix that was made of it is.
    """
    columns = _number_columns(matrix.shape[1])
    declared = declared_categories(categorical_features, unnamed(matrix.shape[1]))
    if True not in declared and not any(declared):
        return Table(columns, matrix, None, ends)
    described = list(columns)
    is_given = matrix is given or np.may_share_memory(matrix, given)
    values = np.empty(matrix.shape, order="F") if is_given else matrix
    copy_table(matrix, values)  # where -0.0 is 0.0: they are one number, and print as one
    for i, declaration in enumerate(declared):
        if not declaration:
            continue
        found = put_places(values, i, max(NARROW, len(values))) if declaration is True else None
        if found is not None:
            described[i] = Column(columns[i].name, Kind.CATEGORY, tuple(found))
        else:
            described[i], cells = _describe(Numbers(values[:, i]), columns[i].name, declaration)
            _put(cells, values[:, i])
    return Table(tuple(described), values, None)


def encode_table(X: Any, columns: Sequence[Column], unseen: str = "error") -> Encoded:
    """Read a table for prediction, in the codes of the fitted columns, which are met by position; in a list of dicts
    by name.

    `unseen` says what a category that training never showed becomes: "error", "missing" (NaN) or "mark" (`UNSEEN`).

    >>> colour = Column("colour", Kind.CATEGORY, ("blue", "red"))
    >>> encode_table([["red"], [None], ["blue"]], [colour]).values.ravel().tolist()
    [1.0, nan, 0.0]
    >>> encoded = encode_table([["red"], ["mauve"]], [colour], unseen="mark")
    >>> encoded.values.ravel().tolist(), encoded.unseen
    ([1.0, -inf], (Unseen(column='colour', value='mauve', n_rows=1),))
    """
    one_of("unseen", unseen, POLICIES)
    if are_records(X):
        X = read_records(X, [column.name for column in columns])
    if all(column.kind == Kind.NUMBER for column in columns):
        matrix, _ = _number_matrix(X)
        if matrix is not None:
            _same_width(matrix.shape[1], columns)
            return Encoded(matrix)
    sheet = open_sheet(X)
    _same_width(len(sheet.names), columns)
    if sheet.feature_names is None:  # errors call a column as its user does
        sheet = replace(sheet, names=tuple(column.name for column in columns))
    values = np.empty((sheet.n_rows, len(columns)), order="F")
    found: list[Unseen] = []
    for i, column in enumerate(columns):
        cells = sheet.read(i, column.kind != Kind.NUMBER)
        if column.kind == Kind.NUMBER:
            values[:, i] = as_numbers(cells, f"Column {column.name!r}").values
        else:
            values[:, i], new = _translate(as_words(cells), column, unseen)
            found += new
    values += 0.0
    return Encoded(values, tuple(found))


def refuse_missing(columns: Sequence[Column], values: NDArray[np.float64]) -> None:
    """Raise an error that names the first column with a missing cell, if there is one."""
    if not has_hole(values):
        return
    for column, cells in zip(columns, values.T, strict=True):
        missing = np.isnan(cells)
        if missing.any():
            raise InputError(
                f"Column {column.name!r} has a missing value (NaN) in row {int(missing.argmax())}; "
                "fill it in, leave the row out, or choose another missing=."
            )


def _number_matrix(X: Any) -> tuple[NDArray[np.float64] | None, Ends | None]:
    """A plain array of numbers as float64, not copied if it is that already; None for anything else. Behind it its
    ends, where they were looked at.
    """
    if type(X) not in (np.ndarray, np.memmap) or X.ndim != 2 or X.dtype.kind not in "fiu" or X.size == 0:
        return None, None
    if X.dtype.kind == "f":
        matrix = np.asarray(X, dtype=np.float64)
        ends = ends_of(matrix) if matrix.size >= LARGE else None
        if has_infinity(matrix) if ends is None else not ends.are_finite:
            for i, name in enumerate(unnamed(X.shape[1])):
                finite(matrix[:, i], f"Column {name!r}")
        return matrix, ends
    if X.dtype.itemsize == 8 and (X.max() > EXACT or X.min() < -EXACT):
        for i, name in enumerate(unnamed(X.shape[1])):
            exact(X[:, i], f"Column {name!r}")
    return X.astype(np.float64), None


@lru_cache(maxsize=8)
def _number_columns(n_columns: int) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.NUMBER) for name in unnamed(n_columns))


def _describe(cells: Cells, name: str, declared: Declaration) -> tuple[Column, NDArray[Any]]:
    """The column that the cells make in training, and its values or codes."""
    if isinstance(cells, Numbers) and not declared:
        return Column(name, Kind.NUMBER), cells.values
    words = as_words(cells)
    if isinstance(declared, tuple):
        return Column(name, Kind.ORDERED, declared), _ordered(words, name, declared)
    kind = Kind.ORDERED if words.ordered and not declared else Kind.CATEGORY
    return Column(name, kind, words.categories), words.codes


def _ordered(words: Words, name: str, levels: tuple[object, ...]) -> NDArray[np.int64]:
    """The codes of the words in the order that the user declared; a word that has no place in it is refused."""
    codes = moved(words.codes, words.categories, levels)
    lost = (codes < 0) & (words.codes >= 0)
    if lost.any():
        row = int(lost.argmax())
        raise InputError(
            f"Column {name!r} has the value {words.categories[words.codes[row]]!r} in row {row}, which "
            f"categorical_features does not list; its order is {_shown(levels)}."
        )
    return codes


def _translate(words: Words, column: Column, policy: str) -> tuple[NDArray[np.float64], list[Unseen]]:
    """The codes of the words in a fitted column, and the categories that it does not have."""
    codes = moved(words.codes, words.categories, column.categories)
    values = np.empty(len(codes))
    _put(codes, values)
    lost = (codes < 0) & (words.codes >= 0)
    if not lost.any():
        return values, []
    found, first_row, n_rows = np.unique(words.codes[lost], return_index=True, return_counts=True)
    unseen = [Unseen(column.name, words.categories[found[i]], int(n_rows[i])) for i in np.argsort(first_row)]
    if policy == "error":
        known = f"use one of {_shown(column.categories)}"
        raise InputError(
            f"Column {column.name!r} has the value {unseen[0].value!r}, which training never showed; "
            f"{known if column.categories else 'it showed no value at all there, so leave the cell missing'}."
        )
    if policy == "mark":
        values[lost] = UNSEEN
    return values, unseen


def _put(cells: NDArray[Any], values: NDArray[np.float64]) -> None:
    """Write numbers, or codes of which those below 0 are missing, into a column."""
    np.add(cells, 0.0, out=values)  # -0.0 and 0.0 are one number, and print as one
    if cells.dtype.kind == "i":
        missing = cells < 0
        if missing.any():
            np.copyto(values, np.nan, where=missing)


def _same_width(n_columns: int, columns: Sequence[Column]) -> None:
    if n_columns != len(columns):
        raise InputError(
            f"X has {n_columns} features, but Treewright is expecting {len(columns)} features as input: "
            f"{_shown([column.name for column in columns])}."
        )


def _shown(values: Sequence[object]) -> str:
    """The first few values, and how many more there are."""
    more = f" and {len(values) - N_SHOWN} more" if len(values) > N_SHOWN else ""
    return ", ".join(map(repr, values[:N_SHOWN])) + more
