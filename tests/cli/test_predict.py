"""The verb predict: streams give exactly what the model gives for the whole table, in every format; nothing is lost."""

import csv
import gzip
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import treewright
from tests.cli.running import run
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.data.files.stream import open_stream

COLOURS = ["red", "bl,ue", "色\nred", 'q"uote', "green"]
MARKERS = ["?", "NA", "", "nan"]


def cells(n_rows, seed=0):
    """Rows of text: an id with zeros, a colour with hard characters, two numbers, some missing, and a class."""
    draw = np.random.default_rng(seed)
    rows = []
    for i in range(n_rows):
        colour = COLOURS[draw.integers(len(COLOURS))]
        size, age = draw.normal(), int(draw.integers(18, 90))
        kind = "big" if size + (colour in ("red", 'q"uote')) + age / 60 > 1.5 else "small"
        row = [f"{i:05}", colour, f"{size:.4f}", str(age), kind]
        for j in (1, 2, 3):
            if draw.random() < 0.1:
                row[j] = MARKERS[draw.integers(len(MARKERS))]
        rows.append(row)
    return rows


NAMES = ["id", "colour", "size", "age", "kind"]


def text_of(rows, **settings):
    out = io.StringIO(newline="")
    csv.writer(out, **({"lineterminator": "\n"} | settings)).writerows([NAMES, *rows])
    return out.getvalue()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with models of a table, and rows for them: rows.csv and others of the same content."""
    folder = tmp_path_factory.mktemp("predict")
    (folder / "training.csv").write_text(text_of(cells(400)), encoding="utf-8")
    data = treewright.read(folder / "training.csv", "kind", ignore=["id"])
    for name, model in {
        "c45": C45Classifier(),
        "cart": CARTClassifier(missing="surrogate"),
        "stop": CARTClassifier(missing="stop"),
    }.items():
        model.fit(data.X, data.y).save(folder / f"{name}.json")
    number = treewright.read(folder / "training.csv", "age", ignore=["id"])
    CARTRegressor().fit(number.X, number.y).save(folder / "number.json")
    c45 = treewright.load(folder / "c45.json")
    c45.tree_.save(folder / "tree.json")
    c45.rules().save(folder / "leaves.json")
    C45Classifier().fit(data.X, data.y).rules("generalised").save(folder / "rules.json")
    rows = cells(500, seed=1)
    (folder / "rows.csv").write_text(text_of(rows), encoding="utf-8", newline="")
    (folder / "rows.tsv").write_text(text_of(rows, delimiter="\t"), encoding="utf-8", newline="")
    (folder / "windows.csv").write_bytes(text_of(rows, lineterminator="\r\n").encode("utf-16"))
    (folder / "rows.csv.gz").write_bytes(gzip.compress(text_of(rows).encode()))
    typed = treewright.read(folder / "rows.csv").X
    typed.write_parquet(folder / "rows.parquet")
    typed.write_ipc(folder / "rows.arrow")
    typed.write_ndjson(folder / "rows.jsonl")
    return folder


@pytest.fixture(autouse=True)
def in_folder(made, tmp_path, monkeypatch):
    """A folder for the results, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def expected(made, model):
    """What the model answers for the whole table at once."""
    loaded = treewright.load(made / f"{model}.json")
    target = "age" if model == "number" else "kind"
    X = treewright.read(made / "rows.csv", ignore=["id", target]).X
    return loaded, X


def there():
    """The files in the folder of the test."""
    return sorted(path.name for path in Path().iterdir())


def parsed(text):
    return list(csv.reader(io.StringIO(text, newline="")))


INPUTS = ["rows.csv", "rows.tsv", "windows.csv", "rows.csv.gz", "rows.parquet", "rows.arrow", "rows.jsonl"]


@pytest.mark.parametrize("data", INPUTS)
@pytest.mark.parametrize("batch", [7, 100_000])
def test_a_stream_gives_what_the_model_gives_for_the_whole_table(made, capsys, data, batch):
    said = run(capsys, "predict", made / "c45.json", made / data, "--batch-rows", batch, "--proba", "--leaf")
    assert (said.code, said.err) == (0, "")
    head, *rows = parsed(said.out)
    model, X = expected(made, "c45")
    assert head == [*NAMES, "prediction", "P(big)", "P(small)", "leaf"]
    assert [row[5] for row in rows] == model.predict(X).tolist()
    assert np.array([row[6:8] for row in rows], float).tolist() == model.predict_proba(X).tolist()
    assert [int(row[8]) for row in rows] == model.apply(X).tolist()


