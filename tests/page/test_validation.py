"""Validation rows in every node: against a count by hand, one row after the other."""

import numpy as np
import pytest

from tests.page.reading import document
from tests.page.tables import ESTIMATORS, document_of, fitted, losses, mixed, row_weights, rows_for, weights
from treewright import C45Classifier, CARTRegressor, InputError
from treewright.model.answering import decide


def by_hand(model, X, y, weight, name="c45"):
    """For each node of the grown tree: weight, class weights or (weight, mean, loss), and the loss if it answers."""
    grown = model.pruned(None)
    met = grown.decision_path(X).toarray()
    tree, y = grown.tree_, np.asarray(y)
    found = []
    for node in range(tree.n_nodes):
        w = met[:, node] * weight
        if tree.schema.target.is_number:
            mean = (w * y).sum() / w.sum() if w.sum() > 0 else np.nan
            stats = [w.sum(), mean, (w * (y - mean) ** 2).sum() if w.sum() > 0 else 0.0]
            error = (w * (y - tree.value[node, 0]) ** 2).sum()
        else:
            stats = [w[y == c].sum() for c in grown.classes_]
            answer = grown.classes_[decide(tree.answering, tree.value[node])]
            error = (w * losses(name, y, [answer] * len(y))).sum()
        found.append((w.sum(), stats, error))
    return found


@pytest.mark.parametrize("name", ESTIMATORS)
def test_counts_are_those_by_hand(name):
    shown, model = document_of(name)["nodes"]["validation"], fitted(name)
    X, y = rows_for(name, "validation")
    weight = row_weights(name, y)
    for i, (w, stats, error) in enumerate(by_hand(model, X, y, weight, name)):
        assert shown["weight"][i] == pytest.approx(w, rel=1e-9, abs=1e-9)
        assert shown["error"][i] == pytest.approx(error, rel=1e-7, abs=1e-7)
        given = np.array([np.nan if x is None else x for x in shown["stats"][i]])
        np.testing.assert_allclose(given, stats, rtol=1e-7, atol=1e-6)


@pytest.mark.parametrize("regression", [False, True])
def test_weights_of_validation_rows_count(regression):
    X, classes, numbers = mixed()
    y = numbers if regression else classes
    model = CARTRegressor(min_samples_leaf=5) if regression else C45Classifier()
    model.fit(X[:200], y[:200])
    weight = weights(80)
    shown = document(model.to_html(X_val=X[200:], y_val=y[200:], sample_weight_val=weight))
    counted = shown["nodes"]["validation"]
    for i, (w, stats, error) in enumerate(by_hand(model, X[200:], y[200:], weight)):
        assert counted["weight"][i] == pytest.approx(w, rel=1e-9, abs=1e-9)
        assert counted["error"][i] == pytest.approx(error, rel=1e-7, abs=1e-7)
        given = np.array([np.nan if x is None else x for x in counted["stats"][i]])
        np.testing.assert_allclose(given, stats, rtol=1e-7, atol=1e-6)
    if not regression:
        error = 1 - model.score(X[200:], y[200:], weight)
        assert shown["views"][0]["validation_error"] == pytest.approx(error, rel=1e-8)


def test_rows_held_out_are_validation_rows():
    name = "tree pruned by held out"
    model, (X, y) = fitted(name), rows_for(name)
    shown = document(model.to_html(None, X, y))
    held = np.setdiff1d(np.arange(len(y)), shown["rows"]["number"])
    assert shown["nodes"]["validation"]["weight"][0] == len(held)
    error = 1 - model.score(X.iloc[held], y.iloc[held])
    assert shown["views"][0]["validation_error"] == pytest.approx(error, rel=1e-8)


def test_without_validation_rows_there_are_no_counts():
    shown = document(fitted("cart").to_html())
    assert shown["nodes"]["validation"] is None
    assert {view["validation_error"] for view in shown["views"]} == {None}
    assert shown["path"]["validation_error"] is None


def test_what_is_wrong_with_validation_rows_is_said():
    X, y, _ = mixed()
    model = fitted("cart")
    with pytest.raises(InputError, match=r"In the validation rows \(X_val, y_val\).*never showed"):
        model.to_html(X_val=X, y_val=["no"] * len(y))
    with pytest.raises(InputError, match="X_val and y_val go together"):
        model.to_html(X_val=X)
    with pytest.raises(InputError, match="All weights are zero"):
        model.to_html(X_val=X, y_val=y, sample_weight_val=np.zeros(len(y)))
