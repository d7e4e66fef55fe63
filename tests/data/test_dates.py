"""Dates and times of every library: the number on the time line and the parts, in fit, predict and a saved model."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright import C45Classifier, InputError, KindError, load
from treewright.data.encode import encode_table, read_table

MOMENTS = [dt.datetime(1970, 1, 1), dt.datetime(2024, 2, 29, 18), None, dt.datetime(2024, 12, 31, 6)]
NAMES = ["x", "when", "when: year", "when: month", "when: weekday", "when: hour"]
VALUES = [
    [0, 0, 1970, 1, 4, 0],  # a Thursday
    [1, 19782.75, 2024, 2, 4, 18],
    [2, np.nan, np.nan, np.nan, np.nan, np.nan],
    [3, 20088.25, 2024, 12, 2, 6],
]
X = list(range(4))
TABLES = {
    "polars": pl.DataFrame({"x": X, "when": MOMENTS}),
    "polars UTC": pl.DataFrame({"x": X, "when": pl.Series(MOMENTS).dt.replace_time_zone("UTC")}),
    "pandas": pd.DataFrame({"x": X, "when": pd.to_datetime(pd.Series(MOMENTS))}),
    "pandas UTC": pd.DataFrame({"x": X, "when": pd.to_datetime(pd.Series(MOMENTS)).dt.tz_localize("UTC")}),
    "pandas objects": pd.DataFrame({"x": X, "when": pd.Series(MOMENTS, dtype=object)}),
    "pandas arrow": pd.DataFrame({"x": X, "when": pd.Series(MOMENTS, dtype="timestamp[us][pyarrow]")}),
    "pyarrow": pa.table({"x": X, "when": pa.array(MOMENTS)}),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_library(name):
    table = read_table(TABLES[name])
    assert (table.feature_names, [column.name for column in table.columns]) == (NAMES, NAMES)
    np.testing.assert_array_equal(table.values, VALUES)
    for other in TABLES.values():
        np.testing.assert_array_equal(encode_table(other, table.columns).values, VALUES)


def test_arrays_lists_and_records():
    rows = [[i, moment] for i, moment in enumerate(MOMENTS)]
    columns = read_table(rows).columns
    assert [column.name for column in columns][:3] == ["x0", "x1", "x1: year"]
    np.testing.assert_array_equal(encode_table(rows, columns).values, VALUES)
    np.testing.assert_array_equal(encode_table([{"x0": 1, "x1": MOMENTS[1]}, {"x0": 2}], columns).values, VALUES[1:3])
    days = np.array([["1970-01-02"], ["1970-01-03"]], dtype="M8[D]")
    assert read_table(days).values.tolist() == [[1, 5], [2, 6]]  # days and weekday


def test_a_time_zone_counts_in_utc_and_shows_its_own_clock():
    zone = pl.Series([dt.datetime(2024, 1, 1, 0), dt.datetime(2024, 7, 1, 12)]).dt.replace_time_zone("Europe/Berlin")
    table = read_table(pl.DataFrame({"t": zone}))
    assert [column.part for column in table.columns] == ["days", "month", "hour"]
    assert table.values.tolist() == [[19722 + 23 / 24, 1, 0], [19905 + 10 / 24, 7, 12]]


def test_times_dates_and_durations():
    frame = pl.DataFrame({"a": [dt.time(6, 30)], "b": [dt.timedelta(days=1, hours=12)], "c": [dt.date(1970, 1, 2)]})
    table = read_table(frame)
    assert table.values.tolist() == [[6.5, 1.5, 1]]
    assert [column.part for column in table.columns] == ["hours", "duration", "days"]
    with pytest.raises(KindError, match=r"^Column 'a' must contain times of day, got dates"):
        encode_table(frame.select("c", "b", pl.col("c").alias("d")), table.columns)


def test_names_and_declared_categories():
    frame = pl.DataFrame({"t": [dt.date(2024, 1, 1), dt.date(2025, 1, 1)], "t: year": [1, 2]})
    with pytest.raises(InputError, match="'t: year' besides the dates"):
        read_table(frame)
    assert len(read_table(pd.DataFrame({"t": pd.Series(MOMENTS, dtype=object)}), ["t"]).columns[0].categories) == 3


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_model_and_its_file(name, tmp_path):
    moments = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=7 * i) for i in range(200)]
    frame = pl.DataFrame({"when": moments, "noise": [i % 7 for i in range(200)]})
    table = frame.to_pandas() if name == "pandas" else frame
    y = ["weekend" if moment.weekday() >= 5 else "work" for moment in moments]
    model = C45Classifier().fit(table, y)
    assert "when: weekday" in model.tree_.to_text()
    assert model.feature_names_in_.tolist()[0] == "when"
    assert model.predict(table).tolist() == y
    model.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert loaded.predict(table).tolist() == y
    assert loaded.tree_.schema == model.tree_.schema
    assert loaded.predict([{"when": dt.datetime(2024, 3, 2)}]).tolist() == ["weekend"]
    assert model.rules().predict(table).tolist() == y
