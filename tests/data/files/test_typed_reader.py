"""Files with types: Parquet, Arrow and JSON lines give what polars holds."""

import datetime as dt
import gzip
import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import CARTClassifier, InputError, KindError, read

FRAME = pl.DataFrame(
    {
        "n": [1.5, None, float("nan")],
        "k": [1, 2, None],
        "w": ["a", None, "NA"],
        "t": [True, False, None],
        "e": pl.Series(["S", "M", "S"], dtype=pl.Enum(["S", "M", "L"])),
        "c": pl.Series(["p", "q", None], dtype=pl.Categorical),
    }
)


def stored(frame, form):
    out = io.BytesIO()
    {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "stream": frame.write_ipc_stream}[form](out)
    return out.getvalue()


@pytest.mark.parametrize("form", ["parquet", "arrow", "stream"])
@pytest.mark.parametrize("name", ["table", "table.csv", "table.parquet.gz"])
def test_types_say_what_columns_are(put, form, name):
    data = stored(FRAME, form)
    found = read(put(gzip.compress(data) if name.endswith(".gz") else data, name))
    assert found.X.rows() == [
        (1.5, 1.0, "a", True, "S", "p"),
        (None, 2.0, None, False, "M", "q"),
        (None, None, "NA", None, "S", None),
    ]
    assert found.X.dtypes == [
        pl.Float64,
        pl.Float64,
        pl.String,
        pl.Boolean,
        pl.Enum(["S", "M", "L"]),
        pl.String,
    ]
    assert [c.kind for c in found.columns] == [
        "number",
        "number",
        "category",
        "category",
        "category",
        "category",
    ]
    assert found.columns[3].why == "booleans"
    assert found.columns[2].why == "its type is String"


def test_json_lines(put):
    rows = [{"n": 1, "w": "a", "t": True}, {"n": 2.5, "w": None}, {"w": "é", "t": False, "n": None}]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    for name in ("rows.jsonl", "rows.ndjson", "rows"):
        assert read(put(text, name)).X.rows() == [(1.0, "a", True), (2.5, None, None), (None, "é", False)]
    late = "".join(json.dumps({"a": i}) + "\n" for i in range(500)) + '{"a": 0.5, "b": "x"}\n'
    assert read(put(late, "late.jsonl")).X.row(-1) == (0.5, "x")


def test_what_the_user_says(put):
    path = put(stored(FRAME, "parquet"))
    found = read(
        path,
        "w",
        categorical=["k", "n"],
        missing=["NA"],
        ordered={"c": ["q", "p"]},
        ignore=["e"],
        numeric=["t"],
    )
    assert found.X.rows() == [("1.5", "1", 1.0, "p")]
    assert found.y.to_list() == ["a"]
    assert found.categorical_features == {"c": ["q", "p"]}
    with pytest.raises(InputError, match="Column 'w' must contain numbers, got 'a' in row 0"):
        read(path, numeric=["w"])
    text = put(stored(pl.DataFrame({"x": ["1", "02"]}), "parquet"))
    assert read(text, numeric="x").X.rows() == [(1.0,), (2.0,)]


def test_numbers_that_float64_cannot_hold(put):
    frame = pl.DataFrame({"id": [2**53 + 1, 5], "x": [1, 2]})
    found = read(put(stored(frame, "parquet")))
    assert found.X["id"].to_list() == ["9007199254740993", "5"]
    assert found.columns[0].why == "integers with too many digits for float64"
    with pytest.raises(
        InputError, match="Column 'id' has integers with too many digits for float64; read it as a category"
    ):
        read(put(stored(frame, "parquet")), numeric=["id"])


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (
            [[1, 2]],
            r"Column 'x' has the unsupported type List\(Int64\); ignore it, or convert it to numbers or text",
        ),
        ([{"a": 1}], r"Column 'x' has the unsupported type Struct\(\{'a': Int64\}\)"),
        ([b"raw"], "Column 'x' has the unsupported type Binary; ignore it, or convert it to numbers or text"),
    ],
)
def test_types_that_are_refused(put, cells, sentence):
    path = put(stored(pl.DataFrame({"x": cells, "y": ["a"]}), "parquet"))
    with pytest.raises(KindError, match=sentence):
        read(path)
    assert read(path, ignore=["x"]).X.columns == ["y"]


def test_dates_keep_their_types(put):
    frame = pl.DataFrame({"x": [dt.date(1970, 1, 2)], "z": [dt.timedelta(1)], "y": ["a"]})
    path = put(stored(frame, "parquet"))
    assert [column.kind for column in read(path).columns] == ["date", "date", "category"]
    assert read(path, numeric=["x", "z"]).X.rows() == [(1.0, 1.0, "a")]
    assert read(path, "x").y.to_list() == [1]
    with pytest.raises(InputError, match="'y' has the type String, so `dates` does not apply"):
        read(path, dates={"y": "ymd"})


def test_infinite_numbers_and_broken_files(put):
    with pytest.raises(InputError, match="'x' has the infinite value inf in row 1"):
        read(put(stored(pl.DataFrame({"x": [1.0, np.inf]}), "arrow")))
    with pytest.raises(
        InputError,
        match=r"cannot be read as jsonl: .*Syntax at character 4 .*; pass another file, or its `format`",
    ):
        read(put('{"a": 1}\n{"a": \n', "rows.jsonl"))
    with pytest.raises(InputError, match="is a JSON array; save it as JSON lines, with one object per line"):
        read(put('[{"a": 1}]', "rows.json"))
    whole = stored(FRAME, "parquet")
    with pytest.raises(InputError, match="cannot be read as parquet"):
        read(put(whole[: len(whole) // 2], "half.parquet"))


def test_the_tree_is_that_of_the_frame(put):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"a": rng.normal(size=60), "b": rng.choice(["p", "q"], 60), "t": rng.random(60) < 0.5}
    )
    y = (frame["a"] > 0).to_numpy()
    path = put(stored(frame.with_columns(pl.Series("y", y)), "parquet"))
    data = read(path, "y")
    ours, theirs = CARTClassifier().fit(data.X, data.y), CARTClassifier().fit(frame, y)
    assert ours.tree_.fingerprint() == theirs.tree_.fingerprint() or str(ours.tree_) == str(theirs.tree_)
    assert (ours.predict(pd.DataFrame(frame.to_dict(as_series=False))) == theirs.predict(frame)).all()


def test_a_column_without_a_name_and_a_table_without_rows(put):
    found = read(put(stored(pl.DataFrame({"": [1.0, 2.0], "x1": ["a", "b"]}), "parquet")), categorical=["x0"])
    assert found.X.rows() == [("1", "a"), ("2", "b")]
    assert "is called 'x0'" in found.notes[0]
    with pytest.raises(InputError, match=r".* has 0 rows and 1 columns; pass a file with rows"):
        read(put(stored(pl.DataFrame({"a": []}, schema={"a": pl.Float64}), "arrow")))
