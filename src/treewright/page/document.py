"""Document: all that a page shows, as one JSON object.

In: what is known about a fitted estimator. Out: a dict of plain Python values; every part is made in a file of its own.
The numbers of nodes are those of the grown tree; the pruned trees are views over it.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.model.strategies import SHARES, STRATEGIES, Strategy
from treewright.model.tree import Tree
from treewright.page.changes import changes_part, contents_part, is_cut
from treewright.page.columns import columns_part, target_part
from treewright.page.decisions import decisions_part
from treewright.page.distributions import distributions_part
from treewright.page.given import Given, heaviest_inner
from treewright.page.ledgers import affordable, ledgers_part
from treewright.page.nodes import answering_part, nodes_part
from treewright.page.path import path_part
from treewright.page.plain import number, short
from treewright.page.rows import rows_part
from treewright.page.validation import Counted, count
from treewright.page.views import GROWN, View, all_views, error_on, training_error
from treewright.prune.arrivals import scale_of
from treewright.prune.losses import Losses, training_losses, validation_losses

FORMAT = 1

MOST_LEDGERS = 500
"""Nodes that have a ledger and a histogram, those of most weight."""

DIGITS = 9
"""Of errors."""

MOST_SPREAD = 1e140
"""Of a number as target; the sum of many squares is a number up to there."""

NO_ROWS = (
    "The training rows are not at hand, so there are no ledgers and no histograms; "
    "give X and y to to_html to have them."
)
SHARED = (
    "Training errors are counted from the leaves: a row that was shared among branches counts by its shares; "
    "give X and y to have the errors of answers."
)
REFUSED = "Training rows with a missing value are refused by the rule of answers, so there is no training error."


def make_document(given: Given) -> dict[str, Any]:
    """The document of a page."""
    material = given.material
    _refuse_huge(given.grown)
    views, notes = all_views(given)
    grown = next(view.tree for view in views if view.key == GROWN)
    training = _training_losses(given, grown, notes)
    validation = None if material.validation is None else count(grown, material.validation, material.rule)
    decisions, decided_by = decisions_part(given)
    nodes = nodes_part(grown) | {"validation": None if validation is None else validation.part()}
    explained = _explained(given, notes)
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
        "criterion_words": by_language(grown.measured_by.label),
        "by_median": grown.by_median,
        "ranked_by": "ratio" if given.plan.merit == "ratio" else "gain",
        "missing": _strategy_part(STRATEGIES[material.rule.missing or grown.missing]),
        "unseen": given.unseen,
        "row_weight": number(material.unit),
        "answering": answering_part(grown),
        "nodes": nodes,
        "views": [_view_part(view, given, (grown, validation)) for view in views],
        "own": 0,
        "path": path_part(given.grown, views, training, None if validation is None else validation.losses),
        "decisions": decisions,
        "decision_method": decided_by,
        **explained,
        "rows": _rows(given),
        "notes": notes,
    }


def _strategy_part(strategy: Strategy) -> dict[str, Any]:
    """What the page does with a missing value of a case, and what it says of it."""
    return {
        "name": strategy.name,
        "goes": strategy.goes,
        "surrogates": strategy.surrogates,
        "adds_branch": strategy.adds_branch,
        "words": by_language(strategy.label),
        "why": by_language(strategy.why),
    }


def by_language(words: tuple[str, str]) -> dict[str, str]:
    """Words in English and Chinese, by the name of the language."""
    return dict(zip(("en", "zh"), words, strict=True))


def _refuse_huge(tree: Tree) -> None:
    """Refuse a target whose squares are no numbers any more."""
    spread = scale_of(tree).spread
    if not spread < MOST_SPREAD:
        raise InputError(
            f"The target spreads over {spread:.3g}, too much to sum up squares; divide it by a constant and fit again."
        )


def _view_part(view: View, given: Given, of: tuple[Tree, Counted | None]) -> dict[str, Any]:
    """A view as the document holds it; `of` are the grown tree and the validation rows at its nodes."""
    material, (grown, before) = given.material, of
    rows = material.validation
    counted = None if rows is None or is_cut(grown, view) else count(view.tree, rows, material.rule)
    error = None if rows is None else error_on(view, material, rows)
    return {
        "key": view.key,
        "method": None if view.report is None else view.report.method,
        "title": view.title,
        **changes_part(grown, view),
        "n_leaves": view.tree.n_leaves,
        "training_error": short(training_error(view, material), DIGITS),
        "validation_error": short(error, DIGITS),
        "used_validation": view.used_validation,
        "stats": contents_part(grown, view, counted, before),
    }


def _training_losses(given: Given, grown: Tree, notes: list[str]) -> Losses | None:
    """What the nodes of the grown tree lose as leaves on the training rows; None where that cannot be told."""
    material = given.material
    if material.rows is not None:
        try:
            return validation_losses(grown, material.rows, material.rule)
        except InputError:
            notes.append(REFUSED)
            return None
    return None if grown.by_median else training_losses(grown)


def _explained(given: Given, notes: list[str]) -> dict[str, Any]:
    """Ledgers and histograms of the heaviest nodes, and what is to be said where there are none."""
    grown, rows = given.grown, given.material.rows
    nodes: NDArray[np.int64] = heaviest_inner(grown, MOST_LEDGERS)
    if rows is None:
        notes.append(NO_ROWS)
        if grown.strategy.goes == SHARES:
            notes.append(SHARED)
    if rows is None or not len(nodes):
        return {"ledgers": {}, "distributions": {}}
    nodes = affordable(grown, nodes)
    n_inner = np.count_nonzero(grown.n_children)
    if len(nodes) < n_inner:
        notes.append(f"Ledgers and histograms are here for the {len(nodes)} heaviest of {n_inner} nodes that ask.")
    return {
        "ledgers": ledgers_part(grown, rows, given.plan, nodes),
        "distributions": distributions_part(grown, rows, nodes),
    }


def _rows(given: Given) -> dict[str, Any] | None:
    rows = given.material.rows
    if rows is None or given.numbers is None:
        return None
    return rows_part(given.grown, rows, given.numbers)
