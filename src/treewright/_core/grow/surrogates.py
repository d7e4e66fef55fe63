"""Surrogates: splits on other columns that send rows to the same branches as the split of a node.

In: a node with two children and the branch of every row in table.side, 2 for rows missing on the split's column.
Out: the columns that agree best with the split, in the draft; and a branch for every row that was missing.
The agreement of a column is the weight of the rows, known on both columns, that both send to the same branch
(Breiman and others; rpart's count); it must be above that of the heavier branch.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import BLOCK, FAST_BLOCKS, FLAG, LEAST_SURROGATE_ROWS
    from treewright._core.grow.coded_surrogates import (
        agree_code_category,
        agree_coded,
        begin_sides,
        route_by_code,
        store_code_surrogate,
        tabulate_code_sides,
    )
    from treewright._core.grow.contingency import sort_categories
    from treewright._core.grow.missing import count_missing
    from treewright._core.grow.monotone import may_stand_in
    from treewright._core.grow.node import add_to_node, rows_at
    from treewright._core.grow.workspace import Work

Both = cython.struct(low=cython.longlong, high=cython.longlong, rows=cython.longlong)
"""Rows known on both columns: the weight of those that the split sends to branch 0 and to 1, and their number."""


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def weight_at(wk: Work, row: cython.longlong) -> cython.longlong:
    return wk.table.weights[row] if wk.table.weighted else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def known_on_both(wk: Work, node: cython.longlong, base: cython.longlong, missing: cython.longlong) -> Both:
    """The rows known on the split's column less those that stand, missing, at the end of a number's list."""
    both = cython.declare(Both)
    child: cython.longlong = wk.draft.first_child[node]
    row: cython.longlong
    i: cython.longlong
    both.low = wk.draft.weight[child]
    both.high = wk.draft.weight[child + 1]
    both.rows = wk.draft.rows[child] + wk.draft.rows[child + 1]
    for i in range(wk.draft.rows[node] - missing, wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        if wk.table.side[row] == 0:
            both.low -= weight_at(wk, row)
            both.rows -= rows_at(wk, row)
        elif wk.table.side[row] == 1:
            both.high -= weight_at(wk, row)
            both.rows -= rows_at(wk, row)
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
        side = wk.table.side[wk.table.lists[i] & wk.table.row_mask]
        low += side == 0
        high += side == 1
    both.rows = low + high
    if not wk.table.weighted:
        both.low = low
        both.high = high
        return both
    for i in range(first, end):
        row = wk.table.lists[i] & wk.table.row_mask
        weight = wk.table.weights[row]
        if wk.table.side[row] == 0:
            both.low += weight
        elif wk.table.side[row] == 1:
            both.high += weight
    return both


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_number(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The cut of a number that agrees best, if it agrees on more than `heavy`."""
    both = cython.declare(Both)
    child: cython.longlong = wk.draft.first_child[node]
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
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
    if not wk.table.weighted and (wk.draft.rows[child] < LEAST_SURROGATE_ROWS
                                  or wk.draft.rows[child + 1] < LEAST_SURROGATE_ROWS):
        return  # to agree on more than `heavy` takes all rows, and one side of the cut would be too small
    missing = count_missing(wk, node, f) if wk.table.missing_in[f] else 0
    last = wk.draft.rows[node] - missing - 1
    both = known_on_both(wk, node, base, missing)
    # few rows are looked at one by one sooner
    in_blocks = last > BLOCK and wk.plan.fast_paths & FAST_BLOCKS != 0 and not wk.table.has_row_counts
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
            row = wk.table.lists[base + j] & wk.table.row_mask
            side = cython.cast(cython.int, wk.table.side[row])
            n += rows_at(wk, row) if side < 2 else 0
            ahead += weight_at(wk, row) * ((side == 0) - (side == 1))
            if both.high + ahead <= best and both.low - ahead <= best:
                continue
            if not (wk.table.lists[base + j + 1]
                    & FLAG) or n < LEAST_SURROGATE_ROWS or both.rows - n < LEAST_SURROGATE_ROWS:
                continue
            wk.candidates.surrogate_position[f] = j
            wk.candidates.surrogate_low[f] = 0 if both.high + ahead > best else 1
            best = both.high + ahead if both.high + ahead > best else both.low - ahead
        i = end
    if best > heavy:
        wk.candidates.agreement[f] = best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """For each category among the rows known on both, in order of code: its weight by branch in
    scratch.contingency, its code in scratch.offset; their number.
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    codes: cython.longlong = wk.table.category_of[f]
    n: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    code: cython.int
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        code = wk.table.codes[codes, row]
        if wk.table.side[row] < 2 and code < wk.table.n_levels[f] and wk.scratch.table_row[code] < 0:
            wk.scratch.table_row[code] = 0
            wk.scratch.key[n] = code
            n += 1
    sort_categories(wk, n)
    for i in range(n):
        code = cython.cast(cython.int, wk.scratch.key[wk.scratch.order[i]])
        wk.scratch.offset[i] = code
        wk.scratch.table_row[code] = cython.cast(cython.int, i)
        wk.scratch.contingency[i, 0] = 0
        wk.scratch.contingency[i, 1] = 0
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        code = wk.table.codes[codes, row]
        if wk.table.side[row] < 2 and code < wk.table.n_levels[f]:
            wk.scratch.contingency[wk.scratch.table_row[code], wk.table.side[row]] += weight_at(wk, row)
    for i in range(n):
        wk.scratch.table_row[wk.scratch.offset[i]] = -1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The same by code, for a column with few categories for the node's size; how many codes there are."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    codes: cython.longlong = wk.table.category_of[f]
    i: cython.longlong
    row: cython.longlong
    for i in range(wk.table.n_levels[f] + 1):
        wk.scratch.contingency[i, 0] = 0
        wk.scratch.contingency[i, 1] = 0
    if not wk.table.weighted:
        count_unit_sides(wk, base, wk.draft.rows[node], codes)
        return wk.table.n_levels[f]
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        if wk.table.side[row] < 2:
            wk.scratch.contingency[wk.table.codes[codes, row], wk.table.side[row]] += wk.table.weights[row]
    return wk.table.n_levels[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_unit_sides(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong) -> cython.void:
    """Rows that count once: the hot case, with nothing in the loop but the table."""
    i: cython.longlong
    row: cython.uint
    for i in range(base, base + m):
        row = wk.table.lists[i] & wk.table.row_mask
        if wk.table.side[row] < 2:
            wk.scratch.contingency[wk.table.codes[which, row], wk.table.side[row]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_category(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The agreement of a category, each value sent to the branch that has more of it."""
    n: cython.longlong
    total: cython.longlong = 0
    v: cython.longlong
    if wk.table.n_levels[f] <= wk.draft.rows[node]:
        n = count_sides(wk, node, f)
    else:
        n = tabulate_sides(wk, node, f)
    for v in range(n):
        total += (wk.scratch.contingency[v, 0] if wk.scratch.contingency[v, 0] > wk.scratch.contingency[v, 1]
                  else wk.scratch.contingency[v, 1])
    if total > heavy:
        wk.candidates.agreement[f] = total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_surrogate_categories(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the branch of each category of a surrogate behind the pool; ties go with the heavier side."""
    n: cython.longlong = tabulate_code_sides(wk, node, f) if wk.table.coded_of[f] >= 0 else tabulate_sides(wk, node, f)
    ahead: cython.longlong = 0
    gap: cython.longlong
    v: cython.longlong
    for v in range(n):
        ahead += wk.scratch.contingency[v, 1] - wk.scratch.contingency[v, 0]
    for v in range(n):
        gap = wk.scratch.contingency[v, 1] - wk.scratch.contingency[v, 0]
        wk.draft.surrogate_code[wk.draft.n_surrogate_pool + v] = cython.cast(cython.int, wk.scratch.offset[v])
        wk.draft.surrogate_branch[wk.draft.n_surrogate_pool + v] = gap > 0 or (gap == 0 and ahead > 0)
    wk.draft.n_surrogate_pool += n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_surrogate(wk: Work, node: cython.longlong, f: cython.longlong, known: cython.longlong,
                    heavy: cython.longlong) -> cython.void:
    """Write column f's split as the node's next surrogate."""
    s: cython.longlong = wk.draft.n_surrogates
    base: cython.longlong
    wk.draft.n_surrogates += 1
    wk.draft.surrogate_len[node] += 1
    wk.draft.surrogate_column[s] = cython.cast(cython.int, f)
    wk.draft.surrogate_agree[s] = wk.candidates.agreement[f]
    wk.draft.surrogate_known[s] = known
    wk.draft.surrogate_heavy[s] = heavy
    wk.draft.surrogate_low[s] = -1
    wk.draft.surrogate_low_row[s] = 0
    wk.draft.surrogate_high_row[s] = 0
    wk.draft.surrogate_table[s] = wk.draft.n_surrogate_pool
    if wk.table.category_of[f] >= 0:
        store_surrogate_categories(wk, node, f)
    elif wk.table.coded_of[f] >= 0:
        store_code_surrogate(wk, s, f)
    else:
        base = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node] + wk.candidates.surrogate_position[f]
        wk.draft.surrogate_low[s] = wk.candidates.surrogate_low[f]
        wk.draft.surrogate_low_row[s] = wk.table.lists[base] & wk.table.row_mask
        wk.draft.surrogate_high_row[s] = wk.table.lists[base + 1] & wk.table.row_mask
    wk.draft.surrogate_table_len[s] = wk.draft.n_surrogate_pool - wk.draft.surrogate_table[s]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def heavier_side(wk: Work, node: cython.longlong) -> cython.longlong:
    """The known weight of the heavier branch, on which a surrogate has to agree at least."""
    child: cython.longlong = wk.draft.first_child[node]
    return (wk.draft.weight[child] if wk.draft.weight[child] > wk.draft.weight[child + 1]
            else wk.draft.weight[child + 1])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_column(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """Set the agreement of column f; 0 if it cannot be a surrogate."""
    wk.candidates.agreement[f] = 0
    if f == wk.draft.column[node]:
        return
    if wk.table.list_of[f] >= 0:
        agree_number(wk, node, f, heavy)
    elif wk.table.coded_of[f] < 0:
        agree_category(wk, node, f, heavy)
    elif wk.table.category_of[f] >= 0:
        agree_code_category(wk, node, f, heavy)
    else:
        agree_coded(wk, node, f, heavy)
    if wk.plan.monotone and wk.candidates.agreement[f] > 0 and not may_stand_in(wk, node, f):
        wk.candidates.agreement[f] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_of_the_others(wk: Work, node: cython.longlong) -> cython.longlong:
    """The column that agrees best and is not a surrogate yet, of two that agree as much the earlier; -1 for none."""
    best: cython.longlong = -1
    f: cython.longlong
    i: cython.longlong
    if wk.draft.surrogate_len[node] >= wk.plan.max_surrogates:
        return -1
    for i in range(wk.draft.live_start[node], wk.draft.live_start[node] + wk.draft.live_len[node]):
        f = wk.draft.live[i]
        if wk.candidates.agreement[f] > 0 and (best < 0
                                               or wk.candidates.agreement[f] > wk.candidates.agreement[best]):
            best = f
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_surrogates(wk: Work, node: cython.longlong) -> cython.void:
    """Find the node's surrogates, the best first."""
    child: cython.longlong = wk.draft.first_child[node]
    known: cython.longlong = wk.draft.weight[child] + wk.draft.weight[child + 1]
    heavy: cython.longlong = heavier_side(wk, node)
    i: cython.longlong
    best: cython.longlong
    wk.draft.surrogate_start[node] = wk.draft.n_surrogates
    if wk.table.has_coded:
        begin_sides(wk, node)
    for i in range(wk.draft.live_start[node], wk.draft.live_start[node] + wk.draft.live_len[node]):
        agree_column(wk, node, wk.draft.live[i], heavy)
    while True:
        best = best_of_the_others(wk, node)
        if best < 0:
            return
        store_surrogate(wk, node, best, known, heavy)
        wk.candidates.agreement[best] = 0


def search_surrogate(wk: Work, node: cython.longlong, f: cython.longlong) -> None:
    """Search a column for a surrogate of a node's split: a part of `store_surrogates`, for rows that are counted
    elsewhere.
    """
    agree_column(wk, node, f, heavier_side(wk, node))


def next_surrogate(wk: Work, node: cython.longlong) -> int:
    """The column of the node's next surrogate, once all live columns are searched; -1 if there are no more."""
    return best_of_the_others(wk, node)


def keep_surrogate(wk: Work, node: cython.longlong, f: cython.longlong) -> None:
    """Write the split of column f as the node's next surrogate; its cells are those that it was searched in."""
    child: cython.longlong = wk.draft.first_child[node]
    store_surrogate(wk, node, f, wk.draft.weight[child] + wk.draft.weight[child + 1], heavier_side(wk, node))
    wk.candidates.agreement[f] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def route_by_number(wk: Work, node: cython.longlong, s: cython.longlong) -> cython.longlong:
    """Send the missing rows that a number's surrogate knows; how many these are."""
    f: cython.longlong = wk.draft.surrogate_column[s]
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
    known: cython.longlong = wk.draft.rows[node] - (count_missing(wk, node, f) if wk.table.missing_in[f] else 0)
    sent: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    for i in range(known):
        row = wk.table.lists[base + i] & wk.table.row_mask
        if wk.table.side[row] == 2:
            wk.table.side[row] = (wk.draft.surrogate_low[s] if i <= wk.candidates.surrogate_position[f] else 1
                                  - wk.draft.surrogate_low[s])
            sent += 1
    return sent


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def route_by_category(wk: Work, node: cython.longlong, s: cython.longlong) -> cython.longlong:
    """The same for a category's surrogate."""
    codes: cython.longlong = wk.table.category_of[wk.draft.surrogate_column[s]]
    p: cython.longlong = wk.table.coded_of[wk.draft.surrogate_column[s]]
    first: cython.longlong = wk.draft.surrogate_table[s]
    sent: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    b: cython.int
    for i in range(wk.draft.surrogate_table_len[s]):
        wk.scratch.table_row[wk.draft.surrogate_code[first + i]] = wk.draft.surrogate_branch[first + i]
    for i in range(wk.draft.n_missing[node]):
        row = wk.scratch.missing_rows[i]
        b = wk.scratch.table_row[wk.coded.codes[row, p] if p >= 0 else wk.table.codes[codes, row]]
        if wk.table.side[row] == 2 and b >= 0:
            wk.table.side[row] = cython.cast(cython.uchar, b)
            sent += 1
    for i in range(wk.draft.surrogate_table_len[s]):
        wk.scratch.table_row[wk.draft.surrogate_code[first + i]] = -1
    return sent


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def route_missing_rows(wk: Work, node: cython.longlong) -> cython.void:
    """A branch for every row missing on the split's column: that of the first surrogate that knows it, or the
    heavier one.
    """
    left: cython.longlong = wk.draft.n_missing[node]
    i: cython.longlong
    s: cython.longlong
    row: cython.longlong
    for s in range(wk.draft.surrogate_start[node], wk.draft.surrogate_start[node] + wk.draft.surrogate_len[node]):
        if left == 0:
            break
        if wk.draft.surrogate_low[s] < 0:
            left -= route_by_category(wk, node, s)
        elif wk.table.coded_of[wk.draft.surrogate_column[s]] >= 0:
            left -= route_by_code(wk, node, s)
        else:
            left -= route_by_number(wk, node, s)
    for i in range(wk.draft.n_missing[node]):
        row = wk.scratch.missing_rows[i]
        if wk.table.side[row] == 2:
            wk.table.side[row] = cython.cast(cython.uchar, wk.draft.missing_branch[node])
        add_to_node(wk, wk.draft.first_child[node] + wk.table.side[row], row)
