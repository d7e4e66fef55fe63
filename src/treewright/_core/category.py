"""A category column of one node: its contingency table, and a branch for each value.

In: the node's rows and their codes. Out: `wk.table`, a row of stats for each category present, in order of code;
the codes stand in the column's part of wk.c_code. The time is linear in the node's rows, however many categories
the column has elsewhere; where the node has a tally, it is that of copying a part of it.
"""

from math import ceil, floor, sqrt

import cython

if cython.compiled:
    from cython.cimports.libc.math import ceil, floor, sqrt
    from cython.cimports.treewright._core.codes import ABSOLUTE_ERROR, FRACTIONAL, SQUARED_ERROR
    from cython.cimports.treewright._core.counting import (
        count_moments,
        count_unit,
        count_weighted,
        list_codes_met,
    )
    from cython.cimports.treewright._core.impurity import centre_of, mean_of, weight_of
    from cython.cimports.treewright._core.node import add_row
    from cython.cimports.treewright._core.scan_median import loss_of_value
    from cython.cimports.treewright._core.table_coded import tabulate_coded
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import ABSOLUTE_ERROR, FRACTIONAL, SQUARED_ERROR
    from treewright._core.counting import count_moments, count_unit, count_weighted, list_codes_met
    from treewright._core.impurity import centre_of, mean_of, weight_of
    from treewright._core.node import add_row
    from treewright._core.scan_median import loss_of_value
    from treewright._core.table_coded import tabulate_coded
    from treewright._core.work import Work

