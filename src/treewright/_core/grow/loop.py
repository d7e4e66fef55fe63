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
        GINI,
        NO_ROOM,
        PAUSED,
        SQUARED_ERROR,
        SUBSET,
        WHOLE,
    )
    from treewright._core.grow.candidates import choose
    from treewright._core.grow.columns import search_columns
    from treewright._core.grow.cuts_median import rank_rows
    from treewright._core.grow.fractional_weights import most_copies
    from treewright._core.grow.histograms import count_node, give_back, keep_tally
    from treewright._core.grow.impurity import beats, gain_of_means
    from treewright._core.grow.missing import class_sum
    from treewright._core.grow.monotone import begin_node, free_root
    from treewright._core.grow.monotone_choice import choose_monotone
    from treewright._core.grow.node import open_root
    from treewright._core.grow.numbers import begin_cuts
    from treewright._core.grow.split import make_children, note_split, share_out
    from treewright._core.grow.workspace import Work

FEW_ROWS = cython.declare(cython.longlong, 8)
FEW_CLASSES = cython.declare(cython.int, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halves_of_numbers(wk: Work, node: cython.longlong) -> cython.double:
    """Squared error: the best two parts of some numbers are those below and above a cut."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    m: cython.longlong = wk.rows[node]
    centre: cython.longlong = wk.node_centre
    s: cython.longlong = 0
    j: cython.longlong
    gain: cython.double
    best: cython.double = 0.0
    for j in range(m - 1):
        s += wk.moments[wk.lists[base + j] & wk.row_mask] - centre
        gain = gain_of_means(j + 1, s, m, wk.node_rest, wk.y_unit)
        if gain > best:
            best = gain
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halves_of_classes(wk: Work, node: cython.longlong) -> cython.double:
    """Gini or entropy: the best two parts of some rows keep the rows of a class together. All ways to do so are tried,
    where the classes are few; else the node's impurity.
    """
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    m: cython.longlong = wk.rows[node]
    counts = cython.declare(cython.longlong[4])
    n: cython.int = 0
    k: cython.int
    ways: cython.int
    j: cython.longlong = 0
    low: cython.longlong
    entry: cython.uint
    x: cython.double
    sum_low: cython.double
    gain: cython.double
    best: cython.double = 0.0
    while j < m:  # this list has the rows by class
        if n == FEW_CLASSES:
            return wk.impurity[node]
        entry = wk.lists[base + j]
        if wk.label_mask:
            counts[n] = wk.stats[node, (entry >> wk.shift) & wk.label_mask]
        else:
            counts[n] = wk.stats[node, wk.labels[entry & wk.row_mask]]
        j += counts[n]
        n += 1
    if n == 2:
        return wk.impurity[node]
    for ways in range(1, 1 << (n - 1)):  # the last class stays on the other side
        low = 0
        sum_low = 0.0
        for k in range(n - 1):
            if (ways >> k) & 1:
                x = cython.cast(cython.double, counts[k])
                low += counts[k]
                sum_low += wk.xlogx[counts[k]] if wk.criterion == ENTROPY else x * x
        if wk.criterion == ENTROPY:
            gain = (wk.xlogx[m] - wk.xlogx[low] - wk.xlogx[m - low]) / m
        else:
            gain = (sum_low / low + (wk.node_sum - sum_low) / (m - low) - wk.node_sum / m) / m
        if gain > best:
            best = gain
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def most_gain_of(wk: Work, node: cython.longlong) -> cython.double:
    """The impurity, or for few rows that count once, and splits in two, the gain of the best two parts."""
    binary: cython.bint = (wk.n_lists == wk.n_columns + 1 or wk.grouping == SUBSET or wk.grouping == BINARY)
    if wk.rows[node] > FEW_ROWS or wk.weighted or wk.missing != WHOLE or not binary:
        return wk.impurity[node]
    if wk.criterion == SQUARED_ERROR:
        return halves_of_numbers(wk, node)
    if wk.n_classes > 2 and (wk.criterion == GINI or wk.criterion == ENTROPY):
        return halves_of_classes(wk, node)
    return wk.impurity[node]


TIE_STEPS = cython.declare(cython.double, 1e10)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_search(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Before the live columns low to high - 1 of a node are searched."""
    wk.best_gain = -1.0
    wk.tie_scale = wk.impurity[node]
    wk.node_sum = class_sum(wk, node)
    begin_cuts(wk, node)
    wk.most_gain = most_gain_of(wk, node)
    if wk.has_coded:
        count_node(wk, node, low, high)
    if wk.monotone:
        begin_node(wk, node)
    if wk.criterion == ABSOLUTE_ERROR:
        rank_rows(wk, node)
        wk.loss_scale = wk.impurity[node] * 2.0 * wk.weight[node] / wk.y_unit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leave_out_dead(wk: Work, node: cython.longlong) -> cython.void:
    """If columns have only one value left here, note the others as the live ones of the node's children.

    The shorter list goes behind the last one: in depth-first growth it is needed until a node from before it is
    next, so all lists together stay as short as one path needs.
    """
    first: cython.longlong = wk.alive_start[node]
    n: cython.longlong = 0
    i: cython.longlong
    for i in range(first, first + wk.alive_len[node]):
        if not wk.c_dead[wk.alive[i]]:
            wk.alive[wk.n_alive + n] = wk.alive[i]
            n += 1
    if n < wk.alive_len[node]:
        wk.alive_start[node] = wk.n_alive
        wk.alive_len[node] = n
        wk.n_alive += n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_search(wk: Work, node: cython.longlong) -> cython.bint:
    """Choose among the candidates and note the split; False when the node stays a leaf."""
    f: cython.longlong = choose_monotone(wk, node) if wk.monotone else choose(wk, node)
    part: cython.double
    if f < 0:
        give_back(wk, node)
        return False
    part = cython.cast(cython.double, wk.weight[node]) / wk.root_weight
    if beats(wk.min_gain, part * wk.c_gain[f], wk.root_impurity):
        give_back(wk, node)
        return False
    note_split(wk, node, f)
    if wk.rows[node] > 2 or wk.missing != WHOLE:  # else the children have a row each
        leave_out_dead(wk, node)
    if wk.max_leaves > 0:
        wk.priority[node] = floor(part * wk.c_gain[f] / wk.root_impurity * TIE_STEPS + 0.5)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def comes_first(wk: Work, a: cython.longlong, b: cython.longlong) -> cython.bint:
    return wk.priority[a] > wk.priority[b] or (wk.priority[a] == wk.priority[b] and a < b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def push(wk: Work, node: cython.longlong) -> cython.void:
    """Put a node into the heap."""
    i: cython.longlong = wk.n_heap
    wk.n_heap += 1
    while i > 0 and comes_first(wk, node, wk.heap[(i - 1) // 2]):
        wk.heap[i] = wk.heap[(i - 1) // 2]
        i = (i - 1) // 2
    wk.heap[i] = node


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pop(wk: Work) -> cython.longlong:
    """Take the best node out of the heap."""
    top: cython.longlong = wk.heap[0]
    node: cython.longlong
    i: cython.longlong = 0
    child: cython.longlong = 1
    wk.n_heap -= 1
    node = wk.heap[wk.n_heap]
    while child < wk.n_heap:
        if child + 1 < wk.n_heap and comes_first(wk, wk.heap[child + 1], wk.heap[child]):
            child += 1
        if not comes_first(wk, wk.heap[child], node):
            break
        wk.heap[i] = wk.heap[child]
        i = child
        child = 2 * i + 1
    wk.heap[i] = node
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_room(wk: Work, n_children: cython.longlong, n_table: cython.longlong) -> cython.bint:
    return (wk.n_nodes + n_children <= wk.node_room and wk.n_pool + n_table <= wk.pool_code.shape[0]
            and wk.n_alive + wk.n_columns <= wk.alive.shape[0]
            and (wk.max_surrogates == 0 or has_backup_room(wk)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_backup_room(wk: Work) -> cython.bint:
    """Whether there is room for the surrogates of one more node; no category has more values than wk.slot."""
    return (wk.n_backups + wk.max_surrogates <= wk.backup_column.shape[0]
            and wk.n_backup_pool + wk.max_surrogates * wk.slot.shape[0] <= wk.backup_code.shape[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_ids(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether there is room for the shares of rows that a noted split makes; what is needed is noted."""
    copies: cython.longlong
    if wk.missing != FRACTIONAL or wk.n_missing[node] == 0:
        return True
    copies = most_copies(wk, node, wk.column[node])
    wk.need_entries = wk.n_entries + wk.rows[node] + copies
    wk.need_ids = wk.n_ids + copies
    return wk.need_entries <= wk.stride and wk.need_ids <= wk.origin.shape[0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_node(wk: Work, node: cython.longlong) -> cython.void:
    if make_children(wk, node):
        share_out(wk, node, 0, wk.alive_len[node])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_split(wk: Work, node: cython.longlong) -> cython.bint:
    begin_search(wk, node, 0, wk.alive_len[node])
    search_columns(wk, node, 0, wk.alive_len[node])
    return end_search(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def run(wk: Work, budget: cython.longlong, most: cython.longlong) -> cython.int:
    """Grow until done, out of room (`most` categories of a column at the most), or `budget` cells were visited."""
    node: cython.longlong
    while wk.n_stack > 0 or wk.n_heap > 0:
        if budget <= 0:
            return PAUSED
        if wk.n_stack > 0 and (wk.max_leaves > 0 or wk.n_heap == 0):
            if not has_room(wk, most + 2, most):
                return NO_ROOM
            wk.n_stack -= 1
            node = wk.stack[wk.n_stack]
            budget -= wk.rows[node] * wk.alive_len[node]
            if wk.max_leaves == 0:  # depth first: what was made below earlier nodes is no longer needed
                wk.n_alive = wk.alive_start[node] + wk.alive_len[node]
                wk.n_entries = wk.start[node] + wk.rows[node]
                wk.n_ids = wk.ids_end[node]
            if find_split(wk, node):
                if wk.max_leaves > 0 or not has_ids(wk, node):
                    push(wk, node)
                else:
                    split_node(wk, node)
        else:
            node = wk.heap[0]
            if not (has_room(wk, wk.n_children[node], 0) and has_ids(wk, node)):
                return NO_ROOM
            node = pop(wk)
            budget -= wk.rows[node] * wk.n_columns
            if wk.max_leaves == 0 or wk.n_leaves + wk.n_children[node] - 1 <= wk.max_leaves:
                split_node(wk, node)
    return DONE


def plant(wk: Work) -> None:
    """Make the root."""
    with cython.nogil:
        open_root(wk)
        if wk.monotone:
            free_root(wk)
        if wk.has_coded:
            keep_tally(wk, 0)


def grow_on(wk: Work, budget: cython.longlong, most: cython.longlong) -> int:
    """Run the loop; DONE, PAUSED or NO_ROOM."""
    status: cython.int
    with cython.nogil:
        status = run(wk, budget, most)
    return status


def search(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> None:
    """Search the live columns low to high - 1 of a node: a part of `find_split`, for threads and for the ledger."""
    with cython.nogil:
        begin_search(wk, node, low, high)
        search_columns(wk, node, low, high)


def conclude(wk: Work, node: cython.longlong) -> bool:
    """Choose among the candidates of a searched node and note the split."""
    return end_search(wk, node)


def has_share_room(wk: Work, node: cython.longlong) -> bool:
    """Whether there is room for the shares of rows that the node's noted split makes."""
    return has_ids(wk, node)


def divide(wk: Work, node: cython.longlong) -> bool:
    """Make the children of a node; whether `share` is needed for the sorted lists."""
    answer: cython.bint
    with cython.nogil:
        answer = make_children(wk, node)
    return answer


def share(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> None:
    """Share the lists of the live columns low to high - 1 out among the node's children."""
    with cython.nogil:
        share_out(wk, node, low, high)
