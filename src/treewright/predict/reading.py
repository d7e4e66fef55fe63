"""Reading: a table as the user has it, some rows at a time, in the codes of a tree.

In: an array of numbers, a pandas table or a few rows of objects, and the columns of a tree. Out: rows to be read in
blocks; nothing as large as the table is made. What is not usual about a table (an infinite number, a category that
training never showed, text where a number is needed, another kind of table) is left to `treewright.data.encode`, which
reads all of it at once and knows what to say.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import HAS_MISSING, fill_codes, find_special_values, only_codes, translate
from treewright.data.cells import EXACT
from treewright.data.schema import Column, Kind
from treewright.fast_paths import up_to
from treewright.model.ways import code_table as _code_table
from treewright.predict.blocks import block_of
from treewright.predict.ends import CODES, WHOLE

PLAIN_KINDS = (str, bool, int, float)
"""Types whose objects are the categories that they are equal to."""


class Unusual(Exception):
    """There is something in the rows that only a look at the whole table can deal with."""


class Matrix:
    """An array of numbers; columns of categories hold the categories themselves.

    n_codes  of each column whose categories are their own codes, 0 for others; None where there are none of these
    coded    (columns, starts, table) of the others, as `translate` takes them; None where there are none
    whole    whether a missing value is unusual
    """

    def __init__(
        self,
        array: NDArray[Any],
        whole: bool,
        n_codes: NDArray[np.int32] | None = None,
        coded: tuple[NDArray[Any], ...] | None = None,
    ) -> None:
        self.array, self.whole, self.n_codes, self.coded, self.n_rows = array, whole, n_codes, coded, len(array)
        self.long = _is_long(array.dtype)

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
        values = block_of(self.array, start, stop, room)
        known = look_at(values, self.long, self.whole)
        if self.n_codes is not None and not only_codes(values, self.n_codes):
            raise Unusual
        if self.coded is not None:
            if values.base is not room:
                room = room[: stop - start]
                np.copyto(room, values)
                values = room
            lost = np.zeros(len(self.coded[0]), np.uint8)
            translate(values, *self.coded, lost)
            if lost.any():
                raise Unusual
        return values, known


class Columns:
    """Columns side by side: numbers, or codes with the code that each has in the tree."""

    def __init__(self, columns: list[Any], n_rows: int, whole: bool) -> None:
        self.columns, self.n_rows, self.whole = columns, n_rows, whole
        self.long = any(not isinstance(column, tuple) and _is_long(column.dtype) for column in columns)

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
        values = room[: stop - start]
        for j, column in enumerate(self.columns):
            if isinstance(column, tuple):
                fill_codes(column[0][start:stop], column[1], values, j)
            else:
                np.copyto(values[:, j], column[start:stop])
        return values, look_at(values, self.long, self.whole)


def look_at(values: NDArray[np.float64], long: bool, whole: bool) -> int:
    """What is known of numbers; infinite ones, whole ones that may have lost digits, and missing ones if need be, are
    unusual.
    """
    found = find_special_values(values.reshape(-1).view(np.uint64))
    if found > HAS_MISSING or (found and whole):
        raise Unusual
    # fmax and fmin pass over NaN.
    low, high = (np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)) if long else (0.0, 0.0)
    if not -EXACT < low <= high < EXACT:
        raise Unusual
    return CODES if found else WHOLE


def _is_long(kind: np.dtype[Any]) -> bool:
    return kind.kind in "iu" and kind.itemsize == 8


def open_rows(X: Any, columns: Sequence[Column], whole: bool = False) -> Matrix | Columns | None:
    """The rows of a table, to be read in blocks; None where the whole table has to be read.

    whole  whether a missing value is unusual
    """
    if type(X) in (np.ndarray, np.memmap):
        if X.dtype.kind == "O" and X.ndim == 2 and len(X) <= up_to("few objects"):
            return _of_few(X.tolist(), columns, whole)
        return _of_array(X, columns, whole)
    if type(X) is list:
        return _of_few(X, columns, whole) if len(X) <= up_to("few objects") else None
    if type(X).__module__.split(".")[0] == "pandas" and type(X).__name__ == "DataFrame":
        if len(X) <= up_to("few objects"):
            return _of_few(X.to_numpy(dtype=object).tolist(), columns, whole)
        return _of_pandas(X, columns, whole)
    return None


def _of_few(cells: list[Any], columns: Sequence[Column], whole: bool) -> Matrix | None:
    """A few rows of Python objects, cell by cell: for one row, asking numpy or pandas takes far longer."""
    values = np.empty((len(cells), len(columns)))
    for i, row in enumerate(cells):
        if type(row) not in (list, tuple) or len(row) != len(columns):
            return None
        for j, (cell, column) in enumerate(zip(row, columns, strict=True)):
            kind = type(cell)
            if cell is None or (kind is float and cell != cell):
                values[i, j] = np.nan
            elif (kind is float or kind is int) and not -EXACT < cell < EXACT:
                return None
            elif column.kind == Kind.NUMBER:
                if kind is not float and kind is not int:
                    return None
                values[i, j] = cell
            else:
                code = _codes_of(column.categories).get(cell) if kind in PLAIN_KINDS else None
                if code is None:
                    return None
                values[i, j] = code
    return Matrix(values, whole) if values.size else None


@lru_cache(maxsize=256)
def _codes_of(categories: tuple[object, ...]) -> dict[object, int]:
    return {category: code for code, category in enumerate(categories)}


def _of_array(X: NDArray[Any], columns: Sequence[Column], whole: bool) -> Matrix | None:
    if X.ndim != 2 or X.dtype.kind not in "fiu" or X.size == 0 or X.shape[1] != len(columns):
        return None
    places = [j for j, column in enumerate(columns) if column.kind != Kind.NUMBER]
    if not places:
        return Matrix(X, whole)
    if all(_are_own_codes(columns[j].categories) for j in places):
        n_codes = np.zeros(len(columns), np.int32)
        n_codes[places] = [columns[j].n_categories for j in places]
        return Matrix(X, whole, n_codes)
    tables = [table for table in (_code_table(columns[j]) for j in places) if table is not None]
    if len(tables) < len(places):
        return None
    starts = np.cumsum([0, *(len(table) for table in tables)])
    return Matrix(X, whole, coded=(np.array(places), starts, np.concatenate(tables)))


def _are_own_codes(categories: tuple[object, ...]) -> bool:
    return set(map(type, categories)) == {int} and categories == tuple(range(len(categories)))


def _of_pandas(X: Any, columns: Sequence[Column], whole: bool) -> Columns | None:
    """The columns of a pandas table: floats, short whole numbers and known categories."""
    if X.shape[0] == 0 or X.shape[1] != len(columns):
        return None
    found: list[Any] = []
    for j, column in enumerate(columns):
        series = X.iloc[:, j]
        dtype = series.dtype
        if column.kind == Kind.NUMBER:
            if not isinstance(dtype, np.dtype) or dtype.kind not in "fiu":
                return None
            found.append(series.to_numpy())
            continue
        known = {value: code for code, value in enumerate(column.categories)}
        if not hasattr(dtype, "categories"):
            return None
        table = [known.get(value) for value in dtype.categories.tolist()]
        if None in table:
            return None
        found.append((series.cat.codes.to_numpy(), np.array([*table, np.nan], np.float64)))
    return Columns(found, X.shape[0], whole)
