"""Strings of a JSON text, with their escapes.

In: the bytes of a text that nobody has checked, and the place behind an opening quote. Out: the string and the place
behind its closing quote. Every byte is asked for with a check of its place, whatever the other kernels do. A string is
read twice: to measure it, and to write it into memory of exactly that size.
"""

import cython

if cython.compiled:
    from cython.cimports.cpython.unicode import PyUnicode_New, PyUnicode_WriteChar

# What char_at says instead of a character.
NO_ESCAPE = cython.declare(cython.longlong, -1)
NO_UTF8 = cython.declare(cython.longlong, -2)
CONTROL = cython.declare(cython.longlong, -3)
CUT_OFF = cython.declare(cython.longlong, -4)

SAYS = {
    -1: "an escape is none of \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits",
    -2: "bytes are no UTF-8",
    -3: "a control character stands in a string; write it as an escape",
    -4: "the text ends inside a string",
}


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.cfunc
@cython.exceptval(-9)
def hex_at(data: bytes, at: cython.longlong) -> cython.longlong:
    """The number of the four hexadecimal digits from `at` on, or NO_ESCAPE."""
    i: cython.longlong
    c: cython.longlong
    value: cython.longlong = 0
    if at + 4 > len(data):
        return NO_ESCAPE
    for i in range(4):
        c = data[at + i]
        if 0x30 <= c <= 0x39:
            c -= 0x30
        elif 0x41 <= c <= 0x46:
            c -= 0x37
        elif 0x61 <= c <= 0x66:
            c -= 0x57
        else:
            return NO_ESCAPE
        value = 16 * value + c
    return value


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.cfunc
@cython.exceptval(-9)
def escape_at(data: bytes, at: cython.longlong) -> cython.longlong:
    """The character of the escape whose backslash stands at `at`, times 16, plus the bytes it takes."""
    c: cython.longlong
    low: cython.longlong
    if at + 1 >= len(data):
        return CUT_OFF
    c = data[at + 1]
    if c == 0x22 or c == 0x5C or c == 0x2F:  # " \ /
        return 16 * c + 2
    if c == 0x62:  # b
        return 16 * 0x08 + 2
    if c == 0x66:  # f
        return 16 * 0x0C + 2
    if c == 0x6E:  # n
        return 16 * 0x0A + 2
    if c == 0x72:  # r
        return 16 * 0x0D + 2
    if c == 0x74:  # t
        return 16 * 0x09 + 2
    if c != 0x75:  # u
        return NO_ESCAPE
    c = hex_at(data, at + 2)
    if c < 0:
        return c
    if 0xD800 <= c < 0xDC00 and at + 12 <= len(data) and data[at + 6] == 0x5C and data[at + 7] == 0x75:
        low = hex_at(data, at + 8)
        if 0xDC00 <= low < 0xE000:  # two escapes for one character; alone, either stays what it is
            return 16 * (0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00)) + 12
    return 16 * c + 6


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.cfunc
@cython.exceptval(-9)
def char_at(data: bytes, at: cython.longlong) -> cython.longlong:
    """The character at `at`, in UTF-8 or as an escape, times 16, plus the bytes it takes; or what is wrong with it."""
    c: cython.longlong
    n_more: cython.longlong
    lowest: cython.longlong
    i: cython.longlong
    if at >= len(data):
        return CUT_OFF
    c = data[at]
    if c == 0x5C:
        return escape_at(data, at)
    if c < 0x20:
        return CONTROL
    if c < 0x80:
        return 16 * c + 1
    if 0xC2 <= c <= 0xDF:
        n_more = 1
        lowest = 0x80
        c &= 0x1F
    elif 0xE0 <= c <= 0xEF:
        n_more = 2
        lowest = 0x800
        c &= 0x0F
    elif 0xF0 <= c <= 0xF4:
        n_more = 3
        lowest = 0x10000
        c &= 0x07
    else:
        return NO_UTF8
    if at + n_more >= len(data):
        return NO_UTF8
    for i in range(1, n_more + 1):
        if data[at + i] & 0xC0 != 0x80:
            return NO_UTF8
        c = (c << 6) | (data[at + i] & 0x3F)
    if c < lowest or c > 0x10FFFF or 0xD800 <= c < 0xE000:
        return NO_UTF8
    return 16 * c + n_more + 1


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.ccall
@cython.exceptval(-9)
def plain_end(data: bytes, at: cython.longlong) -> cython.longlong:
    """The first place, from `at` on, with a quote, an escape, a control character or what is not ASCII."""
    n: cython.longlong = len(data)
    c: cython.int
    while at < n:
        c = data[at]
        if c == 0x22 or c == 0x5C or c < 0x20 or c >= 0x80:
            break
        at += 1
    return at


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.cfunc
def write_string(data: bytes, at: cython.longlong, n_chars: cython.longlong, largest: cython.longlong) -> str:
    """The measured string."""
    i: cython.longlong
    found: cython.longlong
    if not cython.compiled:
        chars = []
        for i in range(n_chars):
            found = char_at(data, at)
            chars.append(chr(found >> 4))
            at += found & 15
        return "".join(chars)
    text: str = PyUnicode_New(n_chars, cython.cast(cython.Py_UCS4, largest))
    for i in range(n_chars):
        found = char_at(data, at)
        PyUnicode_WriteChar(text, i, cython.cast(cython.Py_UCS4, found >> 4))
        at += found & 15
    return text


@cython.boundscheck(True)
@cython.wraparound(False)
def read_string(data: bytes, at: cython.longlong, room: cython.longlong) -> tuple:
    """The string whose opening quote stands before `at`, the place behind its closing quote, and its bytes in memory.

    A ValueError (place, what is wrong) where it is none; a MemoryError where it needs more than `room` bytes.
    """
    start: cython.longlong = at
    n_chars: cython.longlong = 0
    largest: cython.longlong = 0x7F
    found: cython.longlong
    cost: cython.longlong
    while at >= len(data) or data[at] != 0x22:
        found = char_at(data, at)
        if found < 0:
            raise ValueError(min(at, len(data)), SAYS.get(found))
        if found >> 4 > largest:
            largest = found >> 4
        at += found & 15
        n_chars += 1
    cost = 88 + n_chars * (1 if largest < 0x100 else 2 if largest < 0x10000 else 4)
    if cost > room:
        raise MemoryError
    return write_string(data, start, n_chars, largest), at + 1, cost
