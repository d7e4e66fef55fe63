"""Verdicts: which candidate of a node wins, and why each of the others does not.

`judge` takes the candidates of a node with their numbers and returns them with a verdict and its reason: chosen, tied
with the winner, ranked lower, below the floor, or rejected. It also returns the floor and the margin of the winner.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from treewright._core import codes
from treewright.data.schema import Column, Kind
from treewright.grow.candidates import Candidate as Found
from treewright.grow.candidates import ReplayedNode
from treewright.grow.plan import TWO_WAY_GROUPINGS
from treewright.ledger import ledger_reasons as reasons
from treewright.ledger.ledger_reasons import (
    Reason,
    mention_violating_cuts,
    why_beaten,
    why_below,
    why_chosen,
    why_not_above_penalty,
    why_tied,
)
from treewright.ledger.node_cuts import side_minimum
from treewright.ledger.node_statistics import NodeStatistics
from treewright.ledger.record import BELOW, CHOSEN, REJECTED, TIED, Candidate, NamingCost, floor_of
from treewright.model.formatting import format_category, format_number, format_value
from treewright.prune.report_text import format_figures

ALL_TRIED = 10
"""With at most so many categories, and three classes or more, every division into two groups is tried."""

NO_GAIN = 1e-10
"""A gain after the penalty that counts as 0."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates with their verdicts, the parts of the floor, and the margin of the winner."""

    candidates: tuple[Candidate, ...]
    average: float | None
    margin: float | None
    naming: NamingCost | None = None


def judge(
    rows: NodeStatistics,
    replayed: ReplayedNode,
    candidates: Sequence[Candidate],
    columns_above: Set[int],
    rows_of: Callable[[int], NodeStatistics] | None = None,
) -> Judged:
    """Judge the candidates of a node.

    columns_above  the columns that nodes above split on
    rows_of        the rows of the node as a column has them, where columns are known one by one only
    """
    plan = rows.prepared.plan
    ranked_by = "ratio" if plan.merit == "ratio" else "gain"
    average, naming = floor_parts(rows, replayed)
    floor = floor_of(average, naming)
    merits = {c.column: c.merit for c in candidates if c.merit is not None}
    tie = codes.GAIN_TIE * (1.0 if plan.merit == "ratio" else rows.impurity)
    best = max(merits.values(), default=0.0)
    tied = [column for column, merit in merits.items() if not best > merit + tie]
    judged = []
    for found, one in zip(replayed.candidates, candidates, strict=True):
        if one.column == replayed.chosen:
            judged.append(replace(one, verdict=CHOSEN, reason=why_chosen(ranked_by, len(tied), len(merits))))
        elif one.column in tied:
            judged.append(replace(one, verdict=TIED, reason=why_tied(candidates[tied[0]].name)))
        elif one.merit is not None:
            judged.append(replace(one, reason=why_beaten(ranked_by, one.merit, best)))
        elif found.ok and floor is not None and found.gain < floor - plan.slack:
            judged.append(replace(one, verdict=BELOW, reason=why_below(found.gain, average, naming)))
        else:
            own = rows if rows_of is None else rows_of(one.column)
            reason = _why_not_monotone(own, found, one) or _why_rejected(own, found, one, columns_above)
            judged.append(replace(one, verdict=REJECTED, reason=reason))
        if judged[-1].verdict != REJECTED and found.n_barred and found.n_cuts:
            judged[-1] = mention_violating_cuts(judged[-1], found.n_cuts, found.n_barred)
    others = [merit for column, merit in merits.items() if column != replayed.chosen]
    margin = None
    if others and replayed.chosen is not None:
        margin = 0.0 if len(tied) > 1 else best - max(others)
    return Judged(tuple(judged), average, margin, naming)


def floor_parts(rows: NodeStatistics, replayed: ReplayedNode) -> tuple[float | None, NamingCost | None]:
    """The average gain and the cost of naming a column; None where it is not part of the node's floor."""
    numbers, n_columns = rows.prepared.numbers, sum(one.ok for one in replayed.candidates)
    average_part = float(numbers["average_part"])
    if rows.prepared.plan.floor == "none" or not n_columns:
        return None, None
    average = average_gain(replayed, numbers["many_valued"]) if average_part > 0.0 else None
    if average_part == 1.0:
        return average, None
    return average, NamingCost(n_columns, rows.total / rows.prepared.weights.one, average_part)


def average_gain(replayed: ReplayedNode, many_valued: Any) -> float | None:
    """The mean gain of the columns with a candidate; columns of many values count only when there are no others."""
    ok = [c for c in replayed.candidates if c.ok]
    counted = [c.gain for c in ok if not many_valued[c.column]] or [c.gain for c in ok]
    return sum(counted) / len(counted) if counted else None


def _why_not_monotone(rows: NodeStatistics, found: Found, one: Candidate) -> Reason | None:
    """Why a column has no candidate that it would have without `monotonic_cst`; None where that is not the reason.

    A column whose best cut gains no more than its penalty has a monotonic cut, so the penalty is the reason.
    """
    if not found.n_barred or found.ok or (one.penalty > 0 and one.gain is not None and one.gain <= NO_GAIN):
        return None
    is_number = rows.prepared.dataset.schema.columns[found.column].kind is not Kind.CATEGORY
    reason = reasons.SPLIT_NOT_MONOTONE()
    if is_number and found.n_cuts > 1:
        reason = reasons.CUTS_NOT_MONOTONE(n=str(found.n_cuts))
    details = _constraint(rows, found.column)
    return reason if details is None else reasons.WITH_CONSTRAINT(reason=reason, details=details)


