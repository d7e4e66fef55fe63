"""The verb diff: two models over one table, from files to words, JSON and CSV."""

import csv
import json

import pytest

from tests.cli.running import run
from treewright import load


@pytest.fixture
def models(golf, capsys):
    for name, options in {
        "cart": ["-a", "cart", "--pruning", "none", "--set", "max_depth=2"],
        "id3": ["-a", "id3", "--set", "numeric=bisect"],
        "number": ["-t", "humidity", "--regression", "-a", "cart", "--pruning", "none"],
        "stump": ["-t", "humidity", "--regression", "-a", "cart", "--max-depth", "1", "--pruning", "none"],
        "few": ["--ignore", "outlook"],
        "temperature": ["-t", "windy", "--ignore", "play"],
    }.items():
        assert run(capsys, "fit", "golf.csv", "-t", "play", *options, "-o", f"{name}.json", "-q", "--no-cv").code == 0
    return golf


def test_who_moves_is_what_the_models_say(models, capsys):
    import polars as pl

    table = pl.read_csv("golf.csv", schema_overrides={"humidity": float, "temperature": float, "windy": str})
    old, new = load("golf.json"), load("cart.json")
    X = table.drop("play")
    before, after = old.predict(X), new.predict(X)
    said = run(capsys, "diff", "golf.json", "cart.json", "golf.csv", "--json", "--rows")
    document = json.loads(said.out)
    assert said.code == 0
    assert (document["rows"], document["changed"]) == (14, int((before != after).sum()))
    which = sorted(row for move in document["moves"] for row in move["row_numbers"])
    assert which == [i for i in range(14) if before[i] != after[i]]
    actual = table["play"].to_numpy()
    assert document["correct"]["old_correct"] == int((before == actual).sum())
    assert document["correct"]["new_correct"] == int((after == actual).sum())
    text = run(capsys, "diff", "golf.json", "cart.json", "golf.csv", "--rows").out
    assert "Where the trees differ" in text
    assert "Rows that move" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 120


def test_every_row_in_a_file(models, capsys):
    assert run(capsys, "diff", "golf.json", "cart.json", "golf.csv", "-o", "moved.csv").code == 0
    with (models / "moved.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 14
    assert [row["row"] for row in rows] == [str(i) for i in range(14)]
    assert all((row["old_prediction"] != row["new_prediction"]) == (row["changed"] == "true") for row in rows)
    assert run(capsys, "diff", "golf.json", "cart.json", "golf.csv", "-o", "moved.csv").code == 1


def test_the_same_model_and_models_of_other_columns(models, capsys):
    same = run(capsys, "diff", "golf.json", "golf.json", "golf.csv")
    assert same.out.startswith("The trees have the same splits, and no prediction changes in 14 rows.")
    other = run(capsys, "diff", "golf.json", "few.json", "golf.csv")
    assert other.code == 0
    assert "differ at the root" in other.out


def test_numbers_are_told_by_differences(models, capsys):
    said = run(capsys, "diff", "number.json", "stump.json", "golf.csv", "--all")
    assert "on average over all rows" in said.out
    assert "Root mean squared error" in said.out


@pytest.mark.parametrize(
    ("models_given", "table", "says"),
    [
        (("golf.json", "number.json"), "golf.csv", "predicts classes and the new model predicts numbers"),
        (("golf.json", "temperature.json"), "golf.csv", "no class in common"),
        (("golf.json", "cart.json"), "iris.csv", "'outlook'"),
        (("golf.json", "nowhere.json"), "golf.csv", "nowhere.json"),
        (("golf.json", "golf.json"), "-", "cannot be stdin"),
    ],
)
def test_what_does_not_fit_is_one_sentence(models, capsys, models_given, table, says):
    said = run(capsys, "diff", *models_given, table)
    assert said.code == 1
    assert says in said.err
    assert said.err.count("\n") == 1


def test_classes_that_differ_in_case_are_two_as_evaluate_counts_them(folder, capsys):
    (folder / "case.csv").write_text("a,y\n" + "".join(f"{i},{'aA'[i > 9]}\n" for i in range(20)))
    (folder / "upper.csv").write_text("a,y\n" + "".join(f"{i},A\n" for i in range(20)))
    assert run(capsys, "fit", "case.csv", "-t", "y", "-o", "case.json", "--no-cv", "-q").code == 0
    right = json.loads(run(capsys, "diff", "case.json", "case.json", "upper.csv", "--json").out)["correct"]
    found = json.loads(run(capsys, "evaluate", "case.json", "upper.csv", "--json").out)
    assert right["old_correct"] / 20 == found["accuracy"] == 0.5


def test_classes_that_look_like_formulas_are_quoted_behind_a_flag(folder, capsys):
    (folder / "sum.csv").write_text("a,y\n" + "".join(f"{i},{('=1+1', 'no')[i > 9]}\n" for i in range(20)))
    assert run(capsys, "fit", "sum.csv", "-t", "y", "-a", "c4.5", "-o", "sum.json", "--no-cv", "-q").code == 0
    for flags, cell in (([], "=1+1"), (["--safe-formulas"], "'=1+1")):
        words = ["diff", "sum.json", "sum.json", "sum.csv", "-o", "moves.csv", "--force", *flags]
        assert run(capsys, *words).code == 0
        with (folder / "moves.csv").open(newline="") as file:
            assert next(csv.DictReader(file))["old_prediction"] == cell


def test_an_option_that_would_do_nothing_is_not_taken(models, capsys):
    assert run(capsys, "diff", "golf.json", "cart.json", "golf.csv", "--weights", "humidity").code == 2
    assert run(capsys, "explain", "golf.json", "outlook=sunny", "--weights", "humidity").code == 2
