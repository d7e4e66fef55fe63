"""Choice section: the table of all columns, the floor, ties and the margin of the winner.

A second section says where rows with a missing value go.
"""

from math import isfinite

from treewright.language import N_
from treewright.ledger.ledger import sort_candidates
from treewright.ledger.record import BELOW, CHOSEN, NAMING_FACTOR, RANKED, REJECTED, TIED, Candidate, floor_of
from treewright.ledger.worked.document import (
    Count,
    Formula,
    Fraction,
    Label,
    Part,
    Piece,
    Section,
    Sentence,
    Sum,
    Value,
    chain,
    fraction,
    log2,
    quantity,
    row,
    sentence,
    table,
    times,
    total,
)
from treewright.ledger.worked.impurity_formulas import drop_noise
from treewright.ledger.worked.rendering import DIGITS, format_figure
from treewright.ledger.worked.sentences import more_branches
from treewright.ledger.worked.worksheet import Worksheet
from treewright.model.strategies import STRATEGIES, TO_ALL

MAX_COLUMNS = 30
"""Columns that the table lists; of more the best."""

VERDICTS = {
    CHOSEN: N_("chosen"),
    TIED: N_("tied"),
    RANKED: N_("ranked lower"),
    BELOW: N_("below the average"),
    REJECTED: N_("no candidate"),
}


def choice_section(sheet: Worksheet) -> Section:
    """The table of all columns and the choice among them."""
    _, entry = sheet.sentences, sheet.entry
    parts: list[Part] = [*_columns(sheet), *_floor(sheet)]
    chosen = None if entry.chosen is None else entry.candidates[entry.chosen]
    if chosen is not None and entry.criterion == "gini":
        parts.append(
            _("The split with the lowest Gini index has the highest gain: Gini(D) minus that index.")
        )
    if chosen is not None:
        parts += _winner(sheet, chosen)
    return Section(_("The choice"), tuple(parts))


def _columns(sheet: Worksheet) -> list[Part]:
    _, entry = sheet.sentences, sheet.entry
    shown = list(entry.candidates)
    if len(shown) > MAX_COLUMNS:
        shown = sort_candidates(entry.candidates)[:MAX_COLUMNS]
    by_ratio = entry.ranked_by == "ratio"
    merits = [one.merit for one in entry.candidates if one.merit is not None]
    more = extra_digits(merits)
    heads: list[Piece | Sentence] = [_("column"), sheet.gain_head()]
    heads += [_("IV"), _("gain ratio")] if by_ratio else []
    heads += [] if sheet.classes is None else [_("Gini index")]
    lines = [row(*_line(sheet, one, more)) for one in shown]
    n_more = len(entry.candidates) - len(shown)
    below = [_.plural("… {n} more column", "… {n} more columns", n_more, n=str(n_more))] if n_more else []
    found = table([*heads, _("verdict")], lines, below=below, ends_in_labels=True)
    return [found]


def _line(sheet: Worksheet, one: Candidate, more: int) -> list[Piece | Sentence]:
    by_ratio = sheet.entry.ranked_by == "ratio"
    gain = None if one.gain is None else Value(drop_noise(one.gain, one.before), more=0 if by_ratio else more)
    cells: list[Piece | Sentence] = [Label(one.name), "–" if gain is None else gain]
    if by_ratio:
        # A column without a candidate has no ratio.
        info, ratio = (None, None) if one.verdict == REJECTED else (one.split_info, one.ratio)
        cells.append("–" if info is None else Value(info))
        cells.append(
            "–" if ratio is None or not isfinite(ratio) else Value(drop_noise(ratio, 1.0), more=more)
        )
    if sheet.classes is not None:
        cells.append("–" if one.gini_index is None else Value(one.gini_index))
    return [*cells, _verdict(sheet, one)]


def _verdict(sheet: Worksheet, one: Candidate) -> Sentence:
    _, entry = sheet.sentences, sheet.entry
    if one.verdict == BELOW and entry.naming is not None:
        return _("below the naming cost") if entry.average is None else _("below the floor")
    return _(VERDICTS[one.verdict])


def extra_digits(merits: list[float]) -> int:
    """The number of additional digits that distinguish different merits.

    >>> extra_digits([0.25, 0.5]), extra_digits([0.123456, 0.123461])
    (0, 2)
    """
    n_different = len({format(merit, ".10g") for merit in merits})
    for more in range(8):
        if len({format_figure(Value(merit, more=more), DIGITS).digits for merit in merits}) >= n_different:
            return more
    return 8


