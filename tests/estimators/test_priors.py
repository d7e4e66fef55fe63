"""Priors: the shares of the classes where a tree is to be used."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from tests.estimators.family import says
from tests.estimators.test_class_probabilities import every, noisy, same_splits
from treewright import CARTClassifier, CARTRegressor, ID3Classifier, InputError, ParameterError, load, prune

# rpart 4.1.19 on its table of kyphosis, 64 absent and 17 present: rpart(Kyphosis ~ Age + Number + Start,
# parms = list(prior = c(.65, .35), split = "information")). node: (rows, loss, yprob)
PRIORS = {"absent": 0.65, "present": 0.35}
INFORMATION = {
    1: (81, 28.350000, (0.65000000, 0.35000000)),
    2: (46, 3.335294, (0.91563089, 0.08436911)),
    3: (35, 16.453120, (0.39676840, 0.60323160)),
    6: (10, 1.667647, (0.81616742, 0.18383258)),
    7: (25, 9.049219, (0.27932897, 0.72067103)),
}
# The same with parms = list(loss = matrix(c(0, 3, 4, 0), 2)): an absent one answered present costs 4.
LOSS = {
    1: (81, 51, (0.79012346, 0.20987654)),
    2: (62, 18, (0.90322581, 0.09677419)),
    3: (19, 32, (0.42105263, 0.57894737)),
}
RPART = {"min_samples_split": 20, "min_samples_leaf": 7}


@pytest.fixture(scope="module")
def kyphosis(shared):
    table = pd.read_csv(shared / "data" / "rpart_kyphosis.csv")
    return table.drop(columns="Kyphosis"), table["Kyphosis"]


def rpart_nodes(tree, low_is_right):
    """Our nodes by rpart's numbers; `low_is_right` are the columns whose low side rpart puts on the right."""
    numbers = {0: 1}
    for node in range(tree.n_nodes):
        if tree.n_children[node]:
            first = int(tree.first_child[node])
            low = tree.schema.columns[int(tree.column[node])].name in low_is_right
            numbers[first], numbers[first + 1] = 2 * numbers[node] + low, 2 * numbers[node] + 1 - low
    return {number: node for node, number in numbers.items()}


def test_rpart_has_the_same_tree_by_priors(kyphosis):
    model = CARTClassifier(criterion="entropy", priors=PRIORS, pruning=prune.CostComplexity(cp=0.01), **RPART)
    tree = model.fit(*kyphosis).tree_
    found = rpart_nodes(tree, {"Start"})
    assert sorted(found) == sorted(INFORMATION)
    for number, (rows, loss, share) in INFORMATION.items():
        node = found[number]
        assert tree.count[node] == rows
        assert tree.value[node].tolist() == pytest.approx(share, abs=5e-9)
        assert tree.weight[node] - tree.stats[node].max() == pytest.approx(loss, rel=1e-6)
    path = model.pruning_report_.path
    risk = (path.risk / path.root_risk).tolist()
    assert [r for r in risk if r > 0.4956669] == pytest.approx([0.4956670, 0.6980042, 1.0], abs=1e-7)


def test_rpart_has_the_same_tree_by_losses(kyphosis):
    costs = {"absent": {"present": 4}, "present": {"absent": 3}}
    model = CARTClassifier(cost_matrix=costs, pruning=prune.CostComplexity(cp=0.01), **RPART).fit(*kyphosis)
    tree = model.tree_
    found = rpart_nodes(tree, {"Start"})
    assert sorted(found) == sorted(LOSS)
    said = np.array([[0, 4], [3, 0]])
    for number, (rows, loss, share) in LOSS.items():
        node = found[number]
        assert tree.count[node] == rows
        assert tree.value[node].tolist() == pytest.approx(share, abs=5e-9)
        assert rows * (tree.value[node] @ said).min() == pytest.approx(loss)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 1)), min_size=2, max_size=25),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_whole_factors_are_copies_of_rows(rows, first, second):
    """Priors are in proportion to the rows there would be: of so many copies of each."""
    X, y = np.array([row[:2] for row in rows], float), np.array([row[2] for row in rows])
    assume(len(set(y.tolist())) == 2)
    times = np.where(y == 0, first, second)
    n = np.bincount(y, times)
    for estimator in (CARTClassifier(pruning=None), ID3Classifier(numeric="bisect")):
        ours = clone(estimator).set_params(priors=n).fit(X, y)
        copied = clone(estimator).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        assert np.array_equal(ours.tree_.threshold, copied.tree_.threshold, equal_nan=True)
        assert ours.tree_.column.tolist() == copied.tree_.column.tolist()
        assert ours.predict_proba(X) == pytest.approx(copied.predict_proba(X))


