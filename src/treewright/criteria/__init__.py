"""Criteria: every number that a textbook prints about a split, as a plain function.

The functions take class counts, branch tables or target values, as lists or arrays. They are the definitions that the
compiled engine is tested against, and what a reader checks a tree with by hand.
"""

from typing import Any

from treewright.criteria.class_counts import Contingency, contingency
from treewright.criteria.impurities import (
    absolute_error,
    classification_error,
    entropy,
    gini,
    poisson,
    squared_error,
)
from treewright.criteria.merits import (
    at_least_average,
    average_gain,
    cut_penalty,
    decrease,
    error_decrease,
    g_statistic,
    gain_ratio,
    gini_decrease,
    gini_index,
    information_gain,
    intrinsic_value,
    split_info,
    twoing,
    weighted_impurity,
)
from treewright.criteria.registry import CRITERIA, IMPURITIES, LOSSES, MERITS, Criterion
from treewright.deprecation import warn_renamed

__all__ = [
    "CRITERIA",
    "IMPURITIES",
    "LOSSES",
    "MERITS",
    "Contingency",
    "Criterion",
    "absolute_error",
    "at_least_average",
    "average_gain",
    "classification_error",
    "contingency",
    "cut_penalty",
    "decrease",
    "entropy",
    "error_decrease",
    "g_statistic",
    "gain_ratio",
    "gini",
    "gini_decrease",
    "gini_index",
    "information_gain",
    "intrinsic_value",
    "poisson",
    "split_info",
    "squared_error",
    "twoing",
    "weighted_impurity",
]


def __getattr__(name: str) -> Any:
    if name == "cut_charge":
        warn_renamed("`cut_charge`", "`cut_penalty`")
        return cut_penalty
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
