"""YDF: its CART learner without validation rows, so that nothing is pruned; for bins one tree of boosting, best first.

Its Dataset is made within the time, as everything else that depends on the table.
"""

from typing import Any

from benchmarks.peers.found import version_of, why_missing
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "YDF"


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    return why_missing("ydf")


def version() -> str:
    """What was measured."""
    return version_of("ydf")


def n_leaves(model: Any) -> int | None:
    """The leaves of what was fitted."""
    found, waiting = 0, [model.get_tree(0).root]
    while waiting:
        node = waiting.pop()
        if node.is_leaf:
            found += 1
        else:
            waiting += [node.pos_child, node.neg_child]
    return found


def prepare(table: Table, setting: Setting) -> Fit | None:
    """A tree by depth, or best first on discretised numbers: there a tree for each class, if they are more than two."""
    if setting.algorithm != "CART" or (setting.max_bins is None) != (setting.max_leaves is None):
        return None
    if setting.max_bins is not None and not table.is_regression and table.target.max() > 1:
        return None
    import ydf

    ydf.verbose(0)
    options: dict[str, Any] = {
        "label": "y",
        "task": ydf.Task.REGRESSION if table.is_regression else ydf.Task.CLASSIFICATION,
        "num_threads": setting.n_jobs,
        "min_examples": 1,
    }
    make: Any = ydf.CartLearner
    if setting.max_bins is not None and setting.max_leaves is not None:
        make = ydf.GradientBoostedTreesLearner
        options |= {"num_trees": 1, "shrinkage": 1.0, "validation_ratio": 0.0, "subsample": 1.0}
        options |= {"growing_strategy": "BEST_FIRST_GLOBAL", "max_num_nodes": setting.max_leaves, "max_depth": -1}
        options |= {"discretize_numerical_columns": True, "num_discretized_numerical_bins": setting.max_bins}
    else:
        # Its depth counts the levels of nodes, ours those of splits.
        options |= {"max_depth": -1 if setting.max_depth is None else setting.max_depth + 1, "validation_ratio": 0.0}
    columns = _columns(table)
    return lambda: make(**options).train(columns)


def _columns(table: Table) -> dict[str, Any]:
    """Columns by name; a category is text, and empty where it is missing."""
    import numpy as np

    values = table.as_float32()
    columns: dict[str, Any] = {f"x{j}": np.ascontiguousarray(values[:, j]) for j in range(values.shape[1])}
    for j in table.categories:
        codes = table.values[:, j]
        words = np.char.add("c", np.nan_to_num(codes).astype(np.int64).astype(str))
        columns[f"x{j}"] = np.where(np.isnan(codes), "", words)
    columns["y"] = table.target
    return columns
