"""Check: the validator of a fitted estimator.

In: the record of one, from a file or a pickle; its trees are checked already. Out: nothing, or a ModelFormatError that
names the part which contradicts another one.
"""

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.dataset import Dataset
from treewright.errors import TreewrightError
from treewright.grow.monotonic import monotonic_fields
from treewright.grow.plan import Limits, Plan
from treewright.model.answering import answered
from treewright.model.file.labels import class_array
from treewright.model.tree import Tree
from treewright.predict.origin import origin
from treewright.prune.method import Method
from treewright.store.path import refuse, refuse_column
from treewright.store.report import check_report

if TYPE_CHECKING:
    from treewright.store.estimator import Stored


def check_stored(stored: "Stored") -> None:
    """Refuse a record whose parts contradict each other."""
    try:
        _check_trees(stored)
        _check_reports(stored)
        _check_growth(stored)
        _check_columns(stored)
        if stored.rows is not None:
            _check_rows(stored.rows, stored.grown)
    except AttributeError as error:
        # What was pickled by hand may be an object of the right class without its fields.
        refuse("model", f"is only half there ({error})")


def _check_trees(stored: "Stored") -> None:
    for name, tree in (("tree", stored.tree), ("grown_tree", stored.grown)):
        if not isinstance(tree, Tree):
            refuse(name, "is no tree")
    if stored.tree.schema is not stored.grown.schema and stored.tree.schema != stored.grown.schema:
        refuse("grown_tree", "knows other columns than the tree of the answers")


def _check_reports(stored: "Stored") -> None:
    """The reports lead from tree to tree: growth stopped at `grown`, and pruning made `tree` of it."""
    pruned = None if stored.report is stored.stopped else stored.report
    for report in (stored.report, stored.stopped):
        if report is not None and isinstance(report.tree, Tree) and report.tree.schema != stored.tree.schema:
            refuse("pruning_report.tree", "knows other columns than the tree of the answers")
    if stored.stopped is not None:
        check_report(stored.stopped, stored.grown, "pre_pruning_report")
    if pruned is None:
        if stored.tree is not stored.grown and stored.tree != answered(stored.grown, stored.tree.answering):
            refuse("grown_tree", "is another tree than that of the answers, but nothing was pruned")
        return
    check_report(pruned, stored.tree, "pruning_report")
    if pruned.tree is not stored.grown:
        refuse("pruning_report.tree", "is another tree than the grown one")


def _check_growth(stored: "Stored") -> None:
    plan, grown = stored.plan, stored.grown
    if not isinstance(plan, Plan) or not isinstance(plan.limits, Limits):
        refuse("plan", "is no plan of growth")
    try:
        replace(plan, limits=replace(plan.limits))
    except (TreewrightError, TypeError) as error:
        refuse("plan", f"cannot be: {str(error).rstrip('.')}")
    try:
        monotonic_fields(grown.schema, plan.monotonic)
    except (TreewrightError, TypeError) as error:
        refuse("plan.monotonic", f"cannot be: {str(error).rstrip('.')}")
    for name in ("criterion", "missing"):
        if getattr(plan, name) != getattr(grown, name):
            refuse(f"plan.{name}", f"is {getattr(plan, name)!r}, but that of the tree is {getattr(grown, name)!r}")
    if not _is_number(stored.share) or not 0.0 <= stored.share <= 0.5:
        refuse("least_share", "is no share from 0 to 0.5")
    if not _is_number(stored.row_weight) or not stored.row_weight > 0.0:
        refuse("row_weight", "is no weight above 0")
    if stored.method is not None and not isinstance(stored.method, Method):
        refuse("method", "is no method of pruning")
    if not isinstance(stored.validated, bool):
        refuse("validated", "is neither true nor false")


def _check_columns(stored: "Stored") -> None:
    schema = stored.tree.schema
    if schema.target.is_number != (stored.class_type is None):
        refuse("class_type", "is there for a number, or not there for classes")
    if stored.class_type is not None:
        class_array(schema.target, stored.class_type)
    if (stored.spread is None) != (stored.rows is not None):
        refuse("spread", "is there with the rows, or neither is; one of them is enough")
    if stored.spread is not None:
        refuse_column("spread", stored.spread, schema.n_columns, "f")
        if np.count_nonzero(stored.spread < 0):
            refuse("spread", "has a number below 0")


def _check_rows(rows: Dataset, grown: Tree) -> None:
    """The rows are those the tree was grown on, as far as weights and answers tell."""
    found = origin(grown, rows)
    if found.n_rows != found.n_grown:
        refuse("rows", f"are {found.n_rows}, but the tree was grown on {found.n_grown}")
    if not found.same_weights:
        refuse("rows", "have other answers or weights than those the tree was grown on")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
