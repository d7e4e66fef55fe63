"""Column: the arithmetic of one column's candidate, from the counts to the number it was ranked by.

In: a candidate of the ledger. Out: a section: what is known, the branches, their impurities, the weighted sum, gain,
charge, split information and ratio, each with its fractions.
"""

from math import isfinite, log2

from treewright.criteria.impurities import entropy
from treewright.criteria.merits import twoing
from treewright.ledger.order import why_barred
from treewright.ledger.record import REJECTED, Branch, Candidate
from treewright.ledger.worked.charged import charge_parts, net_gain
from treewright.ledger.worked.cut_table import cut_table, value_table
from treewright.ledger.worked.desk import Desk
from treewright.ledger.worked.document import Formula, Part, Piece, Section, Sentence, row, table
from treewright.ledger.worked.expressions import (
    Bars,
    Count,
    Expression,
    Fraction,
    Power,
    Symbol,
    Value,
    Words,
    call,
    chain,
    cut_point,
    fraction,
    given,
    less,
    quantity,
    times,
    total,
)
from treewright.ledger.worked.impurity import entropy_sum, settled
from treewright.ledger.worked.shapes import REASON

N_BRANCHES = 20
"""Branches that a table lists."""

N_WRITTEN = 8
"""A candidate with no more branches than this has the impurity of each of them written out."""


def column_section(desk: Desk, one: Candidate) -> Section:
    """The arithmetic of one column."""
    heading = desk.say(f"kind.{one.kind}", name=Words(one.name))
    parts: list[Part] = []
    if one.missing > 0:
        parts += _known(desk, one)
    if not one.branches:
        return Section(heading, (*parts, rejected(desk, one)))
    if one.kind != "category":
        parts += cut_table(desk, one)
    parts += [*_branches(desk, one), *_gain(desk, one), *_after_gain(desk, one)]
    if one.kind == "category":
        parts += value_table(desk, one)
    if one.verdict == REJECTED:
        parts.append(rejected(desk, one))
    return Section(heading, tuple(parts))


def rejected(desk: Desk, one: Candidate) -> Sentence:
    """Why the column has no candidate."""
    say = desk.say
    if say.language == "en":
        return say("no.candidate", reason=Words(one.reason, REASON))
    found = desk.view.seen.candidates[one.column]
    if why_barred(desk.view.rows, found, one) is not None:
        return say("no.candidate.order")
    if found.has_split and not found.ok:
        nothing = "no.candidate.nothing" if one.n_cuts else "no.candidate.groups"
        return say("no.candidate.charge" if one.charge > 0 else nothing)
    if one.split_info is not None:
        return say("no.candidate.info")
    if found.n_values == 1:
        return say("no.candidate.single")
    keys = {0: "no.candidate.unknown", 1: "no.candidate.one"}
    return say(keys.get(desk.view.n_values(one), "no.candidate.small"))


def _known(desk: Desk, one: Candidate) -> list[Part]:
    """The share of rows with a known value, and how mixed these are."""
    say, whole = desk.say, one.known + one.missing
    parts: list[Part] = [say("known", known=quantity(one.known), total=quantity(whole))]
    if not desk.is_apart(one) or one.known <= 0:
        return [*parts, say("all.in.branches")] if one.branches else parts
    letters = Fraction(Bars(Symbol("D̃")), Bars(Symbol("D")))
    parts.append(Formula(chain(Symbol("ρ"), letters, fraction(one.known, whole), Value(one.rho))))
    if one.branches and not desk.measure.for_numbers:
        stats = tuple(sum(column) for column in zip(*(branch.stats for branch in one.branches), strict=True))
        parts.append(Formula(desk.measure.written(Symbol("D̃"), stats, one.before)))
    return parts


def _branches(desk: Desk, one: Candidate) -> list[Part]:
    """The branches with their rows and their impurity, and how that is worked out."""
    say, measure = desk.say, desk.measure
    numbers = measure.for_numbers
    own = [measure.centre(_part(0)), measure.loss(_part(0))] if numbers else [measure.of(_part(0))]
    heads: list[Piece | Sentence] = [Symbol("v"), say("branch"), *desk.class_heads(), Bars(_part(0)), *own]
    lines = []
    for i, branch in enumerate(one.branches[:N_BRANCHES], start=1):
        cells = [Value(branch.stats[1]), Value(branch.stats[2])] if numbers else [Value(branch.impurity)]
        counts = [] if numbers else desk.class_cells(branch.stats)
        words = desk.branch_words(one, branch.words)
        lines.append(row(str(i), words, *counts, quantity(branch.weight), *cells))
    n_more = len(one.branches) - len(lines)
    below = [say("more.branches", n=str(n_more))] if n_more else []
    parts: list[Part] = [table(heads, lines, n_words=2, below=below)]
    if numbers or len(one.branches) > N_WRITTEN:
        return parts
    return [*parts, *(Formula(measure.written(_part(i), branch.stats, branch.impurity))
                      for i, branch in enumerate(one.branches, start=1))]  # fmt: skip


