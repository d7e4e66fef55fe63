"""Rows of a node -> a table of stats by category: the loops that touch every row, with nothing in them but the table.

In: the node's entries and the codes of a column. Out: a row of `table` for each code, or, where the column has more
codes than the node has rows, for each place that `slot` gives a code.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_unit(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, codes: cython.int[:, ::1],
               which: cython.longlong, slot: cython.int[::1], by_slot: cython.bint, shift: cython.int,
               mask: cython.uint, row_mask: cython.uint, table: cython.longlong[:, ::1]) -> cython.void:
    """Classes, rows that count once."""
    i: cython.longlong
    entry: cython.uint
    if by_slot:
        for i in range(base, base + m):
            entry = entries[i]
            table[slot[codes[which, entry & row_mask]], (entry >> shift) & mask] += 1
        return
    for i in range(base, base + m):
        entry = entries[i]
        table[codes[which, entry & row_mask], (entry >> shift) & mask] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_weighted(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong,
                   codes: cython.int[:, ::1], which: cython.longlong, slot: cython.int[::1],
                   by_slot: cython.bint, shift: cython.int, mask: cython.uint, row_mask: cython.uint,
                   weights: cython.longlong[::1], table: cython.longlong[:, ::1]) -> cython.void:
    """Classes, rows of any weight."""
    i: cython.longlong
    entry: cython.uint
    if by_slot:
        for i in range(base, base + m):
            entry = entries[i]
            table[slot[codes[which, entry & row_mask]], (entry >> shift) & mask] += weights[entry & row_mask]
        return
    for i in range(base, base + m):
        entry = entries[i]
        table[codes[which, entry & row_mask], (entry >> shift) & mask] += weights[entry & row_mask]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_moments(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, codes: cython.int[:, ::1],
                  which: cython.longlong, slot: cython.int[::1], by_slot: cython.bint, row_mask: cython.uint,
                  moments: cython.longlong[::1], table: cython.longlong[:, ::1]) -> cython.void:
    """Numbers as target, rows that count once."""
    i: cython.longlong
    place: cython.longlong
    row: cython.uint
    if by_slot:
        for i in range(base, base + m):
            row = entries[i] & row_mask
            place = slot[codes[which, row]]
            table[place, 0] += 1
            table[place, 1] += moments[row]
        return
    for i in range(base, base + m):
        row = entries[i] & row_mask
        place = codes[which, row]
        table[place, 0] += 1
        table[place, 1] += moments[row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def codes_met(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, codes: cython.int[:, ::1],
              which: cython.longlong, row_mask: cython.uint, slot: cython.int[::1],
              met: cython.double[::1]) -> cython.longlong:
    """Write each code that a row has into `met`, once, and mark its slot; how many these are."""
    n: cython.longlong = 0
    i: cython.longlong
    code: cython.int
    for i in range(base, base + m):
        code = codes[which, entries[i] & row_mask]
        if slot[code] < 0:
            slot[code] = 0
            met[n] = code
            n += 1
    return n
