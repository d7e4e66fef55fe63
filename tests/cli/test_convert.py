"""The verb convert: every format into every other one, with the kinds and levels that both can hold."""

import gzip
import io
import json
from pathlib import Path

import arff
import polars as pl
import pytest

import treewright
from treewright.cli import input_tables
from treewright.cli.main import main
from treewright.data.files import source
from treewright.data.files.names_reader import read_names

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "arff", "names")
ROWS = [("sunny", 85, 0.5, "no"), (None, None, None, "yes"), ("so so, rain", 70, -2.5, "yes")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["out look", "humidity", "x", "class"]
    pl.DataFrame(ROWS, schema=names, orient="row").write_parquet("golf.parquet")
    return tmp_path


def test_the_options_name_the_formats_that_are_read():
    """Written twice, so that a help page loads no reader."""
    assert input_tables.FORMATS == source.FORMATS == FORMATS


def convert(*arguments, code=0):
    assert main(["convert", *map(str, arguments)]) == code


def test_arff_is_squeezed_as_its_name_says(folder):
    convert("golf.parquet", "golf.arff.gz", "-t", "class")
    assert Path("golf.arff.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert treewright.read("golf.arff.gz", "class").X.height == 3
    assert gzip.decompress(Path("golf.arff.gz").read_bytes()).startswith(b"@relation golf\n")


# Our own formats with all others by default; what polars does alone when there is time.
PAIRS = [
    pytest.param(first, second, marks=() if {first, second} & {"arff", "names"} else pytest.mark.long)
    for first in FORMATS
    for second in FORMATS
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_pair_of_formats(first, second, folder):
    """The rows come back from a chain of two formats, words as words and numbers as numbers."""
    convert("golf.parquet", f"one.{first}", "--target", "class")
    convert(f"one.{first}", f"two.{second}", "--target", "class")
    convert(f"two.{second}", "end.parquet")
    assert pl.read_parquet("end.parquet").cast({pl.Enum: pl.String, pl.Categorical: pl.String}).rows() == ROWS


def test_levels_and_order_are_kept_where_the_format_can(folder):
    Path("t.names").write_text("a, b.\nsize: [ordered] S, M, L.\nhue: red, green, blue.\nid: ignore.\n")
    Path("t.data").write_text("M, red, 1, b\nL, ?, 2, a\n")
    convert("t", "t.arff", "--from", "names")
    assert dict(arff.loads(Path("t.arff").read_text())["attributes"])["hue"] == ["red", "green", "blue"]
    convert("t.names", "t.arrow")
    assert pl.read_ipc("t.arrow").schema["size"] == pl.Enum(["S", "M", "L"])
    convert("t.arrow", "u.names", "-t", "class", "--ordered", "size=S<M<L")
    found = read_names("u")
    assert found.levels["hue"] == ("red", "green", "blue")
    assert found.ordered == {"size"}
    assert found.levels["class"] == ("a", "b")


def test_weights_travel(folder):
    Path("w.arff").write_text("@relation w\n@attribute a {x,y}\n@data\nx,{2}\ny\n")
    convert("w.arff", "w.names", "-t", "a")
    assert read_names("w").weights.tolist() == [2, 1]
    convert("w.names", "w.csv")
    assert Path("w.csv").read_text() == "class,weight\nx,2.0\ny,1.0\n"
    convert("w.csv", "v.arff", "--weights", "weight", "-t", "class")
    assert Path("v.arff").read_text().endswith("@data\nx,{2}\ny,{1}\n")


def test_rows_without_a_target_stay(folder):
    Path("t.csv").write_text("a,y\n1,no\n2,\n")
    convert("t.csv", "t.jsonl", "-t", "y")
    assert [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()] == [
        {"a": 1, "y": "no"},
        {"a": 2, "y": None},
    ]


def test_formulas_behind_a_flag(folder):
    text = '=HYPERLINK("http://x")'
    pl.DataFrame({"+a": [text, "fine"], "n": [-1, 1]}).write_parquet("f.parquet")
    convert("f.parquet", "plain.csv")
    convert("f.parquet", "safe.csv", "--safe-formulas")
    assert pl.read_csv("plain.csv").rows() == [(text, -1), ("fine", 1)]
    assert pl.read_csv("safe.csv").rows() == [(f"'{text}", -1), ("fine", 1)]
    assert pl.read_csv("safe.csv").columns == ["'+a", "n"]


def test_through_pipes(folder, monkeypatch, capfdbinary):
    class Stdin:
        buffer = io.BytesIO(b"a;b\n1,5;x\n2,5;y\n")

    monkeypatch.setattr("sys.stdin", Stdin())
    convert("-", "-", "--from", "csv", "--to", "jsonl", "--delimiter", ";", "--decimal", ",")
    assert capfdbinary.readouterr().out == b'{"a":1.5,"b":"x"}\n{"a":2.5,"b":"y"}\n'


def test_models(folder, capsys):
    model = treewright.C45Classifier().fit([["a", 1.0], ["b", 2.0]] * 5, ["x", "y"] * 5)
    model.save("model.json")
    convert("model.json", "small.json.zst")
    convert("small.json.zst", "again.json.gz")
    convert("again.json.gz", "back.json")
    assert Path("back.json").read_bytes() == Path("model.json").read_bytes()
    assert treewright.load("small.json.zst").tree_ == model.tree_
    capsys.readouterr()
    convert("model.json", "model.csv", code=1)
    assert "'model.json' is a model, not a table" in capsys.readouterr().err
    Path("fake.json").write_text("{}")
    convert("fake.json", "fake.json.gz", code=1)
    assert "This is not a model file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("golf.parquet", "out"), "Unknown format of 'out'; use a name that ends in .csv"),
        (("golf.parquet", "golf.parquet"), "'golf.parquet' already exists"),
        (("golf.parquet", "out.names"), "C4.5's files need a target"),
        (
            ("golf.parquet", "out.arff", "-t", "clas"),
            "Unknown column 'clas' in --target",
        ),
        (("nowhere.csv", "out.arff"), "File not found: 'nowhere.csv'"),
        (
            ("a.arff", "out.csv", "--numeric", "a"),
            "--numeric cannot be used with 'a.arff', which declares its columns",
        ),
        (("-", "out.csv"), "--from is required for a table from stdin"),
        (("golf.parquet", "no/out.csv"), "Folder not found: 'no'"),
    ],
)
def test_refused_in_one_sentence(arguments, sentence, folder, capsys):
    (folder / "a.arff").write_text("@relation a\n@attribute a {x}\n@data\nx\n")
    before = sorted(folder.iterdir())
    convert(*arguments, code=1)
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_force_and_json(folder, capsys):
    convert("golf.parquet", "golf.csv")
    convert("golf.parquet", "golf.csv", "--force", "--json", "-q")
    found = capsys.readouterr()
    assert json.loads(found.out) == {
        "written": ["golf.csv"],
        "format": "csv",
        "rows": 3,
        "columns": ["out look", "humidity", "x", "class"],
    }
