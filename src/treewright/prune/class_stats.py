"""Class statistics: what the class weights of nodes and their branches say, for methods that weigh information.

In: a classification tree. Out: the class weights that went down branches or stayed, and their information.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.model.strategies import STAYS
from treewright.model.tree import Tree


def in_branches(tree: Tree) -> NDArray[np.float64]:
    """The class weights of the branches of each node together; 0 at a leaf.

    They are the node's own, up to rounding, unless missing values stopped some of its rows.

    >>> from treewright.model.build import golf_example
    >>> in_branches(golf_example())[0].tolist()
    [5.0, 9.0]
    """
    columns = [np.bincount(tree.parent[1:], column[1:], tree.n_nodes) for column in tree.stats.T]
    # Of no children at all, bincount makes whole numbers.
    return np.stack(columns, axis=1).astype(np.float64, copy=False)


def staying(tree: Tree) -> NDArray[np.float64]:
    """The class weights that stayed at each inner node because a value was missing; 0 unless growth stopped them.

    >>> from treewright.model.build import golf_example
    >>> staying(golf_example()).sum()
    np.float64(0.0)
    """
    if tree.strategy.goes != STAYS:
        return np.zeros_like(tree.stats)
    left = np.where(tree.is_leaf[:, None], 0.0, tree.stats - in_branches(tree))
    # Sums of weights leave a rest of rounding where nothing stayed.
    return np.where(left > 1e-12 * tree.weight[:, None], left, 0.0)


def information(stats: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each row of class weights times its entropy, in natural units; 0 where there is no weight.

    >>> information(np.array([[2.0, 2.0], [3.0, 0.0]])).round(4).tolist()
    [2.7726, 0.0]
    """
    whole = stats.sum(axis=1, keepdims=True)
    share = np.divide(stats, whole, out=np.ones_like(stats), where=stats > 0)
    return -(stats * np.log(share)).sum(axis=1) + 0.0


def present_classes(tree: Tree) -> int:
    """How many classes have weight in the training table.

    >>> from treewright.model.build import golf_example
    >>> present_classes(golf_example())
    2
    """
    return int(np.count_nonzero(tree.stats[0]))
