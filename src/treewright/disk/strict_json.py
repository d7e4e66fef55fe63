"""Strict JSON: parsing untrusted bytes by the rules of RFC 8259.

In: bytes. Out: dict, list, str, int, float, bool and None. The standard library parses; limits that it lacks are
checked before: the depth, the digits of an integer, and the memory that the objects will take. An error names the
byte and the field.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

BYTES_PER_BYTE = 12
BYTES_AT_LEAST = 16 << 20
"""The memory that a parsed text may take: this many times its length, plus this many bytes."""

MOST_DEPTH = 64
MOST_DIGITS = 400

# Bytes that CPython takes, at most.
_LIST = 104  # with room for four values, which the first one makes
_DICT = 240  # with room for five members
_MEMBER = 96  # each further member of a dict that grows
_PAIR = 96  # each member of an object that is still open
_NAME = 216  # each different name, and its place in the parser's dict of names
_VALUE = 9  # a place in a list that grows by an eighth
_NUMBER = 32
_STRING = 88  # besides its characters

_STRUCTURE = b'"[]{},:'
_SPACES = b" \t\n\r"
_OTHERS = bytes(set(range(256)) - set(_STRUCTURE))
_OTHERS_AND_COMMAS = _OTHERS + b","
_ONE_DIGIT = bytes.maketrans(b"123456789", b"000000000")
_ARRAY, _OBJECT = b"[{"
_BLOCK = 1 << 16
_MOST_SHOWN = 60
_TOO_LARGE = (
    f"the text needs more memory than the limit, {BYTES_PER_BYTE} times its length plus {BYTES_AT_LEAST >> 20} MB"
)

_TOKEN = re.compile(rb'"[^"]*"?|[\[{]|[\]}]|[^"\[\]{}]+')
_STRING_COLON = re.compile(rb'"([^"]*)"[ \t\n\r]*(:?)')
_CONSTANT = re.compile(rb"-?Infinity|NaN")
_LONG_NUMBER = re.compile(rb"(?<![0-9.eE+])(?<![eE]-)[0-9]{%d,}(?![0-9.eE])" % (MOST_DIGITS + 1))


class JSONTextError(ValueError):
    """A text that is not JSON, or exceeds a limit.

    at    the byte of the error
    path  the field of the error, such as "tree.weight[3]"; empty for the outermost value
    """

    def __init__(self, what: str, at: int, path: str) -> None:
        super().__init__(f"Byte {at}{f', in field {path}' if path else ''}: {what}.")
        self.at = at
        self.path = path
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return JSONTextError, (self.what, self.at, self.path)


class _RepeatedNameError(Exception):
    """An object has a name twice."""


class _ConstantError(Exception):
    """A number is written as NaN, Infinity or -Infinity."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _RepeatedNameError
    return members


