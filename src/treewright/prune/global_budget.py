"""Global pruning: the smallest tree of the cost-complexity path whose training errors are within a budget."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.errors import at_least
from treewright.language import N_
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.prune.cost_complexity_path import (
    CostComplexityPath,
    cost_complexity_path,
    losses_along,
    node_losses,
)
from treewright.prune.losses import (
    ABSOLUTE_ERROR,
    COST,
    DEVIANCE,
    ERRORS,
    ROUNDING,
    SQUARED_ERROR,
    Losses,
    loss_of_tree,
    loss_unit,
    without_rounding,
)
from treewright.prune.method import Method, Pruned, PruningInput
from treewright.prune.report import PruningReport
from treewright.prune.report_messages import WITH_SPREAD, standard_errors_text
from treewright.prune.traversal import bottom_up_order, not_above

FEWEST_RULE = N_(
    "The nodes with the fewest extra errors for each leaf saved are pruned first, while the whole tree has at most "
    "{limit} errors on the training rows: {before} before pruning, and {spread}, {budget}."
)
LEAST_RULE = N_(
    "The nodes with the least extra {unit} for each leaf saved are pruned first, while the whole tree has at most "
    "{limit} {unit} on the training rows: {before} before pruning, and {spread}, {budget}."
)
WITH_WEAKER = N_("with this node and all weaker ones pruned")
BEFORE = N_("before pruning")
EXTRA, LEAVES = N_("extra for each leaf"), N_("leaves")

SQUARED_RATIO, ABSOLUTE_RATIO = 3.0, 2.0
"""E[l^2] / E[l]^2 of a loss l: squared errors of a normal distribution, absolute ones of a Laplace distribution."""


@dataclass(frozen=True, slots=True)
class Global(Method):
    """Global pruning: the weakest links go while the training errors stay within a standard error of what they were.

    Parameters
    ----------
    standard_errors : float, default=1.0
        The budget: how many standard errors the training errors of the whole tree may rise by.

    Notes
    -----
    A method that decides at each node separately keeps every split that looks useful; many such splits together may
    still be chance. With E training errors among n rows, the standard error of E is sqrt(E (1 - E / n)), so the rows
    cannot tell a smaller tree within it from the larger one. Nodes are pruned in the order of the extra errors for each
    leaf saved, as in cost-complexity pruning, ties together, while the extra errors of the whole tree are within the
    budget; splits that save no error are always pruned. A tree without training errors has no budget: apply another
    method first, as in `pruning=["error_based", "global"]`.

    For regression E is the sum of the losses of the rows, and its standard error is that of a sum of n rows,
    sqrt(Q - E^2 / n), where Q is the sum of their squares; for classes that is the same formula. A tree does not store
    Q. It is taken to be that of normal errors within a leaf, 3 n s^2 for n rows of mean squared error s, or of Laplace
    errors, 2 n d^2 for a mean absolute error d; half a Poisson deviance counts as a squared error. With longer tails Q
    is larger, so the budget is on the small side.

    Examples
    --------
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> young = number("age", 20, leaf({"no": 8, "yes": 2}), leaf({"no": 4, "yes": 5}))
    >>> tree = build(schema, number("age", 30, young, leaf({"no": 3, "yes": 14})))
    >>> pruned = Global().prune(tree)
    >>> print(pruned.tree.to_text())
    age <= 30: no (19/7)
    age > 30: yes (17/3)
    >>> print(pruned.report.of(1).words)
    Node 1 (age <= 30): 10 errors with this node and all weaker ones pruned, 9 before pruning, 11.6 with one standard \
