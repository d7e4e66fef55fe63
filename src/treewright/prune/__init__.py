"""Pruning: a grown tree -> a smaller one, and why."""

from treewright.prune.cost_complexity import CostComplexity
from treewright.prune.critical_value import CriticalValue
from treewright.prune.error_based import ErrorBased
from treewright.prune.global_budget import Global
from treewright.prune.mdl import MDL
from treewright.prune.method import Method
from treewright.prune.minimum_error import MinimumError
from treewright.prune.pessimistic import Pessimistic
from treewright.prune.pre_pruning import PrePruning
from treewright.prune.reduced_error import ReducedError
from treewright.prune.report import PruningReport
from treewright.prune.same_decision import SameDecision
from treewright.prune.steps import Steps

__all__ = [
    "MDL",
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "Global",
    "Method",
    "MinimumError",
    "Pessimistic",
    "PrePruning",
    "PruningReport",
    "ReducedError",
    "SameDecision",
    "Steps",
]
