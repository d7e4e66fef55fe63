"""Weka 3.6.14: Id3 and J48 without pruning.

J48 grows as Release 8 does, but in 64-bit floats as we do; it wants more rows for a cut, which decides nothing here.
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


@pytest.mark.parametrize(
    ("name", "n_leaves", "n_nodes", "n_errors"),
    [
        ("balance_scale", 60, 119, 57),
        ("car", 134, 186, 62),
        ("contact_lenses", 4, 7, 2),
        ("ecoli", 26, 51, 21),
        ("heart_statlog", 31, 61, 12),
        ("ionosphere", 18, 35, 1),
        ("iris", 5, 9, 3),
        ("letter", 1337, 2673, 672),
        ("tic_tac_toe", 139, 208, 42),
        ("vehicle", 104, 207, 24),
        ("weather_nominal", 5, 8, 0),
        ("weather_numeric", 5, 8, 0),
        ("wine", 5, 9, 2),
        ("zoo", 9, 17, 1),
    ],
)
def test_unpruned_j48_on_whole_sets(name, n_leaves, n_nodes, n_errors, shared):
    tree = C45Classifier(variant="release8").fit(*load(shared, name)).tree_
    assert (tree.n_leaves, tree.n_nodes, errors(tree)) == (n_leaves, n_nodes, n_errors)
