"""Surrogates: splits of other columns that send rows the same way as the split of a node.

In: a node with two children and the branch of every row in wk.side, 2 for rows missing on the split's column.
Out: the columns that agree best with the split, in the draft; and a branch for every row that was missing.
The agreement of a column is the weight of the rows, known on both columns, that both send the same way
(Breiman and others; rpart's count); it must be above that of the heavier branch.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import BLOCK, FAST_BLOCKS, FEWEST, FLAG
    from treewright._core.grow.coded_surrogates import (
        agree_code_category,
        agree_coded,
        begin_sides,
        note_code_surrogate,
        send_by_code,
        tabulate_code_sides,
    )
    from treewright._core.grow.contingency import sort_categories
    from treewright._core.grow.missing import count_missing
    from treewright._core.grow.monotone import may_stand_in
    from treewright._core.grow.node import add_to_node
    from treewright._core.grow.workspace import Work

Both = cython.struct(low=cython.longlong, high=cython.longlong, rows=cython.longlong)
"""Rows known on both columns: the weight of those that the split sends to branch 0 and to 1, and their number."""


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def weight_at(wk: Work, row: cython.longlong) -> cython.longlong:
    return wk.weights[row] if wk.weighted else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def known_on_both(wk: Work, node: cython.longlong, base: cython.longlong, missing: cython.longlong) -> Both:
    """The rows known on the split's column less those that stand, missing, at the end of a number's list."""
    both = cython.declare(Both)
    child: cython.longlong = wk.first_child[node]
    row: cython.longlong
    i: cython.longlong
    both.low = wk.weight[child]
    both.high = wk.weight[child + 1]
    both.rows = wk.rows[child] + wk.rows[child + 1]
    for i in range(wk.rows[node] - missing, wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        if wk.side[row] == 0:
            both.low -= weight_at(wk, row)
            both.rows -= 1
        elif wk.side[row] == 1:
            both.high -= weight_at(wk, row)
            both.rows -= 1
    return both


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def block_of_sides(wk: Work, first: cython.longlong, end: cython.longlong) -> Both:
    """The rows of the entries first to end - 1, by the branch the split sends them to."""
    both = cython.declare(Both)
    low: cython.longlong = 0
    high: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    side: cython.longlong
    weight: cython.longlong
    both.low = 0
    both.high = 0
    both.rows = 0
    for i in range(first, end):
        side = wk.side[wk.lists[i] & wk.row_mask]
        low += side == 0
        high += side == 1
    both.rows = low + high
    if not wk.weighted:
        both.low = low
        both.high = high
        return both
    for i in range(first, end):
        row = wk.lists[i] & wk.row_mask
        weight = wk.weights[row]
        if wk.side[row] == 0:
            both.low += weight
        elif wk.side[row] == 1:
            both.high += weight
    return both


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_number(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The cut of a number that agrees best, if it agrees on more than `heavy`."""
    both = cython.declare(Both)
    child: cython.longlong = wk.first_child[node]
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node]
    missing: cython.longlong
    last: cython.longlong
    best: cython.longlong = heavy
    ahead: cython.longlong = 0  # weight below the cut of branch 0 less that of branch 1
    n: cython.longlong = 0
    i: cython.longlong = 0
    j: cython.longlong
    end: cython.longlong
    row: cython.longlong
    side: cython.int
    block = cython.declare(Both)
    in_blocks: cython.bint
    if not wk.weighted and (wk.rows[child] < FEWEST or wk.rows[child + 1] < FEWEST):
        return  # to agree on more than `heavy` takes all rows, and one side of the cut would be too small
    missing = count_missing(wk, node, f) if wk.holes[f] else 0
    last = wk.rows[node] - missing - 1
    both = known_on_both(wk, node, base, missing)
    in_blocks = last > BLOCK and wk.fast & FAST_BLOCKS != 0  # few rows are looked at one by one sooner
    while i < last:
        end = i + BLOCK if i + BLOCK < last else last
        if in_blocks:
            block = block_of_sides(wk, base + i, base + end)
            # within the block no cut agrees on more than if all of its rows were on the better side
            if both.high + ahead + block.low <= best and both.low - ahead + block.high <= best:
                n += block.rows
                ahead += block.low - block.high
                i = end
                continue
        for j in range(i, end):  # sides come in no order: nothing jumps by them
            row = wk.lists[base + j] & wk.row_mask
            side = cython.cast(cython.int, wk.side[row])
            n += side < 2
            ahead += weight_at(wk, row) * ((side == 0) - (side == 1))
            if both.high + ahead <= best and both.low - ahead <= best:
                continue
            if not (wk.lists[base + j + 1] & FLAG) or n < FEWEST or both.rows - n < FEWEST:
                continue
            wk.c_agree_pos[f] = j
            wk.c_agree_low[f] = 0 if both.high + ahead > best else 1
            best = both.high + ahead if both.high + ahead > best else both.low - ahead
        i = end
    if best > heavy:
        wk.c_agree[f] = best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """For each category among the rows known on both, in order of code: its weight by branch in wk.table, its code
    in wk.offset; their number.
    """
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    codes: cython.longlong = wk.code_of[f]
    n: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    code: cython.int
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        code = wk.codes[codes, row]
        if wk.side[row] < 2 and code < wk.n_levels[f] and wk.slot[code] < 0:
            wk.slot[code] = 0
            wk.key[n] = code
            n += 1
    sort_categories(wk, n)
    for i in range(n):
        code = cython.cast(cython.int, wk.key[wk.order[i]])
        wk.offset[i] = code
        wk.slot[code] = cython.cast(cython.int, i)
        wk.table[i, 0] = 0
        wk.table[i, 1] = 0
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        code = wk.codes[codes, row]
        if wk.side[row] < 2 and code < wk.n_levels[f]:
            wk.table[wk.slot[code], wk.side[row]] += weight_at(wk, row)
    for i in range(n):
        wk.slot[wk.offset[i]] = -1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The same by code, for a column with few categories for the node's size; how many codes there are."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    codes: cython.longlong = wk.code_of[f]
    i: cython.longlong
    row: cython.longlong
    for i in range(wk.n_levels[f] + 1):
        wk.table[i, 0] = 0
        wk.table[i, 1] = 0
    if not wk.weighted:
        count_unit_sides(wk, base, wk.rows[node], codes)
        return wk.n_levels[f]
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        if wk.side[row] < 2:
            wk.table[wk.codes[codes, row], wk.side[row]] += wk.weights[row]
    return wk.n_levels[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_unit_sides(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong) -> cython.void:
    """Rows that count once: the hot case, with nothing in the loop but the table."""
    i: cython.longlong
    row: cython.uint
    for i in range(base, base + m):
        row = wk.lists[i] & wk.row_mask
        if wk.side[row] < 2:
            wk.table[wk.codes[which, row], wk.side[row]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_category(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The agreement of a category, each value sent to the branch that has more of it."""
    n: cython.longlong
    total: cython.longlong = 0
    v: cython.longlong
    if wk.n_levels[f] <= wk.rows[node]:
        n = count_sides(wk, node, f)
    else:
        n = tabulate_sides(wk, node, f)
    for v in range(n):
        total += wk.table[v, 0] if wk.table[v, 0] > wk.table[v, 1] else wk.table[v, 1]
    if total > heavy:
        wk.c_agree[f] = total


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
    p: cython.longlong = wk.byte_of[wk.backup_column[s]]
    first: cython.longlong = wk.backup_table[s]
    sent: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    b: cython.int
    for i in range(wk.backup_table_len[s]):
        wk.slot[wk.backup_code[first + i]] = wk.backup_branch[first + i]
    for i in range(wk.n_missing[node]):
        row = wk.strays[i]
        b = wk.slot[wk.coded.codes[row, p] if p >= 0 else wk.codes[codes, row]]
        if wk.side[row] == 2 and b >= 0:
            wk.side[row] = cython.cast(cython.uchar, b)
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
