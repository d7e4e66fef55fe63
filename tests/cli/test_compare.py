"""The verbs cv and compare: they work at once on the tables people have, and say what they decided."""

import csv
import json
import random
import shlex

import pytest

from tests.cli.running import write_tables
from treewright.cli import compare, cv
from treewright.cli.main import main


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table with names of rows, words, numbers and holes; and one with a target of numbers."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(5)
    rows = []
    for i in range(90):
        age, plan, calls = draw.randint(18, 80), draw.choice(["basic", "plus", "family"]), draw.randint(0, 9)
        left = "left" if (calls > 5) != (draw.random() < 0.1) else "stayed"
        cells = [f"C{i:03d}", age, plan, calls]
        if i % 7 == 0:
            cells[1 + i % 3] = ""
        rows.append([*cells, left, round(age * 1.5 + calls + draw.random(), 2)])
    write(tmp_path / "people.csv", ["id", "age", "plan", "calls", "left", "bill"], rows)
    return tmp_path


def printed(capsys, *arguments, code=0):
    assert main(list(arguments)) == code
    return capsys.readouterr()


def test_cv_puts_the_algorithms_side_by_side(folder, capsys):
    found = printed(capsys, "cv", "people.csv", "-t", "left", "--ignore", "id,bill", "--folds", "5")
    lines = found.out.splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["id3", "c4.5", "cart", "mdl"]
    assert sum(" best" in line for line in lines[1:5]) == 1
    assert "5-fold cross-validation; 90 rows" in lines[5]
    assert "\x1b" not in found.out + found.err


def test_cv_as_json_with_repeats_and_a_method_that_needs_validation_rows(folder, capsys):
    found = printed(
        capsys, "cv", "people.csv", "-t", "left", "--ignore", "id", "-a", "cart", "-a", "c4.5", "--repeats", "2",
        "--folds", "3", "--pruning", "reduced_error", "--json",
    )  # fmt: skip
    document = json.loads(found.out)
    assert [row["name"] for row in document["rows"]] == ["cart", "c4.5"]
    assert (document["folds"], document["repeats"], document["target"]) == (3, 2, "left")
    again = json.loads(
        printed(
            capsys, "cv", "people.csv", "-t", "left", "--ignore", "id", "-a", "cart", "-a", "c4.5", "--repeats", "2",
            "--folds", "3", "--pruning", "reduced_error", "--json",
        ).out
    )  # fmt: skip
    for one, two in zip(document["rows"], again["rows"], strict=True):
        assert {**one, "seconds": 0} == {**two, "seconds": 0}


def test_numbers_are_for_cart(folder, capsys):
    found = printed(capsys, "cv", "people.csv", "-t", "bill", "--ignore", "id", "--folds", "3")
    assert "distinct values: a regression tree predicts it; for classes, use --classes." in found.err
    assert [line.split()[0] for line in found.out.splitlines()[1:2]] == ["cart"]
    found = printed(capsys, "cv", "people.csv", "-t", "bill", "-a", "id3", code=1)
    assert "does not support regression" in found.err


def test_compare_prints_one_table_and_a_recommendation(folder, capsys):
    found = printed(capsys, "compare", "people.csv", "-t", "left", "--ignore", "bill", "--folds", "3")
    lines = found.out.splitlines()
    table = lines[1 : next(i for i, line in enumerate(lines) if "3-fold" in line)]
    names = [line.split()[0 if line[0] == " " else 1] for line in table]
    assert {name: names.count(name) >= 10 for name in names} == dict.fromkeys(("id3", "c4.5", "cart", "mdl"), True)
    scores = [float(line.split("%")[0].split()[-1]) for line in table]
    assert scores == sorted(scores, reverse=True)
    assert "optimistic" in found.out
    assert "Recommended:" in found.out
    assert "Column 'id' is ignored: a different value in nearly every row, like an identifier; --cat" in found.err
    assert "-o report.html" in found.err
    assert "note: next: treewright fit people.csv --target left" in found.err
    assert not list(folder.glob("*.html"))
    assert "\x1b" not in found.out + found.err