def _constraint(rows: NodeStatistics, column: int) -> Reason | None:
    """The bounds of the node's predictions and the direction of the column; None without either."""
    direction = int(rows.prepared.numbers["monotonic"][column])
    low, high = rows.bounds
    bounds = None
    if low > -inf and high < inf:
        low_text, high_text = format_figures([low, high])
        bounds = reasons.BETWEEN(low=low_text, high=high_text)
    elif low > -inf:
        bounds = reasons.AT_LEAST(low=format_number(round(low, 6)))
    elif high < inf:
        bounds = reasons.AT_MOST(high=format_number(round(high, 6)))
    if not direction:
        return bounds
    change = reasons.RISING() if direction > 0 else reasons.FALLING()
    return change if bounds is None else reasons.BOUNDS_AND_DIRECTION(bounds=bounds, direction=change)


def _why_rejected(rows: NodeStatistics, found: Found, one: Candidate, columns_above: Set[int]) -> Reason:
    column = rows.prepared.dataset.schema.columns[one.column]
    values = rows.values(one.column)
    distinct = np.unique(values[~np.isnan(values)])
    if found.has_split and not found.ok:
        return why_not_above_penalty(one, len(distinct))
    if one.gain is not None and one.split_info is not None:
        info, least = format_figures([one.split_info, rows.prepared.plan.min_info])
        return reasons.SMALL_SPLIT_INFO(info=info, least=least)
    if not len(distinct):
        return reasons.ALL_MISSING()
    splits_on_missing = rows.prepared.numbers["missing"] in (codes.LEARNED, codes.BRANCH)
    if len(distinct) == 1 and (one.missing == 0 or not splits_on_missing):
        template = reasons.ONE_VALUE_ABOVE if one.column in columns_above else reasons.ONE_VALUE
        return template(value=format_value(column, float(distinct[0])))
    if rows.prepared.plan.measured_by.by_deviance:
        return reasons.NO_RATES(amount=_amount(rows, rows.prepared.plan.limits.min_leaf))
    return _why_too_small(rows, found, column, len(distinct))


def _why_too_small(rows: NodeStatistics, found: Found, column: Column, n_values: int) -> Reason:
    """Why no split of a column with different values has branches that are large enough."""
    plan = rows.prepared.plan
    if column.kind is not Kind.CATEGORY:
        learned = rows.prepared.numbers["missing"] == codes.LEARNED
        values = rows.values(found.column)
        weight = rows.total if learned else int(rows.weight[~np.isnan(values)].sum())
        # The tolerance that growth subtracts from the minimum is not shown.
        least = max(side_minimum(rows, weight), plan.limits.min_leaf)
        return reasons.NO_CUT(amount=_amount(rows, least))
    if found.n_values == 1:
        return reasons.SINGLE_ROWS()
    amount = _amount(rows, plan.limits.min_leaf)
    grouped = column.n_categories > 2 and n_values <= codes.MAX_GROUPED and rows.n_classes > 0
    if plan.grouping == "greedy" and grouped:
        return reasons.NO_GROUPING(amount=amount)
    if plan.grouping == "least-loss" and grouped:
        return reasons.NO_MERGED_GROUPS(amount=amount)
    if plan.grouping not in TWO_WAY_GROUPINGS or n_values <= 2:
        return reasons.NO_TWO_BRANCHES(amount=amount)
    return _why_no_two_groups(rows, n_values, amount)


def _why_no_two_groups(rows: NodeStatistics, n_values: int, amount: Reason) -> Reason:
    """Why growth finds no two groups of at least this amount; groups that it does not try may be large enough."""
    binary = rows.prepared.plan.grouping == "binary" and not rows.prepared.plan.by_median
    if rows.n_classes > 2 and binary and n_values <= codes.MAX_GROUPED:
        return reasons.NO_LEAST_LOSS_GROUPS(amount=amount)
    if rows.n_classes > 2:
        all_tried = n_values <= ALL_TRIED and not binary
        return (reasons.NO_DIVISION if all_tried else reasons.NO_TRIED_DIVISION)(amount=amount)
    if rows.n_classes:
        template = reasons.NO_CUT_BY_CLASS_SINGLES if binary else reasons.NO_CUT_BY_CLASS
        return template(label=_second_class(rows), amount=amount)
    return (reasons.NO_CUT_BY_MEAN_SINGLES if binary else reasons.NO_CUT_BY_MEAN)(amount=amount)


def _second_class(rows: NodeStatistics) -> str:
    classes = rows.prepared.dataset.schema.target.classes
    assert classes is not None
    return format_category(classes[1])


def _amount(rows: NodeStatistics, least: float) -> Reason:
    """A minimum of rows, of weight, or of both."""
    limits, by_weight = rows.prepared.plan.limits, rows.counts_weight
    # Weights that are importances are counted in mean weights, and shown as they are.
    number = format_number(round(least * (rows.prepared.weights.one * rows.unit if by_weight else 1.0), 6))
    if by_weight:
        amount = reasons.WEIGHT(weight=number)
    else:
        amount = reasons.ONE_ROW() if number == "1" else reasons.ROWS(n=number)
    if limits.min_leaf_weight > 0:
        return reasons.AND_WEIGHT(amount=amount, weight=format_number(round(limits.min_leaf_weight, 6)))
    return amount


