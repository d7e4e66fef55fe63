"""Consult: the questions lead where `predict_proba` leads, and none is asked that cannot alter the answer."""

from itertools import product

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.explain.consult import consult
from treewright.model.build import build, golf_example, leaf, number
from treewright.model.build import table as asks
from treewright.predict.rule import Rule

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
    verdict = case.verdict
    return [verdict.answer] if verdict.shares is None else list(verdict.shares.values())


def begin(model):
    return consult(model.tree_, model._asking().rule, model._row_weight)


def played(case, row):
    """Answer every question with what the row has; the case, and the columns that were asked."""
    asked = []
    names = case.tree.schema.names
    while case.question is not None:
        at = names.index(case.question.column.name)
        asked.append(at)
        case = case.answered("?" if row[at] is None else str(row[at]))
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
        if case.verdict.shares is not None:
            assert case.verdict.answer == model.predict([like.tolist()])[0]


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
            case = case.answered("?" if row[at] is None else str(row[at]))


def test_a_question_whose_branches_say_the_same_is_not_asked():
    """colour is asked at the root, but both its branches ask for age in the same way."""
    schema = Schema((Column("colour", Kind.CATEGORY, NAMES), Column("age", Kind.NUMBER)), Target("y", ("a", "b")))

    def below():
        return number("age", 30, leaf({"a": 4}), leaf({"b": 4}))

    tree = build(schema, asks("colour", {name: below() for name in NAMES}))
    case = consult(tree, Rule("fractional"))
    assert case.question.column.name == "age"
    assert case.answered("31").verdict.answer == "b"


def test_a_leaf_alone_asks_nothing():
    schema = Schema((Column("age", Kind.NUMBER),), Target("y", ("a", "b")))
    case = consult(build(schema, leaf({"a": 3, "b": 1})), Rule())
    assert case.question is None
    assert case.verdict.shares == {"a": 0.75, "b": 0.25}


# What is not known exactly.


def test_categories_with_probabilities_are_the_mean_of_the_answers():
    model, _ = fitted("c4.5 groups")
    case = begin(model)
    names = case.tree.schema.names
    mixed = {2: {"red": 0.5, "green": 0.3, "blue": 0.2}, 3: {"red": 0.25, "blue": 0.75}}
    while case.question is not None:
        at = names.index(case.question.column.name)
        text = ", ".join(f"{n}: {p}" for n, p in mixed[at].items()) if at in mixed else "2"
        case = case.answered(text)
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
        case = case.answered(answers[case.question.column.name])
    points = np.linspace(0.7, 4.9, 42_001)[:-1] + 0.00005  # the middles of 42000 steps; cuts are at halves
    expected = says(model, np.array([[p, 3, "red", "red"] for p in points], object)).mean()
    assert case.verdict.answer == pytest.approx(expected, abs=2e-3)


def test_a_range_without_an_end_goes_by_the_training_rows():
    """Sunny days by humidity: 2 of 5 were at most 75."""
    case = consult(golf_example(), Rule("fractional")).answered("sunny")
    assert case.answered("> 75").verdict.shares == case.answered("90").verdict.shares
    assert case.answered("<= 75").verdict.shares == case.answered("70").verdict.shares
    assert case.answered("> 10").verdict.shares["Play"] == pytest.approx(0.4)
    assert case.answered(">= 60").verdict.shares == case.answered("?").verdict.shares


def test_the_ranges_are_those_of_c45():
    """A leaf of n rows of one class: 1 - U25(0, n) is the n-th root of a quarter."""
    verdict = consult(golf_example(), Rule()).answered("overcast").verdict
    assert verdict.answer == "Play"
    low, high = verdict.ranges["Play"]
    assert (low, high) == (pytest.approx(0.25 ** (1 / 4)), 1.0)
    assert verdict.ranges["Don't Play"] == (0.0, pytest.approx(1 - 0.25 ** (1 / 4)))


# Taking back, changing, giving.


def test_back_change_and_what_was_told():
    case = consult(golf_example(), Rule("fractional"))
    with pytest.raises(InputError, match="no answer to take back"):
        case.back()
    further = case.answered("sunny").answered("80")
    assert further.back().question.column.name == "humidity"
    assert further.back().back().question.column.name == "outlook"
    changed = further.without("outlook")
    assert changed.question.column.name == "outlook"
    changed = changed.answered("rain")
    assert changed.question.column.name == "windy"
    assert [one.words for one in changed.told] == ["80", "rain"]
    with pytest.raises(InputError, match="'windy' was not asked yet"):
        further.without("windy")
    with pytest.raises(InputError, match="'wind' is no column"):
        further.without("wind")
    with pytest.raises(InputError, match="Nothing is asked any more"):
        further.answered("1")
    with pytest.raises(InputError, match="'humidity' is still to be answered"):
        _ = further.back().verdict


def test_answers_all_at_once():
    tree = golf_example()
    case = consult(tree, Rule("fractional")).given({"humidity": [70, 80], "outlook": {"sunny": 1}, "windy": None})
    assert case.verdict.shares == {"Don't Play": 0.5, "Play": 0.5}


def test_a_tree_that_refuses_missing_values_says_so():
    case = consult(golf_example(), Rule())
    with pytest.raises(InputError, match=r"'outlook' has to be known.*--missing fractional"):
        case.answered("?")


def test_way_and_question():
    case = consult(golf_example(), Rule("fractional")).answered("sunny")
    question = case.question
    assert question.way == ("outlook = sunny",)
    assert question.words == "humidity <= 75"
    assert question.share == 1.0
    ends = case.answered("?").verdict.ends
    assert [(end.node, round(end.share, 2)) for end in ends] == [(5, 0.6), (4, 0.4)]
    assert ends[0].way == ("outlook = sunny", "humidity > 75")


def test_a_deep_tree_is_asked_without_recursion_and_in_time():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 6))
    model = CARTClassifier(pruning=None).fit(X, rng.integers(0, 2, 20_000))
    case, asked = played(begin(model), X[0].tolist())
    assert len(asked) == 6
    assert spoken(case) == says(model, X[:1])[0].tolist()
