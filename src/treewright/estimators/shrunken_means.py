"""Shrunken means: the parameter `smoothing` of a regressor, and its lambda chosen by cross-validation.

In: what the user gives for `smoothing`, and a grown tree with its rows. Out: the prediction rule of the pruned tree.
Its predictions are the means of the leaves, drawn towards the means of the nodes above by hierarchical shrinkage
(medians for absolute_error, rates for poisson). The growth and the pruning of the tree do not depend on it.
"""

from collections.abc import Sequence
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.impurities import poisson_losses
from treewright.data.dataset import Dataset
from treewright.errors import ParameterError
from treewright.estimators.class_probabilities import AUTO, choose_shrinkage
from treewright.estimators.pruning import PruningSettings
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule, numbers_by_amount
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.routing import prepare_values, route_fractional_rows, route_rows
from treewright.prune.method import PruningInput

N_FOLDS = 3
"""Folds of the cross-validation: two are less reliable on tables of 200 rows, more cost time and gain nothing."""

LAMBDA_WITHOUT_ROWS = 10.0
"""Lambda where it cannot be chosen, because the rows are not in memory."""


def read_number_smoothing(smoothing: object) -> float | None:
    """Check `smoothing` of a regressor, and return lambda: 0 for no shrinkage, None if it has to be chosen.

    >>> read_number_smoothing(None), read_number_smoothing(5), read_number_smoothing("auto")
    (0.0, 5.0, None)
    """
    if smoothing is None:
        return 0.0
    if isinstance(smoothing, str) and smoothing == AUTO:
        return None
    if not isinstance(smoothing, Real) or isinstance(smoothing, bool) or not 0.0 <= float(smoothing) < float("inf"):
        raise ParameterError(
            "smoothing must be lambda, a number of rows of at least 0, 'auto' to choose it by cross-validation, or "
            f"None for no shrinkage, got {smoothing!r}."
        )
    return float(smoothing)


def choose_number_rule(amount: float | None, pruning: PruningSettings, material: PruningInput) -> PredictionRule:
    """Return the prediction rule of a pruned regression tree; the default rule if lambda is 0.

    amount    as `read_number_smoothing` returns it
    pruning   how the tree, and the trees by which lambda is chosen, are pruned
    material  the grown tree and its rows
    """
    if amount is None:
        amount = choose_shrinkage(pruning, material, number_losses, N_FOLDS)
    if amount == 0:
        return DEFAULT_RULE
    return PredictionRule("shrinkage", amount, row_weight=material.unit)


def number_losses(
    tree: Tree, rows: Dataset, policy: MissingPolicy, how: PredictionRule, amounts: Sequence[float]
) -> NDArray[np.float64]:
    """Return the sum of the losses of rows for each amount of shrinkage; the rows are routed once.

    The loss is that of the criterion: the squared error, the absolute error or half the Poisson deviance.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> tree = build(Schema((Column("age", Kind.NUMBER),), Target("price")), number("age", 3, leaf(20.0), leaf(10.0)))
    >>> rows = Dataset(tree.schema, np.array([[1.0]]), np.array([18.0]))
    >>> number_losses(tree, rows, MissingPolicy(), PredictionRule("shrinkage"), [0.0, 2.0]).tolist()
    [4.0, 0.25]
    """
    cells, weight, target = prepare_values(tree, rows.values), rows.row_weights, np.asarray(rows.target, np.float64)
    values = numbers_by_amount(tree, how, amounts)
    nodes, several = route_rows(tree, cells, policy)
    one = np.ones(rows.n_rows, bool)
    one[several] = False
    found = _losses_at_nodes(tree, values, nodes[one], target[one], weight[one])
    for part in route_fractional_rows(tree, cells, policy.unseen, several, nodes[several]):
        true, own, first = target[part.rows], weight[part.rows], part.starts[:-1]
        for i, value in enumerate(values.T):
            predicted = np.add.reduceat(value[part.nodes] * part.weights, first)
            found[i] += (_losses(tree, true, predicted) * own).sum()
    return found


def _losses_at_nodes(
    tree: Tree,
    values: NDArray[np.float64],
    nodes: NDArray[np.int64],
    target: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The sum of the losses of rows that end at a single node, for each column of `values`.

    A sum of squares, or a deviance, is that about the mean of the rows at a node, and for each row that of this mean
    about the prediction: so nodes are gone through for each amount, not rows.
    """
    if tree.by_median:
        return np.array([(_losses(tree, target, value[nodes]) * weight).sum() for value in values.T])
    whole, total = (np.bincount(nodes, own, tree.n_nodes).astype(np.float64) for own in (weight, weight * target))
    ended = np.flatnonzero(whole)
    mean = np.divide(total, whole, out=np.zeros(tree.n_nodes), where=whole > 0)
    within = (_losses(tree, target, mean[nodes]) * weight).sum()
    between = _losses(tree, mean[ended, None], values[ended])
    return np.asarray(within + (between * whole[ended, None]).sum(axis=0))


def _losses(tree: Tree, target: NDArray[np.float64], predicted: NDArray[np.float64]) -> NDArray[np.float64]:
    """The loss of each prediction."""
    if tree.by_deviance:
        return poisson_losses(target, predicted)
    return np.abs(target - predicted) if tree.by_median else np.square(target - predicted)
