"""Costs, priors and probabilities as options of a command line."""

import numpy as np
import pytest

import treewright
from tests.cli.running import run
from tests.cli.test_fit import fitted
from treewright import C45Classifier


@pytest.mark.parametrize(
    ("words", "parameters"),
    [
        (["--cost", "no:yes=3"], {"cost_matrix": {"no": {"yes": 3}}}),
        (["--cost", "no:yes=3", "--cost", "yes:no=0.5"], {"cost_matrix": {"no": {"yes": 3}, "yes": {"no": 0.5}}}),
        (["--set", 'cost_matrix={"no": {"yes": 3}}'], {"cost_matrix": {"no": {"yes": 3}}}),
        (["--prior", "equal"], {"priors": "equal"}),
        (["--prior", "no=0.1", "--prior", "yes=0.9"], {"priors": {"no": 0.1, "yes": 0.9}}),
        (["--probability", "laplace"], {"probability": "laplace"}),
        (["--probability", "m-estimate", "--smoothing", "3"], {"probability": "m-estimate", "smoothing": 3.0}),
    ],
)  # fmt: skip
def test_costs_priors_and_probabilities(words, parameters, folder, capsys):
    found = fitted(capsys, "golf.csv", "-t", "play", "-a", "c4.5", "--no-cv", *words)
    X, y = treewright.read("golf.csv", "play")
    model = C45Classifier(**parameters).fit(X, y)
    assert found["fingerprint"] == model.tree_.fingerprint()
    assert ("mean_cost" in found["training"]) == ("cost_matrix" in parameters)


def test_the_cost_of_answers_is_shown(folder, capsys):
    words = ["golf.csv", "-t", "play", "--pruning", "none", "--max-depth", "1", "--cost", "no:yes=3"]
    said = run(capsys, "fit", *words, "-a", "c4.5", "--folds", "2", "-o", "dear.json")
    X, y = treewright.read("golf.csv", "play")
    answers = C45Classifier(pruning=None, max_depth=1, cost_matrix={"no": {"yes": 3}}).fit(X, y).predict(X)
    actual = np.array(y.to_list())
    cost = (3 * ((actual == "no") & (answers == "yes")) + ((actual == "yes") & (answers == "no"))).mean()
    assert cost > 0
    assert f"training cost          {cost:.5g} per prediction" in said.out
    assert "cross-validated cost" in said.out
    assert f"mean cost    {cost:.5g}" in run(capsys, "evaluate", "dear.json", "golf.csv").out
    assert run(capsys, "cv", *words, "-a", "c4.5", "--folds", "2").out.split()[:2] == ["cost", "±"]


def test_classes_that_are_numbers_are_named_on_a_command_line(folder, capsys):
    (folder / "numbers.csv").write_text("x,y\n1,0\n2,0\n3,1\n4,1\n5,0\n")
    found = fitted(capsys, "numbers.csv", "-t", "y", "-a", "c4.5", "--no-cv", "--cost", "1:0=4")
    X, y = treewright.read("numbers.csv", "y")
    assert found["fingerprint"] == C45Classifier(cost_matrix={1: {0: 4}}).fit(X, y).tree_.fingerprint()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cost", "no=3"], "--cost expects TRUE:PREDICTED=COST, such as bad:good=5, got 'no=3'"),
        (["--cost", "no:yes"], "such as bad:good=5, got 'no:yes'"),
        (["--cost", "no:maybe=3"], "--cost has the unknown class 'maybe'"),
        (["--prior", "no"], "--prior expects CLASS=PROBABILITY for each class, such as good=0.9, or equal, got 'no'"),
        (["--prior", "no=1"], "--prior has no entry for class 'yes'"),
        (["--smoothing", "2"], "--smoothing must be None with --probability frequency, got 2;"),
    ],
)  # fmt: skip
def test_bad_costs_and_priors_are_refused(words, said, folder, capsys):
    found = run(capsys, "fit", "golf.csv", "-t", "play", "-a", "c4.5", *words)
    assert found.code != 0
    assert said in found.err
