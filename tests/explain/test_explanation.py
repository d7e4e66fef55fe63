"""Explanations: the textbook's example, the predictions of predict everywhere, and every missing-value strategy."""

import json
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tests.golden.sets import load
from tests.golden.tables import GOLF_12
from tests.model.samples import chain
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
)
from treewright.data.encode import Encoded
from treewright.explain.explanation import TrainingContext, explain
from treewright.predict.missing_policy import MissingPolicy

NO = "Don't Play"
RULES = [None, "fractional", "majority", "stop"]


def test_the_example_of_quinlans_book():
    """textbook.md 3.1: sunny, 70, humidity unknown, no wind."""
    model = C45Classifier().fit(GOLF_12.frame(), GOLF_12.y)
    found = model.explain({"outlook": "sunny", "temperature": 70, "windy": "false"})
    assert found.prediction == "Don't Play"
    assert f"{found.probabilities['Play']:.0%} {found.probabilities[NO]:.0%}" == "44% 56%"
    asked = found.steps[1]
    assert (asked.column, asked.value, asked.how) == ("humidity", None, "fractional")
    dry, humid = asked.branches
    assert (dry.words, humid.words) == ("humidity <= 75", "humidity > 75")
    assert f"{dry.weight:.1f}/{dry.total_weight:.1f}" == "2.0/5.4"
    assert f"{humid.weight:.1f}/{humid.total_weight:.1f}" == "3.4/5.4"
    whole = 2 + 3 + Fraction(5, 13)
    assert dry.fraction == pytest.approx(float(2 / whole), rel=1e-14)
    assert humid.fraction == pytest.approx(float((3 + Fraction(5, 13)) / whole), rel=1e-14)
    assert asked.goes_to == "every branch: 2/5.38 humidity <= 75, 3.38/5.38 humidity > 75"
    text = str(found)
    assert "every branch: <= 75 (2/5.38), > 75 (3.38/5.38)" in text  # the column stands beside it
    assert "humidity <= 75 (now missing)" in text


class Answers:
    """What an estimator says of a table in other ways."""

    def __init__(self, model, table):
        self.path, self.leaf, self.answer = model.decision_path(table), model.apply(table), model.predict(table)
        self.probabilities = model.predict_proba(table) if hasattr(model, "predict_proba") else None


def check(model, row, other, i=0):
    """An explanation of a row says what predict, predict_proba and decision_path say of row i of a table."""
    found = model.explain(row, n_changes=0)
    way = other.path[[i]]
    assert found.prediction == other.answer[i]
    assert {step.node: step.fraction for step in found.steps} == dict(zip(way.indices.tolist(), way.data, strict=True))
    tree = model.tree_
    mean = sum(end.fraction * tree.value[end.node] for end in found.ends)
    if found.probabilities is None:
        assert mean[0] == pytest.approx(found.prediction, rel=1e-12)
    else:
        assert list(found.probabilities.values()) == other.probabilities[i].tolist()
        assert mean == pytest.approx(other.probabilities[i], abs=1e-12)
    assert sum(end.fraction for end in found.ends) == pytest.approx(1, abs=1e-12)
    assert other.leaf[i] in {end.node for end in found.ends}
    for step in found.steps:
        assert step.weight == tree.weight[step.node]
        assert sum(taken.fraction for taken in step.branches) == pytest.approx(1 if step.branches else 0, abs=1e-12)
        for taken in step.branches:
            assert tree.parent[taken.node] == step.node
            assert tree.node(taken.node).branch_words == taken.words
        check_reason(model, step, found.row)
    return found


def check_reason(model, step, row):
    """What an explanation gives as a reason is what the tree and the row have."""
    node = model.tree_.node(step.node)
    if step.column is None:
        assert node.is_leaf
        assert step.how == "leaf"
        return
    assert step.value == row[step.column]
    is_hole = step.value is None or step.unseen
    rule = model.missing_predict or model.missing
    if not is_hole:
        assert step.how in ("known", "absent")
    elif step.unseen and model.unseen_category != "missing":
        assert step.how == model.unseen_category
    elif rule == "surrogate":
        assert step.how in ("surrogate", "heavier")
    else:
        assert step.how == rule
    if step.how in ("majority", "heavier"):
        assert len(step.branches) == 1
        assert step.branches[0].weight == max(child.weight for child in node.children)
    if step.how == "stop":
        assert not step.branches
    # The first surrogate whose column has a value, and knows it, is the one that is named.
    able = [s for s in node.surrogates if row[s.name] is not None and knows(s, row[s.name])]
    if step.how == "surrogate":
        branch = step.branches[0].node - node.children[0].id
        assert (step.surrogate, step.agreement) == (able[0].branch_words(branch), able[0].agree)
        assert holds(able[0], branch, row[able[0].name])
    elif step.how == "heavier":
        assert not able


def knows(surrogate, value):
    return surrogate.split.table is None or value in surrogate.split.categories(0) + surrogate.split.categories(1)


def holds(surrogate, branch, value):
    """Whether a value takes a branch of the node by a surrogate."""
    split = surrogate.split
    side = 1 - branch if surrogate.low == 1 else branch
    if split.table is not None:
        return value in split.categories(side)
    if not split.column.categories:
        return (value > split.threshold) == (side == 1)
    return value in split.categories(side)


