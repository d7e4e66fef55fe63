"""Losses: what each node of a tree costs as a leaf, on its training rows or on validation rows.

In: a tree, and rows to evaluate it on; the statistics of the training rows are in the tree. Out: the loss of every node
as a leaf, and the loss of the rows that stop at an inner node because a value is missing. A loss is the weight of wrong
predictions, their cost, or a sum of squares; the losses of branches add up.

A tree grown with a cost matrix has the weight of each class multiplied by the mean cost of its errors. With these
weights an error costs 1 on average over the wrong predictions for a class, and always with two classes: to count
errors is to count costs. `read_costs` gives other costs in these weights.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import sum_up
from treewright.criteria.impurities import poisson_losses
from treewright.data.class_costs import cost_array, priors_array, relative_costs, require_classes
from treewright.data.dataset import Dataset
from treewright.errors import InputError, ParameterError
from treewright.language import N_
from treewright.model.prediction_rule import choose_classes
from treewright.model.strategies import STAYS
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.routing import prepare_values, route_fractional_rows, route_rows
from treewright.prune import class_stats

ROUNDING = 1e-12
"""A difference of sums counts as 0 if it is at most this fraction of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The losses of the nodes of a tree.

    leaf     float64 (n_nodes,), of all rows at the node, with the prediction of the node
    staying  float64 (n_nodes,), of the rows that stop at an inner node; 0 unless missing values stop there
    total    the weight of all rows
    """

    leaf: NDArray[np.float64]
    staying: NDArray[np.float64]
    total: float


def training_losses(tree: Tree, costs: NDArray[np.float64] | None = None) -> Losses:
    """The losses on the training rows.

    Those of shrunken means are about the predictions. For absolute_error they are about the medians, because losses
    about other numbers do not follow from them.

    costs  what a prediction costs, (true class, predicted class); None: the costs that the tree was grown with, and if
           it was grown without, 1 for each wrong one

    >>> from treewright.model.build import golf_example
    >>> training_losses(golf_example()).leaf.tolist()
    [5.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]
    """
    inner = tree.n_children > 0
    staying = np.zeros(tree.n_nodes)
    total = float(tree.weight[0])
    if tree.schema.target.is_number:
        if tree.strategy.goes == STAYS:
            staying[inner] = _squared_loss_of_staying(tree)[inner]
        leaf = tree.stats[:, 2].copy()
        if not tree.prediction_rule.is_default:
            leaf += tree.weight * _loss_of_distance(tree, tree.stats[:, 1], tree.value[:, 0])
        return Losses(leaf, staying, total)
    costs = read_costs(None, tree) if costs is None else costs
    predicted = predicted_classes(tree, costs)
    if tree.strategy.goes == STAYS:
        staying = _class_losses(class_stats.stopped_class_weights(tree), predicted, costs)
    return Losses(_class_losses(tree.stats, predicted, costs), staying, total)


def loss_of_tree(tree: Tree, losses: Losses) -> float:
    """The loss of the tree as it is: of its leaves, and of the rows that stop at an inner node.

    >>> from treewright.model.build import golf_example
    >>> loss_of_tree(golf_example(), training_losses(golf_example()))
    0.0
    """
    return float(np.where(tree.is_leaf, losses.leaf, losses.staying).sum())


def without_rounding(after: NDArray[np.float64], before: float, losses: Losses) -> NDArray[np.float64]:
    """Losses after pruning, where those that differ from the loss before by rounding only are equal to it.

    >>> without_rounding(np.array([3.0 + 1e-15, 4.0]), 3.0, Losses(np.array([5.0]), np.zeros(1), 9.0)).tolist()
    [3.0, 4.0]
    """
    rounding = ROUNDING * max(before, float(losses.leaf[0]))
    return np.where(np.abs(after - before) <= rounding, before, after)


ERRORS, COST, SQUARED_ERROR, ABSOLUTE_ERROR = N_("errors"), N_("cost"), N_("squared error"), N_("absolute error")
DEVIANCE = N_("half the Poisson deviance")


def loss_unit(tree: Tree) -> str:
    """The unit of the losses on the training rows.

    >>> from treewright.model.build import golf_example
    >>> loss_unit(golf_example())
    'errors'
    """
    if tree.schema.target.is_number:
        if tree.by_deviance:
            return DEVIANCE
        return ABSOLUTE_ERROR if tree.by_median else SQUARED_ERROR
    return ERRORS if read_costs(None, tree) is None else COST


def validation_losses(
    tree: Tree, rows: "Dataset | RowsElsewhere", rule: MissingPolicy, costs: NDArray[np.float64] | None = None
) -> Losses:
    """The losses on other rows, in the codes of the tree's schema.

    A row that goes down several branches counts in each with its fractional weight; for regression the loss is squared.
    The rows must have the class weights of the training rows.
    """
    scale = scale_of(tree)
    found = sum_rows_at_nodes(tree, rows, rule, scale)
    tables = found.here, found.stayed
    total = float(found.here[0, 0] if tree.schema.target.is_number else found.here[0].sum())
    if not total > 0:
        raise InputError("The validation rows have no weight; pass at least one row with a positive weight.")
    if tree.schema.target.is_number:
        value = (tree.value[:, 0] - scale.centre) / scale.spread
        leaf, staying = (_squares(table, value) * scale.spread**2 for table in tables)
        return Losses(leaf, staying, total)
    costs = read_costs(None, tree) if costs is None else costs
    predicted = predicted_classes(tree, costs)
    leaf, staying = (_class_losses(table, predicted, costs) for table in tables)
    return Losses(leaf, staying, total)


def predicted_classes(tree: Tree, costs: NDArray[np.float64] | None = None) -> NDArray[np.intp]:
    """The class code that each node predicts, by the tree's own costs or by `costs`; the first one on a tie."""
    if costs is None:
        return np.asarray(choose_classes(tree.prediction_rule, tree.value))
    factors = tree.prediction_rule.factors
    expected = (tree.value if factors is None else tree.value * np.array(factors)) @ costs
    return (expected <= expected.min(axis=1, keepdims=True) * (1 + 1e-12)).argmax(axis=1)


