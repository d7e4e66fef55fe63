"""What wrong answers cost: in growth, in pruning and in answers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.family import says
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    InputError,
    KindError,
    ParameterError,
    TreeClassifier,
    compare_pruning,
    load,
    prune,
)

IRIS = load_iris(return_X_y=True)
KINDS = [ID3Classifier(numeric="bisect"), C45Classifier(), CARTClassifier(), TreeClassifier()]
every = pytest.mark.parametrize("estimator", KINDS, ids=lambda e: type(e).__name__)
DEAR = np.array([[0.0, 1.0], [5.0, 0.0]])
THREE = np.array([[0.0, 1.0, 9.0], [2.0, 0.0, 3.0], [1.0, 4.0, 0.0]])


def noisy(n, n_classes=2, seed=0):
    """A table whose first column says something about the class."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, size=(n, 3)).astype(float)
    y = np.minimum((X[:, 0] + rng.integers(0, 9, n)) * n_classes // 20, n_classes - 1).astype(int)
    return X, y


def same_splits(one, other):
    names = ("parent", "first_child", "column", "kind", "threshold", "table_code", "table_branch", "count")
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in names)


# Two classes: costs are weights of classes, and whole ones are copies of rows.


@every
def test_two_classes_cost_what_they_weigh(estimator):
    X, y = noisy(200)
    by_cost = clone(estimator).set_params(cost_matrix=DEAR).fit(X, y)
    n = np.bincount(y)
    factor = np.array([1.0, 5.0]) * 200 / (n @ [1.0, 5.0])
    by_weight = clone(estimator).set_params(class_weight=dict(enumerate(factor.tolist()))).fit(X, y)
    assert same_splits(by_cost.tree_, by_weight.tree_)
    assert same_splits(by_cost.grown_tree_, by_weight.grown_tree_)
    assert np.allclose(by_cost.tree_.stats, by_weight.tree_.stats, rtol=1e-12)
    assert by_cost.tree_.weight[0] == pytest.approx(200)
    assert by_cost.predict(X).tolist() == by_weight.predict(X).tolist()


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 1)), min_size=2, max_size=30),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_whole_costs_are_copies_of_rows(rows, first, second):
    X, y = np.array([row[:2] for row in rows], float), np.array([row[2] for row in rows])
    assume(len(set(y.tolist())) == 2)
    times = np.where(y == 0, first, second)
    for estimator in (CARTClassifier(pruning=None), ID3Classifier(numeric="bisect")):
        ours = clone(estimator).set_params(cost_matrix=[[0, first], [second, 0]]).fit(X, y)
        copied = clone(estimator).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        for name in ("column", "threshold", "parent"):
            mine, theirs = getattr(ours.tree_, name), getattr(copied.tree_, name)
            assert np.array_equal(mine, theirs, equal_nan=True)
        assert ours.predict(X).tolist() == copied.predict(X).tolist()


def test_scikit_learn_grows_the_same_tree_by_class_weights():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1.5).astype(int)
    ours = CARTClassifier(pruning=None, max_depth=4, cost_matrix=DEAR).fit(X, y)
    theirs = DecisionTreeClassifier(class_weight={0: 1, 1: 5}, max_depth=4, random_state=0).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()


def test_costs_multiply_weights_of_classes_and_rows():
    X, y = noisy(150)
    weight = np.random.default_rng(2).random(150)
    both = CARTClassifier(cost_matrix=DEAR, class_weight={0: 3.0, 1: 2.0}).fit(X, y, weight)
    alone = CARTClassifier(class_weight={0: 3.0, 1: 10.0}).fit(X, y, weight)
    assert same_splits(both.tree_, alone.tree_)
    assert both.predict(X).tolist() == alone.predict(X).tolist()
    total = 3.0 * weight[y == 0].sum() + 2.0 * weight[y == 1].sum()
    assert both.tree_.weight[0] == pytest.approx(total)
    # Of the two, only the costs are taken out of the probabilities.
    share = np.array([3.0, 2.0]) * np.bincount(y, weight)
    assert both.grown_tree_.value[0] == pytest.approx(share / share.sum())


# What a cost matrix says does not depend on its unit, nor on what a right answer costs.


