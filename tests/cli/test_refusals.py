"""What people bring by mistake: each refusal is one sentence in the words of the command line, and never a fault."""

import io
import json
import shlex
import sys

import numpy as np
import pytest

from tests.cli.running import GOLF, run
from treewright import CARTClassifier, load

DEEP, LONG = "[" * 100_000, "9" * 5_000


@pytest.fixture
def ways(golf):
    """The golf model with files that are in the wrong place."""
    (golf / "Windy.csv").write_text(GOLF.replace("windy", "Windy"))
    (golf / "years.csv").write_text("2019,2020,y\n" + "".join(f"{i},{-i},{i // 8}\n" for i in range(16)))
    for name, text in {"deep": DEEP, "twice": '{"outlook": "rain", "outlook": "sunny"}'}.items():
        (golf / f"{name}.json").write_text(text)
    (golf / "long.json").write_text(json.dumps({"outlook": LONG}))
    (golf / "bare.csv").write_text(GOLF.splitlines()[0] + "\n")
    (golf / "asked.csv").write_text(GOLF.splitlines()[0] + "\nsunny,85,85,false,\n")
    for weight in ("1e308", "1e-310"):
        (golf / f"{weight}.csv").write_text("a,w,y\n" + "".join(f"{i},{weight},{i // 4}\n" for i in range(8)))
    return golf


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("fit golf.json -t play", "'golf.json' is a Treewright file, not a table"),
        ("predict golf.json golf.json", "'golf.json' is a Treewright file, not a table"),
        ("fit golf.csv -t plai", "Unknown column 'plai' in --target"),
        ("fit golf.csv -t play --ignore nix", "Unknown column 'nix' in --ignore"),
        ("fit golf.csv -t play --set max_leaf_nodes=0", "max_leaf_nodes must be an integer of at least 2"),
        ("fit golf.csv -t play --set categorical_features=[1]", "use --categorical or --ordered"),
        ("fit golf.csv -t play -a c4.5 --missing surrogate", "use --missing fractional or --algorithm cart"),
        ("fit years.csv", "use --no-header if it is a row, or --header if it has the names."),
        ("fit 1e308.csv -t y --weights w", "which is too large; divide them by a constant"),
        ("fit 1e-310.csv -t y --weights w", "which is too small; set it to 0"),
        ("evaluate golf.json Windy.csv", "the names closest to 'windy' are 'Windy'"),
        ("explain golf.json --data Windy.csv --row 0", "the names closest to 'windy' are 'Windy'"),
        ("evaluate golf.json bare.csv", "'bare.csv' has a header but no rows"),
        ("explain golf.json --data bare.csv --row 0", "'bare.csv' has a header but no rows"),
        ("diff golf.json golf.json bare.csv", "'bare.csv' has a header but no rows"),
        ("evaluate golf.json asked.csv", "Column 'play' of 'asked.csv' has only missing values"),
        ("prune golf.json -m reduced_error --validation asked.csv", "'play' of 'asked.csv' has only missing values"),
        ("prune golf.json -m nix", "Unknown pruning method 'nix'"),
        ("consult golf.json --answers deep.json", "'deep.json' is nested too deeply"),
        ("consult golf.json --answers twice.json", "'twice.json' has the key 'outlook' twice"),
        ("consult golf.json --answers long.json", "is not a category of 'outlook'"),
        ("consult golf.json --answers .", "'.' is a folder"),
        ("consult golf.json --answers nix.json", "File not found: 'nix.json'; check"),
        ("convert golf.csv golf9.json", "'golf.csv' is a table, but .json is for models"),
        ("convert nix.json nix.json.gz", "File not found: 'nix.json'; check"),
        ("convert golf.csv nix/golf.parquet --force", "Folder not found: 'nix'"),
        ("convert golf.csv x.names", "use --target"),
        ("show long.json", "the field format is missing; pass a file saved by Treewright."),
    ],
)
def test_one_sentence(words, sentence, ways, capsys):
    before = sorted(path.name for path in ways.iterdir())
    said = run(capsys, *shlex.split(words))
    lines = [line for line in said.err.splitlines() if not line.startswith("note: ")]
    assert (said.code, said.out, len(lines)) == (1, "", 1)
    assert sentence in lines[0]
    assert sorted(path.name for path in ways.iterdir()) == before


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('{"outlook": ' + DEEP, "The row is nested too deeply"),
        ('{"outlook": "rain", "outlook": "sunny"}', "The row has the key 'outlook' twice"),
    ],
)
def test_a_row_of_json(row, sentence, golf, capsys):
    said = run(capsys, "explain", "golf.json", row)
    assert said.code == 1
    assert sentence in said.err


