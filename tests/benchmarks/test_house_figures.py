"""The counting of `python -m benchmarks.house`, on a small package whose figures are counted by hand."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

import treewright
from benchmarks.house import (
    call_figures,
    count_calls,
    function_lengths,
    importers,
    mro_figures,
    name_figures,
    read_modules,
    repeated_basenames,
    single_importers,
    size_figures,
    table_lines,
)

NAME = "small_house"
FILES = {
    "__init__.py": "from small_house.start import run\n",
    "start.py": """\
import os

from small_house.depth.words import say


def run():
    from small_house import rows

    return [say(row) for row in rows.read()] + rows.read()
""",
    "rows.py": """\
def read():
    return ["a"]
""",
    "depth/__init__.py": "",
    "depth/words.py": """\
import small_house.depth.rows


def say(row):
    def twice():
        return 2 * row

    return small_house.depth.rows.end(twice())
""",
    "depth/rows.py": """\
def end(row):
    return row
""",
    "other/rows.py": "LONG = 1\n" * 110,
    "other/words.py": "from small_house.other.rows import LONG\n",
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """The folder of the package, which can be imported."""
    for name, text in FILES.items():
        path = tmp_path / NAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / NAME
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def test_modules_have_dotted_names(root):
    names = [module.name for module in read_modules(root)]
    assert sorted(names) == [
        "small_house",
        "small_house.depth",
        "small_house.depth.rows",
        "small_house.depth.words",
        "small_house.other.rows",
        "small_house.other.words",
        "small_house.rows",
        "small_house.start",
    ]


def test_importers_are_found_in_functions_too(root):
    found = importers(read_modules(root))
    assert {name: sorted(m.name for m in by) for name, by in found.items() if by} == {
        "small_house.start": ["small_house"],
        "small_house.rows": ["small_house.start"],
        "small_house.depth.words": ["small_house.start"],
        "small_house.depth.rows": ["small_house.depth.words"],
        "small_house.other.rows": ["small_house.other.words"],
    }


def test_a_single_importer_is_in_the_same_folder_and_the_module_is_small(root):
    """depth.words is imported from another folder, other.rows has 110 lines."""
    modules = read_modules(root)
    assert single_importers(modules) == {
        "small_house.depth.rows": "small_house.depth.words",
        "small_house.rows": "small_house.start",
        "small_house.start": "small_house.__init__",
    }
    assert list(name_figures(modules).values()) == [3, 1, 1, 3]


def test_basenames_that_are_used_more_than_twice(root):
    assert repeated_basenames(read_modules(root)) == {"rows": 3}


def test_lengths_of_functions_and_files(root):
    """run has 4 lines, say 5, twice 2, both others 2; the files without __init__.py have 9, 2, 8, 2, 110 and 1."""
    modules = read_modules(root)
    assert sorted(function_lengths(modules)) == [2, 2, 2, 4, 5]
    assert list(size_figures(modules, root).values()) == [6, 2, 133, 5.0, "110 (other/rows.py)", 5, 2, 0]


def test_hops_of_a_chain_of_calls(root):
    """start.run, rows.read, words.say, words.twice, depth.rows.end, rows.read: four times another file than before."""
    run = import_module(NAME).run
    run()
    calls = count_calls(run, root)
    assert calls.hops == 4
    assert {file.removeprefix(str(root))[1:].replace("\\", "/") for file in calls.files} == {
        "start.py",
        "rows.py",
        "depth/words.py",
        "depth/rows.py",
    }


def test_an_error_ends_the_counting(root):
    earlier = sys.getprofile()
    with pytest.raises(ZeroDivisionError):
        count_calls(lambda: 1 / 0, root)
    assert sys.getprofile() is earlier


def test_the_table_has_the_figures_of_both_runs():
    assert table_lines({"files": 3, "hops": 12}, {"hops": 7, "old": "x"}) == [
        "figure  before  after",
        "files   -       3",
        "hops    7       12",
        "old     x       -",
    ]


def test_the_package_has_these_estimators_and_calls():
    found = mro_figures()
    names = [name for name in treewright.__all__ if name.endswith(("Classifier", "Regressor"))]
    assert list(found) == [f"MRO of {name}" for name in names]
    assert found["MRO of C45Classifier"] == len(treewright.C45Classifier.mro())
    calls = call_figures(Path(treewright.__file__).parent)
    assert len(calls) == 10
    assert all(n > 1 for n in calls.values())
