"""Declared categories: which columns the user calls categorical, and the order of their categories where they have one.

In: the parameter `categorical_features` and the names of the columns. Out: one declaration per column.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from treewright.data.cells import is_missing, plain_value
from treewright.errors import ParameterError

FROM_DTYPE = "from_dtype"
CATEGORY = "category"
ADVICE = (
    f"give {FROM_DTYPE!r}, a list of names, a list of indices, a mask with a truth value per column, "
    f"or a mapping of names to {CATEGORY!r} or to categories from low to high"
)

Declaration = bool | tuple[object, ...]
"""Whether a column was declared categorical; the categories of an ordered one, low to high, declare it too."""


def declared_categories(categorical_features: Any, names: Sequence[str]) -> list[Declaration]:
    """What was declared of each column.

    Text, truth values and category types are categories in any case; declared numbers become categories too.

    >>> declared_categories(["size"], ("colour", "size"))
    [False, True]
    >>> declared_categories({"size": ["S", "M", "L"], "colour": "category"}, ("colour", "size"))
    [True, ('S', 'M', 'L')]
    """
    if isinstance(categorical_features, str) and categorical_features == FROM_DTYPE:
        return [False] * len(names)
    if type(categorical_features) is not list and isinstance(categorical_features, Mapping):
        return _mapped(categorical_features, names)
    try:
        if isinstance(categorical_features, (str, bytes)):
            raise TypeError
        items = list(categorical_features)
    except TypeError:
        raise ParameterError(f"categorical_features={categorical_features!r} is unknown; {ADVICE}.") from None
    if items and isinstance(items[0], (bool, np.bool_)) and all(isinstance(item, (bool, np.bool_)) for item in items):
        if len(items) != len(names):
            raise ParameterError(
                f"categorical_features is a mask of {len(items)} values, but the table has {len(names)} "
                "columns; give one value per column."
            )
        return [bool(item) for item in items]
    declared: list[Declaration] = [False] * len(names)
    for item in items:
        declared[_position(item, names)] = True
    return declared


def _mapped(given: Mapping[Any, Any], names: Sequence[str]) -> list[Declaration]:
    """The declarations of a mapping; two keys may not mean one column."""
    declared: list[Declaration] = [False] * len(names)
    for item, levels in given.items():
        place = _position(item, names)
        if declared[place] is not False:
            raise ParameterError(f"categorical_features declares the column {names[place]!r} twice; do it once.")
        declared[place] = True if isinstance(levels, str) and levels == CATEGORY else _levels(levels, item)
    return declared


def _levels(levels: Any, item: object) -> tuple[object, ...]:
    """The categories of an ordered column as plain values, each once and none of them missing."""
    who = f"categorical_features[{item!r}]"
    if isinstance(levels, (str, bytes, Mapping, set, frozenset)) or not isinstance(levels, Iterable):
        raise ParameterError(f"{who} is {levels!r}; give {CATEGORY!r}, or a list of categories from low to high.")
    plain = tuple(plain_value(level) for level in levels)
    if not plain:
        raise ParameterError(f"{who} has no categories; list them from low to high.")
    seen: set[object] = set()
    for level in plain:
        if is_missing(level):
            raise ParameterError(f"{who} has a missing value ({level!r}) among its categories; leave it out.")
        try:
            again = level in seen
        except TypeError:
            raise ParameterError(f"{who} holds {level!r}, which cannot be a category; list texts or numbers.") from None
        if again:
            raise ParameterError(f"{who} has the category {level!r} twice; name each once.")
        seen.add(level)
    return plain


def _position(item: Any, names: Sequence[str]) -> int:
    """The index of the column that the item names."""
    if type(item) is int and 0 <= item < len(names):
        return item
    if isinstance(item, str):
        if item in names:
            return list(names).index(item)
        close = get_close_matches(item, names) or list(names[:10])
        raise ParameterError(
            f"categorical_features names the column {item!r}, which the table does not have; "
            f"the closest names are {', '.join(map(repr, close))}."
        )
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        if 0 <= item < len(names):
            return int(item)
        raise ParameterError(
            f"categorical_features has the index {item}, but the columns are numbered 0 to {len(names) - 1} "
            f"({names[0]!r} to {names[-1]!r})."
        )
    raise ParameterError(f"categorical_features holds {item!r}; {ADVICE}.")
