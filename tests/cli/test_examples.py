"""Every example on every help page runs, in a folder with the tables that it names."""

import shlex

import click
import pytest

from tests.cli.running import run
from treewright.cli.main import module_name, treewright

OWN = ("fit", "evaluate", "show", "why", "explain", "rules", "plot", "prune", "export")
"""Verbs whose examples need no more than golf.csv, iris.csv and golf.json."""


def examples(verb):
    found = treewright.get_command(click.Context(treewright), verb)
    return [pytest.param(line, id=line) for line in found.examples]


@pytest.mark.parametrize("line", [line for verb in OWN for line in examples(verb)])
def test_an_example_runs(line, golf, capsys):
    if " -o golf.json" in line:
        (golf / "golf.json").unlink()
    words = shlex.split(line)
    if any(word.endswith((".png", ".pdf")) for word in words):
        pytest.importorskip("matplotlib")
    assert words[0] == "treewright"
    said = run(capsys, *words[1:])
    assert said.code == 0, said.err
    assert all(part.startswith(("note: ", "level ")) for part in said.err.splitlines())
    for place, word in enumerate(words):
        if word == "-o":
            assert (golf / words[place + 1]).stat().st_size > 0


def test_every_module_of_a_verb_has_examples():
    assert all(len(examples(verb)) >= 2 for verb in OWN)
    assert module_name("c4.5") == "c45"
