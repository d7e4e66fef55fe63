"""One rule for each leaf: conditions of the same column put together, and what the training rows say."""

import time
from itertools import product
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from tests.rules.plain_rules import owners, satisfied
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ParameterError, TreeClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, is_missing, leaf, number, ordered, table
from treewright.predict.missing_policy import MissingPolicy
from treewright.rules.leaf_rules import leaf_rules

AGE, WAGE = Column("age", Kind.NUMBER), Column("wage", Kind.NUMBER)
COLOUR = Column("colour", Kind.CATEGORY, ("red", "green", "blue", "white", "black"))
SIZE = Column("size", Kind.ORDERED, ("S", "M", "L"))
SCHEMA = Schema((AGE, COLOUR, SIZE, WAGE), Target("bought", ("no", "yes")))
NO, YES = leaf({"no": 3}), leaf({"no": 1, "yes": 3})


def said(spec, asked=None, **given):
    return [rule.words() for rule in leaf_rules(build(SCHEMA, spec, **given), asked)]


def test_tests_of_a_number_become_one_interval():
    spec = number("age", 7, number("wage", 1, NO, number("age", 3, NO, number("age", 5, NO, YES))), YES)
    assert said(spec) == [
        "age <= 7 and wage <= 1",
        "age <= 3 and wage > 1",
        "3 < age <= 5 and wage > 1",
        "5 < age <= 7 and wage > 1",
        "age > 7",
    ]


def test_tests_of_a_category_become_one_set():
    inner = table("colour", {("red",): NO, ("green",): YES})
    spec = table("colour", {("red", "green", "blue"): inner, ("white",): NO}, other=YES)
    # blue was met above and not below; there it takes the heaviest branch, and that is said.
    assert said(spec) == ["colour = red", "colour in {green, blue}", "colour = white", "colour = black"]


def test_the_shorter_of_in_and_not_in():
    assert said(table("colour", {("red", "green", "blue"): NO, ("white", "black"): YES})) == [
        "colour not in {white, black}",
        "colour in {white, black}",
    ]


def test_ordered_categories():
    assert said(ordered("size", "M", ordered("size", "S", NO, YES), NO)) == ["size = S", "size = M", "size = L"]


def test_missing_values_with_a_branch_of_their_own():
    assert said(number("age", 3, NO, YES, missing=leaf("no"))) == ["age <= 3", "age > 3", "age is missing"]
    assert said(is_missing("colour", NO, YES)) == ["colour is known", "colour is missing"]
    spec = is_missing("age", number("age", 3, NO, YES), YES)
    assert said(spec) == ["age <= 3", "age > 3", "age is missing"]


def test_missing_values_with_a_branch_that_is_learned():
    spec = number("age", 7, number("age", 3, NO, YES, missing=1), YES, missing=0)
    assert said(spec, missing="learned") == ["age <= 3", "3 < age <= 7 or is missing", "age > 7"]
    assert said(spec, MissingPolicy("majority"), missing="learned") == said(spec, missing="learned")
    assert said(spec, MissingPolicy("fractional"), missing="learned") == ["age <= 3", "3 < age <= 7", "age > 7"]
    other = number("age", 7, number("wage", 3, NO, YES, missing=0), YES, missing=0)
    assert said(other, missing="learned")[0] == "(age <= 7 or is missing) and (wage <= 3 or is missing)"


def test_a_tree_of_one_leaf():
    (rule,) = leaf_rules(build(SCHEMA, YES))
    assert (rule.words(), rule.prediction, rule.support) == ("always", "yes", 1.0)
    assert (rule.confidence, rule.lift) == (0.75, 1.0)


def test_support_confidence_and_lift():
    rules = leaf_rules(build(SCHEMA, number("age", 3, leaf({"no": 6, "yes": 2}), leaf({"no": 1, "yes": 3}))))
    first, second = rules
    assert (first.prediction, first.weight, first.support, first.confidence) == ("no", 8.0, 8 / 12, 0.75)
    assert first.lift == pytest.approx(0.75 / (7 / 12))
    assert (second.prediction, second.confidence, second.probabilities) == ("yes", 0.75, (0.25, 0.75))
    assert second.lift == pytest.approx(0.75 / (5 / 12))
    assert [rule.number for rule in rules] == [1, 2]
    assert [rule.node for rule in rules] == [1, 2]


def test_an_empty_branch_answers_as_the_node_above():
    rules = leaf_rules(build(SCHEMA, table("colour", {"red": NO, "green": YES, "blue": leaf()})))
    assert (rules[2].weight, rules[2].support, rules[2].prediction) == (0.0, 0.0, "no")
    assert rules[2].confidence == pytest.approx(4 / 7)


