"""Remembering: what parameters were read as, so that the same ones are read once.

In: a reader. Out: the same reader, quick where it was asked before. Parameters are told apart by their values and the
types of these: 1 and True are two things.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from operator import attrgetter
from typing import Any, TypeVar

from treewright.estimators.given_parameters import parameter_defaults

T = TypeVar("T")

MOST_KEPT = 256
NOT_GROWTH = frozenset(
    {
        "categorical_features", "ccp_alpha", "class_weight", "cost_matrix", "min_weight_fraction_leaf", "monotonic_cst",
        "n_jobs", "pre_pruning", "priors", "probability", "pruning", "smoothing", "validation_fraction",
    }
)  # fmt: skip
"""Parameters of estimators that say nothing about a plan; some of them have no hash."""


def remembered(read: Callable[..., T]) -> Callable[..., T]:
    """A reader that keeps what it answered, by what it was given.

    >>> remembered(max)(3, 5)
    5
    """
    kept = lru_cache(maxsize=MOST_KEPT, typed=True)(read)

    @wraps(read)
    def ask(*given: object, **named: object) -> T:
        try:
            return kept(*given, **named)
        except TypeError:  # what has no hash is refused in the reader's own words
            return read(*given, **named)

    return ask


def by_parameters(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """The same for a method of an estimator that reads nothing but its parameters, and none of NOT_GROWTH."""
    kept: dict[Any, T] = {}

    @wraps(read)
    def ask(self: Any) -> T:
        kind: Any = type(self)
        given = _reader(kind)(self)
        key = kind, given, tuple(map(type, given))
        try:
            found = kept.get(key)
        except TypeError:
            return read(self)
        if found is not None:
            return found
        found = read(self)
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = found
        return found

    return ask


@lru_cache(maxsize=MOST_KEPT)
def _reader(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Takes the parameters out of an estimator of this class."""
    return attrgetter(*(name for name in parameter_defaults(kind) if name not in NOT_GROWTH))
