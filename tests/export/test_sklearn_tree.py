"""Trees of scikit-learn: the same predictions, and scikit-learn's own functions work on them."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_text, plot_tree

from tests.export.walk import mixed, models
from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor, presets
from treewright.errors import ExportError, InputError
from treewright.export.binary_view import as_binary
from treewright.export.check import compare
from treewright.export.scoring import scoring_of
from treewright.export.sklearn_tree import run, sklearn_probes, to_sklearn

NAMES = [name for name in models() if name != "costs"]


@pytest.fixture(scope="module")
def fitted():
    return models()


def numbers(n=400, seed=1):
    """A table of 32-bit floats, and two targets."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).astype(np.float32).astype(float)
    score = X[:, 0] + (X[:, 1] > 0.3) * X[:, 2] + rng.normal(0, 0.3, n)
    return X, np.digitize(score, [-0.5, 0.7]), score


@pytest.mark.parametrize("name", NAMES)
def test_it_predicts_as_the_tree(fitted, name):
    scoring = scoring_of(fitted[name])
    found = to_sklearn(scoring, check=False)
    assert isinstance(found, Pipeline)
    binary = as_binary(scoring)
    probes = sklearn_probes(found, binary, fitted[name]._kept.values)
    assert len(probes.values) > 150
    compare(probes, run(found, binary, probes), "scikit-learn", tolerance=0.0)


@pytest.mark.parametrize("name", NAMES)
def test_it_takes_the_tables_of_the_model(fitted, name):
    X = mixed(n=60, seed=9, missing=0)[0][list(fitted[name].feature_names_in_)]
    found = to_sklearn(scoring_of(fitted[name]))
    assert (found.predict(X) == fitted[name].predict(X)).all()
    if hasattr(fitted[name], "predict_proba"):
        assert (found.predict_proba(X) == fitted[name].predict_proba(X)).all()


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_a_tree_on_numbers_is_a_plain_tree(kind):
    X, y, score = numbers()
    model, target = (presets.scikit_learn(), y) if kind is DecisionTreeClassifier else (CARTRegressor(), score)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model.fit(frame, target)
    found = to_sklearn(scoring_of(model))
    assert type(found) is kind
    assert found.feature_names_in_.tolist() == list("abcd")
    assert (found.predict(frame) == model.predict(frame)).all()
    assert found.get_depth() == model.tree_.depth
    assert found.get_n_leaves() == model.tree_.n_leaves


def test_the_tree_is_the_one_that_scikit_learn_grows():
    X, y, _ = numbers()
    found = to_sklearn(scoring_of(presets.scikit_learn(max_depth=4).fit(X, y)))
    grown = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    for name in ("children_left", "children_right", "feature", "n_node_samples", "missing_go_to_left"):
        assert (getattr(found.tree_, name) == getattr(grown.tree_, name)).all(), name
    for name in ("impurity", "value", "weighted_n_node_samples", "threshold"):
        assert getattr(found.tree_, name) == pytest.approx(getattr(grown.tree_, name), rel=1e-12, abs=1e-12), name
    assert found.feature_importances_ == pytest.approx(grown.feature_importances_)
    assert (found.classes_ == grown.classes_).all()
    assert (found.decision_path(X) != grown.decision_path(X)).nnz == 0
    assert export_text(found) == export_text(grown)


@pytest.mark.parametrize("name", ["c45", "cart branch", "regression", "single leaf"])
def test_the_functions_of_scikit_learn_work(fitted, name):
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    found = to_sklearn(scoring_of(fitted[name]))
    names = list(found[:-1].get_feature_names_out())
    text = export_text(found[-1], feature_names=names)
    assert all(names[i] in text for i in found[-1].tree_.feature if i >= 0)
    figure, axes = plt.subplots()
    boxes = plot_tree(found[-1], feature_names=names, max_depth=2, ax=axes)
    plt.close(figure)
    assert boxes
    importances = found[-1].feature_importances_
    assert importances.sum() == pytest.approx(1 if name != "single leaf" else 0)


