"""Charged: what a split pays for its description, with its numbers.

In: a candidate that pays a charge. Out: the formula of the charge and the gain that is left. Paid is log2 of the number
of choices: the cuts of a number, or the ways to group the values of a category, in two groups 2^(n - 1) - 1, in k
groups S(n, k), Stirling's number of the second kind. Under the description-length floor one bit more, or a part of it,
tells a split from a leaf. Numbers pay this bit always, and half a bit for each doubling of the rows for one more
answer; what is taken off the gain is the part of the loss that the bits are worth.
"""

from math import log2 as log_of

from treewright.grow.plan import IN_TWO
from treewright.ledger.charges import MOST_BITS, ONE_MORE_ANSWER, answer_bits, rows_of, split_bit
from treewright.ledger.held import Held
from treewright.ledger.record import Candidate
from treewright.ledger.worked.desk import Desk
from treewright.ledger.worked.document import Formula, Part
from treewright.ledger.worked.expressions import (
    Call,
    Count,
    Expression,
    Fraction,
    Power,
    Symbol,
    Value,
    Words,
    call,
    chain,
    less,
    log2,
    quantity,
    times,
    total,
)
from treewright.model.strategies import STRATEGIES

MOST_WAYS = 10**9
"""A number of ways that is not larger than this is written out."""


def charge_parts(desk: Desk, one: Candidate, gain: float) -> list[Part]:
    """The charge and what it leaves of the gain."""
    assert one.gain is not None
    say, rows = desk.say, desk.view.rows
    parts, weight = _words(desk, one), quantity(round(rows_of(rows), 9))
    fixed = _fixed(rows, weight)
    logs = [log2(ways) for ways in _ways(desk, one)]
    tops = [total([*fixed, log]) for log in logs] or [total(fixed)]
    prices: list[Expression] = [Fraction(top, weight) for top in tops]
    name = Words(say.word("charge"))
    if desk.measure.for_numbers:
        parts += _worth(desk, one, gain, prices)
    else:
        parts.append(Formula(chain(name, *prices, Value(one.charge))))
    arguments = desk.split_arguments(one, Symbol("D"))
    left = chain(net_gain(desk, arguments), less(Value(gain), Value(one.charge)), Value(one.gain))
    return [*parts, Formula(left)]


def _words(desk: Desk, one: Candidate) -> list[Part]:
    """What is paid for."""
    say, bit = desk.say, split_bit(desk.view.rows)
    parts: list[Part] = [say("charged.split", bit=quantity(bit))] if bit > 0.0 else []
    if answer_bits(desk.view.rows) > 0.0:
        parts.append(say("charged.answer"))
    if one.n_values and desk.view.n_values(one) != one.n_values:
        parts.append(say("charged.values", n=str(one.n_values)))
    if one.n_values or one.n_cuts > 1:
        parts.append(say("charged.groups" if one.n_values else "charged"))
    return parts


def _bits(desk: Desk, one: Candidate) -> float:
    """What the split pays in bits, before they are shared by the rows."""
    rows = desk.view.rows
    fixed = split_bit(rows) + answer_bits(rows)
    if not one.n_values:
        return fixed + (log_of(one.n_cuts) if one.n_cuts > 1 else 0.0)
    # groups of numbers are two always
    return fixed + log_of(2 ** (one.n_values - 1) - 1)


def _fixed(rows: Held, weight: Expression) -> list[Expression]:
    """The bits that any split pays, whatever there was to choose from."""
    bit = split_bit(rows)
    fixed: list[Expression] = [quantity(bit)] if bit > 0.0 else []
    return [*fixed, times(Count(ONE_MORE_ANSWER), log2(weight))] if answer_bits(rows) > 0.0 else fixed


def _worth(desk: Desk, one: Candidate, gain: float, prices: list[Expression]) -> list[Part]:
    """Regression: the bits, and the part of the loss that they are worth."""
    say = desk.say
    left = desk.entry.impurity - gain  # the loss for each row that the split leaves
    base = 2 if desk.measure.record.by_median else 4
    bits = _bits(desk, one) / rows_of(desk.view.rows)
    worth = times(Value(left), less(Power(Count(base), Value(min(bits, MOST_BITS / log_of(base)))), Count(1)))
    return [
        Formula(chain(Words(say.word("bits")), *prices, Value(bits))),
        say("charged.absolute_error" if desk.measure.record.by_median else "charged.squared_error"),
        Formula(chain(Words(say.word("charge")), worth, Value(one.charge))),
    ]


def net_gain(desk: Desk, arguments: tuple[Expression, ...]) -> Expression:
    """The name of the gain after the charge."""
    return Call(Symbol("Gain", Words(desk.say.word("net"))), arguments)


def _ways(desk: Desk, one: Candidate) -> list[Expression]:
    """How many choices there were, as a formula; behind it the number, where it is not too large."""
    n = one.n_values
    if not n:
        return [Count(one.n_cuts)] if one.n_cuts > 1 else []
    if desk.plan.grouping in IN_TWO:
        return [less(Power(Count(2), Count(n - 1)), Count(1))]
    apart = STRATEGIES[desk.plan.missing].adds_branch and one.missing > 0  # a branch, but no group
    k = len(one.branches) - apart
    ways = stirling(n, k)
    return [call("S", Count(n), Count(k)), *([Count(ways)] if ways <= MOST_WAYS else [])]


def stirling(n: int, k: int) -> int:
    """The number of ways to make k groups of n things.

    >>> [stirling(4, k) for k in range(1, 5)]
    [1, 7, 6, 1]
    """
    row = [1]
    for _ in range(n):  # S(n, k) = k S(n - 1, k) + S(n - 1, k - 1)
        row = [0, *(row[j - 1] + (j * row[j] if j < len(row) else 0) for j in range(1, len(row) + 1))]
    return row[k]
