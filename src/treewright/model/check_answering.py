"""Check answering: what cannot be in an answering.

In: an Answering, whose fields may hold anything, and the number of classes. Out: the field that is wrong, and why.
"""

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from treewright.model.answering import Answering

PROBABILITIES = ("frequency", "laplace", "m-estimate", "shrinkage")
"""How a probability is estimated; Answering says how each one works."""

LEAST = 5e-324
"""The smallest number above 0."""

ONE = 1e-6
"""How far a prior may be from summing to 1."""


def fault_of(answering: "Answering", n_classes: int | None = None) -> tuple[str, str] | None:
    """The first field that cannot be, and why; None where all is well.

    n_classes  how many classes there are; None where that is not known

    >>> from treewright.model.answering import Answering
    >>> fault_of(Answering(factors=(0.5, 2.0)), 3)
    ('factors', 'has 2 numbers, but there are 3 classes')
    """
    whys = {
        "probability": _fault_of_name(answering.probability),
        "amount": _fault_of_amount(answering),
        "row_weight": None
        if _is_number(answering.row_weight) and answering.row_weight > 0
        else f"is {answering.row_weight!r}, but has to be a weight above 0",
        "prior": _fault_of_prior(answering, n_classes),
        "factors": _fault_of_list(answering.factors, LEAST, n_classes),
        "costs": _fault_of_costs(answering.costs, n_classes),
    }
    return next(((name, why) for name, why in whys.items() if why is not None), None)


def _fault_of_name(name: object) -> str | None:
    if isinstance(name, str) and name in PROBABILITIES:
        return None
    return f"is {name!r}, but has to be one of {', '.join(PROBABILITIES)}"


def _fault_of_amount(answering: "Answering") -> str | None:
    amount = answering.amount
    if not _is_number(amount) or amount < 0:
        return f"is {amount!r}, but has to be a number of at least 0"
    if amount and answering.probability in ("frequency", "laplace"):
        return f"is {amount!r}, but with {answering.probability!r} it is 0"
    return None


def _fault_of_prior(answering: "Answering", n_classes: int | None) -> str | None:
    prior = answering.prior
    if prior is None:
        return None
    if answering.probability != "m-estimate":
        return f"has no meaning with {answering.probability!r}"
    why = _fault_of_list(prior, 0.0, n_classes)
    if why is None and not abs(sum(prior) - 1.0) <= ONE:
        why = f"sums to {sum(prior)!r}, but has to sum to 1"
    return why


def _is_number(value: object) -> bool:
    known = isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
    return known and isfinite(value)  # type: ignore[arg-type]


def _fault_of_list(given: Any, low: float, n: int | None) -> str | None:
    if given is None:
        return None
    if not isinstance(given, tuple) or not all(_is_number(one) and one >= low for one in given):
        return f"is {given!r}, but has to hold numbers {'above 0' if low > 0 else 'of at least 0'}"
    if n is not None and len(given) != n:
        return f"has {len(given)} numbers, but there are {n} classes"
    return None


def _fault_of_costs(costs: Any, n: int | None) -> str | None:
    if costs is None:
        return None
    if not isinstance(costs, tuple):
        return f"is {costs!r}, but has to hold a row of numbers for each class"
    if n is not None and len(costs) != n:
        return f"has {len(costs)} rows, but there are {n} classes"
    for true, row in enumerate(costs):
        why = _fault_of_list(row if row is not None else (), 0.0, len(costs))
        if why is not None:
            return f"is wrong in row {true}: it {why}"
        if row[true] != 0:
            return f"is wrong in row {true}: the right answer costs {row[true]!r}, but has to cost 0"
    return None
