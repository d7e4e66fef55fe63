"""Fixed-point numbers: weights and targets as integers in a small unit.

In: float weights and targets. Out: int64 arrays and the size of their unit. Sums of integers do not depend on the order
of their terms, so the order of rows, the number of threads, and repeating a row instead of weighting it do not change a
tree.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError

CHUNK_BITS = 30
"""Bits of a number that are summed at a time as integers: 2^33 of them fit into 63 bits."""

WEIGHT_BITS = 52
"""Weights that are not all integers are rounded to 2^-52 of their sum."""
FRACTION_BITS = 60
"""The same for fractional weights: only with classes, where nothing is multiplied by a weight."""
WEIGHT_TOLERANCE = 1e-9
"""Fractional weights that differ by at most this fraction of a row are equal."""
SMALLEST_FRACTION = 1 / 256
"""A smaller fraction of a row is not made; its weight goes to the heaviest branch."""
MOMENT_BITS = 60
"""Products of weight and target are rounded to 2^-60 of the sum of their absolute values."""
MOST_COPIES = 2.0**30
"""Up to this sum of integer weights a target is rounded before it is multiplied by its weight, so that weight k is
exactly k copies; above it too few bits would remain for the target, and the product is rounded."""
LEAST_UNIT = {"squared_error": 2.0**-511, "absolute_error": 2.0**-960, "poisson": 2.0**-960}
"""The smallest unit of a target: its square, or the unit itself, is far enough above 0 to distinguish gains."""
LEAST_BITS = 40
"""A target that varies by fewer than 2^40 of these units, summed over all rows, is an error."""


def exact_sum(values: NDArray[np.float64]) -> float:
    """The sum of non-negative numbers, rounded once, so that it does not depend on their order.

    >>> exact_sum(np.array([1e16, 1.0, 1.0])), exact_sum(np.array([1.0, 1e16, 1.0]))
    (1.0000000000000002e+16, 1.0000000000000002e+16)
    """
    rest, largest = values, float(values.max(initial=0.0))
    total, last = 0, 0
    while largest > 0:
        place = int(np.frexp(largest)[1]) - CHUNK_BITS
        whole = np.floor(np.ldexp(rest, -place))
        total = (total << last - place if total else 0) + int(whole.astype(np.int64).sum())
        last = place
        rest = rest - np.ldexp(whole, place)
        largest = float(rest.max())
    return total / (1 << -last) if last < 0 else float(total << last)


def class_totals(codes: NDArray[Any], weight: NDArray[np.float64] | None, n_classes: int) -> NDArray[np.float64]:
    """The total weight of each class; it does not depend on the order of the rows.

    >>> class_totals(np.array([0, 1, 0]), np.array([0.5, 0.25, 1.0]), 2)
    array([1.5 , 0.25])
    """
    if weight is None or np.array_equal(weight, np.floor(weight)):  # sums of integers are exact
        return np.bincount(codes, weight, minlength=n_classes).astype(np.float64)
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(1, n_classes))
    return np.array([exact_sum(part) for part in np.split(weight[order], ends)])


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights in units.

    whole  the weights as integers; None if every row has weight 1
    unit   the size of the unit
    one    the number of units that count as one row
    """

    whole: NDArray[np.int64] | None
    unit: float
    one: float


def weights_in_small_units(weight: NDArray[np.float64] | None, n_rows: int, bits: int) -> Weights:
    """Weights in units so small that rows can be divided into fractions: 2^-bits of their sum or a little more.

    >>> weights_in_small_units(None, 3, 10)
    Weights(whole=array([256, 256, 256]), unit=0.00390625, one=256.0)
    """
    given = np.ones(n_rows) if weight is None else weight
    is_whole = bool(np.array_equal(given, np.floor(given)))
    scale = bits - int(np.ceil(np.log2(exact_sum(given))))
    whole = np.maximum(np.rint(np.ldexp(given, scale)), 1.0).astype(np.int64)
    one = float(np.ldexp(1.0, scale)) if is_whole else float(whole.sum()) / n_rows
    return Weights(whole, float(np.ldexp(1.0, -scale)), one)


def weights_in_units(weight: NDArray[np.float64] | None) -> Weights:
    """Weights in units: integers keep their value, and weight 1 is one row; otherwise the mean weight is one row."""
    if weight is None:
        return Weights(None, 1.0, 1.0)
    total = float(weight.sum())  # exact for integer weights below 2^53
    if total < 2.0**WEIGHT_BITS and np.array_equal(weight, np.floor(weight)):
        if weight.min() == weight.max() == 1.0:
            return Weights(None, 1.0, 1.0)
        return Weights(weight.astype(np.int64), 1.0, 1.0)
    scale = WEIGHT_BITS - int(np.ceil(np.log2(exact_sum(weight))))
    whole = np.maximum(np.rint(np.ldexp(weight, scale)), 1.0).astype(np.int64)
    return Weights(whole, float(np.ldexp(1.0, -scale)), float(whole.sum()) / len(whole))


