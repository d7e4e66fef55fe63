"""The cells of one column, before it is decided whether the column is a number or a category.

In: numbers, or codes with the values they stand for. Out: `Numbers` (float64, NaN is missing) or `Categories` (codes
into a tuple of categories, -1 is missing), and conversions between the two. Error messages call the column `who`.
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

LARGEST_EXACT = 2**53
"""float64 represents all integers up to this one exactly."""

NARROW_RANGE = 256
"""Numbers are counted instead of sorted if their range is at most this wide, or at most as wide as their count."""

MISSING_TYPES = ("NoneType", "NAType", "NaTType", "MaskedConstant")
"""Types that mean "missing", by name, so that pandas need not be imported."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Cells that are numbers: float64, NaN is missing, never infinite."""

    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """Cells that are categories: a code per row (-1 is missing) and the category of each code."""

    codes: NDArray[np.signedinteger[Any]]
    categories: tuple[object, ...]
    ordered: bool = False


Cells = Numbers | Categories


def make_categories(codes: NDArray[Any], found: Iterable[Any], *, sort: bool, ordered: bool = False) -> Categories:
    """Categories from codes into `found`, from which missing values and duplicates are removed.

    >>> make_categories(np.array([0, 1, 2, -1]), ["b", None, "a"], sort=True).codes
    array([ 1, -1,  0, -1])
    """
    values = list(found)
    if not all(type(value) is str for value in values):
        values = [None if is_missing(v) else plain_value(v) for v in values]
    kept = dict.fromkeys(v for v in values if v is not None)
    categories = tuple(sort_values(kept) if sort else kept)
    if values == list(categories):  # nothing was removed or moved
        return Categories(codes if codes.dtype.kind == "i" else codes.astype(np.int64), categories, ordered)
    return Categories(recode(codes, values, categories), categories, ordered)


def recode(codes: NDArray[Any], old: Iterable[Any], new: Iterable[Any]) -> NDArray[np.int64]:
    """Codes into `old` as codes into `new`; -1 stays -1, and values that are not in `new` become -1.

    >>> recode(np.array([0, 1, -1]), ("a", "b"), ("b", "c"))
    array([-1,  0, -1])
    """
    code_of = {value: code for code, value in enumerate(new)}
    table = [code_of.get(value, -1) for value in old]
    return np.array([*table, -1], dtype=np.int64)[codes]  # code -1 reads the last entry


def boolean_categories(array: NDArray[np.bool_], missing: NDArray[np.bool_] | None = None) -> Categories:
    """Booleans as categories; False and True are both categories, even if one does not occur."""
    codes = array.astype(np.int64)
    if missing is not None:
        codes[missing] = -1
    return Categories(codes, (False, True))


def as_categories(cells: Cells) -> Categories:
    """The cells as categories; the categories of numbers are their values.

    >>> as_categories(Numbers(np.array([2.0, np.nan, 1.0]))).categories
    (1, 2)
    """
    if isinstance(cells, Categories):
        return cells
    values = cells.values
    codes = np.empty(len(values), np.int64)
    found = count_places(values, max(NARROW_RANGE, len(values)), codes)
    if found is not None:  # so none is NaN
        return Categories(codes, tuple(map(int, found.tolist())))
    codes.fill(-1)
    known = ~np.isnan(values)
    found, codes[known] = distinct(values[known])
    return Categories(codes, tuple(plain_value(v) for v in found.tolist()))


