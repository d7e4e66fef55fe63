"""Validation: other rows counted in every node of a tree.

In: a tree, rows in its codes and the rule they are answered by. Out: for each node their weight, their class weights
(or mean and loss), and what they cost if the node answers. A row that is shared among branches counts in each with its
share.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.model.tree import Tree
from treewright.page.plain import exact
from treewright.predict.rule import Rule
from treewright.prune.arrivals import arrivals, scale_of
from treewright.prune.losses import ROUNDING, Losses, validation_losses


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What rows are at each node.

    weight  float64 (n_nodes,)
    stats   float64, class weights; for regression the weight, the mean (NaN of no row) and the squared loss about it
    losses  the weight of wrong answers, or the squared error, if the node answers
    """

    weight: NDArray[np.float64]
    stats: NDArray[np.float64]
    losses: Losses

    def part(self) -> dict[str, Any]:
        """As the document holds it."""
        return {"weight": exact(self.weight), "stats": exact(self.stats), "error": exact(self.losses.leaf)}

    def at(self, node: int) -> dict[str, Any]:
        """The same of one node."""
        own = slice(node, node + 1)
        found = {"weight": self.weight[own], "stats": self.stats[own], "error": self.losses.leaf[own]}
        return {name: exact(column)[0] for name, column in found.items()}


def count(tree: Tree, rows: Dataset, rule: Rule) -> Counted:
    """Send the rows down the tree and count them.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> count(tree, rows, Rule()).at(5)
    {'weight': 1, 'stats': [0, 1], 'error': 1}
    """
    scale = scale_of(tree)
    losses = validation_losses(tree, rows, rule)
    here = arrivals(tree, rows, rule, scale).here
    if not tree.schema.target.is_number:
        return Counted(here.sum(axis=1), here, losses)
    weight, first, second = here.T
    mean = np.divide(first, weight, out=np.full(tree.n_nodes, np.nan), where=weight > 0)
    loss = second - first * np.nan_to_num(mean)
    loss = np.where(loss > ROUNDING * second, loss, 0.0) * scale.spread**2
    return Counted(weight, np.column_stack([weight, scale.centre + mean * scale.spread, loss]), losses)
