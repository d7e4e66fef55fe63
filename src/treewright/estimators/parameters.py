"""Parameters of the estimators: checks of their values, which raise a ParameterError, and caches of what is read."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from inspect import Parameter, signature
from math import ceil, isfinite
from numbers import Integral, Real
from operator import attrgetter
from typing import Any, NamedTuple, TypeGuard, TypeVar

import numpy as np

from treewright.data.dataset import Dataset
from treewright.data.fixed_point import exact_sum
from treewright.errors import ParameterError
from treewright.grow.plan import MOST_BINS, Limits, Plan
from treewright.model.formatting import truncate
from treewright.model.strategies import STRATEGIES, TO_ALL

MAX_CALL_LENGTH = 700
"""Maximum length of a constructor call that is shown."""


@lru_cache(maxsize=256)
def parameter_defaults(kind: Callable[..., Any]) -> dict[str, Any]:
    """Return the constructor parameters of a class and their defaults, sorted by name."""
    found = signature(kind).parameters.values()
    return {
        one.name: one.default
        for one in sorted(found, key=_parameter_name)
        if one.kind is not Parameter.VAR_KEYWORD
    }


def constructor_defaults(model: Any) -> dict[str, Any]:
    """Return the constructor parameters of an estimator's class and their defaults, sorted by name."""
    kind: Any = type(model)
    return parameter_defaults(kind)


