"""A category column of one node split into two subsets.

In: the contingency table of the categories present. Out: a branch (0 or 1) for each, in the column's part of
candidates.branches. Two classes and squared error: sorted by proportion or mean, the best split is a cut of that order
(Breiman and others), for any concave impurity. More classes: every split up to MAX_EXHAUSTIVE categories;
beyond, cuts of several orders (along the direction in which class proportions vary most, and by the proportion of each
of the heaviest classes), each improved by moving one category at a time; `python -m benchmarks.subset_loss`
tells what this loses.
"""

import cython

if not cython.compiled:
    from math import sqrt

    from treewright._core.codes import ENTROPY, NO_PROXY, POISSON, SQUARED_ERROR, TWOING
    from treewright._core.grow.contingency import level_keys, sort_categories
    from treewright._core.grow.cuts_weighted import proxy_of
    from treewright._core.grow.impurity import beats, has_no_rate, mean_of, poisson_gain_of, weight_of
    from treewright._core.grow.monotone import sides_keep_order
    from treewright._core.grow.node import large_enough
    from treewright._core.grow.subsets_gini import (
        begin_squares,
        cut_squares,
        has_squares,
        improve_squares,
        try_all_squares,
    )
    from treewright._core.grow.workspace import Work

MAX_EXHAUSTIVE = cython.declare(cython.longlong, 10)
MAX_ORDERS = cython.declare(cython.int, 7)
N_TURNS = cython.declare(cython.int, 8)
N_STEPS = cython.declare(cython.int, 30)
MOST_NOTED = cython.declare(cython.longlong, 62)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def start_sides(wk: Work, n: cython.longlong) -> cython.void:
    """All categories on side 1."""
    v: cython.longlong
    k: cython.int
    for k in range(wk.table.width):
        wk.scratch.side_stats[0, k] = 0
        wk.scratch.side_stats[1, k] = 0
    for v in range(n):
        for k in range(wk.table.width):
            wk.scratch.side_stats[1, k] += wk.scratch.contingency[v, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def move(wk: Work, v: cython.longlong, goal: cython.int) -> cython.void:
    """Move category v to side `goal`."""
    k: cython.int
    for k in range(wk.table.width):
        wk.scratch.side_stats[goal, k] += wk.scratch.contingency[v, k]
        wk.scratch.side_stats[1 - goal, k] -= wk.scratch.contingency[v, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proxy_scale(wk: Work, node: cython.longlong) -> cython.double:
    """The node's impurity in units of the proxy: the scale on which proxies tie."""
    scale: cython.double = wk.search.tie_scale * wk.draft.weight[node]
    if wk.plan.criterion == SQUARED_ERROR:
        return scale / (wk.table.y_unit * wk.table.y_unit)
    if wk.plan.criterion == POISSON:
        return scale / wk.table.y_unit
    return 4.0 * scale if wk.plan.criterion == TWOING else scale


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proxy_of_sides(wk: Work, node: cython.longlong, low_rows: cython.longlong,
                   low_weight: cython.longlong) -> cython.double:
    """A number that rises with the gain of the sides as they stand, or NO_PROXY when one of them is too small."""
    high_weight: cython.longlong = wk.draft.weight[node] - low_weight
    low: cython.double = cython.cast(cython.double, low_weight)
    high: cython.double = cython.cast(cython.double, high_weight)
    proxy: cython.double = 0.0
    a: cython.double
    b: cython.double
    k: cython.int
    if not (large_enough(wk, low_rows, low_weight)
            and large_enough(wk, wk.draft.rows[node] - low_rows, high_weight)):
        return NO_PROXY
    if wk.plan.monotone and not sides_keep_order(wk, node, low_weight, high_weight):
        return NO_PROXY
    if wk.plan.criterion == SQUARED_ERROR:
        a = cython.cast(cython.double, wk.scratch.side_stats[0, 1])
        b = cython.cast(cython.double, wk.scratch.side_stats[1, 1])
        return a / low * a + b / high * b
    if wk.plan.criterion == POISSON:
        if has_no_rate(wk.scratch.side_stats, 2):
            return NO_PROXY
        return (low + high) * poisson_gain_of(wk.scratch.side_stats, 2, 1.0)
    if wk.plan.criterion == ENTROPY and not wk.table.weighted:
        for k in range(wk.table.n_classes):
            proxy += wk.table.xlogx[wk.scratch.side_stats[0, k]] + wk.table.xlogx[wk.scratch.side_stats[1, k]]
        return proxy - wk.table.xlogx[low_weight] - wk.table.xlogx[high_weight]
    return proxy_of(wk.scratch.side_stats, wk.table.n_classes, wk.plan.criterion, low, high)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_order(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong, best: cython.double,
              between: cython.bint) -> cython.double:
    """Sort the categories by scratch.key and cut that order, or only `between` different keys; keep the best cut
    that beats `best`, and its proxy.
    """
    first: cython.longlong = wk.candidates.first_code[f]
    scale: cython.double = proxy_scale(wk, node)
    low_rows: cython.longlong = 0
    low_weight: cython.longlong = 0
    cut: cython.longlong = -1
    i: cython.longlong
    v: cython.int
    proxy: cython.double
    start_sides(wk, n)
    sort_categories(wk, n)
    for i in range(n - 1):
        v = wk.scratch.order[i]
        move(wk, v, 0)
        low_rows += wk.scratch.table_rows[v]
        low_weight += wk.scratch.table_sums[v]
        if between and wk.scratch.key[v] == wk.scratch.key[wk.scratch.order[i + 1]]:
            continue
        proxy = proxy_of_sides(wk, node, low_rows, low_weight)
        if proxy != NO_PROXY and beats(proxy, best, scale):
            best = proxy
            cut = i
    if cut >= 0:
        for i in range(n):
            wk.candidates.branches[first + wk.scratch.order[i]] = 0 if i <= cut else 1
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_means(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """`cut_order` for squared error where no order is to be kept, from two running sums; whether there is a cut."""
    first: cython.longlong = wk.candidates.first_code[f]
    scale: cython.double = proxy_scale(wk, node)
    rows: cython.longlong = 0
    weight: cython.longlong = 0
    low: cython.longlong = 0
    high: cython.longlong = 0
    cut: cython.longlong = -1
    i: cython.longlong
    v: cython.int
    a: cython.double
    b: cython.double
    proxy: cython.double
    best: cython.double = NO_PROXY
    sort_categories(wk, n)
    for i in range(n):
        high += wk.scratch.contingency[i, 1]
    for i in range(n - 1):
        v = wk.scratch.order[i]
        low += wk.scratch.contingency[v, 1]
        high -= wk.scratch.contingency[v, 1]
        rows += wk.scratch.table_rows[v]
        weight += wk.scratch.table_sums[v]
        if not (large_enough(wk, rows, weight)
                and large_enough(wk, wk.draft.rows[node] - rows, wk.draft.weight[node] - weight)):
            continue
        a = cython.cast(cython.double, low)
        b = cython.cast(cython.double, high)
        proxy = (a / cython.cast(cython.double, weight) * a
                 + b / cython.cast(cython.double, wk.draft.weight[node] - weight) * b)
        if beats(proxy, best, scale):
            best = proxy
            cut = i
    for i in range(n):
        wk.candidates.branches[first + wk.scratch.order[i]] = 0 if i <= cut else 1
    return cut >= 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_all(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.double:
    """Every split into two, as a number whose bit i - 1 sends category i to branch 1; category 0 stays in 0.

    Counting up turns over two bits a step on average, so a step costs two moves and one proxy.
    """
    first: cython.longlong = wk.candidates.first_code[f]
    scale: cython.double = proxy_scale(wk, node)
    low_rows: cython.longlong = wk.draft.rows[node]
    low_weight: cython.longlong = wk.draft.weight[node]
    mask: cython.longlong
    chosen: cython.longlong = 0
    v: cython.longlong
    proxy: cython.double
    best: cython.double = NO_PROXY
    start_sides(wk, n)
    for v in range(n):
        move(wk, v, 0)
    for mask in range(1, cython.cast(cython.longlong, 1) << (n - 1)):
        v = 1
        while not (mask >> (v - 1)) & 1:
            move(wk, v, 0)
            low_rows += wk.scratch.table_rows[v]
            low_weight += wk.scratch.table_sums[v]
            v += 1
        move(wk, v, 1)
        low_rows -= wk.scratch.table_rows[v]
        low_weight -= wk.scratch.table_sums[v]
        proxy = proxy_of_sides(wk, node, low_rows, low_weight)
        if proxy != NO_PROXY and beats(proxy, best, scale):
            best = proxy
            chosen = mask
    for v in range(n):
        wk.candidates.branches[first + v] = cython.cast(cython.int, (chosen << 1 >> v) & 1)
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def class_share(wk: Work, v: cython.longlong, k: cython.int) -> cython.double:
    """The class_share of class k in category v, whose weight is in scratch.table_sums."""
    return cython.cast(cython.double, wk.scratch.contingency[v, k]) / cython.cast(cython.double,
                                                                                  wk.scratch.table_sums[v])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_by_direction(wk: Work, node: cython.longlong, n: cython.longlong) -> cython.void:
    """Set scratch.key along the direction in which class proportions vary most (power iteration from a fixed start)."""
    k: cython.int
    step: cython.int
    v: cython.longlong
    along: cython.double
    size: cython.double
    for k in range(wk.table.n_classes):
        wk.scratch.mean[k] = cython.cast(cython.double, wk.draft.stats[node, k]) / wk.draft.weight[node]
        wk.scratch.direction[k] = 1.0 / (k + 1.0)
    for step in range(N_TURNS):
        size = 0.0
        for k in range(wk.table.n_classes):
            wk.scratch.projection[k] = 0.0
        for v in range(n):
            along = 0.0
            for k in range(wk.table.n_classes):
                along += (class_share(wk, v, k) - wk.scratch.mean[k]) * wk.scratch.direction[k]
            wk.scratch.key[v] = along
            for k in range(wk.table.n_classes):
                wk.scratch.projection[k] += (wk.scratch.contingency[v, k] - wk.scratch.mean[k]
                                             * wk.scratch.table_sums[v]) * along
        for k in range(wk.table.n_classes):
            size += wk.scratch.projection[k] * wk.scratch.projection[k]
        if size <= 0:
            return
        for k in range(wk.table.n_classes):
            wk.scratch.direction[k] = wk.scratch.projection[k] / sqrt(size)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def improve(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong,
            best: cython.double) -> cython.double:
    """Move single categories to the other side while that gains; at most N_STEPS rounds."""
    first: cython.longlong = wk.candidates.first_code[f]
    scale: cython.double = proxy_scale(wk, node)
    low_rows: cython.longlong = 0
    low_weight: cython.longlong = 0
    v: cython.longlong
    step: cython.int
    goal: cython.int
    sign: cython.int
    moved: cython.bint
    proxy: cython.double
    start_sides(wk, n)
    for v in range(n):
        if wk.candidates.branches[first + v] == 0:
            move(wk, v, 0)
            low_rows += wk.scratch.table_rows[v]
            low_weight += wk.scratch.table_sums[v]
    for step in range(N_STEPS):
        moved = False
        for v in range(n):
            goal = 1 - wk.candidates.branches[first + v]
            sign = 1 - 2 * goal
            move(wk, v, goal)
            proxy = proxy_of_sides(wk, node, low_rows + sign * wk.scratch.table_rows[v],
                                   low_weight + sign * wk.scratch.table_sums[v])
            if proxy != NO_PROXY and beats(proxy, best, scale):
                best = proxy
                low_rows += sign * wk.scratch.table_rows[v]
                low_weight += sign * wk.scratch.table_sums[v]
                wk.candidates.branches[first + v] = goal
                moved = True
            else:
                move(wk, v, 1 - goal)
        if not moved:
            return best
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def was_begun(wk: Work, f: cython.longlong, n: cython.longlong, done: cython.int) -> cython.bint:
    """Whether one of the `done` orders before began with the same branches, or their mirror image, and so ended where
    this one would; else they are stored in scratch.block_rows, a bit for each category.
    """
    first: cython.longlong = wk.candidates.first_code[f]
    start: cython.longlong = 0
    v: cython.longlong
    i: cython.int
    for v in range(n):
        start = 2 * start + (wk.candidates.branches[first + v] ^ wk.candidates.branches[first])
    wk.scratch.block_rows[done] = start
    for i in range(done):
        if wk.scratch.block_rows[i] == start:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_order(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong, best: cython.double,
              done: cython.int) -> cython.double:
    """Cut the order of scratch.key and improve the cut; if that beats `best`, that of `done` orders before, keep it in
    scratch.last_group.
    """
    first: cython.longlong = wk.candidates.first_code[f]
    scale: cython.double = proxy_scale(wk, node)
    squares: cython.bint = has_squares(wk, node)
    v: cython.longlong
    proxy: cython.double
    proxy = cut_squares(wk, node, f, n, scale) if squares else cut_order(wk, node, f, n, NO_PROXY, False)
    if proxy == NO_PROXY or (n <= MOST_NOTED and was_begun(wk, f, n, done)):
        return best
    proxy = improve_squares(wk, node, f, n, proxy, scale, N_STEPS) if squares else improve(wk, node, f, n, proxy)
    if not beats(proxy, best, scale):
        return best
    for v in range(n):
        wk.scratch.last_group[v] = wk.candidates.branches[first + v]
    return proxy


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_orders(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.double:
    """More classes and more categories than can be tried out: several orders, each cut and improved."""
    best: cython.double
    first: cython.longlong = wk.candidates.first_code[f]
    k: cython.int
    heaviest: cython.int
    done: cython.int
    v: cython.longlong
    if has_squares(wk, node):
        begin_squares(wk, n)
    key_by_direction(wk, node, n)
    best = try_order(wk, node, f, n, NO_PROXY, 0)
    for k in range(wk.table.n_classes):
        wk.scratch.projection[k] = cython.cast(cython.double, wk.draft.stats[node, k])
    for done in range(1, MAX_ORDERS + 1):
        heaviest = 0
        for k in range(wk.table.n_classes):
            if wk.scratch.projection[k] > wk.scratch.projection[heaviest]:
                heaviest = k
        if wk.scratch.projection[heaviest] <= 0:
            break
        wk.scratch.projection[heaviest] = 0.0
        for v in range(n):
            wk.scratch.key[v] = class_share(wk, v, heaviest)
        best = try_order(wk, node, f, n, best, done)
    if best == NO_PROXY:
        return best
    for v in range(n):  # category 0 is in branch 0
        wk.candidates.branches[first + v] = cython.cast(cython.int, wk.scratch.last_group[v] ^ wk.scratch.last_group[0])
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_subsets(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Two subsets of the n categories present; False when no split leaves both sides large enough."""
    v: cython.longlong
    best: cython.double
    wk.candidates.n_branches[f] = 2
    for v in range(n):  # once: all searches below read the categories' weights here
        wk.scratch.table_sums[v] = weight_of(wk.scratch.contingency, v, wk.table.n_classes, wk.plan.criterion)
    if wk.table.n_classes > 2:
        if n <= MAX_EXHAUSTIVE and has_squares(wk, node):
            return try_all_squares(wk, node, f, n, proxy_scale(wk, node)) != NO_PROXY
        if n <= MAX_EXHAUSTIVE:
            return try_all(wk, node, f, n) != NO_PROXY
        return search_orders(wk, node, f, n) != NO_PROXY
    for v in range(n):
        if wk.table.n_classes > 0:
            wk.scratch.key[v] = class_share(wk, v, 1) if wk.table.n_classes == 2 else 0.0
        else:
            wk.scratch.key[v] = mean_of(wk.scratch.contingency[v, 1], wk.scratch.contingency[v, 0])
    level_keys(wk, n)
    if wk.plan.criterion == SQUARED_ERROR and not wk.plan.monotone:
        return cut_means(wk, node, f, n)
    best = cut_order(wk, node, f, n, NO_PROXY, False)
    return best != NO_PROXY
