"""Class weights of the nodes of a tree and of their branches, and their information."""

import numpy as np
from numpy.typing import NDArray

from treewright.model.strategies import STAYS
from treewright.model.tree import Tree


def branch_class_weights(tree: Tree) -> NDArray[np.float64]:
    """The class weights of the branches of each node together; 0 at a leaf.

    They are those of the node, up to rounding, unless rows with missing values stop there.

    >>> from treewright.model.build import golf_example
    >>> branch_class_weights(golf_example())[0].tolist()
    [5.0, 9.0]
    """
    columns = [np.bincount(tree.parent[1:], column[1:], tree.n_nodes) for column in tree.stats.T]
    # Without any children bincount returns integers.
    return np.stack(columns, axis=1).astype(np.float64, copy=False)


def stopped_class_weights(tree: Tree) -> NDArray[np.float64]:
    """The class weights of the rows that stop at each inner node because a value is missing; 0 with other strategies.

    >>> from treewright.model.build import golf_example
    >>> stopped_class_weights(golf_example()).sum()
    np.float64(0.0)
    """
    if tree.strategy.goes != STAYS:
        return np.zeros_like(tree.stats)
    left = np.where(tree.is_leaf[:, None], 0.0, tree.stats - branch_class_weights(tree))
    # Without such rows only rounding is left.
    return np.where(left > 1e-12 * tree.weight[:, None], left, 0.0)


def class_information(stats: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight times entropy, in nats, for each row of class weights; 0 if it has no weight.

    >>> class_information(np.array([[2.0, 2.0], [3.0, 0.0]])).round(4).tolist()
    [2.7726, 0.0]
    """
    whole = stats.sum(axis=1, keepdims=True)
    proportion = np.divide(stats, whole, out=np.ones_like(stats), where=stats > 0)
    return -(stats * np.log(proportion)).sum(axis=1) + 0.0


def count_present_classes(tree: Tree) -> int:
    """How many classes have rows in the training data.

    >>> from treewright.model.build import golf_example
    >>> count_present_classes(golf_example())
    2
    """
    return int(np.count_nonzero(tree.stats[0]))
