"""A folder with the golf and iris tables, and a model, for tests of the command line."""

from pathlib import Path

import pytest

from tests.cli.running import write_tables
from treewright.cli.main import main


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder with golf.csv and iris.csv, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return write_tables(tmp_path)


@pytest.fixture
def golf(folder, capsys) -> Path:
    """The same with golf.json, as `fit` makes it."""
    assert main(["fit", "golf.csv", "-t", "play", "-a", "c4.5", "-o", "golf.json", "-q", "--no-cv"]) == 0
    capsys.readouterr()
    return folder
