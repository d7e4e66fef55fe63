"""Numbers of a JSON text: one number, or an array of nothing else as a numpy array.

In: the bytes of a text that nobody has checked, and a place in it. Out: where a number ends, or the array and where it
ends. Every byte is asked for with a check of its place, whatever the other kernels do: the text may be hostile.
An array is read twice: to count its numbers, and to write them into memory of exactly that size.
"""

import cython
import numpy as np

if cython.compiled:
    from cython.cimports.cpython.bytes import PyBytes_AS_STRING
    from cython.cimports.cpython.conversion import PyOS_string_to_double
    from cython.cimports.cpython.exc import PyErr_CheckSignals

ARRAY_BYTES = 240  # what numpy needs for an array beside its numbers
LARGEST = cython.declare(cython.ulonglong, 0x7FFFFFFFFFFFFFFF)


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(-9)
def behind_spaces(data: bytes, at: cython.longlong) -> cython.longlong:
    """The next place, from `at` on, where no space stands; the length of the text where there is none."""
    n: cython.longlong = len(data)
    c: cython.int
    while at < n:
        c = data[at]
        if c != 0x20 and c != 0x0A and c != 0x0D and c != 0x09:
            break
        at += 1
    return at


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(-9)
def behind_digits(data: bytes, at: cython.longlong) -> cython.longlong:
    """The next place, from `at` on, where no digit stands."""
    n: cython.longlong = len(data)
    while at < n and 0x30 <= data[at] <= 0x39:
        at += 1
    return at


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(-9)
def number_end(data: bytes, at: cython.longlong) -> cython.longlong:
    """Twice the place behind the number that begins at `at`, and one more for a float; -1 where none stands there."""
    n: cython.longlong = len(data)
    start: cython.longlong
    is_float: cython.longlong = 0
    if at < n and data[at] == 0x2D:  # -
        at += 1
    start = at
    at = behind_digits(data, at)
    if at == start or (data[start] == 0x30 and at > start + 1):  # no digit, or a zero in front of others
        return -1
    if at < n and data[at] == 0x2E:  # .
        is_float = 1
        start = at + 1
        at = behind_digits(data, start)
        if at == start:
            return -1
    if at < n and (data[at] == 0x65 or data[at] == 0x45):  # e E
        is_float = 1
        at += 1
        if at < n and (data[at] == 0x2B or data[at] == 0x2D):  # + -
            at += 1
        start = at
        at = behind_digits(data, start)
        if at == start:
            return -1
    return 2 * at + is_float


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(check=True)
def is_null(data: bytes, at: cython.longlong) -> cython.bint:
    """Whether `null` stands there."""
    return (
        at + 4 <= len(data)
        and data[at] == 0x6E
        and data[at + 1] == 0x75
        and data[at + 2] == 0x6C
        and data[at + 3] == 0x6C
    )


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(-9)
def count_numbers(data: bytes, at: cython.longlong) -> cython.longlong:
    """Twice the count of the numbers up to the `]`, and one more for floats; -1 where it is no array of one kind."""
    n: cython.longlong = len(data)
    n_ints: cython.longlong = 0
    n_floats: cython.longlong = 0
    end: cython.longlong
    while True:
        at = behind_spaces(data, at)
        end = number_end(data, at)
        if end >= 0:
            if end & 1:
                n_floats += 1
            else:
                n_ints += 1
            at = end >> 1
        elif is_null(data, at):
            n_floats += 1
            at += 4
        else:
            return -1
        if n_ints > 0 and n_floats > 0:
            return -1
        at = behind_spaces(data, at)
        if at >= n:
            return -1
        if data[at] == 0x5D:  # ]
            break
        if data[at] != 0x2C:  # ,
            return -1
        at += 1
        if cython.compiled and (n_ints + n_floats) & 0xFFFF == 0:
            PyErr_CheckSignals()
    return 2 * n_ints if n_ints > 0 else 2 * n_floats + 1


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(-9)
def fill_ints(data: bytes, at: cython.longlong, out: cython.longlong[::1]) -> cython.longlong:
    """Write the counted integers; the place of the `]`, or -1 where one of them needs more than 64 bits."""
    i: cython.longlong
    digit: cython.ulonglong
    value: cython.ulonglong
    most: cython.ulonglong
    is_negative: cython.bint
    for i in range(out.shape[0]):
        at = behind_spaces(data, at)
        is_negative = data[at] == 0x2D
        most = LARGEST
        if is_negative:
            at += 1
            most = LARGEST + 1
        value = 0
        while 0x30 <= data[at] <= 0x39:  # the end was seen when they were counted
            digit = data[at] - 0x30
            if value > (most - digit) // 10:
                return -1
            value = 10 * value + digit
            at += 1
        out[i] = cython.cast(cython.longlong, 0 - value if is_negative else value)
        at = behind_spaces(data, at)
        if i + 1 < out.shape[0]:
            at += 1
            if cython.compiled and i & 0xFFFF == 0:
                PyErr_CheckSignals()
    return at


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(-9)
def fill_floats(data: bytes, at: cython.longlong, out: cython.double[::1]) -> cython.longlong:
    """Write the counted floats, a null as NaN; the place of the `]`."""
    i: cython.longlong
    end: cython.longlong
    nan: cython.double = float("nan")
    last = cython.declare(cython.p_char)
    for i in range(out.shape[0]):
        at = behind_spaces(data, at)
        if data[at] == 0x6E:
            out[i] = nan
            at += 4
        elif cython.compiled:
            # Python's own reading of a float, which stops at the comma, space or bracket behind it.
            out[i] = PyOS_string_to_double(PyBytes_AS_STRING(data) + at, cython.address(last), cython.NULL)
            at = last - PyBytes_AS_STRING(data)
        else:
            end = number_end(data, at) >> 1
            out[i] = float(data[at:end])
            at = end
        at = behind_spaces(data, at)
        if i + 1 < out.shape[0]:
            at += 1
            if cython.compiled and i & 0xFFFF == 0:
                PyErr_CheckSignals()
    return at


@cython.boundscheck(True)
@cython.wraparound(False)
def read_numbers(data: bytes, at: cython.longlong, room: cython.longlong) -> object:
    """The numbers of the array whose `[` stands before `at`, and the place behind its `]`.

    None where it is no array of integers of 64 bits, or of floats and nulls; a MemoryError where it needs more than
    `room` bytes.
    """
    found: cython.longlong = count_numbers(data, at)
    n: cython.longlong = found >> 1
    end: cython.longlong
    if found < 0:
        return None
    if 8 * n + ARRAY_BYTES > room:
        raise MemoryError
    if found & 1:
        floats = np.empty(n, np.float64)
        end = fill_floats(data, at, floats)
        return floats, end + 1
    ints = np.empty(n, np.int64)
    end = fill_ints(data, at, ints)
    return None if end < 0 else (ints, end + 1)
