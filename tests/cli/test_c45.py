"""The verb c4.5: its flags, what it refuses, and what it keeps; its printing is in tests/golden/test_c45_command.py."""

import json
import subprocess
import sys

import pytest

from treewright import presets
from treewright.cli.main import main
from treewright.model.tree import Tree

NAMES = "Play, Don't Play.\n\noutlook: sunny, overcast, rain.\nhumidity: continuous.\nwindy: true, false.\n"
DATA = """\
sunny, 85, false, Don't Play
sunny, 90, true, Don't Play
overcast, 78, false, Play
rain, 96, false, Play
rain, 80, false, Play
rain, 70, true, Don't Play
overcast, 65, true, Play
sunny, 95, false, Don't Play
sunny, 70, false, Play
rain, 80, false, Play
sunny, 70, true, Play
overcast, 90, true, Play
overcast, 75, false, Play
rain, 80, true, Don't Play
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golf.names").write_text(NAMES)
    (tmp_path / "golf.data").write_text(DATA)
    (tmp_path / "golf.test").write_text("sunny, ?, true, Play.\nrain, 70, true, Don't Play.\n")
    return tmp_path


def printed(capsys, *arguments, code=0):
    assert main(["c4.5", *arguments]) == code
    found = capsys.readouterr()
    return found.out if code == 0 else found.err


def test_the_head_tells_the_options_in_their_order(folder, capsys):
    text = printed(capsys, "-m", "3", "-g", "-f", "golf", "-c", "10", "-s", "-b", "-u")
    options = text.split("Options:\n")[1].split("\n\n")[0].splitlines()
    assert options == [
        "\tSensible test requires 2 branches with >=3 cases",
        "\tGain criterion used",
        "\tFile stem <golf>",
        "\tPruning confidence level 10%",
        "\tTests on discrete attribute groups",
        "\tWindowing disabled (now the default)",
        "\tTrees evaluated on unseen cases",
    ]


def test_the_tree_is_that_of_the_preset(folder, capsys):
    """Columns, levels and classes in the order of the .names file; otherwise the estimator's tree."""
    found = json.loads(printed(capsys, "-f", "golf", "-u", "--json"))
    rows = [line.split(", ") for line in DATA.splitlines()]
    X = [[a, float(b), c] for a, b, c, _ in rows]
    model = presets.c45_release8().fit(X, [row[-1] for row in rows])
    assert found["training"]["after_pruning"]["size"] == model.tree_.n_nodes
    assert found["training"]["after_pruning"]["errors"] == 0
    assert found["attributes"] == 3
    # The first row: 3 of 5 sunny days are humid, so it is given the other class.
    assert found["test"]["confusion"] == [[0, 1], [0, 1]]
    assert found["test"]["classes"] == ["Play", "Don't Play"]
    assert "outlook = overcast: Play (4.0)\n" in found["decision_tree"]
    assert "outlook = overcast: Play (4.0/1.2)\n" in found["simplified_decision_tree"]


def test_a_tree_is_kept_only_when_asked(folder, capsys):
    before = sorted(file.name for file in folder.iterdir())
    assert "Tree saved" not in printed(capsys, "-f", "golf")
    assert sorted(file.name for file in folder.iterdir()) == before
    assert "\n\n\nTree saved\n\n\nEvaluation" in printed(capsys, "-f", "golf", "-o", "golf.json")
    tree = Tree.load(folder / "golf.json")
    assert tree.schema.target.classes == ("Play", "Don't Play")
    assert tree.predict([["overcast", 80.0, "true"]]).tolist() == ["Play"]
    assert "golf.json' already exists" in printed(capsys, "-f", "golf", "-o", "golf.json", code=1)
    printed(capsys, "-f", "golf", "-o", "golf.json", "--force")


@pytest.mark.parametrize("flags", [("-t", "10"), ("-w", "5"), ("-i", "5"), ("-p",)])
def test_flags_that_are_refused(flags, folder, capsys):
    said = printed(capsys, "-f", "golf", *flags, code=2)
    assert f"{flags[0]} " in said
    assert "leave it out" in said
    assert said.count("\n") == 1


def test_verbosity_is_accepted_with_a_word(folder, capsys):
    assert main(["c4.5", "-f", "golf", "-v", "1"]) == 0
    found = capsys.readouterr()
    assert "\tVerbosity level 1\n" in found.out
    assert "-v 1 is ignored" in found.err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("-f", "nowhere"), 1, "File not found: 'nowhere.names'"),
        (("-f", "golf", "-c", "0"), 1, "-c must be a percentage above 0 and below 100, got 0"),
        (("-f", "golf", "-c", "100"), 1, "-c must be a percentage above 0 and below 100, got 100"),
        (("-f", "golf", "-m", "0"), 2, "'-m'"),
        ((), 2, "'-f'"),
        (("-f", "number"), 1, "The target of 'number.data' is a number, but C4.5 predicts classes"),
        (("-f", "empty"), 1, "'empty.data' has no rows"),
        (("-f", "classless"), 1, "Row 2 of 'classless.data' has an unknown class"),
        (("-f", "ignored"), 1, "All columns of 'ignored.data' are ignored"),
    ],
)
def test_refused_in_one_sentence(arguments, code, sentence, folder, capsys):
    for stem, names, data in (
        ("number", "x.\nx: continuous.\ny: 1, 2.", "1, 2\n"),
        ("empty", "a, b.\nx: continuous.", ""),
        ("classless", "a, b.\nx: continuous.", "1, a\n2, ?\n"),
        ("ignored", "a, b.\nx: ignore.", "1, a\n2, b\n"),
    ):
        (folder / f"{stem}.names").write_text(names)
        (folder / f"{stem}.data").write_text(data)
    said = printed(capsys, *arguments, code=code)
    assert sentence in said
    assert said.count("\n") == 1


def test_one_class_and_one_row(folder, capsys):
    (folder / "one.names").write_text("a, b.\nx: continuous.\nz: discrete 4.\n")
    (folder / "one.data").write_text("1, ?, b\n")
    text = printed(capsys, "-f", "one")
    assert "Decision Tree:\n b (1.0)\n" in text
    assert "\t   1    0( 0.0%)      1    0( 0.0%)    (75.0%)   <<" in text


def test_weights_count(folder, capsys):
    """C5.0's attribute "case weight": a row of weight 2 is two rows."""
    for stem, factor in (("twice", 2), ("once", 1)):
        (folder / f"{stem}.names").write_text(NAMES + "case weight: continuous.\n")
        rows = [line.rsplit(", ", 1) for line in DATA.splitlines()]
        (folder / f"{stem}.data").write_text("".join(f"{a}, {factor}, {b}\n" for a, b in rows))
    twice = json.loads(printed(capsys, "-f", "twice", "--json"))
    once = json.loads(printed(capsys, "-f", "once", "--json"))
    assert "(8.0)" in twice["decision_tree"]
    assert "(4.0)" in once["decision_tree"]


def test_names_of_the_data_stay_harmless(folder):
    """As a process: controls in names reach the terminal escaped, and nothing else is written."""
    (folder / "odd.names").write_text("a\x1b[2J, b.\n$(touch hacked): \x07bell, rm -rf.\n")
    (folder / "odd.data").write_text("\x07bell, b\nrm -rf, a\x1b[2J\n" * 5)
    command = [sys.executable, "-m", "treewright", "c4.5", "-f", "odd"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    assert "$(touch hacked) = \\x07bell: b (5.0)\n" in done.stdout
    assert not (folder / "hacked").exists()