@pytest.mark.parametrize("size", [50, 300, 2000])
def test_blocks_of_bytes_are_cut_where_rows_end(made, capsys, monkeypatch, size):
    monkeypatch.setitem(open_stream.__wrapped__.__kwdefaults__, "size", size)
    said = run(capsys, "predict", made / "c45.json", made / "rows.csv")
    model, X = expected(made, "c45")
    given = parsed((made / "rows.csv").read_text(encoding="utf-8"))
    wanted = [[*row, answer] for row, answer in zip(given, ["prediction", *model.predict(X)], strict=True)]
    assert parsed(said.out) == wanted


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("words", [[], ["--columns", "none"], ["--columns", "age,id"], ["--safe-formulas"]])
def test_plain_blocks_are_answered_as_others_are(made, capsys, monkeypatch, end, words):
    rows = [["id", "colour", "size", "age"]]
    for i, row in enumerate(cells(300, seed=2)):
        colour = "red" if i % 3 else ("green", "", " red ", "NA")[i % 4]
        size = row[2] if i < 150 else (row[2], "nan", " 0.5", "1e-400", "NA", "0.50")[i % 6]
        rows.append([row[0], colour, size, "+40" if row[3] in MARKERS else row[3]])
    Path("plain.csv").write_text("".join(",".join(row) + end for row in rows), newline="")
    whole = run(capsys, "predict", made / "c45.json", "plain.csv", "--proba", *words)
    model = treewright.load(made / "c45.json")
    X = treewright.read("plain.csv", ignore=["id"], numeric=["size", "age"]).X
    if not words:
        assert [row[:4] for row in parsed(whole.out)] == rows
    if words != ["--safe-formulas"]:
        assert [row[-3] for row in parsed(whole.out)[1:]] == model.predict(X).tolist()
    for size in (60, 500):
        monkeypatch.setitem(open_stream.__wrapped__.__kwdefaults__, "size", size)
        assert run(capsys, "predict", made / "c45.json", "plain.csv", "--proba", *words) == whole


@pytest.mark.parametrize("data", ["rows.csv", "rows.csv.gz", "windows.csv"])
def test_cells_of_text_are_written_as_they_were(made, capsys, data):
    said = run(capsys, "predict", made / "c45.json", made / data)
    given = parsed((made / "rows.csv").read_text(encoding="utf-8"))
    unix = [[cell.replace("\r\n", "\n") for cell in row[:5]] for row in parsed(said.out)]
    assert unix == given  # 00007, NA, quotes and line ends within cells


@pytest.mark.parametrize("model", ["cart", "stop", "tree", "leaves", "rules", "number"])
def test_every_kind_of_model_answers(made, capsys, model):
    said = run(capsys, "predict", made / f"{model}.json", made / "rows.csv", "--columns", "none", "--batch-rows", "33")
    assert (said.code, said.err) == (0, "")
    head, *rows = parsed(said.out)
    loaded, X = expected(made, model)
    found = [row[0] for row in rows]
    assert head == ["prediction"]
    answers = loaded.predict(X).tolist()
    assert [float(one) for one in found] == answers if model == "number" else found == answers


