"""The verb consult without a terminal: answers on stdin, in a file, and JSON; with one it is in test_terminal.py."""

import io
import json
import sys

import pandas as pd
import pytest

from tests.cli.running import run
from treewright import load


@pytest.fixture
def say(golf, capsys, monkeypatch):
    """Consults golf.json with lines on stdin."""

    def says(text, *options):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        return run(capsys, "consult", "golf.json", *options)

    return says


def test_a_talk_over_a_pipe(say):
    said = say("sunnny\nsun\nwhy\n70-80\nchange outlook\novercast\nquit\n")
    assert said.code == 0
    assert "Did you mean sunny?" in said.out
    assert "Known so far: outlook: sunny." in said.out
    assert "humidity <= 75: mostly yes (2)" in said.out
    assert "50.0%  yes" in said.out
    assert said.out.count("play: ") == 2
    assert "because outlook = overcast: yes (4)" in said.out
    assert "\x1b" not in said.out
    assert said.err == ""


def test_json_is_the_only_thing_on_stdout_and_is_what_the_model_says(say):
    said = say("sunny\n?\n", "--json")
    document = json.loads(said.out)
    case = {"outlook": ["sunny"], "temperature": [70.0], "humidity": [float("nan")], "windy": ["true"]}
    expected = load("golf.json").predict_proba(pd.DataFrame(case))[0]
    assert [one["probability"] for one in document["classes"]] == pytest.approx(expected)
    assert document["answers"] == {"outlook": "sunny", "humidity": "unknown"}
    assert sum(end["fraction"] for end in document["ends"]) == pytest.approx(1)


def test_back_and_help_and_quit(say):
    said = say("help\nback\nrain\nback\novercast\n")
    assert "no answer to take back yet" in said.out
    assert "because outlook = overcast" in said.out
    assert "Type a value" in said.out
    assert say("quit\n").code == 0
    said = say("rain\n")
    assert said.code == 1
    assert "The input ended before the answer to 'windy'" in said.err


def test_answers_in_a_file(golf, capsys):
    (golf / "case.json").write_text('{"outlook": {"sunny": 0.5, "rain": 0.5}, "humidity": [60, 70]}')
    said = run(capsys, "consult", "golf.json", "--answers", "case.json")
    assert "note: 'windy' is not in the file and is treated as unknown." in said.err
    assert "by several paths" in said.out
    said = run(capsys, "consult", "golf.json", "--answers", "case.json", "--json")
    assert json.loads(said.out)["prediction"] == "yes"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1]", "is not a JSON object"),
        ("{", "is not valid JSON"),
        ('{"sky": 1}', "Column 'sky' not found"),
        ('{"humidity": "wet"}', "'wet' is not a number for 'humidity'"),
        ('{"outlook": {"sunny": "x"}}', "'outlook'"),
    ],
)
def test_a_file_that_cannot_be_used(golf, capsys, text, says):
    (golf / "case.json").write_text(text)
    said = run(capsys, "consult", "golf.json", "--answers", "case.json")
    assert said.code == 1
    assert says in said.err
    assert said.err.count("\n") == 1


def test_trees_alone_regression_and_other_ways_with_what_is_unknown(golf, capsys, monkeypatch):
    load("golf.json").tree_.save("tree.json")
    fit = ["fit", "golf.csv", "-t", "humidity", "--regression", "--pruning", "none", "-o", "r.json", "-q", "--no-cv"]
    assert run(capsys, *fit).code == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n" * 9))
    assert run(capsys, "consult", "tree.json").code == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n" * 9))
    assert "humidity: " in run(capsys, "consult", "r.json").out
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n" * 9))
    said = run(capsys, "consult", "golf.json", "--missing", "stop")
    assert "because the tree has no split here: yes (14/5)" in said.out or "leaf 0" in said.out


def test_rules_alone_cannot_be_consulted(golf, capsys):
    load("golf.json").rules().save("rules.json")
    said = run(capsys, "consult", "rules.json")
    assert said.code == 1
    assert "only rules" in said.err
