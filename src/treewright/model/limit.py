"""Limit: how much is shown, as it was asked for.

In: a number of rows, rules, nodes or levels, or None for all. Out: the same, checked.
"""

from operator import index

from treewright.errors import ParameterError


def read_limit(name: str, value: object, what: str = "limit", low: int = 0) -> int | None:
    """A whole number from `low` on, or None for no limit.

    >>> read_limit("max_depth", 3), read_limit("max_depth", None)
    (3, None)
    """
    if value is None:
        return None
    try:
        limit = low - 1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        limit = low - 1
    if limit < low:
        raise ParameterError(f"{name}={value!r} is not a {what}; give a whole number from {low} on, or None.")
    return int(limit)
