"""A category of one node -> its candidate: branches for the categories present.

In: the node's rows and their codes. Out: the column's entries of wk.candidates, and the branch of each category.
"""

import cython

if not cython.compiled:
    from math import log

    from treewright._core.codes import (
        ABSOLUTE_ERROR,
        BINARY,
        BRANCH,
        EACH,
        ENTROPY,
        FAST_BOUNDS,
        GINI,
        GREEDY,
        LEARNED,
        LEAST_LOSS,
        MAX_GROUPED,
        POISSON,
        SQUARED_ERROR,
        SUBSET,
    )
    from treewright._core.grow.candidates import add_branches, add_missing_test, info_for_node, whole_gain
    from treewright._core.grow.contingency import branch_each, tabulate
    from treewright._core.grow.cuts_median import rank_rows
    from treewright._core.grow.groups import branch_groups
    from treewright._core.grow.groups_least_loss import branch_binary, branch_least_loss
    from treewright._core.grow.impurity import (
        beats,
        centre_of,
        gain_of,
        has_no_rate,
        impurity_of,
        info_of,
        weight_of,
    )
    from treewright._core.grow.missing import lacks_rate, make_known_node
    from treewright._core.grow.monotone import branch_is_within
    from treewright._core.grow.subsets import branch_subsets
    from treewright._core.grow.subsets_gini import most_of_two
    from treewright._core.grow.subsets_median import branch_by_median
    from treewright._core.grow.workspace import Work

