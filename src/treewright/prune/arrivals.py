"""Arrivals: what other rows bring to the nodes of a tree.

In: a tree, and rows in the codes of its schema. Out: for each node the class weights of the rows that come to it, or
sums of powers of their numbers, and the same for those whose way ends there. A row that goes down several branches
counts in each with its share.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import sum_up
from treewright.data.dataset import Dataset
from treewright.model.tree import Tree
from treewright.predict.ends import ends, parts, readable
from treewright.predict.rule import Rule


@dataclass(frozen=True, slots=True)
class Scale:
    """How a target that is a number is read: less `centre`, over `spread`, so that sums of powers keep their digits."""

    centre: float = 0.0
    spread: float = 1.0


NO_SCALE = Scale()


@dataclass(frozen=True, slots=True, eq=False)
class Arrivals:
    """A row for each node: class weights, or the sums of w y^k for k = 0, 1, 2 and so on.

    here    of all rows that come to the node
    stayed  of those whose way ends there though it is an inner node
    """

    here: NDArray[np.float64]
    stayed: NDArray[np.float64]


def scale_of(tree: Tree) -> Scale:
    """The mean, or median, and the spread of the training rows; of classes there is nothing to scale.

    >>> from treewright.model.build import golf_example
    >>> scale_of(golf_example())
    Scale(centre=0.0, spread=1.0)
    """
    if not tree.schema.target.is_number:
        return NO_SCALE
    loss = float(tree.impurity[0])
    spread = loss if tree.by_median else loss**0.5
    return Scale(float(tree.value[0, 0]), spread if spread > 0 else 1.0)


def arrivals(tree: Tree, rows: Dataset, rule: Rule, scale: Scale, n_powers: int = 3) -> Arrivals:
    """Send the rows down the tree.

    n_powers  how many powers of a number are summed up

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 0]))
    >>> arrivals(tree, rows, Rule(), Scale()).here[:2].tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    values = readable(tree, rows.values)
    nodes, several = ends(tree, values, rule)
    weight = rows.row_weights
    one = np.ones(rows.n_rows, bool)
    one[several] = False
    powers = _powers(rows, scale, n_powers) if tree.schema.target.is_number else None
    ended = _tally(tree, rows, powers, (np.flatnonzero(one), nodes[one], weight[one]))
    for part in parts(tree, values, rule.unseen, several, nodes[several]):
        at = np.repeat(part.rows, part.counts)
        ended += _tally(tree, rows, powers, (at, part.nodes, part.weights * weight[at]))
    here = ended.copy()
    sum_up(tree.parent, here)
    ended[tree.n_children == 0] = 0.0
    return Arrivals(here, ended)


def _powers(rows: Dataset, scale: Scale, n_powers: int) -> NDArray[np.float64]:
    y = (rows.target - scale.centre) / scale.spread
    return np.stack([y**k for k in range(n_powers)])


def _tally(
    tree: Tree, rows: Dataset, powers: NDArray[np.float64] | None, found: tuple[NDArray[Any], ...]
) -> NDArray[np.float64]:
    """The sums of rows at the nodes where their ways end; `found` are rows, nodes and weights."""
    at, nodes, weight = found
    n = tree.n_nodes
    if powers is not None:
        return np.stack([_counts(nodes, weight * power[at], n) for power in powers], axis=1)
    n_classes = tree.schema.target.n_classes
    return _counts(nodes * n_classes + rows.target[at], weight, n * n_classes).reshape(n, n_classes)


def _counts(place: NDArray[Any], weight: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """The weight in each place; numpy counts in whole numbers where there is nothing to count."""
    return np.bincount(place, weight, n).astype(np.float64, copy=False)
