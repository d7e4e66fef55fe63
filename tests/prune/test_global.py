"""Global pruning: the weakest links go while the budget lasts; worked out by hand, and on a chain."""

import re
import time
from math import sqrt

import numpy as np
import pytest

from tests.oracles.pruning_compare import inner_paths
from treewright import CARTClassifier, CARTRegressor, ParameterError
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, golf_example, leaf, number
from treewright.prune import CostComplexity, Global, SameDecision
from treewright.prune.cost_complexity_path import cost_complexity_path
from treewright.prune.losses import training_losses

TWO = Schema((Column("x", Kind.NUMBER),), Target("y", ("no", "yes")))


def pair(at, first, second):
    """A split of x into two leaves of (no, yes)."""
    return number("x", at, leaf({"no": first[0], "yes": first[1]}), leaf({"no": second[0], "yes": second[1]}))


def three_ties():
    """Three splits that each save one error; 19 are left among 102 rows."""
    low = number("x", 10, pair(5, (17, 6), (3, 4)), pair(15, (6, 17), (4, 3)))
    return build(TWO, number("x", 20, low, pair(25, (1, 40), (1, 0))))


def noisy(seed, n=400, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X[:, 0] + rng.normal(size=n) > 0).astype(int) + (X[:, 1] > 1) * (classes > 2)


def test_by_hand():
    # 9 errors among 36 rows: sqrt(9 * (1 - 9 / 36)) = 2.598. Of x <= 30 the split saves 7 - 6 = 1 error.
    tree = build(TWO, number("x", 30, pair(20, (8, 2), (4, 5)), leaf({"no": 3, "yes": 14})))
    found = Global().prune(tree)
    assert found.tree.to_text() == "x <= 30: no (19/7)\nx > 30: yes (17/3)"
    inner, root = found.report.of(1), found.report.of(0)
    assert (inner.leaf, inner.subtree, inner.allowance) == (10, 9, pytest.approx(sqrt(9 * 27 / 36)))
    assert (inner.details, inner.verdict) == ({"extra for each leaf": 1, "leaves": 2}, "pruned")
    assert (root.leaf, root.details["leaves"], root.verdict) == (15, 1, "kept")
    assert found.report.rule == (
        "The nodes with the fewest extra errors for each leaf saved are pruned first, while the whole tree has at most "
        "11.6 errors on the training rows: 9 before pruning, and one standard error, 2.598."
    )
    # Less than half a standard error does not pay for the one error.
    assert Global(standard_errors=0.3).prune(tree).tree == tree


def test_ties_go_together_or_not_at_all():
    tree = three_ties()
    assert training_losses(tree).leaf[tree.is_leaf].sum() == 6 + 3 + 6 + 3 + 1
    links = cost_complexity_path(tree)
    assert np.count_nonzero(np.isclose(links.node_alpha * 102, 1.0)) == 3
    one = sqrt(19 * (1 - 19 / 102))
    # A budget for two of the three is one for none, and a budget for three is one for all.
    assert Global(standard_errors=2.9 / one).prune(tree).tree == tree
    assert Global(standard_errors=3.0 / one).prune(tree).tree.n_leaves == 3


def test_no_budget_takes_what_costs_nothing():
    for seed in range(4):
        grown = CARTClassifier(pruning=None, min_samples_leaf=5).fit(*noisy(seed)).tree_
        free = Global(standard_errors=0).prune(grown).tree
        assert inner_paths(free) == inner_paths(CostComplexity(alpha=0.0).prune(grown).tree)
        assert inner_paths(free) <= inner_paths(SameDecision().prune(grown).tree)
        losses = training_losses(grown), training_losses(free)
        assert losses[0].leaf[grown.is_leaf].sum() == losses[1].leaf[free.is_leaf].sum()
        assert SameDecision().prune(free).tree == free
        assert Global(standard_errors=0).prune(free).tree == free


def test_a_tree_without_errors_has_no_budget():
    assert Global(standard_errors=1e9).prune(golf_example()).tree == golf_example()


