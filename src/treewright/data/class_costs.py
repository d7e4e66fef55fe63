"""Cost matrices and priors: parameters by class, in the order of a target's classes.

In: a cost matrix or priors as the user passed them, by class name or in order, and the target. Out: a checked array in
the order of its classes.
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

FORMS = "an array with a row for each true class, a mapping {true: {predicted: cost}}, or a pandas DataFrame"


def plain_cost_matrix(cost_matrix: Any) -> Any:
    """The cost matrix in a form that can be compared and stored: an array as tuples, a frame as a mapping.

    >>> plain_cost_matrix(np.array([[0.0, 1.0], [5.0, 0.0]]))
    ((0.0, 1.0), (5.0, 0.0))
    """
    if hasattr(cost_matrix, "columns"):
        return _frame_to_mapping(cost_matrix)
    if isinstance(cost_matrix, np.ndarray) and cost_matrix.ndim == 2:
        return tuple(map(tuple, cost_matrix.tolist()))
    return cost_matrix


def cost_array(cost_matrix: Any, target: Target, weight: float = 1.0) -> NDArray[np.float64]:
    """The misclassification costs, (true class, predicted class) in the order of the target's classes.

    Parameters
    ----------
    cost_matrix : array, mapping or pandas DataFrame
        An array in that order; a mapping {true class: {predicted class: cost}}, where costs that are left out are 0 for
        the true class and 1 for the others; or a frame with the true classes as index and the predicted ones as
        columns.
    target : Target
        The target, whose classes give the order.
    weight : float
        Total weight of the rows over which the costs will be summed.

    Examples
    --------
    >>> cost_array({"yes": {"no": 5}}, Target(classes=("no", "yes")))
    array([[0., 1.],
           [5., 0.]])
    """
    classes = require_classes(target, "cost_matrix")
    cost_matrix = plain_cost_matrix(cost_matrix)
    by_name = isinstance(cost_matrix, Mapping)
    costs = _read_mapping(cost_matrix, classes) if by_name else _read_array(cost_matrix, len(classes))
    bad = ~(np.isfinite(costs) & (costs >= 0))
    if bad.any():
        true, predicted = np.argwhere(bad)[0]
        raise _bad_cost(classes[true], classes[predicted], f"{costs[true, predicted]:g}")
    with np.errstate(over="ignore"):
        if not isfinite(costs.max() * max(weight, 1.0)):
            raise ParameterError("`cost_matrix` has costs too large to be summed; divide all of them by a constant.")
    return costs


def priors_array(priors: Mapping[Any, Any], target: Target) -> NDArray[np.float64]:
    """The prior probability of each class, from {class: prior} in any unit.

    >>> priors_array({"yes": 3, "no": 1}, Target(classes=("no", "yes")))
    array([0.25, 0.75])
    """
    classes = require_classes(target, "priors")
    codes = _codes(classes)
    known = np.full(len(classes), np.nan)
    for label, prior in priors.items():
        number = _to_number(prior)
        if number is None:
            raise ParameterError(f"`priors` must be numbers of at least 0, got {prior!r} for class {label!r}.")
        known[_code(label, codes, "priors")] = number
    if np.isnan(known).any():
        absent = classes[int(np.isnan(known).argmax())]
        raise ParameterError(f"`priors` has no entry for class {absent!r}; pass a prior for each class.")
    if not known.any():
        raise ParameterError("`priors` must have a number above 0 for at least one class, got only zeros.")
    known /= known.max()
    return known / known.sum()


def cost_factors(costs: NDArray[np.float64], totals: NDArray[Any]) -> NDArray[np.float64]:
    """The factor for the weight of each class that makes classes weigh what their errors cost.

    The factors are in proportion to the sum of the costs of a class (Breiman and others 1984, 4.4: altered priors).

    Parameters
    ----------
    costs : array of shape (n_classes, n_classes)
        Costs by true class and predicted class.
    totals : array of shape (n_classes,)
        The weight of each class. The sum of the weights does not change.

    Examples
    --------
    >>> cost_factors(np.array([[0.0, 1.0], [3.0, 0.0]]), np.array([6.0, 2.0])).round(4).tolist()
    [0.6667, 2.0]
    """
    of_class = (costs / costs.max()).sum(axis=1)
    return of_class * (totals.sum() / (of_class @ totals))


def require_classes(target: Target, parameter: str) -> tuple[Any, ...]:
    """The classes of the target; an error that names the parameter if the target is a number.

    >>> require_classes(Target(classes=("no", "yes")), "priors")
    ('no', 'yes')
    """
    if target.classes is None:
        raise KindError(f"`{parameter}` applies to classes only, but this tree predicts a number; leave it out.")
    return target.classes


def _codes(classes: tuple[Any, ...]) -> dict[Any, int]:
    return {label: code for code, label in enumerate(classes)}


def _code(label: object, codes: Mapping[Any, int], parameter: str) -> int:
    if not isinstance(label, Hashable) or label not in codes:
        known = ", ".join(map(repr, codes))
        raise InputError(f"`{parameter}` has the unknown class {label!r}; the classes are {known}.")
    return codes[label]


def _to_number(value: object) -> float | None:
    """The value as a finite number of at least 0; None if it is not one."""
    number = float(value) if isinstance(value, (Real, Decimal, np.bool_)) else np.nan
    return number if isfinite(number) and number >= 0 else None


def _bad_cost(true: object, predicted: object, cost: str) -> ParameterError:
    return ParameterError(
        f"`cost_matrix` must have numbers of at least 0, got {cost} for true class {true!r} and predicted class "
        f"{predicted!r}."
    )


def _read_mapping(given: Mapping[Any, Any], classes: tuple[Any, ...]) -> NDArray[np.float64]:
    codes = _codes(classes)
    costs = 1.0 - np.eye(len(classes))
    for true, row in given.items():
        if not isinstance(row, Mapping):
            raise ParameterError(
                f"`cost_matrix` must map each true class to {{predicted: cost}}, got {row!r} for true class {true!r}."
            )
        i = _code(true, codes, "cost_matrix")
        for predicted, cost in row.items():
            number = _to_number(cost)
            if number is None:
                raise _bad_cost(true, predicted, repr(cost))
            costs[i, _code(predicted, codes, "cost_matrix")] = number
    return costs


def _read_array(given: Any, n_classes: int) -> NDArray[np.float64]:
    try:
        cells = np.asarray(given)
        if cells.dtype.kind not in "biufO":
            raise TypeError
        costs = cells.astype(np.float64)
    except (TypeError, ValueError):
        raise KindError(
            f"`cost_matrix` of type {type(given).__name__} cannot be converted to numbers; pass {FORMS}."
        ) from None
    if costs.shape != (n_classes, n_classes):
        shape = " by ".join(map(str, costs.shape)) or "a single number"
        raise ParameterError(
            f"`cost_matrix` must be {n_classes} by {n_classes}, with true classes as rows and predicted classes as "
            f"columns, got {shape}."
        )
    return costs


def _frame_to_mapping(frame: Any) -> dict[Any, dict[Any, Any]]:
    """The rows of a pandas frame by name."""
    if not hasattr(frame, "index") or not hasattr(frame, "to_numpy"):
        raise KindError(f"`cost_matrix` of type {type(frame).__name__} has no row names; pass {FORMS}.")
    rows, columns = list(frame.index), list(frame.columns)
    for side, names in (("rows", rows), ("columns", columns)):
        _refuse_repeated(names, side)
    return {row: dict(zip(columns, cells, strict=True)) for row, cells in zip(rows, frame.to_numpy(), strict=True)}


def _refuse_repeated(names: Iterable[Any], side: str) -> None:
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise InputError(f"`cost_matrix` has several {side} named {name!r}; each class must occur once.")
        seen.add(name)


def relative_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The costs of each true class, divided by the mean cost of its wrong predictions.

    With two classes, and if all wrong predictions cost the same, a wrong one costs 1.

    >>> relative_costs(np.array([[0.0, 1.0, 3.0], [8.0, 0.0, 8.0], [1.0, 1.0, 0.0]]))
    array([[0. , 0.5, 1.5],
           [1. , 0. , 1. ],
           [1. , 1. , 0. ]])
    """
    mean = costs.sum(axis=1, keepdims=True) / max(len(costs) - 1, 1)
    return np.divide(costs, mean, out=np.zeros_like(costs), where=mean > 0)
