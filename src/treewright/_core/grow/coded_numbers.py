"""A coded column of one node -> its candidate, and the split made of it.

In: the node's histogram. Out: the column's entries of wk.candidates, the same as of a sorted list; then the split
in the draft, the side of every row, and the list of rows by side.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import (
        ENTROPY,
        FAST_SHORT,
        GINI,
        MOST_SHORT_KINDS,
        MOST_SHORT_ROWS,
        SQUARED_ERROR,
        TABLE,
        THRESHOLD,
        TWOING,
    )
    from treewright._core.grow.candidates import add_cut
    from treewright._core.grow.cuts import Cut, no_cut
    from treewright._core.grow.cuts_histogram import (
        scan_entropy_codes,
        scan_gini_codes,
        scan_mean_codes,
        scan_two_codes,
    )
    from treewright._core.grow.cuts_small_histogram import find_packed_cut, is_packed, scan_gini_short
    from treewright._core.grow.histograms import clear_column_counts, count_column
    from treewright._core.grow.numbers import info_of_cut, proxy_to_reach
    from treewright._core.grow.workspace import Work


def scans_codes(criterion: cython.int, n_classes: cython.int) -> bool:
    """Whether `find_code_cut` has a scan for a criterion; columns are coded for no other."""
    return (criterion == GINI or criterion == ENTROPY or criterion == SQUARED_ERROR
            or (criterion == TWOING and n_classes == 2))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_code_cut(wk: Work, node: cython.longlong, at: cython.longlong, sums: cython.longlong,
                  n: cython.longlong) -> Cut:
    """The best cut between the n codes of the node, by a criterion that `scans_codes`."""
    if wk.plan.criterion == SQUARED_ERROR:
        return scan_mean_codes(wk, node, at, sums, n, proxy_to_reach(wk, node, False))
    if wk.plan.criterion == ENTROPY:
        return scan_entropy_codes(wk, node, at, n, proxy_to_reach(wk, node, False))
    if wk.table.n_classes == 2 and (wk.plan.criterion == GINI or wk.plan.criterion == TWOING):
        return scan_two_codes(wk, node, at, n, proxy_to_reach(wk, node, True))
    if wk.plan.criterion != GINI:
        return no_cut()
    if (wk.draft.rows[node] <= MOST_SHORT_ROWS and wk.coded.n_classes <= MOST_SHORT_KINDS
        and wk.plan.fast_paths & FAST_SHORT):
        return scan_gini_short(wk, node, at, n, proxy_to_reach(wk, node, False))
    return scan_gini_codes(wk, node, at, n, proxy_to_reach(wk, node, False))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_coded(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a coded column: its best cut."""
    cut = cython.declare(Cut)
    p: cython.longlong = wk.table.coded_of[f]
    small: cython.bint = wk.draft.rows[node] < wk.coded.least_kept
    slot: cython.longlong = wk.draft.histogram[node]
    n: cython.longlong = wk.coded.n_codes[p]
    at: cython.longlong
    sums: cython.longlong
    two: cython.bint
    if slot < 0:
        slot = wk.coded.zero_slot if small else wk.coded.spare_slot
    at = slot * wk.coded.n_cells * wk.coded.width + wk.coded.first_cell[p] * wk.coded.n_classes
    sums = slot * wk.coded.n_cells + wk.coded.first_cell[p]
    if wk.draft.rows[node] < 2 * wk.coded.least_rows:
        return
    if small and is_packed(wk, p):
        two = wk.table.n_classes == 2
        cut = find_packed_cut(wk, node, p, two, proxy_to_reach(wk, node, two))
    else:
        if small:
            n = count_column(wk, p, wk.draft.rows[node], at, sums)
        cut = find_code_cut(wk, node, at, sums, n)
        if small:
            clear_column_counts(wk, at, sums, n)
    if wk.coded.n_present < 2:
        wk.candidates.is_constant[f] = 1
        return
    if cut.pos >= 0:
        wk.candidates.low_code[f] = cython.cast(cython.int, wk.coded.low_code)
        wk.candidates.high_code[f] = cython.cast(cython.int, wk.coded.high_code)
    add_cut(wk, node, f, cut, cut.gain, info_of_cut(wk, node, cut))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_code_cut(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note the cut of column f's candidate; any two rows with the values on its two sides stand for it."""
    first: cython.longlong = wk.coded.first_cell[wk.table.coded_of[f]]
    wk.draft.kind[node] = THRESHOLD
    wk.draft.n_children[node] = 2
    wk.draft.low_row[node] = wk.coded.row_of[first + wk.candidates.low_code[f]]
    wk.draft.high_row[node] = wk.coded.row_of[first + wk.candidates.high_code[f]]
    wk.draft.n_low_rows[node] = wk.candidates.position[f] + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def partition_labels(entries: cython.uint[::1], base: cython.longlong, row_mask: cython.uint,
                     n_classes: cython.longlong, codes: cython.uchar[:, ::1], p: cython.longlong, code: cython.uchar,
                     by_table: cython.bint, slot: cython.int[::1], keep_side: cython.bint, side: cython.uchar[::1],
                     buffer: cython.uint[::1], stats: cython.longlong[:, ::1], node: cython.longlong,
                     child: cython.longlong) -> cython.longlong:
    """Rows of a higher code than this one, or of a code whose slot is 1, go to side 1, behind the others; the others
    are counted by class, which come one by one; how many these are. Without a jump: each entry is written to both ends,
    one of which stays.
    """
    start: cython.longlong = base
    i: cython.longlong
    k: cython.longlong
    row: cython.longlong
    n_low: cython.longlong = 0
    n_high: cython.longlong = 0
    counted: cython.longlong  # entries of side 0 that have an earlier class
    entry: cython.uint
    high: cython.uchar
    for k in range(n_classes):
        counted = n_low
        for i in range(start, start + stats[node, k]):
            entry = entries[i]
            row = entry & row_mask
            high = cython.cast(cython.uchar, slot[codes[row, p]] if by_table else codes[row, p] > code)
            if keep_side:
                side[row] = high
            entries[base + n_low] = entry
            buffer[n_high] = entry
            n_low += 1 - high
            n_high += high
        start += stats[node, k]
        stats[child, k] = n_low - counted
    for i in range(n_high):
        entries[base + n_low + i] = buffer[i]
    return n_low


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def partition_moments(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
                 moments: cython.longlong[::1], codes: cython.uchar[:, ::1], p: cython.longlong, code: cython.uchar,
                      by_table: cython.bint, slot: cython.int[::1], keep_side: cython.bint, side: cython.uchar[::1],
                 buffer: cython.uint[::1], stats: cython.longlong[:, ::1], child: cython.longlong) -> cython.longlong:
    """The same for regression."""
    i: cython.longlong
    row: cython.longlong
    n_low: cython.longlong = 0
    n_high: cython.longlong = 0
    low: cython.longlong = 0
    entry: cython.uint
    high: cython.uchar
    for i in range(m):
        entry = entries[base + i]
        row = entry & row_mask
        high = cython.cast(cython.uchar, slot[codes[row, p]] if by_table else codes[row, p] > code)
        if keep_side:
            side[row] = high
        low += moments[row] * (1 - high)
        entries[base + n_low] = entry
        buffer[n_high] = entry
        n_low += 1 - high
        n_high += high
    for i in range(n_high):
        entries[base + n_low + i] = buffer[i]
    stats[child, 0] = n_low
    stats[child, 1] = low
    return n_low


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_slots(wk: Work, node: cython.longlong) -> cython.void:
    """Set the slot of each category in the table of a node's split to its branch; all others are -1."""
    i: cython.longlong
    for i in range(wk.draft.table_start[node], wk.draft.table_start[node] + wk.draft.table_len[node]):
        wk.scratch.table_row[wk.draft.pool_code[i]] = wk.draft.pool_branch[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def close_slots(wk: Work, node: cython.longlong) -> cython.void:
    """Set these slots to -1 again."""
    i: cython.longlong
    for i in range(wk.draft.table_start[node], wk.draft.table_start[node] + wk.draft.table_len[node]):
        wk.scratch.table_row[wk.draft.pool_code[i]] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def partition_by_code(wk: Work, node: cython.longlong) -> cython.void:
    """Set the side of every row by the cut or the table of a coded column that no row is missing on, if it is
    needed, partition the list of rows, and set the stats of the children. No flags are moved: those of this list tell
    nothing.
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    p: cython.longlong = wk.table.coded_of[wk.draft.column[node]]
    by_table: cython.bint = wk.draft.kind[node] == TABLE
    code: cython.uchar = 0 if by_table else wk.coded.table_codes[wk.draft.low_row[node], p]
    child: cython.longlong = wk.draft.first_child[node]
    keep_side: cython.bint = wk.table.n_lists > 1 or wk.plan.max_surrogates > 0
    k: cython.int
    if by_table:
        open_slots(wk, node)
    # two copies of one function, each with nothing in its loop but what it needs
    if wk.table.n_classes > 0 and not by_table:
        wk.draft.rows[child] = partition_labels(wk.table.lists, base, wk.table.row_mask, wk.table.n_classes,
                                                wk.coded.codes, p, code, False, wk.scratch.table_row, keep_side,
                                                wk.table.side, wk.scratch.buffer, wk.draft.stats, node, child)
    elif wk.table.n_classes > 0:
        wk.draft.rows[child] = partition_labels(wk.table.lists, base, wk.table.row_mask, wk.table.n_classes,
                                                wk.coded.codes, p, code, True, wk.scratch.table_row, keep_side,
                                                wk.table.side, wk.scratch.buffer, wk.draft.stats, node, child)
    else:
        wk.draft.rows[child] = partition_moments(wk.table.lists, base, wk.draft.rows[node], wk.table.row_mask,
                                                 wk.table.moments, wk.coded.codes, p, code, by_table,
                                                 wk.scratch.table_row, keep_side, wk.table.side, wk.scratch.buffer,
                                                 wk.draft.stats, child)
    if by_table:
        close_slots(wk, node)
    wk.draft.rows[child + 1] = wk.draft.rows[node] - wk.draft.rows[child]
    wk.draft.weight[child] = wk.draft.rows[child]
    wk.draft.weight[child + 1] = wk.draft.rows[child + 1]
    for k in range(wk.table.width):
        wk.draft.stats[child + 1, k] = wk.draft.stats[node, k] - wk.draft.stats[child, k]
