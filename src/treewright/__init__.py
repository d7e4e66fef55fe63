"""Treewright: decision trees you can read, check by hand and trust.

ID3, C4.5, CART and MDLTree as scikit-learn estimators. The names in `__all__` are the public API. They are imported on
first use, because scikit-learn takes a second to import and a tree can be used without it.

>>> import treewright
>>> treewright.C45Classifier()
C45Classifier()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from treewright.errors import (
    ExportError,
    InputError,
    KindError,
    ModelFormatError,
    OutputError,
    ParameterError,
    TreeShapeWarning,
    TreewrightError,
    UnseenCategoryWarning,
)

if TYPE_CHECKING:
    from treewright import criteria, plot, presets, prune
    from treewright.data.files.loaded_data import Data
    from treewright.data.files.table_reader import read
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
    from treewright.evaluate.compare_pruning import PruningComparison, compare_pruning
    from treewright.evaluate.table_report import TableReport, inspect
    from treewright.explain.explanation import Explanation
    from treewright.explain.explanation_table import Explanations
    from treewright.explain.importance import Importances
    from treewright.explain.missing_report import MissingReport
    from treewright.explain.stability import Stability
    from treewright.ledger.ledger import Ledger
    from treewright.ledger.worked.solution import WorkedSolution
    from treewright.loading import load
    from treewright.model.node import Node
    from treewright.model.tree import Tree
    from treewright.prune.report import PruningReport
    from treewright.rules.ruleset import RuleSet
    from treewright.scale.public import fit_source

__version__ = "0.1.0"

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "Data",
    "Explanation",
    "Explanations",
    "ExportError",
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
    "OutputError",
    "ParameterError",
    "PruningComparison",
    "PruningReport",
    "RuleSet",
    "Stability",
    "TableReport",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "TreeShapeWarning",
    "TreewrightError",
    "UnseenCategoryWarning",
    "WorkedSolution",
    "compare_pruning",
    "criteria",
    "fit_source",
    "inspect",
    "load",
    "plot",
    "presets",
    "prune",
    "read",
]

_MODULES = ("criteria", "plot", "presets", "prune")
_MODULE_OF = {
    "Data": "treewright.data.files.loaded_data",
    "Explanation": "treewright.explain.explanation",
    "Explanations": "treewright.explain.explanation_table",
    "Importances": "treewright.explain.importance",
    "Ledger": "treewright.ledger.ledger",
    "MissingReport": "treewright.explain.missing_report",
    "Node": "treewright.model.node",
    "PruningComparison": "treewright.evaluate.compare_pruning",
    "PruningReport": "treewright.prune.report",
    "RuleSet": "treewright.rules.ruleset",
    "Stability": "treewright.explain.stability",
    "TableReport": "treewright.evaluate.table_report",
    "Tree": "treewright.model.tree",
    "WorkedSolution": "treewright.ledger.worked.solution",
    "compare_pruning": "treewright.evaluate.compare_pruning",
    "fit_source": "treewright.scale.public",
    "inspect": "treewright.evaluate.table_report",
    "load": "treewright.loading",
    "read": "treewright.data.files.table_reader",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    if name not in __all__:
        raise AttributeError(f"treewright has no {name!r}; its public names are {', '.join(__all__)}.")
    if name in _MODULES:
        return import_module(f"treewright.{name}")
    found = getattr(import_module(_MODULE_OF.get(name, "treewright.estimators")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
