"""Additive: pruning from the bottom up, where the numbers of branches add up.

In: the number of each node as a leaf, and what a split adds to those of its branches. Out: the pruned tree and its
report. Reduced error, minimum error, description length and cost-complexity at a given alpha are this, with
different numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import prune_bottom_up
from treewright.model.cut import cut
from treewright.model.tree import Tree
from treewright.prune.method import Pruned
from treewright.prune.report import PruningReport, by_visit


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """The outcome of a pass: the number of each subtree when it was compared, and which nodes become leaves."""

    below: NDArray[np.float64]
    prune: NDArray[np.bool_]


def settle_sums(
    tree: Tree,
    leaf: NDArray[np.float64],
    staying: NDArray[np.float64],
    *,
    allowance: float = 0.0,
    strict: bool = False,
) -> Sums:
    """From the bottom up, prune each node whose number as a leaf is not above that of its branches.

    staying    what an inner node adds to the sum of its branches
    allowance  how far above the sum the leaf may be
    strict     prune only where the leaf is below the sum
    """
    below, prune = np.empty(tree.n_nodes), np.empty(tree.n_nodes, np.uint8)
    links = tree.parent, tree.n_children
    prune_bottom_up(links, np.ascontiguousarray(leaf), np.ascontiguousarray(staying), allowance, strict, below, prune)
    return Sums(below, prune.astype(bool))


@dataclass(frozen=True, slots=True)
class Words:
    """How a method speaks: its name, its rule in a sentence, and what its numbers are."""

    method: str
    rule: str
    unit: str


def conclude(
    tree: Tree,
    words: Words,
    leaf: NDArray[np.float64],
    sums: Sums,
    allowance: float = 0.0,
    details: Mapping[str, NDArray[Any]] | None = None,
) -> Pruned:
    """The pruned tree and the report of a pass; `details` hold a number for each node of the tree."""
    visit, left = by_visit(tree), cut(tree, sums.prune)
    report = PruningReport(
        tree=tree,
        method=words.method,
        rule=words.rule,
        unit=words.unit,
        node=visit,
        leaf=leaf[visit],
        subtree=sums.below[visit],
        allowance=np.full(len(visit), allowance),
        verdict=sums.prune[visit].astype(np.int8),
        details={name: column[visit] for name, column in (details or {}).items()},
        origin=left.origin,
    )
    return Pruned(left.tree, report)
