"""A rule has known names, and a tree answers by the rules it was grown for."""

import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tests.model.missing_trees import own_branches, prostate
from tests.model.samples import CLASSES, every_kind
from treewright.errors import ParameterError
from treewright.model.build import build, leaf, number
from treewright.model.strategies import GROWTH_STRATEGIES, PREDICTION_STRATEGIES
from treewright.predict.missing_policy import MissingPolicy, resolve_missing
from treewright.predict.predictions import (
    decision_paths,
    find_leaves,
    predict_class_codes,
    predict_probabilities,
)

ANY_TREE = ("fractional", "majority", "stop", "error")


def grown(missing: str):
    return build(CLASSES, number("price", 1, leaf("no", 2), leaf("yes")), missing=missing)


@pytest.mark.parametrize("missing", PREDICTION_STRATEGIES)
@pytest.mark.parametrize("unseen", ["majority", "stop"])
def test_every_name_is_taken(missing, unseen):
    assert MissingPolicy(missing, unseen) == MissingPolicy(missing=missing, unseen=unseen)


@pytest.mark.parametrize("bad", ["Fractional", "", 3, "nothing", ("stop",)])
def test_another_name_is_refused_with_the_known_ones(bad):
    got = re.escape(repr(bad))
    with pytest.raises(
        ParameterError, match=rf"missing must be one of 'fractional', 'surrogate', .*, got {got}\.$"
    ):
        MissingPolicy(bad)
    with pytest.raises(ParameterError, match=rf"unseen must be one of 'majority', 'stop', got {got}\.$"):
        MissingPolicy(unseen=bad)


def test_a_rule_is_frozen():
    with pytest.raises(FrozenInstanceError):
        MissingPolicy().missing = "stop"


@pytest.mark.parametrize("grown_by", GROWTH_STRATEGIES)
def test_without_a_name_a_tree_answers_as_it_was_grown(grown_by):
    assert resolve_missing(grown(grown_by), MissingPolicy()) == grown_by


@pytest.mark.parametrize("grown_by", GROWTH_STRATEGIES)
@pytest.mark.parametrize("asked", PREDICTION_STRATEGIES)
def test_surrogate_learned_and_branch_need_a_tree_grown_so(grown_by, asked):
    tree = grown(grown_by)
    if asked in ANY_TREE or asked == grown_by:
        assert resolve_missing(tree, MissingPolicy(asked)) == asked
        return
    for ask in (find_leaves, decision_paths, predict_probabilities, predict_class_codes):
        # Refused before a row is looked at, so that it does not depend on the rows.
        with pytest.raises(ParameterError, match=f"missing='{asked}' requires a tree .* missing='{grown_by}'"):
            ask(tree, np.zeros((0, 4)), MissingPolicy(asked))


def test_surrogates_are_enough_to_answer_by_them():
    tree = build(CLASSES, number("price", 9.5, leaf("no"), leaf("yes")), missing="stop")
    with pytest.raises(ParameterError, match="grown with missing='stop'"):
        resolve_missing(tree, MissingPolicy("surrogate"))
    assert resolve_missing(prostate(), MissingPolicy("surrogate")) == "surrogate"
    assert resolve_missing(own_branches(), MissingPolicy()) == "branch"
    assert resolve_missing(every_kind(), MissingPolicy()) == "error"
