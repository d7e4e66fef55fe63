"""Fields: one object of a model file, read field by field.

In: an object as it was parsed. Out: its values, each of the type, length and range that was asked for, or a
ModelFormatError that names the field by its whole path. What is read is taken out, so that large arrays are not held
twice, and what nobody asked for is found at the end.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import countOf
from types import NoneType
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFormatError
from treewright.model.words import beginning, printable

LARGEST = float(np.finfo(np.float64).max)
EXACT = 2**53
"""Up to here a float is as good as a whole number."""

N_SHOWN = 60
"""Characters of a text out of a file that an error shows."""


class Fields:
    """An object of a file at a path such as "trees[0].surrogates"; the outermost one has no path.

    >>> fields = Fields({"name": "humidity", "weight": np.array([2.0, -1.0])}, "tree")
    >>> fields.text("name")
    'humidity'
    >>> fields.floats("weight", 2, low=0, high=9)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    treewright.errors.ModelFormatError: Field tree.weight holds -1.0 at place 1, but its numbers are from 0 to 9; ...
    """

    __slots__ = ("_members", "path")

    def __init__(self, members: dict[str, Any], path: str = "") -> None:
        self._members = members
        self.path = path

    def name(self, key: str) -> str:
        """The whole path of a field."""
        key = printable(beginning(key, N_SHOWN)) or "''"
        return f"{self.path}.{key}" if self.path else key

    def refuse(self, key: str, why: str) -> NoReturn:
        """Refuse a field: `why` goes on behind its name, as in "is not there"."""
        raise ModelFormatError(f"Field {self.name(key)} {why}; the file is damaged and has to be made again.")

    def has(self, key: str) -> bool:
        """Whether the field is there, be it null or not."""
        return key in self._members

    def left(self) -> list[str]:
        """The names of the fields that are not read yet."""
        return list(self._members)

    def is_null(self, key: str) -> bool:
        """Whether there is nothing to read: the field is null, which counts as read then, or is not there at all."""
        if self._members.get(key) is None:
            self._members.pop(key, None)
            return True
        return False

    def text(self, key: str) -> str:
        """A text."""
        value = self._take(key)
        if not isinstance(value, str):
            self.refuse(key, f"is {_shown(value)}, but has to be a text")
        return value

    def one_of(self, key: str, names: Iterable[str]) -> str:
        """A text that is one of these."""
        value, names = self._take(key), tuple(names)
        if not isinstance(value, str) or value not in names:
            self.refuse(key, f"is {_shown(value)}, but has to be one of {', '.join(map(repr, names))}")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value = self._take(key)
        if type(value) is not int or not low <= value <= high:
            self.refuse(key, f"is {_shown(value)}, but has to be a whole number from {low} to {high}")
        return value

    def number(self, key: str, low: float = -LARGEST, high: float = LARGEST) -> float:
        """A number from `low` to `high`; finite, unless one of them is not."""
        value = self._take(key)
        if not _is_number(value) or not low <= value <= high:
            self.refuse(key, f"is {_shown(value)}, but has to be a number from {_bound(low)} to {_bound(high)}")
        return float(value)

    def truth(self, key: str) -> bool:
        """True or false."""
        value = self._take(key)
        if type(value) is not bool:
            self.refuse(key, f"is {_shown(value)}, but has to be true or false")
        return value

    def ints(self, key: str, n: int | None, low: int, high: int) -> NDArray[np.int64]:
        """`n` whole numbers, or as many as there are, from `low` to `high`."""
        value = self._array(key, n)
        if value.dtype.kind != "i":
            self.refuse(key, "holds something else than whole numbers of 64 bits")
        value = value.astype(np.int64, copy=False)
        self._in_range(key, value, (value < low) | (value > high), f"from {low} to {high}")
        return value

    def floats(
        self, key: str, n: int | None, *, low: float = -LARGEST, high: float = LARGEST, nan: bool = False
    ) -> NDArray[np.float64]:
        """`n` numbers, or as many as there are, from `low` to `high`; null is NaN, where there may be some."""
        value = self._array(key, n)
        if value.dtype.kind == "i":  # some programs write 1.0 as 1
            self._in_range(key, value, (value > EXACT) | (value < -EXACT), "of no more than 53 bits where whole")
            value = value.astype(np.float64)
        known = (value >= low) & (value <= high)
        wrong = ~(known | np.isnan(value)) if nan else ~known
        self._in_range(key, value, wrong, f"from {_bound(low)} to {_bound(high)}" + (" or null" if nan else ""))
        return value

    def numbers(self, key: str, n: int | None) -> NDArray[Any]:
        """`n` numbers of any size, int64 where all are whole, otherwise float64; null is NaN."""
        value = self._array(key, n)
        return value.astype(np.int64 if value.dtype.kind == "i" else np.float64, copy=False)

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        found = self._list(key)
        for i, value in enumerate(found):
            if not isinstance(value, str):
                self.refuse(key, f"holds {_shown(value)} at place {i}, but has to hold texts")
        return found

    def values(self, key: str) -> list[Any]:
        """A list of texts, truth values and numbers; none of them null or NaN."""
        found = self._list(key)
        for i, value in enumerate(found):
            if type(value) not in (str, bool, int, float) or value != value:
                self.refuse(key, f"holds {_shown(value)} at place {i}, but has to hold texts, numbers or truth values")
        return found

    def plain(self, key: str) -> Any:
        """Whatever there is: what reads it has to check it."""
        return self._take(key)

    def inner(self, key: str) -> "Fields":
        """An object within this one."""
        value = self._take(key)
        if not isinstance(value, dict):
            self.refuse(key, f"is {_shown(value)}, but has to be an object")
        return Fields(value, self.name(key))

    def maybe(self, key: str) -> "Fields | None":
        """An object within this one; None where there is null, or nothing."""
        return None if self.is_null(key) else self.inner(key)

    def each(self, key: str) -> "Iterator[Fields]":
        """The objects of a list, one after the other; what was read of them is no longer held."""
        found = self._take(key)
        if not isinstance(found, list):
            self.refuse(key, f"is {_shown(found)}, but has to be a list of objects")
        found.reverse()
        for i in range(len(found)):
            value = found.pop()
            if not isinstance(value, dict):
                self.refuse(key, f"holds {_shown(value)} at place {i}, but has to hold objects")
            yield Fields(value, f"{self.name(key)}[{i}]")

    def done(self) -> None:
        """Refuse the object when it has a field that nobody read."""
        for key in self._members:
            self.refuse(key, "is not known")

    def _take(self, key: str) -> Any:
        if key not in self._members:
            self.refuse(key, "is not there")
        return self._members.pop(key)

    def _list(self, key: str) -> list[Any]:
        value = self._take(key)
        if isinstance(value, np.ndarray):
            return value.tolist()
        if not isinstance(value, list):
            self.refuse(key, f"is {_shown(value)}, but has to be a list")
        return value

    def _array(self, key: str, n: int | None) -> NDArray[Any]:
        """An array of int64 or float64, of the right length."""
        value = self._take(key)
        if not isinstance(value, (np.ndarray, list)):
            self.refuse(key, f"is {_shown(value)}, but has to be a list of numbers")
        if n is not None and len(value) != n:
            self.refuse(key, f"holds {len(value)} values, but has to hold {n}")
        if isinstance(value, np.ndarray):
            return value
        # The last one: where leaves have null, the last node is one of them.
        kind = type(value[-1]) if value else int
        if kind in (int, float) and countOf(map(type, value), kind) == len(value):
            with suppress(OverflowError):
                return np.fromiter(value, np.int64 if kind is int else np.float64, len(value))
        if not {float, NoneType}.issuperset(map(type, value)):
            # A mixture: whole numbers among others, as some programs write 1.0, or something that is no number.
            for i, one in enumerate(value):
                if one is not None and not _is_number(one):
                    self.refuse(key, f"holds {_shown(one)} at place {i}, but has to hold numbers")
        return np.array([np.nan if one is None else one for one in value], np.float64)

    def _in_range(self, key: str, value: NDArray[Any], wrong: NDArray[np.bool_], said: str) -> None:
        if np.count_nonzero(wrong):
            place = int(wrong.argmax())
            found = value[place].item()
            self.refuse(key, f"holds {_shown(found)} at place {place}, but its numbers are {said}")


def _is_number(value: Any) -> bool:
    """Whether this is a number that a float holds exactly."""
    return type(value) is float or (type(value) is int and abs(value) <= EXACT)


def _bound(limit: float) -> str:
    if abs(limit) == LARGEST:
        return f"{limit:.2g}"
    return f"{limit:g}"


def _shown(value: Any) -> str:
    """A value out of a file, short and safe to print."""
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
    return beginning(printable(repr(value)), N_SHOWN)
