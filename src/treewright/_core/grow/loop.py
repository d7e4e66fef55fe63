"""The growth loop.

In: a workspace with the sorted table and the plan. Out: the same workspace with a grown draft. The loop can
pause between two nodes, so that the caller can make room, look for Ctrl-C or show progress; it goes on where
it stopped.

Without a leaf budget a node is split as soon as its split is found, or as soon as there is room for it. With
one, nodes wait in a heap, the best first. Columns are searched until one has the most that any split of the
node can gain: most nodes of a full tree have a handful of rows, which the first columns often split as well
as possible.
"""

import cython

if not cython.compiled:
    from math import floor

    from treewright._core.codes import (
        ABSOLUTE_ERROR,
        BINARY,
        DONE,
        ENTROPY,
        FRACTIONAL,
        GAIN_STEPS,
        GINI,
        NO_ROOM,
        PAUSED,
        SQUARED_ERROR,
        SUBSET,
        WHOLE,
    )
    from treewright._core.grow.candidates import choose
    from treewright._core.grow.columns import search_columns
    from treewright._core.grow.cuts import label_in
    from treewright._core.grow.cuts_median import rank_rows
    from treewright._core.grow.fractional_weights import most_copies
    from treewright._core.grow.histograms import count_node, keep_histogram, release_histogram
    from treewright._core.grow.impurity import beats, gain_of_means
    from treewright._core.grow.missing import class_sum
    from treewright._core.grow.monotone import begin_node, free_root
    from treewright._core.grow.monotone_choice import choose_monotone
    from treewright._core.grow.node import is_closed, measure, open_root
    from treewright._core.grow.numbers import begin_cuts
    from treewright._core.grow.split import make_children, partition_lists, store_split
    from treewright._core.grow.workspace import Work

