"""A set of rules: asked, taken apart, stored."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    InputError,
    KindError,
    ParameterError,
    TreeClassifier,
    UnseenCategoryWarning,
)

OUTLOOKS = ("sunny", "overcast", "rain")
GOLF = {
    "outlook": [OUTLOOKS[i] for i in (0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2)],
    "temperature": [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71],
    "humidity": [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80],
    "windy": [False, True, False, False, False, True, True, False, False, False, True, True, False, True],
}
PLAY = [("play", "stay")[i] for i in (1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1)]


def golf_frame():
    """The table with its categories in the order of the book; truth values come first where they are true."""
    outlook = pd.Categorical(GOLF["outlook"], OUTLOOKS)
    return pd.DataFrame({**GOLF, "outlook": outlook, "windy": pd.Categorical(GOLF["windy"], [True, False])})


@pytest.fixture(scope="module")
def golf():
    return C45Classifier(pruning=None).fit(golf_frame(), pd.Series(PLAY, name="golf"))


@pytest.fixture(params=["leaves", "generalised"])
def rules(golf, request):
    return golf.rules(request.param)


def test_golf_as_c45rules_prints_it(golf):
    """The percentages of the program: 70.7, 63.0, 63.0 and 50.0; its classes are declared in this order."""
    assert golf.rules("generalised", class_order=["play", "stay"]).to_text() == "\n".join([
        "Rule 2:",
        "    outlook = overcast",
        "    ->  class play  [70.7%]",
        "",
        "Rule 4:",
        "    outlook = rain",
        "    windy = False",
        "    ->  class play  [63.0%]",
        "",
        "Rule 1:",
        "    outlook = sunny",
        "    humidity > 75",
        "    ->  class stay  [63.0%]",
        "",
        "Rule 3:",
        "    outlook = rain",
        "    windy = True",
        "    ->  class stay  [50.0%]",
        "",
        "Default class: play",
    ])  # fmt: skip


def test_it_is_a_sequence_of_rules(rules):
    assert len(rules) == len(rules.rules) == len(list(rules))
    assert rules[0] is rules.rules[0]
    assert rules[-1] is rules.rules[-1]
    assert rules[1:3] == rules.rules[1:3]
    with pytest.raises(IndexError, match=f"^Rule index 99 is out of range: there are {len(rules)} rules"):
        rules[99]
    assert repr(rules) == f"<RuleSet: {len(rules)} rules, {rules.form}>"


def test_it_takes_the_tables_that_the_estimator_takes(golf, rules):
    frame = pd.DataFrame(GOLF)
    listed = [list(row) for row in zip(*GOLF.values(), strict=True)]
    answers = rules.predict(frame)
    assert answers.tolist() == PLAY
    assert answers.dtype == golf.classes_.dtype
    for table in (pl.DataFrame(GOLF), listed, np.array(listed, dtype=object)):
        assert np.array_equal(rules.predict(table), answers)
    shares = rules.predict_proba(frame)
    assert shares.shape == (14, 2)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert rules.classes[shares.argmax(axis=1)].tolist() == PLAY


def test_other_tables_are_refused(rules):
    frame = pd.DataFrame(GOLF)
    with pytest.raises(InputError, match="X has column 'windy' where the rules expect 'outlook'"):
        rules.predict(frame[["windy", "humidity", "temperature", "outlook"]])
    with pytest.raises(InputError, match="X has 3 features, but Treewright is expecting 4"):
        rules.predict(frame[["outlook", "temperature", "humidity"]])
    with pytest.raises(
        InputError,
        match=r"X must have 2 dimensions, got a 1D array of 2 cells\. Reshape your data with X\.reshape\(-1, 1\)",
    ):
        rules.predict(np.array([1.0, 2.0]))


def test_a_missing_value_satisfies_no_condition_of_generalised_rules(golf):
    rules = golf.rules("generalised")
    row = {**{name: [cells[0]] for name, cells in GOLF.items()}, "humidity": [None]}
    assert rules.predict(pd.DataFrame(row)).tolist() == ["play"]
    assert rules.default == "play"
    np.testing.assert_allclose(rules.predict_proba(pd.DataFrame(row)), [rules.default_probabilities])


def test_the_default_shares_are_those_of_the_rows_that_no_rule_covers(golf):
    rules = golf.rules("generalised")
    frame = pd.DataFrame(GOLF)
    met = np.zeros(14, bool)
    for rule in rules:
        met |= np.all([c.holds(encoded(golf, c)) for c in rule.conditions], axis=0)
    left = [label for label, covered in zip(PLAY, met, strict=True) if not covered]
    shares = [left.count(label) / len(left) for label in rules.classes]
    np.testing.assert_allclose(rules.default_probabilities, shares)
    assert len(left) == 2
    assert len(frame) == 14


def encoded(model, condition):
    return model._training_rows().values[:, condition.position]


@pytest.mark.parametrize("form", ["leaves", "generalised"])
def test_unseen_categories(form):
    X = pd.DataFrame({"colour": ["red", "blue"] * 10, "x": [1, 2] * 10})
    y = ["a", "b"] * 10
    model = C45Classifier(pruning=None).fit(X, y)
    rules = model.rules(form)
    new = pd.DataFrame({"colour": ["mauve", "red"], "x": [1, 1]})
    with pytest.warns(
        UnseenCategoryWarning, match="Unseen category 'mauve' in column 'colour' \\(1 row\\)"
    ) as warned:
        answers = rules.predict(new)
    assert warned[0].filename == __file__
    if form == "leaves":
        with pytest.warns(UnseenCategoryWarning):
            assert np.array_equal(answers, model.predict(new))
    else:
        assert answers.tolist() == [rules.default, "a"]
    strict = C45Classifier(pruning=None, unseen_category="error").fit(X, y).rules(form)
    with pytest.raises(InputError, match="'mauve', which does not occur in training"):
        strict.predict(new)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stop"])
@pytest.mark.filterwarnings("ignore::treewright.UnseenCategoryWarning")
def test_leaves_answer_unseen_categories_as_the_tree_does(unseen):
    X = pd.DataFrame({"colour": ["red", "blue", "green"] * 10, "x": list(range(30))})
    y = [(i % 3 == 0) + (i > 20) for i in range(30)]
    model = C45Classifier(pruning=None, unseen_category=unseen).fit(X, y)
    new = pd.DataFrame({"colour": ["mauve", "pink", "red"], "x": [1, 25, 29]})
    assert np.array_equal(model.rules().predict_proba(new), model.predict_proba(new))
    assert model.rules().explain(new[:1]).prediction == model.predict(new[:1])[0]


def test_missing_values_are_refused_where_the_tree_refuses_them():
    model = TreeClassifier(missing="error").fit([[1.0], [2.0]] * 5, ["a", "b"] * 5)
    with pytest.raises(InputError, match="has a missing value"):
        model.rules().predict([[None]])
    assert model.rules("generalised").predict([[None]]).tolist() == ["a"]


def test_numbers():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 5.0, 5.0]
    rules = CARTRegressor(pruning=None).fit(X, y).rules()
    assert rules.predict([[0.0], [9.0]]).tolist() == [1.0, 5.0]
    with pytest.raises(KindError, match="predict numbers and have no class probabilities"):
        rules.predict_proba([[0.0]])
    assert rules.is_number
    assert rules.default is None


def test_training_rows_can_be_given_again(golf):
    stored = pickle.loads(pickle.dumps(golf))
    with pytest.raises(InputError, match="training rows are required"):
        stored.rules("generalised")
    again = stored.rules("generalised", pd.DataFrame(GOLF), PLAY)
    assert again.to_json() == golf.rules("generalised").to_json()
    with pytest.raises(InputError, match="y"):
        stored.rules("generalised", pd.DataFrame(GOLF))


@pytest.mark.parametrize(
    ("name", "value"),
    [("confidence", 0.0), ("confidence", 2), ("redundancy", 0), ("redundancy", "x"), ("polish", 1)],
)
def test_bad_parameters_are_refused(golf, name, value):
    with pytest.raises(ParameterError, match=name):
        golf.rules("generalised", **{name: value})


def test_a_low_confidence_makes_fewer_rules_and_cheap_conditions_more():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 10, size=(400, 4))
    y = ((X[:, 0] > 4) & (X[:, 1] > 4)).astype(int) ^ (rng.random(400) < 0.25)
    model = C45Classifier(pruning=None).fit(X, y)

    def size(**given):
        return sum(len(rule.conditions) for rule in model.rules("generalised", **given))

    assert size(confidence=0.01) < size() < size(redundancy=50.0)


def test_a_set_of_rules_is_stored_without_the_training_rows(rules):
    for other in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert other.to_json() == rules.to_json()
        assert np.array_equal(other.predict(pd.DataFrame(GOLF)), rules.predict(pd.DataFrame(GOLF)))
    with pytest.raises(AttributeError):
        rules.form = "other"


def test_the_document(rules):
    found = json.loads(rules.to_json())
    assert found == rules.to_dict()
    assert found["form"] == rules.form
    assert (found["target"], found["classes"]) == ("golf", ["play", "stay"])
    assert [rule["number"] for rule in found["rules"]] == [rule.number for rule in rules]
    assert ("default" in found) == (rules.form == "generalised")
    assert json.loads(rules.to_json(indent=2)) == found


def test_the_frame(rules):
    frame = rules.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["conditions"].tolist() == [rule.words() for rule in rules]
    assert frame["class"].tolist() == [rule.prediction for rule in rules]
    assert ("error" in frame) == (rules.form == "generalised")
    assert ("node" in frame) == (rules.form == "leaves")


def test_a_long_set_is_shortened_on_the_screen_only():
    X = np.arange(200.0).reshape(-1, 1)
    rules = CARTClassifier(pruning=None).fit(X, np.arange(200) % 2).rules()
    assert len(rules) == 200
    assert str(rules).endswith("… 150 more rules")
    assert rules.to_text().count("Rule ") == 200
    assert rules.to_text(2).count("Rule ") == 2
    assert rules._repr_html_().count("<tr>") == 51
    assert rules.to_markdown().count("\n| ") == 200
    assert len(rules.to_frame()) == 200


def test_rules_that_do_harm_are_told(golf):
    X = [[i % 7, i % 3] for i in range(90)]
    y = [int((i % 7 > 3) ^ (i % 11 == 0)) for i in range(90)]
    model = C45Classifier(pruning=None, min_samples_leaf=1).fit(X, y)
    listed, polished = model.rules("generalised", polish=False), model.rules("generalised")
    assert {r.number for r in listed} == {r.number for r in polished} | {r.number for r in polished.dropped}
    assert polished.training_errors == np.count_nonzero(polished.predict(X) != np.array(y))
    assert listed.training_errors == np.count_nonzero(listed.predict(X) != np.array(y))
    assert listed.dropped == golf.rules().dropped == ()


def test_support_and_confidence_of_generalised_rules(golf):
    for rule in golf.rules("generalised"):
        met = np.all([c.holds(encoded(golf, c)) for c in rule.conditions], axis=0)
        labels = np.array(PLAY)[met]
        assert (rule.weight, rule.support) == (met.sum(), met.sum() / 14)
        assert rule.confidence == np.mean(labels == rule.prediction)
        assert rule.lift == pytest.approx(rule.confidence / np.mean(np.array(PLAY) == rule.prediction))


def test_weights_are_importances_where_they_are_not_whole():
    X, y = [[i % 5] for i in range(40)], [int(i % 5 > 2) for i in range(40)]
    rules = C45Classifier(pruning=None).fit(X, y, sample_weight=[0.25] * 40).rules("generalised")
    plain = C45Classifier(pruning=None).fit(X, y).rules("generalised")
    assert rules.to_text() == plain.to_text()
    assert [rule.weight for rule in rules] == [rule.weight / 4 for rule in plain]
    assert [rule.support for rule in rules] == [rule.support for rule in plain]
    balanced = C45Classifier(pruning=None, class_weight="balanced").fit(X, y).rules("generalised")
    assert sum(rule.support for rule in balanced) == pytest.approx(1.0)
