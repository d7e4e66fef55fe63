"""Consultations lead to what `predict_proba` predicts, and ask nothing that cannot change the prediction."""

from itertools import product

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.explain.consult import consult
from treewright.model.build import build, golf_example, leaf, number
from treewright.model.build import table as asks
from treewright.predict.missing_policy import MissingPolicy

NAMES = ("red", "green", "blue")


def table(seed, n=60, holes=0.15):
    """Two numbers, two categories and an answer that depends on three of them."""
    rng = np.random.default_rng(seed)
    numbers, codes = rng.integers(0, 6, (n, 2)).astype(object), rng.integers(0, 3, (n, 2))
    X = np.empty((n, 4), object)
    X[:, :2] = numbers
    for j in range(2):
        X[:, 2 + j] = [NAMES[code] for code in codes[:, j]]
    score = numbers[:, 0].astype(int) + 2 * codes[:, 0] + (numbers[:, 1] > 2) * codes[:, 1] + rng.integers(0, 3, n)
    X[rng.random((n, 4)) < holes] = None
    return X, np.where(score > 5, "yes", np.where(score > 3, "perhaps", "no")), score.astype(float)


MODELS = {
    "id3 branch": ID3Classifier(numeric="bisect"),
    "id3 fractional": ID3Classifier(numeric="bisect", missing="fractional"),
    "c4.5": C45Classifier(),
    "c4.5 learned": C45Classifier(missing="learned", pruning=None),
    "c4.5 stop": C45Classifier(missing="stop", pruning=None),
    "c4.5 majority": C45Classifier(missing_predict="majority", pruning=None),
    "c4.5 groups": C45Classifier(grouping="greedy", pruning=None),
    "cart surrogate": CARTClassifier(max_leaf_nodes=12, pruning=None),
    "cart fractional": CARTClassifier(missing="fractional", max_depth=4, pruning=None),
    "cart branch": CARTClassifier(missing="branch", max_depth=4, pruning=None),
    "regression": CARTRegressor(max_leaf_nodes=10, pruning=None),
}


def fitted(name, seed=0):
    X, classes, numbers = table(seed)
    return MODELS[name].fit(X, numbers if name == "regression" else classes), X


def says(model, rows):
    """What the model itself answers."""
    found = model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
    return found.reshape(len(rows), -1)


def spoken(case):
    result = case.result
    return [result.prediction] if result.probabilities is None else list(result.probabilities.values())


def begin(model):
    return consult(model.tree_, model._prediction_policy().rule, model._row_weight)


def played(case, row):
    """Answer every question with what the row has; the case, and the columns that were asked."""
    asked = []
    names = case.tree.schema.names
    while case.question is not None:
        at = names.index(case.question.column.name)
        asked.append(at)
        case = case.with_answer("?" if row[at] is None else str(row[at]))
    return case, asked


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_verdict_is_what_the_model_predicts(name, seed):
    model, X = fitted(name, seed)
    rng = np.random.default_rng(7)
    for row in X[:40]:
        case, asked = played(begin(model), row)
        # What was not asked does not matter: any known value will do.
        like = row.copy()
        for at in set(range(4)) - set(asked):
            like[at] = int(rng.integers(0, 6)) if at < 2 else NAMES[rng.integers(0, 3)]
        np.testing.assert_allclose(spoken(case), says(model, [like.tolist()])[0], rtol=0, atol=1e-12)
        assert len(set(asked)) == len(asked)
        if case.result.probabilities is not None:
            assert case.result.prediction == model.predict([like.tolist()])[0]


@pytest.mark.parametrize("name", ["id3 branch", "c4.5", "c4.5 stop", "cart surrogate", "cart fractional", "regression"])
def test_no_question_is_asked_that_cannot_alter_the_answer(name):
    """All completions of a case are tried: among those alike but in the column, some two have different answers."""
    model, X = fitted(name)
    every = [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5], list(NAMES), list(NAMES)]
    if name == "id3 branch":
        every = [[*values, None] for values in every]
    on_ways = {model.tree_.schema.names[c] for c in model.tree_.column if c >= 0}
    for row in X[:12]:
        case, known = begin(model), {}
        while case.question is not None:
            name_asked = case.question.column.name
            at = case.tree.schema.names.index(name_asked)
            assert name_asked in on_ways or name == "cart surrogate"
            rows = [list(one) for one in product(*([known[i]] if i in known else every[i] for i in range(4)))]
            answers = says(model, rows)
            groups = {}
            for one, answer in zip(rows, answers, strict=True):
                groups.setdefault((*one[:at], *one[at + 1 :]), []).append(answer)
            assert any(np.ptp(np.array(group), axis=0).max() > 1e-12 for group in groups.values())
            known[at] = row[at]
            case = case.with_answer("?" if row[at] is None else str(row[at]))


def test_a_question_whose_branches_say_the_same_is_not_asked():
    """colour is asked at the root, but both its branches ask for age in the same way."""
    schema = Schema((Column("colour", Kind.CATEGORY, NAMES), Column("age", Kind.NUMBER)), Target("y", ("a", "b")))

    def below():
        return number("age", 30, leaf({"a": 4}), leaf({"b": 4}))

    tree = build(schema, asks("colour", {name: below() for name in NAMES}))
    case = consult(tree, MissingPolicy("fractional"))
    assert case.question.column.name == "age"
    assert case.with_answer("31").result.prediction == "b"


