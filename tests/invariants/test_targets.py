"""What targets and weights may do: lie far apart, and be very large or very small."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.invariants.partitions import sent_tree
from tests.oracles.compare import engine_tree
from tests.oracles.options import CART, Column, Options
from tests.oracles.tables import Table
from treewright import (
    CARTRegressor,
    MDLTreeRegressor,
    TreeRegressor,
)
from treewright.errors import InputError

REGRESSION = replace(CART, criterion="squared_error")
CRITERIA = ["squared_error", "absolute_error"]
REGRESSORS = [TreeRegressor, CARTRegressor, MDLTreeRegressor]
MISSING = ["fractional", "surrogate", "stop", "learned", "branch"]

plain = st.floats(-10, 10).map(lambda y: y if abs(y) > 1e-3 else 0.0)
far_apart = st.one_of(plain, st.builds(lambda y, k: y * 2.0**k, plain, st.integers(-40, 60)))


@st.composite
def number_tables(
    draw: st.DrawFn, targets: st.SearchStrategy[float], weights: st.SearchStrategy[float] | None = None
) -> Table:
    """A table of 2 to 16 rows, a number and a category, for regression."""
    n = draw(st.integers(2, 16))
    target = draw(st.lists(targets, min_size=n, max_size=n))
    numbers = draw(st.lists(st.integers(0, 6).map(float), min_size=n, max_size=n))
    codes = draw(st.lists(st.integers(0, 3).map(float), min_size=n, max_size=n))
    weight = None if weights is None else tuple(draw(st.lists(weights, min_size=n, max_size=n)))
    return Table((Column("number", numbers), Column("category", codes, 4)), tuple(target), 0, weight)


def check_means(table: Table, options: Options = REGRESSION) -> None:
    """Every mean is that of the node's rows: to 1e-12 of their range, and to the last digit of a float64.

    A weight that is not whole is rounded to 2^-52 of the sum of all weights, by the rules of growth; a weight that is
    off by e moves a mean by at most e / W of the range.
    """
    weights = table.weights or (1.0,) * table.n_rows
    is_whole = all(w == int(w) for w in weights)
    rounding = 0 if is_whole else Fraction(2.0**-52) * sum(map(Fraction, weights))
    nodes = [sent_tree(table, options)]
    while nodes:
        node = nodes.pop()
        nodes += node.get("children", [])
        if not node["rows"]:
            continue
        y, w = ([Fraction(column[r]) for r in node["rows"]] for column in (table.target, weights))
        mean = sum(a * b for a, b in zip(y, w, strict=True)) / sum(w)
        part = Fraction(1e-12) + rounding * len(y) / sum(w)
        assert abs(Fraction(node["value"][0]) - mean) <= part * (max(y) - min(y)) + Fraction(2.0**-52) * abs(mean)


@given(table=number_tables(far_apart))
def test_means_beside_outliers(table):
    check_means(table)


@given(table=number_tables(far_apart, st.integers(1, 2**47).map(float)))
def test_means_under_large_weights(table):
    check_means(table)


@given(table=number_tables(far_apart, st.floats(1e-3, 1e9)))
def test_means_under_weights_that_are_not_whole(table):
    check_means(table)


def test_the_mean_of_rows_of_large_weight():
    X, y = np.zeros((8, 1)), np.array([0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0])
    model = TreeRegressor().fit(X, y, sample_weight=np.full(8, 2.0**48))
    assert model.predict(X[:1])[0] == pytest.approx(0.55, rel=1e-15)


@pytest.mark.parametrize("missing", MISSING)
def test_the_mean_of_rows_beside_an_outlier(missing):
    X, y = np.arange(6.0)[:, None], np.array([0.25, 0.5, 0.75, 3.0, 5.0, 1e18])
    tree = TreeRegressor(min_samples_leaf=2, missing=missing).fit(X, y).tree_
    leaf = int(np.flatnonzero((tree.first_child < 0) & (tree.value[:, 0] == 0.375))[0])
    assert tree.impurity[leaf] == 0.125**2
    assert tree.stats[leaf].tolist() == [2.0, 0.375, 2 * 0.125**2]


def test_the_distance_from_the_median_beside_an_outlier():
    X, y = np.repeat([0.0, 1.0], 4)[:, None], np.array([0.25, 0.5, 0.75, 2.0, 3.0, 5.0, 6.0, 1e18])
    tree = TreeRegressor(criterion="absolute_error", max_depth=1).fit(X, y).tree_
    assert tree.value[:, 0].tolist() == [2.5, 0.625, 5.5]
    assert tree.impurity[1] == 2.0 / 4


def test_shares_of_rows_beside_an_outlier():
    """The missing row is in both leaves, with 3/5 and 2/5 of its weight."""
    X = np.array([0.0, 0.0, 0.0, 1.0, 1.0, np.nan])[:, None]
    y = np.array([0.25, 0.5, 0.75, 3.0, 1e18, 1.25])
    tree = TreeRegressor(max_depth=1).fit(X, y).tree_
    assert tree.value[1, 0] == pytest.approx((1.5 + 0.6 * 1.25) / 3.6, rel=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=number_tables(plain, st.integers(1, 5).map(float)), power=st.integers(1, 40))
def test_large_weights_are_as_good_as_small_ones(criterion, table, power):
    """Only the proportions of weights matter to a tree whose minimums count rows."""
    options = replace(CART, criterion=criterion)
    large = replace(table, weights=tuple(w * 2.0**power for w in table.weights))
    one, other = engine_tree(table, options), engine_tree(large, options)
    assert one.threshold.tobytes() == other.threshold.tobytes()
    assert one.parent.tobytes() == other.parent.tobytes()
    # the mean of a node is exact to 1e-12 of the range of its targets, and these are two
    np.testing.assert_allclose(one.value, other.value, rtol=1e-14, atol=2e-12 * np.ptp(table.target) + 1e-14)
    np.testing.assert_array_equal(one.weight * 2.0**power, other.weight)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=number_tables(far_apart, st.integers(1, 300).map(float)))
def test_weight_is_copies_beside_outliers(criterion, table):
    options = replace(CART, criterion=criterion)
    rows = [r for r in range(table.n_rows) for _ in range(int(table.weights[r]))]
    one, other = engine_tree(table, options), engine_tree(replace(table.take(rows), weights=None), options)
    assert one.value.tobytes() == other.value.tobytes()
    assert one.threshold.tobytes() == other.threshold.tobytes()


@pytest.mark.parametrize(("criterion", "most"), [("squared_error", 430), ("absolute_error", 850)])
@given(data=st.data())
def test_the_scale_of_targets(criterion, most, data):
    """A power of two changes no digit, so neither the splits nor the digits of a value, impurity or gain."""
    table = data.draw(number_tables(plain, data.draw(st.sampled_from([None, st.floats(0.1, 10)]))))
    power = data.draw(st.integers(-most, most))
    options = replace(CART, criterion=criterion)
    one = engine_tree(table, options)
    other = engine_tree(replace(table, target=tuple(y * 2.0**power for y in table.target)), options)
    for name in ("parent", "column", "threshold", "count", "weight"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
    assert (one.value * 2.0**power).tobytes() == other.value.tobytes()
    times = 2 if criterion == "squared_error" else 1
    for name in ("impurity", "gain"):
        np.testing.assert_array_equal(np.ldexp(getattr(one, name), times * power), getattr(other, name))


def example(n_rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 2))
    return X, X[:, 0] + 0.1 * random.normal(size=n_rows)


@pytest.mark.parametrize("power", [-440, -300, 300, 480])
def test_why_and_predictions_of_very_large_and_small_targets(power):
    X, y = example()
    one, other = (TreeRegressor(max_depth=4).fit(X, np.ldexp(y, k)) for k in (0, power))
    assert other.tree_.threshold.tobytes() == one.tree_.threshold.tobytes()
    assert np.ldexp(other.predict(X), -power).tobytes() == one.predict(X).tobytes()
    for node in range(one.tree_.n_nodes):
        found, scaled = (model.why(node).entry for model in (one, other))
        gains = ([c.gain for c in entry.candidates if c.gain is not None] for entry in (found, scaled))
        np.testing.assert_array_equal(np.ldexp(next(gains), 2 * power), next(gains))


@pytest.mark.parametrize("make", REGRESSORS)
@pytest.mark.parametrize("size", [1e155, 1e200, 1e300])
def test_targets_whose_squares_are_infinite_are_refused(make, size):
    X, y = example()
    sentence = "The target has values as large as .*, so the sum of their squares overflows; divide it by a constant"
    with pytest.raises(InputError, match=sentence):
        make().fit(X, y * size)


@pytest.mark.parametrize("make", REGRESSORS)
@pytest.mark.parametrize("size", [1e-150, 1e-160, 1e-200, 1e-300])
def test_targets_whose_squares_are_0_are_refused(make, size):
    X, y = example()
    with pytest.raises(InputError, match=r"The target varies by only .*; multiply it by a constant"):
        make().fit(X, y * size)


@pytest.mark.parametrize("size", [1e-260, 1e-200, 1e155, 1e200, 1e300])
def test_absolute_errors_need_no_squares(size):
    X, y = example()
    power = int(np.log2(size))
    one, other = (TreeRegressor(criterion="absolute_error").fit(X, np.ldexp(y, k)) for k in (0, power))
    assert np.ldexp(other.predict(X), -power).tobytes() == one.predict(X).tobytes()
    assert other.tree_.threshold.tobytes() == one.tree_.threshold.tobytes()
    assert other.why(0).entry.chosen == one.why(0).entry.chosen


@pytest.mark.parametrize("size", [1e-200, 1e155, 1e200])
def test_pruning_that_squares_absolute_errors_says_so(size):
    X, y = example()
    sentence = (
        r"The target has a mean loss of .*, too (?:small|large) for pruning; "
        r".* the target by a constant, or set pruning=None"
    )
    with pytest.raises(InputError, match=sentence):
        CARTRegressor(criterion="absolute_error").fit(X, y * size)


def test_equal_targets_of_any_size_are_one_leaf():
    for size in (1e-300, 1e150):
        model = TreeRegressor().fit(np.arange(3.0)[:, None], np.full(3, size))
        assert model.predict([[1.0]]).tolist() == [size]
