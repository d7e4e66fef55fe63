"""Losses of nodes, against rows that are sent down one by one in plain Python."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.missing_trees import HOLED, grown_trees, in_numbers
from tests.oracles.compare import dataset, plan
from tests.oracles.missing_tables import make_holed
from tests.oracles.options import CART, RELEASE8
from tests.predict.plain_routing import way
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.grow.grower import grow
from treewright.model.build import golf_example
from treewright.predict.missing_policy import MissingPolicy
from treewright.prune.losses import predicted_classes, training_losses, validation_losses

COSTS = np.array([[0.0, 1.0, 5.0], [2.0, 0.0, 1.0], [0.5, 3.0, 0.0]])
MISSING = st.sampled_from(["fractional", "majority", "stop", None])
RULES = st.builds(MissingPolicy, MISSING, st.sampled_from(["majority", "stop"]))


def sent_down(tree, rows, rule, loss):
    """The losses of nodes as leaves and of those that rows stop at, row by row; `loss` is of one row at a node."""
    missing = tree.missing if rule.missing is None else rule.missing
    leaf, staying = ([Fraction(0)] * tree.n_nodes for _ in range(2))
    weight = np.ones(rows.n_rows) if rows.weight is None else rows.weight
    for row, y, w in zip(rows.values.tolist(), rows.target.tolist(), weight.tolist(), strict=True):
        met, ended = way(tree, row, missing, rule.unseen)
        for node, share in met.items():
            leaf[node] += share * Fraction(w) * Fraction(loss(node, y))
        for node, share in ended.items():
            if tree.n_children[node]:
                staying[node] += share * Fraction(w) * Fraction(loss(node, y))
    return [float(x) for x in leaf], [float(x) for x in staying]


def rows_for(tree, values, data, *, numbers=False):
    n = len(values)
    if numbers:
        target = np.array(data.draw(st.lists(st.integers(-8, 8).map(lambda k: k / 4), min_size=n, max_size=n)))
    else:
        target = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
    weight = data.draw(st.none() | st.lists(st.integers(1, 8).map(lambda k: k / 4), min_size=n, max_size=n))
    return Dataset(tree.schema, values, target, None if weight is None else np.array(weight))


@given(grown_trees(("fractional", "surrogate", "learned", "branch", "stop")), HOLED, RULES, st.data())
def test_validation_losses_of_classes(tree, values, rule, data):
    rows = rows_for(tree, values, data)
    answer = tree.value.argmax(axis=1)
    found = validation_losses(tree, rows, rule)
    leaf, staying = sent_down(tree, rows, rule, lambda node, y: float(answer[node] != y))
    np.testing.assert_allclose(found.leaf, leaf, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.staying, staying, rtol=1e-12, atol=1e-12)
    assert found.total == pytest.approx(rows.n_rows if rows.weight is None else rows.weight.sum(), rel=1e-12)


@given(grown_trees(("fractional", "learned", "stop")), HOLED, RULES, st.data())
def test_validation_losses_by_costs(tree, values, rule, data):
    rows = rows_for(tree, values, data)
    # The answer of least expected cost, in exact numbers; the first one on a tie.
    expected = [[sum(Fraction(s) * Fraction(c) for s, c in zip(shares, column, strict=True)) for column in COSTS.T]
                for shares in tree.value.tolist()]  # fmt: skip
    answer = predicted_classes(tree, COSTS)
    for node, costs in enumerate(expected):
        assert float(costs[answer[node]] - min(costs)) <= 1e-11
    found = validation_losses(tree, rows, rule, COSTS)
    leaf, staying = sent_down(tree, rows, rule, lambda node, y: COSTS[y, answer[node]])
    np.testing.assert_allclose(found.leaf, leaf, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.staying, staying, rtol=1e-12, atol=1e-12)


@given(grown_trees(("fractional", "learned", "stop")), HOLED, RULES, st.integers(0, 99), st.data())
def test_validation_losses_of_numbers_are_squares(tree, values, rule, seed, data):
    tree = in_numbers(tree, seed)
    rows = rows_for(tree, values, data, numbers=True)
    value = tree.value[:, 0]
    found = validation_losses(tree, rows, rule)
    leaf, staying = sent_down(tree, rows, rule, lambda node, y: (Fraction(y) - Fraction(value[node])) ** 2)
    np.testing.assert_allclose(found.leaf, leaf, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.staying, staying, rtol=1e-9, atol=1e-9)


def test_squares_keep_their_digits_far_from_zero():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, 1))
    y = 1e8 + (x[:, 0] > 0) + 0.1 * rng.normal(size=400)
    rows = Dataset(Schema((Column("x", Kind.NUMBER),), Target("y")), x, y)
    tree = grow(rows, plan(replace(CART, criterion="squared_error", max_depth=2)))
    found = validation_losses(tree, rows, MissingPolicy())
    exact = sum((Fraction(v) - Fraction(float(tree.value[0, 0]))) ** 2 for v in y)
    assert found.leaf[0] == pytest.approx(float(exact), rel=1e-6)


@pytest.mark.parametrize("missing", ["stop", "fractional", "learned", "branch", "surrogate"])
@pytest.mark.parametrize("seed", range(12))
def test_training_losses_are_those_of_the_training_rows_sent_down_again(missing, seed):
    options = replace(CART if missing == "surrogate" else RELEASE8, missing=missing)
    rows = dataset(make_holed(f"losses {seed}"))
    tree = grow(rows, plan(options))
    again, found = validation_losses(tree, rows, MissingPolicy()), training_losses(tree)
    np.testing.assert_allclose(found.leaf, again.leaf, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.staying, again.staying, rtol=1e-9, atol=1e-9)
    assert found.total == pytest.approx(again.total, rel=1e-9)
    by_cost = np.arange(tree.stats.shape[1] ** 2, dtype=float).reshape(-1, tree.stats.shape[1])
    again, found = validation_losses(tree, rows, MissingPolicy(), by_cost), training_losses(tree, by_cost)
    np.testing.assert_allclose(found.leaf, again.leaf, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.staying, again.staying, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("missing", ["stop", "fractional", "learned", "branch", "surrogate"])
@pytest.mark.parametrize("seed", range(12))
def test_training_losses_of_numbers(missing, seed):
    rows = dataset(make_holed(f"losses {seed}", regression=True))
    tree = grow(rows, plan(replace(CART, criterion="squared_error", missing=missing)))
    again, found = validation_losses(tree, rows, MissingPolicy()), training_losses(tree)
    size = 1e-9 * max(1.0, again.leaf[0])
    np.testing.assert_allclose(found.leaf, again.leaf, rtol=1e-9, atol=size)
    np.testing.assert_allclose(found.staying, again.staying, rtol=1e-9, atol=size)


def test_some_rows_stay_and_cost():
    stays = 0
    for seed in range(12):
        for regression in (False, True):
            options = replace(CART, criterion="squared_error") if regression else RELEASE8
            rows = dataset(make_holed(f"losses {seed}", regression=regression))
            found = training_losses(grow(rows, plan(replace(options, missing="stop"))))
            stays += bool(found.staying.any())
    assert stays > 6


@pytest.mark.parametrize("weight", [None, np.zeros(2)])
def test_rows_without_weight_are_refused(weight):
    tree = golf_example()
    values = np.zeros((0 if weight is None else 2, 3))
    rows = Dataset(tree.schema, values, np.zeros(len(values), np.int32), weight)
    said = "The validation rows have no weight; pass at least one row with a positive weight"
    with pytest.raises(InputError, match=said):
        validation_losses(tree, rows, MissingPolicy())


def test_the_first_class_answers_where_costs_tie():
    tree = golf_example()
    assert predicted_classes(tree, np.array([[0.0, 0.0], [0.0, 0.0]])).tolist() == [0] * 8
    # 9 of 14 play: a wrong "Play" may cost up to 9 / 5 of a wrong "Don't Play".
    assert [int(predicted_classes(tree, np.array([[0.0, c], [1.0, 0.0]]))[0]) for c in (1.7, 1.8, 1.9)] == [1, 0, 0]
