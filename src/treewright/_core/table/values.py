"""The values of columns: their range, the different ones, and codes for them.

In: columns of float64. Out: the lowest and the highest value of each column; the values that occur, rising, and the
place of each cell among them; or codes, the ranks of the values of all columns row by row, as long as they are few.
Counting beats sorting where whole numbers are near each other. Other values are numbered in the order in which they
come, and then ranked by the caller; a column of too many values is given up at the first value too many.
"""

import cython
import numpy as np

EXACT = cython.declare(cython.double, 9007199254740992.0)
INFINITE = cython.declare(cython.double, float("inf"))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rank_places(place: cython.longlong[::1]) -> cython.longlong:
    """In place of each 1 how many there are up to there; how many there are in all."""
    k: cython.longlong
    n_found: cython.longlong = 0
    for k in range(place.shape[0]):
        n_found += place[k]
        place[k] *= n_found
    return n_found


@cython.cfunc
@cython.nogil
@cython.returns((cython.double, cython.double))
@cython.exceptval(check=False)
def bounds_of(numbers: cython.const[cython.double][:]):
    """The lowest and the highest of some whole numbers; 1 and 0 where one is not whole or too large to tell."""
    low: cython.double = 0.0 if numbers.shape[0] == 0 else numbers[0]
    high: cython.double = low
    i: cython.longlong
    number: cython.double
    for i in range(numbers.shape[0]):
        number = numbers[i]
        # Below 2^53 a cast to a whole number and back loses only a fraction; NaN is not below.
        if not (-EXACT < number and number < EXACT) or number != cython.cast(cython.longlong, number):
            return 1.0, 0.0
        low = number if number < low else low
        high = number if number > high else high
    return low, high


def count_places(numbers: cython.const[cython.double][:], most: cython.longlong, places: cython.longlong[::1]):
    """Fill `places`; the numbers that occur, or None if one is not whole or they are further apart than `most`."""
    low: cython.double
    high: cython.double
    i: cython.longlong
    k: cython.longlong
    n_found: cython.longlong
    with cython.nogil:
        low, high = bounds_of(numbers)
    if high < low or high - low > most:
        return None
    place: cython.longlong[::1] = np.zeros(int(high - low) + 1, np.int64)
    with cython.nogil:
        for i in range(numbers.shape[0]):
            places[i] = cython.cast(cython.longlong, numbers[i] - low)
            place[places[i]] = 1
        n_found = rank_places(place)
    found = np.empty(n_found)
    rising: cython.double[::1] = found
    with cython.nogil:
        for k in range(place.shape[0]):
            if place[k]:
                place[k] -= 1
                rising[place[k]] = low + k
        for i in range(numbers.shape[0]):
            places[i] = place[places[i]]
    return found


def put_places(table: cython.double[:, :], column: cython.Py_ssize_t, most: cython.longlong):
    """The same for a column of a table, whose cells become their places; the numbers that occur come as a list."""
    cells: cython.double[:] = table[:, column]
    low: cython.double
    high: cython.double
    i: cython.longlong
    k: cython.longlong
    with cython.nogil:
        low, high = bounds_of(cells)
    if high < low or high - low > most:
        return None
    place: cython.longlong[::1] = np.zeros(int(high - low) + 1, np.int64)
    with cython.nogil:
        for i in range(cells.shape[0]):
            place[cython.cast(cython.longlong, cells[i] - low)] = 1
        rank_places(place)
        for i in range(cells.shape[0]):
            cells[i] = cython.cast(cython.double, place[cython.cast(cython.longlong, cells[i] - low)] - 1)
    found = []
    for k in range(place.shape[0]):
        if place[k]:
            found.append(cython.cast(cython.longlong, low) + k)
    return found


def count_labels(labels: cython.const[cython.longlong][:], most: cython.longlong, codes: cython.int[::1]):
    """The same for whole numbers that are int64 already; those that occur come as a list."""
    n: cython.longlong = labels.shape[0]
    low: cython.longlong = 0 if n == 0 else labels[0]
    high: cython.longlong = low
    i: cython.longlong
    k: cython.longlong
    with cython.nogil:
        for i in range(n):
            low = labels[i] if labels[i] < low else low
            high = labels[i] if labels[i] > high else high
    # The difference itself may be too large for 64 bits.
    if cython.cast(cython.double, high) - cython.cast(cython.double, low) > most:
        return None
    place: cython.longlong[::1] = np.zeros(int(high - low) + 1, np.int64)
    with cython.nogil:
        for i in range(n):
            place[labels[i] - low] = 1
        rank_places(place)
        for i in range(n):
            codes[i] = cython.cast(cython.int, place[labels[i] - low] - 1)
    found = []
    for k in range(place.shape[0]):
        if place[k]:
            found.append(low + k)
    return found


def look(table: cython.const[cython.double][:, :]) -> int:
    """What is strange in a table: 1 where a cell is infinite, 2 where one is NaN, 3 for both, 0 for neither."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    strange: cython.int = 0
    cell: cython.double
    with cython.nogil:
        for i in range(table.shape[0]):
            for j in range(table.shape[1]):
                cell = table[i, j]
                if not (-INFINITE < cell and cell < INFINITE):
                    strange |= 1 if cell == cell else 2
    return strange


def find_ends(table: cython.const[cython.double][:, ::1], low: cython.double[::1], high: cython.double[::1],
              gap: cython.double[::1]) -> None:
    """Lower `low` and raise `high` to the values met, passing over NaN; make `gap` NaN where one is not finite."""
    n: cython.longlong = table.shape[1]
    i: cython.longlong
    j: cython.longlong
    x: cython.double
    with cython.nogil:
        for i in range(table.shape[0]):
            for j in range(n):
                x = table[i, j]
                low[j] = x if x < low[j] else low[j]
                high[j] = x if x > high[j] else high[j]
                gap[j] += x - x


MOST = 256
"""The most values of a coded column: a code is a byte."""
SIGN_BIT = cython.declare(cython.ulonglong, 0x8000000000000000)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
ROOM = cython.declare(cython.longlong, 1024)
LIMIT = cython.declare(cython.longlong, 256)
ROWS_AT_ONCE = cython.declare(cython.longlong, 256)
NEAR = cython.declare(cython.longlong, 64)


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
        value = value if value < EXACT else EXACT  # NaN and larger numbers are not whole numbers of 64 bits
        value = value if value > -EXACT else -EXACT
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

    bits     the values as they are stored in memory
    bits_of  column, code -> its value
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
