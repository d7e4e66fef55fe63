"""Best cut of a coded number by Gini from counts of 8 or 16 bits: several classes at a step.

In: what `scan_gini_codes` gets, for a node of few rows and classes. Out: the same cut and gain.

16 bits: up to 32,767 rows and 32 classes. Sums of products of the rows of each class below the cut are one
vector instruction for eight classes. No sum exceeds the square of the rows.

8 bits: up to 255 rows and eight classes. Each row is the number 1 in the byte of its class, so the sum of
some rows has their class counts as its bytes, and codes are counted, added up and found empty without a loop
over classes. The sum of products of two such numbers a and b needs no loop either: multiply a by b with its
bytes reversed. As polynomials, a = sum a_k x^k and reversed(b) = sum b_k x^(7-k), so the coefficient of x^7
is sum a_k b_k. Bytes are too short for that, so even and odd classes are multiplied separately with digits of
16 bits: no digit exceeds 255 x 255.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import FAST_PACKED, GINI, TIE, TWOING
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.workspace import Work

Below = cython.struct(rows=cython.int, squares=cython.int, products=cython.int)
"""The rows of a code; with them below the cut, the sum of the squares of the class counts there, and that of their
products with the counts of the node."""


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_code(counts: cython.int[::1], c: cython.longlong, n_kinds: cython.longlong, below: cython.p_short,
             whole: cython.p_short) -> Below:
    """Add the counts of a code to those below the cut."""
    sums = cython.declare(Below)
    rows: cython.int = 0
    squares: cython.int = 0
    products: cython.int = 0
    k: cython.longlong
    for k in range(n_kinds):
        rows += counts[c + k]
        below[k] += cython.cast(cython.short, counts[c + k])
        squares += cython.cast(cython.int, below[k]) * cython.cast(cython.int, below[k])
        products += cython.cast(cython.int, below[k]) * cython.cast(cython.int, whole[k])
    sums.rows = rows
    sums.squares = squares
    sums.products = products
    return sums


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
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = wk.coded.least_rows
    n_kinds: cython.longlong = wk.coded.n_classes
    sums = cython.declare(Below)
    squares: cython.int = 0
    products: cython.int = 0
    before: cython.longlong = 0
    met: cython.longlong = 0
    last: cython.longlong = 0
    j: cython.longlong
    k: cython.longlong
    v: cython.longlong
    low: cython.double
    high: cython.double
    num: cython.double
    sum_low: cython.double
    sum_high: cython.double
    best_low: cython.double = 0.0
    best_high: cython.double = 0.0
    for k in range(n_kinds):
        below[k] = 0
        whole[k] = cython.cast(cython.short, wk.coded.class_rows[k])
    for j in range(n):
        v = wk.coded.present[j]
        sums = add_code(wk.coded.counts, at + n_kinds * v, n_kinds, below, whole)
        if sums.rows == 0:
            continue
        met += 1
        if before >= need:
            if m - before < need:
                break
            cut.cuts += 1
            low = cython.cast(cython.double, before)
            high = cython.cast(cython.double, m - before)
            sum_low = cython.cast(cython.double, squares)
            sum_high = wk.search.node_sum - 2.0 * cython.cast(cython.double, products) + sum_low
            num = sum_low * high + sum_high * low
            if num > best * (low * high):
                best = num / (low * high) * (1.0 + TIE)
                cut.low = before
                wk.coded.low_code = last
                wk.coded.high_code = v
                best_low = sum_low
                best_high = sum_high
        squares = sums.squares
        products = sums.products
        before += sums.rows
        last = v
    wk.coded.n_present = met
    cut.pos = cut.low - 1
    if cut.low > 0:
        cut.gain = (best_low / cut.low + best_high / (m - cut.low) - wk.search.node_sum / m) / m
    return cut


MOST_PACKED_ROWS = cython.declare(cython.longlong, 255)
MOST_PACKED_CLASSES = cython.declare(cython.longlong, 8)
MOST_PACKED_CODES = cython.declare(cython.longlong, 64)
UNIT = cython.declare(cython.ulonglong, 1)
ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
EVEN = cython.declare(cython.ulonglong, 0x00FF00FF00FF00FF)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mirror(x: cython.ulonglong) -> cython.ulonglong:
    """The bytes in reverse order."""
    return ((x & 255) << 56 | ((x >> 8) & 255) << 48 | ((x >> 16) & 255) << 40 | ((x >> 24) & 255) << 32
            | ((x >> 32) & 255) << 24 | ((x >> 40) & 255) << 16 | ((x >> 48) & 255) << 8 | x >> 56)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def product_with(x: cython.ulonglong, turned: cython.ulonglong) -> cython.longlong:
    """The sum over bytes of x times those of a number whose mirror image is `turned`."""
    return cython.cast(cython.longlong, (((x & EVEN) * ((turned >> 8) & EVEN) + ((x >> 8) & EVEN) * (turned & EVEN))
                                         >> 48) & 0xFFFF)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pack_rows(wk: Work, node: cython.longlong) -> cython.void:
    """Find the units of a small node's rows, which are gathered, and whether there are such."""
    whole: cython.ulonglong = 0
    i: cython.longlong
    k: cython.longlong
    wk.coded.is_packed = (wk.draft.rows[node] <= MOST_PACKED_ROWS and wk.coded.n_classes <= MOST_PACKED_CLASSES
                          and wk.table.n_classes > 0
                          and (wk.plan.criterion == GINI or (wk.plan.criterion == TWOING and wk.table.n_classes == 2))
                          and wk.plan.fast_paths & FAST_PACKED != 0)
    if not wk.coded.is_packed:
        return
    for i in range(wk.draft.rows[node]):
        wk.coded.unit_at[i] = UNIT << (wk.coded.class_at[i] << 3)
    for k in range(wk.coded.n_classes):
        whole |= cython.cast(cython.ulonglong, wk.coded.class_rows[k]) << (k << 3)
    wk.coded.mirrored = mirror(whole)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_packed(wk: Work, p: cython.longlong) -> cython.bint:
    """Whether the column at place p is counted here; of many codes most have no rows, and a histogram is faster."""
    return wk.coded.is_packed and wk.coded.n_codes[p] <= MOST_PACKED_CODES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pack_column(wk: Work, p: cython.longlong, m: cython.longlong) -> cython.longlong:
    """Count a column; its codes that have rows go to wk.coded.present, their counts to wk.coded.packed_present; how
    many.
    """
    n_codes: cython.longlong = wk.coded.n_codes[p]
    n: cython.longlong = 0
    i: cython.longlong
    v: cython.longlong
    word: cython.ulonglong
    for v in range(n_codes):
        wk.coded.packed_counts[v] = 0
    for i in range(m):
        wk.coded.packed_counts[wk.coded.codes[wk.coded.row_at[i], p]] += wk.coded.unit_at[i]
    for v in range(n_codes):  # without a jump: each is written, and stays if it has rows
        word = wk.coded.packed_counts[v]
        wk.coded.packed_present[n] = word
        wk.coded.present[n] = cython.cast(cython.int, v)
        n += word != 0
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_two_packed(wk: Work, node: cython.longlong, n: cython.longlong, best: cython.double) -> Cut:
    """Two classes, Gini or twoing: see scan_two."""
    cut = cython.declare(Cut)
    cut = no_cut()
    m: cython.longlong = wk.draft.rows[node]
    ones: cython.longlong = wk.draft.stats[node, 1]
    need: cython.longlong = wk.coded.least_rows
    j: cython.longlong
    low: cython.longlong
    d: cython.longlong
    word: cython.ulonglong = 0
    num: cython.double
    den: cython.double
    gap: cython.double = 0.0
    for j in range(n - 1):
        word += cython.cast(cython.ulonglong, wk.coded.packed_present[j])
        low = cython.cast(cython.longlong, (word & 255) + (word >> 8))
        if low < need:
            continue
        if m - low < need:
            break
        cut.cuts += 1
        d = cython.cast(cython.longlong, word >> 8) * m - low * ones
        num = cython.cast(cython.double, d)
        num = num * num
        den = cython.cast(cython.double, low * (m - low))
        if num > best * den:
            best = num / den * (1.0 + TIE)
            cut.low = low
            cut.pos = j
            gap = cython.cast(cython.double, d)
    if cut.low > 0:
        num = gap / m
        cut.gain = ((1.0 if wk.plan.criterion == TWOING else 2.0) * num * num / cython.cast(cython.double, cut.low)
                    / cython.cast(cython.double, m - cut.low))
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scan_gini_packed(wk: Work, node: cython.longlong, n: cython.longlong, best: cython.double) -> Cut:
    """Up to eight classes, Gini: see scan_gini_codes."""
    cut = cython.declare(Cut)
    cut = no_cut()
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = wk.coded.least_rows
    turned: cython.ulonglong = wk.coded.mirrored
    j: cython.longlong
    below: cython.longlong
    word: cython.ulonglong = 0
    low: cython.double
    high: cython.double
    num: cython.double
    sum_low: cython.double
    sum_high: cython.double
    best_low: cython.double = 0.0
    best_high: cython.double = 0.0
    for j in range(n - 1):
        word += cython.cast(cython.ulonglong, wk.coded.packed_present[j])
        below = cython.cast(cython.longlong, ((word * ONES) >> 56) & 255)
        if below < need:
            continue
        if m - below < need:
            break
        cut.cuts += 1
        sum_low = cython.cast(cython.double, product_with(word, mirror(word)))
        sum_high = wk.search.node_sum - cython.cast(cython.double, 2 * product_with(word, turned)) + sum_low
        low = cython.cast(cython.double, below)
        high = cython.cast(cython.double, m - below)
        num = sum_low * high + sum_high * low
        if num > best * (low * high):
            best = num / (low * high) * (1.0 + TIE)
            cut.low = below
            cut.pos = j
            best_low = sum_low
            best_high = sum_high
    if cut.low > 0:
        cut.gain = (best_low / cut.low + best_high / (m - cut.low) - wk.search.node_sum / m) / m
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_packed_cut(wk: Work, node: cython.longlong, p: cython.longlong, two: cython.bint,
                    best: cython.double) -> Cut:
    """The best cut of the column at place p; its codes go where those of cuts_histogram.py's go."""
    cut = cython.declare(Cut)
    n: cython.longlong = pack_column(wk, p, wk.draft.rows[node])
    wk.coded.n_present = n
    cut = scan_two_packed(wk, node, n, best) if two else scan_gini_packed(wk, node, n, best)
    if cut.pos >= 0:
        wk.coded.low_code = wk.coded.present[cut.pos]
        wk.coded.high_code = wk.coded.present[cut.pos + 1]
    cut.pos = cut.low - 1
    return cut
