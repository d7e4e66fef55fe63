"""Sorting: a column into packed entries, and short orders of categories.

In: values of one column. Out: entries sorted by value, each with its label and the "first of its value" flag.
"""

import cython
import numpy as np

FLAG = cython.declare(cython.uint, 0x80000000)
SIGN = cython.declare(cython.ulonglong, 0x8000000000000000)
RADIX = cython.declare(cython.int, 11)
N_PASSES = cython.declare(cython.int, 6)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rising_key(bits: cython.ulonglong) -> cython.ulonglong:
    """The bits of a float64 as a whole number that rises with the float; -0.0 counts as 0.0."""
    if bits > SIGN:
        return SIGN - (bits - SIGN) - 1
    return bits | SIGN


def sort_entries(bits: cython.ulonglong[::1], start: cython.uint[::1], row_mask: cython.uint,
                 entries: cython.uint[::1]) -> None:
    """Fill `entries` with the entries of `start`, sorted stably by the value of their row.

    `bits` are the float64 values, by row, seen as whole numbers; no NaN. A radix sort of 11 bits a pass; passes
    in which all keys agree (whole numbers and few digits leave many) are skipped.
    """
    n: cython.longlong = start.shape[0]
    keys_array = np.empty((2, n), np.uint64)
    spare_array = np.empty(n, np.uint32)
    count_array = np.zeros((N_PASSES, 1 << RADIX), np.int64)
    keys: cython.ulonglong[:, ::1] = keys_array
    spare: cython.uint[::1] = spare_array
    count: cython.longlong[:, ::1] = count_array
    i: cython.longlong
    p: cython.int
    b: cython.longlong
    total: cython.longlong
    step: cython.longlong
    flips: cython.int = 0
    with cython.nogil:
        for i in range(n):
            keys[0, i] = rising_key(bits[start[i] & row_mask])
            entries[i] = start[i]
            for p in range(N_PASSES):
                count[p, (keys[0, i] >> (p * RADIX)) & 0x7FF] += 1
        for p in range(N_PASSES):
            b = (keys[flips & 1, 0] >> (p * RADIX)) & 0x7FF
            if count[p, b] == n:
                continue
            total = 0
            for b in range(1 << RADIX):
                step = count[p, b]
                count[p, b] = total
                total += step
            if flips & 1:
                move(keys, 1, 0, spare, entries, count, p, n)
            else:
                move(keys, 0, 1, entries, spare, count, p, n)
            flips += 1
        if flips & 1:
            for i in range(n):
                entries[i] = spare[i]
        p = flips & 1
        for i in range(n):
            if i == 0 or keys[p, i] != keys[p, i - 1]:
                entries[i] |= FLAG


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def move(keys: cython.ulonglong[:, ::1], source: cython.int, goal: cython.int, entries: cython.uint[::1],
         moved: cython.uint[::1], count: cython.longlong[:, ::1], p: cython.int,
         n: cython.longlong) -> cython.void:
    """One pass of the radix sort: keys and entries to their place by digit p."""
    i: cython.longlong
    b: cython.longlong
    place: cython.longlong
    for i in range(n):
        b = (keys[source, i] >> (p * RADIX)) & 0x7FF
        place = count[p, b]
        count[p, b] = place + 1
        keys[goal, place] = keys[source, i]
        moved[place] = entries[i]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def comes_after(key: cython.double[::1], a: cython.int, b: cython.int) -> cython.bint:
    return key[a] > key[b] or (key[a] == key[b] and a > b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_by_key(key: cython.double[::1], order: cython.int[::1], n: cython.longlong) -> cython.void:
    """Set order[:n] to 0 .. n - 1 sorted by (key, number): a heap sort, so n log n whatever the keys."""
    i: cython.longlong
    root: cython.longlong
    child: cython.longlong
    end: cython.longlong
    item: cython.int
    for i in range(n):
        order[i] = cython.cast(cython.int, i)
    i = n // 2
    end = n
    while end > 1:
        if i > 0:
            i -= 1
            item = order[i]
        else:
            end -= 1
            item = order[end]
            order[end] = order[0]
        root = i
        child = 2 * root + 1
        while child < end:
            if child + 1 < end and comes_after(key, order[child + 1], order[child]):
                child += 1
            if not comes_after(key, order[child], item):
                break
            order[root] = order[child]
            root = child
            child = 2 * root + 1
        order[root] = item
