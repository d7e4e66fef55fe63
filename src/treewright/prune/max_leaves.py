"""Max-leaves pruning: the largest tree of the cost-complexity path with at most so many leaves."""

from dataclasses import dataclass, replace
from numbers import Integral
from typing import ClassVar

import numpy as np

from treewright.errors import ParameterError
from treewright.language import N_
from treewright.model.subtree import collapse_nodes
from treewright.prune.cost_complexity_path import cost_complexity_path, losses_along, node_losses
from treewright.prune.losses import (
    ABSOLUTE_ERROR,
    COST,
    DEVIANCE,
    ERRORS,
    SQUARED_ERROR,
    loss_of_tree,
    loss_unit,
    without_rounding,
)
from treewright.prune.method import Method, Pruned, PruningInput
from treewright.prune.report import PruningReport
from treewright.prune.traversal import bottom_up_order

FEWEST_RULE = N_(
    "The nodes with the fewest extra errors for each leaf saved are pruned first, until the tree has at most {limit} "
    "leaves. Errors on the training rows: {before} with {leaves_before} leaves before pruning, {after} with "
    "{leaves_after} after."
)
LEAST_RULE = N_(
    "The nodes with the least extra {unit} for each leaf saved are pruned first, until the tree has at most {limit} "
    "leaves. On the training rows: {before} {unit} with {leaves_before} leaves before pruning, {after} with "
    "{leaves_after} after."
)
LEAVES, ALLOWED, WITH_NODE = N_("leaves"), N_("allowed"), N_("with this node and all stronger ones")
EXTRA = N_("extra for each leaf")


@dataclass(frozen=True, slots=True)
class MaxLeaves(Method):
    """Max-leaves pruning: the weakest links go until the tree has at most so many leaves.

    Parameters
    ----------
    leaves : int, default=20
        The maximum number of leaves, at least 2.

    Notes
    -----
    The trees of cost-complexity pruning are those with the least training errors for their number of leaves among all
    trees that are best for some alpha; the largest one with at most `leaves` leaves is chosen. Nodes that save equally
    many errors for each leaf are pruned together, so it may have fewer leaves. A tree that is small enough already is
    not changed. The parameter `size` of an estimator applies this method after `pruning`.

    Examples
    --------
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> young = number("age", 20, leaf({"no": 8, "yes": 2}), leaf({"no": 4, "yes": 5}))
    >>> tree = build(schema, number("age", 30, young, leaf({"no": 3, "yes": 14})))
    >>> pruned = MaxLeaves(2).prune(tree)
    >>> print(pruned.tree.to_text())
    age <= 30: no (19/7)
    age > 30: yes (17/3)
    >>> print(pruned.report.of(1).words)
    Node 1 (age <= 30): 2 leaves allowed, 3 with this node and all stronger ones: pruned.
    """

    leaves: int = 20

    name: ClassVar[str] = "max_leaves"
    for_numbers: ClassVar[bool] = True
    is_compared: ClassVar[bool] = False
    messages: ClassVar[tuple[str, ...]] = (
        FEWEST_RULE, LEAST_RULE, ERRORS, COST, SQUARED_ERROR, ABSOLUTE_ERROR, DEVIANCE, LEAVES, ALLOWED, WITH_NODE,
        EXTRA,
    )  # fmt: skip

    def __post_init__(self) -> None:
        if not isinstance(self.leaves, Integral) or isinstance(self.leaves, bool) or self.leaves < 2:
            raise ParameterError(f"leaves must be an integer of at least 2, got {self.leaves!r}.")

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree, limit = inputs.tree, int(self.leaves)
        losses = node_losses(tree)
        path = cost_complexity_path(tree, losses=losses)
        before = loss_of_tree(tree, losses)
        visit = bottom_up_order(tree)
        # The node is still there in the tree before the first one of the path without its split.
        step = np.searchsorted(path.alphas, path.node_alpha[visit], side="right") - 1
        leaves_with = np.append(tree.n_leaves, path.leaves)[step]
        goes, prune = leaves_with > limit, np.zeros(tree.n_nodes, bool)
        prune[visit] = goes
        left, after = collapse_nodes(tree, prune), before
        if goes.any():
            chosen = int(step[goes].max())
            path = replace(path, chosen=chosen)
            after = float(without_rounding(losses_along(path, losses), before, losses)[chosen])
        unit = loss_unit(tree)
        counts = {"limit": limit, "leaves_before": tree.n_leaves, "leaves_after": left.tree.n_leaves}
        rule = FEWEST_RULE if unit == ERRORS else LEAST_RULE
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=rule.format(unit=unit, before=f"{before:.4g}", after=f"{after:.4g}", **counts),
            unit=LEAVES,
            node=visit,
            leaf=np.full(len(visit), float(limit)),
            subtree=leaves_with.astype(np.float64),
            allowance=np.zeros(len(visit)),
            verdict=goes.astype(np.int8),
            details={EXTRA: path.node_alpha[visit] * tree.weight[0]},
            origin=left.origin,
            path=path,
            as_leaf=ALLOWED,
            as_subtree=WITH_NODE,
        )
        return Pruned(left.tree, report)
