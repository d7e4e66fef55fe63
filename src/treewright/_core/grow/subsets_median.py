"""A category column of one node split into two subsets, for absolute error.

In: the categories present and their means in wk.key. Out: a branch for each, as in subsets.py. Losses of
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
    from treewright._core.grow.groups_least_loss import is_single, told_apart
    from treewright._core.grow.node import whole_rows
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pool_singles(wk: Work, f: cython.longlong, n: cython.longlong) -> cython.void:
    """Give all values of a single row the mean of them all; wk.order is that of the means."""
    weight: cython.double = 0.0
    total: cython.double = 0.0
    i: cython.longlong
    v: cython.int
    for v in range(n):
        wk.sums[v] = wk.table[v, 0]
    wk.c_blocks[f] = told_apart(wk, n)
    for i in range(n):
        v = wk.order[i]
        if is_single(wk, v):
            weight += wk.sums[v]
            total += wk.sums[v] * wk.key[v]
    if weight > 0:
        total /= weight
        if wk.missing == FRACTIONAL:  # means are steps of a grid then
            total = floor(total + 0.5)
        for v in range(n):
            if is_single(wk, v):
                wk.key[v] = total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lay_out(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.void:
    """The node's entries in wk.buffer, by category in wk.order; the first one of each that a cut may part from the one
    before is flagged.
    """
    first: cython.longlong = wk.level_start[f]
    codes: cython.longlong = wk.code_of[f]
    m: cython.longlong = wk.rows[node]
    place: cython.longlong = 0
    i: cython.longlong
    v: cython.int
    row: cython.uint
    for i in range(n):
        v = wk.order[i]
        wk.slot[wk.c_code[first + v]] = v
        wk.offset[v] = place
        place += wk.table_rows[v]
    for i in range(m):
        row = wk.ranked[i]
        v = wk.slot[wk.codes[codes, row]]
        wk.buffer[wk.offset[v]] = row
        wk.offset[v] += 1
    for i in range(n):
        v = wk.order[i]
        wk.slot[wk.c_code[first + v]] = -1
        if i == 0 or wk.grouping != BINARY or wk.key[v] != wk.key[wk.order[i - 1]]:
            wk.buffer[wk.offset[v] - wk.table_rows[v]] |= FLAG


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_by_median(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Two subsets of the n categories present; False when no split leaves both sides large enough."""
    first: cython.longlong = wk.level_start[f]
    m: cython.longlong = wk.rows[node]
    need: cython.longlong = 1
    weight: cython.double = 0.0
    i: cython.longlong
    low: cython.longlong = 0
    cut = cython.declare(Cut)
    wk.c_branches[f] = 2
    if wk.count_weight:
        weight = wk.min_leaf * wk.one
    else:
        need = whole_rows(wk.min_leaf)
    if wk.min_leaf_weight > weight:
        weight = wk.min_leaf_weight
    if 2 * need > m:
        return False
    sort_categories(wk, n)
    if wk.grouping == BINARY:
        pool_singles(wk, f, n)
        sort_categories(wk, n)
    lay_out(wk, node, f, n)
    if wk.monotone:
        cut = scan_monotone(wk, node, wk.buffer, 0, need - 1, m - need, weight)
    else:
        cut = scan_median(wk, wk.buffer, 0, m, need - 1, m - need, weight, wk.weight[node], wk.loss_scale)
    for i in range(n):
        wk.c_branch[first + wk.order[i]] = 0 if low <= cut.pos else 1
        low += wk.table_rows[wk.order[i]]
    return cut.pos >= 0
