"""Best cut of a sorted column by Poisson deviance, with and without weights.

In: sorted entries as in cuts.py; by row the moment (weight times y, counted from 0) in whole units and, with weights,
the weight. Out: the best cut. The proxy is the gain times the weight of the node, in units: the deviance of the rates
of both sides about the rate of the node. Moments are counted from that rate, in whole units and so exactly.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import FLAG, TIE
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.impurity import poisson_loss
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_poisson(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                 lo: cython.longlong, hi: cython.longlong, best: cython.double) -> Cut:
    """Cuts lo to hi - 1 whose sides are heavy enough and both have a rate above 0; the best one, and all of them
    counted. `best` is a proxy other columns reached, negative for none.

    y log(y / r) - (y - r) is at most (y - r)^2 / r: most cuts are done with after a look at that.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    total: cython.longlong = wk.draft.weight[node]
    moment: cython.longlong = wk.draft.stats[node, 1]
    centre: cython.longlong = wk.search.node_centre
    low: cython.longlong = 0
    s: cython.longlong = 0
    row: cython.longlong
    j: cython.longlong
    wl: cython.double
    wr: cython.double
    a: cython.double
    b: cython.double
    proxy: cython.double
    rest: cython.double = cython.cast(cython.double, wk.search.node_rest) / cython.cast(cython.double, total)
    rate: cython.double = cython.cast(cython.double, centre) + rest
    for j in range(hi):
        row = entries[base + j] & wk.table.row_mask
        low += wk.table.weights[row] if wk.table.weighted else 1
        s += wk.table.moments[row]
        if not (entries[base + j + 1] & FLAG) or j < lo:
            continue
        wl = cython.cast(cython.double, low)
        wr = cython.cast(cython.double, total - low)
        if wl < wk.search.least_weight or wr < wk.search.least_weight or s <= 0 or s >= moment:
            continue
        cut.cuts += 1
        a = cython.cast(cython.double, s - centre * low) / wl - rest
        b = cython.cast(cython.double, moment - s - centre * (total - low)) / wr - rest
        if wl * a * a + wr * b * b <= best * rate:
            continue
        proxy = rate * (wl * poisson_loss(a / rate) + wr * poisson_loss(b / rate))
        if proxy > best:
            best = proxy * (1.0 + TIE) + TIE * wk.search.node_scale
            cut.pos = j
            wk.scratch.low_stats[0] = low
            wk.scratch.low_stats[1] = s
    return cut
