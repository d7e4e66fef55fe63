"""The rows of a node that are missing on a column: found, counted apart, and what that means for a gain.

In: a node and a column. Out: the known rows as a node of their own, the ghost, which the searches take for a
node; and the gain and split information of the whole node. The known entries of a sorted list stand before
the missing ones, so the ghost's entries are the first ones of the node's.
"""

import cython

if not cython.compiled:
    from math import log2

    from treewright._core.codes import (
        ABSOLUTE_ERROR,
        BRANCH,
        ENTROPY,
        FLAG,
        FRACTIONAL,
        GINI,
        LEARNED,
        SQUARED_ERROR,
        STOP,
        SURROGATE,
        TWOING,
        WHOLE,
    )
    from treewright._core.grow.cuts_median import rank_next
    from treewright._core.grow.impurity import centre_of, gain_of, impurity_of
    from treewright._core.grow.node import add_row, loss_of_rows
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_missing(wk: Work, f: cython.longlong, row: cython.longlong) -> cython.bint:
    """Whether a row, given by its id, is missing on column f."""
    if not wk.holes[f]:
        return False
    if wk.list_of[f] >= 0:
        return wk.absent[wk.list_of[f], wk.origin[row]] != 0
    return wk.codes[wk.code_of[f], row] == wk.n_levels[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_missing(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """How many of a node's rows are missing on a number: they are the last value of its list, if any."""
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node]
    i: cython.longlong = wk.rows[node] - 1
    while i > 0 and not (wk.lists[base + i] & FLAG):
        i -= 1
    if is_missing(wk, f, wk.lists[base + i] & wk.row_mask):
        return wk.rows[node] - i
    return 0


def knows_missing(code: cython.int) -> bool:
    """Whether growth knows what this code does with missing values."""
    return (code == WHOLE or code == FRACTIONAL or code == SURROGATE or code == STOP or code == LEARNED
            or code == BRANCH)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_missing(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Number: count the missing rows in wk.apart[1]."""
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node]
    k: cython.int
    i: cython.longlong
    for k in range(wk.width):
        wk.apart[1, k] = 0
    for i in range(wk.rows[node] - wk.c_missing[f], wk.rows[node]):
        add_row(wk, wk.apart, 1, wk.lists[base + i] & wk.row_mask)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def class_sum(wk: Work, node: cython.longlong) -> cython.double:
    """The sum that unit scans start from: of class counts x log2 x for entropy, squares for Gini and twoing."""
    total: cython.double = 0.0
    x: cython.double
    k: cython.int
    if wk.n_classes == 0 or wk.weighted or (
            wk.criterion != ENTROPY and wk.criterion != GINI and wk.criterion != TWOING):
        return 0.0
    for k in range(wk.n_classes):
        x = cython.cast(cython.double, wk.stats[node, k])
        total += wk.xlogx[wk.stats[node, k]] if wk.criterion == ENTROPY else x * x
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rank_known(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Absolute error: rank the known rows in order of y, and turn wk.apart[:, 1] into losses."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    known: cython.longlong = 0
    missing: cython.longlong = 0
    i: cython.longlong
    row: cython.uint
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        if is_missing(wk, f, row):
            wk.buffer[missing] = row
            missing += 1
        else:
            wk.ranked[known] = row
            rank_next(wk, known)
            known += 1
    wk.apart[0, 1] = loss_of_rows(wk, wk.ranked, 0, known)
    wk.apart[1, 1] = loss_of_rows(wk, wk.buffer, 0, missing)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def raise_ghost(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The node of the rows known on column f; wk.apart[1] holds the stats of the others.

    Afterwards wk.apart has what gain_of needs to tell known and missing rows apart.
    """
    ghost: cython.longlong = wk.node_room + wk.ghost
    centre: cython.longlong
    k: cython.int
    wk.start[ghost] = wk.start[node]
    wk.rows[ghost] = wk.rows[node] - wk.c_missing[f]
    wk.weight[ghost] = 0
    for k in range(wk.width):
        wk.apart[0, k] = wk.stats[node, k] - wk.apart[1, k]
        wk.stats[ghost, k] = wk.apart[0, k]
    if wk.n_classes > 0:
        for k in range(wk.n_classes):
            wk.weight[ghost] += wk.apart[0, k]
        wk.impurity[ghost] = impurity_of(wk.apart, 0, wk.n_classes, wk.criterion)
        return ghost
    wk.weight[ghost] = wk.apart[0, 0]
    wk.impurity[ghost] = wk.impurity[node]  # squared error: gains do not need it
    if wk.criterion == SQUARED_ERROR:
        centre = centre_of(wk.stats[node, 1], wk.stats[node, 0])
        wk.apart[0, 1] -= centre * wk.apart[0, 0]
        wk.apart[1, 1] -= centre * wk.apart[1, 0]
    elif wk.criterion == ABSOLUTE_ERROR:
        rank_known(wk, node, f)
        wk.impurity[ghost] = (cython.cast(cython.double, wk.apart[0, 1])
                              / cython.cast(cython.double, wk.apart[0, 0]) * (wk.y_unit * 0.5))
    return ghost


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_apart(wk: Work, node: cython.longlong) -> cython.double:
    """The gain of telling the known from the missing rows, once the ghost is raised."""
    return gain_of(wk.apart, 2, wk.n_classes, wk.criterion, wk.impurity[node], wk.y_unit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_info(weight: cython.double, total: cython.double) -> cython.double:
    """What a branch of this weight adds to the split information."""
    if weight <= 0:
        return 0.0
    return -weight / total * log2(weight / total)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_with_missing(info: cython.double, known: cython.double, missing: cython.double) -> cython.double:
    """The split information over the known branches' shares of all rows, and the missing ones as one more."""
    total: cython.double = known + missing
    return known / total * info + part_info(known, total) + part_info(missing, total)
