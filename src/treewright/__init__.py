"""Treewright: decision trees you can read, check by hand and trust.

ID3, C4.5, CART and MDLTree on one engine, behind scikit-learn estimators. The names below are the whole public surface;
they are fetched when first used, because scikit-learn alone takes a second to import and a tree can be read without it.

>>> import treewright
>>> treewright.C45Classifier()
C45Classifier()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from treewright.errors import (
    InputError,
    KindError,
    ModelFormatError,
    ParameterError,
    TreewrightError,
    UnseenCategoryWarning,
)

if TYPE_CHECKING:
    from treewright import criteria, plot, presets, prune
    from treewright.data.files.data import Data
    from treewright.data.files.read import read
    from treewright.estimators import (
        C45Classifier,
        CARTClassifier,
        CARTRegressor,
        ID3Classifier,
        MDLTreeClassifier,
        MDLTreeRegressor,
        TreeClassifier,
        TreeRegressor,
    )
    from treewright.estimators.comparison import PruningComparison, compare_pruning
    from treewright.explain.answer import Explanation
    from treewright.explain.importance import Importances
    from treewright.explain.missing import MissingReport
    from treewright.explain.stability import Stability
    from treewright.ledger.ledger import Ledger
    from treewright.ledger.worked.solution import WorkedSolution
    from treewright.loading import load
    from treewright.model.node import Node
    from treewright.model.tree import Tree
    from treewright.prune.report import PruningReport
    from treewright.rules.ruleset import RuleSet

__version__ = "0.1.0"

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "Data",
    "Explanation",
    "ID3Classifier",
    "Importances",
    "InputError",
    "KindError",
    "Ledger",
    "MDLTreeClassifier",
    "MDLTreeRegressor",
    "MissingReport",
    "ModelFormatError",
    "Node",
    "ParameterError",
    "PruningComparison",
    "PruningReport",
    "RuleSet",
    "Stability",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "TreewrightError",
    "UnseenCategoryWarning",
    "WorkedSolution",
    "compare_pruning",
    "criteria",
    "load",
    "plot",
    "presets",
    "prune",
    "read",
]

_MODULES = ("criteria", "plot", "presets", "prune")
_ROOMS = {
    "Data": "treewright.data.files.data",
    "Explanation": "treewright.explain.answer",
    "Importances": "treewright.explain.importance",
    "Ledger": "treewright.ledger.ledger",
    "MissingReport": "treewright.explain.missing",
    "Node": "treewright.model.node",
    "PruningComparison": "treewright.estimators.comparison",
    "PruningReport": "treewright.prune.report",
    "RuleSet": "treewright.rules.ruleset",
    "Stability": "treewright.explain.stability",
    "Tree": "treewright.model.tree",
    "WorkedSolution": "treewright.ledger.worked.solution",
    "compare_pruning": "treewright.estimators.comparison",
    "load": "treewright.loading",
    "read": "treewright.data.files.read",
}


def __getattr__(name: str) -> object:
    """Fetch a public name from its room on first use."""
    if name not in __all__:
        raise AttributeError(f"treewright has no {name!r}; its public names are {', '.join(__all__)}.")
    if name in _MODULES:
        return import_module(f"treewright.{name}")
    found = getattr(import_module(_ROOMS.get(name, "treewright.estimators")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
