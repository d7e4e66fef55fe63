"""Which rule answers a row, and what its conditions saw."""

import numpy as np
import pandas as pd
import pytest

from tests.rules.test_ruleset import GOLF, PLAY, golf_frame
from treewright import C45Classifier, CARTClassifier, CARTRegressor, InputError, TreeClassifier


@pytest.fixture(scope="module")
def golf():
    return C45Classifier(pruning=None).fit(golf_frame(), pd.Series(PLAY, name="golf"))


def test_the_rule_of_a_leaf(golf):
    found = golf.rules().explain({"outlook": "sunny", "humidity": 85})
    assert (found.prediction, [one.rule.number for one in found.applied]) == ("stay", [2])
    assert found.to_text() == "\n".join([
        "class stay, by rule 2:",
        "    outlook = sunny  (outlook is sunny)",
        "    humidity > 75  (humidity is 85)",
    ])  # fmt: skip


def test_a_missing_value_divides_a_row_among_leaves(golf):
    found = golf.rules().explain({"outlook": "sunny"})
    assert [(one.rule.number, one.fraction) for one in found.applied] == [(2, 0.6), (1, 0.4)]
    assert found.probabilities == {"play": 0.4, "stay": 0.6}
    opening = "class stay, by several rules, each for a fraction of the row:\nrule 2, fraction 0.6: stay\n"
    assert str(found).startswith(opening)
    assert "(humidity is missing)" in str(found)


def test_the_shares_of_a_row_sum_to_one(golf):
    found = golf.rules().explain({})
    assert sum(one.fraction for one in found.applied) == pytest.approx(1.0)
    mean = sum(one.fraction * np.array(one.rule.probabilities) for one in found.applied)
    np.testing.assert_allclose(mean, list(found.probabilities.values()))


def test_a_row_that_stops():
    model = TreeClassifier(missing="stop").fit(pd.DataFrame(GOLF), PLAY)
    found = model.rules().explain({"humidity": 70})
    assert found.applied == ()
    assert found.prediction == model.predict(pd.DataFrame([{**dict.fromkeys(GOLF), "humidity": 70.0}]))[0]
    assert str(found).startswith("class play, not by a rule. The row stops at node 0 (root), which splits on ")


def test_a_row_that_stops_in_part():
    """A missing number divides the row, and an unseen category stops the part that comes to it."""
    X = pd.DataFrame({"x": [1, 1, 9, 9, 9] * 4, "colour": ["red", "blue", "red", "blue", "green"] * 4})
    y = [0 if x == 1 else 1 + (colour == "red") for x, colour in zip(X["x"], X["colour"], strict=True)]
    model = TreeClassifier(grouping="each", missing="fractional", unseen_category="stop").fit(X, y)
    found = model.rules().explain({"colour": "mauve"})
    assert [(str(one.rule), one.fraction) for one in found.applied] == [("x <= 5 -> 0", 0.4)]
    assert str(found).split("\n") == [
        "class 0, by several rules, each for a fraction of the row:",
        "rule 1, fraction 0.4: 0",
        "    x <= 5  (x is missing)",
        "The row stops at node 2 (x > 5), which splits on colour; this node predicts.",
    ]


def test_generalised_rules_are_asked_in_turn():
    X = [[1, "a"], [1, "b"], [2, "a"], [2, "b"], [3, "a"], [3, "b"]] * 5
    y = ["no", "no", "no", "yes", "yes", "yes"] * 5
    rules = C45Classifier(pruning=None).fit(X, y).rules("generalised")
    first, second = rules[:2]
    assert (str(first), str(second)) == ("x0 <= 1 -> no", "x1 = a and x0 <= 2 -> no")
    found = rules.explain([1, "a"])
    assert [one.rule for one in found.applied] == [first]
    assert [one.rule for one in found.others] == [second]
    assert str(found).split("\n") == [
        f"class no, by rule {first.number}:",
        "    x0 <= 1  (x0 is 1)",
        "Rules that also apply, but come later:",
        f"    rule {second.number}: x1 = a and x0 <= 2 -> no",
    ]


def test_the_default(golf):
    found = golf.rules("generalised").explain({"temperature": 70})
    assert (found.prediction, found.applied, found.others) == ("play", (), ())
    assert str(found) == "class play, by default: no rule applies."


def test_an_unseen_category_is_said(golf):
    found = golf.rules("generalised").explain({"outlook": "fog", "humidity": 90})
    assert found.applied == ()
    shares = CARTClassifier(unseen_category="majority", pruning=None).fit(pd.DataFrame(GOLF), PLAY).rules()
    assert "(outlook is not in the training data)" in str(shares.explain({"outlook": "fog", "humidity": 90}))


def test_numbers():
    found = CARTRegressor(pruning=None).fit([[1.0], [2.0], [3.0]], [5.0, 5.0, 8.0]).rules().explain([9])
    assert (found.prediction, found.probabilities) == (8.0, {})
    assert str(found) == "target = 8, by rule 2:\n    x0 > 2.5  (x0 is 9)"


@pytest.mark.parametrize("form", ["leaves", "generalised"])
def test_the_answer_is_that_of_predict(golf, form):
    rules = golf.rules(form)
    frame = pd.DataFrame(GOLF)
    for i in range(14):
        found = rules.explain(frame.iloc[i])
        assert found.prediction == rules.predict(frame.iloc[[i]])[0]
        assert found.prediction == found.applied[0].rule.prediction if found.applied else rules.default
        assert found.to_dict()["prediction"] == found.to_dict()["answer"] == found.prediction
        assert isinstance(found.prediction, str)


def test_one_row_at_a_time(golf):
    with pytest.raises(InputError, match="Expected one row, got 14"):
        golf.rules().explain(pd.DataFrame(GOLF))
    with pytest.raises(
        InputError,
        match="The row has a value for the unknown column 'outlok'; the closest names are 'outlook'",
    ):
        golf.rules().explain({"outlok": "sunny"})
