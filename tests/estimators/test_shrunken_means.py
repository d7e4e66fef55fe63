"""Shrunken means of regression trees: values from their definition, lambda chosen by brute force, and invariants."""

import json
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import treewright
from tests.page.tables import mixed
from treewright import CARTRegressor, MDLTreeRegressor, ParameterError, TreeRegressor
from treewright.data.folds import folds
from treewright.estimators.class_probabilities import AMOUNTS
from treewright.estimators.shrunken_means import N_FOLDS
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.routing import route_rows
from treewright.prune.losses import training_losses

MODELS = {
    "cart": CARTRegressor(max_depth=5, pruning=None),
    "pruned": CARTRegressor(min_samples_leaf=2),
    "fractional": TreeRegressor(missing="fractional", max_depth=5),
    "branches": TreeRegressor(missing="branch", grouping="each", min_samples_leaf=2),
    "stop": TreeRegressor(missing="stop", max_depth=5),
    "mdl": MDLTreeRegressor(),
    "medians": CARTRegressor(criterion="absolute_error", max_depth=4, pruning=None),
    "rates": CARTRegressor(criterion="poisson", max_depth=4, pruning=None),
}
every = pytest.mark.parametrize("name", MODELS)


def table(seed=0, n=120, weighted=False):
    X, _, y = mixed(seed=seed, n=n, noise=0.1, holes=0.1)
    weight = np.random.default_rng(seed).uniform(0.5, 3.0, n) if weighted else None
    return X, np.abs(np.asarray(y, float)), weight


def numbers(seed=0, n=90):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    return X, (2.0 * (X[:, 0] > 0) + X[:, 1] + rng.normal(size=n)).round(2) + 8.0


def slow_values(tree, amount, row_weight):
    """The number of each node, from the definition of hierarchical shrinkage."""
    found = []
    for i in range(tree.n_nodes):
        above = int(tree.parent[i])
        if i == 0:
            found.append(float(tree.stats[0, 1]))
        elif tree.weight[i] == 0:
            found.append(found[above])
        else:
            step = float(tree.stats[i, 1]) - float(tree.stats[above, 1])
            found.append(found[above] + step / (1 + amount / (float(tree.weight[above]) / row_weight)))
    return np.array(found)


@every
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_those_of_the_definition(name, weighted):
    X, y, weight = table(weighted=weighted)
    model = clone(MODELS[name]).set_params(smoothing=7.5).fit(X, y, weight)
    plain = clone(MODELS[name]).set_params(smoothing=None).fit(X, y, weight)
    row = 1.0 if weight is None else weight.mean()
    tree = model.tree_
    assert tree.n_nodes > 3
    assert model.smoothing_ == 7.5
    np.testing.assert_allclose(tree.value[:, 0], slow_values(tree, 7.5, row), rtol=1e-12)
    assert np.array_equal(tree.stats, plain.tree_.stats)  # growth and pruning do not depend on it
    assert model.grown_tree_ == plain.grown_tree_
    assert tree.value[0] == plain.tree_.value[0]
    mean = plain.tree_.value[:, 0]
    assert (tree.value >= mean.min() * (1 - 1e-12)).all()
    assert (tree.value <= mean.max() * (1 + 1e-12)).all()


@every
def test_without_rows_of_lambda_nothing_changes_and_with_many_only_the_root_counts(name):
    X, y, _ = table(1)
    plain = clone(MODELS[name]).set_params(smoothing=None).fit(X, y)
    zero = clone(MODELS[name]).set_params(smoothing=0).fit(X, y)
    assert zero.tree_ == plain.tree_
    assert zero.tree_.prediction_rule.is_default
    as_zero = with_prediction_rule(plain.tree_, PredictionRule("shrinkage", 0.0))
    assert as_zero.value.tobytes() == plain.tree_.value.tobytes()
    assert with_prediction_rule(as_zero, PredictionRule()) == plain.tree_
    huge = clone(MODELS[name]).set_params(smoothing=1e15).fit(X, y)
    np.testing.assert_allclose(huge.predict(X), plain.tree_.value[0, 0], rtol=1e-9)


