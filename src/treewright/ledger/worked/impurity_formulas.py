"""Formulas of impurities: entropy, Gini impurity, squared and absolute error, Poisson deviance.

Formulas are made from the stats of a node or a branch: class weights, or for regression weight, value and loss.
"""

from collections.abc import Callable
from dataclasses import dataclass

from treewright.criteria.impurities import entropy, gini
from treewright.criteria.registry import CRITERIA, Criterion
from treewright.ledger.worked.document import (
    Bars,
    Chain,
    Count,
    Expression,
    Formula,
    Fraction,
    Part,
    Power,
    Sum,
    Symbol,
    Value,
    call,
    chain,
    datum,
    fraction,
    less,
    log2,
    quantity,
    times,
    total,
)


@dataclass(frozen=True, slots=True)
class Measure:
    """The impurity of a criterion, with its symbols and formulas."""

    criterion: str

    @property
    def record(self) -> Criterion:
        return CRITERIA[self.criterion]

    @property
    def name(self) -> str:
        return self.record.symbol

    @property
    def for_numbers(self) -> bool:
        return self.record.for_numbers

    def of(self, rows: Expression) -> Expression:
        """The symbol, such as Ent(D)."""
        return call(self.name, rows)

    def written(self, rows: Expression, stats: tuple[float, ...], impurity: float) -> Chain:
        """The formula, such as Ent(D) = -(9/14 log2(9/14) + 5/14 log2(5/14)) = 0.940."""
        if self.for_numbers:
            return chain(self.of(rows), Fraction(Value(stats[2]), quantity(stats[0])), Value(impurity))
        written = WRITTEN.get(self.record.impurity)  # a criterion without a formula: only the value
        return chain(self.of(rows), *([] if written is None else [written(stats)]), Value(impurity))

    def loss_written(self, rows: Expression, stats: tuple[float, ...], numbers: list[float]) -> list[Part]:
        """For regression: the mean or median and the loss, written out term by term if `numbers` are given."""
        centre, loss = self.centre(rows), self.loss(rows)
        if not numbers:
            return [Formula(chain(centre, Value(stats[1]))), Formula(chain(loss, Value(stats[2])))]
        parts: list[Part] = []
        if not self.record.by_median:
            mean = Fraction(total([datum(y) for y in numbers], len(numbers)), quantity(stats[0]))
            parts.append(Formula(chain(centre, mean, Value(stats[1]))))
            terms: list[Expression] = [Power(less(datum(y), Value(stats[1])), Count(2)) for y in numbers]
            if self.record.by_deviance:
                terms = [times(datum(y), call("ln", Fraction(datum(y), Value(stats[1])))) for y in numbers if y > 0]
        else:
            parts.append(Formula(chain(centre, Value(stats[1]))))
            terms = [Bars(less(datum(y), Value(stats[1]))) for y in numbers]
        return [*parts, Formula(chain(loss, total(terms, len(terms)), Value(stats[2])))]

    def centre(self, rows: Expression) -> Expression:
        """The symbol of the mean or median: c_1 is the mean of branch 1."""
        return Symbol(self.letter, rows.above if isinstance(rows, Symbol) else None)

    @property
    def letter(self) -> str:
        """The letter for a mean (c) or a median (m)."""
        return "m" if self.record.by_median else "c"

    def loss(self, *arguments: Expression) -> Expression:
        """The symbol of the sum of squared or absolute errors or half deviances, of rows or of a split."""
        name = "SHD" if self.record.by_deviance else "SAE" if self.record.by_median else "SSE"
        return call(name, *arguments)


def entropy_sum(weights: tuple[float, ...] | list[float]) -> Expression:
    """-(8/17 log2(8/17) + 9/17 log2(9/17)); classes of weight 0 are omitted."""
    whole = sum(weights)
    terms = [times(fraction(w, whole), log2(fraction(w, whole))) for w in weights if w > 0]
    return Sum(((-1, total(terms) if len(terms) > 1 else terms[0]),))


def _gini(stats: tuple[float, ...]) -> Expression:
    """1 - (8/17)^2 - (9/17)^2."""
    whole = sum(stats)
    squares = [Power(fraction(w, whole), Count(2)) for w in stats if w > 0]
    taken = total(squares)
    if isinstance(taken, Sum) and not taken.n_more:
        return less(Count(1), *squares)
    return less(Count(1), taken)


WRITTEN: dict[Callable[..., float], Callable[[tuple[float, ...]], Expression]] = {entropy: entropy_sum, gini: _gini}
"""The formula of each classification impurity."""


def drop_noise(number: float, scale: float) -> float:
    """Replace a difference that is only floating-point error by 0.

    >>> drop_noise(1e-17, 0.9), drop_noise(0.1, 0.9)
    (0.0, 0.1)
    """
    return 0.0 if abs(number) <= 1e-12 * abs(scale) else number
