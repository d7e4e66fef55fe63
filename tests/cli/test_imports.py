"""What each command imports: those that read a model wait for no library that they do not need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor, MDLTreeClassifier

HEAVY = ("sklearn", "scipy", "pandas", "polars", "joblib", "matplotlib", "pyarrow", "zstandard")
"""Packages that take long to import, or that need not be installed."""

CHILD = """
import io, json, sys
from treewright.cli.main import main
told = []
for words in json.loads(sys.argv[2]):
    sys.stdin = io.StringIO("?\\n" * 50)
    code = main(words.split())
    told.append([words, code, sorted({name.partition(".")[0] for name in sys.modules})])
with open(sys.argv[1], "w") as stream:
    json.dump(told, stream)
"""
"""Runs commands one after the other, and tells for each its exit code and what is imported by then."""

OUTLOOK = ["sunny", "sunny", "overcast", "rainy", "rainy", "rainy", "overcast"] * 2
HUMIDITY = [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]
PLAY = ["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "yes", "no"]
ROWS = [list(row) for row in zip(OUTLOOK, HUMIDITY, strict=True)]

OF_ANY_MODEL = (
    "show {}.json",
    "show {}.json --json",
    "show {}.json --importances",
    "explain {}.json x0=sunny x1=80",
    "consult {}.json",
    "export {}.json --to text",
    "export {}.json --to dot",
    "export {}.json --to svg",
    "export {}.json --to json",
    "export {}.json --to html",
    "plot {}.json -o tree.svg --force",
    "plot {}.json -o tree.dot --force",
    "plot {}.json -o tree.html --force",
)
OF_A_FIT = (
    "why {}.json 0",
    "why {}.json 0 --worked",
    "why {}.json 0 --worked --language zh --format latex",
    "rules {}.json",
    "rules {}.json --format html",
    "export {}.json --to rules-json",
    "prune {}.json --method cost_complexity -o pruned.json --force",
    "prune {}.json --method global",
)
OF_CLASSES = ("error_based", "pessimistic", "minimum_error", "critical_value", "mdl", "same_decision")
WITH_A_TABLE = (
    "predict c45.json table.csv",
    "predict cart.json table.csv --proba --leaf --explain -o answers.csv --force",
    "prune c45.json --method reduced_error --validation table.csv",
    "prune mdl-ledgers.json --method cost_complexity --data table.csv",
    "why c45-ledgers.json 0 --worked --data table.csv",
    "rules c45-ledgers.json --form generalised --data table.csv",
    "explain cart.json --data table.csv --row 3",
    "plot cart-ledgers.json -o rows.html --data table.csv --force",
    "plot cart-ledgers.json -o rows.svg --nodes distribution --data table.csv --force",
    "evaluate cart.json table.csv",
    "diff cart.json c45.json table.csv",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Models and a table."""
    found = tmp_path_factory.mktemp("models")
    for name, model, target in (
        ("c45", C45Classifier(min_samples_leaf=1), PLAY),
        ("cart", CARTClassifier(), PLAY),
        ("mdl", MDLTreeClassifier(), PLAY),
        ("number", CARTRegressor(pruning=None, n_jobs=2), HUMIDITY),
    ):
        model.fit(ROWS, target).save(found / f"{name}.json", rows=True)
        model.save(found / f"{name}-ledgers.json", ledgers=True)
    model.tree_.save(found / "tree.json")
    lines = [f"{a},{b},{c}" for (a, b), c in zip(ROWS, PLAY, strict=True)]
    (found / "table.csv").write_text("\n".join(["x0,x1,target", *lines]), encoding="utf-8")
    return found


def imports(folder: Path, commands: list[str], packages: tuple[str, ...] = HEAVY) -> dict[str, set[str]]:
    """The packages that are imported when each of several commands, run in one process, ends; none: left out."""
    told = folder / "imports.json"
    child = [sys.executable, "-c", CHILD, str(told), json.dumps(commands)]
    done = subprocess.run(child, capture_output=True, text=True, cwd=folder, check=True)
    found = json.loads(told.read_text(encoding="utf-8"))
    assert [words for words, code, _ in found if code] == [], done.stderr
    heavy = {words: {*modules} & {*packages} for words, _, modules in found}
    return {words: modules for words, modules in heavy.items() if modules}


def test_a_model_is_read_with_numpy_alone(folder):
    models = ("c45", "cart", "mdl", "number", "c45-ledgers", "tree")
    every = [(model, words) for model in models for words in OF_ANY_MODEL if model != "tree" or "html" not in words]
    assert imports(folder, [words.format(model) for model, words in every]) == {}


def test_a_fitted_model_is_asked_with_numpy_alone(folder):
    commands = [words.format(model) for model in ("c45", "cart", "mdl", "number") for words in OF_A_FIT]
    commands += [f"prune {model}.json --method {method}" for model in ("c45", "cart", "mdl") for method in OF_CLASSES]
    assert imports(folder, commands) == {}


def test_a_table_is_read_by_polars_alone(folder):
    """In one process: the first command that imports more is the first that is told of."""
    assert imports(folder, list(WITH_A_TABLE)) == {command: {"polars"} for command in WITH_A_TABLE}


def test_help_waits_for_nothing(folder):
    commands = ["--version", "--help", "show --help", "fit --help", "predict --help"]
    assert imports(folder, commands, (*HEAVY, "numpy", "narwhals")) == {}


def test_the_test_sees_what_is_imported(folder):
    command = "fit table.csv --target target -o new.json --force"
    assert imports(folder, [command])[command] >= {"sklearn", "scipy", "polars"}
