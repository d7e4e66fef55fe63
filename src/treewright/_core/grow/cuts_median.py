"""Best cut of a sorted column for a number as target: absolute error.

In: sorted entries as in cuts.py, and the rank of each row's target among those of its node. Out: the best
cut, with weight and loss of both sides in `scratch.side_stats`. The loss is twice the sum of w |y - median|, in whole
units. Rows of equal targets are taken together, so no sum depends on their order.

Rows join a side one by one; two trees of partial sums over the ranks (Fenwick's), of weights and of moments,
give its median and its loss in log m steps. One pass upwards gives the low sides, one downwards the high
sides.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import FLAG
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.impurity import beats
    from treewright._core.grow.node_median import part_of_median, weight_of_row
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rank_rows(wk: Work, node: cython.longlong) -> cython.void:
    """Set scratch.ranked to the node's rows in order of y, and scratch.rank to the place of their y among its
    values, from 1.
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    i: cython.longlong
    for i in range(wk.draft.rows[node]):
        wk.scratch.ranked[i] = wk.table.lists[base + i] & wk.table.row_mask
        rank_next(wk, i)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rank_next(wk: Work, i: cython.longlong) -> cython.void:
    """Set the rank of the row scratch.ranked[i] by that of the one before."""
    row: cython.longlong = wk.scratch.ranked[i]
    if i == 0:
        wk.scratch.rank[row] = 1
    else:
        wk.scratch.rank[row] = wk.scratch.rank[wk.scratch.ranked[i - 1]] + (wk.table.y[row]
                                                                            != wk.table.y[wk.scratch.ranked[i - 1]])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_side(wk: Work, m: cython.longlong) -> cython.void:
    """An empty side; no rank is above m."""
    j: cython.longlong
    for j in range(m + 1):
        wk.scratch.below_weight[j] = 0
        wk.scratch.below_moment[j] = 0
        wk.scratch.side_weight[j] = 0
        wk.scratch.side_moment[j] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join(wk: Work, m: cython.longlong, row: cython.longlong) -> cython.void:
    """Add a row to the current side."""
    i: cython.longlong = wk.scratch.rank[row]
    weight: cython.longlong = weight_of_row(wk, row)
    wk.scratch.side_weight[i] += weight
    wk.scratch.side_moment[i] += wk.table.moments[row]
    while i <= m:
        wk.scratch.below_weight[i] += weight
        wk.scratch.below_moment[i] += wk.table.moments[row]
        i += i & (-i)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def loss_of_side(wk: Work, m: cython.longlong, top: cython.longlong, weight: cython.longlong,
                 moment: cython.longlong) -> cython.longlong:
    """The loss of the current side: its median is the first rank at which half of the weight is reached."""
    place: cython.longlong = 0
    before: cython.longlong = 0
    below: cython.longlong = 0
    step: cython.longlong = top
    while step > 0:
        if place + step <= m and 2 * (before + wk.scratch.below_weight[place + step]) < weight:
            place += step
            before += wk.scratch.below_weight[place]
            below += wk.scratch.below_moment[place]
        step //= 2
    place += 1
    return (2 * (moment - below - wk.scratch.side_moment[place]) - 2 * below
            + part_of_median(wk.scratch.side_moment[place], wk.scratch.side_weight[place], weight - 2 * before))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_median(wk: Work, entries: cython.uint[::1], base: cython.longlong, m: cython.longlong,
                lo: cython.longlong, hi: cython.longlong, min_weight: cython.double,
                total_weight: cython.longlong, scale: cython.double) -> Cut:
    """Cuts lo to hi - 1 whose sides both weigh at least min_weight; the best one, and all of them counted.

    The rows are in scratch.ranked, sorted by y; `scale` is that of the tie rule.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    j: cython.longlong
    row: cython.longlong = 0
    top: cython.longlong = 1
    weight: cython.longlong = 0
    moment: cython.longlong = 0
    loss: cython.longlong
    best: cython.longlong = 0
    while top * 2 <= m:
        top *= 2
    clear_side(wk, m)
    for j in range(hi):
        row = entries[base + j] & wk.table.row_mask
        join(wk, m, row)
        weight += weight_of_row(wk, row)
        moment += wk.table.moments[row]
        if j >= lo and (entries[base + j + 1] & FLAG):
            wk.scratch.losses[j] = loss_of_side(wk, m, top, weight, moment)
    clear_side(wk, m)
    weight = 0
    moment = 0
    j = m - 1
    while j > lo:
        row = entries[base + j] & wk.table.row_mask
        join(wk, m, row)
        weight += weight_of_row(wk, row)
        moment += wk.table.moments[row]
        j -= 1
        if j >= hi or not (entries[base + j + 1] & FLAG):
            continue
        if weight < min_weight or total_weight - weight < min_weight:
            continue
        cut.cuts += 1
        loss = loss_of_side(wk, m, top, weight, moment)
        if cut.pos < 0 or not beats(wk.scratch.losses[j] + loss, best, scale):
            if cut.pos < 0 or wk.scratch.losses[j] + loss < best:
                best = wk.scratch.losses[j] + loss
            cut.pos = j
            wk.scratch.side_stats[0, 0] = total_weight - weight
            wk.scratch.side_stats[0, 1] = wk.scratch.losses[j]
            wk.scratch.side_stats[1, 0] = weight
            wk.scratch.side_stats[1, 1] = loss
    return cut
