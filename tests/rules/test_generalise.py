"""Generalised rules against their slow twin, and what must hold for all of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import slow
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
)
from treewright.data.schema import Kind
from treewright.rules.generalise import GeneraliseOptions, generalise

COLOURS = ("red", "green", "blue", "white")


def table(seed, n, noise=0.2, holes=0.0, n_classes=2):
    """Two numbers and two categories that say something about the class, as a list of rows, and the classes."""
    rng = np.random.default_rng(seed)
    rows, classes = [], []
    for _ in range(n):
        x, z = int(rng.integers(0, 12)), int(rng.integers(0, 6))
        colour, shape = COLOURS[rng.integers(4)], "ab"[rng.integers(2)]
        score = (x > 5) + (colour in ("red", "blue")) * (shape == "a") + (z > 3 and x < 3)
        label = int(score) % n_classes if rng.random() > noise else int(rng.integers(n_classes))
        row = [x, z, colour, shape]
        rows.append([None if rng.random() < holes else cell for cell in row])
        classes.append(label)
    return rows, classes


def plain_cases(model, rows, classes, weights=None):
    """The cases of the slow twin: cells as numbers and codes."""
    columns = model.tree_.schema.columns
    codes = [{c: i for i, c in enumerate(column.categories)} for column in columns]

    def cell(column, value):
        return value if value is None or columns[column].kind == Kind.NUMBER else codes[column][value]

    place = {label: code for code, label in enumerate(model.tree_.schema.target.classes)}
    weights = [1] * len(rows) if weights is None else weights
    return [
        (tuple(cell(i, v) for i, v in enumerate(row)), place[label], weight)
        for row, label, weight in zip(rows, classes, weights, strict=True)
    ]


def in_steps(rule):
    """A rule of the package in the form of the slow twin, but for the nodes."""
    steps = []
    for test in rule.tests:
        c = test.condition
        value = test.cut if test.kind == 2 else frozenset(c.codes.tolist())
        steps.append((c.position, test.kind, value, c.high == test.cut if test.kind == 2 else None))
    return steps


def compare(model, rows, classes, weights=None):
    made = generalise(model.grown_tree_, model._training_rows(), GeneraliseOptions())
    listed, kept, default, errors = slow.generalised(model.grown_tree_, plain_cases(model, rows, classes, weights))
    ours = [(i + 1, in_steps(made.found[i]), made.found[i].code) for i in made.listed]
    assert ours == [(number, [step[:4] for step in steps], code) for number, steps, code, _ in listed]
    np.testing.assert_allclose([made.found[i].error for i in made.listed], [e for *_, e in listed], rtol=1e-6)
    assert [i + 1 for i in made.kept] == [number for number, *_ in kept]
    assert made.default == default
    assert model.rules("generalised").training_errors == errors
    return made


@pytest.mark.parametrize("seed", range(6))
def test_as_the_slow_twin(seed):
    rows, classes = table(seed, 60, n_classes=2 + seed % 2)
    compare(C45Classifier(pruning=None).fit(rows, classes), rows, classes)


@pytest.mark.parametrize("seed", range(3))
def test_as_the_slow_twin_with_missing_values(seed):
    rows, classes = table(seed, 80, holes=0.15)
    compare(C45Classifier(pruning=None).fit(rows, classes), rows, classes)


@pytest.mark.parametrize("seed", range(2))
def test_as_the_slow_twin_with_many_rules(seed):
    """More than ten rules for a class, so that chance is asked."""
    rows, classes = table(seed, 150, noise=0.35)
    made = compare(C45Classifier(pruning=None, min_samples_leaf=1).fit(rows, classes), rows, classes)
    assert max(sum(rule.code == code for rule in made.found) for code in (0, 1)) > 10


@pytest.mark.parametrize("model", [CARTClassifier(pruning=None), C45Classifier(pruning=None, grouping="greedy")])
def test_as_the_slow_twin_with_subsets_of_categories(model):
    rows, classes = table(3, 90, n_classes=3)
    made = compare(model.fit(rows, classes), rows, classes)
    assert any(test.kind == 3 for rule in made.found for test in rule.tests)


def test_as_the_slow_twin_with_weights_that_are_copies():
    rows, classes = table(5, 50)
    weights = [1 + i % 3 for i in range(50)]
    model = C45Classifier(pruning=None).fit(rows, classes, sample_weight=weights)
    compare(model, rows, classes, weights)
    again = [row for row, w in zip(rows, weights, strict=True) for _ in range(w)]
    labels = [label for label, w in zip(classes, weights, strict=True) for _ in range(w)]
    copies = C45Classifier(pruning=None).fit(again, labels)
    assert copies.rules("generalised").to_json() == model.rules("generalised").to_json()


@settings(max_examples=15)
@given(st.permutations(range(70)), st.sampled_from([0.5, 1.0, 8.0]))
def test_neither_the_order_of_rows_nor_the_unit_of_weights_matters(order, unit):
    rows, classes = table(8, 70, holes=0.1)
    weights = [unit * (1 + i % 2) / 3 for i in range(70)]
    one = C45Classifier(pruning=None).fit(rows, classes, sample_weight=weights)
    shuffled = [[values[i] for i in order] for values in (rows, classes, weights)]
    other = C45Classifier(pruning=None).fit(shuffled[0], shuffled[1], sample_weight=shuffled[2])
    first, second = one.rules("generalised"), other.rules("generalised")
    assert first.to_json() == second.to_json()
    scaled = C45Classifier(pruning=None).fit(rows, classes, sample_weight=[w / unit for w in weights])
    assert scaled.rules("generalised").to_text() == first.to_text()


def test_rows_of_weight_zero_do_not_count():
    rows, classes = table(2, 60)
    model = C45Classifier(pruning=None).fit(rows, classes)
    more = C45Classifier(pruning=None).fit(
        [*rows, [99, 98, "red", "a"]], [*classes, 1], sample_weight=[1] * 60 + [0]
    )
    assert more.rules("generalised").to_json() == model.rules("generalised").to_json()


def test_the_order_of_classes_decides_ties():
    X = [["sunny"], ["rain"]] * 8
    model = C45Classifier(pruning=None).fit(X, ["play", "stay"] * 8)
    assert [rule.prediction for rule in model.rules("generalised")] == ["play", "stay"]
    turned = model.rules("generalised", class_order=["stay", "play"])
    assert [rule.prediction for rule in turned] == ["stay", "play"]
    assert (turned.default, model.rules("generalised").default) == ("stay", "play")
    assert turned.predict(X).tolist() == ["play", "stay"] * 8
    assert turned[0].probabilities == (0.0, 1.0)


@pytest.mark.parametrize("order", [["stay"], ["stay", "stay"], ["stay", "go"], "stay", 3, [["stay"], ["play"]]])
def test_an_order_that_is_not_all_classes_is_refused(order):
    model = C45Classifier(pruning=None).fit([["sunny"], ["rain"]] * 8, ["play", "stay"] * 8)
    with pytest.raises(ParameterError, match="class_order must have each of the classes 'play', 'stay' once"):
        model.rules("generalised", class_order=order)


def test_missing_is_a_condition_where_the_tree_asks_for_it():
    """A branch of missing values becomes a rule; any other condition fails where the value is missing."""
    X = [[None, "a"]] * 10 + [[1.0, "a"], [1.0, "b"]] * 10
    y = ["lost"] * 10 + ["kept"] * 20
    model = TreeClassifier(missing="branch").fit(X, y)
    rules = model.rules("generalised")
    assert {str(rule) for rule in rules} == {"x0 is missing -> lost", "x0 is known -> kept"}
    assert rules.predict([[None, "b"], [7.0, None]]).tolist() == ["lost", "kept"]


def test_without_a_rule_the_default_answers_everything():
    model = ID3Classifier(numeric="bisect").fit([[1], [1], [1]], ["a", "b", "b"])
    rules = model.rules("generalised")
    assert (len(rules), rules.default, rules.training_errors) == (0, "b", 1.0)
    assert rules.to_text() == "Default class: b"
    assert rules.predict([[5]]).tolist() == ["b"]
    np.testing.assert_allclose(rules.predict_proba([[5]]), [[1 / 3, 2 / 3]])


def test_numbers_are_refused_even_without_rows():
    model = CARTRegressor().fit([[1], [2], [3]], [1.0, 2.0, 3.0])
    model._kept = None
    with pytest.raises(ParameterError, match="use form='leaves'"):
        model.rules("generalised")
