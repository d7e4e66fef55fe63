"""Column section: the arithmetic of one column, from the counts to the number that ranks it.

The section has the rows with a known value, the branches and their impurities, the weighted sum, gain, penalty, split
information and ratio, each written out with its fractions.
"""

from math import isfinite, log2

from treewright.criteria.impurities import entropy
from treewright.criteria.merits import twoing
from treewright.ledger.record import REJECTED, Branch, Candidate
from treewright.ledger.worked.cut_tables import cut_table, value_table
from treewright.ledger.worked.document import (
    Bars,
    Count,
    Expression,
    Formula,
    Fraction,
    Label,
    Part,
    Piece,
    Power,
    Section,
    Sentence,
    Symbol,
    Value,
    call,
    chain,
    cut_point,
    fraction,
    given,
    less,
    quantity,
    row,
    sentence,
    table,
    times,
    total,
)
from treewright.ledger.worked.impurity_formulas import drop_noise, entropy_sum
from treewright.ledger.worked.penalty_formulas import net_gain, penalty_parts
from treewright.ledger.worked.rendering import MAX_SENTENCE
from treewright.ledger.worked.sentences import more_branches
from treewright.ledger.worked.worksheet import Worksheet

MAX_BRANCHES = 20
"""Branches that a table lists."""

FEW_BRANCHES = 8
"""With more branches the impurity of each branch is not written out."""


def column_section(sheet: Worksheet, one: Candidate) -> Section:
    """The arithmetic of one column."""
    _, name = sheet.sentences, Label(one.name)
    heading = sentence(name)
    if one.kind == "number":
        heading = _("{name} (number)", name=name)
    elif one.kind == "ordered":
        heading = _("{name} (ordered)", name=name)
    parts: list[Part] = []
    if one.missing > 0:
        parts += _known(sheet, one)
    if not one.branches:
        return Section(heading, (*parts, _why_rejected(sheet, one)))
    if one.kind != "category":
        parts += cut_table(sheet, one)
    parts += [*_branches(sheet, one), *_gain(sheet, one), *_after_gain(sheet, one)]
    if one.kind == "category":
        parts += value_table(sheet, one)
    if one.verdict == REJECTED:
        parts.append(_why_rejected(sheet, one))
    return Section(heading, tuple(parts))


def _why_rejected(sheet: Worksheet, one: Candidate) -> Sentence:
    """Why the column has no candidate."""
    _ = sheet.sentences
    return _("This column has no candidate split: {reason}.", reason=Label(one.reason, MAX_SENTENCE))


def _known(sheet: Worksheet, one: Candidate) -> list[Part]:
    """The proportion of rows with a known value, and their impurity."""
    _, whole = sheet.sentences, one.known + one.missing
    weights = {"known": quantity(one.known), "total": quantity(whole)}
    parts: list[Part] = [_("Rows with a known value have weight {known} of {total}.", **weights)]
    if not sheet.leaves_out_missing(one) or one.known <= 0:
        if one.branches:
            parts.append(_("Rows with a missing value are in one of the branches, so all rows of D count."))
        return parts
    letters = Fraction(Bars(Symbol("D̃")), Bars(Symbol("D")))
    parts.append(Formula(chain(Symbol("ρ"), letters, fraction(one.known, whole), Value(one.rho))))
    if one.branches and not sheet.measure.for_numbers:
        stats = tuple(sum(column) for column in zip(*(branch.stats for branch in one.branches), strict=True))
        parts.append(Formula(sheet.measure.written(Symbol("D̃"), stats, one.before)))
    return parts


def _branches(sheet: Worksheet, one: Candidate) -> list[Part]:
    """The branches with their rows and their impurity, and the formula of each impurity."""
    _, measure = sheet.sentences, sheet.measure
    numbers = measure.for_numbers
    own = [measure.centre(_part(0)), measure.loss(_part(0))] if numbers else [measure.of(_part(0))]
    heads: list[Piece | Sentence] = [Symbol("v"), _("branch"), *sheet.class_heads(), Bars(_part(0)), *own]
    lines = []
    for i, branch in enumerate(one.branches[:MAX_BRANCHES], start=1):
        cells = [Value(branch.stats[1]), Value(branch.stats[2])] if numbers else [Value(branch.impurity)]
        counts = [] if numbers else sheet.class_cells(branch.stats)
        words = Label(branch.words)
        lines.append(row(str(i), words, *counts, quantity(branch.weight), *cells))
    n_more = len(one.branches) - len(lines)
    below = more_branches(n_more, _)
    parts: list[Part] = [table(heads, lines, n_labels=2, below=below)]
    if numbers or len(one.branches) > FEW_BRANCHES:
        return parts
    return [*parts, *(Formula(measure.written(_part(i), branch.stats, branch.impurity))
                      for i, branch in enumerate(one.branches, start=1))]  # fmt: skip


def _part(i: int) -> Symbol:
    """The rows of branch i: D^1; of any branch D^v."""
    return Symbol("D", above=Symbol("v") if i == 0 else Count(i))


