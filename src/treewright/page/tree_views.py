"""The trees that a page can show: views of the unpruned tree.

There is a `View` for the tree used for prediction, one for the unpruned tree, and one for each pruning method that
applies. In the data of a page a view is stored as its difference from the unpruned tree: nodes that became leaves,
nodes that use the split of another node (a raised subtree), removed leaves, and the contents of nodes that got other
rows.
"""

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError, TreewrightError
from treewright.language import N_
from treewright.model.prediction_rule import with_prediction_rule
from treewright.model.tree import Tree
from treewright.page.json_numbers import exact_list, exact_number, rounded_number
from treewright.page.page_input import PageInput
from treewright.page.page_messages import in_every_language
from treewright.page.tree_part import is_quotient
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import mean_loss, predict_class_codes
from treewright.prune.losses import (
    ROUNDING,
    Losses,
    read_costs,
    scale_of,
    sum_rows_at_nodes,
    training_losses,
    validation_losses,
)
from treewright.prune.method import GROWTH, METHOD_SEPARATOR, VALIDATION, Method, PruningInput
from treewright.prune.report import PruningReport
from treewright.prune.steps import Steps

OWN, GROWN = "own", "grown"

MAX_CELLS = 2**20
"""Cells of a table above which methods that grow trees on parts of it are skipped, unless the user names them."""

BRANCHES = {"heaviest": "heaviest_branch", "missing_branch": "missing_branch", "other": "other"}
"""Columns of a tree that contain a branch, by their names in the data."""

