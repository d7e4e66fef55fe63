"""A model fitted on any table answers the same rows from a file: types of training are met by their text."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import C45Classifier, CARTClassifier, ID3Classifier, InputError, read
from treewright.data.encode import encode_table, read_table
from treewright.data.files.model_rows import select_model_columns
from treewright.data.schema import Column, Kind

N = 120


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "truth": rng.random(N) < 0.5,
            "code": pd.Categorical(rng.integers(1, 5, N)),
            "half": pd.Categorical(rng.integers(0, 4, N) / 2),
            "number": rng.normal(size=N).round(3),
            "whole": rng.integers(0, 50, N),
            "word": rng.choice(["red", "a,b", 'say "so"', "色"], N),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], N), categories=["S", "M", "L"], ordered=True),
            "maybe": pd.array(rng.choice([True, False], N), dtype="boolean"),
        }
    )
    frame.loc[::7, "number"] = np.nan
    frame.loc[::11, "word"] = None
    frame.loc[::13, "maybe"] = pd.NA
    y = np.where(frame["truth"] ^ (frame["code"].astype(int) > 2), "yes", "no")
    y[frame["size"].astype(str) == "L"] = "maybe"
    return frame, y


@pytest.mark.parametrize(
    "model", [C45Classifier(), CARTClassifier(), ID3Classifier(numeric="bisect")], ids=str
)
def test_from_pandas_to_csv(table, model, tmp_path):
    frame, y = table
    model.fit(frame, y)
    expected = model.predict_proba(frame)
    columns = model.tree_.schema.columns
    mixed = frame[frame.columns[::-1]].assign(extra="2024-01-01")
    mixed.to_csv(tmp_path / "rows.csv", index=False)
    words = [column.name for column in columns if column.kind != Kind.NUMBER]
    from_csv = select_model_columns(
        read(tmp_path / "rows.csv", categorical=words, ignore="extra").X, columns, by_name=True
    )
    assert np.array_equal(
        encode_table(from_csv, columns).values, encode_table(frame, columns).values, equal_nan=True
    )
    assert np.array_equal(model.predict_proba(from_csv), expected)
    text = pl.read_csv(tmp_path / "rows.csv", infer_schema=False)
    assert np.array_equal(model.predict_proba(select_model_columns(text, columns, by_name=True)), expected)
    typed = pl.read_csv(tmp_path / "rows.csv")
    assert np.array_equal(model.predict_proba(select_model_columns(typed, columns, by_name=True)), expected)
    pl.from_pandas(mixed.astype({"code": int, "half": float, "size": str})).write_parquet(
        tmp_path / "rows.parquet"
    )
    from_parquet = select_model_columns(read(tmp_path / "rows.parquet").X, columns, by_name=True)
    assert np.array_equal(model.predict_proba(from_parquet), expected)


def test_without_names_by_place(tmp_path):
    X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 5.0], [4.0, 6.0]])
    model = CARTClassifier(categorical_features=[1]).fit(X, ["a", "b", "a", "b"])
    columns = model.tree_.schema.columns
    pd.DataFrame(X, columns=["p", "q"]).to_csv(tmp_path / "rows.csv", index=False)
    rows = select_model_columns(read(tmp_path / "rows.csv").X, columns, by_name=False)
    assert model.predict(rows.to_numpy()).tolist() == ["a", "b", "a", "b"]
    assert rows.columns == ["x0", "x1"]


def meant(categories, *cells, **given):
    column = Column("c", Kind.CATEGORY, tuple(categories))
    frame = select_model_columns(
        pl.DataFrame({"c": list(cells)}, strict=False), [column], by_name=True, **given
    )
    return encode_table(frame, [column], unseen="mark").values.ravel().tolist()


UNSEEN = -np.inf


@pytest.mark.parametrize(
    ("categories", "cells", "codes"),
    [
        ((False, True), ["False", "true", "TRUE", "0", "1.0", "f"], [0, 1, 1, 0, 1, UNSEEN]),
        ((False, True), [True, False], [1, 0]),
        ((False, True), [0, 1, 2], [0, 1, UNSEEN]),
        ((1, 2), ["1", "1.0", "2.00", " 2", "+1", "3"], [0, 0, 1, 1, 0, UNSEEN]),
        ((1, 2), [1.0, 2.0, 3.0], [0, 1, UNSEEN]),
        ((1, 2.5), ["1", "2.5", "2.50", "25e-1"], [0, 1, 1, 1]),
        ((1, 2.5), ["blue"], [UNSEEN]),
        (("1", "2"), [1, 2, 3], [0, 1, UNSEEN]),
        (("1", "2"), [1.0, 2.0, 2.5], [0, 1, UNSEEN]),
        (("1", "2"), ["1.0"], [UNSEEN]),
        (("False", "True"), [True, False], [1, 0]),
        (("no", "yes"), [True], [UNSEEN]),
        (("a", "b"), ["a", " b ", "c"], [0, 1, UNSEEN]),
        (("a ", "b"), ["a ", "a", "b"], [0, UNSEEN, 1]),
        ((1, "a", 2.5), ["a", "2.5", "zzz"], [1, 2, UNSEEN]),
        (("色", "瓜"), ["瓜", "色"], [1, 0]),
        ((), ["x"], [UNSEEN]),
    ],
)
def test_categories_by_their_text(categories, cells, codes):
    assert meant(categories, *cells) == codes


def test_missing_cells():
    nan = [True, True, True, False]
    for categories, cell in [(("a", "NA"), "NA"), ((True, False), "true"), ((1, 2), "2")]:
        values = meant(categories, "", "?", None, cell)
        assert np.isnan(values).tolist() == nan
    assert meant(("a",), "-", "?", missing=["-"])[1] == UNSEEN


def test_numbers():
    column = Column("x", Kind.NUMBER)

    def numbers(cells, **given):
        return select_model_columns(
            pl.DataFrame({"x": cells}, strict=False), [column], by_name=True, **given
        )["x"].to_list()

    assert numbers(["1.5", " 2 ", "007", "", "NA"]) == [1.5, 2.0, 7.0, None, None]
    assert numbers(["1,5"], decimal=",") == [1.5]
    assert numbers([True, False]) == [1.0, 0.0]
    assert numbers([1, None]) == [1, None]
    with pytest.raises(InputError, match="Column 'x' must contain numbers, got 'many' in row 1"):
        numbers(["1", "many"])


def test_columns_that_are_not_there():
    columns = [Column(f"c{i}", Kind.NUMBER) for i in range(12)]
    with pytest.raises(
        InputError,
        match=r"Columns 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8' and 3 more of the model not found in the table; "
        r".* 'c1' are 'c0'",
    ):
        select_model_columns(pl.DataFrame({"c0": [1]}), columns, by_name=True)
    with pytest.raises(
        InputError, match="no column names, so the table must have its 12 columns in their order, got 1 column; "
    ):
        select_model_columns(pl.DataFrame({"c0": [1]}), columns, by_name=False)


VALUES = st.sampled_from([st.booleans(), st.integers(-(2**40), 2**40), st.floats(-1e9, 1e9)])


@given(VALUES.flatmap(lambda values: st.lists(values, min_size=1)))
def test_what_polars_writes_is_met_again(values):
    trained = read_table(pl.DataFrame({"c": values}), categorical_features=["c"])
    text = pl.read_csv(io.BytesIO(pl.DataFrame({"c": values}).write_csv().encode()), infer_schema=False)
    met = encode_table(select_model_columns(text, trained.columns, by_name=True), trained.columns)
    assert np.array_equal(met.values, trained.values)
