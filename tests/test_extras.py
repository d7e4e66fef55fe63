"""Extras: where a package is not installed, one sentence says which command installs it."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

import treewright
from treewright.cli.main import main
from treewright.disk.compression import compress, decompress
from treewright.errors import TreewrightError
from treewright.extras import EXTRAS
from treewright.model.build import golf_example

FILES = r"; run `pip install 'treewright\[files\]'`\.$"


def test_the_extras_are_those_of_the_package():
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    others = {name: [one for one in extras[name] if not one.startswith("treewright[")] for name in EXTRAS.values()}
    packages = {re.split(r"[\[>]", one)[0]: name for name, listed in others.items() for one in listed}
    assert packages == EXTRAS
    needed = {one.partition(">")[0] for one in project["dependencies"]}
    assert needed == {"numpy", "scikit-learn", "narwhals", "click"}


def test_a_table_without_polars(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    (tmp_path / "golf.csv").write_text("a,b\n1,2\n")
    with pytest.raises(TreewrightError, match="^Reading a table from a file requires polars.*" + FILES):
        treewright.read(tmp_path / "golf.csv", "b")


@pytest.mark.parametrize("words", [["predict", "tree.json", "golf.csv"], ["fit", "golf.csv", "-t", "b"]])
def test_a_command_without_polars(words, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "polars", None)
    for name in [name for name in sys.modules if name.startswith("treewright.cli.predict_")]:
        monkeypatch.delitem(sys.modules, name)  # those that import polars do it once more
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golf.csv").write_text("a,b\n1,2\n")
    golf_example().save("tree.json")
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "requires polars, which is not installed; run `pip install 'treewright[files]'`." in said
    assert said.count("\n") == 1


def test_a_file_without_zstandard(monkeypatch):
    data = compress("model.json.zst", b"{}")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    for work in (lambda: compress("model.json.zst", b"{}"), lambda: decompress(data, 100)):
        with pytest.raises(TreewrightError, match="requires zstandard.*" + FILES):
            work()
