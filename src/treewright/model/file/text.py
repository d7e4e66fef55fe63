"""Text: a document as the bytes of a model file.

In: mappings, lists, arrays and single values. Out: JSON in one fixed form: keys in the order given, an array of single
values on one line, floats with all their digits. The same document gives the same bytes on every machine.
"""

import re
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError, KindError

INFINITE = "1e999"
"""Infinity: JSON has no word for it, but every reader makes infinity of a number that is too large."""

SHORT = 4
"""An object of no more than so many single values stands on one line."""

MOST_DIGITS, MOST_BITS = 400, 1328
"""Digits of a whole number that a file holds; more of them take long to read."""

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
            f"A name or value holds the two halves {found[0]!a} of one character, which a file cannot tell from "
            "the character itself; write it as one character."
        )
    # What has no bytes in UTF-8, half a character alone, is escaped here as JSON escapes it.
    return text.encode("utf-8", "backslashreplace")


def _write(value: Any, line: str, parts: list[str]) -> None:
    """Write a value; `line` is a new line with the indent of what the value stands in."""
    if isinstance(value, np.ndarray):
        parts.append(_numbers(value))
    elif isinstance(value, Mapping):
        _write_object(value, line, parts)
    elif isinstance(value, (list, tuple)):
        _write_list(value, line, parts)
    else:
        parts.append(_single(value))


def _write_object(members: Mapping[str, Any], line: str, parts: list[str], *, spread: bool = False) -> None:
    short = not spread and len(members) <= SHORT and not any(map(_is_large, members.values()))
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
    """Numbers on one line; those of a table row by row."""
    if array.dtype.kind not in "biuf":
        raise KindError(f"An array of {array.dtype} cannot be written to a model file; give numbers.")
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
        if value.bit_length() > MOST_BITS:
            raise InputError(f"A whole number of more than {MOST_DIGITS} digits cannot be written; turn it into text.")
        return int.__repr__(value)
    raise KindError(f"A {type(value).__name__} cannot be written to a model file; give text, numbers or truth values.")
