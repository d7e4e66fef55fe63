"""Numbers of numpy as JSON values: integers without a decimal point, NaN and infinities as None.

The `exact` functions keep every digit, so that a reader gets the same float64; the `rounded` ones are for display.
"""

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.formatting import truncate

EXACT = 2.0**53
"""Below this an integral float64 is written as an integer, and every reader gets the same number."""

DIGITS = 7
"""Significant digits of a number for display."""

MAX_LENGTH = 600
"""Characters of a sentence; names and categories in it may have any length."""

Number = int | float | None


def exact_number(x: float) -> Number:
    """Return one number with all its digits.

    >>> exact_number(3.0), exact_number(0.1), exact_number(float("nan"))
    (3, 0.1, None)
    """
    x = float(x)
    if not isfinite(x):
        return None
    return int(x) if x.is_integer() and abs(x) < EXACT else x


def rounded_number(x: float | None, digits: int = DIGITS) -> Number:
    """Return one number for display.

    >>> rounded_number(1 / 3), rounded_number(2.0), rounded_number(None)
    (0.3333333, 2, None)
    """
    if x is None:
        return None
    x = float(f"{float(x):.{digits}g}")
    if x.is_integer() and -EXACT < x < EXACT:
        return int(x)
    return x if isfinite(x) else None


def exact_list(array: NDArray[Any]) -> list[Any]:
    """Return the numbers of an array of one or two dimensions with all their digits.

    >>> exact_list(np.array([[1.0, 0.5], [np.inf, 2.0]]))
    [[1, 0.5], [None, 2]]
    """
    if array.dtype.kind != "f":
        return array.tolist()
    is_whole = (np.abs(array) < EXACT) & (array == np.floor(array))
    if bool(is_whole.all()):
        return array.astype(np.int64).tolist()
    found = array.ravel().tolist()
    for i in np.flatnonzero(is_whole).tolist():
        found[i] = int(found[i])
    for i in np.flatnonzero(~np.isfinite(array)).tolist():
        found[i] = None
    width = array.shape[-1]
    return found if array.ndim == 1 else [found[i : i + width] for i in range(0, len(found), width)]


def rounded_list(array: NDArray[Any], digits: int = DIGITS) -> list[Any]:
    """Return the numbers of an array of one or two dimensions for display.

    >>> rounded_list(np.array([1 / 3, np.nan, 7.0]))
    [0.3333333, None, 7]
    """
    form = f"%.{digits}g"
    return exact_list(np.array([float(form % x) for x in array.ravel().tolist()]).reshape(array.shape))


def shorten(text: str, most: int = MAX_LENGTH) -> str:
    """Return the text, cut if it is too long for display.

    >>> shorten("abcdef", 4)
    'abc…'
    """
    return truncate(text, most)
