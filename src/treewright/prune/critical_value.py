"""CriticalValue: keep the strong splits and what leads to them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import largest_below
from treewright.errors import ParameterError, one_of
from treewright.model.cut import cut
from treewright.model.tree import Tree
from treewright.prune.class_stats import in_branches, information, present_classes
from treewright.prune.cut_offs import CutOffs, in_turn
from treewright.prune.losses import validation_losses
from treewright.prune.method import VALIDATION, Material, Method, Pruned
from treewright.prune.parameters import at_least
from treewright.prune.report import PruningReport, by_visit
from treewright.prune.significance import log_p_value

MEASURES = ("g", "merit")
CHOICES = ("auto", "significance", "validation")
RULE = "A node becomes a leaf when neither its split nor any below it reaches the critical value."
TIE, CLOSE = 1e-12, 1e-9
"""Strengths tie when they differ by no more than this part of the largest there can be; numbers of whole trees, which
are sums over many nodes, when they differ by no more than that part of them."""


@dataclass(frozen=True, slots=True)
class CriticalValue(Method):
    """Critical value pruning (Mingers 1987): a weak split stays only on the way to a strong one.

    critical_value  what a split has to reach; None: a series of trees is made with rising values, and one is chosen;
                    `report.path` is the series
    measure         "g": G = 2 W times the information gain in natural units, which without any relation to the
                    classes is spread like chi-square; "merit": the number the column was chosen by in growth
    choose          "significance": the tree whose G, of the table of its leaves by classes, has the least p-value;
                    "validation": the smallest of those with the fewest errors on validation rows; "auto":
                    validation where there are such rows, otherwise significance

    Weights count as rows in G, so weights of a mean other than 1 make it larger or smaller.

    >>> from treewright.model.build import golf_example
    >>> pruned = CriticalValue(critical_value=6).prune(golf_example())
    >>> print(pruned.report.of(0).words)
    Node 0 (root): 6.73 G at its strongest split, 6 needed: kept.
    >>> print(CriticalValue().prune(golf_example()).report.path)
    cut-off  leaves  df      G  p-value
       6.73       5   4  18.25   0.0011  chosen
        inf       1   0   0.00   1.0000
    """

    critical_value: float | None = None
    measure: str = "g"
    choose: str = "auto"

    name: ClassVar[str] = "critical_value"

    def __post_init__(self) -> None:
        one_of("measure", self.measure, MEASURES)
        one_of("choose", self.choose, CHOICES)
        if self.critical_value is None:
            return
        at_least("critical_value", self.critical_value, 0)
        if self.choose != "auto":
            raise ParameterError(
                f"choose={self.choose!r} has nothing to choose when critical_value is given; leave one of them out."
            )

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({VALIDATION} if self.choose == "validation" else ())

    @property
    def uses(self) -> frozenset[str]:
        """What it can make use of, though it can do without."""
        chooses = self.critical_value is None and self.choose != "significance"
        return frozenset({VALIDATION} if chooses else ())

    def _prune(self, material: Material) -> Pruned:
        tree = material.tree
        inner = tree.n_children > 0
        g = g_values(tree)
        strength = g if self.measure == "g" else tree.merit
        peak = np.where(inner, strength, -np.inf)
        largest_below(tree.parent, peak)
        slack = _slack(tree, peak, self.measure)
        path = None if self.critical_value is not None else self._series(material, peak, g, slack)
        value = float(self.critical_value or 0.0) if path is None else float(path.cut_off[path.chosen])
        weak = inner & (peak < value - slack)
        visit = by_visit(tree)
        smaller = cut(tree, weak)
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=RULE,
            unit="G" if self.measure == "g" else "merit",
            node=visit,
            leaf=peak[visit],
            subtree=np.full(len(visit), value),
            allowance=np.zeros(len(visit)),
            verdict=weak[visit].astype(np.int8),
            details={"own split": strength[visit]},
            origin=smaller.origin,
            path=path,
            as_leaf="at its strongest split",
            as_subtree="needed",
        )
        return Pruned(smaller.tree, report)

    def _series(
        self, material: Material, peak: NDArray[np.float64], g: NDArray[np.float64], slack: float
    ) -> CutOffs:
        tree = material.tree
        inner = np.flatnonzero(tree.n_children)
        # Each split adds its branches less one to the leaves; a branch without rows is no line of a table.
        filled = np.bincount(tree.parent[1:], tree.weight[1:] > 0, tree.n_nodes).astype(np.int64)
        adds = [tree.n_children[inner] - 1, np.maximum(filled[inner] - 1, 0), g[inner]]
        rows = None if self.choose == "significance" else material.validation
        if rows is None:
            cut_off, (leaves, lines, g_of_tree) = in_turn(peak[inner], slack, *adds)
            degrees = lines * (present_classes(tree) - 1)
            log_p = log_p_value(g_of_tree, degrees.astype(np.float64))
            least = log_p <= log_p.min() + CLOSE * abs(log_p.min())
            return CutOffs(cut_off, leaves + 1, degrees, g_of_tree, log_p, None, _last(least))
        losses = validation_losses(tree, rows, material.rule)
        parts = np.bincount(tree.parent[1:], losses.leaf[1:], tree.n_nodes)
        adds.append((losses.staying + parts - losses.leaf)[inner])
        cut_off, (leaves, lines, g_of_tree, more) = in_turn(peak[inner], slack, *adds)
        errors = losses.leaf[0] + more
        least = errors <= errors.min() + CLOSE * losses.total
        degrees = lines * (present_classes(tree) - 1)
        return CutOffs(cut_off, leaves + 1, degrees, g_of_tree, None, errors, _last(least))


def _slack(tree: Tree, peak: NDArray[np.float64], measure: str) -> float:
    """What the strengths of two splits can differ by though they are the same: a difference of large numbers."""
    if measure == "g":
        return TIE * 2.0 * float(information(tree.stats[:1])[0])
    return TIE * float(np.abs(peak, where=np.isfinite(peak), out=np.zeros(len(peak))).max())


def _last(found: NDArray[np.bool_]) -> int:
    """The last place: of several trees the smallest."""
    return int(np.flatnonzero(found)[-1])


def g_values(tree: Tree) -> NDArray[np.float64]:
    """G of each split: twice the information that its branches have about the classes; 0 at a leaf.

    Only rows that took a branch count. G of a tree, over its leaves by classes, is the sum over its splits.

    >>> from treewright.model.build import golf_example
    >>> g_values(golf_example()).round(2).tolist()
    [4.79, 6.73, 0.0, 6.73, 0.0, 0.0, 0.0, 0.0]
    """
    own = information(tree.stats)
    parts = np.bincount(tree.parent[1:], own[1:], tree.n_nodes)
    found = 2.0 * (information(in_branches(tree)) - parts)
    return np.where(tree.is_leaf, 0.0, np.maximum(found, 0.0))
