"""One object of a model file, read field by field.

`Fields` returns values of the expected type, length and range, or raises a ModelFormatError with the full path of the
field. A field that has been read is removed: large arrays are not kept twice, and unknown fields are found at the end.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import countOf
from types import NoneType
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFormatError
from treewright.model.formatting import printable, truncate

LARGEST = float(np.finfo(np.float64).max)
EXACT = 2**53
"""Integers up to this are exact as floats."""

N_SHOWN = 60
"""Characters of a value in a file that an error shows."""


class Fields:
    """An object of a file at a path such as "trees[0].surrogates"; the outermost object has no path.

    `version` is that of the format of the file; None for an object that is not from a file.

    >>> fields = Fields({"name": "humidity", "weight": np.array([2.0, -1.0])}, "tree")
    >>> fields.text("name")
    'humidity'
    >>> fields.floats("weight", 2, low=0, high=9)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    treewright.errors.ModelFormatError: Field tree.weight must hold numbers from 0 to 9, got -1.0 at index 1; ...
    """

    __slots__ = ("_members", "path", "version")

    def __init__(self, members: dict[str, Any], path: str = "", version: int | None = None) -> None:
        self._members = members
        self.path = path
        self.version = version

    def name(self, key: str) -> str:
        """The full path of a field."""
        key = printable(truncate(key, N_SHOWN)) or "''"
        return f"{self.path}.{key}" if self.path else key

    def refuse(self, key: str, why: str) -> NoReturn:
        """Raise the error of a field; `why` follows its name, as in "is missing"."""
        raise ModelFormatError(f"Field {self.name(key)} {why}; the file is damaged: fit and save the model again.")

    def has(self, key: str) -> bool:
        """Whether the object has the field, null or not."""
        return key in self._members

    def left(self) -> list[str]:
        """The names of the fields that have not been read."""
        return list(self._members)

    def is_null(self, key: str) -> bool:
        """Whether the field is null, which counts as reading it, or absent."""
        if self._members.get(key) is None:
            self._members.pop(key, None)
            return True
        return False

    def text(self, key: str) -> str:
        """A string."""
        value = self._take(key)
        if not isinstance(value, str):
            self.refuse(key, f"must be a string, got {_shown(value)}")
        return value

    def one_of(self, key: str, names: Iterable[str]) -> str:
        """A string that is one of these names."""
        value, names = self._take(key), tuple(names)
        if not isinstance(value, str) or value not in names:
            expected = ", ".join(map(repr, names))
            self.refuse(key, f"must be {'one of ' if len(names) > 1 else ''}{expected}, got {_shown(value)}")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        """An integer from `low` to `high`."""
        value = self._take(key)
        if type(value) is not int or not low <= value <= high:
            self.refuse(key, f"must be an integer from {low} to {high}, got {_shown(value)}")
        return value

    def number(self, key: str, low: float = -LARGEST, high: float = LARGEST) -> float:
        """A number from `low` to `high`, finite unless a bound is infinite."""
        value = self._take(key)
        if not _is_number(value) or not low <= value <= high:
            self.refuse(key, f"must be a number from {_bound(low)} to {_bound(high)}, got {_shown(value)}")
        return float(value)

    def truth(self, key: str) -> bool:
        """A boolean."""
        value = self._take(key)
        if type(value) is not bool:
            self.refuse(key, f"must be true or false, got {_shown(value)}")
        return value

    def ints(self, key: str, n: int | None, low: int, high: int) -> NDArray[np.int64]:
        """`n` integers, or any number of them, from `low` to `high`."""
        value = self._array(key, n)
        if value.dtype.kind != "i":
            self.refuse(key, "must hold 64-bit integers")
        value = value.astype(np.int64, copy=False)
        self._in_range(key, value, (value < low) | (value > high), f"from {low} to {high}")
        return value

    def floats(
        self, key: str, n: int | None, *, low: float = -LARGEST, high: float = LARGEST, nan: bool = False
    ) -> NDArray[np.float64]:
        """`n` numbers, or any number of them, from `low` to `high`; with `nan` null is read as NaN."""
        value = self._array(key, n)
        if value.dtype.kind == "i":  # some programs write 1.0 as 1
            self._in_range(key, value, (value > EXACT) | (value < -EXACT), "of at most 53 bits where they are integers")
            value = value.astype(np.float64)
        known = (value >= low) & (value <= high)
        wrong = ~(known | np.isnan(value)) if nan else ~known
        self._in_range(key, value, wrong, f"from {_bound(low)} to {_bound(high)}" + (" or null" if nan else ""))
        return value

    def numbers(self, key: str, n: int | None) -> NDArray[Any]:
        """`n` numbers of any size: int64 where all are integers, otherwise float64; null is NaN."""
        value = self._array(key, n)
        return value.astype(np.int64 if value.dtype.kind == "i" else np.float64, copy=False)

    def texts(self, key: str) -> list[str]:
        """A list of strings."""
        found = self._list(key)
        for i, value in enumerate(found):
            if not isinstance(value, str):
                self.refuse(key, f"must hold strings, got {_shown(value)} at index {i}")
        return found

    def values(self, key: str) -> list[Any]:
        """A list of strings, booleans and numbers, without null and NaN."""
        found = self._list(key)
        for i, value in enumerate(found):
            if type(value) not in (str, bool, int, float) or value != value:
                self.refuse(key, f"must hold strings, numbers or booleans, got {_shown(value)} at index {i}")
        return found

    def plain(self, key: str) -> Any:
        """Any value; the caller checks it."""
        return self._take(key)

    def inner(self, key: str) -> "Fields":
        """An object within this one."""
        value = self._take(key)
        if not isinstance(value, dict):
            self.refuse(key, f"must be an object, got {_shown(value)}")
        return Fields(value, self.name(key), self.version)

    def maybe(self, key: str) -> "Fields | None":
        """An object within this one; None where the field is null or absent."""
        return None if self.is_null(key) else self.inner(key)

    def each(self, key: str) -> "Iterator[Fields]":
        """The objects of a list, one after the other; each is removed when it is read."""
        found = self._take(key)
        if not isinstance(found, list):
            self.refuse(key, f"must be a list of objects, got {_shown(found)}")
        found.reverse()
        for i in range(len(found)):
            value = found.pop()
            if not isinstance(value, dict):
                self.refuse(key, f"must hold objects, got {_shown(value)} at index {i}")
            yield Fields(value, f"{self.name(key)}[{i}]", self.version)

    def done(self) -> None:
        """Refuse an object with a field that was not read."""
        for key in self._members:
            self.refuse(key, "is unknown")

    def _take(self, key: str) -> Any:
        if key not in self._members:
            self.refuse(key, "is missing")
        return self._members.pop(key)

    def _list(self, key: str) -> list[Any]:
        value = self._take(key)
        if isinstance(value, np.ndarray):
            return value.tolist()
        if not isinstance(value, list):
            self.refuse(key, f"must be a list, got {_shown(value)}")
        return value

    def _array(self, key: str, n: int | None) -> NDArray[Any]:
        """An array of int64 or float64, of the right length."""
        value = self._take(key)
        if not isinstance(value, (np.ndarray, list)):
            self.refuse(key, f"must be a list of numbers, got {_shown(value)}")
        if n is not None and len(value) != n:
            self.refuse(key, f"must hold {n} values, got {len(value)}")
        if isinstance(value, np.ndarray):
            return value
        # The last one: where leaves have null, the last node is one of them.
        kind = type(value[-1]) if value else int
        if kind in (int, float) and countOf(map(type, value), kind) == len(value):
            with suppress(OverflowError):
                return np.fromiter(value, np.int64 if kind is int else np.float64, len(value))
        if not {float, NoneType}.issuperset(map(type, value)):
            # A mixture: integers among floats, as some programs write 1.0, or something that is not a number.
            for i, one in enumerate(value):
                if one is not None and not _is_number(one):
                    self.refuse(key, f"must hold numbers, got {_shown(one)} at index {i}")
        return np.array([np.nan if one is None else one for one in value], np.float64)

    def _in_range(self, key: str, value: NDArray[Any], wrong: NDArray[np.bool_], expected: str) -> None:
        if np.count_nonzero(wrong):
            i = int(wrong.argmax())
            self.refuse(key, f"must hold numbers {expected}, got {_shown(value[i].item())} at index {i}")


def _is_number(value: Any) -> bool:
    """Whether this is a number that is exact as a float."""
    return type(value) is float or (type(value) is int and abs(value) <= EXACT)


def _bound(limit: float) -> str:
    if abs(limit) == LARGEST:
        return f"{limit:.2g}"
    return f"{limit:g}"


def _shown(value: Any) -> str:
    """A value of a file, short and safe to print."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, np.ndarray)):
        return "a list"
    if value is None or value != value:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very large number"
    return truncate(printable(repr(value)), N_SHOWN)
