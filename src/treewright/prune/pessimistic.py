"""Pessimistic: prune by training errors that are made larger for every leaf.

In: a tree, with the statistics of its training rows. Out: the pruned tree; no other rows are needed.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treewright._core.prune import prune_by_size, sum_up
from treewright.model.cut import cut
from treewright.model.tree import Tree
from treewright.model.words import number_words
from treewright.prune.losses import training_losses
from treewright.prune.method import Material, Method, Pruned
from treewright.prune.parameters import at_least
from treewright.prune.report import PruningReport, by_visit
from treewright.prune.top_down import not_above, reached

NOTHING = 1e-5
"""A node is a leaf when its error is below this part of the error of the whole table."""


@dataclass(frozen=True, slots=True)
class Pessimistic(Method):
    """Pessimistic pruning (Quinlan 1987), and for regression the pruning of Weka's M5 trees.

    penalty          errors that are added for each leaf
    standard_errors  how many standard errors the leaf may be above its subtree
    multiplier       for regression: what a parameter of the tree weighs

    Classification: from the root down, on the tree as it was grown, a node becomes a leaf when E + penalty is not above
    S + standard_errors * SE, where E are its training errors, S = those of its leaves + penalty for each of them, and
    SE = sqrt(N e (1 - e)) with e = S / N. Below a node that becomes a leaf nothing is looked at.

    Regression: from the bottom up, a node becomes a leaf when its root mean squared error * (n + multiplier) / (n - 1)
    is not above that of its subtree * (n + multiplier v) / (n - v). The subtree has v parameters: one for each leaf
    and, for each split, one less than it has branches. The factor is 10 where v is n or more. A node whose error is
    next to nothing is a leaf. For absolute_error mean absolute errors take the place of the roots, as in Quinlan's M5.
    A subtree that answers all training rows exactly has no error to be made larger and stays: as M5 does, grow the tree
    with a few rows in each leaf.

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

    def __post_init__(self) -> None:
        for name in ("penalty", "standard_errors", "multiplier"):
            at_least(name, getattr(self, name), 0.0)

    def _prune(self, material: Material) -> Pruned:
        tree = material.tree
        return self._by_size(tree) if tree.schema.target.is_number else self._by_errors(tree)

    def _by_errors(self, tree: Tree) -> Pruned:
        losses = training_losses(tree)
        is_leaf = tree.is_leaf
        below = np.column_stack([np.where(is_leaf, losses.leaf, losses.staying), is_leaf.astype(float)])
        sum_up(tree.parent, below)
        errors, n_leaves = below.T
        leaf, subtree = losses.leaf + self.penalty, errors + self.penalty * n_leaves
        rate = subtree / np.where(tree.weight > 0, tree.weight, 1.0)
        # With many leaves of few rows there may be more errors than rows: then nothing is left to chance.
        clipped = np.minimum(rate, 1.0)
        allowance = self.standard_errors * np.sqrt(tree.weight * clipped * (1.0 - clipped))
        prune = ~is_leaf & not_above(leaf, subtree + allowance)
        visit = reached(tree, prune)
        left, k = cut(tree, prune), number_words(self.standard_errors)
        spread = "one standard error" if k == "1" else f"{k} standard errors"
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=f"From the root down, a node becomes a leaf where its errors + {number_words(self.penalty)} are not "
            f"above those of its subtree, + {number_words(self.penalty)} for each leaf, and {spread}.",
            unit="errors",
            node=visit,
            leaf=leaf[visit],
            subtree=subtree[visit],
            allowance=allowance[visit],
            verdict=prune[visit].astype(np.int8),
            details={
                "leaves": n_leaves[visit].astype(np.int64),
                "training errors": errors[visit],
                "error rate": rate[visit],
            },
            origin=left.origin,
            with_allowance=f"with {spread}",
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
        visit, left = by_visit(tree), cut(tree, prune)
        m, error = number_words(self.multiplier), "root mean squared error" if is_squared else "mean absolute error"
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=f"From the bottom up, a node becomes a leaf where its {error} * (n + {m} v) / (n - v), for n rows and "
            f"v = 1 parameter, is not above that of its subtree with more parameters.",
            unit="estimated error",
            node=visit,
            leaf=leaf[visit],
            subtree=subtree[visit],
            allowance=np.zeros(len(visit)),
            verdict=prune[visit].astype(np.int8),
            details={"parameters": size[visit].astype(np.int64)},
            origin=left.origin,
        )
        return Pruned(left.tree, report)
