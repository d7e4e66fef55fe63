"""Pruning through the estimators: parameters, validation rows, views over one growth, reports."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.estimators.family import every, says
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    InputError,
    KindError,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
    prune,
)
from treewright.prune.registry import METHODS

CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
HALVES = (CANCER[0][::2], CANCER[1][::2]), (CANCER[0][1::2], CANCER[1][1::2])
NUMBER_HALVES = (DIABETES[0][::2], DIABETES[1][::2]), (DIABETES[0][1::2], DIABETES[1][1::2])


def halves(estimator):
    return NUMBER_HALVES if is_regressor(estimator) else HALVES


def plain(estimator):
    """The same estimator with probabilities that are shares, and means as they are: the grown tree has no others."""
    same = clone(estimator).set_params(smoothing=None)
    return same if is_regressor(same) else same.set_params(probability="frequency")


def test_the_defaults_are_those_of_the_books():
    assert ID3Classifier().pruning is None
    assert C45Classifier().pruning == "error_based"
    assert CARTClassifier().pruning == CARTRegressor().pruning == "cost_complexity"
    assert TreeClassifier().pruning is TreeRegressor().pruning is None


@every
def test_without_pruning_the_tree_is_the_grown_one(estimator):
    (X, y), _ = halves(estimator)
    model = plain(estimator).set_params(pruning=None).fit(X, y)
    assert model.tree_ == model.grown_tree_
    assert model.pruning_report_ is None
    assert model.pre_pruning_report_ is None


@every
def test_the_default_leaves_the_grown_tree_at_hand(estimator):
    (X, y), _ = halves(estimator)
    model = plain(estimator).fit(X, y)
    full = plain(estimator).set_params(pruning=None).fit(X, y)
    assert model.grown_tree_ == full.tree_
    if model.pruning is not None:
        assert model.tree_.n_leaves <= full.tree_.n_leaves
        first = model.pruning_report_.steps[0] if model.pruning_report_.steps else model.pruning_report_
        assert len(first) == np.count_nonzero(full.tree_.n_children)


@every
@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_a_view_over_one_growth(estimator, name):
    (X, y), (X_val, y_val) = halves(estimator)
    grown = plain(estimator).set_params(pruning=None).fit(X, y)
    before = grown.tree_.fingerprint()
    for_numbers = METHODS[name].for_numbers
    if is_regressor(estimator) and not for_numbers:
        with pytest.raises(KindError, match="cannot be used for regression"):
            grown.pruned(name, X, y, X_val=X_val, y_val=y_val)
        return
    view = grown.pruned(name, X, y, X_val=X_val, y_val=y_val)
    direct = plain(estimator).set_params(pruning=name, pre_pruning=False).fit(X, y, X_val=X_val, y_val=y_val)
    assert view.tree_ == direct.tree_
    assert view.grown_tree_ == grown.tree_
    assert grown.tree_.fingerprint() == before
    assert type(view) is type(grown)
    assert isinstance(view.pruning, METHODS[name])
    assert (view.predict(X_val) == direct.predict(X_val)).all()


def test_parameters_go_to_a_method_given_by_name():
    model = C45Classifier(pruning=None).fit(*CANCER)
    few = model.pruned("pessimistic", standard_errors=0.0, penalty=0.0)
    many = model.pruned(prune.Pessimistic(standard_errors=3.0))
    assert few.get_n_leaves() > many.get_n_leaves()
    with says(ParameterError, "standard_errors"):
        model.pruned("pessimistic", standard_errors=-1)
    with says(ParameterError, "has its own parameters", "penalty"):
        model.pruned(prune.Pessimistic(), penalty=1.0)


@pytest.mark.parametrize(("variant", "limit"), [("release8", "release8"), ("j48", "weka"), ("textbook", "exact")])
def test_each_variant_of_c45_has_its_own_limit(variant, limit):
    model = C45Classifier(variant=variant).fit(*CANCER)
    again = model.pruned("error_based", *CANCER)
    assert again.pruning == prune.ErrorBased(limit=limit)
    assert str(again.pruning_report_) == str(model.pruning_report_)
    assert model.pruned("error_based", *CANCER, limit="weka").pruning == prune.ErrorBased(limit="weka")
    assert model.pruned(prune.ErrorBased(), *CANCER).pruning == prune.ErrorBased(limit="release8")


def test_a_method_without_meaning_for_regression_is_refused_before_growth(monkeypatch):
    monkeypatch.setattr("treewright.grow.grower.grow", None)
    with pytest.raises(KindError, match="cannot be used for regression"):
        CARTRegressor(pruning="mdl").fit(*DIABETES)


def test_pruned_by_nothing_is_the_grown_tree():
    model = C45Classifier().fit(*CANCER)
    assert model.pruned(None).tree_ == model.grown_tree_


def test_ccp_alpha_prunes_as_scikit_learn_does():
    X, y = CANCER
    theirs = DecisionTreeClassifier(random_state=0)
    alphas = theirs.cost_complexity_pruning_path(X, y).ccp_alphas
    for alpha in (alphas[1:] + alphas[:-1])[::3] / 2:
        expected = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        found = CARTClassifier(ccp_alpha=alpha).fit(X, y)
        assert found.get_n_leaves() == expected.get_n_leaves(), alpha
    assert CARTClassifier(ccp_alpha=0.0).fit(X, y).tree_ == CARTClassifier(pruning=None).fit(X, y).tree_


@pytest.mark.parametrize(
    ("ours", "theirs", "data"),
    [
        (CARTClassifier(), DecisionTreeClassifier(random_state=0), CANCER),
        (CARTRegressor(max_depth=6), DecisionTreeRegressor(random_state=0, max_depth=6), DIABETES),
    ],
)
def test_the_path_is_scikit_learns(ours, theirs, data):
    found = ours.cost_complexity_pruning_path(*data)
    expected = theirs.cost_complexity_pruning_path(*data)
    # scikit-learn lists an alpha again for each node that goes at it.
    _, at = np.unique(expected.ccp_alphas.round(12), return_index=True)
    last = np.r_[at[1:], len(expected.ccp_alphas)] - 1
    np.testing.assert_allclose(found.ccp_alphas, expected.ccp_alphas[last], rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.impurities, expected.impurities[last], rtol=1e-8, atol=1e-10)


def test_ccp_alpha_and_another_method_contradict_each_other():
    with says(ParameterError, "ccp_alpha=0.1", "'pessimistic'"):
        CARTClassifier(ccp_alpha=0.1, pruning="pessimistic").fit(*CANCER)
    with says(ParameterError, "ccp_alpha must be a number of at least 0 or None, got -1"):
        CARTClassifier(ccp_alpha=-1).fit(*CANCER)


@every
def test_validation_rows_stop_growth_where_pruning_has_no_use_for_them(estimator):
    (X, y), (X_val, y_val) = halves(estimator)
    model = clone(estimator).set_params(pruning=None).fit(X, y, X_val=X_val, y_val=y_val)
    full = clone(estimator).set_params(pruning=None).fit(X, y)
    assert model.tree_ == full.pruned("pre_pruning", X_val=X_val, y_val=y_val).tree_
    assert model.tree_.n_leaves < full.tree_.n_leaves
    assert model.pre_pruning_report_.method == "pre_pruning"


def test_validation_rows_go_to_the_method_that_uses_them():
    (X, y), (X_val, y_val) = HALVES
    model = CARTClassifier().fit(X, y, X_val=X_val, y_val=y_val)
    assert model.pre_pruning_report_ is None
    assert model.tree_ == CARTClassifier(pruning=None).fit(X, y).pruned(
        "cost_complexity", X_val=X_val, y_val=y_val, choose="validation"
    ).tree_


def test_stopped_growth_can_still_be_pruned():
    (X, y), (X_val, y_val) = HALVES
    model = C45Classifier(pre_pruning=True).fit(X, y, X_val=X_val, y_val=y_val)
    assert model.grown_tree_ == C45Classifier(pruning=None).fit(X, y, X_val=X_val, y_val=y_val).tree_
    assert model.pruning_report_.method == "error_based"
    assert model.pre_pruning_report_.method == "pre_pruning"


@every
def test_held_out_rows_are_a_share_of_every_class_and_the_same_each_time(estimator):
    (X, y), _ = halves(estimator)
    params = {"pruning": "reduced_error", "validation_fraction": 0.3}
    model = clone(estimator).set_params(**params).fit(X, y)
    assert model.grown_tree_.count[0] == len(y) - int(0.3 * len(y))
    shuffled = np.random.default_rng(0).permutation(len(y))
    again = clone(estimator).set_params(**params).fit(X[shuffled], y[shuffled])
    assert again.tree_ == model.tree_
    if model.grown_tree_.schema.target.classes is not None:
        kept = model.grown_tree_.stats[0] / np.bincount(y)
        assert np.abs(kept - 0.7).max() < 0.01
    assert model.pruned("reduced_error", X, y).tree_ == model.tree_


def test_pruning_again_wants_the_same_rows():
    X, y = CANCER
    model = C45Classifier().fit(X, y)
    assert model.pruned("error_based").tree_ == model.tree_  # by the rows that were kept
    with says(InputError, "training rows", "pass X and y"):
        pickle.loads(pickle.dumps(model)).pruned("error_based")
    with says(InputError, "grown on 569 rows", "568"):
        model.pruned("error_based", X[1:], y[1:])
    with says(InputError, "X and y must be passed together"):
        model.pruned("error_based", X)
    assert model.pruned("error_based", X, y).tree_ == model.tree_


@pytest.mark.parametrize(
    ("params", "rows", "error", "words"),
    [
        ({"pruning": "reduced_error"}, {}, InputError, "needs validation rows"),
        ({"pre_pruning": True}, {}, InputError, "pre_pruning=True requires validation rows"),
        ({"pruning": "trim"}, {}, ParameterError, "error_based.* got 'trim'"),
        ({"pruning": 3}, {}, ParameterError, "pruning"),
        ({"pre_pruning": "yes"}, {}, ParameterError, "pre_pruning must be True, False or None, got 'yes'"),
        ({"validation_fraction": 1.5}, {}, ParameterError, "validation_fraction must be .* got 1.5"),
        ({"validation_fraction": True}, {}, ParameterError, "validation_fraction must be .* got True"),
        ({}, {"X_val": HALVES[1][0]}, InputError, "X_val and y_val must be passed together"),
        ({"validation_fraction": 0.2}, {"X_val": HALVES[1][0], "y_val": HALVES[1][1]}, ParameterError, "validation"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(params, rows, error, words):
    with pytest.raises(error, match="(?s)" + words):
        C45Classifier(**params).fit(*HALVES[0], **rows)


def test_validation_rows_are_checked_as_rows_to_be_answered_are():
    table = pd.DataFrame({"colour": ["red", "blue"] * 10, "size": range(20)})
    y = ["a", "b"] * 10
    model = C45Classifier(pruning="reduced_error")
    with says(InputError, "class 'c'", "does not occur in training"):
        model.fit(table, y, X_val=table, y_val=["a", "c"] * 10)
    with pytest.raises(ValueError, match="feature names"):
        model.fit(table, y, X_val=table.rename(columns={"size": "weight"}), y_val=y)
    with says(InputError, "y has 3"):
        model.fit(table, y, X_val=table, y_val=y[:3])


@every
def test_fitted_and_pruned_estimators_can_be_copied_and_stored(estimator):
    (X, y), (X_val, y_val) = halves(estimator)
    model = clone(estimator).set_params(pruning="reduced_error").fit(X, y, X_val=X_val, y_val=y_val)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.tree_ == model.tree_
        assert str(other.pruning_report_) == str(model.pruning_report_)
    assert clone(model.pruned("reduced_error", X_val=X_val, y_val=y_val)).pruning == prune.ReducedError()


def test_methods_can_be_searched_over():
    X, y = CANCER
    grid = {"pruning": [None, "pessimistic", prune.ErrorBased(confidence=0.1)]}
    assert GridSearchCV(C45Classifier(), grid, cv=3).fit(X, y).best_params_["pruning"] in grid["pruning"]


def test_the_weight_of_a_class_is_no_copy():
    """Copies may stand on both sides of a fold, where they would hide that the tree fits them by heart."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    y = (X[:, 0] + rng.normal(size=300) > 0.5).astype(int)
    whole, other = (CARTClassifier(class_weight={0: 1, 1: w}).fit(X, y) for w in (3, 3.001))
    assert whole.get_n_leaves() == other.get_n_leaves() < whole.grown_tree_.n_leaves / 5
    held = CARTClassifier(class_weight={0: 1, 1: 3}, pruning="reduced_error", validation_fraction=0.3).fit(X, y)
    assert held.grown_tree_.count[0] == 210


