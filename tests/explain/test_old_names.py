"""Old names of attributes, methods and JSON keys still work, with a warning."""

import pytest

from tests.chinese import mixed_table
from treewright import C45Classifier
from treewright.explain.consult import consult
from treewright.predict.missing_policy import MissingPolicy


@pytest.fixture(scope="module")
def model():
    return C45Classifier(pruning=None).fit(*mixed_table())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("answer", "prediction"),
        ("shares", "probabilities"),
        ("before", "before_pruning"),
        ("looked", "changes_searched"),
    ],
)
def test_old_names_of_an_explanation(model, old, new):
    found = model.explain({"outlook": "sunny"})
    with pytest.warns(DeprecationWarning, match=f"Explanation.{old} is deprecated .* use Explanation.{new}"):
        assert getattr(found, old) == getattr(found, new)
    assert found.to_dict()[old] == found.to_dict()[new]


def test_old_names_of_rules(model):
    rules = model.rules("generalised")
    with pytest.warns(DeprecationWarning, match=r"use Rule\.prediction"):
        assert rules[0].answer == rules[0].prediction
    with pytest.warns(DeprecationWarning, match=r"use RuleSet\.default_probabilities"):
        assert rules.default_shares == rules.default_probabilities
    assert rules.to_dict()["default_shares"] == rules.to_dict()["default_probabilities"]


def test_old_names_of_a_consultation(model):
    case = consult(model.tree_, MissingPolicy("fractional"))
    while case.question is not None:
        with pytest.warns(DeprecationWarning, match=r"use Consultation\.with_answer"):
            case = case.answered("?")
    with pytest.warns(DeprecationWarning, match=r"use Consultation\.result"):
        assert case.verdict == case.result
