"""Cells: what one column holds, before anybody decides what the column is for.

In: numbers, or codes with the values they stand for. Out: `Numbers` (float64, NaN is missing) or `Words`
(codes into a tuple of categories, -1 is missing), and each turned into the other. `who` is what errors call
the column.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import isinf
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import count_places
from treewright.errors import InputError, KindError

EXACT = 2**53
"""Up to here float64 tells every two whole numbers apart."""

NARROW = 256
"""Numbers are counted, not sorted, when they lie in a range no wider than this or than there are of them."""

MARKERS = ("NoneType", "NAType", "NaTType", "MaskedConstant")
"""Types that say nothing but "missing", by name: those of pandas are known without importing it."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Cells that are numbers: float64, NaN is missing, never infinite."""

    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Cells that are categories: a code per row (-1 is missing) and the category of each code."""

    codes: NDArray[np.signedinteger[Any]]
    categories: tuple[object, ...]
    ordered: bool = False


Cells = Numbers | Words


def words(codes: NDArray[Any], found: Iterable[Any], *, sort: bool, ordered: bool = False) -> Words:
    """Words of codes into `found`, whose missing markers and repetitions are taken out.

    >>> words(np.array([0, 1, 2, -1]), ["b", None, "a"], sort=True).codes
    array([ 1, -1,  0, -1])
    """
    plain = list(found)
    if not is_text(plain):
        plain = [None if is_missing(v) else plain_value(v) for v in plain]
    kept = dict.fromkeys(v for v in plain if v is not None)
    categories = tuple(in_order(kept) if sort else kept)
    if plain == list(categories):  # nothing was taken out, and nothing moves
        return Words(codes if codes.dtype.kind == "i" else codes.astype(np.int64), categories, ordered)
    return Words(moved(codes, plain, categories), categories, ordered)


def is_text(values: Iterable[Any]) -> bool:
    """Whether all values are strings, as most categories are: none of them is missing, or an odd number."""
    return all(type(value) is str for value in values)


def moved(codes: NDArray[Any], old: Iterable[Any], new: Iterable[Any]) -> NDArray[np.int64]:
    """Codes into `old` as codes into `new`; -1 stays -1, and so does what `new` does not have.

    >>> moved(np.array([0, 1, -1]), ("a", "b"), ("b", "c"))
    array([-1,  0, -1])
    """
    place = {value: code for code, value in enumerate(new)}
    table = [place.get(value, -1) for value in old]
    return np.array([*table, -1], dtype=np.int64)[codes]  # code -1 reads the last entry


def truths(array: NDArray[np.bool_], missing: NDArray[np.bool_] | None = None) -> Words:
    """Truth values as words; both categories are there even when one does not occur."""
    codes = array.astype(np.int64)
    if missing is not None:
        codes[missing] = -1
    return Words(codes, (False, True))


def as_words(cells: Cells) -> Words:
    """The cells as categories; those of numbers are their values.

    >>> as_words(Numbers(np.array([2.0, np.nan, 1.0]))).categories
    (1, 2)
    """
    if isinstance(cells, Words):
        return cells
    values = cells.values
    codes = np.empty(len(values), np.int64)
    found = count_places(values, max(NARROW, len(values)), codes)
    if found is not None:  # so none is NaN
        return Words(codes, tuple(map(int, found.tolist())))
    codes.fill(-1)
    known = ~np.isnan(values)
    found, codes[known] = distinct(values[known])
    return Words(codes, tuple(plain_value(v) for v in found.tolist()))


def distinct(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The numbers that occur, rising, and the place of each entry among them; none is NaN.

    Whole numbers of a narrow range are counted, which beats sorting.

    >>> distinct(np.array([7, 5, 7]))
    (array([5, 7]), array([1, 0, 1]))
    """
    places = np.empty(len(numbers), np.int64)
    found = count_places(numbers.astype(np.float64, copy=False), max(NARROW, len(numbers)), places)
    if found is None:
        return np.unique(numbers, return_inverse=True)
    return found.astype(numbers.dtype, copy=False), places


