"""scikit-learn's trees, given float32, the form they work in. Categories reach them as codes."""

from typing import Any

import numpy as np

from benchmarks.peers.seam import Fit, Setting
from benchmarks.tables import Table

NAME = "scikit-learn"


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    try:
        import sklearn.tree  # noqa: F401
    except ImportError as error:
        return str(error)
    return None


def prepare(table: Table, setting: Setting) -> Fit | None:
    """A fit of the best-splitter tree; it has one thread and one algorithm, whatever the setting says."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    make = DecisionTreeRegressor if table.is_regression else DecisionTreeClassifier
    estimator: Any = make(max_depth=setting.max_depth, random_state=0)
    values = np.ascontiguousarray(table.values, dtype=np.float32)

    def fit() -> int:
        return int(estimator.fit(values, table.target).get_n_leaves())

    return fit
