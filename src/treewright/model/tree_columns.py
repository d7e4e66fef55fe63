"""The columns of a tree: their types, their frozen form, their bytes in the fingerprint, and weights of branches."""

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
    """Return a contiguous read-only copy of a column; values that its type cannot hold are an error.

    >>> frozen_column("count", [3.0, 4.0], np.dtype(np.int64))
    array([3, 4])
    """
    array = given
    if type(array) is not np.ndarray or array.dtype != dtype:
        array = _converted(name, given, dtype)
    # A copy, because the caller may still write to the array.
    array = array.copy(order="C")
    array.setflags(write=False)
    return array


def gather(first: NDArray[Any], length: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Concatenate slices of an array: the offset of each slice, and the indices of its entries in the array.

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
        raise ModelFormatError(f"Field {name} of the tree must be an array of numbers: {error}.") from None
    if found.dtype.kind not in "biuf" and found.size:
        raise ModelFormatError(f"Field {name} of the tree must have the type {dtype}, got {found.dtype}.")
    with np.errstate(invalid="ignore", over="ignore"):
        array = np.asarray(found if found.size else np.zeros(found.shape), dtype=dtype)
    # A wider type keeps every value; otherwise compare.
    if not np.can_cast(found.dtype, dtype) and not np.array_equal(array, found, equal_nan=dtype.kind == "f"):
        raise ModelFormatError(f"Field {name} of the tree has values that do not fit the type {dtype}.")
    return array


def column_bytes(name: str, array: NDArray[Any]) -> bytes:
    """The bytes of a column in the fingerprint: little-endian, with one form of zero and one of NaN."""
    if array.dtype.kind == "f":
        array = array + 0.0
        array[np.isnan(array)] = np.nan
    head = f"{name} {array.dtype.str[1:]} {array.shape}\n"
    return head.encode() + array.astype(array.dtype.newbyteorder("<")).tobytes()


def schema_lines(schema: Schema) -> Iterator[str]:
    """The lines of a schema in the fingerprint; different schemas have different lines."""
    for column in schema.columns:
        yield f"column {column.name!r} {column.kind.name} {column.n_categories}"
        yield from map(_value_line, column.categories)
    target = schema.target
    yield f"target {target.name!r} {'number' if target.classes is None else target.n_classes}"
    yield from map(_value_line, target.classes or ())


def _value_line(value: object) -> str:
    # A numpy scalar is the same category as its Python value.
    value = value.item() if isinstance(value, np.generic) else value
    return f"{type(value).__name__} {value!r}"


def heaviest_branch(
    first_child: NDArray[Any], n_children: NDArray[Any], weight: NDArray[Any]
) -> NDArray[np.int32]:
    """The branch with the largest weight at every inner node, the first one on a tie; -1 at a leaf.

    >>> heaviest_branch(np.array([1, -1, 3, -1, -1]), np.array([2, 0, 2, 0, 0]), np.array([9, 4, 5, 1, 4]))
    array([ 1, -1,  1, -1, -1], dtype=int32)
    """
    branch = np.full(len(weight), -1, np.int32)
    inner, n_branches, starts = _siblings(first_child, n_children)
    if not len(inner):
        return branch
    below = weight[1:]
    is_most = below == np.repeat(np.maximum.reduceat(below, starts), n_branches)
    place = np.arange(len(below)) - np.repeat(starts, n_branches)
    branch[inner] = np.minimum.reduceat(np.where(is_most, place, len(below)), starts)
    return branch


def branch_fractions(
    first_child: NDArray[Any], n_children: NDArray[Any], weight: NDArray[Any], missing_branch: NDArray[Any]
) -> NDArray[np.float64]:
    """The fraction of the weight of its siblings and itself that each node has; 1 at the root.

    Where all siblings are empty the missing branch has the fraction 1.

    >>> links = np.array([1, -1, 3, -1, -1]), np.array([2, 0, 2, 0, 0])
    >>> branch_fractions(*links, np.array([9.0, 4, 5, 1, 3]), np.array([1, -1, 1, -1, -1])).tolist()
    [1.0, 0.4444444444444444, 0.5555555555555556, 0.25, 0.75]
    """
    fraction = np.ones(len(weight))
    inner, n_branches, starts = _siblings(first_child, n_children)
    if not len(inner):
        return fraction
    below = weight[1:]
    with np.errstate(over="ignore"):
        total = np.add.reduceat(below, starts)
    if not np.isfinite(total).all():  # weights near the largest float
        below = below / len(weight)
        total = np.add.reduceat(below, starts)
    fraction[1:] = below / np.repeat(np.where(total > 0, total, 1.0), n_branches)
    empty = inner[total == 0]
    fraction[first_child[empty] + missing_branch[empty]] = 1.0
    return fraction


def _siblings(
    first_child: NDArray[Any], n_children: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
    """The inner nodes in the order of their children, the number of these, and the offset of the first in weight[1:].

    Siblings are adjacent and every node but the root has a parent, so the children are the nodes from 1 on.
    """
    inner = np.flatnonzero(n_children)
    inner = inner[np.argsort(first_child[inner], kind="stable")]
    n_branches = n_children[inner]
    return inner, n_branches, np.cumsum(n_branches) - n_branches
