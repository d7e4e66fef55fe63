"""A rule has known names, and a tree answers by the rules it was grown for."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tests.model.holes import own_branches, prostate
from tests.model.samples import CLASSES, every_kind
from treewright.errors import ParameterError
from treewright.model.build import build, leaf, number
from treewright.model.strategies import GROWN, PREDICTED
from treewright.predict.answers import class_codes, shares
from treewright.predict.route import leaves, paths
from treewright.predict.rule import Rule, missing_rule

ANY_TREE = ("fractional", "majority", "stop", "error")


def grown(missing: str):
    return build(CLASSES, number("price", 1, leaf("no", 2), leaf("yes")), missing=missing)


@pytest.mark.parametrize("missing", PREDICTED)
@pytest.mark.parametrize("unseen", ["majority", "stop"])
def test_every_name_is_taken(missing, unseen):
    assert Rule(missing, unseen) == Rule(missing=missing, unseen=unseen)


@pytest.mark.parametrize("bad", ["Fractional", "", 3, "nothing", ("stop",)])
def test_another_name_is_refused_with_the_known_ones(bad):
    with pytest.raises(ParameterError, match=r"missing=.* is not known; choose one of 'fractional', 'surrogate'"):
        Rule(bad)
    with pytest.raises(ParameterError, match=r"unseen=.* is not known; choose one of 'majority', 'stop'"):
        Rule(unseen=bad)


def test_a_rule_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Rule().missing = "stop"


@pytest.mark.parametrize("grown_by", GROWN)
def test_without_a_name_a_tree_answers_as_it_was_grown(grown_by):
    assert missing_rule(grown(grown_by), Rule()) == grown_by


@pytest.mark.parametrize("grown_by", GROWN)
@pytest.mark.parametrize("asked", PREDICTED)
def test_surrogate_learned_and_branch_need_a_tree_grown_so(grown_by, asked):
    tree = grown(grown_by)
    if asked in ANY_TREE or asked == grown_by:
        assert missing_rule(tree, Rule(asked)) == asked
        return
    for ask in (leaves, paths, shares, class_codes):
        # Refused before a row is looked at, so that it does not depend on the rows.
        with pytest.raises(ParameterError, match=f"missing='{asked}' needs a tree .* missing='{grown_by}'"):
            ask(tree, np.zeros((0, 4)), Rule(asked))


def test_surrogates_are_enough_to_answer_by_them():
    tree = build(CLASSES, number("price", 9.5, leaf("no"), leaf("yes")), missing="stop")
    with pytest.raises(ParameterError, match="grown with missing='stop'"):
        missing_rule(tree, Rule("surrogate"))
    assert missing_rule(prostate(), Rule("surrogate")) == "surrogate"
    assert missing_rule(own_branches(), Rule()) == "branch"
    assert missing_rule(every_kind(), Rule()) == "error"
