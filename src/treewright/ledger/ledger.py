"""Ledger: the candidates of one node as text, HTML, a data frame and plain data.

A ledger describes the node, lists its candidates in a table, the best first, then the best cuts of numeric columns and
the columns without a candidate. Names and categories come from the user's table and are shown as text, whatever they
contain.
"""

from dataclasses import dataclass
from math import isinf
from typing import Any

from treewright.criteria.registry import CRITERIA
from treewright.errors import InputError
from treewright.explain.text_wrapping import WIDTH, shorten_text, wrap_lines, wrap_table
from treewright.language import Messages, messages
from treewright.ledger.ledger_reasons import floor_sentence, format_decimal, translate
from treewright.ledger.record import BELOW, CHOSEN, RANKED, REJECTED, TIED, Candidate, Cut, Entry
from treewright.model.formatting import (
    MAX_CATEGORIES_SHOWN,
    format_category,
    format_weight,
    printable,
    truncate,
)
from treewright.model.json_values import to_json_value
from treewright.text_table import Grid, element, new_frame

ORDER = {CHOSEN: 0, TIED: 1, RANKED: 2, BELOW: 3, REJECTED: 4}
MARKS = {CHOSEN: "*", TIED: "=", RANKED: "", BELOW: "-", REJECTED: ""}
MAX_CANDIDATES, MAX_CUT_COLUMNS, MAX_REJECTED = 30, 3, 30
"""Candidates, numeric columns with their cuts, and rejected columns that a text lists."""
MAX_NAME, MAX_CONDITION = 40, 60
"""Characters of a name or class, and of a condition, that a text shows; the fields have them whole."""
MAX_TIES = 5
"""Columns listed that tie with the winner."""
MAX_CLASSES = 8
"""With more classes the sides of a cut are described by their weight alone."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Why a node splits as it does: the candidates of all columns, the best first.

    Print it, look up a column with `ledger["outlook"]`, read the numbers in `ledger.entry`, or get all of them with
    `to_frame` or `to_dict`.

    Attributes
    ----------
    entry : Entry
        The node and its candidates, in the order of the table.
    classes : tuple or None
        The classes, in the order of `stats`; None for regression, where `stats` are weight, value and loss.
    language : str
        Language of the text: "en" or "zh".

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> ledger = CARTClassifier(pruning=None).fit([[1, 7], [2, 7], [3, 7], [4, 8]], ["a", "a", "b", "b"]).why()
    >>> print(ledger)
    Node 0 (root): 4 rows (a: 2, b: 2).
    Gini: 0.5000.
    It splits on x0: the highest gain, 0.3333 more than the next column.
    <BLANKLINE>
       column  before   after    gain  split
    *  x0      0.5000  0.0000  0.5000  <= 2.5 (best of 3 cuts)
       x1      0.5000  0.3333  0.1667  <= 7.5 (the only cut)
    *: chosen
    <BLANKLINE>
       column  cut       gain  low side  high side
    *  x0      <= 2.5  0.5000  2 0       0 2
       x0      <= 1.5  0.1667  1 0       1 2
       x0      <= 3.5  0.1667  2 1       0 1
    *: best cut of the column
    >>> print(ledger["x1"].reason)
    gain 0.167, the highest is 0.5
    """

    entry: Entry
    classes: tuple[object, ...] | None
    language: str = "en"

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates, the best first and rejected columns last."""
        return tuple(sort_candidates(self.entry.candidates))

    @property
    def chosen(self) -> Candidate | None:
        """The candidate that won; None where there is none."""
        return None if self.entry.chosen is None else self.entry.candidates[self.entry.chosen]

    @property
    def ties(self) -> tuple[Candidate, ...]:
        """The other candidates that tie with the winner."""
        return tuple(c for c in self.candidates if c.verdict == TIED)

    def __getitem__(self, column: str) -> Candidate:
        """The candidate of a column, by its name."""
        for one in self.entry.candidates:
            if one.name == column:
                return one
        names = ", ".join(repr(c.name) for c in self.entry.candidates[:12])
        more = "" if len(self.entry.candidates) <= 12 else f" and {len(self.entry.candidates) - 12} more"
        raise InputError(f"Unknown column {column!r}; the columns are {names}{more}.")

    def to_text(self) -> str:
        """The ledger for a terminal."""
        _ = messages(self.language)
        lines = wrap_lines(_opening(self, _))
        for grid in _grids(self.entry, _):
            lines += ["", *wrap_table(grid)]
        rejected = _rejected(self.entry, _)
        if rejected:
            lines += ["", _("Without a candidate:"), *(f"  {line}" for line in wrap_lines(rejected, WIDTH - 2))]
        return "\n".join(lines)

    def to_html(self) -> str:
        """The ledger as a fragment of HTML."""
        _ = messages(self.language)
        parts = [element("p", line) for line in _opening(self, _)]
        parts += [grid.html() for grid in _grids(self.entry, _)]
        rejected = _rejected(self.entry, _)
        if rejected:
            parts.append(element("p", _("Without a candidate:")))
            parts.append("<ul>" + "".join(element("li", line) for line in rejected) + "</ul>")
        return "<div>" + "".join(parts) + "</div>"

    def to_frame(self) -> Any:
        """One row for each column, the best first, as a data frame of pandas, or of polars where pandas is missing."""
        names = [
            *("column", "name", "kind", "verdict", "reason", "known", "missing", "rho", "before", "after", "raw_gain"),
            *("penalty", "gain", "split_info", "ratio", "gini_index", "merit", "threshold", "n_cuts", "tied_cuts"),
            "n_values",
        ]
        columns: dict[str, list[Any]] = {}
        for name in names:
            cells = [getattr(one, name) for one in self.candidates]
            is_numeric = any(isinstance(cell, float) for cell in cells)
            columns[name] = [float("nan") if cell is None and is_numeric else cell for cell in cells]
        return new_frame(columns)

    def to_dict(self) -> dict[str, Any]:
        """The whole ledger as JSON values; an infinite threshold is the text "inf"."""
        classes = None if self.classes is None else [format_category(c) for c in self.classes]
        return {"classes": classes, **to_json_value(self.entry)}

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Ledger of node {self.entry.node}: {len(self.entry.candidates)} columns>"

    def _repr_html_(self) -> str:
        return self.to_html()


def sort_candidates(candidates: tuple[Candidate, ...]) -> list[Candidate]:
    """The candidates by verdict, then by merit or gain, then in the order of the table."""

    def key(one: Candidate) -> tuple[int, float, int]:
        merit = one.merit if one.merit is not None else one.gain
        return ORDER[one.verdict], -merit if merit is not None else 0.0, one.column

    return sorted(candidates, key=key)


def _opening(ledger: Ledger, _: Messages) -> list[str]:
    """The node, its split or why it is a leaf, and how the choice was made."""
    entry, chosen = ledger.entry, ledger.chosen
    rows = _.plural("{n} row", "{n} rows", entry.count)
    if entry.count != entry.weight:
        weight = format_weight(entry.weight)
        rows = _.plural("{n} row of weight {weight}", "{n} rows of weight {weight}", entry.count, weight=weight)
    path = shorten_text(entry.words)
    if entry.count:
        contents = _contents(ledger, _)
        lines = [
            _("Node {node} ({path}): {rows} ({contents}).", node=entry.node, path=path, rows=rows, contents=contents),
            _impurity(entry, _),
        ]
    else:
        lines = [_("Node {node} ({path}): {rows}.", node=entry.node, path=path, rows=rows)]
    if entry.leaf is not None:
        lines.append(_("This node is a leaf. {reason}", reason=shorten_text(entry.leaf)))
    if chosen is not None:
        lines.append(_choice(entry, chosen, _))
    floor = floor_sentence(entry)
    if floor is not None:
        lines.append(translate(floor, _))
    if entry.note is not None:
        lines.append(shorten_text(entry.note))
    return [printable(line) for line in lines]


def _contents(ledger: Ledger, _: Messages) -> str:
    """The class weights of the node, or its prediction and loss."""
    stats = ledger.entry.stats
    if ledger.classes is None:
        center, loss = CRITERIA[ledger.entry.criterion].loss or ("", "")
        numbers = {"value": f"{stats[1]:.6g}", "total": f"{stats[2]:.6g}"}
        return _("{center} {value}, {loss} {total}", center=_(center), loss=_(loss), **numbers)
    found = [(label, weight) for label, weight in zip(ledger.classes, stats, strict=True) if weight > 0]
    counts = [
        _("{label}: {weight}", label=_name(format_category(label)), weight=format_weight(weight))
        for label, weight in found[:MAX_CATEGORIES_SHOWN]
    ]
    if len(found) > MAX_CATEGORIES_SHOWN:
        counts.append(_("… {n} more", n=len(found) - MAX_CATEGORIES_SHOWN))
    return _.context("between items of a list", ", ").join(counts)


def _impurity(entry: Entry, _: Messages) -> str:
    criterion = CRITERIA[entry.criterion]
    # The impurity that is shown beside a criterion of two branches (twoing) is not its own.
    name = _(criterion.symbol if criterion.two_branches else criterion.label)
    values = {"criterion": name[:1].upper() + name[1:], "value": format_decimal(entry.impurity)}
    if criterion.unit:
        return _("{criterion}: {value} {unit}.", unit=_(criterion.unit), **values)
    return _("{criterion}: {value}.", **values)


def _choice(entry: Entry, chosen: Candidate, _: Messages) -> str:
    """The chosen column and why; of a leaf, the column that would have been chosen."""
    values = {"column": _name(chosen.name), "reason": chosen.reason}
    ties = [_name(c.name) for c in entry.candidates if c.verdict == TIED]
    is_split = entry.leaf is None
    if entry.margin is None:
        if is_split:
            return _("It splits on {column}: {reason}.", **values)
        return _("Its best candidate is {column}: {reason}.", **values)
    if ties:
        listed = [*ties[:MAX_TIES], *([_("… {n} more", n=len(ties) - MAX_TIES)] if len(ties) > MAX_TIES else [])]
        others = _.context("between items of a list", ", ").join(listed)
        if is_split:
            return _("It splits on {column}: {reason}; tied with {others}.", others=others, **values)
        return _("Its best candidate is {column}: {reason}; tied with {others}.", others=others, **values)
    margin = format_decimal(entry.margin)
    if is_split:
        return _("It splits on {column}: {reason}, {margin} more than the next column.", margin=margin, **values)
    return _("Its best candidate is {column}: {reason}, {margin} more than the next column.", margin=margin, **values)


def _grids(entry: Entry, _: Messages) -> list[Grid]:
    shown = [one for one in sort_candidates(entry.candidates) if one.verdict != REJECTED]
    if not shown:
        return []
    with_cuts = [one for one in shown if len(one.cuts) > 1]
    return [_candidate_table(entry, shown, _), *([_cut_table(entry, with_cuts, _)] if with_cuts else [])]


def _candidate_table(entry: Entry, shown: list[Candidate], _: Messages) -> Grid:
    """The table of candidates, without the columns that are empty here."""
    listed = shown[:MAX_CANDIDATES]
    by_ratio = entry.ranked_by == "ratio"
    columns: dict[str, list[str]] = {
        "": [MARKS[one.verdict] for one in listed],
        _("column"): [printable(_name(one.name)) for one in listed],
        _.context("impurity", "before"): [format_decimal(one.before) for one in listed],
        _.context("impurity", "after"): [format_decimal(one.after) for one in listed],
    }
    if any(one.missing > 0 for one in shown):
        columns[_("rho")] = [format_decimal(one.rho) if one.missing else "1" for one in listed]
    if any(one.penalty > 0 for one in shown):
        columns[_("penalty")] = [format_decimal(one.penalty) if one.penalty else "" for one in listed]
    columns[_("gain")] = [format_decimal(one.gain) for one in listed]
    if by_ratio:
        columns[_("split info")] = [format_decimal(one.split_info) for one in listed]
        columns[_("ratio")] = [format_decimal(one.ratio) for one in listed]
    columns[_.context("noun", "split")] = [printable(_split_text(one, _)) for one in listed]
    head = list(columns)
    right = [False, False, *[True] * (len(head) - 3), False]
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    n_more = len(shown) - len(listed)
    below = [_.plural("… {n} more column", "… {n} more columns", n_more)] if n_more else []
    return Grid(head, rows, right, [*below, _legend(entry, shown, _)])


def _legend(entry: Entry, shown: list[Candidate], _: Messages) -> str:
    """What the marks before the columns mean."""
    if entry.naming is None:
        below = _("-: below the average")
    else:
        below = _("-: below the cost of naming a column") if entry.average is None else _("-: below the floor")
    meanings = {CHOSEN: _("*: chosen"), TIED: _("=: tied, but later in the table"), BELOW: below}
    verdicts = {one.verdict for one in shown}
    return _.context("between sentences", "; ").join(text for mark, text in meanings.items() if mark in verdicts)


def _cut_table(entry: Entry, candidates: list[Candidate], _: Messages) -> Grid:
    """The best cuts of the best numeric columns."""
    rows = [
        [
            "*" if i == 0 else "=" if cut.tied else "",
            printable(_name(one.name)),
            printable(_cut_text(one, cut, _)),
            format_decimal(cut.gain),
            _side_text(cut.low, one),
            _side_text(cut.high, one),
        ]
        for one in candidates[:MAX_CUT_COLUMNS]
        for i, cut in enumerate(one.cuts)
    ]
    n_more = len(candidates) - MAX_CUT_COLUMNS
    below = [_.plural("… {n} more numeric column", "… {n} more numeric columns", n_more)] if n_more > 0 else []
    legend = [_("*: best cut of the column")] + [_("=: tied, but higher")] * any(row[0] == "=" for row in rows)
    if candidates[0].gini_index is None:  # regression
        median = CRITERIA[entry.criterion].by_median
        legend.append(_("low side, high side: median (rows)") if median else _("low side, high side: mean (rows)"))
    below.append(_.context("between sentences", "; ").join(legend))
    head = ["", _("column"), _("cut"), _("gain"), _("low side"), _("high side")]
    return Grid(head, rows, [False, False, False, True, False, False], below)


def _split_text(one: Candidate, _: Messages) -> str:
    """The split of a candidate, without the name of its column."""
    n = len(one.branches)
    if one.threshold is None and n > 2:
        if one.n_values:
            return _("{n} branches of {n_values} values", n=n, n_values=one.n_values)
        return _("{n} branches", n=n)
    condition = _condition(one.branches[0].words, one.name)
    if one.n_values:
        return _("{condition} (2 groups of {n_values} values)", condition=condition, n_values=one.n_values)
    return condition if one.threshold is None or one.n_cuts == 0 else _best_cut_text(one, condition, _)


def _best_cut_text(one: Candidate, condition: str, _: Messages) -> str:
    if one.n_cuts == 1:
        return _("{condition} (the only cut)", condition=condition)
    if one.tied_cuts:
        values = {"condition": condition, "n_tied": one.tied_cuts}
        return _("{condition} (best of {n} cuts, {n_tied} more tied)", n=one.n_cuts, **values)
    return _("{condition} (best of {n} cuts)", condition=condition, n=one.n_cuts)


def _condition(words: str, name: str) -> str:
    """The condition of a branch without the name of its column, shortened."""
    return truncate(words.removeprefix(name).strip(), MAX_CONDITION)


def _cut_text(one: Candidate, cut: Cut, _: Messages) -> str:
    condition = _condition(cut.words, one.name)
    if cut.missing is None or isinf(cut.threshold):
        return condition
    if cut.missing == 0:
        return _("{condition}, missing low", condition=condition)
    return _("{condition}, missing high", condition=condition)


def _side_text(stats: tuple[float, ...], one: Candidate) -> str:
    """The weight of each class on a side, or its value and weight; of many classes the weight alone."""
    if one.gini_index is None:
        return f"{stats[1]:.6g} ({format_weight(stats[0])})"
    if len(stats) > MAX_CLASSES:
        return format_weight(sum(stats))
    return " ".join(format_weight(w) for w in stats)


def _rejected(entry: Entry, _: Messages) -> list[str]:
    """The columns without a candidate, each with the reason."""
    found = [one for one in entry.candidates if one.verdict == REJECTED]
    if entry.chosen is None and len({one.reason for one in found}) == 1:
        return []  # the reason is that of the node
    lines = [
        printable(_("{column}: {reason}", column=_name(one.name), reason=shorten_text(one.reason)))
        for one in found[:MAX_REJECTED]
    ]
    n_more = len(found) - MAX_REJECTED
    return [*lines, _.plural("… {n} more column", "… {n} more columns", n_more)] if n_more > 0 else lines


def _name(text: str) -> str:
    """A name or class, shortened."""
    return truncate(text, MAX_NAME)