def test_standard_input_and_output(made):
    command = [sys.executable, "-m", "treewright", "predict", str(made / "c45.json"), "-", "--columns", "id"]
    done = subprocess.run(command, input=(made / "rows.csv").read_bytes(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    model, X = expected(made, "c45")
    assert parsed(done.stdout.decode())[1:] == [[f"{i:05}", one] for i, one in enumerate(model.predict(X))]


@pytest.mark.parametrize("end", ["csv", "tsv", "jsonl", "csv.gz", "jsonl.zst", "parquet", "arrow", "feather"])
def test_every_format_of_the_result(made, capsys, end):
    out = Path(f"out.{end}")
    said = run(capsys, "predict", made / "c45.json", made / "rows.csv", "-o", out, "--proba", "--batch-rows", "90")
    assert said.code == 0
    assert said.out == ""
    assert said.err == f"500 rows with predictions written to '{out}'.\n"
    reader = {
        "csv": pl.read_csv, "tsv": lambda path: pl.read_csv(path, separator="\t"), "jsonl": pl.read_ndjson,
        "parquet": pl.read_parquet, "arrow": pl.read_ipc, "feather": pl.read_ipc,
    }[end.split(".")[0]]  # fmt: skip
    found = reader(out)
    model, X = expected(made, "c45")
    assert found["prediction"].to_list() == model.predict(X).tolist()
    assert np.array_equal(found.select("P(big)", "P(small)").to_numpy(), model.predict_proba(X))
    assert found.height == 500
    assert there() == [out.name]


def test_json_is_one_document(made, capsys):
    said = run(capsys, "predict", made / "c45.json", made / "rows.csv", "--json", "--columns", "id", "--batch-rows", 99)
    model, X = expected(made, "c45")
    rows = json.loads(said.out)["rows"]
    assert [row["prediction"] for row in rows] == model.predict(X).tolist()
    said = run(capsys, "predict", made / "c45.json", made / "rows.csv", "--json", "-o", "out.csv")
    assert json.loads(said.out) == {"rows": 500, "output": "out.csv", "unseen": []}


def test_an_explanation_is_the_way_to_the_leaf_that_answers(made, capsys):
    said = run(capsys, "predict", made / "stop.json", made / "rows.csv", "--explain", "--columns", "none", "--leaf")
    model, X = expected(made, "stop")
    rules = {rule.node: rule for rule in model.rules()}
    stopped = 0
    for (answer, leaf, why), node in zip(parsed(said.out)[1:], model.apply(X).tolist(), strict=True):
        assert int(leaf) == node
        if node in rules:
            assert why.startswith(str(rules[node]))
            assert answer in why
        else:
            stopped += 1
            assert "is missing" in why
    assert stopped


def test_the_explanation_of_a_shared_row_names_its_shares(made, capsys):
    said = run(capsys, "predict", made / "c45.json", made / "rows.csv", "--explain", "--columns", "none")
    model, X = expected(made, "c45")
    shares = model.decision_path(X)[:, np.flatnonzero(model.tree_.is_leaf)]
    n_leaves = np.diff(shares.tocsr().indptr)
    texts = [row[1] for row in parsed(said.out)[1:]]
    assert [text.startswith("weight ") for text in texts] == (n_leaves > 1).tolist()
    assert (n_leaves > 1).any()


def test_rules_explain_with_their_number(made, capsys):
    said = run(capsys, "predict", made / "rules.json", made / "rows.csv", "--explain", "--leaf")
    rows = parsed(said.out)
    assert rows[0][-2:] == ["rule", "explanation"]
    assert all(row[-1].startswith(f"rule {row[-2]}: " if row[-2] else "no rule applies -> ") for row in rows[1:])


def test_names_that_are_taken_are_made_unique_and_said(made, capsys):
    Path("rows.csv").write_text("size,colour,age,prediction,leaf\n1.5,red,30,old,7\n")
    said = run(capsys, "predict", made / "c45.json", "rows.csv", "--leaf")
    assert parsed(said.out)[0] == ["size", "colour", "age", "prediction", "leaf", "prediction_2", "leaf_2"]
    assert "the table already has a column 'prediction'" in said.err
    said = run(capsys, "predict", made / "c45.json", "rows.csv", "--name", "answer", "--columns", "size,prediction")
    assert parsed(said.out)[0] == ["size", "prediction", "answer"]


def test_unseen_categories_are_warned_of_once_with_their_numbers(made, capsys):
    lines = ["colour,size,age"] + ["mauve,1,30"] * 30 + ["teal,1,30"] * 40
    Path("rows.csv").write_text("\n".join(lines))
    said = run(capsys, "predict", made / "c45.json", "rows.csv", "--batch-rows", "8")
    assert said.err.count("Unseen categor") == 1
    assert "'teal' in column 'colour' (40 rows), 'mauve' in column 'colour' (30 rows)" in said.err
    assert said.err.count("\n") == 1


def test_a_model_without_names_meets_columns_by_place(capsys):
    X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 5.0], [4.0, 6.0]] * 5)
    model = CARTClassifier(pruning=None).fit(X, ["a", "a", "b", "b"] * 5)
    model.save("m.json")
    Path("bare.csv").write_text("1,5\n4,6\n")
    said = run(capsys, "predict", "m.json", "bare.csv", "--no-header")
    assert said.out == "x0,x1,prediction\n1,5,a\n4,6,b\n"
    Path("named.csv").write_text("width,height,kind\n1,5,?\n4,6,?\n")
    said = run(capsys, "predict", "m.json", "named.csv", "--target", "kind")
    assert said.out == "width,height,kind,prediction\n1,5,?,a\n4,6,?,b\n"
    assert run(capsys, "predict", "m.json", "named.csv").code == 1


