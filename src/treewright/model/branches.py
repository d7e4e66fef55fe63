"""Branches: how a node's weight lies in its branches.

In: the links and weights of a tree's nodes. Out: the heaviest branch of every node that has some; the share that
every child takes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def heaviest_branch(
    first_child: NDArray[Any], n_children: NDArray[Any], weight: NDArray[Any]
) -> NDArray[np.int32]:
    """The branch of most weight at every inner node, the first one on a tie; -1 at a leaf.

    >>> heaviest_branch(np.array([1, -1, 3, -1, -1]), np.array([2, 0, 2, 0, 0]), np.array([9, 4, 5, 1, 4]))
    array([ 1, -1,  1, -1, -1], dtype=int32)
    """
    branch = np.full(len(weight), -1, np.int32)
    inner, many, starts = _families(first_child, n_children)
    if not len(inner):
        return branch
    below = weight[1:]
    is_most = below == np.repeat(np.maximum.reduceat(below, starts), many)
    place = np.arange(len(below)) - np.repeat(starts, many)
    branch[inner] = np.minimum.reduceat(np.where(is_most, place, len(below)), starts)
    return branch


def branch_shares(
    first_child: NDArray[Any], n_children: NDArray[Any], weight: NDArray[Any], missing_branch: NDArray[Any]
) -> NDArray[np.float64]:
    """The share of each node in the weight of its siblings and itself; the root has 1.

    Where all siblings are empty the missing branch has all of it.

    >>> links = np.array([1, -1, 3, -1, -1]), np.array([2, 0, 2, 0, 0])
    >>> branch_shares(*links, np.array([9.0, 4, 5, 1, 3]), np.array([1, -1, 1, -1, -1])).tolist()
    [1.0, 0.4444444444444444, 0.5555555555555556, 0.25, 0.75]
    """
    share = np.ones(len(weight))
    inner, many, starts = _families(first_child, n_children)
    if not len(inner):
        return share
    below = weight[1:]
    with np.errstate(over="ignore"):
        total = np.add.reduceat(below, starts)
    if not np.isfinite(total).all():  # weights near the largest number there is
        below = below / len(weight)
        total = np.add.reduceat(below, starts)
    share[1:] = below / np.repeat(np.where(total > 0, total, 1.0), many)
    empty = inner[total == 0]
    share[first_child[empty] + missing_branch[empty]] = 1.0
    return share


def _families(
    first_child: NDArray[Any], n_children: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
    """The inner nodes in the order of their children, how many these are, and where they start, counted from 1.

    Siblings are neighbours and every node but the root has a parent: so the children are the nodes from 1 on.
    """
    inner = np.flatnonzero(n_children)
    inner = inner[np.argsort(first_child[inner], kind="stable")]
    many = n_children[inner]
    return inner, many, np.cumsum(many) - many