@pytest.mark.parametrize("estimator", [TreeRegressor, TreeClassifier])
def test_importances_by_column_are_those_of_the_model(estimator):
    X, y, number = mixed(missing=0)
    model = estimator(grouping="each", missing="fractional", pruning=None, min_samples_leaf=5)
    model.fit(X, number if estimator is TreeRegressor else y)
    importances = to_sklearn(scoring_of(model))[-1].feature_importances_
    by_column = as_binary(scoring_of(model)).decode_columns(importances[None])[0]
    assert by_column == pytest.approx(model.feature_importances_, abs=1e-9)


def test_a_pickle(fitted):
    found = to_sklearn(scoring_of(fitted["c45"]))
    X = mixed(n=20, missing=0)[0]
    assert (pickle.loads(pickle.dumps(found)).predict(X) == found.predict(X)).all()


def test_numbers_that_round_across_a_threshold_take_their_side_with_an_encoder():
    X = np.array([[0.1], [0.1 + 1e-12]] * 3)
    model = CARTClassifier(missing="learned", pruning=None).fit(X, [0, 1] * 3)
    plain, exact = to_sklearn(scoring_of(model)), to_sklearn(scoring_of(model), encoder=True)
    assert isinstance(plain, DecisionTreeClassifier)
    assert (exact.predict(X) == [0, 1] * 3).all()
    assert len(set(plain.predict(X))) == 1  # as documented: both are the same 32-bit float


def test_thresholds_without_a_float_between_them_are_refused():
    X = np.array([[0.1], [0.1 + 1e-12], [0.1 + 2e-12]] * 3)
    model = CARTClassifier(missing="learned", pruning=None).fit(X, [0, 1, 0] * 3)
    with pytest.raises(ExportError, match=r"Column 'x0' has the threshold 0\.1.*no 32-bit float"):
        to_sklearn(scoring_of(model), encoder=True)
    large = CARTClassifier(missing="learned", pruning=None).fit([[1e300], [3e300]] * 3, [0, 1] * 3)
    with pytest.raises(ExportError, match="no 32-bit float"):
        to_sklearn(scoring_of(large), encoder=True)


def test_missing_values_are_routed_or_refused():
    X, y, _ = numbers()
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    learned = presets.scikit_learn(max_depth=5).fit(holes, y)
    assert (to_sklearn(scoring_of(learned)).predict_proba(holes) == learned.predict_proba(holes)).all()
    fractional = C45Classifier(max_depth=5).fit(X, y)
    found = to_sklearn(scoring_of(fractional))
    assert isinstance(found, Pipeline)
    assert (found.predict(X) == fractional.predict(X)).all()
    with pytest.raises(ExportError, match=r"missing value in column 'x\d'. Node \d+ sends .* every branch"):
        found.predict(holes)
    assert isinstance(to_sklearn(scoring_of(fractional), encoder=False), DecisionTreeClassifier)


def test_costs_are_refused(fitted):
    with pytest.raises(ExportError, match=r"^Node \d+ predicts '.', the class with the lowest expected cost, but"):
        to_sklearn(scoring_of(fitted["costs"]))


def test_another_table_is_refused(fitted):
    with pytest.raises(InputError, match="Column 0 of the table is 'city'"):
        to_sklearn(scoring_of(fitted["c45"])).predict(mixed(missing=0)[0][["city", "age", "income", "grade"]])


def test_a_difference_is_an_error(fitted, monkeypatch):
    binary = as_binary(scoring_of(fitted["cart"]))
    monkeypatch.setattr("treewright.export.sklearn_tree.as_binary", lambda _: _with_swapped_children(binary))
    with pytest.raises(ExportError, match="The export to scikit-learn predicts"):
        to_sklearn(scoring_of(fitted["cart"]))


def _with_swapped_children(binary):
    from dataclasses import replace

    return replace(binary, children_left=binary.children_right, children_right=binary.children_left)


def test_a_single_leaf_of_a_table_of_categories():
    model = CARTClassifier().fit(pd.DataFrame({"c": ["a", "b", "a"]}), ["x", "x", "x"])
    assert model.to_sklearn().predict(pd.DataFrame({"c": ["b", None]})).tolist() == ["x", "x"]
