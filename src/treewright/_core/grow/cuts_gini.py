"""Best cut of a sorted column by Gini or, for two classes, twoing, where every row counts once.

In: sorted entries as in cuts.py. Out: the best cut and its gain. Two classes have a scan of their own. For
more, the gain rises with the proxy sl/low + sr/high, where sl and sr are the sums of squares of the class
counts below and above the cut: whole numbers, updated from entry to entry.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import BLOCK, FAST_BLOCKS, FLAG, TIE
    from treewright._core.grow.cuts import Cut, label_in, no_cut
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def two_may_win(ones_low: cython.longlong, low: cython.longlong, m: cython.longlong, ones: cython.longlong,
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
        if (flags & FLAG) and (best < 0 or two_may_win(ones_low + in_block, i + in_block, m, ones, best)
                or two_may_win(ones_low, stop - in_block, m, ones, best)
                or two_may_win(ones_low, i, m, ones, best)
                or two_may_win(ones_low + in_block, stop, m, ones, best)):
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


GINI_ROUNDING = cython.declare(cython.double, 1.0 + 1e-12)
ONE = cython.declare(cython.ulonglong, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_block(
    wk: Work, entries: cython.uint[::1], first: cython.longlong, end: cython.longlong,
) -> cython.longlong:
    """Count the classes of the entries first to end - 1, at most 255, in scratch.side_stats[2]; the cuts behind
    them.
    """
    shift: cython.int = wk.table.shift
    mask: cython.uint = wk.table.label_mask
    packed: cython.ulonglong = 0
    cuts: cython.longlong = 0
    j: cython.longlong
    k: cython.int
    if mask and wk.table.n_classes <= 8:  # eight counts in one number: nothing waits for a count to be stored
        for j in range(first, end):
            packed += ONE << (cython.cast(cython.longlong, (entries[j] >> shift) & mask) << 3)
            cuts += entries[j + 1] >> 31
        for k in range(wk.table.n_classes):
            wk.scratch.side_stats[2, k] = cython.cast(cython.longlong, (packed >> (k << 3)) & 255)
        return cuts
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[2, k] = 0
    for j in range(first, end):
        wk.scratch.side_stats[2, label_in(wk.table, entries[j])] += 1
        cuts += entries[j + 1] >> 31
    return cuts


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bound_of_block(
    wk: Work, node: cython.longlong, i: cython.longlong, stop: cython.longlong, sum_low: cython.double,
    sum_high: cython.double,
) -> cython.double:
    """A number that no cut within the block of entries i to stop - 1, counted in scratch.side_stats[2], exceeds;
    both sides have rows all along.

    Where x_k rows of class k, t in all, have passed from the high side to the low one, with n rows and the
    proportions p_k, its part of the proxy has grown by sum x_k (2 p_k - sum p^2) + sum (x_k - t p_k)^2 / (n + t).
    The other side's has fallen alike. Of the slopes only those that add to the proxy are taken; the squares are
    below x_k^2 + t^2 p_k^2.
    """
    low: cython.double = cython.cast(cython.double, i)
    high: cython.double = cython.cast(cython.double, wk.draft.rows[node] - i)
    size: cython.double = cython.cast(cython.double, stop - i)
    by_low: cython.double = 2.0 / low
    by_high: cython.double = 2.0 / high
    pure_low: cython.double = sum_low / (low * low)
    pure_high: cython.double = sum_high / (high * high)
    apart: cython.double = pure_high - pure_low
    bound: cython.double = pure_low * low + pure_high * high
    squares: cython.double = 0.0
    below: cython.longlong
    rows: cython.double
    slope: cython.double
    k: cython.int
    for k in range(wk.table.n_classes):
        below = wk.scratch.side_stats[0, k]
        rows = cython.cast(cython.double, wk.scratch.side_stats[2, k])
        slope = apart + (cython.cast(cython.double, below) * by_low
                         - cython.cast(cython.double, wk.draft.stats[node, k] - below) * by_high)
        bound += (slope if slope > 0.0 else 0.0) * rows
        squares += rows * rows
    bound += (squares + size * size * pure_low) / low + (squares + size * size * pure_high) / (high - size)
    return bound * GINI_ROUNDING


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_counts(wk: Work, entries: cython.uint[::1], base: cython.longlong, m: cython.longlong) -> cython.void:
    """No row on the low side; in a small node only the classes that it has are set."""
    k: cython.int
    j: cython.longlong
    if m >= wk.table.n_classes:
        for k in range(wk.table.n_classes):
            wk.scratch.side_stats[0, k] = 0
        return
    for j in range(base, base + m):
        wk.scratch.side_stats[0, label_in(wk.table, entries[j])] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_gini(wk: Work, entries: cython.uint[::1], base: cython.longlong, node: cython.longlong,
              lo: cython.longlong, hi: cython.longlong, best: cython.double) -> Cut:
    """The best of the cuts lo to hi - 1; `best` is a proxy other columns reached, negative for none.

    With a_k of the t_k rows of class k below the cut, the sum of squares above it is that of all, less twice the sum of
    t_k a_k, plus that below it. Blocks of a large node that cannot win are passed over. No loop is over classes that a
    small node may not have.
    """
    cut = cython.declare(Cut)
    m: cython.longlong = wk.draft.rows[node]
    whole: cython.longlong = cython.cast(cython.longlong, wk.search.node_sum)
    squares: cython.longlong = 0   # sum of a_k^2
    products: cython.longlong = 0  # sum of t_k a_k
    best_squares: cython.longlong = 0
    best_products: cython.longlong = 0
    in_blocks: cython.bint = (m > wk.plan.skip_blocks_from and m > 16 * wk.table.n_classes
                              and wk.plan.fast_paths & FAST_BLOCKS != 0)
    size: cython.longlong = 64 if m > 4096 or wk.table.n_classes > 8 else 32  # of a block
    i: cython.longlong = 0
    j: cython.longlong
    stop: cython.longlong
    shift: cython.int = wk.table.shift
    mask: cython.uint = wk.table.label_mask
    entry: cython.uint
    c: cython.int
    k: cython.int
    count: cython.longlong
    low: cython.double
    high: cython.double
    num: cython.double
    cut.pos = -1
    cut.cuts = 0
    cut.low = 0
    cut.gain = 0.0
    clear_counts(wk, entries, base, m)
    while i < hi:
        stop = hi
        if in_blocks:
            stop = i + size if i + size < hi else hi
            if i > 0 and best > 0:
                count = count_block(wk, entries, base + i, base + stop)
                if count == 0 or stop <= lo or bound_of_block(
                        wk, node, i, stop, cython.cast(cython.double, squares),
                        cython.cast(cython.double, whole - 2 * products + squares)) <= best:
                    for k in range(wk.table.n_classes):
                        count = wk.scratch.side_stats[2, k]
                        squares += count * (2 * wk.scratch.side_stats[0, k] + count)
                        products += count * wk.draft.stats[node, k]
                        wk.scratch.side_stats[0, k] += count
                    i = stop
                    continue
        low = cython.cast(cython.double, i)
        high = cython.cast(cython.double, m - i)
        for j in range(i, stop):
            entry = entries[base + j]
            c = cython.cast(cython.int, (entry >> shift) & mask) if mask else wk.table.labels[entry & wk.table.row_mask]
            count = wk.scratch.side_stats[0, c]
            squares += 2 * count + 1
            products += wk.draft.stats[node, c]
            wk.scratch.side_stats[0, c] = count + 1
            low += 1.0
            high -= 1.0
            if not (entries[base + j + 1] & FLAG) or j < lo:
                continue
            num = (cython.cast(cython.double, squares) * high
                   + cython.cast(cython.double, whole - 2 * products + squares) * low)
            if num > best * (low * high):
                best = num / (low * high) * (1.0 + TIE)
                cut.pos = j
                best_squares = squares
                best_products = products
        i = stop
    if cut.pos >= 0:
        cut.low = cut.pos + 1
        low = cython.cast(cython.double, cut.low)
        high = cython.cast(cython.double, m - cut.low)
        cut.gain = (cython.cast(cython.double, best_squares) / low
                    + cython.cast(cython.double, whole - 2 * best_products + best_squares) / high
                    - wk.search.node_sum / m) / m
    return cut