FEW_ROWS = cython.declare(cython.longlong, 8)
FEW_CLASSES = cython.declare(cython.int, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halves_of_numbers(wk: Work, node: cython.longlong) -> cython.double:
    """Squared error: the best two parts of some numbers are those below and above a cut."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    m: cython.longlong = wk.draft.rows[node]
    centre: cython.longlong = wk.search.node_centre
    s: cython.longlong = 0
    j: cython.longlong
    gain: cython.double
    best: cython.double = 0.0
    for j in range(m - 1):
        s += wk.table.moments[wk.table.lists[base + j] & wk.table.row_mask] - centre
        gain = gain_of_means(j + 1, s, m, wk.search.node_rest, wk.table.y_unit)
        if gain > best:
            best = gain
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halves_of_classes(wk: Work, node: cython.longlong) -> cython.double:
    """Gini or entropy: the best two parts of some rows keep the rows of a class together. All such divisions are tried
    if there are few classes; else the node's impurity.
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    m: cython.longlong = wk.draft.rows[node]
    counts = cython.declare(cython.longlong[4])
    n: cython.int = 0
    k: cython.int
    ways: cython.int
    j: cython.longlong = 0
    low: cython.longlong
    x: cython.double
    sum_low: cython.double
    gain: cython.double
    best: cython.double = 0.0
    while j < m:  # this list has the rows by class
        if n == FEW_CLASSES:
            return wk.draft.impurity[node]
        counts[n] = wk.draft.stats[node, label_in(wk.table, wk.table.lists[base + j])]
        j += counts[n]
        n += 1
    if n == 2:
        return wk.draft.impurity[node]
    for ways in range(1, 1 << (n - 1)):  # the last class stays on the other side
        low = 0
        sum_low = 0.0
        for k in range(n - 1):
            if (ways >> k) & 1:
                x = cython.cast(cython.double, counts[k])
                low += counts[k]
                sum_low += wk.table.xlogx[counts[k]] if wk.plan.criterion == ENTROPY else x * x
        if wk.plan.criterion == ENTROPY:
            gain = (wk.table.xlogx[m] - wk.table.xlogx[low] - wk.table.xlogx[m - low]) / m
        else:
            gain = (sum_low / low + (wk.search.node_sum - sum_low) / (m - low) - wk.search.node_sum / m) / m
        if gain > best:
            best = gain
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def most_gain_of(wk: Work, node: cython.longlong) -> cython.double:
    """The impurity, or for few rows that count once, and splits in two, the gain of the best two parts."""
    binary: cython.bint = (wk.table.n_lists == wk.table.n_columns + 1 or wk.plan.grouping == SUBSET
                           or wk.plan.grouping == BINARY)
    if wk.draft.rows[node] > FEW_ROWS or wk.table.weighted or wk.plan.missing != WHOLE or not binary:
        return wk.draft.impurity[node]
    if wk.plan.criterion == SQUARED_ERROR:
        return halves_of_numbers(wk, node)
    if wk.table.n_classes > 2 and (wk.plan.criterion == GINI or wk.plan.criterion == ENTROPY):
        return halves_of_classes(wk, node)
    return wk.draft.impurity[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_search(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Before the live columns low to high - 1 of a node are searched."""
    wk.search.best_gain = -1.0
    wk.search.tie_scale = wk.draft.impurity[node]
    wk.search.node_sum = class_sum(wk, node)
    begin_cuts(wk, node)
    wk.search.most_gain = most_gain_of(wk, node)
    if wk.table.has_coded:
        count_node(wk, node, low, high)
    if wk.plan.monotone:
        begin_node(wk, node)
    if wk.plan.criterion == ABSOLUTE_ERROR:
        rank_rows(wk, node)
        wk.search.loss_scale = wk.draft.impurity[node] * 2.0 * wk.draft.weight[node] / wk.table.y_unit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def drop_constant_columns(wk: Work, node: cython.longlong) -> cython.void:
    """If columns have only one value left here, keep the others as the live ones of the node's children.

    The shorter list goes behind the last one: in depth-first growth it is needed until a node from before it is
    next, so all lists together stay as short as one path needs.
    """
    first: cython.longlong = wk.draft.live_start[node]
    n: cython.longlong = 0
    i: cython.longlong
    for i in range(first, first + wk.draft.live_len[node]):
        if not wk.candidates.is_constant[wk.draft.live[i]]:
            wk.draft.live[wk.draft.n_live + n] = wk.draft.live[i]
            n += 1
    if n < wk.draft.live_len[node]:
        wk.draft.live_start[node] = wk.draft.n_live
        wk.draft.live_len[node] = n
        wk.draft.n_live += n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_search(wk: Work, node: cython.longlong) -> cython.bint:
    """Choose among the candidates and store the split; False when the node stays a leaf."""
    f: cython.longlong = choose_monotone(wk, node) if wk.plan.monotone else choose(wk, node)
    part: cython.double
    if f < 0:
        release_histogram(wk, node)
        return False
    part = cython.cast(cython.double, wk.draft.weight[node]) / wk.draft.root_weight
    if beats(wk.plan.min_gain, part * wk.candidates.gain[f], wk.draft.root_impurity):
        release_histogram(wk, node)
        return False
    store_split(wk, node, f)
    if wk.draft.rows[node] > 2 or wk.plan.missing != WHOLE:  # else the children have a row each
        drop_constant_columns(wk, node)
    if wk.plan.max_leaves > 0:
        wk.draft.priority[node] = floor(part * wk.candidates.gain[f] / wk.draft.root_impurity * GAIN_STEPS + 0.5)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def comes_first(wk: Work, a: cython.longlong, b: cython.longlong) -> cython.bint:
    return wk.draft.priority[a] > wk.draft.priority[b] or (wk.draft.priority[a] == wk.draft.priority[b] and a < b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def push(wk: Work, node: cython.longlong) -> cython.void:
    """Put a node into the heap."""
    i: cython.longlong = wk.draft.n_heap
    wk.draft.n_heap += 1
    while i > 0 and comes_first(wk, node, wk.draft.heap[(i - 1) // 2]):
        wk.draft.heap[i] = wk.draft.heap[(i - 1) // 2]
        i = (i - 1) // 2
    wk.draft.heap[i] = node


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pop(wk: Work) -> cython.longlong:
    """Take the best node out of the heap."""
    top: cython.longlong = wk.draft.heap[0]
    node: cython.longlong
    i: cython.longlong = 0
    child: cython.longlong = 1
    wk.draft.n_heap -= 1
    node = wk.draft.heap[wk.draft.n_heap]
    while child < wk.draft.n_heap:
        if child + 1 < wk.draft.n_heap and comes_first(wk, wk.draft.heap[child + 1], wk.draft.heap[child]):
            child += 1
        if not comes_first(wk, wk.draft.heap[child], node):
            break
        wk.draft.heap[i] = wk.draft.heap[child]
        i = child
        child = 2 * i + 1
    wk.draft.heap[i] = node
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_room(wk: Work, n_children: cython.longlong, n_table: cython.longlong) -> cython.bint:
    return (wk.draft.n_nodes + n_children <= wk.draft.node_room
            and wk.draft.n_pool + n_table <= wk.draft.pool_code.shape[0]
            and wk.draft.n_live + wk.table.n_columns <= wk.draft.live.shape[0]
            and (wk.plan.max_surrogates == 0 or has_surrogate_room(wk)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_surrogate_room(wk: Work) -> cython.bint:
    """Whether there is room for the surrogates of one more node; no category has more values than scratch.table_row."""
    return (wk.draft.n_surrogates + wk.plan.max_surrogates <= wk.draft.surrogate_column.shape[0]
            and wk.draft.n_surrogate_pool + wk.plan.max_surrogates * wk.scratch.table_row.shape[0]
            <= wk.draft.surrogate_code.shape[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_room_for_ids(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether there is room for the copies of rows that a stored split makes; what is needed is stored."""
    copies: cython.longlong
    if wk.plan.missing != FRACTIONAL or wk.draft.n_missing[node] == 0:
        return True
    copies = most_copies(wk, node, wk.draft.column[node])
    wk.draft.needed_entries = wk.draft.n_entries + wk.draft.rows[node] + copies
    wk.draft.needed_ids = wk.draft.n_ids + copies
    return wk.draft.needed_entries <= wk.table.stride and wk.draft.needed_ids <= wk.table.origin.shape[0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_node(wk: Work, node: cython.longlong) -> cython.void:
    if make_children(wk, node):
        partition_lists(wk, node, 0, wk.draft.live_len[node])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_split(wk: Work, node: cython.longlong) -> cython.bint:
    begin_search(wk, node, 0, wk.draft.live_len[node])
    search_columns(wk, node, 0, wk.draft.live_len[node])
    return end_search(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def run(wk: Work, budget: cython.longlong, most: cython.longlong) -> cython.int:
    """Grow until done, out of room (`most` categories of a column at most), or `budget` cells were visited."""
    node: cython.longlong
    while wk.draft.n_stack > 0 or wk.draft.n_heap > 0:
        if budget <= 0:
            return PAUSED
        if wk.draft.n_stack > 0 and (wk.plan.max_leaves > 0 or wk.draft.n_heap == 0):
            if not has_room(wk, most + 2, most):
                return NO_ROOM
            wk.draft.n_stack -= 1
            node = wk.draft.stack[wk.draft.n_stack]
            budget -= wk.draft.rows[node] * wk.draft.live_len[node]
            if wk.plan.max_leaves == 0:  # depth first: what was made below earlier nodes is no longer needed
                wk.draft.n_live = wk.draft.live_start[node] + wk.draft.live_len[node]
                wk.draft.n_entries = wk.draft.start[node] + wk.draft.rows[node]
                wk.draft.n_ids = wk.draft.ids_end[node]
            if find_split(wk, node):
                if wk.plan.max_leaves > 0 or not has_room_for_ids(wk, node):
                    push(wk, node)
                else:
                    split_node(wk, node)
        else:
            node = wk.draft.heap[0]
            if not (has_room(wk, wk.draft.n_children[node], 0) and has_room_for_ids(wk, node)):
                return NO_ROOM
            node = pop(wk)
            budget -= wk.draft.rows[node] * wk.table.n_columns
            if wk.plan.max_leaves == 0 or wk.draft.n_leaves + wk.draft.n_children[node] - 1 <= wk.plan.max_leaves:
                split_node(wk, node)
    return DONE


def make_root(wk: Work) -> None:
    """Make the root."""
    with cython.nogil:
        open_root(wk)
        if wk.plan.monotone:
            free_root(wk)
        if wk.table.has_coded:
            keep_histogram(wk, 0)


def resume_growth(wk: Work, budget: cython.longlong, most: cython.longlong) -> int:
    """Run the loop; DONE, PAUSED or NO_ROOM."""
    status: cython.int
    with cython.nogil:
        status = run(wk, budget, most)
    return status


def search_node(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> None:
    """Search the live columns low to high - 1 of a node: a part of `find_split`, for threads and for the ledger."""
    with cython.nogil:
        begin_search(wk, node, low, high)
        search_columns(wk, node, low, high)


def search_next(wk: Work, node: cython.longlong, i: cython.longlong) -> None:
    """Search live column i of a node after those before it, for a node that has other rows for each column."""
    best: cython.double = wk.search.best_gain
    with cython.nogil:
        begin_search(wk, node, i, i + 1)
        if i > 0:
            wk.search.best_gain = best
        search_columns(wk, node, i, i + 1)


def choose_split(wk: Work, node: cython.longlong) -> bool:
    """Choose among the candidates of a searched node and store the split."""
    return end_search(wk, node)


def has_room_for_copies(wk: Work, node: cython.longlong) -> bool:
    """Whether there is room for the copies of rows that the node's stored split makes."""
    return has_room_for_ids(wk, node)


def make_children_of(wk: Work, node: cython.longlong) -> bool:
    """Make the children of a node; whether `partition_columns` is needed for the sorted lists."""
    partitions: cython.bint
    with cython.nogil:
        partitions = make_children(wk, node)
    return partitions


def partition_columns(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> None:
    """Share the lists of the live columns low to high - 1 out among the node's children."""
    with cython.nogil:
        partition_lists(wk, node, low, high)


def choose_column(wk: Work, node: cython.longlong) -> int:
    """The column of the best candidate of a searched node, or -1: the choice that `choose_split` stores."""
    return choose(wk, node)


def open_node(wk: Work, node: cython.longlong) -> bool:
    """Measure a node whose stats were set from outside; whether it may be split."""
    measure(wk, node, -1)
    return wk.draft.rows[node] > 0 and not is_closed(wk, node)
