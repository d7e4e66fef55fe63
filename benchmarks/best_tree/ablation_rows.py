"""The rows of "what buys what": trees that differ in one part each.

In: nothing. Out: CUMULATIVE, from C4.5 with grouped values to MDLTree, each row with one part more; and CHANGES,
MDLTree with one part changed. Both are tables from a name to an Algorithm.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from benchmarks.best_tree.algorithms import Algorithm
from treewright import MDLTreeClassifier, TreeClassifier
from treewright.grow.plan import Plan
from treewright.prune import ErrorBased, Global

C45_LIKE: dict[str, Any] = {
    "criterion": "entropy",
    "merit": "ratio",
    "floor": "average",
    "grouping": "greedy",
    "penalty": "cuts",
    "side": "release8",
    "minimum": "weight",
    "min_samples_split": 4,
    "min_samples_leaf": 2,
    "collapse": True,
    "threshold": "value",
    "missing": "fractional",
    "pruning": "error_based",
}
"""C4.5 Release 8 with grouped values: numbers have a penalty for their cuts, categories none."""


def compose(**parts: Any) -> Any:
    """A tree of the parts of C4.5 with grouped values, but for those given."""
    return TreeClassifier(**(C45_LIKE | parts))


class Changed(MDLTreeClassifier):
    """MDLTree with some parts of its plan replaced; an estimator of its own, because these are not parameters of it."""

    parts: Mapping[str, Any] = MappingProxyType({})

    def plan(self) -> Plan:
        return replace(super().plan(), **self.parts)


def changed(parts: Mapping[str, Any], **parameters: Any) -> Any:
    """MDLTree with other parts, or other parameters."""
    model = Changed(**parameters)
    model.parts = parts
    return model


def cumulative() -> dict[str, Algorithm]:
    """Each row has what the one above it has, and one part more."""
    steps: dict[str, dict[str, Any]] = {
        "C4.5-like with grouping": {},
        "+ least-loss merging": {"grouping": "least-loss"},
        "+ description penalty": {"penalty": "description"},
        "+ description floor": {"floor": "description"},
        "+ global pruning": {"pruning": ["error_based", "global"]},
        "+ sibling merge": {"pruning": ["error_based", "global", "same_decision"]},
        "binary groups instead": {"grouping": "binary"},
    }
    found: dict[str, Algorithm] = {}
    parts: dict[str, Any] = {}
    for words, part in steps.items():
        parts = parts | part
        found[words] = Algorithm(words, partial(compose, **parts))
    return found | {"MDLTree": Algorithm("MDLTree", MDLTreeClassifier)}


def changes() -> dict[str, Algorithm]:
    """MDLTree with one part of its plan or one parameter changed."""
    parts: dict[str, dict[str, Any]] = {
        "no grouping": {"grouping": "each"},
        "greedy groups": {"grouping": "greedy"},
        "least-loss groups": {"grouping": "least-loss"},
        "no penalty on categories": {"penalty": "cuts"},
        "no penalty": {"penalty": "none"},
        "average gain as the floor": {"floor": "average"},
        "no floor": {"floor": "none"},
        "ranked by gain": {"merit": "decrease"},
    }
    default = MDLTreeClassifier()
    parameters: dict[str, dict[str, Any]] = {
        "no error-based pruning": {"pruning": Global(default.standard_errors)},
        "no global pruning": {"pruning": ErrorBased(default.confidence)},
        "confidence = 0.25": {"confidence": 0.25},
        "standard_errors = 1": {"standard_errors": 1.0},
        "missing to the learned side": {"missing": "learned"},
        "missing as a branch": {"missing": "branch"},
        "m = 20": {"min_samples_leaf": 20},
    }
    found = {words: Algorithm(words, partial(changed, part)) for words, part in parts.items()}
    return found | {words: Algorithm(words, partial(changed, {}, **one)) for words, one in parameters.items()}


CUMULATIVE, CHANGES = cumulative(), changes()
ABLATION = CUMULATIVE | CHANGES
