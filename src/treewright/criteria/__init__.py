"""Criteria: every number a textbook prints about a split, as a plain function.

In: class counts, branch tables or target values, as lists or arrays. Out: numbers. These are the definitions
the compiled engine is tested against, and what a reader checks a tree by hand with.
"""

from treewright.criteria.choice import at_least_average, average_gain, cut_charge
from treewright.criteria.crosstab import Contingency, contingency
from treewright.criteria.impurities import absolute_error, classification_error, entropy, gini, squared_error
from treewright.criteria.merits import (
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
    "cut_charge",
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
    "split_info",
    "squared_error",
    "twoing",
    "weighted_impurity",
]
