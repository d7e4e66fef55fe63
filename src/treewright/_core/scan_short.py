"""Best cut of a coded number, for nodes whose counts are short: several classes at a step.

In: what scan_gini_codes of scan_tally.py gets, of a node of at most 32,767 rows and 32 classes. Out: the same cut and
gain. The rows of each class below the cut are kept as whole numbers of 16 bits, padded with classes without rows to a
multiple of eight: sums of products of such are one step of a processor for eight classes. No sum exceeds the square of
the rows.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.scan import Cut, no_cut
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.scan import Cut, no_cut
    from treewright._core.work import Work

    MOST_ROWS = 32_767
    MOST_KINDS = 32

TIE = cython.declare(cython.double, 1e-12)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def product(a: cython.p_short, b: cython.p_short, n: cython.longlong) -> cython.int:
    """The sum of the products of n pairs."""
    total: cython.int = 0
    k: cython.longlong
    for k in range(n):
        total += cython.cast(cython.int, a[k]) * cython.cast(cython.int, b[k])
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rows_of_code(counts: cython.int[::1], c: cython.longlong, n_kinds: cython.longlong) -> cython.longlong:
    rows: cython.int = 0
    k: cython.longlong
    for k in range(n_kinds):
        rows += counts[c + k]
    return rows


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_code(counts: cython.int[::1], c: cython.longlong, n_kinds: cython.longlong,
             below: cython.p_short) -> cython.void:
    k: cython.longlong
    for k in range(n_kinds):
        below[k] += cython.cast(cython.short, counts[c + k])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_gini_short(wk: Work, node: cython.longlong, at: cython.longlong, n: cython.longlong,
                    best: cython.double) -> Cut:
    """See scan_gini_codes."""
    cut = cython.declare(Cut)
    cut = no_cut()
    below = cython.declare(cython.short[32])
    whole = cython.declare(cython.short[32])
    m: cython.longlong = wk.rows[node]
    need: cython.longlong = wk.coded.need
    n_kinds: cython.longlong = wk.coded.n_kinds
    wide: cython.longlong = (n_kinds + 7) & ~7
    before: cython.longlong = 0
    met: cython.longlong = 0
    last: cython.longlong = 0
    j: cython.longlong
    k: cython.longlong
    v: cython.longlong
    rows: cython.longlong
    low: cython.double
    high: cython.double
    num: cython.double
    sum_low: cython.double
    sum_high: cython.double
    best_low: cython.double = 0.0
    best_high: cython.double = 0.0
    for k in range(wide):
        below[k] = 0
        whole[k] = cython.cast(cython.short, wk.coded.whole[k]) if k < n_kinds else 0
    for j in range(n):
        v = wk.coded.code[j]
        rows = rows_of_code(wk.coded.counts, at + n_kinds * v, n_kinds)
        if rows == 0:
            continue
        met += 1
        if before >= need:
            if m - before < need:
                break
            cut.cuts += 1
            low = cython.cast(cython.double, before)
            high = cython.cast(cython.double, m - before)
            sum_low = cython.cast(cython.double, product(below, below, wide))
            sum_high = wk.node_sum - 2.0 * cython.cast(cython.double, product(below, whole, wide)) + sum_low
            num = sum_low * high + sum_high * low
            if num > best * (low * high):
                best = num / (low * high) * (1.0 + TIE)
                cut.low = before
                wk.coded.last_low = last
                wk.coded.first_high = v
                best_low = sum_low
                best_high = sum_high
        add_code(wk.coded.counts, at + n_kinds * v, n_kinds, below)
        before += rows
        last = v
    wk.coded.n_met = met
    cut.pos = cut.low - 1
    if cut.low > 0:
        cut.gain = (best_low / cut.low + best_high / (m - cut.low) - wk.node_sum / m) / m
    return cut
