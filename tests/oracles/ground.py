"""Before growth: the table of the slow grower, with weights and targets as whole numbers of a unit.

In: columns, target, weights, options. Out: a `Ground`, which answers what a set of rows weighs, how far it
counts towards a minimum, how impure it is and what a split of it gains. Rows are original row numbers. A node whose
rows are there with a share of their weight has a ground of its own, `shared`, with smaller units.

Sums are exact: a float is a fraction whose denominator is a power of two, so weights and targets become whole
numbers over one common denominator. Only entropy and the Poisson deviance leave the rationals.

The package counts shares in a unit of about 2**-60 of the training weight, and a third is no whole number of those.
Minimums, the heavier branch and the order of categories forgive 1e-9. Where another rule compares such a weight with
one that is equal, the package may see it on either side. The ground writes these places down in `doubts`; a table
with a doubt is no test of the rule.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from tests.oracles.options import Column, Options

Real = Fraction | float
TIE = Fraction(1, 10**11)
"""Gains closer than this share of the node's impurity tie."""
NEAR = Fraction(1, 10**9)
"""Weights closer than this part of a row are equal where rows are shared."""
FINEST = 2**30
"""A share with a smaller denominator, a power of two, is not rounded."""


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
    """A table ready for growth; `weight` and `target` are in units, `rows` are those of weight above 0.

    one       the weight that counts as one wherever the rules name a weight: 1, or the mean of importances
    single    the most that a single row weighs, in the same measure: 1, unless weights are importances
    training  the weight of all training rows
    holes     whether a cell is missing in a column that has known ones
    fineness  how many units of weight make one unit of the whole table: 1 as long as no row is shared
    rounded   rows whose weight is a share that the package has to round
    doubts    comparisons that rounding may decide, of all nodes
    dropped   rows of which a share was too small to be made, of all nodes
    """

    columns: Sequence[Column]
    target: list[int]
    target_unit: Fraction
    weight: Sequence[int]
    weight_unit: Fraction
    n_classes: int
    options: Options
    rows: list[int]
    one: Fraction
    single: Fraction
    training: Fraction
    holes: bool
    fineness: int = 1
    rounded: frozenset[int] = frozenset()
    doubts: list[str] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)

    def shared(self, shares: dict[int, Fraction], parted: Sequence[int], known: Sequence[int]) -> "Ground":
        """The ground of a node that holds rows with these weights, given in this ground's units.

        Of them, `parted` had to share by the weights of the `known` rows, which may be rounded themselves.
        """
        finer = math.lcm(*(w.denominator for w in shares.values()))
        weight = [0] * len(self.weight)
        for r, w in shares.items():
            weight[r] = int(w * finer)
        below = {r: (shares[r] / self.fineness).denominator for r in parted if r in shares}
        by_rounded = not self.rounded.isdisjoint(known)
        odd = {r for r, d in below.items() if by_rounded or d & (d - 1) or d > FINEST}
        return replace(
            self,
            weight=weight,
            weight_unit=self.weight_unit / finer,
            fineness=self.fineness * finer,
            rounded=self.rounded | odd,
        )

    def doubt(self, what: str, a: Real, b: Real, rows: Sequence[int]) -> None:
        """Note that a and b, of which one comes from the weights of rows, can only be told apart by hand."""
        if self.rounded and abs(a - b) <= NEAR * max(1, abs(b)) and not self.rounded.isdisjoint(rows):
            self.doubts.append(what)

    @cached_property
    def by_weight(self) -> bool:
        """Whether minimums count weight: half a row can only be counted so."""
        return self.options.minimum == "weight" or self.slack > 0

    @cached_property
    def slack(self) -> Fraction:
        """How far apart equal weights may be, in rows: rows that are shared are forgiven their rounding."""
        return NEAR if self.options.missing == "fractional" and self.holes else Fraction(0)

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
        return self.heft(rows) if self.by_weight else Fraction(len(rows))

    def reaches(self, rows: Sequence[int], minimum: Real) -> bool:
        """Whether there are enough rows."""
        return self.size(rows) >= Fraction(minimum) - self.slack

    def has_rates(self, branches: Sequence[Sequence[int]]) -> bool:
        """Whether each branch that has rows has a rate above 0; other criteria do not ask."""
        if self.options.criterion != "poisson":
            return True
        return all(any(self.target[r] > 0 for r in rows) for rows in branches if rows)

    def heavier(self, branches: Sequence[Sequence[int]]) -> int:
        """The branch of most weight, the lowest on a tie."""
        hefts = [self.heft(b) for b in branches]
        return next(b for b, heft in enumerate(hefts) if heft >= max(hefts) - self.slack)

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
            last = position + 1 == len(by_target) or self.target[by_target[position + 1]] != self.target[r]
            if last:
                self.doubt("median", Fraction(2 * below, total), 1, rows)
            if 2 * below == total:
                return Fraction(self.target[r] + self.target[by_target[position + 1]], 2)
            if 2 * below > total:
                return Fraction(self.target[r])
        raise ValueError("no rows have no median")

    def impurity(self, rows: Sequence[int]) -> Real:
        """How mixed the rows are; 0 when there are none."""
        if not rows:
            return self.times(Fraction(0))
        criterion, total = self.options.criterion, self.units(rows)
        if criterion == "entropy":
            shares = [u / total for u in self.class_units(rows) if u]
            return max(0.0, -math.fsum(p * math.log2(p) for p in shares))
        if criterion == "squared_error":
            squares = Fraction(sum(self.weight[r] * self.target[r] ** 2 for r in rows), total)
            return (squares - self.mean(rows) ** 2) * self.target_unit**2
        if criterion == "absolute_error":
            centre = self.median(rows)
            apart = sum((self.weight[r] * abs(self.target[r] - centre) for r in rows), Fraction(0))
            return apart / total * self.target_unit
        if criterion == "poisson":
            rate = self.mean(rows)
            terms = [(self.weight[r], Fraction(self.target[r]) / rate) for r in rows if self.target[r]]
            return float(rate * self.target_unit / total) * math.fsum(w * float(y) * math.log(y) for w, y in terms)
        return 1 - Fraction(sum(u * u for u in self.class_units(rows)), total * total)

    def gain(self, rows: Sequence[int], branches: Sequence[Sequence[int]]) -> Real:
        """What a split takes off the impurity."""
        if self.options.criterion == "twoing":
            return self.twoing(rows, branches)
        total = self.units(rows)
        left = [self.times(Fraction(self.units(b), total)) * self.impurity(b) for b in branches]
        return max(self.impurity(rows) - sum(left), self.times(Fraction(0)))

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
        """Entropy and deviance are floats; mixing them with a fraction is said, not silent."""
        return float(x) if self.options.criterion in ("entropy", "poisson") else x

    def split_information(self, branches: Sequence[Sequence[int]]) -> float:
        """The entropy of the branch weights."""
        weights = [self.units(b) for b in branches if b]
        shares = [w / sum(weights) for w in weights]
        return max(0.0, -math.fsum(p * math.log2(p) for p in shares))


def prepare(
    columns: Sequence[Column],
    target: Sequence[float],
    weights: Sequence[float] | None,
    n_classes: int,
    options: Options,
) -> Ground:
    """Leave out rows of weight 0 and count in units."""
    weight, unit = whole([1.0] * len(target) if weights is None else weights)
    numbers, target_unit = whole(target) if options.is_regression else ([int(c) for c in target], Fraction(1))
    rows = [r for r in range(len(target)) if weight[r] > 0]
    training = sum(weight) * unit
    importances = any((weight[r] * unit).denominator != 1 for r in rows)
    one = training / len(rows) if importances else Fraction(1)
    single = max(weight) * unit / one if importances else Fraction(1)
    n_known = [sum(1 for r in rows if c.values[r] is not None) for c in columns]
    holes = any(0 < n < len(rows) for n in n_known)
    return Ground(
        columns, numbers, target_unit, weight, unit, n_classes, options, rows, one, single, training, holes
    )  # fmt: skip
