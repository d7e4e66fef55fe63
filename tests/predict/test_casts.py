"""Numbers that no integer can hold, in columns where codes are expected: every way gives what the plain one gives."""

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright._core.predict import only_codes, translate
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.routing import route_rows

ODD = [
    np.nan, np.inf, -np.inf, 1e308, -1e308, 2.0**63, -(2.0**63), np.nextafter(-(2.0**63), -np.inf), 2.0**64, 2.0**62,
    2.0**53, 2.0**31, 2.0**31 - 1, -(2.0**31), -(2.0**31) - 1, 2.0**32, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0,
    4.0, 5e-324, -5e-324,
]  # fmt: skip


def is_code(value: float, n: int) -> bool:
    """A code, missing or unseen: by Python's numbers, which have no largest one."""
    return value != value or value == -np.inf or (abs(value) != np.inf and int(value) == value and 0 <= int(value) < n)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 2**31 - 1])
@pytest.mark.parametrize("value", ODD, ids=repr)
def test_only_codes(value, n):
    for place in (0, 70, 129):
        values = np.zeros((130, 3))
        values[place, 1] = value
        assert only_codes(values, np.array([0, n, 0], np.int32)) == is_code(value, n)
        assert only_codes(values, np.array([n, 0, n], np.int32))


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_translate(value):
    values, lost = np.array([[value]] * 3), np.zeros(1, np.uint8)
    translate(values, np.array([0]), np.array([0, 3]), np.array([2.0, np.nan, 0.0]), lost)
    known = {0.0: 2.0, 2.0: 0.0}.get(value, np.nan)
    assert np.array_equal(values, np.full((3, 1), known), equal_nan=True)
    assert bool(lost[0]) == (value == value and value not in (0.0, 2.0))


@pytest.fixture(scope="module", params=[CARTClassifier, C45Classifier, CARTRegressor])
def tree(request):
    """A tree that tests a column of three categories, one of numbers and one of forty categories, in turn."""
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.integers(0, 3, 600), rng.normal(size=600), rng.integers(0, 40, 600)]).astype(float)
    X[::17, 1] *= 1e300
    y = ((X[:, 0] == 1) ^ (X[:, 1] > 0.1) ^ (X[:, 2] % 5 == 2)).astype(int)
    found = request.param(pruning=None, categorical_features=[0, 2]).fit(X, y).tree_
    assert set(found.column[found.column >= 0].tolist()) == {0, 1, 2}
    return found


@pytest.mark.parametrize(
    "rule", [MissingPolicy(), MissingPolicy("majority", "majority"), MissingPolicy("stop", "stop")], ids=repr
)
def test_many_rows_end_where_each_ends_alone(tree, rule):
    """Rows side by side and rows one by one: a single row is always routed by the plain loop."""
    rng = np.random.default_rng(5)
    values = np.column_stack([rng.integers(0, 3, 500), rng.choice(ODD, 500), rng.integers(0, 40, 500)]).astype(float)
    values[::7, 0] = np.nan
    values[::11, 2] = -np.inf
    together = route_rows(tree, values, rule)[0]
    alone = np.array([route_rows(tree, values[[i]], rule)[0][0] for i in range(len(values))])
    assert np.array_equal(together, alone)


def test_numbers_that_are_no_codes_take_the_plain_way(tree):
    rng = np.random.default_rng(6)
    values = np.column_stack([rng.choice(ODD, 500), rng.normal(size=500), rng.choice(ODD, 500)])
    together = route_rows(tree, values, MissingPolicy())[0]
    alone = np.array([route_rows(tree, values[[i]], MissingPolicy())[0][0] for i in range(len(values))])
    assert np.array_equal(together, alone)


@pytest.mark.parametrize("value", [2.0**63, 1e308, -1e308, 2.0**31, -(2.0**31) - 1], ids=repr)
def test_large_numbers_in_training_columns(value):
    """A column with such a value among few others: which columns are coded never changes the tree."""
    x = np.tile([0.0, 1.0, 2.0, value], 300)
    y = (x == value).astype(int)
    model = CARTClassifier(pruning=None).fit(x[:, None], y)
    assert model.tree_.n_leaves == (2 if value == max(x) or value == min(x) else 3)
    assert model.predict(np.array([[value], [1.0]])).tolist() == [1, 0]
    as_category = CARTClassifier(pruning=None, categorical_features=[0]).fit(x[:, None], y)
    assert as_category.predict(np.array([[value], [1.0]] * 50)).tolist() == [1, 0] * 50


@pytest.mark.parametrize("least", [2**31, 2**62, 2**63, 2**64, 10**30, 10**300])
@pytest.mark.parametrize("weight", [None, np.linspace(0.5, 2.0, 200)], ids=["counted", "weighted"])
def test_a_minimum_beyond_64_bits_is_a_minimum(least, weight):
    X = np.random.default_rng(7).normal(size=(200, 2))
    for model in (CARTClassifier, C45Classifier, CARTRegressor):
        fitted = model(pruning=None, min_samples_leaf=least).fit(X, (X[:, 0] > 0).astype(int), weight)
        assert fitted.tree_.n_nodes == 1
