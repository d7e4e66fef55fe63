"""The chosen candidate -> a split in the draft.

In: a node and the column chosen for it. Out: the node's split, noted in the draft; it has no children yet.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.codes import (
        EACH,
        GREEDY,
        HEAVIEST,
        IS_MISSING,
        LEAST_LOSS,
        MISSING_LOW,
        STOP,
        TABLE,
        THIRD,
        THRESHOLD,
    )
    from cython.cimports.treewright._core.number import settle_gain
    from cython.cimports.treewright._core.search_coded import note_code_cut
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import (
        EACH,
        GREEDY,
        HEAVIEST,
        IS_MISSING,
        LEAST_LOSS,
        MISSING_LOW,
        STOP,
        TABLE,
        THIRD,
        THRESHOLD,
    )
    from treewright._core.number import settle_gain
    from treewright._core.search_coded import note_code_cut
    from treewright._core.work import Work

MAX_EMPTY = cython.declare(cython.longlong, 256)
NO_ROW = cython.declare(cython.longlong, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_table(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the category table of column f's candidate behind the pool."""
    first: cython.longlong = wk.level_start[f]
    present: cython.longlong = wk.c_present[f]
    absent: cython.longlong = wk.n_levels[f] - present
    tests: cython.bint = wk.c_way[f] == IS_MISSING
    i: cython.longlong
    wk.kind[node] = TABLE
    wk.table_start[node] = wk.n_pool
    wk.n_children[node] = 1 if tests else wk.c_branches[f]
    wk.other[node] = HEAVIEST
    if wk.c_style[f] == EACH and absent <= MAX_EMPTY and not tests:
        wk.table_len[node] = wk.n_levels[f]
        wk.n_children[node] = wk.n_levels[f]
        for i in range(wk.n_levels[f]):
            wk.pool_code[wk.n_pool + i] = cython.cast(cython.int, i)
            wk.pool_branch[wk.n_pool + i] = cython.cast(cython.int, i)
        if wk.c_missing_branch[f] >= 0:
            wk.missing_branch[node] = wk.c_code[first + wk.c_missing_branch[f]]
    else:
        wk.table_len[node] = present
        for i in range(present):
            wk.pool_code[wk.n_pool + i] = wk.c_code[first + i]
            wk.pool_branch[wk.n_pool + i] = 0 if tests else wk.c_branch[first + i]
        if wk.c_missing_branch[f] >= 0:
            wk.missing_branch[node] = wk.c_missing_branch[f]
        if absent > 0 and not tests and (
                wk.c_style[f] == EACH or wk.c_style[f] == GREEDY or wk.c_style[f] == LEAST_LOSS):
            if not (wk.c_style[f] == GREEDY and wk.c_extra[f]):
                wk.n_children[node] += 1
            wk.other[node] = cython.cast(cython.int, wk.n_children[node] - 1)
    wk.n_pool += wk.table_len[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_cut(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note the cut of column f's candidate; one that only tells missing from known has no rows on its two sides."""
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node] + wk.c_pos[f]
    wk.kind[node] = THRESHOLD
    wk.n_children[node] = 2
    if wk.c_way[f] == IS_MISSING:
        wk.n_children[node] = 1
        wk.low_row[node] = NO_ROW
        wk.high_row[node] = NO_ROW
        wk.split_rows[node] = wk.rows[node] - wk.c_missing[f]
        return
    wk.low_row[node] = wk.lists[base] & wk.row_mask
    wk.high_row[node] = wk.lists[base + 1] & wk.row_mask
    wk.split_rows[node] = wk.c_pos[f] + 1
    if wk.c_missing[f] > 0:
        if wk.c_way[f] == MISSING_LOW:
            wk.missing_branch[node] = 0
        else:
            wk.missing_branch[node] = 1
    if wk.renamed:
        wk.low_row[node] = wk.origin[wk.low_row[node]]
        wk.high_row[node] = wk.origin[wk.high_row[node]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_split(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note column f's candidate as the node's split. It has no children yet."""
    settle_gain(wk, node, f)
    wk.column[node] = cython.cast(cython.int, f)
    wk.gain[node] = wk.c_gain[f]
    wk.merit[node] = wk.c_merit[f]
    wk.n_missing[node] = wk.c_missing[f]
    if wk.code_of[f] >= 0:
        note_table(wk, node, f)
    elif wk.byte_of[f] >= 0:
        note_code_cut(wk, node, f)
    else:
        note_cut(wk, node, f)
    if wk.c_way[f] == THIRD or wk.c_way[f] == IS_MISSING:
        wk.missing_branch[node] = cython.cast(cython.int, wk.n_children[node])
        wk.n_children[node] += 1
    elif wk.missing <= STOP or wk.c_missing[f] == 0:
        wk.missing_branch[node] = HEAVIEST
