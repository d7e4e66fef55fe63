"""The written arithmetic of a probability gives that probability."""

import re

import numpy as np
import pytest

from tests.model.samples import chain, every_kind
from treewright import C45Classifier
from treewright.explain.leaf_probability import costs_by_class, probability_arithmetic, proportion_interval
from treewright.model.build import golf_example
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule

WAYS = [
    PredictionRule("laplace"),
    PredictionRule("m-estimate", 2.0),
    PredictionRule("m-estimate", 7.0, prior=(0.25, 0.25, 0.5)),
    PredictionRule("shrinkage", 6.0),
    PredictionRule(factors=(0.5, 2.0, 1.25)),
    PredictionRule("laplace", factors=(0.5, 2.0, 1.25), row_weight=0.5),
    PredictionRule("shrinkage", 3.0, factors=(0.5, 2.0, 1.25), row_weight=2.0),
]


def worked_out(words):
    """What the written arithmetic gives: per cents as parts of 1."""
    left = words.rpartition(" = ")[0]
    assert re.fullmatch(r"[-+/().% \de]+", left), left
    return eval(re.sub(r"([\d.e+-]+)%", r"(\1/100)", left))


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_the_written_arithmetic_gives_the_probability(how):
    tree = with_prediction_rule(every_kind(), how)
    for node in range(7):
        for code in range(3):
            words = probability_arithmetic(tree, node, code)
            # Shares are written with three digits, and up to three of them are added.
            assert worked_out(words) == pytest.approx(tree.value[node, code], abs=3e-3), words
            assert words.endswith(f" = {100 * tree.value[node, code]:.3g}%")
    expected = "no training row reaches this node, so it is the probability at the parent node"
    assert probability_arithmetic(tree, 7, 0) == expected


def test_plain_shares_need_no_words():
    assert probability_arithmetic(every_kind(), 0, 0) is None
    assert (
        probability_arithmetic(
            with_prediction_rule(golf_example(), PredictionRule(costs=((0, 1), (1, 0)))), 0, 0
        )
        is None
    )
    assert costs_by_class(golf_example(), golf_example().value[0]) is None


def test_a_long_way_is_cut_short():
    words = probability_arithmetic(with_prediction_rule(chain(60), PredictionRule("shrinkage", 2.0)), 119, 2)
    assert "… (52 more steps)" in words
    assert len(words) < 500


def test_rows_that_cost_more_are_told_as_rows():
    X = [["sunny"], ["sunny"], ["sunny"], ["rain"], ["rain"], ["rain"], ["rain"]]
    y = ["stay", "play", "play", "play", "play", "play", "play"]
    model = C45Classifier(pruning=None, min_samples_leaf=1, cost_matrix={"stay": {"play": 6}}).fit(X, y)
    found = model.explain(["sunny"])
    # 1 of 3 stays: play costs 6 * 1/3, stay 1 * 2/3.
    assert found.prediction == "stay"
    assert found.probabilities == pytest.approx({"play": 2 / 3, "stay": 1 / 3})
    assert found.costs == pytest.approx({"play": 2.0, "stay": 2 / 3})
    assert found.ends[0].arithmetic == "1 / 3 = 33.3%"
    text = found.to_text()
    assert "Lowest expected cost. Expected cost of each prediction: stay: 0.666667, play: 2" in text
    assert "The probability of stay: 1 / 3 = 33.3%." in text
    assert found.to_dict()["costs"] == [["play", pytest.approx(2.0)], ["stay", pytest.approx(2 / 3)]]
    # The interval is that of 1 row in 3, whatever the rows weighed in growth.
    assert found.ends[0].interval.low == pytest.approx(proportion_interval(1.0, 3.0, 0.95).low, rel=1e-9)


def test_generalised_rules_tell_shares_of_rows():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 4, (80, 3)).astype(str)
    y = np.where((X[:, 0] == "1") | (rng.random(80) < 0.2), "yes", "no")
    model = C45Classifier(min_samples_leaf=2, cost_matrix={"yes": {"no": 3}}).fit(X, y)
    rules = model.rules("generalised")
    found, own = rules.predict_proba(X), np.array([[1.0, 0.0], [0.0, 1.0]])[(y == "yes").astype(int)]
    told = [rules.explain(row).applied for row in X]
    # The rows that the first rule answers are all that satisfy it.
    first = np.array([bool(one) and one[0].rule == rules.rules[0] for one in told])
    uncovered = np.array([not one for one in told])
    assert first.sum() > 5
    assert uncovered.sum() > 5
    for rows in (first, uncovered):
        assert found[rows][0] == pytest.approx(own[rows].mean(axis=0), rel=1e-9)
    assert rules.rules[0].confidence == pytest.approx(own[first].mean(axis=0).max(), rel=1e-9)
