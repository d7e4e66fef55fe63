"""Consistency of a stored estimator: checks that its trees, reports, plan and rows belong together.

The trees themselves have been checked when they were read. A record from a file or a pickle whose parts contradict each
other raises a ModelFormatError that names the part.
"""

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.dataset import Dataset
from treewright.data.ignored_columns import IGNORED, IgnoredColumn
from treewright.errors import TreewrightError
from treewright.grow.plan import Limits, Plan, monotonic_fields
from treewright.model.file.stored_schema import class_array
from treewright.model.prediction_rule import with_prediction_rule
from treewright.model.tree import Tree
from treewright.predict.training_match import compare_with_training
from treewright.prune.method import Method
from treewright.store.pruning_reports import check_report, refuse, refuse_column

if TYPE_CHECKING:
    from treewright.store.fitted_estimator import StoredEstimator


def check_stored(stored: "StoredEstimator") -> None:
    """Refuse a record whose parts contradict each other."""
    try:
        _check_trees(stored)
        _check_reports(stored)
        _check_growth(stored)
        _check_columns(stored)
        _check_ignored(stored)
        if stored.rows is not None:
            _check_rows(stored.rows, stored.grown)
    except AttributeError as error:
        # A pickle may hold an object of the right class without its fields.
        refuse("model", f"is incomplete ({error})")


def _check_trees(stored: "StoredEstimator") -> None:
    for name, tree in (("tree", stored.tree), ("grown_tree", stored.grown)):
        if not isinstance(tree, Tree):
            refuse(name, "is not a tree")
    if stored.tree.schema is not stored.grown.schema and stored.tree.schema != stored.grown.schema:
        refuse("grown_tree", "has other columns than the pruned tree")


def _check_ignored(stored: "StoredEstimator") -> None:
    """Check that the ignored columns are not columns of the tree, and occur once."""
    if not isinstance(stored.ignored, tuple) or not all(isinstance(one, IgnoredColumn) for one in stored.ignored):
        refuse("ignored", "is not a list of columns")
    names = [one.name for one in stored.ignored if one.reason in IGNORED]
    if len({*names} - {*stored.tree.schema.names}) < len(stored.ignored):
        refuse("ignored", "must have columns that the tree does not have, each once")


def _check_reports(stored: "StoredEstimator") -> None:
    """Check that pre-pruning led to `grown`, and pruning from there to `tree`."""
    pruned = None if stored.report is stored.stopped else stored.report
    for report in (stored.report, stored.stopped):
        if report is not None and isinstance(report.tree, Tree) and report.tree.schema != stored.tree.schema:
            refuse("pruning_report.tree", "has other columns than the pruned tree")
    if stored.stopped is not None:
        check_report(stored.stopped, stored.grown, "pre_pruning_report")
    if pruned is None:
        rule = stored.tree.prediction_rule
        if stored.tree is not stored.grown and stored.tree != with_prediction_rule(stored.grown, rule):
            refuse("grown_tree", "differs from the pruned tree, but nothing was pruned")
        return
    check_report(pruned, stored.tree, "pruning_report")
    if pruned.tree is not stored.grown:
        refuse("pruning_report.tree", "is not the grown tree")


def _check_growth(stored: "StoredEstimator") -> None:
    plan, grown = stored.plan, stored.grown
    if not isinstance(plan, Plan) or not isinstance(plan.limits, Limits):
        refuse("plan", "is not a plan of growth")
    try:
        replace(plan, limits=replace(plan.limits))
    except (TreewrightError, TypeError) as error:
        refuse("plan", f"is invalid: {str(error).rstrip('.')}")
    try:
        monotonic_fields(grown.schema, plan.monotonic)
    except (TreewrightError, TypeError) as error:
        refuse("plan.monotonic", f"is invalid: {str(error).rstrip('.')}")
    for name in ("criterion", "missing"):
        if getattr(plan, name) != getattr(grown, name):
            refuse(f"plan.{name}", f"must be {getattr(grown, name)!r} as in the tree, got {getattr(plan, name)!r}")
    if not _is_number(stored.share) or not 0.0 <= stored.share <= 0.5:
        refuse("least_share", "must be a fraction from 0 to 0.5")
    if not _is_number(stored.row_weight) or not stored.row_weight > 0.0:
        refuse("row_weight", "must be a weight above 0")
    if stored.method is not None and not isinstance(stored.method, Method):
        refuse("method", "is not a pruning method")
    if not isinstance(stored.validated, bool):
        refuse("validated", "must be true or false")


def _check_columns(stored: "StoredEstimator") -> None:
    schema = stored.tree.schema
    if schema.target.is_number != (stored.class_type is None):
        refuse("class_type", "must be present for classification and absent for regression")
    if stored.class_type is not None:
        class_array(schema.target, stored.class_type)
    if (stored.spread is None) != (stored.rows is not None):
        refuse("spread", "must be present if and only if there are no rows")
    if stored.spread is not None:
        refuse_column("spread", stored.spread, schema.n_columns, "f")
        if np.count_nonzero(stored.spread < 0):
            refuse("spread", "must not have a negative number")


def _check_rows(rows: Dataset, grown: Tree) -> None:
    """Check that the rows are those the tree was grown on, as far as targets and weights show."""
    found = compare_with_training(grown, rows)
    if found.n_rows != found.n_grown:
        refuse("rows", f"must be the {found.n_grown} rows the tree was grown on, got {found.n_rows}")
    if not found.same_weights:
        refuse("rows", "have other targets or weights than those the tree was grown on")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
