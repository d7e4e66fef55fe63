"""`--algorithm mdl` in the verbs that grow trees."""

import json

import treewright
from tests.cli.running import run
from treewright import MDLTreeClassifier, MDLTreeRegressor, load
from treewright.evaluate.cross import cross_validate


def test_fit_is_the_estimator(folder, capsys):
    said = run(capsys, "fit", "iris.csv", "-t", "species", "-a", "mdl", "--folds", "3", "-o", "iris.json")
    assert said.code == 0, said.err
    X, y = treewright.read("iris.csv", "species")
    model = MDLTreeClassifier().fit(X, y)
    assert model.to_text() in said.out
    assert "MDLTree, pruned by error_based+global: " in said.out
    again = load("iris.json")
    assert again.get_params() == MDLTreeClassifier(categorical_features=again.categorical_features).get_params()
    assert again.tree_ == model.tree_
    shown = run(capsys, "show", "iris.json").out
    assert "model          MDLTree, pruned by error_based+global" in shown
    for words in (["why", "iris.json", "0"], ["rules", "iris.json"], ["explain", "iris.json", "petal_width=1"]):
        assert run(capsys, *words).code == 0


def test_fit_of_numbers(folder, capsys):
    words = ["-t", "petal_width", "--regression", "-a", "mdl", "--no-cv", "-q", "-o", "width.json"]
    assert run(capsys, "fit", "iris.csv", *words).code == 0
    assert isinstance(load("width.json"), MDLTreeRegressor)
    said = run(capsys, "fit", "iris.csv", "-t", "petal_width", "--regression", "-a", "id3")
    assert said.code == 1
    assert "use --algorithm cart or mdl" in said.err


def test_parameters_reach_it_and_tuning_is_cross_validated(folder, capsys):
    words = ["fit", "iris.csv", "-t", "species", "-a", "mdl", "--set", "tune=true", "--folds", "3", "--json"]
    found = json.loads(run(capsys, *words).out)
    X, y = treewright.read("iris.csv", "species")
    expected = cross_validate({"mdl": MDLTreeClassifier(tune=True)}, X, y, folds=3)
    assert found["cross_validation"]["error"] == expected.rows[0].error
    assert found["tree"]["text"] == MDLTreeClassifier(tune=True).fit(X, y).to_text()
    kept = ["--confidence", "0.4", "--set", "standard_errors=0", "--no-cv", "-q", "-o", "more.json"]
    assert run(capsys, "fit", "iris.csv", "-t", "species", "-a", "mdl", *kept).code == 0
    assert (load("more.json").confidence, load("more.json").standard_errors) == (0.4, 0)


def test_compare_has_it_with_its_own_pruning(folder, capsys):
    words = ["iris.csv", "-t", "species", "--folds", "3", "-o", "report.html"]
    found = json.loads(run(capsys, "compare", *words, "--json").out)
    mine = {row["pruning"]: row for row in found["compared"] if row["algorithm"] == "mdl"}
    assert {"none", "error_based", "error_based+global"} < mine.keys()
    X, y = treewright.read("iris.csv", "species")
    assert mine["error_based+global"]["n_leaves"] == MDLTreeClassifier().fit(X, y).get_n_leaves()
    assert "error_based+global" not in {r["pruning"] for r in found["compared"] if r["algorithm"] != "mdl"}
    assert "MDLTree" in (folder / "report.html").read_text()
    found = json.loads(run(capsys, "compare", "iris.csv", "-t", "petal_width", "--folds", "3", "--json").out)
    assert {row["algorithm"] for row in found["compared"]} == {"cart", "mdl"}
