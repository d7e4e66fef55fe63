"""Rows: the training rows that came to a node.

In: a fitted estimator, and its training rows again where it has not kept them. Out: their values, answers and weights,
each weight with the share of it that came to the node.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.model.tree import Tree
from treewright.predict.route import visited

CHUNK = 1 << 16
"""Rows that are sent down the tree at once: the way of a row is as long as the tree is deep."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeRows:
    """The rows at a node: their cells in one column (NaN is missing), their answers and their weights."""

    values: NDArray[np.float64]
    target: NDArray[Any]
    weight: NDArray[np.float64]


def training_rows(given: Any, X: object = None, y: object = None, sample_weight: object = None) -> Dataset | None:
    """The training rows of an estimator; None for a tree alone, which has none."""
    if isinstance(given, Tree):
        return None
    rows: Dataset = given._training_rows(X, y, sample_weight)
    return rows


def rows_at(tree: Tree, rows: Dataset, node: int, column: int) -> NodeRows:
    """The rows that come to a node, with their cells in a column; without a column (-1) these are all NaN.

    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> rows_at(model.tree_, training_rows(model), 1, 0).values
    array([1., 2.])
    """
    found, shares = [], []
    for start in range(0, rows.n_rows, CHUNK):
        visits = visited(tree, rows.values[start : start + CHUNK])
        here = visits.nodes == node
        found.append(visits.rows[here] + start)
        shares.append(visits.weights[here])
    at, share = np.concatenate(found), np.concatenate(shares)
    values = rows.values[at, column] if column >= 0 else np.full(len(at), np.nan)
    weight = share if rows.weight is None else share * rows.weight[at]
    return NodeRows(values[weight > 0], rows.target[at][weight > 0], weight[weight > 0])


def class_weights(target: NDArray[Any], weight: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
    """The weight of each class among rows.

    >>> class_weights(np.array([1, 0, 1]), np.array([1.0, 2.0, 0.5]), 3).tolist()
    [2.0, 1.5, 0.0]
    """
    return np.bincount(target, weight, n_classes).astype(np.float64)
