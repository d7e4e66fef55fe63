"""The parameter `size`: at most so many leaves after pruning, in every estimator, in files and in copies."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes

from tests.estimators.family import every, says
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    MDLTreeClassifier,
    ParameterError,
    compare_pruning,
    load,
    prune,
)
from treewright.evaluate.cross import cross_validate


def stairs():
    """31 steps of 5 to 35 rows: every estimator makes a leaf of each, and the wide ones are worth most."""
    step = np.repeat(np.arange(31), np.arange(5, 36))
    return np.arange(len(step), dtype=float)[:, None], step


def table(estimator):
    """A noisy table, with a target of classes or numbers."""
    X, y = load_diabetes(return_X_y=True)
    return (X, y) if estimator._is_regressor else (X, np.digitize(y, [90, 140, 210]))


@every
def test_at_most_so_many_leaves(estimator):
    X, y = stairs()
    whole = clone(estimator).set_params(pruning=None).fit(X, y)
    assert whole.tree_.n_leaves > 25
    for size, most in ((25, 25), ("readable", 20)):
        model = clone(whole).set_params(size=size).fit(X, y)
        assert model.grown_tree_ == whole.grown_tree_
        assert 10 < model.tree_.n_leaves <= most
        assert model.tree_ == whole.pruned(prune.MaxLeaves(most)).tree_
        assert model.pruning_report_.method == "max_leaves"


@every
def test_it_is_the_last_step_of_pruning(estimator):
    X, y = table(estimator)
    pruning = estimator.pruning or "pessimistic"
    alone = clone(estimator).set_params(pruning=pruning).fit(X, y)
    model = clone(alone).set_params(size=3).fit(X, y)
    assert model.tree_.n_leaves <= 3
    assert model.pruning_report_.steps[-1].method == "max_leaves"
    assert model.pruning_report_.steps[-1].tree.n_leaves == alone.tree_.n_leaves


@every
def test_saved_and_loaded(estimator, tmp_path):
    X, y = table(estimator)
    model = clone(estimator).set_params(size="readable").fit(X, y)
    model.save(tmp_path / "model.json", rows=True)
    again = load(tmp_path / "model.json")
    assert again.size == "readable"
    assert again.tree_ == model.tree_
    assert again.pruning_report_.rule == model.pruning_report_.rule
    assert '"size"' in (tmp_path / "model.json").read_text()
    model.set_params(size=None).save(tmp_path / "none.json")
    assert '"size"' not in (tmp_path / "none.json").read_text()


def test_costs_count_in_what_is_pruned():
    """With a dear error the readable tree makes fewer of those than without."""
    X, y = load_breast_cancer(return_X_y=True)
    dear = CARTClassifier(pruning=None, size=3, cost_matrix={0: {1: 20}}).fit(X, y)
    plain = CARTClassifier(pruning=None, size=3).fit(X, y)
    missed = [np.count_nonzero(model.predict(X)[y == 0]) for model in (dear, plain)]
    assert missed[0] < missed[1]


def test_tuned_trees_have_at_most_so_many_leaves():
    X, y = table(MDLTreeClassifier())
    model = MDLTreeClassifier(tune=True, size=4).fit(X[:150], y[:150])
    assert model.tree_.n_leaves <= 4
    assert all(one.leaves <= 4 for one in model.tuning_)
    assert max(one.leaves for one in MDLTreeClassifier(tune=True).fit(X[:150], y[:150]).tuning_) > 4


def test_ccp_alpha_goes_first():
    X, y = table(CARTRegressor())
    model = CARTRegressor(ccp_alpha=10.0, size=5).fit(X, y)
    assert model.tree_.n_leaves <= 5
    assert [one.method for one in model.pruning_report_.steps] == ["cost_complexity", "max_leaves"]


def test_pruned_takes_its_own_size():
    X, y = table(C45Classifier())
    model = C45Classifier(size=3).fit(X, y)
    whole = model.pruned(None)
    assert (whole.size, whole.tree_) == (None, model.grown_tree_)
    again = model.pruned("error_based", size=3)
    assert (again.size, again.pruning) == (3, prune.ErrorBased(limit="release8"))
    assert again.tree_ == model.tree_
    assert model.pruned("pessimistic", size=6).tree_.n_leaves > 3


@pytest.mark.parametrize("model", [MDLTreeClassifier(size=9), C45Classifier(pruning=None), CARTRegressor()], ids=repr)
def test_another_size_of_a_pruned_tree(model, tmp_path):
    """Without rows, what a fit of that size makes; and back to the tree without a size."""
    X, y = table(model)
    model = clone(model).fit(X, y)
    model.save(tmp_path / "model.json")
    stored = load(tmp_path / "model.json")
    for size in (4, None):
        expected, found = clone(model).set_params(size=size).fit(X, y), stored.pruned(size=size)
        assert found.tree_ == expected.tree_
        assert found.size == size
        assert str(found.pruning_report_) == str(expected.pruning_report_)
        found.save(tmp_path / f"{size}.json")
        assert load(tmp_path / f"{size}.json").tree_ == expected.tree_


def test_comparisons_and_cross_validation():
    X, y = table(C45Classifier())
    found = compare_pruning(C45Classifier(pruning=None, size=5), X, y, folds=None)
    leaves = {row.method: row.n_leaves for row in found.rows}
    assert leaves["max_leaves"] <= 5 < leaves["none"]
    assert "max_leaves" not in {row.method for row in compare_pruning(C45Classifier(), X, y, folds=None).rows}
    scored = cross_validate({"small": C45Classifier(size=5), "large": C45Classifier()}, X, y, folds=3).rows
    assert scored[0].n_leaves <= 5 < scored[1].n_leaves


@pytest.mark.parametrize("size", [1, 0, -3, 2.5, True, "small", [20]])
def test_wrong_sizes_are_refused(size):
    X, y = table(C45Classifier())
    with says(ParameterError, "size must be a number of leaves of at least 2", "'readable'", "got"):
        C45Classifier(size=size).fit(X, y)


