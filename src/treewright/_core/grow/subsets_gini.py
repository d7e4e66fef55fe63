"""Two subsets of a category's values, by Gini, where rows count once: the searches of subsets.py with running
sums.

In: the contingency table of the categories present, and their rows in scratch.table_sums. Out: the same branches,
proxies and ties as subsets.py finds. Sums of squares are whole numbers here, so they can be carried from one
split to the next: when counts c join those of a side s, its sum of squares grows by 2 s.c + c.c, and with t
for the node's counts the other side has t.t - 2 t.s + s.s. So a split costs one product s.c, and where all
splits are tried, none.
"""

import cython

if not cython.compiled:
    from math import sqrt

    from treewright._core.codes import FAST_SUMS, GINI, NO_PROXY
    from treewright._core.grow.contingency import sort_categories
    from treewright._core.grow.impurity import beats
    from treewright._core.grow.node import whole_rows
    from treewright._core.grow.workspace import Work

MOST_ROWS_OF_SQUARES = cython.declare(cython.longlong, 67_108_864)  # no sum of squares above 2^52: a double holds it


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_squares(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether the splits of a node can be found here."""
    return (wk.plan.criterion == GINI and not wk.table.weighted and not wk.plan.monotone
            and wk.draft.weight[node] <= MOST_ROWS_OF_SQUARES and wk.plan.fast_paths & FAST_SUMS != 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fewest_rows(wk: Work) -> cython.longlong:
    """The rows that a side must have."""
    least: cython.double = wk.plan.min_leaf * wk.plan.row_weight if wk.plan.count_weight else wk.plan.min_leaf
    return whole_rows(least if least > wk.plan.min_leaf_weight else wk.plan.min_leaf_weight)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def product_of(a: cython.longlong[:, ::1], i: cython.longlong, b: cython.longlong[:, ::1], j: cython.longlong,
               n: cython.int) -> cython.longlong:
    """The product of two rows of counts."""
    total: cython.longlong = 0
    k: cython.int
    for k in range(n):
        total += a[i, k] * b[j, k]
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def proxy_of_squares(whole: cython.longlong, low_sum: cython.longlong, with_low: cython.longlong,
                     low: cython.longlong, high: cython.longlong) -> cython.double:
    """The proxy of two sides of so many rows: t.t, s.s and t.s, where s are the counts of the first one."""
    return (cython.cast(cython.double, low_sum) / cython.cast(cython.double, low)
            + cython.cast(cython.double, whole - 2 * with_low + low_sum) / cython.cast(cython.double, high))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_squares(wk: Work, n: cython.longlong) -> cython.longlong:
    """For n categories of counts c: c.c in scratch.offset and t.c in scratch.low_stats; t.t."""
    v: cython.longlong
    k: cython.int
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[1, k] = 0
    for v in range(n):
        for k in range(wk.table.n_classes):
            wk.scratch.side_stats[1, k] += wk.scratch.contingency[v, k]
    for v in range(n):
        wk.scratch.offset[v] = product_of(wk.scratch.contingency, v, wk.scratch.contingency, v, wk.table.n_classes)
        wk.scratch.low_stats[v] = product_of(wk.scratch.side_stats, 1, wk.scratch.contingency, v, wk.table.n_classes)
    return product_of(wk.scratch.side_stats, 1, wk.scratch.side_stats, 1, wk.table.n_classes)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_all_squares(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong,
                    scale: cython.double) -> cython.double:
    """`try_all`: for each category v, all splits whose last category in branch 1 is v, from those of earlier ones."""
    squares = cython.declare(cython.longlong[512])  # of branch 1, by the number of the split: s.s, t.s and rows
    products = cython.declare(cython.longlong[512])
    rows = cython.declare(cython.longlong[512])
    twice = cython.declare(cython.longlong[256])  # 2 s.c, with the counts c of category v
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = fewest_rows(wk)
    whole: cython.longlong = begin_squares(wk, n)
    first: cython.longlong = wk.candidates.first_code[f]
    top: cython.longlong = 1
    chosen: cython.longlong = 0
    step: cython.longlong
    v: cython.longlong
    w: cython.longlong
    i: cython.longlong
    proxy: cython.double
    best: cython.double = NO_PROXY
    squares[0] = 0
    products[0] = 0
    rows[0] = 0
    for v in range(1, n):
        twice[0] = 0
        for w in range(1, v):
            step = 2 * product_of(wk.scratch.contingency, v, wk.scratch.contingency, w, wk.table.n_classes)
            for i in range(cython.cast(cython.longlong, 1) << (w - 1)):
                twice[(cython.cast(cython.longlong, 1) << (w - 1)) + i] = twice[i] + step
        for i in range(top):
            squares[top + i] = squares[i] + twice[i] + wk.scratch.offset[v]
            products[top + i] = products[i] + wk.scratch.low_stats[v]
            rows[top + i] = rows[i] + wk.scratch.table_sums[v]
        for i in range(top, 2 * top):
            if rows[i] < need or m - rows[i] < need:
                continue
            proxy = proxy_of_squares(whole, squares[i], products[i], rows[i], m - rows[i])
            if proxy > best and beats(proxy, best, scale):
                best = proxy
                chosen = i
        top *= 2
    for v in range(n):
        wk.candidates.branches[first + v] = cython.cast(cython.int, (chosen << 1 >> v) & 1)
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_squares(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong,
                scale: cython.double) -> cython.double:
    """`cut_order`, any cut, after begin_squares; the counts of branch 0 stay in scratch.side_stats[0]."""
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = fewest_rows(wk)
    whole: cython.longlong = product_of(wk.scratch.side_stats, 1, wk.scratch.side_stats, 1, wk.table.n_classes)
    first: cython.longlong = wk.candidates.first_code[f]
    low: cython.longlong = 0
    squares: cython.longlong = 0
    products: cython.longlong = 0
    cut: cython.longlong = -1
    i: cython.longlong
    v: cython.int
    k: cython.int
    proxy: cython.double
    best: cython.double = NO_PROXY
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[0, k] = 0
    sort_categories(wk, n)
    for i in range(n - 1):
        v = wk.scratch.order[i]
        squares += 2 * product_of(wk.scratch.side_stats, 0, wk.scratch.contingency, v,
                                  wk.table.n_classes) + wk.scratch.offset[v]
        products += wk.scratch.low_stats[v]
        low += wk.scratch.table_sums[v]
        for k in range(wk.table.n_classes):
            wk.scratch.side_stats[0, k] += wk.scratch.contingency[v, k]
        if low < need or m - low < need:
            continue
        proxy = proxy_of_squares(whole, squares, products, low, m - low)
        if proxy > best and beats(proxy, best, scale):
            best = proxy
            cut = i
    if cut >= 0:
        for i in range(n):
            wk.candidates.branches[first + wk.scratch.order[i]] = 0 if i <= cut else 1
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def improve_squares(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong, best: cython.double,
                    scale: cython.double, n_steps: cython.int) -> cython.double:
    """`improve`, after begin_squares."""
    m: cython.longlong = wk.draft.rows[node]
    need: cython.longlong = fewest_rows(wk)
    whole: cython.longlong = product_of(wk.scratch.side_stats, 1, wk.scratch.side_stats, 1, wk.table.n_classes)
    first: cython.longlong = wk.candidates.first_code[f]
    low: cython.longlong = 0
    squares: cython.longlong
    products: cython.longlong = 0
    new_low: cython.longlong
    new_squares: cython.longlong
    sign: cython.longlong
    since: cython.longlong = 0  # categories looked at since one was moved
    v: cython.longlong = 0
    i: cython.longlong
    k: cython.int
    proxy: cython.double
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[0, k] = 0
    for i in range(n):
        if wk.candidates.branches[first + i] == 0:
            low += wk.scratch.table_sums[i]
            products += wk.scratch.low_stats[i]
            for k in range(wk.table.n_classes):
                wk.scratch.side_stats[0, k] += wk.scratch.contingency[i, k]
    squares = product_of(wk.scratch.side_stats, 0, wk.scratch.side_stats, 0, wk.table.n_classes)
    for i in range(n_steps * n):
        sign = 2 * wk.candidates.branches[first + v] - 1  # 1: the category would join branch 0
        new_low = low + sign * wk.scratch.table_sums[v]
        if new_low >= need and m - new_low >= need:
            new_squares = (squares + sign * 2
                           * product_of(wk.scratch.side_stats, 0, wk.scratch.contingency, v, wk.table.n_classes)
                           + wk.scratch.offset[v])
            proxy = proxy_of_squares(whole, new_squares, products + sign * wk.scratch.low_stats[v], new_low,
                                     m - new_low)
            if proxy > best and beats(proxy, best, scale):
                best = proxy
                low = new_low
                squares = new_squares
                products += sign * wk.scratch.low_stats[v]
                for k in range(wk.table.n_classes):
                    wk.scratch.side_stats[0, k] += sign * wk.scratch.contingency[v, k]
                wk.candidates.branches[first + v] = 1 - wk.candidates.branches[first + v]
                since = -1
        since += 1
        if since == n:  # what was tried since then was tried from the same split
            return best
        v = v + 1 if v + 1 < n else 0
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def most_of_two(wk: Work, n: cython.longlong) -> cython.double:
    """A bound of the Gini gain of any two groups of the table's n categories, of rows that may be weighted.

    With counts c of weight w and proportions p, a branch for each gains the trace of M = sum c c'/w - t t'/W, over
    W. Two groups gain |sum w x (p - mean)|^2 / W for some x with sum w x^2 = 1, which is at most the largest
    eigenvalue of M. The sum of the fourth powers of all eigenvalues, that of the squares of the entries of M M,
    bounds it.
    """
    spread = cython.declare(cython.double[256])  # M, of at most 16 classes
    n_classes: cython.int = wk.table.n_classes
    total: cython.double = 0.0
    powers: cython.double = 0.0
    weight: cython.double
    x: cython.double
    v: cython.longlong
    i: cython.int
    j: cython.int
    k: cython.int
    for i in range(n_classes * n_classes):
        spread[i] = 0.0
    for i in range(n_classes):
        wk.scratch.mean[i] = 0.0
    for v in range(n):
        weight = 0.0
        for i in range(n_classes):
            wk.scratch.mean[i] += wk.scratch.contingency[v, i]
            weight += wk.scratch.contingency[v, i]
        total += weight
        for i in range(n_classes):
            x = wk.scratch.contingency[v, i] / weight
            for j in range(i + 1):
                spread[i * n_classes + j] += x * wk.scratch.contingency[v, j]
    for i in range(n_classes):
        for j in range(i + 1):
            spread[i * n_classes + j] -= wk.scratch.mean[i] / total * wk.scratch.mean[j]
            spread[j * n_classes + i] = spread[i * n_classes + j]
    for i in range(n_classes):
        for j in range(i + 1):
            x = 0.0
            for k in range(n_classes):
                x += spread[i * n_classes + k] * spread[j * n_classes + k]
            powers += x * x if i == j else 2.0 * x * x
    return sqrt(sqrt(powers)) / total
