"""Pruning: a grown tree -> a smaller one, and why.

Each name is fetched from its file when it is first used: most programs use one method of eleven.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.prune.cost_complexity import CostComplexity
    from treewright.prune.critical_value import CriticalValue
    from treewright.prune.error_based import ErrorBased
    from treewright.prune.global_budget import Global
    from treewright.prune.max_leaves import MaxLeaves
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
    "MaxLeaves",
    "Method",
    "MinimumError",
    "Pessimistic",
    "PrePruning",
    "PruningReport",
    "ReducedError",
    "SameDecision",
    "Steps",
]

_FILES = {
    "MDL": "mdl",
    "CostComplexity": "cost_complexity",
    "CriticalValue": "critical_value",
    "ErrorBased": "error_based",
    "Global": "global_budget",
    "MaxLeaves": "max_leaves",
    "Method": "method",
    "MinimumError": "minimum_error",
    "Pessimistic": "pessimistic",
    "PrePruning": "pre_pruning",
    "PruningReport": "report",
    "ReducedError": "reduced_error",
    "SameDecision": "same_decision",
    "Steps": "steps",
}


def __getattr__(name: str) -> object:
    """Fetch a name from its file on first use."""
    if name not in _FILES:
        raise AttributeError(f"treewright.prune has no {name!r}; its names are {', '.join(__all__)}.")
    found = getattr(import_module(f"treewright.prune.{_FILES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
