"""Best cut of a sorted column, for classes and rows that count once.

In: `entries[base : base + m]`, one packed 32-bit entry a row, sorted by value, then label: the top bit says "first
of its value", the bits from `shift` on hold the label, the low bits the row. Cut j lies behind entry j; cuts lo to
hi - 1 leave both sides large enough. Out: the best cut and its gain.

Cuts are compared by a cheap proxy that rises with the gain; the gain itself is worked out once a column, from whole
counts. A proxy has to be larger by one part in 10^12 to win, so that rounding never breaks a tie: the lowest wins.
"""

import cython

FLAG = cython.declare(cython.uint, 0x80000000)
TIE = cython.declare(cython.double, 1e-12)
BLOCK = cython.declare(cython.longlong, 64)
SHORT = cython.declare(cython.longlong, 512)
NONE = cython.declare(cython.double, -1e300)

# pos: the last entry below the cut, -1 for none; cuts, scored: how many there are and were worked out;
# low: the weight below it; gain: what it takes off the impurity (where the scan works it out itself)
Cut = cython.struct(pos=cython.longlong, cuts=cython.longlong, scored=cython.longlong, low=cython.longlong,
                    gain=cython.double)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def no_cut() -> Cut:
    """What a scan starts from."""
    cut = cython.declare(Cut)
    cut.pos = -1
    cut.cuts = 0
    cut.scored = 0
    cut.low = 0
    cut.gain = 0.0
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_cuts(entries: cython.uint[::1], base: cython.longlong, lo: cython.longlong,
               hi: cython.longlong) -> cython.longlong:
    """How many of the cuts lo to hi - 1 lie between two different values."""
    n: cython.longlong = 0
    j: cython.longlong
    for j in range(lo, hi):
        n += entries[base + j + 1] >> 31
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_cut(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong) -> cython.bint:
    """Whether the entries hold more than one value."""
    any_flag: cython.uint = 0
    i: cython.longlong = 1
    j: cython.longlong
    stop: cython.longlong
    while i < m:
        stop = i + BLOCK if i + BLOCK < m else m
        for j in range(i, stop):
            any_flag |= entries[base + j]
        if any_flag & FLAG:
            return True
        i = stop
    return False


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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def term(x: cython.longlong, entropy: cython.bint, xlogx: cython.double[::1]) -> cython.double:
    """What a class of x rows adds to the sum of its side: x log2 x, or x squared."""
    return xlogx[x] if entropy else cython.cast(cython.double, x) * cython.cast(cython.double, x)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def block_cannot_win(entries: cython.uint[::1], first: cython.longlong, end: cython.longlong,
                     at: cython.longlong, m: cython.longlong, shift: cython.int, mask: cython.uint,
                     row_mask: cython.uint, labels: cython.int[::1], n_classes: cython.int,
                     xlogx: cython.double[::1], entropy: cython.bint, best: cython.double,
                     sides: cython.longlong[:, ::1], sums: cython.double[::1]) -> cython.bint:
    """Move the entries first to end - 1 to the low side if no cut behind them can beat `best`; whether it was so.

    Entropy: a side's share of the proxy falls with every row that joins it, so the low side at the start and the
    high side at the end bound it. Gini: the sums of squares at their largest over the sides at their smallest.
    """
    size: cython.longlong = end - first
    flags: cython.uint = 0
    k: cython.int
    j: cython.longlong
    low: cython.double = 0.0
    high: cython.double = 0.0
    bound: cython.double
    for j in range(first + 1, end + 1):
        flags |= entries[j]
    if (flags & FLAG) and (best == NONE or at == 0 or at + size >= m):
        return False
    for k in range(n_classes):
        sides[2, k] = 0
    for j in range(first, end):
        sides[2, label_of(entries[j], shift, mask, row_mask, labels)] += 1
    for k in range(n_classes):
        low += term(sides[0, k] + sides[2, k], entropy, xlogx)
        high += term(sides[1, k] - sides[2, k], entropy, xlogx)
    if flags & FLAG:
        if entropy:
            bound = sums[0] - xlogx[at] + high - xlogx[m - at - size]
        else:
            bound = low / at + sums[1] / (m - at - size)
        if bound > best:
            return False
    sums[0] = low
    sums[1] = high
    for k in range(n_classes):
        sides[0, k] += sides[2, k]
        sides[1, k] -= sides[2, k]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def start_counts(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, shift: cython.int,
                 mask: cython.uint, row_mask: cython.uint, labels: cython.int[::1], n_classes: cython.int,
                 stats: cython.longlong[:, ::1], node: cython.longlong,
                 sides: cython.longlong[:, ::1]) -> cython.void:
    """All rows on the high side; in a small node only the classes that it has are set."""
    k: cython.int
    j: cython.longlong
    if m >= n_classes:
        for k in range(n_classes):
            sides[0, k] = 0
            sides[1, k] = stats[node, k]
        return
    for j in range(base, base + m):
        k = label_of(entries[j], shift, mask, row_mask, labels)
        sides[0, k] = 0
        sides[1, k] = stats[node, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_of_cut(entries: cython.uint[::1], base: cython.longlong, low: cython.longlong, m: cython.longlong,
                shift: cython.int, mask: cython.uint, row_mask: cython.uint, labels: cython.int[::1],
                xlogx: cython.double[::1], entropy: cython.bint, whole: cython.double,
                sides: cython.longlong[:, ::1]) -> cython.double:
    """The gain of the cut behind the first `low` entries, counted anew from all rows on the high side."""
    j: cython.longlong
    c: cython.int
    sum_low: cython.double = 0.0
    sum_high: cython.double = whole
    high: cython.longlong = m - low
    for j in range(base, base + low):
        c = label_of(entries[j], shift, mask, row_mask, labels)
        sum_low += term(sides[0, c] + 1, entropy, xlogx) - term(sides[0, c], entropy, xlogx)
        sum_high += term(sides[1, c] - 1, entropy, xlogx) - term(sides[1, c], entropy, xlogx)
        sides[0, c] += 1
        sides[1, c] -= 1
    if entropy:
        return (sum_low + sum_high - whole + xlogx[m] - xlogx[low] - xlogx[high]) / m
    return (sum_low / low + sum_high / high - whole / m) / m


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def score_gini(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, lo: cython.longlong,
               start: cython.longlong, end: cython.longlong, shift: cython.int, mask: cython.uint,
               row_mask: cython.uint, labels: cython.int[::1], sides: cython.longlong[:, ::1],
               sums: cython.double[::1]) -> Cut:
    """Score the cuts of a block; the best that beats sums[2]. To score a cut is cheaper than to ask whether the
    class changes there.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    c: cython.int
    j: cython.longlong
    low: cython.double
    high: cython.double
    num: cython.double
    sum_low: cython.double = sums[0]
    sum_high: cython.double = sums[1]
    best: cython.double = sums[2]
    for j in range(start, end):
        c = label_of(entries[base + j], shift, mask, row_mask, labels)
        sum_low += cython.cast(cython.double, 2 * sides[0, c] + 1)
        sum_high -= cython.cast(cython.double, 2 * sides[1, c] - 1)
        sides[0, c] += 1
        sides[1, c] -= 1
        if j < lo or not (entries[base + j + 1] & FLAG):
            continue
        cut.scored += 1
        low = cython.cast(cython.double, j + 1)
        high = cython.cast(cython.double, m - j - 1)
        num = sum_low * high + sum_high * low
        if num > best * (low * high):
            best = num / (low * high) * (1.0 + TIE)
            cut.pos = j
    sums[0] = sum_low
    sums[1] = sum_high
    sums[2] = best
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def score_entropy(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, first: cython.longlong,
                  last: cython.longlong, start: cython.longlong, end: cython.longlong, shift: cython.int,
                  mask: cython.uint, row_mask: cython.uint, labels: cython.int[::1],
                  xlogx: cython.double[::1], sides: cython.longlong[:, ::1], sums: cython.double[::1]) -> Cut:
    """Score the cuts of a block; the best that beats sums[2].

    A cut inside a run of one class is passed over (Fayyad and Irani), but for the lowest and the highest
    admissible one.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    c: cython.int
    j: cython.longlong
    entry: cython.uint
    run_class: cython.int = -1
    pure: cython.bint = False
    num: cython.double
    sum_low: cython.double = sums[0]
    sum_high: cython.double = sums[1]
    best: cython.double = sums[2]
    slack: cython.double = TIE * (xlogx[m] + 1.0)
    for j in range(start, end):
        entry = entries[base + j]
        c = label_of(entry, shift, mask, row_mask, labels)
        if entry & FLAG:
            run_class = c
            pure = True
        elif c != run_class:
            pure = False
        sum_low += xlogx[sides[0, c] + 1] - xlogx[sides[0, c]]
        sum_high -= xlogx[sides[1, c]] - xlogx[sides[1, c] - 1]
        sides[0, c] += 1
        sides[1, c] -= 1
        if j < first or not (entries[base + j + 1] & FLAG):
            continue
        if (pure and first < j < last
                and run_goes_on(entries, base, m, j, c, shift, mask, row_mask, labels)):
            continue
        cut.scored += 1
        num = sum_low + sum_high - xlogx[j + 1] - xlogx[m - j - 1]
        if num > best:
            best = num + slack
            cut.pos = j
    sums[0] = sum_low
    sums[1] = sum_high
    sums[2] = best
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_unit(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, lo: cython.longlong,
              hi: cython.longlong, shift: cython.int, mask: cython.uint, row_mask: cython.uint,
              labels: cython.int[::1], n_classes: cython.int, stats: cython.longlong[:, ::1],
              node: cython.longlong, xlogx: cython.double[::1], entropy: cython.bint, best: cython.double,
              whole: cython.double, sides: cython.longlong[:, ::1], sums: cython.double[::1]) -> Cut:
    """Any number of classes, Gini or entropy, by running sums over both sides.

    The proxy is sl/low + sr/high, with sl, sr the sums of squares; or sl + sr less low and high, each times its
    logarithm; `whole` is the sum over the whole node. sums holds sl, sr and the best proxy. Blocks that cannot win
    are skipped; `best` is a proxy other columns reached, -1e300 for none. No loop is over classes that a small
    node may not have.
    """
    cut = cython.declare(Cut)
    cut = no_cut()
    block = cython.declare(Cut)
    i: cython.longlong = 0
    end: cython.longlong
    first: cython.longlong = lo
    last: cython.longlong = hi - 1
    many: cython.bint = m > SHORT and m > 8 * n_classes
    sums[0] = 0.0
    sums[1] = whole
    sums[2] = best
    start_counts(entries, base, m, shift, mask, row_mask, labels, n_classes, stats, node, sides)
    while last >= lo and not (entries[base + last + 1] & FLAG):
        last -= 1
    while first < last and not (entries[base + first + 1] & FLAG):
        first += 1
    while i <= last:
        end = i + BLOCK if i + BLOCK <= last + 1 else last + 1
        if not many or not block_cannot_win(entries, base + i, base + end, i, m, shift, mask, row_mask, labels,
                                            n_classes, xlogx, entropy, sums[2], sides, sums):
            if entropy:
                block = score_entropy(entries, base, m, first, last, i, end, shift, mask, row_mask, labels, xlogx,
                                      sides, sums)
            else:
                block = score_gini(entries, base, m, lo, i, end, shift, mask, row_mask, labels, sides, sums)
            cut.scored += block.scored
            if block.pos >= 0:
                cut.pos = block.pos
        i = end
    if cut.pos >= 0:
        start_counts(entries, base, m, shift, mask, row_mask, labels, n_classes, stats, node, sides)
        cut.low = cut.pos + 1
        cut.gain = gain_of_cut(entries, base, cut.low, m, shift, mask, row_mask, labels, xlogx, entropy, whole,
                               sides)
    return cut
