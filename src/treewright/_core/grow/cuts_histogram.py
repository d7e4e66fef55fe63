"""Best cut of a coded column, for rows that count once.

In: n codes, rising, in wk.coded.present; the counts of code v are at + v * n_kinds. Codes without rows are
skipped: a cut lies between two codes that have rows, and is tried when the higher one is met. Out:
the best cut and its gain, the same that cuts_gini.py, cuts.py and cuts_mean.py find in a sorted list, as the
sums are those of whole numbers, or, the gain of entropy, are added up row by row in the same order. The codes
on the two sides of the cut go to wk.coded.low_code and first_high, the number of codes met to n_met. A scan
stops at the first code that leaves too few rows above it, and counts this code too: n_met is 1 only for a
column that has one value in the node.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import TIE, TWOING
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.impurity import gain_of
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_two_codes(wk: Work, node: cython.longlong, at: cython.longlong, n: cython.longlong,
                   best: cython.double) -> Cut:
    """Two classes, Gini or twoing: see scan_two."""
    cut = cython.declare(Cut)
    cut = no_cut()
    m: cython.longlong = wk.draft.rows[node]
    ones: cython.longlong = wk.draft.stats[node, 1]
    need: cython.longlong = wk.coded.least_rows
    low: cython.longlong = 0
    d: cython.longlong = 0
    met: cython.longlong = 0
    last: cython.longlong = 0
    j: cython.longlong
    v: cython.longlong
    x: cython.longlong
    x_ones: cython.longlong
    num: cython.double
    den: cython.double
    gap: cython.double = 0.0
    for j in range(n):
        v = wk.coded.present[j]
        x_ones = cython.cast(cython.longlong, wk.coded.counts[at + 2 * v + 1])
        x = x_ones + cython.cast(cython.longlong, wk.coded.counts[at + 2 * v])
        if x == 0:
            continue
        met += 1
        if low >= need:
            if m - low < need:
                break
            cut.cuts += 1
            num = cython.cast(cython.double, d)
            num = num * num
            den = cython.cast(cython.double, low * (m - low))
            if num > best * den:
                best = num / den * (1.0 + TIE)
                cut.low = low
                wk.coded.low_code = last
                wk.coded.high_code = v
                gap = cython.cast(cython.double, d)
        low += x
        d += x_ones * m - x * ones
        last = v
    wk.coded.n_present = met
    cut.pos = cut.low - 1
    if cut.low > 0:
        num = gap / m
        cut.gain = ((1.0 if wk.plan.criterion == TWOING else 2.0) * num * num / cython.cast(cython.double, cut.low)
                    / cython.cast(cython.double, m - cut.low))
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_gini_codes(wk: Work, node: cython.longlong, at: cython.longlong, n: cython.longlong,
                    best: cython.double) -> Cut:
    """Any number of classes, Gini: sums of squares over both sides.

    With l and w the rows of a class below the cut and in all, that of the high side is w^2 - 2 w l + l^2.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = wk.coded.least_rows
    n_kinds: cython.longlong = wk.coded.n_classes
    squares: cython.longlong = 0
    products: cython.longlong = 0
    below: cython.longlong = 0
    met: cython.longlong = 0
    last: cython.longlong = 0
    c: cython.longlong
    j: cython.longlong
    k: cython.longlong
    v: cython.longlong
    x: cython.longlong
    before: cython.longlong
    low: cython.double
    high: cython.double
    num: cython.double
    sum_low: cython.double
    sum_high: cython.double
    best_low: cython.double = 0.0
    best_high: cython.double = 0.0
    for k in range(n_kinds):
        wk.coded.class_rows_below[k] = 0
    for j in range(n):
        v = wk.coded.present[j]
        c = at + n_kinds * v
        low = cython.cast(cython.double, below)
        sum_low = cython.cast(cython.double, squares)
        sum_high = wk.search.node_sum - cython.cast(cython.double, 2 * products) + sum_low
        before = below
        for k in range(n_kinds):
            x = cython.cast(cython.longlong, wk.coded.counts[c + k])
            squares += x * (2 * wk.coded.class_rows_below[k] + x)
            products += x * wk.coded.class_rows[k]
            wk.coded.class_rows_below[k] += x
            below += x
        if below == before:
            continue
        met += 1
        if before >= need:
            if m - before < need:
                break
            cut.cuts += 1
            high = cython.cast(cython.double, m - before)
            num = sum_low * high + sum_high * low
            if num > best * (low * high):
                best = num / (low * high) * (1.0 + TIE)
                cut.low = before
                wk.coded.low_code = last
                wk.coded.high_code = v
                best_low = sum_low
                best_high = sum_high
        last = v
    wk.coded.n_present = met
    cut.pos = cut.low - 1
    if cut.low > 0:
        cut.gain = (best_low / cut.low + best_high / (m - cut.low) - wk.search.node_sum / m) / m
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def entropy_gain(wk: Work, at: cython.longlong, n: cython.longlong, low: cython.longlong,
                 m: cython.longlong) -> cython.double:
    """The gain of the cut behind the `low` lowest rows."""
    total: cython.double = 0.0
    below: cython.longlong
    j: cython.longlong
    k: cython.longlong
    for k in range(wk.coded.n_classes):
        below = 0
        for j in range(n):
            if wk.coded.present[j] > wk.coded.low_code:
                break
            below += wk.coded.counts[at + wk.coded.n_classes * wk.coded.present[j] + k]
        total += wk.table.xlogx[below] + wk.table.xlogx[wk.coded.class_rows[k] - below]
    return (total - wk.search.node_sum + wk.table.xlogx[m] - wk.table.xlogx[low] - wk.table.xlogx[m - low]) / m


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_entropy_codes(wk: Work, node: cython.longlong, at: cython.longlong, n: cython.longlong,
                       best: cython.double) -> Cut:
    """Any number of classes, entropy: sums of x log2 x over both sides.

    A cut between two codes of one and the same class is passed over (Fayyad and Irani), but for the lowest and the
    highest admissible one.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = wk.coded.least_rows
    n_kinds: cython.longlong = wk.coded.n_classes
    below: cython.longlong = 0
    met: cython.longlong = 0
    last: cython.longlong = 0
    only: cython.longlong  # the class of all rows of a code, -1 if they have several
    last_only: cython.longlong = -1
    c: cython.longlong
    j: cython.longlong
    k: cython.longlong
    v: cython.longlong
    x: cython.longlong
    rows: cython.longlong
    total: cython.double
    slack: cython.double = TIE * (wk.table.xlogx[m] + 1.0)
    for k in range(n_kinds):
        wk.coded.class_rows_below[k] = 0
    for j in range(n):
        v = wk.coded.present[j]
        c = at + n_kinds * v
        rows = 0
        only = -1
        for k in range(n_kinds):
            x = cython.cast(cython.longlong, wk.coded.counts[c + k])
            if x > 0:
                only = k if rows == 0 else -1
                rows += x
        if rows == 0:
            continue
        met += 1
        if below >= need:
            if m - below < need:
                break
            cut.cuts += 1
            if not (only >= 0 and only == last_only and cut.cuts > 1 and m - below - rows >= need):
                total = -wk.table.xlogx[below] - wk.table.xlogx[m - below]
                for k in range(n_kinds):
                    total += (wk.table.xlogx[wk.coded.class_rows_below[k]]
                              + wk.table.xlogx[wk.coded.class_rows[k] - wk.coded.class_rows_below[k]])
                if total > best:
                    best = total + slack
                    cut.low = below
                    wk.coded.low_code = last
                    wk.coded.high_code = v
        for k in range(n_kinds):
            wk.coded.class_rows_below[k] += wk.coded.counts[c + k]
        below += rows
        last = v
        last_only = only
    wk.coded.n_present = met
    cut.pos = cut.low - 1
    if cut.low > 0:
        cut.gain = entropy_gain(wk, at, n, cut.low, m)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_mean_codes(wk: Work, node: cython.longlong, at: cython.longlong, sums: cython.longlong,
                    n: cython.longlong, best: cython.double) -> Cut:
    """Squared error: see scan_mean."""
    cut = cython.declare(Cut)
    cut = no_cut()
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = wk.coded.least_rows
    centre: cython.longlong = wk.search.node_centre
    rest: cython.longlong = wk.search.node_rest
    low: cython.longlong = 0
    s: cython.longlong = 0
    met: cython.longlong = 0
    last: cython.longlong = 0
    j: cython.longlong
    v: cython.longlong
    x: cython.longlong
    wl: cython.double
    wr: cython.double
    sl: cython.double
    sr: cython.double
    num: cython.double
    slack: cython.double = TIE * wk.search.node_scale
    for j in range(n):
        v = wk.coded.present[j]
        x = cython.cast(cython.longlong, wk.coded.counts[at + v])
        if x == 0:
            continue
        met += 1
        if low >= need:
            if m - low < need:
                break
            cut.cuts += 1
            wl = cython.cast(cython.double, low)
            wr = cython.cast(cython.double, m - low)
            sl = cython.cast(cython.double, s)
            sr = cython.cast(cython.double, rest - s)
            num = sl * sl * wr + sr * sr * wl
            if num > best * (wl * wr):
                best = num / (wl * wr) * (1.0 + TIE) + slack
                cut.low = low
                wk.coded.low_code = last
                wk.coded.high_code = v
                wk.scratch.side_stats[0, 1] = s
        low += x
        s += wk.coded.sums[sums + v] - x * centre
        last = v
    wk.coded.n_present = met
    cut.pos = cut.low - 1
    if cut.low > 0:
        wk.scratch.side_stats[0, 0] = cut.low
        wk.scratch.side_stats[1, 0] = m - cut.low
        wk.scratch.side_stats[1, 1] = rest - wk.scratch.side_stats[0, 1]
        cut.gain = gain_of(wk.scratch.side_stats, 2, 0, wk.plan.criterion, wk.draft.impurity[node], wk.table.y_unit)
    return cut
