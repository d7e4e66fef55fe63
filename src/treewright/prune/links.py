"""Links: at which alpha each node of a tree becomes a leaf.

In: a tree, and what its nodes cost as leaves on the training rows. Out: the alpha of each node, in O(n log n) for a
tree of any shape.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import least_above, weakest_links
from treewright.errors import one_of
from treewright.model.strategies import STAYS
from treewright.model.tree import Tree
from treewright.prune.losses import Losses, training_losses

RISKS = ("error", "impurity")
"""What the risk of a tree is a sum of."""


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """When each node of a tree becomes a leaf: float64 (n_nodes,), alphas in parts of the training weight.

    alpha  from which on the node is a leaf, unless it is gone; 0 at a leaf
    above  from which on it is gone, since a node above it is a leaf; infinity at the root
    goes   bool, whether it becomes a leaf before any node above it does
    rise   what the risk rises by when it becomes one
    fewer  by how many the leaves get fewer; int64
    """

    alpha: NDArray[np.float64]
    above: NDArray[np.float64]
    goes: NDArray[np.bool_]
    rise: NDArray[np.float64]
    fewer: NDArray[np.int64]


def node_losses(tree: Tree, risk: str = "error", costs: NDArray[np.float64] | None = None) -> Losses:
    """What each node costs as a leaf on the training rows, by either risk; not yet in parts of their weight.

    >>> from treewright.model.build import golf_example
    >>> node_losses(golf_example(), "error").leaf.tolist()
    [5.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]
    """
    if one_of("risk", risk, RISKS) == "error":
        return training_losses(tree, costs)
    staying = np.zeros(tree.n_nodes)
    if tree.strategy.goes == STAYS:
        # Rows that no branch took are taken to be as mixed as the node's rows on average.
        left = tree.weight - np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
        staying = np.where(tree.n_children > 0, tree.impurity * np.maximum(left, 0.0), 0.0)
    return Losses(tree.weight * tree.impurity, staying, float(tree.weight[0]))


def weakest(tree: Tree, losses: Losses) -> Links:
    """When each node becomes a leaf.

    >>> from treewright.model.build import golf_example
    >>> links = weakest(golf_example(), node_losses(golf_example()))
    >>> (14 * links.alpha).round(3).tolist(), links.fewer.tolist()
    ([1.25, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0], [4, 1, 0, 1, 0, 0, 0, 0])
    """
    n = tree.n_nodes
    alpha, above, rise, fewer = np.empty(n), np.empty(n), np.empty(n), np.empty(n, np.int64)
    heap = tuple(np.empty(n, np.int64) for _ in range(3))
    # Sums of whole losses are exact, so ties are found as ties; they are divided by the weight in the end, when it is
    # settled which node goes first: a quotient may hide that.
    leaf, staying = np.ascontiguousarray(losses.leaf), np.ascontiguousarray(losses.staying)
    weakest_links((tree.parent, tree.n_children), leaf, staying, heap, alpha, rise, fewer)
    least_above(tree.parent, alpha, above)
    goes = (alpha < above) & (tree.n_children > 0)
    return Links(alpha / losses.total, above / losses.total, goes, rise / losses.total, fewer)
