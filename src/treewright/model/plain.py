"""Plain: results as plain Python that JSON can hold.

In: dataclasses, tuples, mappings and values of any type, as results are made of them. Out: dicts, lists, strings,
numbers, truth values and None; an endless number is the text "inf". A mapping whose keys are the user's classes
becomes a list of pairs, because JSON has no keys but strings, and 1 and "1" may both be classes.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite, isnan
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """The value in plain Python.

    >>> plain((np.int64(3), {"a": 0.5}, float("nan"), float("inf")))
    [3, [['a', 0.5]], None, 'inf']
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else str(value)
    if value is None or isinstance(value, str | float | int):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return [[plain(key), plain(item)] for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value)
