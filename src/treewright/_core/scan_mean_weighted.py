"""Best cut of a sorted column for a number as target and rows of any weight: squared error.

In: sorted entries as in scan.py; by row the weight and the moment (weight times y), both whole numbers of their
units. Out: the best cut, with the weight and the centred moment below it in `left`. The gain rises with
sl^2/wl + sr^2/wr. Moments are counted from the node's mean, in whole units and so exactly: the squares stay small
and do not cancel.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.scan import Cut, no_cut
else:
    from treewright._core.scan import Cut, no_cut

FLAG = cython.declare(cython.uint, 0x80000000)
TIE = cython.declare(cython.double, 1e-12)


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
    cut.scored = cut.cuts
    return cut