def test_a_leaf_alone_asks_nothing():
    schema = Schema((Column("age", Kind.NUMBER),), Target("y", ("a", "b")))
    case = consult(build(schema, leaf({"a": 3, "b": 1})), MissingPolicy())
    assert case.question is None
    assert case.result.probabilities == {"a": 0.75, "b": 0.25}


# What is not known exactly.


def test_categories_with_probabilities_are_the_mean_of_the_answers():
    model, _ = fitted("c4.5 groups")
    case = begin(model)
    names = case.tree.schema.names
    mixed = {2: {"red": 0.5, "green": 0.3, "blue": 0.2}, 3: {"red": 0.25, "blue": 0.75}}
    while case.question is not None:
        at = names.index(case.question.column.name)
        text = ", ".join(f"{n}: {p}" for n, p in mixed[at].items()) if at in mixed else "2"
        case = case.with_answer(text)
    expected = 0
    for first, p in mixed[2].items():
        for second, q in mixed[3].items():
            expected = expected + p * q * says(model, [[2, 2, first, second]])[0]
    np.testing.assert_allclose(spoken(case), expected, atol=1e-12)


def test_a_range_is_the_mean_over_its_numbers():
    """Within a range every number is as probable as any other, also where a column is asked several times."""
    model, _ = fitted("regression")
    case = begin(model)
    answers = {"x0": "0.7 - 4.9", "x1": "3", "x2": "red", "x3": "red"}
    while case.question is not None:
        case = case.with_answer(answers[case.question.column.name])
    points = np.linspace(0.7, 4.9, 42_001)[:-1] + 0.00005  # the middles of 42000 steps; cuts are at halves
    expected = says(model, np.array([[p, 3, "red", "red"] for p in points], object)).mean()
    assert case.result.prediction == pytest.approx(expected, abs=2e-3)


def test_a_range_without_an_end_goes_by_the_training_rows():
    """Sunny days by humidity: 2 of 5 were at most 75."""
    case = consult(golf_example(), MissingPolicy("fractional")).with_answer("sunny")
    assert case.with_answer("> 75").result.probabilities == case.with_answer("90").result.probabilities
    assert case.with_answer("<= 75").result.probabilities == case.with_answer("70").result.probabilities
    assert case.with_answer("> 10").result.probabilities["Play"] == pytest.approx(0.4)
    assert case.with_answer(">= 60").result.probabilities == case.with_answer("?").result.probabilities


def test_the_ranges_are_those_of_c45():
    """A leaf of n rows of one class: 1 - U25(0, n) is the n-th root of a quarter."""
    result = consult(golf_example(), MissingPolicy()).with_answer("overcast").result
    assert result.prediction == "Play"
    low, high = result.intervals["Play"]
    assert (low, high) == (pytest.approx(0.25 ** (1 / 4)), 1.0)
    assert result.intervals["Don't Play"] == (0.0, pytest.approx(1 - 0.25 ** (1 / 4)))


# Taking back, changing, giving.


def test_back_change_and_what_was_told():
    case = consult(golf_example(), MissingPolicy("fractional"))
    with pytest.raises(InputError, match="no answer to take back"):
        case.back()
    further = case.with_answer("sunny").with_answer("80")
    assert further.back().question.column.name == "humidity"
    assert further.back().back().question.column.name == "outlook"
    changed = further.without_answer("outlook")
    assert changed.question.column.name == "outlook"
    changed = changed.with_answer("rain")
    assert changed.question.column.name == "windy"
    assert [one.words for one in changed.answers] == ["80", "rain"]
    with pytest.raises(InputError, match="There is no answer to 'windy' yet"):
        further.without_answer("windy")
    with pytest.raises(InputError, match="Column 'wind' not found"):
        further.without_answer("wind")
    with pytest.raises(InputError, match="There is no question left"):
        further.with_answer("1")
    with pytest.raises(InputError, match="Answer the question about 'humidity' first"):
        _ = further.back().result


def test_answers_all_at_once():
    tree = golf_example()
    case = consult(tree, MissingPolicy("fractional")).with_answers(
        {"humidity": [70, 80], "outlook": {"sunny": 1}, "windy": None}
    )
    assert case.result.probabilities == {"Don't Play": 0.5, "Play": 0.5}


def test_a_tree_that_refuses_missing_values_says_so():
    case = consult(golf_example(), MissingPolicy())
    with pytest.raises(InputError, match=r"'outlook' must be known.*--missing fractional"):
        case.with_answer("?")


def test_way_and_question():
    case = consult(golf_example(), MissingPolicy("fractional")).with_answer("sunny")
    question = case.question
    assert question.path == ("outlook = sunny",)
    assert question.words == "humidity <= 75"
    assert question.fraction == 1.0
    ends = case.with_answer("?").result.ends
    assert [(end.node, round(end.fraction, 2)) for end in ends] == [(5, 0.6), (4, 0.4)]
    assert ends[0].path == ("outlook = sunny", "humidity > 75")


def test_a_deep_tree_is_asked_without_recursion_and_in_time():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 6))
    model = CARTClassifier(pruning=None).fit(X, rng.integers(0, 2, 20_000))
    case, asked = played(begin(model), X[0].tolist())
    assert len(asked) == 6
    assert spoken(case) == says(model, X[:1])[0].tolist()