CLASSIFIERS = [
    C45Classifier(),
    C45Classifier(missing="branch", grouping="greedy"),
    ID3Classifier(numeric="bisect"),
    CARTClassifier(),
    CARTClassifier(pruning=None),
    TreeClassifier(missing="learned", grouping="each", max_depth=5),
    TreeClassifier(missing="learned", max_depth=5),
    TreeClassifier(missing="stop", criterion="entropy"),
]


@pytest.mark.parametrize("name", ["labor", "heart_h", "golf"])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_explanations_say_what_predict_says(shared, name, model):
    X, y = load(shared, name)
    model.fit(X, y)
    for rule in RULES:
        model.set_params(missing_predict=rule)
        other = Answers(model, X)
        for i in range(0, len(X), 3 if len(X) < 60 else 17):
            check(model, X.iloc[i], other, i)
    model.set_params(missing_predict=None)


@pytest.mark.parametrize("model", [CARTRegressor(), CARTRegressor(pruning=None, missing="branch", max_depth=6),
                                   TreeRegressor(criterion="absolute_error", max_depth=6)], ids=repr)  # fmt: skip
def test_explanations_of_numbers_say_what_predict_says(shared, model):
    X, y = load(shared, "autompg_raw")
    X = X.where(np.arange(X.size).reshape(X.shape) % 7 > 0)
    model.fit(X, y)
    for rule in RULES:
        model.set_params(missing_predict=rule)
        other = Answers(model, X)
        for i in range(0, len(X), 13):
            found = check(model, X.iloc[i], other, i)
            if len(found.ends) == 1 and found.ends[0].interval is not None:
                assert found.ends[0].interval.low <= found.prediction <= found.ends[0].interval.high
    model.set_params(missing_predict=None)


@pytest.mark.filterwarnings("ignore::treewright.UnseenCategoryWarning")
@pytest.mark.parametrize("unseen", ["missing", "majority", "stop"])
@pytest.mark.parametrize("rule", RULES)
def test_categories_that_training_never_showed(unseen, rule):
    X, y = GOLF_12.frame(), GOLF_12.y
    for model in (C45Classifier(), CARTClassifier(pruning=None), TreeClassifier(missing="learned")):
        model.set_params(unseen_category=unseen, missing_predict=rule).fit(X, y)
        for humidity in (70.0, None):
            row = {"outlook": "fog", "temperature": 70.0, "humidity": humidity, "windy": "false"}
            found = check(model, row, Answers(model, pd.DataFrame([row])))
            assert found.row["outlook"] == "fog"
            first = found.steps[0]
            assert (first.value, first.unseen) == ("fog", True)
            assert first.value_words.startswith("fog (unseen")


def test_an_explanation_does_not_warn_of_what_it_says():
    model = C45Classifier().fit(GOLF_12.frame(), GOLF_12.y)
    assert "fog (unseen, so missing)" in str(model.explain({"outlook": "fog"}))


def test_a_category_that_did_not_come_to_a_node_is_told():
    X = pd.DataFrame({"a": [0, 0, 0, 0, 1, 1, 1, 1, 1], "c": list("xxyyzzxyz")})
    y = ["no", "no", "yes", "yes", "yes", "maybe", "maybe", "maybe", "maybe"]
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    found = model.explain({"a": 0, "c": "z"})
    assert [step.how for step in found.steps] == ["known", "absent", "leaf"]
    assert found.steps[1].goes_to.endswith(", like all categories that did not reach this node in training")


def test_the_rows_behind_a_leaf_are_those_of_training():
    X, y = GOLF_12.frame(), GOLF_12.y
    model = C45Classifier().fit(X, y)
    for i in range(len(X)):
        for end in model.explain(X.iloc[i]).ends:
            assert i in end.rows
            assert len(end.rows) == end.count == np.count_nonzero(model.decision_path(X)[:, [end.node]].toarray())


def test_a_model_from_a_file_has_no_rows_and_says_the_rest():
    model = C45Classifier().fit(GOLF_12.frame(), GOLF_12.y)
    row = {"outlook": "sunny", "humidity": 85}
    again = pickle.loads(pickle.dumps(model)).explain(row)
    assert again.ends[0].rows is None
    assert again.prediction == "Don't Play"
    assert {change.words for change in again.changes} == {change.words for change in model.explain(row).changes}


@pytest.mark.parametrize("weight", [2, 0.25])
def test_importances_are_counted_in_rows(weight):
    """Weights that are all alike and not whole are no more rows than there are; whole ones are."""
    X, y = GOLF_12.frame(), GOLF_12.y
    row = {"outlook": "overcast"}
    plain = C45Classifier(variant="textbook").fit(X, y).explain(row).ends[0].interval
    heavy = C45Classifier(variant="textbook").fit(X, y, np.full(14, weight)).explain(row).ends[0].interval
    assert plain.n_rows == pytest.approx(3 + 3 / 13)
    assert heavy.n_rows == pytest.approx(plain.n_rows * (2 if weight == 2 else 1))


