"""LightGBM: one tree of boosting at full step, grown best first on histograms of 255 bins.

The time includes making its Dataset, where the bins are found. It has no full tree: leaves are bounded, by default 255.
"""

from typing import Any

from benchmarks.peers.found import version_of, why_missing
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "LightGBM"
MOST_LEAVES = 255


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    return why_missing("lightgbm")


def version() -> str:
    """What was measured."""
    return version_of("lightgbm")


def n_leaves(model: Any) -> int | None:
    """The leaves of what was fitted, of all classes together."""
    return sum(tree["num_leaves"] for tree in model.dump_model()["tree_info"])


def prepare(table: Table, setting: Setting) -> Fit | None:
    """One tree; with more than two classes there would be one for each of them."""
    n_classes = 0 if table.is_regression else int(table.target.max()) + 1
    if setting.algorithm != "CART" or n_classes > 2 or (setting.max_bins is None and setting.max_depth is None):
        return None
    import lightgbm

    options = {
        "objective": "regression" if table.is_regression else "binary",
        "num_leaves": setting.max_leaves or (MOST_LEAVES if setting.max_depth is None else 2**setting.max_depth),
        "max_depth": -1 if setting.max_depth is None else setting.max_depth,
        "max_bin": setting.max_bins or 255,
        "learning_rate": 1.0,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": setting.n_jobs,
        "verbosity": -1,
    }
    categories = list(table.categories)

    def fit() -> Any:
        data = lightgbm.Dataset(table.values, table.target, categorical_feature=categories)
        return lightgbm.train(options, data, 1)

    return fit
