"""Weights: how much each row counts.

In: `sample_weight` and `class_weight` as the user gave them, shares and factors of classes. Out: float64 per row, or
None when every row counts once, so that the common case costs nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.frames import n_rows_of, take_rows
from treewright.data.schema import Target
from treewright.data.target import same_length
from treewright.data.units import class_totals
from treewright.data.vector import open_vector, read_numbers
from treewright.errors import InputError, KindError, ParameterError

LEAST, MOST = 1e-100, 1e100
"""The least weight above 0 and the largest sum of weights: beyond them squares are soon 0 or infinite."""


def read_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """The weight of each row; a single number stands for all rows.

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
            f"give {n_rows} numbers."
        )
    if n_dimensions == 1:
        same_length(n_rows, sample_weight=vector)
    weight = read_numbers(vector if n_dimensions else vector.reshape(1), "sample_weight")
    _refuse_negative(weight)
    return _unless_ones(weight if n_dimensions else np.full(n_rows, weight[0]))


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A table, its target and its weights as the user has them, without the rows of weight 0.

    rows  the place of each row in the table that was given; None where no row was left out
    """

    X: Any
    y: Any
    sample_weight: Any
    rows: NDArray[np.intp] | None = None

    def take(self, kept: NDArray[np.intp], weight: NDArray[np.float64]) -> "Counted":
        """The rows at these places, with their parts of these weights."""
        rows = kept if self.rows is None else self.rows[kept]
        return Counted(take_rows(self.X, kept), take_rows(self.y, kept), _unless_ones(weight[kept]), rows)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Errors about the table say that rows were left out: the numbers of rows in them count the others."""
        try:
            yield
        except (InputError, KindError) as error:
            if self.rows is None:
                raise
            raise type(error)(f"Without the rows of weight 0: {error}") from None


def counted_rows(X: Any, y: Any, sample_weight: Any) -> Counted:
    """Leave out the rows of weight 0 before anything is read from them, so that nothing of them is left.

    >>> counted_rows([["a"], ["b"], ["c"]], [1, 2, 3], [1, 0, 2]).X
    [['a'], ['c']]
    """
    n_rows = None if sample_weight is None else n_rows_of(X)
    if n_rows is None or n_rows != n_rows_of(y):  # what is no table, or of another length, is refused when it is read
        return Counted(X, y, sample_weight)
    weight = read_weight(sample_weight, n_rows)
    given = Counted(X, y, weight)
    return given if weight is None or weight.all() else given.take(np.flatnonzero(weight), weight)


def with_class_weight(
    weight: NDArray[np.float64] | None, class_weight: Any, target: Target, codes: NDArray[np.int32]
) -> NDArray[np.float64] | None:
    """The weights times the weight of each row's class.

    "balanced" gives each class that has weight the same total: the factor is W / (classes * W_c). It counts
    the weights of the rows, so that a row of weight 2 stays the same as two rows. Classes that a dict leaves
    out count once.

    >>> target = Target(classes=("no", "yes"))
    >>> with_class_weight(None, {"yes": 3}, target, np.array([0, 1, 1], dtype=np.int32))
    array([1., 3., 3.])
    """
    if class_weight is None:
        return weight
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = class_totals(codes, weight, target.n_classes)
        used = totals > 0
        factors = np.ones(target.n_classes)
        factors[used] = totals.sum() / (used.sum() * totals[used])
    elif isinstance(class_weight, Mapping):
        factors = _factors(class_weight, target)
    else:
        raise ParameterError(
            f"class_weight={class_weight!r} is not known; choose None, 'balanced' or a dict of classes."
        )
    return with_factors(weight, factors, codes)


def with_factors(
    weight: NDArray[np.float64] | None, factors: NDArray[np.float64], codes: NDArray[Any]
) -> NDArray[np.float64] | None:
    """The weights times the factor of each row's class.

    >>> with_factors(np.array([1.0, 2.0]), np.array([3.0, 0.5]), np.array([0, 1]))
    array([3., 1.])
    """
    by_row = factors[codes]
    return _unless_ones(by_row if weight is None else weight * by_row)


def with_priors(
    weight: NDArray[np.float64] | None, shares: NDArray[np.float64], codes: NDArray[Any]
) -> NDArray[np.float64] | None:
    """The weights times prior / share of each row's class; their sum stays.

    shares  the prior of each class; those of classes without weight are left to the others

    >>> with_priors(None, np.array([0.75, 0.25]), np.array([0, 1, 1, 1]))
    array([3.        , 0.33333333, 0.33333333, 0.33333333])
    """
    totals = class_totals(codes, weight, len(shares))
    used = totals > 0
    factors = np.ones(len(shares))
    factors[used] = shares[used] / shares[used].sum() * (totals.sum() / totals[used])
    return with_factors(weight, factors, codes)


def _factors(class_weight: Mapping[Any, Any], target: Target) -> NDArray[np.float64]:
    """The factor of each class in a dict."""
    place = {label: code for code, label in enumerate(target.classes or ())}
    factors = np.ones(len(place))
    for label, factor in class_weight.items():
        if label not in place:
            raise ParameterError(
                f"class_weight has the label {label!r}, which y does not have; "
                f"its classes are {', '.join(map(repr, place))}."
            )
        try:
            factors[place[label]] = factor
        except (TypeError, ValueError):
            factors[place[label]] = np.nan
        if not 0 <= factors[place[label]] < np.inf:
            raise ParameterError(
                f"class_weight[{label!r}] is {factor!r}; a weight must be a finite number, zero or more."
            )
    return factors


def _refuse_negative(weight: NDArray[np.float64]) -> None:
    negative = weight < 0
    if negative.any():
        row = int(negative.argmax())
        raise InputError(
            f"sample_weight has the negative value {weight[row]} in row {row}; weights must be zero or more."
        )


def _unless_ones(weight: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The weights, or None when all are 1; all zero is an error, because then no row is left."""
    if not weight.any():
        raise InputError("All weights are zero, so no row counts; give at least one row a weight above zero.")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total > MOST:
        raise InputError(f"The weights have the sum {total:.4g}, too large to reckon with; divide them by a constant.")
    tiny = (weight > 0) & (weight < LEAST)
    if tiny.any():
        raise InputError(
            f"A weight is {weight[tiny][0]:.4g}, too small to reckon with; make it 0, or multiply all by a constant."
        )
    return None if bool((weight == 1).all()) else weight
