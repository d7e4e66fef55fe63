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
MOST_COPIES = 2.0**30
"""Up to this sum of whole weights a target is rounded before it is multiplied by its weight, so that weight k is
exactly k copies; beyond it that would leave a target less than 2^-30 of its size, and the product is rounded."""
LEAST_UNIT = {"squared_error": 2.0**-511, "absolute_error": 2.0**-960}
"""The least unit of a target: its square, or its size, is a number far enough above 0 to tell gains apart."""
LEAST_BITS = 40
"""A target that varies by fewer than 2^40 of these units, summed over all rows, is refused."""


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
    """weight, in its units, times (target - centre), as whole numbers of `unit`.

    step  what a target was rounded to before it was multiplied by its weight; 0 where only the product was rounded
    """

    whole: NDArray[np.int64]
    unit: float
    centre: float
    step: float


def moments_in_units(
    y: NDArray[np.float64], weights: Weights, order: NDArray[np.uint32], criterion: str = "squared_error"
) -> Moments:
    """Moments about the median (`order` sorts y, then weights), with all the digits their sum leaves room for."""
    low, high = float(y[order[0]]), float(y[order[-1]])
    _refuse_large(max(-low, high), weights, len(y), criterion)
    if weights.whole is None:
        weight: NDArray[np.float64] = np.ones(1)
        centre = float(y[order[(len(y) - 1) // 2]])
    else:
        weight = weights.whole.astype(np.float64)
        below = np.cumsum(weights.whole[order])
        centre = float(y[order[np.searchsorted(below, (below[-1] + 1) // 2)]])
    off = y - centre
    size = float(np.abs(weight * off)[order].sum())  # in that order: the unit must not depend on that of the rows
    least = LEAST_UNIT[criterion]
    if high - low > 0 and size < least * 2.0**LEAST_BITS:
        raise InputError(
            f"The target varies by only {high - low:g}, too little to compare splits by; multiply it by a constant."
        )
    scale = min(MOMENT_BITS - int(np.ceil(np.log2(size))), -int(np.log2(least))) if size > 0 else 0
    unit = float(np.ldexp(1.0, -scale))
    if weights.whole is not None and weights.unit == 1.0 and below[-1] <= MOST_COPIES:
        return Moments(np.rint(np.ldexp(off, scale)).astype(np.int64) * weights.whole, unit, centre, unit)
    return Moments(np.rint(np.ldexp(weight * off, scale)).astype(np.int64), unit, centre, 0.0)


def _refuse_large(largest: float, weights: Weights, n_rows: int, criterion: str) -> None:
    """Refuse targets whose sums, or sums of squares, are not finite, counted in weights or in units of weight."""
    total = float(n_rows if weights.whole is None else weights.whole.sum()) * max(weights.unit, 1.0)
    with np.errstate(over="ignore"):
        loss = np.float64(largest) * (largest if criterion == "squared_error" else 2.0) * total
    if not np.isfinite(loss):
        raise InputError(
            f"The target has values as large as {largest:g}, too large to sum up their "
            f"{'squares' if criterion == 'squared_error' else 'sizes'}; divide the target by a constant."
        )
