"""Ledgers as people meet them: asked of an estimator, printed, shown in a notebook, taken as data."""

import copy
import json
import pickle
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from tests.ledger.cases import GOLF, HOSTILE, PLAY, mixed
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier
from treewright.errors import InputError, ParameterError, TreewrightError
from treewright.ledger.node_cuts import Cuts
from treewright.text_table import text_width

TEXTBOOK = C45Classifier(variant="textbook", pruning=None)


@pytest.fixture(scope="module")
def golf():
    return TEXTBOOK.fit(GOLF, PLAY)


def test_a_column_is_found_by_its_name(golf):
    ledger = golf.why()
    assert ledger["outlook"] is ledger.entry.candidates[0] is ledger.chosen
    assert [c.name for c in ledger.candidates] == ["outlook", "temperature", "humidity", "windy"]
    with pytest.raises(InputError, match="Unknown column 'rain'; the columns are 'outlook', 'temperature'"):
        ledger["rain"]


def test_text(golf):
    text = str(golf.why())
    assert text == golf.why().to_text()
    assert text.splitlines()[:8] == [
        "Node 0 (root): 14 rows (no: 5, yes: 9).",
        "Entropy: 0.9403 bits.",
        "It splits on outlook: the only ranked column.",
        "Only columns with a gain of at least the average, 0.1276, are ranked.",
        "",
        "   column       before   after    gain  split info   ratio  split",
        "*  outlook      0.9403  0.6935  0.2467      1.5774  0.1564  3 branches",
        "-  temperature  0.9403  0.8269  0.1134      0.3712  0.3055  <= 84 (best of 11 cuts)",
    ]
    assert "*: chosen; -: below the average" in text


def test_a_rejected_column_has_its_reason(golf):
    text = str(golf.why(3))
    assert "Node 3 (outlook = sunny): 5 rows" in text
    assert "  outlook: only one value here, sunny; a node above splits on this column" in text


def test_data(golf):
    told = golf.why().to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["classes"] == ["no", "yes"]
    assert told["candidates"][0]["branches"][1] == {
        "words": "outlook = rain",
        "weight": 5.0,
        "stats": [2.0, 3.0],
        "impurity": told["candidates"][0]["branches"][1]["impurity"],
    }


def test_an_endless_threshold_is_data_too():
    table = pd.DataFrame({"x": [1.0] * 4 + [None] * 4})
    ledger = TreeClassifier(missing="branch").fit(table, ["a"] * 4 + ["b"] * 4).why()
    assert ledger["x"].threshold == np.inf
    assert json.loads(json.dumps(ledger.to_dict(), allow_nan=False))["candidates"][0]["threshold"] == "inf"
    assert [b.words for b in ledger["x"].branches] == ["x is known", "x is missing"]
    assert "known" in str(ledger)


def test_frame(golf, monkeypatch):
    frame = golf.why().to_frame()
    assert frame["name"].tolist() == ["outlook", "temperature", "humidity", "windy"]
    assert frame["gain"].tolist() == [c.gain for c in golf.why().candidates]
    assert frame["threshold"].isna().tolist() == [True, False, False, True]
    monkeypatch.setattr("treewright.text_table.LIBRARIES", ("polars",))
    assert golf.why().to_frame()["verdict"].to_list() == ["chosen", "below", "below", "below"]
    monkeypatch.setattr("treewright.text_table.LIBRARIES", ())
    with pytest.raises(TreewrightError, match="pandas or polars"):
        golf.why().to_frame()


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))

    def handle_data(self, data):
        self.text.append(data)


def read_html(text):
    reader = Reader()
    reader.feed(text)
    return {tag for tag, _ in reader.tags}, {one for _, attrs in reader.tags for one in attrs}, "".join(reader.text)


def test_hostile_names_are_text():
    """Columns, categories and classes that would run, break lines or turn the text around."""
    n = len(HOSTILE)
    cells = [[HOSTILE[(i * (k + 1)) % n] for k in range(n)] for i in range(4 * n)]
    table = pd.DataFrame(cells, columns=pd.Index(HOSTILE, dtype=object), dtype=object)
    model = C45Classifier(variant="textbook", pruning=None).fit(table, [HOSTILE[i % n] for i in range(4 * n)])
    for node in (0, model.tree_.n_nodes - 1):
        ledger = model.why(node)
        tags, attributes, text = read_html(ledger.to_html())
        assert tags <= {"div", "p", "table", "tr", "th", "td", "ul", "li"}
        assert attributes <= {("style", "text-align:left"), ("style", "text-align:right")}
        assert ledger.to_html() == ledger._repr_html_()
        printed = str(ledger)
        for unsafe in ("\x1b", "\x00", "\r", "\t", "\u2028", "\u202e", "\ud800"):
            assert unsafe not in printed
            assert unsafe not in text
        printed.encode()
        json.dumps(ledger.to_dict())
    assert "<script>alert(1)</script>" in read_html(model.why().to_html())[2]


