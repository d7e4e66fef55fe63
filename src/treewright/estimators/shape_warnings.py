"""Warnings at the end of `fit` about trees of a shape that is seldom wanted, with what to try instead."""

import warnings
from typing import TYPE_CHECKING

import numpy as np

from treewright import prune
from treewright.errors import TreeShapeWarning
from treewright.model.formatting import printable

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

MANY_LEAVES, MANY_ROWS = 100, 10_000
"""A pruned tree with more leaves than this is large, unless it was grown on so many rows."""

MANY_BRANCHES = 20
"""A split with more branches than this is seldom read."""


def warn_about_shape(model: "BaseTreeEstimator", n_rows: int) -> None:
    """Warn about the tree of a fit on so many rows: one warning of each kind at most."""
    for message in (_single_leaf(model), _many_leaves(model, n_rows), _many_branches(model)):
        if message is not None:
            warnings.warn(message, TreeShapeWarning, stacklevel=3)  # the caller of `fit`


def _single_leaf(model: "BaseTreeEstimator") -> str | None:
    """What to say if pruning left nothing of a tree with splits."""
    reports = [one for one in (model.pre_pruning_report_, model.pruning_report_) if one is not None]
    steps = [step for report in reports for step in report.steps or (report,) if step.tree.n_nodes > 1]
    if model.tree_.n_nodes > 1 or not steps:
        return None
    method = steps[-1].method  # the last step that got a tree with splits left none
    advice = {
        prune.MaxLeaves.name: "set a larger size",
        prune.PrePruning.name: "pass other validation rows, set pre_pruning=False",
    }.get(method, "try another pruning method, or pruning=None to see the grown tree")
    return (
        f"Pruning by {method!r} left a single leaf of a tree that was grown to {steps[0].tree.n_leaves} leaves, so "
        f"every row gets the same prediction; {advice}, or train on more rows."
    )


def _many_leaves(model: "BaseTreeEstimator", n_rows: int) -> str | None:
    """What to say if a pruned tree is too large to be read; without pruning a large tree is intended."""
    n_leaves = model.tree_.n_leaves
    if model.size is not None or model._pruned_by.method is None or n_leaves <= MANY_LEAVES or n_rows >= MANY_ROWS:
        return None
    return (
        f"The pruned tree has {n_leaves} leaves for {n_rows:,} training rows, too many to read; set size='readable' "
        "or a number of leaves, or use a stronger pruning method."
    )


def _many_branches(model: "BaseTreeEstimator") -> str | None:
    """What to say if a split has very many branches: the one with the most."""
    tree = model.tree_
    node = int(np.argmax(tree.n_children))
    n_branches = int(tree.n_children[node])
    if n_branches <= MANY_BRANCHES:
        return None
    column = printable(repr(tree.schema.names[tree.column[node]]))
    advice = "set" if hasattr(model, "grouping") else "use C45Classifier with"
    return (
        f"The split of node {node} on column {column} has {n_branches} branches, too many to read; {advice} "
        "grouping='binary' to join categories, or drop the column if it identifies the rows."
    )
