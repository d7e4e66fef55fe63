"""`fit --engine`: files that are not read into memory; the same model, progress, and what is refused."""

import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from tests.cli.running import run
from tests.scale.sources import mixed_frame, number_frame
from treewright import C45Classifier, MDLTreeClassifier, MDLTreeRegressor, load
from treewright.cli.fit_source import REFUSED
from treewright.scale.public import fit_source, read_memory

pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index")  # Dask calls it
ENGINES = ["local", "duckdb", "dask"]
FIT = ["fit", "data/*.parquet", "--target", "target"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder data with three files, of a table with weights and missing values."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    frame = mixed_frame(900, missing=0.05)
    for i in range(3):
        part = pa.Table.from_pandas(frame.iloc[i::3], preserve_index=False)
        pyarrow.parquet.write_table(part, f"data/{i}.parquet")
    return tmp_path


@pytest.mark.parametrize("engine", ENGINES)
def test_the_model_is_that_of_fit(engine, files, capsys):
    pytest.importorskip("duckdb" if engine == "local" else engine)
    room = "200kB" if engine == "local" else "2MB"  # raising with little memory takes many statements
    words = ["--weights", "weight", "--engine", engine, "--memory", room, "-o", "m.json", "--depth", "1"]
    said = run(capsys, *FIT, *words)
    assert said.code == 0, said.err
    model = load("m.json")
    frame = mixed_frame(900, missing=0.05)
    memory = MDLTreeClassifier(max_bins=255, pruning=None)
    memory.fit(frame.drop(columns=["target", "weight"]), frame["target"], frame["weight"])
    assert model.grown_tree_.fingerprint() == memory.grown_tree_.fingerprint()
    lines = said.out.splitlines()
    assert lines[0] == "data/*.parquet: 900 rows, 7 columns, target target"
    assert "  word        category  60 values" in lines
    assert f"fingerprint  {model.tree_.fingerprint()}" in lines
    assert "smooth <= " in said.out
    assert "Confusion" not in said.out
    assert "error" not in said.out.replace("error_based", "")


def test_regression(files, capsys):
    frame = number_frame(300)
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), "numbers.parquet")
    words = ["--regression", "--weights", "weight", "--engine", "local", "-o", "m.json"]
    said = run(capsys, "fit", "numbers.parquet", "--target", "target", *words)
    assert said.code == 0, said.err
    X, y, weight = frame.drop(columns=["target", "weight"]), frame["target"], frame["weight"]
    model = MDLTreeRegressor(max_bins=255, smoothing=10)
    assert load("m.json").tree_.fingerprint() == model.fit(X, y, weight).tree_.fingerprint()
    assert "Predictions were shrunk with smoothing=10" in said.err
    said = run(capsys, "fit", "numbers.parquet", "--target", "city", "--regression", "--engine", "local")
    assert (said.code, said.out) == (1, "")
    assert "The target 'city' has the type text; convert it to numbers, or use a classifier" in said.err


def test_a_line_for_each_level_and_the_notes_are_on_stderr(files, capsys):
    reports = []
    model = C45Classifier(probability="shrinkage")
    fit_source(model, "data/*.parquet", "target", sample_weight="weight", memory="200kB", progress=reports.append)
    words = ["--weights", "weight", "-a", "c4.5", "--probability", "shrinkage"]
    said = run(capsys, *FIT, *words, "--engine", "local", "--memory", "200kB")
    levels = [line for line in said.err.splitlines() if line.startswith("level ")]
    assert len(levels) == len(reports) > 3
    for line, one in zip(levels, reports, strict=True):
        nodes = f"{one.n_nodes} node{'s' if one.n_nodes > 1 else ''}"
        start = f"level {one.depth}: {nodes}, {one.n_rows:,} rows, {one.n_passes} passes over the rows so far, "
        assert line.startswith(start)
        assert line.endswith(" s")
    note = "note: not scored and not cross-validated; use `treewright evaluate` with rows that fit in memory."
    assert note in said.err.splitlines()
    assert [f"note: {note}" in said.err for note in model.notes_] == [True] * len(model.notes_)
    assert len(model.notes_) > 0
    quiet = run(capsys, *FIT, "--weights", "weight", "--engine", "local", "-q")
    assert quiet.err == ""


