"""Weka 3.6.14 on sets with a fixed train and test file: Id3, and J48 without pruning.

All columns are words, so J48 differs from Release 8 in nothing that matters here.
"""

import numpy as np
import pytest

from tests.golden.sets import load
from tests.golden.shapes import errors
from treewright import C45Classifier, ID3Classifier


@pytest.mark.parametrize(("name", "n_right"), [("monks1", 339), ("monks2", 279), ("monks3", 408)])
def test_id3(name, n_right, shared):
    # Weka's Id3 makes a leaf when no column has any gain, and gives no answer in an empty branch.
    X, y = load(shared, f"{name}_train")
    X_test, y_test = load(shared, f"{name}_test")
    model = ID3Classifier(min_impurity_decrease=1e-9).fit(X, y)
    answered = model.tree_.count[model.apply(X_test)] > 0
    assert np.count_nonzero(answered & (model.predict(X_test) == y_test)) == n_right


@pytest.mark.parametrize(
    ("name", "n_leaves", "n_nodes", "n_train_errors", "n_test_errors"),
    [
        ("r8_vote", 17, 25, 8, 7),
        ("monks1", 28, 43, 12, 101),
        ("monks2", 46, 73, 24, 150),
        ("monks3", 17, 25, 4, 32),
    ],
)
def test_unpruned_j48(name, n_leaves, n_nodes, n_train_errors, n_test_errors, shared):
    X, y = load(shared, f"{name}_train")
    X_test, y_test = load(shared, f"{name}_test")
    model = C45Classifier(variant="release8").fit(X, y)
    assert (model.tree_.n_leaves, model.tree_.n_nodes, errors(model.tree_)) == (
        n_leaves,
        n_nodes,
        n_train_errors,
    )
    assert np.count_nonzero(model.predict(X_test) != y_test) == n_test_errors
