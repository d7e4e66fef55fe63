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
    told = golf.rules().explain({"outlook": "sunny", "humidity": 85})
    assert (told.answer, [one.rule.number for one in told.applied]) == ("stay", [2])
    assert told.to_text() == "\n".join([
        "class stay, by rule 2:",
        "    outlook = sunny  (outlook is sunny)",
        "    humidity > 75  (humidity is 85)",
    ])  # fmt: skip


def test_a_missing_value_divides_a_row_among_leaves(golf):
    told = golf.rules().explain({"outlook": "sunny"})
    assert [(one.rule.number, one.share) for one in told.applied] == [(2, 0.6), (1, 0.4)]
    assert told.shares == {"play": 0.4, "stay": 0.6}
    assert str(told).startswith("class stay, by shares of the row:\nrule 2, share 0.6: stay\n")
    assert "(humidity is missing)" in str(told)


def test_the_shares_of_a_row_sum_to_one(golf):
    told = golf.rules().explain({})
    assert sum(one.share for one in told.applied) == pytest.approx(1.0)
    mean = sum(one.share * np.array(one.rule.shares) for one in told.applied)
    np.testing.assert_allclose(mean, list(told.shares.values()))


def test_a_row_that_stops():
    model = TreeClassifier(missing="stop").fit(pd.DataFrame(GOLF), PLAY)
    told = model.rules().explain({"humidity": 70})
    assert told.applied == ()
    assert told.answer == model.predict(pd.DataFrame([{**dict.fromkeys(GOLF), "humidity": 70.0}]))[0]
    assert str(told).startswith("class play, by no rule. The row stops at node 0 (root), where ")


def test_a_row_that_stops_in_part():
    """A missing number divides the row, and an unseen category stops the part that comes to it."""
    X = pd.DataFrame({"x": [1, 1, 9, 9, 9] * 4, "colour": ["red", "blue", "red", "blue", "green"] * 4})
    y = [0 if x == 1 else 1 + (colour == "red") for x, colour in zip(X["x"], X["colour"], strict=True)]
    model = TreeClassifier(grouping="each", missing="fractional", unseen_category="stop").fit(X, y)
    told = model.rules().explain({"colour": "mauve"})
    assert [(str(one.rule), one.share) for one in told.applied] == [("x <= 5 -> 0", 0.4)]
    assert str(told).split("\n") == [
        "class 0, by shares of the row:",
        "rule 1, share 0.4: 0",
        "    x <= 5  (x is missing)",
        "The row stops at node 2 (x > 5), where colour is asked for; the rows of the node answer.",
    ]


def test_generalised_rules_are_asked_in_turn():
    X = [[1, "a"], [1, "b"], [2, "a"], [2, "b"], [3, "a"], [3, "b"]] * 5
    y = ["no", "no", "no", "yes", "yes", "yes"] * 5
    rules = C45Classifier(pruning=None).fit(X, y).rules("generalised")
    first, second = rules[:2]
    assert (str(first), str(second)) == ("x0 <= 1 -> no", "x1 = a and x0 <= 2 -> no")
    told = rules.explain([1, "a"])
    assert [one.rule for one in told.applied] == [first]
    assert [one.rule for one in told.others] == [second]
    assert str(told).split("\n") == [
        f"class no, by rule {first.number}:",
        "    x0 <= 1  (x0 is 1)",
        "Rules that apply too, and come later:",
        f"    rule {second.number}: x1 = a and x0 <= 2 -> no",
    ]


def test_the_default(golf):
    told = golf.rules("generalised").explain({"temperature": 70})
    assert (told.answer, told.applied, told.others) == ("play", (), ())
    assert str(told) == "class play, by default: no rule applies."


def test_an_unseen_category_is_said(golf):
    told = golf.rules("generalised").explain({"outlook": "fog", "humidity": 90})
    assert told.applied == ()
    shares = CARTClassifier(unseen_category="majority", pruning=None).fit(pd.DataFrame(GOLF), PLAY).rules()
    assert "(outlook is never seen in training)" in str(shares.explain({"outlook": "fog", "humidity": 90}))


def test_numbers():
    told = CARTRegressor(pruning=None).fit([[1.0], [2.0], [3.0]], [5.0, 5.0, 8.0]).rules().explain([9])
    assert (told.answer, told.shares) == (8.0, {})
    assert str(told) == "target = 8, by rule 2:\n    x0 > 2.5  (x0 is 9)"


@pytest.mark.parametrize("form", ["leaves", "generalised"])
def test_the_answer_is_that_of_predict(golf, form):
    rules = golf.rules(form)
    frame = pd.DataFrame(GOLF)
    for i in range(14):
        told = rules.explain(frame.iloc[i])
        assert told.answer == rules.predict(frame.iloc[[i]])[0]
        assert told.answer == told.applied[0].rule.answer if told.applied else rules.default
        assert told.to_dict()["answer"] == told.answer
        assert isinstance(told.answer, str)


def test_one_row_at_a_time(golf):
    with pytest.raises(InputError, match="One row is explained at a time, but 14 were given"):
        golf.rules().explain(pd.DataFrame(GOLF))
    with pytest.raises(InputError, match="'outlok', which is no column"):
        golf.rules().explain({"outlok": "sunny"})