FEW_CATEGORIES = cython.declare(cython.longlong, 4)  # categories: to try their subsets out takes no longer than a bound
MOST_CLASSES = cython.declare(cython.int, 16)  # most_of_two has room for these


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gather_branches(wk: Work, f: cython.longlong, n: cython.longlong) -> cython.void:
    """Add up the table's rows by branch, in place. A branch's first category comes before those it takes in."""
    first: cython.longlong = wk.candidates.first_code[f]
    v: cython.longlong
    b: cython.longlong
    k: cython.int
    for k in range(wk.table.width):
        for b in range(wk.candidates.n_branches[f]):
            wk.scratch.table_sums[b] = 0
        for v in range(n):
            wk.scratch.table_sums[wk.candidates.branches[first + v]] += wk.scratch.contingency[v, k]
        for b in range(wk.candidates.n_branches[f]):
            wk.scratch.contingency[b, k] = wk.scratch.table_sums[b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def in_two(wk: Work) -> cython.bint:
    """Whether categories are split into two groups always."""
    return wk.plan.grouping == SUBSET or wk.plan.grouping == BINARY


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def by_medians(wk: Work) -> cython.bint:
    """Whether two groups are found by absolute errors."""
    return in_two(wk) and wk.plan.criterion == ABSOLUTE_ERROR


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_branches(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Branches for the n categories of the table; whether there are. Afterwards scratch.contingency has a row a
    branch, but for subsets and absolute error, where scratch.side_stats has.
    """
    found: cython.bint
    groups: cython.bint = wk.table.n_levels[f] > 2 and n <= MAX_GROUPED and wk.table.n_classes > 0
    wk.candidates.grouping[f] = wk.plan.grouping
    wk.candidates.n_values[f] = n
    if by_medians(wk):
        return branch_by_median(wk, node, f, n)
    if wk.plan.grouping == SUBSET:
        found = branch_subsets(wk, node, f, n)
    elif wk.plan.grouping == BINARY:
        found = branch_binary(wk, node, f, n)
    elif wk.plan.grouping == GREEDY and groups:
        found = branch_groups(wk, node, f, n)
    elif wk.plan.grouping == LEAST_LOSS and groups:
        found = branch_least_loss(wk, node, f, n)
    else:
        wk.candidates.grouping[f] = EACH
        found = branch_each(wk, f, n)
    if found:
        gather_branches(wk, f, n)
        if wk.plan.criterion == POISSON and has_no_rate(wk.scratch.contingency, wk.candidates.n_branches[f]):
            return False
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_of_branches(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.double:
    """The gain of the branches just found."""
    if by_medians(wk):
        return gain_of(wk.scratch.side_stats, 2, 0, wk.plan.criterion, wk.draft.impurity[node], wk.table.y_unit)
    return gain_of(wk.scratch.contingency, wk.candidates.n_branches[f], wk.table.n_classes, wk.plan.criterion,
                   wk.draft.impurity[node], wk.table.y_unit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_of_branches(wk: Work, f: cython.longlong) -> cython.double:
    """Their split information; 0 where no ratio is taken and it is not used."""
    if wk.plan.use_bound:
        return 0.0
    if by_medians(wk):
        return info_of(wk.scratch.side_stats, 2, 0, wk.plan.criterion)
    return info_of(wk.scratch.contingency, wk.candidates.n_branches[f], wk.table.n_classes, wk.plan.criterion)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_missing_stats(wk: Work, node: cython.longlong, place: cython.longlong) -> cython.void:
    """Category: the stats of the missing rows, which are in this row of the table, as scratch.known_stats[1]."""
    k: cython.int
    for k in range(wk.table.width):
        wk.scratch.known_stats[1, k] = wk.scratch.contingency[place, k]
    if wk.plan.criterion == SQUARED_ERROR:  # the table's moments are counted from the node's mean
        wk.scratch.known_stats[1, 1] += centre_of(wk.draft.stats[node, 1],
                                                  wk.draft.stats[node, 0]) * wk.scratch.known_stats[1, 0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def impurity_of_row(wk: Work, place: cython.longlong) -> cython.double:
    """Weight times impurity of a row of the table, but for what all splits of a node have in common."""
    weight: cython.double = cython.cast(cython.double,
                                        weight_of(wk.scratch.contingency, place, wk.table.n_classes,
                                                  wk.plan.criterion))
    if wk.plan.criterion == SQUARED_ERROR:
        return -wk.scratch.contingency[place, 1] / weight * wk.scratch.contingency[place, 1] if weight > 0 else 0.0
    if wk.plan.criterion == POISSON:
        return -wk.scratch.contingency[place, 1] * log(wk.scratch.contingency[place, 1] / weight)
    return weight * impurity_of(wk.scratch.contingency, place, wk.table.n_classes, wk.plan.criterion)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_missing_to_branch(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Learned, more than two branches: add the missing rows to the branch that leaves most gain, the first on a tie.

    Only the branch they join changes, so what matters is how much impurity it takes on. In a monotone tree a branch
    that may predict what it then would goes before one that may not.
    """
    spare: cython.longlong = wk.candidates.n_branches[f]
    b: cython.longlong
    k: cython.int
    best: cython.longlong = -1
    fits: cython.bint = True
    best_fits: cython.bint = True
    cost: cython.double
    least: cython.double = 0.0
    scale: cython.double = wk.draft.impurity[node] * wk.draft.weight[node]
    if wk.plan.criterion == SQUARED_ERROR:
        scale /= wk.table.y_unit * wk.table.y_unit
    if wk.plan.criterion == POISSON:
        scale /= wk.table.y_unit
    for b in range(wk.candidates.n_branches[f]):
        for k in range(wk.table.width):
            wk.scratch.contingency[spare, k] = wk.scratch.contingency[b, k] + wk.scratch.known_stats[1, k]
        cost = impurity_of_row(wk, spare) - impurity_of_row(wk, b)
        if wk.plan.monotone:
            fits = branch_is_within(wk, node, spare)
        if best < 0 or (fits and not best_fits) or (fits == best_fits and beats(least, cost, scale)):
            best = b
            best_fits = fits
            least = cost
    for k in range(wk.table.width):
        wk.scratch.contingency[best, k] += wk.scratch.known_stats[1, k]
    wk.candidates.missing_branch[f] = cython.cast(cython.int, best)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cannot_win(wk: Work, node: cython.longlong, known: cython.longlong, n: cython.longlong) -> cython.bint:
    """Whether no two groups of the n categories of the table gain more than an earlier column: not even a branch for
    each does, which, these criteria being concave, gains as much as any groups, or what bounds two of
    them. The table has the rows of `known`, the node or its node of known rows.
    """
    part: cython.double = cython.cast(cython.double, wk.draft.weight[known]) / cython.cast(cython.double,
                                                                                           wk.draft.weight[node])
    if (not wk.plan.use_bound or wk.search.best_gain < 0 or wk.plan.monotone or not in_two(wk)
        or not wk.plan.fast_paths & FAST_BOUNDS):
        return False
    if known != node and wk.plan.missing == BRANCH:
        return False
    if (wk.plan.criterion != GINI and wk.plan.criterion != ENTROPY and wk.plan.criterion != SQUARED_ERROR
            and wk.plan.criterion != POISSON):
        return False
    if beats(wk.search.best_gain,
             part
             * gain_of(wk.scratch.contingency, n, wk.table.n_classes, wk.plan.criterion, wk.draft.impurity[known],
                       wk.table.y_unit), wk.draft.impurity[node]):
        return True
    return (wk.plan.criterion == GINI and 2 < wk.table.n_classes <= MOST_CLASSES and n > FEW_CATEGORIES
            and beats(wk.search.best_gain, part * most_of_two(wk, n), wk.draft.impurity[node]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_known_categories(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.void:
    """The candidate of a category that some rows are missing on, found on the n categories known."""
    known_node: cython.longlong
    store_missing_stats(wk, node, n)
    known_node = make_known_node(wk, node, f)
    if lacks_rate(wk):
        return
    if wk.plan.missing_in_split_info:
        wk.search.missing_weight = cython.cast(cython.double, wk.draft.weight[node] - wk.draft.weight[known_node])
    if n < 2 and wk.plan.missing != BRANCH:
        wk.candidates.is_constant[f] = 1
    elif n >= 2 and cannot_win(wk, node, known_node, n):
        return
    elif n >= 2 and find_branches(wk, known_node, f, n):
        if wk.plan.missing == LEARNED:
            add_missing_to_branch(wk, node, f)
            add_branches(wk, node, f, gain_of_branches(wk, node, f), info_of_branches(wk, f))
        else:
            add_branches(wk, node, f, whole_gain(wk, node, known_node, gain_of_branches(wk, known_node, f)),
                         info_for_node(wk, node, known_node, f, info_of_branches(wk, f)))
    else:
        add_missing_test(wk, node, known_node, f)
    if wk.plan.criterion == ABSOLUTE_ERROR:
        rank_rows(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_category(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a category."""
    n: cython.longlong = tabulate(wk, node, f)
    last: cython.longlong = wk.candidates.first_code[f] + n - 1
    wk.search.missing_weight = 0.0
    wk.candidates.n_present[f] = n
    wk.candidates.has_rest[f] = 0
    wk.candidates.n_cuts[f] = 0
    if n < 2:
        wk.candidates.is_constant[f] = 1
        return
    if wk.candidates.codes[last] == wk.table.n_levels[f]:
        wk.candidates.n_missing[f] = wk.scratch.table_rows[n - 1]
        wk.candidates.n_present[f] = n - 1
        if wk.plan.missing != LEARNED or not in_two(wk):
            search_known_categories(wk, node, f, n - 1)
            return
    if not cannot_win(wk, node, node, n) and find_branches(wk, node, f, n):
        add_branches(wk, node, f, gain_of_branches(wk, node, f), info_of_branches(wk, f))
        wk.candidates.missing_branch[f] = wk.candidates.branches[last]