@pytest.mark.parametrize("classes", [2, 3])
def test_the_larger_the_budget_the_smaller_the_tree(classes):
    X, y = noisy(7, classes=classes)
    grown = CARTClassifier(pruning=None, min_samples_leaf=3).fit(X, y).tree_
    before, sizes = inner_paths(grown), []
    for errors in (0, 0.5, 1, 2, 4, 1e12):
        found = Global(standard_errors=errors).prune(grown)
        left = inner_paths(found.tree)
        assert left <= before
        before, sizes = left, [*sizes, len(left)]
        # No smaller tree of the path is within the budget.
        path = found.report.path
        extra = (path.risk - path.risk[0]) * len(y)
        within = sqrt(path.risk[0] * len(y) * (1 - path.risk[0])) * errors
        assert path.chosen == np.flatnonzero(extra <= within + 1e-9)[-1]
        assert found.tree == path.tree_at(path.alphas[path.chosen])
    assert sizes[-1] == 0
    assert len(set(sizes)) > 3


def test_pruned_again_it_goes_on():
    """The errors of the tree that comes are the measure, and they are more the second time."""
    grown = CARTClassifier(pruning=None, min_samples_leaf=5).fit(*noisy(2)).tree_
    once = Global().prune(grown).tree
    assert 1 < Global().prune(once).tree.n_leaves < once.n_leaves < grown.n_leaves


def numbers(criterion, seed=1, n=3000):
    """Levels of a number with errors that the standard error of the loss is worked out by."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, n)
    error = rng.normal(size=n) if criterion == "squared_error" else rng.laplace(size=n)
    return x[:, None], 100.0 * x + error


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_the_standard_error_of_a_sum_of_losses(criterion):
    X, y = numbers(criterion)
    tree = CARTRegressor(criterion=criterion, pruning=None).fit(X, y).tree_
    off = y - tree.predict(X)
    losses = off**2 if criterion == "squared_error" else np.abs(off)
    report = Global().prune(tree).report
    assert report.subtree[0] == pytest.approx(losses.sum())
    assert report.allowance[0] == pytest.approx(losses.std() * sqrt(len(y)), rel=0.1)
    unit = "squared error" if criterion == "squared_error" else "absolute error"
    assert report.unit == unit
    assert f"least extra {unit}" in report.rule


def test_units_of_a_number_do_not_matter():
    rng = np.random.default_rng(5)
    X, noise = rng.normal(size=(500, 3)), rng.normal(size=500)
    y = X[:, 0] + noise
    model = CARTRegressor(min_samples_leaf=10, pruning="global")
    sizes = [
        model.fit(X, factor * y + shift).get_n_leaves()
        for factor, shift in [(1, 0), (1e-90, 0), (2.0**300, 0)]
    ]
    assert sizes[0] == sizes[1] == sizes[2] < model.grown_tree_.n_leaves
    assert model.fit(X, 4 * y + 16).get_n_leaves() == sizes[0]


def test_equal_numbers_are_one_leaf():
    schema = Schema((Column("x", Kind.NUMBER),), Target("y"))
    tree = build(schema, number("x", 1, leaf(2.0, 3), leaf(2.0, 4)))
    assert Global().prune(tree).tree.n_nodes == 1
    assert Global().prune(build(schema, number("x", 1, leaf(2.0, 3), leaf(3.0, 4)))).tree.n_nodes == 3


@pytest.mark.parametrize("errors", [-1, "1", None, float("inf"), True])
def test_a_wrong_budget_is_named(errors):
    said = rf"standard_errors must be a number of at least 0, got {re.escape(repr(errors))}\."
    with pytest.raises(ParameterError, match=said):
        Global(standard_errors=errors)


def test_fifty_thousand_nodes():
    spec = leaf({"yes": 3})
    for i in range(25_000, 0, -1):
        spec = number(
            "x", i, leaf({"no": 3 + i % 3, "yes": 1} if i // 40 % 2 else {"yes": 3 + i % 5, "no": 1}), spec
        )
    tree = build(TWO, spec)
    assert tree.n_nodes == 50_001
    start = time.perf_counter()
    found = Global().prune(tree)
    # Some 20 ms; what looks at all nodes for each node takes minutes.
    assert time.perf_counter() - start < 2
    assert 1 < found.tree.n_leaves < tree.n_leaves
