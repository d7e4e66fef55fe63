"""Reasons: why a candidate won or lost and why a node is a leaf, as sentences that can be translated.

A `Reason` is an English string that keeps its message and the values in it, so that `translate` can write it in another
language. A model file has the wording of version 1 of its format: `stored_text` writes it, and `read_reason` reads it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import floor, log10
from string import Formatter
from typing import Self

from treewright.language import N_, Messages
from treewright.ledger.record import (
    BELOW,
    CHOSEN,
    NAMING_FACTOR,
    RANKED,
    TIED,
    Candidate,
    Entry,
    NamingCost,
    floor_of,
)
from treewright.model.formatting import format_number
from treewright.prune.report_text import format_figures

NESTED = frozenset({"amount", "bounds", "details", "direction", "reason"})
"""Places of a message that another reason fills."""

USER_TEXT = frozenset({"decision", "label", "name", "value", "winner"})
"""Places of a message that names, categories or whole sentences fill; all others are numbers."""


MAX_LENGTH = 50_000
"""Characters of a stored reason that is read; a longer one stays in the words of the file."""


class Reason(str):
    """An English sentence that keeps its message and its values.

    >>> reason = Reason("the gain {own} is below the average {least}", own="0.05", least="0.15")
    >>> print(reason)
    the gain 0.05 is below the average 0.15
    """

    __slots__ = ("message", "values")
    message: str
    values: Mapping[str, str]

    def __new__(cls, message: str, /, **values: str) -> Self:
        reason = super().__new__(cls, message.format(**values) if values else message)
        reason.message, reason.values = message, values
        return reason


@dataclass(frozen=True)
class Template:
    """A message of a reason, and its wording in model files.

    message  as it is shown, in English; in the catalogue
    stored   as version 1 of the model file has it
    """

    message: str
    stored: str

    def __call__(self, **values: str) -> Reason:
        return Reason(self.message, **values)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches the stored wording. A number has no spaces; names and nested reasons may contain anything."""
        parts = []
        for literal, name, _, _ in Formatter().parse(self.stored):
            parts.append(re.escape(literal))
            if name is not None:
                parts.append(f"(?P<{name}>{'.*' if name in NESTED | USER_TEXT else '[^ ]+'})")
        return re.compile("".join(parts), re.DOTALL)

    def match(self, text: str) -> dict[str, str] | None:
        """The values in a stored wording; None where the text has another wording."""
        # Checked first: a text of a hostile file must not make the pattern backtrack for long.
        if len(text) > MAX_LENGTH or not text.endswith(self.stored.rpartition("}")[2]):
            return None
        found = self.pattern.fullmatch(text)
        return None if found is None else found.groupdict()


_TEMPLATES: dict[str, Template] = {}


def _template(message: str, stored: str | None = None) -> Template:
    """A template whose message and stored wording differ where `stored` is given."""
    _TEMPLATES[message] = Template(message, message if stored is None else stored)
    return _TEMPLATES[message]


# the winner, and columns that were ranked
ONLY_RANKED = _template(N_("the only ranked column"), "the only column that is ranked")
FIRST_BY_GAIN = _template(
    N_("the first of {n} columns with the highest gain"), "the first in the table of {n} columns with the highest gain"
)
FIRST_BY_RATIO = _template(
    N_("the first of {n} columns with the highest gain ratio"),
    "the first in the table of {n} columns with the highest gain ratio",
)
HIGHEST_GAIN = _template(N_("the highest gain"))
HIGHEST_RATIO = _template(N_("the highest gain ratio"))
TIED_WITH = _template(
    N_("ties with {winner}, which is first in the table"), "as good as {winner}, but later in the table"
)
LOWER_GAIN = _template(N_("gain {own}, the highest is {best}"))
LOWER_RATIO = _template(N_("gain ratio {own}, the highest is {best}"))

# below the floor
BELOW_AVERAGE = _template(N_("the gain {own} is below the average {least}"))
BELOW_NAMING_COST = _template(
    N_("the gain {own} is below {least}, the cost of naming one of {n} columns"),
    "the gain {own} is below {least}, the price of naming one of {n} columns",
)
BELOW_FLOOR = _template(
    N_("the gain {own} is below the floor {least}, a mix of the average and the cost of naming one of {n} columns"),
    "the gain {own} is below the floor {least}, a part of the average and of the price of naming one of {n} "
    "columns",
)

