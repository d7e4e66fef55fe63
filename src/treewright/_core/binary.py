"""A category column of one node, its values in two groups, for a tree where splits pay for their description.

In: the contingency table of the categories present. Out: a branch (0 or 1) for each, in the column's part of
wk.c_branch. Two classes and numbers: sorted by share or mean, the best cut of that order is the best of all splits.
More classes: the pair of groups that loses least gain is merged until two are left.

A value that a single row has tells nothing about other rows; all these together are one value. So a column that names
its rows is never split.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.agglomerate import branch_two_of_blocks
    from cython.cimports.treewright._core.category import level_keys
    from cython.cimports.treewright._core.codes import MAX_GROUPED
    from cython.cimports.treewright._core.impurity import mean_of, weight_of
    from cython.cimports.treewright._core.subset import cut_order, search_orders
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.agglomerate import branch_two_of_blocks
    from treewright._core.category import level_keys
    from treewright._core.codes import MAX_GROUPED
    from treewright._core.impurity import mean_of, weight_of
    from treewright._core.subset import cut_order, search_orders
    from treewright._core.work import Work

NONE = cython.declare(cython.double, -1e300)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_single(wk: Work, v: cython.longlong) -> cython.bint:
    """Whether a category, whose weight stands in wk.sums, has no more weight than a single row may have."""
    return wk.sums[v] <= wk.single + wk.close


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def told_apart(wk: Work, n: cython.longlong) -> cython.longlong:
    """How many values there are when all those of a single row are one."""
    v: cython.longlong
    singles: cython.longlong = 0
    for v in range(n):
        if is_single(wk, v):
            singles += 1
    return n - singles + (1 if singles > 0 else 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_of(wk: Work, moment: cython.longlong, weight: cython.longlong) -> cython.double:
    """The share of the second class, or the mean."""
    if wk.n_classes > 0:
        return cython.cast(cython.double, moment) / cython.cast(cython.double, weight)
    return mean_of(moment, weight)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_keys(wk: Work, n: cython.longlong) -> cython.longlong:
    """Set wk.key to share or mean, one for all values of a single row; how many values can be told apart."""
    v: cython.longlong
    moment: cython.longlong = 0
    weight: cython.longlong = 0
    singles: cython.longlong = 0
    key: cython.double
    for v in range(n):
        if is_single(wk, v):
            singles += 1
            weight += wk.sums[v]
            moment += wk.table[v, 1] if wk.width > 1 else 0
    for v in range(n):
        if not is_single(wk, v):
            wk.key[v] = key_of(wk, wk.table[v, 1] if wk.width > 1 else 0, wk.sums[v])
    if singles > 0:
        key = key_of(wk, moment, weight)
        for v in range(n):
            if is_single(wk, v):
                wk.key[v] = key
    level_keys(wk, n)
    return told_apart(wk, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_binary(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Two groups of the n categories present; whether there are any with both sides large enough."""
    v: cython.longlong
    wk.c_branches[f] = 2
    wk.c_blocks[f] = n
    for v in range(n):
        wk.sums[v] = weight_of(wk.table, v, wk.n_classes, wk.criterion)
    if wk.n_classes > 2:
        if told_apart(wk, n) <= MAX_GROUPED:
            return branch_two_of_blocks(wk, node, f, n)
        return search_orders(wk, node, f, n) != NONE
    wk.c_blocks[f] = set_keys(wk, n)
    return cut_order(wk, node, f, n, NONE, True) != NONE
