"""Parameters of the estimators: from what the user wrote to the numbers a plan holds.

In: parameter values as given. Out: checked values, or a ParameterError that names the parameter and what it takes.
"""

import os
import sys
from dataclasses import replace
from math import ceil, isfinite
from numbers import Integral, Real
from typing import TypeGuard

import numpy as np

from treewright.data.dataset import Dataset
from treewright.data.units import exact_sum
from treewright.errors import ParameterError
from treewright.estimators.remembering import remembered
from treewright.grow.plan import MOST_BINS, Limits, Plan
from treewright.model.strategies import SHARES, STRATEGIES


def is_whole(value: object) -> TypeGuard[int]:
    """Whether this is a whole number; True and False are not.

    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def whole(name: str, value: object, low: int) -> int:
    """The whole number `value`, which is at least `low`.

    >>> whole("max_depth", 3, low=1)
    3
    """
    if not is_whole(value) or value < low:
        raise ParameterError(f"{name}={value!r} cannot be used; give a whole number of at least {low}.")
    return int(value)


def whole_or_none(name: str, value: object, low: int) -> int | None:
    """The same, where None stands for no limit.

    >>> whole_or_none("max_leaf_nodes", None, low=2) is None
    True
    """
    if value is None:
        return None
    if not is_whole(value) or value < low:
        raise ParameterError(
            f"{name}={value!r} cannot be used; give a whole number of at least {low}, or None for no limit."
        )
    return int(value)


def count_or_share(name: str, value: object, low: int, top: str) -> float:
    """A minimum: a whole number of at least `low`, or a share of the table.

    `top` says whether the share may be 1: "below 1" or "at most 1".

    >>> count_or_share("min_samples_leaf", 0.1, low=1, top="below 1")
    0.1
    """
    if is_whole(value):
        if value >= low:
            return int(value)
    elif isinstance(value, Real) and not isinstance(value, bool):
        share = float(value)
        if 0.0 < share < 1.0 or (share == 1.0 and top == "at most 1"):
            return share
    raise ParameterError(
        f"{name}={value!r} cannot be used; give a whole number of at least {low}, "
        f"or a share of the table above 0 and {top}."
    )


def switch(name: str, value: object) -> bool:
    """The truth value `value`.

    >>> switch("collapse", True)
    True
    """
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name}={value!r} cannot be used; give True or False.")
    return bool(value)


@remembered
def read_limits(
    *,
    max_depth: object,
    min_samples_split: object,
    min_samples_leaf: object,
    min_impurity_decrease: object,
    max_leaf_nodes: object,
) -> Limits:
    """The limits of growth, checked; a minimum given as a share is still a share.

    >>> read_limits(max_depth=3, min_samples_split=2, min_samples_leaf=0.1, min_impurity_decrease=0.0,
    ...             max_leaf_nodes=None).min_leaf
    0.1
    """
    gain = min_impurity_decrease
    if not isinstance(gain, Real) or isinstance(gain, bool) or not (float(gain) >= 0.0 and isfinite(gain)):
        raise ParameterError(f"min_impurity_decrease={gain!r} cannot be used; give a number of at least 0.")
    return Limits(
        max_depth=whole_or_none("max_depth", max_depth, low=1),
        min_split=count_or_share("min_samples_split", min_samples_split, low=2, top="at most 1"),
        min_leaf=count_or_share("min_samples_leaf", min_samples_leaf, low=1, top="below 1"),
        min_gain=float(gain),
        max_leaves=whole_or_none("max_leaf_nodes", max_leaf_nodes, low=2),
    )


def twice_the_leaf(limits: Limits) -> Limits:
    """The limits whose split minimum is twice the leaf minimum; a share stays a share, at most the whole.

    >>> twice_the_leaf(Limits(min_leaf=3)).min_split
    6
    """
    twice = 2 * limits.min_leaf
    return replace(limits, min_split=min(1.0, twice) if limits.min_leaf < 1 else twice)


def bins_or_none(value: object) -> int | None:
    """`max_bins`, checked.

    >>> bins_or_none(255), bins_or_none(None)
    (255, None)
    """
    if value is None:
        return None
    if not is_whole(value) or not 2 <= value <= MOST_BINS:
        raise ParameterError(
            f"max_bins={value!r} cannot be used; give a whole number from 2 to {MOST_BINS}, or None to keep all values."
        )
    return int(value)


def weight_share(value: object) -> float:
    """`min_weight_fraction_leaf`, checked: two branches cannot both hold more than half.

    >>> weight_share(0.01)
    0.01
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 <= float(value) <= 0.5:
        raise ParameterError(
            f"min_weight_fraction_leaf={value!r} cannot be used; give a number from 0 to 0.5."
        )
    return float(value)


def settle(plan: Plan, dataset: Dataset, share: float) -> Plan:
    """The plan for this table: minimums that are shares of it become counts and weights.

    A minimum given as a share is rounded up; counts are 2 (split) and 1 (leaf) or more, so that a smaller number can
    only be a share. `share` is the least share of the table's weight in a branch.
    """
    limits = plan.limits
    if limits.min_split > 1 and limits.min_leaf >= 1 and share == 0.0:
        return plan
    # Where rows are shared out among branches, minimums count weight, whatever the algorithm.
    shared = STRATEGIES[plan.missing].goes == SHARES and _has_hole(dataset)
    total = _total("weight" if shared else plan.minimum, dataset)
    weight = dataset.n_rows if dataset.weight is None else exact_sum(dataset.weight)
    limits = replace(
        limits,
        min_split=max(2, ceil(limits.min_split * total)) if limits.min_split <= 1 else limits.min_split,
        min_leaf=max(1, ceil(limits.min_leaf * total)) if limits.min_leaf < 1 else limits.min_leaf,
        min_leaf_weight=share * weight,
    )
    return replace(plan, limits=limits)


def _total(minimum: str, dataset: Dataset) -> float:
    """What the minimums count, over the whole table; rows of weight 0 are not in it."""
    weight = dataset.weight
    if weight is None:
        return dataset.n_rows
    # Weights that are not all whole: a plan counts in mean weights, so that a row is 1 on average.
    if minimum == "weight" and bool(np.all(weight == np.floor(weight))):
        return float(weight.sum())
    return int(np.count_nonzero(weight))


def _has_hole(dataset: Dataset) -> bool:
    """Whether a cell is missing in a row that counts."""
    values = dataset.values if dataset.weight is None else dataset.values[dataset.weight > 0]
    return bool(np.isnan(values).any())


def count_cores(n_jobs: object) -> int:
    """The number of threads: None is 1, -1 all cores, -2 all but one and so on.

    Where joblib runs several fits at a time, a fit has no more threads than joblib leaves it, so that all together are
    not more than the cores.

    >>> count_cores(None), count_cores(3)
    (1, 3)
    """
    if n_jobs is None:
        return 1
    if not is_whole(n_jobs) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs={n_jobs!r} cannot be used; give a number of threads, -1 for all cores, or None for one."
        )
    n_threads = int(n_jobs)
    if n_threads < 0:
        from joblib import cpu_count

        n_threads = max(1, cpu_count() + 1 + n_threads)
    if n_threads == 1:
        return 1
    # Who runs fits by joblib has imported it.
    joblib = sys.modules.get("joblib.parallel")
    if joblib is None or not joblib.get_active_backend()[0].nesting_level:
        return n_threads
    left = os.environ.get("OMP_NUM_THREADS", "")  # what joblib tells its processes; its threads have one each
    return min(n_threads, int(left) if left.isdecimal() else 1)
