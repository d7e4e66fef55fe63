"""The two ways in which methods visit the nodes of a tree: from the bottom up, and from the root down.

Many methods compare one number of each node as a leaf with the sum over its branches: reduced error, minimum error,
description length, error estimates. `compare_bottom_up` decides for them which nodes become leaves, and `build_result`
makes the pruned tree and its report.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import covered, prune_bottom_up
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.prune.method import Pruned
from treewright.prune.report import PruningReport

TIE = 1e-12
"""Two numbers tie when they differ by at most this fraction of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """For each node, the number of its subtree when it was compared, and whether it becomes a leaf."""

    subtree: NDArray[np.float64]
    prune: NDArray[np.bool_]


def compare_bottom_up(
    tree: Tree,
    leaf: NDArray[np.float64],
    staying: NDArray[np.float64],
    *,
    allowance: float = 0.0,
    strict: bool = False,
) -> Comparison:
    """From the bottom up, prune each node whose number as a leaf is at most that of its branches.

    leaf       the number of each node as a leaf
    staying    what an inner node adds to the sum of its branches
    allowance  how far the leaf may be above the sum
    strict     prune only if the leaf is below the sum
    """
    subtree, prune = np.empty(tree.n_nodes), np.empty(tree.n_nodes, np.uint8)
    links = tree.parent, tree.n_children
    leaf, staying = np.ascontiguousarray(leaf), np.ascontiguousarray(staying)
    prune_bottom_up(links, leaf, staying, allowance, strict, subtree, prune)
    return Comparison(subtree, prune.astype(bool))


@dataclass(frozen=True, slots=True)
class Wording:
    """What the report of a method says: the name of the method, its rule in a sentence, and what its numbers are."""

    method: str
    rule: str
    unit: str


def build_result(
    tree: Tree,
    wording: Wording,
    leaf: NDArray[np.float64],
    comparison: Comparison,
    allowance: float = 0.0,
    details: Mapping[str, NDArray[Any]] | None = None,
) -> Pruned:
    """The pruned tree and the report of a comparison; `details` have a number for each node of the tree."""
    visited, pruned = bottom_up_order(tree), collapse_nodes(tree, comparison.prune)
    report = PruningReport(
        tree=tree,
        method=wording.method,
        rule=wording.rule,
        unit=wording.unit,
        node=visited,
        leaf=leaf[visited],
        subtree=comparison.subtree[visited],
        allowance=np.full(len(visited), allowance),
        verdict=comparison.prune[visited].astype(np.int8),
        details={name: column[visited] for name, column in (details or {}).items()},
        origin=pruned.origin,
    )
    return Pruned(pruned.tree, report)


def bottom_up_order(tree: Tree) -> NDArray[np.int64]:
    """The inner nodes from the bottom up: the deepest level first, each level from its first node on."""
    inner = np.flatnonzero(tree.n_children)
    return inner[np.argsort(-tree.depths[inner], kind="stable")]


def reached_from_root(tree: Tree, become_leaf: NDArray[Any]) -> NDArray[np.int64]:
    """The inner nodes that have no new leaf above them, level by level, each level from its first node on.

    >>> from treewright.model.build import golf_example
    >>> reached_from_root(golf_example(), np.arange(8) == 1), reached_from_root(golf_example(), np.arange(8) == 0)
    (array([0, 1, 3]), array([0]))
    """
    is_below = np.empty(tree.n_nodes, np.uint8)
    covered(tree.parent, np.ascontiguousarray(become_leaf, np.uint8), is_below)
    found = np.flatnonzero(~tree.is_leaf & (is_below == 0))
    return found[np.argsort(tree.depths[found], kind="stable")]


def not_above(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where a is at most b, or above it by rounding only; both are at least 0.

    >>> not_above(np.array([1.0, 0.1 + 0.2, 2.0]), np.array([2.0, 0.3, 1.0])).tolist()
    [True, True, False]
    """
    return a <= b + TIE * (a + b)
