"""Hierarchical shrinkage (Agarwal, Tan, Ronen, Singh and Yu 2022): values of nodes drawn towards those above them.

In: the class frequencies or the mean of every node, its number of rows, and the parents. Out: the shrunken values. The
value of the root stays; each step of the path adds the difference of child and parent divided by 1 + amount / rows of
the parent. A branch without rows has the value of the nearest node above it that has some.
"""

import numpy as np
from numpy.typing import NDArray


def shrink(
    value: NDArray[np.float64], rows: NDArray[np.float64], parent: NDArray[np.int64], amount: float
) -> NDArray[np.float64]:
    """Shrink the values of all nodes, (n_nodes, n), by an amount.

    >>> mean, rows, parent = np.array([[10.0], [4.0], [13.0]]), np.array([6.0, 2.0, 4.0]), np.array([-1, 0, 0])
    >>> shrink(mean, rows, parent, 6.0)[:, 0].tolist()
    [10.0, 7.0, 11.5]
    """
    return _add_up(value, shrinkage_factors(rows, parent, np.array([amount])), parent)


def shrink_by_amounts(
    value: NDArray[np.float64], rows: NDArray[np.float64], parent: NDArray[np.int64], amounts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shrink one value of each node by several amounts at once, (n_nodes, n_amounts): as `shrink` does by each.

    >>> mean, rows, parent = np.array([10.0, 4.0, 13.0]), np.array([6.0, 2.0, 4.0]), np.array([-1, 0, 0])
    >>> shrink_by_amounts(mean, rows, parent, np.array([0.0, 6.0])).tolist()
    [[10.0, 10.0], [4.0, 7.0], [13.0, 11.5]]
    """
    return _add_up(value[:, None], shrinkage_factors(rows, parent, amounts), parent)


def _add_up(
    value: NDArray[np.float64], factor: NDArray[np.float64], parent: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Add up the values on each path.

    With c = 1 / (1 + amount / rows of the parent), and 1 at the root, the sum along the path can be written as the
    value of the node times its c, plus for each node above its value times the decrease of c at the next step. These
    factors are not negative, because the rows, and so c, never increase on a path: the result is a weighted mean of the
    values on the path. Each round adds the sums of twice as many ancestors: a chain of n nodes takes log2(n) rounds.
    """
    ancestor = np.maximum(parent, 0)
    above = value[ancestor] * np.maximum(factor[ancestor] - factor, 0.0)
    above[0] = 0.0
    while ancestor.any():
        above += above[ancestor]
        ancestor = ancestor[ancestor]
    return above + value * factor


def shrinkage_factors(
    rows: NDArray[np.float64], parent: NDArray[np.int64], amounts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """c = 1 / (1 + amount / rows of the parent) of every node, (n_nodes, n_amounts); 1 at the root."""
    factor: NDArray[np.float64] = 1.0 / (1.0 + amounts / rows[np.maximum(parent, 0)][:, None])
    factor[0] = 1.0
    return factor


def nearest_nonempty(has_rows: NDArray[np.bool_], parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every node the node itself or, where it is empty, its nearest ancestor that is not."""
    source = np.where(has_rows, np.arange(len(parent)), np.maximum(parent, 0))
    while True:
        higher = source[source]
        if np.array_equal(higher, source):
            return source
        source = higher
