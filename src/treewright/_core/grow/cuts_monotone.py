"""Best cut of a sorted column among those that keep the order of a monotone tree.

In: sorted entries as in cuts.py, and the bounds of the current node. Out: the best admissible cut, with the stats
below it in scratch.low_stats, or for absolute error those of both sides in scratch.side_stats. Every cut is looked
at: where the best one is not admissible, the best that is may lie anywhere, so nothing is skipped. Proxies and ties
are those of the other scans.
"""

import cython

if not cython.compiled:
    from math import log2

    from treewright._core.codes import ABSOLUTE_ERROR, ENTROPY, FLAG, GAIN_TIE, GINI, SQUARED_ERROR, TWOING
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.cuts_median import clear_side, join, loss_of_side
    from treewright._core.grow.cuts_weighted import proxy_of
    from treewright._core.grow.impurity import beats, centre_of
    from treewright._core.grow.monotone import keeps_order, prediction_of
    from treewright._core.grow.node_median import weight_of_row
    from treewright._core.grow.workspace import Work

CLOSE = cython.declare(cython.double, 1e-12)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def was_tried(wk: Work, j: cython.longlong) -> cython.bint:
    """Whether the children of cut j of the current column were made and found out of order."""
    i: cython.longlong
    for i in range(wk.search.n_tried):
        if wk.search.tried_column[i] == wk.search.column and wk.search.tried_pos[i] == j:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def term(a: cython.double, side: cython.double) -> cython.double:
    """What a class of weight a adds to the entropy proxy of its side."""
    return a * log2(a / side) if a > 0 else 0.0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def has_proxy_of_sums(wk: Work) -> cython.bint:
    """Whether `proxy_of_cut` has a form for the criterion."""
    return (wk.plan.criterion == GINI or wk.plan.criterion == ENTROPY or wk.plan.criterion == TWOING
            or wk.plan.criterion == SQUARED_ERROR)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proxy_of_cut(wk: Work, low: cython.double, high: cython.double, s: cython.double,
                 t: cython.double) -> cython.double:
    """A number that rises with the gain: sides of weight low and high, s and t the weight of the second class in them,
    or their moments counted from the mean. For two classes the Gini gain is 2 (s high - t low)^2 / (W^2 low high), and
    twoing half of it. Only for a criterion that `has_proxy_of_sums`.
    """
    d: cython.double
    if wk.plan.criterion == SQUARED_ERROR:
        return (s * s * high + t * t * low) / (low * high)
    if wk.plan.criterion == ENTROPY:
        return term(s, low) + term(low - s, low) + term(t, high) + term(high - t, high)
    d = s * high - t * low
    return (1.0 if wk.plan.criterion == TWOING else 2.0) * (d / (low + high)) * (d / (low * high))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def to_beat(wk: Work, node: cython.longlong, proxy: cython.double) -> cython.double:
    """What a later cut has to exceed to win over one of this proxy, as in the scan that would be used otherwise."""
    weight: cython.double = cython.cast(cython.double, wk.draft.weight[node])
    if wk.plan.criterion == SQUARED_ERROR:
        return proxy * (1.0 + CLOSE) + CLOSE * (wk.search.tie_scale * weight / (wk.table.y_unit * wk.table.y_unit))
    if wk.table.weighted or not has_proxy_of_sums(wk):
        return proxy + GAIN_TIE * wk.search.tie_scale * weight
    if wk.plan.criterion == ENTROPY:
        return proxy + CLOSE * (weight * log2(weight) + 1.0)
    return proxy * (1.0 + CLOSE)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_sums(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
              lo: cython.longlong, hi: cython.longlong, min_weight: cython.double) -> Cut:
    """Two classes, or squared error: cuts lo to hi - 1 whose sides both weigh at least min_weight."""
    cut = cython.declare(Cut)
    cut = no_cut()
    total: cython.longlong = wk.draft.weight[node]
    whole: cython.longlong = wk.draft.stats[node, 1]
    centre: cython.longlong = 0
    low: cython.longlong = 0
    s: cython.longlong = 0
    weight: cython.longlong
    row: cython.longlong
    j: cython.longlong
    sense: cython.int
    by_sums: cython.bint = has_proxy_of_sums(wk)
    proxy: cython.double
    best: cython.double = 0.0
    if wk.plan.criterion == SQUARED_ERROR:
        centre = centre_of(whole, wk.draft.stats[node, 0])
    for j in range(hi):
        row = entries[base + j] & wk.table.row_mask
        weight = weight_of_row(wk, row)
        low += weight
        if wk.table.n_classes == 0:
            s += wk.table.moments[row]
        elif wk.table.labels[row] == 1:
            s += weight
        if j < lo or not (entries[base + j + 1] & FLAG) or low < min_weight or total - low < min_weight:
            continue
        cut.cuts += 1
        sense = 0 if j == wk.search.missing_cut else wk.search.sense  # known against missing: no order is required
        if not keeps_order(wk, prediction_of(wk, node, low, s), prediction_of(wk, node, total - low, whole - s),
                           sense) or (wk.search.n_tried > 0 and was_tried(wk, j)):
            wk.candidates.n_barred[wk.search.column] += 1
            continue
        if by_sums:
            proxy = proxy_of_cut(wk, cython.cast(cython.double, low), cython.cast(cython.double, total - low),
                                 cython.cast(cython.double, s - centre * low),
                                 cython.cast(cython.double, whole - s - centre * (total - low)))
        else:
            wk.scratch.side_stats[0, 0] = low - s
            wk.scratch.side_stats[0, 1] = s
            wk.scratch.side_stats[1, 0] = total - low - (whole - s)
            wk.scratch.side_stats[1, 1] = whole - s
            proxy = proxy_of(wk.scratch.side_stats, 2, wk.plan.criterion, cython.cast(cython.double, low),
                             cython.cast(cython.double, total - low))
        if cut.pos < 0 or proxy > best:
            best = to_beat(wk, node, proxy)
            cut.pos = j
            wk.scratch.low_stats[0] = low if wk.table.n_classes == 0 else low - s
            wk.scratch.low_stats[1] = s - centre * low
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_of(wk: Work, m: cython.longlong, top: cython.longlong, weight: cython.longlong,
             beyond: cython.bint) -> cython.longlong:
    """The first rank of the current side at which half of its weight is reached, or gone beyond."""
    place: cython.longlong = 0
    before: cython.longlong = 0
    step: cython.longlong = top
    while step > 0:
        if place + step <= m and 2 * (before + wk.scratch.below_weight[place + step]) < weight + beyond:
            place += step
            before += wk.scratch.below_weight[place]
        step //= 2
    return place + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def median_of_side(wk: Work, m: cython.longlong, top: cython.longlong, weight: cython.longlong) -> cython.double:
    """The median of the current side, as of the child it would be."""
    low: cython.longlong = place_of(wk, m, top, weight, False)
    high: cython.longlong = place_of(wk, m, top, weight, True)
    if low == high:
        return wk.scratch.rank_value[low]
    return wk.scratch.rank_value[low] / 2 + wk.scratch.rank_value[high] / 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_low_sides(wk: Work, entries: cython.uint[::1], base: cython.longlong, m: cython.longlong,
                   lo: cython.longlong, hi: cython.longlong) -> cython.longlong:
    """Losses and medians of the sides below cuts lo to hi - 1; the largest power of two that is no more than m."""
    j: cython.longlong
    row: cython.longlong
    top: cython.longlong = 1
    weight: cython.longlong = 0
    moment: cython.longlong = 0
    while top * 2 <= m:
        top *= 2
    for j in range(m):
        wk.scratch.rank_value[wk.scratch.rank[wk.scratch.ranked[j]]] = wk.table.y[wk.scratch.ranked[j]]
    clear_side(wk, m)
    for j in range(hi):
        row = entries[base + j] & wk.table.row_mask
        join(wk, m, row)
        weight += weight_of_row(wk, row)
        moment += wk.table.moments[row]
        if j >= lo and (entries[base + j + 1] & FLAG):
            wk.scratch.losses[j] = loss_of_side(wk, m, top, weight, moment)
            wk.scratch.low_median[j] = median_of_side(wk, m, top, weight)
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_medians(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                 lo: cython.longlong, hi: cython.longlong, min_weight: cython.double) -> Cut:
    """Absolute error: as scan_median, with the medians of both sides."""
    cut = cython.declare(Cut)
    cut = no_cut()
    m: cython.longlong = wk.draft.rows[node]
    total: cython.longlong = wk.draft.weight[node]
    top: cython.longlong = scan_low_sides(wk, entries, base, m, lo, hi)
    j: cython.longlong = m - 1
    row: cython.longlong
    weight: cython.longlong = 0
    moment: cython.longlong = 0
    loss: cython.longlong
    best: cython.longlong = 0
    sense: cython.int
    clear_side(wk, m)
    while j > lo:
        row = entries[base + j] & wk.table.row_mask
        join(wk, m, row)
        weight += weight_of_row(wk, row)
        moment += wk.table.moments[row]
        j -= 1
        if j >= hi or not (entries[base + j + 1] & FLAG):
            continue
        if weight < min_weight or total - weight < min_weight:
            continue
        cut.cuts += 1
        sense = 0 if j == wk.search.missing_cut else wk.search.sense
        if not keeps_order(wk, wk.scratch.low_median[j], median_of_side(wk, m, top, weight), sense) or (
                wk.search.n_tried > 0 and was_tried(wk, j)):
            wk.candidates.n_barred[wk.search.column] += 1
            continue
        loss = loss_of_side(wk, m, top, weight, moment)
        if cut.pos < 0 or not beats(wk.scratch.losses[j] + loss, best, wk.search.loss_scale):
            if cut.pos < 0 or wk.scratch.losses[j] + loss < best:
                best = wk.scratch.losses[j] + loss
            cut.pos = j
            wk.scratch.side_stats[0, 0] = total - weight
            wk.scratch.side_stats[0, 1] = wk.scratch.losses[j]
            wk.scratch.side_stats[1, 0] = weight
            wk.scratch.side_stats[1, 1] = loss
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_monotone(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                  lo: cython.longlong, hi: cython.longlong, min_weight: cython.double) -> Cut:
    """The best admissible one of cuts lo to hi - 1 whose sides both weigh at least min_weight; all of these are
    counted, and those that would break the order in candidates.n_barred too.
    """
    if wk.plan.criterion == ABSOLUTE_ERROR:
        return scan_medians(wk, node, entries, base, lo, hi, min_weight)
    return scan_sums(wk, node, entries, base, lo, hi, min_weight)
