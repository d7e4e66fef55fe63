"""SameDecision: join leaves that say the same."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import largest_below, sum_up
from treewright.model.tree import Tree
from treewright.prune.additive import Words, conclude, settle_sums
from treewright.prune.losses import answers
from treewright.prune.method import Material, Method, Pruned

RULE = "A node becomes a leaf when every leaf below it gives the same answer as the node itself."
CLASSES = ("other answers", "among the leaves below")
NUMBERS = ("apart", "from the furthest answer below")
"""What is said behind the number of a node."""


@dataclass(frozen=True, slots=True)
class SameDecision(Method):
    """Siblings with the same answer become one leaf, from the bottom up; no answer changes.

    A split whose branches all end in one answer may still tell how sure it is, which is why growth made it; whoever
    asks for answers alone can do without. The class shares of the joined leaf are those of its rows together.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> young = number("age", 20, leaf({"no": 6}), leaf({"no": 3, "yes": 2}))
    >>> pruned = SameDecision().prune(build(schema, number("age", 30, young, leaf({"yes": 4}))))
    >>> print(pruned.tree.to_text())
    age <= 30: no (11/2)
    age > 30: yes (4)
    >>> print(pruned.report.of(0).words)
    Node 0 (root): 1 other answer among the leaves below, 0 allowed: kept.
    """

    name: ClassVar[str] = "same_decision"
    for_numbers: ClassVar[bool] = True

    def _prune(self, material: Material) -> Pruned:
        tree = material.tree
        is_number = tree.schema.target.is_number
        changed = _furthest(tree) if is_number else _other_answers(tree)
        # Nothing may change, and nothing does at the leaves: branches that stay sum up to 0.
        sums = settle_sums(tree, changed, np.zeros(tree.n_nodes))
        unit, below = NUMBERS if is_number else CLASSES
        pruned = conclude(tree, Words(self.name, RULE, unit), changed, sums)
        return replace(pruned, report=replace(pruned.report, as_leaf=below, as_subtree="allowed"))


def _other_answers(tree: Tree) -> NDArray[np.float64]:
    """How many leaves below each node answer another class than the node."""
    answer = answers(tree)
    leaves = np.zeros((tree.n_nodes, tree.schema.target.n_classes))
    at = np.flatnonzero(tree.is_leaf)
    leaves[at, answer[at]] = 1.0
    sum_up(tree.parent, leaves)
    agree: NDArray[np.float64] = leaves[np.arange(tree.n_nodes), answer]
    return leaves.sum(axis=1) - agree


def _furthest(tree: Tree) -> NDArray[np.float64]:
    """How far the number of each node is from the furthest one of the leaves below it."""
    value = tree.value[:, 0]
    high, low = (np.where(tree.is_leaf, sign * value, -np.inf) for sign in (1.0, -1.0))
    largest_below(tree.parent, high)
    largest_below(tree.parent, low)
    return np.maximum(high - value, low + value)
