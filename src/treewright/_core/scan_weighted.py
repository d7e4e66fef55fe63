"""Best cut of a sorted column, for classes, any weights and any criterion.

In: sorted entries as in scan.py, with labels and weights looked up by row. Out: the best cut, as there. The class
weights of both sides are whole numbers, so a score depends on the cut alone and not on the order of its rows; it
is worked out from them at each class boundary.
"""

from math import fabs, log2

import cython

if cython.compiled:
    from cython.cimports.libc.math import fabs, log2
    from cython.cimports.treewright._core.codes import ENTROPY, TWOING
    from cython.cimports.treewright._core.scan import Cut, no_cut, run_goes_on
else:
    from treewright._core.codes import ENTROPY, TWOING
    from treewright._core.scan import Cut, no_cut, run_goes_on

FLAG = cython.declare(cython.uint, 0x80000000)
TIE = cython.declare(cython.double, 1e-12)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proxy_of(sides: cython.longlong[:, ::1], n_classes: cython.int, criterion: cython.int,
             low: cython.double, high: cython.double) -> cython.double:
    """A number that rises with the gain of splitting into these two sides: the gain times the weight, or, for
    twoing, four times that, but for a constant.
    """
    low_sum: cython.double = 0.0
    high_sum: cython.double = 0.0
    a: cython.double
    b: cython.double
    k: cython.int
    for k in range(n_classes):
        a = cython.cast(cython.double, sides[0, k])
        b = cython.cast(cython.double, sides[1, k])
        if criterion == ENTROPY:
            if a > 0:
                low_sum += a * log2(a / low)
            if b > 0:
                high_sum += b * log2(b / high)
        elif criterion == TWOING:
            low_sum += fabs(a / low - b / high)
        else:
            low_sum += a * a
            high_sum += b * b
    if criterion == ENTROPY:
        return low_sum + high_sum
    if criterion == TWOING:
        return low * (high / (low + high)) * low_sum * low_sum
    return low_sum / low + high_sum / high


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def highest_cut(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, lo: cython.longlong,
                hi: cython.longlong, min_weight: cython.double, row_mask: cython.uint,
                weights: cython.longlong[::1], weighted: cython.bint) -> cython.longlong:
    """The highest of the cuts lo to hi - 1 whose high side weighs at least min_weight; lo - 1 when none does."""
    high: cython.longlong = 0
    j: cython.longlong = m - 1
    while j > lo:
        high += weights[entries[base + j] & row_mask] if weighted else 1
        if j <= hi and high >= min_weight and (entries[base + j] & FLAG):
            return j - 1
        j -= 1
    return lo - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_weighted(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, lo: cython.longlong,
                  hi: cython.longlong, min_weight: cython.double, row_mask: cython.uint,
                  labels: cython.int[::1], weights: cython.longlong[::1], weighted: cython.bint,
                  n_classes: cython.int, stats: cython.longlong[:, ::1], node: cython.longlong,
                  criterion: cython.int, sides: cython.longlong[:, ::1], left: cython.longlong[::1]) -> Cut:
    """Cuts lo to hi - 1 whose sides both weigh at least min_weight; the best one, and all of them counted."""
    cut = cython.declare(Cut)
    cut = no_cut()
    k: cython.int
    c: cython.int
    j: cython.longlong
    row: cython.longlong
    weight: cython.longlong
    low: cython.longlong = 0
    high: cython.longlong = 0
    entry: cython.uint
    run_class: cython.int = -1
    pure: cython.bint = True
    last: cython.longlong = highest_cut(entries, base, m, lo, hi, min_weight, row_mask, weights, weighted)
    proxy: cython.double
    best: cython.double = 0.0
    slack: cython.double
    for k in range(n_classes):
        sides[0, k] = 0
        sides[1, k] = stats[node, k]
        high += stats[node, k]
    slack = TIE * cython.cast(cython.double, high)
    if criterion == ENTROPY:
        slack *= log2(cython.cast(cython.double, high) + 2.0)
    for j in range(last + 1):
        entry = entries[base + j]
        row = entry & row_mask
        c = labels[row]
        weight = weights[row] if weighted else 1
        if entry & FLAG:
            run_class = c
            pure = True
        elif c != run_class:
            pure = False
        sides[0, c] += weight
        sides[1, c] -= weight
        low += weight
        high -= weight
        if j < lo or not (entries[base + j + 1] & FLAG) or low < min_weight:
            continue
        cut.cuts += 1
        if pure and cut.pos >= 0 and j < last and run_goes_on(entries, base, m, j, c, 0, 0, row_mask, labels):
            continue
        cut.scored += 1
        proxy = proxy_of(sides, n_classes, criterion, cython.cast(cython.double, low),
                         cython.cast(cython.double, high))
        if cut.pos < 0 or proxy > best:
            best = proxy + slack
            cut.pos = j
            for k in range(n_classes):
                left[k] = sides[0, k]
    return cut
