"""One column of one node -> its candidate.

In: the node's rows. Out: the column's entries of wk.c_*: whether there is a candidate, its gain (less its charge)
and split information, and what is needed to make the split.
"""

from math import log2

import cython

if cython.compiled:
    from cython.cimports.libc.math import log2
    from cython.cimports.treewright._core.category import branch_each, tabulate, whole_rows
    from cython.cimports.treewright._core.codes import (
        ABSOLUTE_ERROR,
        EACH,
        ENTROPY,
        GROUP,
        MAX_GROUPED,
        SQUARED_ERROR,
        SUBSET,
        TWOING,
    )
    from cython.cimports.treewright._core.grouping import branch_groups
    from cython.cimports.treewright._core.impurity import centre_of, gain_of, info_of, weight_of
    from cython.cimports.treewright._core.scan import Cut, count_cuts, has_cut, no_cut, scan_unit
    from cython.cimports.treewright._core.scan_mean import scan_mean
    from cython.cimports.treewright._core.scan_median import scan_median
    from cython.cimports.treewright._core.scan_two import scan_two
    from cython.cimports.treewright._core.scan_weighted import scan_weighted
    from cython.cimports.treewright._core.subset import branch_subsets
    from cython.cimports.treewright._core.subset_median import branch_by_median
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.category import branch_each, tabulate, whole_rows
    from treewright._core.codes import (
        ABSOLUTE_ERROR,
        EACH,
        ENTROPY,
        GROUP,
        MAX_GROUPED,
        SQUARED_ERROR,
        SUBSET,
        TWOING,
    )
    from treewright._core.grouping import branch_groups
    from treewright._core.impurity import centre_of, gain_of, info_of, weight_of
    from treewright._core.scan import Cut, count_cuts, has_cut, no_cut, scan_unit
    from treewright._core.scan_mean import scan_mean
    from treewright._core.scan_median import scan_median
    from treewright._core.scan_two import scan_two
    from treewright._core.scan_weighted import scan_weighted
    from treewright._core.subset import branch_subsets
    from treewright._core.subset_median import branch_by_median
    from treewright._core.work import Work

