"""Importances: the table says what feature_importances_ says; permutation by scikit-learn works on any table."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import permutation_importance

from tests.golden.tables import GOLF, GOLF_12
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
)
from treewright.explain.importance import column_gains


def mixed_table(n_rows=300):
    """Strings, categories, truth values and numbers, with holes; only `job` and `age` say anything."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "job": rng.choice(["baker", "smith", "瓦工"], n_rows),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], n_rows), categories=["S", "M", "L"], ordered=True),
            "age": rng.integers(18, 80, n_rows),
            "member": rng.random(n_rows) < 0.5,
        }
    )
    target = np.where((frame["job"] == "smith") | (frame["age"] > 60), "yes", "no")
    for i, name in enumerate(("job", "size", "age")):
        frame[name] = frame[name].where(rng.random(n_rows) > 0.05 * (i + 1))
    return frame, target


@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(),
        CARTClassifier(),
        ID3Classifier(numeric="bisect"),
        TreeClassifier(missing="learned", max_depth=4),
    ],
    ids=lambda model: type(model).__name__,
)
def test_permutation_importance_on_a_mixed_table_with_holes(model):
    X, y = mixed_table()
    model.fit(X[:200], y[:200])
    found = permutation_importance(model, X[200:], y[200:], n_repeats=5, random_state=0)
    by_name = dict(zip(X.columns, found.importances_mean, strict=True))
    assert min(by_name["job"], by_name["age"]) > 0.1
    assert max(abs(by_name["size"]), abs(by_name["member"])) < 0.05


def test_permutation_importance_of_a_number():
    X, _ = mixed_table()
    y = np.where(X["age"] > 50, 10.0, 2.0) + np.arange(300) % 3
    found = permutation_importance(CARTRegressor().fit(X, y), X, y, n_repeats=3, random_state=0)
    assert found.importances_mean.argmax() == 2


@pytest.mark.parametrize("model", [C45Classifier(), CARTClassifier(pruning=None), ID3Classifier(numeric="bisect"),
                                   CARTClassifier()], ids=repr)  # fmt: skip
def test_the_table_is_that_of_feature_importances(model):
    for golf in (GOLF, GOLF_12):
        model.fit(golf.frame(), golf.y)
        table = model.importances()
        by_name = {row.name: row.importance for row in table.rows}
        assert [by_name[name] for name in golf.features] == model.feature_importances_.tolist()
        assert column_gains(model.tree_).tolist() == model.feature_importances_.tolist()
        shown = [row.importance for row in table.rows]
        assert shown == sorted(shown, reverse=True)
        tree = model.tree_
        for row in table.rows:
            position = golf.features.index(row.name)
            assert row.n_splits == sum(tree.column == position)
            assert row.n_surrogates == (0 if tree.surrogates is None else sum(tree.surrogates.column == position))


def test_the_gain_of_each_column_by_hand():
    """textbook.md 3: golf's outlook gains 0.247 bits on 14 rows, humidity and windy 0.971 bits on 5 rows each."""
    model = ID3Classifier(numeric="bisect").fit(GOLF.frame(), GOLF.y)
    gained = {"outlook": 14 * 0.24675, "humidity": 5 * 0.97095, "windy": 5 * 0.97095, "temperature": 0.0}
    whole = sum(gained.values())
    by_name = {row.name: row.importance for row in model.importances().rows}
    assert by_name == pytest.approx({name: part / whole for name, part in gained.items()}, abs=1e-5)


def test_pages_and_frames():
    X = GOLF.frame().rename(columns={"outlook": "</td><script>\n天气"})
    table = CARTClassifier(pruning=None).fit(X, GOLF.y).importances()
    text = str(table)
    assert "\\x0a天气" in text
    assert len(text.splitlines()) == 5
    assert table.to_text(1).endswith("… 3 more columns")
    assert "<script>" not in table.to_html() + table._repr_html_()
    assert table.to_frame().shape == (4, 4)
    assert json.loads(json.dumps(table.to_dict()))["rows"][0]["name"] == table.rows[0].name
    with pytest.raises(ParameterError, match="`max_rows` must be an integer of at least 0, or None, got 'all'"):
        table.to_text("all")


def test_a_single_leaf_has_none():
    table = CARTClassifier().fit(GOLF.frame(), GOLF.y).importances()
    assert {row.importance for row in table.rows} == {0.0}
    assert [row.name for row in table.rows] == list(GOLF.features)


@pytest.mark.parametrize("depth", [None, 0, 1])
def test_they_are_floats_in_every_tree(depth):
    model = CARTClassifier(pruning=None, max_depth=depth or None)
    model.fit(GOLF.frame(), GOLF.y if depth != 0 else ["Play"] * len(GOLF.y))
    assert (model.tree_.n_nodes == 1) == (depth == 0)
    assert model.feature_importances_.dtype == np.float64