LEVEL = cython.declare(cython.double, 1e-9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def whole_rows(least: cython.double) -> cython.longlong:
    """The smallest number of rows, 1 or more, that is at least this."""
    need: cython.longlong = cython.cast(cython.longlong, ceil(least))
    return need if need > 1 else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def large_enough(wk: Work, rows: cython.longlong, weight: cython.longlong) -> cython.bint:
    """Whether a branch reaches the leaf minimums."""
    if weight < wk.min_leaf_weight:
        return False
    if wk.count_weight:
        return weight >= wk.min_leaf * wk.one
    return rows >= wk.min_leaf


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def level_keys(wk: Work, n: cython.longlong) -> cython.void:
    """Shared rows are rounded, so shares or means that should be equal may not be: make those within 1e-9 equal."""
    grid: cython.double = LEVEL
    v: cython.longlong
    if wk.missing != FRACTIONAL:
        return
    if wk.criterion == SQUARED_ERROR:
        grid *= sqrt(wk.tie_scale) / wk.y_unit
    elif wk.criterion == ABSOLUTE_ERROR:
        grid *= wk.tie_scale / wk.y_unit
    for v in range(n):
        wk.key[v] = floor(wk.key[v] / grid + 0.5)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear(wk: Work, n: cython.longlong) -> cython.void:
    i: cython.longlong
    k: cython.int
    for i in range(n):
        wk.table_rows[i] = 0
        for k in range(wk.width):
            wk.table[i, k] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong, n: cython.longlong,
          by_slot: cython.bint) -> cython.void:
    """Fill n rows of the table, and the rows of each, from the node's m entries."""
    codes: cython.longlong = wk.code_of[f]
    place: cython.longlong
    row: cython.longlong
    i: cython.longlong
    clear(wk, n)
    if wk.n_classes == 0 and not wk.weighted:
        count_moments(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.table_rows[i] = wk.table[i, 0]
    elif wk.label_mask and not wk.weighted:
        count_unit(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.table_rows[i] = weight_of(wk.table, i, wk.n_classes, wk.criterion)
    elif wk.label_mask and wk.count_weight:  # nobody asks for more than whether there are rows
        count_weighted(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.table_rows[i] = weight_of(wk.table, i, wk.n_classes, wk.criterion) > 0
    else:
        for i in range(base, base + m):
            row = wk.lists[i] & wk.row_mask
            place = wk.codes[codes, row]
            if by_slot:
                place = wk.slot[place]
            wk.table_rows[place] += 1
            add_row(wk, wk.table, place, row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_few(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The table of a column with few categories for the node's size: by code, then closed up."""
    n_levels: cython.longlong = wk.n_levels[f] + wk.holes[f]  # missing is the last one
    first: cython.longlong = wk.level_start[f]
    n: cython.longlong = 0
    i: cython.longlong
    k: cython.int
    count(wk, base, m, f, n_levels, False)
    for i in range(n_levels):
        if wk.table_rows[i] == 0:
            continue
        wk.c_code[first + n] = cython.cast(cython.int, i)
        if n < i:
            wk.table_rows[n] = wk.table_rows[i]
            for k in range(wk.width):
                wk.table[n, k] = wk.table[i, k]
        n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_many(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The table of a column with many categories: those present are found first."""
    first: cython.longlong = wk.level_start[f]
    n: cython.longlong = list_codes_met(wk, base, m, f)
    i: cython.longlong
    for i in range(n):
        wk.c_code[first + i] = cython.cast(cython.int, wk.offset[i])
    count(wk, base, m, f, n, True)
    for i in range(n):
        wk.slot[wk.c_code[first + i]] = -1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def moments_to_losses(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong,
                      n: cython.longlong) -> cython.void:
    """Absolute error: replace each category's moment by its loss; the rows stand in order of y."""
    codes: cython.longlong = wk.code_of[f]
    first: cython.longlong = wk.level_start[f]
    i: cython.longlong
    v: cython.longlong
    row: cython.longlong
    for v in range(n):
        wk.slot[wk.c_code[first + v]] = cython.cast(cython.int, v)
        wk.table[v, 1] = 0
        wk.offset[v] = 0
        wk.value_rank[v] = 0
        wk.value_weight[v] = 0
        wk.value_moment[v] = 0
    for i in range(m):
        row = wk.lists[base + i] & wk.row_mask
        v = wk.slot[wk.codes[codes, row]]
        if wk.value_rank[v] != wk.rank[row]:
            add_value(wk, v)
            wk.value_rank[v] = wk.rank[row]
        wk.value_weight[v] += wk.weights[row] if wk.weighted else 1
        wk.value_moment[v] += wk.moments[row]
    for v in range(n):
        add_value(wk, v)
        wk.slot[wk.c_code[first + v]] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_value(wk: Work, v: cython.longlong) -> cython.void:
    """Add the loss of a category's rows of one target value, gathered in wk.value_*, and begin the next."""
    wk.table[v, 1] += loss_of_value(wk.value_moment[v], wk.value_weight[v], wk.table[v, 0] - 2 * wk.offset[v])
    wk.offset[v] += wk.value_weight[v]
    wk.value_weight[v] = 0
    wk.value_moment[v] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Fill the table for column f; the number of categories present. Missing counts as one, and is the last.

    Squared error: moments are counted from the node's mean. Absolute error: losses take their place, and wk.key
    keeps the means.
    """
    m: cython.longlong = wk.rows[node]
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    n: cython.longlong
    v: cython.longlong
    centre: cython.longlong
    if wk.byte_of[f] >= 0:
        n = tabulate_coded(wk, node, f)
    elif wk.n_levels[f] <= 2 * m + 16:
        n = tabulate_few(wk, base, m, f)
    else:
        n = tabulate_many(wk, base, m, f)
    if wk.criterion == SQUARED_ERROR:
        centre = centre_of(wk.stats[node, 1], wk.stats[node, 0])
        for v in range(n):
            wk.table[v, 1] -= centre * wk.table[v, 0]
    elif wk.criterion == ABSOLUTE_ERROR:
        for v in range(n):
            wk.key[v] = mean_of(wk.table[v, 1], wk.table[v, 0])
        level_keys(wk, n)
        moments_to_losses(wk, base, m, f, n)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_each(wk: Work, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """A branch for each category present; whether at least two reach the leaf minimum."""
    first: cython.longlong = wk.level_start[f]
    reached: cython.longlong = 0
    v: cython.longlong
    for v in range(n):
        wk.c_branch[first + v] = cython.cast(cython.int, v)
        if large_enough(wk, wk.table_rows[v], weight_of(wk.table, v, wk.n_classes, wk.criterion)):
            reached += 1
    wk.c_branches[f] = n
    return reached >= 2
