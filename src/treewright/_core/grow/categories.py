"""A category of one node -> its candidate: branches for the categories present.

In: the node's rows and their codes. Out: the column's entries of wk.c_*, and the branch of each category.
"""

import cython

if not cython.compiled:
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
        SQUARED_ERROR,
        SUBSET,
    )
    from treewright._core.grow.candidates import info_for_node, offer_branches, offer_test, whole_gain
    from treewright._core.grow.contingency import branch_each, tabulate
    from treewright._core.grow.cuts_median import rank_rows
    from treewright._core.grow.groups import branch_groups
    from treewright._core.grow.groups_least_loss import branch_binary, branch_least_loss
    from treewright._core.grow.impurity import beats, centre_of, gain_of, impurity_of, info_of, weight_of
    from treewright._core.grow.missing import raise_ghost
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
    first: cython.longlong = wk.level_start[f]
    v: cython.longlong
    b: cython.longlong
    k: cython.int
    for k in range(wk.width):
        for b in range(wk.c_branches[f]):
            wk.sums[b] = 0
        for v in range(n):
            wk.sums[wk.c_branch[first + v]] += wk.table[v, k]
        for b in range(wk.c_branches[f]):
            wk.table[b, k] = wk.sums[b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def in_two(wk: Work) -> cython.bint:
    """Whether categories are split into two groups always."""
    return wk.grouping == SUBSET or wk.grouping == BINARY


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def by_medians(wk: Work) -> cython.bint:
    """Whether two groups are found by absolute errors."""
    return in_two(wk) and wk.criterion == ABSOLUTE_ERROR


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_branches(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Branches for the n categories of the table; whether there are. Afterwards wk.table has a row a branch, but
    for subsets and absolute error, where wk.sides has.
    """
    found: cython.bint
    groups: cython.bint = wk.n_levels[f] > 2 and n <= MAX_GROUPED and wk.n_classes > 0
    wk.c_style[f] = wk.grouping
    wk.c_blocks[f] = n
    if by_medians(wk):
        return branch_by_median(wk, node, f, n)
    if wk.grouping == SUBSET:
        found = branch_subsets(wk, node, f, n)
    elif wk.grouping == BINARY:
        found = branch_binary(wk, node, f, n)
    elif wk.grouping == GREEDY and groups:
        found = branch_groups(wk, node, f, n)
    elif wk.grouping == LEAST_LOSS and groups:
        found = branch_least_loss(wk, node, f, n)
    else:
        wk.c_style[f] = EACH
        found = branch_each(wk, f, n)
    if found:
        gather_branches(wk, f, n)
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_of_branches(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.double:
    """The gain of the branches just found."""
    if by_medians(wk):
        return gain_of(wk.sides, 2, 0, wk.criterion, wk.impurity[node], wk.y_unit)
    return gain_of(wk.table, wk.c_branches[f], wk.n_classes, wk.criterion, wk.impurity[node], wk.y_unit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_of_branches(wk: Work, f: cython.longlong) -> cython.double:
    """Their split information; 0 where no ratio is taken and no one looks at it."""
    if wk.use_bound:
        return 0.0
    if by_medians(wk):
        return info_of(wk.sides, 2, 0, wk.criterion)
    return info_of(wk.table, wk.c_branches[f], wk.n_classes, wk.criterion)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_apart(wk: Work, node: cython.longlong, place: cython.longlong) -> cython.void:
    """Category: the stats of the missing rows, which stand at this place of the table, as wk.apart[1]."""
    k: cython.int
    for k in range(wk.width):
        wk.apart[1, k] = wk.table[place, k]
    if wk.criterion == SQUARED_ERROR:  # the table's moments are counted from the node's mean
        wk.apart[1, 1] += centre_of(wk.stats[node, 1], wk.stats[node, 0]) * wk.apart[1, 0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def spread_of(wk: Work, place: cython.longlong) -> cython.double:
    """Weight times impurity of a row of the table, but for what all splits of a node have in common."""
    weight: cython.double = cython.cast(cython.double, weight_of(wk.table, place, wk.n_classes, wk.criterion))
    if wk.criterion == SQUARED_ERROR:
        return -wk.table[place, 1] / weight * wk.table[place, 1] if weight > 0 else 0.0
    return weight * impurity_of(wk.table, place, wk.n_classes, wk.criterion)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join_missing(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Learned, more than two branches: add the missing rows to the branch that leaves most gain, the first on a tie.

    Only the branch they join changes, so what matters is how much impurity it takes on. In a monotone tree a branch
    that may answer what it then would goes before one that may not.
    """
    spare: cython.longlong = wk.c_branches[f]
    b: cython.longlong
    k: cython.int
    best: cython.longlong = -1
    fits: cython.bint = True
    best_fits: cython.bint = True
    cost: cython.double
    least: cython.double = 0.0
    scale: cython.double = wk.impurity[node] * wk.weight[node]
    if wk.criterion == SQUARED_ERROR:
        scale /= wk.y_unit * wk.y_unit
    for b in range(wk.c_branches[f]):
        for k in range(wk.width):
            wk.table[spare, k] = wk.table[b, k] + wk.apart[1, k]
        cost = spread_of(wk, spare) - spread_of(wk, b)
        if wk.monotone:
            fits = branch_is_within(wk, node, spare)
        if best < 0 or (fits and not best_fits) or (fits == best_fits and beats(least, cost, scale)):
            best = b
            best_fits = fits
            least = cost
    for k in range(wk.width):
        wk.table[best, k] += wk.apart[1, k]
    wk.c_missing_branch[f] = cython.cast(cython.int, best)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cannot_win(wk: Work, node: cython.longlong, known: cython.longlong, n: cython.longlong) -> cython.bint:
    """Whether no two groups of the n categories of the table gain more than an earlier column: not even a branch for
    each does, which, Gini, entropy and squared error being concave, gains as much as any groups, or what bounds two of
    them. The table has the rows of `known`, the node or its ghost.
    """
    part: cython.double = cython.cast(cython.double, wk.weight[known]) / cython.cast(cython.double, wk.weight[node])
    if not wk.use_bound or wk.best_gain < 0 or wk.monotone or not in_two(wk) or not wk.fast & FAST_BOUNDS:
        return False
    if known != node and wk.missing == BRANCH:
        return False
    if wk.criterion != GINI and wk.criterion != ENTROPY and wk.criterion != SQUARED_ERROR:
        return False
    if beats(wk.best_gain, part * gain_of(wk.table, n, wk.n_classes, wk.criterion, wk.impurity[known], wk.y_unit),
             wk.impurity[node]):
        return True
    return (wk.criterion == GINI and 2 < wk.n_classes <= MOST_CLASSES and n > FEW_CATEGORIES
            and beats(wk.best_gain, part * most_of_two(wk, n), wk.impurity[node]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_known_categories(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.void:
    """The candidate of a category that some rows are missing on, found on the n categories known."""
    ghost: cython.longlong
    take_apart(wk, node, n)
    ghost = raise_ghost(wk, node, f)
    if wk.info_all:
        wk.gone = cython.cast(cython.double, wk.weight[node] - wk.weight[ghost])
    if n < 2 and wk.missing != BRANCH:
        wk.c_dead[f] = 1
    elif n >= 2 and cannot_win(wk, node, ghost, n):
        return
    elif n >= 2 and find_branches(wk, ghost, f, n):
        if wk.missing == LEARNED:
            join_missing(wk, node, f)
            offer_branches(wk, node, f, gain_of_branches(wk, node, f), info_of_branches(wk, f))
        else:
            offer_branches(wk, node, f, whole_gain(wk, node, ghost, gain_of_branches(wk, ghost, f)),
                           info_for_node(wk, node, ghost, f, info_of_branches(wk, f)))
    else:
        offer_test(wk, node, ghost, f)
    if wk.criterion == ABSOLUTE_ERROR:
        rank_rows(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_category(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a category."""
    n: cython.longlong = tabulate(wk, node, f)
    last: cython.longlong = wk.level_start[f] + n - 1
    wk.gone = 0.0
    wk.c_present[f] = n
    wk.c_extra[f] = 0
    wk.c_cuts[f] = 0
    if n < 2:
        wk.c_dead[f] = 1
        return
    if wk.c_code[last] == wk.n_levels[f]:
        wk.c_missing[f] = wk.table_rows[n - 1]
        wk.c_present[f] = n - 1
        if wk.missing != LEARNED or not in_two(wk):
            search_known_categories(wk, node, f, n - 1)
            return
    if not cannot_win(wk, node, node, n) and find_branches(wk, node, f, n):
        offer_branches(wk, node, f, gain_of_branches(wk, node, f), info_of_branches(wk, f))
        wk.c_missing_branch[f] = wk.c_branch[last]
