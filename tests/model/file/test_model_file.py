"""What is no model file is told so in one kind sentence."""

import gzip
import json
import pickle
import zipfile

import pytest

from treewright.errors import InputError, KindError, ModelFormatError
from treewright.loading import load, load_bytes
from treewright.model.build import golf_example
from treewright.model.file.model_file import ALWAYS_ALLOWED
from treewright.model.file.stored_tree import tree_bytes
from treewright.model.tree import Tree

GOOD = tree_bytes(golf_example())


def zipped(folder):
    with zipfile.ZipFile(folder / "x.zip", "w") as file:
        file.writestr("model.json", GOOD)
    return (folder / "x.zip").read_bytes()


FOREIGN = {
    "empty": (lambda _: b"", "it is empty"),
    "blank": (lambda _: b" \n\n", "it is empty"),
    "csv": (lambda _: b"age,income\n1,2\n", "begins with 'age,income"),
    "pickle": (lambda _: pickle.dumps(golf_example()), "a pickle, which can run any code"),
    "html": (lambda _: b"<!doctype html><html>", "HTML or XML"),
    "zip": (zipped, "a zip file"),
    "parquet": (lambda _: b"PAR1\x15\x04\x15", "a table of data"),
    "binary": (lambda _: bytes(range(256)), "is not JSON"),
    "a list": (lambda _: b"[1, 2]", "JSON, but not an object"),
    "a number": (lambda _: b"3", "JSON, but not an object"),
    "other json": (
        lambda _: b'{"learner": {}, "version": [3, 0, 0]}',
        "JSON, but the field format is missing",
    ),
    "empty object": (lambda _: b"{}", "JSON, but the field format is missing"),
    "half a file": (lambda _: GOOD[: len(GOOD) // 2], "Field tree"),
    "twice a file": (lambda _: GOOD + GOOD, "is invalid at byte"),
    "utf-16": (lambda _: GOOD.decode().encode("utf-16"), "is not JSON"),
    "bad text": (lambda _: GOOD.replace(b"sunny", b"sun\xffy"), "Field schema.columns"),
    "a name twice": (lambda _: GOOD.replace(b'"weight"', b'"count"'), "Field tree.count"),
    "half a gzip": (lambda _: gzip.compress(GOOD)[:-20], "damaged or truncated"),
    "NaN": (lambda _: GOOD.replace(b"75.0", b"NaN"), "Field tree.threshold"),
    "another format": (
        lambda _: GOOD.replace(b'"treewright"', b'"other"'),
        "Field format must be 'treewright', got 'other'",
    ),
    "a kind unknown": (
        lambda _: GOOD.replace(b'"kind": "tree"', b'"kind": "forest"'),
        "Field kind must be one of 'estimator', 'tree', 'rules', got 'forest'",
    ),
    "version 0": (
        lambda _: GOOD.replace(b'"version": 1', b'"version": 0'),
        "Field version must be an integer from 1 to 9007199254740992, got 0",
    ),
    "version of text": (
        lambda _: GOOD.replace(b'"version": 1', b'"version": "1"'),
        "Field version must be an integer from 1 to 9007199254740992, got '1'",
    ),
}


@pytest.mark.parametrize(("make", "said"), FOREIGN.values(), ids=list(FOREIGN))
def test_what_is_no_model_file_is_told_so(make, said, tmp_path):
    with pytest.raises(ModelFormatError) as caught:
        load_bytes(make(tmp_path))
    assert said in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert str(caught.value).endswith(".")


def test_a_file_of_a_newer_treewright_says_so():
    newer = GOOD.replace(b'"version": 1', b'"version": 3').replace(
        b"treewright 0.1.0", b"treewright 9.0\\u001b[1m"
    )
    with pytest.raises(ModelFormatError, match=r"newer Treewright \(treewright 9\.0\\x1b\[1m\).*update"):
        load_bytes(newer)


def test_the_file_is_named():
    with pytest.raises(InputError, match=r"File not found: 'nowhere\.json'"):
        load("nowhere.json")
    with pytest.raises(KindError, match="`path` must be a string or a Path, got int"):
        load(3)
    with pytest.raises(KindError, match="data must be the bytes of a file, got str"):
        load_bytes("model.json")
    with pytest.raises(InputError, match="`path` must be a file name"):
        Tree.load("a\0b")


def test_a_fault_says_in_which_file_it_is(tmp_path):
    place = tmp_path / "bad.json"
    place.write_bytes(b"[]")
    with pytest.raises(ModelFormatError, match=r"^In .*bad\.json: This is not a model file"):
        load(place)
    with pytest.raises(ModelFormatError, match=r"^In .*bad\.json: This is not a model file"):
        Tree.load(place)
    with pytest.raises(InputError, match="is a folder"):
        load(tmp_path)


def test_the_content_says_whether_it_is_squeezed(tmp_path):
    golf_example().save(tmp_path / "tree.json.zst")
    (tmp_path / "tree.json.zst").rename(tmp_path / "tree.json")
    assert load(tmp_path / "tree.json") == golf_example()
    assert load_bytes(gzip.compress(GOOD)) == golf_example()


def test_a_small_file_that_unfolds_to_a_huge_one_is_refused():
    with pytest.raises(ModelFormatError, match="decompressed file is larger than the limit of"):
        load_bytes(gzip.compress(b" " * (2 * ALWAYS_ALLOWED)))


def test_a_deeply_nested_file_is_refused():
    with pytest.raises(ModelFormatError, match="is invalid at byte"):
        load_bytes(b'{"format": ' + b"[" * 100_000)
    told = json.loads(GOOD)
    told["schema"]["target"]["name"] = {"a": {"b": "c"}}
    with pytest.raises(ModelFormatError, match=r"Field schema\.target\.name must be a string, got an object"):
        load_bytes(json.dumps(told).encode())