def test_the_same_rows_given_again(golf):
    given = golf.why(0, GOLF, PLAY)
    assert given == golf.why()
    stored = pickle.loads(pickle.dumps(golf))
    with pytest.raises(InputError, match="pass X and y"):
        stored.why()
    assert stored.why(3, GOLF, PLAY) == golf.why(3)
    assert copy.deepcopy(golf).why(0, pl.from_pandas(GOLF), PLAY).entry.chosen == 0


def test_other_rows_are_refused(golf):
    with pytest.raises(InputError, match="13"):
        golf.why(0, GOLF[:13], PLAY[:13])
    with pytest.raises(InputError, match="must be passed together"):
        golf.why(0, GOLF)
    turned = GOLF.assign(outlook=np.roll(GOLF["outlook"].to_numpy(), 1))
    for node in (0, 1, 5):
        with pytest.raises(InputError, match="do not reproduce the tree at node 0; pass all training rows"):
            golf.why(node, turned, PLAY)


def test_wrong_numbers(golf):
    for node in (-1, 8, "0", 1.0, None):
        with pytest.raises(InputError, match=f"Node {node!r} not found; the nodes of this tree are 0 to 7"):
            golf.why(node)
    assert golf.why(np.int64(2)).entry.node == 2


def test_an_unfitted_estimator():
    with pytest.raises(NotFittedError):
        C45Classifier().why()
    with pytest.raises(NotFittedError):
        C45Classifier().why_pruned(0)


def test_parameters_set_since_do_not_matter(golf):
    model = C45Classifier(variant="textbook", pruning=None).fit(GOLF, PLAY)
    model.set_params(criterion="gain", min_samples_leaf=5, variant="release8")
    assert model.why() == golf.why()


ESTIMATORS = {
    "C4.5": C45Classifier(),
    "groups": C45Classifier(grouping="greedy", pruning=None),
    "ID3": ID3Classifier(numeric="bisect", missing="branch"),
    "CART": CARTClassifier(),
    "twoing": CARTClassifier(criterion="twoing", pruning=None, missing="learned"),
    "regression": CARTRegressor(),
    "medians": CARTRegressor(criterion="absolute_error", pruning=None, missing="fractional", max_depth=4),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_order_of_rows_changes_a_byte(name):
    table, classes, number = mixed(120, holes=0.1)
    y = number if name in ("regression", "medians") else classes
    weight = np.random.default_rng(1).integers(1, 9, 120) / 8
    order = np.random.default_rng(2).permutation(120)
    model = ESTIMATORS[name].fit(table, y, weight)
    other = copy.deepcopy(ESTIMATORS[name]).set_params(n_jobs=2)
    other.fit(table.iloc[order], np.asarray(y)[order], weight[order])
    assert model.tree_.n_nodes == other.tree_.n_nodes
    for node in range(model.tree_.n_nodes):
        one, two = model.why(node), other.why(node)
        assert str(one) == str(two)
        assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())


def test_a_table_of_arrays_and_a_single_leaf():
    model = CARTClassifier().fit(np.zeros((6, 2)), [0, 1, 0, 1, 0, 0])
    ledger = model.why()
    assert ledger.entry.leaf == "No column has a candidate split."
    assert {c.reason for c in ledger.entry.candidates} == {"only one value here, 0"}
    assert "This node is a leaf. No column has a candidate split." in str(ledger)


def test_many_columns_are_cut_short():
    rng = np.random.default_rng(0)
    ledger = CARTClassifier(pruning=None).fit(rng.normal(size=(50, 200)), rng.integers(0, 2, 50)).why()
    text = str(ledger)
    assert "… 170 more columns" in text
    assert "… 197 more numeric columns" in text
    assert len(text.splitlines()) < 70
    assert len(ledger.to_frame()) == 200


def test_many_classes_and_categories():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"id": [f"row {i}" for i in range(2000)], "x": rng.normal(size=2000)})
    ledger = ID3Classifier(numeric="bisect").fit(table, rng.integers(0, 500, 2000).astype(str)).why()
    assert len(ledger["id"].branches) == 2000
    assert len(str(ledger)) < 5000


