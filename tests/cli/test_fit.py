"""`fit`: what it prints, what it keeps, and what it says when it cannot."""

import json

import numpy as np
import pytest

import treewright
from tests.cli.running import GOLF, run
from treewright import C45Classifier, ID3Classifier, MDLTreeClassifier, MDLTreeRegressor, load
from treewright.prune.registry import METHODS

PRUNING_METHODS = ", ".join(map(repr, METHODS))


def fitted(capsys, *words):
    said = run(capsys, "fit", *words, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)


def test_it_prints_the_tree_the_errors_and_the_matrix(folder, capsys):
    said = run(capsys, "fit", "golf.csv", "--target", "play", "-a", "c4.5")
    lines = said.out.splitlines()
    assert lines[0] == "golf.csv: 14 rows, 4 columns, target play"
    assert "  humidity     number    10 values" in lines
    model = C45Classifier().fit(*treewright.read("golf.csv", "play"))
    assert model.to_text() in said.out
    assert "training error         0.0% (0 of 14)" in lines
    assert any(line.startswith("cross-validated error  ") and "(10 folds" in line for line in lines)
    matrix = lines.index("Confusion matrix on the training rows")
    assert [line.split() for line in lines[matrix + 2 : matrix + 4]] == [["no", "5", "0"], ["yes", "0", "9"]]
    assert f"fingerprint  {model.tree_.fingerprint()}" in lines
    assert said.err == "note: the model is not saved; use -o FILE.\n"
    assert list(folder.glob("*.json")) == []


def test_its_document_has_the_same(folder, capsys):
    found = fitted(capsys, "golf.csv", "-t", "play", "-a", "c4.5", "-o", "golf.json", "--folds", "7")
    assert found["model"] == "golf.json"
    assert found["table"]["rows"] == 14
    assert [column["kind"] for column in found["table"]["columns"]] == [
        "category", "number", "number", "category", "target",
    ]  # fmt: skip
    assert found["training"]["confusion"] == [[5.0, 0.0], [0.0, 9.0]]
    assert found["cross_validation"]["folds"] == 7
    assert found["tree"] == {"nodes": 8, "leaves": 5, "depth": 2, "text": load("golf.json").to_text()}
    assert found["fingerprint"] == load("golf.json").tree_.fingerprint()
    assert found["validation"] is None


def test_the_cross_validated_error_is_that_of_the_house(folder, capsys):
    from treewright.evaluate.cross import cross_validate

    found = fitted(capsys, "iris.csv", "-t", "species", "-a", "cart", "--folds", "5")
    expected = cross_validate(
        {"cart": treewright.CARTClassifier()}, *treewright.read("iris.csv", "species"), folds=5
    )
    assert found["cross_validation"]["error"] == expected.rows[0].error


def test_the_last_column_is_the_target_when_none_is_given(folder, capsys):
    said = run(capsys, "fit", "golf.csv", "--no-cv")
    assert said.err.splitlines()[0] == "note: --target is not given; using the last column, 'play'."
    assert "target play" in said.out.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["-a", "id3", "--set", "numeric=bisect"], ID3Classifier(numeric="bisect")),
        (["-a", "c4.5", "--pruning", "none", "--missing", "stop"], C45Classifier(pruning=None, missing="stop")),
        (["--min-samples-leaf", "0.2", "--max-depth", "1"], MDLTreeClassifier(min_samples_leaf=0.2, max_depth=1)),
        (["-a", "c4.5", "--confidence", "0.01"], C45Classifier(pruning=treewright.prune.ErrorBased(confidence=0.01))),
        (["-a", "cart", "--pruning", "cost-complexity", "--set", "alpha=0.1"],
         treewright.CARTClassifier(pruning=treewright.prune.CostComplexity(alpha=0.1))),
        (["--preset", "j48", "--confidence", "0.1"], treewright.presets.j48(confidence=0.1)),
        (["--preset", "c45-release8", "--set", "subset=yes"], treewright.presets.c45_release8(subset=True)),
        (["-a", "c4.5", "--set", "class_weight=balanced"], C45Classifier(class_weight="balanced")),
    ],
)  # fmt: skip
def test_options_make_the_tree_of_the_same_estimator(words, kind, folder, capsys):
    found = fitted(capsys, "golf.csv", "-t", "play", "--no-cv", *words)
    assert found["estimator"] == type(kind).__name__
    X, y = treewright.read("golf.csv", "play")
    assert found["fingerprint"] == kind.fit(X, y).tree_.fingerprint()


