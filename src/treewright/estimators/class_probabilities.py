"""Class probabilities: costs, priors and smoothing, the parameters of a classifier about its classes.

`cost_matrix` and `priors` are checked, rows are weighted by the costs of their classes, and `probability` and
`smoothing` become the prediction rule of the tree. The amount of shrinkage is chosen by cross-validation unless it is
given. docs/costs.md and docs/probabilities.md have the formulas.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.class_costs import (
    cost_array,
    cost_factors,
    priors_array,
    relative_costs,
    require_classes,
)
from treewright.data.dataset import Dataset
from treewright.data.fixed_point import class_totals
from treewright.data.schema import Target
from treewright.data.weights import apply_class_factors
from treewright.errors import InputError, ParameterError, one_of
from treewright.estimators.pruning import PruningSettings, prune_grown_tree
from treewright.model.prediction_rule import (
    DEFAULT_RULE,
    PredictionRule,
    shrunk_probabilities,
    with_prediction_rule,
)
from treewright.model.rule_faults import PROBABILITIES
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import LEAST_PROBABILITY
from treewright.predict.routing import prepare_values, route_fractional_rows, route_rows
from treewright.prune.method import PruningInput, weight_of_one_row

Grower = Callable[[Dataset], Tree]
LossesByAmount = Callable[[Tree, Dataset, MissingPolicy, PredictionRule, Sequence[float]], NDArray[np.float64]]

SAME_FACTOR = 1e-12
"""Factors that differ by no more are the same; they are about 1."""

PRIOR_FORMS = "'equal', a mapping {class: prior}, a number for each class in order, or None"


def read_cost_matrix(cost_matrix: Any, target: Target) -> NDArray[np.float64] | None:
    """Return what each prediction costs more than the correct one, (true class, predicted class); None without costs.

    cost_matrix  as `treewright.data.class_costs.cost_array` reads it

    >>> read_cost_matrix([[1, 2], [9, 4]], Target(classes=("no", "yes")))
    array([[0., 1.],
           [5., 0.]])
    """
    if cost_matrix is None:
        return None
    given, classes = cost_array(cost_matrix, target), require_classes(target, "cost_matrix")
    costs = given - np.diagonal(given)[:, None]
    wrong = ~np.eye(len(costs), dtype=bool) & ~(costs > 0)
    if wrong.any():
        true, predicted = np.argwhere(wrong)[0]
        raise ParameterError(
            "The cost of a wrong prediction must be higher than that of the correct one, but cost_matrix has "
            f"{given[true, predicted]:g} for predicting {classes[predicted]!r} and {given[true, true]:g} for "
            f"predicting {classes[true]!r} when {classes[true]!r} is true."
        )
    return costs if len(costs) > 1 else None


def priors_as_mapping(priors: Any) -> Any:
    """Return priors in a form that a model file can hold: a pandas Series as a mapping.

    >>> priors_as_mapping({"no": 1, "yes": 3})
    {'no': 1, 'yes': 3}
    """
    return priors.to_dict() if hasattr(priors, "to_dict") else priors


def read_class_priors(priors: Any, target: Target) -> NDArray[np.float64] | None:
    """Return the prior probability of each class; None: its proportion in the training table.

    priors  "equal"; a mapping {class: prior} over all classes, or a number for each class in order, in any unit

    >>> read_class_priors([1, 3], Target(classes=("no", "yes")))
    array([0.25, 0.75])
    """
    if priors is None:
        return None
    classes, priors = require_classes(target, "priors"), priors_as_mapping(priors)
    if isinstance(priors, str) and priors == "equal":
        return np.full(len(classes), 1.0 / len(classes))
    if isinstance(priors, Mapping):
        shares = priors_array(priors, target)
    elif np.ndim(priors) == 1 and not isinstance(priors, str):
        if len(priors) != len(classes):
            raise ParameterError(
                f"priors must have a number for each of the {len(classes)} classes, got {len(priors)}."
            )
        shares = priors_array(dict(zip(classes, priors, strict=True)), target)
    else:
        raise ParameterError(f"priors must be {PRIOR_FORMS}, got {priors!r}.")
    if not shares.all():
        ignored = classes[int((shares == 0).argmax())]
        raise ParameterError(
            f"The prior of each class must be above 0, got 0 for {ignored!r}; remove its rows to ignore the class."
        )
    return shares


def apply_costs(rows: Dataset, costs: NDArray[np.float64] | None) -> tuple[Dataset, PredictionRule]:
    """Return the rows weighted by the costs of their classes, and the prediction rule of trees grown on them.

    costs  as `read_cost_matrix` returns them

    >>> from treewright.data.schema import Schema
    >>> rows = Dataset(Schema((), Target(classes=("a", "b"))), np.zeros((3, 0)), np.array([0, 0, 1], np.int32))
    >>> apply_costs(rows, np.array([[0.0, 1.0], [4.0, 0.0]]))[0].weight.tolist()
    [0.5, 0.5, 2.0]
    """
    if costs is None:
        return rows, DEFAULT_RULE
    answering = cost_rule(costs, class_totals(rows.target, rows.weight, len(costs)))
    return apply_cost_factors(rows, answering), answering


def cost_rule(costs: NDArray[np.float64], totals: NDArray[np.float64]) -> PredictionRule:
    """Return the prediction rule of trees grown on rows weighted by costs, from the weight of each class.

    >>> cost_rule(np.array([[0.0, 1.0], [4.0, 0.0]]), np.array([2.0, 1.0])).factors
    (0.5, 2.0)
    """
    answering = PredictionRule(costs=tuple(map(tuple, costs.tolist())))
    factors = cost_factors(costs, totals)
    # If all classes cost the same, rows keep their weights: integer weights stay copies, and sums exact.
    return replace(answering, factors=tuple(factors.tolist())) if np.ptp(factors) > SAME_FACTOR else answering


def apply_cost_factors(rows: Dataset, answering: PredictionRule) -> Dataset:
    """Return the rows weighted by the cost factors of a prediction rule; the weights are then importances."""
    if answering.factors is None:
        return rows
    weight = apply_class_factors(rows.weight, np.array(answering.factors), rows.target)
    return replace(rows, weight=weight, copies=False)


def remove_cost_factors(rows: Dataset, answering: PredictionRule) -> Dataset:
    """Return the rows with the weights they had before `apply_cost_factors`, as errors are measured."""
    if answering.factors is None or rows.weight is None:
        return rows
    return replace(rows, weight=rows.weight / np.array(answering.factors)[rows.target])


def cost_sensitive_grower(grow_on: Grower, uncollapsed: Grower | None, answering: PredictionRule) -> Grower:
    """Return growth on rows weighted by costs: the same trees, with their prediction rule.

    uncollapsed  the same growth without collapsing splits that save no training error, if the other one does that: it
                 counts each wrong class as one error, which is not its cost with more than two classes
    """
    if uncollapsed is None or not costs_differ(answering):
        return lambda rows: with_prediction_rule(grow_on(rows), answering)
    return lambda rows: collapse_by_cost(with_prediction_rule(uncollapsed(rows), answering), weight_of_one_row(rows))


def costs_differ(answering: PredictionRule) -> bool:
    """Return whether wrong predictions of a class have different costs, so that they are not errors that count once.

    >>> costs_differ(PredictionRule(costs=((0.0, 1.0), (5.0, 0.0))))
    False
    """
    costs = relative_costs(np.array(answering.costs))
    return not np.array_equal(costs, 1.0 - np.eye(len(costs)))


def collapse_by_cost(tree: Tree, row: float) -> Tree:
    """Return the tree without splits whose branches cost no less than their node; `row`: the weight of a row."""
    # Imported here, because only trees with costs need them.
    from treewright.grow.freeze import COLLAPSE_SLACK
    from treewright.model.subtree import collapse_nodes
    from treewright.prune.losses import training_losses
    from treewright.prune.traversal import compare_bottom_up

    losses = training_losses(tree)
    return collapse_nodes(
        tree, compare_bottom_up(tree, losses.leaf, losses.staying, allowance=COLLAPSE_SLACK * row).prune
    ).tree


DEFAULT_M = 2.0
"""m of the m-estimate (Cestnik 1990)."""

AMOUNTS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 200.0)
"""The amounts of shrinkage that cross-validation tries."""

AUTO = "auto"
"""The value of `smoothing` with which lambda is chosen by cross-validation."""

N_FOLDS = 5
TIE = 1e-12
"""Relative difference up to which two sums of losses tie."""


def read_smoothing(probability: object, smoothing: object) -> tuple[str, float | None]:
    """Check `probability` and `smoothing`, and return them; None if the amount has to be chosen, as by "auto".

    >>> read_smoothing("m-estimate", None), read_smoothing("shrinkage", None), read_smoothing("laplace", None)
    (('m-estimate', 2.0), ('shrinkage', None), ('laplace', 0.0))
    """
    name = one_of("probability", probability, PROBABILITIES)
    if name not in ("m-estimate", "shrinkage"):
        if smoothing is not None:
            raise ParameterError(
                f"smoothing must be None with probability={name!r}, got {smoothing!r}; or use probability='m-estimate' "
                "or 'shrinkage'."
            )
        return name, 0.0
    if smoothing is None or (isinstance(smoothing, str) and smoothing == AUTO and name == "shrinkage"):
        return name, DEFAULT_M if name == "m-estimate" else None
    if not isinstance(smoothing, Real) or isinstance(smoothing, bool) or not 0.0 <= float(smoothing) < float("inf"):
        what, others = ("m", "or None") if name == "m-estimate" else ("lambda", "'auto' or None")
        raise ParameterError(f"smoothing must be {what}, a number of rows of at least 0, {others}, got {smoothing!r}.")
    return name, float(smoothing)


def choose_prediction_rule(
    probability: str, amount: float | None, pruning: PruningSettings, material: PruningInput
) -> PredictionRule:
    """Return the prediction rule of a pruned tree.

    probability, amount  as `read_smoothing` returns them
    pruning              how the tree, and the trees by which an amount is chosen, are pruned
    material             the grown tree, whose prediction rule has the costs, and its rows
    """
    own = material.tree.prediction_rule
    if probability == "frequency":
        return own
    if amount is None:
        amount = choose_shrinkage(pruning, material)
    return replace(own, probability=probability, amount=amount, row_weight=material.unit)


def choose_shrinkage(
    pruning: PruningSettings, material: PruningInput, losses: LossesByAmount | None = None, n_folds: int = N_FOLDS
) -> float:
    """Return the amount of shrinkage of least loss in cross-validation, the smallest on a tie.

    The folds are always the same; in each a tree is grown and pruned as that of `material`. Rows count with the weights
    they had before costs, because probabilities do not depend on costs.

    losses  the losses of held-out rows by amount; None: their log losses
    """
    if material.rows is None or material.grow is None:
        raise InputError(
            "To choose lambda of the shrinkage requires the training rows, but the model does not have them",
            advice="pass X and y, or set smoothing",
            option="use --data FILE, or fit again with --smoothing",
        )
    if material.tree.n_nodes == 1 or np.count_nonzero(material.rows.row_weights) < 2:
        return AMOUNTS[0]
    from treewright.data.folds import folds, map_in_threads

    grow, losses = material.grow, shrinkage_losses if losses is None else losses

    def losses_of(fold: tuple[Dataset, Dataset]) -> NDArray[np.float64]:
        training, held_out = fold
        grown, unit = grow(training), weight_of_one_row(training)
        tree = prune_grown_tree(pruning, replace(material, tree=grown, rows=training, unit=unit, n_jobs=1)).tree
        how = replace(tree.prediction_rule, probability="shrinkage", row_weight=unit)
        return losses(tree, remove_cost_factors(held_out, how), material.rule, how, AMOUNTS)

    total = np.zeros(len(AMOUNTS))
    for one in map_in_threads(losses_of, folds(material.rows, n_folds), material.n_jobs):
        total += one
    best = total <= total.min() * (1 + TIE)
    return AMOUNTS[int(best.argmax())]


def shrinkage_losses(
    tree: Tree, rows: Dataset, rule: MissingPolicy, how: PredictionRule, amounts: Sequence[float]
) -> NDArray[np.float64]:
    """Return the sum of the log losses of rows for each amount of shrinkage; the rows are routed once.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[1, 70.0, 0]]), np.array([1], np.int32))
    >>> shrinkage_losses(tree, rows, MissingPolicy(), PredictionRule("shrinkage"), [0.0, 14.0]).round(4).tolist()
    [0.0, 0.1967]
    """
    cells, weight, k = prepare_values(tree, rows.values), rows.row_weights, tree.stats.shape[1]
    nodes, several = route_rows(tree, cells, rule)
    one = np.ones(rows.n_rows, bool)
    one[several] = False
    # Rows of a class that end at the same node have the same loss; places are nodes times classes.
    place = nodes[one] * k + rows.target[one]
    if rows.weight is None:
        some, ended = np.unique(place, return_counts=True)
    else:
        some, same = np.unique(place, return_inverse=True)
        ended = np.bincount(same, weight[one], len(some))
        some, ended = some[ended > 0], ended[ended > 0]
    shared = [
        (part.nodes * k + np.repeat(rows.target[part.rows], part.counts), part.weights, part.starts[:-1], part.rows)
        for part in route_fractional_rows(tree, cells, rule.unseen, several, nodes[several])
    ]
    pairs = np.unique(np.concatenate([some, *(place for place, *_ in shared)])) if shared else some
    at = np.searchsorted(pairs, some) if shared else slice(None)
    shared = [(np.searchsorted(pairs, place), *others) for place, *others in shared]
    found = np.zeros(len(amounts))
    for i, value in enumerate(shrunk_probabilities(tree, pairs, how, amounts)):
        found[i] = _log_loss(value[at], ended)
        for place, part, first, own in shared:
            found[i] += _log_loss(np.add.reduceat(value[place] * part, first), weight[own])
    return found


def _log_loss(share: NDArray[np.float64], weight: NDArray[Any]) -> float:
    """Return the sum of the log losses; not by a dot product, for which numpy starts threads that take longer."""
    return float((np.abs(np.log(np.clip(share, LEAST_PROBABILITY, 1.0))) * weight).sum())
