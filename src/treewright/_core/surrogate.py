"""Surrogates: splits of other columns that send rows the same way as a node's split.

In: a node with two children and the branch of every row in wk.side, 2 for rows missing on the split's column. Out: the
columns that agree best with the split, in the draft; and a branch for every row that was missing.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.agree import agree_category, agree_number, tabulate_sides
    from cython.cimports.treewright._core.agree_coded import (
        agree_code_category,
        agree_coded,
        begin_sides,
        note_code_surrogate,
        send_by_code,
        tabulate_code_sides,
    )
    from cython.cimports.treewright._core.missing import count_missing
    from cython.cimports.treewright._core.monotone import may_stand_in
    from cython.cimports.treewright._core.node import add_to_node
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.agree import agree_category, agree_number, tabulate_sides
    from treewright._core.agree_coded import (
        agree_code_category,
        agree_coded,
        begin_sides,
        note_code_surrogate,
        send_by_code,
        tabulate_code_sides,
    )
    from treewright._core.missing import count_missing
    from treewright._core.monotone import may_stand_in
    from treewright._core.node import add_to_node
    from treewright._core.work import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_categories(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the branch of each category of a surrogate behind the pool; ties go with the heavier side."""
    n: cython.longlong = tabulate_code_sides(wk, node, f) if wk.byte_of[f] >= 0 else tabulate_sides(wk, node, f)
    ahead: cython.longlong = 0
    gap: cython.longlong
    v: cython.longlong
    for v in range(n):
        ahead += wk.table[v, 1] - wk.table[v, 0]
    for v in range(n):
        gap = wk.table[v, 1] - wk.table[v, 0]
        wk.backup_code[wk.n_backup_pool + v] = cython.cast(cython.int, wk.offset[v])
        wk.backup_branch[wk.n_backup_pool + v] = gap > 0 or (gap == 0 and ahead > 0)
    wk.n_backup_pool += n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_surrogate(wk: Work, node: cython.longlong, f: cython.longlong, known: cython.longlong,
                   heavy: cython.longlong) -> cython.void:
    """Write column f's split as the node's next surrogate."""
    s: cython.longlong = wk.n_backups
    base: cython.longlong
    wk.n_backups += 1
    wk.backup_len[node] += 1
    wk.backup_column[s] = cython.cast(cython.int, f)
    wk.backup_agree[s] = wk.c_agree[f]
    wk.backup_known[s] = known
    wk.backup_heavy[s] = heavy
    wk.backup_low[s] = -1
    wk.backup_low_row[s] = 0
    wk.backup_high_row[s] = 0
    wk.backup_table[s] = wk.n_backup_pool
    if wk.code_of[f] >= 0:
        note_categories(wk, node, f)
    elif wk.byte_of[f] >= 0:
        note_code_surrogate(wk, s, f)
    else:
        base = wk.list_of[f] * wk.stride + wk.start[node] + wk.c_agree_pos[f]
        wk.backup_low[s] = wk.c_agree_low[f]
        wk.backup_low_row[s] = wk.lists[base] & wk.row_mask
        wk.backup_high_row[s] = wk.lists[base + 1] & wk.row_mask
    wk.backup_table_len[s] = wk.n_backup_pool - wk.backup_table[s]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_surrogates(wk: Work, node: cython.longlong) -> cython.void:
    """Find the node's surrogates, the best first; of two that agree as much, the earlier column."""
    child: cython.longlong = wk.first_child[node]
    known: cython.longlong = wk.weight[child] + wk.weight[child + 1]
    heavy: cython.longlong = wk.weight[child] if wk.weight[child] > wk.weight[child + 1] else wk.weight[child + 1]
    first: cython.longlong = wk.alive_start[node]
    end: cython.longlong = first + wk.alive_len[node]
    i: cython.longlong
    f: cython.longlong
    best: cython.longlong
    wk.backup_start[node] = wk.n_backups
    if wk.has_coded:
        begin_sides(wk, node)
    for i in range(first, end):
        f = wk.alive[i]
        wk.c_agree[f] = 0
        if f == wk.column[node]:
            continue
        if wk.list_of[f] >= 0:
            agree_number(wk, node, f, heavy)
        elif wk.byte_of[f] < 0:
            agree_category(wk, node, f, heavy)
        elif wk.code_of[f] >= 0:
            agree_code_category(wk, node, f, heavy)
        else:
            agree_coded(wk, node, f, heavy)
        if wk.monotone and wk.c_agree[f] > 0 and not may_stand_in(wk, node, f):
            wk.c_agree[f] = 0
    while wk.backup_len[node] < wk.max_surrogates:
        best = -1
        for i in range(first, end):
            f = wk.alive[i]
            if wk.c_agree[f] > 0 and (best < 0 or wk.c_agree[f] > wk.c_agree[best]):
                best = f
        if best < 0:
            return
        note_surrogate(wk, node, best, known, heavy)
        wk.c_agree[best] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_by_number(wk: Work, node: cython.longlong, s: cython.longlong) -> cython.longlong:
    """Send the strays that a number's surrogate knows; how many these are."""
    f: cython.longlong = wk.backup_column[s]
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node]
    known: cython.longlong = wk.rows[node] - (count_missing(wk, node, f) if wk.holes[f] else 0)
    sent: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    for i in range(known):
        row = wk.lists[base + i] & wk.row_mask
        if wk.side[row] == 2:
            wk.side[row] = wk.backup_low[s] if i <= wk.c_agree_pos[f] else 1 - wk.backup_low[s]
            sent += 1
    return sent


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_by_category(wk: Work, node: cython.longlong, s: cython.longlong) -> cython.longlong:
    """The same for a category's surrogate."""
    codes: cython.longlong = wk.code_of[wk.backup_column[s]]
    first: cython.longlong = wk.backup_table[s]
    sent: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    for i in range(wk.backup_table_len[s]):
        wk.slot[wk.backup_code[first + i]] = wk.backup_branch[first + i]
    for i in range(wk.n_missing[node]):
        row = wk.strays[i]
        if wk.side[row] == 2 and wk.slot[wk.codes[codes, row]] >= 0:
            wk.side[row] = cython.cast(cython.uchar, wk.slot[wk.codes[codes, row]])
            sent += 1
    for i in range(wk.backup_table_len[s]):
        wk.slot[wk.backup_code[first + i]] = -1
    return sent


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_strays(wk: Work, node: cython.longlong) -> cython.void:
    """A branch for every row missing on the split's column: that of the first surrogate that knows it, or the
    heavier one.
    """
    left: cython.longlong = wk.n_missing[node]
    i: cython.longlong
    s: cython.longlong
    row: cython.longlong
    for s in range(wk.backup_start[node], wk.backup_start[node] + wk.backup_len[node]):
        if left == 0:
            break
        if wk.backup_low[s] < 0:
            left -= send_by_category(wk, node, s)
        elif wk.byte_of[wk.backup_column[s]] >= 0:
            left -= send_by_code(wk, node, s)
        else:
            left -= send_by_number(wk, node, s)
    for i in range(wk.n_missing[node]):
        row = wk.strays[i]
        if wk.side[row] == 2:
            wk.side[row] = cython.cast(cython.uchar, wk.missing_branch[node])
        add_to_node(wk, wk.first_child[node] + wk.side[row], row)