@every
@pytest.mark.parametrize("costs", [DEAR, THREE], ids=["two", "three"])
def test_only_differences_and_ratios_of_costs_count(estimator, costs):
    X, y = noisy(150, len(costs))
    plain = clone(estimator).set_params(cost_matrix=costs).fit(X, y)
    scaled = clone(estimator).set_params(cost_matrix=4 * costs).fit(X, y)
    moved = (
        clone(estimator).set_params(cost_matrix=costs + np.arange(1.0, 1.0 + len(costs))[:, None]).fit(X, y)
    )
    for other in (scaled, moved):
        assert same_splits(other.tree_, plain.tree_)
        assert other.predict(X).tolist() == plain.predict(X).tolist()
        assert np.allclose(other.predict_proba(X), plain.predict_proba(X), rtol=1e-12)


@every
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_equal_costs_are_no_costs(estimator, n_classes):
    """A matrix that charges every wrong answer the same says nothing: the tree is that of no matrix."""
    X, y = noisy(150, n_classes)
    without = clone(estimator).fit(X, y)
    equal = clone(estimator).set_params(cost_matrix=7.0 * (1 - np.eye(n_classes))).fit(X, y)
    assert same_splits(equal.tree_, without.tree_)
    assert equal.predict(X).tolist() == without.predict(X).tolist()
    assert np.allclose(equal.predict_proba(X), without.predict_proba(X))


# Answers.


@every
def test_the_answer_is_the_cheapest_one(estimator):
    X, y = noisy(200, 3)
    model = clone(estimator).set_params(cost_matrix=THREE).fit(X, y)
    for share, answer in zip(model.predict_proba(X).tolist(), model.predict(X).tolist(), strict=True):
        expected = [sum(share[true] * THREE[true][said] for true in range(3)) for said in range(3)]
        assert expected[answer] <= min(expected) + 1e-9


@every
def test_probabilities_are_shares_of_rows_whatever_they_cost(estimator):
    X, y = noisy(200, 3)
    model = clone(estimator).set_params(cost_matrix=THREE).fit(X, y)
    leaf = model.apply(X)
    for one in np.unique(leaf):
        counts = np.bincount(y[leaf == one], minlength=3)
        assert model.predict_proba(X[leaf == one][:1])[0] == pytest.approx(counts / counts.sum())


def test_a_missing_value_is_answered_by_the_mean_of_its_leaves():
    X, y = noisy(200)
    model = C45Classifier(cost_matrix=DEAR).fit(X, y)
    row = np.array([[np.nan, 3.0, 4.0]])
    share = model.predict_proba(row)[0]
    path = model.decision_path(row).toarray()[0]
    leaves = np.flatnonzero((path > 0) & model.tree_.is_leaf)
    # Where a row goes is told by weights of growth, what a leaf says by shares of rows.
    assert path[leaves].sum() == pytest.approx(1.0)
    assert share == pytest.approx(path[leaves] @ model.tree_.value[leaves])
    assert model.predict(row)[0] == int(5 * share[1] > share[0])


# Pruning: the errors of a node are what its cheapest answer costs, in the weights of growth.


def relative(costs):
    return [[cost * (len(costs) - 1) / sum(row) for cost in row] for row in costs.tolist()]


def least_cost(weights, costs):
    """Of rows with these class weights, what the cheapest answer costs; in plain Python."""
    n = range(len(weights))
    return min(sum(weights[true] * costs[true][said] for true in n) for said in n)


def test_pessimistic_pruning_counts_costs():
    """By hand, over all nodes: E + 1/2 against the leaves below, 1/2 for each and a standard error."""
    X, y = noisy(120, 3, seed=4)
    model = TreeClassifier(cost_matrix=THREE, pruning="pessimistic", max_depth=5).fit(X, y)
    tree, costs = model.grown_tree_, relative(THREE)
    assert model.tree_.n_leaves < tree.n_leaves
    errors = [least_cost(stats, costs) for stats in tree.stats.tolist()]
    report = model.pruning_report_
    for node, leaf, subtree in zip(report.node, report.leaf, report.subtree, strict=True):
        below, waiting = [], [int(node)]
        while waiting:
            at = waiting.pop()
            children = range(int(tree.first_child[at]), int(tree.first_child[at] + tree.n_children[at]))
            below += [] if tree.n_children[at] else [at]
            waiting += list(children) if tree.n_children[at] else []
        assert leaf == pytest.approx(errors[node] + 0.5)
        assert subtree == pytest.approx(sum(errors[i] for i in below) + 0.5 * len(below))


