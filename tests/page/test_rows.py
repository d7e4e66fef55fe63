"""The rows in a page: only those that were given for it, as the user wrote them, some of every leaf."""

import numpy as np
import pandas as pd
import pytest

from tests.page.reading import document
from tests.page.tables import ESTIMATORS, HOSTILE, document_of, fitted, rows_for
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.model.words import category_words, number_words
from treewright.page import rows as rows_module


@pytest.mark.parametrize("name", ESTIMATORS)
def test_rows_are_shown_only_where_they_are_given(name):
    assert document_of(name, given=False)["rows"] is None
    assert document_of(name)["rows"]["cells"]


def test_a_private_cell_is_in_no_page_that_was_not_given_it():
    X = pd.DataFrame({"age": [1, 2, 3, 4], "name": ["Ann Secret", "Bob", "Eve", "Joe"]})
    model = CARTClassifier(categorical_features=["name"]).fit(X, ["a", "a", "b", "b"])
    html = model.to_html(X_val=X, y_val=["a", "a", "b", "b"])
    assert "Secret" not in html
    assert "Secret" in model.to_html(None, X, ["a", "a", "b", "b"])


@pytest.mark.parametrize("name", ESTIMATORS)
def test_cells_are_those_of_the_table(name):
    shown, (X, y) = document_of(name)["rows"], rows_for(name)
    assert shown["n_rows"] == len(shown["cells"]) == fitted(name).grown_tree_.count[0]
    assert shown["number"] == sorted(set(shown["number"]))
    for cells, number in zip(shown["cells"], shown["number"], strict=True):
        given = [*X.iloc[number], y.iloc[number]]
        for cell, own in zip(cells, given, strict=True):
            if own is None or own != own:
                assert cell is None
            else:
                is_number = isinstance(own, float | int) and not isinstance(own, bool)
                assert cell == (number_words(own) if is_number else category_words(own))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_leaves_are_those_of_growth(name):
    """Counted by leaf they are the leaf's rows; a row that was shared has the leaf of its largest share."""
    model, shown, (X, _) = fitted(name), document_of(name)["rows"], rows_for(name)
    as_grown = model.pruned(None).set_params(missing_predict=None)
    assert shown["leaf"] == as_grown.apply(X.iloc[shown["number"]]).tolist()
    if model.missing in ("learned", "branch", "surrogate"):
        counts = np.bincount(shown["leaf"], minlength=model.grown_tree_.n_nodes)
        leaf = model.grown_tree_.is_leaf
        assert np.array_equal(counts[leaf], model.grown_tree_.count[leaf])


def test_a_few_rows_of_every_leaf(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    y = (X[:, 0] + rng.normal(size=3000) > 0).astype(int)
    model = CARTClassifier(max_leaf_nodes=40, pruning=None).fit(X, y)
    monkeypatch.setattr(rows_module, "MOST_ROWS", 100)
    shown = document(model.to_html(None, X, y))["rows"]
    assert (len(shown["cells"]), shown["n_rows"]) == (100, 3000)
    counts = np.bincount(shown["leaf"], minlength=model.tree_.n_nodes)[model.tree_.is_leaf]
    rows_of = np.minimum(model.tree_.count[model.tree_.is_leaf], counts.max())
    # as many of each as there is room for, one more of the heaviest
    assert counts.min() >= min(2, rows_of.min())
    assert np.all((counts == rows_of) | (counts == counts.max() - 1))
    # the first ones of the table
    leaves = model.apply(X)
    for leaf in set(shown["leaf"]):
        own = [n for n, at in zip(shown["number"], shown["leaf"], strict=True) if at == leaf]
        assert own == np.flatnonzero(leaves == leaf)[: len(own)].tolist()


def test_more_leaves_than_room(monkeypatch):
    X, y = np.arange(200.0)[:, None], np.arange(200) % 2
    model = CARTClassifier(pruning=None).fit(X, y, np.arange(1.0, 201.0))
    monkeypatch.setattr(rows_module, "MOST_ROWS", 10)
    shown = document(model.to_html(None, X, y, sample_weight=np.arange(1.0, 201.0)))["rows"]
    assert shown["number"] == list(range(190, 200))  # the heaviest leaves


def test_wide_tables_have_fewer_rows(monkeypatch):
    monkeypatch.setattr(rows_module, "MOST_CELLS", 60)
    X, y = np.random.default_rng(0).normal(size=(50, 5)), np.arange(50) % 2
    shown = document(CARTClassifier().fit(X, y).to_html(None, X, y))["rows"]
    assert len(shown["cells"]) == 10


def test_a_long_cell_is_cut_and_a_strange_one_stays():
    X = [[text] for text in HOSTILE]
    y = np.arange(len(X)) % 2
    shown = document(C45Classifier(min_samples_leaf=1, pruning=None).fit(X, y).to_html(None, X, y))
    cells = [cells[0] for cells in shown["rows"]["cells"]]
    assert cells[:-1] == list(map(category_words, HOSTILE[:-1]))
    assert cells[-1] == "x" * 199 + "…"
    assert shown["columns"][0]["categories"] == list(map(category_words, sorted(HOSTILE)))


def test_rows_of_weight_0_are_left_out():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 2.0, 3.0, 4.0]
    weight = [1, 0, 2, 1]
    model = CARTRegressor(pruning=None).fit(X, y, weight)
    shown = document(model.to_html(None, X, y, sample_weight=weight))["rows"]
    assert (shown["number"], shown["n_rows"]) == ([0, 2, 3], 3)


@pytest.mark.parametrize("weight", [None, "whole", "zero"])
def test_numbers_are_those_of_the_table_where_rows_are_held_out(weight):
    rng = np.random.default_rng(5)
    X = rng.permutation(60).astype(float)[:, None]
    y = (X[:, 0] > 30).astype(int)
    weight = {None: None, "whole": rng.integers(1, 3, 60), "zero": rng.integers(0, 2, 60)}[weight]
    model = CARTClassifier(validation_fraction=0.3).fit(X, y, weight)
    shown = document(model.to_html(None, X, y, sample_weight=weight))["rows"]
    assert len(shown["number"]) == model.grown_tree_.count[0]
    assert [float(cells[0]) for cells in shown["cells"]] == X[shown["number"], 0].tolist()
    if weight is not None:
        assert np.all(weight[shown["number"]] > 0)