# columns without a candidate
SAME_TARGET = _template(N_("every row here has the same target value"), "every row here has the same answer")
NO_ROW = _template(N_("no training row reaches this node"), "no row comes here")
ALL_MISSING = _template(N_("the value is missing in every row here"), "no row here has a known value")
ONE_VALUE_ABOVE = _template(
    N_("only one value here, {value}; a node above splits on this column"),
    "one value here, {value}; it was asked for above",
)
ONE_VALUE = _template(N_("only one value here, {value}"), "one value here, {value}")
SMALL_SPLIT_INFO = _template(
    N_("the split information {info} is not above {least}, so there is no gain ratio"),
)
NO_CUT = _template(N_("no cut leaves at least {amount} on both sides"))
NO_RATES = _template(N_("no split leaves each branch at least {amount} and a target above 0"))
SINGLE_ROWS = _template(
    N_("each value occurs in a single row, and such values count as one"),
    "each of its values is that of a single row, and such values count as one",
)
NO_GROUPING = _template(
    N_("no grouping of its values has a gain and two groups of at least {amount}"),
    "no grouping of its values with two groups of at least {amount} gains",
)
NO_MERGED_GROUPS = _template(
    N_("however far its values are merged, no two groups have at least {amount}"),
    "however far its values are merged, no two groups hold at least {amount}",
)
NO_TWO_BRANCHES = _template(
    N_("no two branches would have at least {amount}"), "no two branches would hold at least {amount}"
)
NO_LEAST_LOSS_GROUPS = _template(
    N_("merged at the least loss, its values make no two groups of at least {amount}"),
)
NO_DIVISION = _template(
    N_("no division of its values into two groups leaves at least {amount} on both sides"),
    "no division of its values in two leaves at least {amount} on both sides",
)
NO_TRIED_DIVISION = _template(
    N_("no division of its values that was tried leaves at least {amount} on both sides"),
    "no tried division of its values in two leaves at least {amount} on both sides",
)
NO_CUT_BY_CLASS_SINGLES = _template(
    N_(
        "ordered by their proportion of {label}, those of a single row as one, no cut between two different values "
        "leaves at least {amount} on both sides"
    ),
    "in the order of their share of {label}, those of a single row as one, no cut between two values that "
    "differ leaves at least {amount} on both sides",
)
NO_CUT_BY_MEAN_SINGLES = _template(
    N_(
        "ordered by their mean target, those of a single row as one, no cut between two different values leaves at "
        "least {amount} on both sides"
    ),
    "in the order of their mean answer, those of a single row as one, no cut between two values that differ "
    "leaves at least {amount} on both sides",
)
NO_CUT_BY_CLASS = _template(
    N_("ordered by their proportion of {label}, no cut of its values leaves at least {amount} on both sides"),
    "in the order of their share of {label}, no cut of its values leaves at least {amount} on both sides",
)
NO_CUT_BY_MEAN = _template(
    N_("ordered by their mean target, no cut of its values leaves at least {amount} on both sides"),
    "in the order of their mean answer, no cut of its values leaves at least {amount} on both sides",
)

# amounts of rows
ONE_ROW = _template(N_("1 row"))
ROWS = _template(N_("{n} rows"))
WEIGHT = _template(N_("a weight of {weight}"))
AND_WEIGHT = _template(N_("{amount} and a weight of {weight}"))
WEIGHTED_ROWS_AS = _template(
    N_("rows of weight {weight}, equivalent to {n} rows"), "rows of weight {weight}, worth {n} of the mean weight"
)
WEIGHTED_ROWS = _template(N_("rows of weight {weight}"))

# a gain that is not above the penalty
BEST_CUT_PENALTY = _template(
    N_("its best cut gains {gain}, not more than the penalty of {penalty} for {n} cuts"),
    "its best cut gains {gain}, not more than the charge of {penalty} for {n} cuts",
)
ONLY_CUT_PENALTY = _template(
    N_("its only cut gains {gain}, not more than the penalty of {penalty} for a split"),
    "its only cut gains {gain}, not more than the charge of {penalty} for a split",
)
GROUPING_PENALTY = _template(
    N_("its best grouping of {n} values gains {gain}, not more than the penalty of {penalty} for describing it"),
    "its best grouping of {n} values gains {gain}, not more than the charge of {penalty} for telling it",
)
ONLY_GROUPING_PENALTY = _template(
    N_("its only grouping gains {gain}, not more than the penalty of {penalty} for a split"),
    "its only grouping gains {gain}, not more than the charge of {penalty} for a split",
)
EACH_VALUE_PENALTY = _template(
    N_("a branch for each of its values gains {gain}, not more than the penalty of {penalty} for a split"),
    "a branch for each of its values gains {gain}, not more than the charge of {penalty} for a split",
)
BEST_CUT_NO_GAIN = _template(N_("its best cut gains nothing"))
ONLY_CUT_NO_GAIN = _template(N_("its only cut gains nothing"))
GROUPING_NO_GAIN = _template(N_("its best grouping of {n} values gains nothing"))
ONLY_GROUPING_NO_GAIN = _template(N_("its only grouping gains nothing"))
EACH_VALUE_NO_GAIN = _template(N_("a branch for each of its values gains nothing"))

