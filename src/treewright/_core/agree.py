"""How well a column can stand in for a node's split.

In: a node with two children, the branch of every row known on the split's column in wk.side, 2 for the others. Out:
the column's best agreement with the split, in wk.c_agree, if it is above that of the heavier branch. The agreement is
the weight of the rows, known on both columns, that both send the same way (Breiman and others; rpart's count).
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.codes import FAST_BLOCKS
    from cython.cimports.treewright._core.missing import count_missing
    from cython.cimports.treewright._core.ordering import sort_categories
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import FAST_BLOCKS
    from treewright._core.missing import count_missing
    from treewright._core.ordering import sort_categories
    from treewright._core.work import Work

FLAG = cython.declare(cython.uint, 0x80000000)
FEWEST = cython.declare(cython.longlong, 2)
BLOCK = cython.declare(cython.longlong, 64)

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
