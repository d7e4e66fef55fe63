"""A category column of one node, its values merged into groups: C4.5's greedy way.

In: the contingency table of the categories present. Out: a branch for each, in the column's part of wk.c_branch.
Blocks of categories are merged pair by pair while the gain ratio improves. What a merge costs in gain and saves in
split information depends on its two blocks alone, so it is worked out once a pair and kept.
"""

from math import log2

import cython

if cython.compiled:
    from cython.cimports.libc.math import log2
    from cython.cimports.treewright._core.category import large_enough
    from cython.cimports.treewright._core.choose import beats
    from cython.cimports.treewright._core.impurity import impurity_of, weight_of
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.category import large_enough
    from treewright._core.choose import beats
    from treewright._core.impurity import impurity_of, weight_of
    from treewright._core.work import Work

LEAST_STEP = cython.declare(cython.double, 1e-5)
TINY = cython.declare(cython.double, 0.5)

Pair = cython.struct(a=cython.longlong, b=cython.longlong, gain=cython.double, info=cython.double)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def block_weight(wk: Work, b: cython.longlong) -> cython.double:
    return cython.cast(cython.double, weight_of(wk.blocks, b, wk.n_classes, wk.criterion))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reaches(wk: Work, b: cython.longlong) -> cython.bint:
    return large_enough(wk, wk.block_rows[b], weight_of(wk.blocks, b, wk.n_classes, wk.criterion))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def xlog(x: cython.double) -> cython.double:
    return x * log2(x) if x > 0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def single_class(wk: Work, b: cython.longlong) -> cython.int:
    """The one class of a block, or -1."""
    k: cython.int
    found: cython.int = -1
    for k in range(wk.n_classes):
        if wk.blocks[b, k] > 0:
            if found >= 0:
                return -1
            found = k
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge(wk: Work, a: cython.longlong, b: cython.longlong, n: cython.longlong) -> cython.void:
    """Take block b into block a."""
    k: cython.int
    v: cython.longlong
    for k in range(wk.n_classes):
        wk.blocks[a, k] += wk.blocks[b, k]
        wk.blocks[b, k] = 0
    wk.block_rows[a] += wk.block_rows[b]
    for v in range(n):
        if wk.block_of[v] == b:
            wk.block_of[v] = cython.cast(cython.int, a)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def price_pair(wk: Work, a: cython.longlong, b: cython.longlong) -> cython.void:
    """Work out what merging a and b loses in gain and in split information, both times the node's weight."""
    both: cython.longlong = wk.blocks.shape[0] - 1
    wa: cython.double = block_weight(wk, a)
    wb: cython.double = block_weight(wk, b)
    k: cython.int
    for k in range(wk.n_classes):
        wk.blocks[both, k] = wk.blocks[a, k] + wk.blocks[b, k]
    wk.pair_gain[a, b] = ((wa + wb) * impurity_of(wk.blocks, both, wk.n_classes, wk.criterion)
                          - wa * impurity_of(wk.blocks, a, wk.n_classes, wk.criterion)
                          - wb * impurity_of(wk.blocks, b, wk.n_classes, wk.criterion))
    wk.pair_info[a, b] = xlog(wa + wb) - xlog(wa) - xlog(wb)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def start_blocks(wk: Work, n: cython.longlong) -> cython.void:
    """A block a category; tiny ones set aside (block -1), those of one and the same single class together."""
    v: cython.longlong
    u: cython.longlong
    k: cython.int
    for v in range(n):
        wk.block_of[v] = cython.cast(cython.int, v)
        wk.block_rows[v] = wk.table_rows[v]
        for k in range(wk.n_classes):
            wk.blocks[v, k] = wk.table[v, k]
        if block_weight(wk, v) <= TINY * wk.one:
            wk.block_of[v] = -1
    for v in range(n):
        if wk.block_of[v] != v or single_class(wk, v) < 0:
            continue
        for u in range(v + 1, n):
            if wk.block_of[u] == u and single_class(wk, u) == single_class(wk, v):
                merge(wk, v, u, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def barred_block(wk: Work, n: cython.longlong) -> cython.longlong:
    """The largest block when fewer than three reach the leaf minimum: it may not be merged; else -1."""
    largest: cython.longlong = -1
    reached: cython.longlong = 0
    v: cython.longlong
    for v in range(n):
        if wk.block_of[v] != v:
            continue
        if reaches(wk, v):
            reached += 1
        if largest < 0 or block_weight(wk, v) > block_weight(wk, largest):
            largest = v
    return largest if reached < 3 else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_pair(wk: Work, n: cython.longlong, gain: cython.double, info: cython.double,
              least: cython.double, scale: cython.double) -> Pair:
    """The merge of the best ratio, among those that keep the least gain if there are any; ties as everywhere."""
    pair = cython.declare(Pair)
    pair.a = -1
    pair.b = -1
    pair.gain = 0.0
    pair.info = 0.0
    a: cython.longlong
    b: cython.longlong
    g: cython.double
    i: cython.double
    ratio: cython.double
    best: cython.double = 0.0
    keeps: cython.bint
    best_keeps: cython.bint = False
    barred: cython.longlong = barred_block(wk, n)
    for a in range(n):
        if wk.block_of[a] != a or a == barred:
            continue
        for b in range(a + 1, n):
            if wk.block_of[b] != b or b == barred:
                continue
            g = gain - wk.pair_gain[a, b]
            i = info - wk.pair_info[a, b]
            ratio = g / i if i > 0 else 0.0
            keeps = not beats(least, g, scale)
            if (keeps and not best_keeps) or (keeps == best_keeps and (pair.a < 0 or beats(ratio, best, 1.0))):
                pair.a = a
                pair.b = b
                pair.gain = g
                pair.info = i
                best = ratio
                best_keeps = keeps
    return pair


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_all(wk: Work, node: cython.longlong, n: cython.longlong) -> cython.void:
    """Merge blocks while the ratio improves and more than two are left."""
    pair = cython.declare(Pair)
    v: cython.longlong
    u: cython.longlong
    left: cython.longlong = 0
    weight: cython.double = cython.cast(cython.double, wk.weight[node])
    gain: cython.double = weight * wk.impurity[node]
    info: cython.double = xlog(weight)
    extra: cython.longlong = wk.blocks.shape[0] - 1
    k: cython.int
    least: cython.double
    for k in range(wk.n_classes):
        wk.blocks[extra, k] = 0
    for v in range(n):
        if wk.block_of[v] == -1:
            for k in range(wk.n_classes):
                wk.blocks[extra, k] += wk.blocks[v, k]
    gain -= block_weight(wk, extra) * impurity_of(wk.blocks, extra, wk.n_classes, wk.criterion)
    info -= xlog(block_weight(wk, extra))
    for v in range(n):
        if wk.block_of[v] == v:
            left += 1
            gain -= block_weight(wk, v) * impurity_of(wk.blocks, v, wk.n_classes, wk.criterion)
            info -= xlog(block_weight(wk, v))
            for u in range(v + 1, n):
                if wk.block_of[u] == u:
                    price_pair(wk, v, u)
    least = 0.5 * gain
    while left > 2:
        pair = best_pair(wk, n, gain, info, least, weight * wk.impurity[node])
        if pair.a < 0 or pair.info <= 0 or pair.gain / pair.info < gain / info + LEAST_STEP:
            return
        gain = pair.gain
        info = pair.info
        merge(wk, pair.a, pair.b, n)
        left -= 1
        for v in range(n):
            if wk.block_of[v] == v and v != pair.a:
                price_pair(wk, v if v < pair.a else pair.a, pair.a if v < pair.a else v)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_groups(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Groups of the n categories present; whether at least two reach the leaf minimum."""
    first: cython.longlong = wk.level_start[f]
    n_branches: cython.longlong = 0
    reached: cython.longlong = 0
    v: cython.longlong
    tiny: cython.bint = False
    start_blocks(wk, n)
    merge_all(wk, node, n)
    for v in range(n):
        if wk.block_of[v] == v:
            wk.c_branch[first + v] = cython.cast(cython.int, n_branches)
            n_branches += 1
            if reaches(wk, v):
                reached += 1
        elif wk.block_of[v] >= 0:
            wk.c_branch[first + v] = wk.c_branch[first + wk.block_of[v]]
        else:
            tiny = True
    if tiny:
        for v in range(n):
            if wk.block_of[v] < 0:
                wk.c_branch[first + v] = cython.cast(cython.int, n_branches)
        n_branches += 1
        wk.c_extra[f] = 1
    wk.c_branches[f] = n_branches
    return reached >= 2
