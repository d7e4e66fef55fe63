"""compare_pruning: all pruning methods applied to one grown tree, in one table.

For each method the table has the size of the tree it leaves, its errors on training and validation rows and in
cross-validation, and the nodes it removed. The tree is grown once, and once for each fold.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.data.folds import folds as split_folds
from treewright.errors import KindError, TreeShapeWarning
from treewright.estimators.base import BaseTreeEstimator
from treewright.estimators.class_probabilities import remove_cost_factors
from treewright.estimators.fitting import make_grower
from treewright.estimators.parameters import read_integer
from treewright.estimators.pruning import require_pair
from treewright.estimators.training_data import (
    LabelledRows,
    encode_training_rows_again,
    encode_validation_rows,
)
from treewright.language import N_, messages
from treewright.model.formatting import printable
from treewright.model.tree import Tree
from treewright.model.tree_text import path_texts
from treewright.predict.predictions import mean_cost
from treewright.prune import Method
from treewright.prune.method import VALIDATION, Pruned, PruningInput
from treewright.prune.registry import select_methods
from treewright.text_table import Grid, new_frame

N_REMOVED_SHOWN = 3
"""Pruned nodes listed for each method, those of largest weight."""

ERROR_COLUMNS = {
    "training_error": N_("training"),
    "validation_error": N_("validation"),
    "cv_error": N_("cross-validation"),
}
"""The errors of a method, and their headings."""


@dataclass(frozen=True, slots=True)
class PrunedBy:
    """The result of one pruning method.

    method            its name; "none" is the grown tree
    n_leaves, depth   the size of the pruned tree
    training_error    the error rate, the mean cost, or the mean squared error on the training rows
    validation_error  the same on the validation rows; None without any
    cv_error          the same in cross-validation, where each fold has its own tree; None without `folds`
    n_removed         how many splits were removed
    removed           the paths to the nodes of largest weight that became leaves
    used_validation   whether the validation rows decided, so that the error on them is too optimistic
    """

    method: str
    n_leaves: int
    depth: int
    training_error: float
    validation_error: float | None
    cv_error: float | None
    n_removed: int
    removed: tuple[str, ...]
    used_validation: bool


@dataclass(frozen=True, slots=True)
class PruningComparison:
    """The pruning methods side by side; print it, or read its rows.

    rows      a `PrunedBy` for each method, the grown tree first
    left_out  methods that could not be applied, and why
    unit      what the errors are: error rate, mean cost of a prediction, or mean squared error
    language  of the printed table: "en" or "zh"

    Examples
    --------
    >>> from treewright import CARTClassifier, compare_pruning
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> print(compare_pruning(CARTClassifier(), X, y, methods=["pessimistic"], folds=None))
    method       leaves  depth  training  splits removed  largest removed node
    none              8      5         0               0
    pessimistic       2      1   0.03333               6  x1 <= 29.5
    training: error rate
    """

    rows: tuple[PrunedBy, ...]
    left_out: tuple[tuple[str, str], ...]
    unit: str
    language: str = "en"

    def to_frame(self) -> Any:
        """Return the rows as a data frame of pandas, or of polars if pandas is not installed."""
        return new_frame({f.name: [getattr(row, f.name) for row in self.rows] for f in fields(PrunedBy)})

    def __str__(self) -> str:
        return "\n".join(self._table().lines())

    def _repr_html_(self) -> str:
        return f"<div>{self._table().html()}</div>"

    def _table(self) -> Grid:
        _ = messages(self.language)
        errors = {name: _(head) for name, head in ERROR_COLUMNS.items() if getattr(self.rows[0], name) is not None}
        head = [_("method"), _("leaves"), _("depth"), *errors.values(), _("splits removed"), _("largest removed node")]
        rows = [
            [
                _("none") if row.method == "none" else row.method,
                str(row.n_leaves),
                str(row.depth),
                *(f"{getattr(row, name):.4g}" for name in errors),
                str(row.n_removed),
                printable("".join(row.removed[:1])),
            ]
            for row in self.rows
        ]
        below = [_("{columns}: {unit}", columns=", ".join(errors.values()), unit=_(self.unit))]
        optimistic = [row.method for row in self.rows if row.used_validation]
        if optimistic:
            below.append(
                _(
                    "{methods} used the validation rows for pruning: the validation error there is too optimistic",
                    methods=", ".join(optimistic),
                )
            )
        below += [_("{method} is left out: {reason}", method=name, reason=_(why)) for name, why in self.left_out]
        return Grid(head, rows, [False, *[True] * (len(head) - 2), False], below)


def compare_pruning(
    estimator: BaseTreeEstimator,
    X: object,
    y: object,
    X_val: object = None,
    y_val: object = None,
    *,
    sample_weight: object = None,
    methods: Iterable[str | Method] | None = None,
    folds: int | None = 10,
    language: str = "en",
) -> PruningComparison:
    """Compare pruning methods on the tree of one fit.

    Parameters
    ----------
    estimator : estimator of Treewright
        Grows the trees. Its own `pruning` does not matter, and it is not changed.
    X, y : table and array-like
        The training rows.
    X_val, y_val : default=None
        Validation rows, for the methods that prune by them, and to measure the error of all methods.
    sample_weight : array-like or None, default=None
        The weights of the training rows.
    methods : iterable or None, default=None
        Names or objects of `treewright.prune`; None: all that apply to the target, and that of the estimator if it is a
        sequence of methods or has a `size`.
    folds : int or None, default=10
        Number of folds for the cross-validated errors; None leaves them out, which is much faster.
    language : {"en", "zh"}, default="en"
        Language of the printed table.

    Returns
    -------
    PruningComparison
        Print it, or read its rows.

    Examples
    --------
    >>> from treewright import CARTClassifier, compare_pruning
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> table = compare_pruning(CARTClassifier(), X, y, methods=["pessimistic", "cost_complexity"], folds=5)
    >>> [(row.method, row.n_leaves) for row in table.rows]
    [('none', 8), ('pessimistic', 2), ('cost_complexity', 2)]
    """
    if not isinstance(estimator, BaseTreeEstimator):
        raise KindError(f"estimator must be an estimator of Treewright, got {type(estimator).__name__}.")
    require_pair(X_val=X_val, y_val=y_val)
    messages(language)  # refuses an unknown language before anything is grown
    with catch_warnings():  # the tree is not the user's
        simplefilter("ignore", TreeShapeWarning)
        model = _without_pruning(estimator).fit(X, y, sample_weight)
    rows, _ = encode_training_rows_again(model, LabelledRows(X, y, sample_weight))
    validation = None if X_val is None else encode_validation_rows(model, LabelledRows(X_val, y_val, None))
    grow = make_grower(model, model._grown_by, model.tree_.prediction_rule)
    grown = PruningInput(model.tree_, rows, validation, grow, model._prediction_policy().rule, model._row_weight)
    is_number = model.tree_.schema.target.is_number
    tried, left_out = select_methods(
        methods, model._read_method, is_number=is_number, has_validation=X_val is not None
    )
    own = estimator._method() if methods is None else None
    if own is not None and own.label not in tried and (VALIDATION not in own.needs or X_val is not None):
        tried[own.label] = own
    cv_errors = {} if folds is None else _cross_validate(tried, grown, read_integer("folds", folds, low=2))
    found = [_evaluate(name, method, grown, cv_errors.get(name), language) for name, method in tried.items()]
    unit = N_("mean squared error") if is_number else N_("error rate")
    unit = unit if model.tree_.prediction_rule.costs is None else N_("mean cost of a prediction")
    return PruningComparison(tuple(found), tuple(left_out), unit, language)


def _without_pruning(estimator: BaseTreeEstimator) -> Any:
    """A clone of the estimator that keeps its trees as grown and predicts plain classes."""
    model = clone(estimator).set_params(pruning=None, size=None, pre_pruning=False, validation_fraction=None)
    if hasattr(model, "tune"):  # it would choose the pruning too
        model.set_params(tune=False)
    if hasattr(model, "probability"):  # errors depend on the predicted classes only
        model.set_params(probability="frequency")
    model.set_params(smoothing=None)  # the methods compare the means of nodes, which are shrunk after pruning
    if model.ccp_alpha is not None:
        model.set_params(ccp_alpha=None)
    return model


def _evaluate(
    name: str, method: Method | None, grown: PruningInput, cv_error: float | None, language: str
) -> PrunedBy:
    pruned = None if method is None else method.prune_by(grown)
    tree = grown.tree if pruned is None else pruned.tree
    validation = grown.validation_in_memory
    return PrunedBy(
        method=name,
        n_leaves=tree.n_leaves,
        depth=tree.depth,
        training_error=_error(tree, grown.rows, grown),
        validation_error=None if validation is None else _error(tree, validation, grown),
        cv_error=cv_error,
        n_removed=int(np.count_nonzero(grown.tree.n_children) - np.count_nonzero(tree.n_children)),
        removed=() if pruned is None else _largest_removed(pruned, language),
        used_validation=method is not None and validation is not None and VALIDATION in method.uses,
    )


def _error(tree: Tree, rows: Dataset | None, grown: PruningInput) -> float:
    """The error of a tree, or its mean cost if there are costs."""
    assert rows is not None
    return mean_cost(tree, remove_cost_factors(rows, tree.prediction_rule), grown.rule)


def _largest_removed(pruned: Pruned, language: str) -> tuple[str, ...]:
    """The paths to the nodes of largest weight that became leaves."""
    grown, origin = pruned.report.tree, pruned.report.origin
    became_leaf = origin[pruned.tree.is_leaf]
    became_leaf = became_leaf[grown.n_children[became_leaf] > 0]
    heaviest = became_leaf[np.argsort(-grown.weight[became_leaf], kind="stable")][:N_REMOVED_SHOWN]
    return tuple(path_texts(grown, heaviest, language))


def _cross_validate(tried: dict[str, Method | None], grown: PruningInput, k: int) -> dict[str, float]:
    """The error of each method over the folds; each fold has its own tree and pruning."""
    assert grown.rows is not None
    assert grown.grow is not None
    errors, weight = dict.fromkeys(tried, 0.0), 0.0
    for training, held_out in split_folds(grown.rows, k):
        part = replace(grown, tree=grown.grow(training), rows=training)
        judged = remove_cost_factors(held_out, part.tree.prediction_rule)
        n = judged.n_rows if judged.weight is None else float(judged.weight.sum())
        weight += n
        for name, method in tried.items():
            tree = part.tree if method is None else method.prune_by(part).tree
            errors[name] += n * mean_cost(tree, judged, grown.rule)
    return {name: total / weight for name, total in errors.items()}
