"""Columns: the arrays of a tree, brought to their form and to a fingerprint.

In: anything numpy can read as an array. Out: read-only arrays of the right type, and the bytes that stand for
them in a fingerprint.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Schema
from treewright.errors import ModelFormatError

COLUMNS: dict[str, np.dtype[Any]] = {
    "parent": np.dtype(np.int64),
    "first_child": np.dtype(np.int64),
    "n_children": np.dtype(np.int64),
    "kind": np.dtype(np.int8),
    "column": np.dtype(np.int32),
    "threshold": np.dtype(np.float64),
    "table_start": np.dtype(np.int64),
    "table_code": np.dtype(np.int32),
    "table_branch": np.dtype(np.int32),
    "other": np.dtype(np.int32),
    "missing_branch": np.dtype(np.int32),
    "count": np.dtype(np.int64),
    "weight": np.dtype(np.float64),
    "stats": np.dtype(np.float64),
    "value": np.dtype(np.float64),
    "impurity": np.dtype(np.float64),
    "gain": np.dtype(np.float64),
    "merit": np.dtype(np.float64),
}
"""The type of each column, in the order of the tree's fields."""


def frozen_column(name: str, given: object, dtype: np.dtype[Any]) -> NDArray[Any]:
    """A contiguous read-only copy of the given column, refused when its type cannot hold it.

    >>> frozen_column("count", [3.0, 4.0], np.dtype(np.int64))
    array([3, 4])
    """
    array = given
    if type(array) is not np.ndarray or array.dtype != dtype:
        array = _converted(name, given, dtype)
    # A copy, because the caller may still hold the array, or one that it is a view of, and write to it.
    array = array.copy(order="C")
    array.setflags(write=False)
    return array


def gather(first: NDArray[Any], length: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pieces of a pool laid out one after the other: where each starts, and which entries of the pool these are.

    >>> gather(np.array([5, 0]), np.array([2, 1]))
    (array([0, 2, 3]), array([5, 6, 0]))
    """
    start = np.zeros(len(length) + 1, np.int64)
    length.cumsum(out=start[1:])
    return start, (first - start[:-1]).repeat(length) + np.arange(start[-1])


def _converted(name: str, given: object, dtype: np.dtype[Any]) -> NDArray[Any]:
    try:
        found = np.asarray(given)
    except (TypeError, ValueError) as error:
        raise ModelFormatError(f"Field {name} of the tree cannot be read as an array: {error}.") from None
    if found.dtype.kind not in "biuf" and found.size:
        raise ModelFormatError(f"Field {name} of the tree holds {found.dtype}, but needs numbers ({dtype}).")
    with np.errstate(invalid="ignore", over="ignore"):
        array = np.asarray(found if found.size else np.zeros(found.shape), dtype=dtype)
    # Widening keeps every value; anything else has to show that it did.
    if not np.can_cast(found.dtype, dtype) and not np.array_equal(array, found, equal_nan=dtype.kind == "f"):
        raise ModelFormatError(f"Field {name} of the tree holds values that {dtype} cannot hold.")
    return array


def column_bytes(name: str, array: NDArray[Any]) -> bytes:
    """The bytes that stand for a column: little-endian, one form of zero and one of NaN."""
    if array.dtype.kind == "f":
        array = array + 0.0
        array[np.isnan(array)] = np.nan
    head = f"{name} {array.dtype.str[1:]} {array.shape}\n"
    return head.encode() + array.astype(array.dtype.newbyteorder("<")).tobytes()


def schema_lines(schema: Schema) -> Iterator[str]:
    """One line for each word of a schema; no two schemas give the same lines."""
    for column in schema.columns:
        yield f"column {column.name!r} {column.kind.name} {column.n_categories}"
        yield from map(_value_line, column.categories)
    target = schema.target
    yield f"target {target.name!r} {'number' if target.classes is None else target.n_classes}"
    yield from map(_value_line, target.classes or ())


def _value_line(value: object) -> str:
    # numpy's scalars stand for the Python values they hold: the same category, whatever library it came from.
    plain = value.item() if isinstance(value, np.generic) else value
    return f"{type(plain).__name__} {plain!r}"
