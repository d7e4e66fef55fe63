"""Treelite: the model predicts as the tree, for all rows that a binary tree can route."""

import numpy as np
import pytest

from tests.export.matrix import table_names
from tests.export.walk import mixed, models
from tests.golden.sets import load, schema_of
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    TreeRegressor,
)
from treewright.errors import ExportError, TreewrightError
from treewright.export.binary_view import as_binary
from treewright.export.check import compare
from treewright.export.scoring import scoring_of
from treewright.export.treelite_model import run, to_treelite, treelite_probes

NAMES = list(models())


@pytest.fixture(scope="module")
def fitted():
    return models()


@pytest.fixture
def treelite():
    return pytest.importorskip("treelite", reason="treelite is not installed")


@pytest.mark.parametrize("name", NAMES)
def test_it_predicts_as_the_tree(fitted, name, treelite):
    scoring = scoring_of(fitted[name])
    model, binary = to_treelite(scoring, check=False), as_binary(scoring)
    probes = treelite_probes(binary, fitted[name]._kept.values)
    assert len(probes.values) > 150
    compare(probes, run(model, binary, probes), "Treelite", tolerance=0.0)


N_SETS = 20
ALL_ROWS = {
    "classification": (
        (ID3Classifier, {"numeric": "bisect", "missing": "branch", "max_depth": 8, "pruning": None}),
        (C45Classifier, {"missing_predict": "majority"}),
        (C45Classifier, {"missing": "stop", "grouping": "greedy"}),
        (CARTClassifier, {"missing": "learned", "pruning": None}),
        (MDLTreeClassifier, {"missing": "branch"}),
    ),
    "regression": (
        (CARTRegressor, {"missing": "learned", "pruning": None, "min_samples_leaf": 5}),
        (TreeRegressor, {"missing": "branch", "grouping": "each", "min_samples_leaf": 5}),
    ),
}
"""Models in which a binary tree routes every row, also one with missing values."""


@pytest.mark.long
@pytest.mark.parametrize("place", range(N_SETS))
def test_the_reference_prediction_of_treelite_is_equal_on_all_rows_of_a_data_set(place, shared, treelite):
    name = table_names(shared)[place]
    X, y = load(shared, name)
    task = schema_of(shared)[name]["task"]
    for estimator, options in ALL_ROWS[task]:
        model = estimator(**options).fit(X, y)
        found = treelite.gtil.predict(model.to_treelite(), model.as_binary().codes(X), nthread=1)
        expected = model.predict_proba(X) if task == "classification" else model.predict(X)
        assert expected.shape[0] == len(X)
        assert (found.reshape(expected.shape) == expected).all(), (name, model)


def test_a_table_of_the_user(fitted, treelite):
    X, _, _ = mixed(n=50, seed=8, missing=0)
    model = fitted["cart learned"]
    codes = as_binary(scoring_of(model)).codes(X)
    found = treelite.gtil.predict(to_treelite(scoring_of(model)), codes)
    assert np.squeeze(found) == pytest.approx(model.predict_proba(X), abs=0)


def test_a_stored_model_predicts_the_same(fitted, treelite, tmp_path):
    scoring = scoring_of(fitted["cart branch"])
    model, binary = to_treelite(scoring), as_binary(scoring)
    model.serialize(str(tmp_path / "tree.tl"))
    probes = treelite_probes(binary)
    compare(probes, run(treelite.Model.deserialize(str(tmp_path / "tree.tl")), binary, probes), "Treelite")
    assert f'"num_nodes": {binary.node_count}' in model.dump_as_json()


def test_a_difference_is_an_error(fitted, treelite, monkeypatch):
    from dataclasses import replace

    binary = as_binary(scoring_of(fitted["cart"]))
    swapped = replace(binary, children_left=binary.children_right, children_right=binary.children_left)
    monkeypatch.setattr("treewright.export.treelite_model.as_binary", lambda _: swapped)
    with pytest.raises(ExportError, match="The export to Treelite predicts"):
        to_treelite(scoring_of(fitted["cart"]))


def test_without_treelite(fitted, monkeypatch):
    monkeypatch.setattr("treewright.extras.find_spec", lambda name: None)
    with pytest.raises(TreewrightError, match="Export to Treelite requires treelite, which is not installed"):
        to_treelite(scoring_of(fitted["cart"]))
