"""Weka 3.6.14: Id3 and J48 without pruning.

J48 grows as Release 8 does, but in 64-bit floats as we do; it wants more rows for a cut, which decides nothing here.
It counts errors as Release 8 does: each row is asked with its own missing values.
"""

import numpy as np
import pytest

from tests.golden.sets import load
from treewright import C45Classifier, ID3Classifier
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.schema import Schema, Target
from treewright.grow.grower import grow
from treewright.predict.predictions import predict_class_codes


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
        ("r8_crx", 68, 90, 19, 34),
        ("r8_hypo", 11, 21, 6, 8),
        ("r8_labor", 6, 11, 1, 4),
        ("monks1", 28, 43, 12, 101),
        ("monks2", 46, 73, 24, 150),
        ("monks3", 17, 25, 4, 32),
    ],
)
def test_unpruned_j48(name, n_leaves, n_nodes, n_train_errors, n_test_errors, shared):
    X, y = load(shared, f"{name}_train")
    X_test, y_test = load(shared, f"{name}_test")
    model = C45Classifier(pruning=None, variant="release8").fit(X, y)
    assert (model.tree_.n_leaves, model.tree_.n_nodes) == (n_leaves, n_nodes)
    assert np.count_nonzero(model.predict(X) != y) == n_train_errors
    assert np.count_nonzero(model.predict(X_test) != y_test) == n_test_errors


@pytest.mark.parametrize(
    ("name", "n_leaves", "n_nodes", "n_errors"),
    [
        ("audiology", 37, 62, 19),
        ("balance_scale", 60, 119, 57),
        ("breast_cancer", 152, 179, 34),
        ("breast_w", 23, 45, 8),
        ("car", 134, 186, 62),
        ("colic", 95, 129, 26),
        ("contact_lenses", 4, 7, 2),
        ("credit_a", 101, 135, 35),
        ("ecoli", 26, 51, 21),
        ("heart_c", 46, 77, 12),
        ("heart_statlog", 31, 61, 12),
        ("hepatitis", 16, 31, 6),
        ("hypothyroid", 20, 36, 4),
        ("ionosphere", 18, 35, 1),
        ("iris", 5, 9, 3),
        ("labor", 13, 22, 2),
        ("letter", 1337, 2673, 672),
        ("mushroom", 25, 30, 0),
        ("tic_tac_toe", 139, 208, 42),
        ("vehicle", 104, 207, 24),
        ("vote", 19, 37, 9),
        ("weather_nominal", 5, 8, 0),
        ("weather_numeric", 5, 8, 0),
        ("wine", 5, 9, 2),
        ("zoo", 9, 17, 1),
    ],
)
def test_unpruned_j48_on_whole_sets(name, n_leaves, n_nodes, n_errors, shared):
    X, y = load(shared, name)
    model = C45Classifier(pruning=None, variant="release8").fit(X, y)
    assert (model.tree_.n_leaves, model.tree_.n_nodes) == (n_leaves, n_nodes)
    assert np.count_nonzero(model.predict(X) != y) == n_errors


def test_unpruned_j48_on_a_set_with_a_class_without_rows(shared):
    # J48 counts the six declared classes for the smallest side of a cut; an estimator knows the five that have rows.
    X, y = load(shared, "anneal_orig")
    table = read_table(X)
    classes = ("1", "2", "3", "4", "5", "U")
    codes = np.array([classes.index(label) for label in y], dtype=np.int32)
    assert 3 not in codes
    dataset = Dataset(Schema(table.columns, Target("class", classes)), table.values, codes)
    tree = grow(dataset, C45Classifier(pruning=None, variant="release8").plan())
    assert (tree.n_leaves, tree.n_nodes) == (96, 143)
    assert np.count_nonzero(predict_class_codes(tree, table.values) != codes) == 24