def test_classes_keep_their_types(capsys):
    CARTClassifier(pruning=None).fit([[1], [2], [3]], [True, False, False]).save("m.json")
    Path("x.csv").write_text("x0\n1\n3\n")
    run(capsys, "predict", "m.json", "x.csv", "-o", "out.parquet")
    assert pl.read_parquet("out.parquet")["prediction"].to_list() == [True, False]


HARD = ["=1+1", "+1", "-2.5", "-2+3", "@SUM(A1)", "\tx", "\rx", "plain", "'quoted", ""]


def test_formulas_are_quoted_only_when_asked_and_numbers_never(made, capsys):
    rows = [["colour", "size", "age", "=note"], *[["red", "-1.5", "30", text] for text in HARD]]
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    Path("rows.csv").write_text(out.getvalue(), newline="")
    plain = parsed(run(capsys, "predict", made / "c45.json", "rows.csv").out)
    assert [row[:4] for row in plain] == rows
    safe = parsed(run(capsys, "predict", made / "c45.json", "rows.csv", "--safe-formulas").out)
    assert safe[0][:4] == ["colour", "size", "age", "'=note"]
    assert [row[1] for row in safe[1:]] == ["-1.5"] * len(HARD)
    wanted = ["'=1+1", "+1", "-2.5", "'-2+3", "'@SUM(A1)", "'\tx", "'\rx", "plain", "'quoted", ""]
    assert [row[3] for row in safe[1:]] == wanted


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["c45.json", "rows.csv", "-o", "out.xls"], "Unknown output format"),
        (["c45.json", "rows.csv", "-o", "out.parquet.gz"], "Unknown output format"),
        (["number.json", "rows.csv", "--proba"], "leave out --proba"),
        (["c45.json", "rows.csv", "--columns", "colur"], "the closest names are 'colour'"),
        (["c45.json", "none.csv"], "File not found"),
        (["c45.json", "training.csv", "--format", "parquet"], "cannot be read as parquet"),
        (["-", "-"], "cannot both be stdin"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(made, capsys, words, sentence):
    said = run(capsys, "predict", *[made / word if word.endswith(("json", "csv")) else word for word in words])
    assert (said.code, said.out) == (1, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert there() == []


def test_a_file_that_is_there_is_replaced_only_by_force(made, capsys):
    Path("out.csv").write_text("mine")
    said = run(capsys, "predict", made / "c45.json", made / "rows.csv", "-o", "out.csv")
    assert said.code == 1
    assert "already exists" in said.err
    assert Path("out.csv").read_text() == "mine"
    assert run(capsys, "predict", made / "c45.json", made / "rows.csv", "-o", "out.csv", "--force").code == 0
    assert Path("out.csv").read_text(encoding="utf-8").startswith("id,")


@pytest.mark.parametrize("end", ["csv", "parquet", "jsonl.gz"])
@pytest.mark.parametrize(
    ("late", "sentence"),
    [
        ("abc,red,1\n", "Column 'size' must contain numbers, got 'abc' in row"),
        ("1,red\n", "Line 402 of 'rows.csv' has 2 cells"),
    ],
)
def test_an_error_in_a_late_row_leaves_the_old_file_alone(made, capsys, end, late, sentence):
    Path(f"out.{end}").write_text("old")
    Path("rows.csv").write_text("size,colour,age\n" + "1.5,red,30\n" * 400 + late)
    said = run(
        capsys, "predict", made / "c45.json", "rows.csv", "-o", f"out.{end}", "--force", "--batch-rows", "20"
    )
    assert said.code == 1
    assert sentence in said.err
    assert there() == sorted([f"out.{end}", "rows.csv"])
    assert Path(f"out.{end}").read_text() == "old"


def test_a_missing_value_that_the_tree_refuses_says_its_row(capsys):
    ID3Classifier(missing="error").fit(pl.DataFrame({"a": ["x", "y"] * 5}), ["n", "y"] * 5).save("id3.json")
    Path("rows.csv").write_text("a,b\n" + "x,1\n" * 25 + ",1\n")
    said = run(capsys, "predict", "id3.json", "rows.csv", "--batch-rows", "10")
    assert said.code == 1
    assert "missing value (NaN) in row 5" in said.err
    assert "rows are counted from row 20 of the data" in said.err


def test_the_reader_of_a_pipe_may_leave(made, tmp_path):
    data = tmp_path / "many.csv"
    data.write_text("size,colour,age\n" + "1.5,red,30\n" * 300_000)
    command = f"{sys.executable} -m treewright predict {made / 'c45.json'} {data} | head -n 2"
    done = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "size,colour,age,prediction\n1.5,red,30,big\n"
    assert done.stderr == ""


def test_ctrl_c_leaves_nothing(made):
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "treewright", "predict", str(made / "c45.json"), "-", "-o", "out.csv"]
    started = subprocess.Popen(command, stdin=reader, stderr=subprocess.PIPE, text=True)
    os.close(reader)
    with started as child, os.fdopen(writer, "wb", buffering=0) as feed:  # it waits for more rows than ever come
        feed.write(b"size,colour,age\n" + b"1.5,red,30\n" * 400_000)
        for _ in range(200):
            if any(name.endswith(".part") for name in there()):
                break
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=30)[1]
    assert child.returncode == 130
    assert said.splitlines()[-1] == "treewright: interrupted."
    assert there() == []


