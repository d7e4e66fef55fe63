"""PruningReport: every decision of a pruning, with the two numbers it compared.

In: the grown tree, and for each inner node visited its number as a leaf, that of its subtree, and the verdict. Out:
the same as sentences, text or a frame, in the user's names and categories.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree

KEPT, PRUNED, RAISED = 0, 1, 2
VERDICTS = ("kept", "pruned", "raised")
"""The node keeps its split; it becomes a leaf; its largest branch takes its place."""


@dataclass(frozen=True, slots=True, eq=False)
class PruningReport:
    """What was decided at each inner node, in the order of the visits; nodes have the numbers of the grown tree.

    tree       the grown tree
    method     the name of the method
    rule       when a node is pruned, in one sentence
    unit       what the two numbers are: "errors", "validation errors", "bits"
    node       int64, the nodes visited
    leaf       float64, the number of the node as a leaf
    subtree    float64, the number of its subtree as it was when it was visited
    allowance  float64, how far above the subtree's number the leaf may be
    verdict    int8, KEPT, PRUNED or RAISED
    details    further columns by name
    """

    tree: Tree
    method: str
    rule: str
    unit: str
    node: NDArray[np.int64]
    leaf: NDArray[np.float64]
    subtree: NDArray[np.float64]
    allowance: NDArray[np.float64]
    verdict: NDArray[np.int8]
    details: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.node)


def by_visit(tree: Tree) -> NDArray[np.int64]:
    """The inner nodes from the bottom up: the deepest level first, each level from its first node on."""
    inner = np.flatnonzero(tree.n_children)
    return inner[np.argsort(-tree.depths[inner], kind="stable")]