# monotonic constraints
CUTS_NOT_MONOTONE = _template(
    N_("none of its {n} cuts satisfies monotonic_cst"),
    "none of its {n} cuts keeps the order that monotonic_cst asks for",
)
SPLIT_NOT_MONOTONE = _template(
    N_("a split on it would violate monotonic_cst"),
    "a split on it would not keep the order that monotonic_cst asks for",
)
BETWEEN = _template(
    N_("predictions here must be between {low} and {high}"), "answers here lie between {low} and {high}"
)
AT_LEAST = _template(N_("predictions here must be at least {low}"), "answers here are at least {low}")
AT_MOST = _template(N_("predictions here must be at most {high}"), "answers here are at most {high}")
RISING = _template(N_("they must rise with it"), "they rise with it")
FALLING = _template(N_("they must fall with it"), "they fall with it")
BOUNDS_AND_DIRECTION = _template(N_("{bounds} and {direction}"))
WITH_CONSTRAINT = _template(N_("{reason} ({details})"))
SOME_CUTS_NOT_MONOTONE = _template(
    N_("{reason}; {n} of its {total} cuts would violate monotonic_cst"),
    "{reason}; {n} of its {total} cuts would break the order that monotonic_cst asks for",
)

# leaves
EMPTY_LEAF = _template(
    N_("No training row reaches this node; it predicts like its parent."),
    "No training row comes here; it answers as the node above.",
)
PURE_NUMBER = _template(
    N_("All its rows have the same target value, {value}."), "All its rows have the same answer, {value}."
)
PURE_CLASS = _template(N_("All its rows have the class {label}."), "All its rows are of one class, {label}.")
TOO_SMALL = _template(
    N_("It has {amount}, fewer than min_samples_split={least}."), "It holds {amount}, and min_samples_split={least}."
)
MAX_DEPTH_1 = _template(
    N_("It is 1 level below the root, the limit of max_depth={max_depth}."),
    "It is 1 step below the root, as far as max_depth={max_depth} allows.",
)
MAX_DEPTH = _template(
    N_("It is {depth} levels below the root, the limit of max_depth={max_depth}."),
    "It is {depth} steps below the root, as far as max_depth={max_depth} allows.",
)
NO_CANDIDATE_BECAUSE = _template(
    N_("No column has a candidate split; {name}: {reason}."), "No column has a candidate; {name}: {reason}."
)
NO_CANDIDATE = _template(N_("No column has a candidate split."), "No column has a candidate.")
LITTLE_GAIN = _template(
    N_("Its best split, on {name}, would improve the tree by {gain}, less than min_impurity_decrease={least}."),
)
UNDONE_ERRORS = _template(
    N_(
        "Its best split, on {name}, was undone: its branches make {below} training errors, the node itself "
        "makes {leaf}."
    ),
    "Its best split, on {name}, was taken back: its branches make {below} training errors, the node itself {leaf}.",
)
UNDONE = _template(N_("Its best split, on {name}, was undone."), "Its best split, on {name}, was taken back.")
MAX_LEAVES = _template(
    N_(
        "Its best split, on {name}, would improve the tree by {gain}; it was not made, because other splits "
        "came first or it has too many branches for max_leaf_nodes={max_leaves}."
    ),
    "Its best split, on {name}, would improve the tree by {gain}; it was not made, because others came first or "
    "it has too many branches for max_leaf_nodes={max_leaves}.",
)
STOPPED = _template(N_("Its best split, on {name}, was not made. {decision}"))


def translate(text: str, _: Messages) -> str:
    """Write a reason in the language of `_`; a string that is not a `Reason` stays as it is."""
    if not isinstance(text, Reason):
        return text
    return _(text.message, **{name: translate(value, _) for name, value in text.values.items()})


def translate_condition(text: str, column: str, _: Messages) -> str:
    """Write the English condition of a branch of a column in the language of `_`."""
    rest = text.removeprefix(column)
    if rest == " is missing":
        return _("{column} is missing", column=column)
    if rest == " is known":
        return _("{column} is known", column=column)
    if not rest.startswith(" in {"):
        return text
    categories = rest.removeprefix(" in ")
    more = re.search(r"… (\d+) more\}$", categories)
    if more is not None:
        categories = categories[: more.start()] + _("… {n} more", n=more[1]) + "}"
    return _("{column} in {categories}", column=column, categories=categories)


