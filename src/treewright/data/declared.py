"""Declared categories: which columns the user calls categorical.

In: the parameter `categorical_features` and the names of the columns. Out: one truth value per column.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from treewright.errors import ParameterError

FROM_DTYPE = "from_dtype"
ADVICE = f"give {FROM_DTYPE!r}, a list of names, a list of indices, or a mask with a truth value per column"


def declared_categories(categorical_features: Any, names: Sequence[str]) -> list[bool]:
    """One truth value per column: whether it was declared categorical.

    Text, truth values and category types are categories in any case; declared numbers become categories too.

    >>> declared_categories(["size"], ("colour", "size"))
    [False, True]
    """
    if isinstance(categorical_features, str) and categorical_features == FROM_DTYPE:
        return [False] * len(names)
    try:
        if isinstance(categorical_features, (str, bytes)):
            raise TypeError
        items = list(categorical_features)
    except TypeError:
        raise ParameterError(f"categorical_features={categorical_features!r} is unknown; {ADVICE}.") from None
    if items and all(isinstance(item, (bool, np.bool_)) for item in items):
        if len(items) != len(names):
            raise ParameterError(
                f"categorical_features is a mask of {len(items)} values, but the table has {len(names)} "
                "columns; give one value per column."
            )
        return [bool(item) for item in items]
    chosen = {_position(item, names) for item in items}
    return [i in chosen for i in range(len(names))]


def _position(item: Any, names: Sequence[str]) -> int:
    """The index of the column that the item names."""
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