@every
def test_equal_priors_are_balanced_classes(estimator):
    X, y = noisy(200, 3)
    equal = clone(estimator).set_params(priors="equal").fit(X, y)
    balanced = clone(estimator).set_params(class_weight="balanced").fit(X, y)
    assert same_splits(equal.tree_, balanced.tree_)
    assert equal.predict_proba(X) == pytest.approx(balanced.predict_proba(X))


@every
def test_the_root_has_the_priors_and_the_weight_of_the_rows(estimator):
    X, y = noisy(200, 3)
    model = clone(estimator).set_params(priors={0: 5, 1: 3, 2: 2}).fit(X, y)
    assert model.grown_tree_.value[0] == pytest.approx([0.5, 0.3, 0.2])
    assert model.grown_tree_.weight[0] == pytest.approx(200)


def test_priors_weigh_what_the_rows_weigh():
    X, y = noisy(100)
    weight = np.random.default_rng(0).random(100)
    model = CARTClassifier(priors=[1, 3], pruning=None).fit(X, y, weight)
    assert model.tree_.value[0] == pytest.approx([0.25, 0.75])
    assert model.tree_.weight[0] == pytest.approx(weight.sum())


def test_priors_and_costs_go_together():
    """As in rpart: the altered priors are in proportion to prior times cost."""
    X, y = noisy(200)
    both = CARTClassifier(priors=[2, 1], cost_matrix=[[0, 1], [6, 0]]).fit(X, y)
    alone = CARTClassifier(priors=[2, 6]).fit(X, y)
    assert same_splits(both.tree_, alone.tree_)
    assert both.predict(X).tolist() == alone.predict(X).tolist()
    assert both.tree_.value[0] == pytest.approx([2 / 3, 1 / 3])


@pytest.mark.parametrize(
    ("priors", "error", "words"),
    [
        ("balanced", ParameterError, "priors must be 'equal', a mapping .*, got 'balanced'"),
        (3, ParameterError, "priors must be .*, got 3"),
        ([0.5, 0.3, 0.2], ParameterError, "priors must have a number for each of the 2 classes, got 3"),
        ([1, 0], ParameterError, "The prior of each class must be above 0, got 0 for 1"),
        ([1, -1], ParameterError, "`priors` must be numbers of at least 0, got -1 for class 1"),
        ([1, np.nan], ParameterError, "`priors` must be numbers of at least 0, got nan for class 1"),
        ({0: 1}, ParameterError, "`priors` has no entry for class 1"),
        ({0: 1, 1: 1, 2: 1}, InputError, "`priors` has the unknown class 2"),
    ],
)
def test_bad_priors_are_refused_in_a_sentence(priors, error, words):
    X, y = noisy(50)
    with says(error, words):
        CARTClassifier(priors=priors).fit(X, y)


def test_priors_take_the_place_of_class_weights():
    X, y = noisy(50)
    with says(ParameterError, "priors and class_weight cannot be combined", "set one of the two"):
        CARTClassifier(priors="equal", class_weight="balanced").fit(X, y)
    assert "priors" not in CARTRegressor().get_params()


@every
def test_a_fitted_model_travels(estimator, tmp_path):
    X, y = noisy(120)
    model = clone(estimator).set_params(priors=pd.Series([3.0, 1.0], index=[1, 0])).fit(X, y)
    assert model.grown_tree_.value[0] == pytest.approx([0.25, 0.75])
    model.save(tmp_path / "model.json", rows=True)
    again = load(tmp_path / "model.json")
    assert again.priors == {0: 1.0, 1: 3.0}
    for other in (again, pickle.loads(pickle.dumps(model))):
        assert other.tree_ == model.tree_
        assert other.pruned("pessimistic", X, y).tree_ == model.pruned("pessimistic", X, y).tree_
