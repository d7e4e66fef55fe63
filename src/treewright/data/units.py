"""Weights and targets as whole numbers of a small unit.

In: float weights and targets. Out: int64 arrays and the size of their unit. Sums of whole numbers do not depend on
the order of their terms, so neither the order of rows, nor the number of threads, nor repeating a row instead of
giving it weight changes a tree.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError

LIMB = 30
"""Bits of a number that are summed at a time, as whole numbers: 2^33 of them fit into 63 bits."""

WEIGHT_BITS = 52
"""Weights are rounded to 2^-52 of their sum, when they are not whole."""
SHARE_BITS = 60
"""The same where rows are shared out among nodes: classes only, where nothing is multiplied with a weight."""
CLOSE = 1e-9
"""Where rows are shared out, weights that differ by no more than this part of a row are equal."""
LEAST_SHARE = 1 / 256
"""A share of a row smaller than this part of a row is not made; its weight goes with the heaviest branch's."""
MOMENT_BITS = 60
"""Products of weight and target are rounded to 2^-60 of the sum of their sizes."""
MOST_SCALE = 900
"""No unit is below 2^-900, so that its square is a number above 0 and targets near 0 are just that."""


def exact_sum(values: NDArray[np.float64]) -> float:
    """The sum of numbers that are not negative, rounded once: it does not depend on their order.

    >>> exact_sum(np.array([1e16, 1.0, 1.0])), exact_sum(np.array([1.0, 1e16, 1.0]))
    (1.0000000000000002e+16, 1.0000000000000002e+16)
    """
    rest, largest = values, float(values.max(initial=0.0))
    total, last = 0, 0
    while largest > 0:
        place = int(np.frexp(largest)[1]) - LIMB
        whole = np.floor(np.ldexp(rest, -place))
        total = (total << last - place if total else 0) + int(whole.astype(np.int64).sum())
        last = place
        rest = rest - np.ldexp(whole, place)
        largest = float(rest.max())
    return total / (1 << -last) if last < 0 else float(total << last)


def class_totals(codes: NDArray[Any], weight: NDArray[np.float64] | None, n_classes: int) -> NDArray[np.float64]:
    """The weight of each class; it does not depend on the order of the rows.

    >>> class_totals(np.array([0, 1, 0]), np.array([0.5, 0.25, 1.0]), 2)
    array([1.5 , 0.25])
    """
    if weight is None or np.array_equal(weight, np.floor(weight)):  # sums of whole numbers are exact
        return np.bincount(codes, weight, minlength=n_classes).astype(np.float64)
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(1, n_classes))
    return np.array([exact_sum(part) for part in np.split(weight[order], ends)])


@dataclass(frozen=True, slots=True)
class Weights:
    """`whole` in units of `unit`; `one` units count as one row. `whole` is None when every row counts once."""

    whole: NDArray[np.int64] | None
    unit: float
    one: float


def weights_to_share(weight: NDArray[np.float64] | None, n_rows: int, bits: int) -> Weights:
    """Weights in units so small that rows can be shared out: 2^-bits of their sum or a little more.

    >>> weights_to_share(None, 3, 10)
    Weights(whole=array([256, 256, 256]), unit=0.00390625, one=256.0)
    """
    given = np.ones(n_rows) if weight is None else weight
    is_whole = bool(np.array_equal(given, np.floor(given)))
    scale = bits - int(np.ceil(np.log2(exact_sum(given))))
    whole = np.maximum(np.rint(np.ldexp(given, scale)), 1.0).astype(np.int64)
    one = float(np.ldexp(1.0, scale)) if is_whole else float(whole.sum()) / n_rows
    return Weights(whole, float(np.ldexp(1.0, -scale)), one)


def weights_in_units(weight: NDArray[np.float64] | None) -> Weights:
    """Whole weights keep their value, and 1 counts as one row; otherwise the mean weight does."""
    if weight is None:
        return Weights(None, 1.0, 1.0)
    total = float(weight.sum())  # exact if the weights are whole and there is room
    if total < 2.0**WEIGHT_BITS and np.array_equal(weight, np.floor(weight)):
        if weight.min() == weight.max() == 1.0:
            return Weights(None, 1.0, 1.0)
        return Weights(weight.astype(np.int64), 1.0, 1.0)
    scale = WEIGHT_BITS - int(np.ceil(np.log2(exact_sum(weight))))
    whole = np.maximum(np.rint(np.ldexp(weight, scale)), 1.0).astype(np.int64)
    return Weights(whole, float(np.ldexp(1.0, -scale)), float(whole.sum()) / len(whole))


@dataclass(frozen=True, slots=True)
class Moments:
    """weight times (target - centre), as whole numbers of `unit`."""

    whole: NDArray[np.int64]
    unit: float
    centre: float


def moments_in_units(y: NDArray[np.float64], weights: Weights, order: NDArray[np.uint32]) -> Moments:
    """Moments about the median (`order` sorts y), with all the digits their sum leaves room for."""
    if weights.whole is None:
        weight: NDArray[np.float64] = np.ones(1)
        centre = float(y[order[(len(y) - 1) // 2]])
    else:
        weight = weights.whole.astype(np.float64) * weights.unit
        below = np.cumsum(weights.whole[order])
        centre = float(y[order[np.searchsorted(below, (below[-1] + 1) // 2)]])
    with np.errstate(over="ignore"):
        off = y - centre
        size = float(np.abs(weight * off).sum())
    if not np.isfinite(size):
        raise InputError(
            f"The target has values as large as {np.abs(y).max():g}, whose sum is no longer a number; "
            "divide the target by a constant."
        )
    scale = min(MOMENT_BITS - int(np.ceil(np.log2(size))), MOST_SCALE) if size > 0 else 0
    if weights.whole is not None and weights.unit == 1.0:
        whole = np.rint(np.ldexp(off, scale)).astype(np.int64) * weights.whole
    else:
        whole = np.rint(np.ldexp(weight * off, scale)).astype(np.int64)
    return Moments(whole, float(np.ldexp(1.0, -scale)), centre)
