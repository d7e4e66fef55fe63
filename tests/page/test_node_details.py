"""Candidates, histograms and rows in the data of a page: the library's numbers, and only rows that were passed."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.reading import document
from tests.page.tables import ESTIMATORS, HOSTILE, document_of, fitted, mixed, row_weights, rows_for, weights
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.estimators.parameters import resolve_limits
from treewright.estimators.training_data import LabelledRows, encode_training_rows_again
from treewright.ledger.entries import entries
from treewright.model.formatting import format_category, format_number
from treewright.page import document as document_module
from treewright.page import node_details as details_module
from treewright.page.node_details import N_BINS, bin_edges

NUMBERS = ("rho", "before", "after", "penalty", "gain", "split_info", "ratio", "gini_index", "merit")


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_node_that_asks_has_its_ledger(name):
    shown, tree = document_of(name), fitted(name).grown_tree_
    assert set(map(int, shown["ledgers"])) == set(np.flatnonzero(tree.n_children).tolist())
    for key, ledger in shown["ledgers"].items():
        node = int(key)
        (chosen,) = [one for one in ledger["candidates"] if one["verdict"] == "chosen"]
        assert chosen["column"] == tree.column[node]
        assert chosen["gain"] == pytest.approx(tree.gain[node], rel=1e-6, abs=1e-12)
        assert chosen["merit"] == pytest.approx(tree.merit[node], rel=1e-6, abs=1e-12)
        assert chosen.get("threshold_words") == shown["nodes"]["threshold_words"][node]
        assert ledger["leaf"] is None
        assert [one["column"] for one in ledger["candidates"]] == list(range(ledger["n_candidates"]))


@pytest.mark.parametrize("name", ["c45", "cart", "cart learned", "cart numbers", "tree pruned by held out"])
def test_the_numbers_are_those_of_the_ledger(name):
    shown, model = document_of(name), fitted(name)
    rows = encode_training_rows_again(model, LabelledRows(*rows_for(name), None))[0]
    plan, share = model._grown_by
    for entry in entries(rows, resolve_limits(plan, rows, share), model.grown_tree_, [0, 1, 2]):
        if entry.leaf is not None:
            continue
        ledger = shown["ledgers"][str(entry.node)]
        assert ledger["average"] == (None if entry.average is None else pytest.approx(entry.average, rel=1e-6))
        assert ledger["margin"] == (None if entry.margin is None else pytest.approx(entry.margin, rel=1e-6))
        for one, own in zip(ledger["candidates"], entry.candidates, strict=True):
            assert (one["verdict"], one["reason"]["en"]) == (own.verdict, own.reason)
            for number in NUMBERS:
                given = getattr(own, number)
                assert one.get(number) == (None if given is None else pytest.approx(given, rel=1e-6))
            assert [cut[2] for cut in one.get("cuts", [])] == [cut.tied for cut in own.cuts[:5]]


def test_a_wide_table_shows_its_best_columns():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 100)), rng.integers(0, 2, 60)
    X[:, 70] += 4 * y
    model = CARTClassifier(max_depth=2, pruning=None).fit(X, y)
    ledger = document(model.to_html())["ledgers"]["0"]
    assert (ledger["n_candidates"], len(ledger["candidates"])) == (100, 60)
    columns = [one["column"] for one in ledger["candidates"]]
    assert columns == sorted(columns)
    assert 70 in columns
    rows = model._kept
    (entry,) = entries(rows, model._grown_by[0], model.grown_tree_, [0])
    worst = min(one["gain"] for one in ledger["candidates"])
    left_out = [one.gain for one in entry.candidates if one.column not in columns]
    assert len(left_out) == 40
    assert max(left_out) <= worst * (1 + 1e-6)


def test_only_the_heaviest_nodes(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    model = CARTClassifier(pruning=None).fit(X, y)
    monkeypatch.setattr(document_module, "MAX_LEDGERS", 7)
    shown = document(model.to_html())
    weight, inner = model.tree_.weight, np.flatnonzero(model.tree_.n_children)
    least = min(weight[int(node)] for node in shown["ledgers"])
    assert len(shown["ledgers"]) == 7
    assert np.count_nonzero(weight[inner] > least) <= 7
    assert f"for the 7 heaviest of {len(inner)} nodes" in " ".join(note["en"] for note in shown["notes"])
    assert set(shown["distributions"]) == set(shown["ledgers"])


def test_a_large_table_has_fewer_ledgers(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    model = CARTClassifier(pruning=None).fit(X, y)
    monkeypatch.setattr(details_module, "MAX_VALUES", 200 * 3 + 100)
    assert list(document(model.to_html())["ledgers"]) == ["0"]
    monkeypatch.setattr(details_module, "MAX_VALUES", 1)
    assert list(document(model.to_html())["ledgers"]) == ["0"]
    monkeypatch.undo()
    monkeypatch.setattr(details_module, "MAX_CANDIDATES", 12)
    assert len(document(model.to_html())["ledgers"]) == 4


def test_a_long_name_does_not_make_a_long_ledger():
    X = [["x" * 10_000, i % 3] for i in range(30)]
    shown = document(C45Classifier(min_samples_leaf=1).fit(X, [i % 2 for i in range(30)]).to_html())
    for ledger in shown["ledgers"].values():
        assert all(len(one["reason"]["en"]) <= 600 for one in ledger["candidates"])


def asks_for_numbers(shown):
    """The nodes that cut a number."""
    nodes, columns = shown["nodes"], shown["columns"]
    return [
        i
        for i, column in enumerate(nodes["column"])
        if column >= 0 and columns[column]["kind"] == "number" and nodes["threshold"][i] not in (None, "inf")
    ]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_bins_hold_the_rows_of_the_node(name):
    shown, model = document_of(name), fitted(name)
    X, y = rows_for(name)
    number = shown["rows"]["number"]
    weight = row_weights(name, y.iloc[number])
    X, y = X.iloc[number], np.asarray(y.iloc[number])
    as_grown = model.pruned(None).set_params(missing_predict=None)
    met = as_grown.decision_path(X).toarray() * weight[:, None]
    assert set(map(int, shown["distributions"])) == set(asks_for_numbers(shown))
    for key, one in shown["distributions"].items():
        node, edges = int(key), one["edges"]
        values = X.iloc[:, shown["nodes"]["column"][node]].to_numpy(float)
        assert shown["nodes"]["threshold"][node] in edges
        assert np.all(np.diff(edges) > 0)
        for low, high, counts in zip(edges[:-1], edges[1:], one["counts"], strict=True):
            inside = (values > low) & (values <= high)
            w = np.where(inside, met[:, node], 0.0)
            if model.tree_.schema.target.is_number:
                assert counts[0] == pytest.approx(w.sum(), rel=1e-6)
                assert counts[1] == (pytest.approx((w * y).sum() / w.sum(), rel=1e-6) if w.sum() else None)
            else:
                np.testing.assert_allclose(counts, [w[y == c].sum() for c in model.classes_], rtol=1e-6)


@pytest.mark.parametrize("name", ["cart learned", "cart branch", "id3", "tree pruned by held out"])
def test_the_bins_below_the_threshold_are_the_first_branch(name):
    """Known rows only; no row is shared among branches here."""
    shown, tree = document_of(name), fitted(name).grown_tree_
    for key, one in shown["distributions"].items():
        node, threshold = int(key), shown["nodes"]["threshold"][int(key)]
        at = one["edges"].index(threshold)
        below, first = np.sum(one["counts"][:at], axis=0), int(tree.first_child[node])
        if shown["missing"]["name"] == "branch" or tree.missing_branch[node] != 0:
            np.testing.assert_allclose(below, tree.stats[first], rtol=1e-6)
        assert below.sum() <= tree.weight[first] * (1 + 1e-6)


def test_weights_are_counted():
    X, _, y = mixed()
    weight = weights(len(y))
    model = CARTRegressor(pruning=None, max_depth=2).fit(X, y, weight)
    one = document(model.to_html(None, X, y, sample_weight=weight))["distributions"]["0"]
    known = X.iloc[:, int(model.tree_.column[0])].notna().to_numpy()
    total = np.array([w for w, _ in one["counts"]])
    assert total.sum() == pytest.approx(weight[known].sum(), rel=1e-6)


def test_whole_numbers_have_a_bin_each():
    X, y = np.array([[1], [2], [3], [4], [5]] * 4), np.array([0, 0, 1, 1, 1] * 4)
    for model, threshold in ((CARTClassifier(), 2.5), (C45Classifier(), 2)):
        one = document(model.fit(X, y).to_html())["distributions"]["0"]
        assert threshold in one["edges"]
        assert [sum(counts) for counts in one["counts"]] == [4, 4, 4, 4, 4]


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(numbers, min_size=2, max_size=30, unique=True), st.data())
def test_edges_hold_all_values_and_the_threshold(values, data):
    rising = np.unique(values)
    at = data.draw(st.integers(0, len(rising) - 2)) if len(rising) > 1 else 0
    low, high = rising[at], rising[min(at + 1, len(rising) - 1)]
    middle = low / 2 + high / 2
    threshold = float(middle if low <= middle < high else low)
    edges = bin_edges(rising, threshold)
    assert threshold in edges
    assert np.all(edges[1:] > edges[:-1])
    assert edges[0] < rising[0] or rising[0] == -np.finfo(float).max
    assert edges[-1] >= rising[-1]
    assert 3 <= len(edges) <= N_BINS + 5
    assert np.isfinite(edges[1:]).all()


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
                assert cell == (format_number(own) if is_number else format_category(own))


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
    monkeypatch.setattr(details_module, "MAX_ROWS", 100)
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
    monkeypatch.setattr(details_module, "MAX_ROWS", 10)
    shown = document(model.to_html(None, X, y, sample_weight=np.arange(1.0, 201.0)))["rows"]
    assert shown["number"] == list(range(190, 200))  # the heaviest leaves


def test_wide_tables_have_fewer_rows(monkeypatch):
    monkeypatch.setattr(details_module, "MAX_CELLS", 60)
    X, y = np.random.default_rng(0).normal(size=(50, 5)), np.arange(50) % 2
    shown = document(CARTClassifier().fit(X, y).to_html(None, X, y))["rows"]
    assert len(shown["cells"]) == 10


def test_a_long_cell_is_cut_and_a_strange_one_stays():
    X = [[text] for text in HOSTILE]
    y = np.arange(len(X)) % 2
    shown = document(C45Classifier(min_samples_leaf=1, pruning=None).fit(X, y).to_html(None, X, y))
    cells = [cells[0] for cells in shown["rows"]["cells"]]
    assert cells[:-1] == list(map(format_category, HOSTILE[:-1]))
    assert cells[-1] == "x" * 199 + "…"
    assert shown["columns"][0]["categories"] == list(map(format_category, sorted(HOSTILE)))


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


def test_the_target_of_the_rows_of_a_node_is_binned():
    X, y = rows_for("cart numbers")
    found, tree = document_of("cart numbers")["target_distribution"], fitted("cart numbers").grown_tree_
    edges, counts = np.array(found["edges"]), np.array(found["counts"])
    assert (edges[0], edges[-1]) == (y.min(), y.max())
    assert counts.sum(axis=1) == pytest.approx(tree.weight)
    leaf = fitted("cart numbers").grown_tree_.apply(X)
    for node in np.unique(leaf):
        own = y.to_numpy()[leaf == node]
        inside = [(low < own) & (own <= high) for low, high in pairwise(edges)]
        inside[0] |= own == edges[0]
        assert counts[node].tolist() == [each.sum() for each in inside]
    assert document_of("cart")["target_distribution"] is None
