"""What a person sees who fits a table with row numbers, identifiers, leaks or a number as the target."""

import json
import pickle

import pytest

import treewright
from tests.cli.running import run
from treewright.data.ignored_columns import IgnoredColumn

NOTES = [
    "note: Column 'id' is ignored: consecutive integers, like row numbers; --numeric id keeps it.",
    "note: Column 'unit' is ignored: the same value in every row; --categorical unit keeps it.",
    "note: Column 'shipped' is a copy of the target; if it is not known before 'bought', use --ignore shipped.",
]


@pytest.fixture
def shop(folder):
    """A table of 1,000 rows: 869 prices, a row number, a constant, and a copy of the target."""
    rows = ["id,size,unit,shipped,bought,price"]
    for i in range(1000):
        bought = (i * 7919 % 1000) < 400
        rows.append(f"{i + 500},{i * 31 % 97},kg,{int(bought)},{'yes' if bought else 'no'},{(i % 869) * 31 % 869 / 4}")
    (folder / "shop.csv").write_text("\n".join(rows))
    return folder


@pytest.mark.parametrize("command", ["fit", "cv", "compare"])
def test_commands_ignore_and_warn_alike(command, shop, capsys):
    words = {"fit": ["--no-cv"], "cv": ["--folds", "2", "-a", "mdl"], "compare": ["--folds", "2", "--pruning", "mdl"]}
    said = run(capsys, command, "shop.csv", "-t", "bought", "--ignore", "price", *words[command])
    assert said.code == 0
    assert said.err.splitlines()[:3] == NOTES
    kinds = ["--ignore", "price,shipped", "--numeric", "id", "--categorical", "unit"]
    kept = run(capsys, command, "shop.csv", "-t", "bought", *kinds, *words[command])
    assert "is ignored" not in kept.err + kept.out


def test_a_number_is_predicted_by_a_regression_tree(shop, capsys):
    said = run(capsys, "fit", "shop.csv", "-t", "price", "--no-cv", "--depth", "1")
    assert said.err.splitlines()[0] == (
        "note: Target 'price' is a number with 869 distinct values: a regression tree predicts it; for classes, use "
        "--classes."
    )
    assert "MDLTree regression tree" in said.out
    said = run(capsys, "fit", "shop.csv", "-t", "price", "-a", "c4.5")
    assert said.code == 1
    assert said.err.endswith("does not support regression; use --algorithm cart or mdl, or --classes.\n")


def test_what_was_ignored_is_in_the_model(shop, capsys):
    words = ["shop.csv", "-t", "bought", "--no-cv", "-o", "shop.json"]
    found = json.loads(run(capsys, "fit", *words, "--ignore", "shipped", "--json").out)
    assert [one["kind"] for one in found["table"]["columns"]][:3] == ["ignored", "number", "ignored"]
    written = json.loads((shop / "shop.json").read_text())
    assert written["ignored"] == [{"name": "id", "reason": "row_number"}, {"name": "unit", "reason": "constant"}]
    assert "ignored        id: consecutive integers, like row numbers\n" in run(capsys, "show", "shop.json").out
    assert json.loads(run(capsys, "show", "shop.json", "--json").out)["ignored"] == written["ignored"]
    treewright.load("shop.json").save("again.json", ledgers=True)
    assert (shop / "again.json").read_bytes() == (shop / "shop.json").read_bytes()
    model = treewright.load("shop.json")
    X, y = treewright.read("shop.csv", "bought", ignore=["id", "unit", "shipped"])
    assert model.fit(X, y)._ignored == ()
    model._ignored = (IgnoredColumn("size", "constant"),)
    with pytest.raises(treewright.ModelFormatError, match="ignored must have columns that the tree does not have"):
        pickle.loads(pickle.dumps(model))
    (shop / "shop.json").write_text((shop / "shop.json").read_text().replace('"row_number"', '"whim"'))
    with pytest.raises(treewright.ModelFormatError, match=r"ignored\[0\].reason must be one of"):
        treewright.load("shop.json")


def test_ordered_columns_are_kept(folder, capsys):
    (folder / "sizes.csv").write_text("size,x,fits\n" + "".join(f"S,{i % 4},{'ab'[i % 2]}\n" for i in range(20)))
    for words in (["-t", "fits", "--ordered", "size=S<M"], ["-t", "fits", "--ordered", "fits=a<b", "--ignore", "size"]):
        assert run(capsys, "inspect", "sizes.csv", *words).code == 0
        said = run(capsys, "fit", "sizes.csv", *words, "--no-cv")
        assert said.code == 0, said.err
        assert "is ignored" not in said.err


def test_inspect(shop, capsys):
    said = run(capsys, "inspect", "shop.csv", "-t", "bought")
    assert said.out.splitlines()[0] == "shop.csv: 1,000 rows, 5 columns, target bought: 2 classes"
    assert [line.split(":")[0] for line in said.out.splitlines()[2::2]] == ["id", "unit", "shipped"]
    found = json.loads(run(capsys, "inspect", "shop.csv", "-t", "bought", "--json").out)
    assert [one["kind"] for one in found["findings"]] == ["row_number", "constant", "copy_of_target"]
    assert "目标的副本" in run(capsys, "inspect", "shop.csv", "-t", "bought", "--language", "zh").out
    (shop / "holes.csv").write_text("x,y\n1,a\n2,\n3,b\n")
    assert "y: 1 row has no target value." in run(capsys, "inspect", "holes.csv", "-t", "y").out
    assert "no target" in run(capsys, "inspect", "holes.csv").out
    said = run(capsys, "inspect", "shop.csv", "-t", "bougt")
    assert said.err == "treewright: Unknown column 'bougt' in --target; the closest names are 'bought'.\n"
