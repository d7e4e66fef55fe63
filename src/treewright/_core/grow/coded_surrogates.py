"""Surrogates on coded columns: how well such a column can replace the split of a node.

In: a node with two children and the branch of every row in table.side, 2 for rows missing on the split's column.
Out: the same as of surrogates.py, found in a count of branches by code instead of a sorted list: cuts lie
between two codes that rows of the node have, whether their branch is known or not.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import LEAST_SURROGATE_ROWS
    from treewright._core.grow.histograms import (
        add_rows,
        clear_slot,
        list_live_places,
        list_present,
        mark_present,
    )
    from treewright._core.grow.workspace import Work

MOST_CODES_OF_SIDES = cython.declare(cython.int, 256)
Split = cython.struct(agree=cython.longlong, low=cython.int, below=cython.int, above=cython.int)
"""A cut: the rows it agrees on, the branch of low codes, and the codes on both sides."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_sides(row_at: cython.int[::1], kind_at: cython.int[::1], m: cython.longlong, codes: cython.uchar[:, ::1],
              p: cython.longlong, sides: cython.int[::1]) -> cython.void:
    """Count the branches of a small node's rows by code, four counts a code."""
    i: cython.longlong
    for i in range(m):
        sides[4 * cython.cast(cython.longlong, codes[row_at[i], p]) + kind_at[i]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_all_sides(rows: cython.uint[::1], m: cython.longlong, side: cython.uchar[::1], codes: cython.uchar[:, ::1],
                  n_live: cython.longlong, live: cython.int[::1], cell_at: cython.longlong[::1],
                  sides: cython.int[::1]) -> cython.void:
    """The same for all live places in one pass, which takes half the time where rows are many."""
    i: cython.longlong
    t: cython.longlong
    row: cython.longlong
    b: cython.longlong
    for i in range(m):
        row = cython.cast(cython.longlong, rows[i])
        b = cython.cast(cython.longlong, side[row])
        for t in range(n_live):
            sides[cell_at[t] + 4 * cython.cast(cython.longlong, codes[row, live[t]]) + b] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_rest(counts: cython.int[::1], cell: cython.longlong, width: cython.longlong, n_codes: cython.longlong,
             sides: cython.int[::1], at: cython.longlong, large: cython.int) -> cython.void:
    """The branch of a place that was not counted has what the others leave of the node's histogram."""
    v: cython.longlong
    c: cython.longlong
    k: cython.longlong
    rest: cython.int
    if width == 2:  # most tables have two classes, and a loop over them takes twice as long
        for v in range(n_codes):
            c = at + 4 * v
            sides[c + large] = (counts[cell + 2 * v] + counts[cell + 2 * v + 1]
                                - sides[c] - sides[c + 1] - sides[c + 2])
        return
    for v in range(n_codes):
        c = at + 4 * v
        rest = -(sides[c] + sides[c + 1] + sides[c + 2])
        for k in range(cell + v * width, cell + (v + 1) * width):
            rest += counts[k]
        sides[c + large] = rest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_sides(sides: cython.int[::1], first: cython.longlong, end: cython.longlong) -> cython.void:
    """Set these counts to 0."""
    c: cython.longlong
    for c in range(first, end):
        sides[c] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_others(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
                side: cython.uchar[::1], large: cython.int, rows: cython.uint[::1]) -> cython.longlong:
    """List the rows of a node that are not of this branch; how many there are."""
    i: cython.longlong
    n: cython.longlong = 0
    row: cython.uint
    for i in range(base, base + m):  # without a jump: each is written, and stays if it is another's
        row = entries[i] & row_mask
        rows[n] = row
        n += cython.cast(cython.int, side[row]) != large
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def larger_side(wk: Work, node: cython.longlong) -> cython.int:
    """The branch whose rows are not counted, because they are what the others leave of the node's histogram; or -1."""
    child: cython.longlong = wk.draft.first_child[node]
    if wk.draft.histogram[node] < 0:
        return -1
    return 1 if wk.draft.rows[child + 1] > wk.draft.rows[child] else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_at(wk: Work, node: cython.longlong, p: cython.longlong) -> cython.longlong:
    """Where the counts of a place begin: small nodes use the same ones for all places."""
    return 4 * (MOST_CODES_OF_SIDES + wk.coded.first_cell[p]) if wk.draft.rows[node] >= wk.coded.least_kept else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_of_counts(counts: cython.int[::1], cell: cython.longlong, own: cython.longlong, width: cython.longlong,
                    n_codes: cython.longlong, sides: cython.int[::1], at: cython.longlong,
                    large: cython.int) -> cython.void:
    """The branches of a place by the histograms of a node and of its smaller child, where no row is missing."""
    v: cython.longlong
    c: cython.longlong
    k: cython.longlong
    rows: cython.int
    few: cython.int
    for v in range(n_codes):
        if width == 2:  # most tables have two classes, and a loop over them takes twice as long
            rows = counts[cell + 2 * v] + counts[cell + 2 * v + 1]
            few = counts[own + 2 * v] + counts[own + 2 * v + 1]
        else:
            rows = 0
            few = 0
            for k in range(v * width, (v + 1) * width):
                rows += counts[cell + k]
                few += counts[own + k]
        c = at + 4 * v
        sides[c + large] = rows - few
        sides[c + 1 - large] = few
        sides[c + 2] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_large(wk: Work, node: cython.longlong) -> cython.void:
    """Count the branches of a large node's rows for all live places."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    large: cython.int = larger_side(wk, node)
    m: cython.longlong
    t: cython.longlong
    p: cython.longlong
    v: cython.int
    for v in range(MOST_CODES_OF_SIDES):
        wk.coded.present[v] = v
    list_live_places(wk, node, 0, wk.draft.live_len[node])
    # the smaller child by class, which split_histogram then need not do
    if large >= 0 and wk.draft.n_missing[node] == 0:
        wk.coded.spare_node = wk.draft.first_child[node] + 1 - large
        clear_slot(wk, wk.coded.spare_slot)
        add_rows(wk, wk.coded.spare_node, wk.coded.spare_slot, 1)
        return
    m = list_others(wk.table.lists, base, wk.draft.rows[node], wk.table.row_mask, wk.table.side, large,
                    wk.scratch.buffer)
    for t in range(wk.coded.n_live):
        p = wk.coded.live[t]
        wk.coded.cell_at[t] = sides_at(wk, node, p)
        clear_sides(wk.coded.sides, wk.coded.cell_at[t], wk.coded.cell_at[t] + 4 * wk.coded.n_codes[p])
    add_all_sides(wk.scratch.buffer, m, wk.table.side, wk.coded.codes, wk.coded.n_live, wk.coded.live, wk.coded.cell_at,
                  wk.coded.sides)
    for t in range(wk.coded.n_live if large >= 0 else 0):
        p = wk.coded.live[t]
        add_rest(wk.coded.counts,
                 (wk.draft.histogram[node] * wk.coded.n_cells + wk.coded.first_cell[p]) * wk.coded.width,
                 wk.coded.width, wk.coded.n_codes[p], wk.coded.sides, wk.coded.cell_at[t], large)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_sides(wk: Work, node: cython.longlong, p: cython.longlong) -> cython.longlong:
    """Where the counts of a place of a large node begin; set here if its smaller child was counted by class."""
    width: cython.longlong = wk.coded.width
    cell: cython.longlong = wk.coded.first_cell[p] * width
    at: cython.longlong = sides_at(wk, node, p)
    if wk.coded.spare_node >= 0:
        sides_of_counts(wk.coded.counts, wk.draft.histogram[node] * wk.coded.n_cells * width + cell,
                        wk.coded.spare_slot * wk.coded.n_cells * width + cell, width, wk.coded.n_codes[p],
                        wk.coded.sides, at, larger_side(wk, node))
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lone_side(wk: Work, node: cython.longlong) -> cython.int:
    """The branch that only one known row takes, as at many small nodes; or -1."""
    child: cython.longlong = wk.draft.first_child[node]
    if wk.draft.weight[child] == 1:
        return 0
    return 1 if wk.draft.weight[child + 1] == 1 else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_sides(wk: Work, node: cython.longlong) -> cython.void:
    """Before the surrogates of a node are searched: have the branches of a small one's rows side by side, and count
    those of a large one for all places. The row of a branch that has but one known row comes first.
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    lone: cython.int = lone_side(wk, node)
    i: cython.longlong
    row: cython.uint
    wk.coded.spare_node = -1
    if wk.draft.rows[node] >= wk.coded.least_kept:
        count_large(wk, node)
        return
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        wk.coded.row_at[i] = cython.cast(cython.int, row)
        wk.coded.class_at[i] = wk.table.side[row]
        if wk.coded.class_at[i] == lone:
            wk.coded.row_at[i] = wk.coded.row_at[0]
            wk.coded.class_at[i] = wk.coded.class_at[0]
            wk.coded.row_at[0] = cython.cast(cython.int, row)
            wk.coded.class_at[0] = lone


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_code_sides(wk: Work, node: cython.longlong, p: cython.longlong) -> cython.longlong:
    """Have the branches of a place counted, and the codes to be looked at listed; how many these are."""
    if wk.draft.rows[node] >= wk.coded.least_kept:
        find_sides(wk, node, p)
        return wk.coded.n_codes[p]
    add_sides(wk.coded.row_at, wk.coded.class_at, wk.draft.rows[node], wk.coded.codes, p, wk.coded.sides)
    mark_present(wk.coded.row_at, wk.draft.rows[node], wk.coded.codes, p, wk.coded.n_codes[p], wk.coded.present_bits)
    return list_present(wk, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forget_sides(wk: Work, node: cython.longlong, n: cython.longlong) -> cython.void:
    """Small nodes: set the counts of the n present codes to 0."""
    j: cython.longlong
    c: cython.longlong
    if wk.draft.rows[node] >= wk.coded.least_kept:
        return
    for j in range(n):
        for c in range(4 * wk.coded.present[j], 4 * wk.coded.present[j] + 3):
            wk.coded.sides[c] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_codes(sides: cython.int[::1], at: cython.longlong, codes: cython.int[::1], n: cython.longlong,
              all_low: cython.longlong, all_high: cython.longlong, heavy: cython.longlong) -> Split:
    """The cut between two of the n codes that rows have which agrees on most rows, if on more than `heavy`."""
    cut = cython.declare(Split)
    ahead: cython.longlong = 0  # rows below the cut of branch 0 less those of branch 1
    rows: cython.longlong = 0
    last: cython.int = 0
    j: cython.longlong
    c: cython.longlong
    low: cython.longlong
    high: cython.longlong
    cut.agree = heavy
    cut.low = 0
    cut.below = 0
    cut.above = 0
    for j in range(n):
        c = at + 4 * codes[j]
        low = cython.cast(cython.longlong, sides[c])
        high = cython.cast(cython.longlong, sides[c + 1])
        if low + high + sides[c + 2] == 0:
            continue
        if (all_high + ahead > cut.agree or all_low - ahead > cut.agree) and (
                rows >= LEAST_SURROGATE_ROWS and all_low + all_high - rows >= LEAST_SURROGATE_ROWS):
            cut.low = 0 if all_high + ahead > cut.agree else 1
            cut.agree = all_high + ahead if cut.low == 0 else all_low - ahead
            cut.below = last
            cut.above = codes[j]
        rows += low + high
        ahead += low - high
        last = codes[j]
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_coded(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The cut of a coded column that agrees best, if it agrees on more than `heavy`."""
    cut = cython.declare(Split)
    child: cython.longlong = wk.draft.first_child[node]
    p: cython.longlong = wk.table.coded_of[f]
    n: cython.longlong
    if wk.draft.weight[child] < LEAST_SURROGATE_ROWS or wk.draft.weight[child + 1] < LEAST_SURROGATE_ROWS:
        return  # to agree on more than `heavy` takes all rows, and one side of the cut would be too small
    n = count_code_sides(wk, node, p)
    cut = cut_codes(wk.coded.sides, sides_at(wk, node, p), wk.coded.present, n, wk.draft.weight[child],
                    wk.draft.weight[child + 1], heavy)
    forget_sides(wk, node, n)
    if cut.agree > heavy:
        wk.candidates.agreement[f] = cut.agree
        wk.candidates.surrogate_low[f] = cut.low
        wk.candidates.low_code[f] = cut.below
        wk.candidates.high_code[f] = cut.above


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def heavier_sides(sides: cython.int[::1], at: cython.longlong, n_levels: cython.longlong) -> cython.longlong:
    """The rows of all codes but that of missing values, each sent to the branch that has more of it."""
    total: cython.longlong = 0
    c: cython.longlong
    for c in range(at, at + 4 * n_levels, 4):
        total += sides[c] if sides[c] > sides[c + 1] else sides[c + 1]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def heavier_sides_of_few(
    row_at: cython.int[::1], m: cython.longlong, codes: cython.uchar[:, ::1], p: cython.longlong,
    sides: cython.int[::1], n_levels: cython.longlong,
) -> cython.longlong:
    """The same for the codes that the rows of a small node have; counts are set to 0, so that each counts once."""
    total: cython.longlong = 0
    i: cython.longlong
    v: cython.longlong
    c: cython.longlong
    for i in range(m):
        v = cython.cast(cython.longlong, codes[row_at[i], p])
        c = 4 * v
        if v < n_levels:
            total += sides[c] if sides[c] > sides[c + 1] else sides[c + 1]
        sides[c] = 0
        sides[c + 1] = 0
        sides[c + 2] = 0
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_apart(row_at: cython.int[::1], kind_at: cython.int[::1], m: cython.longlong, codes: cython.uchar[:, ::1],
             p: cython.longlong, n_levels: cython.longlong) -> cython.bint:
    """Whether the first row, the only one of its branch, has a category of its own, and each known one has some: with
    all rows of the other branch a category agrees on more than these, else it does not.
    """
    lone: cython.longlong = cython.cast(cython.longlong, codes[row_at[0], p])
    v: cython.longlong
    i: cython.longlong
    for i in range(1, m):
        v = cython.cast(cython.longlong, codes[row_at[i], p])
        if kind_at[i] < 2 and (v == lone or v == n_levels):
            return False
    return lone < n_levels


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def agree_code_category(wk: Work, node: cython.longlong, f: cython.longlong, heavy: cython.longlong) -> cython.void:
    """The agreement of a coded category, each value sent to the branch that has more of it."""
    p: cython.longlong = wk.table.coded_of[f]
    m: cython.longlong = wk.draft.rows[node]
    total: cython.longlong
    if m >= wk.coded.least_kept:
        total = heavier_sides(wk.coded.sides, find_sides(wk, node, p), wk.table.n_levels[f])
    elif lone_side(wk, node) >= 0:
        total = heavy + is_apart(wk.coded.row_at, wk.coded.class_at, m, wk.coded.codes, p, wk.table.n_levels[f])
    else:
        add_sides(wk.coded.row_at, wk.coded.class_at, m, wk.coded.codes, p, wk.coded.sides)
        total = heavier_sides_of_few(wk.coded.row_at, m, wk.coded.codes, p, wk.coded.sides, wk.table.n_levels[f])
    if total > heavy:
        wk.candidates.agreement[f] = total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_code_sides(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """A coded category: the same as tabulate_sides of surrogates.py."""
    n_codes: cython.longlong = count_code_sides(wk, node, wk.table.coded_of[f])
    at: cython.longlong = sides_at(wk, node, wk.table.coded_of[f])
    n: cython.longlong = 0
    j: cython.longlong
    c: cython.longlong
    for j in range(n_codes):
        c = at + 4 * wk.coded.present[j]
        if wk.coded.present[j] < wk.table.n_levels[f] and wk.coded.sides[c] + wk.coded.sides[c + 1] > 0:
            wk.scratch.contingency[n, 0] = wk.coded.sides[c]
            wk.scratch.contingency[n, 1] = wk.coded.sides[c + 1]
            wk.scratch.offset[n] = wk.coded.present[j]
            n += 1
    forget_sides(wk, node, n_codes)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_code_surrogate(wk: Work, s: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the cut found as a surrogate's; any two rows with the values on its two sides stand for it."""
    first: cython.longlong = wk.coded.first_cell[wk.table.coded_of[f]]
    wk.draft.surrogate_low[s] = wk.candidates.surrogate_low[f]
    wk.draft.surrogate_low_row[s] = wk.coded.row_of[first + wk.candidates.low_code[f]]
    wk.draft.surrogate_high_row[s] = wk.coded.row_of[first + wk.candidates.high_code[f]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def route_by_code(wk: Work, node: cython.longlong, s: cython.longlong) -> cython.longlong:
    """Send the missing rows that have no branch yet, all of which a coded column knows; how many these are."""
    f: cython.longlong = wk.draft.surrogate_column[s]
    p: cython.longlong = wk.table.coded_of[f]
    sent: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    for i in range(wk.draft.n_missing[node]):
        row = wk.scratch.missing_rows[i]
        if wk.table.side[row] == 2:
            wk.table.side[row] = cython.cast(cython.uchar,
                                             wk.draft.surrogate_low[s] if wk.coded.codes[row, p]
                                             <= wk.candidates.low_code[f] else 1 - wk.draft.surrogate_low[s])
            sent += 1
    return sent
