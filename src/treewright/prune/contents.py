"""Contents: what nodes say about their rows, after other rows came to some of them.

In: a classification tree, whose split stands at each of its nodes, and the class weights of the rows there. Out: the
columns of the tree that differ then, in the numbers of the grown tree.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.strategies import TO_MISSING
from treewright.model.tree import Tree

"""Strategies for which the missing branch is the one of most weight."""

CLOSE = 1e-9
"""Two weights tie when they differ by no more than this part of them."""


def new_contents(
    tree: Tree,
    *,
    split_of: NDArray[np.int64],
    changed: NDArray[Any],
    count: NDArray[np.int64],
    stats: NDArray[np.int64],
    unit: float,
) -> dict[str, NDArray[Any]]:
    """The columns about rows, new where `changed`; `stats` are class weights in units.

    An empty leaf has the value of the node above it, as everywhere.
    """
    new = np.flatnonzero(changed)
    columns: dict[str, NDArray[Any]] = {
        name: getattr(tree, name).copy() for name in ("count", "weight", "stats", "value", "impurity")
    }
    whole = stats[new].sum(axis=1)
    share = stats[new] / np.maximum(whole, 1)[:, None]
    columns["count"][new] = count[new]
    columns["weight"][new] = whole * unit
    columns["stats"][new] = stats[new] * unit
    columns["value"][new] = share
    columns["impurity"][new] = tree.measured_by.of_shares(share)

    inner = np.flatnonzero(split_of >= 0)
    many = tree.n_children[split_of[inner]]
    start = np.cumsum(many) - many
    children = np.repeat(tree.first_child[split_of[inner]] - start, many) + np.arange(many.sum())
    parent = np.repeat(inner, many)
    empty = columns["count"][children] == 0
    columns["value"][children[empty]] = columns["value"][parent[empty]]
    if tree.strategy.goes != TO_MISSING and len(inner):
        other_rows = np.logical_or.reduceat(changed[children] > 0, start) | (split_of[inner] != inner)
        heaviest = _heaviest(columns["weight"][children], many, start)
        columns["missing_branch"] = np.full(tree.n_nodes, -1, np.int32)
        columns["missing_branch"][inner] = np.where(other_rows, heaviest, tree.missing_branch[inner])
    return columns


def _heaviest(weight: NDArray[np.float64], many: NDArray[Any], start: NDArray[Any]) -> NDArray[np.int64]:
    """The branch of most weight at each inner node, the first one on a tie.

    weight  of the children, one family after the other: `many` from `start` on
    """
    most = np.repeat(np.maximum.reduceat(weight, start), many)
    branch = np.arange(len(weight)) - np.repeat(start, many)
    return np.minimum.reduceat(np.where(weight >= most * (1 - CLOSE), branch, len(weight)), start)
