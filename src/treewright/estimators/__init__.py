"""Estimators: thin scikit-learn estimators over the engine.

In: tables, targets, weights. Out: fitted estimators. The named ones are presets of the general ones. The algorithms are
written without scikit-learn, in the modules below, and are all that the command line needs to ask a model; the public
classes are those of `scikit_learn`, which is imported with the first of them.
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
    "MDLTreeRegressor": "mdl_regressor",
    "TreeClassifier": "general",
    "TreeRegressor": "general",
}
"""The algorithms by the names of their estimators, and the module that each is written in."""


def algorithm(name: str) -> Any:
    """The class of an algorithm without scikit-learn.

    >>> algorithm("C45Classifier").__module__
    'treewright.estimators.c45'
    """
    return getattr(import_module(f"treewright.estimators.{MODULES[name]}"), name)


def estimator(name: str) -> Any:
    """The class of the estimator, which is the algorithm and an estimator of scikit-learn.

    >>> issubclass(estimator("C45Classifier"), algorithm("C45Classifier"))
    True
    """
    return getattr(import_module("treewright.estimators.scikit_learn"), name)


def __getattr__(name: str) -> Any:
    """Fetch an estimator on first use."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = estimator(name)
    return found
