"""Path: the trees of cost-complexity pruning, for the slider of a page.

In: the views, of which one may have chosen from this path, and what the nodes lose as leaves. Out: at which alpha each
node becomes a leaf, and the errors of each tree of the path.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree
from treewright.page.plain import exact, rounded
from treewright.page.views import View
from treewright.prune.losses import Losses
from treewright.prune.path import CostComplexityPath, cost_complexity_path, losses_along
from treewright.prune.report import PruningReport

DIGITS = 9


def path_part(
    grown: Tree, views: list[View], training: Losses | None, validation: Losses | None
) -> dict[str, Any] | None:
    """The path; None of a tree that is a single leaf.

    grown     the tree before pruning, as methods look at it
    training, validation  what each node of the grown tree loses as a leaf on these rows; None where it is not known
    """
    if grown.n_nodes == 1:
        return None
    path, report = _known(views)
    path = cost_complexity_path(grown) if path is None else path
    by_folds = report is not None and "cross-validation" in report.rule
    return {
        "node_alpha": exact(path.node_alpha),
        "alphas": exact(path.alphas),
        "leaves": exact(path.leaves),
        "training_error": None if training is None else rounded(errors_along(path, training), DIGITS),
        "validation_error": None if validation is None else rounded(errors_along(path, validation), DIGITS),
        "cv_error": rounded(path.error, DIGITS) if by_folds and path.error is not None else None,
        "cv_se": rounded(path.standard_error, DIGITS) if by_folds and path.standard_error is not None else None,
        "chosen": path.chosen,
    }


def errors_along(path: CostComplexityPath, losses: Losses) -> NDArray[np.float64]:
    """The error of each tree of the path, by what its nodes lose as leaves.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune.losses import training_losses
    >>> golf = golf_example()
    >>> errors_along(cost_complexity_path(golf), training_losses(golf)).round(3).tolist()
    [0.0, 0.357]
    """
    return losses_along(path, losses) / losses.total


def _known(views: list[View]) -> tuple[CostComplexityPath | None, PruningReport | None]:
    """The path that a view has chosen from, that of the tree that answers first."""
    for view in views:
        if view.report is not None and isinstance(view.report.path, CostComplexityPath):
            return view.report.path, view.report
    return None, None
