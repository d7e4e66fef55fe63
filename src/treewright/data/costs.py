"""Costs and priors: what a person says about the classes, in the order of a target's classes.

In: a cost matrix or priors as given, by class name or in order, and the target. Out: a checked array in the order of
its classes, or one sentence that says what is wrong.
"""

from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Target
from treewright.errors import InputError, KindError, ParameterError

FORMS = "an array with a row for each true class, a mapping {true: {answered: cost}}, or a pandas frame"


def plain_costs(cost_matrix: Any) -> Any:
    """A cost matrix that can be compared and stored with a method: rows of an array as tuples, a frame as a mapping.

    >>> plain_costs(np.array([[0.0, 1.0], [5.0, 0.0]]))
    ((0.0, 1.0), (5.0, 0.0))
    """
    if hasattr(cost_matrix, "columns"):
        return _frame_rows(cost_matrix)
    if isinstance(cost_matrix, np.ndarray) and cost_matrix.ndim == 2:
        return tuple(map(tuple, cost_matrix.tolist()))
    return cost_matrix


def cost_table(cost_matrix: Any, target: Target, weight: float = 1.0) -> NDArray[np.float64]:
    """What an answer costs, (true class, answered class) in the order of the target's classes.

    cost_matrix  an array in that order; a mapping {true class: {answered class: cost}}, where what is left out costs
                 0 for the right answer and 1 for a wrong one; or a pandas frame with the true classes as its index
                 and the answered ones as its columns
    weight       of the rows over which the costs are to be added up

    >>> cost_table({"yes": {"no": 5}}, Target(classes=("no", "yes")))
    array([[0., 1.],
           [5., 0.]])
    """
    classes = classes_of(target, "cost_matrix")
    cost_matrix = plain_costs(cost_matrix)
    by_name = isinstance(cost_matrix, Mapping)
    costs = _by_name(cost_matrix, classes) if by_name else _in_order(cost_matrix, len(classes))
    bad = ~(np.isfinite(costs) & (costs >= 0))
    if bad.any():
        true, answered = np.argwhere(bad)[0]
        raise ParameterError(
            f"cost_matrix has {costs[true, answered]:g} for {classes[answered]!r} answered where {classes[true]!r} "
            "is true; give a number of at least 0."
        )
    with np.errstate(over="ignore"):
        if not isfinite(costs.max() * max(weight, 1.0)):
            raise ParameterError("cost_matrix holds costs too large to add up; divide all of them by a constant.")
    return costs


def prior_shares(priors: Mapping[Any, Any], target: Target) -> NDArray[np.float64]:
    """The share each class is expected to have before any row is seen, from {class: prior} in any unit.

    >>> prior_shares({"yes": 3, "no": 1}, Target(classes=("no", "yes")))
    array([0.25, 0.75])
    """
    classes = classes_of(target, "priors")
    code = _codes(classes)
    known = np.full(len(classes), np.nan)
    for label, prior in priors.items():
        known[_code(label, code, "priors")] = _number(prior, f"priors has {prior!r} for {label!r}")
    if np.isnan(known).any():
        absent = classes[int(np.isnan(known).argmax())]
        raise ParameterError(f"priors has nothing for {absent!r}; give a prior for each class.")
    if not known.any():
        raise ParameterError("priors are all 0, so no shares can be made of them; give one class a number above 0.")
    known /= known.max()
    return known / known.sum()


def cost_factors(costs: NDArray[np.float64], totals: NDArray[Any]) -> NDArray[np.float64]:
    """What the weight of each class is multiplied by, so that classes weigh what their wrong answers cost.

    costs   (true class, answered class), 0 where the answer is right
    totals  the weight of each class, whose sum stays

    The factors are in proportion to the sum of the costs of a class (Breiman and others 1984, 4.4: altered priors).

    >>> cost_factors(np.array([[0.0, 1.0], [3.0, 0.0]]), np.array([6.0, 2.0])).round(4).tolist()
    [0.6667, 2.0]
    """
    of_class = (costs / costs.max()).sum(axis=1)
    return of_class * (totals.sum() / (of_class @ totals))


def classes_of(target: Target, parameter: str) -> tuple[Any, ...]:
    """The classes of a target that a parameter speaks of; a number has none.

    >>> classes_of(Target(classes=("no", "yes")), "priors")
    ('no', 'yes')
    """
    if target.classes is None:
        raise KindError(f"{parameter} is about classes, but this tree answers with a number; leave it out.")
    return target.classes


def _codes(classes: tuple[Any, ...]) -> dict[Any, int]:
    return {label: code for code, label in enumerate(classes)}


def _code(label: object, codes: Mapping[Any, int], parameter: str) -> int:
    if not isinstance(label, Hashable) or label not in codes:
        raise InputError(f"{parameter} names a class {label!r}; the classes are {', '.join(map(repr, codes))}.")
    return codes[label]


def _number(value: object, said: str) -> float:
    """A number of at least 0; `said` is the start of the sentence where it is none."""
    number = float(value) if isinstance(value, (Real, Decimal, np.bool_)) else np.nan
    if not (isfinite(number) and number >= 0):
        raise ParameterError(f"{said}; give a number of at least 0.")
    return number


def _by_name(given: Mapping[Any, Any], classes: tuple[Any, ...]) -> NDArray[np.float64]:
    codes = _codes(classes)
    costs = 1.0 - np.eye(len(classes))
    for true, row in given.items():
        if not isinstance(row, Mapping):
            raise ParameterError(
                f"cost_matrix has {row!r} for the true class {true!r}; give {{answered: cost}} for each true class."
            )
        i = _code(true, codes, "cost_matrix")
        for answered, cost in row.items():
            said = f"cost_matrix has {cost!r} for {answered!r} answered where {true!r} is true"
            costs[i, _code(answered, codes, "cost_matrix")] = _number(cost, said)
    return costs


def _in_order(given: Any, n_classes: int) -> NDArray[np.float64]:
    try:
        cells = np.asarray(given)
        if cells.dtype.kind not in "biufO":
            raise TypeError
        costs = cells.astype(np.float64)
    except (TypeError, ValueError):
        raise KindError(
            f"cost_matrix is a {type(given).__name__} that cannot be read as numbers; give {FORMS}."
        ) from None
    if costs.shape != (n_classes, n_classes):
        shape = " by ".join(map(str, costs.shape)) or "a single number"
        raise ParameterError(
            f"cost_matrix is {shape}, but the target has {n_classes} classes; give {n_classes} by {n_classes}, "
            "true classes as rows and answered ones as columns."
        )
    return costs


def _frame_rows(frame: Any) -> dict[Any, dict[Any, Any]]:
    """The rows of a pandas frame by name."""
    if not hasattr(frame, "index") or not hasattr(frame, "to_numpy"):
        raise KindError(f"cost_matrix is a {type(frame).__name__} without row names; give {FORMS}.")
    rows, columns = list(frame.index), list(frame.columns)
    for side, names in (("rows", rows), ("columns", columns)):
        _refuse_repeated(names, side)
    return {row: dict(zip(columns, cells, strict=True)) for row, cells in zip(rows, frame.to_numpy(), strict=True)}


def _refuse_repeated(names: Iterable[Any], side: str) -> None:
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise InputError(f"cost_matrix has several {side} named {name!r}; give each class one.")
        seen.add(name)