def _floor(sheet: Worksheet) -> list[Part]:
    """The gain that a column must reach to be ranked: the average, the naming cost, or a mix of both."""
    _, entry, naming = sheet.sentences, sheet.entry, sheet.entry.naming
    if naming is not None and naming.n_columns == 1:  # naming the only column costs nothing
        return []
    if naming is None:
        return (
            []
            if entry.average is None
            else [*_average(sheet, entry.average), _average_rule(sheet, entry.average)]
        )
    n = str(naming.n_columns)
    log = times(Count(NAMING_FACTOR), log2(Count(naming.n_columns)))
    name = _.label(N_("naming cost"))
    cost = Formula(chain(name, Fraction(log, quantity(round(naming.rows, 9))), Value(naming.cost)))
    if entry.average is None:
        rule = _(
            "Only columns with a gain of at least the cost of naming one of the {n} columns with a candidate "
            "split are ranked.",
            n=n,
        )
        return [cost, rule]
    part, floor = naming.average_part, floor_of(entry.average, naming)
    assert floor is not None
    terms = [times(Value(part), Value(entry.average)), times(Value(1.0 - part), Value(naming.cost))]
    both = Formula(chain(_.label(N_("floor")), total(terms), Value(floor)))
    rule = _(
        "On a table of this size the floor is a mix of the average gain and the cost of naming one of the {n} "
        "columns with a candidate split. Only columns with a gain of at least the floor are ranked.",
        n=n,
    )
    return [*_average(sheet, entry.average), cost, both, rule]


def _average(sheet: Worksheet, average: float) -> list[Part]:
    """The mean gain of the columns that have a candidate."""
    _, gains = sheet.sentences, _gains(sheet)
    name = _.label(N_("average gain"))
    if not _is_mean(gains, average):  # columns with very many values are left out of the average
        return [Formula(chain(name, Value(average)))]
    mean = Fraction(total([Value(drop_noise(gain, 1.0)) for gain in gains]), quantity(len(gains)))
    return [Formula(chain(name, mean, Value(average)))]


def _average_rule(sheet: Worksheet, average: float) -> Sentence:
    _ = sheet.sentences
    if _is_mean(_gains(sheet), average):
        return _("Only columns with a gain of at least the average are ranked by gain ratio.")
    return _(
        "Only columns with a gain of at least the average are ranked by gain ratio; columns with very many "
        "values are left out of the average."
    )


def _gains(sheet: Worksheet) -> list[float]:
    return [one.gain for one in sheet.entry.candidates if one.verdict != REJECTED and one.gain is not None]


def _is_mean(gains: list[float], average: float) -> bool:
    return bool(gains) and abs(sum(gains) / len(gains) - average) <= 1e-9 * max(abs(average), 1e-9)


def _winner(sheet: Worksheet, chosen: Candidate) -> list[Part]:
    """Why the chosen column won."""
    _, entry, name = sheet.sentences, sheet.entry, Label(chosen.name)
    by_ratio = entry.ranked_by == "ratio"
    tied = [one for one in entry.candidates if one.verdict == TIED]
    if tied:
        others = _.listed([sentence(Label(one.name)) for one in tied[:MAX_COLUMNS]])
        if by_ratio:
            return [
                _(
                    "{name} and {others} tie with the highest gain ratio; the first in the table is chosen: "
                    "{name}.",
                    name=name,
                    others=others,
                )
            ]
        return [
            _(
                "{name} and {others} tie with the highest gain; the first in the table is chosen: {name}.",
                name=name,
                others=others,
            )
        ]
    ranked = sort_candidates(entry.candidates)
    others_ranked = [one for one in ranked if one.merit is not None and one is not chosen]
    if entry.margin is None or chosen.merit is None or not others_ranked:
        return [_("{name} is the only candidate.", name=name)]
    second = others_ranked[0]
    more = extra_digits([chosen.merit, second.merit or 0.0])
    value = Value(chosen.merit, more=more)
    values: dict[str, Piece | Sentence] = {"name": name, "value": value, "second": Label(second.name)}
    margin = Value(entry.margin, more=more)
    if by_ratio:
        return [
            _(
                "{name} has the highest gain ratio, {value}: {margin} more than {second}.",
                margin=margin,
                **values,
            )
        ]
    return [_("{name} has the highest gain, {value}: {margin} more than {second}.", margin=margin, **values)]


def missing_section(sheet: Worksheet) -> Section | None:
    """Where rows go whose value of the split column is missing; None where there are none."""
    entry, _ = sheet.entry, sheet.sentences
    if entry.chosen is None or entry.leaf is not None:
        return None
    one = entry.candidates[entry.chosen]
    if one.missing <= 0 or not one.branches:
        return None
    strategy = STRATEGIES[sheet.plan.missing]
    parts: list[Part] = []
    if strategy.growth_text is not None:
        parts.append(_(strategy.growth_text, rows=sheet.row_count(one.missing), name=Label(one.name)))
    if strategy.goes == TO_ALL:
        parts += _fractions(sheet, one)
    return Section(_("Rows with a missing value"), tuple(parts))


def _fractions(sheet: Worksheet, one: Candidate) -> list[Part]:
    """The fraction that goes down each branch, and the weight of the branch with it."""
    _ = sheet.sentences
    lines = []
    for branch in one.branches[:MAX_COLUMNS]:
        fraction_of_branch = fraction(branch.weight, one.known)
        part = branch.weight / one.known
        weight = Sum(((1, quantity(branch.weight)), (1, times(quantity(one.missing), fraction_of_branch))))
        both = chain(weight, Value(branch.weight + one.missing * part))
        lines.append(row(Label(branch.words), chain(fraction_of_branch, Value(part)), both))
    n_more = len(one.branches) - len(lines)
    below = more_branches(n_more, _)
    heads = _("branch"), _("proportion"), _("weight of the branch")
    return [table(heads, lines, n_labels=3, below=below)]