@pytest.mark.parametrize("how", ["mdl", "pruned", "medians", "rates"])
@pytest.mark.parametrize("seed", range(2))
def test_lambda_is_that_of_the_least_loss_on_held_out_rows(how, seed):
    X, y = numbers(seed)
    y = y if how == "rates" else np.sinh(y - 8.0)  # leaves of folds differ in size
    model = clone(MODELS[how]).set_params(smoothing="auto").fit(X, y)
    total = np.zeros(len(AMOUNTS))
    for training, held_out in folds(model._kept, N_FOLDS):
        for i, amount in enumerate(AMOUNTS):
            part = clone(MODELS[how]).set_params(smoothing=amount).fit(training.values, training.target)
            predicted, true = part.predict(held_out.values), held_out.target
            if how == "medians":
                total[i] += np.abs(predicted - true).sum()
            elif how == "rates":
                total[i] += (true * np.log(true / predicted) - true + predicted).sum()
            else:
                total[i] += ((predicted - true) ** 2).sum()
    assert model.smoothing_ == AMOUNTS[int((total <= total.min() * (1 + 1e-9)).argmax())]


def test_lambda_depends_neither_on_the_order_of_rows_nor_on_threads_and_copies_are_weights():
    X, y = numbers(3)
    model = MDLTreeRegressor().fit(X, y)
    assert model.smoothing_ > 0
    order = np.random.default_rng(0).permutation(len(y))
    assert MDLTreeRegressor(n_jobs=2).fit(X[order], y[order]).tree_ == model.tree_
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    copies = MDLTreeRegressor().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    weighted = MDLTreeRegressor().fit(X, y, weight)
    assert weighted.smoothing_ == copies.smoothing_
    np.testing.assert_allclose(weighted.predict(X), copies.predict(X), rtol=1e-12)
    scaled = MDLTreeRegressor(smoothing=4.0).fit(X, y, np.full(len(y), 0.3))
    np.testing.assert_allclose(scaled.predict(X), MDLTreeRegressor(smoothing=4.0).fit(X, y).predict(X), rtol=1e-12)


def test_targets_of_any_size_and_few_rows_have_a_lambda():
    X, y = numbers(4)
    model = MDLTreeRegressor().fit(X, y)
    for scale in (2.0**300, 2.0**-300):
        assert MDLTreeRegressor().fit(X, y * scale).smoothing_ == model.smoothing_
    assert MDLTreeRegressor().fit([[1.0]], [3.0]).predict([[2.0]]).tolist() == [3.0]
    assert MDLTreeRegressor().fit([[1.0], [2.0]], [3.0, 3.0]).smoothing_ == 0.0
    small = TreeRegressor(smoothing="auto").fit([[1.0], [2.0]], [3.0, 4.0])
    assert small.tree_.n_leaves == 2


@every
def test_one_row_is_predicted_as_in_the_table(name):
    X, y, _ = table(2)
    model = clone(MODELS[name]).set_params(smoothing=20.0).fit(X, y)
    asked, whole = X.iloc[:25], model.predict(X.iloc[:25])
    assert [model.predict(asked.iloc[[i]])[0] for i in range(25)] == whole.tolist()
    assert model.rules().predict(asked).tolist() == whole.tolist()
    for i in range(5):
        assert model.explain(asked.iloc[[i]]).prediction == pytest.approx(whole[i], rel=1e-12)


