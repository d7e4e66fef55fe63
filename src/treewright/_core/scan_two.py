"""Best cut of a sorted column, for two classes and rows that count once: the commonest case, and the quickest.

In: sorted entries as in scan.py. Out: the best cut and its gain.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.scan import Cut, no_cut
else:
    from treewright._core.scan import Cut, no_cut

FLAG = cython.declare(cython.uint, 0x80000000)
TIE = cython.declare(cython.double, 1e-12)
BLOCK = cython.declare(cython.longlong, 64)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def may_win(ones_low: cython.longlong, low: cython.longlong, m: cython.longlong, ones: cython.longlong,
            best: cython.double) -> cython.bint:
    """Whether D^2 / (low * high) exceeds best, for `ones_low` ones among `low` entries."""
    d: cython.double = cython.cast(cython.double, ones_low * m - low * ones)
    return d * d > best * cython.cast(cython.double, low * (m - low))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def gain_of_two(gap: cython.double, low: cython.longlong, m: cython.longlong, twoing: cython.bint) -> cython.double:
    """The gain of a cut behind `low` of m entries whose D is `gap`."""
    part: cython.double = gap / m
    return ((1.0 if twoing else 2.0) * part * part / cython.cast(cython.double, low)
            / cython.cast(cython.double, m - low))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_two(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, lo: cython.longlong,
             hi: cython.longlong, shift: cython.int, ones: cython.longlong, bound: cython.double,
             twoing: cython.bint, in_blocks: cython.bint) -> Cut:
    """Two classes: the Gini gain is 2 D^2 / (m^2 low high), D = ones_low * m - low * ones; twoing is half of it.

    The gain is convex in the counts, so no cut inside a block of entries beats the best corner of the block's
    parallelogram (all its ones first, all its zeros first, its two ends): blocks that cannot win are skipped,
    as are those that hold no cut; without `in_blocks` all entries are one block.
    This includes every run of one class, where only the ends can win. `bound` is a proxy other columns reached.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    low: cython.longlong
    j: cython.longlong
    i: cython.longlong = lo
    stop: cython.longlong
    ones_low: cython.longlong = 0
    gap: cython.double = 0.0
    in_block: cython.longlong
    flags: cython.uint
    d: cython.longlong
    num: cython.double
    den: cython.double
    best: cython.double = bound
    for j in range(lo):
        ones_low += (entries[base + j] >> shift) & 1
    while i < hi:
        stop = i + BLOCK
        if stop > hi or not in_blocks:
            stop = hi
        in_block = 0
        flags = 0
        for j in range(i, stop):
            in_block += (entries[base + j] >> shift) & 1
            flags |= entries[base + j + 1]
        if (flags & FLAG) and (best < 0 or may_win(ones_low + in_block, i + in_block, m, ones, best)
                or may_win(ones_low, stop - in_block, m, ones, best)
                or may_win(ones_low, i, m, ones, best)
                or may_win(ones_low + in_block, stop, m, ones, best)):
            cut.scored += stop - i
            d = ones_low * m - i * ones
            for j in range(i, stop):
                d += ((entries[base + j] >> shift) & 1) * m - ones
                if not (entries[base + j + 1] & FLAG):
                    continue
                low = j + 1
                num = cython.cast(cython.double, d)
                num = num * num
                den = cython.cast(cython.double, low * (m - low))
                if num > best * den:
                    best = num / den * (1.0 + TIE)
                    cut.pos = j
                    gap = cython.cast(cython.double, d)
        ones_low += in_block
        i = stop
    if cut.pos >= 0:
        cut.low = cut.pos + 1
        cut.gain = gain_of_two(gap, cut.low, m, twoing)
    return cut
