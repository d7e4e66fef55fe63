"""Rows -> the branches that a table of categories sends them to, where rows count once and there are two.

In: the node's entries, the codes of the split's column, and the branch of each code in `slot`, -1 for none. Out: the
branch of each row in `side`, the stats of the children, and the rows without a branch in `strays`; how many these are.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_labels(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
                shift: cython.int, mask: cython.uint, codes: cython.int[:, ::1], which: cython.longlong,
                slot: cython.int[::1], side: cython.uchar[::1], strays: cython.uint[::1],
                stats: cython.longlong[:, ::1], child: cython.longlong) -> cython.longlong:
    """Classes, from packed labels; they come one by one, so each is added up before it is written."""
    i: cython.longlong
    n: cython.longlong = 0
    label: cython.longlong
    last: cython.longlong = 0
    low: cython.longlong = 0
    high: cython.longlong = 0
    row: cython.uint
    b: cython.int
    for i in range(base, base + m):
        row = entries[i] & row_mask
        label = (entries[i] >> shift) & mask
        if label != last:
            stats[child, last] += low
            stats[child + 1, last] += high
            last = label
            low = 0
            high = 0
        b = slot[codes[which, row]]
        if b < 0:
            strays[n] = row
            n += 1
            continue
        side[row] = cython.cast(cython.uchar, b)
        low += 1 - b
        high += b
    stats[child, last] += low
    stats[child + 1, last] += high
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_moments(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
                 moments: cython.longlong[::1], codes: cython.int[:, ::1], which: cython.longlong,
                 slot: cython.int[::1], side: cython.uchar[::1], strays: cython.uint[::1],
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
            strays[n] = row
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
