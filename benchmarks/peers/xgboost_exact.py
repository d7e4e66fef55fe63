"""XGBoost, method "exact": one tree of boosting on all values, its DMatrix included."""

from typing import Any

from benchmarks.peers.seam import Setting
from benchmarks.peers.xgboost import is_one_tree, missing, n_leaves, options, version
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "XGBoost exact"

__all__ = ["NAME", "missing", "n_leaves", "prepare", "version"]


def prepare(table: Table, setting: Setting) -> Fit | None:
    """One tree; this method has no full tree and no bound on leaves."""
    if not is_one_tree(table, setting) or setting.max_bins is not None or setting.max_depth is None:
        return None
    import xgboost

    given = options(table, setting) | {"tree_method": "exact"}
    values = table.as_float32()

    def fit() -> Any:
        return xgboost.train(given, xgboost.DMatrix(values, table.target, nthread=setting.n_jobs), 1)

    return fit
