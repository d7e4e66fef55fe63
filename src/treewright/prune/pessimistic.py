"""Pessimistic pruning: by the training errors plus a penalty for each leaf; no other rows are needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treewright._core.prune import prune_by_size, sum_up
from treewright.errors import at_least
from treewright.language import N_
from treewright.model.formatting import format_number
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.prune.losses import training_losses
from treewright.prune.method import Method, Pruned, PruningInput
from treewright.prune.report import PruningReport
from treewright.prune.report_messages import WITH_SPREAD, standard_errors_text
from treewright.prune.traversal import bottom_up_order, not_above, reached_from_root

NOTHING = 1e-5
"""A node is a leaf if its error is below this fraction of the error of the root."""

RULE = N_(
    "From the root down, a node becomes a leaf when its errors + {penalty} are at most those of its subtree + "
    "{penalty} for each leaf + {spread}."
)
REGRESSION_RULE = N_(
    "From the bottom up, a node becomes a leaf when its {error} * (n + {m} v) / (n - v), with n rows and v = 1 "
    "parameter, is at most that of its subtree, which has more parameters."
)
SQUARED, ABSOLUTE = N_("root mean squared error"), N_("mean absolute error")
DEVIANCE = N_("root of half the mean Poisson deviance")
ERRORS, ESTIMATED_ERROR = N_("errors"), N_("estimated error")
LEAVES, TRAINING_ERRORS, ERROR_RATE, PARAMETERS = (
    N_("leaves"), N_("training errors"), N_("error rate"), N_("parameters")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pessimistic(Method):
    """Pessimistic pruning (Quinlan 1987), and for regression the pruning of Weka's M5 trees.

    Parameters
    ----------
    penalty : float, default=0.5
        Errors that are added for each leaf.
    standard_errors : float, default=1.0
        How many standard errors the leaf may be above its subtree.
    multiplier : float, default=2.0
        For regression: the weight of a parameter of the tree.

    Notes
    -----
    Classification: from the root down, on the tree as it was grown, a node becomes a leaf if E + penalty is at most
    S + standard_errors * SE, where E are its training errors, S = those of its leaves + penalty for each of them, and
    SE = sqrt(N e (1 - e)) with e = S / N. Nodes below a new leaf are not visited.

    Regression: from the bottom up, a node becomes a leaf if its root mean squared error * (n + multiplier) / (n - 1)
    is at most that of its subtree * (n + multiplier v) / (n - v). The subtree has v parameters: one for each leaf
    and, for each split, one less than it has branches. The factor is 10 if v is n or more. A node whose error is
    nearly 0 is a leaf. For absolute_error, mean absolute errors are used instead, as in Quinlan's M5,
    for poisson roots of half the mean deviance. A subtree without
    training errors has no error to be multiplied and is kept: as M5 does, grow the tree with a few rows in each leaf.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> pruned = Pessimistic().prune(golf_example())
    >>> print(pruned.report.of(1).words)
    Node 1 (outlook = sunny): 2.5 errors as a leaf, 1 as a subtree, 1.89 with one standard error: kept.
    >>> Pessimistic(standard_errors=2).prune(golf_example()).tree.n_nodes
    4
    """

    penalty: float = 0.5
    standard_errors: float = 1.0
    multiplier: float = 2.0

    name: ClassVar[str] = "pessimistic"
    for_numbers: ClassVar[bool] = True
    messages: ClassVar[tuple[str, ...]] = (
        RULE, REGRESSION_RULE, SQUARED, ABSOLUTE, DEVIANCE, ERRORS, ESTIMATED_ERROR, LEAVES, TRAINING_ERRORS,
        ERROR_RATE, PARAMETERS,
    )  # fmt: skip
    stored_texts: ClassVar[Mapping[str, str]] = {
        RULE: "From the root down, a node becomes a leaf where its errors + {penalty} are not above those of its "
        "subtree, + {penalty} for each leaf, and {spread}.",
        REGRESSION_RULE: "From the bottom up, a node becomes a leaf where its {error} * (n + {m} v) / (n - v), for n "
        "rows and v = 1 parameter, is not above that of its subtree with more parameters.",
    }

    def __post_init__(self) -> None:
        for name in ("penalty", "standard_errors", "multiplier"):
            at_least(name, getattr(self, name), 0.0)

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree = inputs.tree
        return self._by_size(tree) if tree.schema.target.is_number else self._by_errors(tree)

    def _by_errors(self, tree: Tree) -> Pruned:
        losses = training_losses(tree)
        is_leaf = tree.is_leaf
        below = np.column_stack([np.where(is_leaf, losses.leaf, losses.staying), is_leaf.astype(float)])
        sum_up(tree.parent, below)
        errors, n_leaves = below.T
        leaf, subtree = losses.leaf + self.penalty, errors + self.penalty * n_leaves
        rate = subtree / np.where(tree.weight > 0, tree.weight, 1.0)
        # With many leaves of few rows there may be more errors than rows: then the standard error is 0.
        clipped = np.minimum(rate, 1.0)
        allowance = self.standard_errors * np.sqrt(tree.weight * clipped * (1.0 - clipped))
        prune = ~is_leaf & not_above(leaf, subtree + allowance)
        visit, left = reached_from_root(tree, prune), collapse_nodes(tree, prune)
        spread = standard_errors_text(self.standard_errors)
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=RULE.format(penalty=format_number(self.penalty), spread=spread),
            unit=ERRORS,
            node=visit,
            leaf=leaf[visit],
            subtree=subtree[visit],
            allowance=allowance[visit],
            verdict=prune[visit].astype(np.int8),
            details={
                LEAVES: n_leaves[visit].astype(np.int64),
                TRAINING_ERRORS: errors[visit],
                ERROR_RATE: rate[visit],
            },
            origin=left.origin,
            with_allowance=WITH_SPREAD.format(spread=spread),
        )
        return Pruned(left.tree, report)

    def _by_size(self, tree: Tree) -> Pruned:
        losses = training_losses(tree)
        is_squared = not tree.by_median
        whole = float(tree.impurity[0])
        nothing = NOTHING * (whole**0.5 if is_squared else whole)
        leaf, subtree, size = (np.empty(tree.n_nodes) for _ in range(3))
        prune = np.empty(tree.n_nodes, np.uint8)
        tables = losses.leaf, losses.staying, tree.weight
        links, numbers = (tree.parent, tree.n_children), (leaf, subtree, size)
        prune_by_size(links, tables, self.multiplier, is_squared, nothing, numbers, prune)
        visit, left = bottom_up_order(tree), collapse_nodes(tree, prune)
        error = DEVIANCE if tree.by_deviance else SQUARED if is_squared else ABSOLUTE
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=REGRESSION_RULE.format(error=error, m=format_number(self.multiplier)),
            unit=ESTIMATED_ERROR,
            node=visit,
            leaf=leaf[visit],
            subtree=subtree[visit],
            allowance=np.zeros(len(visit)),
            verdict=prune[visit].astype(np.int8),
            details={PARAMETERS: size[visit].astype(np.int64)},
            origin=left.origin,
        )
        return Pruned(left.tree, report)
