"""Weights on a source: class weights, priors and costs as factors of classes, and all weights in units.

In: the parameters of an estimator and the rows of each class. Out: the weight of a row of each class, as a fit in
memory computes it; and `TableWeights`, the same in units.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.data.fixed_point import FRACTION_BITS, WEIGHT_BITS
from treewright.data.weights import class_weight_factors, prior_factors
from treewright.errors import ParameterError
from treewright.estimators.class_probabilities import cost_rule, read_class_priors, read_cost_matrix
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule
from treewright.scale.survey import Survey

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TableWeights:
    """The weights of a source in units.

    unit     the size of a unit
    one      the units that count as one row
    units    the units of a row of weight 1 of each class
    total    the weight of all rows, in rows that count as one
    largest  the most units that a single row may have and still count as one row
    are_given  whether rows have weights, or classes have; otherwise rows are divided at most
    """

    unit: float
    one: float
    units: NDArray[np.int64]
    total: float
    largest: float
    are_given: bool


def weigh_classes(model: "BaseTreeEstimator", survey: Survey) -> tuple[Floats | None, PredictionRule]:
    """The weight of a row of each class by class_weight, priors and costs, None if all are 1; the prediction rule."""
    settings: Any = model
    target, totals = survey.schema.target, survey.class_weights.astype(np.float64)
    priors, factors = read_class_priors(settings.priors, target), None
    if priors is not None:
        factors = prior_factors(priors, totals)
    elif settings.class_weight is not None:
        factors = class_weight_factors(settings.class_weight, target, totals)
    if factors is not None and (factors == 1).all():
        factors = None
    costs, rule = read_cost_matrix(settings.cost_matrix, target), DEFAULT_RULE
    if costs is not None:
        rule = cost_rule(costs, totals if factors is None else exact_products(survey.class_weights, factors))
        if rule.factors is not None:
            more = np.array(rule.factors)
            factors = more if factors is None else factors * more
    if factors is not None and survey.total_weight is not None:
        raise ParameterError(
            "class_weight, priors and cost_matrix cannot be combined with sample_weight on a source; use one of them."
        )
    if factors is not None and not factors.all():
        raise ParameterError("class_weight must be above 0 for each class on a source; leave the rows of a class out.")
    return factors, rule


def exact_products(counts: NDArray[np.int64], factors: Floats) -> Floats:
    """The sum of so many equal weights for each class, rounded once.

    >>> exact_products(np.array([3]), np.array([0.1])).tolist()
    [0.30000000000000004]
    """
    pairs = zip(counts.tolist(), factors.tolist(), strict=True)
    return np.array([float(Fraction(factor) * count) for count, factor in pairs])


def weigh_table(survey: Survey, missing: int, factors: Floats | None = None) -> TableWeights:
    """The weights in units, as growth in memory chooses them."""
    n = survey.n_rows if survey.total_weight is None else survey.total_weight
    given = np.ones(survey.n_classes) if factors is None else factors
    counts = survey.class_weights.tolist()
    total = sum(Fraction(one) * count for one, count in zip(given.tolist(), counts, strict=True))
    is_whole = bool((given == np.floor(given)).all())
    if missing != codes.FRACTIONAL and is_whole and total < 2**WEIGHT_BITS:
        scale = 0
    else:
        scale = (FRACTION_BITS if missing == codes.FRACTIONAL else WEIGHT_BITS) - ceil(log2(float(total)))
    units = np.maximum(np.rint(np.ldexp(given, scale)), 1.0).astype(np.int64)
    whole = sum(unit * count for unit, count in zip(units.tolist(), counts, strict=True))
    one = float(np.ldexp(1.0, scale)) if is_whole else float(whole) / n
    largest = one if factors is None else float(units.max())
    are_given = factors is not None or survey.total_weight is not None
    return TableWeights(float(np.ldexp(1.0, -scale)), one, units, float(whole) / one, largest, are_given)
