"""The eight estimators, a small table, and a way to say what a sentence must hold: for the tests that try them all."""

import numpy as np
import pandas as pd
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)

ALL = [
    ID3Classifier(numeric="bisect"),
    C45Classifier(),
    CARTClassifier(),
    CARTRegressor(),
    MDLTreeClassifier(),
    MDLTreeRegressor(),
    TreeClassifier(),
    TreeRegressor(),
]
X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]])
Y = [0, 1, 0, 1]
FRAME = pd.DataFrame({"age": [30, 40, 50, 60], "town": ["Ulm", "Bonn", "Ulm", "Kiel"]})

every = pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)


def says(error: type[Exception], *parts: str) -> object:
    """The error is raised and its sentence holds all the parts, in this order."""
    return pytest.raises(error, match="(?s)" + ".*".join(parts))
