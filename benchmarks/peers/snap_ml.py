"""Snap ML: its decision tree, exact, or with a histogram of up to 256 bins. Categories reach it as codes."""

from typing import Any

from benchmarks.peers.found import version_of, why_missing
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "Snap ML"


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    return why_missing("snapml")


def version() -> str:
    """What was measured."""
    return version_of("snapml")


def n_leaves(model: Any) -> int | None:  # noqa: ARG001 - as the others do
    """It does not say."""
    return None


def prepare(table: Table, setting: Setting) -> Fit | None:
    """A tree by depth; it has no best-first growth, and takes no missing cells."""
    has_holes = bool((table.values != table.values).any())
    if setting.algorithm != "CART" or setting.max_leaves is not None or has_holes:
        return None
    from snapml import DecisionTreeClassifier, DecisionTreeRegressor

    make = DecisionTreeRegressor if table.is_regression else DecisionTreeClassifier
    is_binned = setting.max_bins is not None
    options = {"use_histograms": is_binned, "hist_nbins": setting.max_bins or 256, "n_jobs": setting.n_jobs}
    values = table.as_float32()
    return lambda: make(max_depth=setting.max_depth, **options).fit(values, table.target)