def test_rows_that_are_not_those_of_growth_are_refused():
    X, y = CANCER
    weight = np.arange(569) % 3 + 1.0
    model = C45Classifier().fit(X, y, weight)
    assert model.pruned("error_based", X, y, sample_weight=weight).tree_ == model.tree_
    with says(InputError, "weight 1137", "569", "sample_weight"):
        model.pruned("error_based", X, y)
    with says(InputError, "other targets or weights"):
        C45Classifier().fit(X, y).pruned("error_based", X, 1 - y)
    with says(InputError, "class_weight"):
        C45Classifier().fit(X, y).set_params(class_weight={0: 1, 1: 9}).pruned("error_based", X, y)


def test_folds_are_grown_as_the_tree_was():
    model = CARTClassifier().fit(*CANCER)
    again = model.set_params(max_depth=1).pruned("cost_complexity", *CANCER)
    assert str(again.pruning_report_.path) == str(model.pruning_report_.path)


@pytest.mark.parametrize(
    "given",
    [{"y_val": CANCER[1]}, {"X_val": CANCER[0]}, {"X": CANCER[0]}, {"y": CANCER[1]}, {"sample_weight": [1.0]}],
    ids=lambda given: next(iter(given)),
)
def test_half_of_what_goes_together_is_refused(given):
    model = CARTClassifier().fit(*CANCER)
    with says(InputError, "must be passed together"):
        model.pruned("mdl", **given)


def test_what_is_wrong_with_validation_rows_is_said_of_them():
    with says(InputError, "In the validation rows: ", "class 7"):
        CARTClassifier().fit(*CANCER, X_val=CANCER[0], y_val=CANCER[1] * 7)


@pytest.mark.parametrize(("factor", "word"), [(1e130, "divide"), (1e-130, "multiply")])
def test_numbers_beyond_reason_are_refused(factor, word):
    X, y = DIABETES
    with says(InputError, word, "pruning=None"):
        CARTRegressor().fit(X, y * factor)


def test_ccp_alpha_takes_the_method_it_means():
    assert CARTClassifier(pruning="cost-complexity", ccp_alpha=0.01).fit(*CANCER).get_n_leaves() > 1


def test_weights_are_copies_under_cross_validation():
    X, y = CANCER[0][:200], CANCER[1][:200]
    times = np.arange(200) % 3 + 1
    weighted = CARTClassifier().fit(X, y, sample_weight=times)
    copied = CARTClassifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighted.tree_.to_text() == copied.tree_.to_text()
