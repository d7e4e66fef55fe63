"""compare_pruning: every method of pruning over one growth, in one table.

In: an estimator, its training rows, and validation rows if there are any. Out: a `PruningComparison`: for each method
the size of the tree it leaves, its errors on training and validation rows and in cross-validation, and what it took
away. The tree is grown once, and once for each fold; the methods are views over these.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.data.folds import folds as deal
from treewright.errors import KindError
from treewright.estimators.base import BaseTree
from treewright.estimators.costs import unpriced
from treewright.estimators.missing import asking
from treewright.estimators.parameters import whole
from treewright.estimators.pruning import refuse_half
from treewright.model.grid import Grid, new_frame
from treewright.model.tree import Tree
from treewright.model.way import ways
from treewright.model.words import printable
from treewright.predict.errors import cost_of
from treewright.predict.rule import Rule
from treewright.prune import Method, Steps
from treewright.prune.method import VALIDATION, Material, Pruned
from treewright.prune.trying import sort_out

N_WORDS = 3
"""Pruned nodes named for each method, those of most weight."""


@dataclass(frozen=True, slots=True)
class PrunedBy:
    """What one method makes of the tree.

    method            its name; "none" is the grown tree
    n_leaves, depth   the size of what is left
    training_error    the share of wrong answers, or the mean squared error
    validation_error  the same on the validation rows; None without any
    cv_error          the same in cross-validation, tree and pruning made anew for each fold; None when not asked for
    n_removed         how many splits are gone
    removed           the nodes of most weight that became leaves, in words
    used_validation   whether the validation rows decided, so that their error flatters the method
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
    """The methods side by side; print it, or read its rows.

    rows      a `PrunedBy` for each method, the grown tree first
    left_out  methods that could not be tried, and why
    unit      what the errors are: shares of wrong answers, their mean cost where costs were given, or squared errors
    """

    rows: tuple[PrunedBy, ...]
    left_out: tuple[tuple[str, str], ...]
    unit: str

    def to_frame(self) -> Any:
        """The rows as a data frame of pandas, or of polars where pandas is not installed."""
        return new_frame({f.name: [getattr(row, f.name) for row in self.rows] for f in fields(PrunedBy)})

    def __str__(self) -> str:
        return "\n".join(self._grid().lines())

    def _repr_html_(self) -> str:
        return f"<div>{self._grid().html()}</div>"

    def _grid(self) -> Grid:
        errors = {"training": "training_error", "validation": "validation_error", "cross-validation": "cv_error"}
        errors = {head: name for head, name in errors.items() if getattr(self.rows[0], name) is not None}
        head = ["method", "leaves", "depth", *errors, "splits removed", "the largest at"]
        rows = [
            [
                row.method,
                str(row.n_leaves),
                str(row.depth),
                *(f"{getattr(row, name):.4g}" for name in errors.values()),
                str(row.n_removed),
                printable("".join(row.removed[:1])),
            ]
            for row in self.rows
        ]
        below = [f"{', '.join(errors)}: {self.unit}"]
        flattered = [row.method for row in self.rows if row.used_validation]
        if flattered:
            below.append(f"validation rows decided in {', '.join(flattered)}: there they flatter the tree")
        below += [f"{method} is left out: {why}" for method, why in self.left_out]
        return Grid(head, rows, [False, *[True] * (len(head) - 2), False], below)


