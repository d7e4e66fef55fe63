"""Candidate numbers: the best split of one column at a node, with every number that leads to its gain.

`describe_candidate` returns a `Candidate` with branches, impurities, cuts, penalty, gain and ratio, not yet judged. The
numbers of growth itself (gain, penalty, split information, merit, threshold) are taken as they are; the others are
computed here from the rows of the node.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isinf, isnan, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.criteria.registry import CRITERIA
from treewright.data.schema import Column, Kind
from treewright.grow.candidates import Candidate as Found
from treewright.grow.candidates import GrowthReplay
from treewright.ledger.node_cuts import Cuts, find_cuts
from treewright.ledger.node_statistics import Floats, NodeStatistics, Whole
from treewright.ledger.record import RANKED, REJECTED, Branch, Candidate, Cut
from treewright.model.split import Split

N_CUTS = 6
"""Cuts of a number that a candidate lists: the best one and five more."""

BITS_PER_DOUBLING = 0.5
"""Regression: bits that describe the prediction of one more leaf, for each doubling of the rows; as in `_core/grow`."""

MAX_BITS = 1000.0
"""More bits would overflow 2 to their power; as in `_core/grow`."""

KINDS = {Kind.NUMBER: "number", Kind.ORDERED: "ordered", Kind.CATEGORY: "category"}


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The rows of a node divided by a candidate.

    branch      of each row, -1 where it is in none
    table       the class weights, or weight and moment, of each branch, in units
    stats       the same in the user's units, as in `Branch`
    impurity    of each branch
    split       the split
    """

    branch: NDArray[np.intp]
    table: Whole
    stats: list[tuple[float, ...]]
    impurity: Floats
    split: Split


def describe_candidate(replay: GrowthReplay, rows: NodeStatistics, found: Found, *, details: bool = True) -> Candidate:
    """Describe the candidate of a column; until it is judged its verdict is RANKED, or REJECTED where there is none.

    details  whether cuts have the stats of both sides, branches and cuts have texts, and ties are counted
    """
    column = rows.prepared.dataset.schema.columns[found.column]
    values = rows.values(found.column)
    is_missing = np.isnan(values)
    missing = int(rows.weight[is_missing].sum()) if is_missing.any() else 0
    fields: dict[str, Any] = {
        "column": found.column,
        "name": column.name,
        "kind": KINDS[column.kind],
        "verdict": RANKED if found.ok else REJECTED,
        "reason": "",
        "known": (rows.total - missing) * rows.unit,
        "missing": missing * rows.unit,
        "rho": (rows.total - missing) / rows.total,
    }
    if not found.has_split:
        return Candidate(**fields, before=_impurity(rows, ~is_missing))
    partition = partition_rows(rows, found, column, values, is_missing)
    all_in_branches = partition.branch.min(initial=0) >= 0
    before = rows.impurity if all_in_branches else _impurity(rows, partition.branch >= 0)
    weight = rows.weights(partition.table)
    proportion = weight / weight.sum()
    after = float((proportion * partition.impurity).sum())
    raw_gain, criterion = before - after, rows.prepared.plan.measured_by
    if criterion.measure is not None:
        raw_gain = criterion.measure(partition.table)
    gini_index = None
    if rows.n_classes:
        is_gini = criterion.terms is CRITERIA["gini"].terms
        gini_index = after if is_gini else float((proportion * CRITERIA["gini"].of_weights(partition.table)).sum())
    rho = 1.0 if all_in_branches else fields["rho"]
    gain = found.gain if found.ok else rho * raw_gain - found.penalty
    split_info = found.split_info
    cuts = None
    if column.kind is not Kind.CATEGORY:
        none_missing = rows.prepared.numbers["missing"] == codes.WHOLE
        order = rows.position.take(replay.by_value(found.column)) if none_missing else None
        cuts = find_cuts(replay, rows, found.column, values, order)
        cuts = cuts.without_excluded(found.threshold, rows.impurity) if found.n_barred else cuts
    return Candidate(
        **fields,
        before=before,
        after=after,
        raw_gain=raw_gain,
        penalty=found.penalty,
        gain=gain,
        split_info=split_info,
        ratio=gain / split_info if rows.n_classes and split_info > 0 else None,
        gini_index=gini_index,
        merit=None if isnan(found.merit) else found.merit,
        threshold=None if column.kind is Kind.CATEGORY else found.threshold,
        branches=_branches(rows, partition, details=details),
        n_cuts=found.n_cuts,
        cuts=() if cuts is None else _best_cuts(rows, values, is_missing, cuts, found, details=details),
        tied_cuts=0 if cuts is None or not details else max(0, int(np.count_nonzero(cuts.tied(rows.impurity))) - 1),
        n_values=_n_grouped_values(found),
    )


def partition_rows(
    rows: NodeStatistics, found: Found, column: Column, values: Floats, is_missing: NDArray[np.bool_]
) -> Partition:
    """Divide the rows by the candidate as growth would; rows that no branch takes are in branch -1."""
    if column.kind is not Kind.CATEGORY:
        branch = (values > found.threshold).astype(np.intp)
        n, table = 2, None
    else:
        of_code = np.full(column.n_categories, -1, np.intp)
        of_code[list(found.codes)] = found.branches
        branch = of_code[np.where(is_missing, 0, values).astype(np.intp)]
        n, table = max(found.branches) + 1, (found.codes, found.branches)
    missing_branch = _missing_branch(rows, found, n)
    n = max(n, missing_branch + 1)
    if missing_branch >= 0 or is_missing.any():
        branch[is_missing] = missing_branch
    split = Split(
        column,
        found.column,
        n,
        threshold=None if table else found.threshold,
        table=table,
        other=found.branches[0] if table else None,
        missing_branch=missing_branch if missing_branch >= 0 else None,
    )
    table_of = rows.tables(branch, n)
    stats = rows.stats(branch, table_of)
    return Partition(branch, table_of, stats, rows.impurities(table_of, stats), split)