def distinct(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The distinct numbers in ascending order, and the index of each entry among them; none is NaN.

    Like `np.unique(numbers, return_inverse=True)`, but faster for integers of a narrow range, which are counted.

    >>> distinct(np.array([7, 5, 7]))
    (array([5, 7]), array([1, 0, 1]))
    """
    indices = np.empty(len(numbers), np.int64)
    found = count_places(numbers.astype(np.float64, copy=False), max(NARROW_RANGE, len(numbers)), indices)
    if found is None:
        return np.unique(numbers, return_inverse=True)
    return found.astype(numbers.dtype, copy=False), indices


def as_numbers(cells: Cells, who: str, advice: str = "") -> Numbers:
    """The cells as numbers, booleans as 0 and 1; only categories that occur need to be numbers.

    >>> as_numbers(boolean_categories(np.array([True, False])), "y").values
    array([1., 0.])
    """
    if isinstance(cells, Numbers):
        return cells
    values = np.full(len(cells.categories) + 1, np.nan)
    for code in np.unique(cells.codes[cells.codes >= 0]).tolist():
        category = cells.categories[code]
        if not isinstance(category, (Real, Decimal)):
            raise InputError(f"{who} must contain numbers, got {category!r}{f'; {advice}' if advice else ''}.")
        values[code] = _to_float(category, who)
    return Numbers(values[cells.codes])


def sort_values(values: Iterable[Any]) -> list[Any]:
    """The values sorted; by type name and then by text if they cannot be compared.

    >>> sort_values(["b", 1, "a"])
    [1, 'a', 'b']
    """
    values = list(values)
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda v: (type(v).__name__, str(v)))


def plain_value(value: Any) -> Any:
    """The value as a Python object; a float without a fraction becomes an int, so that 1.0 and 1 are one category."""
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_missing(value: Any) -> bool:
    """Whether the cell is None, NaN, NaT, the NA of pandas, or a masked cell of numpy.

    >>> [is_missing(value) for value in (None, float("nan"), np.ma.masked, "", "NA", 0)]
    [True, True, True, False, False, False]
    """
    if type(value).__name__ in MISSING_TYPES:
        return True
    return isinstance(value, (float, Decimal, np.generic)) and bool(value != value)


def refuse_infinite(values: NDArray[np.float64], who: str) -> NDArray[np.float64]:
    """The values, none of which is infinite (NaN is allowed)."""
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise _infinite(who, values[row], row)
    return values


def refuse_infinite_categories(cells: Categories, who: str) -> Categories:
    """The cells, none of which is an infinite number; a declared category that does not occur may be one."""
    infinite = [code for code, value in enumerate(cells.categories) if _is_infinite(value)]
    if infinite:
        rows = np.flatnonzero(np.isin(cells.codes, infinite))
        if len(rows):
            raise _infinite(who, cells.categories[cells.codes[rows[0]]], int(rows[0]))
    return cells


def integers_to_float(array: NDArray[Any], who: str) -> NDArray[np.float64]:
    """Integers as float64; an integer that float64 cannot represent is an error."""
    if array.dtype.itemsize == 8 and (array.max() > LARGEST_EXACT or array.min() < -LARGEST_EXACT):
        for value in array[(array > LARGEST_EXACT) | (array < -LARGEST_EXACT)].tolist():
            if int(float(value)) != value:
                raise too_many_digits(who, value)
    return array.astype(np.float64)


def too_many_digits(who: str, value: object) -> InputError:
    """The error for a number that float64 cannot represent."""
    return InputError(
        f"{who} has the value {value}, which has too many digits for float64; "
        "convert the column to strings to use it as a category, or rescale it."
    )


def dates_not_supported(who: str, kind: object) -> KindError:
    """The error for dates and times."""
    return KindError(
        f"{who} contains dates or times ({kind}), which are not supported here; convert them to numbers, for example "
        "days since a fixed date."
    )


def complex_not_supported(who: str) -> InputError:
    """The error for complex numbers; scikit-learn's checks look for its first words."""
    return InputError(f"Complex data not supported: {who} contains complex numbers; split them into two columns.")


def _infinite(who: str, value: Any, row: int) -> InputError:
    return InputError(
        f"{who} has the infinite value {float(value)} in row {row}; "
        "replace it with a finite number or a missing value."
    )


def _is_infinite(value: object) -> bool:
    return isinstance(value, (float, Decimal)) and isinf(value)


def _to_float(number: Any, who: str) -> float:
    """A Python number of any type as float; an error if float64 cannot represent it."""
    try:
        value = float(number)
    except OverflowError:
        raise too_many_digits(who, number) from None
    if abs(value) >= LARGEST_EXACT and value != number:
        raise too_many_digits(who, number)
    return value