def _constant(name: str) -> NoReturn:
    raise _ConstantError(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def parse(data: bytes, most_depth: int = MOST_DEPTH) -> Any:
    """The value of a JSON text; a `JSONTextError` says where and why it is invalid.

    >>> parse(b'{"weight": [1.5, null]}')
    {'weight': [1.5, None]}
    >>> parse(b'{"tree": {"weight": [1.5, nul]}}')
    Traceback (most recent call last):
    treewright.disk.strict_json.JSONTextError: Byte 26, in field tree.weight[1]: expecting value.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse(data, error.start, "the bytes are not UTF-8")
    if text.startswith("\ufeff"):
        _refuse(data, 0, "the text begins with a byte order mark; remove it")
    plain = _without_escapes(data)
    _check_digits(data, plain)
    _check_depth_and_memory(data, plain, text, most_depth)
    del plain
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        at = len(text[: error.pos].encode("utf-8"))
        what = error.msg.rstrip(": ").removesuffix(" at").removesuffix(" starting")
        _refuse(data, at, what[0].lower() + what[1:])
    except _ConstantError as error:
        _refuse(data, _find(_without_escapes(data), _CONSTANT) or 0, f"the number {error} is not allowed")
    except _RepeatedNameError:
        _refuse_repeated_name(data)


def _without_escapes(data: bytes) -> bytes:
    """A text of the same length in which every double quote begins or ends a string."""
    return data.replace(rb"\\", b"__").replace(rb"\"", b"__") if b"\\" in data else data


def _check_digits(data: bytes, plain: bytes) -> None:
    """Refuse integers with too many digits: int() takes time quadratic in their number."""
    if len(plain) <= MOST_DIGITS:
        return
    half = MOST_DIGITS // 2  # too many digits fill one of these pieces, and separators of numbers are below "0"
    pieces = np.frombuffer(plain, np.uint8, len(plain) // half * half).reshape(-1, half)
    if pieces.min(axis=1).max() >= ord("0") and b"0" * (MOST_DIGITS + 1) in plain.translate(_ONE_DIGIT):
        at = _find(plain, _LONG_NUMBER)
        if at is not None:
            _refuse(data, at, f"an integer has more than {MOST_DIGITS} digits")


def _check_depth_and_memory(data: bytes, plain: bytes, text: str, most_depth: int) -> None:
    """Refuse a text that is nested too deeply, or whose objects would take too much memory.

    The counts are those of a text that is JSON. In another one they are right up to the byte where the parser stops,
    and what follows only adds to them.
    """
    room = BYTES_PER_BYTE * len(data) + BYTES_AT_LEAST - sys.getsizeof(text)
    n_commas = int(np.count_nonzero(np.frombuffer(plain, np.uint8) == ord(",")))  # with those in strings
    n_colons = n_strings = 0
    members: list[int] = []  # of each container that is open, so far
    n_pending = most_pending = 0  # their sum, and the largest that it was
    for codes in _structure(plain, _OTHERS_AND_COMMAS):
        brackets = np.flatnonzero(codes > ord("@"))  # after all the other marks
        colons = np.cumsum(codes == ord(":"))
        new = np.diff(colons[brackets], prepend=0, append=colons[-1])
        for code, n_new in zip([*codes[brackets].tolist(), None], new.tolist(), strict=True):
            if n_new and members:
                members[-1] += n_new
                n_pending += n_new
                most_pending = max(most_pending, n_pending)
            if code in (_ARRAY, _OBJECT):
                if len(members) == most_depth:
                    _refuse_depth(data, plain, most_depth)
                members.append(0)
                room -= _VALUE + (_LIST if code == _ARRAY else _DICT)
            elif code is not None and members:
                n_closed = members.pop()
                n_pending -= n_closed
                room -= _MEMBER * max(0, n_closed - 5)
        n_colons += int(colons[-1])
        n_strings += int(np.count_nonzero(codes == ord('"')))
        if room < 0:
            break
    n_texts = max(0, n_strings - n_colons)  # the other strings are names
    room -= _STRING * n_texts + _PAIR * most_pending
    width = sys.getsizeof(text) / max(1, len(text))
    n_numbers = max(0, n_commas + 1 - n_texts)
    if room < width * len(plain) + _VALUE * n_commas + _NUMBER * n_numbers + _NAME * n_colons:
        # Count more closely. Numbers of one or two characters take no memory of their own, but for -6 to -9.
        n_commas = sum(int(np.count_nonzero(codes == ord(","))) for codes in _structure(plain, _OTHERS))
        n_numbers = max(0, n_commas + 1 - n_texts)
        room -= _VALUE * n_commas
        n_characters = len(plain.translate(None, _STRUCTURE + _SPACES))
        room -= _NUMBER * min(n_numbers, n_characters // 3 + plain.count(b"-"))
        if room < _string_bytes(plain, width, room):
            _refuse(data, 0, _TOO_LARGE)


def _structure(plain: bytes, others: bytes) -> Iterator[NDArray[np.uint8]]:
    """The structure of a text in blocks: brackets, commas and colons outside strings, and a quote for each string;
    without the bytes that are `others`.
    """
    codes = np.frombuffer(plain.translate(None, others), np.uint8)
    inside = np.False_
    for start in range(0, len(codes), _BLOCK):
        block = codes[start : start + _BLOCK]
        within = np.logical_xor.accumulate(block == ord('"')) ^ inside
        inside = within[-1]
        if not within.all():
            yield block[~within]


def _string_bytes(plain: bytes, width: float, room: float) -> float:
    """The memory of names and of the characters of strings; what is more than `room` is not counted to the end."""
    names = set()
    n_bytes = 0.0
    for string in _STRING_COLON.finditer(plain):
        if string[2]:
            names.add(string[1])
        n_bytes += width * len(string[1])
        if n_bytes + _NAME * len(names) > room:
            break
    return n_bytes + _NAME * len(names)


def _find(plain: bytes, pattern: re.Pattern[bytes]) -> int | None:
    """The first place outside strings where the pattern is found."""
    for token in _TOKEN.finditer(plain):
        if token[0][0] != ord('"') and (found := pattern.search(plain, token.start(), token.end())):
            return found.start()
    return None


@dataclass(slots=True)
class _Level:
    """A container that is open: the name, or the place in an array, of the value that is read."""

    is_array: bool
    index: int = 0
    name: str | None = None
    names: set[str] = field(default_factory=set)


def _levels(data: bytes, stop: int, *, to_repeated: bool = False) -> tuple[list[_Level], int]:
    """The containers that are open at a byte, or at the first name that its object has already, and that byte."""
    levels: list[_Level] = []
    before = b""
    for token in _TOKEN.finditer(_without_escapes(data), 0, stop):
        found = token[0].strip(_SPACES)
        if found in (b"[", b"{"):
            levels.append(_Level(is_array=found == b"["))
        elif found in (b"]", b"}"):
            del levels[-1:]
        elif levels and levels[-1].is_array:
            levels[-1].index += 0 if found[:1] == b'"' else found.count(b",")
        elif levels and found[:1] == found[-1:] == b'"' and before[-1:] in (b"{", b","):
            levels[-1].name = name = _name(data[token.start() : token.end()])
            if to_repeated and name in levels[-1].names:
                return levels, token.start()
            levels[-1].names.add(name)
        before = found or before
    return levels, stop


def _name(string: bytes) -> str:
    try:
        return str(json.loads(string))
    except ValueError:  # the error is after it, or in it
        return string.strip(b'"').decode("utf-8", "replace")


def _path(levels: list[_Level]) -> str:
    """The names and the places in arrays that lead to the value that is read."""
    parts: list[str] = []
    for level in levels:
        name = level.name
        if level.is_array:
            parts.append(f"[{level.index}]")
        elif name is None:
            continue
        elif name.isidentifier() and len(name) <= _MOST_SHOWN:
            parts.append(f".{name}" if parts else name)
        else:  # shown so that nothing in it can be taken for something else
            parts.append(f"[{name[:_MOST_SHOWN]!r}{'...' if len(name) > _MOST_SHOWN else ''}]")
    return "".join(parts)


def _refuse(data: bytes, at: int, what: str) -> NoReturn:
    raise JSONTextError(what, at, _path(_levels(data, at)[0])) from None


def _refuse_repeated_name(data: bytes) -> NoReturn:
    levels, at = _levels(data, len(data), to_repeated=True)
    raise JSONTextError("this key occurs twice in the object", at, _path(levels)) from None


def _refuse_depth(data: bytes, plain: bytes, most_depth: int) -> NoReturn:
    depth = 0
    for token in _TOKEN.finditer(plain):
        depth += (token[0] in b"[{") - (token[0] in b"]}")
        if depth > most_depth:
            _refuse(data, token.start(), f"objects and arrays are nested more than {most_depth} levels deep")
    raise AssertionError("the depth was counted before")
