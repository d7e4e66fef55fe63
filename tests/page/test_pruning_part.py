"""The cost-complexity path and the pruning decisions in the data of a page are those of the library."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from tests.page.reading import document
from tests.page.tables import CLASSIFIERS, ESTIMATORS, document_of, fitted, rows_for
from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier, prune
from treewright.page import pruning_part as decisions_module
from treewright.prune.cost_complexity_path import TIE, cost_complexity_path


def nodes_left(shown, alpha):
    """The nodes of the tree at alpha, by the rule of the contract."""
    path, nodes = shown["path"], shown["nodes"]
    found = [0]
    for node in found:
        if path["node_alpha"][node] > alpha * (1 + TIE):
            first = nodes["first_child"][node]
            found += range(first, first + nodes["n_children"][node])
    return found


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_path_is_that_of_the_grown_tree(name):
    shown, grown = document_of(name), fitted(name).grown_tree_
    if grown.n_nodes == 1:
        assert shown["path"] is None
        return
    path = cost_complexity_path(grown)
    # Weights of classes are divided by a mean weight first, so the last digit may differ.
    np.testing.assert_allclose(shown["path"]["node_alpha"], path.node_alpha, rtol=1e-12)
    np.testing.assert_allclose(shown["path"]["alphas"], path.alphas, rtol=1e-12)
    assert np.array_equal(shown["path"]["leaves"], path.leaves)
    for alpha, n_leaves, tree in zip(shown["path"]["alphas"], path.leaves.tolist(), path.trees(), strict=True):
        left = nodes_left(shown, alpha)
        assert (len(left), n_leaves) == (tree.n_nodes, tree.n_leaves)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("regression", [False, True])
def test_errors_are_those_of_the_trees_at_each_alpha(seed, regression):
    """Against the answers of each tree, without holes, where a row has one leaf."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 3)).round(1)
    y = X[:, 0] + rng.normal(size=150) if regression else (X[:, 0] + rng.normal(size=150) > 0).astype(int)
    weight = rng.integers(1, 4, 100).astype(float)
    model = (CARTRegressor if regression else CARTClassifier)(min_samples_leaf=2)
    model.fit(X[:100], y[:100], weight)
    html = model.to_html(None, X[:100], y[:100], sample_weight=weight, X_val=X[100:], y_val=y[100:])
    path = document(html)["path"]
    assert len(path["alphas"]) > 5
    for i, alpha in enumerate(path["alphas"]):
        pruned = model.pruned("cost_complexity", alpha=alpha)
        assert pruned.get_n_leaves() == path["leaves"][i]
        for name, rows, answers, own in [
            ("training_error", X[:100], y[:100], weight),
            ("validation_error", X[100:], y[100:], None),
        ]:
            found = pruned.predict(rows)
            error = np.average((found - answers) ** 2 if regression else found != answers, weights=own)
            assert path[name][i] == pytest.approx(error, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("name", ["cart fractional", "cart stop", "c45", "cart medians"])
def test_rows_that_are_shared_count_by_their_shares(name):
    model, shown = fitted(name), document_of(name)
    X_val, y_val = rows_for(name, "validation")
    for i in range(0, len(shown["path"]["alphas"]), 7):
        pruned = model.pruned("cost_complexity", alpha=shown["path"]["alphas"][i])
        met, tree = pruned.decision_path(X_val).toarray(), pruned.tree_
        # a row ends where it came to and did not go on
        ended = met - np.array([[row[list(range(f, f + n))].sum() for f, n in _children(tree)] for row in met])
        if tree.schema.target.is_number:
            losses = (tree.value[:, 0][None, :] - np.array(y_val)[:, None]) ** 2
        else:
            losses = pruned.classes_[tree.value.argmax(axis=1)][None, :] != np.array(y_val)[:, None]
        expected = (ended * losses).sum() / len(y_val)
        assert shown["path"]["validation_error"][i] == pytest.approx(expected, rel=1e-7, abs=1e-9)


def _children(tree):
    return zip(tree.first_child.tolist(), tree.n_children.tolist(), strict=True)


def test_cross_validated_errors_are_those_of_the_report():
    iris = load_iris()
    model = CARTClassifier().fit(iris.data, iris.target)
    shown, path = document(model.to_html())["path"], model.pruning_report_.path
    assert shown["chosen"] == path.chosen
    np.testing.assert_allclose(shown["cv_error"], path.error, rtol=1e-7)
    np.testing.assert_allclose(shown["cv_se"], path.standard_error, rtol=1e-7)


def test_errors_by_validation_rows_are_not_called_cross_validated():
    X, y = load_iris(return_X_y=True)
    model = CARTClassifier().fit(X[::2], y[::2], X_val=X[1::2], y_val=y[1::2])
    shown = document(model.to_html(X_val=X[1::2], y_val=y[1::2]))["path"]
    assert shown["cv_error"] is None
    np.testing.assert_allclose(shown["validation_error"], model.pruning_report_.path.error, rtol=1e-7, atol=1e-9)
    assert shown["chosen"] == model.pruning_report_.path.chosen


def test_another_method_has_the_path_of_the_view():
    iris = load_iris()
    model = C45Classifier().fit(iris.data, iris.target)
    shown = document(model.to_html())["path"]
    path = model.pruned("cost_complexity", iris.data, iris.target).pruning_report_.path
    np.testing.assert_allclose(shown["cv_error"], path.error, rtol=1e-7)
    assert shown["chosen"] == path.chosen


def test_nothing_is_chosen_where_nothing_chose():
    iris = load_iris()
    model = TreeClassifier().fit(iris.data, iris.target)
    shown = document(model.to_html(methods=()))["path"]
    assert (shown["chosen"], shown["cv_error"], shown["cv_se"]) == (None, None, None)


def test_an_alpha_of_scikit_learn_is_on_a_path_of_impurities():
    iris = load_iris()
    model = CARTClassifier(ccp_alpha=0.01).fit(iris.data, iris.target)
    shown = document(model.to_html())
    path = cost_complexity_path(model.grown_tree_, "impurity")
    assert np.array_equal(shown["path"]["alphas"], path.alphas)
    left = nodes_left(shown, shown["path"]["alphas"][shown["path"]["chosen"]])
    assert len(left) == model.tree_.n_nodes
    errors = [np.mean(model.pruned("cost_complexity", alpha=a, risk="impurity").predict(iris.data) != iris.target)
              for a in path.alphas]  # fmt: skip
    np.testing.assert_allclose(shown["path"]["training_error"], errors, atol=1e-8)


def test_a_stored_model_has_errors_from_its_nodes():
    X, y = load_diabetes(return_X_y=True)
    model = CARTRegressor(min_samples_leaf=20).fit(X, y)
    stored = document(pickle.loads(pickle.dumps(model)).to_html())
    np.testing.assert_allclose(
        stored["path"]["training_error"], document(model.to_html())["path"]["training_error"], rtol=1e-6
    )
    medians = CARTRegressor(criterion="absolute_error", min_samples_leaf=20, pruning=None).fit(X, y)
    assert document(pickle.loads(pickle.dumps(medians)).to_html())["path"]["training_error"] is None


def test_critical_values_are_no_alphas():
    iris = load_iris()
    model = TreeClassifier(pruning=prune.CriticalValue()).fit(iris.data, iris.target)
    shown = document(model.to_html(methods=()))["path"]
    assert np.array_equal(shown["alphas"], cost_complexity_path(model.grown_tree_).alphas)


PRUNED = [name for name in ESTIMATORS if fitted(name).tree_ is not fitted(name).grown_tree_]


@pytest.mark.parametrize("name", PRUNED)
def test_every_decision_is_there(name):
    shown, report = document_of(name), fitted(name).pruning_report_
    assert shown["decision_method"] == report.method
    assert set(map(int, shown["decisions"])) == set(report.node.tolist())
    for key, one in shown["decisions"].items():
        own = report.of(int(key))
        assert one["verdict"] == own.verdict
        assert one["words"]["en"] == own.words
        assert one["unit"]["en"] == report.unit
        for number in ("leaf", "subtree", "allowance"):
            assert one[number] == pytest.approx(getattr(own, number), rel=1e-6)
        assert one.get("branch") == (None if own.branch is None else pytest.approx(own.branch, rel=1e-6))


def test_nothing_was_decided():
    shown = document_of("cart learned")
    assert (shown["decisions"], shown["decision_method"]) == ({}, None)


@pytest.mark.parametrize("pruning", [None, "same_decision"])
def test_pre_pruning_has_the_numbers_of_the_page(pruning):
    X, y = rows_for("c45")
    X_val, y_val = rows_for("c45", "validation")
    model = TreeClassifier(missing="fractional", pre_pruning=True, pruning=pruning)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    shown, report = document(model.to_html()), model.pre_pruning_report_
    assert model.grown_tree_.n_nodes > 3
    if pruning is not None:
        assert shown["decision_method"] == "same_decision"
        return
    assert shown["decision_method"] == "pre_pruning"
    place = {int(origin): node for node, origin in enumerate(report.origin)}
    assert len(shown["decisions"]) == len(report)
    for old in report.node.tolist():
        one, own, node = shown["decisions"][str(place[old])], report.of(old), place[old]
        assert one["words"]["en"] == own.words.replace(f"Node {old} ", f"Node {node} ", 1)
        assert one["verdict"] == own.verdict
        assert (own.verdict == "pruned") == bool(model.grown_tree_.is_leaf[node])


def test_sentences_only_for_the_heaviest(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    monkeypatch.setattr(decisions_module, "MAX_SENTENCES", 5)
    model = CARTClassifier().fit(X, y)
    shown = document(model.to_html(methods=()))["decisions"]
    told = [int(node) for node, one in shown.items() if one["words"] is not None]
    inner = np.flatnonzero(model.grown_tree_.n_children)
    heaviest = inner[np.argsort(-model.grown_tree_.weight[inner], kind="stable")][:5]
    assert sorted(told) == sorted(heaviest.tolist())
    assert len(shown) == len(inner)


def test_there_are_enough_pruned_trees_to_try():
    assert len(PRUNED) > len(CLASSIFIERS) // 2
