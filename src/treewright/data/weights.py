"""Row weights.

In: `sample_weight` and `class_weight` as the user passed them, priors and factors of classes. Out: float64 per row, or
None if every weight is 1, so that the common case costs nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.fixed_point import class_totals
from treewright.data.frames import count_rows, take_rows
from treewright.data.schema import Target
from treewright.data.target import check_same_length, open_vector, read_numbers
from treewright.errors import InputError, KindError, ParameterError

LEAST, MOST = 1e-100, 1e100
"""The smallest weight above 0 and the largest sum of weights: beyond them squares underflow or overflow."""


def read_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """The weight of each row; a single number is the weight of all rows.

    >>> read_weight([1, 2], 2)
    array([1., 2.])
    """
    if sample_weight is None:
        return None
    vector = open_vector(sample_weight, "sample_weight")
    n_dimensions = len(vector.shape)
    if n_dimensions > 1:
        raise InputError(
            f"Sample weights must be 1D array or scalar, but sample_weight has {n_dimensions} dimensions; "
            f"pass {n_rows} numbers."
        )
    if n_dimensions == 1:
        check_same_length(n_rows, sample_weight=vector)
    weight = read_numbers(vector if n_dimensions else vector.reshape(1), "sample_weight")
    _refuse_negative(weight)
    return _unless_ones(weight if n_dimensions else np.full(n_rows, weight[0]))


@dataclass(frozen=True, slots=True, eq=False)
class WeightedRows:
    """A table, its target and its weights as the user has them, without the rows of weight 0.

    rows  the position of each row in the original table; None if no row was dropped
    """

    X: Any
    y: Any
    sample_weight: Any
    rows: NDArray[np.intp] | None = None

    def take(self, kept: NDArray[np.intp], weight: NDArray[np.float64]) -> "WeightedRows":
        """The selected rows with their weights."""
        rows = kept if self.rows is None else self.rows[kept]
        return WeightedRows(take_rows(self.X, kept), take_rows(self.y, kept), _unless_ones(weight[kept]), rows)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Errors about the table say that rows were dropped, because row numbers in them count the remaining rows."""
        try:
            yield
        except (InputError, KindError) as error:
            if self.rows is None:
                raise
            raise error.reworded("After dropping rows of weight 0: {}".format) from None


def drop_zero_weights(X: Any, y: Any, sample_weight: Any) -> WeightedRows:
    """Drop the rows of weight 0 before anything is read from them, so that they have no effect.

    >>> drop_zero_weights([["a"], ["b"], ["c"]], [1, 2, 3], [1, 0, 2]).X
    [['a'], ['c']]
    """
    n_rows = None if sample_weight is None else count_rows(X)
    if n_rows is None or n_rows != count_rows(y):  # an error when the table is read
        return WeightedRows(X, y, sample_weight)
    weight = read_weight(sample_weight, n_rows)
    rows = WeightedRows(X, y, weight)
    return rows if weight is None or weight.all() else rows.take(np.flatnonzero(weight), weight)


def apply_class_weight(
    weight: NDArray[np.float64] | None, class_weight: Any, target: Target, codes: NDArray[np.int32]
) -> NDArray[np.float64] | None:
    """The weights times the weight of each row's class.

    "balanced" gives each class the same total weight: the factor is W / (classes * W_c). It uses the weights of the
    rows, so that a row of weight 2 is the same as two rows. The factor of a class that is not in a dict is 1.

    >>> target = Target(classes=("no", "yes"))
    >>> apply_class_weight(None, {"yes": 3}, target, np.array([0, 1, 1], dtype=np.int32))
    array([1., 3., 3.])
    """
    if class_weight is None:
        return weight
    factors = class_weight_factors(class_weight, target, class_totals(codes, weight, target.n_classes))
    return apply_class_factors(weight, factors, codes)


def class_weight_factors(class_weight: Any, target: Target, totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The factor of each class, from the total weight of each.

    >>> class_weight_factors("balanced", Target(classes=("no", "yes")), np.array([1.0, 3.0])).tolist()
    [2.0, 0.6666666666666666]
    """
    if isinstance(class_weight, str) and class_weight == "balanced":
        used = totals > 0
        factors = np.ones(target.n_classes)
        factors[used] = totals.sum() / (used.sum() * totals[used])
        return factors
    if not isinstance(class_weight, Mapping):
        raise ParameterError(f"class_weight={class_weight!r} is unknown; use None, 'balanced' or a dict of classes.")
    return _read_class_weight(class_weight, target)


def apply_class_factors(
    weight: NDArray[np.float64] | None, factors: NDArray[np.float64], codes: NDArray[Any]
) -> NDArray[np.float64] | None:
    """The weights times the factor of each row's class.

    >>> apply_class_factors(np.array([1.0, 2.0]), np.array([3.0, 0.5]), np.array([0, 1]))
    array([3., 1.])
    """
    by_row = factors[codes]
    return _unless_ones(by_row if weight is None else weight * by_row)


def apply_priors(
    weight: NDArray[np.float64] | None, priors: NDArray[np.float64], codes: NDArray[Any]
) -> NDArray[np.float64] | None:
    """The weights times prior / proportion of each row's class; their sum does not change.

    The priors of classes without weight are distributed among the others.

    >>> apply_priors(None, np.array([0.75, 0.25]), np.array([0, 1, 1, 1]))
    array([3.        , 0.33333333, 0.33333333, 0.33333333])
    """
    return apply_class_factors(weight, prior_factors(priors, class_totals(codes, weight, len(priors))), codes)


def prior_factors(priors: NDArray[np.float64], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """prior / proportion of each class, from the total weight of each.

    >>> prior_factors(np.array([0.75, 0.25]), np.array([2.0, 2.0])).tolist()
    [1.5, 0.5]
    """
    used = totals > 0
    factors = np.ones(len(priors))
    factors[used] = priors[used] / priors[used].sum() * (totals.sum() / totals[used])
    return factors


def _read_class_weight(class_weight: Mapping[Any, Any], target: Target) -> NDArray[np.float64]:
    """The factor of each class in a dict."""
    code_of = {label: code for code, label in enumerate(target.classes or ())}
    factors = np.ones(len(code_of))
    for label, factor in class_weight.items():
        if label not in code_of:
            raise ParameterError(
                f"`class_weight` has the unknown class {label!r}; the classes are {', '.join(map(repr, code_of))}."
            )
        try:
            factors[code_of[label]] = factor
        except (TypeError, ValueError):
            factors[code_of[label]] = np.nan
        if not 0 <= factors[code_of[label]] < np.inf:
            raise ParameterError(f"`class_weight[{label!r}]` must be a finite number of at least 0, got {factor!r}.")
    return factors


def _refuse_negative(weight: NDArray[np.float64]) -> None:
    negative = weight < 0
    if negative.any():
        row = int(negative.argmax())
        raise InputError(
            f"sample_weight has the negative value {weight[row]} in row {row}; weights must be at least 0."
        )


def _unless_ones(weight: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The weights, or None if all are 1; an error if all are 0."""
    if not weight.any():
        raise InputError("All weights are zero; at least one row must have a weight above 0.")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total > MOST:
        raise InputError(f"The sum of the weights is {total:.4g}, which is too large; divide them by a constant.")
    tiny = (weight > 0) & (weight < LEAST)
    if tiny.any():
        raise InputError(
            f"A weight is {weight[tiny][0]:.4g}, which is too small; set it to 0, or multiply all weights by a "
            "constant."
        )
    return None if bool((weight == 1).all()) else weight
