"""Warnings at the end of `fit` about trees of a shape that is seldom wanted, with what to try instead."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from treewright import prune
from treewright.errors import TreeShapeWarning
from treewright.language import messages
from treewright.model.formatting import printable

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

MANY_LEAVES, MANY_ROWS = 100, 10_000
"""A pruned tree with more leaves than this is large, unless it was grown on so many rows."""

MANY_BRANCHES = 20
"""A split with more branches than this is seldom read."""


def warn_about_shape(model: "BaseTreeEstimator", n_rows: int) -> None:
    """Warn about the tree of a fit on so many rows: one warning of each kind at most."""
    for say in (partial(_single_leaf, model), partial(_many_leaves, model, n_rows), partial(_many_branches, model)):
        message = say("en")
        if message is not None:
            warning = TreeShapeWarning(message, partial(_with_options, say))
            warnings.warn(warning, stacklevel=3)  # the caller of `fit`


def _with_options(say: Callable[..., str | None], language: str) -> str:
    return say(language, options=True) or ""


def _single_leaf(model: "BaseTreeEstimator", language: str, options: bool = False) -> str | None:
    """What to say if pruning left nothing of a tree with splits; `options`: with those of the command line."""
    reports = [one for one in (model.pre_pruning_report_, model.pruning_report_) if one is not None]
    steps = [step for report in reports for step in report.steps or (report,) if step.tree.n_nodes > 1]
    if model.tree_.n_nodes > 1 or not steps:
        return None
    _, method = messages(language), steps[-1].method  # the last step that got a tree with splits left none
    if method == prune.MaxLeaves.name:
        advice = _("use a larger --size") if options else _("set a larger size")
    elif method == prune.PrePruning.name:
        advice = _("use other validation rows") if options else _("pass other validation rows, set pre_pruning=False")
    elif options:
        advice = _("try another method, or --pruning none to see the grown tree")
    else:
        advice = _("try another pruning method, or pruning=None to see the grown tree")
    return _(
        "Pruning by {method!r} left a single leaf of a tree that was grown to {n} leaves, so every row gets the same "
        "prediction; {advice}, or train on more rows.",
        method=method,
        n=steps[0].tree.n_leaves,
        advice=advice,
    )


def _many_leaves(model: "BaseTreeEstimator", n_rows: int, language: str, options: bool = False) -> str | None:
    """What to say if a pruned tree is too large to be read; without pruning a large tree is intended."""
    n_leaves = model.tree_.n_leaves
    if model.size is not None or model._pruned_by.method is None or n_leaves <= MANY_LEAVES or n_rows >= MANY_ROWS:
        return None
    _ = messages(language)
    if options:
        advice = _("use --size readable, --size with a number of leaves, or a stronger pruning method")
    else:
        advice = _("set size='readable' or a number of leaves, or use a stronger pruning method")
    return _(
        "The pruned tree has {n} leaves for {rows} training rows, too many to read; {advice}.",
        n=n_leaves,
        rows=f"{n_rows:,}",
        advice=advice,
    )


def _many_branches(model: "BaseTreeEstimator", language: str, options: bool = False) -> str | None:
    """What to say if a split has very many branches: the one with the most."""
    tree, _ = model.tree_, messages(language)
    node = int(np.argmax(tree.n_children))
    n_branches = int(tree.n_children[node])
    if n_branches <= MANY_BRANCHES:
        return None
    has_groups = hasattr(model, "grouping")
    if options:
        advice = _("use --set grouping=binary") if has_groups else _("use -a c4.5 --set grouping=binary")
    else:
        advice = _("set grouping='binary'") if has_groups else _("use C45Classifier with grouping='binary'")
    return _(
        "The split of node {node} on column {column} has {n} branches, too many to read; {advice} to join categories, "
        "or drop the column if it identifies the rows.",
        node=node,
        column=printable(repr(tree.schema.names[tree.column[node]])),
        n=n_branches,
        advice=advice,
    )
