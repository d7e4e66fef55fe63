"""max_bins: the tree of the binned table, its thresholds between values of the whole column, whatever store grew it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError
from treewright.fast_paths import fast_path_sizes
from treewright.grow.bins import Bins, bin_sorted_values, find_bins
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan
from treewright.model.tree import Tree

PLANS = {
    "gini": Plan(),
    "best first": Plan(criterion="entropy", limits=Limits(max_leaves=9, min_leaf=2)),
    "c4.5": Plan(criterion="entropy", merit="ratio", floor="average", grouping="each", penalty="cuts",
                 threshold="value",
                 missing="fractional"),
    "learned": Plan(missing="learned"),
    "monotone": Plan(criterion="squared_error", monotonic=(1, 0), missing="learned"),
    "squared error": Plan(criterion="squared_error", missing="learned"),
    "absolute error": Plan(criterion="absolute_error", missing="learned"),
}  # fmt: skip


def table(seed: int, n_rows: int, plan: Plan, *, holes: bool, weighted: bool) -> Dataset:
    """A skew column with many ties and one of few values."""
    rng = np.random.default_rng(seed)
    skew = np.where(rng.random(n_rows) < 0.3, 0.0, np.exp(3 * rng.normal(size=n_rows)).round(2))
    values = np.column_stack([skew, rng.integers(0, 5, n_rows)])
    signal = np.log1p(skew) + values[:, 1] * (skew > 1) + rng.normal(size=n_rows)
    if holes:
        values[rng.random(values.shape) < 0.1] = np.nan
    weight = rng.integers(1, 4, n_rows).astype(float) if weighted else None
    columns = (Column("skew", Kind.NUMBER), Column("few", Kind.NUMBER))
    if plan.for_numbers:
        return Dataset(Schema(columns, Target("y")), values, signal.round(1), weight)
    labels = np.digitize(signal, [1, 3]).astype(np.int32)
    return Dataset(Schema(columns, Target("y", ("a", "b", "c"))), values, labels, weight)


@pytest.mark.parametrize("name", PLANS)
@given(seed=st.integers(0, 2**32), max_bins=st.sampled_from([2, 7, 30, 255]), data=st.data())
@settings(max_examples=15, deadline=None)
def test_the_tree_of_the_numbers_of_bins(name, seed, max_bins, data):
    """Growth on the numbers of the bins instead of the values gives the same tree; only thresholds are others."""
    holes = PLANS[name].missing != "error" and data.draw(st.booleans())
    n_rows, weighted = data.draw(st.sampled_from([30, 300, 1200])), data.draw(st.booleans())
    rows = table(seed, n_rows, PLANS[name], holes=holes, weighted=weighted)
    bins = find_bins(rows, max_bins)
    values = rows.values.copy()
    for f, own in bins.items():
        known = ~np.isnan(values[:, f])
        values[known, f] = np.searchsorted(own.top, values[known, f])
    tree = grow(rows, replace(PLANS[name], max_bins=max_bins))
    slow = grow(replace(rows, values=values), PLANS[name])
    for part in ("parent", "first_child", "column", "count", "gain", "impurity", "weight", "missing_branch"):
        np.testing.assert_array_equal(getattr(tree, part), getattr(slow, part), err_msg=part)
    if not holes:
        check_thresholds(tree, slow, values, bins)


def check_thresholds(tree: Tree, slow: Tree, values: np.ndarray, bins: dict[int, Bins]) -> None:
    """A threshold stands behind the highest bin that goes low; `values` are the numbers of bins."""
    waiting = [(0, np.arange(len(values)))]
    while waiting:
        node, rows = waiting.pop()
        if not tree.n_children[node]:
            continue
        f, first = int(tree.column[node]), int(tree.first_child[node])
        low = values[rows, f] <= slow.threshold[node]
        waiting += [(first, rows[low]), (first + 1, rows[~low])]
        if f in bins:
            highest = int(values[rows[low], f].max())
            assert tree.threshold[node] in (bins[f].edge[highest], bins[f].top[highest])


@given(seed=st.integers(0, 2**32), max_bins=st.integers(2, 255))
@settings(max_examples=25, deadline=None)
def test_the_store_does_not_matter(seed, max_bins):
    rows, plan = table(seed, 500, Plan(), holes=False, weighted=False), Plan(max_bins=max_bins)
    from_lists = grow(rows, plan)
    with fast_path_sizes({"coded columns": 1}):
        assert grow(rows, plan).fingerprint() == from_lists.fingerprint()


@given(seed=st.integers(0, 2**32), n=st.integers(1, 2000), max_bins=st.integers(2, 255))
@settings(max_examples=60, deadline=None)
def test_bins(seed, n, max_bins):
    rng = np.random.default_rng(seed)
    values = np.where(rng.random(n) < rng.random(), 1.0, rng.normal(size=n)).round(int(rng.integers(0, 4)))
    different = np.unique(values)
    bins = bin_sorted_values(np.sort(np.append(values, np.nan)), max_bins)
    if len(different) <= max_bins:
        assert bins is None
        return
    assert 2 <= len(bins.top) <= max_bins
    assert set(bins.top) <= set(different)
    assert bins.top[-1] == different[-1]
    above = different[np.searchsorted(different, bins.top[:-1]) + 1]
    np.testing.assert_array_equal(bins.edge, (bins.top[:-1] + above) / 2)
    numbers = np.empty(n, np.uint8)
    bins.number(values, numbers)
    np.testing.assert_array_equal(numbers, np.searchsorted(bins.top, values))
    assert set(numbers.tolist()) == set(range(len(bins.top)))


def test_a_frequent_value_takes_no_bins_from_the_others():
    values = np.concatenate([np.zeros(90_000), np.linspace(1, 2, 10_000)])
    assert len(bin_sorted_values(values, 255).top) > 240
    assert len(bin_sorted_values(-values[::-1], 255).top) > 240


@pytest.mark.parametrize("kind", [CARTClassifier, C45Classifier, CARTRegressor])
def test_order_of_rows_and_threads(kind):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(3000, 4))
    y = (X[:, 0] * X[:, 1] > 0) * 1
    model = kind(max_bins=20, pruning=None).fit(X, y)
    order = rng.permutation(len(X))
    assert kind(max_bins=20, pruning=None).fit(X[order], y[order]).tree_.fingerprint() == model.tree_.fingerprint()
    with fast_path_sizes({"threads": 0, "subtrees": 100}):
        assert kind(max_bins=20, pruning=None, n_jobs=2).fit(X, y).tree_.fingerprint() == model.tree_.fingerprint()
    assert len(set(model.tree_.threshold[np.isfinite(model.tree_.threshold)])) <= 4 * 19
    np.testing.assert_array_equal(model.apply(X), kind(pruning=None, max_bins=20).fit(X, y).apply(X))


def test_reasons_files_and_pages(tmp_path):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(400, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")
    model = CARTClassifier(max_bins=8, max_depth=3).fit(X, y)
    why = model.why(0)
    assert str(why)
    assert f"{model.tree_.threshold[0]:.4g}"[:4] in str(why)
    model.save(tmp_path / "model.json", ledgers=True, rows=True)
    loaded = treewright.load(tmp_path / "model.json")
    assert loaded.max_bins == 8
    assert str(loaded.why(0)) == str(why)
    loaded.save(tmp_path / "again.json", ledgers=True, rows=True)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    model.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10_000


@pytest.mark.parametrize("wrong", [1, 256, 2.5, True, "many"])
def test_wrong_numbers(wrong):
    with pytest.raises(ParameterError, match="max_bins"):
        CARTClassifier(max_bins=wrong).fit([[1], [2]], [0, 1])