LEAST_GAIN = cython.declare(cython.double, 1e-10)
NONE = cython.declare(cython.double, -1e300)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def smallest_side(wk: Work, node: cython.longlong) -> cython.double:
    """The least a side of a cut must hold, in rows or, if the plan counts weight, in weights of one row."""
    least: cython.double = wk.min_leaf
    part: cython.double
    if wk.side_share and wk.n_classes > 0:
        part = wk.weight[node] / wk.one / (10.0 * wk.n_classes)
        if part > 25.0:
            part = 25.0
        if part > least:
            least = part
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proxy_to_reach(wk: Work, node: cython.longlong, two: cython.bint) -> cython.double:
    """The proxy a scan has to reach to matter: just below that of the best column so far; -1e300 for none."""
    m: cython.double = cython.cast(cython.double, wk.rows[node])
    gain: cython.double = wk.best_gain * (1.0 - 1e-9)
    if not wk.use_bound or wk.best_gain < 0:
        return NONE
    if two:
        return gain * m * m * (1.0 if wk.criterion == TWOING else 0.5)
    if wk.criterion == ENTROPY:
        return (gain - wk.impurity[node]) * m
    return gain * m + wk.node_sum / m


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_cut(wk: Work, node: cython.longlong, f: cython.longlong) -> Cut:
    """The best cut of a number, with its gain and the weight below it."""
    cut = cython.declare(Cut)
    base: cython.longlong = wk.list_of[f] * wk.n_rows + wk.start[node]
    m: cython.longlong = wk.rows[node]
    least: cython.double = smallest_side(wk, node)
    need: cython.longlong = 1
    centre: cython.longlong = 0
    k: cython.int
    if not wk.weighted:
        need = whole_rows(least if least > wk.min_leaf_weight else wk.min_leaf_weight)
        least = 0.0
    elif wk.count_weight:
        least *= wk.one
    else:
        need = whole_rows(least)
        least = 0.0
    if wk.weighted and wk.min_leaf_weight > least:
        least = wk.min_leaf_weight
    if 2 * need > m:  # no cut leaves both sides enough rows; the scans count on lo < hi
        return no_cut()
    if wk.criterion == ABSOLUTE_ERROR:
        cut = scan_median(wk, wk.lists, base, m, need - 1, m - need, least, wk.weight[node],
                          (wk.n_lists - 1) * wk.n_rows + wk.start[node], wk.loss_scale)
    elif wk.criterion == SQUARED_ERROR:
        centre = centre_of(wk.stats[node, 1], wk.stats[node, 0])
        cut = scan_mean(wk.lists, base, m, need - 1, m - need, least, wk.row_mask, wk.moments, wk.weights,
                        wk.weighted, wk.weight[node], centre,
                        wk.stats[node, 1] - centre * wk.stats[node, 0], wk.left)
    elif wk.weighted or (wk.criterion == TWOING and wk.n_classes != 2):
        cut = scan_weighted(wk.lists, base, m, need - 1, m - need, least, wk.row_mask, wk.labels, wk.weights,
                            wk.weighted, wk.n_classes, wk.stats, node, wk.criterion, wk.sides, wk.left)
    else:
        return find_unit_cut(wk, node, base, need)
    if cut.pos >= 0:
        if wk.criterion != ABSOLUTE_ERROR:
            for k in range(wk.width):
                wk.sides[0, k] = wk.left[k]
                wk.sides[1, k] = wk.stats[node, k] - wk.left[k]
        if wk.criterion == SQUARED_ERROR:
            wk.sides[1, 1] -= centre * wk.stats[node, 0]
        cut.low = weight_of(wk.sides, 0, wk.n_classes, wk.criterion)
        cut.gain = gain_of(wk.sides, 2, wk.n_classes, wk.criterion, wk.impurity[node], wk.y_unit)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_unit_cut(wk: Work, node: cython.longlong, base: cython.longlong, need: cython.longlong) -> Cut:
    """The best cut for classes when every row counts once."""
    cut = cython.declare(Cut)
    m: cython.longlong = wk.rows[node]
    if wk.n_classes == 2 and wk.criterion != ENTROPY and wk.label_mask:
        cut = scan_two(wk.lists, base, m, need - 1, m - need, wk.shift, wk.stats[node, 1],
                       proxy_to_reach(wk, node, True), wk.criterion == TWOING)
    else:
        cut = scan_unit(wk.lists, base, m, need - 1, m - need, wk.shift, wk.label_mask, wk.row_mask,
                        wk.labels, wk.n_classes, wk.stats, node, wk.xlogx, wk.criterion == ENTROPY,
                        proxy_to_reach(wk, node, False), wk.node_sum, wk.sides, wk.pair)
    if wk.charge or not wk.use_bound:
        cut.cuts = count_cuts(wk.lists, base, need - 1, m - need)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_number(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a number: its best cut, charged for the choice among cuts where the plan says so."""
    cut = cython.declare(Cut)
    gain: cython.double
    low: cython.double
    if not has_cut(wk.lists, wk.list_of[f] * wk.n_rows + wk.start[node], wk.rows[node]):
        wk.c_dead[f] = 1
        return
    cut = find_cut(wk, node, f)
    wk.c_pos[f] = cut.pos
    wk.c_cuts[f] = cut.cuts
    wk.c_scored[f] = cut.scored
    wk.c_branches[f] = 2
    if cut.pos < 0:
        return
    gain = cut.gain
    if wk.charge:
        gain -= log2(cython.cast(cython.double, cut.cuts)) / (wk.weight[node] / wk.one)
        if gain <= LEAST_GAIN:
            return
    low = cython.cast(cython.double, cut.low) / cython.cast(cython.double, wk.weight[node])
    wk.c_ok[f] = 1
    wk.c_gain[f] = gain
    wk.c_info[f] = -low * log2(low) - (1.0 - low) * log2(1.0 - low)


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
def search_category(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a category."""
    n: cython.longlong = tabulate(wk, node, f)
    found: cython.bint
    wk.c_present[f] = n
    wk.c_style[f] = wk.category
    wk.c_extra[f] = 0
    wk.c_cuts[f] = 0
    wk.c_scored[f] = 0
    if n < 2:
        wk.c_dead[f] = 1
        return
    if wk.category == SUBSET and wk.criterion == ABSOLUTE_ERROR:
        if branch_by_median(wk, node, f, n):
            wk.c_ok[f] = 1
            wk.c_gain[f] = gain_of(wk.sides, 2, 0, wk.criterion, wk.impurity[node], wk.y_unit)
            wk.c_info[f] = info_of(wk.sides, 2, 0, wk.criterion)
        return
    if wk.category == SUBSET:
        found = branch_subsets(wk, node, f, n)
    elif wk.category == GROUP and wk.n_levels[f] > 2 and n <= MAX_GROUPED and wk.n_classes > 0:
        found = branch_groups(wk, node, f, n)
    else:
        wk.c_style[f] = EACH
        found = branch_each(wk, f, n)
    if not found:
        return
    gather_branches(wk, f, n)
    wk.c_ok[f] = 1
    wk.c_gain[f] = gain_of(wk.table, wk.c_branches[f], wk.n_classes, wk.criterion, wk.impurity[node], wk.y_unit)
    wk.c_info[f] = info_of(wk.table, wk.c_branches[f], wk.n_classes, wk.criterion)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_column(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Fill the candidate of column f."""
    wk.c_ok[f] = 0
    wk.c_dead[f] = 0
    wk.c_gain[f] = 0.0
    wk.c_info[f] = 0.0
    wk.c_pos[f] = -1
    if wk.list_of[f] >= 0:
        search_number(wk, node, f)
    else:
        search_category(wk, node, f)
    if wk.c_ok[f] and wk.c_gain[f] > wk.best_gain:
        wk.best_gain = wk.c_gain[f]
