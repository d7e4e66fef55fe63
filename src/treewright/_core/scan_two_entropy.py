"""Best cut of a sorted column by entropy, for two classes and rows that count once.

In: sorted entries as in scan.py, with the label in the entry. Out: the best cut and its gain. The gain rises with the
proxy: the sum over both sides of what is left of the entropy, sum a log2 a - n log2 n, from a table of x log2 x.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.codes import FAST_BLOCKS, FAST_RUNS
    from cython.cimports.treewright._core.scan import Cut
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import FAST_BLOCKS, FAST_RUNS
    from treewright._core.scan import Cut
    from treewright._core.work import Work

FLAG = cython.declare(cython.uint, 0x80000000)
TIE = cython.declare(cython.double, 1e-12)
ROUNDING = cython.declare(cython.double, 1e-14)
BLOCK = cython.declare(cython.longlong, 64)
PART = cython.declare(cython.longlong, 16)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def proxy_of(wk: Work, low: cython.longlong, ones_low: cython.longlong, m: cython.longlong,
             ones: cython.longlong) -> cython.double:
    """The proxy of a cut with so many rows, and so many ones among them, below it."""
    return (wk.xlogx[ones_low] + wk.xlogx[low - ones_low] - wk.xlogx[low]
            + wk.xlogx[ones - ones_low] + wk.xlogx[m - low - ones + ones_low] - wk.xlogx[m - low])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def run_goes_on(entries: cython.uint[::1], at: cython.longlong, end: cython.longlong, shift: cython.int,
                label: cython.uint) -> cython.bint:
    """Whether all rows of the value that starts at entry `at` have this label."""
    k: cython.longlong = at + 1
    if ((entries[at] >> shift) & 1) != label:
        return False
    while k < end and not (entries[k] & FLAG):
        if ((entries[k] >> shift) & 1) != label:
            return False
        k += 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_two_entropy(wk: Work, entries: cython.uint[::1], base: cython.longlong, node: cython.longlong,
                     lo: cython.longlong, hi: cython.longlong, best: cython.double) -> Cut:
    """The best of the cuts lo to hi - 1, all of them counted; `best` is a proxy other columns reached, -1e300 for none.

    The proxy is convex in the counts, so no cut inside a block of entries beats the best corner of the block's
    parallelogram (all its ones first, all its zeros first, its two ends): blocks that cannot win are passed over. For
    the same reason a cut inside a run of one class cannot win (Fayyad and Irani), but for the lowest and the highest
    admissible one.
    """
    cut = cython.declare(Cut)
    m: cython.longlong = wk.rows[node]
    ones: cython.longlong = wk.stats[node, 1]
    shift: cython.int = wk.shift
    slack: cython.double = TIE * (wk.xlogx[m] + 1.0)
    margin: cython.double = ROUNDING * (wk.xlogx[m] + 1.0)
    in_blocks: cython.bint = wk.fast & FAST_BLOCKS != 0
    size: cython.longlong = BLOCK if m > 512 else PART
    coarse: cython.longlong = 0  # from here on whole blocks are tried again
    i: cython.longlong = lo
    j: cython.longlong
    stop: cython.longlong
    ones_low: cython.longlong = 0
    in_block: cython.longlong
    cuts: cython.longlong
    first: cython.longlong = lo
    last: cython.longlong = hi - 1
    entry: cython.uint
    label: cython.uint
    run_label: cython.uint
    num: cython.double
    top: cython.double = 0.0
    cut.pos = -1
    cut.cuts = 0
    cut.scored = 0
    cut.low = 0
    cut.gain = 0.0
    while last >= lo and not (entries[base + last + 1] & FLAG):
        last -= 1
    while first < last and not (entries[base + first + 1] & FLAG):
        first += 1
    for j in range(lo):
        ones_low += (entries[base + j] >> shift) & 1
    inner: cython.longlong = first if wk.fast & FAST_RUNS else last
    while i <= last:
        if i >= coarse and m > 512:
            size = BLOCK
        stop = i + size if i + size <= last + 1 else last + 1
        in_block = 0
        cuts = 0
        for j in range(i, stop):
            in_block += (entries[base + j] >> shift) & 1
            cuts += entries[base + j + 1] >> 31
        num = best - margin
        if cuts and (best < -1e299 or not in_blocks or proxy_of(wk, i + in_block, ones_low + in_block, m, ones) > num
                or proxy_of(wk, stop - in_block, ones_low, m, ones) > num
                or proxy_of(wk, stop, ones_low + in_block, m, ones) > num
                or proxy_of(wk, i, ones_low, m, ones) > num):
            if size == BLOCK and stop - i > PART and in_blocks:  # a part of it may still be passed over
                size = PART
                coarse = stop
                continue
            in_block += ones_low
            run_label = 2  # the class of the rows of one value; 2 for both, or not known
            for j in range(i, stop):
                entry = entries[base + j]
                label = (entry >> shift) & 1
                ones_low += label
                if entry & FLAG:
                    run_label = label
                elif label != run_label:
                    run_label = 2
                if not (entries[base + j + 1] & FLAG):
                    continue
                if (run_label < 2 and inner < j < last
                        and run_goes_on(entries, base + j + 1, base + m, shift, run_label)):
                    continue
                cut.scored += 1
                num = proxy_of(wk, j + 1, ones_low, m, ones)
                if num > best:
                    best = num + slack
                    top = num
                    cut.pos = j
            ones_low = in_block
        else:
            ones_low += in_block
        cut.cuts += cuts
        i = stop
    if cut.pos >= 0:
        cut.low = cut.pos + 1
        cut.gain = (top - wk.node_sum + wk.xlogx[m]) / m
    return cut
