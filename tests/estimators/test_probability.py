"""How class weights become probabilities, by the parameters of an estimator."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from tests.estimators.family import says
from tests.estimators.test_class_probabilities import THREE, every, noisy, same_splits
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    InputError,
    ParameterError,
    TreeClassifier,
    load,
)
from treewright.data.folds import folds
from treewright.estimators.class_probabilities import AMOUNTS, shrinkage_losses
from treewright.model.prediction_rule import PredictionRule

PROBABILITIES = ("laplace", "m-estimate", "shrinkage")


def by_hand(model, probability, amount):
    """The probabilities of all nodes, from counts of rows alone, in plain Python."""
    tree = model.tree_
    factor = tree.prediction_rule.factors or [1.0] * tree.stats.shape[1]
    counts = [[w / f for w, f in zip(stats, factor, strict=True)] for stats in tree.stats.tolist()]
    found = []
    for node, own in enumerate(counts):
        n, k = sum(own), len(own)
        root = [w / sum(counts[0]) for w in counts[0]]
        if probability == "laplace":
            found.append([(w + 1) / (n + k) for w in own])
        elif probability == "m-estimate":
            found.append([(w + amount * p) / (n + amount) for w, p in zip(own, root, strict=True)])
        elif node == 0:
            found.append(root)
        else:
            up = int(tree.parent[node])
            above = sum(counts[up])
            part = 1 + amount / above
            found.append([h + (w / n - v / above) / part for h, w, v in zip(found[up], own, counts[up], strict=True)])
    return found


@every
@pytest.mark.parametrize("probability", PROBABILITIES)
@pytest.mark.parametrize("costs", [None, THREE], ids=["plain", "costs"])
def test_each_estimate_is_its_formula(estimator, probability, costs):
    X, y = noisy(150, 3)
    amount = None if probability == "laplace" else 7.5
    model = clone(estimator).set_params(probability=probability, smoothing=amount, cost_matrix=costs).fit(X, y)
    assert model.tree_.value == pytest.approx(np.array(by_hand(model, probability, amount)))
    assert model.smoothing_ == (amount or 0.0)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1.0)
    # Growth and pruning know nothing of it.
    plain = clone(estimator).set_params(cost_matrix=costs).fit(X, y)
    assert same_splits(model.tree_, plain.tree_)
    assert model.grown_tree_ == plain.grown_tree_
    assert model.grown_tree_.prediction_rule.probability == "frequency"


def test_m_is_2_unless_it_is_said():
    X, y = noisy(100)
    model = CARTClassifier(probability="m-estimate", pruning=None).fit(X, y)
    assert model.smoothing_ == 2.0
    assert model.tree_.value == pytest.approx(np.array(by_hand(model, "m-estimate", 2.0)))


def test_rows_count_by_their_mean_weight():
    """Weights that sum to 1 are smoothed as the same table without weights is."""
    X, y = noisy(100)
    for probability in PROBABILITIES:
        one = TreeClassifier(probability=probability).fit(X, y)
        other = TreeClassifier(probability=probability).fit(X, y, np.full(100, 0.01))
        assert other.smoothing_ == one.smoothing_
        assert other.predict_proba(X) == pytest.approx(one.predict_proba(X))


def log_loss(share, y, weight):
    return -float(weight @ np.log(np.clip(share[np.arange(len(y)), y], 1e-15, 1.0)))


@pytest.mark.parametrize("estimator", [C45Classifier(), TreeClassifier()], ids=["c45", "tree"])
def test_the_amount_of_shrinkage_is_that_of_least_log_loss(estimator):
    """Five folds by hand: a model of each amount is fitted on four parts and asked about the fifth."""
    X, y = noisy(160, 3, seed=5)
    X[::11, 0] = np.nan
    chosen = clone(estimator).set_params(probability="shrinkage").fit(X, y)
    lost = np.zeros(len(AMOUNTS))
    for training, held in folds(chosen._kept, 5):
        for i, amount in enumerate(AMOUNTS):
            one = clone(estimator).set_params(probability="shrinkage", smoothing=amount)
            one.fit(training.values, training.target)
            lost[i] += log_loss(one.predict_proba(held.values), held.target, np.ones(held.n_rows))
    assert chosen.smoothing_ == AMOUNTS[int(lost.argmin())]
    assert chosen.smoothing_ > 0
    told = clone(estimator).set_params(probability="shrinkage", smoothing=chosen.smoothing_).fit(X, y)
    assert told.tree_ == chosen.tree_


def test_losses_of_all_amounts_are_those_of_each():
    X, y = noisy(200, 3)
    X[::7, 0] = np.nan
    model = C45Classifier(pruning=None).fit(X, y, np.random.default_rng(1).random(200))
    rows, rule = model._kept, model._prediction_policy().rule
    found = shrinkage_losses(model.tree_, rows, rule, PredictionRule("shrinkage", row_weight=0.5), AMOUNTS)
    for amount, loss in zip(AMOUNTS, found.tolist(), strict=True):
        from treewright.model.prediction_rule import with_prediction_rule
        from treewright.predict.predictions import predict_probabilities

        tree = with_prediction_rule(model.tree_, PredictionRule("shrinkage", amount=amount, row_weight=0.5))
        assert loss == pytest.approx(log_loss(predict_probabilities(tree, rows.values, rule), rows.target, rows.weight))


def test_the_order_of_rows_does_not_matter():
    X, y = noisy(160, 3, seed=5)
    order = np.random.default_rng(0).permutation(160)
    one, other = (TreeClassifier(probability="shrinkage").fit(X[at], y[at]) for at in (np.arange(160), order))
    assert one.smoothing_ == other.smoothing_


def test_a_tree_without_a_split_needs_no_shrinkage():
    model = CARTClassifier(probability="shrinkage").fit([[1.0], [1.0]], [0, 1])
    assert model.smoothing_ == 0.0
    assert CARTClassifier(probability="shrinkage").fit([[1.0]], [0]).predict_proba([[1.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"probability": "laplase"}, "probability must be one of .*, got 'laplase'"),
        ({"smoothing": 2}, "smoothing must be None with probability='frequency', got 2"),
        ({"probability": "laplace", "smoothing": 1}, "smoothing must be None with probability='laplace', got 1"),
        ({"probability": "m-estimate", "smoothing": -1}, "smoothing must be m, .*, got -1"),
        ({"probability": "shrinkage", "smoothing": "much"}, "smoothing must be lambda, .*, got 'much'"),
        ({"probability": "shrinkage", "smoothing": np.inf}, "smoothing must be .* got inf"),
    ],
)
def test_bad_parameters_are_refused_in_a_sentence(parameters, words):
    with says(ParameterError, words):
        CARTClassifier(**parameters).fit(*noisy(30))


def test_regressors_have_no_probabilities():
    assert "probability" not in CARTRegressor().get_params()


@every
@pytest.mark.parametrize("probability", PROBABILITIES)
def test_a_fitted_model_travels(estimator, probability, tmp_path):
    X, y = noisy(120, 3)
    model = clone(estimator).set_params(probability=probability, pruning=None).fit(X, y)
    model.save(tmp_path / "model.json")
    for other in (load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert other.tree_ == model.tree_
        assert other.grown_tree_ == model.grown_tree_
        assert other.smoothing_ == model.smoothing_
        assert other.predict_proba(X).tolist() == model.predict_proba(X).tolist()


def test_pruned_again_it_is_smoothed_as_it_says():
    X, y = noisy(150, 3)
    full = CARTClassifier(probability="shrinkage", pruning=None).fit(X, y)
    again = full.pruned("cost_complexity", X, y)
    fresh = CARTClassifier(probability="shrinkage").fit(X, y)
    assert again.tree_ == fresh.tree_
    stored = pickle.loads(pickle.dumps(full))
    with says(InputError, "requires the training rows", "pass X and y, or set smoothing"):
        stored.pruned("pessimistic")
    assert stored.set_params(smoothing=3.0).pruned("pessimistic").smoothing_ == 3.0


def test_scikit_learn_searches_it():
    X, y = noisy(90, 3)
    search = GridSearchCV(CARTClassifier(pruning=None, probability="shrinkage"), {"smoothing": [1.0, 20.0]}, cv=3)
    assert search.fit(X, y).best_params_["smoothing"] in (1.0, 20.0)