def test_compare_writes_a_report_and_never_over_another(folder, capsys):
    arguments = ["compare", "people.csv", "-t", "left", "--folds", "3", "--pruning", "mdl,none", "-o", "report.html"]
    printed(capsys, *arguments)
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "<h1>Decision trees for left</h1>" in html
    assert "treewright consult model.json" in html
    found = printed(capsys, *arguments, code=1)
    assert "report.html" in found.err
    assert "already exists" in found.err
    assert found.out == ""  # refused before any work
    printed(capsys, *arguments, "--force")
    assert (folder / "report.html").read_text(encoding="utf-8")[:200] == html[:200]


def test_compare_as_json_can_be_repeated_by_fit(folder, capsys):
    found = printed(capsys, "compare", "people.csv", "-t", "left", "--ignore", "bill", "--folds", "3", "--json")
    document = json.loads(found.out)
    chosen = [row for row in document["compared"] if row["recommended"]]
    assert len(chosen) == 1
    assert document["folds"] == 3
    assert document["baseline"]["prediction"] in ("left", "stayed")
    if chosen[0]["n_leaves"] > 1:
        command = shlex.split(document["next"][0])[1:]
        printed(capsys, *command, "--no-cv", "-q")
        shown = json.loads(printed(capsys, "show", "model.json", "--json").out)
        assert shown["tree"]["leaves"] == chosen[0]["n_leaves"]


@pytest.mark.parametrize("target", ["bill", "calls", "plan"])
def test_any_target_works_at_once(folder, capsys, target):
    found = printed(capsys, "compare", "people.csv", "-t", target, "--folds", "2", "-o", "r.html")
    assert "leaves" in found.out
    if target == "calls":
        assert "distinct whole numbers, treated as classes" in found.err


def test_three_rows_and_odd_names(folder, capsys):
    write(folder / "tiny.csv", ["what's \"this\"?", "y\x1b[31m"], [["a b", "1"], ["c", "0"], ["d", "1"]])
    kept = ["--categorical", "what's \"this\"?"]
    found = printed(capsys, "compare", "tiny.csv", "-t", "y\x1b[31m", "-o", "r.html", *kept)
    assert "\x1b" not in found.out + found.err
    assert "3-fold" in found.out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["compare", "people.csv"], 1, "--target is required; the columns are 'id', 'age'"),
        (["compare", "people.csv", "-t", "lefd"], 1, "'left'"),
        (["compare", "nowhere.csv", "-t", "left"], 1, "nowhere.csv"),
        (["compare", "people.csv", "-t", "left", "--pruning", "hard"], 1, "Unknown pruning method 'hard'"),
        (["compare", "people.csv", "-t", "bill", "--regression", "--classes"], 1, "exclude each other"),
        (["cv", "people.csv", "-t", "left", "--folds", "1"], 2, "folds"),
        (["cv", "people.csv", "-t", "left", "-a", "chaid"], 2, "chaid"),
    ],
)
def test_mistakes_are_one_sentence(folder, capsys, arguments, code, says):
    found = printed(capsys, *arguments, code=code)
    assert says in found.err
    assert found.err.count("\n") == 1
    assert found.out == ""


@pytest.mark.parametrize("line", [*cv.command.examples, *compare.command.examples])
def test_the_examples_of_the_help_pages_run(folder, capsys, line):
    write_tables(folder)
    found = printed(capsys, *shlex.split(line)[1:])
    assert found.out
    assert "report.html" not in line or (folder / "report.html").exists()


def test_a_column_with_a_comma_in_its_name_is_left_out_when_the_command_is_pasted(folder, capsys):
    rows = [[f"n{i}", i % 5, "uv"[i % 5 > 2]] for i in range(40)]
    write(folder / "comma.csv", ["na,me $(x)", "b", "y"], rows)
    document = json.loads(printed(capsys, "compare", "comma.csv", "-t", "y", "--folds", "2", "--json").out)
    words = shlex.split(document["next"][0])
    said = printed(capsys, *words[1:], "--no-cv", "--json")
    kinds = {one["name"]: one["kind"] for one in json.loads(said.out)["table"]["columns"]}
    assert kinds["na,me $(x)"] == "ignored"
