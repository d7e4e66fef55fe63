"""Cut tables: the cuts of a number, and each value of a category against the others, with their gains."""

from math import isinf

from treewright.criteria.impurities import gini
from treewright.grow.plan import TWO_WAY_GROUPINGS
from treewright.ledger.record import Candidate, Cut
from treewright.ledger.worked.document import (
    Count,
    Label,
    Part,
    Piece,
    Sentence,
    Symbol,
    Value,
    call,
    chain,
    cut_point,
    quantity,
    row,
    sentence,
    table,
)
from treewright.ledger.worked.impurity_formulas import drop_noise
from treewright.ledger.worked.worksheet import Worksheet, gini_of

FEW_CLASSES = 3
"""At most this many classes are named above their counts."""


def cut_table(sheet: Worksheet, one: Candidate) -> list[Part]:
    """The cuts of a number with their gains: all where they are few, otherwise the best ones."""
    _, measure = sheet.sentences, sheet.measure
    cuts = sheet.details.cuts(one)
    if not cuts:
        return []
    ours = best_of(one, cuts)
    with_side = any(cut.missing is not None for cut in cuts)
    loss = measure.loss(sheet.rows_of(one), Label(one.name), Symbol("t"))
    if measure.for_numbers:
        heads: list[Piece | Sentence] = [*_sides("n"), *_sides(measure.letter), loss, sheet.gain_head()]
    else:
        heads = [*_sides("n"), *_class_heads(sheet), sheet.gain_head(), _("Gini index")]
    head = [_("cut t"), *([_("missing")] if with_side else []), *heads, ""]
    lines = []
    for cut in cuts:
        verdict = _("best") if cut is ours else _("tied") if cut.tied else ""
        side = [_missing_side(cut)] if with_side else []
        lines.append(row(_threshold(sheet, one, cut), *side, *_cells(sheet, one, cut), verdict))
    n_more = sheet.details.n_cuts(one) - len(cuts)
    below: list[Sentence] = []
    if n_more:
        below.append(
            _.plural(
                "… {n} more cut with a lower or equal gain",
                "… {n} more cuts with a lower or equal gain",
                n_more,
                n=str(n_more),
            )
        )
    if one.missing > 0 and not with_side:
        below.append(
            _(
                "gain: among the rows with a known value, before ρ, the branch of missing values and the "
                "penalty"
            )
        )
    found = table(head, lines, n_labels=2 if with_side else 1, below=below, ends_in_labels=True)
    n_cuts = sheet.details.n_cuts(one)
    parts: list[Part] = [
        _.plural(
            "{name} has {n} admissible cut.",
            "{name} has {n} admissible cuts.",
            n_cuts,
            n=str(n_cuts),
            name=Label(one.name),
        )
    ]
    if sheet.plan.threshold == "value" and one.kind == "number":
        parts.append(
            _(
                "As in C4.5, t is the largest value of the whole table that is not above the midpoint of "
                "two values."
            )
        )
    return [*parts, found]


def best_of(one: Candidate, cuts: tuple[Cut, ...]) -> Cut | None:
    """The cut that the candidate is."""
    same = [cut for cut in cuts if cut.threshold == one.threshold]
    return max(same, key=lambda cut: cut.gain) if same else None


def _sides(letter: str) -> list[Piece | Sentence]:
    return [Symbol(letter, Count(1)), Symbol(letter, Count(2))]


def _class_heads(sheet: Worksheet) -> list[Piece | Sentence]:
    """A column for the classes on each side, named where they are few."""
    if not sheet.shows_classes:
        return []
    heads = sheet.class_heads()
    if len(heads) > FEW_CLASSES:
        _ = sheet.sentences
        return [_("classes ≤ t"), _("classes > t")]
    slashed: list[Piece] = []
    for i, name in enumerate(heads):
        slashed += ["/", name] if i else [name]
    return [sentence(side, *slashed) for side in ("≤ t: ", "> t: ")]


def _cells(sheet: Worksheet, one: Candidate, cut: Cut) -> list[Piece | Sentence]:
    measure = sheet.measure
    gain = Value(drop_noise(cut.gain, one.before))
    if measure.for_numbers:
        sizes: list[Piece | Sentence] = [quantity(cut.low[0]), quantity(cut.high[0])]
        values = [Value(cut.low[1]), Value(cut.high[1])]
        return [*sizes, *values, Value(cut.low[2] + cut.high[2]), gain]
    cells: list[Piece | Sentence] = [quantity(sum(cut.low)), quantity(sum(cut.high))]
    if sheet.shows_classes:
        cells += [_slashed(cut.low), _slashed(cut.high)]
    return [*cells, gain, Value(gini_of(cut.low, cut.high))]


def _slashed(stats: tuple[float, ...]) -> Sentence:
    """Class weights beside each other: 3/1."""
    pieces: list[Piece] = []
    for i, weight in enumerate(stats):
        pieces += ["/", quantity(weight)] if i else [quantity(weight)]
    return sentence(*pieces)


def _threshold(sheet: Worksheet, one: Candidate, cut: Cut) -> Piece | Sentence:
    if isinf(cut.threshold):
        _ = sheet.sentences
        return _("known or missing")
    if one.kind == "ordered":
        column = sheet.details.rows.prepared.dataset.schema.columns[one.column]
        return Label(f"<= {column.categories[int(cut.threshold)]}")
    return cut_point(cut.threshold)


def _missing_side(cut: Cut) -> Sentence:
    """The side that missing values go to."""
    if cut.missing is None or isinf(cut.threshold):
        return sentence("")
    return sentence("≤ t" if cut.missing == 0 else "> t")


def value_table(sheet: Worksheet, one: Candidate) -> list[Part]:
    """Each value of a category against all others, as textbooks compare them for CART."""
    _, measure = sheet.sentences, sheet.measure
    found = sheet.details.each_against_others(one)
    if not found or sheet.plan.grouping not in TWO_WAY_GROUPINGS:
        return []
    rows, name = sheet.rows_of(one), Label(one.name)
    of_value = rows, chain(name, Symbol("v"))
    first = call("Gini", *of_value)
    heads: list[Piece | Sentence] = [Symbol("v"), Symbol("n", Count(1)), Symbol("n", Count(2))]
    if measure.for_numbers:
        heads += [measure.loss(*of_value), sheet.gain_head()]
    elif measure.record.impurity is not gini:
        heads += [sheet.gain_head(), first]
    else:
        heads += [first, sheet.gain_head()]
    lines = []
    for value in found:
        sizes = (
            [value.own[0], value.others[0]] if measure.for_numbers else [sum(value.own), sum(value.others)]
        )
        gain = Value(drop_noise(value.gain, one.before))
        if measure.for_numbers:
            numbers = [Value(value.own[2] + value.others[2]), gain]
        else:
            index = Value(gini_of(value.own, value.others))
            numbers = [gain, index] if measure.record.impurity is not gini else [index, gain]
        lines.append(row(Label(value.words), *map(quantity, sizes), *numbers))
    return [_("Each value v of {name} against all others:", name=name), table(heads, lines)]
