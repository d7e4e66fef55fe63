"""Best cut of a sorted column by entropy, where every row counts once.

In: sorted entries as in cuts.py. Out: the best cut and its gain. The gain rises with the proxy: over both
sides the sum of a log2 a, for the rows a of each class, less n log2 n for all of them; from a table of x log2
x. Two classes have a scan of their own.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import BLOCK, FAST_BLOCKS, FLAG, NO_PROXY, TIE
    from treewright._core.grow.cuts import Cut, label_in
    from treewright._core.grow.workspace import Work

ENTROPY_ROUNDING = cython.declare(cython.double, 1e-14)
PART_ENTROPY = cython.declare(cython.longlong, 16)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def proxy_of_two(wk: Work, low: cython.longlong, ones_low: cython.longlong, m: cython.longlong,
                 ones: cython.longlong) -> cython.double:
    """The proxy of a cut with so many rows, and so many ones among them, below it."""
    return (wk.table.xlogx[ones_low] + wk.table.xlogx[low - ones_low] - wk.table.xlogx[low]
            + wk.table.xlogx[ones - ones_low] + wk.table.xlogx[m - low - ones + ones_low] - wk.table.xlogx[m - low])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_two_entropy(wk: Work, entries: cython.uint[::1], base: cython.longlong, node: cython.longlong,
                     lo: cython.longlong, hi: cython.longlong, best: cython.double) -> Cut:
    """The best of the cuts lo to hi - 1, all of them counted; `best` is a proxy other columns reached, -1e300 for none.

    The proxy is convex in the counts, so no cut inside a block of entries beats the best corner of the block's
    parallelogram (all its ones first, all its zeros first, its two ends): blocks that cannot win are passed over.
    """
    cut = cython.declare(Cut)
    m: cython.longlong = wk.draft.rows[node]
    ones: cython.longlong = wk.draft.stats[node, 1]
    shift: cython.int = wk.table.shift
    slack: cython.double = TIE * (wk.table.xlogx[m] + 1.0)
    margin: cython.double = ENTROPY_ROUNDING * (wk.table.xlogx[m] + 1.0)
    in_blocks: cython.bint = wk.plan.fast_paths & FAST_BLOCKS != 0
    size: cython.longlong = BLOCK if m > 512 else PART_ENTROPY
    coarse: cython.longlong = 0  # from here on whole blocks are tried again
    i: cython.longlong = lo
    j: cython.longlong
    stop: cython.longlong
    ones_low: cython.longlong = 0
    in_block: cython.longlong
    cuts: cython.longlong
    last: cython.longlong = hi - 1
    num: cython.double
    top: cython.double = 0.0
    cut.pos = -1
    cut.cuts = 0
    cut.low = 0
    cut.gain = 0.0
    while last >= lo and not (entries[base + last + 1] & FLAG):
        last -= 1
    for j in range(lo):
        ones_low += (entries[base + j] >> shift) & 1
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
        if cuts and (best < -1e299 or not in_blocks
                or proxy_of_two(wk, i + in_block, ones_low + in_block, m, ones) > num
                or proxy_of_two(wk, stop - in_block, ones_low, m, ones) > num
                or proxy_of_two(wk, stop, ones_low + in_block, m, ones) > num
                or proxy_of_two(wk, i, ones_low, m, ones) > num):
            if size == BLOCK and stop - i > PART_ENTROPY and in_blocks:  # a part of it may still be passed over
                size = PART_ENTROPY
                coarse = stop
                continue
            in_block += ones_low
            for j in range(i, stop):
                ones_low += (entries[base + j] >> shift) & 1
                if not (entries[base + j + 1] & FLAG):
                    continue
                num = proxy_of_two(wk, j + 1, ones_low, m, ones)
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
        cut.gain = (top - wk.search.node_sum + wk.table.xlogx[m]) / m
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def start_counts(wk: Work, entries: cython.uint[::1], base: cython.longlong, node: cython.longlong) -> cython.void:
    """All rows on the high side; in a small node only the classes that it has are set."""
    k: cython.int
    j: cython.longlong
    if wk.draft.rows[node] >= wk.table.n_classes:
        for k in range(wk.table.n_classes):
            wk.scratch.side_stats[0, k] = 0
            wk.scratch.side_stats[1, k] = wk.draft.stats[node, k]
        return
    for j in range(base, base + wk.draft.rows[node]):
        k = label_in(wk.table, entries[j])
        wk.scratch.side_stats[0, k] = 0
        wk.scratch.side_stats[1, k] = wk.draft.stats[node, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def block_cannot_win(wk: Work, entries: cython.uint[::1], first: cython.longlong, end: cython.longlong,
                     at: cython.longlong, m: cython.longlong, best: cython.double) -> cython.bint:
    """Move the entries first to end - 1 to the low side if no cut behind them can beat `best`; whether it was so.

    What a side contributes to the proxy falls with every row that joins it, so the low side at the start and the high
    side at the end bound it. scratch.side_sums has the sums over both sides.
    """
    flags: cython.uint = 0
    k: cython.int
    j: cython.longlong
    low: cython.double = 0.0
    high: cython.double = 0.0
    for j in range(first + 1, end + 1):
        flags |= entries[j]
    if (flags & FLAG) and (best == NO_PROXY or at == 0 or at + end - first >= m):
        return False
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[2, k] = 0
    for j in range(first, end):
        wk.scratch.side_stats[2, label_in(wk.table, entries[j])] += 1
    for k in range(wk.table.n_classes):
        low += wk.table.xlogx[wk.scratch.side_stats[0, k] + wk.scratch.side_stats[2, k]]
        high += wk.table.xlogx[wk.scratch.side_stats[1, k] - wk.scratch.side_stats[2, k]]
    if (flags & FLAG) and wk.scratch.side_sums[0] - wk.table.xlogx[at] + high - wk.table.xlogx[m - at - end
                                                                                               + first] > best:
        return False
    wk.scratch.side_sums[0] = low
    wk.scratch.side_sums[1] = high
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[0, k] += wk.scratch.side_stats[2, k]
        wk.scratch.side_stats[1, k] -= wk.scratch.side_stats[2, k]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_entropy(wk: Work, entries: cython.uint[::1], base: cython.longlong, node: cython.longlong,
                 lo: cython.longlong, hi: cython.longlong, best: cython.double) -> Cut:
    """The best of the cuts lo to hi - 1; `best` is a proxy other columns reached, -1e300 for none.

    Blocks of a large node that cannot win are passed over. No loop is over classes that a small node may not have.
    """
    cut = cython.declare(Cut)
    m: cython.longlong = wk.draft.rows[node]
    many: cython.bint = (m > wk.plan.skip_blocks_from and m > 8 * wk.table.n_classes
                         and wk.plan.fast_paths & FAST_BLOCKS != 0)
    slack: cython.double = TIE * (wk.table.xlogx[m] + 1.0)
    first: cython.longlong = lo
    last: cython.longlong = hi - 1
    i: cython.longlong = 0
    j: cython.longlong
    end: cython.longlong
    c: cython.int
    sum_low: cython.double
    sum_high: cython.double
    num: cython.double
    top: cython.double = 0.0
    cut.pos = -1
    cut.cuts = 0
    cut.low = 0
    cut.gain = 0.0
    wk.scratch.side_sums[0] = 0.0
    wk.scratch.side_sums[1] = wk.search.node_sum
    start_counts(wk, entries, base, node)
    while last >= lo and not (entries[base + last + 1] & FLAG):
        last -= 1
    while first < last and not (entries[base + first + 1] & FLAG):
        first += 1
    while i <= last:
        end = i + BLOCK if i + BLOCK <= last + 1 else last + 1
        if many and block_cannot_win(wk, entries, base + i, base + end, i, m, best):
            i = end
            continue
        sum_low = wk.scratch.side_sums[0]
        sum_high = wk.scratch.side_sums[1]
        for j in range(i, end):
            c = label_in(wk.table, entries[base + j])
            sum_low += wk.table.xlogx[wk.scratch.side_stats[0, c] + 1] - wk.table.xlogx[wk.scratch.side_stats[0, c]]
            sum_high -= wk.table.xlogx[wk.scratch.side_stats[1, c]] - wk.table.xlogx[wk.scratch.side_stats[1, c] - 1]
            wk.scratch.side_stats[0, c] += 1
            wk.scratch.side_stats[1, c] -= 1
            if j < first or not (entries[base + j + 1] & FLAG):
                continue
            num = sum_low + sum_high - wk.table.xlogx[j + 1] - wk.table.xlogx[m - j - 1]
            if num > best:
                best = num + slack
                top = num
                cut.pos = j
        wk.scratch.side_sums[0] = sum_low
        wk.scratch.side_sums[1] = sum_high
        i = end
    if cut.pos >= 0:
        cut.low = cut.pos + 1
        cut.gain = (top - wk.search.node_sum + wk.table.xlogx[m]) / m
    return cut
