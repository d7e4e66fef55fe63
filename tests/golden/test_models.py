"""Golden model files: what an earlier release wrote is read, and answers as it did then."""

import hashlib
import json
from pathlib import Path

import jsonschema
import pytest

from tests.golden.models.asked import answers, explained
from tests.golden.models.make import make
from treewright import load
from treewright.loading import load_bytes
from treewright.store.json_schema import model_schema

FOLDER = Path(__file__).parent / "models"
MODELS = sorted(p for p in FOLDER.glob("v*/*") if ".json" in p.name and ".expected." not in p.name)


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name.split(".", maxsplit=1)[0] + end)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_golden_model_answers_as_it_did(path):
    model = load(path)
    expected = json.loads(beside(path, ".expected.json").read_text(encoding="utf-8"))
    rows = expected.pop("rows")
    assert answers(model, rows) == expected
    assert all(explained(model, rows))
    assert model.to_text() + "\n" == beside(path, ".txt").read_text(encoding="utf-8", errors="surrogatepass")


@pytest.mark.parametrize("path", MODELS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_golden_model_of_this_version_is_written_as_it_was(path, tmp_path):
    model, again = load(path), tmp_path / path.name
    kept = {}
    if hasattr(model, "tree_"):
        kept = {"ledgers": model._ledgers is not None, "rows": model._kept is not None}
    model.save(again, **kept)
    if path.suffix == ".json":
        assert again.read_bytes() == path.read_bytes()
    load_bytes(again.read_bytes())


def test_golden_models_fit_the_published_schema():
    valid = jsonschema.Draft202012Validator(model_schema())
    for path in MODELS:
        if path.suffix == ".json":
            valid.validate(json.loads(path.read_text(encoding="utf-8")))


def test_there_are_golden_models_and_none_is_written_again():
    assert len(MODELS) >= 15
    before = {path: hashlib.sha256(path.read_bytes()).digest() for path in FOLDER.glob("v*/*")}
    assert make(FOLDER / "v1") == make(FOLDER / "v2") == []
    assert {path: hashlib.sha256(path.read_bytes()).digest() for path in FOLDER.glob("v*/*")} == before
