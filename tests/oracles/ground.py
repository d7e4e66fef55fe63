"""Before growth: the table of the slow grower, with weights and targets as whole numbers of a unit.

In: columns, target, weights, options. Out: a `Ground`, which answers what a set of rows weighs, how far it
counts towards a minimum, how impure it is and what a split of it gains. Rows are original row numbers.

Sums are exact: a float is a fraction whose denominator is a power of two, so weights and targets become whole
numbers over one common denominator. Only entropy leaves the rationals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tests.oracles.options import Column, Options

Real = Fraction | float
TIE = Fraction(1, 10**11)
"""Gains closer than this share of the node's impurity tie."""


def whole(numbers: Sequence[float]) -> tuple[list[int], Fraction]:
    """The numbers as whole multiples of one unit, and the unit.

    >>> whole([0.5, 1.25])
    ([2, 5], Fraction(1, 4))
    """
    exact = [Fraction(x) for x in numbers]
    unit = Fraction(1, math.lcm(*(x.denominator for x in exact)) if exact else 1)
    return [int(x / unit) for x in exact], unit


@dataclass(frozen=True)
class Ground:
    """A table ready for growth; `weight` and `target` are in units, `rows` are those of weight above 0."""

    columns: Sequence[Column]
    target: list[int]
    target_unit: Fraction
    weight: list[int]
    weight_unit: Fraction
    n_classes: int
    options: Options
    rows: list[int]

    @cached_property
    def importances(self) -> bool:
        """Whether some weight is not a whole number, so that weights are importances and not repetitions."""
        return any((self.weight[r] * self.weight_unit).denominator != 1 for r in self.rows)

    @cached_property
    def one(self) -> Fraction:
        """The weight that counts as one wherever the rules name a weight: 1, or the mean of importances."""
        return self.units(self.rows) * self.weight_unit / len(self.rows) if self.importances else Fraction(1)

    @cached_property
    def min_leaf(self) -> Fraction:
        return Fraction(self.options.min_leaf)

    @cached_property
    def min_split(self) -> Fraction:
        return Fraction(self.options.min_split)

    @cached_property
    def n_training(self) -> Fraction:
        """The number of training rows, where a row of weight 2 counts as two."""
        return self.heft(self.rows)

    def units(self, rows: Sequence[int]) -> int:
        return sum(self.weight[r] for r in rows)

    def total(self, rows: Sequence[int]) -> Fraction:
        """The weight of the rows."""
        return self.units(rows) * self.weight_unit

    def heft(self, rows: Sequence[int]) -> Fraction:
        """The weight of the rows in the measure in which the rules name weights."""
        return self.total(rows) / self.one

    def size(self, rows: Sequence[int]) -> Fraction:
        """How far the rows count towards a minimum."""
        return Fraction(len(rows)) if self.options.minimum == "rows" else self.heft(rows)

    def class_units(self, rows: Sequence[int]) -> list[int]:
        units = [0] * self.n_classes
        for r in rows:
            units[self.target[r]] += self.weight[r]
        return units

    def is_pure(self, rows: Sequence[int]) -> bool:
        return len({self.target[r] for r in rows}) <= 1

    def errors(self, rows: Sequence[int]) -> Fraction:
        """Weight of the rows outside the majority, in the measure of the rules."""
        units = self.class_units(rows)
        return (sum(units) - max(units)) * self.weight_unit / self.one

    def mean(self, rows: Sequence[int]) -> Fraction:
        """The weighted mean of the target, in target units."""
        return Fraction(sum(self.weight[r] * self.target[r] for r in rows), self.units(rows))

    def median(self, rows: Sequence[int]) -> Fraction:
        """The weighted median, in target units: halfway between the two values that part the weight in half,
        or the value at which half of the weight is passed."""
        total, below = self.units(rows), 0
        by_target = sorted(rows, key=lambda r: self.target[r])
        for position, r in enumerate(by_target):
            below += self.weight[r]
            if 2 * below == total:
                return Fraction(self.target[r] + self.target[by_target[position + 1]], 2)
            if 2 * below > total:
                return Fraction(self.target[r])
        raise ValueError("no rows have no median")

    def loss(self, rows: Sequence[int]) -> Real:
        """Impurity times weight, in units."""
        if not rows:
            return Fraction(0)
        criterion, total = self.options.criterion, self.units(rows)
        if criterion == "entropy":
            parts = [u * math.log2(u) for u in self.class_units(rows) if u]
            return math.fsum([total * math.log2(total), *(-p for p in parts)])
        if criterion == "squared_error":
            squares = sum(self.weight[r] * self.target[r] ** 2 for r in rows)
            return squares - Fraction(sum(self.weight[r] * self.target[r] for r in rows) ** 2, total)
        if criterion == "absolute_error":
            centre = self.median(rows)
            return sum((self.weight[r] * abs(self.target[r] - centre) for r in rows), Fraction(0))
        return total - Fraction(sum(u * u for u in self.class_units(rows)), total)

    def scale(self) -> Fraction:
        """What turns an impurity in target units into one in the target's own measure."""
        power = {"squared_error": 2, "absolute_error": 1}.get(self.options.criterion, 0)
        return self.target_unit**power

    def impurity(self, rows: Sequence[int]) -> Real:
        return self.loss(rows) / self.units(rows) * self.times(self.scale())

    def gain(self, rows: Sequence[int], branches: Sequence[Sequence[int]]) -> Real:
        """What a split takes off the impurity."""
        if self.options.criterion == "twoing":
            return self.twoing(rows, branches)
        left = sum((self.loss(b) for b in branches), self.times(Fraction(0)))
        gain = (self.loss(rows) - left) / self.units(rows) * self.times(self.scale())
        return max(gain, self.times(Fraction(0)))

    def twoing(self, rows: Sequence[int], branches: Sequence[Sequence[int]]) -> Fraction:
        low, high = branches
        w_low, w_high = self.units(low), self.units(high)
        apart = sum(
            abs(Fraction(a, w_low) - Fraction(b, w_high))
            for a, b in zip(self.class_units(low), self.class_units(high), strict=True)
        )
        return Fraction(w_low * w_high, 4 * self.units(rows) ** 2) * apart**2

    def tolerance(self, rows: Sequence[int]) -> Real:
        """How far apart two gains of this node may be and still tie."""
        return self.times(TIE) * self.impurity(rows)

    def times(self, x: Fraction) -> Real:
        """Entropy is a float; mixing it with a fraction is said, not silent."""
        return float(x) if self.options.criterion == "entropy" else x

    def split_information(self, branches: Sequence[Sequence[int]]) -> float:
        """The entropy of the branch weights."""
        weights = [self.units(b) for b in branches if b]
        total = sum(weights)
        return max(0.0, math.fsum([math.log2(total), *(-w / total * math.log2(w) for w in weights)]))


def prepare(
    columns: Sequence[Column],
    target: Sequence[float],
    weights: Sequence[float] | None,
    n_classes: int,
    options: Options,
) -> Ground:
    """Leave out rows of weight 0 and count in units."""
    weight, weight_unit = whole([1.0] * len(target) if weights is None else weights)
    numbers, target_unit = whole(target) if options.is_regression else ([int(c) for c in target], Fraction(1))
    rows = [r for r in range(len(target)) if weight[r] > 0]
    return Ground(columns, numbers, target_unit, weight, weight_unit, n_classes, options, rows)
