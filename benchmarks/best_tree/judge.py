"""One fit and how it did.

In: an estimator, rows to train on and rows to test on. Out: a Score.
"""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.best_tree.algorithms import Algorithm
from benchmarks.best_tree.tables import Part, Table, taken
from treewright import Tree, UnseenCategoryWarning

SMALLEST = 1e-15
"""A probability below this counts as this much in the log loss."""


@dataclass(frozen=True, slots=True)
class Score:
    """Accuracy and log loss (natural logarithm) on the test rows; leaves; leaves when sibling leaves of one decision
    count once; processor seconds of the fit."""

    accuracy: float
    log_loss: float
    n_leaves: int
    n_merged: int
    seconds: float


def judge(algorithm: Algorithm, table: Table, part: Part) -> Score:
    """Fit a fresh estimator on the first rows of the part and test it on the others."""
    train, held = part
    X = table.written(algorithm.form)
    X_train, X_held = taken(X, train), taken(X, held)
    model = algorithm.make()
    start = time.process_time()
    model.fit(X_train, table.codes[train])
    seconds = time.process_time() - start
    return score(model, X_held, table.codes[held], table.n_classes, seconds)


def score(model: Any, X: Any, codes: NDArray[np.int64], n_classes: int, seconds: float) -> Score:
    """How a fitted model predicts these rows; a class it has not seen has the probability 0."""
    with warnings.catch_warnings():
        # A fold may hold a category that no other one does; its prediction is what is measured here.
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        probabilities, predictions = np.asarray(model.predict_proba(X)), np.asarray(model.predict(X))
    of_all = np.zeros((len(codes), n_classes))
    of_all[:, np.asarray(model.classes_, dtype=np.int64)] = probabilities
    right = of_all[np.arange(len(codes)), codes]
    parent, decision = columns(model.tree_)
    is_leaf = np.bincount(parent[1:], minlength=len(parent)) == 0
    return Score(
        accuracy=float(np.mean(predictions == codes)),
        log_loss=float(-np.log(right.clip(SMALLEST, 1.0)).mean()),
        n_leaves=int(is_leaf.sum()),
        n_merged=merged_leaves(parent.tolist(), decision.tolist()),
        seconds=seconds,
    )


def columns(tree: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The parent and the decision of each node of one of our trees, or of one of scikit-learn's."""
    if isinstance(tree, Tree):
        return tree.parent, tree.value.argmax(axis=1)
    parent = np.full(tree.node_count, -1)
    for children in (tree.children_left, tree.children_right):
        inner = np.flatnonzero(children >= 0)
        parent[children[inner]] = inner
    return parent, tree.value[:, 0].argmax(axis=1)


def merged_leaves(parent: Sequence[int], decision: Sequence[int]) -> int:
    """How many leaves are left when sibling leaves of one decision become one, from the bottom up.

    A node all of whose children became one leaf is that leaf itself. Children come after their parents. Here node 1
    joins its leaves (class 0) and so becomes a leaf; at the root it meets node 2, which says the same, and node 3:

    >>> merged_leaves([-1, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 0])
    2
    """
    n_nodes = len(parent)
    n_leaves = [0] * n_nodes
    is_inner = [False] * n_nodes
    said: list[set[int]] = [set() for _ in range(n_nodes)]
    for above in parent[1:]:
        is_inner[above] = True
    for node in reversed(range(n_nodes)):
        predictions = said[node] if is_inner[node] else {decision[node]}
        if n_leaves[node] == 0 and len(predictions) == 1:
            own = predictions.pop()
            if node == 0:
                return 1
            said[parent[node]].add(own)
        else:
            n_leaves[node] += len(predictions)
            if node > 0:
                n_leaves[parent[node]] += n_leaves[node]
    return n_leaves[0]
