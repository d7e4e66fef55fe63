"""Same-decision pruning: join leaves that predict the same."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import largest_below, sum_up
from treewright.language import N_
from treewright.model.tree import Tree
from treewright.prune.losses import predicted_classes
from treewright.prune.method import Method, Pruned, PruningInput
from treewright.prune.traversal import Wording, build_result, compare_bottom_up

RULE = N_("A node becomes a leaf when every leaf below it predicts the same as the node itself.")
OTHER_PREDICTIONS, AMONG_LEAVES = N_("other predictions"), N_("among the leaves below")
APART, FROM_FURTHEST = N_("apart"), N_("from the furthest prediction below")
ALLOWED = N_("allowed")


@dataclass(frozen=True, slots=True)
class SameDecision(Method):
    """Siblings with the same prediction become one leaf, from the bottom up; no prediction changes.

    The branches of such a split may differ in their class probabilities, which is why growth made it. The joined leaf
    has the class probabilities of all its rows.

    Examples
    --------
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> young = number("age", 20, leaf({"no": 6}), leaf({"no": 3, "yes": 2}))
    >>> pruned = SameDecision().prune(build(schema, number("age", 30, young, leaf({"yes": 4}))))
    >>> print(pruned.tree.to_text())
    age <= 30: no (11/2)
    age > 30: yes (4)
    >>> print(pruned.report.of(0).words)
    Node 0 (root): 1 other prediction among the leaves below, 0 allowed: kept.
    """

    name: ClassVar[str] = "same_decision"
    for_numbers: ClassVar[bool] = True
    messages: ClassVar[tuple[str, ...]] = (RULE, OTHER_PREDICTIONS, AMONG_LEAVES, APART, FROM_FURTHEST, ALLOWED)
    stored_texts: ClassVar[Mapping[str, str]] = {
        RULE: "A node becomes a leaf when every leaf below it gives the same answer as the node itself.",
        OTHER_PREDICTIONS: "other answers",
        FROM_FURTHEST: "from the furthest answer below",
    }

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree = inputs.tree
        is_number = tree.schema.target.is_number
        changed = _largest_difference(tree) if is_number else _other_predictions(tree)
        # Nothing may change, and nothing does at the leaves: branches that stay sum up to 0.
        comparison = compare_bottom_up(tree, changed, np.zeros(tree.n_nodes))
        unit, as_leaf = (APART, FROM_FURTHEST) if is_number else (OTHER_PREDICTIONS, AMONG_LEAVES)
        pruned = build_result(tree, Wording(self.name, RULE, unit), changed, comparison)
        return replace(pruned, report=replace(pruned.report, as_leaf=as_leaf, as_subtree=ALLOWED))


def _other_predictions(tree: Tree) -> NDArray[np.float64]:
    """How many leaves below each node predict another class than the node."""
    predicted = predicted_classes(tree)
    leaves = np.zeros((tree.n_nodes, tree.schema.target.n_classes))
    at = np.flatnonzero(tree.is_leaf)
    leaves[at, predicted[at]] = 1.0
    sum_up(tree.parent, leaves)
    agree: NDArray[np.float64] = leaves[np.arange(tree.n_nodes), predicted]
    return leaves.sum(axis=1) - agree


def _largest_difference(tree: Tree) -> NDArray[np.float64]:
    """The largest difference between the prediction of each node and those of the leaves below it."""
    value = tree.value[:, 0]
    high, low = (np.where(tree.is_leaf, sign * value, -np.inf) for sign in (1.0, -1.0))
    largest_below(tree.parent, high)
    largest_below(tree.parent, low)
    return np.maximum(high - value, low + value)