def constructor_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters of an estimator, sorted by name: scikit-learn's `get_params(deep=False)`.

    >>> from treewright import CARTClassifier
    >>> constructor_parameters(CARTClassifier(max_depth=3))["max_depth"]
    3
    """
    return {name: getattr(model, name) for name in constructor_defaults(model)}


def constructor_call(model: Any) -> str:
    """Return the constructor call of an estimator, with the parameters that differ from their defaults.

    >>> from treewright import CARTClassifier
    >>> constructor_call(CARTClassifier(max_depth=3, criterion="entropy"))
    "CARTClassifier(criterion='entropy', max_depth=3)"
    """
    usual = constructor_defaults(model)
    given = {name: repr(value) for name, value in constructor_parameters(model).items()}
    changed = ", ".join(f"{name}={value}" for name, value in given.items() if value != repr(usual[name]))
    return truncate(f"{type(model).__name__}({changed})", MAX_CALL_LENGTH)


def _parameter_name(parameter: Parameter) -> str:
    return parameter.name



T = TypeVar("T")

CACHE_SIZE = 256
NOT_IN_PLAN = frozenset(
    {
        "categorical_features", "ccp_alpha", "class_weight", "cost_matrix", "min_weight_fraction_leaf", "monotonic_cst",
        "n_jobs", "pre_pruning", "priors", "probability", "pruning", "size", "smoothing", "validation_fraction",
    }
)  # fmt: skip
"""Parameters that do not affect the plan; the values of some cannot be hashed."""


def cached_by_value(read: Callable[..., T]) -> Callable[..., T]:
    """Cache the results of a function by its arguments and their types; unhashable arguments are passed on.

    >>> cached_by_value(max)(3, 5)
    5
    """
    kept = lru_cache(maxsize=CACHE_SIZE, typed=True)(read)

    @wraps(read)
    def cached(*given: object, **named: object) -> T:
        try:
            return kept(*given, **named)
        except TypeError:  # not hashable; the function raises an error about the value
            return read(*given, **named)

    return cached


def cached_by_parameters(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """Cache the result of a method that depends only on the estimator's parameters, without those of NOT_IN_PLAN.

    Values of different types are different: 1 and True.
    """
    kept: dict[Any, T] = {}

    @wraps(read)
    def cached(self: Any) -> T:
        kind: Any = type(self)
        given = _parameter_getter(kind)(self)
        key = kind, given, tuple(map(type, given))
        try:
            found = kept.get(key)
        except TypeError:
            return read(self)
        if found is not None:
            return found
        found = read(self)
        if len(kept) >= CACHE_SIZE:
            kept.clear()
        kept[key] = found
        return found

    return cached


@lru_cache(maxsize=CACHE_SIZE)
def _parameter_getter(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads the parameters about growth from an estimator of this class."""
    return attrgetter(*(name for name in parameter_defaults(kind) if name not in NOT_IN_PLAN))


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer; True and False are not.

    >>> is_integer(3), is_integer(3.0), is_integer(True)
    (True, False, False)
    """
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def read_integer(name: str, value: object, low: int) -> int:
    """Return `value` if it is an integer of at least `low`; otherwise raise a ParameterError.

    >>> read_integer("max_depth", 3, low=1)
    3
    """
    if not is_integer(value) or value < low:
        raise ParameterError(f"{name} must be an integer of at least {low}, got {value!r}.")
    return int(value)


def read_integer_or_none(name: str, value: object, low: int) -> int | None:
    """The same as `read_integer`, where None means no limit.

    >>> read_integer_or_none("max_leaf_nodes", None, low=2) is None
    True
    """
    if value is None:
        return None
    if not is_integer(value) or value < low:
        raise ParameterError(f"{name} must be an integer of at least {low}, or None for no limit, got {value!r}.")
    return int(value)


def read_count_or_fraction(name: str, value: object, low: int, top: str) -> float:
    """Return a minimum: an integer of at least `low`, or a fraction of the table.

    `top` says whether the fraction may be 1: "below 1" or "at most 1".

    >>> read_count_or_fraction("min_samples_leaf", 0.1, low=1, top="below 1")
    0.1
    """
    if is_integer(value):
        if value >= low:
            return int(value)
    elif isinstance(value, Real) and not isinstance(value, bool):
        fraction = float(value)
        if 0.0 < fraction < 1.0 or (fraction == 1.0 and top == "at most 1"):
            return fraction
    raise ParameterError(
        f"{name} must be an integer of at least {low}, or a fraction of the table above 0 and {top}, got {value!r}."
    )


def read_bool(name: str, value: object) -> bool:
    """Return `value` if it is True or False; otherwise raise a ParameterError.

    >>> read_bool("collapse", True)
    True
    """
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name} must be True or False, got {value!r}.")
    return bool(value)


@cached_by_value
def read_limits(
    *,
    max_depth: object,
    min_samples_split: object,
    min_samples_leaf: object,
    min_impurity_decrease: object,
    max_leaf_nodes: object,
) -> Limits:
    """Return the limits of growth, checked; minimums given as fractions stay fractions.

    >>> read_limits(max_depth=3, min_samples_split=2, min_samples_leaf=0.1, min_impurity_decrease=0.0,
    ...             max_leaf_nodes=None).min_leaf
    0.1
    """
    gain = min_impurity_decrease
    if not isinstance(gain, Real) or isinstance(gain, bool) or not (float(gain) >= 0.0 and isfinite(gain)):
        raise ParameterError(f"min_impurity_decrease must be a number of at least 0, got {gain!r}.")
    return Limits(
        max_depth=read_integer_or_none("max_depth", max_depth, low=1),
        min_split=read_count_or_fraction("min_samples_split", min_samples_split, low=2, top="at most 1"),
        min_leaf=read_count_or_fraction("min_samples_leaf", min_samples_leaf, low=1, top="below 1"),
        min_gain=float(gain),
        max_leaves=read_integer_or_none("max_leaf_nodes", max_leaf_nodes, low=2),
    )


def with_split_twice_leaf(limits: Limits) -> Limits:
    """Return the limits with a split minimum of twice the leaf minimum; a fraction stays a fraction, at most 1.

    >>> with_split_twice_leaf(Limits(min_leaf=3)).min_split
    6
    """
    twice = 2 * limits.min_leaf
    return replace(limits, min_split=min(1.0, twice) if limits.min_leaf < 1 else twice)


def read_max_bins(value: object) -> int | None:
    """Check `max_bins`.

    >>> read_max_bins(255), read_max_bins(None)
    (255, None)
    """
    if value is None:
        return None
    if not is_integer(value) or not 2 <= value <= MOST_BINS:
        raise ParameterError(
            f"max_bins must be an integer from 2 to {MOST_BINS}, or None to keep all values, got {value!r}."
        )
    return int(value)


def read_weight_fraction(value: object) -> float:
    """Check `min_weight_fraction_leaf`: two branches cannot both hold more than half.

    >>> read_weight_fraction(0.01)
    0.01
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 <= float(value) <= 0.5:
        raise ParameterError(f"min_weight_fraction_leaf must be a number from 0 to 0.5, got {value!r}.")
    return float(value)


