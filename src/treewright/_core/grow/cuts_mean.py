"""Best cut of a sorted column by squared error, with and without weights.

In: sorted entries as in cuts.py; by row the moment (weight times y) in whole units and, with weights, the
weight. Out: the best cut and its gain. The gain rises with the proxy sl^2/wl + sr^2/wr. Moments are counted
from the mean of the node, in whole units and so exactly: the squares stay small and do not cancel.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import FAST_BLOCKS, FLAG, TIE
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.impurity import gain_of_means
    from treewright._core.grow.workspace import Work

MEAN_ROUNDING = cython.declare(cython.double, 1.0 + 1e-13)
SHORT_MEAN = cython.declare(cython.longlong, 8)
FAR = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def may_win(s: cython.longlong, low: cython.double, high: cython.double, rest: cython.longlong,
            best: cython.double) -> cython.bint:
    """Whether the proxy of a moment s below a cut exceeds best, or would but for rounding."""
    sl: cython.double = cython.cast(cython.double, s)
    sr: cython.double = cython.cast(cython.double, rest - s)
    return (sl * sl * high + sr * sr * low) * MEAN_ROUNDING > best * (low * high)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_near(least: cython.longlong, most: cython.longlong, i: cython.longlong, stop: cython.longlong,
            m: cython.longlong, rest: cython.longlong, best: cython.double) -> cython.bint:
    """Whether some corner of a block may exceed best, by a look at all of them at once: neither side's moment is
    farther from the mean than the farther of both, and what is between the two. Most blocks are done with after this.
    """
    far: cython.longlong = most if most > -least else -least
    reach: cython.double = cython.cast(cython.double, far + (rest if rest > 0 else -rest))
    first: cython.longlong = (i + 1) * (m - i - 1)
    last: cython.longlong = stop * (m - stop)
    return (reach * reach * cython.cast(cython.double, m) * (MEAN_ROUNDING * MEAN_ROUNDING)
            > best * cython.cast(cython.double, first if first < last else last))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def may_hold(least: cython.longlong, most: cython.longlong, i: cython.longlong, stop: cython.longlong,
             m: cython.longlong, rest: cython.longlong, best: cython.double) -> cython.bint:
    """Whether one of the cuts i to stop - 1, with moments from least to most below them, may exceed best."""
    low: cython.double = cython.cast(cython.double, i + 1)
    high: cython.double = cython.cast(cython.double, m - i - 1)
    if not is_near(least, most, i, stop, m, rest, best):
        return False
    if may_win(least, low, high, rest, best) or may_win(most, low, high, rest, best):
        return True
    low = cython.cast(cython.double, stop)
    high = cython.cast(cython.double, m - stop)
    return may_win(least, low, high, rest, best) or may_win(most, low, high, rest, best)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def best_mean(wk: Work, entries: cython.uint[::1], base: cython.longlong, node: cython.longlong,
              lo: cython.longlong, hi: cython.longlong, best: cython.double) -> Cut:
    """The best of the cuts lo to hi - 1; `best` is a proxy other columns reached, negative for none.

    The proxy is convex in the moment and the number of rows below a cut. So no cut behind an entry of a block beats
    the corners of the block: the least and the largest moment below any of its cuts, with the fewest and the most rows.
    """
    cut = cython.declare(Cut)
    moments = cython.declare(cython.longlong[32])  # below each cut of the block
    m: cython.longlong = wk.draft.rows[node]
    centre: cython.longlong = wk.search.node_centre
    rest: cython.longlong = wk.search.node_rest
    short: cython.bint = m <= SHORT_MEAN or not wk.plan.fast_paths & FAST_BLOCKS  # every block is looked at
    size: cython.longlong = 32 if m > 512 else (16 if m > 64 else 8)  # of a block
    i: cython.longlong = 0
    j: cython.longlong
    stop: cython.longlong
    s: cython.longlong = 0
    least: cython.longlong
    most: cython.longlong
    best_s: cython.longlong = 0
    flags: cython.uint
    low: cython.double
    high: cython.double
    sl: cython.double
    sr: cython.double
    num: cython.double
    den: cython.double
    cut.pos = -1
    cut.cuts = 0
    cut.low = 0
    cut.gain = 0.0
    while i < hi:
        stop = i + size if i + size < hi else hi
        flags = 0
        least = FAR
        most = -FAR
        for j in range(i, stop):
            s += wk.table.moments[entries[base + j] & wk.table.row_mask] - centre
            moments[j - i] = s
            flags |= entries[base + j + 1]
            if s < least:
                least = s
            if s > most:
                most = s
        if (flags & FLAG) and (short or best < 0 or may_hold(least, most, i, stop, m, rest, best)):
            for j in range(i if i > lo else lo, stop):
                flags = entries[base + j + 1] & FLAG
                low = cython.cast(cython.double, j + 1)
                high = cython.cast(cython.double, m - j - 1)
                sl = cython.cast(cython.double, moments[j - i])
                sr = cython.cast(cython.double, rest - moments[j - i])
                num = sl * sl * high + sr * sr * low
                den = low * high
                if num > best * den and flags:  # in this order: the first is seldom true, the second hard to guess
                    best = num / den * (1.0 + TIE) + TIE * wk.search.node_scale
                    cut.pos = j
                    best_s = moments[j - i]
        i = stop
    if cut.pos >= 0:
        cut.low = cut.pos + 1
        cut.gain = gain_of_means(cut.low, best_s, m, rest, wk.table.y_unit)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_mean(wk: Work, entries: cython.uint[::1], base: cython.longlong, node: cython.longlong,
              lo: cython.longlong, hi: cython.longlong, best: cython.double) -> Cut:
    """`best_mean` of any entries."""
    return best_mean(wk, entries, base, node, lo, hi, best)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_list(wk: Work, base: cython.longlong, node: cython.longlong, lo: cython.longlong, hi: cython.longlong,
              best: cython.double) -> Cut:
    """The same of a list as it is, without handing it on: that costs as much as a short scan."""
    return best_mean(wk, wk.table.lists, base, node, lo, hi, best)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_mean_weighted(entries: cython.uint[::1], base: cython.longlong, lo: cython.longlong,
                       hi: cython.longlong, min_weight: cython.double, row_mask: cython.uint,
                       moments: cython.longlong[::1], weights: cython.longlong[::1],
                       total_weight: cython.longlong, centre: cython.longlong, rest: cython.longlong,
                       scale: cython.double, best: cython.double, left: cython.longlong[::1]) -> Cut:
    """Cuts lo to hi - 1 whose sides both weigh at least min_weight; the best one, and all of them counted.

    `rest` is the centred moment of the whole node: smaller than its weight, not always 0. `scale` is the node's loss:
    what is smaller by far is the rounding of shared rows. `best` is a proxy other columns reached, negative for none.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    j: cython.longlong
    row: cython.longlong
    weight: cython.longlong
    low: cython.longlong = 0
    s: cython.longlong = 0
    wl: cython.double
    wr: cython.double
    sl: cython.double
    sr: cython.double
    num: cython.double
    den: cython.double
    for j in range(hi):
        row = entries[base + j] & row_mask
        weight = weights[row]
        low += weight
        s += moments[row] - weight * centre
        if not (entries[base + j + 1] & FLAG) or j < lo:
            continue
        wl = cython.cast(cython.double, low)
        wr = cython.cast(cython.double, total_weight - low)
        if wl < min_weight or wr < min_weight:
            continue
        cut.cuts += 1
        sl = cython.cast(cython.double, s)
        sr = cython.cast(cython.double, rest - s)
        num = sl * sl * wr + sr * sr * wl
        den = wl * wr
        if num > best * den:
            best = num / den * (1.0 + TIE) + TIE * scale
            cut.pos = j
            left[0] = low
            left[1] = s
    return cut