def test_numbers_have_a_deviation():
    X, y = [[1], [2], [3], [4]], [2.0, 4.0, 10.0, 13.0]
    squared = CARTRegressor(pruning=None, max_depth=1).fit(X, y).rules()
    assert [(rule.prediction, rule.deviation) for rule in squared] == [(3.0, 1.0), (11.5, 1.5)]
    absolute = CARTRegressor(criterion="absolute_error", pruning=None, max_depth=1).fit(X, [2.0, 4.0, 10.0, 16.0])
    assert [(rule.prediction, rule.deviation) for rule in absolute.rules()] == [(3.0, 1.0), (13.0, 3.0)]
    assert squared[0].confidence is squared[0].lift is squared[0].probabilities is None
    spread = CARTRegressor(min_samples_split=5, pruning=None).fit(X, [0.0, 0.0, 0.0, 4.0]).rules()[0]
    assert spread.deviation == pytest.approx(sqrt(3))


def test_the_pruned_tree_is_told():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    model = C45Classifier().fit(X, y)
    assert model.get_n_leaves() < model.grown_tree_.n_leaves
    assert len(model.rules()) == model.get_n_leaves()
    assert sorted(rule.node for rule in model.rules()) == np.flatnonzero(model.tree_.is_leaf).tolist()
    assert sum(rule.support for rule in model.rules()) == pytest.approx(1.0)


def test_a_tree_40_000_deep_takes_seconds():
    """A staircase of two columns: conditions are put together on the way down, not gone over for each leaf again."""
    n, spec = 40_000, leaf({"no": 1})
    for i in range(n):
        spec = number("age" if i % 3 else "wage", float(i), leaf({"yes": 1}), spec)
    tree = build(SCHEMA, spec)
    assert tree.depth == n
    start = time.perf_counter()
    rules = leaf_rules(tree)
    assert time.perf_counter() - start < 20
    assert len(rules) == n + 1
    assert rules[n].words() == f"wage > {n - 1} and age > {n - 2}"


def test_many_categories_in_many_branches():
    n = 3000
    X = pd.DataFrame({"town": [f"t{i % n}" for i in range(2 * n)], "x": np.arange(2 * n) % 7})
    y = [(i % n) % 2 for i in range(2 * n)]
    model = C45Classifier(pruning=None).fit(X, y)
    start = time.perf_counter()
    rules = model.rules()
    assert time.perf_counter() - start < 10
    assert len(rules) == model.get_n_leaves() == n
    assert rules.predict(X[:9]).tolist() == y[:9]


def test_an_unknown_form_and_an_unfitted_estimator():
    with pytest.raises(NotFittedError):
        CARTClassifier().rules()
    model = TreeClassifier().fit([[1], [2]], [0, 1])
    with pytest.raises(ParameterError, match=r"form must be one of 'leaves', 'generalised'.*, got 'tree'"):
        model.rules("tree")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("missing", ["learned", "branch", "majority"])
def test_merged_conditions_are_exact_and_none_is_idle(seed, missing):
    """Every row that there can be, also with missing values, satisfies the rule of its leaf and no other."""
    random = np.random.default_rng(seed)
    colours, sizes = ["red", "green", "blue", "white"], ["S", "M", "L"]
    X = pd.DataFrame({
        "x": random.integers(0, 6, 80).astype(float),
        "colour": pd.Categorical(random.choice(colours, 80), colours),
        "size": pd.Categorical(random.choice(sizes, 80), sizes, ordered=True),
    }).mask(random.random((80, 3)) < 0.1)  # fmt: skip
    y = random.integers(0, 3, 80)
    if missing == "majority":
        model = CARTClassifier(pruning=None, missing_predict="majority").fit(X, y)
    else:
        model = TreeClassifier(missing=missing, grouping=random.choice(["subset", "each"])).fit(X, y)
    cells = [[*np.arange(-0.5, 6.5, 0.25), None], [*colours, None], [*sizes, None]]
    every = pd.DataFrame(list(product(*cells)), columns=list(X))
    written = model.rules().to_dict()["rules"]
    n_rules, found = owners(written, every, np.arange(len(every)))
    assert set(n_rules.tolist()) == {1}
    assert np.array_equal(found, model.apply(every))
    for rule in written:
        asked = [condition["column"] for condition in rule["conditions"]]
        assert len(set(asked)) == len(asked)
        for condition in rule["conditions"]:
            place = list(X).index(condition["column"])
            assert not all(satisfied(condition, cell) for cell in cells[place])
