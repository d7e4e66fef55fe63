"""Shrunk: probabilities by hierarchical shrinkage of some classes at some nodes, for many amounts of it.

In: a tree, pairs of a node and a class, and amounts. Out: the probability of each pair for each amount, to the last bit
that of `treewright.model.answering.node_values`, which works out all classes of all nodes.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import shrink_along_paths
from treewright.model.answering import Answering, node_shares, node_values, not_empty
from treewright.model.tree import Tree


def shrunk_pairs(
    tree: Tree, pairs: NDArray[np.int64], how: Answering, amounts: Sequence[float]
) -> NDArray[np.float64]:
    """The probabilities of the pairs, each a node times the number of classes + a class; (amount, pair).

    >>> from treewright.model.build import golf_example
    >>> shrunk_pairs(golf_example(), np.array([0, 1, 5]), Answering("shrinkage"), [0.0, 14.0]).round(3).tolist()
    [[0.357, 0.643, 1.0], [0.357, 0.643, 0.821]]
    """
    n_nodes, n_classes = tree.stats.shape
    nodes, classes = np.divmod(pairs, n_classes)
    n_rounds = tree.depth.bit_length()
    if tree.depths[nodes].sum() > n_nodes * n_classes * n_rounds:  # long chains: all nodes at once take fewer steps
        each = [node_values(replace(how, amount=amount), tree.stats, tree.weight, tree.parent) for amount in amounts]
        return np.array([value.ravel()[pairs] for value in each])
    stats, whole = np.ascontiguousarray(tree.stats), tree.weight
    rows = whole / how.row_weight
    if how.factors is not None:  # shares as they were before costs altered them
        stats, rows = node_shares(how, tree.stats, tree.weight)
        rows, whole = rows / how.row_weight, np.ones(n_nodes)
    if not tree.weight.all():
        nodes = not_empty(tree.weight > 0, tree.parent)[nodes]
    amount = np.array(amounts, np.float64)
    found = np.empty((len(amounts), len(pairs)))
    kept, path = np.empty((n_nodes + 1, len(amounts))), np.empty((tree.depth + 1, len(amounts)))
    is_above = np.zeros(n_nodes, np.uint8)
    shrink_along_paths(tree.parent, stats, whole, rows, amount, nodes, classes, is_above, kept, path, found)
    return found
