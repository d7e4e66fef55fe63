"""Cost-complexity pruning: keep a subtree only if it lowers the risk by at least alpha for each of its leaves.

Without a given alpha, a tree of the path is chosen by rows that it was not grown on: the smallest tree whose error is
within so many standard errors of the least one (Breiman et al. 1984, 3.4). Rows are routed down a grown tree once,
whatever the number of its pruned trees: a node is a leaf from its own alpha up to the least alpha above it, so its loss
is added to all trees between the two.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import sum_branches
from treewright.data.class_costs import plain_cost_matrix
from treewright.data.dataset import Dataset
from treewright.errors import InputError, ParameterError, at_least, one_of
from treewright.language import N_
from treewright.model.formatting import format_number
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.prune.cost_complexity_path import (
    RISKS,
    TIE,
    CostComplexityPath,
    cost_complexity_path,
    find_weakest_links,
    node_losses,
)
from treewright.prune.cross_validation import CrossValidation, SumSettings
from treewright.prune.losses import (
    NO_SCALE,
    DevianceTerms,
    Losses,
    NodeSums,
    RowsElsewhere,
    RowTotal,
    TargetScale,
    predicted_classes,
    read_costs,
    scale_of,
    sum_rows_at_nodes,
    total_of,
    training_losses,
)
from treewright.prune.method import GROWTH, TRAINING, VALIDATION, Method, Pruned, PruningInput
from treewright.prune.report import PruningReport
from treewright.prune.report_messages import standard_errors_text
from treewright.prune.traversal import bottom_up_order

CHOICES = ("auto", "cv", "validation")

RULE = N_(
    "A node becomes a leaf when its {measure} + alpha is at most that of its subtree + alpha for each leaf; "
    "alpha = {alpha}, {choice}."
)
ERROR, IMPURITY, MEAN_COST = N_("error"), N_("impurity"), N_("mean cost")
AS_GIVEN = N_("as given")
OF_ROOT = N_("{cp} times the {measure} of the root")
ONLY_ONE = N_("the only one on the path")
LEAST_ERROR = N_("with the least error by {evaluation}")
NEAR_LEAST_ERROR = N_("within {spread} of the least error by {evaluation}")
VALIDATION_ROWS, CROSS_VALIDATION = N_("validation rows"), N_("{folds}-fold cross-validation")
COST, ALPHA, LEAVES = N_("cost"), N_("alpha"), N_("leaves")

POWERS = 5
"""Moments of the target for each node, 0 to 4: for squared errors, and for their squares."""

Spans = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The alpha from which on each node is a leaf, and the one from which on a node above it is."""