def test_parameters_are_checked():
    model = C45Classifier().fit(GOLF_12.frame(), GOLF_12.y)
    for confidence in (0, 1, 1.5, True, "high", None):
        said = f"^confidence must be a number above 0 and below 1, got {confidence!r}"
        with pytest.raises(ParameterError, match=said):
            model.explain({}, confidence=confidence)
    for n_changes in (-1, 1.5, None):
        with pytest.raises(ParameterError, match=rf"^n_changes must be an integer of at least 0, got {n_changes}\.$"):
            model.explain({}, n_changes=n_changes)
    assert model.explain({}, n_changes=0).changes == ()
    assert len(model.explain({"outlook": "sunny", "humidity": 85}, n_changes=1).changes) == 1
    wide = model.explain({"outlook": "sunny", "humidity": 85}, confidence=0.99).ends[0].interval
    narrow = model.explain({"outlook": "sunny", "humidity": 85}, confidence=0.5).ends[0].interval
    assert wide.high - wide.low > narrow.high - narrow.low


def test_the_answer_before_pruning(shared):
    X, y = load(shared, "credit_a")
    n_cut = n_other = 0
    for model in (C45Classifier(), CARTClassifier(), CARTClassifier(pruning="reduced_error", validation_fraction=0.3)):
        model.fit(X, y)
        grown = model.pruned(None)
        for i in range(0, len(X), 15):
            found = model.explain(X.iloc[i], n_changes=0)
            (before,) = found.before_pruning
            assert before.prediction == grown.predict(X.iloc[[i]])[0]
            assert list(before.probabilities.values()) == grown.predict_proba(X.iloc[[i]])[0].tolist()
            assert before.same == (before.prediction == found.prediction)
            report, origin = model.pruning_report_, model.pruning_report_.origin
            on_way = [int(origin[step.node]) for step in found.steps]
            cut = [n for n in on_way if n in report.node and report.of(n).verdict != "kept"]
            assert before.cuts == tuple(report.of(n).words for n in cut[:20])
            n_cut, n_other = n_cut + bool(cut), n_other + (not before.same)
    assert n_cut > 20
    assert n_other > 3


def test_growth_that_was_stopped_and_then_pruned_is_told_twice(shared):
    X, y = load(shared, "credit_a")
    model = CARTClassifier(pruning="pessimistic", pre_pruning=True, validation_fraction=0.3).fit(X, y)
    found = model.explain(X.iloc[3])
    assert [one.method for one in found.before_pruning] == ["pessimistic", "pre_pruning"]
    assert "Prediction before pre-pruning:" in str(found)
    alone = CARTClassifier(pruning=None, validation_fraction=0.3).fit(X, y)
    assert [one.method for one in alone.explain(X.iloc[3]).before_pruning] == ["pre_pruning"]


def test_a_tree_of_one_leaf():
    model = CARTClassifier().fit(GOLF_12.frame(), GOLF_12.y)
    found = model.explain({})
    assert model.tree_.n_nodes == 1
    assert found.prediction == "Play"
    assert found.changes == ()
    assert "No change of a single value changes the prediction." in str(found)
    assert "too narrow" not in str(found)  # the root was not chosen


def test_an_empty_branch_has_no_interval():
    X = pd.DataFrame({"c": pd.Categorical(["a", "b", "a", "b"], categories=["a", "b", "c"])})
    found = ID3Classifier().fit(X, ["x", "y", "x", "y"]).explain({"c": "c"})
    assert found.ends[0].weight == 0
    assert found.ends[0].interval is None
    assert "no training row reaches this node" in str(found)


def test_many_classes_are_told_by_their_largest():
    X = pd.DataFrame({"c": [str(i % 30) for i in range(90)]})
    found = TreeClassifier(grouping="each").fit(X, [i % 30 for i in range(90)]).explain({})
    head = str(found).splitlines()[1]
    assert head.count("%") == 4
    assert head.endswith("26 more classes")
    assert len(found.probabilities) == 30


@pytest.mark.parametrize(("cell", "n_ends"), [(1e9, 1), (np.nan, 5_001)])
def test_a_way_of_5_000_nodes(cell, n_ends):
    tree = chain(5_000)
    values = np.zeros((1, tree.schema.n_columns))
    values[0, tree.column[0]] = cell
    found = explain(tree, Encoded(values), MissingPolicy("fractional"), TrainingContext())
    assert len(found.ends) == n_ends
    assert len(found.steps) == n_ends + 5_000
    assert len(str(found)) < 20_000
    assert len(found.to_dict()["steps"]) == len(found.steps)


def test_the_whole_of_it_is_plain_python(shared):
    X, y = load(shared, "labor")
    for model in (C45Classifier(), CARTClassifier(pruning=None)):
        found = model.fit(X, y).explain(X.iloc[2])
        written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert written["answer"] == found.prediction
        assert written["shares"] == [[label, share] for label, share in found.probabilities.items()]
        assert [step["words"] for step in written["steps"]] == [step.words for step in found.steps]
        assert written["changes"][0]["words"] == found.changes[0].words
        assert written["caveat"].endswith("too narrow.")
