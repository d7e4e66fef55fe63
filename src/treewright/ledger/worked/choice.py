"""Choice: the candidates of a node beside each other, and which of them won.

In: the entry of a ledger. Out: a section with the table of all columns, the floor that had to be reached, ties and
the lead of the winner; and where rows with a missing value go.
"""

from math import isfinite

from treewright.ledger.record import BELOW, CHOSEN, RANKED, REJECTED, SURE, TIED, Candidate, floor_of
from treewright.ledger.worked.desk import Desk
from treewright.ledger.worked.document import Formula, Part, Piece, Section, Sentence, row, sentence, table
from treewright.ledger.worked.expressions import (
    Count,
    Fraction,
    Sum,
    Value,
    Words,
    chain,
    fraction,
    log2,
    quantity,
    times,
    total,
)
from treewright.ledger.worked.figures import DIGITS, figure
from treewright.ledger.worked.impurity import settled
from treewright.model.strategies import SHARES, STRATEGIES

N_COLUMNS = 30
"""Columns that the table lists, the best of them."""

ORDER = {CHOSEN: 0, TIED: 1, RANKED: 2, BELOW: 3, REJECTED: 4}
"""How the columns stand in the table where not all of them do."""


def choice_section(desk: Desk) -> Section:
    """The columns beside each other and the choice among them."""
    say, entry = desk.say, desk.entry
    parts: list[Part] = [*_columns(desk), *_floor(desk)]
    chosen = None if entry.chosen is None else entry.candidates[entry.chosen]
    if chosen is not None and entry.criterion == "gini":
        parts.append(say("gini.rule"))
    if chosen is not None:
        parts += _winner(desk, chosen)
    return Section(say("choice"), tuple(parts))


def in_order(candidates: tuple[Candidate, ...]) -> list[Candidate]:
    """The columns, the best first."""
    def key(one: Candidate) -> tuple[int, float, int]:
        merit = one.merit if one.merit is not None else one.gain
        return ORDER[one.verdict], -(merit if merit is not None else float("-inf")), one.column

    return sorted(candidates, key=key)


def _columns(desk: Desk) -> list[Part]:
    say, entry = desk.say, desk.entry
    shown = list(entry.candidates)
    if len(shown) > N_COLUMNS:
        shown = in_order(entry.candidates)[:N_COLUMNS]
    by_ratio = entry.ranked_by == "ratio"
    merits = [one.merit for one in entry.candidates if one.merit is not None]
    more = extra_digits(merits)
    heads: list[Piece | Sentence] = [say("column"), desk.gain_head()]
    heads += [say("split.info"), say("ratio")] if by_ratio else []
    heads += [] if desk.classes is None else [say("gini")]
    lines = [row(*_line(desk, one, more)) for one in shown]
    n_more = len(entry.candidates) - len(shown)
    below = [say("more.columns", n=str(n_more))] if n_more else []
    found = table([*heads, say("verdict")], lines, below=below, ends_in_words=True)
    return [found]


def _line(desk: Desk, one: Candidate, more: int) -> list[Piece | Sentence]:
    by_ratio = desk.entry.ranked_by == "ratio"
    gain = None if one.gain is None else Value(settled(one.gain, one.before), more=0 if by_ratio else more)
    cells: list[Piece | Sentence] = [Words(one.name), "–" if gain is None else gain]
    if by_ratio:
        # A column that offers no split has no ratio to be ranked by.
        info, ratio = (None, None) if one.verdict == REJECTED else (one.split_info, one.ratio)
        cells.append("–" if info is None else Value(info))
        cells.append("–" if ratio is None or not isfinite(ratio) else Value(settled(ratio, 1.0), more=more))
    if desk.classes is not None:
        cells.append("–" if one.gini_index is None else Value(one.gini_index))
    return [*cells, verdict_words(desk, one)]


def verdict_words(desk: Desk, one: Candidate) -> Sentence:
    """What became of a column."""
    if one.verdict == BELOW and desk.entry.naming is not None:
        return desk.say("verdict.below.naming" if desk.entry.average is None else "verdict.below.both")
    return desk.say(f"verdict.{one.verdict}")


def extra_digits(merits: list[float]) -> int:
    """How many digits more than usual tell different merits apart.

    >>> extra_digits([0.25, 0.5]), extra_digits([0.123456, 0.123461])
    (0, 2)
    """
    told = len({format(merit, ".10g") for merit in merits})
    for more in range(8):
        if len({figure(Value(merit, more=more), DIGITS).digits for merit in merits}) >= told:
            return more
    return 8