HOSTILE = ["../../up", "$(touch pwned)", "`touch pwned`", "; touch pwned", "/etc/x", "a\x1b[31mb", "CON", "-o", "=1+1"]


def test_names_and_values_are_never_paths_or_commands(capsys):
    X = pl.DataFrame({HOSTILE[0]: HOSTILE * 4, HOSTILE[1]: [float(i) for i in range(len(HOSTILE) * 4)]})
    C45Classifier(min_samples_leaf=1, pruning=None).fit(X, pl.Series(HOSTILE[2], HOSTILE * 4)).save("m.json")
    X.with_columns(pl.Series(HOSTILE[2], HOSTILE * 4)).write_csv("x.csv")
    words = ["--proba", "--explain", "--leaf", "--name", "../name", "-o", "out.csv"]
    assert run(capsys, "predict", "m.json", "x.csv", *words).code == 0
    assert there() == ["m.json", "out.csv", "x.csv"]
    found = pl.read_csv("out.csv")
    assert found["../name"].to_list() == HOSTILE * 4
    assert not found["explanation"].str.contains("\x1b", literal=True).any()


def peak_of(made, folder, n_rows):
    """The most memory in MB that predicting so many rows takes, in a process that may allocate 1 GB."""
    data = folder / "many.csv"
    with data.open("w") as file:
        file.write("id,colour,size,age,note\n")
        for i in range(n_rows // 1000):
            file.write("".join(f"{1000 * i + k:09},red,{k}.25,{k % 90},note number {k}\n" for k in range(1000)))
    words = ["predict", str(made / "c45.json"), str(data), "-o", str(folder / "out.csv"), "--force"]
    child = subprocess.Popen(
        [sys.executable, "-m", "treewright", *words],
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (10**9, 10**9)),  # noqa: PLW1509
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    with (folder / "out.csv").open() as file:
        assert sum(1 for _ in file) == n_rows + 1
    return used.ru_maxrss / 1024


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited as Linux does it")
def test_memory_does_not_grow_with_the_table(made, tmp_path):
    few, many = peak_of(made, tmp_path, 1_500_000), peak_of(made, tmp_path, 6_000_000)  # 60 MB and 250 MB
    assert many < 500
    assert many - few < 60


def test_the_markers_of_a_schema_file_are_missing_values(capsys):
    rows = "70,sunny,yes\n90,none,no\n80,rain,yes\n95,none,no\n" * 5
    Path("marked.csv").write_text(f"humidity,outlook,play\n{rows}")
    treewright.read("marked.csv", "play", missing=["none"]).write_schema("schema.json")
    assert run(capsys, "fit", "marked.csv", "--schema", "schema.json", "--no-cv", "-o", "m.json").code == 0
    told = run(capsys, "predict", "m.json", "marked.csv", "--schema", "schema.json")
    assert (told.code, told.err) == (0, "")
    assert "'none'" in run(capsys, "predict", "m.json", "marked.csv").err  # without it, a category of its own
