"""Subtrees that are grown apart from the draft, for example by another thread.

In: a node of a draft, and another Work with a draft and perhaps rows of its own. Out: the node as the root
there; and, once its subtree is grown, the finished nodes back in the first draft. Rows of its own go by ids
from 0 on, in the order of the target, so that all data by row are close together in memory. What only
growth needs of a node is not copied back: its part of the lists, its depth, its live columns.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import TABLE
    from treewright._core.grow.histograms import keep_histogram
    from treewright._core.grow.node import new_node
    from treewright._core.grow.workspace import Work


def begin_subtree(wk: Work, node: cython.longlong, own: Work) -> None:
    """Make a node of one draft the root of another, which is empty; its rows stand where they did."""
    k: cython.longlong
    new_node(own, wk.draft.depth[node])
    own.draft.start[0] = wk.draft.start[node]
    own.draft.rows[0] = wk.draft.rows[node]
    own.draft.weight[0] = wk.draft.weight[node]
    own.draft.impurity[0] = wk.draft.impurity[node]
    own.draft.ids_end[0] = wk.draft.ids_end[node]
    if wk.table.n_classes == 0:
        own.draft.value[0] = wk.draft.value[node]
        own.draft.exact_impurity[0] = wk.draft.exact_impurity[node]
    if wk.plan.monotone:
        own.draft.bound_low[0] = wk.draft.bound_low[node]
        own.draft.bound_high[0] = wk.draft.bound_high[node]
    for k in range(wk.table.width):
        own.draft.stats[0, k] = wk.draft.stats[node, k]
    own.draft.live_start[0] = 0
    own.draft.live_len[0] = wk.draft.live_len[node]
    for k in range(wk.draft.live_len[node]):
        own.draft.live[k] = wk.draft.live[wk.draft.live_start[node] + k]
    own.draft.n_leaves = 1
    own.draft.root_weight = wk.draft.root_weight
    own.draft.root_impurity = wk.draft.root_impurity
    if own.table.has_coded:
        keep_histogram(own, 0)
    own.draft.stack[0] = 0
    own.draft.n_stack = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_row_to(wk: Work, row: cython.longlong, own: Work, place: cython.longlong) -> cython.void:
    """All that is by row."""
    k: cython.Py_ssize_t
    own.table.origin[place] = cython.cast(cython.int, row)
    if wk.table.weighted:
        own.table.weights[place] = wk.table.weights[row]
    if wk.table.n_classes > 0:
        own.table.labels[place] = wk.table.labels[row]
    else:
        own.table.moments[place] = wk.table.moments[row]
        own.table.y[place] = wk.table.y[row]
    if wk.table.codes.shape[1] > 1:
        for k in range(wk.table.codes.shape[0]):
            own.table.codes[k, place] = wk.table.codes[k, row]
    if wk.table.has_coded:
        for k in range(wk.coded.codes.shape[1]):
            own.coded.codes[place, k] = wk.coded.codes[row, k]


def move_rows(wk: Work, node: cython.longlong, own: Work, new: cython.uint[::1]) -> None:
    """Copy the rows of a node, and its lists with their new ids; the root of the other draft then is of these.

    new  room for the new ids, by row; threads that move other rows may share it
    """
    m: cython.longlong = wk.draft.rows[node]
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    goal: cython.longlong = (own.table.n_lists - 1) * own.table.stride
    row_mask: cython.uint = wk.table.row_mask
    i: cython.longlong
    k: cython.longlong
    f: cython.longlong
    entry: cython.uint
    row: cython.uint
    own.draft.start[0] = 0
    with cython.nogil:
        for i in range(m):
            entry = wk.table.lists[base + i]
            row = entry & row_mask
            copy_row_to(wk, row, own, i)
            new[row] = cython.cast(cython.uint, i)
            own.table.lists[goal + i] = (entry - row) | new[row]
        # lists of columns with one value left are not kept up, and never read
        for k in range(wk.draft.live_start[node], wk.draft.live_start[node] + wk.draft.live_len[node]):
            f = wk.draft.live[k]
            if wk.table.list_of[f] < 0:
                continue
            base = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
            goal = own.table.list_of[f] * own.table.stride
            for i in range(m):
                entry = wk.table.lists[base + i]
                row = entry & row_mask
                own.table.lists[goal + i] = (entry - row) | new[row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_node(
    own: Work, at: cython.longlong, wk: Work, node: cython.longlong, shift: cython.longlong,
) -> cython.void:
    """All that a finished tree is made of; links move on by `shift` nodes, tables behind those that are there."""
    k: cython.int
    wk.draft.kind[node] = own.draft.kind[at]
    wk.draft.rows[node] = own.draft.rows[at]
    wk.draft.weight[node] = own.draft.weight[at]
    wk.draft.impurity[node] = own.draft.impurity[at]
    wk.draft.first_child[node] = own.draft.first_child[at] + shift if own.draft.first_child[at] > 0 else -1
    wk.draft.n_children[node] = own.draft.n_children[at]
    wk.draft.column[node] = own.draft.column[at]
    wk.draft.gain[node] = own.draft.gain[at]
    wk.draft.merit[node] = own.draft.merit[at]
    wk.draft.other[node] = own.draft.other[at]
    wk.draft.missing_branch[node] = own.draft.missing_branch[at]
    wk.draft.low_row[node] = own.draft.low_row[at]
    wk.draft.high_row[node] = own.draft.high_row[at]
    if own.draft.kind[at] == TABLE:
        wk.draft.table_start[node] = own.draft.table_start[at] + wk.draft.n_pool
        wk.draft.table_len[node] = own.draft.table_len[at]
    if own.plan.max_surrogates > 0:
        wk.draft.surrogate_start[node] = own.draft.surrogate_start[at] + wk.draft.n_surrogates
        wk.draft.surrogate_len[node] = own.draft.surrogate_len[at]
    if own.table.n_classes == 0:
        wk.draft.value[node] = own.draft.value[at]
        wk.draft.exact_impurity[node] = own.draft.exact_impurity[at]
    else:
        for k in range(own.table.width):
            wk.draft.stats[node, k] = own.draft.stats[at, k]


def append_subtree(own: Work, wk: Work, node: cython.longlong) -> None:
    """Put a grown subtree and its tables in the place of its root; its other nodes go behind the last one. There is
    room for them.
    """
    shift: cython.longlong = wk.draft.n_nodes - 1
    i: cython.longlong
    with cython.nogil:
        copy_node(own, 0, wk, node, shift)
        for i in range(1, own.draft.n_nodes):
            copy_node(own, i, wk, i + shift, shift)
        for i in range(own.draft.n_pool):
            wk.draft.pool_code[wk.draft.n_pool + i] = own.draft.pool_code[i]
            wk.draft.pool_branch[wk.draft.n_pool + i] = own.draft.pool_branch[i]
    wk.draft.n_nodes += own.draft.n_nodes - 1
    wk.draft.n_pool += own.draft.n_pool
