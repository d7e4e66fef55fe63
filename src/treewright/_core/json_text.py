"""JSON text: the bytes of a file that nobody has checked -> objects, by the strict rules of RFC 8259.

In: bytes. Out: dict, list, str, int, float, bool and None; an array of integers that fit 64 bits is a numpy array of
them, and so is one of floats (nulls are NaN). Containers stand on a stack of our own, so that no depth ends in a crash.
What the objects need is added up before they are made, and a text that would need too much memory is refused.
"""

import cython

from treewright._core.json_numbers import ARRAY_BYTES, read_numbers
from treewright._core.json_strings import read_string

if cython.compiled:
    from cython.cimports.cpython.exc import PyErr_CheckSignals
    from cython.cimports.treewright._core.json_numbers import behind_spaces, number_end
    from cython.cimports.treewright._core.json_strings import plain_end
else:
    from treewright._core.json_numbers import behind_spaces, number_end
    from treewright._core.json_strings import plain_end

i64 = cython.typedef(cython.longlong)

BYTES_PER_BYTE = cython.declare(i64, 8)
BYTES_AT_LEAST = cython.declare(i64, 16 << 20)
MOST_DIGITS = cython.declare(i64, 400)
MOST_SHARED = cython.declare(i64, 1024)  # names that are kept, so that the same name in many objects is one string

LIST_BYTES = cython.declare(i64, 104)
SLOT_BYTES = cython.declare(i64, 16)  # a list that grows leaves its former place behind
DICT_BYTES = cython.declare(i64, 240)
ENTRY_BYTES = cython.declare(i64, 96)
NUMBER_BYTES = cython.declare(i64, 32)
ASCII_BYTES = cython.declare(i64, 64)  # of a string beside its characters


class JSONTextError(ValueError):
    """A text that is not JSON, or not JSON that can be read safely.

    at    the byte where reading ended
    path  the field that was being read, such as "tree.weight[3]"; empty at the outermost value
    """

    def __init__(self, what: str, at: int, path: str) -> None:
        super().__init__(f"Byte {at}{f', in field {path}' if path else ''}: {what}.")
        self.at = at
        self.path = path
        self.what = what

    def __reduce__(self) -> tuple:
        return JSONTextError, (self.what, self.at, self.path)


def path_of(stack: list, keys: list) -> str:
    """The name of the value that is read now: the keys and the places in arrays that lead to it."""
    parts = []
    for container, key in zip(stack, keys, strict=True):
        if isinstance(container, list):
            parts.append(f"[{len(container)}]")
        elif key is None:
            continue
        elif key.isidentifier() and len(key) <= 60:
            parts.append(f".{key}" if parts else key)
        else:  # shown so that nothing in it can be taken for something else
            parts.append(f"[{key[:60]!r}{'...' if len(key) > 60 else ''}]")
    return "".join(parts)