def compare_pruning(
    estimator: BaseTree,
    X: object,
    y: object,
    X_val: object = None,
    y_val: object = None,
    *,
    sample_weight: object = None,
    methods: Iterable[str | Method] | None = None,
    folds: int | None = 10,
) -> PruningComparison:
    """Every method of pruning over the tree of one growth.

    estimator     grows the trees; its own `pruning` does not matter, and it is not changed
    X, y          the training rows
    X_val, y_val  validation rows, for the methods that prune by them, and to judge all of them by
    methods       names or objects of `treewright.prune`; None: all that have a meaning for the target, and that of the
                  estimator where it is several, one after the other
    folds         for the cross-validated errors; None: leave them out, which is much faster

    >>> from treewright import CARTClassifier, compare_pruning
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> table = compare_pruning(CARTClassifier(), X, y, methods=["pessimistic", "cost_complexity"], folds=5)
    >>> [(row.method, row.n_leaves) for row in table.rows]
    [('none', 8), ('pessimistic', 2), ('cost_complexity', 2)]
    """
    if not isinstance(estimator, BaseTree):
        raise KindError(f"estimator is a {type(estimator).__name__}; give an estimator of Treewright.")
    refuse_half(X_val=X_val, y_val=y_val)
    model = clone(estimator).set_params(pruning=None, pre_pruning=False, validation_fraction=None)
    if hasattr(model, "tune"):  # it would choose the pruning too
        model.set_params(tune=False)
    if hasattr(model, "probability"):  # errors are of answers alone
        model.set_params(probability="frequency", smoothing=None)
    if model.ccp_alpha is not None:
        model.set_params(ccp_alpha=None)
    model.fit(X, y, sample_weight)
    how = asking(model.tree_, model.missing_predict, model.unseen_category)
    rows, _ = model._rows_again(X, y, sample_weight)
    validation = None if X_val is None else model._validation(X_val, y_val, None, how)
    grow = model._grower(model._grown_by, model.tree_.answering)
    growth = Growth(model.tree_, rows, validation, grow, how.rule, model._row_weight)
    tried, left_out = sort_out(
        methods, model._read_method, is_number=model.tree_.schema.target.is_number, has_validation=X_val is not None
    )
    own = estimator._method() if methods is None else None
    if isinstance(own, Steps) and (VALIDATION not in own.needs or X_val is not None):
        tried[own.label] = own
    cv_errors = {} if folds is None else _cross_validated(tried, growth, whole("folds", folds, low=2))
    found = [_row(name, method, growth, cv_errors.get(name)) for name, method in tried.items()]
    what = "mean squared error" if model.tree_.schema.target.is_number else "share of wrong answers"
    what = what if model.tree_.answering.costs is None else "mean cost of an answer"
    return PruningComparison(tuple(found), tuple(left_out), what)


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """A grown tree and all that a method may look at."""

    tree: Tree
    rows: Dataset
    validation: Dataset | None
    grow: Callable[[Dataset], Tree]
    rule: Rule
    unit: float

    def error(self, tree: Tree, rows: Dataset) -> float:
        """The error of one of its trees, where costs were given its mean cost."""
        return cost_of(tree, unpriced(rows, tree.answering), self.rule)

    def pruned(self, method: Method) -> Pruned:
        """What the method makes of the tree."""
        material = Material(self.tree, self.rows, self.validation, self.grow, self.rule, self.unit)
        return method.prune_by(material)


def _row(name: str, method: Method | None, growth: Growth, cv_error: float | None) -> PrunedBy:
    pruned = None if method is None else growth.pruned(method)
    grown, validation = growth.tree, growth.validation
    tree = grown if pruned is None else pruned.tree
    return PrunedBy(
        method=name,
        n_leaves=tree.n_leaves,
        depth=tree.depth,
        training_error=growth.error(tree, growth.rows),
        validation_error=None if validation is None else growth.error(tree, validation),
        cv_error=cv_error,
        n_removed=int(np.count_nonzero(grown.n_children) - np.count_nonzero(tree.n_children)),
        removed=() if pruned is None else _largest(pruned),
        used_validation=method is not None and validation is not None and VALIDATION in method.uses,
    )


def _largest(pruned: Pruned) -> tuple[str, ...]:
    """The ways to the nodes of most weight that became leaves."""
    grown, origin = pruned.report.tree, pruned.report.origin
    became = origin[pruned.tree.is_leaf]
    became = became[grown.n_children[became] > 0]
    return tuple(ways(grown, became[np.argsort(-grown.weight[became], kind="stable")][:N_WORDS]))


def _cross_validated(tried: dict[str, Method | None], growth: Growth, k: int) -> dict[str, float]:
    """The error of each method over the folds, tree and pruning made anew for each."""
    wrong, weight = dict.fromkeys(tried, 0.0), 0.0
    for training, held_out in deal(growth.rows, k):
        part = replace(growth, tree=growth.grow(training), rows=training)
        judged = unpriced(held_out, part.tree.answering)
        n = judged.n_rows if judged.weight is None else float(judged.weight.sum())
        weight += n
        for name, method in tried.items():
            tree = part.tree if method is None else part.pruned(method).tree
            wrong[name] += n * cost_of(tree, judged, growth.rule)
    return {name: total / weight for name, total in wrong.items()}
