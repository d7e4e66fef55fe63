"""Treewright: decision trees you can read, check by hand and trust.

ID3, C4.5 and CART on one engine, behind scikit-learn estimators. The names below are the whole public surface; they
are fetched when first used, because scikit-learn alone takes a second to import and a tree can be read without it.

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
    from treewright import criteria
    from treewright.estimators import (
        C45Classifier,
        CARTClassifier,
        CARTRegressor,
        ID3Classifier,
        TreeClassifier,
        TreeRegressor,
    )
    from treewright.explain.missing import MissingReport
    from treewright.model.node import Node
    from treewright.model.tree import Tree

__version__ = "0.1.0"

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ID3Classifier",
    "InputError",
    "KindError",
    "MissingReport",
    "ModelFormatError",
    "Node",
    "ParameterError",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "TreewrightError",
    "UnseenCategoryWarning",
    "criteria",
]

_ROOMS = {
    "MissingReport": "treewright.explain.missing",
    "Node": "treewright.model.node",
    "Tree": "treewright.model.tree",
}


def __getattr__(name: str) -> object:
    """Fetch a public name from its room on first use."""
    if name not in __all__:
        raise AttributeError(f"treewright has no {name!r}; its public names are {', '.join(__all__)}.")
    if name == "criteria":
        return import_module("treewright.criteria")
    found = getattr(import_module(_ROOMS.get(name, "treewright.estimators")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
