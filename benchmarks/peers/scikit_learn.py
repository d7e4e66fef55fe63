"""scikit-learn's trees, given float32, the form they work in. Categories reach them as codes, missing cells as NaN."""

from typing import Any

from benchmarks.peers.found import version_of, why_missing
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "scikit-learn"


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    return why_missing("sklearn.tree")


def version() -> str:
    """What was measured."""
    return version_of("scikit-learn")


def n_leaves(model: Any) -> int | None:
    """The leaves of what was fitted."""
    return int(model.get_n_leaves())


def prepare(table: Table, setting: Setting) -> Fit | None:
    """A fit of the best-splitter tree; it has one thread and one algorithm, whatever the setting says."""
    if setting.max_bins is not None:
        return None
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    make = DecisionTreeRegressor if table.is_regression else DecisionTreeClassifier
    estimator = make(max_depth=setting.max_depth, max_leaf_nodes=setting.max_leaves, random_state=0)
    values = table.as_float32()
    return lambda: estimator.fit(values, table.target)
