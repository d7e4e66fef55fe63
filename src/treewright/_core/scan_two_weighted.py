"""Best cut of a sorted column, for two classes and rows of any weight, by Gini or entropy.

In: sorted entries as in scan.py, weights by row. Out: the best cut, as there; its class weights below in `left`.
Everything is in one loop, because a call that hands on arrays costs more than scoring a cut. Blocks of entries that
cannot win are passed over by the bounds of scan.py.
"""

from math import log2

import cython

if cython.compiled:
    from cython.cimports.libc.math import log2
    from cython.cimports.treewright._core.codes import FAST_BLOCKS, FAST_RUNS
    from cython.cimports.treewright._core.scan import Cut, no_cut
else:
    from treewright._core.codes import FAST_BLOCKS, FAST_RUNS
    from treewright._core.scan import Cut, no_cut

FLAG = cython.declare(cython.uint, 0x80000000)
BLOCK = cython.declare(cython.longlong, 64)
PART = cython.declare(cython.longlong, 16)


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
    i: cython.longlong = 0
    size: cython.longlong = PART
    coarse: cython.longlong = PART  # from here on whole blocks are tried again
    j: cython.longlong
    k: cython.longlong
    end: cython.longlong
    low: cython.longlong = 0
    low_ones: cython.longlong = 0
    block: cython.longlong
    block_ones: cython.longlong
    weight: cython.longlong
    entry: cython.uint
    label: cython.uint
    run_label: cython.uint = 2
    flags: cython.uint
    high: cython.double
    high_ones: cython.double
    bound: cython.double
    proxy: cython.double
    for j in range(hi):
        low += weights[entries[base + j] & row_mask]
        if j >= lo and low >= min_weight and (entries[base + j + 1] & FLAG):
            first = j
            break
    if first < 0:
        return cut
    block = 0
    j = m - 1
    while j > first:
        block += weights[entries[base + j] & row_mask]
        if j <= hi and block >= min_weight and (entries[base + j] & FLAG):
            last = j - 1
            break
        j -= 1
    if last < first:
        return cut
    for j in range(first, last + 1):
        cut.cuts += entries[base + j + 1] >> 31
    low = 0
    inner: cython.longlong = first if fast & FAST_RUNS else last
    if not fast & FAST_BLOCKS:
        size = m
        coarse = m
    while i <= last:
        end = i + size if i + size <= last + 1 else last + 1
        if i > 0:
            flags = 0
            block = 0
            block_ones = 0
            for j in range(base + i, base + end):
                entry = entries[j]
                weight = weights[entry & row_mask]
                block += weight
                block_ones += weight & -cython.cast(cython.longlong, (entry >> shift) & 1)
                flags |= entries[j + 1]
            if not (flags & FLAG) or end <= first:
                bound = best
            elif entropy:
                bound = (side_term(cython.cast(cython.double, low_ones), cython.cast(cython.double, low), True)
                         + side_term(cython.cast(cython.double, ones - low_ones - block_ones),
                                     cython.cast(cython.double, total - low - block), True))
            else:
                # sums of squares at their largest over the sides at their smallest
                high = cython.cast(cython.double, total - low)
                high_ones = cython.cast(cython.double, ones - low_ones)
                bound = side_term(high_ones, high, False) * high / cython.cast(cython.double, total - low - block)
                high = cython.cast(cython.double, low + block)
                high_ones = cython.cast(cython.double, low_ones + block_ones)
                bound += side_term(high_ones, high, False) * high / cython.cast(cython.double, low)
            if bound <= best:
                low += block
                low_ones += block_ones
                run_label = 2
                i = end
                if i >= coarse:
                    size = BLOCK
                continue
            if size == BLOCK and end - i > PART:  # a part of it may still be passed over
                size = PART
                coarse = end
                continue
        for j in range(i, end):
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
            if run_label < 2 and inner < j < last:  # a cut within a run of one class cannot be best
                k = j + 1
                while k < m and ((entries[base + k] >> shift) & 1) == run_label and (
                        k == j + 1 or not (entries[base + k] & FLAG)):
                    k += 1
                if k == m or (k > j + 1 and (entries[base + k] & FLAG)):
                    continue
            cut.scored += 1
            proxy = (side_term(cython.cast(cython.double, low_ones), cython.cast(cython.double, low), entropy)
                     + side_term(cython.cast(cython.double, ones - low_ones),
                                 cython.cast(cython.double, total - low), entropy))
            if proxy > best:
                best = proxy + slack
                cut.pos = j
                left[1] = low_ones
                left[0] = low - low_ones
        i = end
        if i >= coarse:
            size = BLOCK
    return cut
