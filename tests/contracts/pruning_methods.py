"""The methods under contract, with parameters worth a run of their own, and the trees they are run on.

In: the registry. Out: `every`, a mark that runs a test with each method, for classes and for numbers; the cases; and
`results`, what each method makes of them, worked out once.
"""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.contracts.pruning import Case, built_case, grown_case, noisy_table
from tests.oracles.plans import NAMED, STRATEGIES, allows
from treewright.prune.method import GROWTH, TRAINING, Method
from treewright.prune.registry import METHODS

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "reduced_error": [{"ties": "keep"}, {"cost_matrix": {"k0": {"k1": 3.0}}}],
    "pessimistic": [{"penalty": 1.0, "standard_errors": 0.0}],
    "error_based": [
        {"raising": False},
        {"limit": "exact", "raising": False},
        {"limit": "exact", "confidence": 0.1},
        {"limit": "weka"},
    ],
    "cost_complexity": [
        {"alpha": 0.01},
        {"cp": 0.02},
        {"alpha": 0.01, "risk": "impurity"},
        {"choose": "validation"},
        {"choose": "validation", "standard_errors": 0.0},
        {"choose": "cv", "folds": 3},
        {"cost_matrix": {"k0": {"k1": 3.0}}, "alpha": 0.02},
    ],
    "minimum_error": [{"m": 2.0, "priors": "root"}, {"m": 12.0}, {"cost_matrix": {"k0": {"k1": 3.0}}}],
    "global": [{"standard_errors": 0.0}, {"standard_errors": 3.0}],
    "max_leaves": [{"leaves": 2}, {"leaves": 6}],
    "critical_value": [
        {"critical_value": 4.0},
        {"critical_value": 0.1, "measure": "merit"},
        {"choose": "significance"},
        {"choose": "validation"},
    ],
}
"""Parameters worth a run of their own; a method that is not here runs with its defaults."""


def configured(*, regression: bool = False) -> list[Method]:
    """Every method there is, with its defaults and with its variants; for regression those that are for it."""
    return [
        method(**given)
        for name, method in METHODS.items()
        for given in ({}, *VARIANTS.get(name, ()))
        if not regression or (method.for_numbers and "cost_matrix" not in given)
    ]


FOR_CLASSES = configured()
FOR_NUMBERS = configured(regression=True)
BOTH = [(method, False) for method in FOR_CLASSES] + [(method, True) for method in FOR_NUMBERS]
every = pytest.mark.parametrize(("method", "regression"), BOTH, ids=lambda x: repr(x) if isinstance(x, Method) else "")


def raises_branches(method: Method) -> bool:
    return bool(getattr(method, "raising", False))


def grows(method: Method) -> bool:
    """Whether the method grows trees on parts of the rows: what it does then depends on which rows come together."""
    return GROWTH in method.uses


@cache
def cases(regression: bool) -> tuple[Case, ...]:
    """Trees of every named algorithm, with weights and without, and of every strategy for missing values."""
    found = []
    for name, options in NAMED.items():
        if options.is_regression != regression:
            continue
        table = noisy_table(name, regression=regression)
        found.append(grown_case(name, options, table))
        rng = Random(name)
        weights = tuple(float(rng.randint(0, 3)) for _ in range(table.n_rows))
        found.append(grown_case((name, "weighted"), options, replace(table, weights=weights)))
    for missing in STRATEGIES:
        named = [o for o in NAMED.values() if o.is_regression == regression and allows(o, missing)]
        for i, options in enumerate(named[:3]):
            holed = noisy_table((missing, i), regression=regression, holes=0.1)
            found.append(grown_case((missing, i), replace(options, missing=missing), holed))
    return tuple(found)


@cache
def small_cases(regression: bool) -> tuple[Case, ...]:
    """Trees put together at random: empty branches, nodes of no gain, single leaves. No rows made them."""
    return tuple(built_case(("contract", number), regression=regression) for number in range(25))


def all_cases(method: Method, regression: bool) -> tuple[Case, ...]:
    if method.needs & {TRAINING, GROWTH}:
        return cases(regression)
    with_costs = getattr(method, "cost_matrix", None) is not None
    small = small_cases(regression)
    return cases(regression) + tuple(c for c in small if not with_costs or c.tree.schema.target.n_classes > 1)


_RESULTS: dict[tuple[str, bool], list[tuple[Case, Any]]] = {}


def results(method: Method, regression: bool) -> list[tuple[Case, Any]]:
    """Each case with what the method makes of it."""
    key = repr(method), regression
    if key not in _RESULTS:
        _RESULTS[key] = [(case, case.prune(method)) for case in all_cases(method, regression)]
    return _RESULTS[key]
