"""SHAP values: they sum to the predictions, equal Shapley values by definition, and those of shap where players agree.

The expectations are path-dependent: a column that is unknown is averaged over the training rows of each node.
"""

from functools import cache
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest

from tests.export.walk import branch_at, mixed, models
from treewright import CARTRegressor, ID3Classifier, presets
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.export.binary_view import as_binary
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import EVERY, REFUSE, STOP, scoring, scoring_of
from treewright.export.shap_values import shap_values, shap_values_of_codes, to_shap
from treewright.model.build import build, leaf, number

NAMES = list(models())
ONE_CODED_COLUMN = [
    "c45 grouped", "cart", "cart refused", "cart unseen refused", "mdl", "regression", "regression fractional"
]  # fmt: skip
"""Models in which no path tests two coded columns of one column of the user."""


@pytest.fixture(scope="module")
def fitted():
    return models()


def shapley(value, players):
    """Shapley values by definition; `value` takes a frozenset of players."""
    n, found = len(players), {}
    for player in players:
        others = [one for one in players if one != player]
        found[player] = 0.0
        for size in range(n):
            weight = factorial(size) * factorial(n - size - 1) / factorial(n)
            for chosen in map(frozenset, combinations(others, size)):
                found[player] = found[player] + weight * (value(chosen | {player}) - value(chosen))
    return found


def expectation(scoring, row, known, node=0):
    """The mean prediction where only the columns `known` of the row are known."""
    tree, one = scoring.tree, scoring.tests[node]
    if one is None:
        return tree.value[node]
    below = [expectation(scoring, row, known, child) for child in one.children]
    weights = tree.weight[list(one.children)]
    if one.test.position not in known:
        stopped = 0.0
        if tree.missing == scoring.missing == "stop" or (tree.missing == "stop" and one.unseen == STOP):
            stopped = max(0.0, tree.weight[node] - weights.sum())
        total = weights.sum() + stopped
        return (weights @ np.array(below) + stopped * tree.value[node]) / total
    go = branch_at(one, row)
    if go == STOP:
        return tree.value[node]
    return weights @ np.array(below) / weights.sum() if go == EVERY else below[go]


@pytest.mark.parametrize("name", NAMES)
def test_they_sum_to_the_predictions(fitted, name):
    scoring = scoring_of(fitted[name])
    probes = make_probes(scoring, fitted[name]._kept.values)
    kept = ~probes.refused & (True if scoring.missing != "error" else ~np.isnan(probes.values).any(axis=1))
    found = shap_values_of_codes(scoring, probes.values[kept])
    sums = found.values.sum(axis=1) + found.base_values
    assert np.abs(sums.reshape(-1, probes.probabilities.shape[1]) - probes.probabilities[kept]).max() < 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_they_are_shapley_values_of_the_columns(fitted, name):
    scoring = scoring_of(fitted[name])
    probes = make_probes(scoring, fitted[name]._kept.values)
    inner = [one for one in scoring.tests if one is not None]
    rows = np.array([row for row in probes.values[::25] if REFUSE not in [branch_at(one, row) for one in inner]])
    assert len(rows) > 5
    found = shap_values_of_codes(scoring, rows)
    values = found.values.reshape(len(rows), len(scoring.tree.schema.columns), -1)
    assert expectation(scoring, rows[0], frozenset()) == pytest.approx(found.base_values, abs=1e-12)
    for row, of_row in zip(rows, values, strict=True):
        worth = cache(lambda known, row=row: expectation(scoring, row, known))
        for position, expected in shapley(worth, range(len(row))).items():
            assert of_row[position] == pytest.approx(expected, abs=1e-12)


def test_eight_columns():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 8))
    model = CARTRegressor(max_depth=8, min_samples_leaf=4).fit(X, X.sum(axis=1) + X[:, 0] * X[:, 1])
    scoring = scoring_of(model)
    rows = X[:2]
    found = shap_values(model, rows)
    assert found.values.shape == (2, 8)
    for row, of_row in zip(rows, found.values, strict=True):
        worth = cache(lambda known, row=row: expectation(scoring, row, known)[0])
        assert list(shapley(worth, range(8)).values()) == pytest.approx(of_row, abs=1e-10)


def test_a_table_of_the_user(fitted):
    X, _, _ = mixed(n=40, seed=4)
    found = shap_values(fitted["c45"], X)
    assert found.values.shape == (40, 4, 3)
    assert found.values.sum(axis=1) + found.base_values == pytest.approx(fitted["c45"].predict_proba(X), abs=1e-12)
    number = shap_values(fitted["regression"].tree_, X)
    assert number.values.shape == (40, 4)
    assert number.base_values.shape == ()
    assert number.values.sum(axis=1) + number.base_values == pytest.approx(fitted["regression"].predict(X), abs=1e-12)
    with pytest.raises(InputError, match="has a missing value"):
        shap_values(fitted["cart refused"], X)


def test_a_column_that_is_never_tested_has_zero(fitted):
    X, _, _ = mixed(n=40, seed=4)
    used = scoring_of(fitted["cart"]).used
    values = shap_values(fitted["cart"], X).values
    assert not values[:, [i for i in range(4) if i not in used]].any()
    assert values[:, used].any()


def explainer_of(scoring):
    shap = pytest.importorskip("shap", reason="shap is not installed")
    return shap.TreeExplainer(to_shap(scoring))


