"""Weights on a source: class weights, priors and costs as factors of classes, and all weights in units.

In: the parameters of an estimator, and how many rows of each class have which weight. Out: the factors of classes, and
`TableWeights`, both as a fit in memory computes them from the weight of each row.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.data.fixed_point import FRACTION_BITS, WEIGHT_BITS, MomentUnits, TargetRange, choose_unit
from treewright.data.weights import class_weight_factors, prior_factors
from treewright.errors import ParameterError
from treewright.estimators.class_probabilities import cost_rule, read_class_priors, read_cost_matrix
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule
from treewright.scale.engine import Engine, NumberUnits, RowUnits
from treewright.scale.survey import Survey

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

Floats = NDArray[np.float64]


class ClassFactors(NamedTuple):
    """What multiplies the weights of rows.

    factors  of each class, one array after the other
    rule     how the tree predicts
    """

    factors: tuple[Floats, ...]
    rule: PredictionRule


@dataclass(frozen=True, slots=True, eq=False)
class TableWeights:
    """The weights of a source in units.

    rows     the units of a row; None if every row counts once
    unit     the size of a unit
    one      the units that count as one row
    by_class the units of all rows of each class; of all rows if the target is a number
    total    the weight of all rows, in rows that count as one
    largest  the most units that a single row may have and still count as one row
    row      the weight that counts as one row
    are_given  whether rows have weights, or classes have; otherwise rows are divided at most
    is_counted whether all weights are whole numbers
    given      the weight of all rows
    counts_rows  whether weights are copies of rows: whole numbers that are not weights of classes
    moments    the units of moments of a target that is a number
    """

    rows: RowUnits | None
    unit: float
    one: float
    by_class: NDArray[np.int64]
    total: float
    largest: float
    row: float
    are_given: bool
    is_counted: bool
    given: float
    counts_rows: bool = True
    moments: MomentUnits | None = None


def weigh_classes(model: "BaseTreeEstimator", survey: Survey) -> ClassFactors:
    """The factors by class_weight, priors and costs, without those that are all 1 if rows have no weights; and the
    prediction rule. Weights that are multiplied by 1 are importances, too.
    """
    settings: Any = model
    target, factors = survey.schema.target, class_weights_and_priors(model, survey)
    costs, rule = read_cost_matrix(settings.cost_matrix, target), DEFAULT_RULE
    if costs is not None:
        rule = cost_rule(costs, class_sums(survey, factors))
        if rule.factors is not None:
            factors.append(np.array(rule.factors))
    if not all(one.all() for one in factors):
        raise ParameterError("class_weight must be above 0 for each class on a source; leave the rows of a class out.")
    is_weighted = any(bool((one.values != 1).any()) for one in survey.weights)
    return ClassFactors(tuple(one for one in factors if is_weighted or (one != 1).any()), rule)


def class_weights_and_priors(model: "BaseTreeEstimator", survey: Survey) -> list[Floats]:
    """The factors by class_weight or priors."""
    settings: Any = model
    target = survey.schema.target
    priors = read_class_priors(settings.priors, target)
    if priors is not None:
        return [prior_factors(priors, class_sums(survey, ()))]
    if settings.class_weight is None:
        return []
    return [class_weight_factors(settings.class_weight, target, class_sums(survey, ()))]


def products(survey: Survey, factors: Iterable[Floats]) -> list[Floats]:
    """The different weights of the rows of each class, times its factors."""
    found = [one.values for one in survey.weights]
    for own in factors:
        found = [weights * factor for weights, factor in zip(found, own.tolist(), strict=True)]
    return found


def class_sums(survey: Survey, factors: Iterable[Floats]) -> Floats:
    """The weight of all rows of each class, rounded once."""
    return np.array([float(one) for one in _exact_sums(survey, products(survey, factors))])


def _exact_sums(survey: Survey, weights: list[Floats]) -> list[Fraction]:
    pairs = zip(weights, survey.weights, strict=True)
    return [
        sum((Fraction(value) * n for value, n in zip(own.tolist(), one.n_rows.tolist(), strict=True)), Fraction())
        for own, one in pairs
    ]


def weigh_table(survey: Survey, missing: int, factors: tuple[Floats, ...] = ()) -> TableWeights:
    """The weights in units, as growth in memory chooses them."""
    weights, is_divided = products(survey, factors), missing == codes.FRACTIONAL
    fraction_bits = WEIGHT_BITS if survey.schema.target.is_number else FRACTION_BITS
    total = sum(_exact_sums(survey, weights), Fraction())
    is_whole = all(bool((own == np.floor(own)).all()) for own in weights)
    are_given = bool(factors) or any(bool((own != 1).any()) for own in weights)
    is_small = is_whole and total < 2**WEIGHT_BITS
    bits, scale = fraction_bits if is_divided else WEIGHT_BITS, 0
    if is_divided or not is_small:
        scale = bits - int(np.ceil(np.log2(float(total))))
    rows = RowUnits(tuple(tuple(one.tolist()) for one in factors), scale)
    units = [rows.of(one.values, k) for k, one in enumerate(survey.weights)]
    pairs = zip(units, survey.weights, strict=True)
    by_class = np.array([int((own * one.n_rows).sum()) for own, one in pairs], np.int64)
    whole, is_counted = float(by_class.sum()), is_whole and not factors
    one = float(np.ldexp(1.0, scale)) if is_small or (is_whole and is_divided) else whole / survey.n_rows
    return TableWeights(
        rows if are_given or is_divided else None,
        float(np.ldexp(1.0, -scale)),
        one,
        by_class,
        whole / one,
        one if is_counted else float(max(own.max(initial=1) for own in units)),
        1.0 if is_counted else float(total) / survey.n_rows,
        are_given,
        is_whole,
        float(total),
        is_counted,
    )


def weigh_part(whole: TableWeights, by_class: NDArray[np.int64], n_rows: int) -> TableWeights:
    """The weights of a part of the rows, which has these units of each class; the units stay those of all rows."""
    total = float(by_class.sum())
    # a row of weight 1 counts as one if all weights are whole numbers, and otherwise the mean weight
    is_one = whole.is_counted and whole.one * whole.unit == 1.0
    one = whole.one if is_one or not n_rows else total / n_rows
    row = 1.0 if whole.counts_rows or not n_rows else total * whole.unit / n_rows
    return replace(
        whole, by_class=by_class, one=one, total=total / one, row=row, given=total * whole.unit
    )


def weigh_numbers(engine: Engine, survey: Survey, weights: TableWeights, criterion: str) -> TableWeights:
    """The weights with the units of moments, as growth in memory chooses them; the engine keeps the moments."""
    assert survey.ends is not None
    total = int(weights.by_class.sum())
    centre = engine.find_median((total + 1) // 2)
    target = TargetRange(*survey.ends, centre, total, weights.unit, weights.rows is not None)

    def sum_distances(scale: int) -> int:
        return engine.sum_distances(NumberUnits(centre, scale, target.copies))

    weights = replace(weights, moments=choose_unit(target, sum_distances, criterion))
    assert weights.moments is not None
    engine.keep_moments(number_units(weights.moments, weights))
    return weights


def number_units(moments: MomentUnits, weights: TableWeights) -> NumberUnits:
    """The same units as engines take them."""
    return NumberUnits(moments.centre, -int(np.log2(moments.unit)), weights.rows is None or moments.step > 0)
