"""How well a coded column can stand in for a node's split.

In: a node with two children and the branch of every row in wk.side, 2 for rows missing on the split's column. Out: the
same as of agree.py, found in a count of branches by code instead of a sorted list: cuts lie between two codes that rows
of the node have, whether their branch is known or not.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.count_codes import list_met
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.count_codes import list_met
    from treewright._core.work import Work

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
def count_sides(wk: Work, node: cython.longlong, p: cython.longlong) -> cython.longlong:
    """Fill wk.coded.sides for a place, and list the codes met; how many there are. The reader sets them to 0 again."""
    add_sides(wk.lists, (wk.n_lists - 1) * wk.stride + wk.start[node], wk.rows[node], wk.row_mask, wk.side,
              wk.coded.codes, p, wk.coded.sides, wk.coded.met)
    return list_met(wk, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_coded(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The cut of a coded column that agrees best, if it agrees on more than `heavy`."""
    child: cython.longlong = wk.first_child[node]
    p: cython.longlong = wk.byte_of[f]
    best: cython.longlong = heavy
    ahead: cython.longlong = 0  # rows below the cut of branch 0 less those of branch 1
    rows: cython.longlong = 0
    n: cython.longlong
    j: cython.longlong
    at: cython.longlong
    low: cython.longlong
    high: cython.longlong
    if wk.rows[child] + wk.rows[child + 1] < 2 * FEWEST:
        return
    n = count_sides(wk, node, p)
    for j in range(n):
        at = 4 * cython.cast(cython.longlong, wk.coded.code[j])
        if rows >= FEWEST and wk.rows[child] + wk.rows[child + 1] - rows >= FEWEST and (
                wk.weight[child + 1] + ahead > best or wk.weight[child] - ahead > best):
            wk.c_agree_low[f] = 0 if wk.weight[child + 1] + ahead > best else 1
            best = wk.weight[child + 1] + ahead if wk.c_agree_low[f] == 0 else wk.weight[child] - ahead
            wk.c_below[f] = wk.coded.code[j - 1]
            wk.c_above[f] = wk.coded.code[j]
        low = cython.cast(cython.longlong, wk.coded.sides[at])
        high = cython.cast(cython.longlong, wk.coded.sides[at + 1])
        rows += low + high
        ahead += low - high
        wk.coded.sides[at] = 0
        wk.coded.sides[at + 1] = 0
        wk.coded.sides[at + 2] = 0
    if best > heavy:
        wk.c_agree[f] = best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_code_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """A coded category: the same as tabulate_sides of agree.py."""
    n_met: cython.longlong = count_sides(wk, node, wk.byte_of[f])
    n: cython.longlong = 0
    j: cython.longlong
    at: cython.longlong
    for j in range(n_met):
        at = 4 * cython.cast(cython.longlong, wk.coded.code[j])
        if wk.coded.code[j] < wk.n_levels[f] and wk.coded.sides[at] + wk.coded.sides[at + 1] > 0:
            wk.table[n, 0] = wk.coded.sides[at]
            wk.table[n, 1] = wk.coded.sides[at + 1]
            wk.offset[n] = wk.coded.code[j]
            n += 1
        wk.coded.sides[at] = 0
        wk.coded.sides[at + 1] = 0
        wk.coded.sides[at + 2] = 0
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
