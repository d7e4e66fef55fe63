"""Filling: columns of a table as the user has it -> some rows of values, ready to be routed.

In: a column of codes with the value of each, or a block whose categories are numbers. Out: the column of a
block of rows, float64; and whether there is something in it that has to be looked at more closely.
"""

import cython

code_number = cython.fused_type(cython.schar, cython.short, cython.int, cython.longlong)
TILE = cython.declare(cython.longlong, 64)
MISSING = cython.declare(cython.double, float("nan"))
LOWEST = cython.declare(cython.double, float("-inf"))
ONE = cython.declare(cython.ulonglong, 1)
UNSIGNED = cython.declare(cython.ulonglong, 0x7FFFFFFFFFFFFFFF)
INFINITY = cython.declare(cython.ulonglong, 0x7FF0000000000000)
TOO_MUCH = cython.declare(cython.ulonglong, 0x0010000000000000)
HAS_MISSING, HAS_INFINITE = 1, 2
"""What a look over numbers may find."""


def fill_codes(
    source: cython.const[code_number][:], table: cython.const[cython.double][::1], out: cython.double[:, ::1],
    column: cython.longlong,
) -> None:
    """Put the value of each code into a column; that of -1 is the last one of the table."""
    last: cython.longlong = table.shape[0] - 1
    i: cython.longlong
    code: cython.longlong
    with cython.nogil:
        for i in range(source.shape[0]):
            code = cython.cast(cython.longlong, source[i])
            out[i, column] = table[code if code >= 0 else last]


def translate(
    values: cython.double[:, ::1], columns: cython.const[cython.longlong][::1],
    starts: cython.const[cython.longlong][::1], table: cython.const[cython.double][::1],
    lost: cython.uchar[::1],
) -> None:
    """Put the code of each number into its place, in some columns of a block whose categories are numbers.

    starts, table  column k of these has the codes table[starts[k]:starts[k + 1]] of the whole numbers from 0 on, NaN
                   where a number is not a category
    lost           is set to 1 for a column with a number that has no code, and NaN takes its place
    """
    i: cython.longlong
    j: cython.longlong
    k: cython.longlong
    n: cython.longlong
    whole: cython.longlong
    number: cython.double
    code: cython.double
    lacks: cython.longlong
    first: cython.longlong = 0
    behind: cython.longlong
    with cython.nogil:
        while first < values.shape[0]:  # all columns of a few rows after each other, while they are near
            behind = min(first + TILE, values.shape[0])
            for k in range(columns.shape[0]):
                j = columns[k]
                n = starts[k + 1] - starts[k]
                lacks = 0
                for i in range(first, behind):
                    number = values[i, j]
                    code = MISSING
                    if 0.0 <= number < n:
                        whole = cython.cast(cython.longlong, number)
                        code = table[starts[k] + whole] if whole == number else MISSING
                        lacks |= cython.cast(cython.longlong, code != code)
                    else:
                        lacks |= cython.cast(cython.longlong, number == number)
                    values[i, j] = code
                lost[k] |= cython.cast(cython.uchar, lacks)
            first = behind


def find_special_values(bits: cython.const[cython.ulonglong][::1]) -> int:
    """What is met among numbers: HAS_MISSING if one is missing (NaN), HAS_INFINITE if one is infinite, both added up.

    bits  the numbers as they are stored: without the sign, infinity is INFINITY, and NaN is what lies above it. Sums
          and no comparisons, so that the compiler takes several at once: bit 63 tells.
    """
    i: cython.longlong
    size: cython.ulonglong
    above: cython.ulonglong = 0
    equal: cython.ulonglong = 0
    with cython.nogil:
        for i in range(bits.shape[0]):
            size = cython.cast(cython.ulonglong, bits[i]) & UNSIGNED
            above |= size + TOO_MUCH  # from infinity on
            equal |= (size ^ INFINITY) - ONE  # infinity itself; NaN and infinity are below 2^63 here
    if (equal >> 63) & ONE:
        return HAS_INFINITE | HAS_MISSING
    return HAS_MISSING if (above >> 63) & ONE else 0


def only_codes(values: cython.const[cython.double][:, ::1], n_codes: cython.const[cython.int][::1]) -> bool:
    """Whether the cells of category columns are codes, missing (NaN) or unseen (minus infinity)."""
    i: cython.longlong
    j: cython.longlong
    value: cython.double
    near: cython.double
    top: cython.double
    n: cython.longlong
    strange: cython.longlong = 0
    first: cython.longlong = 0
    behind: cython.longlong
    with cython.nogil:
        while first < values.shape[0]:  # as above
            behind = min(first + TILE, values.shape[0])
            for j in range(values.shape[1]):
                n = n_codes[j]
                top = n - 0.5
                for i in range(first, behind if n > 0 else first):
                    value = values[i, j]
                    # A value that is not a code is cast to a different number. C does not define the cast of NaN and of
                    # numbers beyond 64 bits, so a value below 0 or above the last code is replaced by a fraction.
                    near = value if value > -0.5 else -0.5
                    near = near if near < top else top
                    if cython.cast(cython.longlong, near) != value:
                        strange |= cython.cast(cython.longlong, value > LOWEST)
            first = behind
    return strange == 0
