"""Entries of a node -> entries of its children, in place and in order.

In: one list's entries of a node and the branch of every row. Out: the same entries, those of branch 0 first. The
order within a branch stays, so a sorted list stays sorted; the "first of its value" flag moves on to the next
entry of the same branch.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.work import Work

FLAG = cython.declare(cython.uint, 0x80000000)
NO_FLAG = cython.declare(cython.uint, 0x7FFFFFFF)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_in_two(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong,
                 row_mask: cython.uint, side: cython.uchar[::1], buffer: cython.uint[::1]) -> cython.void:
    """Two branches, without a jump in the loop: each entry is written to both ends, one of which stays."""
    i: cython.longlong
    n_low: cython.longlong = 0
    n_high: cython.longlong = 0
    entry: cython.uint
    flag: cython.uint
    high: cython.uint
    low_flag: cython.uint = FLAG
    high_flag: cython.uint = FLAG
    for i in range(m):
        entry = cython.cast(cython.uint, entries[base + i])
        high = cython.cast(cython.uint, side[entry & row_mask])
        flag = entry & FLAG
        entry = entry & NO_FLAG
        low_flag |= flag
        high_flag |= flag
        entries[base + n_low] = entry | low_flag
        buffer[n_high] = entry | high_flag
        low_flag &= cython.cast(cython.uint, (high * FLAG) & FLAG)
        high_flag &= cython.cast(cython.uint, ((1 - high) * FLAG) & FLAG)
        n_low += 1 - high
        n_high += high
    for i in range(n_high):
        entries[base + n_low + i] = buffer[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_in_many(wk: Work, base: cython.longlong, m: cython.longlong, node: cython.longlong) -> cython.void:
    """Any number of branches: the children's sizes are known, so each entry has its place."""
    i: cython.longlong
    b: cython.longlong
    child: cython.longlong = wk.first_child[node]
    group: cython.longlong = 0
    entry: cython.uint
    for b in range(wk.n_children[node]):
        wk.offset[b] = wk.start[child + b] - wk.start[node]
        wk.last_group[b] = 0
    for i in range(m):
        entry = wk.lists[base + i]
        group += entry >> 31
        entry = entry & NO_FLAG
        b = wk.wide_side[entry & wk.row_mask]
        if wk.last_group[b] != group:
            wk.last_group[b] = group
            entry = entry | FLAG
        wk.buffer[wk.offset[b]] = entry
        wk.offset[b] += 1
    for i in range(m):
        wk.lists[base + i] = wk.buffer[i]
