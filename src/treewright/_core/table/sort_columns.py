"""A column -> packed entries, sorted by value; or its values alone, sorted.

In: the values of a column, and entries in the order that those of one value keep. Out: the entries sorted by
value, each with the "first of its value" flag.

A value becomes a 64-bit word: as many of its leading bits as there is room for, then its place in the order
that was given. The words are sorted by digits, so no value is compared with another but for the few that
differ only in bits that found no room.
"""

import cython
import numpy as np

if not cython.compiled:
    from treewright._core.codes import FLAG

SIGN = cython.declare(cython.ulonglong, 0x8000000000000000)
SHORT_RUN = cython.declare(cython.longlong, 64)
LEAST_DIGIT = cython.declare(cython.int, 8)
MOST_DIGIT = cython.declare(cython.int, 12)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rising_key(bits: cython.ulonglong) -> cython.ulonglong:
    """The bits of a float64 as a whole number that rises with the float; -0.0 counts as 0.0."""
    if bits > SIGN:
        return SIGN - (bits - SIGN) - 1
    return bits | SIGN


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bits_of_key(key: cython.ulonglong) -> cython.ulonglong:
    """The float64 of a rising key, in bits."""
    return key - SIGN if key >= SIGN else SIGN + (SIGN - 1 - key)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bit_length(number: cython.ulonglong) -> cython.int:
    n: cython.int = 0
    while n < 64 and number >> n:
        n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bits_in_use(keys: cython.ulonglong[::1], n: cython.longlong) -> cython.ulonglong:
    """Count the keys from the lowest on; which of their bits are ever set."""
    used: cython.ulonglong = 0
    lowest: cython.ulonglong = keys[0]
    i: cython.longlong
    for i in range(n):
        if keys[i] < lowest:
            lowest = keys[i]
    for i in range(n):
        keys[i] -= lowest
        used |= keys[i]
    return used


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def insert(words: cython.ulonglong[:, ::1], row: cython.int, first: cython.longlong,
           end: cython.longlong) -> cython.void:
    """Sort a few words by insertion."""
    i: cython.longlong
    j: cython.longlong
    word: cython.ulonglong
    for i in range(first + 1, end):
        word = words[row, i]
        j = i
        while j > first and words[row, j - 1] > word:
            words[row, j] = words[row, j - 1]
            j -= 1
        words[row, j] = word


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_words(words: cython.ulonglong[:, ::1], row: cython.int, first: cython.longlong, end: cython.longlong,
               low: cython.int, high: cython.int, digit: cython.int,
               count: cython.uint[::1]) -> cython.int:
    """Sort words[row, first:end], whose bits below `low` are in order, by the bits low to high - 1; the row of words
    where the result is. A radix sort from the lowest digit on; a digit that all have in common is passed over.
    """
    n_passes: cython.int = (high - low + digit - 1) // digit
    mask: cython.ulonglong = (1 << digit) - 1
    i: cython.longlong
    b: cython.longlong
    p: cython.int
    shift: cython.int
    total: cython.uint
    step: cython.uint
    word: cython.ulonglong
    if end - first <= SHORT_RUN:
        insert(words, row, first, end)
        return row
    for b in range(n_passes << digit):
        count[b] = 0
    for i in range(first, end):
        word = words[row, i] >> low
        for p in range(n_passes):
            count[(p << digit) + cython.cast(cython.longlong, word & mask)] += 1
            word >>= digit
    for p in range(n_passes):
        shift = low + p * digit
        b = (p << digit) + cython.cast(cython.longlong, (words[row, first] >> shift) & mask)
        if count[b] == end - first:
            continue
        total = cython.cast(cython.uint, first)
        for b in range(p << digit, (p + 1) << digit):
            step = count[b]
            count[b] = total
            total += step
        for i in range(first, end):
            word = words[row, i]
            b = (p << digit) + cython.cast(cython.longlong, (word >> shift) & mask)
            words[1 - row, count[b]] = word
            count[b] += 1
        row = 1 - row
    return row


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_run(words: cython.ulonglong[:, ::1], row: cython.int, first: cython.longlong, end: cython.longlong,
             keys: cython.ulonglong[::1], place_bits: cython.int, n_left_out: cython.int, digit: cython.int,
             count: cython.uint[::1]) -> cython.void:
    """Sort words that agree in the bits of their keys that found room by the others, which always do."""
    places: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << place_bits) - 1
    others: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << n_left_out) - 1
    top: cython.ulonglong = words[row, first] - (words[row, first] & places)
    place: cython.ulonglong
    i: cython.longlong
    out: cython.int
    for i in range(first, end):
        place = words[row, i] & places
        words[row, i] = ((keys[cython.cast(cython.longlong, place)] & others) << place_bits) | place
    out = sort_words(words, row, first, end, place_bits, place_bits + n_left_out, digit, count)
    for i in range(first, end):
        words[row, i] = top | (words[out, i] & places)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_runs(words: cython.ulonglong[:, ::1], row: cython.int, n: cython.longlong, keys: cython.ulonglong[::1],
              place_bits: cython.int, n_left_out: cython.int, digit: cython.int,
              count: cython.uint[::1]) -> cython.void:
    """Sort each run of words that agree in the bits of their keys that found room."""
    first: cython.longlong = 0
    i: cython.longlong
    for i in range(1, n + 1):
        if i == n or words[row, i] >> place_bits != words[row, first] >> place_bits:
            if i - first > 1:
                sort_run(words, row, first, i, keys, place_bits, n_left_out, digit, count)
            first = i


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_column(bits: cython.ulonglong[::1], start: cython.uint[::1], row_mask: cython.uint,
                entries: cython.uint[::1], room: cython.ulonglong[:, ::1], count: cython.uint[::1]) -> cython.void:
    """What `sort_entries` says; `count` has `n_counts(n)` entries to work with."""
    n: cython.longlong = start.shape[0]
    place_bits: cython.int = bit_length(n - 1)
    digit: cython.int = min(max(place_bits, LEAST_DIGIT), MOST_DIGIT)
    words: cython.ulonglong[:, ::1] = room[:2]
    keys: cython.ulonglong[::1] = room[2]
    places: cython.ulonglong = (cython.cast(cython.ulonglong, 1) << place_bits) - 1
    used: cython.ulonglong
    low: cython.int = 0
    high: cython.int
    n_left_out: cython.int
    row: cython.int = 0
    i: cython.longlong
    place: cython.longlong
    before: cython.longlong = 0
    for i in range(n):
        keys[i] = rising_key(bits[start[i] & row_mask])
    used = bits_in_use(keys, n)
    high = bit_length(used)
    while low < high and not (used >> low) & 1:
        low += 1
    n_left_out = max(high - low - (64 - place_bits), 0)
    low += n_left_out
    for i in range(n):
        words[0, i] = ((keys[i] >> low) << place_bits) | cython.cast(cython.ulonglong, i)
    row = sort_words(words, 0, 0, n, place_bits, place_bits + high - low, digit, count)
    if n_left_out:
        sort_runs(words, row, n, keys, place_bits, low, digit, count)
    for i in range(n):
        place = cython.cast(cython.longlong, words[row, i] & places)
        entries[i] = start[place]
        if (i == 0 or words[row, i] >> place_bits != words[row, i - 1] >> place_bits
                or (n_left_out and keys[place] != keys[before])):
            entries[i] |= FLAG
        before = place


