"""The chosen candidate -> a split in the draft -> child nodes.

In: a node and the column chosen for it. Out: the node's split, noted in the draft; its children, with their stats;
and its lists of entries shared out among them.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.codes import EACH, GROUP, TABLE, THRESHOLD
    from cython.cimports.treewright._core.node import add_to_node, is_closed, measure, new_node
    from cython.cimports.treewright._core.partition import split_in_many, split_in_two
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import EACH, GROUP, TABLE, THRESHOLD
    from treewright._core.node import add_to_node, is_closed, measure, new_node
    from treewright._core.partition import split_in_many, split_in_two
    from treewright._core.work import Work

FLAG = cython.declare(cython.uint, 0x80000000)
MAX_EMPTY = cython.declare(cython.longlong, 256)
HEAVIEST = cython.declare(cython.int, -2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_table(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the category table of column f's candidate behind the pool."""
    first: cython.longlong = wk.level_start[f]
    present: cython.longlong = wk.c_present[f]
    absent: cython.longlong = wk.n_levels[f] - present
    i: cython.longlong
    wk.kind[node] = TABLE
    wk.table_start[node] = wk.n_pool
    wk.n_children[node] = wk.c_branches[f]
    wk.other[node] = HEAVIEST
    if wk.c_style[f] == EACH and absent <= MAX_EMPTY:
        wk.table_len[node] = wk.n_levels[f]
        wk.n_children[node] = wk.n_levels[f]
        for i in range(wk.n_levels[f]):
            wk.pool_code[wk.n_pool + i] = cython.cast(cython.int, i)
            wk.pool_branch[wk.n_pool + i] = cython.cast(cython.int, i)
    else:
        wk.table_len[node] = present
        for i in range(present):
            wk.pool_code[wk.n_pool + i] = wk.c_code[first + i]
            wk.pool_branch[wk.n_pool + i] = wk.c_branch[first + i]
        if absent > 0 and (wk.c_style[f] == EACH or wk.c_style[f] == GROUP):
            if not (wk.c_style[f] == GROUP and wk.c_extra[f]):
                wk.n_children[node] += 1
            wk.other[node] = cython.cast(cython.int, wk.n_children[node] - 1)
    wk.n_pool += wk.table_len[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_split(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note column f's candidate as the node's split. It has no children yet."""
    base: cython.longlong
    wk.column[node] = cython.cast(cython.int, f)
    wk.gain[node] = wk.c_gain[f]
    wk.merit[node] = wk.c_merit[f]
    if wk.list_of[f] < 0:
        note_table(wk, node, f)
        return
    base = wk.list_of[f] * wk.n_rows + wk.start[node] + wk.c_pos[f]
    wk.kind[node] = THRESHOLD
    wk.n_children[node] = 2
    wk.low_row[node] = wk.lists[base] & wk.row_mask
    wk.high_row[node] = wk.lists[base + 1] & wk.row_mask
    wk.split_rows[node] = wk.c_pos[f] + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_labels(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, shift: cython.int,
                 mask: cython.uint, stats: cython.longlong[:, ::1], node: cython.longlong) -> cython.void:
    """Classes, rows that count once: the hot case, from packed labels."""
    i: cython.longlong
    for i in range(base, base + m):
        stats[node, (entries[i] >> shift) & mask] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_by_cut(wk: Work, node: cython.longlong) -> cython.void:
    """Set the side of every row by the cut, and the stats of both children."""
    base: cython.longlong = wk.list_of[wk.column[node]] * wk.n_rows + wk.start[node]
    child: cython.longlong = wk.first_child[node]
    n_low: cython.longlong = wk.split_rows[node]
    i: cython.longlong
    k: cython.int
    for i in range(wk.rows[node]):
        wk.side[wk.lists[base + i] & wk.row_mask] = i >= n_low
    if wk.label_mask and not wk.weighted:
        count_labels(wk.lists, base, n_low, wk.shift, wk.label_mask, wk.stats, child)
        wk.rows[child] = n_low
        wk.weight[child] = n_low
    else:
        for i in range(n_low):
            add_to_node(wk, child, wk.lists[base + i] & wk.row_mask)
    wk.lists[base + n_low] |= FLAG
    wk.rows[child + 1] = wk.rows[node] - n_low
    wk.weight[child + 1] = wk.weight[node] - wk.weight[child]
    for k in range(wk.width):
        wk.stats[child + 1, k] = wk.stats[node, k] - wk.stats[child, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_by_table(wk: Work, node: cython.longlong) -> cython.void:
    """Set the side of every row by its category, and the stats of the children."""
    base: cython.longlong = (wk.n_lists - 1) * wk.n_rows + wk.start[node]
    codes: cython.longlong = wk.code_of[wk.column[node]]
    child: cython.longlong = wk.first_child[node]
    first: cython.longlong = wk.table_start[node]
    two: cython.bint = wk.n_children[node] == 2
    i: cython.longlong
    b: cython.int
    row: cython.longlong
    for i in range(wk.table_len[node]):
        wk.slot[wk.pool_code[first + i]] = wk.pool_branch[first + i]
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        b = wk.slot[wk.codes[codes, row]]
        if two:
            wk.side[row] = b
        else:
            wk.wide_side[row] = b
        add_to_node(wk, child + b, row)
    for i in range(wk.table_len[node]):
        wk.slot[wk.pool_code[first + i]] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_list(wk: Work, node: cython.longlong, which: cython.longlong) -> cython.void:
    """Share one list's entries out among the children."""
    base: cython.longlong = which * wk.n_rows + wk.start[node]
    if wk.n_children[node] == 2:
        split_in_two(wk.lists, base, wk.rows[node], wk.row_mask, wk.side, wk.buffer)
    else:
        split_in_many(wk, base, wk.rows[node], node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_out(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Share the lists of the live columns low to high - 1 out among the children.

    The split's own list is in order already. Lists of columns with one value left are never read again.
    """
    f: cython.longlong
    i: cython.longlong
    for i in range(wk.alive_start[node] + low, wk.alive_start[node] + high):
        f = wk.alive[i]
        if wk.list_of[f] >= 0 and f != wk.column[node]:
            share_list(wk, node, wk.list_of[f])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_children(wk: Work, node: cython.longlong) -> cython.bint:
    """Make the children of a noted split; whether one of them may be split further.

    The list of rows is always shared out; the sorted lists only need it, by share_out, if the answer is yes.
    """
    n: cython.longlong = wk.n_children[node]
    child: cython.longlong = wk.n_nodes
    b: cython.longlong
    heaviest: cython.longlong = 0
    place: cython.longlong = wk.start[node]
    any_open: cython.bint = False
    for b in range(n):
        new_node(wk, node, wk.depth[node] + 1)
    wk.first_child[node] = child
    wk.n_leaves += n - 1
    if wk.kind[node] == THRESHOLD:
        sides_by_cut(wk, node)
    else:
        sides_by_table(wk, node)
    for b in range(n):
        wk.start[child + b] = place
        wk.alive_start[child + b] = wk.alive_start[node]
        wk.alive_len[child + b] = wk.alive_len[node]
        place += wk.rows[child + b]
        if wk.weight[child + b] > wk.weight[child + heaviest]:
            heaviest = b
    if wk.other[node] == HEAVIEST:
        wk.other[node] = cython.cast(cython.int, heaviest)
    share_list(wk, node, wk.n_lists - 1)
    for b in range(n - 1, -1, -1):
        measure(wk, child + b)
        if wk.rows[child + b] > 0 and not is_closed(wk, child + b):
            wk.stack[wk.n_stack] = child + b
            wk.n_stack += 1
            any_open = True
    return any_open
