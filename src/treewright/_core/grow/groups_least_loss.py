"""A category column of one node, its values merged two at a time: each time the two groups that lose least gain.

In: the contingency table of the categories present. Out: a branch for each, in the column's part of
wk.c_branch. The grouping "least-loss" takes the stage of the best gain ratio, after the penalty for its
description (Quinlan's C5.0 as it is described; fewer groups on a tie). The grouping "binary" makes two
groups: for two classes and for numbers the best cut of the categories sorted by proportion or mean, which is
the best of all splits; for more classes the last stage.

Blocks are in the order of their class weights, so neither names nor codes of categories decide a tie. What a
merge loses depends on its two blocks alone: it is computed once a pair, and each block keeps its best
partner, so all merges together take about n^2 steps. With "binary", the values that only one row has are one
value together: they tell nothing about other rows, and a column that names its rows is never split.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import DESCRIPTION, GAIN_TIE, LEAST_LOSS, MAX_GROUPED, NO_PROXY
    from treewright._core.grow.candidates import bits_of_groups
    from treewright._core.grow.contingency import level_keys
    from treewright._core.grow.groups import block_weight, xlog
    from treewright._core.grow.impurity import beats, impurity_of, mean_of, weight_of
    from treewright._core.grow.node import large_enough
    from treewright._core.grow.subsets import cut_order, search_orders
    from treewright._core.grow.workspace import Work

LEAST_INFO = cython.declare(cython.double, 1e-10)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def comes_before(wk: Work, a: cython.longlong, b: cython.longlong) -> cython.bint:
    """Whether category a has less weight in the first class in which the two differ, or else the lower code."""
    k: cython.int
    for k in range(wk.n_classes):
        if wk.table[a, k] != wk.table[b, k]:
            return wk.table[a, k] < wk.table[b, k]
    return a < b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_by_content(wk: Work, n: cython.longlong) -> cython.void:
    """Put the categories into wk.order by their class weights (Shell's sort: there are at most some hundred)."""
    gap: cython.longlong = 1
    i: cython.longlong
    j: cython.longlong
    held: cython.int
    for i in range(n):
        wk.order[i] = cython.cast(cython.int, i)
    while gap * 3 + 1 < n:
        gap = gap * 3 + 1
    while gap > 0:
        for i in range(gap, n):
            held = wk.order[i]
            j = i
            while j >= gap and comes_before(wk, held, wk.order[j - gap]):
                wk.order[j] = wk.order[j - gap]
                j -= gap
            wk.order[j] = held
        gap //= 3


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def start(wk: Work, n: cython.longlong) -> cython.void:
    """A block a category in the order of content; one for all whose weight is that of a single row."""
    i: cython.longlong
    v: cython.longlong
    b: cython.longlong
    singles: cython.longlong = -1
    k: cython.int
    order_by_content(wk, n)
    wk.n_blocks = 0
    for i in range(n):
        v = wk.order[i]
        b = wk.n_blocks
        if weight_of(wk.table, v, wk.n_classes, wk.criterion) <= wk.single + wk.close:
            if singles < 0:
                singles = b
            b = singles
        if b == wk.n_blocks:
            wk.n_blocks += 1
            wk.block_rows[b] = 0
            wk.left_then[b] = 0
            for k in range(wk.n_classes):
                wk.blocks[b, k] = 0
        wk.block_of[v] = cython.cast(cython.int, b)
        wk.block_rows[b] += wk.table_rows[v]
        for k in range(wk.n_classes):
            wk.blocks[b, k] += wk.table[v, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def price(wk: Work, a: cython.longlong, b: cython.longlong) -> cython.void:
    """Work out what merging a and b (a before b) loses in gain, times the node's weight."""
    both: cython.longlong = wk.blocks.shape[0] - 1
    k: cython.int
    for k in range(wk.n_classes):
        wk.blocks[both, k] = wk.blocks[a, k] + wk.blocks[b, k]
    wk.pair_gain[a, b] = (block_weight(wk, both) * impurity_of(wk.blocks, both, wk.n_classes, wk.criterion)
                          - wk.block_cost[a] - wk.block_cost[b])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_partner(wk: Work, a: cython.longlong, n: cython.longlong) -> cython.void:
    """The block behind a that is merged with it at the least loss; none is left: -1."""
    b: cython.longlong
    wk.near[a] = -1
    for b in range(a + 1, n):
        if wk.left_then[b] == 0 and (wk.near[a] < 0 or wk.pair_gain[a, b] < wk.near_loss[a]):
            wk.near[a] = cython.cast(cython.int, b)
            wk.near_loss[a] = wk.pair_gain[a, b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def least_pair(wk: Work, n: cython.longlong, slack: cython.double) -> cython.longlong:
    """The first block of the pair to merge; its partner is put into wk.near. Ties: the first pair in order."""
    a: cython.longlong
    b: cython.longlong
    best: cython.longlong = -1
    for a in range(n):
        if wk.left_then[a] == 0 and wk.near[a] >= 0 and (best < 0 or wk.near_loss[a] < wk.near_loss[best]):
            best = a
    for a in range(n):
        if wk.left_then[a] == 0 and wk.near[a] >= 0 and wk.near_loss[a] <= wk.near_loss[best] + slack:
            for b in range(a + 1, n):
                if wk.left_then[b] == 0 and wk.pair_gain[a, b] <= wk.near_loss[best] + slack:
                    wk.near[a] = cython.cast(cython.int, b)
                    return a
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_pair(wk: Work, a: cython.longlong, n: cython.longlong) -> cython.void:
    """Take the partner of block a into it, and work out anew what that changes."""
    b: cython.longlong = wk.near[a]
    c: cython.longlong
    k: cython.int
    for k in range(wk.n_classes):
        wk.blocks[a, k] += wk.blocks[b, k]
    wk.block_rows[a] += wk.block_rows[b]
    wk.block_cost[a] = block_weight(wk, a) * impurity_of(wk.blocks, a, wk.n_classes, wk.criterion)
    wk.n_blocks -= 1
    wk.into[b] = cython.cast(cython.int, a)
    wk.left_then[b] = wk.n_blocks
    for c in range(n):
        if wk.left_then[c] > 0 or c == a:
            continue
        price(wk, a if a < c else c, c if a < c else a)
    find_partner(wk, a, n)
    for c in range(n):
        if wk.left_then[c] > 0 or c == a or c > b:
            continue
        if wk.near[c] == a or wk.near[c] == b:
            find_partner(wk, c, n)
        elif c < a and wk.pair_gain[c, a] < wk.near_loss[c]:
            wk.near[c] = cython.cast(cython.int, a)
            wk.near_loss[c] = wk.pair_gain[c, a]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reaching(wk: Work, n: cython.longlong) -> cython.longlong:
    """How many blocks reach the leaf minimum."""
    found: cython.longlong = 0
    b: cython.longlong
    for b in range(n):
        if wk.left_then[b] == 0 and large_enough(
                wk, wk.block_rows[b], weight_of(wk.blocks, b, wk.n_classes, wk.criterion)):
            found += 1
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def price_all(wk: Work) -> cython.void:
    """Before the first merge: what each block costs, and each pair would."""
    n: cython.longlong = wk.n_blocks
    a: cython.longlong
    b: cython.longlong
    for a in range(n):
        wk.block_cost[a] = block_weight(wk, a) * impurity_of(wk.blocks, a, wk.n_classes, wk.criterion)
    for a in range(n):
        for b in range(a + 1, n):
            price(wk, a, b)
        find_partner(wk, a, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merit_of_stage(wk: Work, node: cython.longlong, n: cython.longlong, floor: cython.double) -> cython.double:
    """The gain ratio of the blocks as they stand, or their gain, both after the charge; `floor` where two are not
    large enough. Gain and split information are both times the node's weight.
    """
    gain: cython.double = wk.weight[node] * wk.impurity[node]
    info: cython.double = xlog(cython.cast(cython.double, wk.weight[node]) + wk.gone) - xlog(wk.gone)
    b: cython.longlong
    if reaching(wk, n) < 2:
        return floor
    for b in range(n):
        if wk.left_then[b] == 0:
            gain -= wk.block_cost[b]
            info -= xlog(block_weight(wk, b))
    if wk.charge == DESCRIPTION:
        gain -= wk.one * bits_of_groups(wk, node, LEAST_LOSS, n, wk.n_blocks)
    if not wk.by_ratio:
        return gain / wk.weight[node]
    return gain / info if info > LEAST_INFO * wk.weight[node] else floor


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def name_branches(wk: Work, f: cython.longlong, n: cython.longlong, stage: cython.longlong) -> cython.void:
    """The groups there were when `stage` blocks were left, as branches in order of their lowest code."""
    first: cython.longlong = wk.level_start[f]
    n_branches: cython.longlong = 0
    v: cython.longlong
    b: cython.int
    for v in range(n):
        wk.order[v] = -1
    for v in range(n):
        b = wk.block_of[v]
        while wk.left_then[b] >= stage:
            b = wk.into[b]
        if wk.order[b] < 0:
            wk.order[b] = cython.cast(cython.int, n_branches)
            n_branches += 1
        wk.c_branch[first + v] = wk.order[b]
    wk.c_branches[f] = n_branches


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_two_of_blocks(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Merge to two groups; whether there are two, both large enough."""
    slack: cython.double = GAIN_TIE * wk.tie_scale * wk.weight[node]
    m: cython.longlong
    start(wk, n)
    m = wk.n_blocks
    wk.c_blocks[f] = m
    if m < 2:
        return False
    price_all(wk)
    while wk.n_blocks > 2:
        merge_pair(wk, least_pair(wk, m, slack), m)
    if reaching(wk, m) < 2:
        return False
    name_branches(wk, f, n, 2)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_least_loss(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Merge to two groups and go back to the best stage; whether one has two groups that are large enough."""
    slack: cython.double = GAIN_TIE * wk.tie_scale * wk.weight[node]
    none: cython.double = -1e300
    best: cython.double
    merit: cython.double
    stage: cython.longlong
    m: cython.longlong
    start(wk, n)
    m = wk.n_blocks
    stage = m
    wk.c_blocks[f] = m
    if m < 2:
        return False
    price_all(wk)
    best = merit_of_stage(wk, node, m, none)
    while wk.n_blocks > 2:
        merge_pair(wk, least_pair(wk, m, slack), m)
        merit = merit_of_stage(wk, node, m, none)
        if not beats(best, merit, 1.0 if wk.by_ratio else wk.tie_scale):
            best = merit
            stage = wk.n_blocks
    name_branches(wk, f, n, stage)
    return best > none


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_single(wk: Work, v: cython.longlong) -> cython.bint:
    """Whether a category, whose weight stands in wk.sums, has no more weight than a single row may have."""
    return wk.sums[v] <= wk.single + wk.close


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def told_apart(wk: Work, n: cython.longlong) -> cython.longlong:
    """How many values there are when all those of a single row are one."""
    v: cython.longlong
    singles: cython.longlong = 0
    for v in range(n):
        if is_single(wk, v):
            singles += 1
    return n - singles + (1 if singles > 0 else 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_of(wk: Work, moment: cython.longlong, weight: cython.longlong) -> cython.double:
    """The share of the second class, or the mean."""
    if wk.n_classes > 0:
        return cython.cast(cython.double, moment) / cython.cast(cython.double, weight)
    return mean_of(moment, weight)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_keys(wk: Work, n: cython.longlong) -> cython.longlong:
    """Set wk.key to share or mean, one for all values of a single row; how many values can be told apart."""
    v: cython.longlong
    moment: cython.longlong = 0
    weight: cython.longlong = 0
    singles: cython.longlong = 0
    key: cython.double
    for v in range(n):
        if is_single(wk, v):
            singles += 1
            weight += wk.sums[v]
            moment += wk.table[v, 1] if wk.width > 1 else 0
    for v in range(n):
        if not is_single(wk, v):
            wk.key[v] = key_of(wk, wk.table[v, 1] if wk.width > 1 else 0, wk.sums[v])
    if singles > 0:
        key = key_of(wk, moment, weight)
        for v in range(n):
            if is_single(wk, v):
                wk.key[v] = key
    level_keys(wk, n)
    return told_apart(wk, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_binary(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Two groups of the n categories present; whether there are any with both sides large enough."""
    v: cython.longlong
    wk.c_branches[f] = 2
    wk.c_blocks[f] = n
    for v in range(n):
        wk.sums[v] = weight_of(wk.table, v, wk.n_classes, wk.criterion)
    if wk.n_classes > 2:
        if told_apart(wk, n) <= MAX_GROUPED:
            return branch_two_of_blocks(wk, node, f, n)
        return search_orders(wk, node, f, n) != NO_PROXY
    wk.c_blocks[f] = set_keys(wk, n)
    return cut_order(wk, node, f, n, NO_PROXY, True) != NO_PROXY
