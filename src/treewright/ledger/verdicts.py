"""Verdicts: which candidate of a node wins, and what speaks against each of the others.

In: the candidates of a node with their numbers. Out: the same, judged: chosen, tied with the winner, beaten, below the
average, or rejected, each with the reason in a sentence; and the average and the margin.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright._core import codes
from treewright.data.schema import Column, Kind
from treewright.grow.candidates import Seen
from treewright.ledger.cuts import side_minimum
from treewright.ledger.held import Held
from treewright.ledger.record import BELOW, CHOSEN, REJECTED, TIED, Candidate
from treewright.model.words import category_words, number_words
from treewright.prune.report_page import figures
from treewright.search.scores import TIE

LITTLE = 1e-10
"""Release 8 takes no cut of a number that gains no more than this after the charge."""

ALL_TRIED = 10
"""Up to so many categories and three classes or more, every division in two is looked at."""

MERIT_WORDS = {"ratio": "gain ratio", "decrease": "gain"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates with their verdicts, the average they had to reach, and the lead of the winner."""

    candidates: tuple[Candidate, ...]
    average: float | None
    margin: float | None


def judge(rows: Held, seen: Seen, spread: Sequence[Candidate], asked: Set[int]) -> Judged:
    """The verdicts on the candidates of a node; `asked` are the columns that nodes above ask for."""
    plan, fields = rows.prepared.plan, rows.prepared.fields
    average = average_gain(seen, fields["wide"]) if plan.floor == "average" else None
    ranked = [c for c in spread if c.merit is not None]
    scale = 1.0 if plan.merit == "ratio" else rows.impurity
    best = max((c.merit for c in ranked if c.merit is not None), default=0.0)
    near = [c.column for c in ranked if c.merit is not None and not best > c.merit + TIE * scale]
    judged = []
    for found, one in zip(seen.candidates, spread, strict=True):
        if one.column == seen.chosen:
            reason = why_chosen(MERIT_WORDS[plan.merit], len(near), len(ranked))
            judged.append(replace(one, verdict=CHOSEN, reason=reason))
        elif one.column in near:
            judged.append(replace(one, verdict=TIED, reason=why_tied(spread[near[0]].name)))
        elif one.merit is not None:
            judged.append(replace(one, reason=why_beaten(MERIT_WORDS[plan.merit], one.merit, best)))
        elif found.ok and average is not None and found.gain < average - plan.slack:
            judged.append(replace(one, verdict=BELOW, reason=why_below(found.gain, average)))
        else:
            judged.append(replace(one, verdict=REJECTED, reason=_why_rejected(rows, one, asked)))
    others = [c.merit for c in ranked if c.merit is not None and c.column != seen.chosen]
    margin = None
    if others and seen.chosen is not None:
        margin = 0.0 if len(near) > 1 else best - max(others)
    return Judged(tuple(judged), average, margin)


def average_gain(seen: Seen, wide: Any) -> float | None:
    """The mean gain of the columns with a candidate; wide columns count only when there are no others."""
    ok = [c for c in seen.candidates if c.ok]
    counted = [c.gain for c in ok if not wide[c.column]] or [c.gain for c in ok]
    return sum(counted) / len(counted) if counted else None


def why_chosen(merit: str, n_near: int, n_ranked: int) -> str:
    """Why a column won: `merit` is what columns are ranked by, `n_near` how many are as good as the best.

    >>> why_chosen("gain", 2, 5)
    'the first in the table of 2 columns with the highest gain'
    """
    if n_ranked == 1:
        return "the only column that is ranked"
    if n_near > 1:
        return f"the first in the table of {n_near} columns with the highest {merit}"
    return f"the highest {merit}"


def why_tied(winner: str) -> str:
    """Why a column that is as good as the winner did not win.

    >>> why_tied("outlook")
    'as good as outlook, but later in the table'
    """
    return f"as good as {winner}, but later in the table"


