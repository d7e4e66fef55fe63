"""Limits written out: U_CF(E, N) with its digits.

In: a limit, the rows of a leaf and its errors. Out: the formulas that lead to the upper limit of its error rate, one
for each way in which `treewright._core.limits` works it out.
"""

from math import comb

import numpy as np

from treewright.ledger.worked.document import Formula, Part
from treewright.ledger.worked.expressions import (
    Call,
    Chain,
    Count,
    Expression,
    Fraction,
    Power,
    Root,
    Sum,
    Symbol,
    Value,
    chain,
    less,
    quantity,
    times,
    total,
)
from treewright.ledger.worked.say import Say
from treewright.prune.limits import CONFIDENCES, DEVIATIONS, Limit

NEAR = 1e-9
"""Shares of rows that add up to a whole number are this close to it."""

FEW = 5
"""Terms of a binomial sum that are written out."""


def rate_of(limit: Limit, rows: float, errors: float) -> float:
    """U_CF(E, N), as the pruning had it.

    >>> round(rate_of(Limit("exact", 0.25), 6, 0), 4)
    0.2063
    """
    if rows <= 0:
        return 0.0
    return float(limit.estimates(np.array([rows]), np.array([errors]))[0]) / rows


def symbol(limit: Limit, rows: float, errors: float) -> Call:
    """U_25%(E, N)."""
    return Call(Symbol("U", Value(limit.confidence, percent=True)), (quantity(errors), quantity(rows)))


def rate_written(limit: Limit, rows: float, errors: float, say: Say) -> list[Part]:
    """How U_CF(E, N) is worked out."""
    name, found = symbol(limit, rows, errors), Value(rate_of(limit, rows, errors))
    if errors < NEAR:
        return [Formula(chain(name, less(Count(1), _root_of_confidence(limit, rows)), found))]
    if limit.name == "exact":
        return _binomial(limit, rows, errors, say)
    least = 0.9999 if limit.name == "release8" else 1.0 - NEAR
    if errors < least:
        low, high = (rate_of(limit, rows, e) for e in (0.0, 1.0))
        between = Sum(((1, symbol(limit, rows, 0)), (1, times(quantity(errors), less(
            symbol(limit, rows, 1), symbol(limit, rows, 0))))))  # fmt: skip
        with_digits = Sum(((1, Value(low)), (1, times(quantity(errors), less(Value(high), Value(low))))))
        first = [*rate_written(limit, rows, 0, say), *rate_written(limit, rows, 1, say)]
        return [*first, Formula(chain(name, between, with_digits, found))]
    if errors + 0.5 >= rows - NEAR:
        return _nearly_all(limit, rows, errors, say)
    return [Formula(chain(name, _normal_letters(), _normal_digits(limit, rows, errors), found))]


def quantile_written(limit: Limit, say: Say) -> list[Part]:
    """The quantile z of the normal approximation, for limits that take it."""
    z, cf = Value(limit.square**0.5), limit.confidence
    if limit.name != "release8":
        said = chain(Symbol("z"), Call(Symbol("Φ", above=Count(-1)), (less(Count(1), Count(cf)),)), z)
        return [say("z.weka", cf=Value(cf, percent=True)), Formula(said)]
    i = min(max(int(np.searchsorted(CONFIDENCES, cf)), 1), len(CONFIDENCES) - 1)
    (low, high), (first, second) = CONFIDENCES[i - 1 : i + 1], DEVIATIONS[i - 1 : i + 1]
    share = Fraction(less(Count(cf), Count(low)), less(Count(high), Count(low)))
    line = Sum(((1, Count(first)), (1, times(share, less(Count(second), Count(first))))))
    return [say("z.release8"), Formula(chain(Symbol("z"), line, z))]


def _root_of_confidence(limit: Limit, rows: float) -> Expression:
    return Power(Count(limit.confidence), Fraction(Count(1), quantity(rows)))


def _binomial(limit: Limit, rows: float, errors: float, say: Say) -> list[Part]:
    """The rate at which so few errors have a probability of CF: the equation it solves, and the proof."""
    name, rate = symbol(limit, rows, errors), rate_of(limit, rows, errors)
    found = Formula(chain(name, Value(rate)))
    n, e = round(rows), round(errors)
    if abs(n - rows) > NEAR or abs(e - errors) > NEAR or e >= FEW:
        return [say("binomial.beta"), found]
    if e == n:
        return [Formula(chain(name, Count(1)))]
    u = Symbol("U")
    terms: list[Expression] = [_binomial_term(n, i, u) for i in range(e + 1)]
    proof = Chain(total(terms), (("=", Count(limit.confidence)),))
    return [say("binomial", errors=quantity(errors)), Formula(proof), found]


def _binomial_term(n: int, i: int, u: Symbol) -> Expression:
    right = Power(less(Count(1), u), Count(n - i))
    if i == 0:
        return right
    errors = u if i == 1 else Power(u, Count(i))
    return times(Count(comb(n, i)), errors, right if n - i > 1 else less(Count(1), u))


def _nearly_all(limit: Limit, rows: float, errors: float, say: Say) -> list[Part]:
    """Nearly all rows are errors: where the approximation ends."""
    name, found = symbol(limit, rows, errors), Value(rate_of(limit, rows, errors))
    if limit.name != "release8":
        return [say("limit.all"), Formula(chain(name, Fraction(quantity(rows), quantity(rows)), found))]
    more = times(Count(0.67), less(quantity(rows), quantity(errors)))
    digits = Fraction(Sum(((1, quantity(errors)), (1, more))), quantity(rows))
    return [say("limit.nearly"), Formula(chain(name, digits, found))]


def _normal_letters() -> Expression:
    e, n, z2 = Symbol("E"), Symbol("N"), Power(Symbol("z"), Count(2))
    return _normal(e, n, z2)


def _normal_digits(limit: Limit, rows: float, errors: float) -> Expression:
    return _normal(quantity(errors), quantity(rows), Value(limit.square))


def _normal(e: Expression, n: Expression, z2: Expression) -> Expression:
    above = Sum(((1, e), (1, Count(0.5))))
    inside = Sum(((1, times(above, less(Count(1), Fraction(above, n)))), (1, Fraction(z2, Count(4)))))
    top = Sum(((1, e), (1, Count(0.5)), (1, Fraction(z2, Count(2))), (1, Root(times(z2, inside)))))
    return Fraction(top, Sum(((1, n), (1, z2))))