def test_statements_are_counted_as_statements(files, capsys):
    said = run(capsys, *FIT, "--engine", "duckdb", "--ignore", "weight", "--max-depth", "2", "--memory", "1kB")
    assert "level 0: 1 node, 900 rows, " in said.err
    assert " statements so far, " in said.err


def test_json_has_the_levels_and_the_notes(files, capsys):
    words = ["--weights", "weight", "--engine", "local", "--memory", "200kB", "--json", "-o", "m.json"]
    said = run(capsys, *FIT, *words)
    found = json.loads(said.out)
    model = load("m.json")
    assert found["fingerprint"] == model.tree_.fingerprint()
    assert (found["engine"], found["estimator"], found["model"]) == ("local", "MDLTreeClassifier", "m.json")
    assert found["table"]["rows"] == 900
    assert found["table"]["columns"][4] == {"name": "city", "kind": "category", "n_values": 6}
    assert [level["depth"] for level in found["levels"]] == list(range(len(found["levels"])))
    assert found["levels"][0]["n_rows"] == 900
    assert found["tree"]["nodes"] == model.tree_.n_nodes < found["grown"]["nodes"]
    assert found["notes"] == []
    assert "training" not in found
    assert "cross_validation" not in found


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_validation_rows(engine, files, capsys):
    """In a file, or held out."""
    other = mixed_frame(300, seed=1)
    pyarrow.parquet.write_table(pa.Table.from_pandas(other, preserve_index=False), "other.parquet")
    words = ["--weights", "weight", "--pruning", "reduced-error", "--engine", engine, "--json", "--max-depth", "3"]
    said = run(capsys, *FIT, *words, "--validation", "other.parquet")
    assert said.code == 0, said.err
    frame, model = mixed_frame(900, missing=0.05), MDLTreeClassifier(max_bins=255, pruning="reduced_error", max_depth=3)
    rows = [(one.drop(columns=["target", "weight"]), one["target"], one["weight"]) for one in (frame, other)]
    model.fit(*rows[0], **dict(zip(("X_val", "y_val", "sample_weight_val"), rows[1], strict=True)))
    assert json.loads(said.out)["fingerprint"] == model.tree_.fingerprint()
    said = run(capsys, *FIT, *words, "--validation", "0.3")
    assert said.code == 0, said.err
    assert json.loads(said.out)["notes"][0].startswith("Validation rows were held out by a hash")


@pytest.mark.parametrize("classes", [("no", "yes"), (0, 1), (False, True)])
def test_costs_and_priors_name_classes_of_every_type(classes, files, capsys):
    frame = mixed_frame(900).drop(columns="weight")
    frame["target"] = np.where(frame["target"] == "no", *classes)
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), "a.parquet")
    low, high = classes
    X, y = frame.drop(columns="target"), frame["target"]
    for words, parameters in [
        (["--cost", f"{low}:{high}=5"], {"cost_matrix": {low: {high: 5.0}}}),
        (["--prior", f"{low}=0.9", "--prior", f"{high}=0.1"], {"priors": {low: 0.9, high: 0.1}}),
    ]:
        fit = ["fit", "a.parquet", "-t", "target", "--engine", "local", "--pruning", "none", "-o", "m.json", "--force"]
        assert run(capsys, *fit, *words).code == 0
        expected = MDLTreeClassifier(max_bins=255, pruning=None, **parameters).fit(X, y)
        assert load("m.json").grown_tree_.fingerprint() == expected.grown_tree_.fingerprint()


