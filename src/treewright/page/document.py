"""All data of a page, as one dict that is written as JSON.

The parts are made by the other modules of this package. Node numbers are those of the unpruned tree; pruned trees are
views of it (`treewright.page.tree_views`).
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.language import N_
from treewright.model.strategies import STRATEGIES, TO_ALL, Strategy
from treewright.model.tree import Tree
from treewright.page.export_part import exports_part
from treewright.page.json_numbers import exact_number, rounded_number
from treewright.page.node_details import (
    affordable_nodes,
    distributions_part,
    ledgers_part,
    rows_part,
    stored_ledgers_part,
    target_distribution,
)
from treewright.page.page_input import PageInput, heaviest_splits
from treewright.page.page_messages import in_every_language, page_messages
from treewright.page.pruning_part import cross_validated_error, decisions_part, path_part
from treewright.page.tree_part import columns_part, nodes_part, prediction_part, target_part
from treewright.page.tree_views import (
    GROWN,
    NodeCounts,
    View,
    all_views,
    changes_part,
    contents_part,
    count_rows,
    error_on,
    is_cut,
    training_error,
)
from treewright.prune.losses import Losses, scale_of, training_losses, validation_losses

FORMAT = 1

MAX_LEDGERS = 500
"""Number of nodes with candidates and a histogram: the heaviest ones."""

DIGITS = 9
"""Significant digits of errors."""

MAX_SPREAD = 1e140
"""Largest spread of a numeric target; above it, a sum of squares may overflow."""

Note = dict[str, str]
"""A note on the page, by language."""

NO_ROWS = N_(
    "The training rows are not available, so the page has no candidates and no histograms. "
    "Pass X and y to to_html to include them."
)
NO_HISTOGRAMS = N_(
    "The training rows are not available, so the page has no histograms. Pass X and y to to_html to include them."
)
FRACTIONAL = N_(
    "Training errors are computed from the leaves, where a row with a missing value counts with fractional weights. "
    "Pass X and y for the errors of predictions."
)
REFUSED = N_("The tree does not accept the missing values of the training rows, so there is no training error.")
SOME_LEDGERS = N_("The page has candidates and histograms for the {n} heaviest of {total} nodes with a split.")


def make_document(given: PageInput) -> dict[str, Any]:
    """Return the data of a page."""
    material = given.material
    _check_target(given.grown)
    views, notes = all_views(given)
    grown = next(view.tree for view in views if view.key == GROWN)
    training = _training_losses(given, grown, notes)
    rows = material.validation_in_memory
    validation = None if rows is None else count_rows(grown, rows, material.rule)
    decisions, decided_by = decisions_part(given)
    nodes = nodes_part(grown) | {"validation": None if validation is None else validation.part()}
    details = _details_part(given, notes)
    return {
        "format": FORMAT,
        "treewright": import_module("treewright").__version__,
        "title": given.title,
        "language": given.language,
        "estimator": given.estimator,
        "parameters": given.parameters,
        "target": target_part(grown.schema),
        "columns": columns_part(grown),
        "criterion": grown.criterion,
        "criterion_words": in_every_language(grown.measured_by.label),
        "by_median": grown.by_median,
        "by_deviance": grown.by_deviance,
        "ranked_by": "ratio" if given.plan.merit == "ratio" else "gain",
        "missing": _strategy_part(STRATEGIES[material.rule.missing or grown.missing]),
        "unseen": given.unseen,
        "row_weight": exact_number(material.unit),
        "prediction_rule": prediction_part(grown),
        "nodes": nodes,
        "views": [_view_part(view, given, (grown, validation)) for view in views],
        "own": 0,
        "path": path_part(given.grown, views, training, None if validation is None else validation.losses),
        "decisions": decisions,
        "decision_method": decided_by,
        "from_rows": material.rows is not None,
        **details,
        "target_distribution": None if material.rows is None else target_distribution(grown, material.rows),
        "rows": _rows_part(given),
        "exports": exports_part(given),
        "notes": notes,
        "messages": page_messages(),
    }


def _strategy_part(strategy: Strategy) -> dict[str, Any]:
    """Where the page sends a case with a missing value, and how it describes that."""
    return {
        "name": strategy.name,
        "goes": strategy.goes,
        "surrogates": strategy.surrogates,
        "adds_branch": strategy.adds_branch,
        "words": in_every_language(strategy.label),
        "why": in_every_language(strategy.reason),
    }


def _check_target(tree: Tree) -> None:
    """Raise InputError if the squares of the target would overflow."""
    spread = scale_of(tree).spread
    if not spread < MAX_SPREAD:
        raise InputError(
            f"The target has a spread of {spread:.3g}, too large for sums of squares. Divide it by a constant and fit "
            "again."
        )


def _view_part(view: View, given: PageInput, of: tuple[Tree, NodeCounts | None]) -> dict[str, Any]:
    """A view as a dict; `of` are the unpruned tree and the validation rows at its nodes."""
    material, (grown, before) = given.material, of
    rows = material.validation_in_memory
    counted = None if rows is None or is_cut(grown, view) else count_rows(view.tree, rows, material.rule)
    error = None if rows is None else error_on(view, material, rows)
    cv_error, cv_se = cross_validated_error(view)
    return {
        "key": view.key,
        "method": None if view.report is None else view.report.method,
        "title": view.title,
        **changes_part(grown, view),
        "n_leaves": view.tree.n_leaves,
        "training_error": rounded_number(training_error(view, material), DIGITS),
        "validation_error": rounded_number(error, DIGITS),
        "cv_error": rounded_number(cv_error, DIGITS),
        "cv_se": rounded_number(cv_se, DIGITS),
        "used_validation": view.used_validation,
        "stats": contents_part(grown, view, counted, before),
    }


def _training_losses(given: PageInput, grown: Tree, notes: list[Note]) -> Losses | None:
    """The training losses of the nodes of the unpruned tree as leaves; None if they are unknown."""
    material = given.material
    if material.rows is not None:
        try:
            return validation_losses(grown, material.rows, material.rule)
        except InputError:
            notes.append(in_every_language(REFUSED))
            return None
    return None if grown.not_squared else training_losses(grown)


def _details_part(given: PageInput, notes: list[Note]) -> dict[str, Any]:
    """Candidates and histograms of the heaviest nodes, and notes on those that are left out."""
    grown, rows = given.grown, given.material.rows
    nodes: NDArray[np.int64] = heaviest_splits(grown, MAX_LEDGERS)
    if rows is None:
        notes.append(in_every_language(NO_ROWS if given.ledgers is None else NO_HISTOGRAMS))
        if grown.strategy.goes == TO_ALL:
            notes.append(in_every_language(FRACTIONAL))
    if (rows is None and given.ledgers is None) or not len(nodes):
        return {"ledgers": {}, "distributions": {}}
    nodes = affordable_nodes(grown, nodes)
    n_inner = np.count_nonzero(grown.n_children)
    if len(nodes) < n_inner:
        notes.append(in_every_language(SOME_LEDGERS, n=len(nodes), total=n_inner))
    if rows is None:
        return {"ledgers": stored_ledgers_part(grown, given.ledgers, nodes), "distributions": {}}
    return {
        "ledgers": ledgers_part(grown, rows, given.plan, nodes),
        "distributions": distributions_part(grown, rows, nodes),
    }


def _rows_part(given: PageInput) -> dict[str, Any] | None:
    rows = given.material.rows
    if rows is None or given.numbers is None:
        return None
    return rows_part(given.grown, rows, given.numbers)