error: pruned.
    """

    standard_errors: float = 1.0

    name: ClassVar[str] = "global"
    for_numbers: ClassVar[bool] = True
    messages: ClassVar[tuple[str, ...]] = (
        FEWEST_RULE, LEAST_RULE, WITH_WEAKER, BEFORE, ERRORS, COST, SQUARED_ERROR, ABSOLUTE_ERROR, DEVIANCE, EXTRA,
        LEAVES,
    )  # fmt: skip
    stored_texts: ClassVar[Mapping[str, str]] = {
        FEWEST_RULE: "The nodes of the fewest extra errors for each leaf saved are cut first, as long as the whole "
        "tree has no more than {limit} errors on the training rows: {before} as it came, and {spread}, {budget}.",
        LEAST_RULE: "The nodes of the least extra {unit} for each leaf saved are cut first, as long as the whole "
        "tree has no more than {limit} {unit} on the training rows: {before} as it came, and {spread}, {budget}.",
        WITH_WEAKER: "in the tree with it and all weaker nodes cut",
        BEFORE: "as it came",
    }

    def __post_init__(self) -> None:
        at_least("standard_errors", self.standard_errors, 0.0)

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree = inputs.tree
        losses = node_losses(tree)
        path = cost_complexity_path(tree, losses=losses)
        before, standard_error = _loss_before_pruning(tree, losses)
        budget = self.standard_errors * standard_error
        after = without_rounding(losses_along(path, losses), before, losses)
        # The first tree of the path lacks only splits that save nothing: it has no more errors than the grown tree.
        within = np.flatnonzero(not_above(after, np.full(len(after), before + budget)))
        chosen = int(within[-1]) if len(within) else 0
        return self._build_result(replace(path, chosen=chosen), after, before, budget)

    def _build_result(
        self, path: CostComplexityPath, after: NDArray[np.float64], before: float, budget: float
    ) -> Pruned:
        """The chosen tree; the number of a node is that of the first tree of the path without its split."""
        tree, chosen = path.tree, path.chosen or 0
        visit = bottom_up_order(tree)
        step = np.searchsorted(path.alphas, path.node_alpha[visit], side="right") - 1
        goes, prune = step <= chosen, np.zeros(tree.n_nodes, bool)
        prune[visit] = goes
        left = collapse_nodes(tree, prune)
        spread, unit = standard_errors_text(self.standard_errors), loss_unit(tree)
        limits = {"limit": f"{before + budget:.4g}", "before": f"{before:.4g}", "budget": f"{budget:.4g}"}
        rule = FEWEST_RULE if unit == ERRORS else LEAST_RULE
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=rule.format(unit=unit, spread=spread, **limits),
            unit=unit,
            node=visit,
            leaf=after[step],
            subtree=np.full(len(visit), before),
            allowance=np.full(len(visit), budget),
            verdict=goes.astype(np.int8),
            details={EXTRA: path.node_alpha[visit] * tree.weight[0], LEAVES: path.leaves[step]},
            origin=left.origin,
            path=path,
            as_leaf=WITH_WEAKER,
            as_subtree=BEFORE,
            with_allowance=WITH_SPREAD.format(spread=spread),
        )
        return Pruned(left.tree, report)


def _loss_before_pruning(tree: Tree, losses: Losses) -> tuple[float, float]:
    """The loss of the grown tree on its training rows, and the standard error of that sum."""
    is_leaf = tree.is_leaf
    parts = np.where(is_leaf, losses.leaf, losses.staying)
    whole, n = loss_of_tree(tree, losses), losses.total
    if not tree.schema.target.is_number:
        # A loss is at most 1, so its square is at most itself: with costs this is an upper bound.
        return whole, float(np.sqrt(max(whole * (1.0 - whole / n), 0.0)))
    weight = np.where(is_leaf, tree.weight, _weight_staying(tree))
    # As fractions of the whole: squares of squares may overflow.
    fraction = np.divide(parts, whole, out=np.zeros(len(parts)), where=whole > 0)
    squares = np.divide(fraction**2, weight, out=np.zeros(len(parts)), where=weight > 0)
    variance = (ABSOLUTE_RATIO if tree.by_median else SQUARED_RATIO) * float(squares.sum()) - 1.0 / n
    return whole, whole * float(np.sqrt(max(variance, 0.0)))


def _weight_staying(tree: Tree) -> NDArray[np.float64]:
    """The weight of the rows that stop at an inner node."""
    left = tree.weight - np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
    return np.where(left > ROUNDING * tree.weight, left, 0.0)
