"""Values -> codes: the different values of columns, as long as they are few.

In: columns of float64. Out: the number of each cell's value, in the order in which they came;
then, once the caller has ranked them, the codes of all columns row by row. A column of too many values is given up
when the first value too many is met: soon, if it is one of all-different numbers.
"""

import cython
import numpy as np

MOST = 256
"""The most values of a coded column: a code is a byte."""

GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
ROOM = cython.declare(cython.longlong, 1024)
LIMIT = cython.declare(cython.longlong, 256)
SMALL = cython.declare(cython.longlong, 1024)
BLOCK = cython.declare(cython.longlong, 256)
TAKEN_ROWS = cython.declare(cython.longlong, 64)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find_number(bits: cython.ulonglong, keys: cython.ulonglong[:, ::1], numbers: cython.int[:, ::1],
                c: cython.longlong, n: cython.longlong) -> cython.longlong:
    """The number of a value in the hash table of column c; n if it is new, and then it has this number."""
    at: cython.longlong = cython.cast(cython.longlong, (((bits ^ (bits >> 32)) * GOLDEN) & ALL) >> 54)
    while numbers[c, at] >= 0:
        if keys[c, at] == bits:
            return numbers[c, at]
        at = (at + 1) & (ROOM - 1)
    if n < LIMIT:
        keys[c, at] = bits
        numbers[c, at] = cython.cast(cython.int, n)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_block(cells: cython.double[:, ::1], bits: cython.ulonglong[:, ::1], j: cython.longlong, m: cython.longlong,
                 start: cython.longlong, c: cython.longlong, small: cython.short[:, ::1],
                 keys: cython.ulonglong[:, ::1], numbers: cython.int[:, ::1], found: cython.uchar[:, ::1],
                 first_row: cython.longlong[:, ::1], n: cython.longlong) -> cython.longlong:
    """Number m cells of column c, row j of the block, which had n values before; how many it has now, or -1.

    Small whole numbers, which most columns of few values have, stand in a table by themselves; the others are hashed.
    """
    i: cython.longlong
    k: cython.longlong
    number: cython.longlong
    x: cython.double
    for i in range(m):
        x = cells[j, i]
        k = cython.cast(cython.longlong, x) if 0.0 <= x and x < SMALL else -1  # -0.0 is 0.0
        if k == x:
            number = small[c, k]
            if number < 0:
                number = n
                if n < LIMIT:
                    small[c, k] = cython.cast(cython.short, n)
        else:
            number = find_number(bits[j, i], keys, numbers, c, n)
        if number == n:
            if n == LIMIT:
                return -1
            first_row[c, n] = start + i
            n += 1
        found[c, start + i] = cython.cast(cython.uchar, number)
    return n


def number_values(values: cython.const[cython.double][:, :], columns: cython.longlong[::1],
                  found: cython.uchar[:, ::1], first_row: cython.longlong[:, ::1],
                  n_found: cython.longlong[::1]) -> None:
    """Number the values of some columns in the order in which they come; -1 values of one that has too many.

    found      column, row -> the number of the cell's value
    first_row  column, number -> the first row of a value

    The table is read row by row, some rows at a time, as long as a column is left.
    """
    n_rows: cython.longlong = values.shape[0]
    n_columns: cython.longlong = columns.shape[0]
    block = np.empty((n_columns, TAKEN_ROWS))
    cells: cython.double[:, ::1] = block
    bits: cython.ulonglong[:, ::1] = block.view(np.uint64)
    small: cython.short[:, ::1] = np.full((n_columns, SMALL), -1, np.int16)
    keys: cython.ulonglong[:, ::1] = np.empty((n_columns, ROOM), np.uint64)
    numbers: cython.int[:, ::1] = np.full((n_columns, ROOM), -1, np.int32)
    left: cython.longlong[::1] = np.arange(n_columns)  # the columns whose values are few so far, and where they are
    at: cython.longlong[::1] = np.array(columns)
    n_left: cython.longlong = n_columns
    start: cython.longlong = 0
    m: cython.longlong
    c: cython.longlong
    i: cython.longlong
    j: cython.longlong
    kept: cython.longlong
    with cython.nogil:
        for c in range(n_columns):
            n_found[c] = 0
        while start < n_rows and n_left > 0:
            m = TAKEN_ROWS if start + TAKEN_ROWS < n_rows else n_rows - start
            for i in range(m):
                for j in range(n_left):
                    cells[j, i] = values[start + i, at[j]]
            kept = 0
            for j in range(n_left):
                c = left[j]
                n_found[c] = number_block(cells, bits, j, m, start, c, small, keys, numbers, found, first_row, n_found[c])
                left[kept] = c
                at[kept] = columns[c]
                kept += n_found[c] >= 0
            n_left = kept
            start += m


def lay_out(found: cython.uchar[:, ::1], chosen: cython.longlong[::1], ranks: cython.uchar[:, ::1],
            codes: cython.uchar[:, ::1]) -> None:
    """Fill `codes`, row by place, with the ranks of the values of the chosen columns."""
    n_rows: cython.longlong = codes.shape[0]
    start: cython.longlong = 0
    stop: cython.longlong
    p: cython.longlong
    i: cython.longlong
    with cython.nogil:
        while start < n_rows:
            stop = start + BLOCK if start + BLOCK < n_rows else n_rows
            for p in range(chosen.shape[0]):
                for i in range(start, stop):
                    codes[i, p] = ranks[p, found[chosen[p], i]]
            start = stop


def number_bins(values: cython.const[cython.double][:], top: cython.double[::1], found: cython.uchar[::1],
                row_of: cython.longlong[::1]) -> None:
    """The bin of each value, the first whose highest value it does not exceed, and a row of each bin.

    `top` has 256 entries, the last ones infinite: eight halvings without a jump.
    """
    i: cython.longlong
    at: cython.longlong
    x: cython.double
    with cython.nogil:
        for i in range(values.shape[0]):
            x = values[i]
            at = 128 * (x > top[127])
            at += 64 * (x > top[at + 63])
            at += 32 * (x > top[at + 31])
            at += 16 * (x > top[at + 15])
            at += 8 * (x > top[at + 7])
            at += 4 * (x > top[at + 3])
            at += 2 * (x > top[at + 1])
            at += x > top[at]
            found[i] = cython.cast(cython.uchar, at)
            row_of[at] = i