@pytest.mark.parametrize("name", NAMES)
def test_the_explainer_of_shap_sums_to_the_predictions(fitted, name):
    scoring = scoring_of(fitted[name])
    explainer, binary = explainer_of(scoring), as_binary(scoring)
    probes = make_probes(scoring, fitted[name]._kept.values)
    kept = ~probes.refused & binary.accepts(probes.values)
    coded = binary.encode_codes(probes.values[kept])
    values = explainer.shap_values(coded)  # checks the sums, with the tolerance of shap
    sums = values.sum(axis=1) + explainer.expected_value
    assert np.abs(sums.reshape(-1, probes.probabilities.shape[1]) - probes.probabilities[kept]).max() < 1e-9
    if name in ONE_CODED_COLUMN:
        ours = shap_values_of_codes(scoring, probes.values[kept])
        assert np.abs(binary.decode_columns(values) - ours.values).max() < 1e-9
        assert explainer.expected_value == pytest.approx(ours.base_values, abs=1e-12)


def coded_expectation(tree, row, known, i=0):
    """The same over the coded columns of a binary tree, from the arrays that shap gets."""
    left, right = tree["children_left"][i], tree["children_right"][i]
    if left < 0:
        return tree["values"][i]
    feature, weight = tree["features"][i], tree["node_sample_weight"]
    if feature in known:
        cell = row[feature]
        go = tree["children_default"][i] if np.isnan(cell) else left if cell <= tree["thresholds"][i] else right
        return coded_expectation(tree, row, known, go)
    sides = coded_expectation(tree, row, known, left), coded_expectation(tree, row, known, right)
    return (weight[left] * sides[0] + weight[right] * sides[1]) / weight[i]


@pytest.mark.parametrize("name", ["id3", "c45", "c45 majority", "cart stop", "cart", "regression", "costs"])
def test_the_explainer_of_shap_gives_shapley_values_of_the_coded_columns(fitted, name):
    scoring = scoring_of(fitted[name])
    explainer, binary = explainer_of(scoring), as_binary(scoring)
    tree = to_shap(scoring)["trees"][0]
    values = make_probes(scoring).values
    rows = binary.encode_codes(values[binary.accepts(values)][::60])
    found = explainer.shap_values(rows).reshape(len(rows), binary.n_features, -1)
    assert 3 < binary.n_features <= 8
    for row, of_row in zip(rows, found, strict=True):
        worth = cache(lambda known, row=row: coded_expectation(tree, row, known))
        for i, expected in shapley(worth, range(binary.n_features)).items():
            assert of_row[i] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_they_are_those_of_shap_for_a_tree_of_scikit_learn(task):
    shap = pytest.importorskip("shap", reason="shap is not installed")
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    rng = np.random.default_rng(5)
    X = rng.normal(size=(600, 5)).astype(np.float32).astype(float)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.9, 600)
    y = (score > 0) if task == "classification" else score
    kind = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    grown = kind(max_depth=4, min_samples_leaf=10, random_state=0).fit(X, y)
    model = presets.scikit_learn(task=task, max_depth=4, min_samples_leaf=10).fit(X, y)
    assert (as_binary(scoring_of(model)).feature == grown.tree_.feature).all()
    explainer = shap.TreeExplainer(grown)
    found = shap_values(model, X)
    assert np.abs(explainer.shap_values(X) - found.values).max() < 1e-9
    assert np.abs(explainer.expected_value - found.base_values).max() < 1e-9


@pytest.mark.parametrize("cut", [0.1, 1e-308, 5e-324, 2.0**53, -0.0, 0.1 + 0.2, 1e300, 123456789.123456789])
def test_numbers_survive(cut):
    schema = Schema((Column("x", Kind.NUMBER),), Target("t"))
    found = scoring(build(schema, number("x", cut, leaf(1 / 3), leaf(0.1 + 0.2))), "stop")
    rows = np.array([[cut], [np.nextafter(cut, -np.inf)], [np.nextafter(cut, np.inf)]])
    values = shap_values_of_codes(found, rows)
    assert values.values.sum(axis=1) + values.base_values == pytest.approx([1 / 3, 1 / 3, 0.1 + 0.2], abs=1e-15)
    tree = to_shap(found)["trees"][0]
    assert tree["values"].dtype == tree["thresholds"].dtype == np.float64
    assert cut in tree["thresholds"]
    assert {1 / 3, 0.1 + 0.2} <= set(tree["values"].ravel())


def test_an_empty_branch():
    X = pd.DataFrame({"a": ["x", "y", "x", "y"] * 3, "b": ["u", "u", "v", "w"] * 3})
    model = ID3Classifier(pruning=None).fit(X, [0, 1, 0, 0] * 3)
    scoring = scoring_of(model)
    rows = pd.DataFrame({"a": ["x", "y", "y"], "b": ["u", "v", "w"]})
    found = shap_values(model, rows)
    assert (scoring.tree.weight == 0).any()
    assert found.values.sum(axis=1) + found.base_values == pytest.approx(model.predict_proba(rows))
    explainer = explainer_of(scoring)
    values = explainer.shap_values(as_binary(scoring).encode(rows))
    assert values.sum(axis=1) + explainer.expected_value == pytest.approx(model.predict_proba(rows), abs=1e-9)