def split_bit(rows: NodeStatistics) -> float:
    """The bits that distinguish a split from a leaf.

    For classes it is 1 bit where the floor is the cost of naming a column, and 0 where it is the average gain.
    """
    if rows.prepared.plan.penalty != "description":
        return 0.0
    return 1.0 - float(rows.prepared.numbers["average_part"]) if rows.n_classes else 1.0


def prediction_bits(rows: NodeStatistics) -> float:
    """The bits that describe the prediction of one more leaf; regression only."""
    described = rows.prepared.plan.penalty == "description"
    return 0.0 if rows.n_classes or not described else BITS_PER_DOUBLING * log2(max(effective_rows(rows), 1.0))


def effective_rows(rows: NodeStatistics) -> float:
    """The weight of the rows in units of one row: the number that bits are divided by."""
    return rows.total / rows.prepared.weights.one


def penalty_of_cuts(rows: NodeStatistics, found: Found) -> Callable[[float], float]:
    """The penalty of any cut of a column, as a function of its gain before the penalty.

    For classes all cuts of a column have the same penalty, for numbers a part of the loss that the cut leaves.
    """
    if rows.n_classes or rows.prepared.plan.penalty == "none" or not found.n_cuts:
        return lambda _: found.penalty
    bits = (log2(found.n_cuts) + split_bit(rows) + prediction_bits(rows)) / effective_rows(rows)
    factor = penalty_factor(rows.prepared.plan.criterion, bits)
    return lambda gain: (rows.impurity - gain) * factor


def penalty_factor(criterion: str, bits: float) -> float:
    """Regression: the part of the remaining loss that corresponds to so many bits per row.

    >>> penalty_factor("squared_error", 0.5), penalty_factor("absolute_error", 1.0)
    (1.0, 1.0)
    """
    return float(2.0 ** min(bits * (1.0 if CRITERIA[criterion].by_median else 2.0), MAX_BITS) - 1.0)


def _missing_branch(rows: NodeStatistics, found: Found, n: int) -> int:
    """The branch of rows with a missing value; -1 for none."""
    match found.missing_use:
        case codes.MISSING_LOW:
            return 0
        case codes.IS_MISSING:
            return 1
        case codes.THIRD:
            return n
    if rows.prepared.numbers["missing"] != codes.LEARNED:
        return -1
    return found.missing_branch if found.codes else 1


def _impurity(rows: NodeStatistics, among: NDArray[np.bool_]) -> float:
    branch = np.where(among, 0, -1)
    table = rows.tables(branch, 1)
    return float(rows.impurities(table, rows.stats(branch, table))[0])


def _n_grouped_values(found: Found) -> int:
    """The number of values that were grouped; 0 without a penalty, or where each value has its own branch."""
    if not found.branches or found.penalty <= 0.0:
        return 0
    n_groups = max(2, max(found.branches) + 1)  # missing values alone may be one of two groups
    return found.n_values if n_groups < found.n_values else 0


def _branches(rows: NodeStatistics, partition: Partition, *, details: bool) -> tuple[Branch, ...]:
    """The branches that have rows."""
    weight = (rows.weights(partition.table) * rows.unit).tolist()
    return tuple(
        Branch(
            partition.split.branch_words(b) if details else "",
            weight[b],
            partition.stats[b],
            float(partition.impurity[b]),
        )
        for b in range(len(weight))
        if weight[b] > 0
    )


def _best_cuts(
    rows: NodeStatistics, values: Floats, is_missing: NDArray[np.bool_], cuts: Cuts, found: Found, *, details: bool
) -> tuple[Cut, ...]:
    """The best cuts, best first, with their gains after rho and penalty."""
    column = rows.prepared.dataset.schema.columns[found.column]
    low: tuple[float, ...] = ()
    high, words = low, ""
    any_missing, learned = bool(is_missing.any()), rows.prepared.numbers["missing"] == codes.LEARNED
    rho = 1.0 if learned or not any_missing else float(rows.weight[~is_missing].sum() / rows.total)
    missing_gain = 0.0  # of a branch for missing values only
    if found.missing_use == codes.THIRD:
        of_missing, of_known = _impurity(rows, is_missing), _impurity(rows, ~is_missing)
        missing_gain = rows.impurity - (1.0 - rho) * of_missing - rho * of_known
    listed = []
    best = cuts.best_first(rows.impurity, N_CUTS)
    best_gains = cuts.gain[best]
    is_tied = best_gains >= best_gains.max(initial=-np.inf) - codes.GAIN_TIE * rows.impurity
    columns = (cuts.thresholds(best), cuts.missing[best], best_gains, is_tied)
    penalty = penalty_of_cuts(rows, found)
    for threshold, side, raw_gain, tied in zip(*(numbers.tolist() for numbers in columns), strict=True):
        if details:
            branch = np.where(is_missing, side, values > threshold).astype(np.intp)
            if isinf(threshold):
                branch = is_missing.astype(np.intp)
            low, high = rows.stats(branch, rows.tables(branch, 2))
            words = Split(column, found.column, 2, threshold=threshold).branch_words(0)
        gain = raw_gain * rho + missing_gain
        missing = side if side >= 0 and any_missing else None
        listed.append(Cut(threshold, gain - penalty(gain), low, high, tied, missing, words))
    return tuple(listed)
