"""Fitting: the steps of `fit`, from the parameters of an estimator to a grown and pruned tree.

`read_settings` checks the parameters, `prepare_growth` decides how the rows of a table are grown on (costs, monotonic
constraints, held-out rows, size of the tree), `grow_tree` grows and `prune_tree` prunes. The table itself is read by
`treewright.estimators.training_data`.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import prune
from treewright.data.dataset import Dataset
from treewright.errors import InputError, ParameterError
from treewright.estimators.class_probabilities import cost_sensitive_grower
from treewright.estimators.monotonic_constraints import with_constraints, with_raising_remark
from treewright.estimators.parameters import count_threads, read_weight_fraction, resolve_limits
from treewright.estimators.prediction import prediction_policy
from treewright.estimators.pruning import (
    PruningOutcome,
    PruningSettings,
    prune_grown_tree,
    read_ccp_alpha,
    read_pre_pruning,
    read_size,
    read_validation_fraction,
    with_size,
    without_size,
)
from treewright.estimators.training_data import TrainingData, hold_out_validation
from treewright.grow.plan import Plan
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule
from treewright.model.tree import Tree
from treewright.prune.method import Method, PruningInput, weight_of_one_row

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

MAX_KEPT_CELLS = 2**22
"""Cells of a training table (32 megabytes) that a fitted estimator keeps for questions about its nodes."""

Grow = Callable[[Dataset], Tree]


class GrowthSettings(NamedTuple):
    """How a tree is grown: the plan, and the minimum fraction of the total weight in a branch."""

    plan: Plan
    min_weight_fraction: float


class PruningUsed(NamedTuple):
    """How a tree was pruned: the method (None: not at all), and whether there were validation rows."""

    method: Method | None
    has_validation: bool


class FitSettings(NamedTuple):
    """The parameters of a fit, checked: how the tree is grown and how it is pruned."""

    growth: GrowthSettings
    pruning: PruningSettings


@dataclass(frozen=True, slots=True)
class GrowthTask:
    """What a fit grows and prunes by, once its table is known.

    rows      the rows to grow on, weighted by the costs of their classes
    held_out  the rows held out of the table for validation; None if there are none
    growth    how the tree is grown
    pruning   how it is pruned
    rule      how trees grown on these rows predict
    tuning    the sizes that tuning tried, as fitted attributes; empty without tuning
    """

    rows: Dataset
    held_out: Dataset | None
    growth: GrowthSettings
    pruning: PruningSettings
    rule: PredictionRule
    tuning: dict[str, object]


@dataclass(frozen=True, slots=True)
class TreeGrower:
    """Grows trees on encoded rows.

    growth         the plan and the minimum weight of a branch
    n_threads      the number of threads
    monotonic_cst  constraints that the plan does not have yet, as given to the estimator
    drafts         an empty list if several trees are to be grown one after the other in the same arrays
    """

    growth: GrowthSettings
    n_threads: int
    monotonic_cst: Any = None
    drafts: list[Any] | None = None

    def __call__(self, rows: Dataset) -> Tree:
        plan = with_constraints(self.growth.plan, self.monotonic_cst, rows.schema)
        plan = resolve_limits(plan, rows, self.growth.min_weight_fraction)
        tree: Tree = _grow_module().grow(rows, plan, self.n_threads, self.drafts)
        return tree

    def without_collapsing(self) -> "TreeGrower":
        """The same growth without collapsing splits that save no training error."""
        plan = replace(self.growth.plan, collapse=False)
        return replace(self, growth=self.growth._replace(plan=plan))


def read_settings(estimator: "BaseTreeEstimator", *, has_validation: bool) -> FitSettings:
    """Check the parameters of an estimator, before anything is read or grown."""
    pruning = read_pruning(estimator, has_validation=has_validation)
    growth = estimator._read_growth()
    estimator._check_probability()
    return FitSettings(growth, pruning)


def read_growth(estimator: "BaseTreeEstimator") -> GrowthSettings:
    """Check the parameters about growth."""
    return GrowthSettings(estimator.plan(), read_weight_fraction(estimator.min_weight_fraction_leaf))


def read_pruning(estimator: "BaseTreeEstimator", *, has_validation: bool) -> PruningSettings:
    """Check the parameters about pruning; `has_validation`: whether validation rows are passed to `fit`."""
    fraction = read_validation_fraction(estimator.validation_fraction)
    if has_validation and fraction is not None:
        raise ParameterError(
            f"validation_fraction={fraction} holds out rows, but validation rows are passed as X_val and y_val; use "
            "only one of the two."
        )
    pruning = PruningSettings(pruning_method(estimator), read_pre_pruning(estimator.pre_pruning), fraction)
    if pruning.method is not None:
        pruning.method.check_target(estimator._is_regressor)
    has_validation = has_validation or fraction is not None
    if pruning.pre and not has_validation:
        raise InputError(
            "pre_pruning=True requires validation rows",
            advice="pass X_val and y_val, or set validation_fraction",
            option="use --validation",
        )
    if not has_validation and pruning.method is not None:
        pruning.method.refuse_without_validation()
    return pruning


def pruning_method(estimator: "BaseTreeEstimator") -> Method | None:
    """The pruning that the parameters describe: the method, then that of `size`."""
    if estimator.ccp_alpha is None:
        return with_size(estimator._read_method(estimator.pruning), estimator.size)
    method = read_ccp_alpha(estimator.ccp_alpha)
    if estimator.pruning is not None and estimator._read_method(estimator.pruning) != prune.CostComplexity():
        raise ParameterError(
            f"ccp_alpha={estimator.ccp_alpha!r} cannot be combined with pruning={estimator.pruning!r}; set one of the "
            "two."
        )
    return with_size(method, estimator.size)


def prepare_growth(estimator: "BaseTreeEstimator", settings: FitSettings, rows: Dataset) -> GrowthTask:
    """Decide how the tree of these rows is grown and pruned: constraints, costs, held-out rows and size."""
    plan = with_constraints(settings.growth.plan, estimator.monotonic_cst, rows.schema)
    growth = settings.growth._replace(plan=plan)
    rows, rule = estimator._apply_costs(rows)
    rows, held_out = hold_out_validation(rows, settings.pruning.fraction)
    return estimator._choose_size(GrowthTask(rows, held_out, growth, settings.pruning, rule, {}))


def grow_tree(estimator: "BaseTreeEstimator", task: GrowthTask) -> Tree:
    """Grow the tree of a task."""
    return make_grower(estimator, task.growth, task.rule)(task.rows)


def prune_tree(
    estimator: "BaseTreeEstimator",
    growth: GrowthSettings,
    pruning: PruningSettings,
    grown: PruningInput,
) -> PruningOutcome:
    """Prune a grown tree, and give it probabilities as the parameters say.

    growth   how the tree was grown: trees of cross-validation folds are grown in the same way
    pruning  how it is pruned
    grown    the tree with its rows, its validation rows and the weight of one row
    """
    policy = prediction_policy(grown.tree, estimator.missing_predict, estimator.unseen_category)
    grow_fold, n_jobs = _fold_grower(estimator, grown.rows, growth, grown.tree.prediction_rule)
    grown = replace(grown, grow=grow_fold, rule=policy.rule, n_jobs=n_jobs)
    outcome = estimator._with_probabilities(prune_grown_tree(pruning, grown), pruning, grown)
    report = with_raising_remark(outcome.report, growth.plan)
    return outcome if report is outcome.report else replace(outcome, report=report)


def tree_attributes(estimator: "BaseTreeEstimator", data: TrainingData, tree: Tree) -> dict[str, object]:
    """The fitted attributes that are known as soon as the tree is grown."""
    found: dict[str, object] = {"tree_": tree, "n_features_in_": len(data.table.columns)}
    if data.table.feature_names is not None:
        found["feature_names_in_"] = np.array(data.table.feature_names, dtype=object)
    return found | estimator._target_attributes(tree, data.y)


def row_attributes(rows: Dataset, X: object) -> dict[str, object]:
    """The fitted attributes about the training rows: the rows themselves, or only their ranges if they are many."""
    kept: Dataset | None = None
    spread: NDArray[np.float64] | None = None
    if rows.values.size <= MAX_KEPT_CELLS:
        kept = rows.own(X)
    else:
        spread = rows.spread()
    return {"_row_weight": weight_of_one_row(rows), "_kept": kept, "_spread": spread}


def make_grower(
    estimator: "BaseTreeEstimator",
    growth: GrowthSettings | None = None,
    rule: PredictionRule = DEFAULT_RULE,
    n_threads: int | None = None,
    drafts: list[Any] | None = None,
) -> Grow:
    """Return a function that grows trees.

    growth     how; None: as the parameters say, which are checked here
    rule       how the trees predict
    n_threads  None: as the parameters say
    drafts     see `TreeGrower`
    """
    # The plan of given settings has the constraints already.
    constraints = estimator.monotonic_cst if growth is None else None
    growth = estimator._read_growth() if growth is None else growth
    n_threads = count_threads(estimator.n_jobs) if n_threads is None else n_threads
    grow = TreeGrower(growth, n_threads, constraints, drafts)
    if rule.is_default:
        return grow
    return cost_sensitive_grower(grow, grow.without_collapsing() if growth.plan.collapse else None, rule)


def make_grower_with_costs(estimator: "BaseTreeEstimator", rows: Dataset) -> tuple[Dataset, Grow]:
    """Rows weighted by the costs of their classes, and growth on them as the parameters say."""
    rows, rule = estimator._apply_costs(rows)
    return rows, make_grower(estimator, None, rule)


def make_sized_grower(
    estimator: "BaseTreeEstimator", rows: Dataset, training: Dataset, pruning: PruningSettings
) -> tuple[Grow, PruningSettings]:
    """Growth and pruning as `fit` would choose them for `rows`, of which it grows on `training`."""
    rule = estimator._apply_costs(rows)[1]
    growth = estimator._read_growth()
    growth = growth._replace(plan=with_constraints(growth.plan, estimator.monotonic_cst, rows.schema))
    task = estimator._choose_size(GrowthTask(training, None, growth, pruning, rule, {}))
    return make_grower(estimator, task.growth, rule), task.pruning


def make_regrower(model: "BaseTreeEstimator") -> Callable[[Dataset, Dataset], Tree]:
    """Return what grows and prunes a tree on other rows as `tree_` was, by left-out rows if that was by validation."""
    from treewright.model.prediction_rule import with_prediction_rule
    from treewright.prune.method import VALIDATION

    # What pruned this tree, whatever the parameters have been set to since.
    (method, validated), stopped = model._pruned_by, model.pre_pruning_report_ is not None
    by_validation = stopped or (validated and method is not None and VALIDATION in method.uses)
    pruning = PruningSettings(method, stopped, None)
    grow = make_grower(model, model._grown_by, model.grown_tree_.prediction_rule)
    policy, rule = model._prediction_policy().rule, model._tree().prediction_rule

    def regrow(rows: Dataset, left_out: Dataset) -> Tree:
        tree = grow(rows)
        validation = left_out if by_validation else None
        if tree.n_nodes > 1 and not (by_validation and not left_out.n_rows):  # something to prune, and to prune by
            unit = weight_of_one_row(rows)
            tree = prune_grown_tree(pruning, PruningInput(tree, rows, validation, grow, policy, unit)).tree
        return tree if rule.is_default else with_prediction_rule(tree, rule)

    return regrow


def _fold_grower(
    estimator: "BaseTreeEstimator", rows: Dataset | None, growth: GrowthSettings, rule: PredictionRule
) -> tuple[Grow, int]:
    """What grows the trees of cross-validation folds, in the same arrays one after the other; and how many of them are
    grown at the same time, each on one thread, where that is faster.
    """
    n_threads = count_threads(estimator.n_jobs)
    n_jobs = 1 if rows is None else _grow_module().trees_at_once(rows, n_threads)
    return make_grower(estimator, growth, rule, n_threads if n_jobs == 1 else 1, []), n_jobs


def keep_attributes(model: "BaseTreeEstimator", found: dict[str, object]) -> None:
    """Replace the results of an earlier fit by these, all at once: one assignment cannot be interrupted."""
    state = {name: value for name, value in vars(model).items() if name not in model._fitted}
    model.__dict__ = state | found


def pruned_copy(
    model: "BaseTreeEstimator", pruning: Method | None, size: object, used: PruningUsed, outcome: PruningOutcome
) -> Any:
    """A copy of a fitted estimator that was pruned by another method, then to another size."""
    other = copy(model)
    other.__dict__ |= outcome.attributes() | {"pre_pruning_report_": model.pre_pruning_report_}
    other.__dict__ |= {"pruning": pruning, "size": size, "_pruned_by": used}
    if model.ccp_alpha is not None:
        other.ccp_alpha = None
    if hasattr(model, "tune"):
        other.__dict__["tune"] = False  # a tree that was pruned by another method was not tuned
    return other


def pruned_to_size(model: "BaseTreeEstimator", size: object) -> Any:
    """A copy of a fitted estimator whose pruned tree has at most the leaves of another size; no rows are needed."""
    from treewright.model.prediction_rule import with_prediction_rule
    from treewright.prune.steps import join_reports

    method, leaves, report = without_size(model._pruned_by.method), read_size(size), model.pruning_report_
    steps = () if report is None or report is model.pre_pruning_report_ else report.steps or (report,)
    if steps and steps[-1].method == prune.MaxLeaves.name:
        tree, steps = steps[-1].tree, steps[:-1]
    else:  # as it was before its probabilities were smoothed
        tree = with_prediction_rule(model.tree_, model.grown_tree_.prediction_rule) if steps else model.grown_tree_
    if leaves is not None:
        found = prune.MaxLeaves(leaves).prune(tree, unit=model._row_weight)
        tree, steps = found.tree, (*steps, found.report)
    report = model.pre_pruning_report_ if not steps else steps[0] if len(steps) == 1 else join_reports(steps)
    outcome = PruningOutcome(with_prediction_rule(tree, model.tree_.prediction_rule), model.grown_tree_, report)
    used = PruningUsed(with_size(method, size), model._pruned_by.has_validation)
    return pruned_copy(model, method, size, used, outcome)


@cache
def _grow_module() -> Any:
    """The module that grows trees, imported on first use: prediction does not need it and its kernels."""
    from treewright.grow import grower

    return grower