def why_beaten(merit: str, own: float, best: float) -> str:
    """Why a column that was ranked did not win.

    >>> why_beaten("gain", 0.0481, 0.2467)
    'gain 0.0481, the highest is 0.247'
    """
    own_words, best_words = figures([own, best])
    return f"{merit} {own_words}, the highest is {best_words}"


def why_below(gain: float, average: float) -> str:
    """Why a column was not ranked.

    >>> why_below(0.0481, 0.1513)
    'the gain 0.0481 is below the average 0.151'
    """
    own, floor = figures([gain, average])
    return f"the gain {own} is below the average {floor}"


def _why_rejected(rows: Held, one: Candidate, asked: Set[int]) -> str:
    column = rows.prepared.dataset.schema.columns[one.column]
    plan = rows.prepared.plan
    if one.split_info is not None and plan.charge != "none" and one.gain is not None and one.gain <= LITTLE:
        if one.n_cuts == 1:  # log2(1) is no charge
            return "its only cut gains nothing"
        raw, charge = figures([one.gain + one.charge, one.charge])
        return f"its best cut gains {raw}, not more than the charge of {charge} for {one.n_cuts} cuts"
    if one.gain is not None and one.split_info is not None:
        info, least = figures([one.split_info, plan.min_info])
        return f"the split information {info} is not above {least}, so there is no gain ratio"
    values = rows.values(one.column)
    met = np.unique(values[~np.isnan(values)])
    if not len(met):
        return "no row here has a known value"
    if len(met) == 1 and (one.missing == 0 or rows.prepared.fields["missing"] not in (codes.LEARNED, codes.BRANCH)):
        above = "; it was asked for above" if one.column in asked else ""
        return f"one value here, {_cell(column, float(met[0]))}{above}"
    return _too_small(rows, one, column, len(met))


def _too_small(rows: Held, one: Candidate, column: Column, n_met: int) -> str:
    plan = rows.prepared.plan
    if column.kind is not Kind.CATEGORY:
        learned = rows.prepared.fields["missing"] == codes.LEARNED
        weight = rows.total if learned else round(one.known / rows.unit)
        # what was taken off the minimum to forgive rounding is not told
        least = max(side_minimum(rows, weight), plan.limits.min_leaf)
        return f"no cut leaves at least {_amount(rows, least)} on both sides"
    if plan.category == "group":
        return f"no grouping of its values with two groups of at least {_amount(rows, plan.limits.min_leaf)} gains"
    amount = _amount(rows, plan.limits.min_leaf)
    if plan.category != "subset" or n_met <= 2:
        return f"no two branches would hold at least {amount}"
    # Two groups may be large enough that growth does not look at.
    if rows.n_classes > 2:
        every = n_met <= ALL_TRIED
        return f"no {'' if every else 'tried '}division of its values in two leaves at least {amount} on both sides"
    by = f"share of {_second(rows)}" if rows.n_classes else "mean answer"
    return f"in the order of their {by}, no cut of its values leaves at least {amount} on both sides"


def _second(rows: Held) -> str:
    classes = rows.prepared.dataset.schema.target.classes
    assert classes is not None
    return category_words(classes[1])


def _amount(rows: Held, least: float) -> str:
    """A minimum in words."""
    limits, weighted = rows.prepared.plan.limits, rows.prepared.fields["weighted"]
    by_weight = rows.prepared.fields["count_weight"] and weighted
    # a weight that is an importance counts in mean weights, and is told as it is
    number = number_words(round(least * (rows.prepared.weights.one * rows.unit if by_weight else 1.0), 6))
    words = f"a weight of {number}" if by_weight else f"{number} row{'' if number == '1' else 's'}"
    if limits.min_leaf_weight > 0:
        words += f" and a weight of {number_words(round(limits.min_leaf_weight, 6))}"
    return words


def _cell(column: Column, value: float) -> str:
    return number_words(value) if column.kind is Kind.NUMBER else category_words(column.categories[int(value)])