def test_regression(folder, capsys):
    words = ["iris.csv", "-t", "petal_width", "--regression", "--ignore", "species,sepal_width"]
    found = fitted(capsys, *words, "--folds", "3")
    data = treewright.read("iris.csv", "petal_width", ignore=["species", "sepal_width"])
    model = MDLTreeRegressor().fit(*data)
    assert found["fingerprint"] == model.tree_.fingerprint()
    off = model.predict(data.X) - data.y.to_numpy()
    assert found["training"]["rmse"] == pytest.approx(float(np.sqrt(np.mean(off**2))), rel=1e-12)
    said = run(capsys, "fit", *words, "--no-cv")
    assert "training error  RMSE " in said.out
    assert "Confusion" not in said.out


def test_a_number_as_the_target_of_classes_is_worth_a_word(folder, capsys):
    note = "note: Target 'petal_length' is a number with {} distinct values: a regression tree predicts it; "
    n = treewright.read("iris.csv", "petal_length").y.n_unique()
    said = run(capsys, "fit", "iris.csv", "-t", "petal_length", "--no-cv")
    assert said.err.splitlines()[0] == note.format(n) + "for classes, use --classes."
    assert "training error  RMSE" in said.out
    (folder / "squares.csv").write_text("x,y\n" + "\n".join(f"{i % 5},{i * i / 2}" for i in range(30)))
    said = run(capsys, "fit", "squares.csv", "-t", "y", "--no-cv", "--classes", "--depth", "1")
    assert "it is printed for up to 20" in said.out
    (folder / "few.csv").write_text("x,y\n" + "\n".join(f"{i % 7},{i % 3}" for i in range(30)))
    said = run(capsys, "fit", "few.csv", "-t", "y", "--no-cv")
    assert "has 3 distinct whole numbers, treated as classes; for regression trees, use --regression." in said.err


def test_validation_by_a_share_and_by_a_file(folder, capsys):
    words = ["iris.csv", "-t", "species", "-a", "c4.5", "--pruning", "reduced_error"]
    found = fitted(capsys, *words, "--validation", "0.3", "--folds", "3")
    model = C45Classifier(pruning="reduced_error", validation_fraction=0.3).fit(
        *treewright.read("iris.csv", "species")
    )
    assert found["fingerprint"] == model.tree_.fingerprint()
    assert found["training"]["rows"] + found["validation"]["rows"] == 90
    assert found["cross_validation"]["folds"] == 3
    head, *rows = (folder / "iris.csv").read_text().splitlines()
    shuffled = [head.split(",")[::-1], *(row.split(",")[::-1] for row in rows[::3])]
    (folder / "third.csv").write_text("\n".join(map(",".join, shuffled)))
    said = run(capsys, "fit", *words, "--validation", "third.csv", "--json")
    assert json.loads(said.out)["validation"]["rows"] == 30
    assert "note: not cross-validated because the validation rows are in a file." in said.err
    (folder / "less.csv").write_text("sepal_length,species\n1,setosa\n")
    said = run(capsys, "fit", *words, "--validation", "less.csv")
    assert said.code == 1
    assert "less.csv" in said.err


def test_rows_without_a_target_are_left_out_with_a_note(folder, capsys):
    (folder / "holes.csv").write_text(GOLF + "sunny,70,70,true,\n")
    said = run(capsys, "fit", "holes.csv", "-t", "play", "--no-cv")
    assert said.out.startswith("holes.csv: 14 rows")
    assert "Dropped 1 row without a value in 'play'" in said.err


