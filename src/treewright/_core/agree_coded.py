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

Place = cython.struct(large=cython.int, sides=cython.longlong, cells=cython.longlong)
"""A place of the node in hand: the branch that its tally tells, where its counts and its cells of the tally begin."""
Sides = cython.struct(low=cython.longlong, high=cython.longlong, none=cython.longlong)
"""Rows by the branch the split sends them to, or by none."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_sides(wk: Work, m: cython.longlong, p: cython.longlong) -> cython.void:
    """Count the branches of a small node's rows by code, four counts a code, and mark the codes met."""
    i: cython.longlong
    v: cython.longlong
    for i in range(m):
        v = cython.cast(cython.longlong, wk.coded.codes[wk.coded.row_at[i], p])
        wk.coded.sides[4 * v + wk.coded.kind_at[i]] += 1
        wk.coded.met[v >> 6] |= cython.cast(cython.ulonglong, 1) << (v & 63)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_all_sides(wk: Work, m: cython.longlong) -> cython.void:
    """The same for the rows in wk.buffer and all live places in one pass, which takes half the time where rows are
    many.
    """
    n_live: cython.longlong = wk.coded.n_live
    i: cython.longlong
    t: cython.longlong
    row: cython.uint
    side: cython.longlong
    for i in range(m):
        row = cython.cast(cython.uint, wk.buffer[i])
        side = cython.cast(cython.longlong, wk.side[row])
        for t in range(n_live):
            wk.coded.sides[wk.coded.cell_at[t]
                           + 4 * cython.cast(cython.longlong, wk.coded.codes[row, wk.coded.live[t]]) + side] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_sides(wk: Work) -> cython.void:
    """Set the counts of all live places to 0."""
    t: cython.longlong
    c: cython.longlong
    p: cython.longlong
    for t in range(wk.coded.n_live):
        p = wk.coded.live[t]
        wk.coded.cell_at[t] = 4 * (MOST + wk.coded.first[p])
        for c in range(wk.coded.cell_at[t], wk.coded.cell_at[t] + 4 * wk.coded.n_codes[p]):
            wk.coded.sides[c] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def larger_side(wk: Work, node: cython.longlong) -> cython.int:
    """The branch whose rows are not counted, because they are what the others leave of the node's tally; or -1."""
    child: cython.longlong = wk.first_child[node]
    if wk.rows[node] < wk.coded.least or wk.tally[node] < 0:
        return -1
    return 1 if wk.rows[child + 1] > wk.rows[child] else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_sides(wk: Work, node: cython.longlong) -> cython.void:
    """Before the columns of a node are asked: have the branches of a small one's rows side by side, and count those of
    a large one for all places.
    """
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    large: cython.int = larger_side(wk, node)
    m: cython.longlong = 0
    i: cython.longlong
    row: cython.uint
    v: cython.int
    if wk.rows[node] < wk.coded.least:
        for i in range(wk.rows[node]):
            row = wk.lists[base + i] & wk.row_mask
            wk.coded.row_at[i] = cython.cast(cython.int, row)
            wk.coded.kind_at[i] = wk.side[row]
        return
    find_live(wk, node, 0, wk.alive_len[node])
    clear_sides(wk)
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        wk.buffer[m] = row
        m += cython.cast(cython.int, wk.side[row]) != large
    add_all_sides(wk, m)
    for v in range(MOST):
        wk.coded.code[v] = v


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_sides(wk: Work, node: cython.longlong, p: cython.longlong) -> cython.longlong:
    """Have the branches of a place counted, and the codes to be looked at listed; how many these are."""
    if wk.rows[node] >= wk.coded.least:
        return wk.coded.n_codes[p]
    add_sides(wk, wk.rows[node], p)
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
def point_at_place(wk: Work, node: cython.longlong, p: cython.longlong) -> Place:
    """Where the counts of a place begin: small nodes use the same ones for all places."""
    place = cython.declare(Place)
    place.large = larger_side(wk, node)
    place.sides = 4 * (MOST + wk.coded.first[p]) if wk.rows[node] >= wk.coded.least else 0
    place.cells = (wk.tally[node] * wk.coded.n_cells + wk.coded.first[p]) * wk.coded.width
    return place


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def sides_of(wk: Work, place: Place, v: cython.longlong) -> Sides:
    """The rows of a code."""
    sides = cython.declare(Sides)
    c: cython.longlong = place.sides + 4 * v
    cell: cython.longlong = place.cells + v * wk.coded.width
    rest: cython.longlong
    sides.low = cython.cast(cython.longlong, wk.coded.sides[c])
    sides.high = cython.cast(cython.longlong, wk.coded.sides[c + 1])
    sides.none = cython.cast(cython.longlong, wk.coded.sides[c + 2])
    if place.large >= 0:
        rest = -sides.low - sides.high - sides.none  # one of them has not been counted
        for c in range(cell, cell + wk.coded.width):
            rest += wk.coded.counts[c]
        if place.large == 0:
            sides.low = rest
        else:
            sides.high = rest
    return sides


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_coded(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The cut of a coded column that agrees best, if it agrees on more than `heavy`."""
    child: cython.longlong = wk.first_child[node]
    all_low: cython.longlong = wk.weight[child]
    all_high: cython.longlong = wk.weight[child + 1]
    best: cython.longlong = heavy
    ahead: cython.longlong = 0  # rows below the cut of branch 0 less those of branch 1
    rows: cython.longlong = 0
    last: cython.int = 0
    n: cython.longlong
    j: cython.longlong
    place = cython.declare(Place)
    sides = cython.declare(Sides)
    if all_low < FEWEST or all_high < FEWEST:
        return  # to agree on more than `heavy` takes all rows, and one side of the cut would be too small
    n = count_sides(wk, node, wk.byte_of[f])
    place = point_at_place(wk, node, wk.byte_of[f])
    for j in range(n):
        sides = sides_of(wk, place, wk.coded.code[j])
        if sides.low + sides.high + sides.none == 0:
            continue
        if rows >= FEWEST and all_low + all_high - rows >= FEWEST and (
                all_high + ahead > best or all_low - ahead > best):
            wk.c_agree_low[f] = 0 if all_high + ahead > best else 1
            best = all_high + ahead if wk.c_agree_low[f] == 0 else all_low - ahead
            wk.c_below[f] = last
            wk.c_above[f] = wk.coded.code[j]
        rows += sides.low + sides.high
        ahead += sides.low - sides.high
        last = wk.coded.code[j]
    forget_sides(wk, node, n)
    if best > heavy:
        wk.c_agree[f] = best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_code_category(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The agreement of a coded category, each value sent to the branch that has more of it."""
    n: cython.longlong = count_sides(wk, node, wk.byte_of[f])
    total: cython.longlong = 0
    j: cython.longlong
    place = cython.declare(Place)
    sides = cython.declare(Sides)
    place = point_at_place(wk, node, wk.byte_of[f])
    for j in range(n):
        if wk.coded.code[j] < wk.n_levels[f]:
            sides = sides_of(wk, place, wk.coded.code[j])
            total += sides.low if sides.low > sides.high else sides.high
    forget_sides(wk, node, n)
    if total > heavy:
        wk.c_agree[f] = total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_code_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """A coded category: the same as tabulate_sides of agree.py."""
    n_codes: cython.longlong = count_sides(wk, node, wk.byte_of[f])
    n: cython.longlong = 0
    j: cython.longlong
    place = cython.declare(Place)
    sides = cython.declare(Sides)
    place = point_at_place(wk, node, wk.byte_of[f])
    for j in range(n_codes):
        if wk.coded.code[j] >= wk.n_levels[f]:
            continue
        sides = sides_of(wk, place, wk.coded.code[j])
        if sides.low + sides.high > 0:
            wk.table[n, 0] = sides.low
            wk.table[n, 1] = sides.high
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
