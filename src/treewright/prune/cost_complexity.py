"""CostComplexity: prune what costs more leaves than it is worth."""

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from treewright._core.prune import sum_branches
from treewright.errors import InputError, ParameterError, one_of
from treewright.model.cut import cut
from treewright.model.words import number_words
from treewright.prune.choice import Way, choose, cross_validate, validate
from treewright.prune.costs import plain_costs, read_costs
from treewright.prune.links import RISKS, node_losses
from treewright.prune.losses import Losses
from treewright.prune.method import GROWTH, TRAINING, VALIDATION, Material, Method, Pruned
from treewright.prune.parameters import at_least
from treewright.prune.path import CostComplexityPath, cost_complexity_path
from treewright.prune.report import PruningReport, by_visit

CHOICES = ("auto", "cv", "validation")

RULE = (
    "A node becomes a leaf where its {} + alpha is not above that of its subtree + alpha for each leaf; alpha = {}, {}."
)


@dataclass(frozen=True, slots=True)
class CostComplexity(Method):
    """Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984): the weakest link first.

    A tree costs its risk + alpha for each leaf. The larger alpha, the smaller the tree that costs least; all these
    trees, each within the one before, are `report.path`. One of them is taken by a given alpha, or chosen by rows that
    it was not grown on: the smallest whose error is within so many standard errors of the least.

    alpha            the price of a leaf, in parts of the training weight; None: it is chosen. At 0 the splits go that
                     save nothing, which scikit-learn's ccp_alpha=0 keeps
    cp               the same in parts of the root's risk, as in rpart
    choose           "cv": by cross-validation; "validation": by validation rows; "auto": by validation rows where there
                     are some, otherwise by cross-validation
    folds            how many parts the training rows are dealt into for cross-validation; always the same ones
    standard_errors  how far above the least error the error of a smaller tree may be; 0 takes the least
    risk             "error": the share of wrong answers, or the mean loss of a regression tree; "impurity": the
                     impurity of the leaves, as in scikit-learn; trees are judged by their errors in any case
    cost_matrix      what an answer costs, see `treewright.prune.costs.read_costs`; None: 1 for each wrong one

    Regression trees are judged by squared errors.

    >>> from treewright.model.build import golf_example
    >>> pruned = CostComplexity(alpha=0.1).prune(golf_example())
    >>> print(pruned.report.of(0).words)
    Node 0 (root): 0.457 cost as a leaf, 0.5 as a subtree: pruned.
    >>> print(pruned.report.path)
         CP  nsplit  rel error
    1  0.25       0          1  chosen
    2     0       3          0
    """

    alpha: float | None = None
    cp: float | None = None
    choose: str = "auto"
    folds: int = 10
    standard_errors: float = 1.0
    risk: str = "error"
    cost_matrix: Any = None

    name: ClassVar[str] = "cost_complexity"
    for_numbers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of("choose", self.choose, CHOICES)
        object.__setattr__(self, "cost_matrix", plain_costs(self.cost_matrix))
        one_of("risk", self.risk, RISKS)
        at_least("standard_errors", self.standard_errors, 0)
        if not isinstance(self.folds, Integral) or self.folds < 2:
            raise ParameterError(f"folds={self.folds!r} cannot be used; give a whole number of at least 2.")
        given = [name for name in ("alpha", "cp") if getattr(self, name) is not None]
        for name in given:
            at_least(name, getattr(self, name), 0)
        if len(given) == 2:
            raise ParameterError("alpha and cp are two units of one number; give one of them.")
        if given and self.choose != "auto":
            raise ParameterError(
                f"choose={self.choose!r} has nothing to choose when {given[0]} is given; leave one of them out."
            )

    @property
    def needs(self) -> frozenset[str]:
        return {"cv": frozenset({GROWTH, TRAINING}), "validation": frozenset({VALIDATION})}.get(
            self.choose, frozenset()
        )

    @property
    def uses(self) -> frozenset[str]:
        """What it can make use of, though it can do without."""
        if self.alpha is not None or self.cp is not None:
            return frozenset()
        return self.needs if self.choose != "auto" else frozenset({GROWTH, TRAINING, VALIDATION})

    def _prune(self, material: Material) -> Pruned:
        tree = material.tree
        way = Way(material.rule, self.risk, read_costs(self.cost_matrix, tree))
        path = cost_complexity_path(tree, self.risk, way.costs)
        if self.alpha is None and self.cp is None:
            path, said = self._choose(path, material, way)
            alpha = float(path.alphas[path.chosen or 0])
        else:
            alpha = float(self.cp * path.root_risk if self.cp is not None else self.alpha or 0.0)
            path = replace(path, chosen=path.index_of(alpha))
            said = "as given" if self.cp is None else f"{number_words(self.cp)} of the root's {self._measure(way)}"
        rule = RULE.format(self._measure(way), f"{alpha:.4g}", said)
        return _concluded(path, alpha, node_losses(tree, self.risk, way.costs), rule)

    def _choose(self, path: CostComplexityPath, material: Material, way: Way) -> tuple[CostComplexityPath, str]:
        """The path with a tree chosen, and how that was done."""
        if len(path) == 1:
            return replace(path, chosen=0), "the only one there is"
        if self.choose != "cv" and material.validation is not None:
            trial, said = validate(path, material.validation, way), "validation rows"
        elif material.rows is not None and material.grow is not None:
            trial = cross_validate(path, material.rows, material.grow, int(self.folds), way, material.n_jobs)
            said = f"{self.folds}-fold cross-validation"
        else:
            raise InputError(
                f"{self.title()} chooses alpha by rows; give X and y, or X_val and y_val, or set alpha or cp."
            )
        k = number_words(self.standard_errors)
        off_by = "" if k == "0" else f" within {'one standard error' if k == '1' else f'{k} standard errors'}"
        return choose(path, trial, self.standard_errors, way), f"of least error{off_by} by {said}"

    def _measure(self, way: Way) -> str:
        if self.risk == "impurity":
            return "impurity"
        return "mean cost" if way.costs is not None else "error"


def _concluded(path: CostComplexityPath, alpha: float, losses: Losses, rule: str) -> Pruned:
    """The tree at alpha, and for each node the two costs that are compared there."""
    tree, prune = path.tree, path.become_leaf(alpha) & ~path.tree.is_leaf
    below, leaves = np.empty(tree.n_nodes), np.empty(tree.n_nodes, np.int64)
    links = tree.parent, tree.n_children
    leaf, staying = np.ascontiguousarray(losses.leaf), np.ascontiguousarray(losses.staying)
    sum_branches(links, leaf, staying, prune.astype(np.uint8), below, leaves)
    visit, left = by_visit(tree), cut(tree, prune)
    report = PruningReport(
        tree=tree,
        method=CostComplexity.name,
        rule=rule,
        unit="cost",
        node=visit,
        leaf=(leaf / losses.total + alpha)[visit],
        subtree=(below / losses.total + alpha * leaves)[visit],
        allowance=np.zeros(len(visit)),
        verdict=prune[visit].astype(np.int8),
        details={"alpha": path.node_alpha[visit], "leaves": leaves[visit]},
        origin=left.origin,
        path=path,
    )
    return Pruned(left.tree, report)
