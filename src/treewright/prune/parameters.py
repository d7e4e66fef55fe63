"""Parameters of the methods: what a person wrote, checked.

In: a value as given. Out: the same, or a ParameterError that names the parameter and what it takes.
"""

from math import isfinite, nan
from numbers import Real

from treewright.errors import ParameterError


def at_least(name: str, value: object, low: float) -> float:
    """The number `value`, which is finite and not below `low`.

    >>> at_least("penalty", 1, 0)
    1.0
    """
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else nan
    if not (isfinite(number) and number >= low):
        raise ParameterError(f"{name}={value!r} cannot be used; give a number of at least {low:g}.")
    return number
