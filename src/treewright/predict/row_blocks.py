"""Rows read in blocks: how a table of any size is predicted with little memory, on one thread or several.

`open_table_rows` opens the user's array, list or pandas table; `for_each_block` reads blocks of rows in the codes of a
tree and hands each to a function. At most one block per thread is in memory, and the result does not depend on the
number of threads. A table with something unusual (an infinite number, an unseen category, text in a column of numbers,
another kind of table) is left to `treewright.data.encode`, which reads the whole table and raises the proper error.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import count
from threading import Lock, Thread
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import HAS_MISSING, fill_codes, find_special_values, only_codes, translate
from treewright.data.cells import LARGEST_EXACT
from treewright.data.schema import Column, Kind
from treewright.fast_paths import is_used, size_limit, size_of
from treewright.model.packed_tree import code_table
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing
from treewright.predict.routing import NO_MISSING, UNCHECKED, VALID_CODES, prepare_values, rows_at_once

CATEGORY_TYPES = (str, bool, int, float)
"""Types of objects that are the category they are equal to."""

BlockHandler = Callable[[NDArray[np.float64], int, int], None]
"""What is done with a block: its values, the number of its first row, and what is known of the values."""


class Block(NamedTuple):
    """Some rows: their values as float64, row by row, and what is known of them.

    known  UNCHECKED, VALID_CODES or NO_MISSING
    """

    values: NDArray[np.float64]
    known: int


class Rows(Protocol):
    """Rows that can be read in blocks."""

    n_rows: int

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> Block:
        """Read the rows from start to stop; `room` is an array that may be used for them."""


class EncodedRows:
    """Rows of encoded values of any numeric type and any strides."""

    def __init__(self, tree: Tree, values: NDArray[Any]) -> None:
        is_array = type(values) in (np.ndarray, np.memmap) and values.ndim == 2 and values.dtype.kind in "fiu"
        if not is_array or values.shape[1] != tree.schema.n_columns:
            values = prepare_values(tree, values)
        self.values, self.n_rows = values, len(values)

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> Block:
        return Block(read_values(self.values, start, stop, room), UNCHECKED)


RowSource = NDArray[Any] | Rows
"""Encoded values, or rows that can be read in blocks."""


def as_rows(tree: Tree, given: RowSource, policy: MissingPolicy) -> Rows:
    """Return rows that can be read in blocks; a policy that the tree cannot follow is refused first."""
    resolve_missing(tree, policy)
    return cast(Rows, given) if hasattr(given, "read") else EncodedRows(tree, given)


def read_values(values: NDArray[Any], start: int, stop: int, room: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return some rows of an array, copied into `room` unless they are aligned native float64, row by row."""
    part = values[start:stop]
    if part.dtype == np.float64 and part.flags.c_contiguous and part.flags.aligned and part.dtype.isnative:
        return part
    room = room[: len(part)]
    np.copyto(room, part)
    return room


def for_each_block(tree: Tree, rows: Rows, handle: BlockHandler, n_threads: int = 1) -> None:
    """Read all rows and call `handle` for each block.

    When several blocks fail, the error is that of the first one, as if they were read one after the other.
    """
    n_rows, size = rows.n_rows, min(rows.n_rows, rows_at_once(tree))
    n_blocks = -(-n_rows // size) if size else 0
    starts, lock = count(0, max(1, size)), Lock()
    failed: dict[int, BaseException] = {}

    def work() -> None:
        room = np.empty((size, tree.schema.n_columns))
        while True:
            with lock:
                start = next(starts)
            if start >= n_rows or any(other < start for other in tuple(failed)):
                return
            stop = min(start + size, n_rows)
            try:
                values, known = rows.read(start, stop, room)
                handle(values, start, known)
            except BaseException as error:  # raised below, when no earlier block can fail any more
                failed[start] = error

    # With fewer rows, starting another thread may take longer than it saves.
    is_large = n_rows >= size_of("threads of prediction") and is_used("threads of prediction")
    n_threads = min(n_threads, n_blocks) if is_large else 1
    threads = [Thread(target=work, name="treewright", daemon=True) for _ in range(n_threads - 1)]
    for thread in threads:
        thread.start()
    try:
        work()
    finally:
        with lock:
            starts = count(n_rows)
        for thread in threads:
            thread.join()
    if failed:
        raise failed[min(failed)]


class UnusualValue(Exception):
    """A block holds a value that only the reader of whole tables can deal with."""


class ArrayRows:
    """Rows of an array of numbers; columns of categories hold the categories themselves.

    complete  whether a missing value is unusual
    n_codes   number of codes of each column whose categories are 0, 1, 2 ..., and 0 for other columns; None: no such
              columns
    coded     (columns, starts, table) of columns with other integer categories, as `translate` takes them; None: none
    """

    def __init__(
        self,
        array: NDArray[Any],
        complete: bool,
        n_codes: NDArray[np.int32] | None = None,
        coded: tuple[NDArray[Any], ...] | None = None,
    ) -> None:
        self.array, self.complete, self.n_codes, self.coded, self.n_rows = array, complete, n_codes, coded, len(array)
        self.has_int64 = _is_int64(array.dtype)

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> Block:
        values = read_values(self.array, start, stop, room)
        known = inspect_values(values, self.has_int64, self.complete)
        if self.n_codes is not None and not only_codes(values, self.n_codes):
            raise UnusualValue
        if self.coded is not None:
            if values.base is not room:
                room = room[: stop - start]
                np.copyto(room, values)
                values = room
            is_unknown = np.zeros(len(self.coded[0]), np.uint8)
            translate(values, *self.coded, is_unknown)
            if is_unknown.any():
                raise UnusualValue
        return Block(values, known)


class ColumnRows:
    """Rows of separate columns: arrays of numbers, or (codes, table from these codes to the codes of the tree)."""

    def __init__(self, columns: list[Any], n_rows: int, complete: bool) -> None:
        self.columns, self.n_rows, self.complete = columns, n_rows, complete
        self.has_int64 = any(not isinstance(column, tuple) and _is_int64(column.dtype) for column in columns)

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> Block:
        values = room[: stop - start]
        for j, column in enumerate(self.columns):
            if isinstance(column, tuple):
                fill_codes(column[0][start:stop], column[1], values, j)
            else:
                np.copyto(values[:, j], column[start:stop])
        return Block(values, inspect_values(values, self.has_int64, self.complete))


def inspect_values(values: NDArray[np.float64], has_int64: bool, complete: bool) -> int:
    """Find out what is known of values; raise UnusualValue for infinite ones and integers too large for a float.

    complete  whether a missing value is unusual too
    """
    found = find_special_values(values.reshape(-1).view(np.uint64))
    if found > HAS_MISSING or (found and complete):
        raise UnusualValue
    # fmax and fmin ignore NaN.
    low, high = (np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)) if has_int64 else (0.0, 0.0)
    if not -LARGEST_EXACT < low <= high < LARGEST_EXACT:
        raise UnusualValue
    return VALID_CODES if found else NO_MISSING


