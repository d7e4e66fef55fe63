"""The validator of a schema, and the functions by which the validators of schema and tree raise their errors.

In a valid schema every column name is unique, and so is every category of a column.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import DERIVED, Column, Kind, Schema, Target
from treewright.errors import ModelFormatError
from treewright.model.formatting import truncate

MAX_EQUAL_HASHES = 1000
"""How many categories may have the same hash; by chance only few have."""


def check_schema(schema: Schema) -> None:
    """Refuse a schema with invalid fields, or with equal names or categories.

    >>> check_schema(Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes"))))
    """
    try:
        if not isinstance(schema, Schema) or not isinstance(schema.columns, tuple):
            refuse("schema", "must be a Schema")
        for position, column in enumerate(schema.columns):
            _check_column(column, position)
        wrong = find_duplicate(schema.names)
        if wrong is not None:
            refuse("schema", f"has {wrong} among its column names")
        target = schema.target
        if not isinstance(target, Target) or not isinstance(target.name, str):
            refuse("schema", "must have a target with a name")
        if target.classes is not None and not (isinstance(target.classes, tuple) and target.classes):
            refuse("schema", f"must have classes for the target {_shown(target.name)}")
        _check_values(target.classes or (), f"the target {_shown(target.name)}")
    except AttributeError:
        # A damaged pickle may be an object of the right class without its fields.
        refuse("schema", "is incomplete")


def _check_column(column: Column, position: int) -> None:
    if not isinstance(column, Column) or not isinstance(column.name, str):
        refuse("schema", f"must have a column with a name at position {position}")
    if not isinstance(column.kind, Kind) or not isinstance(column.categories, tuple):
        refuse("schema", f"must have a kind and categories for the column {_shown(column.name)}")
    if column.kind is Kind.NUMBER and column.categories:
        refuse("schema", f"must have no categories for the column of numbers {_shown(column.name)}")
    if column.part not in (None, *DERIVED) or (column.part is None) != (column.source is None):
        refuse("schema", f"must have a source and a known part for the derived column {_shown(column.name)}")
    _check_values(column.categories, f"the column {_shown(column.name)}")


def _check_values(values: tuple[object, ...], owner: str) -> None:
    wrong = find_duplicate(values)
    if wrong is not None:
        refuse("schema", f"has {wrong} in {owner}")


def find_duplicate(values: Sequence[object]) -> str | None:
    """Say why values cannot be the keys of a lookup, such as a duplicate; None where they can.

    Values are duplicates when they are equal, as 1, 1.0 and True are.

    >>> find_duplicate((1, "1", 2)), find_duplicate((1, True))
    (None, 'the value True twice')
    """
    try:
        hashes = sorted(map(hash, values))
    except TypeError:
        return "a value that is not hashable"
    # Values with the same hash are compared one by one: many of them are an attack on the reader.
    if any(hashes[i] == hashes[i + MAX_EQUAL_HASHES] for i in range(len(hashes) - MAX_EQUAL_HASHES)):
        return "too many values with the same hash"
    if any(value != value for value in values):
        return "a value that is not equal to itself"
    seen: set[object] = set()
    for value in values:
        if value in seen:
            return f"the value {_shown(value)} twice"
        seen.add(value)
    return None


def _shown(value: object) -> str:
    return truncate(repr(value), 60)


def refuse(field: str, why: str) -> NoReturn:
    """Raise the error of an invalid field; `why` follows its name."""
    raise ModelFormatError(f"Field {field} of the tree {why}; the tree is damaged: fit and save the model again.")


def refuse_where(field: str, bad: NDArray[np.bool_] | np.bool_, why: str) -> None:
    """Refuse a field that is invalid at any node, and name the first such node."""
    # count_nonzero is several times faster than any.
    if np.count_nonzero(bad):
        refuse(field, f"is invalid at node {int(bad.argmax())}: {why}")


def refuse_at(field: str, node: NDArray[Any], bad: NDArray[np.bool_], why: str) -> None:
    """The same where entry i belongs to node[i]."""
    if np.count_nonzero(bad):
        refuse(field, f"is invalid at node {node[bad.argmax()]}: {why}")


def refuse_shape(field: str, found: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Refuse an array of another shape or type."""
    if found.shape != shape:
        refuse(field, f"must have the shape {shape}, got {found.shape}")
    if found.dtype != dtype:
        refuse(field, f"must have the type {dtype}, got {found.dtype}")


def refuse_offsets(field: str, start: NDArray[np.int64], n: int) -> None:
    """Refuse offsets that do not run from 0 to n without decreasing."""
    if start[0] != 0 or start[-1] != n:
        refuse(field, f"must run from 0 to {n}, got {start[0]} to {start[-1]}")
    refuse_where(field, start[1:] < start[:-1], "offsets must not decrease")
