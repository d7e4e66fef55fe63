"""Strange: whether cells of a table are missing or infinite.

In: a table of float64. Out: yes or no. A small table is looked at by a kernel, whose one call is over before numpy has
begun; a large one by numpy, which reads several cells at a time.
"""

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import look

SMALL = 2**12
"""Cells up to which the kernel looks."""

INFINITE, HOLE = 1, 2
"""What the kernel says."""


def has_hole(values: NDArray[np.float64]) -> bool:
    """Whether a cell is NaN.

    >>> has_hole(np.array([[1.0, np.nan]])), has_hole(np.array([[1.0, np.inf]]))
    (True, False)
    """
    if values.size <= SMALL:
        return look(values) & HOLE != 0
    return bool(np.isnan(values.min()))  # a minimum passes NaN on, and needs no memory


def has_infinity(values: NDArray[np.float64]) -> bool:
    """Whether a cell is infinite.

    >>> has_infinity(np.array([[1.0, np.nan]])), has_infinity(np.array([[1.0, -np.inf]]))
    (False, True)
    """
    if values.size <= SMALL:
        return look(values) & INFINITE != 0
    # fmax and fmin pass over NaN.
    return bool(np.fmax.reduce(values, axis=None) == np.inf or np.fmin.reduce(values, axis=None) == -np.inf)
