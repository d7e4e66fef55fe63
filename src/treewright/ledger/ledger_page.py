"""Ledger page: the candidates of a node as text, HTML and a data frame.

In: a `Ledger`. Out: a sentence about the node, a table of its candidates, the best first, and lists of runner-up cuts
and of rejected columns. Names and categories come from the user's table and are shown as text, whatever they hold.
"""

from math import isinf
from typing import TYPE_CHECKING, Any

from treewright.criteria.registry import CRITERIA
from treewright.explain.lines import WIDTH, folded, shortened, wrapped
from treewright.ledger.record import BELOW, CHOSEN, RANKED, REJECTED, TIED, Candidate, Cut, Entry
from treewright.ledger.words import below_words, digits, floor_words
from treewright.model.grid import Grid, counted, element, new_frame
from treewright.model.words import SHOWN, beginning, category_words, printable, weight_words

if TYPE_CHECKING:
    from treewright.ledger.ledger import Ledger

ORDER = {CHOSEN: 0, TIED: 1, RANKED: 2, BELOW: 3, REJECTED: 4}
N_CANDIDATES, N_CUT, N_REJECTED = 30, 3, 30
"""Candidates, numbers with their cuts, and rejected columns that a page lists."""
LONGEST_NAME, LONGEST = 40, 60
"""Characters of a name or class, and of a question, that a page shows; fields have them whole."""
N_TIES = 5
"""Columns named that tie with the winner."""
MOST_CLASSES = 8
"""With more classes than this the sides of a cut are told by their weight."""
MARKS = {CHOSEN: "*", TIED: "=", RANKED: "", BELOW: "-", REJECTED: ""}
"""What a node of numbers answers, and the sum that goes with it."""
LEGEND = {CHOSEN: "*: chosen", TIED: "=: as good, but later in the table", BELOW: "-: {below}"}


def in_order(entry: Entry) -> tuple[Candidate, ...]:
    """The candidates by verdict, then by merit or gain, then in the order of the table."""

    def key(one: Candidate) -> tuple[int, float, int]:
        height = one.merit if one.merit is not None else one.gain
        return ORDER[one.verdict], -height if height is not None else 0.0, one.column

    return tuple(sorted(entry.candidates, key=key))


def as_text(ledger: "Ledger") -> str:
    """The ledger for a terminal."""
    lines = wrapped(_opening(ledger))
    for grid in _grids(ledger.entry):
        lines += ["", *folded(grid)]
    rejected = _rejected(ledger.entry)
    if rejected:
        lines += ["", "Without a candidate:", *(f"  {line}" for line in wrapped(rejected, WIDTH - 2))]
    return "\n".join(lines)


def as_html(ledger: "Ledger") -> str:
    """The ledger for a notebook."""
    parts = [element("p", line) for line in _opening(ledger)]
    parts += [grid.html() for grid in _grids(ledger.entry)]
    rejected = _rejected(ledger.entry)
    if rejected:
        parts.append(element("p", "Without a candidate:"))
        parts.append("<ul>" + "".join(element("li", line) for line in rejected) + "</ul>")
    return "<div>" + "".join(parts) + "</div>"


def as_frame(ledger: "Ledger") -> Any:
    """The candidates as a data frame."""
    names = [
        *("column", "name", "kind", "verdict", "reason", "known", "missing", "rho", "before", "after", "raw_gain"),
        *("charge", "gain", "split_info", "ratio", "gini_index", "merit", "threshold", "n_cuts", "tied_cuts"),
        "n_values",
    ]
    shown = in_order(ledger.entry)
    columns: dict[str, list[Any]] = {}
    for name in names:
        cells = [getattr(one, name) for one in shown]
        numeric = any(isinstance(cell, float) for cell in cells)
        columns[name] = [float("nan") if cell is None and numeric else cell for cell in cells]
    return new_frame(columns)


def _opening(ledger: "Ledger") -> list[str]:
    """The node, what it asks or why it asks nothing, and how the choice was made."""
    entry = ledger.entry
    rows = counted(entry.count, "row")
    if entry.count != entry.weight:
        rows += f" of weight {weight_words(entry.weight)}"
    lines = [f"Node {entry.node} ({shortened(entry.words)}): {rows}{_contents(ledger)}."]
    if entry.count:
        criterion = CRITERIA[entry.criterion]
        # what a criterion of two branches tells of one node is the impurity beside it
        name = criterion.symbol if criterion.two_branches else criterion.label[0]
        unit = f" {criterion.unit}" if criterion.unit else ""
        lines.append(f"{name.capitalize()}: {digits(entry.impurity)}{unit}.")
    chosen = ledger.chosen
    if entry.leaf is not None:
        lines.append(f"A leaf. {shortened(entry.leaf)}")
    if chosen is not None:
        asks = "It asks for" if entry.leaf is None else "Its best candidate is"
        lines.append(f"{asks} {_name(chosen.name)}: {chosen.reason}{_lead(entry)}.")
    floor = floor_words(entry)
    if floor is not None:
        lines.append(floor)
    if entry.note is not None:
        lines.append(shortened(entry.note))
    return [printable(line) for line in lines]


