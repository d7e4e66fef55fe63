"""Spread: the candidate of one column, with every number on the way to its gain.

In: the rows a node holds and what growth says of the column. Out: a `Candidate` with its branches, impurities, cuts,
charge, gain and ratio, not yet judged. Growth's own numbers (gain, charge, split information, merit, threshold) are
taken as they are; the others are worked out here.
"""

from dataclasses import dataclass
from math import isinf, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.criteria.registry import CRITERIA
from treewright.data.schema import Column, Kind
from treewright.grow.candidates import Candidate as Found
from treewright.grow.candidates import Walk
from treewright.ledger.charges import charge_of_cuts
from treewright.ledger.cuts import Cuts, cuts_of
from treewright.ledger.held import Floats, Held, Whole
from treewright.ledger.record import RANKED, REJECTED, Branch, Candidate, Cut
from treewright.model.split import Split
from treewright.search.scores import TIE

N_CUTS = 6
"""Cuts of a number that are told: the best one and five more."""

KINDS = {Kind.NUMBER: "number", Kind.ORDERED: "ordered", Kind.CATEGORY: "category"}


@dataclass(frozen=True, slots=True, eq=False)
class Divided:
    """The rows of a node divided by a candidate.

    branch      of each row, -1 where it is in none
    table       a row of stats for each branch
    stats       the same in the user's units, as in `Branch`
    impurity    of each branch
    split       the question
    """

    branch: NDArray[np.intp]
    table: Whole
    stats: list[tuple[float, ...]]
    impurity: Floats
    split: Split


