"""Treewright as it is in this checkout."""

from typing import Any

from benchmarks.peers.found import version_of, why_missing
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "treewright"


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    return why_missing("treewright")


def version() -> str:
    """What was measured."""
    return version_of("treewright")


def n_leaves(model: Any) -> int | None:
    """The leaves of what was fitted."""
    return int(model.get_n_leaves())


def make(table: Table, setting: Setting) -> Any:
    """The estimator of a setting."""
    import treewright

    options: dict[str, Any] = {"max_depth": setting.max_depth, "n_jobs": setting.n_jobs}
    if not setting.pruned:
        options["pruning"] = None
    given: dict[str, Any] = {"missing": setting.missing, "grouping": setting.grouping}
    given |= {"max_leaf_nodes": setting.max_leaves, "max_bins": setting.max_bins}
    options |= {name: value for name, value in given.items() if value is not None}
    if table.categories and table.frame is None:
        options["categorical_features"] = list(table.categories)
    if table.is_regression:
        return treewright.CARTRegressor(**options)
    return (treewright.C45Classifier if setting.algorithm == "C4.5" else treewright.CARTClassifier)(**options)


def prepare(table: Table, setting: Setting) -> Fit | None:
    """A fit of the estimator on the table as a user has it: a frame, or an array whose category columns are named."""
    estimator = make(table, setting)
    return lambda: estimator.fit(table.given, table.target)
