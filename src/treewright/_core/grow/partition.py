"""Rows of a node -> rows of its children: the sorted lists, partitioned in place and in order.

In: the entries of one list of a node and the branch of every row. Out: the same entries, those of branch 0
first. The order within a branch stays, so a sorted list stays sorted; the "first of its value" flag moves on
to the next entry of the same branch.

Where no child has more than two rows, only the lists up to the column that splits the last of them are
partitioned: two rows can be separated by one partition only, so all columns that separate them have the same
gain, and the first of these is chosen.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import BLOCK, FLAG
    from treewright._core.grow.workspace import Scratch, Table, Work

NO_FLAG = cython.declare(cython.uint, 0x7FFFFFFF)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def all_differ(table: Table, first: cython.longlong, end: cython.longlong) -> cython.bint:
    """Whether each of the entries first to end - 1 is the first of its value."""
    every: cython.uint = FLAG
    i: cython.longlong
    for i in range(first, end):
        every &= table.lists[i]
    return every != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_in_two(table: Table, scratch: Scratch, base: cython.longlong, m: cython.longlong) -> cython.void:
    """Two branches, without a jump in the loop: each entry is written to both ends, one of which stays. Of i entries
    i - n_high are of the low branch.

    low_flag and high_flag are set where the next entry of that branch is the first of its value there. In a block whose
    values all differ no flag has to be moved, which halves the time; to ask takes little of it.
    """
    row_mask: cython.uint = table.row_mask
    i: cython.longlong
    at: cython.longlong = 0
    end: cython.longlong
    n_high: cython.longlong = 0
    entry: cython.uint
    flag: cython.uint
    high: cython.uint = 0
    to_high: cython.uint
    low_flag: cython.uint = FLAG
    high_flag: cython.uint = FLAG
    while at < m:
        end = at + BLOCK if at + BLOCK < m else m
        if all_differ(table, base + at, base + end):
            for i in range(at, end):
                entry = cython.cast(cython.uint, table.lists[base + i])
                high = cython.cast(cython.uint, table.side[entry & row_mask])
                table.lists[base + i - n_high] = entry
                scratch.buffer[n_high] = entry
                n_high += high
            low_flag = cython.cast(cython.uint, (high * FLAG) & FLAG)
            high_flag = cython.cast(cython.uint, ((1 - high) * FLAG) & FLAG)
        else:
            for i in range(at, end):
                entry = cython.cast(cython.uint, table.lists[base + i])
                high = cython.cast(cython.uint, table.side[entry & row_mask])
                flag = entry & FLAG
                to_high = cython.cast(cython.uint, (high * FLAG) & FLAG)
                table.lists[base + i - n_high] = entry | low_flag
                scratch.buffer[n_high] = entry | high_flag
                low_flag = (low_flag | flag) & to_high
                high_flag = (high_flag | flag) & (to_high ^ FLAG)
                n_high += high
        at = end
    for i in range(n_high):
        table.lists[base + m - n_high + i] = scratch.buffer[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_rows(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
               side: cython.uchar[::1], buffer: cython.uint[::1]) -> cython.void:
    """The same for the list of rows, whose flags tell nothing: none is moved."""
    i: cython.longlong
    n_low: cython.longlong = 0
    n_high: cython.longlong = 0
    entry: cython.uint
    high: cython.uchar
    for i in range(base, base + m):
        entry = entries[i]
        high = side[entry & row_mask]
        entries[base + n_low] = entry
        buffer[n_high] = entry
        n_low += 1 - high
        n_high += high
    for i in range(n_high):
        entries[base + n_low + i] = buffer[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_shared(wk: Work, which: cython.longlong, node: cython.longlong, lists: cython.uint[::1],
                 sides: cython.uchar[::1], buffer: cython.uint[::1]) -> cython.void:
    """Two branches, and rows of side 2 go down both: with their own id down the heavier, with a new one down the
    other.
    """
    base: cython.longlong = which * wk.table.stride + wk.draft.start[node]
    goal: cython.longlong = which * wk.table.stride + wk.draft.start[wk.draft.first_child[node]]
    heavy: cython.longlong = wk.table.heaviest_first[0]
    m: cython.longlong = wk.draft.rows[node]
    row_mask: cython.uint = wk.table.row_mask
    n_low: cython.longlong = 0
    n_high: cython.longlong = 0
    i: cython.longlong
    entry: cython.uint
    other: cython.uint
    flag: cython.uint
    side: cython.uint
    low_flag: cython.uint = FLAG
    high_flag: cython.uint = FLAG
    for i in range(m):
        entry = lists[base + i]
        side = sides[entry & row_mask]
        flag = entry & FLAG
        entry = entry & NO_FLAG
        other = entry
        low_flag |= flag
        high_flag |= flag
        if side == 2:
            if wk.table.n_copies[entry & row_mask] == 1:
                side = cython.cast(cython.uint, heavy)
            else:
                other = (entry - (entry & row_mask)) | cython.cast(cython.uint, wk.table.first_copy[entry & row_mask])
                if heavy == 1:
                    flag = entry
                    entry = other
                    other = flag
        # what is written to the wrong end is written over by the next entry, or is behind the last one
        lists[goal + n_low] = entry | low_flag
        buffer[n_high] = other | high_flag
        low_flag &= cython.cast(cython.uint, ((side == 1) * FLAG) & FLAG)
        high_flag &= cython.cast(cython.uint, ((side == 0) * FLAG) & FLAG)
        n_low += side != 1
        n_high += side != 0
    for i in range(n_high):
        lists[goal + n_low + i] = buffer[i]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def put(wk: Work, b: cython.longlong, group: cython.longlong, entry: cython.uint) -> cython.void:
    """Write an entry of the group-th value behind the last one of branch b."""
    if wk.scratch.last_group[b] != group:
        wk.scratch.last_group[b] = group
        entry = entry | FLAG
    wk.scratch.buffer[wk.scratch.offset[b]] = entry
    wk.scratch.offset[b] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_in_many(wk: Work, which: cython.longlong, node: cython.longlong) -> cython.void:
    """Any number of branches: the children's sizes are known, so each entry has its place.

    A row of branch -1 goes down several, with an id for each. Rows that take no branch are after the others and
    are not kept.
    """
    base: cython.longlong = which * wk.table.stride + wk.draft.start[node]
    child: cython.longlong = wk.draft.first_child[node]
    n: cython.longlong = wk.draft.n_children[node]
    i: cython.longlong
    j: cython.longlong
    b: cython.longlong
    row: cython.uint
    group: cython.longlong = 0
    entry: cython.uint
    for b in range(n):
        wk.scratch.offset[b] = wk.draft.start[child + b] - wk.draft.start[child]
        wk.scratch.last_group[b] = 0
    wk.scratch.offset[n] = wk.scratch.offset[n - 1] + wk.draft.rows[child + n - 1]
    wk.scratch.last_group[n] = 0
    for i in range(wk.draft.rows[node]):
        entry = wk.table.lists[base + i]
        group += entry >> 31
        entry = entry & NO_FLAG
        row = entry & wk.table.row_mask
        b = wk.table.wide_side[row]
        if b >= 0:
            put(wk, b, group, entry)
            continue
        put(wk, wk.table.heaviest_first[0], group, entry)
        for j in range(1, wk.table.n_copies[row]):
            put(wk, wk.table.heaviest_first[j], group,
                (entry - row) | cython.cast(cython.uint, wk.table.first_copy[row] + j - 1))
    base = which * wk.table.stride + wk.draft.start[child]
    for i in range(wk.draft.start[child + n - 1] + wk.draft.rows[child + n - 1] - wk.draft.start[child]):
        wk.table.lists[base + i] = wk.scratch.buffer[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def route_labels(entries: cython.uint[::1], base: cython.longlong, row_mask: cython.uint, n_classes: cython.longlong,
                 codes: cython.int[:, ::1], which: cython.longlong, slot: cython.int[::1], side: cython.uchar[::1],
                 missing_rows: cython.uint[::1], stats: cython.longlong[:, ::1], node: cython.longlong,
                 child: cython.longlong) -> cython.longlong:
    """Classes, which come one by one."""
    start: cython.longlong = base
    i: cython.longlong
    k: cython.longlong
    n: cython.longlong = 0
    before: cython.longlong  # missing rows that have an earlier class
    ahead: cython.longlong  # rows of side 1 less missing rows
    row: cython.uint
    b: cython.int
    for k in range(n_classes):
        before = n
        ahead = 0
        for i in range(start, start + stats[node, k]):
            row = entries[i] & row_mask
            b = slot[codes[which, row]]
            side[row] = cython.cast(cython.uchar, b & 1)
            missing_rows[n] = row  # without a jump: it stays if it has no branch
            n += b < 0
            ahead += b
        start += stats[node, k]
        stats[child + 1, k] = ahead + n - before
        stats[child, k] = stats[node, k] - ahead - 2 * (n - before)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def route_moments(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
                  moments: cython.longlong[::1], codes: cython.int[:, ::1], which: cython.longlong,
                  slot: cython.int[::1], side: cython.uchar[::1], missing_rows: cython.uint[::1],
                  stats: cython.longlong[:, ::1], child: cython.longlong) -> cython.longlong:
    """The same for regression."""
    i: cython.longlong
    n: cython.longlong = 0
    low: cython.longlong = 0
    high: cython.longlong = 0
    sum_low: cython.longlong = 0
    sum_high: cython.longlong = 0
    row: cython.uint
    b: cython.int
    for i in range(base, base + m):
        row = entries[i] & row_mask
        b = slot[codes[which, row]]
        if b < 0:
            missing_rows[n] = row
            n += 1
            continue
        side[row] = cython.cast(cython.uchar, b)
        low += 1 - b
        high += b
        sum_low += moments[row] * (1 - b)
        sum_high += moments[row] * b
    stats[child, 0] = low
    stats[child, 1] = sum_low
    stats[child + 1, 0] = high
    stats[child + 1, 1] = sum_high
    return n
