"""Losses: what each node of a tree costs as a leaf, on training rows or on others.

In: a tree, and rows to be judged by (or none: the training rows, whose statistics the tree holds). Out: the loss of
every node as a leaf, and of the rows that end at an inner node whatever is pruned below it. A loss is the weight of
wrong answers, what they cost, or a sum of squares; losses of branches add up. Costs are for class weights as the tree
has them: `treewright.prune.costs.read_costs` makes them so.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.model.answering import decide
from treewright.model.strategies import STAYS
from treewright.model.tree import Tree
from treewright.predict.rule import Rule
from treewright.prune import class_stats
from treewright.prune.arrivals import arrivals, scale_of
from treewright.prune.costs import read_costs

ROUNDING = 1e-12
"""What is left of a difference of sums is nothing when it is no more than this part of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The losses of the nodes of a tree.

    leaf     float64 (n_nodes,), of all rows that come to the node, answered by it
    staying  float64 (n_nodes,), of those that end there though it is an inner node; 0 unless missing values stop
    total    the weight of all rows
    """

    leaf: NDArray[np.float64]
    staying: NDArray[np.float64]
    total: float


def training_losses(tree: Tree, costs: NDArray[np.float64] | None = None) -> Losses:
    """The losses on the training rows.

    costs  what an answer costs, (true class, answered class); None: what the tree was grown with, and where that was
           without costs, 1 for each wrong one

    >>> from treewright.model.build import golf_example
    >>> training_losses(golf_example()).leaf.tolist()
    [5.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]
    """
    inner = tree.n_children > 0
    staying = np.zeros(tree.n_nodes)
    total = float(tree.weight[0])
    if tree.schema.target.is_number:
        leaf = tree.stats[:, 2].copy()
        if tree.strategy.goes == STAYS:
            staying[inner] = _squares_left_over(tree)[inner]
        return Losses(leaf, staying, total)
    costs = read_costs(None, tree) if costs is None else costs
    answer = answers(tree, costs)
    if tree.strategy.goes == STAYS:
        staying = _class_losses(class_stats.staying(tree), answer, costs)
    return Losses(_class_losses(tree.stats, answer, costs), staying, total)


def validation_losses(
    tree: Tree, rows: Dataset, rule: Rule, costs: NDArray[np.float64] | None = None
) -> Losses:
    """The losses on other rows, in the codes of the tree's schema.

    A row that goes down several branches counts in each with its share; for regression the loss is squared. The classes
    of the rows are weighed as those that the tree was grown on.
    """
    scale = scale_of(tree)
    found = arrivals(tree, rows, rule, scale)
    tables = found.here, found.stayed
    total = float(found.here[0, 0] if tree.schema.target.is_number else found.here[0].sum())
    if not total > 0:
        raise InputError("The validation rows have no weight; give at least one that counts.")
    if tree.schema.target.is_number:
        value = (tree.value[:, 0] - scale.centre) / scale.spread
        leaf, staying = (_squares(table, value) * scale.spread**2 for table in tables)
        return Losses(leaf, staying, total)
    costs = read_costs(None, tree) if costs is None else costs
    answer = answers(tree, costs)
    leaf, staying = (_class_losses(table, answer, costs) for table in tables)
    return Losses(leaf, staying, total)


def answers(tree: Tree, costs: NDArray[np.float64] | None = None) -> NDArray[np.intp]:
    """The class code each node answers, by other costs than its own if given; the first one on a tie."""
    if costs is None:
        return np.asarray(decide(tree.answering, tree.value))
    factors = tree.answering.factors
    expected = (tree.value if factors is None else tree.value * np.array(factors)) @ costs
    return (expected <= expected.min(axis=1, keepdims=True) * (1 + 1e-12)).argmax(axis=1)


def _class_losses(
    stats: NDArray[np.float64], answer: NDArray[np.intp], costs: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if costs is not None:
        return np.einsum("nc,cn->n", stats, costs[:, answer])
    wrong = stats.copy()
    wrong[np.arange(len(stats)), answer] = 0.0
    return wrong.sum(axis=1)


def _squares_left_over(tree: Tree) -> NDArray[np.float64]:
    """The loss of the rows that no branch took, answered by their node."""
    weight = tree.weight - np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
    weight = np.where(weight > ROUNDING * tree.weight, weight, 0.0)
    if tree.by_median:
        # Distances from a median cannot be told from those of the branches: these rows are taken to be as far from
        # it as the node's rows are on average.
        return weight * tree.impurity
    # A sum of squares can be moved to another centre: that of each branch around the node's mean is taken off.
    value, parent = tree.value[:, 0], tree.parent[1:]
    moved = tree.stats[1:, 2] + tree.weight[1:] * (value[1:] - value[parent]) ** 2
    left = tree.stats[:, 2] - np.bincount(parent, moved, tree.n_nodes)
    # What is left where no row is, or next to none of the node's loss, is rounding.
    return np.where((weight > 0) & (left > ROUNDING * tree.stats[:, 2]), left, 0.0)


def _squares(moments: NDArray[np.float64], value: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of w (y - value)^2."""
    own, moved = moments[:, 2], value**2 * moments[:, 0]
    found = own - 2 * value * moments[:, 1] + moved
    # Where all rows have the value, the terms cancel but for their rounding.
    return np.where(found > ROUNDING * (own + moved), found, 0.0)