def spread(walk: Walk, rows: Held, found: Found, *, sides: bool = True) -> Candidate:
    """The candidate of a column; the verdict is RANKED, or REJECTED where there is none, until it is judged.

    sides  whether cuts have the stats of both sides, branches and cuts their words, and ties are counted
    """
    column = rows.prepared.dataset.schema.columns[found.column]
    values = rows.values(found.column)
    gone = np.isnan(values)
    missing = int(rows.weight[gone].sum()) if gone.any() else 0
    own: dict[str, Any] = {
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
        return Candidate(**own, before=_impurity(rows, ~gone))
    divided = divide(rows, found, column, values, gone)
    all_placed = divided.branch.min(initial=0) >= 0
    before = rows.impurity if all_placed else _impurity(rows, divided.branch >= 0)
    weight = rows.weights(divided.table)
    share = weight / weight.sum()
    after = float((share * divided.impurity).sum())
    raw, criterion = before - after, rows.prepared.plan.measured_by
    if criterion.measure is not None:
        raw = criterion.measure(divided.table)
    gini = None
    if rows.n_classes:
        is_gini = criterion.terms is CRITERIA["gini"].terms
        gini = after if is_gini else float((share * CRITERIA["gini"].of_weights(divided.table)).sum())
    part = 1.0 if all_placed else own["rho"]
    gain = found.gain if found.ok else part * raw - found.charge
    info = found.split_info
    cuts = None
    if column.kind is not Kind.CATEGORY:
        is_whole = rows.prepared.numbers["missing"] == codes.WHOLE
        order = rows.place.take(walk.by_value(found.column)) if is_whole else None
        cuts = cuts_of(walk, rows, found.column, values, order)
        cuts = cuts.after(found.threshold, rows.impurity) if found.n_barred else cuts
    return Candidate(
        **own,
        before=before,
        after=after,
        raw_gain=raw,
        charge=found.charge,
        gain=gain,
        split_info=info,
        ratio=gain / info if rows.n_classes and info > 0 else None,
        gini_index=gini,
        merit=None if isnan(found.merit) else found.merit,
        threshold=None if column.kind is Kind.CATEGORY else found.threshold,
        branches=_branches(rows, divided, sides=sides),
        n_cuts=found.n_cuts,
        cuts=() if cuts is None else _told(rows, values, gone, cuts, found, sides=sides),
        tied_cuts=0 if cuts is None or not sides else max(0, int(np.count_nonzero(cuts.tied(rows.impurity))) - 1),
        n_values=_grouped(found),
    )


def divide(rows: Held, found: Found, column: Column, values: Floats, gone: NDArray[np.bool_]) -> Divided:
    """The rows divided by the candidate as growth would divide them, those apart that no branch takes.

    gone  where values are missing
    """
    if column.kind is not Kind.CATEGORY:
        branch = (values > found.threshold).astype(np.intp)
        n, table = 2, None
    else:
        of_code = np.full(column.n_categories, -1, np.intp)
        of_code[list(found.codes)] = found.branches
        branch = of_code[np.where(gone, 0, values).astype(np.intp)]
        n, table = max(found.branches) + 1, (found.codes, found.branches)
    place = _missing_place(rows, found, n)
    n = max(n, place + 1)
    if place >= 0 or gone.any():
        branch[gone] = place
    split = Split(
        column,
        found.column,
        n,
        threshold=None if table else found.threshold,
        table=table,
        other=found.branches[0] if table else None,
        missing_branch=place if place >= 0 else None,
    )
    table_of = rows.tables(branch, n)
    stats = rows.stats(branch, table_of)
    return Divided(branch, table_of, stats, rows.impurities(table_of, stats), split)


def _missing_place(rows: Held, found: Found, n: int) -> int:
    """The branch of rows whose value is missing; -1: none."""
    match found.way:
        case codes.MISSING_LOW:
            return 0
        case codes.IS_MISSING:
            return 1
        case codes.THIRD:
            return n
    if rows.prepared.numbers["missing"] != codes.LEARNED:
        return -1
    return found.missing_branch if found.codes else 1


def _impurity(rows: Held, among: NDArray[np.bool_]) -> float:
    branch = np.where(among, 0, -1)
    table = rows.tables(branch, 1)
    return float(rows.impurities(table, rows.stats(branch, table))[0])


def _grouped(found: Found) -> int:
    """The values that a charged grouping was made of; 0 where a branch for each of them was no choice."""
    if not found.branches or found.charge <= 0.0:
        return 0
    n_groups = max(2, max(found.branches) + 1)  # missing rows may be one of two groups by themselves
    return found.n_values if n_groups < found.n_values else 0


def _branches(rows: Held, divided: Divided, *, sides: bool) -> tuple[Branch, ...]:
    """The branches that hold rows, with their words if asked for."""
    weight = (rows.weights(divided.table) * rows.unit).tolist()
    return tuple(
        Branch(divided.split.branch_words(b) if sides else "", weight[b], divided.stats[b], float(divided.impurity[b]))
        for b in range(len(weight))
        if weight[b] > 0
    )


def _told(
    rows: Held, values: Floats, gone: NDArray[np.bool_], cuts: Cuts, found: Found, *, sides: bool
) -> tuple[Cut, ...]:
    """The best cut and its runners-up, with what they gain in the end, and their sides if asked for."""
    column = rows.prepared.dataset.schema.columns[found.column]
    low: tuple[float, ...] = ()
    high, words = low, ""
    any_gone, learned = bool(gone.any()), rows.prepared.numbers["missing"] == codes.LEARNED
    rho = 1.0 if learned or not any_gone else float(rows.weight[~gone].sum() / rows.total)
    apart = 0.0
    if found.way == codes.THIRD:
        of_gone, of_known = _impurity(rows, gone), _impurity(rows, ~gone)
        apart = rows.impurity - (1.0 - rho) * of_gone - rho * of_known
    told = []
    best = cuts.best_first(rows.impurity, N_CUTS)
    gain_of = cuts.gain[best]
    is_tied = gain_of >= gain_of.max(initial=-np.inf) - TIE * rows.impurity
    of_best = (cuts.written(best), cuts.missing[best], gain_of, is_tied)
    charge = charge_of_cuts(rows, found)
    for threshold, place, before, tied in zip(*(numbers.tolist() for numbers in of_best), strict=True):
        if sides:
            branch = np.where(gone, place, values > threshold).astype(np.intp)
            if isinf(threshold):
                branch = gone.astype(np.intp)
            low, high = rows.stats(branch, rows.tables(branch, 2))
            words = Split(column, found.column, 2, threshold=threshold).branch_words(0)
        gain = before * rho + apart
        missing = place if place >= 0 and any_gone else None
        told.append(Cut(threshold, gain - charge(gain), low, high, tied, missing, words))
    return tuple(told)