def _gain(sheet: Worksheet, one: Candidate) -> list[Part]:
    """The decrease of impurity on the rows that are divided."""
    assert one.after is not None
    assert one.raw_gain is not None
    measure, rows = sheet.measure, sheet.rows_of(one)
    arguments = sheet.split_arguments(one)
    name, gain = call("Gain", *arguments), Value(drop_noise(one.raw_gain, one.before))
    if measure.record.measure is twoing:
        return [Formula(chain(name, *_twoing(one.branches), gain))]
    if measure.for_numbers:
        return _gain_of_numbers(sheet, one)
    whole = sum(branch.weight for branch in one.branches)
    terms = [times(fraction(branch.weight, whole), Value(branch.impurity)) for branch in one.branches]
    if measure.record.two_branches:
        return [Formula(chain(name, gain))]
    after: Expression = call(measure.name, *arguments)
    if measure.record.impurity is entropy:
        after = call("Ent", given(rows, Label(one.name)))
        if one.kind == "number" and one.threshold is not None:
            after = call("Ent", given(rows, Label(one.name)), cut_point(one.threshold))
    digits = less(Value(one.before), Value(one.after))
    return [
        Formula(chain(after, total(terms), Value(one.after))),
        Formula(chain(name, less(measure.of(rows), after), digits, gain)),
    ]


def _gain_of_numbers(sheet: Worksheet, one: Candidate) -> list[Part]:
    """The sum of the losses of the branches, and the decrease per row."""
    assert one.raw_gain is not None
    measure, rows = sheet.measure, sheet.rows_of(one)
    arguments = sheet.split_arguments(one)
    losses = [branch.stats[2] for branch in one.branches]
    weight = sum(branch.weight for branch in one.branches)
    loss, left = measure.loss(rows), measure.loss(*arguments)
    before = one.before * weight
    return [
        Formula(chain(left, total([Value(x) for x in losses]), Value(sum(losses)))),
        Formula(chain(
            call("Gain", *arguments), Fraction(less(loss, left), Bars(rows)),
            Fraction(less(Value(before), Value(sum(losses))), quantity(weight)),
            Value(drop_noise(one.raw_gain, one.before)),
        )),
    ]  # fmt: skip


def _twoing(branches: tuple[Branch, ...]) -> list[Expression]:
    """W1 W2 / (4 W^2) times the square of the summed differences of class proportions."""
    (low, first), (high, second) = ((b.stats, b.weight) for b in branches[:2])
    whole = first + second
    shares = Fraction(
        times(quantity(first), quantity(second)), times(Count(4), Power(quantity(whole), Count(2)))
    )
    terms = [
        Bars(less(fraction(a, first), fraction(b, second))) for a, b in zip(low, high, strict=True) if a or b
    ]
    apart = sum(abs(a / first - b / second) for a, b in zip(low, high, strict=True))
    return [times(shares, Power(total(terms), Count(2))), times(shares, Power(Value(apart), Count(2)))]


def _after_gain(sheet: Worksheet, one: Candidate) -> list[Part]:
    """The proportion of known rows, the penalty, split information and ratio."""
    assert one.raw_gain is not None
    assert one.gain is not None
    parts: list[Part] = []
    all_rows = sheet.split_arguments(one, Symbol("D"))
    gain = drop_noise(one.raw_gain, one.before)
    if sheet.leaves_out_missing(one):
        known = call("Gain", *sheet.split_arguments(one))
        digits = times(Value(one.rho), Value(gain))
        gain *= one.rho
        parts.append(Formula(chain(call("Gain", *all_rows), times(Symbol("ρ"), known), digits, Value(gain))))
    net: Expression = call("Gain", *all_rows)
    if one.penalty > 0:
        parts += penalty_parts(sheet, one, gain)
        net = net_gain(sheet, all_rows)
    if sheet.entry.ranked_by != "ratio" or one.verdict == REJECTED or one.split_info is None:
        return parts
    parts.append(Formula(chain(call("IV", Label(one.name)), *_split_info(sheet, one), Value(one.split_info))))
    if one.ratio is not None and isfinite(one.ratio):
        iv = call("IV", Label(one.name))
        digits_of = Fraction(Value(drop_noise(one.gain, one.before)), Value(one.split_info))
        ratio = Value(drop_noise(one.ratio, 1.0))
        parts.append(Formula(chain(call("GainRatio", *all_rows), Fraction(net, iv), digits_of, ratio)))
    return parts


def _split_info(sheet: Worksheet, one: Candidate) -> list[Expression]:
    """The entropy of the branch proportions, with missing values as one more branch where growth counts them so."""
    assert one.split_info is not None
    weights = [branch.weight for branch in one.branches]
    with_missing = [*weights, one.missing]
    if sheet.leaves_out_missing(one) and abs(_entropy(with_missing) - one.split_info) < abs(
        _entropy(weights) - one.split_info
    ):
        weights = with_missing
    return [entropy_sum(weights)]


def _entropy(weights: list[float]) -> float:
    whole = sum(weights)
    return -sum(w / whole * log2(w / whole) for w in weights if w > 0)
