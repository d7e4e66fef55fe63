"""Names of version 0.1 still work, warn, and say what to use."""

from importlib import import_module

import numpy as np
import pytest

from treewright.model.build import golf_example
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule, with_prediction_rule
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy

ATTRIBUTES = [
    (lambda tree: tree, "answers", "predicted_class"),
    (lambda tree: tree, "answering", "prediction_rule"),
    (lambda tree: tree, "branch_shares", "branch_fractions"),
    (lambda tree: tree.node(1), "shares", "probabilities"),
    (lambda tree: tree.prediction_rule, "is_plain", "is_default"),
]


@pytest.mark.parametrize(("owner", "old", "new"), ATTRIBUTES, ids=lambda one: one if isinstance(one, str) else "")
def test_an_old_attribute_is_the_new_one(owner, old, new):
    one = owner(golf_example())
    with pytest.deprecated_call(match=rf"\.{old} is deprecated .*; use \w+\.{new}\."):
        found = getattr(one, old)
    assert np.array_equal(found, getattr(one, new)) if isinstance(found, np.ndarray) else found == getattr(one, new)


def test_an_old_method_is_the_new_one():
    with pytest.deprecated_call(match="use Node.prediction_words"):
        assert golf_example().root.answer_words() == "Play (14/5)"


def test_old_modules_have_the_new_names():
    with pytest.deprecated_call(match="use treewright.model.prediction_rule.PredictionRule"):
        from treewright.model.answering import Answering
    with pytest.deprecated_call(match="use treewright.model.prediction_rule.with_prediction_rule"):
        from treewright.model.answering import answered
    with pytest.deprecated_call(match="use treewright.predict.missing_policy.MissingPolicy"):
        from treewright.predict.rule import Rule
    assert (Answering, answered, Rule) == (PredictionRule, with_prediction_rule, MissingPolicy)
    with pytest.raises(AttributeError, match="decide"):
        getattr(import_module("treewright.model.answering"), "decide")  # noqa: B009


@pytest.mark.parametrize("rule", [DEFAULT_RULE, PredictionRule("laplace")], ids=lambda rule: rule.probability)
def test_the_state_of_an_old_pickle_is_read(rule):
    tree = with_prediction_rule(golf_example(), rule)
    state = tree.__getstate__()
    state["answering"] = state.pop("prediction_rule")
    again = object.__new__(Tree)
    again.__setstate__(state)
    assert again == tree