def translate_entry(entry: Entry, _: Messages) -> Entry:
    """Write the reasons, notes and conditions of an entry in the language of `_`; its path stays as it is."""
    return replace(
        entry,
        leaf=None if entry.leaf is None else translate(entry.leaf, _),
        note=None if entry.note is None else translate(entry.note, _),
        candidates=tuple(_translate_candidate(one, _) for one in entry.candidates),
    )


def _translate_candidate(one: Candidate, _: Messages) -> Candidate:
    branches = tuple(replace(b, words=translate_condition(b.words, one.name, _)) for b in one.branches)
    cuts = tuple(replace(cut, words=translate_condition(cut.words, one.name, _)) for cut in one.cuts)
    return replace(one, reason=translate(one.reason, _), branches=branches, cuts=cuts)


def stored_text(text: str) -> str:
    """Write a reason in the words of the model file.

    >>> stored_text(EMPTY_LEAF())
    'No training row comes here; it answers as the node above.'
    """
    if not isinstance(text, Reason):
        return text
    values = {name: stored_text(value) for name, value in text.values.items()}
    wording = _TEMPLATES[text.message].stored
    return wording.format(**values) if values else wording


@lru_cache(maxsize=4096)
def read_reason(text: str) -> str:
    """Read a reason from the words of a model file; words that no template has stay as they are.

    >>> read_reason("no cut leaves at least 2 rows on both sides").values
    {'amount': '2 rows'}
    >>> print(read_reason("No training row comes here; it answers as the node above."))
    No training row reaches this node; it predicts like its parent.
    """
    return _parsed(text) or text


def _parsed(text: str) -> Reason | None:
    for template in _TEMPLATES.values():
        found = template.match(text)
        if found is None:
            continue
        values = {name: _parsed(value) if name in NESTED else value for name, value in found.items()}
        complete = {name: value for name, value in values.items() if value is not None}
        if len(complete) == len(values):
            return template(**complete)
    return None


def why_chosen(ranked_by: str, n_best: int, n_ranked: int) -> Reason:
    """Why a column won: `ranked_by` is "gain" or "ratio", `n_best` columns have the highest one.

    >>> print(why_chosen("gain", 2, 5))
    the first of 2 columns with the highest gain
    """
    if n_ranked == 1:
        return ONLY_RANKED()
    if n_best > 1:
        return (FIRST_BY_RATIO if ranked_by == "ratio" else FIRST_BY_GAIN)(n=str(n_best))
    return HIGHEST_RATIO() if ranked_by == "ratio" else HIGHEST_GAIN()


def why_tied(winner: str) -> Reason:
    """Why a column that is as good as the winner did not win.

    >>> print(why_tied("outlook"))
    ties with outlook, which is first in the table
    """
    return TIED_WITH(winner=winner)


def why_beaten(ranked_by: str, own: float, best: float) -> Reason:
    """Why a column that was ranked did not win.

    >>> print(why_beaten("gain", 0.0481, 0.2467))
    gain 0.0481, the highest is 0.247
    """
    own_text, best_text = format_figures([own, best])
    return (LOWER_RATIO if ranked_by == "ratio" else LOWER_GAIN)(own=own_text, best=best_text)


def why_below(gain: float, average: float | None, naming: NamingCost | None = None) -> Reason:
    """Why a column was not ranked.

    >>> print(why_below(0.0481, 0.1513))
    the gain 0.0481 is below the average 0.151
    >>> print(why_below(0.0005, None, NamingCost(15, 4000.0)))
    the gain 0.0005 is below 0.000879, the cost of naming one of 15 columns
    """
    own, least = format_figures([gain, floor_of(average, naming) or 0.0])
    if naming is None:
        return BELOW_AVERAGE(own=own, least=least)
    template = BELOW_NAMING_COST if average is None else BELOW_FLOOR
    return template(own=own, least=least, n=str(naming.n_columns))


def derived_reason(one: Candidate, entry: Entry) -> str:
    """The reason of a verdict as it follows from the numbers of a node; empty for a rejected column."""
    candidates, ranked_by = entry.candidates, entry.ranked_by
    merits = [c.merit for c in candidates if c.merit is not None]
    if one.verdict == CHOSEN:
        n_near = sum(c.verdict in (CHOSEN, TIED) for c in candidates)
        return why_chosen(ranked_by, n_near, len(merits))
    if one.verdict == TIED:
        return why_tied(next((c.name for c in candidates if c.verdict == CHOSEN), ""))
    if one.verdict == RANKED and one.merit is not None:
        return why_beaten(ranked_by, one.merit, max(merits))
    if one.verdict == BELOW and one.gain is not None and entry.floor is not None:
        return why_below(one.gain, entry.average, entry.naming)
    return ""