def test_minimum_error_is_in_costs():
    """(n_i + 1) / (n + k) in the weights of growth, and the cheapest answer by that."""
    X, y = noisy(120, 3, seed=4)
    model = TreeClassifier(cost_matrix=THREE, pruning="minimum_error").fit(X, y)
    report, tree, costs = model.pruning_report_, model.grown_tree_, relative(THREE)
    for node, leaf in zip(report.node.tolist(), report.leaf.tolist(), strict=True):
        weights = tree.stats[node].tolist()
        shares = [(w + 1) / (sum(weights) + 3) for w in weights]
        assert leaf == pytest.approx(least_cost(shares, costs))


def test_the_report_of_cost_complexity_is_in_costs():
    X, y = noisy(150, 3, seed=2)
    model = CARTClassifier(cost_matrix=THREE, pruning=prune.CostComplexity(alpha=0.01)).fit(X, y)
    report, tree, costs = model.pruning_report_, model.grown_tree_, relative(THREE)
    for node, leaf in zip(report.node.tolist(), report.leaf.tolist(), strict=True):
        assert leaf == pytest.approx(least_cost(tree.stats[node].tolist(), costs) / 150 + 0.01)
    assert report.path.root_risk == pytest.approx(least_cost(tree.stats[0].tolist(), costs) / 150)


def test_cross_validation_of_cost_complexity_is_in_costs():
    """Five folds by hand: every tree of the path, asked about the rows left out, in the weights of growth."""
    from treewright.data.folds import folds
    from treewright.estimators.class_probabilities import read_cost_matrix

    X, y = noisy(90, 3, seed=6)
    model = CARTClassifier(cost_matrix=THREE, pruning=prune.CostComplexity(folds=5)).fit(X, y)
    path, costs = model.pruning_report_.path, np.array(relative(THREE))
    means = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)
    lost = np.zeros(len(means))
    assert read_cost_matrix(THREE, model._kept.schema.target).tolist() == THREE.tolist()
    for training, held in folds(model._kept, 5):
        weight = dict(zip(training.target.tolist(), training.weight.tolist(), strict=True))
        part = CARTClassifier(pruning=None, class_weight=weight).fit(training.values, training.target)
        grown = part.tree_
        for i, alpha in enumerate(means):
            # Of all trees by weakest links in costs, the one at alpha, found by brute force from the bottom up.
            risk, leaves, stop = {}, {}, set()
            for node in range(grown.n_nodes - 1, -1, -1):
                own = least_cost(grown.stats[node].tolist(), costs.tolist()) / grown.weight[0]
                first, n = int(grown.first_child[node]), int(grown.n_children[node])
                below = range(first, first + n)
                risk[node], leaves[node] = sum(risk[b] for b in below), sum(leaves[b] for b in below)
                price = alpha if np.isfinite(alpha) else 1e9
                if n == 0 or own + price <= (risk[node] + price * leaves[node]) * (1 + 1e-9):
                    risk[node], leaves[node] = own, 1
                    stop.add(node)
            for row, true, w in zip(held.values, held.target.tolist(), held.weight.tolist(), strict=True):
                at = 0
                while at not in stop:
                    at = int(grown.first_child[at]) + int(row[grown.column[at]] > grown.threshold[at])
                expected = grown.stats[at] @ costs
                said = int((expected <= expected.min() * (1 + 1e-9)).argmax())
                lost[i] += w * costs[true, said]
    assert path.error == pytest.approx(lost / 90)


