"""Cross-validation of several learners on the same folds.

A learner grows one tree for each fold and prunes it by each of its methods. The result is a `CrossValidation`:
errors on held-out rows with standard errors, and paired differences from the best. If costs are given, learners are
compared by their mean cost instead. Folds do not depend on a random seed: see `treewright.data.folds`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.folds import folds as divide_rows
from treewright.data.folds import hold_out
from treewright.errors import InputError, TreewrightError
from treewright.estimators.base import BaseTreeEstimator
from treewright.estimators.class_probabilities import read_cost_matrix
from treewright.estimators.fitting import (
    make_grower,
    make_grower_with_costs,
    make_sized_grower,
    read_pruning,
)
from treewright.estimators.parameters import read_integer
from treewright.estimators.prediction import prediction_policy
from treewright.estimators.pruning import PruningOutcome, PruningSettings, prune_grown_tree
from treewright.estimators.training_data import read_training_data
from treewright.evaluate.calibration import brier_losses, log_losses
from treewright.evaluate.cross_results import (
    ERROR_RATE,
    MEAN_SQUARED_ERROR,
    CrossValidation,
    CrossValidationScore,
)
from treewright.evaluate.scores import Scores, class_scores, number_scores
from treewright.language import messages
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import (
    predict_class_codes,
    predict_numbers,
    predict_probabilities,
    row_losses,
)
from treewright.prune import Method
from treewright.prune.method import PruningInput, weight_of_one_row

OnProgress = Callable[[str], None]
"""Called with the name of a learner after each of its folds."""


@dataclass(frozen=True, slots=True, eq=False)
class Learner:
    """How trees are grown, and how each grown tree is pruned.

    name                what progress is reported under
    grow                grows a tree
    rule                how missing values are handled in prediction
    fraction            fraction of the rows that is held out as validation rows; None: none
    methods             pruning methods by the names of their results; None is the grown tree
    pre                 the parameter `pre_pruning` of an estimator
    weigh_costs         returns rows weighted by misclassification costs, and how to grow on them; None: as they are
    choose_size         returns growth and pruning tuned to the size of the rows; None: as they are
    set_probabilities   returns the outcome with the selected probabilities; None: class proportions
    """

    name: str
    grow: Callable[[Dataset], Tree]
    rule: Callable[[Tree], MissingPolicy]
    fraction: float | None
    methods: Mapping[str, Method | None]
    pre: bool | None = None
    weigh_costs: Callable[[Dataset], tuple[Dataset, Callable[[Dataset], Tree]]] | None = None
    set_probabilities: Callable[[PruningOutcome, PruningSettings, PruningInput], PruningOutcome] | None = None
    choose_size: (
        Callable[[Dataset, Dataset, PruningSettings], tuple[Callable[[Dataset], Tree], PruningSettings]]
        | None
    ) = None

    def trees(self, rows: Dataset) -> "tuple[dict[str, FittedTree], dict[str, str]]":
        """Return the tree of each method on these rows, and the error of each method that failed."""
        began = perf_counter()
        try:
            weighted, grow = (rows, self.grow) if self.weigh_costs is None else self.weigh_costs(rows)
            training, validation = (
                (weighted, None) if self.fraction is None else hold_out(weighted, self.fraction)
            )
            prunings = {
                name: PruningSettings(method, self.pre, None) for name, method in self.methods.items()
            }
            if self.choose_size is not None:
                for name, pruning in prunings.items():
                    grow, prunings[name] = self.choose_size(rows, training, pruning)
            grown = grow(training)
        except TreewrightError as error:
            return {}, dict.fromkeys(self.methods, str(error))
        rule, growth_seconds = self.rule(grown), perf_counter() - began
        pruning_input = PruningInput(grown, training, validation, grow, rule, weight_of_one_row(training))
        fitted, failed = {}, {}
        for name, pruning in prunings.items():
            began = perf_counter()
            try:
                tree = self._prune(pruning, pruning_input)
            except TreewrightError as error:
                failed[name] = str(error)
                continue
            fitted[name] = FittedTree(tree, rule, growth_seconds + perf_counter() - began)
        return fitted, failed

    def _prune(self, pruning: PruningSettings, pruning_input: PruningInput) -> Tree:
        outcome = prune_grown_tree(pruning, pruning_input)
        if self.set_probabilities is not None:
            outcome = self.set_probabilities(outcome, pruning, pruning_input)
        return outcome.tree


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutPredictions:
    """The predictions of one combination for all rows, each by a tree grown without its fold.

    actual, predicted  class codes, or numbers
    scores             confusion matrix and calibration, or RMSE and R²
    weight             weights of the rows; None: each counts once
    """

    actual: NDArray[Any]
    predicted: NDArray[Any]
    scores: Scores
    weight: NDArray[np.float64] | None


def predict_held_out(learner: Learner, name: str, rows: Dataset, k: int) -> HeldOutPredictions:
    """Return the held-out predictions of one method of a learner; the folds are those of `run_cross_validation`."""
    only, target = replace(learner, methods={name: learner.methods[name]}), rows.schema.target
    actual, probabilities, weights = [], [], []
    predicted: list[NDArray[Any]] = []
    for training, held_out in divide_rows(rows, k):
        fitted = only.trees(training)[0][name]
        tree, values, rule = fitted.tree, held_out.values, fitted.rule
        actual.append(held_out.target)
        weights.append(held_out.row_weights)
        if target.is_number:
            predicted.append(predict_numbers(tree, values, rule))
        else:
            predicted.append(predict_class_codes(tree, values, rule))
            probabilities.append(predict_probabilities(tree, values, rule))
    truth, found = np.concatenate(actual), np.concatenate(predicted)
    weight = None if rows.weight is None else np.concatenate(weights)
    if target.is_number:
        return HeldOutPredictions(truth, found, number_scores(truth, found, weight), weight)
    scores = class_scores(target.classes or (), truth.astype(np.intp), found, np.concatenate(probabilities), weight)
    return HeldOutPredictions(truth, found, scores, weight)


@dataclass(frozen=True, slots=True, eq=False)
class FittedTree:
    """A tree, how missing values are handled in prediction, and the seconds of growth and pruning."""

    tree: Tree
    rule: MissingPolicy
    seconds: float


def make_learner(estimator: BaseTreeEstimator, name: str) -> Learner:
    """Return the learner of an estimator; its parameters are checked here.

    >>> from treewright import CARTClassifier
    >>> make_learner(CARTClassifier(pruning=None), "cart").methods
    {'cart': None}
    """
    pruning = read_pruning(estimator, has_validation=False)
    estimator._check_probability()
    return Learner(
        name,
        make_grower(estimator),
        missing_policy_of(estimator),
        pruning.fraction,
        {name: pruning.method},
        pruning.pre,
        weigh_costs=partial(make_grower_with_costs, estimator),
        set_probabilities=estimator._with_probabilities,
        choose_size=partial(make_sized_grower, estimator),
    )


def missing_policy_of(estimator: BaseTreeEstimator) -> Callable[[Tree], MissingPolicy]:
    """Return how trees of an estimator handle missing values in prediction."""
    return lambda tree: prediction_policy(tree, estimator.missing_predict, estimator.unseen_category).rule


def cross_validate(  # noqa: PLR0913 - a public function, by keywords
    estimators: Mapping[str, BaseTreeEstimator],
    X: object,
    y: object,
    sample_weight: object = None,
    *,
    folds: int = 10,
    repeats: int = 1,
    on_progress: OnProgress = lambda _: None,
    language: str = "en",
) -> CrossValidation:
    """Cross-validate estimators side by side, on the same folds.

    Folds are stratified and depend on the rows alone, not on a random seed or on their order.

    Parameters
    ----------
    estimators : mapping of str to estimator
        The estimators by name; they are not changed. The table is encoded by the first of them, and its `class_weight`
        or priors weight the errors too. The first cost matrix that is given applies to all of them.
    X, y : table and target
        The rows.
    sample_weight : array-like, optional
        Weights of the rows.
    folds : int
        Number of folds; each is held out once.
    repeats : int
        How often the rows are divided into folds, each time differently.
    on_progress : callable
        Called with the name of an estimator after each of its folds.
    language : {"en", "zh"}
        Language of the printed table.

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> from treewright import C45Classifier, CARTClassifier
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> found = cross_validate({"c4.5": C45Classifier(), "cart": CARTClassifier()}, X, y, folds=5)
    >>> [(row.name, round(row.error, 3)) for row in found.rows]
    [('c4.5', 0.05), ('cart', 0.033)]
    """
    if not estimators:
        raise InputError("`estimators` is empty; pass at least one estimator.")
    messages(language)
    learners = [make_learner(estimator, name) for name, estimator in estimators.items()]
    rows = read_training_data(next(iter(estimators.values())), X, y, sample_weight).rows
    k, n, costs = (
        read_integer("folds", folds, low=2),
        read_integer("repeats", repeats, low=1),
        first_cost_matrix(estimators.values(), rows),
    )
    found = run_cross_validation(learners, rows, k, n, on_progress, costs)
    return replace(found, language=language)


def first_cost_matrix(estimators: Iterable[BaseTreeEstimator], rows: Dataset) -> NDArray[np.float64] | None:
    """Return the first cost matrix of the estimators; None if none has one."""
    given = (getattr(estimator, "cost_matrix", None) for estimator in estimators)
    return read_cost_matrix(next((one for one in given if one is not None), None), rows.schema.target)


def run_cross_validation(
    learners: Sequence[Learner],
    rows: Dataset,
    k: int,
    repeats: int = 1,
    on_progress: OnProgress = lambda _: None,
    costs: NDArray[np.float64] | None = None,
) -> CrossValidation:
    """Cross-validate learners on encoded rows; a method that fails in one fold is left out, with the error.

    costs  cost of a prediction, by (true class, predicted class); None: no costs are reported
    """
    names = [name for learner in learners for name in learner.methods]
    left_out: dict[str, str] = {}
    totals = []
    for repeat in range(repeats):
        total = FoldTotals(len(names))
        for training, held_out in divide_rows(rows, k, repeat):
            losses, logs, briers, compared = (np.zeros((len(names), held_out.n_rows)) for _ in range(4))
            for learner in learners:
                fitted, failed = learner.trees(training)
                left_out |= failed
                for name, one in fitted.items():
                    at = names.index(name)
                    losses[at], logs[at], briers[at], compared[at] = _losses(one, held_out, costs)
                    total.count(at, one)
                on_progress(learner.name)
            total.add(losses, (logs, briers), compared, held_out.weight)
        totals.append(total)
    if len(left_out) == len(names):
        raise InputError(next(iter(left_out.values())))
    return _results(names, left_out, totals, rows, costs is not None)


class FoldTotals:
    """Sums over the held-out rows and over the trees of one division into folds."""

    def __init__(self, n: int) -> None:
        self.n_folds = 0
        self.weight = self.squares = 0.0
        self.loss, self.log, self.brier, self.compared = np.zeros((4, n))
        self.loss_squares, self.products = np.zeros(n), np.zeros((n, n))
        self.sizes = np.zeros((n, 3))
        self.fold_errors: list[NDArray[np.float64]] = []
        self.fold_weights: list[float] = []

    def count(self, at: int, fitted: FittedTree) -> None:
        self.sizes[at] += fitted.tree.n_leaves, fitted.tree.depth, fitted.seconds

    def add(
        self,
        losses: NDArray[np.float64],
        of_probabilities: tuple[NDArray[np.float64], NDArray[np.float64]],
        compared: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
    ) -> None:
        """Add a fold: the losses, the log losses and Brier losses, and what learners are compared by (loss or cost)."""
        weight = np.ones(losses.shape[1]) if weight is None else weight
        self.n_folds += 1
        self.weight += float(weight.sum())
        self.fold_weights.append(float(weight.sum()))
        self.fold_errors.append(losses @ weight / weight.sum())
        self.squares += float((weight**2).sum())
        self.loss += losses @ weight
        self.log += of_probabilities[0] @ weight
        self.brier += of_probabilities[1] @ weight
        self.loss_squares += losses**2 @ weight
        self.compared += compared @ weight
        self.products += (compared * weight) @ compared.T

    def spread(self) -> NDArray[np.float64]:
        """Return the covariances, over rows, of what learners are compared by."""
        mean = self.compared / self.weight
        return self.products / self.weight - np.outer(mean, mean)

    def loss_spread(self) -> NDArray[np.float64]:
        """Return the variances of the losses over rows."""
        return self.loss_squares / self.weight - (self.loss / self.weight) ** 2


def _losses(
    fitted: FittedTree, rows: Dataset, costs: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], ...]:
    """Return for each row its loss (0/1 or squared error), log loss, Brier loss and cost."""
    tree, rule = fitted.tree, fitted.rule
    if tree.schema.target.is_number:
        losses = row_losses(tree, rows, rule).astype(np.float64)
        return losses, np.zeros(rows.n_rows), np.zeros(rows.n_rows), losses
    predicted, actual = predict_class_codes(tree, rows.values, rule), rows.target.astype(np.intp)
    losses = (predicted != actual).astype(np.float64)
    probabilities = predict_probabilities(tree, rows.values, rule)
    logs, briers = log_losses(actual, probabilities), brier_losses(actual, probabilities)
    return losses, logs, briers, losses if costs is None else costs[actual, predicted]


def _results(
    names: Sequence[str],
    left_out: Mapping[str, str],
    totals: Sequence[FoldTotals],
    rows: Dataset,
    has_costs: bool,
) -> CrossValidation:
    """Turn sums into means; repeats make a mean steadier but add no rows, so standard errors stay as they are."""
    is_number = rows.schema.target.is_number
    error = np.mean([total.loss / total.weight for total in totals], axis=0)
    compared = np.mean([total.compared / total.weight for total in totals], axis=0)
    log = np.mean([total.log / total.weight for total in totals], axis=0)
    brier = np.mean([total.brier / total.weight for total in totals], axis=0)
    # Weights that are not counts do not add rows (Kish 1965).
    n_rows = [total.weight if rows.is_counted else total.weight**2 / total.squares for total in totals]
    spread = np.mean([total.spread() / n for total, n in zip(totals, n_rows, strict=True)], axis=0)
    own = np.mean([total.loss_spread() / n for total, n in zip(totals, n_rows, strict=True)], axis=0)
    n_fits = sum(total.n_folds for total in totals)
    sizes = np.sum([total.sizes for total in totals], axis=0) / n_fits
    there = [i for i, name in enumerate(names) if name not in left_out]
    best = min(there, key=lambda i: (compared[i], sizes[i, 0], i))
    variance = _variance(rows) if is_number else None
    found = [
        CrossValidationScore(
            name=names[i],
            error=float(error[i]),
            error_se=_root(own[i]),
            log_loss=None if is_number else float(log[i]),
            r2=1.0 - float(error[i]) / variance if variance else None,
            n_leaves=float(sizes[i, 0]),
            depth=float(sizes[i, 1]),
            seconds=float(sizes[i, 2]),
            difference=float(compared[i] - compared[best]),
            difference_se=_root(spread[i, i] + spread[best, best] - 2 * spread[i, best]),
            cost=float(compared[i]) if has_costs else None,
            cost_se=_root(spread[i, i]) if has_costs else None,
            brier=None if is_number else float(brier[i]),
            fold_errors=tuple(float(errors[i]) for total in totals for errors in total.fold_errors),
        )
        for i in there
    ]
    unit = MEAN_SQUARED_ERROR if is_number else ERROR_RATE
    k = totals[0].n_folds
    weights = tuple(weight for total in totals for weight in total.fold_weights)
    return CrossValidation(
        tuple(found), names[best], tuple(left_out.items()), unit, rows.n_rows, k, len(totals), weights
    )


def _variance(rows: Dataset) -> float:
    mean = np.average(rows.target, weights=rows.weight)
    return float(np.average((rows.target - mean) ** 2, weights=rows.weight))


def _root(square: float) -> float:
    """Return the root; rounding may leave a square slightly below 0."""
    return float(np.sqrt(max(float(square), 0.0)))
