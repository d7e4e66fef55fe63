"""Absolute error: the median of the rows of a node, and the loss about it.

In: entries that are sorted by the target. Out: their median, and twice the sum of w |y - median|.
"""

import cython

if not cython.compiled:
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weight_of_row(wk: Work, row: cython.longlong) -> cython.longlong:
    """The weight of a row, in units."""
    return wk.table.weights[row] if wk.table.weighted else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_of_median(moment: cython.longlong, weight: cython.longlong, below: cython.longlong) -> cython.longlong:
    """What the median's own row adds: `below` of twice its weight counts as below the median."""
    part: cython.double
    if below == weight:
        return 0
    if below == 2 * weight:
        return -2 * moment
    part = cython.cast(cython.double, moment) * (
        cython.cast(cython.double, 2 * (weight - below)) / cython.cast(cython.double, weight))
    return cython.cast(cython.longlong, part)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def loss_of_value(moment: cython.longlong, weight: cython.longlong, below: cython.longlong) -> cython.longlong:
    """What the rows of one target value add to the loss; `below` is the weight of all less twice that before."""
    if below <= 0:
        return 2 * moment
    if below >= 2 * weight:
        return -2 * moment
    return part_of_median(moment, weight, below)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def loss_of_rows(wk: Work, entries: cython.uint[::1], base: cython.longlong,
                 m: cython.longlong) -> cython.longlong:
    """Twice the sum of w |y - median| of m entries that are sorted by y."""
    total: cython.longlong = 0
    before: cython.longlong = 0
    loss: cython.longlong = 0
    weight: cython.longlong = 0
    moment: cython.longlong = 0
    row: cython.longlong
    y: cython.double = 0.0
    i: cython.longlong
    for i in range(m):
        total += weight_of_row(wk, entries[base + i] & wk.table.row_mask)
    for i in range(m):
        row = entries[base + i] & wk.table.row_mask
        if i > 0 and wk.table.y[row] != y:
            loss += loss_of_value(moment, weight, total - 2 * before)
            before += weight
            weight = 0
            moment = 0
        y = wk.table.y[row]
        weight += weight_of_row(wk, row)
        moment += wk.table.moments[row]
    return loss + loss_of_value(moment, weight, total - 2 * before)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def median_of_rows(wk: Work, base: cython.longlong, m: cython.longlong) -> cython.double:
    """The median of m rows in order of y; halfway between two when they share the middle."""
    total: cython.longlong = 0
    before: cython.longlong = 0
    y: cython.double
    i: cython.longlong = 0
    for i in range(m):
        total += weight_of_row(wk, wk.table.lists[base + i] & wk.table.row_mask)
    for i in range(m):
        before += weight_of_row(wk, wk.table.lists[base + i] & wk.table.row_mask)
        if 2 * before >= total:
            break
    y = wk.table.y[wk.table.lists[base + i] & wk.table.row_mask]
    if 2 * before == total:
        y = y / 2 + wk.table.y[wk.table.lists[base + i + 1] & wk.table.row_mask] / 2
    return y
