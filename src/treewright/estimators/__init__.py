"""Estimators: thin scikit-learn estimators over the engine.

In: tables, targets, weights. Out: fitted estimators. The named ones are presets of the general ones.
"""

from treewright.estimators.c45 import C45Classifier
from treewright.estimators.cart import CARTClassifier, CARTRegressor
from treewright.estimators.general import TreeClassifier, TreeRegressor
from treewright.estimators.id3 import ID3Classifier
from treewright.estimators.mdl import MDLTreeClassifier
from treewright.estimators.mdl_regressor import MDLTreeRegressor

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
