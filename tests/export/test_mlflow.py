"""MLflow: the recipe of docs/export-bridges.md saves a model that predicts as ours, in a process of its own."""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.export.walk import mixed
from treewright import C45Classifier

PAGE = Path(__file__).resolve().parents[2] / "docs" / "export-bridges.md"
BLOCK = re.compile(r"^```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SAVE = """
import pandas as pd, treewright
model, X = treewright.load("model.json"), pd.read_pickle("rows.pkl")
"""
LOAD = """
import json, mlflow, pandas as pd
found = mlflow.pyfunc.load_model("tree-mlflow").predict(pd.read_pickle("rows.pkl"))
json.dump(found.tolist(), open("found.json", "w"))
"""
"""MLflow is imported by other processes: it warns when it is imported, and changes the logging of Python."""

WHY_NOT = "mlflow is not installed; pip install mlflow-skinny"
pytestmark = pytest.mark.skipif(find_spec("mlflow") is None, reason=WHY_NOT)


def recipe():
    """The file that the page asks for, with its name, and the code that saves the model."""
    section = PAGE.read_text(encoding="utf-8").split("## MLflow\n")[1]
    file, code = BLOCK.findall(section)
    return re.match("# (\\w+[.]py)\n", file)[1], file, code


def run(code, folder):
    environment = os.environ | {"DO_NOT_TRACK": "true", "MLFLOW_DISABLE_TELEMETRY": "true"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_recipe_saves_a_model_that_predicts_the_same(tmp_path):
    X, y, _ = mixed()
    model = C45Classifier().fit(X, y)
    rows = X.astype({"city": object})
    rows.loc[::4, "city"] = "a category that did not occur"
    rows.to_pickle(tmp_path / "rows.pkl")
    model.save(tmp_path / "model.json")
    name, file, code = recipe()
    (tmp_path / name).write_text(file, encoding="utf-8")
    run(SAVE + code + "assert (predictions == model.predict(X)).all()", tmp_path)
    assert "treewright" in (tmp_path / "tree-mlflow" / "requirements.txt").read_text(encoding="utf-8")
    (tmp_path / name).unlink()  # the saved model has its own copy of what it needs
    (tmp_path / "tree.json").unlink()
    run(LOAD, tmp_path)
    with pytest.warns(UserWarning, match="did not occur"):
        expected = model.predict(rows).tolist()
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8")) == expected
    assert len(set(expected)) > 1