def _part(i: int) -> Symbol:
    """The rows of branch i: D^1; of any branch D^v."""
    return Symbol("D", above=Symbol("v") if i == 0 else Count(i))


def _gain(desk: Desk, one: Candidate) -> list[Part]:
    """What the split takes off the impurity of the rows it divides."""
    assert one.after is not None
    assert one.raw_gain is not None
    measure, rows = desk.measure, desk.rows_of(one)
    arguments = desk.split_arguments(one)
    name, gain = call("Gain", *arguments), Value(settled(one.raw_gain, one.before))
    if measure.record.measure is twoing:
        return [Formula(chain(name, *_twoing(one.branches), gain))]
    if measure.for_numbers:
        return _gain_of_numbers(desk, one)
    whole = sum(branch.weight for branch in one.branches)
    terms = [times(fraction(branch.weight, whole), Value(branch.impurity)) for branch in one.branches]
    if measure.record.two_branches:
        return [Formula(chain(name, gain))]
    after: Expression = call(measure.name, *arguments)
    if measure.record.impurity is entropy:
        after = call("Ent", given(rows, Words(one.name)))
        if one.kind == "number" and one.threshold is not None:
            after = call("Ent", given(rows, Words(one.name)), cut_point(one.threshold))
    digits = less(Value(one.before), Value(one.after))
    return [
        Formula(chain(after, total(terms), Value(one.after))),
        Formula(chain(name, less(measure.of(rows), after), digits, gain)),
    ]


def _gain_of_numbers(desk: Desk, one: Candidate) -> list[Part]:
    """The losses of the branches together, and what is saved for each row."""
    assert one.raw_gain is not None
    measure, rows = desk.measure, desk.rows_of(one)
    arguments = desk.split_arguments(one)
    losses = [branch.stats[2] for branch in one.branches]
    weight = sum(branch.weight for branch in one.branches)
    loss, left = measure.loss(rows), measure.loss(*arguments)
    before = one.before * weight
    return [
        Formula(chain(left, total([Value(x) for x in losses]), Value(sum(losses)))),
        Formula(chain(
            call("Gain", *arguments), Fraction(less(loss, left), Bars(rows)),
            Fraction(less(Value(before), Value(sum(losses))), quantity(weight)),
            Value(settled(one.raw_gain, one.before)),
        )),
    ]  # fmt: skip


def _twoing(branches: tuple[Branch, ...]) -> list[Expression]:
    """W1 W2 / (4 W^2) times the square of the sum of the differences of class shares."""
    (low, first), (high, second) = ((b.stats, b.weight) for b in branches[:2])
    whole = first + second
    shares = Fraction(times(quantity(first), quantity(second)), times(Count(4), Power(quantity(whole), Count(2))))
    terms = [
        Bars(less(fraction(a, first), fraction(b, second))) for a, b in zip(low, high, strict=True) if a or b
    ]
    apart = sum(abs(a / first - b / second) for a, b in zip(low, high, strict=True))
    return [times(shares, Power(total(terms), Count(2))), times(shares, Power(Value(apart), Count(2)))]


def _after_gain(desk: Desk, one: Candidate) -> list[Part]:
    """The share of known rows, the charge, split information and ratio."""
    assert one.raw_gain is not None
    assert one.gain is not None
    parts: list[Part] = []
    all_rows = desk.split_arguments(one, Symbol("D"))
    gain = settled(one.raw_gain, one.before)
    if desk.is_apart(one):
        known = call("Gain", *desk.split_arguments(one))
        digits = times(Value(one.rho), Value(gain))
        gain *= one.rho
        parts.append(Formula(chain(call("Gain", *all_rows), times(Symbol("ρ"), known), digits, Value(gain))))
    net: Expression = call("Gain", *all_rows)
    if one.charge > 0:
        parts += charge_parts(desk, one, gain)
        net = net_gain(desk, all_rows)
    if desk.entry.ranked_by != "ratio" or one.verdict == REJECTED or one.split_info is None:
        return parts
    parts.append(Formula(chain(call("IV", Words(one.name)), *_split_info(desk, one), Value(one.split_info))))
    if one.ratio is not None and isfinite(one.ratio):
        iv = call("IV", Words(one.name))
        digits_of = Fraction(Value(settled(one.gain, one.before)), Value(one.split_info))
        ratio = Value(settled(one.ratio, 1.0))
        parts.append(Formula(chain(call("GainRatio", *all_rows), Fraction(net, iv), digits_of, ratio)))
    return parts


def _split_info(desk: Desk, one: Candidate) -> list[Expression]:
    """The entropy of the branches' shares, the rows with a missing value as one more branch where that is counted."""
    assert one.split_info is not None
    weights = [branch.weight for branch in one.branches]
    with_missing = [*weights, one.missing]
    if desk.is_apart(one) and abs(_entropy(with_missing) - one.split_info) < abs(_entropy(weights) - one.split_info):
        weights = with_missing
    return [entropy_sum(weights)]


def _entropy(weights: list[float]) -> float:
    whole = sum(weights)
    return -sum(w / whole * log2(w / whole) for w in weights if w > 0)
