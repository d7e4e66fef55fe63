"""The ledgers of a page: the numbers of growth, rounded; the heaviest nodes, and the best columns of a wide table."""

import numpy as np
import pytest

from tests.page.reading import document
from tests.page.tables import ESTIMATORS, document_of, fitted, rows_for
from treewright import C45Classifier, CARTClassifier
from treewright.estimators.parameters import settle
from treewright.ledger.entries import entries
from treewright.page import document as document_module
from treewright.page import ledgers as ledgers_module

NUMBERS = ("rho", "before", "after", "charge", "gain", "split_info", "ratio", "gini_index", "merit")


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
    rows = model._rows_again(*rows_for(name), None)[0]
    plan, share = model._grown_by
    for entry in entries(rows, settle(plan, rows, share), model.grown_tree_, [0, 1, 2]):
        if entry.leaf is not None:
            continue
        ledger = shown["ledgers"][str(entry.node)]
        assert ledger["average"] == (None if entry.average is None else pytest.approx(entry.average, rel=1e-6))
        assert ledger["margin"] == (None if entry.margin is None else pytest.approx(entry.margin, rel=1e-6))
        for one, own in zip(ledger["candidates"], entry.candidates, strict=True):
            assert (one["verdict"], one["reason"]) == (own.verdict, own.reason)
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
    monkeypatch.setattr(document_module, "MOST_LEDGERS", 7)
    shown = document(model.to_html())
    weight, inner = model.tree_.weight, np.flatnonzero(model.tree_.n_children)
    least = min(weight[int(node)] for node in shown["ledgers"])
    assert len(shown["ledgers"]) == 7
    assert np.count_nonzero(weight[inner] > least) <= 7
    assert f"for the 7 heaviest of {len(inner)} nodes" in " ".join(shown["notes"])
    assert set(shown["distributions"]) == set(shown["ledgers"])


def test_a_large_table_has_fewer_ledgers(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    model = CARTClassifier(pruning=None).fit(X, y)
    monkeypatch.setattr(ledgers_module, "MOST_VALUES", 200 * 3 + 100)
    assert list(document(model.to_html())["ledgers"]) == ["0"]
    monkeypatch.setattr(ledgers_module, "MOST_VALUES", 1)
    assert list(document(model.to_html())["ledgers"]) == ["0"]
    monkeypatch.undo()
    monkeypatch.setattr(ledgers_module, "MOST_LINES", 12)
    assert len(document(model.to_html())["ledgers"]) == 4


def test_a_long_name_does_not_make_a_long_ledger():
    X = [["x" * 10_000, i % 3] for i in range(30)]
    shown = document(C45Classifier(min_samples_leaf=1).fit(X, [i % 2 for i in range(30)]).to_html())
    for ledger in shown["ledgers"].values():
        assert all(len(one["reason"]) <= 600 for one in ledger["candidates"])
