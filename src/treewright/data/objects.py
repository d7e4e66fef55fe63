"""The cells of numpy arrays and of lists of Python objects.

In: a one-dimensional array or a list. Out: its cells. Numbers, some of which may be missing, are numbers; strings,
booleans and other hashable objects are categories. Different kinds may be mixed only in a column that the user declared
as a category.
"""

from collections.abc import Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Complex, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import (
    LARGEST_EXACT,
    MISSING_TYPES,
    Categories,
    Cells,
    Numbers,
    as_categories,
    boolean_categories,
    complex_not_supported,
    dates_not_supported,
    integers_to_float,
    is_missing,
    make_categories,
    plain_value,
    recode,
    refuse_infinite,
    refuse_infinite_categories,
    too_many_digits,
)
from treewright.errors import InputError, KindError

NUMBER, BOOLEAN, TEXT, DATE, MISSING = "number", "boolean", "string", "date or time", "missing value"
COMPLEX, UNHASHABLE = "complex number", "container"
KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    (BOOLEAN, (bool, np.bool_)),
    (NUMBER, (Real, Decimal)),
    (COMPLEX, (Complex,)),
    (TEXT, (str,)),
    (DATE, (date, time, timedelta, np.datetime64, np.timedelta64)),
)
"""Kinds of cells by type; the first that fits counts, and bool is a number in Python, so it comes first."""
ODD_MARKERS = (*MISSING_TYPES[1:], "datetime64", "timedelta64")
"""Types, by name, of missing values that cannot be converted to float, cannot be hashed, or are not all missing."""


def read_array(array: NDArray[Any], who: str, categorical: bool) -> Cells:
    """The cells of a one-dimensional numpy array; masked ones are missing.

    >>> read_array(np.array([True, False]), "Column 'windy'", False).categories
    (False, True)
    """
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray) and kind in "fiub":
        return _read_masked(array, who, categorical)
    if kind == "f":
        return Numbers(refuse_infinite(array.astype(np.float64, copy=False), who))
    if kind in "iu":
        return Numbers(integers_to_float(array, who))
    if kind == "b":
        return boolean_categories(array)
    if kind in "Mm":
        raise dates_not_supported(who, array.dtype)
    if kind == "c":
        raise complex_not_supported(who)
    if kind == "V":
        raise KindError(f"{who} has the unsupported type {array.dtype}; split it into columns.")
    cells = read_objects(array.tolist(), who, categorical)  # masked cells are None in the list
    return cells if kind == "O" else as_categories(cells)  # an array of strings without any value holds categories too


def read_objects(cells: Sequence[Any], who: str, categorical: bool) -> Cells:
    """The cells of a list of Python objects: numbers if all are numbers, else categories in sorted order.

    >>> read_objects(["b", None, "a"], "Column 'x0'", False).categories
    ('a', 'b')
    """
    cells, types = _with_none(cells)
    kinds = {_kind(cls) for cls in types}
    if COMPLEX in kinds:
        raise complex_not_supported(who)
    if UNHASHABLE in kinds:
        raise _unreadable(cells, who)
    if kinds <= {NUMBER, MISSING}:
        return Numbers(float_objects(cells, who))
    try:
        found = _code_objects(cells)
    except TypeError:  # for example a tuple that contains a list
        raise _unreadable(cells, who) from None
    examples = {_kind(type(category)): category for category in reversed(found.categories)}
    if not categorical:
        _refuse_mixture(examples, who)
    if set(examples) == {BOOLEAN}:
        return Categories(recode(found.codes, found.categories, (False, True)), (False, True))
    return refuse_infinite_categories(found, who)


def float_objects(cells: Sequence[Any], who: str) -> NDArray[np.float64]:
    """Numbers of any Python type, and missing values, as float64.

    >>> float_objects([1, None, Decimal("2.5")], "y")
    array([1. , nan, 2.5])
    """
    cells, _ = _with_none(cells)
    try:
        values = np.array(cells, dtype=object).astype(np.float64)
    except OverflowError:
        raise too_many_digits(who, max((c for c in cells if not is_missing(c)), key=abs)) from None
    for row in np.flatnonzero(np.abs(values) >= LARGEST_EXACT).tolist():
        # Python compares a float and an int exactly, numpy would round the int first
        if np.isfinite(values[row]) and float(values[row]) != plain_value(cells[row]):
            raise too_many_digits(who, cells[row])
    return refuse_infinite(values, who)


def _read_masked(array: Any, who: str, categorical: bool) -> Cells:
    """Numbers or booleans, some of them masked; the values of masked cells are ignored."""
    masked = np.ma.getmaskarray(array)
    cells = read_array(array.filled(0), who, categorical)
    if isinstance(cells, Numbers):
        return Numbers(np.where(masked, np.nan, cells.values))
    return Categories(np.where(masked, -1, cells.codes), cells.categories)


def _with_none(cells: Sequence[Any]) -> tuple[Sequence[Any], set[type]]:
    """The cells with None for the missing values of `ODD_MARKERS`, and the types of the cells."""
    types = set(map(type, cells))
    if any(cls.__name__ in ODD_MARKERS for cls in types):
        cells = [None if is_missing(cell) else cell for cell in cells]
        types = set(map(type, cells))
    return cells, types


class _Codes(dict[Any, int]):
    """Gives each new key the next code: one hash per cell, and only the categories are sorted."""

    def __missing__(self, key: Any) -> int:
        self[key] = code = len(self)
        return code


def _code_objects(cells: Sequence[Any]) -> Categories:
    """Hashable cells as categories in sorted order."""
    coded = _Codes()
    codes = np.fromiter(map(coded.__getitem__, cells), dtype=np.int64, count=len(cells))
    return make_categories(codes, coded, sort=True)


def _kind(cls: type) -> str:
    """The kind of cells of this type."""
    if cls.__name__ in MISSING_TYPES:  # NaT is a date too, so this comes first
        return MISSING
    for kind, classes in KINDS:
        if issubclass(cls, classes):
            return kind
    return UNHASHABLE if cls.__hash__ is None else cls.__name__


def _refuse_mixture(examples: dict[str, Any], who: str) -> None:
    """Raise an error for dates, and for cells of more than one kind."""
    if DATE in examples:
        raise dates_not_supported(who, type(examples[DATE]).__name__)
    if len(examples) > 1:
        listed = " and ".join(f"the {kind} {examples[kind]!r}" for kind in sorted(examples))
        raise InputError(
            f"{who} mixes different kinds of values, for example {listed}; convert all cells to one kind, or add the "
            "column to `categorical_features`."
        )


def _unreadable(cells: Sequence[Any], who: str) -> KindError:
    """The error for a cell that cannot be a category, such as a dict."""
    for cell in cells:
        try:
            hash(cell)
        except TypeError:
            return KindError(
                f"{who} contains {cell!r} of type {type(cell).__name__}; "
                "each cell of the argument must be a string, a boolean or a number."
            )
    raise AssertionError("called without an unreadable cell")
