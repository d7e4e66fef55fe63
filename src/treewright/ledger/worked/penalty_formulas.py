"""Penalty formulas: the penalty of a split for its description, and the gain that remains.

The penalty is log2 of the number of choices: the cuts of a number, or the groupings of the values of a category, which
are 2^(n - 1) - 1 for two groups and S(n, k), Stirling's number of the second kind, for k groups. Under the
description-length floor one bit, or a part of it, distinguishes a split from a leaf. In regression this bit is always
added, and half a bit for each doubling of the rows for the prediction of one more leaf; the penalty is then the part of
the loss that corresponds to the bits.
"""

from math import log2 as log_of

from treewright.grow.plan import TWO_WAY_GROUPINGS
from treewright.language import N_
from treewright.ledger.candidate_numbers import (
    BITS_PER_DOUBLING,
    MAX_BITS,
    effective_rows,
    prediction_bits,
    split_bit,
)
from treewright.ledger.node_statistics import NodeStatistics
from treewright.ledger.record import Candidate
from treewright.ledger.worked.document import (
    Call,
    Count,
    Expression,
    Formula,
    Fraction,
    Part,
    Power,
    Sentence,
    Symbol,
    Value,
    call,
    chain,
    less,
    log2,
    quantity,
    times,
    total,
)
from treewright.ledger.worked.worksheet import Worksheet
from treewright.model.strategies import STRATEGIES

MAX_CHOICES = 10**9
"""A number of choices up to this is written out."""


def penalty_parts(sheet: Worksheet, one: Candidate, gain: float) -> list[Part]:
    """The penalty and the gain that remains."""
    assert one.gain is not None
    _, rows = sheet.sentences, sheet.details.rows
    parts, weight = _penalty_reasons(sheet, one), quantity(round(effective_rows(rows), 9))
    fixed = _fixed_bits(rows, weight)
    logs = [log2(ways) for ways in _n_choices(sheet, one)]
    tops = [total([*fixed, log]) for log in logs] or [total(fixed)]
    prices: list[Expression] = [Fraction(top, weight) for top in tops]
    name = _.label(N_("penalty"))
    if sheet.measure.for_numbers:
        parts += _loss_penalty(sheet, one, gain, prices)
    else:
        parts.append(Formula(chain(name, *prices, Value(one.penalty))))
    arguments = sheet.split_arguments(one, Symbol("D"))
    left = chain(net_gain(sheet, arguments), less(Value(gain), Value(one.penalty)), Value(one.gain))
    return [*parts, Formula(left)]


def _penalty_reasons(sheet: Worksheet, one: Candidate) -> list[Part]:
    """What the penalty is for."""
    _, bit = sheet.sentences, split_bit(sheet.details.rows)
    parts: list[Part] = []
    if bit > 0.0:
        parts.append(_("Bits that distinguish a split from a leaf: {bits}.", bits=quantity(bit)))
    if prediction_bits(sheet.details.rows) > 0.0:
        parts.append(
            _("One more leaf has one more prediction to describe: half a bit for each doubling of the rows.")
        )
    if one.n_values and sheet.details.n_values(one) != one.n_values:
        parts.append(
            _(
                "{n} values are grouped: those that occur in a single row count as one, and missing values "
                "count as one where they join a group.",
                n=str(one.n_values),
            )
        )
    if one.n_values:
        parts.append(
            _(
                "Values that can be grouped in many ways are more likely to gain by chance, so log₂ of the "
                "number of groupings, in bits per row, is subtracted from the gain:"
            )
        )
    elif one.n_cuts > 1:
        parts.append(
            _(
                "A column with many cuts is more likely to gain by chance, so log₂ of their number, in bits per "
                "row, is subtracted from the gain:"
            )
        )
    return parts


def _bits(sheet: Worksheet, one: Candidate) -> float:
    """The bits of the penalty, before they are divided by the rows."""
    rows = sheet.details.rows
    fixed = split_bit(rows) + prediction_bits(rows)
    if not one.n_values:
        return fixed + (log_of(one.n_cuts) if one.n_cuts > 1 else 0.0)
    # In regression there are always two groups.
    return fixed + log_of(2 ** (one.n_values - 1) - 1)


def _fixed_bits(rows: NodeStatistics, weight: Expression) -> list[Expression]:
    """The bits of any split, whatever the number of choices."""
    bit = split_bit(rows)
    fixed: list[Expression] = [quantity(bit)] if bit > 0.0 else []
    return [*fixed, times(Count(BITS_PER_DOUBLING), log2(weight))] if prediction_bits(rows) > 0.0 else fixed


def _loss_penalty(sheet: Worksheet, one: Candidate, gain: float, prices: list[Expression]) -> list[Part]:
    """Regression: the bits, and the part of the loss that corresponds to them."""
    _ = sheet.sentences
    left = sheet.entry.impurity - gain  # the loss per row that the split leaves
    base = 2 if sheet.measure.record.by_median else 4
    bits = _bits(sheet, one) / effective_rows(sheet.details.rows)
    loss_part = times(
        Value(left), less(Power(Count(base), Value(min(bits, MAX_BITS / log_of(base)))), Count(1))
    )
    return [
        Formula(chain(_.label(N_("bits")), *prices, Value(bits))),
        _loss_sentence(sheet),
        Formula(chain(_.label(N_("penalty")), loss_part, Value(one.penalty))),
    ]


def _loss_sentence(sheet: Worksheet) -> Sentence:
    """How bits become a part of the loss."""
    _ = sheet.sentences
    if sheet.measure.record.by_median:
        return _(
            "Describing numbers takes log₂ of their mean deviation plus a constant, so b bits per row "
            "correspond to 2ᵇ − 1 times the absolute error per row that the split leaves:"
        )
    return _(
        "Describing numbers takes log₂ of their standard deviation plus a constant, so b bits per row "
        "correspond to 4ᵇ − 1 times the squared error per row that the split leaves:"
    )


def net_gain(sheet: Worksheet, arguments: tuple[Expression, ...]) -> Expression:
    """The symbol of the gain after the penalty."""
    _ = sheet.sentences
    return Call(Symbol("Gain", _.label(N_("net"))), arguments)


def _n_choices(sheet: Worksheet, one: Candidate) -> list[Expression]:
    """The number of choices as a formula, and as a number where it is not too large."""
    n = one.n_values
    if not n:
        return [Count(one.n_cuts)] if one.n_cuts > 1 else []
    if sheet.plan.grouping in TWO_WAY_GROUPINGS:
        return [less(Power(Count(2), Count(n - 1)), Count(1))]
    apart = STRATEGIES[sheet.plan.missing].adds_branch and one.missing > 0  # a branch, but not a group
    k = len(one.branches) - apart
    ways = stirling(n, k)
    return [call("S", Count(n), Count(k)), *([Count(ways)] if ways <= MAX_CHOICES else [])]


def stirling(n: int, k: int) -> int:
    """Stirling's number of the second kind: the number of ways to form k groups of n things.

    >>> [stirling(4, k) for k in range(1, 5)]
    [1, 7, 6, 1]
    """
    row = [1]
    for _ in range(n):  # S(n, k) = k S(n - 1, k) + S(n - 1, k - 1)
        row = [0, *(row[j - 1] + (j * row[j] if j < len(row) else 0) for j in range(1, len(row) + 1))]
    return row[k]