@pytest.mark.parametrize("name", ["cart", "branches", "stop", "medians", "rates"])
def test_training_losses_are_those_of_the_predictions(name):
    X, y, weight = table(5, weighted=True)
    model = clone(MODELS[name]).set_params(smoothing=20.0).fit(X, y, weight)
    tree, rows = model.tree_, model._kept
    losses, leaf, staying = training_losses(tree), np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    if name == "medians":  # unknown
        assert np.array_equal(losses.leaf, tree.stats[:, 2])
        return
    nodes, divided = route_rows(tree, rows.values, MissingPolicy())
    assert not len(divided)
    for end, true, own in zip(nodes.tolist(), y.tolist(), weight.tolist(), strict=True):
        node = end
        while node >= 0:
            value = tree.value[node, 0]
            apart = (true - value) ** 2
            if name == "rates":
                apart = (true * np.log(true / value) if true > 0 else 0.0) - true + value
            leaf[node] += own * apart
            if node == end and not tree.is_leaf[node]:
                staying[node] += own * apart
            node = int(tree.parent[node])
    np.testing.assert_allclose(losses.leaf, leaf, rtol=1e-9)
    np.testing.assert_allclose(losses.staying, staying, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("smoothing", [3.0, "auto"])
def test_a_monotone_tree_stays_monotone(smoothing):
    for seed in range(6):
        X, y = numbers(seed)
        model = CARTRegressor(pruning=None, monotonic_cst=[1, -1, 0], smoothing=smoothing).fit(X, y)
        for column, sense in ((0, 1), (1, -1)):
            for row in X[:10]:
                moved = np.repeat(row[None, :], 40, axis=0)
                moved[:, column] = np.linspace(-3, 3, 40)
                assert (np.diff(model.predict(moved)) * sense >= -1e-12).all()


@pytest.mark.parametrize("smoothing", [5, "auto"])
def test_a_fitted_model_travels_in_a_file_of_version_2(smoothing, tmp_path):
    X, y, weight = table(6, weighted=True)
    model = MDLTreeRegressor(smoothing=smoothing).fit(X, y, weight)
    path = tmp_path / "model.json"
    model.save(path, rows=True, ledgers=True)
    assert json.loads(path.read_bytes())["version"] == 2
    for other in (treewright.load(path), pickle.loads(pickle.dumps(model))):
        assert other.tree_ == model.tree_
        assert other.get_params() == model.get_params()
        assert other.predict(X).tolist() == model.predict(X).tolist()
    model.tree_.save(tmp_path / "tree.json")
    assert treewright.load(tmp_path / "tree.json").predict(X).tolist() == model.predict(X).tolist()
    model.rules().save(tmp_path / "rules.json")
    assert treewright.load(tmp_path / "rules.json").predict(X).tolist() == model.predict(X).tolist()
    version = 2 if model.smoothing_ else 1
    for kind in ("tree", "rules"):
        assert json.loads((tmp_path / f"{kind}.json").read_bytes())["version"] == version


@pytest.mark.parametrize("kind", [CARTRegressor, TreeRegressor, MDLTreeRegressor])
def test_a_model_without_shrinkage_is_written_as_in_version_1(kind, tmp_path):
    X, y, _ = table(7)
    kind(smoothing=None).fit(X, y).save(tmp_path / "model.json")
    stored = json.loads((tmp_path / "model.json").read_bytes())
    assert stored["version"] == 1
    assert "smoothing" not in stored["parameters"]
    assert not any("answering" in tree for tree in stored["trees"])
    assert treewright.load(tmp_path / "model.json").smoothing is None


def test_a_model_from_a_file_is_pruned_again_with_its_lambda(tmp_path):
    X, y = numbers(8)
    model = MDLTreeRegressor().fit(X, y)
    model.save(tmp_path / "model.json")
    loaded = treewright.load(tmp_path / "model.json")
    for again in (loaded.pruned("global", standard_errors=3.0), loaded.pruned(size=2)):
        assert again.smoothing_ == model.smoothing_ > 0
        assert again.tree_.n_leaves < model.tree_.n_leaves
        np.testing.assert_allclose(again.tree_.value[:, 0], slow_values(again.tree_, model.smoothing_, 1.0))


def test_explanations_write_out_the_arithmetic_and_the_interval_of_the_mean():
    X, y = numbers(9)
    model = CARTRegressor(smoothing=5, max_depth=4, pruning=None).fit(X, y - 8.0)
    plain = CARTRegressor(max_depth=4, pruning=None).fit(X, y - 8.0)
    for i in range(20):
        (end,), (other,) = model.explain(X[[i]]).ends, plain.explain(X[[i]]).ends
        left, _, right = end.arithmetic.rpartition(" = ")
        assert eval(left) == pytest.approx(end.prediction, rel=1e-3, abs=1e-3)
        assert float(right) == pytest.approx(end.prediction, rel=1e-5)
        assert end.interval == other.interval
        assert end.stats["value"] == other.prediction
        assert other.arithmetic is None
    text = model.explain(X[[0]]).to_text()
    assert "The prediction, shrunk towards the nodes above: " in text
    assert f"predicts {model.tree_.value[-1, 0]:.6g} (mean {plain.tree_.value[-1, 0]:.6g}, n " in model.to_text()


@pytest.mark.parametrize("given", [-1, float("nan"), float("inf"), True, "cv", [5]])
def test_other_values_are_refused(given):
    with pytest.raises(ParameterError, match="smoothing must be lambda, a number of rows of at least 0, 'auto' to"):
        CARTRegressor(smoothing=given).fit([[1.0], [2.0]], [1.0, 2.0])


def test_on_a_source_lambda_is_fixed_and_a_note_says_so(tmp_path):
    X, y, _ = table(10)
    X["price"] = y
    (tmp_path / "rows.csv").write_text(X.to_csv(index=False), encoding="utf-8")
    model = MDLTreeRegressor().fit(str(tmp_path / "rows.csv"), y="price")
    assert model.smoothing_ == 10.0
    assert model.notes_ == (
        "Predictions were shrunk with smoothing=10; to choose it by cross-validation needs the rows.",
    )