@pytest.mark.parametrize("engine", ENGINES)
def test_csv_files_have_the_same_missing_values(engine, files, capsys):
    pytest.importorskip("duckdb" if engine == "local" else engine)
    frame = mixed_frame(300).drop(columns=["weight", "flag"])
    frame["few"] = frame["few"].astype(object)
    for i, mark in enumerate(["?", "NA", ""]):
        frame.loc[frame.index[i::9], "few"] = mark
    frame.to_csv("rows.csv", index=False)
    said = run(
        capsys, "fit", "rows.csv", "-t", "target", "--engine", engine, "--missing", "learned", "--json",
        "--pruning", "none",
    )  # fmt: skip
    assert said.code == 0, said.err
    X = frame.drop(columns="target").assign(few=frame["few"].replace(["?", "NA", ""], None).astype(float))
    expected = MDLTreeClassifier(max_bins=255, missing="learned", pruning=None).fit(X, frame["target"])
    assert json.loads(said.out)["fingerprint"] == expected.tree_.fingerprint()


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_columns_can_be_ignored_and_declared(engine, files, capsys):
    words = ["--engine", engine, "--ignore", "weight,word", "--ignore", "smooth", "--categorical", "few"]
    said = run(capsys, *FIT, *words, "--pruning", "none", "--missing", "learned", "--json")
    assert said.code == 0, said.err
    frame = mixed_frame(900, missing=0.05)
    model = MDLTreeClassifier(max_bins=255, pruning=None, missing="learned", categorical_features=["few"])
    model.fit(frame.drop(columns=["target", "weight", "word", "smooth"]), frame["target"])
    assert json.loads(said.out)["fingerprint"] == model.tree_.fingerprint()
    said = run(capsys, *FIT, "--engine", engine, "--ignore", "wrod")
    assert (said.code, said.out) == (1, "")
    assert "--ignore must be the name of a column of the source, 'smooth', 'skewed'" in said.err


GIVEN = {
    "folds": "5",
    "numeric": "city", "ordered": "city=a<b", "date": "city=ymd", "format": "csv", "delimiter": ";",
    "encoding": "utf-8", "decimal": ",", "missing_marker": "x", "header": None, "schema": "s.json",
}  # fmt: skip


def test_every_refused_option_is_tried():
    assert set(GIVEN) == set(REFUSED)


@pytest.mark.parametrize("name", GIVEN)
def test_options_that_need_rows_in_memory_are_refused(name, files, capsys):
    option = f"--{name.replace('_', '-')}"
    value = [] if GIVEN[name] is None else [GIVEN[name]]
    said = run(capsys, *FIT, "--engine", "local", option, *value, "-o", "m.json")
    assert said.code == 1
    assert said.err.startswith(f"treewright: {option} ")
    assert said.err.count("\n") == 1
    assert "--engine" in said.err
    assert not (files / "m.json").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--keep", "rows"], "--keep rows needs the rows in memory"),
        (["--no-header"], "--header cannot be used with --engine"),
        (["--memory", "lots"], "--memory must be a size such as '500MB', '2GB' or '1.5GiB', got 'lots'."),
        (["--memory", "0GB"], "--memory must be a size such as"),
        (["--memory", "-1GB"], "--memory must be a size such as"),
        (["--weights", "city"], "The weights 'city' have the type text"),
        (["--categorical", "nothing"], "'nothing'"),
        (["--set", "tune=yes"], "tune=True cannot be used on a source"),
        (["-a", "cart", "--pruning", "reduced_error"], "validation"),
    ],
)
def test_other_refusals_are_one_line(words, message, files, capsys):
    said = run(capsys, *FIT, "--engine", "local", *words)
    assert (said.code, said.out) == (1, "")
    assert message in said.err
    assert said.err.count("\n") == 1