@dataclass(frozen=True, slots=True)
class MomentUnits:
    """How a target and a weight, in its units, become a moment: weight times (target - centre), in units of `unit`.

    step  the unit to which the target is rounded before the multiplication; 0 if only the product is rounded
    """

    unit: float
    centre: float
    step: float


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of rows as integers, and their units."""

    whole: NDArray[np.int64]
    units: MomentUnits


@dataclass(frozen=True, slots=True)
class TargetRange:
    """What is known of a numeric target before its unit is chosen.

    low, high, centre  its least and largest value, and the median (poisson: 0)
    total   the weight of all rows in units
    weight_unit  the unit of weights
    is_weighted  whether rows have weights
    """

    low: float
    high: float
    centre: float
    total: int
    weight_unit: float
    is_weighted: bool

    @property
    def copies(self) -> bool:
        """Whether a target is rounded before it is multiplied by its weight."""
        return not self.is_weighted or (self.weight_unit == 1.0 and self.total <= MOST_COPIES)


def moments_in_units(
    y: NDArray[np.float64], weights: Weights, order: NDArray[np.uint32], criterion: str = "squared_error"
) -> Moments:
    """Moments about the median (poisson: 0) with as many bits as their sum allows; `order` sorts y, then weights."""
    total, at = len(y), (len(y) - 1) // 2
    if weights.whole is not None:
        below = np.cumsum(weights.whole[order])
        total = int(below[-1])
        at = int(np.searchsorted(below, (total + 1) // 2))
    centre = 0.0 if criterion == "poisson" else float(y[order[at]])
    ends = float(y[order[0]]), float(y[order[-1]])
    target = TargetRange(*ends, centre, total, weights.unit, weights.whole is not None)
    weight = np.ones(1, np.int64) if weights.whole is None else weights.whole

    def sum_distances(scale: int) -> int:
        return int(in_units(np.abs(y - centre), weight, scale, np.trunc, copies=target.copies).sum())

    units = choose_unit(target, sum_distances, criterion)
    scale = -int(np.log2(units.unit))
    return Moments(in_units(y - centre, weight, scale, np.rint, copies=target.copies), units)


def in_units(
    values: NDArray[np.float64], weight: NDArray[np.int64], scale: int, rounded: Any, *, copies: bool
) -> NDArray[np.int64]:
    """Weight times value times 2^scale, rounded; `copies`: rounded before the multiplication."""
    if copies:
        whole: NDArray[np.int64] = rounded(np.ldexp(values, scale)).astype(np.int64) * weight
        return whole
    product: NDArray[np.int64] = rounded(np.ldexp(weight.astype(np.float64) * values, scale)).astype(np.int64)
    return product


def choose_unit(target: TargetRange, sum_distances: Callable[[int], int], criterion: str) -> MomentUnits:
    """The unit of moments: a power of two, found from sums of integers, so that it does not depend on their order.

    sum_distances  of a scale: the sum of weight times distance from the centre times 2^scale, each rounded down
    """
    low, high, centre = target.low, target.high, target.centre
    _refuse_large(max(-low, high), float(target.total) * max(target.weight_unit, 1.0), criterion)
    least, far = LEAST_UNIT[criterion], max(centre - low, high - centre)
    size, exponent = 0.0, 0
    if far > 0:
        finest = MOMENT_BITS - int(np.frexp(far)[1]) - int(target.total).bit_length()
        total = sum_distances(finest)
        size, exponent = float(np.ldexp(float(total), -finest)), (total - 1).bit_length() - finest
    if high - low > 0 and size < least * 2.0**LEAST_BITS:
        raise InputError(
            f"The target varies by only {high - low:g}, which is too little to compare splits; "
            "multiply it by a constant."
        )
    scale = min(MOMENT_BITS - exponent, -int(np.log2(least))) if size > 0 else 0
    unit = float(np.ldexp(1.0, -scale))
    return MomentUnits(unit, centre, unit if target.is_weighted and target.copies else 0.0)


def _refuse_large(largest: float, total: float, criterion: str) -> None:
    """Raise an error for targets whose weighted sums, or sums of squares, overflow."""
    with np.errstate(over="ignore"):
        loss = np.float64(largest) * (largest if criterion == "squared_error" else 2.0) * total
    if not np.isfinite(loss):
        raise InputError(
            f"The target has values as large as {largest:g}, so the sum of their "
            f"{'squares' if criterion == 'squared_error' else 'absolute values'} overflows; divide it by a constant."
        )
