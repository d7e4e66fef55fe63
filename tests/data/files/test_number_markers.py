"""Missing markers that read as numbers, such as -999, and names of files that look like patterns."""

import io
import json

import polars as pl
import pytest

from treewright import C45Classifier, read
from treewright.cli.main import main

ENDS = ("csv", "jsonl", "parquet", "arrow")
CELLS = [None, 1, -999, 4, -999, 6, 7, 8]
TABLE = pl.DataFrame({"a": CELLS, "b": [0.5 * i if i % 3 else 9999.0 for i in range(8)], "y": list("uuuuvvvv")})


def write(frame, path):
    how = {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet", "arrow": "write_ipc"}
    getattr(frame, how[path.suffix[1:]])(path)


@pytest.mark.parametrize("end", ENDS)
def test_a_number_may_say_that_nothing_is_known(end, tmp_path):
    write(TABLE, tmp_path / f"t.{end}")
    data = read(tmp_path / f"t.{end}", "y", missing=["NA", "-999", "9999.0"])
    assert data.X["a"].to_list() == [None if cell == -999 else cell for cell in CELLS]
    assert data.X["b"].to_list() == [None, 0.5, 1.0, None, 2.0, 2.5, None, 3.5]
    assert read(tmp_path / f"t.{end}", "y").X["a"].to_list() == CELLS


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("columns", ["all", "none"])
def test_what_is_predicted_knows_the_markers_too(end, columns, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(TABLE, tmp_path / f"t.{end}")
    markers = ["--missing-marker=-999", "--missing-marker", "9999.0"]
    X, y = read(tmp_path / f"t.{end}", "y", missing=["-999", "9999.0"])
    model = C45Classifier(pruning=None, min_samples_leaf=1).fit(X, y)
    model.save("model.json")
    assert main(["predict", "model.json", f"t.{end}", *markers, "--proba", "--columns", columns]) == 0
    found = pl.read_csv(io.StringIO(capsys.readouterr().out))
    assert found["P(u)"].to_list() == pytest.approx(model.predict_proba(X)[:, 0].tolist())
    assert main(["evaluate", "model.json", f"t.{end}", *markers, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == model.score(X, y)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", ["t[1]", "t*"])
def test_a_name_is_no_pattern(end, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    C45Classifier().fit(TABLE.drop("y"), TABLE["y"]).save("model.json")
    write(TABLE.head(3), tmp_path / f"t1.{end}")  # what the patterns would find
    write(TABLE, tmp_path / f"{name}.{end}")
    assert len(read(f"{name}.{end}", "y")) == 8
    assert main(["predict", "model.json", f"{name}.{end}", "--columns", "none"]) == 0
    assert len(capsys.readouterr().out.split()) == 9


def test_whole_numbers_of_a_target_are_not_said_to_be_words(tmp_path):
    write(pl.DataFrame({"a": [1.5, 2.0, 3.0], "y": [1, 2, 2]}), tmp_path / "t.csv")
    assert read(tmp_path / "t.csv", "y").columns[1].why == "integers, which may be classes or amounts"