def _contents(ledger: "Ledger") -> str:
    stats = ledger.entry.stats
    if not ledger.entry.count:
        return ""
    if ledger.classes is None:
        centre, loss = CRITERIA[ledger.entry.criterion].loss or ("", "")
        return f" ({centre} {stats[1]:.6g}, {loss} {stats[2]:.6g})"
    found = [(name, weight) for name, weight in zip(ledger.classes, stats, strict=True) if weight > 0]
    words = [f"{_name(category_words(name))}: {weight_words(weight)}" for name, weight in found[:SHOWN]]
    words += [f"… {len(found) - SHOWN} more"] * (len(found) > SHOWN)
    return f" ({', '.join(words)})"


def _lead(entry: Entry) -> str:
    if entry.margin is None:
        return ""
    ties = [c.name for c in entry.candidates if c.verdict == TIED]
    if ties:
        named = [*map(_name, ties[:N_TIES]), *([f"{len(ties) - N_TIES} more"] if len(ties) > N_TIES else [])]
        return f"; a tie with {', '.join(named)}"
    return f", {digits(entry.margin)} more than the next"


def _grids(entry: Entry) -> list[Grid]:
    shown = [one for one in in_order(entry) if one.verdict != REJECTED]
    if not shown:
        return []
    cut = [one for one in shown if len(one.cuts) > 1]
    return [_candidates(entry, shown), *([_cuts(cut)] if cut else [])]


def _candidates(entry: Entry, shown: list[Candidate]) -> Grid:
    """The table of candidates; columns that say nothing here are left out."""
    by_ratio = entry.ranked_by == "ratio"
    has = {
        "rho": any(one.missing > 0 for one in shown),
        "charge": any(one.charge > 0 for one in shown),
        "gain": True,
        "split info": by_ratio,
        "ratio": by_ratio,
    }
    head = ["", "column", "before", "after", *(name for name, is_there in has.items() if is_there), "split"]
    rows = []
    for one in shown[:N_CANDIDATES]:
        cells = {
            "": MARKS[one.verdict],
            "column": printable(_name(one.name)),
            "before": digits(one.before),
            "after": digits(one.after),
            "rho": digits(one.rho) if one.missing else "1",
            "charge": digits(one.charge) if one.charge else "",
            "gain": digits(one.gain),
            "split info": digits(one.split_info),
            "ratio": digits(one.ratio),
            "split": printable(_split(one)),
        }
        rows.append([cells[name] for name in head])
    right = [name not in ("", "column", "split") for name in head]
    n_more = len(shown) - len(rows)
    below = [f"… {counted(n_more, 'more column')}"] if n_more else []
    told = [words for verdict, words in LEGEND.items() if any(one.verdict == verdict for one in shown)]
    legend = "; ".join(told).format(below=below_words(entry.average, entry.naming))
    return Grid(head, rows, right, [*below, legend])


def _cuts(found: list[Candidate]) -> Grid:
    """The best cuts of the best numbers, and those that come next."""
    rows = [
        [
            ("*" if i == 0 else "=" if cut.tied else ""),
            printable(_name(one.name)),
            printable(_cut(one, cut)),
            digits(cut.gain),
            _side(cut.low, one),
            _side(cut.high, one),
        ]
        for one in found[:N_CUT]
        for i, cut in enumerate(one.cuts)
    ]
    n_more = len(found) - N_CUT
    below = [f"… {counted(n_more, 'more number')}"] if n_more > 0 else []
    below += ["*: the best cut of the column" + ("; =: as good, but higher" if any(r[0] == "=" for r in rows) else "")]
    head = ["", "column", "cut", "gain", "low side", "high side"]
    return Grid(head, rows, [False, False, False, True, False, False], below)


def _split(one: Candidate) -> str:
    """The question of a candidate, without the name of its column."""
    grouped = f"of {one.n_values} values" if one.n_values else ""
    if one.threshold is None and len(one.branches) > 2:
        return f"{len(one.branches)} branches {grouped}".rstrip()
    words = _question(one.branches[0].words, one.name)
    if grouped:
        return f"{words} (2 groups {grouped})"
    if one.threshold is None or one.n_cuts == 0:
        return words
    tied = f", {one.tied_cuts} more as good" if one.tied_cuts else ""
    return f"{words} ({'the only cut' if one.n_cuts == 1 else f'best of {one.n_cuts} cuts'}{tied})"


def _question(words: str, name: str) -> str:
    """The words of a branch without the name of its column, not too long."""
    words = words.removeprefix(name).strip()
    return beginning(words, LONGEST)


def _cut(one: Candidate, cut: Cut) -> str:
    words = _question(cut.words, one.name)
    if cut.missing is None or isinf(cut.threshold):
        return words
    return f"{words}, missing {'low' if cut.missing == 0 else 'high'}"


def _side(stats: tuple[float, ...], one: Candidate) -> str:
    """What a side holds: the weight of each class, or the value and its weight; of many classes the weight."""
    if one.gini_index is None:
        return f"{stats[1]:.6g} ({weight_words(stats[0])})"
    if len(stats) > MOST_CLASSES:
        return weight_words(sum(stats))
    return " ".join(weight_words(w) for w in stats)


def _rejected(entry: Entry) -> list[str]:
    found = [one for one in entry.candidates if one.verdict == REJECTED]
    if entry.chosen is None and len({one.reason for one in found}) == 1:
        return []  # the node itself says why
    lines = [printable(f"{_name(one.name)}: {shortened(one.reason)}") for one in found[:N_REJECTED]]
    return lines + ([f"… {counted(len(found) - N_REJECTED, 'more column')}"] if len(found) > N_REJECTED else [])


def _name(text: str) -> str:
    """A name or class, not too long."""
    return beginning(text, LONGEST_NAME)
