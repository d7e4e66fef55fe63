"""Objects: cells of numpy arrays and of lists of Python objects.

In: a one-dimensional array or a list. Out: its cells. Numbers (some may be missing) make numbers; text, truth
values and other hashable things make categories, and different kinds side by side do so only where the user
declared a category.
"""

from collections.abc import Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Complex, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import (
    EXACT,
    MARKERS,
    Cells,
    Numbers,
    Words,
    as_words,
    exact,
    finite,
    finite_words,
    is_missing,
    moved,
    no_complex,
    no_moments,
    plain_value,
    too_long,
    truths,
    words,
)
from treewright.errors import InputError, KindError

NUMBER, TRUTH, TEXT, MOMENT, MISSING = "number", "truth value", "text", "date or time", "missing value"
COMPLEX, UNHASHABLE = "complex number", "container"
KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    (TRUTH, (bool, np.bool_)),
    (NUMBER, (Real, Decimal)),
    (COMPLEX, (Complex,)),
    (TEXT, (str,)),
    (MOMENT, (date, time, timedelta, np.datetime64, np.timedelta64)),
)
"""Kinds of cells by type, the first that fits: a truth value is a number to Python, so it stands first."""
ODD_MARKERS = (*MARKERS[1:], "datetime64", "timedelta64")
"""Types, by name, with missing markers that cannot be made a float, be hashed, or be told by the type alone."""


def read_array(array: NDArray[Any], who: str, categorical: bool) -> Cells:
    """The cells of a one-dimensional numpy array; masked ones are missing.

    >>> read_array(np.array([True, False]), "Column 'windy'", False).categories
    (False, True)
    """
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray) and kind in "fiub":
        return _read_masked(array, who, categorical)
    if kind == "f":
        return Numbers(finite(array.astype(np.float64, copy=False), who))
    if kind in "iu":
        return Numbers(exact(array, who))
    if kind == "b":
        return truths(array)
    if kind in "Mm":
        raise no_moments(who, array.dtype)
    if kind == "c":
        raise no_complex(who)
    if kind == "V":
        raise KindError(f"{who} has the type {array.dtype}, which cannot be read; split it into columns.")
    cells = read_objects(array.tolist(), who, categorical)  # a masked array lists None for what is masked
    return cells if kind == "O" else as_words(cells)  # text without a single value is text all the same


def read_objects(cells: Sequence[Any], who: str, categorical: bool) -> Cells:
    """The cells of a list of Python objects: all numbers, or else categories in their sorted order.

    >>> read_objects(["b", None, "a"], "Column 'x0'", False).categories
    ('a', 'b')
    """
    cells, types = _with_none(cells)
    kinds = {_kind(cls) for cls in types}
    if COMPLEX in kinds:
        raise no_complex(who)
    if UNHASHABLE in kinds:
        raise _unreadable(cells, who)
    if kinds <= {NUMBER, MISSING}:
        return Numbers(float_objects(cells, who))
    try:
        found = _numbered(cells)
    except TypeError:  # a tuple that holds a list, say
        raise _unreadable(cells, who) from None
    examples = {_kind(type(category)): category for category in reversed(found.categories)}
    if not categorical:
        _refuse_mixture(examples, who)
    if set(examples) == {TRUTH}:
        return Words(moved(found.codes, found.categories, (False, True)), (False, True))
    return finite_words(found, who)


def float_objects(cells: Sequence[Any], who: str) -> NDArray[np.float64]:
    """Numbers of any Python type, and missing markers, as float64.

    >>> float_objects([1, None, Decimal("2.5")], "y")
    array([1. , nan, 2.5])
    """
    cells, _ = _with_none(cells)
    try:
        values = np.array(cells, dtype=object).astype(np.float64)
    except OverflowError:
        raise too_long(who, max((c for c in cells if not is_missing(c)), key=abs)) from None
    for row in np.flatnonzero(np.abs(values) >= EXACT).tolist():
        # Python compares a float and an int exactly, numpy would round the int first
        if np.isfinite(values[row]) and float(values[row]) != plain_value(cells[row]):
            raise too_long(who, cells[row])
    return finite(values, who)


def _read_masked(array: Any, who: str, categorical: bool) -> Cells:
    """Numbers or truth values, some of them masked; what stands below the mask is never looked at."""
    masked = np.ma.getmaskarray(array)
    cells = read_array(array.filled(0), who, categorical)
    if isinstance(cells, Numbers):
        return Numbers(np.where(masked, np.nan, cells.values))
    return Words(np.where(masked, -1, cells.codes), cells.categories)


def _with_none(cells: Sequence[Any]) -> tuple[Sequence[Any], set[type]]:
    """The cells with None for every odd missing marker, and the types that they have."""
    types = set(map(type, cells))
    if any(cls.__name__ in ODD_MARKERS for cls in types):
        cells = [None if is_missing(cell) else cell for cell in cells]
        types = set(map(type, cells))
    return cells, types


class _Numbering(dict[Any, int]):
    """Numbers each key when it is first asked for: one hash per cell, only categories are sorted."""

    def __missing__(self, key: Any) -> int:
        self[key] = code = len(self)
        return code


def _numbered(cells: Sequence[Any]) -> Words:
    """Hashable cells as words, the categories that occur in sorted order."""
    numbering = _Numbering()
    codes = np.fromiter(map(numbering.__getitem__, cells), dtype=np.int64, count=len(cells))
    return words(codes, numbering, sort=True)


def _kind(cls: type) -> str:
    """What objects of this type are in a column."""
    if cls.__name__ in MARKERS:  # NaT is a date too, so this comes first
        return MISSING
    for kind, classes in KINDS:
        if issubclass(cls, classes):
            return kind
    return UNHASHABLE if cls.__hash__ is None else cls.__name__


def _refuse_mixture(examples: dict[str, Any], who: str) -> None:
    """Raise an error when there are dates, or examples of more than one kind."""
    if MOMENT in examples:
        raise no_moments(who, type(examples[MOMENT]).__name__)
    if len(examples) > 1:
        listed = " and ".join(f"the {kind} {examples[kind]!r}" for kind in sorted(examples))
        raise InputError(
            f"{who} mixes kinds, for example {listed}; make all its cells one kind "
            "(a column listed in categorical_features may mix them)."
        )


def _unreadable(cells: Sequence[Any], who: str) -> KindError:
    """The error for a cell that cannot be a category, such as a dict."""
    for cell in cells:
        try:
            hash(cell)
        except TypeError:
            return KindError(
                f"{who} holds {cell!r} of type {type(cell).__name__}; "
                "each cell of the argument must be a string, a truth value or a number."
            )
    raise AssertionError("called without an unreadable cell")