def _class_losses(
    stats: NDArray[np.float64], predicted: NDArray[np.intp], costs: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if costs is not None:
        return np.einsum("nc,cn->n", stats, costs[:, predicted])
    wrong = stats.copy()
    wrong[np.arange(len(stats)), predicted] = 0.0
    return wrong.sum(axis=1)


def _squared_loss_of_staying(tree: Tree) -> NDArray[np.float64]:
    """The loss of the rows that stop at an inner node, with the prediction of the node."""
    weight = tree.weight - np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
    weight = np.where(weight > ROUNDING * tree.weight, weight, 0.0)
    if tree.by_median:
        # The distances of these rows from the median do not follow from those of the branches: they are taken to be
        # the mean distance of the node's rows.
        return weight * tree.impurity
    # A sum of squares, or a deviance, can be moved to another centre: that of each branch around the prediction of the
    # node is taken off.
    mean, value, parent = tree.stats[:, 1], tree.value[:, 0], tree.parent[1:]
    moved = tree.stats[1:, 2] + tree.weight[1:] * _loss_of_distance(tree, mean[1:], value[parent])
    whole = tree.stats[:, 2]
    if not tree.prediction_rule.is_default:
        whole = whole + tree.weight * _loss_of_distance(tree, mean, value)
    left = whole - np.bincount(parent, moved, tree.n_nodes)
    # A rest without rows, or with a tiny fraction of the node's loss, is rounding.
    return np.where((weight > 0) & (left > ROUNDING * whole), left, 0.0)


def _loss_of_distance(
    tree: Tree, mean: NDArray[np.float64], value: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What each row adds to the loss about the mean if another value is predicted; unknown, and 0, for medians."""
    if tree.by_median:
        return np.zeros(len(mean))
    return poisson_losses(mean, value) if tree.by_deviance else (mean - value) ** 2


def _squares(moments: NDArray[np.float64], value: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of w (y - value)^2."""
    own, moved = moments[:, 2], value**2 * moments[:, 0]
    found = own - 2 * value * moments[:, 1] + moved
    # If all rows have the value, only rounding is left.
    return np.where(found > ROUNDING * (own + moved), found, 0.0)


@dataclass(frozen=True, slots=True)
class TargetScale:
    """How a numeric target is scaled, (y - centre) / spread, so that sums of its powers keep their digits."""

    centre: float = 0.0
    spread: float = 1.0

    def terms(self, y: NDArray[np.float64], n: int) -> NDArray[np.float64]:
        """The first n powers of the scaled target, from 0 on: (n, n_rows)."""
        scaled = (y - self.centre) / self.spread
        return np.stack([scaled**k for k in range(n)])


NO_SCALE = TargetScale()


@dataclass(frozen=True, slots=True)
class DevianceTerms(TargetScale):
    """Instead of powers: what the Poisson deviances of targets about any rate, and their squares, are computed from."""

    def terms(self, y: NDArray[np.float64], n: int) -> NDArray[np.float64]:
        """1, y, a = y log y - y, y^2, a y and a^2, whatever n is."""
        if y.min(initial=0.0) < 0:
            raise InputError(
                f"The target must be at least 0 for criterion='poisson', got {y.min():g}; "
                "use criterion='squared_error'."
            )
        a = y * np.log(y, out=np.zeros(len(y)), where=y > 0) - y
        return np.stack([np.ones(len(y)), y, a, y * y, a * y, a * a])


@dataclass(frozen=True, slots=True, eq=False)
class NodeSums:
    """Sums over rows, one line for each node: class weights, or the sums of w y^k for k = 0, 1, 2 and so on.

    here    of all rows at the node
    stayed  of the rows that stop at an inner node
    """

    here: NDArray[np.float64]
    stayed: NDArray[np.float64]


def scale_of(tree: Tree) -> TargetScale:
    """The mean, or median, and the spread of the training target; classes are not scaled.

    >>> from treewright.model.build import golf_example
    >>> scale_of(golf_example())
    TargetScale(centre=0.0, spread=1.0)
    """
    if not tree.schema.target.is_number:
        return NO_SCALE
    spread = typical_distance(tree, 0)
    return TargetScale(float(tree.value[0, 0]), spread if spread > 0 else 1.0)


def typical_distance(tree: Tree, node: int) -> float:
    """The standard deviation of the targets at a node of a regression tree, or about that; for absolute_error the mean
    distance from the median. Half a deviance about the rate r is about d^2 / (2 r) for a target at a distance d.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    >>> typical_distance(build(schema, number("age", 3, leaf(20.0, 4, 36.0), leaf(12.5))), 1)
    3.0
    """
    loss = float(tree.impurity[node])
    if tree.by_deviance:
        loss *= 2.0 * float(tree.stats[node, 1])
    return loss if tree.by_median else loss**0.5


class RowTotal(NamedTuple):
    """The weight of rows, and how many rows that is: whole weights are copies; with other weights each row is one."""

    weight: float
    n_rows: float


class RowsElsewhere(Protocol):
    """Rows that are not in memory, which are summed up where they are."""

    @property
    def total(self) -> RowTotal:
        """Their weight and number."""

    def sum_at_nodes(self, tree: Tree, rule: MissingPolicy, scale: TargetScale, n_powers: int) -> NodeSums:
        """What `sum_rows_at_nodes` finds for these rows."""


def total_of(rows: Dataset | RowsElsewhere) -> RowTotal:
    """The weight and the number of rows.

    >>> from treewright.model.build import golf_example
    >>> total_of(Dataset(golf_example().schema, np.zeros((2, 3)), np.array([1, 0]), np.array([0.5, 2.0])))
    RowTotal(weight=2.5, n_rows=2.0)
    """
    if not isinstance(rows, Dataset):
        return rows.total
    weight = n_rows = float(rows.n_rows)
    if rows.weight is not None:
        weight = float(rows.weight.sum())
        n_rows = weight if rows.is_counted else float(np.count_nonzero(rows.weight))
    return RowTotal(weight, n_rows)


def sum_rows_at_nodes(
    tree: Tree, rows: Dataset | RowsElsewhere, rule: MissingPolicy, scale: TargetScale, n_powers: int = 3
) -> NodeSums:
    """Route the rows down the tree, and sum them up at each node.

    n_powers  how many powers of a numeric target are summed up; `scale` may have other terms in their place

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 0]))
    >>> sum_rows_at_nodes(tree, rows, MissingPolicy(), TargetScale()).here[:2].tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    if not isinstance(rows, Dataset):
        return rows.sum_at_nodes(tree, rule, scale, n_powers)
    values = prepare_values(tree, rows.values)
    nodes, several = route_rows(tree, values, rule)
    weight = rows.row_weights
    one = np.ones(rows.n_rows, bool)
    one[several] = False
    powers = scale.terms(np.asarray(rows.target, np.float64), n_powers) if tree.schema.target.is_number else None
    ended = _tally(tree, rows, powers, (np.flatnonzero(one), nodes[one], weight[one]))
    for part in route_fractional_rows(tree, values, rule.unseen, several, nodes[several]):
        at = np.repeat(part.rows, part.counts)
        ended += _tally(tree, rows, powers, (at, part.nodes, part.weights * weight[at]))
    here = ended.copy()
    sum_up(tree.parent, here)
    ended[tree.n_children == 0] = 0.0
    return NodeSums(here, ended)


def _tally(
    tree: Tree, rows: Dataset, powers: NDArray[np.float64] | None, ended: tuple[NDArray[Any], ...]
) -> NDArray[np.float64]:
    """The sums of rows at the nodes where their paths end; `ended` are rows, nodes and weights."""
    at, nodes, weight = ended
    n = tree.n_nodes
    if powers is not None:
        return np.stack([_counts(nodes, weight * power[at], n) for power in powers], axis=1)
    n_classes = tree.schema.target.n_classes
    return _counts(nodes * n_classes + rows.target[at], weight, n * n_classes).reshape(n, n_classes)


def _counts(index: NDArray[Any], weight: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """The sum of weights for each index; as floats, also where `bincount` has nothing to count."""
    return np.bincount(index, weight, n).astype(np.float64, copy=False)


def read_costs(cost_matrix: Any, tree: Tree) -> NDArray[np.float64] | None:
    """What a prediction costs, (true class, predicted class), for the class weights of the tree.

    cost_matrix  as in `treewright.data.class_costs.cost_array`; None: the costs that the tree was grown with, and None
                 if there were none

    >>> from treewright.model.build import golf_example
    >>> read_costs({"Play": {"Don't Play": 5}}, golf_example())
    array([[0., 1.],
           [5., 0.]])
    """
    answering = tree.prediction_rule
    if cost_matrix is None:
        return None if answering.costs is None else relative_costs(np.array(answering.costs))
    costs = cost_array(cost_matrix, tree.schema.target, float(tree.weight[0]))
    # A matrix of the method is about the weights of rows before the costs of growth multiplied them.
    return costs if answering.factors is None else costs / np.array(answering.factors)[:, None]


def read_priors(priors: Any, tree: Tree) -> NDArray[np.float64]:
    """The prior probability of each class, in the order of the tree's classes.

    priors  "equal"; "root": the class proportions of the training rows, with their weights; or a mapping {class: prior}
            over all classes, in any unit

    >>> from treewright.model.build import golf_example
    >>> read_priors({"Play": 3, "Don't Play": 1}, golf_example())
    array([0.25, 0.75])
    """
    classes = require_classes(tree.schema.target, "priors")
    if isinstance(priors, str) and priors == "equal":
        return np.full(len(classes), 1.0 / len(classes))
    if isinstance(priors, str) and priors == "root":
        found: NDArray[np.float64] = tree.stats[0] / tree.weight[0]
        return found
    if not isinstance(priors, Mapping):
        raise ParameterError(f"priors must be 'equal', 'root' or a mapping {{class: prior}}, got {priors!r}.")
    return priors_array(priors, tree.schema.target)


VALIDATION_UNITS = {
    "accuracy": N_("validation errors"),
    "cost": N_("validation cost"),
    "loss": N_("validation squared error"),
}
"""The unit of the losses of a node, by the score of the whole tree."""

VALIDATION_MESSAGES = (
    *VALIDATION_UNITS.values(),
    N_("accuracy before"),
    N_("accuracy after"),
    N_("cost before"),
    N_("cost after"),
    N_("loss before"),
    N_("loss after"),
)
"""The messages of reports that are made with validation rows."""


def score_name(tree: Tree, costs: NDArray[np.float64] | None = None) -> str:
    """The score that a tree is evaluated by: accuracy, cost or loss.

    >>> from treewright.model.build import golf_example
    >>> score_name(golf_example())
    'accuracy'
    """
    if tree.schema.target.is_number:
        return "loss"
    return "accuracy" if costs is None else "cost"


def score_steps(
    score: str, total: float, start: float, change: NDArray[np.float64], made: NDArray[np.bool_]
) -> Mapping[str, NDArray[np.float64]]:
    """The score of the whole tree before each step, and after it if it is made.

    score   as `score_name` returns it
    total   the weight of all validation rows
    start   the loss of the tree before the first step
    change  what each step adds to the loss
    made    whether it is made

    >>> score_steps("accuracy", 4.0, 2.0, np.array([-1.0, 2.0, 0.0]), np.array([True, False, True]))
    {'accuracy before': array([0.5 , 0.75, 0.75]), 'accuracy after': array([0.75, 0.25, 0.75])}
    """
    done = np.cumsum(np.where(made, change, 0.0))
    before = start + np.concatenate([[0.0], done[:-1]]) if len(done) else done
    found = {f"{score} before": before / total, f"{score} after": (before + change) / total}
    return {name: 1.0 - rate for name, rate in found.items()} if score == "accuracy" else found
