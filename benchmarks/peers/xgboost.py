"""XGBoost, method "hist": one tree of boosting on 255 bins, its DMatrix included."""

from typing import Any

from benchmarks.peers.found import version_of, why_missing
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "XGBoost hist"


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    return why_missing("xgboost")


def version() -> str:
    """What was measured."""
    return version_of("xgboost")


def n_leaves(model: Any) -> int | None:
    """The leaves of what was fitted."""
    return sum(text.count("leaf=") for text in model.get_dump())


def options(table: Table, setting: Setting) -> dict[str, Any]:
    """What both methods take: no regularisation, one full step, leaves of any size."""
    return {
        "objective": "reg:squarederror" if table.is_regression else "binary:logistic",
        "max_depth": setting.max_depth or 0,
        "learning_rate": 1.0,
        "reg_lambda": 0.0,
        "min_child_weight": 0.0,
        "nthread": setting.n_jobs,
        "verbosity": 0,
    }


def is_one_tree(table: Table, setting: Setting) -> bool:
    """With more than two classes there would be a tree for each; categories it only takes as numbers here."""
    n_classes = 0 if table.is_regression else int(table.target.max()) + 1
    return setting.algorithm == "CART" and n_classes <= 2 and not table.categories


def prepare(table: Table, setting: Setting) -> Fit | None:
    """One tree; without a bound on its depth it needs one on its leaves."""
    if not is_one_tree(table, setting) or (setting.max_bins is None and setting.max_depth is None):
        return None
    import xgboost

    n_bins = setting.max_bins or 255
    given = options(table, setting) | {"tree_method": "hist", "max_bin": n_bins}
    if setting.max_leaves is not None:
        given |= {"grow_policy": "lossguide", "max_leaves": setting.max_leaves}
    values = table.as_float32()

    def fit() -> Any:
        data = xgboost.QuantileDMatrix(values, table.target, max_bin=n_bins, nthread=setting.n_jobs)
        return xgboost.train(given, data, 1)

    return fit