@cython.boundscheck(True)
@cython.wraparound(False)
@cython.cclass
class Reader:
    """One text on its way into objects."""

    data: bytes
    at: i64
    room: i64
    most_depth: i64
    stack: list
    keys: list
    names: dict

    def __init__(self, data: bytes, most_depth: int) -> None:
        self.data = data
        self.at = 0
        self.room = BYTES_PER_BYTE * len(data) + BYTES_AT_LEAST
        self.most_depth = most_depth
        self.stack = []
        self.keys = []  # beside the stack: the key whose value is read now
        self.names = {}

    def fail(self, what: str, at: int) -> object:
        raise JSONTextError(what, at, path_of(self.stack, self.keys))

    @cython.cfunc
    @cython.exceptval(check=True)
    def charge(self, n_bytes: i64) -> cython.void:
        """Take the bytes of an object from the room that is left."""
        self.room -= n_bytes
        if self.room < 0:
            self.fail(
                f"the text needs more than {BYTES_PER_BYTE} times its length and {BYTES_AT_LEAST >> 20} MB of memory,"
                " which is the limit",
                self.at,
            )

    @cython.cfunc
    @cython.exceptval(-9)
    def next_byte(self) -> i64:
        """The byte behind the spaces, which stays to be read; -1 at the end of the text."""
        self.at = behind_spaces(self.data, self.at)
        if self.at >= len(self.data):
            return -1
        return self.data[self.at]

    @cython.cfunc
    def string(self) -> str:
        """The string whose quote is the next byte."""
        start: i64 = self.at + 1
        stop: i64 = plain_end(self.data, start)
        if stop < len(self.data) and self.data[stop] == 0x22:
            self.charge(ASCII_BYTES + stop - start)
            self.at = stop + 1
            return self.data[start:stop].decode("ascii")
        try:
            text, end, cost = read_string(self.data, start, self.room)
        except MemoryError:
            self.charge(self.room + 1)
        except ValueError as error:
            if isinstance(error, JSONTextError):
                raise
            at, what = error.args
            self.fail(what, at)
        self.at = end
        self.charge(cost)
        return text

    @cython.cfunc
    @cython.exceptval(check=True)
    def key(self) -> cython.void:
        """Read a key and its colon, and keep the key beside the object on the stack."""
        holder: dict = self.stack[len(self.stack) - 1]
        room: i64 = self.room
        if self.next_byte() != 0x22:
            self.fail("a name in double quotes is expected", self.at)
        start: i64 = self.at
        name: str = self.string()
        shared = self.names.get(name)
        if shared is not None:
            name = shared
            self.room = room
        elif len(self.names) < MOST_SHARED:
            self.names[name] = name
        if name in holder:
            self.keys[len(self.keys) - 1] = name
            self.fail("this name stands twice in one object", start)
        self.keys[len(self.keys) - 1] = name
        if self.next_byte() != 0x3A:
            self.fail("a colon is expected behind a name", self.at)
        self.at += 1
        if len(holder) >= 5:
            self.charge(ENTRY_BYTES)

    @cython.cfunc
    def number(self) -> object:
        """The number that begins at the next byte."""
        found: i64 = number_end(self.data, self.at)
        start: i64 = self.at
        if found < 0:
            self.fail("a number is not written as JSON writes it", start)
        self.at = found >> 1
        self.charge(NUMBER_BYTES)
        text: bytes = self.data[start : self.at]
        if found & 1:
            return float(text)
        if len(text) > MOST_DIGITS:
            self.fail(f"a whole number has more than {MOST_DIGITS} digits", start)
        if len(text) > 18:
            self.charge(len(text))
        return int(text)

    @cython.cfunc
    def word(self, word: bytes, value: object) -> object:
        """The value of true, false or null."""
        if self.data[self.at : self.at + len(word)] != word:
            self.fail("a value is expected: an object, array, string, number, true, false or null", self.at)
        self.at += len(word)
        return value

    @cython.cfunc
    def push(self, container: object, n_bytes: i64) -> object:
        """Put an empty container on the stack."""
        self.at += 1
        self.charge(n_bytes)
        self.stack.append(container)
        self.keys.append(None)
        return container

    @cython.cfunc
    def open_container(self, c: i64) -> object:
        """Begin the object or array at the next byte; the value where it is empty or only numbers, otherwise None."""
        if len(self.stack) >= self.most_depth:
            self.fail(f"objects and arrays stand more than {self.most_depth} deep in each other", self.at)
        if c == 0x5B:
            try:
                numbers = read_numbers(self.data, self.at + 1, self.room)
            except MemoryError:
                self.charge(self.room + 1)
            if numbers is not None:
                self.at = numbers[1]
                self.charge(ARRAY_BYTES + numbers[0].nbytes)
                return numbers[0]
            self.push([], LIST_BYTES)
            if self.next_byte() != 0x5D:
                return None
        else:
            self.push({}, DICT_BYTES)
            if self.next_byte() != 0x7D:
                self.key()
                return None
        self.at += 1
        self.keys.pop()
        return self.stack.pop()

    @cython.cfunc
    def value(self) -> object:
        """The next value; None for a container that was begun and not yet ended (a null is put away at once)."""
        c: i64 = self.next_byte()
        if c == 0x7B or c == 0x5B:
            return self.open_container(c)
        if c == 0x22:
            return self.string()
        if c == 0x2D or 0x30 <= c <= 0x39:
            return self.number()
        if c == 0x74:
            return self.word(b"true", True)
        if c == 0x66:
            return self.word(b"false", False)
        if c < 0:
            self.fail("the text ends where a value is expected", self.at)
        return self.word(b"null", NULL)

    @cython.cfunc
    def put(self, value: object) -> object:
        """Put a value into its container, and close all that end behind it; the outermost value when it is closed."""
        c: i64
        if value is NULL:
            value = None
        while self.stack:
            top = self.stack[len(self.stack) - 1]
            is_list: cython.bint = type(top) is list
            if is_list:
                self.charge(SLOT_BYTES)
                cython.cast(list, top).append(value)
            else:
                cython.cast(dict, top)[self.keys[len(self.keys) - 1]] = value
            c = self.next_byte()
            if c == 0x2C:
                self.at += 1
                if not is_list:
                    self.key()
                return MORE
            if c != (0x5D if is_list else 0x7D):
                what = "the text ends inside" if c < 0 else "a comma or the closing bracket is expected in"
                self.fail(f"{what} {'an array' if is_list else 'an object'}", self.at)
            self.at += 1
            value = self.stack.pop()
            self.keys.pop()
        return value

    def run(self) -> object:
        """The whole text as one value."""
        n_values: i64 = 0
        if self.data.startswith(b"\xef\xbb\xbf"):
            self.fail("the text begins with a byte order mark; take it away", 0)
        while True:
            n_values += 1
            if cython.compiled and n_values & 0xFFFF == 0:
                PyErr_CheckSignals()
            value = self.value()
            if value is None:
                continue
            value = self.put(value)
            if value is not MORE:
                break
        if self.next_byte() >= 0:
            self.fail("something stands behind the end", self.at)
        return value


NULL = object()
MORE = object()


def parse(data: bytes, most_depth: int = 64) -> object:
    """The value of a JSON text; a JSONTextError says where and why it has none."""
    return Reader(data, most_depth).run()
