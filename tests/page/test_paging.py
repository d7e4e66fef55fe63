"""to_html of the estimators: what it gives back, what it is told, and what it does with rows that are not at hand."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from tests.page.reading import document
from tests.page.tables import GOLF, PLAY, SOME, document_of, fitted, mixed, page_of, rows_for
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    InputError,
    KindError,
    ParameterError,
    load,
)
from treewright.estimators import fitting


def test_the_path_is_given_back_or_the_text(tmp_path):
    model = C45Classifier().fit(GOLF, PLAY)
    text = model.to_html()
    for path in (tmp_path / "a.html", str(tmp_path / "b.html")):
        found = model.to_html(path)
        assert isinstance(found, Path)
        assert found == Path(path)
        assert found.read_bytes() == text.encode("utf-8")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.html", "b.html"]


def test_nothing_is_done_before_fit():
    with pytest.raises(NotFittedError):
        C45Classifier().to_html()


def test_bad_arguments_are_refused_before_the_work(tmp_path):
    model = C45Classifier().fit(GOLF, PLAY)
    with pytest.raises(InputError, match="is a folder"):
        model.to_html(tmp_path)
    with pytest.raises(ParameterError, match=r"language must be one of 'en', 'zh'.*, got 'de'"):
        model.to_html(language="de")
    with pytest.raises(KindError, match="title must be a string or None, got int"):
        model.to_html(title=3)
    with pytest.raises(InputError, match="X and y must be passed together"):
        model.to_html(None, GOLF)
    with pytest.raises(InputError, match="grown on 14 rows, but the table has 13"):
        model.to_html(None, GOLF[:13], PLAY[:13])
    with pytest.raises(InputError, match="other targets or weights"):
        model.to_html(None, GOLF, PLAY[::-1].tolist()[:7] + ["stay"] * 7)


@pytest.mark.parametrize("name", ["c45", "cart", "tree pruned by held out", "cart numbers"])
def test_rows_that_were_kept_do_as_well_as_rows_given_again(name):
    kept, again = document_of(name, given=False), document_of(name)
    for part in ("ledgers", "distributions", "decisions", "columns"):
        assert kept[part] == again[part]
    errors = [[view["training_error"] for view in shown["views"] if view["key"] in ("own", "grown")]
              for shown in (kept, again)]  # fmt: skip
    assert errors[0] == errors[1]


@pytest.mark.parametrize("name", SOME)
def test_a_stored_model_has_a_page_and_can_be_given_its_rows_again(name):
    stored = pickle.loads(pickle.dumps(fitted(name)))
    shown = document(stored.to_html())
    assert (shown["ledgers"], shown["distributions"], shown["rows"]) == ({}, {}, None)
    if stored.grown_tree_.n_nodes > 1:
        assert shown["notes"]
    X_val, y_val = rows_for(name, "validation")
    assert stored.to_html(None, *rows_for(name), X_val=X_val, y_val=y_val) == page_of(name)


def test_candidates_that_are_stored_with_a_model_are_on_its_page(tmp_path):
    model = C45Classifier().fit(GOLF, PLAY)
    model.save(tmp_path / "golf.json", ledgers=True)
    shown, expected = document(load(tmp_path / "golf.json").to_html()), document(model.to_html())
    assert shown["ledgers"] == expected["ledgers"] != {}
    assert shown["distributions"] == {}
    assert any("has no histograms" in note["en"] for note in shown["notes"])
    assert (shown["from_rows"], expected["from_rows"]) == (False, True)


def test_a_large_table_is_not_kept_but_can_be_given(monkeypatch):
    monkeypatch.setattr(fitting, "MAX_KEPT_CELLS", 10)
    model = C45Classifier().fit(GOLF, PLAY)
    assert "rows are not available" in " ".join(note["en"] for note in document(model.to_html())["notes"])
    assert document(model.to_html(None, GOLF, PLAY))["ledgers"]


def test_a_rule_that_refuses_missing_values_has_no_training_error():
    X, y, numbers = mixed()
    for model in (CARTClassifier().fit(X, y), CARTRegressor(min_samples_leaf=5).fit(X, numbers)):
        answers = y if isinstance(model, CARTClassifier) else numbers
        model.set_params(missing_predict="error")
        shown = document(model.to_html(None, X, answers))
        assert shown["missing"]["name"] == "error"
        assert {view["training_error"] for view in shown["views"]} == {None}
        assert shown["path"]["training_error"] is None
        assert any("does not accept" in note["en"] for note in shown["notes"])
        assert shown["ledgers"]


def test_the_estimator_is_not_changed():
    model = C45Classifier().fit(GOLF, PLAY)
    before = model.tree_.fingerprint(), sorted(vars(model))
    model.to_html(None, GOLF, PLAY, X_val=GOLF, y_val=PLAY)
    assert (model.tree_.fingerprint(), sorted(vars(model))) == before


def test_threads_do_not_matter():
    X, y, _ = mixed()
    pages = [CARTClassifier(n_jobs=n).fit(X, y).to_html(None, X, y) for n in (1, 2)]
    assert pages[0].replace("n_jobs=1", "") == pages[1].replace("n_jobs=2", "")


def test_a_page_needs_no_drawing_library():
    code = (
        "import sys; from treewright import C45Classifier\n"
        "html = C45Classifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).to_html()\n"
        "assert html.startswith('<!doctype html>') and 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize("kind", [CARTClassifier, pytest.param(CARTRegressor, marks=pytest.mark.long)])
def test_twenty_thousand_nodes_are_a_file_of_a_few_megabytes(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40_000, 2)).round(3)
    y = rng.normal(size=40_000).round(3) if kind is CARTRegressor else rng.integers(0, 2, 40_000)
    model = kind(pruning=None, max_leaf_nodes=10_000).fit(X, y)
    assert model.tree_.n_nodes > 15_000
    html = model.to_html(None, X, y, methods=["same_decision"])
    assert len(html.encode()) < 12e6
    shown = document(html)
    assert len(shown["nodes"]["count"]) == model.tree_.n_nodes
    assert len(shown["rows"]["cells"]) <= 5000