def why_not_above_penalty(one: Candidate, n_values: int) -> Reason:
    """Why a split that gains no more than its penalty is not a candidate; the column has `n_values` values here.

    >>> cut = Candidate(0, "age", "number", "", "", 14.0, 0.0, 1.0, 0.94, penalty=0.25, gain=-0.13, n_cuts=11)
    >>> print(why_not_above_penalty(cut, 12))
    its best cut gains 0.12, not more than the penalty of 0.25 for 11 cuts
    """
    assert one.gain is not None
    values: dict[str, str] = {}
    if one.n_cuts > 1:
        penalised, without, values = BEST_CUT_PENALTY, BEST_CUT_NO_GAIN, {"n": str(one.n_cuts)}
    elif one.n_cuts:
        penalised, without = ONLY_CUT_PENALTY, ONLY_CUT_NO_GAIN
    elif one.n_values:
        penalised, without, values = GROUPING_PENALTY, GROUPING_NO_GAIN, {"n": str(one.n_values)}
    elif len(one.branches) < n_values:
        penalised, without = ONLY_GROUPING_PENALTY, ONLY_GROUPING_NO_GAIN
    else:
        penalised, without = EACH_VALUE_PENALTY, EACH_VALUE_NO_GAIN
    if one.penalty <= 0.0:  # log2(1): there was no choice
        return without(**values)
    gain, penalty = format_figures([one.gain + one.penalty, one.penalty])
    return penalised(gain=gain, penalty=penalty, **values)


def mention_violating_cuts(one: Candidate, n_cuts: int, n_violating: int) -> Candidate:
    """A candidate whose reason says how many cuts were excluded by `monotonic_cst`."""
    reason = SOME_CUTS_NOT_MONOTONE(reason=one.reason, n=str(n_violating), total=str(n_cuts))
    return replace(one, reason=reason)


def floor_sentence(entry: Entry) -> Reason | None:
    """Which columns are ranked; None where all are.

    >>> from treewright.model.build import golf_example
    >>> from treewright.ledger.entries import node_fields
    >>> rest = dict(criterion="entropy", ranked_by="ratio", candidates=(), chosen=None, margin=None, leaf=None)
    >>> print(floor_sentence(Entry(**node_fields(golf_example(), 0), average=0.12756, **rest)))
    Only columns with a gain of at least the average, 0.1276, are ranked.
    """
    average, naming = entry.average, entry.naming
    if entry.floor is None or (naming is not None and naming.n_columns == 1):  # naming the only column costs nothing
        return None
    if naming is None:
        message = N_("Only columns with a gain of at least the average, {average}, are ranked.")
        return Reason(message, average=format_decimal(average))
    cost = {"n": str(naming.n_columns), "formula": naming_formula(naming), "cost": format_decimal(naming.cost)}
    if average is None:
        message = N_(
            "Only columns with a gain of at least the cost of naming one of {n} columns, {formula} = {cost}, "
            "are ranked."
        )
        return Reason(message, **cost)
    return Reason(
        N_(
            "Only columns with a gain of at least {floor} are ranked: {own} of the average, {average}, and "
            "{other} of the cost of naming one of {n} columns, {formula} = {cost}."
        ),
        floor=format_decimal(entry.floor),
        own=format_number(round(naming.average_part, 6)),
        average=format_decimal(average),
        other=format_number(round(1.0 - naming.average_part, 6)),
        **cost,
    )


def naming_formula(naming: NamingCost) -> str:
    """The formula of the cost of naming a column.

    >>> naming_formula(NamingCost(15, 4000.0))
    '0.9 log2(15) / 4000'
    """
    return f"{NAMING_FACTOR:g} log2({naming.n_columns}) / {format_number(round(naming.rows, 6))}"


def format_decimal(number: float | None) -> str:
    """Four decimals, and three digits of a small number; empty for None and NaN.

    >>> format_decimal(0.24675), format_decimal(0.00087654), format_decimal(None)
    ('0.2467', '0.000877', '')
    """
    if number is None or number != number:
        return ""
    size = abs(number)
    if size >= 1e6 or 0 < size < 1e-6:
        return format(number, ".4g")
    if size == 0 or size >= 0.01:
        return format(number, ".4f")
    return format(number, f".{2 - floor(log10(size))}f").rstrip("0")