@cython.cfunc
def n_counts(n: cython.longlong) -> cython.longlong:
    """How many digits of how many passes are counted at most to sort n words."""
    digit: cython.int = min(max(bit_length(n - 1), LEAST_DIGIT), MOST_DIGIT)
    return (64 // digit + 1) << digit


def sort_entries(bits: cython.ulonglong[::1], start: cython.uint[::1], row_mask: cython.uint,
                 entries: cython.uint[::1], room: cython.ulonglong[:, ::1]) -> None:
    """Fill `entries` with the entries of `start`, sorted stably by the value of their row.

    `bits` are the float64 values, by row, seen as whole numbers; NaN, of one form, comes last. `room` has three rows,
    as long as `start`, to work in.
    """
    count: cython.uint[::1] = np.empty(n_counts(start.shape[0]), np.uint32)
    with cython.nogil:
        sort_column(bits, start, row_mask, entries, room, count)


def sort_values(bits: cython.ulonglong[::1], room: cython.ulonglong[:, ::1]) -> None:
    """Sort float64 values, at least one, seen as whole numbers, in place; -0.0 becomes 0.0, and NaN, of one form, comes
    last. `room` has two rows, as long as `bits`, to work in.

    numpy's own sort takes twice as long on processors that are slow to write a part of a vector.
    """
    n: cython.longlong = bits.shape[0]
    digit: cython.int = min(max(bit_length(n - 1), LEAST_DIGIT), MOST_DIGIT)
    count: cython.uint[::1] = np.empty(n_counts(n), np.uint32)
    lowest: cython.ulonglong = rising_key(bits[0])
    used: cython.ulonglong
    low: cython.int = 0
    row: cython.int
    i: cython.longlong
    with cython.nogil:
        for i in range(n):
            room[0, i] = rising_key(bits[i])
            lowest = min(lowest, room[0, i])
        used = bits_in_use(room[0], n)
        while low < 63 and not (used >> low) & 1:
            low += 1
        row = sort_words(room, 0, 0, n, low, max(bit_length(used), low + 1), digit, count)
        for i in range(n):
            bits[i] = bits_of_key(room[row, i] + lowest)
