"""A category column of one node, its values merged into groups greedily, as in C4.5.

In: the contingency table of the categories present. Out: a branch for each, in the column's part of
candidates.branches. Blocks of categories are merged pair by pair while the gain ratio improves. What a merge costs in
gain and saves in split information depends on its two blocks alone, so it is worked out once a pair and kept.
"""

import cython

if not cython.compiled:
    from math import log2

    from treewright._core.grow.impurity import beats, impurity_of, weight_of
    from treewright._core.grow.node import large_enough
    from treewright._core.grow.workspace import Work

LEAST_STEP = cython.declare(cython.double, 1e-5)
STRAY = cython.declare(cython.double, 0.1)
TINY_CATEGORY = cython.declare(cython.double, 0.5)
LEAST_RATIO = cython.declare(cython.double, 1e-10)
Pair = cython.struct(a=cython.longlong, b=cython.longlong, gain=cython.double, info=cython.double)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def block_weight(wk: Work, b: cython.longlong) -> cython.double:
    return cython.cast(cython.double, weight_of(wk.scratch.blocks, b, wk.table.n_classes, wk.plan.criterion))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reaches(wk: Work, b: cython.longlong) -> cython.bint:
    return large_enough(wk, wk.scratch.block_rows[b],
                        weight_of(wk.scratch.blocks, b, wk.table.n_classes, wk.plan.criterion))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def xlog(x: cython.double) -> cython.double:
    return x * log2(x) if x > 0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def single_class(wk: Work, b: cython.longlong) -> cython.int:
    """The one class of a block, but for a tenth of a row, or -1."""
    k: cython.int
    for k in range(wk.table.n_classes):
        if wk.scratch.blocks[b, k] >= STRAY * wk.plan.row_weight:
            return k if is_of_class(wk, b, k) else -1
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_of_class(wk: Work, b: cython.longlong, k: cython.int) -> cython.bint:
    """Whether a block holds no more than a tenth of a row of other classes."""
    return wk.scratch.blocks[b, k] >= block_weight(wk, b) - STRAY * wk.plan.row_weight


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def price_block(wk: Work, b: cython.longlong) -> cython.void:
    """Work out what a block takes off the gain and off the split information, both times the node's weight.

    These stand where the block would be merged with itself.
    """
    weight: cython.double = block_weight(wk, b)
    wk.scratch.pair_gain[b, b] = weight * impurity_of(wk.scratch.blocks, b, wk.table.n_classes, wk.plan.criterion)
    wk.scratch.pair_info[b, b] = xlog(weight)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def price_pair(wk: Work, a: cython.longlong, b: cython.longlong) -> cython.void:
    """Work out what merging a and b, which are priced, loses in gain and in split information."""
    both: cython.longlong = wk.scratch.blocks.shape[0] - 1
    weight: cython.double = block_weight(wk, a) + block_weight(wk, b)
    k: cython.int
    for k in range(wk.table.n_classes):
        wk.scratch.blocks[both, k] = wk.scratch.blocks[a, k] + wk.scratch.blocks[b, k]
    wk.scratch.pair_gain[a, b] = (weight * impurity_of(wk.scratch.blocks, both, wk.table.n_classes, wk.plan.criterion)
                                  - wk.scratch.pair_gain[a, a] - wk.scratch.pair_gain[b, b])
    wk.scratch.pair_info[a, b] = xlog(weight) - wk.scratch.pair_info[a, a] - wk.scratch.pair_info[b, b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge(wk: Work, p: cython.longlong, q: cython.longlong, n: cython.longlong) -> cython.void:
    """Take the block at place q into the one at place p; the last block moves to place q."""
    a: cython.int = wk.scratch.block_order[p]
    b: cython.int = wk.scratch.block_order[q]
    k: cython.int
    v: cython.longlong
    for k in range(wk.table.n_classes):
        wk.scratch.blocks[a, k] += wk.scratch.blocks[b, k]
        wk.scratch.blocks[b, k] = 0
    wk.scratch.block_rows[a] += wk.scratch.block_rows[b]
    for v in range(n):
        if wk.scratch.block_of[v] == b:
            wk.scratch.block_of[v] = a
    wk.search.n_blocks -= 1
    wk.scratch.block_order[q] = wk.scratch.block_order[wk.search.n_blocks]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def start_blocks(wk: Work, n: cython.longlong) -> cython.void:
    """A block a category; tiny ones set aside (block -1), those of one and the same single class together."""
    v: cython.longlong
    p: cython.longlong
    q: cython.longlong
    k: cython.int
    wk.search.n_blocks = 0
    for v in range(n):
        wk.scratch.block_of[v] = cython.cast(cython.int, v)
        wk.scratch.block_rows[v] = wk.scratch.table_rows[v]
        for k in range(wk.table.n_classes):
            wk.scratch.blocks[v, k] = wk.scratch.contingency[v, k]
        if block_weight(wk, v) <= TINY_CATEGORY * wk.plan.row_weight + wk.plan.tolerance:
            wk.scratch.block_of[v] = -1
        else:
            wk.scratch.block_order[wk.search.n_blocks] = cython.cast(cython.int, v)
            wk.search.n_blocks += 1
    p = 0
    while p < wk.search.n_blocks:
        k = single_class(wk, wk.scratch.block_order[p])
        q = p + 1
        while k >= 0 and q < wk.search.n_blocks:
            if is_of_class(wk, wk.scratch.block_order[q], k):
                merge(wk, p, q, n)
            else:
                q += 1
        p += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_reaching(wk: Work) -> cython.longlong:
    """How many blocks reach the leaf minimum."""
    reached: cython.longlong = 0
    p: cython.longlong
    for p in range(wk.search.n_blocks):
        if reaches(wk, wk.scratch.block_order[p]):
            reached += 1
    return reached


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def barred_place(wk: Work) -> cython.longlong:
    """The place of the largest block when fewer than three reach the leaf minimum: it may not be merged; else -1."""
    largest: cython.longlong = 0
    p: cython.longlong
    if count_reaching(wk) >= 3:
        return -1
    for p in range(1, wk.search.n_blocks):
        if block_weight(wk, wk.scratch.block_order[p]) > block_weight(wk, wk.scratch.block_order[largest]):
            largest = p
    return largest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_pair(wk: Work, gain: cython.double, info: cython.double, least: cython.double,
              scale: cython.double) -> Pair:
    """The merge to make next. The pairs are walked in order of their places, as Quinlan's program does: one becomes
    the best so far when it keeps the least gain and the best so far does not, or when its ratio is at least as good.
    """
    pair = cython.declare(Pair)
    pair.a = -1
    pair.b = -1
    pair.gain = 0.0
    pair.info = 0.0
    p: cython.longlong
    q: cython.longlong
    a: cython.longlong
    b: cython.longlong
    g: cython.double
    i: cython.double
    ratio: cython.double
    best: cython.double = 0.0
    keeps: cython.bint
    best_keeps: cython.bint = False
    barred: cython.longlong = barred_place(wk)
    for p in range(wk.search.n_blocks):
        if p == barred:
            continue
        for q in range(p + 1, wk.search.n_blocks):
            if q == barred:
                continue
            a = min(wk.scratch.block_order[p], wk.scratch.block_order[q])
            b = max(wk.scratch.block_order[p], wk.scratch.block_order[q])
            g = gain - wk.scratch.pair_gain[a, b]
            i = info - wk.scratch.pair_info[a, b]
            ratio = g / i if i > 0 else 0.0
            keeps = not beats(least, g, scale)
            if pair.a < 0 or (keeps and not best_keeps) or not beats(best, ratio, 1.0):
                pair.a = p
                pair.b = q
                pair.gain = g
                pair.info = i
                best = ratio
                best_keeps = keeps
    return pair


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_all(wk: Work, node: cython.longlong, n: cython.longlong) -> cython.double:
    """Merge blocks while the ratio improves and more than two are left; the ratio in the end.

    Gain and split information are both times the node's weight. search.missing_weight is the weight of missing rows
    that count as one more branch.
    """
    pair = cython.declare(Pair)
    v: cython.longlong
    p: cython.longlong
    q: cython.longlong
    a: cython.longlong
    weight: cython.double = cython.cast(cython.double, wk.draft.weight[node])
    gain: cython.double = weight * wk.draft.impurity[node]
    info: cython.double = xlog(weight + wk.search.missing_weight) - xlog(wk.search.missing_weight)
    extra: cython.longlong = wk.scratch.blocks.shape[0] - 1
    k: cython.int
    least: cython.double
    for k in range(wk.table.n_classes):
        wk.scratch.blocks[extra, k] = 0
    for v in range(n):
        if wk.scratch.block_of[v] == -1:
            for k in range(wk.table.n_classes):
                wk.scratch.blocks[extra, k] += wk.scratch.blocks[v, k]
    gain -= block_weight(wk, extra) * impurity_of(wk.scratch.blocks, extra, wk.table.n_classes, wk.plan.criterion)
    info -= xlog(block_weight(wk, extra))
    for p in range(wk.search.n_blocks):
        a = wk.scratch.block_order[p]
        price_block(wk, a)
        gain -= wk.scratch.pair_gain[a, a]
        info -= wk.scratch.pair_info[a, a]
    for p in range(wk.search.n_blocks):
        a = wk.scratch.block_order[p]
        for q in range(p + 1, wk.search.n_blocks):
            price_pair(wk, min(a, wk.scratch.block_order[q]), max(a, wk.scratch.block_order[q]))
    least = 0.5 * gain
    while wk.search.n_blocks > 2:
        pair = best_pair(wk, gain, info, least, weight * wk.search.tie_scale)
        if pair.a < 0 or pair.info <= 0:
            break
        if pair.gain / pair.info < gain / info + LEAST_STEP and count_reaching(wk) >= 2:
            break
        gain = pair.gain
        info = pair.info
        a = wk.scratch.block_order[pair.a]
        merge(wk, pair.a, pair.b, n)
        price_block(wk, a)
        for p in range(wk.search.n_blocks):
            if p != pair.a:
                price_pair(wk, min(a, wk.scratch.block_order[p]), max(a, wk.scratch.block_order[p]))
    return gain / info if info > 0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_groups(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Groups of the n categories present, in order of their lowest code; whether at least two reach the leaf minimum
    and their ratio is above 0.
    """
    first: cython.longlong = wk.candidates.first_code[f]
    n_branches: cython.longlong = 0
    v: cython.longlong
    tiny: cython.bint = False
    start_blocks(wk, n)
    if merge_all(wk, node, n) <= LEAST_RATIO:
        return False
    for v in range(n):
        wk.scratch.order[v] = -1
    for v in range(n):
        if wk.scratch.block_of[v] < 0:
            tiny = True
            continue
        if wk.scratch.order[wk.scratch.block_of[v]] < 0:
            wk.scratch.order[wk.scratch.block_of[v]] = cython.cast(cython.int, n_branches)
            n_branches += 1
        wk.candidates.branches[first + v] = wk.scratch.order[wk.scratch.block_of[v]]
    if tiny:
        for v in range(n):
            if wk.scratch.block_of[v] < 0:
                wk.candidates.branches[first + v] = cython.cast(cython.int, n_branches)
        n_branches += 1
        wk.candidates.has_rest[f] = 1
    wk.candidates.n_branches[f] = n_branches
    return count_reaching(wk) >= 2
