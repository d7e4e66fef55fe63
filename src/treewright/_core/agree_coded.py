"""How well a coded column can stand in for a node's split.

In: a node with two children and the branch of every row in wk.side, 2 for rows missing on the split's column. Out: the
same as of agree.py, found in a count of branches by code instead of a sorted list: cuts lie between two codes that rows
of the node have, whether their branch is known or not.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.count_codes import list_met
    from cython.cimports.treewright._core.tally import find_live
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.count_codes import list_met
    from treewright._core.tally import find_live
    from treewright._core.work import Work

MOST = cython.declare(cython.int, 256)
FEWEST = cython.declare(cython.longlong, 2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_sides(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
              side: cython.uchar[::1], codes: cython.uchar[:, ::1], p: cython.longlong, sides: cython.int[::1],
              met: cython.ulonglong[::1]) -> cython.void:
    """Count the branches by code, four counts a code, and mark the codes met."""
    i: cython.longlong
    row: cython.uint
    v: cython.longlong
    for i in range(base, base + m):
        row = entries[i] & row_mask
        v = cython.cast(cython.longlong, codes[row, p])
        sides[4 * v + side[row]] += 1
        met[v >> 6] |= cython.cast(cython.ulonglong, 1) << (v & 63)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_all_sides(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
                  side: cython.uchar[::1], codes: cython.uchar[:, ::1], n_live: cython.longlong,
                  live: cython.int[::1], cell_at: cython.longlong[::1], sides: cython.int[::1]) -> cython.void:
    """The same for all live places in one pass, which takes half the time where rows are many."""
    i: cython.longlong
    t: cython.longlong
    row: cython.uint
    for i in range(base, base + m):
        row = entries[i] & row_mask
        for t in range(n_live):
            sides[cell_at[t] + 4 * cython.cast(cython.longlong, codes[row, live[t]]) + side[row]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_sides(wk: Work, node: cython.longlong) -> cython.void:
    """Before the columns of a node are asked: count the branches of a large one, for all places."""
    t: cython.longlong
    c: cython.longlong
    p: cython.longlong
    v: cython.int
    if wk.rows[node] < wk.coded.least:
        return
    find_live(wk, node, 0, wk.alive_len[node])
    for t in range(wk.coded.n_live):
        p = wk.coded.live[t]
        wk.coded.cell_at[t] = 4 * (MOST + wk.coded.first[p])
        for c in range(wk.coded.cell_at[t], wk.coded.cell_at[t] + 4 * wk.coded.n_codes[p]):
            wk.coded.sides[c] = 0
    add_all_sides(wk.lists, (wk.n_lists - 1) * wk.stride + wk.start[node], wk.rows[node], wk.row_mask, wk.side,
                  wk.coded.codes, wk.coded.n_live, wk.coded.live, wk.coded.cell_at, wk.coded.sides)
    for v in range(MOST):
        wk.coded.code[v] = v


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_sides(wk: Work, node: cython.longlong, p: cython.longlong) -> cython.longlong:
    """Have the branches of a place counted, and the codes to be looked at listed; how many these are."""
    if wk.rows[node] >= wk.coded.least:
        return wk.coded.n_codes[p]
    add_sides(wk.lists, (wk.n_lists - 1) * wk.stride + wk.start[node], wk.rows[node], wk.row_mask, wk.side,
              wk.coded.codes, p, wk.coded.sides, wk.coded.met)
    return list_met(wk, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forget_sides(wk: Work, node: cython.longlong, n: cython.longlong) -> cython.void:
    """Small nodes: set the counts of the n codes in hand to 0."""
    j: cython.longlong
    c: cython.longlong
    if wk.rows[node] >= wk.coded.least:
        return
    for j in range(n):
        for c in range(4 * wk.coded.code[j], 4 * wk.coded.code[j] + 3):
            wk.coded.sides[c] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_side(wk: Work, node: cython.longlong, p: cython.longlong) -> cython.longlong:
    """Where the counts of a place begin: small nodes use the same ones for all places."""
    return 4 * (MOST + wk.coded.first[p]) if wk.rows[node] >= wk.coded.least else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_coded(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The cut of a coded column that agrees best, if it agrees on more than `heavy`."""
    child: cython.longlong = wk.first_child[node]
    at: cython.longlong = first_side(wk, node, wk.byte_of[f])
    all_low: cython.longlong = wk.weight[child]
    all_high: cython.longlong = wk.weight[child + 1]
    best: cython.longlong = heavy
    ahead: cython.longlong = 0  # rows below the cut of branch 0 less those of branch 1
    rows: cython.longlong = 0
    last: cython.int = 0
    n: cython.longlong
    j: cython.longlong
    c: cython.longlong
    low: cython.longlong
    high: cython.longlong
    if all_low + all_high < 2 * FEWEST:
        return
    n = count_sides(wk, node, wk.byte_of[f])
    for j in range(n):
        c = at + 4 * cython.cast(cython.longlong, wk.coded.code[j])
        low = cython.cast(cython.longlong, wk.coded.sides[c])
        high = cython.cast(cython.longlong, wk.coded.sides[c + 1])
        if low + high + wk.coded.sides[c + 2] == 0:
            continue
        if rows >= FEWEST and all_low + all_high - rows >= FEWEST and (
                all_high + ahead > best or all_low - ahead > best):
            wk.c_agree_low[f] = 0 if all_high + ahead > best else 1
            best = all_high + ahead if wk.c_agree_low[f] == 0 else all_low - ahead
            wk.c_below[f] = last
            wk.c_above[f] = wk.coded.code[j]
        rows += low + high
        ahead += low - high
        last = wk.coded.code[j]
    forget_sides(wk, node, n)
    if best > heavy:
        wk.c_agree[f] = best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_code_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """A coded category: the same as tabulate_sides of agree.py."""
    at: cython.longlong = first_side(wk, node, wk.byte_of[f])
    n_codes: cython.longlong = count_sides(wk, node, wk.byte_of[f])
    n: cython.longlong = 0
    j: cython.longlong
    c: cython.longlong
    for j in range(n_codes):
        c = at + 4 * cython.cast(cython.longlong, wk.coded.code[j])
        if wk.coded.code[j] < wk.n_levels[f] and wk.coded.sides[c] + wk.coded.sides[c + 1] > 0:
            wk.table[n, 0] = wk.coded.sides[c]
            wk.table[n, 1] = wk.coded.sides[c + 1]
            wk.offset[n] = wk.coded.code[j]
            n += 1
    forget_sides(wk, node, n_codes)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_code_surrogate(wk: Work, s: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the cut found as a surrogate's; any two rows with the values on its two sides stand for it."""
    first: cython.longlong = wk.coded.first[wk.byte_of[f]]
    wk.backup_low[s] = wk.c_agree_low[f]
    wk.backup_low_row[s] = wk.coded.row_of[first + wk.c_below[f]]
    wk.backup_high_row[s] = wk.coded.row_of[first + wk.c_above[f]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_by_code(wk: Work, node: cython.longlong, s: cython.longlong) -> cython.longlong:
    """Send the strays that have no branch yet, all of which a coded column knows; how many these are."""
    f: cython.longlong = wk.backup_column[s]
    p: cython.longlong = wk.byte_of[f]
    sent: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    for i in range(wk.n_missing[node]):
        row = wk.strays[i]
        if wk.side[row] == 2:
            wk.side[row] = cython.cast(cython.uchar, wk.backup_low[s] if wk.coded.codes[row, p] <= wk.c_below[f]
                                       else 1 - wk.backup_low[s])
            sent += 1
    return sent