@dataclass(frozen=True, slots=True)
class CostComplexity(Method):
    """Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984): the weakest link first.

    A tree costs its risk + alpha for each leaf. The larger alpha, the smaller the tree with the least cost; all these
    trees, each a subtree of the one before, are `report.path`. One of them is given by alpha, or chosen by rows that it
    was not grown on: the smallest whose error is within so many standard errors of the least.

    Parameters
    ----------
    alpha : float or None, default=None
        The cost of a leaf, as a fraction of the training weight; None: it is chosen. At 0 the splits that save nothing
        are pruned; scikit-learn's ccp_alpha=0 keeps them.
    cp : float or None, default=None
        The same, as a fraction of the risk of the root, as in rpart.
    choose : {"auto", "cv", "validation"}, default="auto"
        "cv": by cross-validation; "validation": by validation rows; "auto": by validation rows if there are any,
        otherwise by cross-validation.
    folds : int, default=10
        The number of folds of cross-validation; they are always the same.
    standard_errors : float, default=1.0
        How far the error of a smaller tree may be above the least one; 0 takes the tree with the least error.
    risk : {"error", "impurity"}, default="error"
        "error": the error rate, or the mean loss of a regression tree; "impurity": the impurity of the leaves, as in
        scikit-learn. Trees are chosen by their errors in either case, regression trees by squared errors, those of
        criterion="poisson" by deviance.
    cost_matrix : mapping, array or None, default=None
        What a prediction costs, by true class and predicted class; None: 1 for each wrong one.

    Examples
    --------
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
    messages: ClassVar[tuple[str, ...]] = (
        RULE, ERROR, IMPURITY, MEAN_COST, AS_GIVEN, OF_ROOT, ONLY_ONE, LEAST_ERROR, NEAR_LEAST_ERROR, VALIDATION_ROWS,
        CROSS_VALIDATION, COST, ALPHA, LEAVES,
    )  # fmt: skip
    stored_texts: ClassVar[Mapping[str, str]] = {
        RULE: "A node becomes a leaf where its {measure} + alpha is not above that of its subtree + alpha for each "
        "leaf; alpha = {alpha}, {choice}.",
        OF_ROOT: "{cp} of the root's {measure}",
        ONLY_ONE: "the only one there is",
        LEAST_ERROR: "of least error by {evaluation}",
        NEAR_LEAST_ERROR: "of least error within {spread} by {evaluation}",
    }

    def __post_init__(self) -> None:
        one_of("choose", self.choose, CHOICES)
        object.__setattr__(self, "cost_matrix", plain_cost_matrix(self.cost_matrix))
        one_of("risk", self.risk, RISKS)
        at_least("standard_errors", self.standard_errors, 0)
        if not isinstance(self.folds, Integral) or self.folds < 2:
            raise ParameterError(f"folds must be an integer of at least 2, got {self.folds!r}.")
        given = [name for name in ("alpha", "cp") if getattr(self, name) is not None]
        for name in given:
            at_least(name, getattr(self, name), 0)
        if len(given) == 2:
            raise ParameterError("alpha and cp cannot both be set; pass one of them.")
        if given and self.choose != "auto":
            raise ParameterError(
                f"choose and {given[0]} cannot both be set, got {self.choose!r} and {getattr(self, given[0])!r}; "
                "leave one of them out."
            )

    @property
    def needs(self) -> frozenset[str]:
        return {"cv": frozenset({GROWTH, TRAINING}), "validation": frozenset({VALIDATION})}.get(
            self.choose, frozenset()
        )

    def needs_besides(self, inputs: PruningInput) -> frozenset[str]:
        """What the method needs besides the tree: no training rows if there is cross-validation without them.

        Parameters
        ----------
        inputs : PruningInput
            What is passed to the method.

        Returns
        -------
        frozenset of str
            TRAINING, VALIDATION, GROWTH.
        """
        return self.needs if inputs.cross_validation is None else self.needs - {TRAINING, GROWTH}

    @property
    def uses(self) -> frozenset[str]:
        """What the method uses if it is there."""
        if self.alpha is not None or self.cp is not None:
            return frozenset()
        return self.needs if self.choose != "auto" else frozenset({GROWTH, TRAINING, VALIDATION})

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree = inputs.tree
        settings = LossSettings(inputs.rule, self.risk, read_costs(self.cost_matrix, tree))
        path, measure = cost_complexity_path(tree, self.risk, settings.costs), self._measure(settings)
        if self.alpha is None and self.cp is None:
            path, choice = self._choose(path, inputs, settings)
            alpha = float(path.alphas[path.chosen or 0])
        else:
            alpha = float(self.cp * path.root_risk if self.cp is not None else self.alpha or 0.0)
            path = replace(path, chosen=path.index_of(alpha))
            choice = AS_GIVEN if self.cp is None else OF_ROOT.format(cp=format_number(self.cp), measure=measure)
        rule = RULE.format(measure=measure, alpha=f"{alpha:.4g}", choice=choice)
        return _build_result(path, alpha, node_losses(tree, self.risk, settings.costs), rule)

    def _choose(
        self, path: CostComplexityPath, inputs: PruningInput, settings: "LossSettings"
    ) -> tuple[CostComplexityPath, str]:
        """The path with a tree chosen, and how it was chosen."""
        if len(path) == 1:
            return replace(path, chosen=0), ONLY_ONE
        if self.choose != "cv" and inputs.validation is not None:
            losses, evaluation = validate_path(path, inputs.validation, settings), VALIDATION_ROWS
        elif inputs.folds is not None:
            losses = cross_validate_path(path, inputs.folds, int(self.folds), settings)
            evaluation = CROSS_VALIDATION.format(folds=self.folds)
        else:
            raise InputError(
                f"{self.title()} needs rows to choose alpha",
                advice="pass X and y, or X_val and y_val, or set alpha or cp",
                option="use --data FILE or --validation, or --set alpha=NUMBER",
            )
        if format_number(self.standard_errors) == "0":
            choice = LEAST_ERROR.format(evaluation=evaluation)
        else:
            spread = standard_errors_text(self.standard_errors)
            choice = NEAR_LEAST_ERROR.format(spread=spread, evaluation=evaluation)
        return choose_tree(path, losses, self.standard_errors, settings), choice

    def _measure(self, settings: "LossSettings") -> str:
        if self.risk == "impurity":
            return IMPURITY
        return ERROR if settings.costs is None else MEAN_COST


def _build_result(path: CostComplexityPath, alpha: float, losses: Losses, rule: str) -> Pruned:
    """The tree at alpha, and the report of the two costs that are compared at each node."""
    tree, prune = path.tree, path.become_leaf(alpha) & ~path.tree.is_leaf
    below, leaves = np.empty(tree.n_nodes), np.empty(tree.n_nodes, np.int64)
    links = tree.parent, tree.n_children
    leaf, staying = np.ascontiguousarray(losses.leaf), np.ascontiguousarray(losses.staying)
    sum_branches(links, leaf, staying, prune.astype(np.uint8), below, leaves)
    visit, left = bottom_up_order(tree), collapse_nodes(tree, prune)
    report = PruningReport(
        tree=tree,
        method=CostComplexity.name,
        rule=rule,
        unit=COST,
        node=visit,
        leaf=(leaf / losses.total + alpha)[visit],
        subtree=(below / losses.total + alpha * leaves)[visit],
        allowance=np.zeros(len(visit)),
        verdict=prune[visit].astype(np.int8),
        details={ALPHA: path.node_alpha[visit], LEAVES: leaves[visit]},
        origin=left.origin,
        path=path,
    )
    return Pruned(left.tree, report)


@dataclass(frozen=True, slots=True, eq=False)
class LossSettings:
    """How losses are counted.

    rule    how rows with missing values are routed
    risk    the risk of the path
    costs   what a prediction costs, (true class, predicted class); None: 1 for each wrong one
    scale   how a numeric target is scaled
    """

    rule: MissingPolicy
    risk: str = "error"
    costs: NDArray[np.float64] | None = None
    scale: TargetScale = NO_SCALE

    def of(self, tree: Tree) -> "LossSettings":
        """The same, with the scale of the tree's training target."""
        return replace(self, scale=DevianceTerms() if tree.by_deviance else scale_of(tree))

    @property
    def how(self) -> SumSettings:
        """How rows are summed up at nodes."""
        return SumSettings(self.rule, self.scale, POWERS)


