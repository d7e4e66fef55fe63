"""Plain: numbers and sentences as a JSON document holds them.

In: numpy arrays. Out: lists of Python numbers: whole ones without a point, what is no number as None, and either every
digit, so that a reader has the same float64, or as many as are worth reading.
"""

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.words import beginning

EXACT = 2.0**53
"""Below this a whole float64 is written as a whole number, and every reader has the same one."""

DIGITS = 7
"""Digits of a number that is only to be read."""

MOST_LETTERS = 600
"""Letters of a sentence; names and categories in it may be of any length."""

Number = int | float | None


def number(x: float) -> Number:
    """One number with all its digits.

    >>> number(3.0), number(0.1), number(float("nan"))
    (3, 0.1, None)
    """
    x = float(x)
    if not isfinite(x):
        return None
    return int(x) if x.is_integer() and abs(x) < EXACT else x


def short(x: float | None, digits: int = DIGITS) -> Number:
    """One number to be read.

    >>> short(1 / 3), short(2.0), short(None)
    (0.3333333, 2, None)
    """
    if x is None:
        return None
    x = float(f"{float(x):.{digits}g}")
    if x.is_integer() and -EXACT < x < EXACT:
        return int(x)
    return x if isfinite(x) else None


def exact(array: NDArray[Any]) -> list[Any]:
    """All numbers of an array, of one dimension or two, with all their digits.

    >>> exact(np.array([[1.0, 0.5], [np.inf, 2.0]]))
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


def rounded(array: NDArray[Any], digits: int = DIGITS) -> list[Any]:
    """All numbers of an array, of one dimension or two, to be read.

    >>> rounded(np.array([1 / 3, np.nan, 7.0]))
    [0.3333333, None, 7]
    """
    form = f"%.{digits}g"
    return exact(np.array([float(form % x) for x in array.ravel().tolist()]).reshape(array.shape))


def sentence(text: str, most: int = MOST_LETTERS) -> str:
    """The text, cut where it is too long to be read.

    >>> sentence("abcdef", 4)
    'abc…'
    """
    return beginning(text, most)
