"""Treewright as it stands in this checkout."""

from typing import Any

from benchmarks.peers.seam import Fit, Setting
from benchmarks.tables import Table

NAME = "treewright"


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    try:
        import treewright  # noqa: F401
    except ImportError as error:
        return str(error)
    return None


def prepare(table: Table, setting: Setting) -> Fit | None:
    """A fit of the named estimator on the table as it is; category columns are named as such."""
    import treewright

    options: dict[str, Any] = {"max_depth": setting.max_depth, "n_jobs": setting.n_jobs}
    if setting.missing is not None:
        options["missing"] = setting.missing
    if table.categories:
        options["categorical_features"] = list(table.categories)
    if table.is_regression:
        estimator: Any = treewright.CARTRegressor(pruning=None, **options)
    elif setting.algorithm == "C4.5":
        estimator = treewright.C45Classifier(pruning=None, **options)
    else:
        estimator = treewright.CARTClassifier(pruning=None, **options)

    def fit() -> int:
        return int(estimator.fit(table.values, table.target).get_n_leaves())

    return fit