def test_weights_are_copies(folder, capsys):
    head, *rows = GOLF.splitlines()
    weights = [1 + i % 3 for i in range(len(rows))]
    both = list(zip(rows, weights, strict=True))
    (folder / "weighted.csv").write_text("\n".join([head + ",n", *(f"{row},{n}" for row, n in both)]))
    (folder / "copies.csv").write_text("\n".join([head, *(row for row, n in both for _ in range(n))]))
    found = fitted(capsys, "weighted.csv", "-t", "play", "--weights", "n", "--no-cv")
    copies = fitted(capsys, "copies.csv", "-t", "play", "--no-cv")
    assert found["tree"] == copies["tree"]
    assert found["training"]["confusion"] == copies["training"]["confusion"]
    assert found["table"]["columns"][-1]["kind"] == "weight"


def test_kinds_can_be_said(folder, capsys):
    said = ["--categorical", "humidity", "--ordered", "outlook=rain<overcast<sunny"]
    found = fitted(capsys, "golf.csv", "-t", "play", "--no-cv", *said)
    kinds = {column["name"]: column["kind"] for column in found["table"]["columns"]}
    assert kinds["humidity"] == "category"
    assert kinds["outlook"] == "ordered"


def test_nothing_is_overwritten_without_force(golf, capsys):
    before = (golf / "golf.json").read_bytes()
    words = ["fit", "golf.csv", "-t", "play", "-a", "cart", "--no-cv", "-q", "-o", "golf.json"]
    said = run(capsys, *words)
    assert (said.code, said.out) == (1, "")
    assert "'golf.json' already exists" in said.err
    assert "--force" in said.err
    assert (golf / "golf.json").read_bytes() == before
    assert run(capsys, *words, "--force").code == 0
    assert (golf / "golf.json").read_bytes() != before
    assert sorted(path.name for path in golf.iterdir()) == ["golf.csv", "golf.json", "iris.csv"]


KEPT = [("auto", 1, 0), ("none", 0, 0), ("ledgers", 1, 0), ("rows", 0, 1)]


@pytest.mark.parametrize(("keep", "ledgers", "rows"), KEPT)
def test_what_is_kept(keep, ledgers, rows, folder, capsys):
    said = run(capsys, "fit", "golf.csv", "-t", "play", "--no-cv", "-o", "golf.json", "--keep", keep)
    assert ("includes ledgers" in said.err) == (keep == "auto")
    why, worked = run(capsys, "why", "golf.json", "0"), run(capsys, "why", "golf.json", "0", "--worked")
    assert why.code == (0 if ledgers or rows else 1)
    assert worked.code == (0 if rows else 1)
    if keep == "none":
        assert why.err == (
            "treewright: The training rows are required, but the model does not have them; use --data FILE with the "
            "training table, or fit again with --keep rows.\n"
        )


def test_ledgers_of_a_large_table_are_kept_only_when_asked_for(folder, capsys, monkeypatch):
    monkeypatch.setattr("treewright.cli.fit.MAX_LEDGER_CELLS", 10)
    said = run(capsys, "fit", "golf.csv", "-t", "play", "--no-cv", "-o", "golf.json")
    assert "'golf.json' has no ledgers; use --keep ledgers" in said.err
    assert run(capsys, "why", "golf.json", "0").code == 1


def test_a_table_that_is_large_is_not_cross_validated_unless_asked_for(folder, capsys, monkeypatch):
    monkeypatch.setattr("treewright.cli.fit.MAX_CV_CELLS", 10)
    said = run(capsys, "fit", "golf.csv", "-t", "play")
    assert "note: not cross-validated because the table is large; use --folds 10." in said.err
    assert "cross-validated" not in said.out
    assert "(3 folds" in run(capsys, "fit", "golf.csv", "-t", "play", "--folds", "3").out


