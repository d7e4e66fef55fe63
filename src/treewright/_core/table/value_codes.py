"""Values -> codes: the different values of columns, as long as they are few.

In: columns of float64. Out: the codes of all columns row by row, ranks of their values. Most columns of few
values have whole numbers near each other, whose ranks are soon told. The values of others are numbered in the
order in which they come, and then ranked by the caller. A column of too many values is given up when the
first value too many is met: soon, if it is one of all-different numbers.
"""

import cython
import numpy as np

MOST = 256
"""The most values of a coded column: a code is a byte."""
SIGN_BIT = cython.declare(cython.ulonglong, 0x8000000000000000)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
ROOM = cython.declare(cython.longlong, 1024)
LIMIT = cython.declare(cython.longlong, 256)
ROWS_AT_ONCE = cython.declare(cython.longlong, 256)
NEAR = cython.declare(cython.longlong, 64)
FAR = cython.declare(cython.double, 9007199254740992.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_block(values: cython.const[cython.double][:, :], bits: cython.const[cython.ulonglong][:, :],
               f: cython.longlong, start: cython.longlong, stop: cython.longlong, base: cython.longlong,
               codes: cython.uchar[:, ::1], c: cython.longlong, bits_of: cython.ulonglong[:, ::1],
               row_of: cython.int[:, ::1]) -> cython.bint:
    """Some rows of column f, whose codes are at place c; False if a code does not stand for its value."""
    apart: cython.ulonglong = 0
    i: cython.longlong
    code: cython.longlong
    value: cython.double
    for i in range(start, stop):
        value = values[i, f]
        value = value if value < FAR else FAR  # what is beyond, or NaN, is no whole number of 64 bits
        value = value if value > -FAR else -FAR
        code = (cython.cast(cython.longlong, value) - base) & 255
        apart |= bits[i, f] ^ bits_of[c, code]
        codes[i, c] = cython.cast(cython.uchar, code)
        row_of[c, code] = cython.cast(cython.int, i)
    return apart == 0


def take_whole(values: cython.const[cython.double][:, :], bits: cython.const[cython.ulonglong][:, :],
               columns: cython.longlong[::1], base: cython.longlong[::1], bits_of: cython.ulonglong[:, ::1],
               first: cython.longlong, end: cython.longlong, codes: cython.uchar[:, ::1], row_of: cython.int[:, ::1],
               fits: cython.uchar[::1]) -> None:
    """The codes of the rows first to end - 1 of some columns of whole numbers: what their values are above `base`.

    bits     the values as they stand in memory
    bits_of  column, code -> the value it stands for
    row_of   column, code -> a row that has it; others stay as they are
    fits     column -> whether its values are such; one that does not fit is not looked at any further
    """
    start: cython.longlong = first
    stop: cython.longlong
    c: cython.longlong
    with cython.nogil:
        while start < end:  # block by block: whether rows or columns are contiguous, a block stays near
            stop = start + NEAR if start + NEAR < end else end
            for c in range(columns.shape[0]):
                if fits[c]:
                    fits[c] = take_block(values, bits, columns[c], start, stop, base[c], codes, c, bits_of, row_of)
            start = stop


def rank_in_place(codes: cython.uchar[:, ::1], ranks: cython.uchar[:, ::1]) -> None:
    """Replace the codes at the first places, as many as there are ranks for, by their ranks."""
    i: cython.longlong
    p: cython.longlong
    with cython.nogil:
        for i in range(codes.shape[0]):
            for p in range(ranks.shape[0]):
                codes[i, p] = ranks[p, codes[i, p]]


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


def number_values(bits: cython.const[cython.ulonglong][:, :], columns: cython.longlong[::1],
                  found: cython.uchar[:, ::1], first_row: cython.longlong[:, ::1],
                  n_found: cython.longlong[::1]) -> None:
    """Number the values of some columns in the order in which they come; -1 values of one that has too many.

    found      column, row -> the number of the cell's value
    first_row  column, number -> the first row of a value
    """
    n_rows: cython.longlong = bits.shape[0]
    n_columns: cython.longlong = columns.shape[0]
    keys_array = np.empty((n_columns, ROOM), np.uint64)
    numbers_array = np.full((n_columns, ROOM), -1, np.int32)
    keys: cython.ulonglong[:, ::1] = keys_array
    numbers: cython.int[:, ::1] = numbers_array
    start: cython.longlong
    stop: cython.longlong
    c: cython.longlong
    i: cython.longlong
    number: cython.longlong
    value: cython.ulonglong
    with cython.nogil:
        for c in range(n_columns):
            n_found[c] = 0
        start = 0
        while start < n_rows:  # block by block: whether rows or columns are contiguous, a block stays near
            stop = start + ROWS_AT_ONCE if start + ROWS_AT_ONCE < n_rows else n_rows
            for c in range(n_columns):
                if n_found[c] < 0:
                    continue
                for i in range(start, stop):
                    value = bits[i, columns[c]]
                    if value == SIGN_BIT:  # -0.0 is 0.0
                        value = 0
                    number = find_number(value, keys, numbers, c, n_found[c])
                    if number == n_found[c]:
                        if number == LIMIT:
                            n_found[c] = -1
                            break
                        first_row[c, number] = i
                        n_found[c] += 1
                    found[c, i] = cython.cast(cython.uchar, number)
            start = stop


def lay_out(found: cython.uchar[:, ::1], chosen: cython.longlong[::1], ranks: cython.uchar[:, ::1],
            codes: cython.uchar[:, ::1], place: cython.longlong) -> None:
    """Fill `codes`, row by place, with the ranks of the values of the chosen columns, from a place on."""
    n_rows: cython.longlong = codes.shape[0]
    start: cython.longlong = 0
    stop: cython.longlong
    p: cython.longlong
    i: cython.longlong
    with cython.nogil:
        while start < n_rows:
            stop = start + ROWS_AT_ONCE if start + ROWS_AT_ONCE < n_rows else n_rows
            for p in range(chosen.shape[0]):
                for i in range(start, stop):
                    codes[i, place + p] = ranks[p, found[chosen[p], i]]
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