@dataclass(frozen=True, slots=True, eq=False)
class PathLosses:
    """The losses l of the trees of a path on rows of weight w.

    loss    float64, for each tree the sum of w l, in `unit`
    square  float64, for each tree the sum of w l^2, in `unit` squared
    weight  the sum of w
    n_rows  how many rows that is: whole weights are copies; with other weights each row is one
    unit    the unit of a loss
    """

    loss: NDArray[np.float64]
    square: NDArray[np.float64]
    weight: float
    n_rows: float
    unit: float = 1.0

    @property
    def error(self) -> NDArray[np.float64]:
        """The mean loss: the error rate, the mean cost, the mean squared error, or half the mean Poisson deviance."""
        return self.loss / self.weight * self.unit

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """The standard error of the mean loss: sqrt(R (1 - R) / N) for an error rate R."""
        variance = self.square / self.weight - (self.loss / self.weight) ** 2
        return np.sqrt(np.maximum(variance, 0.0) / self.n_rows) * self.unit


def validate_path(path: CostComplexityPath, rows: Dataset | RowsElsewhere, settings: LossSettings) -> PathLosses:
    """The losses of the trees of the path on validation rows.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune.cost_complexity_path import cost_complexity_path
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0], [1, 90.0, 1]]), np.array([1, 0, 1]))
    >>> validate_path(cost_complexity_path(tree), rows, LossSettings(MissingPolicy())).loss.tolist()
    [0.0, 1.0]
    """
    settings = settings.of(path.tree)
    found = sum_rows_at_nodes(path.tree, rows, *settings.how)
    sums = _sum_losses(path.tree, (path.node_alpha, path.node_gone), path.alphas, found, settings)
    return _path_losses(sums, total_of(rows), settings)


def cross_validate_path(
    path: CostComplexityPath, folds: CrossValidation, n_folds: int, settings: LossSettings
) -> PathLosses:
    """The losses of the trees of the path by cross-validation.

    A tree of the path is best from its alpha up to the next one. In each fold it is represented by the tree that is
    best at the geometric mean of the two, as in Breiman's book and in rpart; the last one by the root.
    """
    means = np.sqrt(path.alphas[:-1]) * np.sqrt(path.alphas[1:])
    # A mean may equal the alpha of a node, which is then pruned, whatever the rounding.
    between = np.append(means * (1 + TIE), np.finfo(np.float64).max)
    settings = settings.of(path.tree)
    sums = np.zeros((2, len(between)))
    for tree, found in folds.fold_sums(n_folds, settings.how):
        links = find_weakest_links(tree, node_losses(tree, settings.risk, settings.costs))
        sums += _sum_losses(tree, (links.alpha, links.above), between, found, settings)
    return _path_losses(sums, folds.total, settings)