def _is_int64(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "iu" and dtype.itemsize == 8


def open_table_rows(X: Any, columns: Sequence[Column], complete: bool = False) -> ArrayRows | ColumnRows | None:
    """Open the rows of a table to be read in blocks; None where the whole table has to be read.

    complete  whether a missing value is unusual
    """
    if any(column.source is not None for column in columns):  # derived from dates
        return None
    if type(X) in (np.ndarray, np.memmap):
        few = X.dtype.kind == "O" and X.ndim == 2 and len(X) <= size_limit("few objects")
        return _open_objects(X.tolist(), columns, complete) if few else _open_array(X, columns, complete)
    if type(X) is list and len(X) <= size_limit("few objects"):
        return _open_objects(X, columns, complete)
    if type(X).__module__.split(".")[0] == "pandas" and type(X).__name__ == "DataFrame":
        if len(X) <= size_limit("few objects"):
            return _open_objects(X.to_numpy(dtype=object).tolist(), columns, complete)
        return _open_pandas(X, columns, complete)
    return None


def _open_objects(cells: list[Any], columns: Sequence[Column], complete: bool) -> ArrayRows | None:
    """A few rows of Python objects, read cell by cell: for one row numpy or pandas would take far longer."""
    values = np.empty((len(cells), len(columns)))
    for i, row in enumerate(cells):
        if type(row) not in (list, tuple) or len(row) != len(columns):
            return None
        for j, (cell, column) in enumerate(zip(row, columns, strict=True)):
            kind = type(cell)
            if cell is None or (kind is float and cell != cell):
                values[i, j] = np.nan
            elif (kind is float or kind is int) and not -LARGEST_EXACT < cell < LARGEST_EXACT:
                return None
            elif column.kind == Kind.NUMBER:
                if kind is not float and kind is not int:
                    return None
                values[i, j] = cell
            else:
                code = _codes_of(column.categories).get(cell) if kind in CATEGORY_TYPES else None
                if code is None:
                    return None
                values[i, j] = code
    return ArrayRows(values, complete) if values.size else None


@lru_cache(maxsize=256)
def _codes_of(categories: tuple[object, ...]) -> dict[object, int]:
    return {category: code for code, category in enumerate(categories)}


def _open_array(X: NDArray[Any], columns: Sequence[Column], complete: bool) -> ArrayRows | None:
    """An array of numbers; its columns of categories must have categories that are integers."""
    if X.ndim != 2 or X.dtype.kind not in "fiu" or X.size == 0 or X.shape[1] != len(columns):
        return None
    positions = [j for j, column in enumerate(columns) if column.kind != Kind.NUMBER]
    if not positions:
        return ArrayRows(X, complete)
    if all(_are_own_codes(columns[j].categories) for j in positions):
        n_codes = np.zeros(len(columns), np.int32)
        n_codes[positions] = [columns[j].n_categories for j in positions]
        return ArrayRows(X, complete, n_codes)
    tables = [table for table in (code_table(columns[j]) for j in positions) if table is not None]
    if len(tables) < len(positions):
        return None
    starts = np.cumsum([0, *(len(table) for table in tables)])
    return ArrayRows(X, complete, coded=(np.array(positions), starts, np.concatenate(tables)))


def _are_own_codes(categories: tuple[object, ...]) -> bool:
    return set(map(type, categories)) == {int} and categories == tuple(range(len(categories)))


def _open_pandas(X: Any, columns: Sequence[Column], complete: bool) -> ColumnRows | None:
    """A pandas table with columns of numpy numbers, and of the dtype category without unseen categories."""
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
        codes = {value: code for code, value in enumerate(column.categories)}
        if not hasattr(dtype, "categories"):
            return None
        table = [codes.get(value) for value in dtype.categories.tolist()]
        if None in table:
            return None
        found.append((series.cat.codes.to_numpy(), np.array([*table, np.nan], np.float64)))
    return ColumnRows(found, X.shape[0], complete)
