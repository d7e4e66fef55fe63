"""Cut table: the cuts of a number, and the values of a category one against the others.

In: a candidate and the rows of its node. Out: tables in which a student finds every cut that was compared.
"""

from math import isinf

from treewright.criteria.impurities import gini
from treewright.grow.plan import IN_TWO
from treewright.ledger.record import Candidate, Cut
from treewright.ledger.worked.close_up import gini_of
from treewright.ledger.worked.desk import Desk
from treewright.ledger.worked.document import Part, Piece, Sentence, row, sentence, table
from treewright.ledger.worked.expressions import Count, Symbol, Value, Words, call, chain, cut_point, quantity
from treewright.ledger.worked.impurity import settled

FEW_CLASSES = 3
"""So many classes are named above their counts."""


def cut_table(desk: Desk, one: Candidate) -> list[Part]:
    """The cuts of a number with what each of them gains; all where they are few, else the best."""
    say, measure = desk.say, desk.measure
    cuts = desk.view.cuts(one)
    if not cuts:
        return []
    ours = best_of(one, cuts)
    with_side = any(cut.missing is not None for cut in cuts)
    loss = measure.loss(desk.rows_of(one), Words(one.name), Symbol("t"))
    if measure.for_numbers:
        heads: list[Piece | Sentence] = [*_sides("n"), *_sides(measure.letter), loss, desk.gain_head()]
    else:
        heads = [*_sides("n"), *_class_heads(desk), desk.gain_head(), say("gini")]
    head = [say("cut"), *([say("missing.go")] if with_side else []), *heads, ""]
    lines = []
    for cut in cuts:
        said = say("best") if cut is ours else say("as.good") if cut.tied else ""
        side = [_side_words(desk, cut)] if with_side else []
        lines.append(row(_threshold(desk, one, cut), *side, *_cells(desk, one, cut), said))
    n_more = desk.view.n_cuts(one) - len(cuts)
    below = [say("more.cuts", n=str(n_more))] if n_more else []
    if one.missing > 0 and not with_side:
        below.append(say("cuts.known"))
    n_words = 2 if with_side else 1
    found = table(head, lines, n_words=n_words, below=below, ends_in_words=True)
    n_cuts = desk.view.n_cuts(one)
    key = "cuts.one" if n_cuts == 1 else "cuts"
    parts: list[Part] = [say(key, n=str(n_cuts), name=Words(one.name))]
    if desk.plan.threshold == "value" and one.kind == "number":
        parts.append(say("cuts.values"))
    return [*parts, found]


def best_of(one: Candidate, cuts: tuple[Cut, ...]) -> Cut | None:
    """The cut that the candidate is."""
    same = [cut for cut in cuts if cut.threshold == one.threshold]
    return max(same, key=lambda cut: cut.gain) if same else None


def _sides(letter: str) -> list[Piece | Sentence]:
    return [Symbol(letter, Count(1)), Symbol(letter, Count(2))]


def _class_heads(desk: Desk) -> list[Piece | Sentence]:
    """A column for the classes on each side, named where they are few."""
    if not desk.shows_classes:
        return []
    heads = desk.class_heads()
    if len(heads) > FEW_CLASSES:
        return [desk.say("side.low"), desk.say("side.high")]
    slashed: list[Piece] = []
    for i, name in enumerate(heads):
        slashed += ["/", name] if i else [name]
    return [sentence(side, *slashed) for side in ("≤ t: ", "> t: ")]


def _cells(desk: Desk, one: Candidate, cut: Cut) -> list[Piece | Sentence]:
    measure = desk.measure
    gain = Value(settled(cut.gain, one.before))
    if measure.for_numbers:
        sizes: list[Piece | Sentence] = [quantity(cut.low[0]), quantity(cut.high[0])]
        values = [Value(cut.low[1]), Value(cut.high[1])]
        return [*sizes, *values, Value(cut.low[2] + cut.high[2]), gain]
    cells: list[Piece | Sentence] = [quantity(sum(cut.low)), quantity(sum(cut.high))]
    if desk.shows_classes:
        cells += [_slashed(cut.low), _slashed(cut.high)]
    return [*cells, gain, Value(gini_of(cut.low, cut.high))]


def _slashed(stats: tuple[float, ...]) -> Sentence:
    """Class weights beside each other: 3/1."""
    pieces: list[Piece] = []
    for i, weight in enumerate(stats):
        pieces += ["/", quantity(weight)] if i else [quantity(weight)]
    return sentence(*pieces)


def _threshold(desk: Desk, one: Candidate, cut: Cut) -> Piece | Sentence:
    if isinf(cut.threshold):
        return desk.say("known.or.not")
    if one.kind == "ordered":
        column = desk.view.rows.prepared.dataset.schema.columns[one.column]
        return Words(f"<= {column.categories[int(cut.threshold)]}")
    return cut_point(cut.threshold)


def _side_words(desk: Desk, cut: Cut) -> Sentence:
    if cut.missing is None or isinf(cut.threshold):
        return sentence("")
    return desk.say("side.low.only" if cut.missing == 0 else "side.high.only")


def value_table(desk: Desk, one: Candidate) -> list[Part]:
    """Each value of a category against all others, as the textbooks compare them for CART."""
    say, measure = desk.say, desk.measure
    found = desk.view.each_against_others(one)
    if not found or desk.plan.grouping not in IN_TWO:
        return []
    rows, name = desk.rows_of(one), Words(one.name)
    of_value = rows, chain(name, Symbol("v"))
    first = call("Gini", *of_value)
    heads: list[Piece | Sentence] = [Symbol("v"), Symbol("n", Count(1)), Symbol("n", Count(2))]
    if measure.for_numbers:
        heads += [measure.loss(*of_value), desk.gain_head()]
    elif measure.record.impurity is not gini:
        heads += [desk.gain_head(), first]
    else:
        heads += [first, desk.gain_head()]
    lines = []
    for value in found:
        sizes = [value.own[0], value.others[0]] if measure.for_numbers else [sum(value.own), sum(value.others)]
        gain = Value(settled(value.gain, one.before))
        if measure.for_numbers:
            numbers = [Value(value.own[2] + value.others[2]), gain]
        else:
            index = Value(gini_of(value.own, value.others))
            numbers = [gain, index] if measure.record.impurity is not gini else [index, gain]
        lines.append(row(Words(value.words), *map(quantity, sizes), *numbers))
    return [say("each.against", name=name), table(heads, lines)]
