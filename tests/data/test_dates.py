"""Dates and times of every library: the number on the time line and the parts, in fit, predict and a saved model."""

import datetime as dt
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright import C45Classifier, CARTClassifier, InputError, KindError, MDLTreeClassifier, load
from treewright.data.encode import encode_table, read_table
from treewright.data.schema import Column, Kind
from treewright.explain.consult import consult
from treewright.model.formatting import format_value
from treewright.predict.missing_policy import MissingPolicy

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


SALES = pl.DataFrame(
    {
        "sold": [dt.datetime(2023, 1, 1) + dt.timedelta(hours=31 * i) for i in range(400)],
        "open": [dt.time(i % 24, 30) for i in range(400)],
    }
)
LATE = [
    "late" if (day > dt.datetime(2023, 10, 10)) != (day.month == 5) else "early" for day in SALES["sold"].to_list()
]


def test_thresholds_and_values_are_written_as_dates_and_times():
    model = MDLTreeClassifier().fit(SALES, LATE)
    texts = [model.to_text(), str(model.why()), str(model.rules()), str(model.explain(SALES[:1])), model.to_svg()]
    texts.append(str(model.missing_report(SALES[:3])))
    for text in texts[:5]:
        assert "2023-10-09 14:00" in text
    for text in texts:
        assert not re.search(r"\b19[0-9]{3}\b", text)  # no number of days
    assert "now 2023-01-01)" in texts[3]
    by_time = CARTClassifier(pruning=None).fit(SALES[["open"]], [cell.hour > 12 for cell in SALES["open"].to_list()])
    assert by_time.to_text().startswith("open <= 13:00:")


def test_the_text_of_a_threshold_separates_the_same_moments():
    """Between two moments of one microsecond there is no other text; it must not be that of the later one."""
    column = Column("at", Kind.NUMBER, source="at", part="days")
    for start in (0, 1_700_000_000_000_000, -5_000_000_000_000_001, 1_699_999_999_999_999):
        for gap in (1, 2, 3, 1000, 1_000_000, 86_400_000_000):
            low, high = (
                float(read_table(np.array([[us]], dtype="M8[us]")).values[0, 0]) for us in (start, start + gap)
            )
            text = format_value(column, (low + high) / 2)
            moment = np.datetime64(text.replace(" ", "T"), "us").astype(np.int64)
            assert start <= moment < start + gap
            assert np.datetime64(format_value(column, low).replace(" ", "T"), "us").astype(np.int64) == start


def test_a_consultation_takes_dates():
    model = CARTClassifier(pruning=None).fit(SALES[["sold"]], [day.year > 2023 for day in SALES["sold"].to_list()])
    case = consult(model.tree_, MissingPolicy("fractional"))
    assert "sold <= 2023-12-31" in case.question.to_text()
    assert case.with_answer("2024-02-29 12:00").result.prediction is True
    assert case.with_answer("2023-02-28").result.prediction is False
