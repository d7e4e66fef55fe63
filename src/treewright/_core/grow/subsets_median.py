"""A category column of one node split into two subsets, for absolute error.

In: the categories present and their means in scratch.key. Out: a branch for each, as in subsets.py. Losses of
unions do not add up from those of the parts, so the rows are laid out by category, in order of mean, and
scanned like a number. Where values of a single row are one (the grouping "binary") no cut parts them, nor
values of the same mean.
"""

import cython

if not cython.compiled:
    from math import floor

    from treewright._core.codes import BINARY, FLAG, FRACTIONAL
    from treewright._core.grow.contingency import sort_categories
    from treewright._core.grow.cuts import Cut
    from treewright._core.grow.cuts_median import scan_median
    from treewright._core.grow.cuts_monotone import scan_monotone
    from treewright._core.grow.groups_least_loss import is_single, list_distinct
    from treewright._core.grow.node import whole_rows
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pool_singles(wk: Work, f: cython.longlong, n: cython.longlong) -> cython.void:
    """Give all values of a single row the mean of them all; scratch.order is that of the means."""
    weight: cython.double = 0.0
    total: cython.double = 0.0
    i: cython.longlong
    v: cython.int
    for v in range(n):
        wk.scratch.table_sums[v] = wk.scratch.contingency[v, 0]
    wk.candidates.n_values[f] = list_distinct(wk, n)
    for i in range(n):
        v = wk.scratch.order[i]
        if is_single(wk, v):
            weight += wk.scratch.table_sums[v]
            total += wk.scratch.table_sums[v] * wk.scratch.key[v]
    if weight > 0:
        total /= weight
        if wk.plan.missing == FRACTIONAL:  # means are steps of a grid then
            total = floor(total + 0.5)
        for v in range(n):
            if is_single(wk, v):
                wk.scratch.key[v] = total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lay_out(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.void:
    """The node's entries in scratch.buffer, by category in scratch.order; the first one of each that a cut may part
    from the one before is flagged.
    """
    first: cython.longlong = wk.candidates.first_code[f]
    codes: cython.longlong = wk.table.category_of[f]
    m: cython.longlong = wk.draft.rows[node]
    place: cython.longlong = 0
    i: cython.longlong
    v: cython.int
    row: cython.uint
    for i in range(n):
        v = wk.scratch.order[i]
        wk.scratch.table_row[wk.candidates.codes[first + v]] = v
        wk.scratch.offset[v] = place
        place += wk.scratch.table_rows[v]
    for i in range(m):
        row = wk.scratch.ranked[i]
        v = wk.scratch.table_row[wk.table.codes[codes, row]]
        wk.scratch.buffer[wk.scratch.offset[v]] = row
        wk.scratch.offset[v] += 1
    for i in range(n):
        v = wk.scratch.order[i]
        wk.scratch.table_row[wk.candidates.codes[first + v]] = -1
        if i == 0 or wk.plan.grouping != BINARY or wk.scratch.key[v] != wk.scratch.key[wk.scratch.order[i - 1]]:
            wk.scratch.buffer[wk.scratch.offset[v] - wk.scratch.table_rows[v]] |= FLAG


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_by_median(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Two subsets of the n categories present; False when no split leaves both sides large enough."""
    first: cython.longlong = wk.candidates.first_code[f]
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = 1
    weight: cython.double = 0.0
    i: cython.longlong
    low: cython.longlong = 0
    cut = cython.declare(Cut)
    wk.candidates.n_branches[f] = 2
    if wk.plan.count_weight:
        weight = wk.plan.min_leaf * wk.plan.row_weight
    else:
        need = whole_rows(wk.plan.min_leaf)
    if wk.plan.min_leaf_weight > weight:
        weight = wk.plan.min_leaf_weight
    if 2 * need > m:
        return False
    sort_categories(wk, n)
    if wk.plan.grouping == BINARY:
        pool_singles(wk, f, n)
        sort_categories(wk, n)
    lay_out(wk, node, f, n)
    if wk.plan.monotone:
        cut = scan_monotone(wk, node, wk.scratch.buffer, 0, need - 1, m - need, weight)
    else:
        cut = scan_median(wk, wk.scratch.buffer, 0, m, need - 1, m - need, weight, wk.draft.weight[node],
                          wk.search.loss_scale)
    for i in range(n):
        wk.candidates.branches[first + wk.scratch.order[i]] = 0 if low <= cut.pos else 1
        low += wk.scratch.table_rows[wk.scratch.order[i]]
    return cut.pos >= 0
