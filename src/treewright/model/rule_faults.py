"""Faults of a prediction rule: the first invalid field of a rule, and what is wrong with it.

In: a rule, or any object with its fields, from a user or from a file. Out: a `Fault`, or None.
"""

from math import isfinite
from typing import Any, NamedTuple

import numpy as np

PROBABILITIES = ("frequency", "laplace", "m-estimate", "shrinkage")
"""Estimators of class probabilities; `PredictionRule` defines them."""

FOR_NUMBERS = ("frequency", "shrinkage")
"""Those that a regression tree can have: the means of its nodes as they are, and shrunken means."""

LEAST_FACTOR = 5e-324
"""The smallest number above 0."""

TOLERANCE = 1e-6
"""How far the sum of a prior may be from 1."""


class Fault(NamedTuple):
    """What is wrong with a field of a prediction rule; `why` follows the name of the field, as in "must be ..."."""

    field: str
    why: str


def find_fault(rule: Any, n_classes: int | None = None) -> Fault | None:
    """Find the first invalid field of a rule, or of an object with the same fields; None when the rule is valid.

    n_classes  the number of classes; None where it is unknown

    >>> from treewright.model.prediction_rule import PredictionRule
    >>> find_fault(PredictionRule(factors=(0.5, 2.0)), 3)
    Fault(field='factors', why='must have 3 numbers, one for each class, got 2')
    """
    faults = {
        "probability": _fault_of_name(rule.probability),
        "amount": _fault_of_amount(rule),
        "row_weight": None
        if _is_number(rule.row_weight) and rule.row_weight > 0
        else f"must be a number above 0, got {rule.row_weight!r}",
        "prior": _fault_of_prior(rule, n_classes),
        "factors": _fault_of_numbers(rule.factors, LEAST_FACTOR, n_classes),
        "costs": _fault_of_costs(rule.costs, n_classes),
    }
    return next((Fault(name, why) for name, why in faults.items() if why is not None), None)


def find_fault_for_target(rule: Any, *, is_number: bool, n_classes: int) -> Fault | None:
    """Find the first field of a rule that is invalid in a tree with this target.

    >>> from treewright.model.prediction_rule import PredictionRule
    >>> find_fault_for_target(PredictionRule("laplace"), is_number=True, n_classes=0).field
    'probability'
    """
    fault = find_fault(rule, None if is_number else n_classes)
    if fault is not None or not is_number:
        return fault
    because = "because the tree predicts a number"
    if rule.probability not in FOR_NUMBERS:
        return Fault("probability", f"must be {' or '.join(FOR_NUMBERS)}, {because}, got {rule.probability!r}")
    given = [name for name in ("costs", "factors") if getattr(rule, name) is not None]
    return Fault(given[0], f"must be None, {because}") if given else None


def _fault_of_name(name: object) -> str | None:
    if isinstance(name, str) and name in PROBABILITIES:
        return None
    return f"must be one of {', '.join(PROBABILITIES)}, got {name!r}"


def _fault_of_amount(rule: Any) -> str | None:
    amount = rule.amount
    if not _is_number(amount) or amount < 0:
        return f"must be a number of at least 0, got {amount!r}"
    if amount and rule.probability in ("frequency", "laplace"):
        return f"must be 0 when `probability` is {rule.probability!r}, got {amount!r}"
    return None


def _fault_of_prior(rule: Any, n_classes: int | None) -> str | None:
    prior = rule.prior
    if prior is None:
        return None
    if rule.probability != "m-estimate":
        return f"must be None when `probability` is {rule.probability!r}"
    why = _fault_of_numbers(prior, 0.0, n_classes)
    if why is None and not abs(sum(prior) - 1.0) <= TOLERANCE:
        why = f"must sum to 1, got the sum {sum(prior)!r}"
    return why


def _is_number(value: object) -> bool:
    is_real = isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
    return is_real and isfinite(value)  # type: ignore[arg-type]


def _fault_of_numbers(given: Any, low: float, n: int | None) -> str | None:
    if given is None:
        return None
    if not isinstance(given, tuple) or not all(_is_number(one) and one >= low for one in given):
        return f"must be a tuple of numbers {'above 0' if low > 0 else 'of at least 0'}, got {given!r}"
    if n is not None and len(given) != n:
        return f"must have {n} numbers, one for each class, got {len(given)}"
    return None


def _fault_of_costs(costs: Any, n: int | None) -> str | None:
    if costs is None:
        return None
    if not isinstance(costs, tuple):
        return f"must be a tuple with a row of numbers for each class, got {costs!r}"
    if n is not None and len(costs) != n:
        return f"must have {n} rows, one for each class, got {len(costs)}"
    for true, row in enumerate(costs):
        why = _fault_of_numbers(row if row is not None else (), 0.0, len(costs))
        if why is not None:
            return f"is invalid in row {true}: the row {why}"
        if row[true] != 0:
            return f"is invalid in row {true}: the cost of the correct class must be 0, got {row[true]!r}"
    return None
