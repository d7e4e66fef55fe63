"""Estimators: ID3, C4.5, CART, MDLTree and the general trees, as scikit-learn estimators.

The algorithms are in the modules below and do not import scikit-learn, so that the command line can use a model file
without it. The public classes are those of the module `scikit_learn`, which is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.estimators.scikit_learn import (
        C45Classifier,
        CARTClassifier,
        CARTRegressor,
        ID3Classifier,
        MDLTreeClassifier,
        MDLTreeRegressor,
        TreeClassifier,
        TreeRegressor,
    )

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ID3Classifier",
    "MDLTreeClassifier",
    "MDLTreeRegressor",
    "TreeClassifier",
    "TreeRegressor",
]

MODULES = {
    "ID3Classifier": "id3",
    "C45Classifier": "c45",
    "CARTClassifier": "cart",
    "CARTRegressor": "cart",
    "MDLTreeClassifier": "mdl",
    "MDLTreeRegressor": "mdl",
    "TreeClassifier": "general",
    "TreeRegressor": "general",
}
"""The module of each algorithm, by the name of its estimator."""


def algorithm_class(name: str) -> Any:
    """Return the class of an algorithm, which does not need scikit-learn.

    >>> algorithm_class("C45Classifier").__module__
    'treewright.estimators.c45'
    """
    return getattr(import_module(f"treewright.estimators.{MODULES[name]}"), name)


def estimator_class(name: str) -> Any:
    """Return the class of an estimator, which is the algorithm and an estimator of scikit-learn.

    >>> issubclass(estimator_class("C45Classifier"), algorithm_class("C45Classifier"))
    True
    """
    return getattr(import_module("treewright.estimators.scikit_learn"), name)


def __getattr__(name: str) -> Any:
    """Import an estimator on first use."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = estimator_class(name)
    return found
