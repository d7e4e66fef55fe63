"""Top down: pruning from the root on, where nothing is looked at below a node that becomes a leaf.

In: two numbers for each node of a tree. Out: where one is not above the other, and which nodes a walk from the root
comes to.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import covered
from treewright.model.tree import Tree

TIE = 1e-12
"""Two numbers tie when they differ by no more than this part of them."""


def not_above(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where a is at most b, or above it by no more than rounding; both are at least 0.

    >>> not_above(np.array([1.0, 0.1 + 0.2, 2.0]), np.array([2.0, 0.3, 1.0])).tolist()
    [True, True, False]
    """
    return a <= b + TIE * (a + b)


def reached(tree: Tree, become_leaf: NDArray[Any]) -> NDArray[np.int64]:
    """The inner nodes with no such node above them, level by level, each level from its first node on.

    >>> from treewright.model.build import golf_example
    >>> reached(golf_example(), np.arange(8) == 1), reached(golf_example(), np.arange(8) == 0)
    (array([0, 1, 3]), array([0]))
    """
    gone = np.empty(tree.n_nodes, np.uint8)
    covered(tree.parent, np.ascontiguousarray(become_leaf, np.uint8), gone)
    found = np.flatnonzero(~tree.is_leaf & (gone == 0))
    return found[np.argsort(tree.depths[found], kind="stable")]
