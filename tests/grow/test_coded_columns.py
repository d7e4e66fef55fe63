"""Numbers of few values are read from tallies instead of sorted lists: the same trees and surrogates, bit for bit."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.compare import check_same
from tests.oracles.plans import NAMED, random_limits
from tests.oracles.tables import make_table
from treewright import C45Classifier, CARTClassifier, MDLTreeClassifier
from treewright._core.codes import WHOLE
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.fast_paths import FAST_PATHS, fast_path_sizes, without_fast_paths
from treewright.grow import coded_columns, prepare
from treewright.grow.candidates import PURE, GrowthReplay
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_numbers, predict_probabilities

FEWER = settings(max_examples=settings.default.max_examples // 2)
"""Half of the examples of other tests: each grows several trees."""
FEWEST_ROWS = int(FAST_PATHS["coded columns"].size or 0)
PLANS = {
    "gini": Plan(),
    "entropy": Plan(criterion="entropy"),
    "twoing": Plan(criterion="twoing"),
    "c4.5": Plan(criterion="entropy", merit="ratio", floor="average", grouping="each", penalty="cuts", side="release8",
                 minimum="weight", collapse=True),
    "mdl": Plan(criterion="entropy", merit="ratio", floor="description", grouping="each", penalty="description"),
    "squared error": Plan(criterion="squared_error"),
    "charged": Plan(criterion="squared_error", penalty="description"),
}  # fmt: skip


@pytest.fixture
def small_tables_too():
    with fast_path_sizes({"coded columns": 1}):
        yield


def numbers(draw: st.DrawFn, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """A column of few values or of many, in any order, with ties and halves."""
    n_values = draw(st.sampled_from([1, 2, 3, 16, 70, 256, 300, 10**6]))
    return rng.integers(0, n_values, n_rows) * draw(st.sampled_from([1.0, 0.5, -0.25]))


@st.composite
def datasets(draw: st.DrawFn, n_classes: int, *, holes: bool = False) -> Dataset:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([2, 9, 40, 150, 600]))
    values = [numbers(draw, n_rows, rng) for _ in range(draw(st.integers(1, 5)))]
    signal = values[0] / (abs(values[0]).max() + 1.0) + draw(st.sampled_from([0.0, 0.3])) * rng.normal(size=n_rows)
    columns = [Column(f"n{i}", Kind.NUMBER) for i in range(len(values))]
    for i in range(draw(st.integers(0, 2))):
        names = tuple(f"c{v}" for v in range(draw(st.sampled_from([2, 4, 30, 300]))))
        values.append(rng.integers(0, len(names), n_rows).astype(float))
        columns.append(Column(f"c{i}", Kind.CATEGORY, names))
    table = np.column_stack(values)
    if holes:
        table[rng.random(table.shape) < rng.choice([0.0, 0.1, 1.0], table.shape[1], p=[0.5, 0.45, 0.05])] = np.nan
    if not n_classes:
        return Dataset(Schema(tuple(columns), Target("y")), table, signal.round(draw(st.sampled_from([0, 9]))))
    labels = np.digitize(signal, np.linspace(signal.min(), signal.max(), n_classes + 1)[1:-1]).astype(np.int32)
    return Dataset(Schema(tuple(columns), Target("y", tuple(range(n_classes)))), table, labels)


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    return Limits(
        max_depth=draw(st.sampled_from([None, 2, 6])),
        min_leaf=draw(st.sampled_from([1, 1, 3, 10])),
        max_leaves=draw(st.sampled_from([None, None, 2, 12])),
    )


@pytest.mark.parametrize("name", PLANS)
@given(data=st.data())
@FEWER
def test_same_tree_as_from_lists(name, data):
    many = 2 if name == "twoing" else data.draw(st.sampled_from([2, 3, 7, 12, 33]))
    n_classes = 0 if PLANS[name].for_numbers else many
    check_same_as_from_lists(data, data.draw(datasets(n_classes)), replace(PLANS[name], limits=data.draw(limits())))


MISSING = {
    "surrogate": Plan(missing="surrogate"),
    "always": Plan(missing="surrogate", surrogates="always", max_surrogates=2),
    "learned": Plan(missing="learned"),
    "learned entropy": Plan(criterion="entropy", missing="learned", grouping="each"),
    "branch": Plan(criterion="entropy", missing="branch", grouping="each"),
    "stop": Plan(missing="stop"),
    "surrogate regression": Plan(criterion="squared_error", missing="surrogate"),
    "learned regression": Plan(criterion="squared_error", missing="learned"),
}


@pytest.mark.parametrize("name", MISSING)
@given(data=st.data())
@FEWER
def test_same_tree_as_from_lists_with_holes(name, data):
    dataset = data.draw(datasets(0 if MISSING[name].for_numbers else data.draw(st.sampled_from([2, 3])), holes=True))
    check_same_as_from_lists(data, dataset, replace(MISSING[name], limits=data.draw(limits())))


def grow_from_lists(dataset: Dataset, plan: Plan) -> Tree:
    with without_fast_paths("coded columns"):
        return grow(dataset, plan)


def check_same_as_from_lists(data: st.DataObject, dataset: Dataset, plan: Plan) -> None:
    from_lists = grow_from_lists(dataset, plan)
    sizes = {"coded columns": 1, "kept counts": data.draw(st.sampled_from([0.01, 0.3, 1.0, 100.0]))}
    shared = {"threads": 0, "subtrees": data.draw(st.sampled_from([10, 100]))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded_columns, "MOST_SLOTS", data.draw(st.sampled_from([1, 2, 64])))
        with fast_path_sizes(sizes):
            assert grow(dataset, plan).fingerprint() == from_lists.fingerprint()
        with fast_path_sizes(sizes | shared):
            assert grow(dataset, plan, n_jobs=2).fingerprint() == from_lists.fingerprint()


SKEWED = PLANS | MISSING | {
    "release8": Plan(side="release8"),
    "release8 bins": Plan(side="release8", max_bins=16),
    "release8 twoing": Plan(criterion="twoing", side="release8", threshold="value"),
    "release8 mdl": replace(PLANS["mdl"], side="release8", minimum="weight"),
    "release8 surrogate": Plan(criterion="entropy", side="release8", missing="surrogate"),
    "release8 branch": Plan(criterion="entropy", merit="ratio", side="release8", missing="branch", grouping="binary"),
    "always entropy": Plan(criterion="entropy", missing="surrogate", surrogates="always"),
    "always twoing": Plan(criterion="twoing", missing="surrogate", surrogates="always"),
    "always regression": Plan(criterion="squared_error", missing="surrogate", surrogates="always"),
}


@st.composite
def skewed_datasets(draw: st.DrawFn, n_classes: int, *, holes: bool) -> Dataset:
    """Columns of which one value, mostly the lowest or the highest, has nearly all rows; enough rows for codes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([FEWEST_ROWS, FEWEST_ROWS + 300]))
    n_columns = draw(st.integers(2, 7))
    table = np.empty((n_rows, n_columns))
    for f in range(n_columns):
        n_values = int(rng.choice([2, 2, 3, 9, 70, 200]))
        usual = rng.choice([0, 0, n_values - 1, n_values // 2])
        rare = rng.random(n_rows) < rng.choice([0.002, 0.01, 0.03, 0.1, 0.5])
        table[:, f] = np.where(rare, rng.integers(0, n_values, n_rows), usual)
    signal = (table / table.max(axis=0).clip(1)) @ rng.normal(size=n_columns) + rng.normal(0, 0.2, n_rows)
    columns = [Column(f"n{f}", Kind.NUMBER) for f in range(n_columns)]
    if draw(st.booleans()):
        columns[-1] = Column("c", Kind.CATEGORY, tuple(f"c{v}" for v in range(int(table[:, -1].max()) + 1)))
    if holes:
        table[rng.random(n_rows) < 0.3, 0] = np.nan
    if not n_classes:
        return Dataset(Schema(tuple(columns), Target("y")), table, signal.round(1))
    labels = np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal).astype(np.int32)
    return Dataset(Schema(tuple(columns), Target("y", tuple(range(n_classes)))), table, labels)


@pytest.mark.parametrize("name", SKEWED)
@given(data=st.data())
@FEWER
def test_same_tree_where_one_value_has_nearly_all_rows(name, data):
    plan = SKEWED[name]
    many = 2 if plan.criterion == "twoing" else data.draw(st.sampled_from([2, 3, 9, 40]))
    n_classes = 0 if plan.for_numbers else many
    dataset = data.draw(skewed_datasets(n_classes, holes=plan.missing != "error" and data.draw(st.booleans())))
    least = data.draw(st.sampled_from([1, 2, 5, 20, 60]))
    plan = replace(plan, limits=Limits(min_leaf=least, max_leaves=data.draw(st.sampled_from([None, None, 12]))))
    tree, from_lists = grow(dataset, plan), grow_from_lists(dataset, plan)
    assert tree.fingerprint() == from_lists.fingerprint()
    if tree.surrogates is not None:
        assert tree.surrogates.to_bytes() == from_lists.surrogates.to_bytes()
    rows = dataset.values.copy()
    rows[np.random.default_rng(least).random(rows.shape) < 0.4] = np.nan
    assert np.array_equal(predicted(tree, rows), predicted(from_lists, rows))
    check_same_as_from_lists(data, dataset, plan)


def predicted(tree: Tree, rows: np.ndarray) -> np.ndarray:
    """Predictions by the tree's own rule for missing values, fractions where it has none."""
    rule = MissingPolicy("fractional") if tree.missing == "error" else MissingPolicy()
    return (
        predict_numbers(tree, rows, rule)
        if tree.schema.target.classes is None
        else predict_probabilities(tree, rows, rule)
    )


def rare_in_the_smaller_half(n_more: int) -> Dataset:
    """z = 1, of 10 rows, is among the 100 rows of a = 0; the class is 1 where a or z is."""
    a = np.repeat([0.0, 1.0], [100, 100 + n_more])
    z = np.repeat([1.0, 0.0], [10, 190 + n_more])
    schema = Schema((Column("a", Kind.NUMBER), Column("z", Kind.NUMBER)), Target("y", (0, 1)))
    return Dataset(schema, np.column_stack([a, z]), np.maximum(a, z).astype(np.int32))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
@pytest.mark.parametrize("n_more", [100, 1000])
def test_a_side_too_small_above_is_large_enough_below(criterion, n_more):
    """By Release 8 each side of two classes has a twentieth of the rows, at most 25: 15 and 25 at the root, then 5."""
    dataset, plan = rare_in_the_smaller_half(n_more), Plan(criterion=criterion, side="release8")
    tree = grow(dataset, plan)
    assert tree.column.tolist() == [0, 1, -1, -1, -1]
    assert tree.count.tolist() == [200 + n_more, 100, 100 + n_more, 90, 10]
    assert tree.impurity[2:].tolist() == [0.0, 0.0, 0.0]
    seen = {one.node: one for one in GrowthReplay(dataset, plan).visit(tree, range(5))}
    assert [(seen[node].chosen, seen[node].closed) for node in range(5)] == [(0, None), (1, None)] + [(None, PURE)] * 3


@pytest.mark.parametrize("n_more", [700, 1000])
@pytest.mark.parametrize("estimator", [C45Classifier, MDLTreeClassifier])
def test_estimators_with_release_8s_sides_find_the_rare_value(estimator, n_more):
    dataset = rare_in_the_smaller_half(n_more)
    assert estimator().fit(dataset.values, dataset.target).score(dataset.values, dataset.target) == 1.0


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing", "squared_error"])
@pytest.mark.parametrize("n_more", [0, 100])
def test_a_side_too_small_for_a_leaf_is_large_enough_for_a_surrogate(criterion, n_more):
    """z = 1, of 10 rows, is no leaf, but a surrogate needs two rows a side: it sends 10 of 300 rows the right way."""
    x = np.repeat([0.0, 1.0, np.nan], [600, 300, n_more])
    z = np.zeros(len(x))
    z[600:610] = 1
    y = (x == 1).astype(float if criterion == "squared_error" else np.int32)
    target = Target("y", None if criterion == "squared_error" else ("no", "yes"))
    schema = Schema((Column("x", Kind.NUMBER), Column("z", Kind.NUMBER)), target)
    plan = Plan(criterion=criterion, missing="surrogate", surrogates="always", limits=Limits(min_leaf=20))
    tree = grow(Dataset(schema, np.column_stack([x, z]), y), plan)
    assert tree.column.tolist() == [0, -1, -1]
    assert tree.surrogates.column.tolist() == [1]
    assert tree.surrogates.agree.tolist() == [610 / 900]
    assert predicted(tree, np.array([[np.nan, 1.0]])).ravel()[-1] == 1.0


def test_cart_has_the_surrogates_of_a_fit_with_equal_weights():
    """Weights are not coded, and equal ones change nothing."""
    rng = np.random.default_rng(7)
    n_rows = FEWEST_ROWS
    y = rng.integers(0, 2, n_rows)
    X = np.column_stack([y + rng.normal(size=n_rows), *(rng.random((9, n_rows)) < 0.005 + 0.02 * y)])
    X[rng.random(n_rows) < 0.3, 0] = np.nan
    once, twice = (CARTClassifier(pruning=None, min_samples_leaf=20).fit(X, y, np.full(n_rows, w)) for w in (1.0, 2.0))
    found, expected = once.tree_.surrogates, twice.tree_.surrogates
    assert len(expected) > 5
    for name in ("start", "column", "threshold", "low", "agree"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
    assert np.array_equal(once.predict_proba(X), twice.predict_proba(X))


@pytest.mark.parametrize("name", ["cart gini", "cart entropy", "c45", "cart squared_error"])
@pytest.mark.usefixtures("small_tables_too")
def test_same_tree_as_the_slow_grower(name):
    options = next(NAMED[n] for n in NAMED if n.startswith(name))
    for number in range(40):
        table = replace(make_table((name, number), regression=options.is_regression), weights=None)
        check_same((name, number), table, random_limits(Random(number), options) if number % 2 else options)


def columns_coded(values: np.ndarray, plan: Plan, weight: np.ndarray | None = None) -> list[int]:
    columns = tuple(Column(f"n{i}", Kind.NUMBER) for i in range(values.shape[1]))
    labels = np.arange(len(values), dtype=np.int32) % 2
    target, answers = (Target("y"), labels * 1.0) if plan.for_numbers else (Target("y", ("a", "b")), labels)
    ready = prepare.prepare(Dataset(Schema(columns, target), values, answers, weight), plan, coded=True)
    list_of, _, coded_of = ready.table["places"]
    assert ready.table["n_lists"] == 1 + (list_of >= 0).sum()
    return np.flatnonzero(coded_of >= 0).tolist()


def test_which_columns_are_coded():
    rng = np.random.default_rng(3)
    n_rows = 2000
    values = np.column_stack([rng.normal(size=n_rows), np.arange(n_rows) % 256, np.arange(n_rows) % 257,
                              rng.integers(0, 2, n_rows) * -0.0, np.full(n_rows, 7.0)])  # fmt: skip
    assert columns_coded(values, Plan()) == [1, 3, 4]
    assert columns_coded(values, Plan(criterion="squared_error")) == [1, 3, 4]
    assert columns_coded(np.asfortranarray(values), Plan()) == [1, 3, 4]
    assert columns_coded(values, Plan(criterion="absolute_error")) == []
    assert columns_coded(values, Plan(monotonic=(0, 1, 0, 0, 0))) == []
    assert columns_coded(values, Plan(missing="surrogate", surrogates="always")) == [1, 3, 4]
    assert columns_coded(values, Plan(), np.linspace(1, 2, n_rows)) == []
    values[5, :2] = np.nan
    assert columns_coded(values, Plan(missing="learned")) == [3, 4]
    assert columns_coded(values, Plan(missing="surrogate")) == [3, 4]
    assert columns_coded(values, Plan(missing="stop")) == []
    assert columns_coded(values, Plan(missing="fractional")) == []


def test_no_tallies_where_they_would_be_larger_than_the_table():
    values = np.arange(1200.0).reshape(-1, 1) % 200
    schema = Schema((Column("n", Kind.NUMBER),), Target("y", tuple(range(1200))))
    labels = np.arange(1200, dtype=np.int32)
    assert coded_columns.code_columns(Dataset(schema, values, labels), Plan(), WHOLE, {}, {}) is None
    assert coded_columns.code_columns(Dataset(schema, values % 2, labels), Plan(), WHOLE, {}, {}) is not None


def test_codes_rise_with_the_value():
    values = np.array([[3.5], [-2.0], [0.0], [-0.0], [3.5], [1e300]] * 200)
    schema = Schema((Column("n", Kind.NUMBER),), Target("y", ("a", "b")))
    coding = coded_columns.code_columns(Dataset(schema, values, np.zeros(len(values), np.int32)), Plan(), WHOLE, {}, {})
    assert coding.codes[:6, 0].tolist() == [2, 0, 1, 1, 2, 3]
    assert values[coding.row_of, 0].tolist() == [-2.0, 0.0, 3.5, 1e300]
