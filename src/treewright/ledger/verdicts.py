"""Verdicts: which candidate of a node wins, and what speaks against each of the others.

In: the candidates of a node with their numbers. Out: the same, judged: chosen, tied with the winner, beaten, below the
floor, or rejected, each with the reason in a sentence; and the floor and the margin.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright._core import codes
from treewright.data.schema import Column, Kind
from treewright.grow.candidates import Candidate as Found
from treewright.grow.candidates import Seen
from treewright.grow.plan import IN_TWO
from treewright.ledger.cuts import side_minimum
from treewright.ledger.held import Held
from treewright.ledger.order import why_barred, with_barred
from treewright.ledger.record import BELOW, CHOSEN, REJECTED, TIED, Candidate, Naming, floor_of
from treewright.ledger.words import why_below, why_eaten
from treewright.model.words import category_words, number_words
from treewright.prune.report_page import figures
from treewright.search.scores import TIE

ALL_TRIED = 10
"""Up to so many categories and three classes or more, every division in two is looked at."""

MERIT_WORDS = {"ratio": "gain ratio", "decrease": "gain"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates with their verdicts, what they had to reach, and the lead of the winner."""

    candidates: tuple[Candidate, ...]
    average: float | None
    margin: float | None
    naming: Naming | None = None


def judge(rows: Held, seen: Seen, spread: Sequence[Candidate], asked: Set[int]) -> Judged:
    """The verdicts on the candidates of a node; `asked` are the columns that nodes above ask for."""
    plan = rows.prepared.plan
    average, naming = floor_parts(rows, seen)
    floor = floor_of(average, naming)
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
        elif found.ok and floor is not None and found.gain < floor - plan.slack:
            judged.append(replace(one, verdict=BELOW, reason=why_below(found.gain, average, naming)))
        else:
            reason = why_barred(rows, found, one) or _why_rejected(rows, found, one, asked)
            judged.append(replace(one, verdict=REJECTED, reason=reason))
        judged[-1] = with_barred(judged[-1], found)
    others = [c.merit for c in ranked if c.merit is not None and c.column != seen.chosen]
    margin = None
    if others and seen.chosen is not None:
        margin = 0.0 if len(near) > 1 else best - max(others)
    return Judged(tuple(judged), average, margin, naming)


def floor_parts(rows: Held, seen: Seen) -> tuple[float | None, Naming | None]:
    """What the floor of a node is made of: the average gain and the price of a name, None where it is no part of it."""
    numbers, n_columns = rows.prepared.numbers, sum(one.ok for one in seen.candidates)
    part = float(numbers["average_part"])
    if rows.prepared.plan.floor == "none" or not n_columns:
        return None, None
    average = average_gain(seen, numbers["many_valued"]) if part > 0.0 else None
    return average, Naming(n_columns, rows.total / rows.prepared.weights.one, part) if part < 1.0 else None


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


def _why_rejected(rows: Held, found: Found, one: Candidate, asked: Set[int]) -> str:
    column = rows.prepared.dataset.schema.columns[one.column]
    plan = rows.prepared.plan
    values = rows.values(one.column)
    met = np.unique(values[~np.isnan(values)])
    if found.has_split and not found.ok:
        return why_eaten(one, len(met))
    if one.gain is not None and one.split_info is not None:
        info, least = figures([one.split_info, plan.min_info])
        return f"the split information {info} is not above {least}, so there is no gain ratio"
    if not len(met):
        return "no row here has a known value"
    if len(met) == 1 and (one.missing == 0 or rows.prepared.numbers["missing"] not in (codes.LEARNED, codes.BRANCH)):
        above = "; it was asked for above" if one.column in asked else ""
        return f"one value here, {_cell(column, float(met[0]))}{above}"
    return _too_small(rows, found, column, len(met))


def _too_small(rows: Held, found: Found, column: Column, n_met: int) -> str:
    """Why no split of a column with different values has branches that are large enough."""
    plan = rows.prepared.plan
    if column.kind is not Kind.CATEGORY:
        learned = rows.prepared.numbers["missing"] == codes.LEARNED
        values = rows.values(found.column)
        weight = rows.total if learned else int(rows.weight[~np.isnan(values)].sum())
        # what was taken off the minimum to forgive rounding is not told
        least = max(side_minimum(rows, weight), plan.limits.min_leaf)
        return f"no cut leaves at least {_amount(rows, least)} on both sides"
    if found.n_values == 1:
        return "each of its values is that of a single row, and such values count as one"
    amount = _amount(rows, plan.limits.min_leaf)
    grouped = column.n_categories > 2 and n_met <= codes.MAX_GROUPED and rows.n_classes > 0
    if plan.grouping == "greedy" and grouped:
        return f"no grouping of its values with two groups of at least {amount} gains"
    if plan.grouping == "least-loss" and grouped:
        return f"however far its values are merged, no two groups hold at least {amount}"
    if plan.grouping not in IN_TWO or n_met <= 2:
        return f"no two branches would hold at least {amount}"
    return _no_two(rows, n_met, amount)


def _no_two(rows: Held, n_met: int, amount: str) -> str:
    """Why there are no two groups of at least this amount that growth looks at; others may be large enough."""
    binary = rows.prepared.plan.grouping == "binary" and not rows.prepared.plan.by_median
    if rows.n_classes > 2 and binary and n_met <= codes.MAX_GROUPED:
        return f"merged at the least loss, its values make no two groups of at least {amount}"
    if rows.n_classes > 2:
        every = n_met <= ALL_TRIED and not binary
        return f"no {'' if every else 'tried '}division of its values in two leaves at least {amount} on both sides"
    by = f"share of {_second(rows)}" if rows.n_classes else "mean answer"
    if binary:
        return (
            f"in the order of their {by}, those of a single row as one, no cut between two values that differ leaves "
            f"at least {amount} on both sides"
        )
    return f"in the order of their {by}, no cut of its values leaves at least {amount} on both sides"


def _second(rows: Held) -> str:
    classes = rows.prepared.dataset.schema.target.classes
    assert classes is not None
    return category_words(classes[1])


def _amount(rows: Held, least: float) -> str:
    """A minimum in words."""
    limits, weighted = rows.prepared.plan.limits, rows.prepared.table["weighted"]
    by_weight = rows.prepared.numbers["count_weight"] and weighted
    # a weight that is an importance counts in mean weights, and is told as it is
    number = number_words(round(least * (rows.prepared.weights.one * rows.unit if by_weight else 1.0), 6))
    words = f"a weight of {number}" if by_weight else f"{number} row{'' if number == '1' else 's'}"
    if limits.min_leaf_weight > 0:
        words += f" and a weight of {number_words(round(limits.min_leaf_weight, 6))}"
    return words


def _cell(column: Column, value: float) -> str:
    return number_words(value) if column.kind is Kind.NUMBER else category_words(column.categories[int(value)])