def test_raising_counts_costs_as_the_slow_twin_does():
    from tests.oracles.compare import describe
    from tests.oracles.raising import Pruning, Settings, estimated
    from treewright.prune.report import VERDICTS

    class Priced(Pruning):
        def as_leaf(self, rows):
            by_class = self.classes(rows)
            weights = [by_class.get(k, 0.0) for k in range(3)]
            return estimated(sum(weights), least_cost(weights, relative(THREE)), self.settings)

    raised = 0
    for seed, holes in ((1, 0.0), (2, 0.0), (3, 0.0), (4, 0.1), (5, 0.1)):
        X, y = noisy(70, 3, seed)
        X[np.random.default_rng(seed).random(X.shape) < holes] = np.nan
        model = C45Classifier(cost_matrix=THREE, variant="textbook").fit(X, y)
        rows, report = model._kept, model.pruning_report_
        cells = [[None if v != v else v for v in cells] for cells in rows.values.tolist()]
        settled = Settings(limit="exact", missing="fractional", row=1.0)
        run = Priced(describe(model.grown_tree_), cells, rows.target.tolist(), settled)
        run.prune(rows.weight.tolist())
        assert set(report.node.tolist()) == set(run.decisions)
        for k, node in enumerate(report.node.tolist()):
            told = run.decisions[node]
            assert VERDICTS[report.verdict[k]] == told.verdict
            assert [report.leaf[k], report.subtree[k]] == pytest.approx([told.leaf, told.subtree], rel=1e-9)
            raised += told.verdict == "raised"
    assert raised


def test_validation_rows_weigh_as_training_rows_do():
    X, y = noisy(300, 3, seed=7)
    model = CARTClassifier(cost_matrix=THREE, pruning="reduced_error")
    model.fit(X[::2], y[::2], X_val=X[1::2], y_val=y[1::2])
    report, factor = model.pruning_report_, model.tree_.prediction_rule.factors
    node = int(report.node[-1])
    assert node == 0
    said = int(np.argmin(model.grown_tree_.value[0] @ THREE))
    costs = relative(THREE)
    assert report.leaf[-1] == pytest.approx(sum(factor[true] * costs[true][said] for true in y[1::2]))


@every
def test_joined_leaves_give_one_decision(estimator):
    X, y = noisy(200, 3)
    full = clone(estimator).set_params(cost_matrix=THREE, pruning=None).fit(X, y)
    joined = full.pruned("same_decision", X, y)
    # C4.5 has taken back such splits after growth already.
    assert joined.tree_.n_leaves < full.tree_.n_leaves or isinstance(estimator, C45Classifier)
    assert joined.predict(X).tolist() == full.predict(X).tolist()


def test_splits_are_taken_back_by_costs():
    """Two leaves of the same majority whose cheapest answers differ are worth their split, in C4.5 too."""
    counts = np.array([[12, 17, 19], [1, 1, 10]])
    costs = np.array([[0, 5, 7], [3, 0, 7], [4, 9, 0]])
    X, y = (
        np.repeat([[0.0], [1.0]], counts.sum(axis=1), axis=0),
        np.repeat([0, 1, 2, 0, 1, 2], counts.ravel()),
    )
    weight = costs.sum(axis=1)
    assert (counts * weight).argmax(axis=1).tolist() == [2, 2]
    assert (
        C45Classifier(pruning=None, class_weight=dict(enumerate(weight / 10))).fit(X, y).get_n_leaves() == 1
    )
    cheapest = (counts @ costs).argmin(axis=1)
    assert cheapest[0] != cheapest[1]
    model = C45Classifier(pruning=None, cost_matrix=costs).fit(X, y)
    assert model.predict([[0.0], [1.0]]).tolist() == cheapest.tolist()


def test_a_methods_own_matrix_wins_over_the_trees():
    X, y = noisy(150, 3)
    own = prune.CostComplexity(alpha=0.02, cost_matrix=THREE.T)
    model = CARTClassifier(cost_matrix=THREE, pruning=own).fit(X, y)
    counts = np.bincount(y, minlength=3)
    assert model.pruning_report_.path.root_risk == pytest.approx((counts @ THREE.T).min() / 150)


# Reading.


def test_a_matrix_by_name_in_order_or_in_a_frame():
    X, y = noisy(100)
    words = np.where(y == 0, "good", "bad")
    frame = pd.DataFrame([[0, 5], [1, 0]], index=["bad", "good"], columns=["bad", "good"])
    forms = [{"bad": {"good": 5}}, frame, [[0, 5], [1, 0]], frame.to_numpy()]
    models = [CARTClassifier(cost_matrix=form).fit(X, words) for form in forms]
    assert len({model.tree_.fingerprint() for model in models}) == 1
    assert models[0].tree_.prediction_rule.costs == ((0.0, 5.0), (1.0, 0.0))


