"""A category column of one node, its values merged two at a time: each time the two groups that lose least gain.

In: the contingency table of the categories present. Out: a branch for each, in the column's part of
candidates.branches. The grouping "least-loss" takes the stage of the best gain ratio, after the penalty for its
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
    for k in range(wk.table.n_classes):
        if wk.scratch.contingency[a, k] != wk.scratch.contingency[b, k]:
            return wk.scratch.contingency[a, k] < wk.scratch.contingency[b, k]
    return a < b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_by_content(wk: Work, n: cython.longlong) -> cython.void:
    """Put the categories into scratch.order by their class weights (Shell's sort: there are at most some hundred)."""
    gap: cython.longlong = 1
    i: cython.longlong
    j: cython.longlong
    held: cython.int
    for i in range(n):
        wk.scratch.order[i] = cython.cast(cython.int, i)
    while gap * 3 + 1 < n:
        gap = gap * 3 + 1
    while gap > 0:
        for i in range(gap, n):
            held = wk.scratch.order[i]
            j = i
            while j >= gap and comes_before(wk, held, wk.scratch.order[j - gap]):
                wk.scratch.order[j] = wk.scratch.order[j - gap]
                j -= gap
            wk.scratch.order[j] = held
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
    wk.search.n_blocks = 0
    for i in range(n):
        v = wk.scratch.order[i]
        b = wk.search.n_blocks
        if weight_of(wk.scratch.contingency, v, wk.table.n_classes,
                     wk.plan.criterion) <= wk.plan.largest_row_weight + wk.plan.tolerance:
            if singles < 0:
                singles = b
            b = singles
        if b == wk.search.n_blocks:
            wk.search.n_blocks += 1
            wk.scratch.block_rows[b] = 0
            wk.scratch.n_left[b] = 0
            for k in range(wk.table.n_classes):
                wk.scratch.blocks[b, k] = 0
        wk.scratch.block_of[v] = cython.cast(cython.int, b)
        wk.scratch.block_rows[b] += wk.scratch.table_rows[v]
        for k in range(wk.table.n_classes):
            wk.scratch.blocks[b, k] += wk.scratch.contingency[v, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def price(wk: Work, a: cython.longlong, b: cython.longlong) -> cython.void:
    """Work out what merging a and b (a before b) loses in gain, times the node's weight."""
    both: cython.longlong = wk.scratch.blocks.shape[0] - 1
    k: cython.int
    for k in range(wk.table.n_classes):
        wk.scratch.blocks[both, k] = wk.scratch.blocks[a, k] + wk.scratch.blocks[b, k]
    wk.scratch.pair_gain[a,
                         b] = (block_weight(wk, both)
                               * impurity_of(wk.scratch.blocks, both, wk.table.n_classes, wk.plan.criterion)
                               - wk.scratch.block_cost[a] - wk.scratch.block_cost[b])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_partner(wk: Work, a: cython.longlong, n: cython.longlong) -> cython.void:
    """The block behind a that is merged with it at the least loss; none is left: -1."""
    b: cython.longlong
    wk.scratch.partner[a] = -1
    for b in range(a + 1, n):
        if wk.scratch.n_left[b] == 0 and (wk.scratch.partner[a] < 0
                                          or wk.scratch.pair_gain[a, b] < wk.scratch.partner_loss[a]):
            wk.scratch.partner[a] = cython.cast(cython.int, b)
            wk.scratch.partner_loss[a] = wk.scratch.pair_gain[a, b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def least_pair(wk: Work, n: cython.longlong, slack: cython.double) -> cython.longlong:
    """The first block of the pair to merge; its partner is put into scratch.partner. Ties: the first pair in order."""
    a: cython.longlong
    b: cython.longlong
    best: cython.longlong = -1
    for a in range(n):
        if wk.scratch.n_left[a] == 0 and wk.scratch.partner[a] >= 0 and (best < 0
                                                                         or wk.scratch.partner_loss[a]
                                                                         < wk.scratch.partner_loss[best]):
            best = a
    for a in range(n):
        if (wk.scratch.n_left[a] == 0 and wk.scratch.partner[a] >= 0
            and wk.scratch.partner_loss[a] <= wk.scratch.partner_loss[best] + slack):
            for b in range(a + 1, n):
                if wk.scratch.n_left[b] == 0 and wk.scratch.pair_gain[a, b] <= wk.scratch.partner_loss[best] + slack:
                    wk.scratch.partner[a] = cython.cast(cython.int, b)
                    return a
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_pair(wk: Work, a: cython.longlong, n: cython.longlong) -> cython.void:
    """Take the partner of block a into it, and work out anew what that changes."""
    b: cython.longlong = wk.scratch.partner[a]
    c: cython.longlong
    k: cython.int
    for k in range(wk.table.n_classes):
        wk.scratch.blocks[a, k] += wk.scratch.blocks[b, k]
    wk.scratch.block_rows[a] += wk.scratch.block_rows[b]
    wk.scratch.block_cost[a] = block_weight(wk, a) * impurity_of(wk.scratch.blocks, a, wk.table.n_classes,
                                                                 wk.plan.criterion)
    wk.search.n_blocks -= 1
    wk.scratch.merged_into[b] = cython.cast(cython.int, a)
    wk.scratch.n_left[b] = wk.search.n_blocks
    for c in range(n):
        if wk.scratch.n_left[c] > 0 or c == a:
            continue
        price(wk, a if a < c else c, c if a < c else a)
    find_partner(wk, a, n)
    for c in range(n):
        if wk.scratch.n_left[c] > 0 or c == a or c > b:
            continue
        if wk.scratch.partner[c] == a or wk.scratch.partner[c] == b:
            find_partner(wk, c, n)
        elif c < a and wk.scratch.pair_gain[c, a] < wk.scratch.partner_loss[c]:
            wk.scratch.partner[c] = cython.cast(cython.int, a)
            wk.scratch.partner_loss[c] = wk.scratch.pair_gain[c, a]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reaching(wk: Work, n: cython.longlong) -> cython.longlong:
    """How many blocks reach the leaf minimum."""
    found: cython.longlong = 0
    b: cython.longlong
    for b in range(n):
        if wk.scratch.n_left[b] == 0 and large_enough(
                wk, wk.scratch.block_rows[b], weight_of(wk.scratch.blocks, b, wk.table.n_classes, wk.plan.criterion)):
            found += 1
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def price_all(wk: Work) -> cython.void:
    """Before the first merge: what each block costs, and each pair would."""
    n: cython.longlong = wk.search.n_blocks
    a: cython.longlong
    b: cython.longlong
    for a in range(n):
        wk.scratch.block_cost[a] = block_weight(wk, a) * impurity_of(wk.scratch.blocks, a, wk.table.n_classes,
                                                                     wk.plan.criterion)
    for a in range(n):
        for b in range(a + 1, n):
            price(wk, a, b)
        find_partner(wk, a, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merit_of_stage(wk: Work, node: cython.longlong, n: cython.longlong, floor: cython.double) -> cython.double:
    """The gain ratio of the current blocks, or their gain, both less the penalty; `floor` where two are not
    large enough. Gain and split information are both times the node's weight.
    """
    gain: cython.double = wk.draft.weight[node] * wk.draft.impurity[node]
    info: cython.double = xlog(cython.cast(cython.double, wk.draft.weight[node])
                               + wk.search.missing_weight) - xlog(wk.search.missing_weight)
    b: cython.longlong
    if reaching(wk, n) < 2:
        return floor
    for b in range(n):
        if wk.scratch.n_left[b] == 0:
            gain -= wk.scratch.block_cost[b]
            info -= xlog(block_weight(wk, b))
    if wk.plan.penalty == DESCRIPTION:
        gain -= wk.plan.row_weight * bits_of_groups(wk, node, LEAST_LOSS, n, wk.search.n_blocks)
    if not wk.plan.by_ratio:
        return gain / wk.draft.weight[node]
    return gain / info if info > LEAST_INFO * wk.draft.weight[node] else floor


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def name_branches(wk: Work, f: cython.longlong, n: cython.longlong, stage: cython.longlong) -> cython.void:
    """The groups there were when `stage` blocks were left, as branches in order of their lowest code."""
    first: cython.longlong = wk.candidates.first_code[f]
    n_branches: cython.longlong = 0
    v: cython.longlong
    b: cython.int
    for v in range(n):
        wk.scratch.order[v] = -1
    for v in range(n):
        b = wk.scratch.block_of[v]
        while wk.scratch.n_left[b] >= stage:
            b = wk.scratch.merged_into[b]
        if wk.scratch.order[b] < 0:
            wk.scratch.order[b] = cython.cast(cython.int, n_branches)
            n_branches += 1
        wk.candidates.branches[first + v] = wk.scratch.order[b]
    wk.candidates.n_branches[f] = n_branches


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_two_of_blocks(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Merge to two groups; whether there are two, both large enough."""
    slack: cython.double = GAIN_TIE * wk.search.tie_scale * wk.draft.weight[node]
    m: cython.longlong
    start(wk, n)
    m = wk.search.n_blocks
    wk.candidates.n_values[f] = m
    if m < 2:
        return False
    price_all(wk)
    while wk.search.n_blocks > 2:
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
    slack: cython.double = GAIN_TIE * wk.search.tie_scale * wk.draft.weight[node]
    none: cython.double = -1e300
    best: cython.double
    merit: cython.double
    stage: cython.longlong
    m: cython.longlong
    start(wk, n)
    m = wk.search.n_blocks
    stage = m
    wk.candidates.n_values[f] = m
    if m < 2:
        return False
    price_all(wk)
    best = merit_of_stage(wk, node, m, none)
    while wk.search.n_blocks > 2:
        merge_pair(wk, least_pair(wk, m, slack), m)
        merit = merit_of_stage(wk, node, m, none)
        if not beats(best, merit, 1.0 if wk.plan.by_ratio else wk.search.tie_scale):
            best = merit
            stage = wk.search.n_blocks
    name_branches(wk, f, n, stage)
    return best > none


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_single(wk: Work, v: cython.longlong) -> cython.bint:
    """Whether a category, whose weight is in scratch.table_sums, has no more weight than a single row may have."""
    return wk.scratch.table_sums[v] <= wk.plan.largest_row_weight + wk.plan.tolerance


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_distinct(wk: Work, n: cython.longlong) -> cython.longlong:
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
    """The proportion of the second class, or the mean."""
    if wk.table.n_classes > 0:
        return cython.cast(cython.double, moment) / cython.cast(cython.double, weight)
    return mean_of(moment, weight)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_keys(wk: Work, n: cython.longlong) -> cython.longlong:
    """Set scratch.key to proportion or mean, one for all values of a single row; how many values can be told apart."""
    v: cython.longlong
    moment: cython.longlong = 0
    weight: cython.longlong = 0
    singles: cython.longlong = 0
    key: cython.double
    for v in range(n):
        if is_single(wk, v):
            singles += 1
            weight += wk.scratch.table_sums[v]
            moment += wk.scratch.contingency[v, 1] if wk.table.width > 1 else 0
    for v in range(n):
        if not is_single(wk, v):
            wk.scratch.key[v] = key_of(wk, wk.scratch.contingency[v, 1] if wk.table.width > 1 else 0,
                                       wk.scratch.table_sums[v])
    if singles > 0:
        key = key_of(wk, moment, weight)
        for v in range(n):
            if is_single(wk, v):
                wk.scratch.key[v] = key
    level_keys(wk, n)
    return list_distinct(wk, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_binary(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """Two groups of the n categories present; whether there are any with both sides large enough."""
    v: cython.longlong
    wk.candidates.n_branches[f] = 2
    wk.candidates.n_values[f] = n
    for v in range(n):
        wk.scratch.table_sums[v] = weight_of(wk.scratch.contingency, v, wk.table.n_classes, wk.plan.criterion)
    if wk.table.n_classes > 2:
        if list_distinct(wk, n) <= MAX_GROUPED:
            return branch_two_of_blocks(wk, node, f, n)
        return search_orders(wk, node, f, n) != NO_PROXY
    wk.candidates.n_values[f] = set_keys(wk, n)
    return cut_order(wk, node, f, n, NO_PROXY, True) != NO_PROXY
