"""The trees that a page shows predict as the library does, with the counts and errors of validation rows."""

import pickle
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tests.page.document_tree import DocumentTree
from tests.page.reading import document
from tests.page.tables import (
    CLASSIFIERS,
    ESTIMATORS,
    document_of,
    fitted,
    losses,
    mixed,
    row_weights,
    rows_for,
    weights,
)
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    InputError,
    KindError,
    ParameterError,
    prune,
)
from treewright.model.formatting import format_category
from treewright.model.prediction_rule import choose_classes
from treewright.page import tree_views as views_module
from treewright.page.tree_views import method_title
from treewright.prune.registry import compared_methods

every = pytest.mark.parametrize("name", ESTIMATORS)


@cache
def pruned_by(name, key):
    """The estimator pruned by the method of a view, with the rows that the page was given."""
    model = fitted(name)
    if key == "own":
        return model
    X_val, y_val = rows_for(name, "validation")
    return model.pruned(None if key == "grown" else key, *rows_for(name), X_val=X_val, y_val=y_val)


@every
def test_every_method_is_there_and_the_tree_that_answers_is_first(name):
    model, shown = fitted(name), document_of(name)["views"]
    keys = [view["key"] for view in shown]
    own = model.tree_ is not model.grown_tree_
    assert keys[: own + 1] == (["own", "grown"] if own else ["grown"])
    expected = set(compared_methods(is_number=name not in CLASSIFIERS))
    if own:
        assert shown[0]["method"] == model.pruning_report_.method
        expected -= {shown[0]["method"]}
    if model.grown_tree_.n_nodes > 1:
        assert set(keys[own + 1 :]) == expected
    assert document_of(name)["notes"] == []


@every
def test_a_view_is_the_tree_of_the_method(name):
    grown = fitted(name).grown_tree_
    for view in document_of(name)["views"]:
        model, tree_in_page = pruned_by(name, view["key"]), DocumentTree(document_of(name), view["key"])
        tree, present = model.tree_, tree_in_page.present()
        assert view["n_leaves"] == tree.n_leaves
        assert len(present) == tree.n_nodes
        # the view, level by level, is the tree of the method, node by node
        for k, node in enumerate(present):
            assert tree_in_page.field(node, "weight") == tree.weight[k]
            assert tree_in_page.field(node, "stats") == tree.stats[k].tolist()
            assert tree_in_page.field(node, "count") == tree.count[k]
            assert tree_in_page.value(node) == tree.value[k].tolist()
            assert tree_in_page.field(node, "share") == tree.branch_fractions[k]
            assert tree_in_page.field(node, "impurity") == pytest.approx(tree.impurity[k], rel=1e-6)
            question = tree_in_page.splitting_node(node)
            assert (grown.column[question] if question >= 0 else -1) == tree.column[k]


@every
def test_errors_are_those_of_the_estimator(name):
    X, y = rows_for(name)
    X_val, y_val = rows_for(name, "validation")
    model = fitted(name)
    if model.validation_fraction is not None:
        number = document_of(name)["rows"]["number"]
        assert len(number) == model.grown_tree_.count[0]
        X, y = X.iloc[number], y.iloc[number]
    for view in document_of(name)["views"]:
        pruned = pruned_by(name, view["key"])
        for shown, rows, answers in [("training_error", X, y), ("validation_error", X_val, y_val)]:
            if name in CLASSIFIERS:
                error = np.average(
                    losses(name, answers, pruned.predict(rows)), weights=row_weights(name, answers)
                )
            else:
                error = np.mean((pruned.predict(rows) - answers) ** 2)
            assert view[shown] == pytest.approx(error, rel=1e-8, abs=1e-9)


@every
def test_every_view_predicts_as_its_method(name):
    rows = rows_for(name, "validation")[0][:40]
    for view in document_of(name)["views"]:
        tree_in_page = DocumentTree(document_of(name), view["key"])
        predictions = pruned_by(name, view["key"]).predict(rows)
        for given, predicted in zip(rows.itertuples(index=False), predictions, strict=True):
            row = [None if cell != cell else cell for cell in given]
            expected = (
                pytest.approx(predicted, rel=1e-12) if name not in CLASSIFIERS else format_category(predicted)
            )
            assert tree_in_page.predict(row) == expected


def test_branches_are_raised_and_impossible_ones_are_gone():
    for name in ("c45 raised", "c45 raised and grouped", "c45 raised and balanced"):
        own = document_of(name)["views"][0]
        assert [c for c in own["changes"] if c[1] >= 0]
        assert own["stats"]
    assert document_of("c45 raised and grouped")["views"][0]["gone"]
    assert document_of("c45")["views"][0]["stats"] is None


@pytest.mark.parametrize("name", ["c45 raised", "c45 raised and grouped"])
def test_validation_rows_are_counted_in_raised_branches(name):
    X_val, _ = rows_for(name, "validation")
    document = document_of(name)
    tree_in_page, model = DocumentTree(document, "own"), fitted(name)
    met = np.asarray(model.decision_path(X_val).sum(axis=0)).ravel()
    counted = document["nodes"]["validation"]["weight"]
    assert any("validation" in entry for entry in tree_in_page.contents.values())
    for k, node in enumerate(tree_in_page.present()):
        entry = tree_in_page.contents.get(str(node), {})
        weight = entry["validation"]["weight"] if "validation" in entry else counted[node]
        assert weight == pytest.approx(met[k], rel=1e-9)


