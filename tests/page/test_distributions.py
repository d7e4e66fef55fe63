"""The histograms of a page: every row of the node that has a value in one bin, the threshold at an edge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.reading import document
from tests.page.tables import ESTIMATORS, document_of, fitted, mixed, row_weights, rows_for, weights
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.page.distributions import N_BINS, edges_of


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
    edges = edges_of(rising, threshold)
    assert threshold in edges
    assert np.all(edges[1:] > edges[:-1])
    assert edges[0] < rising[0] or rising[0] == -np.finfo(float).max
    assert edges[-1] >= rising[-1]
    assert 3 <= len(edges) <= N_BINS + 5
    assert np.isfinite(edges[1:]).all()