def _floor(desk: Desk) -> list[Part]:
    """What a column has to gain to be ranked: the average, the price of a name, or a part of each."""
    say, entry, naming = desk.say, desk.entry, desk.entry.naming
    if naming is not None and naming.n_columns == 1:  # nothing else that it has to be named among
        return []
    if naming is None:
        return [] if entry.average is None else [*_average(desk, entry.average), _average_rule(desk, entry.average)]
    n = str(naming.n_columns)
    log = times(Count(SURE), log2(Count(naming.n_columns)))
    name = Words(say.word("naming"))
    price = Formula(chain(name, Fraction(log, quantity(round(naming.rows, 9))), Value(naming.price)))
    if entry.average is None:
        return [price, say("naming.rule", n=n)]
    part, floor = naming.average_part, floor_of(entry.average, naming)
    assert floor is not None
    terms = [times(Value(part), Value(entry.average)), times(Value(1.0 - part), Value(naming.price))]
    both = Formula(chain(Words(say.word("floor")), total(terms), Value(floor)))
    return [*_average(desk, entry.average), price, both, say("floor.rule", n=n)]


def _average(desk: Desk, average: float) -> list[Part]:
    """The mean gain of the columns that have a candidate."""
    name, gains = Words(desk.say.word("average")), _gains(desk)
    if not _is_mean(gains, average):  # columns with very many values are left out of the mean
        return [Formula(chain(name, Value(average)))]
    mean = Fraction(total([Value(settled(gain, 1.0)) for gain in gains]), quantity(len(gains)))
    return [Formula(chain(name, mean, Value(average)))]


def _average_rule(desk: Desk, average: float) -> Sentence:
    return desk.say("average.rule" if _is_mean(_gains(desk), average) else "average.wide")


def _gains(desk: Desk) -> list[float]:
    return [one.gain for one in desk.entry.candidates if one.verdict != REJECTED and one.gain is not None]


def _is_mean(gains: list[float], average: float) -> bool:
    return bool(gains) and abs(sum(gains) / len(gains) - average) <= 1e-9 * max(abs(average), 1e-9)


def _winner(desk: Desk, chosen: Candidate) -> list[Part]:
    say, entry = desk.say, desk.entry
    merit = sentence(say.word("ratio.name" if entry.ranked_by == "ratio" else "gain.name"))
    tied = [one for one in entry.candidates if one.verdict == TIED]
    name = Words(chosen.name)
    if tied:
        others = say.listed([sentence(Words(one.name)) for one in tied[:N_COLUMNS]])
        return [say("tie", name=name, others=others, merit=merit)]
    if entry.margin is None or chosen.merit is None:
        return [say("only", name=name)]
    best = [one for one in in_order(entry.candidates) if one.merit is not None and one is not chosen]
    if not best:
        return [say("only", name=name)]
    more = extra_digits([chosen.merit, best[0].merit or 0.0])
    return [
        say("wins", name=name, merit=merit, value=Value(chosen.merit, more=more), second=Words(best[0].name),
            margin=Value(entry.margin, more=more))
    ]  # fmt: skip


def missing_section(desk: Desk) -> Section | None:
    """Where the rows go that miss the value the node asks for; None where there are none."""
    entry, say = desk.entry, desk.say
    if entry.chosen is None or entry.leaf is not None:
        return None
    one = entry.candidates[entry.chosen]
    if one.missing <= 0 or not one.branches:
        return None
    strategy = desk.plan.missing
    parts: list[Part] = [say(f"missing.{strategy}", rows=desk.rows_said(one.missing), name=Words(one.name))]
    if STRATEGIES[strategy].goes == SHARES:
        parts += _shares(desk, one)
    return Section(say("missing.rows"), tuple(parts))


def _shares(desk: Desk, one: Candidate) -> list[Part]:
    """The share that goes down each branch, and what the branch weighs then."""
    say = desk.say
    lines = []
    for branch in one.branches[:N_COLUMNS]:
        share = fraction(branch.weight, one.known)
        part = branch.weight / one.known
        weight = Sum(((1, quantity(branch.weight)), (1, times(quantity(one.missing), share))))
        both = chain(weight, Value(branch.weight + one.missing * part))
        lines.append(row(desk.branch_words(one, branch.words), chain(share, Value(part)), both))
    n_more = len(one.branches) - len(lines)
    below = [say("more.branches", n=str(n_more))] if n_more else []
    heads = say("branch"), say("share"), say("weight.then")
    return [table(heads, lines, n_words=3, below=below)]
