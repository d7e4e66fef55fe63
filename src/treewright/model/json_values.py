"""Results as values that JSON can hold.

A mapping becomes a list of pairs, because JSON has only strings as keys, and 1 and "1" may both be classes.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite, isnan
from typing import Any

import numpy as np


def to_json_value(value: Any) -> Any:
    """Return dicts, lists, strings, numbers, booleans and None for a result; NaN becomes None, infinity "inf".

    >>> to_json_value((np.int64(3), {"a": 0.5}, float("nan"), float("inf")))
    [3, [['a', 0.5]], None, 'inf']
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else str(value)
    if value is None or isinstance(value, str | float | int):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json_value(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return [[to_json_value(key), to_json_value(item)] for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [to_json_value(item) for item in value]
    return str(value)
