"""Shrunk: probabilities by hierarchical shrinkage of some classes at some nodes, for many amounts of it.

In: a tree, pairs of a node and a class, and amounts. Out: the probability of each pair for each amount, to the last bit
that of `treewright.model.answering.node_values`, which works out all classes of all nodes.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import shrink_along_paths
from treewright.model.answering import Answering, kept_shares, node_shares, node_values, not_empty
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
    share, whole = node_shares(how, tree.stats, tree.weight)
    if not tree.weight.all():
        nodes = not_empty(tree.weight > 0, tree.parent)[nodes]
    kept = np.empty((n_nodes, len(amounts)))
    for i, amount in enumerate(amounts):
        kept[:, i] = kept_shares(whole / how.row_weight, tree.parent, amount)
    found = np.empty((len(amounts), len(pairs)))
    shrink_along_paths(tree.parent, share, kept, nodes, classes, np.empty((tree.depth + 1, len(amounts))), found)
    return found