def test_years_may_be_names(ways, capsys):
    said = run(capsys, "fit", "years.csv", "-t", "y", "--header", "-o", "years.json", "--no-cv", "-q")
    assert said.code == 0
    assert load("years.json").feature_names_in_.tolist() == ["2019", "2020"]
    for verb in (["evaluate"], ["predict"]):
        assert run(capsys, *verb, "years.json", "years.csv", "--header").code == 0
    assert run(capsys, "convert", "years.csv", "years.parquet", "--header").code == 0
    said = run(capsys, "compare", "years.csv", "-t", "y", "--header", "--folds", "2", "--json")
    assert "--header" in shlex.split(json.loads(said.out)["next"][0])


def test_a_model_without_names_is_evaluated_by_place_as_it_predicts(folder, capsys):
    X, y = np.array([[1.0, 9.0], [2.0, 7.0], [3.0, 8.0], [4.0, 6.0]]), np.array([0, 0, 1, 1])
    CARTClassifier(pruning=None).fit(X, y).save("bare.json")
    for name, text, words in [
        ("named", "a,b,kind\n1,9,0\n2,7,0\n3,8,1\n4,6,1\n", ["-t", "kind"]),
        ("first", "0,1,9\n0,2,7\n1,3,8\n1,4,6\n", ["-t", "x0", "--no-header"]),
    ]:
        (folder / f"{name}.csv").write_text(text)
        said = run(capsys, "evaluate", "bare.json", f"{name}.csv", *words, "--json")
        assert said.err == ""
        assert json.loads(said.out)["accuracy"] == 1.0
        said = run(capsys, "predict", "bare.json", f"{name}.csv", *words, "--columns", "none")
        assert said.out.split() == ["prediction", "0", "0", "1", "1"]
        assert run(capsys, "diff", "bare.json", "bare.json", f"{name}.csv", *words).err == ""
    (folder / "answers.csv").write_text("target\n0\n")
    said = run(capsys, "predict", "bare.json", "answers.csv")
    assert "use --target if one of them is the target" in said.err


def test_nothing_to_change_yet(golf, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"change\n{LONG}\nquit\n"))
    said = run(capsys, "consult", "golf.json")
    assert said.code == 0
    assert "There is no answer to change yet." in said.out
    assert "is not a category of 'outlook'" in said.out


def test_json_of_convert_is_one_document(golf, capsys):
    said = run(capsys, "convert", "golf.json", "golf.json.gz", "--json")
    assert json.loads(said.out) == {"written": ["golf.json.gz"], "format": "model"}
    said = run(capsys, "convert", "golf.csv", "-", "--to", "csv", "--json")
    assert (said.code, said.out) == (2, "")
    assert "cannot both use stdout" in said.err


def test_a_method_of_pruning_may_be_written_with_a_hyphen(golf, capsys):
    words = ["fit", "golf.csv", "-t", "play", "--no-cv", "--json"]
    given = [json.loads(run(capsys, *words, "--pruning", f"error{mark}based").out) for mark in "-_"]
    assert given[0]["fingerprint"] == given[1]["fingerprint"]
    assert run(capsys, "prune", "golf.json", "-m", "error-based", "--data", "golf.csv").code == 0


def test_one_row_is_no_rows(folder, capsys):
    (folder / "one.csv").write_text("a,y\n1,u\n")
    assert run(capsys, "fit", "one.csv", "-t", "y").out.startswith("one.csv: 1 row, 1 column, target y\n")