def test_a_column_of_very_many_categories_is_cut_short(folder, capsys):
    rows = [f"c{i},{'yes' if i % 3 else 'no'}" for i in range(300) for _ in range(2)]
    (folder / "many.csv").write_text("x,y\n" + "\n".join(rows))
    said = run(capsys, "fit", "many.csv", "-t", "y", "-a", "id3", "--no-cv")
    assert "… 240 more branches" in said.out
    assert len(said.out.splitlines()) < 90


def test_a_large_tree_is_printed_as_far_as_it_fits(folder, capsys):
    rows = [f"{i},{(i * 7919) % 101},{'abc'[(i * 31) % 7 % 3]}" for i in range(600)]
    (folder / "noise.csv").write_text("x,y,z\n" + "\n".join(rows))
    words = ["fit", "noise.csv", "-t", "z", "--pruning", "none", "--no-cv", "-a", "cart"]
    said = run(capsys, *words)
    assert "(depth " in said.out
    assert len(said.out.splitlines()) < 100
    assert "(depth " not in run(capsys, *words, "--depth", "2").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-t", "plya"], "'play'"),
        (["-t", "play", "--regression"], "leave out --regression to predict classes"),
        (["-t", "humidity", "-a", "id3", "--regression"], "--algorithm id3 does not support regression; use"),
        (["-t", "play", "-a", "id3"], "use --set numeric=bisect to split at thresholds"),
        (
            ["-t", "play", "--missing", "x"],
            "--missing must be one of 'fractional', 'surrogate', 'learned', 'branch', 'stop', 'error', got 'x'.",
        ),
        (["-t", "play", "--pruning", "x"], f"--pruning must be one of {PRUNING_METHODS}, got 'x'."),
        (
            ["-t", "play", "--pruning", "reduced_error"],
            "Reduced-error pruning needs validation rows; use --validation.",
        ),
        (
            ["-t", "play", "--set", "max_leaf_nodes"],
            "--set expects NAME=VALUE, such as max_leaf_nodes=8, got 'max_leaf_nodes'",
        ),
        (["-t", "play", "--set", "leafs=3"], "Unknown parameter 'leafs'; MDLTreeClassifier has"),
        (["-t", "play", "-a", "c4.5", "--pruning", "none", "--confidence", "0.1"], "but the tree is not pruned"),
        (
            ["-t", "play", "--preset", "rpart", "--set", "leafs=3"],
            "Unknown parameter 'leafs'; --preset rpart has",
        ),
        (
            ["-t", "play", "--preset", "rpart", "--missing", "stop"],
            "--preset rpart sets 'missing'; leave it out",
        ),
        (
            ["-t", "play", "--preset", "j48", "-a", "cart"],
            "--preset j48 and --algorithm exclude each other; use one of them",
        ),
        (["-t", "humidity", "--preset", "j48", "--regression"], "--preset j48 does not support regression"),
        (
            ["-t", "play", "--validation", "3"],
            "--validation must be a file, or a fraction above 0 and below 1, got 3.",
        ),
        (
            ["-t", "play", "--ordered", "outlook"],
            "--ordered expects a column and its categories from low to high, "
            "such as 'size=small<medium<large', got 'outlook'",
        ),
        (["-t", "play", "--ignore", "outlok"], "'outlook'"),
        (["-t", "play", "-o", "no/golf.json"], "Folder not found: 'no'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words, sentence, folder, capsys):
    said = run(capsys, "fit", "golf.csv", *words)
    assert said.code == 1
    assert said.out == ""
    assert sentence in said.err.splitlines()[-1]
    assert "Traceback" not in said.err
    assert sorted(path.name for path in folder.iterdir()) == ["golf.csv", "iris.csv"]


def test_stdin_and_a_compressed_model(folder, capsys, monkeypatch):
    import io

    class Pipe:
        buffer = io.BytesIO(GOLF.encode())

        def isatty(self):
            return False

    monkeypatch.setattr("sys.stdin", Pipe())
    said = run(capsys, "fit", "-", "-t", "play", "-a", "c4.5", "--no-cv", "-q", "-o", "golf.json.gz")
    assert said.code == 0, said.err
    assert (folder / "golf.json.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert load("golf.json.gz").get_n_leaves() == 5
