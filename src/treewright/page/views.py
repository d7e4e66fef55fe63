"""Views: the trees that a page can show, all over the same grown one.

In: what is known about a fitted estimator. Out: a `View` for the tree that answers, for the grown tree, and for each
method of pruning that can be tried with the rows at hand; and why the others cannot.
"""

from dataclasses import dataclass, fields, is_dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError, TreewrightError
from treewright.model.answering import answered
from treewright.model.tree import Tree
from treewright.page.given import Given
from treewright.predict.answers import class_codes
from treewright.predict.errors import error_of
from treewright.prune.costs import read_costs
from treewright.prune.losses import training_losses
from treewright.prune.method import GROWTH, JOIN, VALIDATION, Material, Method
from treewright.prune.report import PruningReport
from treewright.prune.steps import Steps

OWN, GROWN = "own", "grown"

MOST_CELLS = 2**20
"""Cells of a table up to which methods are tried that grow trees on parts of it; of any table where they are named."""

TOO_LARGE = "it would grow trees on parts of a large table; name it in methods to have it, or give X_val and y_val."


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One tree over the grown one.

    key     how the page calls it: OWN, GROWN, or the name of a method
    title   what people read: the method, with its parameters where they are not the usual ones
    tree    the tree itself
    origin  the grown tree's node of each of its nodes
    report  what was decided; None for the grown tree
    """

    key: str
    title: str
    tree: Tree
    origin: NDArray[np.int64]
    report: PruningReport | None = None

    @property
    def used_validation(self) -> bool:
        """Whether validation rows decided, so that their error flatters the tree."""
        report = self.report
        return report is not None and any(map(_by_validation, report.steps or (report,)))


def all_views(given: Given) -> tuple[list[View], list[str]]:
    """The views, the one that answers first, and what has to be said about those that are lacking."""
    grown, report = given.grown, given.own_report
    # All of them answer in the same way, so that they differ by what was pruned alone.
    how = given.tree.answering
    found = [View(GROWN, "none", answered(grown, how), np.arange(grown.n_nodes))]
    if report is not None:
        found.insert(0, View(OWN, method_title(given.method, report.method), given.tree, report.origin, report))
    notes = [f"{method} is left out: {why}." for method, why in given.left_out]
    for name, method in given.methods.items():
        nothing_to_prune = grown.n_nodes == 1 and not given.named
        if nothing_to_prune or (report is not None and method == given.method):
            continue
        try:
            _refuse_large(method, given)
            pruned = method.prune_by(given.material)
        except TreewrightError as error:
            if given.named:
                raise
            notes.append(f"{name} is left out: {error}")
        else:
            tree, title = answered(pruned.tree, how), method_title(method, name)
            found.append(View(name, title, tree, pruned.report.origin, pruned.report))
    return found, notes


def method_title(method: Method | None, name: str) -> str:
    """A method as people read it.

    >>> from treewright.prune import Pessimistic
    >>> method_title(Pessimistic(), "pessimistic"), method_title(Pessimistic(standard_errors=2), "pessimistic")
    ('pessimistic', 'Pessimistic(standard_errors=2)')
    """
    if isinstance(method, Steps):
        return JOIN.join(method_title(one, one.name) for one in method.methods)
    if method is None or not is_dataclass(method):
        return name if method is None else method.name
    settings = {field.name: getattr(method, field.name) for field in fields(method) if field.init}
    usual = {field.name: field.default for field in fields(method)}
    given = [f"{one}={value!r}" for one, value in settings.items() if value != usual[one]]
    return f"{type(method).__name__}({', '.join(given)})" if given else method.name


def training_error(view: View, material: Material) -> float | None:
    """The share of wrong answers or the mean squared error on the training rows; None where it cannot be told.

    With costs a wrong answer counts as pruning counts it: by what it costs in parts of the mean over wrong answers.

    Without the rows it is what the leaves counted in growth; there a row that was shared among branches counts by its
    shares, while its one answer is the mean of theirs.
    """
    if material.rows is not None:
        return error_on(view, material, material.rows)
    if view.tree.by_median:
        return None
    losses = training_losses(view.tree)
    return float((losses.leaf[view.tree.is_leaf].sum() + losses.staying.sum()) / losses.total)


def error_on(view: View, material: Material, rows: Dataset) -> float | None:
    """The same on any rows; None where the rule of answers refuses a missing value among them."""
    costs = None if view.tree.schema.target.is_number else read_costs(None, view.tree)
    try:
        if costs is None:
            return error_of(view.tree, rows, material.rule)
        lost = costs[rows.target, class_codes(view.tree, rows.values, material.rule)]
        return float(np.average(lost, weights=rows.weight))
    except InputError:
        return None


def _by_validation(report: PruningReport) -> bool:
    by_errors = getattr(report.path, "errors", None) is not None
    return by_errors or report.unit.startswith("validation") or "by validation rows" in report.rule


def _refuse_large(method: Method, given: Given) -> None:
    """Refuse to grow trees on parts of a large table, unless that was asked for."""
    material = given.material
    if given.named or material.rows is None or material.rows.values.size <= MOST_CELLS:
        return
    if GROWTH in method.uses and not (VALIDATION in method.uses and material.validation is not None):
        raise InputError(TOO_LARGE)