@pytest.mark.parametrize(
    ("costs", "error", "words"),
    [
        (
            [[0, 1], [0, 0]],
            ParameterError,
            "cost_matrix has 0 for predicting 0 and 0 for predicting 1 when 1 is true",
        ),
        (
            [[2, 1], [1, 0]],
            ParameterError,
            "cost_matrix has 1 for predicting 1 and 2 for predicting 0 when 0 is true",
        ),
        (
            [[0, -1], [1, 0]],
            ParameterError,
            "numbers of at least 0, got -1 for true class 0 and predicted class 1",
        ),
        (
            [[0, np.nan], [1, 0]],
            ParameterError,
            "numbers of at least 0, got nan for true class 0 and predicted class 1",
        ),
        ([[0, np.inf], [1, 0]], ParameterError, "`cost_matrix` must have numbers of at least 0, got inf"),
        (
            np.ones((3, 3)),
            ParameterError,
            "`cost_matrix` must be 2 by 2, with true classes as rows and predicted classes as columns, "
            "got 3 by 3",
        ),
        ({2: {0: 1}}, InputError, "`cost_matrix` has the unknown class 2; the classes are 0, 1"),
        ("five", KindError, "`cost_matrix` of type str cannot be converted to numbers"),
    ],
)
def test_a_bad_matrix_is_refused_in_a_sentence(costs, error, words):
    X, y = noisy(50)
    with says(error, words):
        CARTClassifier(cost_matrix=costs).fit(X, y)


def test_one_class_costs_nothing():
    model = CARTClassifier(cost_matrix=[[0]]).fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[3.0]]).tolist() == ["a"]
    assert model.tree_.prediction_rule.is_default


def test_regressors_have_no_costs():
    assert "cost_matrix" not in CARTRegressor().get_params()


# A fitted model.


@every
def test_a_fitted_model_travels(estimator, tmp_path):
    X, y = noisy(120, 3)
    model = clone(estimator).set_params(cost_matrix=pd.DataFrame(THREE)).fit(X, y)
    model.save(tmp_path / "model.json", rows=True)
    for other in (load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert other.tree_ == model.tree_
        assert other.tree_.prediction_rule == model.tree_.prediction_rule
        assert other.predict(X).tolist() == model.predict(X).tolist()
        assert other.predict_proba(X).tolist() == model.predict_proba(X).tolist()
        again = other.pruned("pessimistic", X, y)
        assert again.tree_ == model.pruned("pessimistic", X, y).tree_


def test_what_is_pruned_again_has_the_same_costs():
    X, y = noisy(200, 3)
    full = CARTClassifier(cost_matrix=THREE, pruning=None).fit(X, y)
    again = full.set_params(cost_matrix=None).pruned("cost_complexity", X, y)
    assert again.tree_ == CARTClassifier(cost_matrix=THREE).fit(X, y).tree_
    assert again.tree_.prediction_rule == full.tree_.prediction_rule


def test_trees_on_drawn_rows_answer_by_costs_too():
    """Trees of one decision agree with a tree of the same costs; without the costs they would not."""
    X = np.repeat([[0.0], [1.0]], 100, axis=0)
    y = np.repeat([0, 1, 0, 1], [70, 30, 60, 40])
    dear = [[0, 1], [9, 0]]
    found = CARTClassifier(cost_matrix=dear, probability="laplace").fit(X, y).stability(n=5)
    assert found.agreement == (1.0,) * 5


def test_methods_compared_are_judged_by_costs():
    X, y = noisy(150, 3)
    table = compare_pruning(CARTClassifier(cost_matrix=THREE), X, y, methods=["pessimistic"], folds=None)
    assert table.unit == "mean cost of a prediction"
    model = CARTClassifier(cost_matrix=THREE, pruning="pessimistic").fit(X, y)
    assert table.rows[1].training_error == pytest.approx(THREE[y, model.predict(X)].mean())


def test_no_costs_is_exactly_as_before():
    X, y = IRIS
    assert CARTClassifier().fit(X, y).tree_.prediction_rule.is_default
    assert CARTClassifier().fit(X, y).smoothing_ == 0.0
