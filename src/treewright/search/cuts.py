"""Cuts: where a column of numbers can be cut in two.

In: a column of numbers, and the classes of its rows. Out: thresholds, rising; branch 0 takes value <= cut.
For reading and checking by hand: the engine finds the same cuts in compiled code.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.criteria.crosstab import Contingency, contingency
from treewright.errors import InputError


def read_numbers(x: ArrayLike) -> NDArray[np.float64]:
    """A column of finite numbers as float64.

    >>> read_numbers([1, 2.5])
    array([1. , 2.5])
    """
    try:
        values = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("x cannot be read as a column of numbers; cuts need one number per row.") from None
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"x has shape {values.shape}; give a column with at least one row.")
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(f"x is {values[row]:g} in row {row}; leave that row out or give a finite number.")
    # Adding 0 makes -0.0 and 0.0 one value in print as they are in comparison.
    return values + 0.0


def midpoints(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Thresholds t between neighbours low < high: the midpoints, always low <= t < high.

    >>> midpoints(np.array([0.36, 1.0e308]), np.array([0.403, 1.5e308]))
    array([3.815e-001, 1.250e+308])
    """
    with np.errstate(over="ignore"):
        middle = (low + high) / 2.0
    is_finite = np.isfinite(middle)
    if not is_finite.all():
        # Halving first cannot overflow, but it loses the last bit of the smallest numbers: so only where needed.
        middle = np.where(is_finite, middle, low / 2.0 + high / 2.0)
    # Between neighbouring floats there is no midpoint, and rounding may give the higher one.
    return np.where(middle < high, middle, low)


def candidate_cuts(x: ArrayLike) -> NDArray[np.float64]:
    """The midpoints between neighbouring distinct values.

    >>> candidate_cuts([85, 80, 83, 80])
    array([81.5, 84. ])
    """
    distinct = np.unique(read_numbers(x))
    return midpoints(distinct[:-1], distinct[1:])


def boundary_cuts(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """The cuts that can be best (Fayyad and Irani): all but those between two neighbouring values whose rows
    have one and the same class.

    >>> boundary_cuts([64, 65, 68, 69, 70, 71], ["yes", "no", "yes", "yes", "yes", "no"])
    array([64.5, 66.5, 70.5])
    """
    distinct, table = by_value(x, y)
    present = table.counts > 0
    pure = present.sum(axis=1) == 1
    first = present.argmax(axis=1)
    same = pure[:-1] & pure[1:] & (first[:-1] == first[1:])
    return np.compress(~same, midpoints(distinct[:-1], distinct[1:]))


def by_value(
    x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None
) -> tuple[NDArray[np.float64], Contingency]:
    """The distinct values, rising, and the class counts of each.

    >>> distinct, table = by_value([2, 1, 2], ["a", "b", "b"])
    >>> distinct, table.counts.tolist()
    (array([1., 2.]), [[0.0, 1.0], [1.0, 1.0]])
    """
    table = contingency(read_numbers(x), y, weight)
    distinct = np.array(table.branches, dtype=np.float64)
    order = np.argsort(distinct)
    return distinct[order], Contingency(tuple(distinct[order].tolist()), table.classes, table.counts[order])