def choose_tree(
    path: CostComplexityPath, losses: PathLosses, standard_errors: float, settings: LossSettings
) -> CostComplexityPath:
    """The path with errors, and the smallest tree within so many standard errors of the least one chosen."""
    error, standard_error = losses.error, losses.standard_error
    best = int(np.flatnonzero(error <= error.min() * (1 + TIE))[-1])
    limit = (error[best] + standard_errors * standard_error[best]) * (1 + TIE)
    chosen = int(np.flatnonzero(error <= limit)[-1])
    root = float(error[-1])
    if not path.tree.by_median:  # the training loss of such a tree is not a sum of squares
        training = training_losses(path.tree, settings.costs)
        root = float(training.leaf[0] / training.total)
    return replace(path, error=error, standard_error=standard_error, root_error=root, chosen=chosen)


def _path_losses(sums: NDArray[np.float64], rows: RowTotal, settings: LossSettings) -> PathLosses:
    """The losses and squared losses that were summed up over these rows, with the weight of the rows."""
    return PathLosses(sums[0], sums[1], rows.weight or 1.0, rows.n_rows or 1.0, settings.scale.spread**2)


def _sum_losses(
    tree: Tree, spans: Spans, alphas: NDArray[np.float64], found: NodeSums, settings: LossSettings
) -> NDArray[np.float64]:
    """The sums of losses and of their squares, (2, n), of the trees that are best at these n rising alphas.

    Only nodes that rows reach have a loss: with a large tree and few rows, a small part of them.
    """
    nodes = np.flatnonzero(found.here.any(axis=1))
    first, last = (np.searchsorted(alphas, span[nodes]) for span in spans)
    is_leaf, splits_until = first < last, np.minimum(first, last)
    first, last = first[is_leaf], last[is_leaf]
    measured = _squared_losses if tree.schema.target.is_number else _class_losses
    if tree.by_deviance:
        measured = _deviances
    n = len(alphas) + 1
    losses = measured(tree, nodes[is_leaf], found.here, settings)
    changes = np.array([np.bincount(first, leaf, n) - np.bincount(last, leaf, n) for leaf in losses])
    if found.stayed.any():
        for i, staying in enumerate(measured(tree, nodes, found.stayed, settings)):
            changes[i] -= np.bincount(splits_until, staying, n)
            of_all = np.zeros(tree.n_nodes)
            of_all[nodes] = staying
            changes[i, 0] += of_all.sum()
    return np.maximum(np.cumsum(changes, axis=1)[:, :-1], 0.0)


def _class_losses(
    tree: Tree, nodes: NDArray[np.int64], table: NDArray[np.float64], settings: LossSettings
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The costs of the predictions of some nodes, and their squares, from the class weights of all nodes."""
    predicted, table = predicted_classes(tree, settings.costs)[nodes], table[nodes]
    if settings.costs is None:
        table[np.arange(len(table)), predicted] = 0.0
        missed = table.sum(axis=1)
        return missed, missed
    cost = settings.costs.T[predicted]
    return (table * cost).sum(axis=1), (table * cost**2).sum(axis=1)


def _squared_losses(
    tree: Tree, nodes: NDArray[np.int64], table: NDArray[np.float64], settings: LossSettings
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The squared errors of the predictions of some nodes, and their squares, from the moments of all nodes."""
    m0, m1, m2, m3, m4 = table[nodes].T
    v = (tree.value[nodes, 0] - settings.scale.centre) / settings.scale.spread
    second = m2 - 2 * v * m1 + v**2 * m0
    fourth = m4 - 4 * v * m3 + 6 * v**2 * m2 - 4 * v**3 * m1 + v**4 * m0
    return np.maximum(second, 0.0), np.maximum(fourth, 0.0)


def _deviances(
    tree: Tree, nodes: NDArray[np.int64], table: NDArray[np.float64], settings: LossSettings  # noqa: ARG001
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Halves of the Poisson deviances about the rates of some nodes, and their squares: y log(y / r) - y + r is
    a - y log r + r with a = y log y - y.
    """
    one, y, a, y2, ay, a2 = table[nodes].T
    rate = tree.value[nodes, 0]
    log_rate = np.log(rate)
    first = a - log_rate * y + rate * one
    second = a2 + log_rate**2 * y2 + rate**2 * one - 2 * log_rate * ay + 2 * rate * (a - log_rate * y)
    return np.maximum(first, 0.0), np.maximum(second, 0.0)
