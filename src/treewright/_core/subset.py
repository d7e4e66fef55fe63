"""A category column of one node split into two subsets.

In: the contingency table of the categories present. Out: a branch (0 or 1) for each, in the column's part of
wk.c_branch. Two classes and squared error: sorted by share or mean, the best split is a cut of that order (Breiman
and others), for any concave impurity. More classes: every split up to MAX_EXHAUSTIVE categories; beyond, cuts of
several orders (by the share of each of the heaviest classes, and along the direction in which class shares vary
most), the best of them improved by moving one category at a time.
"""

from math import sqrt

import cython

if cython.compiled:
    from cython.cimports.libc.math import sqrt
    from cython.cimports.treewright._core.category import large_enough
    from cython.cimports.treewright._core.choose import beats
    from cython.cimports.treewright._core.impurity import gain_of, weight_of
    from cython.cimports.treewright._core.sorting import sort_by_key
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.category import large_enough
    from treewright._core.choose import beats
    from treewright._core.impurity import gain_of, weight_of
    from treewright._core.sorting import sort_by_key
    from treewright._core.work import Work

MAX_EXHAUSTIVE = cython.declare(cython.longlong, 10)
MAX_ORDERS = cython.declare(cython.int, 8)
N_STEPS = cython.declare(cython.int, 30)
NONE = cython.declare(cython.double, -1e300)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def start_sides(wk: Work, n: cython.longlong) -> cython.void:
    """All categories on side 1."""
    v: cython.longlong
    k: cython.int
    for k in range(wk.width):
        wk.sides[0, k] = 0
        wk.sides[1, k] = 0
    for v in range(n):
        for k in range(wk.width):
            wk.sides[1, k] += wk.table[v, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def move(wk: Work, v: cython.longlong, goal: cython.int) -> cython.void:
    """Move category v to side `goal`."""
    k: cython.int
    for k in range(wk.width):
        wk.sides[goal, k] += wk.table[v, k]
        wk.sides[1 - goal, k] -= wk.table[v, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_of_sides(wk: Work, node: cython.longlong, low_rows: cython.longlong) -> cython.double:
    """The gain of the two sides as they stand, or NONE when one of them is too small."""
    if not (large_enough(wk, low_rows, weight_of(wk.sides, 0, wk.n_classes, wk.criterion))
            and large_enough(wk, wk.rows[node] - low_rows,
                             weight_of(wk.sides, 1, wk.n_classes, wk.criterion))):
        return NONE
    return gain_of(wk.sides, 2, wk.n_classes, wk.criterion, wk.impurity[node], wk.y_unit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_order(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong,
              best: cython.double) -> cython.double:
    """Sort the categories by wk.key and cut that order; keep the best cut that beats `best`, and its gain."""
    first: cython.longlong = wk.level_start[f]
    low_rows: cython.longlong = 0
    cut: cython.longlong = -1
    i: cython.longlong
    gain: cython.double
    start_sides(wk, n)
    sort_by_key(wk.key, wk.order, n)
    for i in range(n - 1):
        move(wk, wk.order[i], 0)
        low_rows += wk.table_rows[wk.order[i]]
        gain = gain_of_sides(wk, node, low_rows)
        if gain != NONE and beats(gain, best, wk.impurity[node]):
            best = gain
            cut = i
    if cut >= 0:
        for i in range(n):
            wk.c_branch[first + wk.order[i]] = 0 if i <= cut else 1
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_all(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.double:
    """Every split into two, as a number whose bit i - 1 sends category i to branch 1; category 0 stays in 0.

    Counting up turns over two bits a step on average, so a step costs two moves and one gain.
    """
    first: cython.longlong = wk.level_start[f]
    low_rows: cython.longlong = wk.rows[node]
    mask: cython.longlong
    chosen: cython.longlong = 0
    v: cython.longlong
    gain: cython.double
    best: cython.double = NONE
    start_sides(wk, n)
    for v in range(n):
        move(wk, v, 0)
    for mask in range(1, cython.cast(cython.longlong, 1) << (n - 1)):
        v = 1
        while not (mask >> (v - 1)) & 1:
            move(wk, v, 0)
            low_rows += wk.table_rows[v]
            v += 1
        move(wk, v, 1)
        low_rows -= wk.table_rows[v]
        gain = gain_of_sides(wk, node, low_rows)
        if gain != NONE and beats(gain, best, wk.impurity[node]):
            best = gain
            chosen = mask
    for v in range(n):
        wk.c_branch[first + v] = cython.cast(cython.int, (chosen << 1 >> v) & 1)
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share(wk: Work, v: cython.longlong, k: cython.int) -> cython.double:
    """The share of class k in category v."""
    return (cython.cast(cython.double, wk.table[v, k])
            / cython.cast(cython.double, weight_of(wk.table, v, wk.n_classes, wk.criterion)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_by_direction(wk: Work, n: cython.longlong) -> cython.void:
    """Set wk.key along the direction in which class shares vary most (power iteration from a fixed start)."""
    k: cython.int
    step: cython.int
    v: cython.longlong
    along: cython.double
    size: cython.double
    total: cython.double = 0.0
    for v in range(n):
        total += weight_of(wk.table, v, wk.n_classes, wk.criterion)
    for k in range(wk.n_classes):
        wk.mean[k] = 0.0
        for v in range(n):
            wk.mean[k] += wk.table[v, k]
        wk.mean[k] /= total
        wk.direction[k] = 1.0 / (k + 1.0)
    for step in range(N_STEPS):
        size = 0.0
        for k in range(wk.n_classes):
            wk.turned[k] = 0.0
        for v in range(n):
            along = 0.0
            for k in range(wk.n_classes):
                along += (share(wk, v, k) - wk.mean[k]) * wk.direction[k]
            wk.key[v] = along
            for k in range(wk.n_classes):
                wk.turned[k] += (wk.table[v, k]
                                 - wk.mean[k] * weight_of(wk.table, v, wk.n_classes, wk.criterion)) * along
        for k in range(wk.n_classes):
            size += wk.turned[k] * wk.turned[k]
        if size <= 0:
            return
        for k in range(wk.n_classes):
            wk.direction[k] = wk.turned[k] / sqrt(size)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def improve(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong,
            best: cython.double) -> cython.double:
    """Move single categories to the other side while that gains; at most N_STEPS rounds."""
    first: cython.longlong = wk.level_start[f]
    low_rows: cython.longlong = 0
    v: cython.longlong
    step: cython.int
    goal: cython.int
    moved: cython.bint
    gain: cython.double
    start_sides(wk, n)
    for v in range(n):
        if wk.c_branch[first + v] == 0:
            move(wk, v, 0)
            low_rows += wk.table_rows[v]
    for step in range(N_STEPS):
        moved = False
        for v in range(n):
            goal = 1 - wk.c_branch[first + v]
            move(wk, v, goal)
            low_rows += wk.table_rows[v] * (1 - 2 * goal)
            gain = gain_of_sides(wk, node, low_rows)
            if gain != NONE and beats(gain, best, wk.impurity[node]):
                best = gain
                wk.c_branch[first + v] = goal
                moved = True
            else:
                move(wk, v, 1 - goal)
                low_rows -= wk.table_rows[v] * (1 - 2 * goal)
        if not moved:
            return best
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_orders(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.double:
    """More classes and more categories than can be tried out: cuts of several orders, then single moves."""
    best: cython.double = NONE
    first: cython.longlong = wk.level_start[f]
    k: cython.int
    heaviest: cython.int
    done: cython.int
    v: cython.longlong
    key_by_direction(wk, n)
    best = cut_order(wk, node, f, n, best)
    for k in range(wk.n_classes):
        wk.turned[k] = cython.cast(cython.double, wk.stats[node, k])
    for done in range(MAX_ORDERS):
        heaviest = 0
        for k in range(wk.n_classes):
            if wk.turned[k] > wk.turned[heaviest]:
                heaviest = k
        if wk.turned[heaviest] <= 0:
            break
        wk.turned[heaviest] = 0.0
        for v in range(n):
            wk.key[v] = share(wk, v, heaviest)
        best = cut_order(wk, node, f, n, best)
    if best == NONE:
        return best
    best = improve(wk, node, f, n, best)
    if wk.c_branch[first] == 1:
        for v in range(n):
            wk.c_branch[first + v] = 1 - wk.c_branch[first + v]
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_subsets(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Two subsets of the n categories present; False when no split leaves both sides large enough."""
    v: cython.longlong
    best: cython.double
    wk.c_branches[f] = 2
    if wk.n_classes > 2:
        if n <= MAX_EXHAUSTIVE:
            return try_all(wk, node, f, n) != NONE
        return search_orders(wk, node, f, n) != NONE
    for v in range(n):
        if wk.n_classes > 0:
            wk.key[v] = share(wk, v, 1) if wk.n_classes == 2 else 0.0
        else:
            wk.key[v] = (cython.cast(cython.double, wk.table[v, 1])
                         / cython.cast(cython.double, wk.table[v, 0]))
    best = cut_order(wk, node, f, n, NONE)
    return best != NONE