def test_wrong_files_and_columns_are_named(files, capsys):
    for words, message in [
        (["fit", "none/*.parquet", "-t", "y", "--engine", "local"], "No file is named 'none/*.parquet'"),
        (["fit", "none/*.parquet", "-t", "y", "--engine", "duckdb"], "No file is named 'none/*.parquet'"),
        (["fit", "-", "-t", "y", "--engine", "local"], "--engine reads files, not stdin"),
        (["fit", "data", "--engine", "local"], "--target is required with --engine"),
        (["fit", "data", "-t", "y", "--engine", "local"], "y must be the name of a column of the source"),
        (["fit", "data", "-t", "target", "--memory", "2GB"], "--memory requires --engine"),
        (["fit", "data", "-t", "target", "--checkpoint", "a"], "--checkpoint requires --engine"),
    ]:
        said = run(capsys, *words)
        assert (said.code, said.out) == (1, "")
        assert message in said.err
    (files / "a.feather").write_bytes(b"")
    said = run(capsys, "fit", "a.feather", "-t", "y", "--engine", "duckdb")
    assert "--engine duckdb reads files of one format, Parquet or CSV, got .feather; use --engine local." in said.err


@pytest.mark.parametrize(
    ("engine", "package", "extra"),
    [("duckdb", "duckdb", "duckdb"), ("dask", "dask", "dask"), ("spark", "pyspark", "spark")],
)
def test_an_engine_that_is_not_installed_names_its_extra(engine, package, extra, files, capsys, monkeypatch):
    from treewright import extras

    found = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == package else found(name))
    said = run(capsys, *FIT, "--engine", engine)
    assert said.err == (
        f"treewright: --engine {engine} requires {package}, which is not installed; run "
        f"`pip install 'treewright[{extra}]'`.\n"
    )


def test_nothing_is_overwritten_without_force(files, capsys):
    words = [*FIT, "--weights", "weight", "--engine", "local", "--max-depth", "2", "-o", "m.json"]
    assert run(capsys, *words).code == 0
    said = run(capsys, *words)
    assert (said.code, said.out) == (1, "")
    assert "already exists" in said.err
    assert run(capsys, *words, "--force").code == 0


def test_a_model_in_the_usual_commands(files, capsys):
    run(capsys, *FIT, "--weights", "weight", "--engine", "local", "--size", "6", "-o", "m.json")
    assert load("m.json").tree_.n_leaves <= 6
    assert run(capsys, "show", "m.json").code == 0
    said = run(capsys, "predict", "m.json", "data/0.parquet", "--columns", "none", "-q")
    frame = mixed_frame(900, missing=0.05).iloc[0::3]
    assert said.out.split()[1:] == load("m.json").predict(frame.drop(columns=["target", "weight"])).tolist()


def test_sizes():
    sizes = {"1": 1, "64k": 64_000, "1.5GiB": 3 * 2**29, "2 gb": 2 * 10**9, "1TB": 10**12, "7b": 7, 12: 12}
    assert {size: read_memory(size) for size in sizes} == sizes


@pytest.mark.parametrize("size", ["", "GB", "1PB", "1e3", "nan", "inf", 0, -1, True, None, 1.5])
def test_what_is_not_a_size_is_an_error(size):
    from treewright.errors import ParameterError

    with pytest.raises(ParameterError, match="`memory` must be a size"):
        read_memory(size)


def test_a_fit_goes_on_from_its_checkpoint(files, capsys):
    words = [*FIT, "--weights", "weight", "--engine", "local", "--memory", "20kB", "--json"]
    whole = json.loads(run(capsys, *words).out)

    def stop(level):
        if level.depth == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_source(
            MDLTreeClassifier(), "data/*.parquet", "target", sample_weight="weight", memory="20kB", progress=stop,
            checkpoint="half",
        )  # fmt: skip
    assert (files / "half").exists()
    rest = json.loads(run(capsys, *words, "--checkpoint", "half").out)
    assert rest["fingerprint"] == whole["fingerprint"]
    assert 0 < rest["levels"][0]["depth"] < len(whole["levels"])
    assert rest["table"]["rows"] == 900


@pytest.mark.long
def test_spark(files, capsys, monkeypatch):
    pytest.importorskip("pyspark")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    local = json.loads(run(capsys, *FIT, "--weights", "weight", "--engine", "local", "--json").out)
    said = run(capsys, *FIT, "--weights", "weight", "--engine", "spark", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["fingerprint"] == local["fingerprint"]
