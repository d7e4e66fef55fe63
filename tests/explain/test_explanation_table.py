"""Explanations of several rows: the same as one by one, as a sequence, a text and a data frame."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.golden.tables import GOLF
from treewright import C45Classifier, CARTRegressor, Explanation, Explanations, ParameterError

TABLE = GOLF.frame()


@pytest.fixture(scope="module")
def model():
    return C45Classifier().fit(TABLE, GOLF.y)


def test_each_explanation_is_that_of_its_row(model):
    rows = pd.concat([TABLE, pd.DataFrame([{"outlook": "fog"}, {"outlook": "sunny"}, {"outlook": "hail"}])])
    found = model.explain(rows)
    assert isinstance(found, Explanations)
    assert len(found) == 17
    for i, one in enumerate(found):
        assert one == model.explain(rows.iloc[[i]])
    assert found[-3].steps[0].value_words == "fog (unseen, so missing)"
    assert [one.prediction for one in found[2:4]] == model.predict(TABLE[2:4]).tolist()
    with pytest.raises(IndexError):
        found[17]


def test_one_row_is_one_explanation(model):
    for row in (TABLE[:1], TABLE.iloc[0], TABLE[:1].to_dict("records"), TABLE[:1].to_dict("records")[0]):
        assert isinstance(model.explain(row), Explanation)


@pytest.mark.parametrize("form", [pl.DataFrame, lambda t: t.to_numpy(), lambda t: t.to_numpy().tolist(),
                                  lambda t: t.to_dict("records")])  # fmt: skip
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_any_table_is_explained(model, form):
    assert model.explain(form(TABLE)).to_frame().equals(model.explain(TABLE).to_frame())


def test_the_frame_has_what_predict_and_apply_return(model):
    frame = model.explain(TABLE).to_frame()
    assert frame["prediction"].tolist() == model.predict(TABLE).tolist()
    assert frame["probability"].tolist() == model.predict_proba(TABLE).max(axis=1).tolist()
    assert frame["leaf"].tolist() == model.apply(TABLE).tolist()
    changes = [next(iter(one.changes), None) for one in model.explain(TABLE)]
    assert None in changes
    shown = zip(frame["nearest_change"], frame["changed_prediction"], strict=True)
    assert [None if pd.isna(words) else (words, prediction) for words, prediction in shown] == [
        None if one is None else (one.words, one.prediction) for one in changes
    ]


def test_a_row_in_several_leaves_shows_their_fractions(model):
    found = model.explain([{"outlook": "sunny", "windy": "true"}, {"windy": "false"}])
    assert found.to_frame()["path"][0] == (
        "outlook = sunny and humidity > 75 (60.0%); outlook = sunny and humidity <= 75 (40.0%)"
    )


def test_regression_has_no_probability_and_a_long_table_is_cut():
    X = np.arange(50.0).reshape(-1, 1)
    model = CARTRegressor(pruning=None, max_depth=1).fit(X, np.repeat([1.0, 3.0], 25))
    found = model.explain(X)
    assert list(found.to_frame()) == ["prediction", "leaf", "path", "nearest_change", "changed_prediction"]
    lines = str(found).splitlines()
    assert len(lines) == 22
    assert lines[1].split() == ["0", "1", "x0", "<=", "24.5", "x0", ">", "24.5", "(now", "0)", "->", "3"]
    assert lines[-1] == "… 30 more rows"
    assert found.to_text(max_rows=None).count("\n") == 50
    assert "另有 30 个样本" in str(model.explain(X, language="zh"))
    with pytest.raises(ParameterError, match="max_rows"):
        found.to_text(0)


def test_names_are_escaped_in_html():
    model = C45Classifier(min_samples_leaf=1).fit(pd.DataFrame({"<b>": [1, 2, 3, 4]}), ["<i>", "<i>", "&", "&"])
    shown = model.explain(pd.DataFrame({"<b>": [1, 4]}))._repr_html_()
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "&lt;b&gt; &lt;= 2" in shown