NEEDS_VALIDATION = N_("{method} is skipped because it needs validation rows. Pass X_val and y_val.")
TOO_LARGE = N_(
    "{method} is skipped because it grows trees on parts of the table, which is large. "
    "Name it in methods to include it, or pass X_val and y_val."
)
NOT_APPLICABLE = N_("{method} is skipped: {error}")


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A pruned tree.

    key     OWN, GROWN, or the name of a method
    title   the method, with its parameters if they are not the defaults
    tree    the tree itself
    origin  the node of the unpruned tree that each of its nodes was
    report  the pruning report; None for the unpruned tree
    """

    key: str
    title: str
    tree: Tree
    origin: NDArray[np.int64]
    report: PruningReport | None = None

    @property
    def used_validation(self) -> bool:
        """Whether validation rows were used to choose the tree, so that its validation error is optimistic."""
        report = self.report
        return report is not None and any(map(_by_validation, report.steps or (report,)))


def all_views(given: PageInput) -> tuple[list[View], list[dict[str, str]]]:
    """Return the views, the tree used for prediction first, and a note in every language on each skipped method."""
    grown, report = given.grown, given.own_report
    # All of them have the same prediction rule, so that they differ only in what was pruned.
    rule = given.tree.prediction_rule
    found = [View(GROWN, "none", with_prediction_rule(grown, rule), np.arange(grown.n_nodes))]
    if report is not None:
        found.insert(0, View(OWN, method_title(given.method, report.method), given.tree, report.origin, report))
    notes = [in_every_language(NEEDS_VALIDATION, method=method) for method, _ in given.left_out]
    for name, method in given.methods.items():
        nothing_to_prune = grown.n_nodes == 1 and not given.named
        if nothing_to_prune or (report is not None and method == given.method):
            continue
        if _takes_too_long(method, given):
            notes.append(in_every_language(TOO_LARGE, method=name))
            continue
        try:
            pruned = method.prune_by(given.material)
        except TreewrightError as error:
            if given.named:
                raise
            notes.append(in_every_language(NOT_APPLICABLE, method=name, error=error))
        else:
            tree, title = with_prediction_rule(pruned.tree, rule), method_title(method, name)
            found.append(View(name, title, tree, pruned.report.origin, pruned.report))
    return found, notes


def method_title(method: Method | None, name: str) -> str:
    """Return the name of a method, or the call that makes it if its parameters are not the defaults.

    >>> from treewright.prune import Pessimistic
    >>> method_title(Pessimistic(), "pessimistic"), method_title(Pessimistic(standard_errors=2), "pessimistic")
    ('pessimistic', 'Pessimistic(standard_errors=2)')
    """
    if isinstance(method, Steps):
        return METHOD_SEPARATOR.join(method_title(one, one.name) for one in method.methods)
    if method is None or not is_dataclass(method):
        return name if method is None else method.name
    settings = {field.name: getattr(method, field.name) for field in fields(method) if field.init}
    defaults = {field.name: field.default for field in fields(method)}
    given = [f"{one}={value!r}" for one, value in settings.items() if value != defaults[one]]
    return f"{type(method).__name__}({', '.join(given)})" if given else method.name


def training_error(view: View, material: PruningInput) -> float | None:
    """Return the error rate or the mean squared error on the training rows; None if it is unknown.

    With costs an error is weighted as in pruning: by its cost relative to the mean cost of an error.

    Without the rows it is computed from the leaves. There a row with fractional weights counts in several leaves, while
    its prediction would be their weighted mean.
    """
    if material.rows is not None:
        return error_on(view, material, material.rows)
    if view.tree.not_squared:
        return None
    losses = training_losses(view.tree)
    return float((losses.leaf[view.tree.is_leaf].sum() + losses.staying.sum()) / losses.total)


def error_on(view: View, material: PruningInput, rows: Dataset) -> float | None:
    """Return the same on any rows; None if the tree does not accept a missing value among them."""
    costs = None if view.tree.schema.target.is_number else read_costs(None, view.tree)
    try:
        if costs is None:
            return mean_loss(view.tree, rows, material.rule)
        losses = costs[rows.target, predict_class_codes(view.tree, rows.values, material.rule)]
        return float(np.average(losses, weights=rows.weight))
    except InputError:
        return None


def _by_validation(report: PruningReport) -> bool:
    by_errors = getattr(report.path, "errors", None) is not None
    return by_errors or report.unit.startswith("validation") or "by validation rows" in report.rule


def _takes_too_long(method: Method, given: PageInput) -> bool:
    """Whether the method would grow trees on parts of a large table without being named by the user."""
    material = given.material
    if given.named or material.rows is None or material.rows.values.size <= MAX_CELLS:
        return False
    return GROWTH in method.uses and not (VALIDATION in method.uses and material.validation is not None)


@dataclass(frozen=True, slots=True, eq=False)
class NodeCounts:
    """Validation rows at each node; a row with fractional weights counts at several nodes.

    weight  float64 (n_nodes,)
    stats   float64, class weights; for regression the weight, the mean (NaN without rows) and the squared loss
    losses  the errors or the squared error if the node were a leaf
    """

    weight: NDArray[np.float64]
    stats: NDArray[np.float64]
    losses: Losses

    def part(self) -> dict[str, Any]:
        """All nodes, as in the data of a page."""
        return {
            "weight": exact_list(self.weight),
            "stats": exact_list(self.stats),
            "error": exact_list(self.losses.leaf),
        }

    def at(self, node: int) -> dict[str, Any]:
        """The same for one node."""
        own = slice(node, node + 1)
        found = {"weight": self.weight[own], "stats": self.stats[own], "error": self.losses.leaf[own]}
        return {name: exact_list(column)[0] for name, column in found.items()}


def count_rows(tree: Tree, rows: Dataset, rule: MissingPolicy) -> NodeCounts:
    """Route the rows through the tree and count them at each node.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> count_rows(tree, rows, MissingPolicy()).at(5)
    {'weight': 1, 'stats': [0, 1], 'error': 1}
    """
    scale = scale_of(tree)
    losses = validation_losses(tree, rows, rule)
    here = sum_rows_at_nodes(tree, rows, rule, scale).here
    if not tree.schema.target.is_number:
        return NodeCounts(here.sum(axis=1), here, losses)
    weight, first, second = here.T
    mean = np.divide(first, weight, out=np.full(tree.n_nodes, np.nan), where=weight > 0)
    loss = second - first * np.nan_to_num(mean)
    loss = np.where(loss > ROUNDING * second, loss, 0.0) * scale.spread**2
    return NodeCounts(weight, np.column_stack([weight, scale.centre + mean * scale.spread, loss]), losses)


def changes_part(grown: Tree, view: View) -> dict[str, Any]:
    """Return how the view differs from the unpruned tree: [node, node whose split it uses], and removed leaves.

    >>> from treewright.model.build import golf_example
    >>> from treewright.model.subtree import collapse_nodes
    >>> golf = golf_example()
    >>> smaller = collapse_nodes(golf, np.arange(8) == 1)
    >>> changes_part(golf, View("own", "by hand", smaller.tree, smaller.origin))
    {'changes': [[1, -1]], 'gone': []}
    """
    splitting = nodes_splitting(grown, view)
    own = np.where(grown.n_children[view.origin] > 0, view.origin, -1)
    differ = splitting != own
    changes = np.column_stack([view.origin[differ], splitting[differ]])
    return {"changes": changes[np.argsort(changes[:, 0])].tolist(), "gone": _removed_leaves(grown, view, splitting)}


def nodes_splitting(grown: Tree, view: View) -> NDArray[np.int64]:
    """Return the node of the unpruned tree whose split each node of the view uses; -1 at a leaf."""
    inner = np.flatnonzero(view.tree.n_children)
    found = np.full(view.tree.n_nodes, -1)
    found[inner] = grown.parent[view.origin[view.tree.first_child[inner]]]
    return found


def is_cut(grown: Tree, view: View) -> bool:
    """Return whether the view only lacks the nodes below some others, so that its nodes are as in the unpruned tree."""
    splitting = nodes_splitting(grown, view)
    if not bool(np.all((splitting < 0) | (splitting == view.origin))) or _other_rows(grown, view).any():
        return False
    return bool(np.array_equal(view.tree.value, grown.value[view.origin]))


def contents_part(
    grown: Tree, view: View, counted: NodeCounts | None, before: NodeCounts | None
) -> dict[str, Any] | None:
    """Return the contents of nodes that got other rows than in the unpruned tree; None if there are none.

    counted, before  the validation rows at the nodes of the view, and of the unpruned tree
    """
    tree, origin, splitting = view.tree, view.origin, nodes_splitting(grown, view)
    found: dict[int, dict[str, Any]] = {}

    def add(nodes: NDArray[Any], name: str, values: list[Any]) -> None:
        for k, value in zip(nodes.tolist(), values, strict=True):
            found.setdefault(k, {})[name] = value

    others = _other_rows(grown, view)
    rows = np.flatnonzero(others)
    quotient = np.ones(tree.n_nodes, bool) if tree.schema.target.is_number else is_quotient(tree)
    for name in ("count", "weight", "stats"):
        add(rows, name, exact_list(getattr(tree, name)[rows]))
    add(rows, "impurity", [rounded_number(x) for x in tree.impurity[rows].tolist()])
    # Values that are left out are the class proportions of other rows, or as in the unpruned tree.
    differs = np.any(tree.value != grown.value[origin], axis=1)
    other_values = np.flatnonzero(np.where(others, ~quotient, differs))
    add(other_values, "value", exact_list(tree.value[other_values]))
    moved = np.flatnonzero(tree.branch_fractions != grown.branch_fractions[origin])
    add(moved, "share", [exact_number(x) for x in tree.branch_fractions[moved].tolist()])
    inner = np.flatnonzero(splitting >= 0)
    for name, column in BRANCHES.items():
        now, then = getattr(tree, column)[inner], getattr(grown, column)[splitting[inner]]
        known = now >= 0
        child = tree.first_child[inner] + np.maximum(now, 0)
        now = np.where(known, origin[child] - grown.first_child[splitting[inner]], -1)
        add(inner[now != then], name, now[now != then].tolist())
    if counted is not None and before is not None:
        # Rounding of sums in another order is not a difference.
        same = np.isclose(counted.stats, before.stats[origin], rtol=1e-9, atol=0.0, equal_nan=True)
        other = np.flatnonzero(~same.all(axis=1))
        add(other, "validation", [counted.at(k) for k in other.tolist()])
    return {str(int(origin[k])): found[k] for k in sorted(found)} or None


def _other_rows(grown: Tree, view: View) -> NDArray[np.bool_]:
    """Which nodes of the view have other rows, judged by their numbers."""
    tree, origin = view.tree, view.origin
    same = (tree.count == grown.count[origin]) & (tree.weight == grown.weight[origin])
    return ~(same & np.all(tree.stats == grown.stats[origin], axis=1))


def _removed_leaves(grown: Tree, view: View, splitting: NDArray[np.int64]) -> list[int]:
    """Leaves of the unpruned tree that were removed while their siblings were kept."""
    tree, removed = view.tree, []
    inner = np.flatnonzero(splitting >= 0)
    for k in inner[tree.n_children[inner] < grown.n_children[splitting[inner]]].tolist():
        first = int(grown.first_child[splitting[k]])
        children = slice(int(tree.first_child[k]), int(tree.first_child[k] + tree.n_children[k]))
        kept = set(view.origin[children].tolist())
        removed += [child for child in range(first, first + int(grown.n_children[splitting[k]])) if child not in kept]
    return removed
