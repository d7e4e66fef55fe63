"""The parameter `categorical_features`: which columns are categories, and the order of ordered ones.

In: the parameter and the names of the columns. Out: one declaration per column.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from treewright.data.cells import is_missing, plain_value
from treewright.errors import ParameterError

FROM_DTYPE = "from_dtype"
CATEGORY = "category"
EXPECTED = (
    f"{FROM_DTYPE!r}, a list of names, a list of indices, a boolean mask with a value per column, "
    f"or a mapping of names to {CATEGORY!r} or to categories from low to high"
)

Declaration = bool | tuple[object, ...]
"""Whether a column is declared as a category; for an ordered one its categories, low to high."""


def declared_categories(categorical_features: Any, names: Sequence[str]) -> list[Declaration]:
    """The declaration of each column.

    Strings, booleans and category types are always categories; numbers become categories if they are declared.

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
        raise ParameterError(f"`categorical_features` must be {EXPECTED}, got {categorical_features!r}.") from None
    if items and isinstance(items[0], (bool, np.bool_)) and all(isinstance(item, (bool, np.bool_)) for item in items):
        if len(items) != len(names):
            raise ParameterError(
                f"`categorical_features` must have one value per column, got a mask of {len(items)} values for "
                f"{len(names)} columns."
            )
        return [bool(item) for item in items]
    declared: list[Declaration] = [False] * len(names)
    for item in items:
        declared[_position(item, names)] = True
    return declared


def _mapped(given: Mapping[Any, Any], names: Sequence[str]) -> list[Declaration]:
    """The declarations of a mapping; two keys must not mean the same column."""
    declared: list[Declaration] = [False] * len(names)
    for item, levels in given.items():
        place = _position(item, names)
        if declared[place] is not False:
            raise ParameterError(f"`categorical_features` declares column {names[place]!r} twice; declare it once.")
        declared[place] = True if isinstance(levels, str) and levels == CATEGORY else _levels(levels, item)
    return declared


def _levels(levels: Any, item: object) -> tuple[object, ...]:
    """The categories of an ordered column as Python values, distinct and not missing."""
    who = f"`categorical_features[{item!r}]`"
    if isinstance(levels, (str, bytes, Mapping, set, frozenset)) or not isinstance(levels, Iterable):
        raise ParameterError(f"{who} must be {CATEGORY!r} or a list of categories from low to high, got {levels!r}.")
    plain = tuple(plain_value(level) for level in levels)
    if not plain:
        raise ParameterError(f"{who} is empty; list the categories from low to high.")
    seen: set[object] = set()
    for level in plain:
        if is_missing(level):
            raise ParameterError(f"{who} must not contain missing values, got {level!r}; remove it.")
        try:
            again = level in seen
        except TypeError:
            raise ParameterError(f"{who} must contain strings or numbers, got {level!r}.") from None
        if again:
            raise ParameterError(f"{who} contains the category {level!r} twice; list each category once.")
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
            f"Unknown column {item!r} in `categorical_features`; "
            f"the closest names are {', '.join(map(repr, close))}."
        )
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        if 0 <= item < len(names):
            return int(item)
        raise ParameterError(
            f"`categorical_features` must have indices from 0 to {len(names) - 1} ({names[0]!r} to {names[-1]!r}), "
            f"got {item}."
        )
    raise ParameterError(f"`categorical_features` must be {EXPECTED}, got {item!r} in it.")