class TableSize(NamedTuple):
    """The size of a training table, without rows of weight 0.

    n_rows       the rows
    weight       the sum of their weights
    is_counted   whether all weights are whole numbers
    has_missing  whether a value is missing
    """

    n_rows: int
    weight: float
    is_counted: bool
    has_missing: bool


def resolve_limits(plan: Plan, dataset: Dataset, min_weight_fraction: float) -> Plan:
    """Return the plan for a table: minimums that are fractions of it become counts and weights."""
    limits = plan.limits
    if limits.min_split > 1 and limits.min_leaf >= 1 and min_weight_fraction == 0.0:
        return plan
    return limits_for(plan, _table_size(dataset), min_weight_fraction)


def limits_for(plan: Plan, size: TableSize, min_weight_fraction: float) -> Plan:
    """Return the plan for a table of this size.

    A fraction is rounded up; counts are at least 2 (split) and 1 (leaf), so a smaller number can only be a fraction.
    `min_weight_fraction` is the minimum fraction of the total weight in a branch.

    >>> limits_for(Plan(limits=Limits(min_leaf=0.1)), TableSize(25, 25.0, True, False), 0.0).limits.min_leaf
    3
    """
    limits = plan.limits
    # If rows are divided among branches, minimums count weight, whatever the algorithm.
    divided = STRATEGIES[plan.missing].goes == TO_ALL and size.has_missing
    # If not all weights are integers, minimums count mean weights, so that a row is 1 on average.
    total = size.weight if (divided or plan.minimum == "weight") and size.is_counted else size.n_rows
    limits = replace(
        limits,
        min_split=max(2, ceil(limits.min_split * total)) if limits.min_split <= 1 else limits.min_split,
        min_leaf=max(1, ceil(limits.min_leaf * total)) if limits.min_leaf < 1 else limits.min_leaf,
        min_leaf_weight=min_weight_fraction * size.weight,
    )
    return replace(plan, limits=limits)


def _table_size(dataset: Dataset) -> TableSize:
    if dataset.weight is None:
        has_missing = bool(np.isnan(dataset.values).any())
        return TableSize(dataset.n_rows, dataset.n_rows, is_counted=True, has_missing=has_missing)
    known = dataset.weight > 0
    is_counted = bool(np.all(dataset.weight == np.floor(dataset.weight)))
    has_missing = bool(np.isnan(dataset.values[known]).any())
    return TableSize(int(np.count_nonzero(known)), exact_sum(dataset.weight), is_counted, has_missing)


def count_threads(n_jobs: object) -> int:
    """Return the number of threads: None is 1, -1 all cores, -2 all but one and so on.

    If joblib runs several fits at the same time, a fit uses no more threads than joblib leaves it, so that together
    they do not use more threads than there are cores.

    >>> count_threads(None), count_threads(3)
    (1, 3)
    """
    if n_jobs is None:
        return 1
    if not is_integer(n_jobs) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs must be a number of threads, -1 for all cores, or None for one, got {n_jobs!r}."
        )
    n_threads = int(n_jobs)
    if n_threads < 0:
        from joblib import cpu_count

        n_threads = max(1, cpu_count() + 1 + n_threads)
    if n_threads == 1:
        return 1
    # joblib has been imported if it runs this fit.
    joblib = sys.modules.get("joblib.parallel")
    if joblib is None or not joblib.get_active_backend()[0].nesting_level:
        return n_threads
    left = os.environ.get("OMP_NUM_THREADS", "")  # joblib sets it for its processes; its threads have one each
    return min(n_threads, int(left) if left.isdecimal() else 1)
