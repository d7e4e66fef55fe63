"""The JSON of model files, in one fixed form: keys in the given order, arrays on one line, floats with all digits.

The same document gives the same bytes on every machine. The standard library cannot write this form: it has no compact
arrays inside an indented document, and no infinity that other readers accept.
"""

import re
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError, KindError

INFINITE = "1e999"
"""Infinity: JSON has no word for it, but readers turn a number that is too large into infinity."""

MAX_ON_ONE_LINE = 4
"""An object with at most this many single values is written on one line."""

MAX_DIGITS, MAX_BITS = 400, 1328
"""The largest integer of a file; more digits take long to read."""

_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def dump(document: Mapping[str, Any]) -> bytes:
    """The bytes of a document: UTF-8, with a newline at the end.

    >>> print(dump({"kind": "tree", "weight": np.array([1.0, np.nan, np.inf]), "none": None, "inner": {}}).decode())
    {
     "kind": "tree",
     "weight": [1.0, null, 1e999],
     "none": null,
     "inner": {}
    }
    <BLANKLINE>
    """
    parts: list[str] = []
    _write_object(document, "\n", parts, spread=True)
    parts.append("\n")
    text = "".join(parts)
    if not text.isascii() and (found := _HALVES.search(text)):
        raise InputError(
            f"A name or value contains the surrogate pair {found[0]!a}, which a file cannot distinguish from the "
            "character itself; use the character."
        )
    # A lone surrogate has no bytes in UTF-8; backslashreplace writes the escape of JSON.
    return text.encode("utf-8", "backslashreplace")


def _write(value: Any, line: str, parts: list[str]) -> None:
    """Write a value; `line` is a newline and the indent of the object or list around it."""
    if isinstance(value, np.ndarray):
        parts.append(_numbers(value))
    elif isinstance(value, Mapping):
        _write_object(value, line, parts)
    elif isinstance(value, (list, tuple)):
        _write_list(value, line, parts)
    else:
        parts.append(_single(value))


def _write_object(members: Mapping[str, Any], line: str, parts: list[str], *, spread: bool = False) -> None:
    short = not spread and len(members) <= MAX_ON_ONE_LINE and not any(map(_is_large, members.values()))
    between, below = (", ", line) if short else ("," + line + " ", line + " ")
    parts.append("{" if short or not members else "{" + below)
    for i, (key, value) in enumerate(members.items()):
        parts.append((between if i else "") + encode_basestring(key) + ": ")
        _write(value, below, parts)
    parts.append("}" if short or not members else line + "}")


def _write_list(values: Sequence[Any], line: str, parts: list[str]) -> None:
    if not any(map(_is_large, values)):
        parts.append("[" + ", ".join(map(_single, values)) + "]")
        return
    below = line + " "
    for i, value in enumerate(values):
        parts.append(("," if i else "[") + below)
        _write(value, below, parts)
    parts.append(line + "]")


def _is_large(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple, np.ndarray))


def _numbers(array: NDArray[Any]) -> str:
    """Numbers on one line, a table row by row."""
    if array.dtype.kind not in "biuf":
        raise KindError(f"An array of {array.dtype} cannot be written to a model file; use numbers.")
    numbers = array.ravel().tolist()
    if array.dtype.kind == "b":
        return "[" + ", ".join("true" if number else "false" for number in numbers) + "]"
    text = ", ".join(map(repr, numbers))
    if array.dtype.kind == "f":
        text = text.replace("inf", INFINITE).replace("nan", "null")
    return f"[{text}]"


def _single(value: Any) -> str:
    """One value.

    >>> [_single(value) for value in ("é\\n", 1, 1.0, True, None, float("-inf"))]
    ['"é\\\\n"', '1', '1.0', 'true', 'null', '-1e999']
    """
    if value is None:
        return "null"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "null" if value != value else float.__repr__(value).replace("inf", INFINITE)
    if isinstance(value, int):
        if value.bit_length() > MAX_BITS:
            raise InputError(f"An integer of more than {MAX_DIGITS} digits cannot be written; use a string.")
        return int.__repr__(value)
    raise KindError(f"A {type(value).__name__} cannot be written to a model file; use strings, numbers or booleans.")
