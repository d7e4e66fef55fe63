"""Dates in files: their forms, what they become in training, and rows for a saved model, read at once or in batches."""

import datetime as dt
import io
import json

import polars as pl
import pytest

from treewright import C45Classifier, InputError, read
from treewright.cli.main import main
from treewright.data.files.date_forms import parse_date

MOMENTS = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=7 * i) for i in range(200)]
FORMS = {
    "%Y-%m-%d": "ymd",
    "%Y-%m-%dT%H:%M:%S": "ymd",
    "%Y-%m-%d %H:%M:%S.%f": "ymd",
    "%Y-%m-%dT%H:%MZ": "ymd",
    "%Y/%m/%d": "ymd",
    "%d.%m.%Y": "dmy",
    "%m/%d/%Y": "mdy",
    "%d/%m/%Y %H:%M": "dmy",
    "%d-%b-%Y": "name",
    "%b %d, %Y": "name",
    "%Y年%m月%d日": "ymd",
}


def table(cells, delimiter=","):
    rows = [[cell, "weekend" if m.weekday() >= 5 else "work"] for cell, m in zip(cells, MOMENTS, strict=False)]
    return pl.DataFrame(rows, schema=["when", "y"], orient="row").write_csv(separator=delimiter)


@pytest.mark.parametrize("form", FORMS)
def test_forms(put, form, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cells = [moment.strftime(form) for moment in MOMENTS]
    data = read(put(table(cells)), "y")
    days = [dt.datetime.strptime(cell, form) for cell in cells]
    assert [moment.replace(tzinfo=None) for moment in data.X["when"]] == days
    assert (data.columns[0].kind, data.formats) == ("date", {"when": FORMS[form]})
    assert data.notes == (
        "Column 'when' is read as dates: days since 1970-01-01, and year, month, weekday and hour if they vary.",
    )
    model = C45Classifier().fit(data.X, data.y)
    assert "when: weekday" in model.tree_.to_text()
    model.save("m.json")
    data.write_schema("s.json")
    assert read("table.csv", schema="s.json").X.equals(data.X)
    for how in (["--columns", "none"], ["--columns", "all"]):
        assert main(["predict", "m.json", "table.csv", *how]) == 0
        found = pl.read_csv(io.StringIO(capsys.readouterr().out))
        assert found["prediction"].to_list() == data.y.to_list()
    assert main(["evaluate", "m.json", "table.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1


def test_the_order_of_day_and_month(put):
    cells = ["3/4/2024", "5/6/2024"] * 3
    data = read(put(table(cells)), "y")
    assert data.X["when"][0] == dt.datetime(2024, 3, 4)
    assert data.notes[0].endswith("fits both orders of day and month; '3/4/2024' is read with the month first.")
    data = read(put(table(cells, ";")), "y")
    assert data.X["when"][0] == dt.datetime(2024, 4, 3)
    assert data.notes[0].endswith("'3/4/2024' is read with the day first.")
    data = read(put(table(cells)), "y", dates={"when": "dmy"})
    assert (data.X["when"][0], data.columns[0].why) == (dt.datetime(2024, 4, 3), "set by the user")


def test_declared_forms(put):
    for cell, form in (("45000", "excel"), ("1678838400", "timestamp"), ("20230315", "%Y%m%d")):
        assert read(put(table([cell] * 4)), "y").X["when"].dtype == pl.Float64
        assert read(put(table([cell] * 4)), "y", dates={"when": form}).X["when"][0] == dt.datetime(2023, 3, 15)
    with pytest.raises(InputError, match=r"'when' must contain dates written as 'excel', got 'soon' in line 2"):
        read(put(table(["soon"] * 4)), "y", dates={"when": "excel"})
    with pytest.raises(InputError, match=r"unknown date format 'julian'; use one of ymd"):
        read(put(table(["1"] * 4)), "y", dates={"when": "julian"})


def test_times_missing_cells_and_what_does_not_fit(put):
    data = read(put(table(["12:30", "6:15 pm", "n/a", ""])), "y")
    assert data.X["when"].to_list() == [dt.time(12, 30), dt.time(18, 15), None, None]
    data = read(put(table(["2024-02-29"] * 19 + ["2024-02-30"])), "y")
    assert data.X["when"].null_count() == 1
    assert data.notes[0].endswith("1 of 20 known cells does not fit and becomes missing: '2024-02-30' in line 21.")
    assert read(put(table(["2024-02-29", "never"])), "y").columns[0].kind == "category"
    assert read(put(table(["2024-02-29"] * 3)), "y", categorical=["when"]).X["when"][0] == "2024-02-29"


def test_typed_files_and_one_row(put, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    put(table([moment.isoformat() for moment in MOMENTS]))
    assert main(["fit", "table.csv", "--target", "y", "-o", "m.json", "--no-cv"]) == 0
    read("table.csv", "y").X.write_parquet("t.parquet")
    capsys.readouterr()
    assert main(["predict", "m.json", "t.parquet", "--columns", "none"]) == 0
    assert capsys.readouterr().out.split()[1:] == read("table.csv", "y").y.to_list()
    assert read("t.parquet").columns[0].kind == "date"
    assert main(["explain", "m.json", "when=2024-03-02"]) == 0
    assert "weekend" in capsys.readouterr().out
    put("when\nyesterday\n", "rows.csv")
    assert main(["predict", "m.json", "rows.csv"]) != 0
    assert "must contain dates or times written as 'ymd', got 'yesterday' in row 0" in capsys.readouterr().err


def test_zones_are_converted_to_utc():
    assert parse_date("2024-01-01T00:30:00+02:00", "ymd") == dt.datetime(2023, 12, 31, 22, 30, tzinfo=dt.UTC)
    assert parse_date("12:60", "time") is None


def test_validation_rows_are_read_in_the_form_of_training(put, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    put(table([moment.strftime("%d/%m/%Y") for moment in MOMENTS]))
    put("when,y\n06/01/2024,weekend\n08/01/2024,work\n", "val.csv")
    given = ["--target", "y", "--validation", "val.csv", "--pruning", "reduced_error", "--no-cv", "--json"]
    assert main(["fit", "table.csv", *given]) == 0
    assert json.loads(capsys.readouterr().out)["validation"]["accuracy"] == 1


def test_dates_are_not_identifiers(put, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    put("n,when,y\n" + "".join(f"{i % 5},{moment.isoformat()},{'ab'[i % 2]}\n" for i, moment in enumerate(MOMENTS)))
    assert main(["compare", "table.csv", "--target", "y", "--folds", "2"]) == 0
    assert "identifier" not in capsys.readouterr().err
