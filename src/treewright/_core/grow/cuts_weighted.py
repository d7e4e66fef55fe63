"""Best cut of a sorted column for classes and rows of any weight, by any criterion.

In: sorted entries as in cuts.py, with labels and weights looked up by row. Out: the best cut; the class
weights below it are in `left`. The class weights of both sides are whole numbers of units, so a score depends
on the cut alone and not on the order of its rows. By entropy, which takes a logarithm for each class, a cut inside a
run of one class is passed over (Fayyad and Irani 1992).

Two classes by Gini or entropy have a scan of their own, in one loop: a call that passes arrays costs more
than scoring a cut.
"""

import cython

if not cython.compiled:
    from math import fabs, log2

    from treewright._core.codes import ENTROPY, FAST_RUNS, FLAG, GINI, TWOING
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.impurity import impurity_of


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def side_term(ones: cython.double, side: cython.double, entropy: cython.bint) -> cython.double:
    """What a side adds to the proxy: the sum of a log2(a / side), or of squares over the side."""
    zeros: cython.double = side - ones
    total: cython.double = 0.0
    if not entropy:
        return (ones * ones + zeros * zeros) / side
    if ones > 0:
        total += ones * log2(ones / side)
    if zeros > 0:
        total += zeros * log2(zeros / side)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_two_weighted(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, lo: cython.longlong,
                      hi: cython.longlong, min_weight: cython.double, shift: cython.int, row_mask: cython.uint,
                      weights: cython.longlong[::1], total: cython.longlong, ones: cython.longlong,
                      entropy: cython.bint, best: cython.double, slack: cython.double,
                      fast: cython.int, left: cython.longlong[::1]) -> Cut:
    """Cuts lo to hi - 1 whose sides both weigh at least min_weight; the best one, and all of them counted.

    `best` is a proxy other columns reached, -1e300 for none; proxies tie within `slack`.
    `fast` has the fast paths in use.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    first: cython.longlong = -1
    last: cython.longlong = -1
    j: cython.longlong
    k: cython.longlong
    low: cython.longlong = 0
    low_ones: cython.longlong = 0
    high: cython.longlong = 0
    weight: cython.longlong
    entry: cython.uint
    label: cython.uint
    run_label: cython.uint = 2  # the class of the rows of one value; 2 for both
    proxy: cython.double
    for j in range(hi):
        low += weights[entries[base + j] & row_mask]
        if j >= lo and low >= min_weight and (entries[base + j + 1] & FLAG):
            first = j
            break
    if first < 0:
        return cut
    j = m - 1
    while j > first:
        high += weights[entries[base + j] & row_mask]
        if j <= hi and high >= min_weight and (entries[base + j] & FLAG):
            last = j - 1
            break
        j -= 1
    if last < first:
        return cut
    low = 0
    inner: cython.longlong = first if entropy and fast & FAST_RUNS else last
    for j in range(last + 1):
        entry = entries[base + j]
        label = (entry >> shift) & 1
        weight = weights[entry & row_mask]
        low += weight
        low_ones += weight & -cython.cast(cython.longlong, label)
        if entry & FLAG:
            run_label = label
        elif label != run_label:
            run_label = 2
        if j < first or not (entries[base + j + 1] & FLAG):
            continue
        cut.cuts += 1
        if run_label < 2 and inner < j < last:  # a cut within a run of one class cannot be best
            k = j + 1
            while k < m and ((entries[base + k] >> shift) & 1) == run_label and (
                    k == j + 1 or not (entries[base + k] & FLAG)):
                k += 1
            if k == m or (k > j + 1 and (entries[base + k] & FLAG)):
                continue
        proxy = (side_term(cython.cast(cython.double, low_ones), cython.cast(cython.double, low), entropy)
                 + side_term(cython.cast(cython.double, ones - low_ones),
                             cython.cast(cython.double, total - low), entropy))
        if proxy > best:
            best = proxy + slack
            cut.pos = j
            left[1] = low_ones
            left[0] = low - low_ones
    return cut


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
    if criterion != ENTROPY and criterion != GINI and criterion != TWOING:
        return -(low * impurity_of(sides, 0, n_classes, criterion) + high * impurity_of(sides, 1, n_classes, criterion))
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
def lowest_cut(entries: cython.uint[::1], base: cython.longlong, lo: cython.longlong, hi: cython.longlong,
               min_weight: cython.double, row_mask: cython.uint, weights: cython.longlong[::1],
               weighted: cython.bint) -> cython.longlong:
    """The lowest of the cuts lo to hi - 1 whose low side weighs at least min_weight; hi when none does."""
    low: cython.longlong = 0
    j: cython.longlong
    for j in range(hi):
        low += weights[entries[base + j] & row_mask] if weighted else 1
        if j >= lo and low >= min_weight and (entries[base + j + 1] & FLAG):
            return j
    return hi


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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def label_of(entry: cython.uint, shift: cython.int, mask: cython.uint, row_mask: cython.uint,
             labels: cython.int[::1]) -> cython.int:
    """The label packed in an entry, or looked up by its row where there was no room to pack it."""
    if mask:
        return cython.cast(cython.int, (entry >> shift) & mask)
    return labels[entry & row_mask]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def run_goes_on(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, j: cython.longlong,
                label: cython.int, shift: cython.int, mask: cython.uint, row_mask: cython.uint,
                labels: cython.int[::1]) -> cython.bint:
    """Whether all rows of the value that starts behind entry j have this label."""
    k: cython.longlong = j + 1
    if label_of(entries[base + k], shift, mask, row_mask, labels) != label:
        return False
    k += 1
    while k < m and not (entries[base + k] & FLAG):
        if label_of(entries[base + k], shift, mask, row_mask, labels) != label:
            return False
        k += 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_weighted(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, lo: cython.longlong,
                  hi: cython.longlong, min_weight: cython.double, shift: cython.int, mask: cython.uint,
                  row_mask: cython.uint, labels: cython.int[::1], weights: cython.longlong[::1],
                  weighted: cython.bint, n_classes: cython.int, stats: cython.longlong[:, ::1],
                  node: cython.longlong, criterion: cython.int, slack: cython.double,
                  fast: cython.int, sides: cython.longlong[:, ::1], left: cython.longlong[::1]) -> Cut:
    """Cuts lo to hi - 1 whose sides both weigh at least min_weight; the best one, and all of them counted.

    Proxies tie within `slack`. `fast` has the fast paths in use.
    """
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
    pure: cython.bint = False
    first: cython.longlong = lowest_cut(entries, base, lo, hi, min_weight, row_mask, weights, weighted)
    last: cython.longlong = highest_cut(entries, base, m, lo, hi, min_weight, row_mask, weights, weighted)
    runs: cython.bint = fast & FAST_RUNS != 0 and (criterion == ENTROPY or criterion == GINI or criterion == TWOING)
    inner: cython.longlong = first if runs else last
    proxy: cython.double
    best: cython.double = 0.0
    if first > last:
        return cut
    for k in range(n_classes):
        sides[0, k] = 0
        sides[1, k] = stats[node, k]
        high += stats[node, k]
    for j in range(last + 1):
        entry = entries[base + j]
        row = entry & row_mask
        c = cython.cast(cython.int, (entry >> shift) & mask) if mask else labels[row]
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
        if j < first or not (entries[base + j + 1] & FLAG):
            continue
        cut.cuts += 1
        if (pure and inner < j < last
                and (not mask or cython.cast(cython.int, (entries[base + j + 1] >> shift) & mask) == c)
                and run_goes_on(entries, base, m, j, c, shift, mask, row_mask, labels)):
            continue
        proxy = proxy_of(sides, n_classes, criterion, cython.cast(cython.double, low),
                         cython.cast(cython.double, high))
        if cut.pos < 0 or proxy > best:
            best = proxy + slack
            cut.pos = j
            for k in range(n_classes):
                left[k] = sides[0, k]
    return cut
