"""Pruning in the data of a page: the cost-complexity path for the slider, and the decision at each node."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.language import LANGUAGES, messages
from treewright.model.tree import Tree
from treewright.page.json_numbers import exact_list, rounded_list, rounded_number, shorten
from treewright.page.page_input import PageInput
from treewright.page.tree_views import View
from treewright.prune.cost_complexity_path import CostComplexityPath, cost_complexity_path, losses_along
from treewright.prune.losses import Losses
from treewright.prune.report import VERDICTS, PruningReport

DIGITS = 9
"""Significant digits of errors."""

MAX_SENTENCES = 500
"""Number of nodes whose decision has a sentence: the heaviest ones."""


def path_part(
    grown: Tree, views: list[View], training: Losses | None, validation: Losses | None
) -> dict[str, Any] | None:
    """Return the cost-complexity path: the alpha at which each node becomes a leaf, and the errors of each tree.

    It is None for a tree that is a single leaf.

    grown     the unpruned tree
    training, validation  the losses of its nodes as leaves on these rows; None if unknown
    """
    if grown.n_nodes == 1:
        return None
    path, report = _known_path(views)
    path = cost_complexity_path(grown) if path is None else path
    by_folds = report is not None and _by_folds(report)
    return {
        "node_alpha": exact_list(path.node_alpha),
        "alphas": exact_list(path.alphas),
        "leaves": exact_list(path.leaves),
        "training_error": None if training is None else rounded_list(errors_along(path, training), DIGITS),
        "validation_error": None if validation is None else rounded_list(errors_along(path, validation), DIGITS),
        "cv_error": rounded_list(path.error, DIGITS) if by_folds and path.error is not None else None,
        "cv_se": rounded_list(path.standard_error, DIGITS) if by_folds and path.standard_error is not None else None,
        "chosen": path.chosen,
    }


def cross_validated_error(view: View) -> tuple[float | None, float | None]:
    """Return the cross-validated error of the tree of a view and its standard error; None if it was not computed."""
    report = view.report
    if report is None or report.steps or not isinstance(report.path, CostComplexityPath) or not _by_folds(report):
        return None, None
    path = report.path
    if path.error is None or path.standard_error is None or path.chosen is None:
        return None, None
    return float(path.error[path.chosen]), float(path.standard_error[path.chosen])


def _by_folds(report: PruningReport) -> bool:
    return "cross-validation" in report.rule


def errors_along(path: CostComplexityPath, losses: Losses) -> NDArray[np.float64]:
    """Return the error of each tree of the path, from the losses of the nodes as leaves.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune.losses import training_losses
    >>> golf = golf_example()
    >>> errors_along(cost_complexity_path(golf), training_losses(golf)).round(3).tolist()
    [0.0, 0.357]
    """
    return losses_along(path, losses) / losses.total


def _known_path(views: list[View]) -> tuple[CostComplexityPath | None, PruningReport | None]:
    """The path from which a view was chosen; that of the tree used for prediction comes first."""
    for view in views:
        if view.report is not None and isinstance(view.report.path, CostComplexityPath):
            return view.report.path, view.report
    return None, None


def decisions_part(given: PageInput) -> tuple[dict[str, dict[str, Any]], str | None]:
    """Return the decisions by node, and the method that made them; None if nothing was pruned.

    Of several steps the last one that visited a node counts; each decision then has its own method.
    """
    report, grown_node = _deciding_report(given)
    if report is None:
        return {}, None
    at = grown_node[report.node]
    visits = np.flatnonzero(at >= 0)
    # The last visit of a node counts.
    last = dict(zip(at[visits].tolist(), visits.tolist(), strict=True))
    visits = np.array([last[node] for node in sorted(last)], np.int64)
    heavy = visits[np.argsort(-given.grown.weight[at[visits]], kind="stable")][:MAX_SENTENCES]
    found = {i: _decision(report, i) for i in visits.tolist()}
    translated = {language: report.with_language(language) for language in LANGUAGES}
    for i in heavy.tolist():
        sentences = {language: own.sentence(i) for language, own in translated.items()}
        # A report of pre-pruning has the node numbers of the tree before it; the first number is that of the node.
        found[i]["words"] = {
            language: shorten(re.sub(r"\d+", str(at[i]), sentence, count=1))
            for language, sentence in sentences.items()
        }
    return {str(int(at[i])): one for i, one in found.items()}, report.method


def _deciding_report(given: PageInput) -> tuple[PruningReport | None, NDArray[np.int64]]:
    """The report, and the number in the unpruned tree of each node of the tree it is about; -1 if it was removed."""
    report = given.own_report
    if report is not None:
        return report, np.arange(given.grown.n_nodes)
    report = given.pre_report
    if report is None:
        return None, np.empty(0, np.int64)
    grown_node = np.full(report.tree.n_nodes, -1)
    grown_node[report.origin] = np.arange(len(report.origin))
    return report, grown_node


def _decision(report: PruningReport, i: int) -> dict[str, Any]:
    step = report.step(i)[0]
    found: dict[str, Any] = {
        "leaf": rounded_number(float(report.leaf[i])),
        "subtree": rounded_number(float(report.subtree[i])),
        "allowance": rounded_number(float(report.allowance[i])),
        "unit": {language: step.translated(step.unit, messages(language)) for language in LANGUAGES},
        "verdict": VERDICTS[report.verdict[i]],
        "words": None,
    }
    if report.steps:
        found["method"] = step.method
    if step.branch is not None and report.branch is not None:
        found["branch"] = rounded_number(float(report.branch[i]))
    return found
