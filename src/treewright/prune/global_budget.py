"""Global: cut what the whole tree hardly misses, as long as a budget of errors lasts.

In: a tree, by its statistics alone. Out: the tree of the cost-complexity path that is the smallest within the budget,
and why.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.model.cut import cut
from treewright.model.tree import Tree
from treewright.model.words import number_words
from treewright.prune.costs import read_costs
from treewright.prune.links import node_losses
from treewright.prune.losses import ROUNDING, Losses
from treewright.prune.method import Material, Method, Pruned
from treewright.prune.parameters import at_least
from treewright.prune.path import CostComplexityPath, cost_complexity_path, losses_along
from treewright.prune.report import PruningReport, by_visit
from treewright.prune.top_down import not_above

ERRORS = "errors"
SQUARED, ABSOLUTE = 3.0, 2.0
"""The mean square of a loss, in squares of its mean: of squared errors that are normal, of absolute ones of Laplace."""


@dataclass(frozen=True, slots=True)
class Global(Method):
    """Global pruning: the weakest links go while the training errors stay within a standard error of what they were.

    standard_errors  the budget: how many standard errors the training errors of the whole tree may rise by

    Methods that look at one node at a time keep each split that seems worth its while; many of them together may still
    be no more than chance. With E training errors among n rows the errors of a tree are known to sqrt(E (1 - E / n)),
    so a smaller tree within that is as good for all that the rows can tell. Nodes are cut in the order of the extra
    errors for each leaf saved, as in cost-complexity pruning, those that tie together, as long as the extra errors of
    the whole tree are within the budget; splits that save no error go in any case. The tree is taken as it comes, and
    one that makes no training errors has no budget: put another method before this one, as
    `pruning=["error_based", "global"]`.

    For regression E is the sum of the losses of the rows, and its standard error that of a sum of n rows,
    sqrt(Q - E^2 / n), where Q sums up their squares; of classes that is the same formula, for 1 is its own square. A
    tree does not hold Q. It is what normal errors within a leaf would make it, 3 n s^2 for n rows of mean squared error
    s, and 2 n d^2 for a mean absolute error d, of Laplace's errors. With long tails there is more, and this budget
    prunes too little rather than too much.

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
    Node 1 (age <= 30): 10 errors in the tree with it and all weaker nodes cut, 9 as it came, 11.6 with one standard \
error: pruned.
    """

    standard_errors: float = 1.0

    name: ClassVar[str] = "global"
    for_numbers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        at_least("standard_errors", self.standard_errors, 0.0)

    def _prune(self, material: Material) -> Pruned:
        tree = material.tree
        losses = node_losses(tree)
        path = cost_complexity_path(tree, losses=losses)
        before, off_by = _as_it_comes(tree, losses)
        budget = self.standard_errors * off_by
        after = losses_along(path, losses)
        rounding = ROUNDING * max(before, float(losses.leaf[0]))
        after = np.where(np.abs(after - before) <= rounding, before, after)
        # The first tree has no split that saves nothing: it makes no more errors than the one that came.
        within = np.flatnonzero(not_above(after, np.full(len(after), before + budget)))
        chosen = int(within[-1]) if len(within) else 0
        return self._concluded(replace(path, chosen=chosen), after, before, budget)

    def _concluded(
        self, path: CostComplexityPath, after: NDArray[np.float64], before: float, budget: float
    ) -> Pruned:
        """The tree at the end of the budget; a node is judged by the tree in which it goes."""
        tree, chosen = path.tree, path.chosen or 0
        visit = by_visit(tree)
        step = np.searchsorted(path.alphas, path.node_alpha[visit], side="right") - 1
        goes, prune = step <= chosen, np.zeros(tree.n_nodes, bool)
        prune[visit] = goes
        left = cut(tree, prune)
        k = number_words(self.standard_errors)
        spread = "one standard error" if k == "1" else f"{k} standard errors"
        unit = _unit(tree)
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=f"The nodes of the {'fewest' if unit == ERRORS else 'least'} extra {unit} for each leaf saved are cut "
            f"first, as long as the whole tree has no more than {before + budget:.4g} {unit} on the training rows: "
            f"{before:.4g} as it came, and {spread}, {budget:.4g}.",
            unit=unit,
            node=visit,
            leaf=after[step],
            subtree=np.full(len(visit), before),
            allowance=np.full(len(visit), budget),
            verdict=goes.astype(np.int8),
            details={"extra for each leaf": path.node_alpha[visit] * tree.weight[0], "leaves": path.leaves[step]},
            origin=left.origin,
            path=path,
            as_leaf="in the tree with it and all weaker nodes cut",
            as_subtree="as it came",
            with_allowance=f"with {spread}",
        )
        return Pruned(left.tree, report)


def _unit(tree: Tree) -> str:
    """What losses are called."""
    if tree.schema.target.is_number:
        return tree.measured_by.label[0]
    return ERRORS if read_costs(None, tree) is None else "cost"


def _as_it_comes(tree: Tree, losses: Losses) -> tuple[float, float]:
    """The loss of the tree on its training rows, and the standard error of that sum."""
    is_leaf = tree.is_leaf
    parts = np.where(is_leaf, losses.leaf, losses.staying)
    whole, n = float(parts.sum()), losses.total
    if not tree.schema.target.is_number:
        # A loss is at most 1, so its square is at most itself: with costs this is an upper limit.
        return whole, float(np.sqrt(max(whole * (1.0 - whole / n), 0.0)))
    weight = np.where(is_leaf, tree.weight, _left_over(tree))
    # In parts of the whole, for squares of squares may be too large for a number.
    share = np.divide(parts, whole, out=np.zeros(len(parts)), where=whole > 0)
    squares = np.divide(share**2, weight, out=np.zeros(len(parts)), where=weight > 0)
    variance = (ABSOLUTE if tree.by_median else SQUARED) * float(squares.sum()) - 1.0 / n
    return whole, whole * float(np.sqrt(max(variance, 0.0)))


def _left_over(tree: Tree) -> NDArray[np.float64]:
    """The weight of the rows that end at an inner node, since no branch takes them."""
    left = tree.weight - np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
    return np.where(left > ROUNDING * tree.weight, left, 0.0)