def as_numbers(cells: Cells, who: str, advice: str = "give numbers") -> Numbers:
    """The cells as numbers, truth values as 0 and 1; only categories that occur need to be numbers.

    >>> as_numbers(truths(np.array([True, False])), "y").values
    array([1., 0.])
    """
    if isinstance(cells, Numbers):
        return cells
    values = np.full(len(cells.categories) + 1, np.nan)
    for code in np.unique(cells.codes[cells.codes >= 0]).tolist():
        category = cells.categories[code]
        if not isinstance(category, (Real, Decimal)):
            raise InputError(f"{who} has the value {category!r} where a number is needed; {advice}.")
        values[code] = _float(category, who)
    return Numbers(values[cells.codes])


def in_order(values: Iterable[Any]) -> list[Any]:
    """The values sorted; by name of type and then text where they cannot be compared.

    >>> in_order(["b", 1, "a"])
    [1, 'a', 'b']
    """
    values = list(values)
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda v: (type(v).__name__, str(v)))


def plain_value(value: Any) -> Any:
    """The value as a plain Python object; a whole float is an int, so that 1.0 and 1 are one category."""
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_missing(value: Any) -> bool:
    """Whether the cell is None, NaN, NaT, the NA of pandas, or a masked cell of numpy.

    >>> [is_missing(value) for value in (None, float("nan"), np.ma.masked, "", "NA", 0)]
    [True, True, True, False, False, False]
    """
    if type(value).__name__ in MARKERS:
        return True
    return isinstance(value, (float, Decimal, np.generic)) and bool(value != value)


def finite(values: NDArray[np.float64], who: str) -> NDArray[np.float64]:
    """The values, none of which is infinite (NaN may be)."""
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise _infinite(who, values[row], row)
    return values


def finite_words(cells: Words, who: str) -> Words:
    """The cells, none of which is an infinite number; one among the declared categories may be."""
    infinite = [code for code, value in enumerate(cells.categories) if _is_infinite(value)]
    if infinite:
        rows = np.flatnonzero(np.isin(cells.codes, infinite))
        if len(rows):
            raise _infinite(who, cells.categories[cells.codes[rows[0]]], int(rows[0]))
    return cells


def exact(array: NDArray[Any], who: str) -> NDArray[np.float64]:
    """Whole numbers as float64, refused where float64 could not tell them apart."""
    if array.dtype.itemsize == 8 and (array.max() > EXACT or array.min() < -EXACT):
        for value in array[(array > EXACT) | (array < -EXACT)].tolist():
            if int(float(value)) != value:
                raise too_long(who, value)
    return array.astype(np.float64)


def too_long(who: str, value: object) -> InputError:
    """The error for a number that float64 cannot hold."""
    return InputError(
        f"{who} has the value {value}, which has too many digits for float64; "
        "turn the column into text to use it as a category, or make its numbers smaller."
    )


def no_moments(who: str, kind: object) -> KindError:
    """The error for dates and times."""
    return KindError(
        f"{who} holds dates or times ({kind}), which are neither numbers nor categories; "
        "turn them into numbers, for example days since a fixed date."
    )


def no_complex(who: str) -> InputError:
    """The error for complex numbers."""
    return InputError(f"Complex data not supported: {who} holds complex numbers; use two columns.")


def _infinite(who: str, value: Any, row: int) -> InputError:
    """The error for an infinite number: a missing cell is something else, and has to be written as such."""
    return InputError(
        f"{who} has the infinite value {float(value)} in row {row}; "
        "replace it by a finite number or a missing value."
    )


def _is_infinite(value: object) -> bool:
    return isinstance(value, (float, Decimal)) and isinf(value)


def _float(number: Any, who: str) -> float:
    """A Python number of any type as float, refused where float64 could not hold it."""
    try:
        value = float(number)
    except OverflowError:
        raise too_long(who, number) from None
    if abs(value) >= EXACT and value != number:
        raise too_long(who, number)
    return value
