"""`treewright export`: what is written is executed first, and what cannot be done is one sentence."""

import csv
import io
import json
import re
import sqlite3

import pytest

import treewright
from tests.cli.running import GOLF, run
from tests.export.hostile import tree_of_all
from tests.export.walk import mixed, models
from treewright.cli.export import FORMATS, PROGRAMS, SQL_DIALECTS
from treewright.export.sql_dialects import DIALECTS
from treewright.export.target_features import TARGETS, feature_table

EXECUTED = {name for name, one in FORMATS.items() if one.target}
RULES = {name for name in FORMATS if name.startswith("rules")}


def refused(capsys, *words, code=1):
    said = run(capsys, "export", *words)
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1), said.err
    assert "internal error" not in said.err
    return said.err


@pytest.fixture(scope="module")
def fitted():
    return models()


@pytest.fixture
def saved(fitted, folder):
    """Models of every algorithm, alone and with their rows, rules, a tree, and the table, as files."""
    for name, model in fitted.items():
        model.save(f"{name}.json")
    fitted["c45"].save("with rows.json", rows=True)
    fitted["c45"].tree_.save("only tree.json")
    fitted["c45"].rules("generalised").save("only rules.json")
    fitted["regression"].rules().save("rules of numbers.json")
    tree_of_all().save("hostile.json")
    X, y, _ = mixed()
    X.assign(target=y).to_csv("table.csv", index=False)
    return folder


def test_every_dialect_and_every_target_has_a_format():
    assert {*SQL_DIALECTS} == {*DIALECTS}
    assert {one.target for one in FORMATS.values()} - {""} <= {*TARGETS}
    assert {"sklearn", "treelite"} == {*TARGETS} - {one.target for one in FORMATS.values()}


@pytest.mark.parametrize("name", [*models(), "with rows", "only tree", "only rules", "rules of numbers", "hostile"])
def test_a_format_is_written_or_refused_in_one_sentence(name, saved, capsys):
    before = sorted(path.name for path in saved.iterdir())
    written = set()
    for to in FORMATS:
        # node and a compiler are started in the next test, for one model
        said = run(capsys, "export", f"{name}.json", "--to", to, "-o", "x", "--no-check")
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert said.code == (0 if (saved / "x").exists() else 1), said.err
        assert said.err == "note: written to 'x'.\n" if said.code == 0 else said.err.startswith("treewright: ")
        assert sorted(path.name for path in saved.iterdir()) == sorted([*before, *(["x"] if said.code == 0 else [])])
        if said.code == 0:
            (saved / "x").unlink()
            written.add(to)
    expected = {
        "only tree": {*FORMATS} - RULES - {"html"},
        "only rules": RULES | {*PROGRAMS},
        "rules of numbers": RULES | {*PROGRAMS},
        "hostile": {"json", "text", "python", "javascript", "dot", "svg"},
        "costs": {*FORMATS} - {"pmml"},
        "regression fractional": {*FORMATS} - {"pmml"},
        "cart refused": {*FORMATS} - {"onnx"},
        "cart unseen refused": {*FORMATS} - {"onnx"},
    }
    assert written == expected.get(name, {*FORMATS})


@pytest.mark.parametrize("name", ["cart", "cart refused", "with rows", "only rules", "only tree"])
def test_the_rows_of_a_file_are_executed(name, saved, capsys):
    """As many rows more as the file has; for a model with its rows, instead of them."""
    for to in ("sql", "python", "pmml", "rules-sql"):
        if (to == "pmml" and not name.startswith("cart")) or (to == "rules-sql" and name == "only tree"):
            continue  # PMML of rules, rules of a tree alone: refused; PMML that divides rows: not executed
        n_rows = []
        for words in ([], ["--check", "table.csv"]):
            found = json.loads(run(capsys, "export", f"{name}.json", "--to", to, *words, "--json").out)
            assert found["check"] in found["text"]
            n_rows.append(int(re.search(r"Executed for ([\d,]+) rows", found["check"])[1].replace(",", "")))
        assert n_rows[1] - n_rows[0] == (0 if name == "with rows" else 300)


def test_a_statement_predicts_as_the_command_line(golf, capsys):
    words = ["--dialect", "sqlite", "--table", "days", "--check", "golf.csv"]
    said = run(capsys, "export", "golf.json", "--to", "sql", *words)
    rows = list(csv.reader(io.StringIO(GOLF)))
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE days (outlook TEXT, temperature REAL, humidity REAL, windy TEXT, play TEXT)")
        database.executemany("INSERT INTO days VALUES (?, ?, ?, ?, ?)", rows[1:])
        found = database.execute(said.out)
        names = [one[0] for one in found.description]
        answers = [row[names.index("prediction")] for row in found]
    predicted = run(capsys, "predict", "golf.json", "golf.csv").out
    assert answers == [row["prediction"] for row in csv.DictReader(io.StringIO(predicted))]


@pytest.mark.parametrize("to", sorted(EXECUTED - {"onnx", "pmml"}))
def test_a_format_is_the_text_of_the_method(to, golf, capsys):
    model, target = treewright.load("golf.json"), to.removeprefix("rules-")
    source = model.rules() if to != target else model
    text = source.to_sql() if target == "sql" else source.to_code(target)
    assert run(capsys, "export", "golf.json", "--to", to).out == text.rstrip("\n") + "\n"
    plain = source.to_sql(check=False) if target == "sql" else source.to_code(target, check=False)
    assert run(capsys, "export", "golf.json", "--to", to, "--no-check").out == plain.rstrip("\n") + "\n"
    found = json.loads(run(capsys, "export", "golf.json", "--to", to, "--no-check", "--json").out)
    assert (found["format"], found["check"]) == (to, None)


