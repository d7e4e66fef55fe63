"""Twigs: a node's subtree, grown apart from the draft that the node is in.

In: a node of a draft, and another Work with a draft and perhaps rows of its own. Out: the node as the root
there; and, once its subtree is grown, the finished nodes back in the first draft. Rows of its own go by ids
from 0 on, in the order of the target, so that all that is looked up by row stands close together. What only
growth asks of a node does not come back: its place in the lists, its depth, its live columns.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import TABLE
    from treewright._core.grow.histograms import keep_tally
    from treewright._core.grow.node import new_node
    from treewright._core.grow.workspace import Work


def begin_twig(wk: Work, node: cython.longlong, own: Work) -> None:
    """Make a node of one draft the root of another, which is empty; its rows stand where they did."""
    k: cython.longlong
    new_node(own, wk.depth[node])
    own.start[0] = wk.start[node]
    own.rows[0] = wk.rows[node]
    own.weight[0] = wk.weight[node]
    own.impurity[0] = wk.impurity[node]
    own.ids_end[0] = wk.ids_end[node]
    if wk.n_classes == 0:
        own.value[0] = wk.value[node]
        own.exact_impurity[0] = wk.exact_impurity[node]
    if wk.monotone:
        own.bound_low[0] = wk.bound_low[node]
        own.bound_high[0] = wk.bound_high[node]
    for k in range(wk.width):
        own.stats[0, k] = wk.stats[node, k]
    own.alive_start[0] = 0
    own.alive_len[0] = wk.alive_len[node]
    for k in range(wk.alive_len[node]):
        own.alive[k] = wk.alive[wk.alive_start[node] + k]
    own.n_leaves = 1
    if own.has_coded:
        keep_tally(own, 0)
    own.stack[0] = 0
    own.n_stack = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_row_apart(wk: Work, row: cython.longlong, own: Work, place: cython.longlong) -> cython.void:
    """All that stands by row."""
    k: cython.Py_ssize_t
    own.origin[place] = cython.cast(cython.int, row)
    if wk.weighted:
        own.weights[place] = wk.weights[row]
    if wk.n_classes > 0:
        own.labels[place] = wk.labels[row]
    else:
        own.moments[place] = wk.moments[row]
        own.y[place] = wk.y[row]
    if wk.codes.shape[1] > 1:
        for k in range(wk.codes.shape[0]):
            own.codes[k, place] = wk.codes[k, row]
    if wk.has_coded:
        for k in range(wk.coded.codes.shape[1]):
            own.coded.codes[place, k] = wk.coded.codes[row, k]


def move_rows(wk: Work, node: cython.longlong, own: Work, new: cython.uint[::1]) -> None:
    """Copy the rows of a node, and its lists with their new ids; the root of the other draft then is of these.

    new  room for the new ids, by row; threads that move other rows may share it
    """
    m: cython.longlong = wk.rows[node]
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    goal: cython.longlong = (own.n_lists - 1) * own.stride
    row_mask: cython.uint = wk.row_mask
    i: cython.longlong
    k: cython.longlong
    f: cython.longlong
    entry: cython.uint
    row: cython.uint
    own.start[0] = 0
    with cython.nogil:
        for i in range(m):
            entry = wk.lists[base + i]
            row = entry & row_mask
            copy_row_apart(wk, row, own, i)
            new[row] = cython.cast(cython.uint, i)
            own.lists[goal + i] = (entry - row) | new[row]
        # lists of columns with one value left are not kept up, and never read
        for k in range(wk.alive_start[node], wk.alive_start[node] + wk.alive_len[node]):
            f = wk.alive[k]
            if wk.list_of[f] < 0:
                continue
            base = wk.list_of[f] * wk.stride + wk.start[node]
            goal = own.list_of[f] * own.stride
            for i in range(m):
                entry = wk.lists[base + i]
                row = entry & row_mask
                own.lists[goal + i] = (entry - row) | new[row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_node(
    own: Work, at: cython.longlong, wk: Work, node: cython.longlong, shift: cython.longlong,
) -> cython.void:
    """All that a finished tree is made of; links move on by `shift` nodes, tables behind those that are there."""
    k: cython.int
    wk.kind[node] = own.kind[at]
    wk.rows[node] = own.rows[at]
    wk.weight[node] = own.weight[at]
    wk.impurity[node] = own.impurity[at]
    wk.first_child[node] = own.first_child[at] + shift if own.first_child[at] > 0 else -1
    wk.n_children[node] = own.n_children[at]
    wk.column[node] = own.column[at]
    wk.gain[node] = own.gain[at]
    wk.merit[node] = own.merit[at]
    wk.other[node] = own.other[at]
    wk.missing_branch[node] = own.missing_branch[at]
    wk.low_row[node] = own.low_row[at]
    wk.high_row[node] = own.high_row[at]
    if own.kind[at] == TABLE:
        wk.table_start[node] = own.table_start[at] + wk.n_pool
        wk.table_len[node] = own.table_len[at]
    if own.max_surrogates > 0:
        wk.backup_start[node] = own.backup_start[at] + wk.n_backups
        wk.backup_len[node] = own.backup_len[at]
    if own.n_classes == 0:
        wk.value[node] = own.value[at]
        wk.exact_impurity[node] = own.exact_impurity[at]
    else:
        for k in range(own.width):
            wk.stats[node, k] = own.stats[at, k]


def graft_nodes(own: Work, wk: Work, node: cython.longlong) -> None:
    """Put a grown subtree and its tables in the place of its root; its other nodes go behind the last one. There is
    room for them.
    """
    shift: cython.longlong = wk.n_nodes - 1
    i: cython.longlong
    with cython.nogil:
        copy_node(own, 0, wk, node, shift)
        for i in range(1, own.n_nodes):
            copy_node(own, i, wk, i + shift, shift)
        for i in range(own.n_pool):
            wk.pool_code[wk.n_pool + i] = own.pool_code[i]
            wk.pool_branch[wk.n_pool + i] = own.pool_branch[i]
    wk.n_nodes += own.n_nodes - 1
    wk.n_pool += own.n_pool