@pytest.mark.parametrize("name", ["cart", "c45", "cart medians"])
def test_without_rows_errors_come_from_the_leaves(name):
    model = pickle.loads(pickle.dumps(fitted(name)))
    shown = document(model.to_html())
    own = shown["views"][0]
    if name == "cart medians":
        assert own["training_error"] is None
        return
    tree, errors = model.tree_, 0.0
    for node in tree.walk():
        if node.is_leaf:
            errors += node.error
    assert own["training_error"] == pytest.approx(errors / tree.weight[0], rel=1e-8)
    assert own["validation_error"] is None
    notes = " ".join(note["en"] for note in shown["notes"])
    assert "reduced_error is skipped because it needs validation rows. Pass X_val and y_val." in notes
    assert "rows are not available" in notes
    assert ("with fractional weights" in notes) == (name == "c45")


def test_methods_can_be_named():
    X, y, _ = mixed()
    model = CARTClassifier().fit(X, y)
    keys = [
        v["key"] for v in document(model.to_html(methods=["mdl", prune.ErrorBased(raising=False)]))["views"]
    ]
    assert keys == ["own", "grown", "mdl", "error_based"]
    assert [v["key"] for v in document(model.to_html(methods=()))["views"]] == ["own", "grown"]
    both = document(model.to_html(methods=["pessimistic", prune.Pessimistic(standard_errors=3)]))["views"]
    assert both[3]["title"] == "Pessimistic(standard_errors=3)"
    assert both[3]["n_leaves"] == model.pruned("pessimistic", standard_errors=3).tree_.n_leaves
    for one in ("mdl", prune.MDL()):
        assert document(model.to_html(methods=one))["views"][2]["key"] == "mdl"


def test_what_is_named_and_cannot_be_done_is_an_error():
    X, y, numbers = mixed()
    model = CARTClassifier().fit(X, y)
    with pytest.raises(InputError, match="Reduced-error pruning needs validation rows"):
        model.to_html(methods=["reduced_error"])
    with pytest.raises(ParameterError, match=r"pruning must be one of 'reduced_error', .*, got 'magic'\.$"):
        model.to_html(methods=["magic"])
    with pytest.raises(KindError, match="MDL pruning cannot be used for regression; use"):
        CARTRegressor().fit(X, numbers).to_html(methods=["mdl"])


def test_another_setting_of_the_own_method_is_a_view():
    iris = load_iris()
    model = C45Classifier(pruning=prune.ErrorBased(confidence=0.01)).fit(iris.data, iris.target)
    shown = document(model.to_html(None, iris.data, iris.target))["views"]
    assert [(v["key"], v["title"]) for v in shown[:2]] == [
        ("own", "ErrorBased(confidence=0.01)"),
        ("grown", "none"),
    ]
    assert "error_based" in [v["key"] for v in shown]


def test_validation_rows_that_decided_are_told():
    used = {v["key"]: v["used_validation"] for v in document_of("c45")["views"]}
    assert {key for key, was in used.items() if was} == {
        "reduced_error", "pre_pruning", "cost_complexity", "critical_value",
    }  # fmt: skip


def test_trees_are_not_grown_on_parts_of_a_large_table(monkeypatch):
    X, y, _ = mixed()
    model = C45Classifier().fit(X, y)
    monkeypatch.setattr(views_module, "MAX_CELLS", 100)
    shown = document(model.to_html())
    assert "cost_complexity" not in [v["key"] for v in shown["views"]]
    assert "cost_complexity is skipped because it grows trees" in " ".join(
        note["en"] for note in shown["notes"]
    )
    assert document(model.to_html(methods=["cost_complexity"]))["views"][2]["key"] == "cost_complexity"
    given = document(model.to_html(X_val=X, y_val=y))
    assert "cost_complexity" in [v["key"] for v in given["views"]]


def test_a_parameter_set_after_fit_does_not_hide_what_pruned_the_tree():
    X, y, _ = mixed()
    model = CARTClassifier().fit(X, y).set_params(pruning="mdl")
    shown = document(model.to_html())["views"]
    assert (shown[0]["key"], shown[0]["method"]) == ("own", "cost_complexity")
    others = {v["key"] for v in shown}
    assert "mdl" in others
    assert "cost_complexity" not in others  # that is the tree itself


def test_pruned_again():
    X, y, _ = mixed()
    model = C45Classifier().fit(X, y).pruned("pessimistic", standard_errors=0.5)
    view = document(model.to_html())["views"][0]
    assert (view["method"], view["title"]) == ("pessimistic", "Pessimistic(standard_errors=0.5)")
    assert view["n_leaves"] == model.get_n_leaves()


def test_a_title_shows_what_is_not_usual():
    assert method_title(None, "mdl") == "mdl"
    assert method_title(prune.CostComplexity(alpha=0.5), "cost_complexity") == "CostComplexity(alpha=0.5)"
    assert method_title(prune.CostComplexity(), "own") == "cost_complexity"


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
            answer = grown.classes_[choose_classes(tree.prediction_rule, tree.value[node])]
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
    with pytest.raises(
        InputError,
        match=r"In the validation rows: y has the class 'no', which does not occur in training",
    ):
        model.to_html(X_val=X, y_val=["no"] * len(y))
    with pytest.raises(InputError, match="X_val and y_val must be passed together"):
        model.to_html(X_val=X)
    with pytest.raises(InputError, match="All weights are zero"):
        model.to_html(X_val=X, y_val=y, sample_weight_val=np.zeros(len(y)))