def test_onnx_and_pmml_are_those_of_the_methods(golf, capsys):
    onnx = pytest.importorskip("onnx")
    model = treewright.load("golf.json")
    assert run(capsys, "export", "golf.json", "--to", "onnx", "-o", "golf.onnx").code == 0
    assert onnx.load("golf.onnx") == model.to_onnx()
    assert run(capsys, "export", "golf.json", "--to", "pmml").out == model.to_pmml()


def test_an_export_that_predicts_otherwise_is_not_written(golf, capsys, monkeypatch):
    from treewright.export import code_python

    write = code_python.write
    monkeypatch.setattr(code_python, "write", lambda *given, **how: write(*given, **how).replace('"no", (', '"yes", ('))
    said = refused(capsys, "golf.json", "--to", "python", "-o", "golf.py")
    assert "The export to python predicts 'yes'" in said
    assert not (golf / "golf.py").exists()


def test_rows_that_nothing_executes_are_an_error(golf, capsys):
    for words in (["sas"], ["sql", "--dialect", "spark"]):
        said = run(capsys, "export", "golf.json", "--to", *words, "-o", "x")
        assert said.err == "note: written to 'x'. Not executed, because nothing on this machine executes it.\n"
        (golf / "x").unlink()
        said = refused(capsys, "golf.json", "--to", *words, "-o", "x", "--check", "golf.csv")
        assert "This machine cannot execute the export, so 'golf.csv' is not compared" in said
        assert not (golf / "x").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["golf.json"], "Missing option '--to'"),
        (["--to", "sql"], "Missing argument 'MODEL'"),
        (["golf.json", "--to", "sqlite"], "Invalid value for '--to': use --to sql --dialect sqlite."),
        (["golf.json", "--to", "excel"], "'excel' is not one of 'json', "),
        (["golf.json", "--to", "sql", "--dialect", "oracle"], "'oracle' is not one of 'sqlite', "),
        (["golf.json", "--to", "text", "--check", "golf.csv"], "--check is an option of sql, python, "),
        (["golf.json", "--to", "c", "--dialect", "sqlite"], "--dialect is an option of sql and rules-sql, not of"),
        (["golf.json", "--to", "dot", "--table", "x"], "--table is an option of sql and rules-sql, not of --to dot."),
        (["golf.json", "--to", "sql", "--table", ""], "--table must be the name of a table"),
        (["golf.json", "--to", "sql", "--no-check", "--check", "golf.csv"], "Use --check or --no-check, not both."),
    ],
)
def test_a_wrong_use_is_one_sentence(words, sentence, golf, capsys):
    assert sentence in refused(capsys, *words, code=2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["none.json", "--to", "sql"], "File not found: 'none.json'"),
        (["golf.csv", "--to", "sql"], "This is not a model file"),
        (["golf.json", "--to", "sql", "--check", "none.csv"], "File not found: 'none.csv'"),
        (["golf.json", "--to", "sql", "--check", "iris.csv"], "of the model not found in the table"),
        (["golf.json", "--to", "sql", "--check", "wrong.csv"], "must contain numbers, got 'wet' in row 0"),
        (["golf.json", "--to", "sql", "-o", "nowhere/x.sql"], "Folder not found: 'nowhere'"),
        (["golf.json", "--to", "sql", "-o", "golf.csv"], "'golf.csv' already exists"),
        (["golf.json", "--to", "sql", "-o", "."], "'.' is a folder"),
        (["golf.json", "--to", "onnx"], "--to onnx writes a binary file; pass its name with -o."),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(words, sentence, golf, capsys):
    (golf / "wrong.csv").write_text("outlook,temperature,humidity,windy\nrain,70,wet,true\n")
    before = {path.name: path.read_bytes() for path in golf.iterdir()}
    assert sentence in refused(capsys, *words)
    assert {path.name: path.read_bytes() for path in golf.iterdir()} == before


def test_rows_that_the_model_refuses_must_be_refused(saved, capsys):
    """Rows with missing values and unseen categories, which `predict` refuses, are compared as well."""
    text = (saved / "table.csv").read_text(encoding="utf-8").replace("Oslo", "Nowhere")
    (saved / "new.csv").write_text(text, encoding="utf-8")
    for name in ("cart refused", "cart unseen refused"):
        assert run(capsys, "predict", f"{name}.json", "new.csv").code == 1
        for to in ("sql", "python", "pmml", "rules-sql"):
            said = run(capsys, "export", f"{name}.json", "--to", to, "--check", "new.csv", "-o", "x", "--force")
            assert (said.code, "Executed for" in said.err) == (0, True), said.err


def test_the_list_describes_every_format(folder, capsys):
    said = run(capsys, "export", "--list")
    assert (said.code, said.err) == (0, "")
    lines = [re.split(r" {2,}", line) for line in said.out.splitlines()]
    assert [one for one in FORMATS if [one, FORMATS[one].description] not in lines] == []
    head, rows = feature_table([one for one in TARGETS if one in FORMATS])
    assert lines[-len(rows) - 1 :] == [head, *rows]
    found = json.loads(run(capsys, "export", "--list", "--json").out)
    assert [one["format"] for one in found["formats"]] == list(FORMATS)
    assert {one["target"]: one["executed_by"] for one in found["targets"]} == {
        name: one.runs_in or None for name, one in TARGETS.items() if name in FORMATS
    }
    assert "dates and times" in found["targets"][0]["refused"]


def test_a_model_is_exported_from_stdin(golf, capsys, monkeypatch):
    class Pipe:
        buffer = (golf / "golf.json").open("rb")

    monkeypatch.setattr("sys.stdin", Pipe())
    assert run(capsys, "export", "-", "--to", "python").out == treewright.load("golf.json").to_code("python")
    Pipe.buffer.close()