def test_a_ledger_draws_in_no_library():
    """Asking why does not bring in what draws."""
    code = (
        "import sys; from treewright import CARTClassifier;"
        "print(CARTClassifier().fit([[1, 2], [2, 1], [3, 5]], [0, 1, 1]).why().to_html() != '',"
        "'matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_cuts_of_an_ordered_category_are_in_its_words():
    table, classes, _ = mixed(300)
    size = CARTClassifier(pruning=None).fit(table, classes).why()["size"]
    assert (size.kind, size.n_cuts) == ("ordered", 3)
    assert {cut.words for cut in size.cuts} == {"size <= S", "size <= M", "size <= L"}
    assert size.cuts[0].words == size.branches[0].words


def test_where_missing_rows_go_is_told_of_every_cut():
    """Learned: each cut is tried with the missing rows on either side, and once against them all."""
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, None, None]})
    x = CARTClassifier(missing="learned", pruning=None).fit(table, list("aabbbb")).why()["x"]
    assert x.n_cuts == 7
    assert {(cut.threshold, cut.missing) for cut in x.cuts} < {(t, m) for t in (1.5, 2.5, 3.5, np.inf) for m in (0, 1)}
    assert (x.cuts[0].threshold, x.cuts[0].missing, x.cuts[0].low, x.cuts[0].high) == (2.5, 1, (2, 0), (0, 4))
    assert [b.words for b in x.branches] == ["x <= 2.5", "x > 2.5"]
    assert [b.weight for b in x.branches] == [2, 4]


def test_answers_exchanged_are_refused():
    """Iris with its species exchanged asks the same at the root, with the same numbers."""
    X, y = load_iris(return_X_y=True)
    model = CARTClassifier(pruning=None).fit(X, y)
    for node in (0, 1, 2):
        with pytest.raises(InputError, match=f"node {node} do not match the tree; pass all training rows"):
            model.why(node, X, 2 - y)
    numbers = CARTRegressor(pruning=None, max_depth=2).fit(X[:, :3], X[:, 3])
    for moved in (-X[:, 3], X[:, 3] + 1e-3):
        with pytest.raises(InputError, match="node 0 do not match the tree"):
            numbers.why(0, X[:, :3], moved)
    assert str(numbers.why(0, X[:, :3], X[:, 3])) == str(numbers.why())


@pytest.mark.parametrize("grown", ["yes", 1, None])
def test_grown_is_true_or_false(golf, grown):
    for ask in (golf.why, golf.why_pruned, golf.worked_solution):
        with pytest.raises(ParameterError, match="grown must be True or False, got"):
            ask(0, grown=grown)


def test_long_names_are_cut_short_wherever_they_stand():
    rng = np.random.default_rng(0)
    values = ["v" * 10_000 + str(k) for k in range(3)]
    X = pd.DataFrame({f"{k}" + "n" * 10_000: rng.choice(values, 60) for k in range(3)} | {"twin": [0] * 60})
    X["m" * 10_000] = rng.random(60)
    X["k" * 10_000] = X["m" * 10_000] * 2  # a tie in every node
    y = np.where(X["m" * 10_000] > 0.5, "a" * 10_000, "b" * 10_000)
    y[:9] = "c" * 10_000
    for model in (C45Classifier(), CARTClassifier(max_depth=2), CARTClassifier(pruning="mdl")):
        model.fit(X, y)
        for node in range(model.grown_tree_.n_nodes):
            for told in (model.why(node, grown=True), model.why_pruned(node, grown=True)):
                assert max(map(text_width, str(told).splitlines())) <= 140
                assert len(told.to_html()) < 12_000
    assert max(len(one.name) for one in model.why().candidates) > 10_000


def test_mean_and_median_are_called_so():
    X, y = [[1], [2], [3], [4]], [1.0, 2.0, 3.0, 10.0]
    means = CARTRegressor(pruning=None).fit(X, y).why()
    assert str(means).startswith("Node 0 (root): 4 rows (mean 4, squared errors 50).")
    medians = CARTRegressor(pruning=None, criterion="absolute_error").fit(X, y).why()
    assert str(medians).startswith("Node 0 (root): 4 rows (median 2.5, absolute errors 10).")


def test_a_few_ties_are_named():
    X = pd.DataFrame({f"c{k}": [0, 0, 1, 1] for k in range(9)})
    ledger = CARTClassifier(pruning=None).fit(X, ["a", "a", "b", "b"]).why()
    assert "tied with c1, c2, c3, c4, c5, … 3 more." in str(ledger).replace("\n", " ")
    assert len(ledger.ties) == 8


@given(st.lists(st.sampled_from([0.0, 0.1, 0.1 + 1e-12, 0.1 + 2e-9, 0.2, 0.3]), max_size=40), st.integers(1, 12))
def test_the_best_cuts_are_those_that_sorting_all_would_give(gains, n):
    cuts = Cuts(np.arange(len(gains)) + 0.5, np.array(gains), np.full(len(gains), -1, np.int8))
    whole = cuts.best_first(0.5, max(len(gains), 1))
    assert cuts.best_first(0.5, n).tolist() == whole[:n].tolist()
    assert sorted(whole.tolist()) == list(range(len(gains)))
