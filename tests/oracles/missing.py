"""Candidates where values are missing: one search for each strategy.

In: a `Ground`, a column and all rows of a node. Out: the column's `Candidate`, its gain multiplied and penalised as the
section "Missing values" says, or None; and the split information of a candidate.
"""

import math
from dataclasses import replace
from fractions import Fraction

from tests.oracles.candidates import (
    Candidate,
    best_subsets,
    by_category,
    each_candidate,
    first_best,
    neighbours,
    number_candidate,
    side_minimum,
    subset_branches,
    subset_candidate,
    threshold,
)
from tests.oracles.ground import Ground, Real
from tests.oracles.groups import group_candidate
from tests.oracles.merging import binary_candidate, least_loss_candidate, two_groups
from tests.oracles.penalties import bits_of_a_split, bits_of_cuts, bits_of_two, less_penalty


def candidate(ground: Ground, column: int, rows: list[int]) -> Candidate | None:
    """What a column offers at a node."""
    values = ground.columns[column].values
    known = [r for r in rows if values[r] is not None]
    missing = [r for r in rows if values[r] is None]
    if not known:
        return None
    if not missing:
        return penalised(ground, rows, found_on(ground, column, known, missing))
    match ground.options.missing:
        case "learned":
            return penalised(ground, rows, learned(ground, column, known, missing))
        case "branch":
            return with_branch(ground, column, known, missing)
        case "fractional" | "surrogate" | "stop":
            found = found_on(ground, column, known, missing)
            if found is None:
                return None
            rho = ground.times(Fraction(ground.units(known), ground.units(rows)))
            return penalised(ground, rows, replace(found, gain=rho * found.gain, unplaced=missing))
    raise ValueError(f"a missing cell, and missing={ground.options.missing!r}")


def found_on(ground: Ground, column: int, known: list[int], missing: list[int]) -> Candidate | None:
    """The candidate of the known rows, as if the node held no others; only groups look at how many are missing."""
    if ground.columns[column].kind != "category":
        return number_candidate(ground, column, known)
    match ground.options.grouping:
        case "each":
            return each_candidate(ground, column, known)
        case "subset":
            return subset_candidate(ground, column, known)
        case "binary":
            return binary_candidate(ground, column, known)
        case "least-loss":
            return least_loss_candidate(ground, column, known, missing)
    return group_candidate(ground, column, known, missing)


def penalised(ground: Ground, rows: list[int], found: Candidate | None) -> Candidate | None:
    """The candidate less what its description costs, or None when nothing is left."""
    penalty = ground.options.penalty
    if found is None or penalty == "none" or (penalty == "cuts" and found.n_cuts == 0):
        return found
    gain = less_penalty(ground, rows, found.gain, bits_paid(ground, rows, found))
    return None if gain is None else replace(found, gain=gain)


def bits_paid(ground: Ground, rows: list[int], found: Candidate) -> float:
    """What the description of a candidate costs."""
    bits = bits_of_cuts(found.n_cuts) if found.n_cuts else found.bits
    match ground.options.penalty:
        case "description":
            return bits_of_a_split(ground, rows) + bits
        case "cuts" if found.n_cuts:
            return bits
    return 0.0


def learned(ground: Ground, column: int, known: list[int], missing: list[int]) -> Candidate | None:
    """The missing rows are in one of the branches, whichever is better."""
    if ground.columns[column].kind != "category":
        return learned_cut(ground, column, known, missing)
    if ground.options.grouping in ("subset", "binary"):
        return learned_subset(ground, column, known, missing)
    found = found_on(ground, column, known, missing)
    if found is None:
        return None
    rows = known + missing
    places = [place for place, branch in enumerate(found.branches) if branch]
    joined = [[b + missing if i == place else b for i, b in enumerate(found.branches)] for place in places]
    gains = [ground.gain(rows, branches) for branches in joined]
    best, tied = first_best(gains, ground.tolerance(rows))
    return replace(
        found, branches=joined[best], gain=gains[best], missing_branch=places[best], tied=tied or found.tied
    )


def learned_cut(ground: Ground, column: int, known: list[int], missing: list[int]) -> Candidate | None:
    """Cuts with the missing rows above, the cut behind the largest value, cuts with the missing rows below."""
    values, rows = ground.columns[column].values, known + missing
    side, pairs = side_minimum(ground, rows), neighbours(ground, column, known)
    largest = max(values[r] for r in known)
    order = [*((a, b, 1) for a, b in pairs), (largest, math.inf, 1), *((a, b, 0) for a, b in pairs)]
    cuts: list[tuple[float, float, int, list[list[int]], Real]] = []
    for a, b, place in order:
        branches = [[r for r in known if values[r] <= a], [r for r in known if values[r] > a]]
        branches[place] = branches[place] + missing
        if all(ground.reaches(branch, side) for branch in branches) and ground.has_rates(branches):
            cuts.append((a, b, place, branches, ground.gain(rows, branches)))
    if not cuts:
        return None
    best, tied = first_best([gain for *_, gain in cuts], ground.tolerance(rows))
    a, b, place, branches, gain = cuts[best]
    written = math.inf if b == math.inf else threshold(ground, column, a, b)
    return Candidate(
        column, branches, gain, threshold=written, tied=tied, n_cuts=len(cuts), missing_branch=place
    )


def learned_subset(ground: Ground, column: int, known: list[int], missing: list[int]) -> Candidate | None:
    """Missing is one more category, with the highest code."""
    extra = ground.columns[column].n_categories
    present = by_category(ground, column, known) | {extra: missing}
    if ground.options.grouping == "subset":
        best = best_subsets(ground, present)
        found = None if best is None else (best[0], best[1], best[3], len(present))
    else:
        found = two_groups(ground, present)
    if found is None:
        return None
    high, branches, tied, n_values = found
    return Candidate(
        column,
        branches,
        ground.gain(known + missing, branches),
        branch_of=subset_branches(ground, column, present, high),
        tied=tied,
        bits=bits_of_two(n_values),
        missing_branch=int(extra in high),
    )


def with_branch(ground: Ground, column: int, known: list[int], missing: list[int]) -> Candidate | None:
    """The candidate of the known rows and one more branch; without one, the test whether the value is missing."""
    rows = known + missing
    if not ground.has_rates([known, missing]):
        return None
    found = found_on(ground, column, known, missing)
    if found is not None:
        branches, gain = [*found.branches, missing], ground.gain(rows, [*found.branches, missing])
        more = replace(found, branches=branches, gain=gain, missing_branch=len(found.branches))
        return penalised(ground, rows, more)
    if not all(ground.reaches(b, ground.options.min_leaf) for b in (known, missing)):
        return None
    gain = ground.gain(rows, [known, missing])
    asked = Candidate(column, [known, missing], gain, threshold=math.inf, missing_branch=1)
    n_categories = ground.columns[column].n_categories
    is_category = ground.columns[column].kind == "category"
    return replace(asked, threshold=math.nan, branch_of=(0,) * n_categories) if is_category else asked


def information(ground: Ground, found: Candidate) -> float:
    """The split information: over all branches, and over the missing share where the options ask for it."""
    if ground.options.info == "all":
        return ground.split_information([*found.branches, found.unplaced])
    return ground.split_information(found.branches)
