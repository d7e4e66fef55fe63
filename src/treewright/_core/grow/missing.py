"""The rows of a node that are missing on a column: found, counted apart, and what that means for a gain.

In: a node and a column. Out: the known rows as a node of their own, which is searched like any other; and the gain
and split information of the whole node. The known entries of a sorted list come before the missing ones, so the known
rows have the first of the node's entries.
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
        POISSON,
        SQUARED_ERROR,
        STOP,
        SURROGATE,
        TWOING,
        WHOLE,
    )
    from treewright._core.grow.cuts_median import rank_next
    from treewright._core.grow.impurity import centre_of, gain_of, has_no_rate, impurity_of
    from treewright._core.grow.node import add_row
    from treewright._core.grow.node_median import loss_of_rows
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_missing(wk: Work, f: cython.longlong, row: cython.longlong) -> cython.bint:
    """Whether a row, given by its id, is missing on column f."""
    if not wk.table.missing_in[f]:
        return False
    if wk.table.list_of[f] >= 0:
        return wk.table.is_missing[wk.table.list_of[f], wk.table.origin[row]] != 0
    return wk.table.codes[wk.table.category_of[f], row] == wk.table.n_levels[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_missing(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """How many of a node's rows are missing on a number: they are the last value of its list, if any."""
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
    i: cython.longlong = wk.draft.rows[node] - 1
    while i > 0 and not (wk.table.lists[base + i] & FLAG):
        i -= 1
    if is_missing(wk, f, wk.table.lists[base + i] & wk.table.row_mask):
        return wk.draft.rows[node] - i
    return 0


def knows_missing(code: cython.int) -> bool:
    """Whether growth knows what this code does with missing values."""
    return (code == WHOLE or code == FRACTIONAL or code == SURROGATE or code == STOP or code == LEARNED
            or code == BRANCH)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_missing(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Number: count the missing rows in scratch.known_stats[1]."""
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
    k: cython.int
    i: cython.longlong
    for k in range(wk.table.width):
        wk.scratch.known_stats[1, k] = 0
    for i in range(wk.draft.rows[node] - wk.candidates.n_missing[f], wk.draft.rows[node]):
        add_row(wk, wk.scratch.known_stats, 1, wk.table.lists[base + i] & wk.table.row_mask)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def class_sum(wk: Work, node: cython.longlong) -> cython.double:
    """The sum that unit scans start from: of class counts x log2 x for entropy, squares for Gini and twoing."""
    total: cython.double = 0.0
    x: cython.double
    k: cython.int
    if wk.table.n_classes == 0 or wk.table.weighted or (
            wk.plan.criterion != ENTROPY and wk.plan.criterion != GINI and wk.plan.criterion != TWOING):
        return 0.0
    for k in range(wk.table.n_classes):
        x = cython.cast(cython.double, wk.draft.stats[node, k])
        total += wk.table.xlogx[wk.draft.stats[node, k]] if wk.plan.criterion == ENTROPY else x * x
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rank_known(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Absolute error: rank the known rows in order of y, and turn scratch.known_stats[:, 1] into losses."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    known: cython.longlong = 0
    missing: cython.longlong = 0
    i: cython.longlong
    row: cython.uint
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        if is_missing(wk, f, row):
            wk.scratch.buffer[missing] = row
            missing += 1
        else:
            wk.scratch.ranked[known] = row
            rank_next(wk, known)
            known += 1
    wk.scratch.known_stats[0, 1] = loss_of_rows(wk, wk.scratch.ranked, 0, known)
    wk.scratch.known_stats[1, 1] = loss_of_rows(wk, wk.scratch.buffer, 0, missing)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_known_node(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The node of the rows known on column f; scratch.known_stats[1] holds the stats of the others.

    Afterwards scratch.known_stats has what gain_of needs to tell known and missing rows apart.
    """
    known_node: cython.longlong = wk.draft.node_room + wk.search.thread
    centre: cython.longlong
    k: cython.int
    wk.draft.start[known_node] = wk.draft.start[node]
    wk.draft.rows[known_node] = wk.draft.rows[node] - wk.candidates.n_missing[f]
    wk.draft.weight[known_node] = 0
    for k in range(wk.table.width):
        wk.scratch.known_stats[0, k] = wk.draft.stats[node, k] - wk.scratch.known_stats[1, k]
        wk.draft.stats[known_node, k] = wk.scratch.known_stats[0, k]
    if wk.table.n_classes > 0:
        for k in range(wk.table.n_classes):
            wk.draft.weight[known_node] += wk.scratch.known_stats[0, k]
        wk.draft.impurity[known_node] = impurity_of(wk.scratch.known_stats, 0, wk.table.n_classes, wk.plan.criterion)
        return known_node
    wk.draft.weight[known_node] = wk.scratch.known_stats[0, 0]
    wk.draft.impurity[known_node] = wk.draft.impurity[node]  # squared error: gains do not need it
    if wk.plan.criterion == SQUARED_ERROR:
        centre = centre_of(wk.draft.stats[node, 1], wk.draft.stats[node, 0])
        wk.scratch.known_stats[0, 1] -= centre * wk.scratch.known_stats[0, 0]
        wk.scratch.known_stats[1, 1] -= centre * wk.scratch.known_stats[1, 0]
    elif wk.plan.criterion == ABSOLUTE_ERROR:
        rank_known(wk, node, f)
        wk.draft.impurity[known_node] = (cython.cast(cython.double, wk.scratch.known_stats[0, 1])
                              / cython.cast(cython.double, wk.scratch.known_stats[0, 0]) * (wk.table.y_unit * 0.5))
    return known_node


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lacks_rate(wk: Work) -> cython.bint:
    """Poisson deviance, a branch for missing rows: whether the known or the missing rows have a rate of 0, so that the
    column has no candidate.
    """
    return wk.plan.criterion == POISSON and wk.plan.missing == BRANCH and has_no_rate(wk.scratch.known_stats, 2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_apart(wk: Work, node: cython.longlong) -> cython.double:
    """The gain of telling the known from the missing rows, once the node of known rows is raised."""
    return gain_of(wk.scratch.known_stats, 2, wk.table.n_classes, wk.plan.criterion, wk.draft.impurity[node],
                   wk.table.y_unit)


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
    """The split information over the known branches' fractions of all rows, and the missing ones as one more."""
    total: cython.double = known + missing
    return known / total * info + part_info(known, total) + part_info(missing, total)
