"""What every criterion in the registry keeps to; a new one is found here by itself."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.criteria import (
    IMPURITIES,
    LOSSES,
    MERITS,
    absolute_error,
    information_gain,
    squared_error,
    weighted_impurity,
)

CLOSE = {"rel": 1e-9, "abs": 1e-12}

weights = st.one_of(st.integers(0, 50), st.floats(0, 50).map(lambda w: round(w, 6)))


@st.composite
def branch_tables(draw, min_branches=1, max_branches=5):
    n_classes = draw(st.integers(1, 5))
    branch = st.lists(weights, min_size=n_classes, max_size=n_classes)
    table = np.array(draw(st.lists(branch, min_size=min_branches, max_size=max_branches)), dtype=float)
    assume(table.sum() > 1e-3)
    return table


two_branches = branch_tables(2, 2)
targets = st.lists(st.integers(0, 2000).map(lambda v: v / 8), min_size=1, max_size=12)

impurities = pytest.mark.parametrize("impurity", IMPURITIES.values(), ids=IMPURITIES)
losses = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
merits = pytest.mark.parametrize("merit", MERITS.values(), ids=MERITS)


@impurities
@pytest.mark.parametrize("counts", [[1], [7], [0, 3], [0.25, 0, 0], [0, 0, 1e9, 0], [0.1 + 0.2]])
def test_impurity_is_zero_when_pure(impurity, counts):
    assert impurity(counts) == 0.0


@impurities
@given(table=branch_tables(1, 1))
def test_impurity_is_positive_unless_pure(impurity, table):
    counts = table[0]
    value = impurity(counts)
    assert value >= 0.0
    if (counts > 1e-3 * counts.sum()).sum() > 1:
        assert value > 0.0


@impurities
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_impurity_is_largest_for_equal_shares(impurity, n_classes):
    rng = np.random.default_rng(n_classes)
    top = impurity([1] * n_classes)
    assert all(impurity(rng.random(n_classes)) < top for _ in range(50))


@impurities
@given(table=branch_tables(1, 1), factor=st.sampled_from([1e-6, 0.5, 3, 1e6]))
def test_impurity_knows_shares_only(impurity, table, factor):
    counts = table[0]
    value = impurity(counts)
    assert impurity(counts * factor) == pytest.approx(value, **CLOSE)
    assert impurity(counts[::-1]) == pytest.approx(value, **CLOSE)
    assert impurity([*counts, 0]) == pytest.approx(value, **CLOSE)


@impurities
@given(table=branch_tables())
def test_splitting_never_increases_impurity(impurity, table):
    assert weighted_impurity(table, impurity) <= impurity(table.sum(axis=0)) + 1e-12


@impurities
@given(table=branch_tables(2, 5))
def test_merging_two_branches_never_decreases_impurity(impurity, table):
    merged = np.vstack([table[0] + table[1], table[2:]])
    assert weighted_impurity(table, impurity) <= weighted_impurity(merged, impurity) + 1e-12


@losses
@given(value=st.floats(0, 1e6), n=st.integers(1, 9))
def test_loss_is_zero_when_all_targets_are_equal(loss, value, n):
    assert loss([value] * n) == 0.0


@losses
@given(y=targets)
def test_loss_is_positive_unless_all_targets_are_equal(loss, y):
    assert (loss(y) > 0.0) == (len(set(y)) > 1)


@losses
@given(low=targets, high=targets)
def test_splitting_never_increases_loss(loss, low, high):
    n_low, n_high = len(low), len(high)
    left = (n_low * loss(low) + n_high * loss(high)) / (n_low + n_high)
    assert left <= loss(low + high) + 1e-9


@pytest.mark.parametrize("loss", [squared_error, absolute_error])
@given(y=targets, shift=st.integers(-64, 64))
def test_loss_knows_differences_only(loss, y, shift):
    assert loss([v + shift for v in y]) == pytest.approx(loss(y), rel=1e-9, abs=1e-9)
    assert loss(y[::-1]) == pytest.approx(loss(y), rel=1e-9, abs=1e-9)


@losses
@given(rows=st.lists(st.tuples(st.integers(0, 80), st.integers(1, 4)), min_size=1, max_size=8))
def test_a_weight_of_k_counts_as_k_rows(loss, rows):
    y, weight = zip(*rows, strict=True)
    assert loss(y, weight) == pytest.approx(loss(np.repeat(y, weight)), rel=1e-9, abs=1e-9)


@merits
@given(table=two_branches)
def test_merit_is_never_negative(merit, table):
    assert merit(table) >= 0.0


@merits
@given(table=branch_tables(1, 1), share=st.sampled_from([0.0, 0.25, 0.5]))
def test_merit_is_zero_when_both_branches_have_the_same_shares(merit, table, share):
    counts = table[0]
    # The ratio divides rounding error by a split information of about 0.8, the others do not divide.
    assert merit([counts * share, counts * (1 - share)]) == pytest.approx(0.0, abs=1e-12)


@merits
@pytest.mark.parametrize("counts", [(5, 5), (3, 9), (1, 30)])
def test_merit_is_largest_for_branches_of_one_class_each(merit, counts):
    a, b = counts
    perfect = merit([[a, 0], [0, b]])
    others = [merit([[i, j], [a - i, b - j]]) for i in range(a + 1) for j in range(b + 1)]
    assert max(others) == pytest.approx(perfect, **CLOSE)
    assert perfect > 0.0


@merits
@given(table=two_branches)
def test_merit_knows_neither_names_nor_order(merit, table):
    value = merit(table)
    assert merit(table[::-1]) == pytest.approx(value, **CLOSE)
    assert merit(table[:, ::-1]) == pytest.approx(value, **CLOSE)
    assert merit(table * 4) == pytest.approx(value, **CLOSE)


@given(table=branch_tables(3, 5))
def test_gain_never_grows_when_branches_are_merged(table):
    merged = np.vstack([table[0] + table[1], table[2:]])
    assert information_gain(merged) <= information_gain(table) + 1e-12


@pytest.mark.parametrize(("one", "other"), list(combinations(IMPURITIES, 2)))
def test_impurities_rank_some_nodes_differently(one, other):
    rng = np.random.default_rng(0)
    nodes = rng.integers(0, 20, size=(200, 3)) + 1
    orders = [np.argsort([IMPURITIES[name](node) for node in nodes]) for name in (one, other)]
    assert not np.array_equal(*orders)


@pytest.mark.parametrize(("one", "other"), list(combinations(LOSSES, 2)))
def test_losses_rank_some_nodes_differently(one, other):
    nodes = np.random.default_rng(0).integers(0, 20, size=(200, 4))
    orders = [np.argsort([LOSSES[name](node) for node in nodes]) for name in (one, other)]
    assert not np.array_equal(*orders)


@pytest.mark.parametrize(("one", "other"), list(combinations(MERITS, 2)))
def test_merits_choose_differently_somewhere(one, other):
    rng = np.random.default_rng(0)
    for _ in range(200):
        whole = rng.integers(1, 20, size=3)
        splits = [np.array([low, whole - low]) for low in rng.integers(0, whole + 1, size=(6, 3))]
        best = [max(splits, key=MERITS[name]) for name in (one, other)]
        if MERITS[one](best[0]) > MERITS[one](best[1]) + 1e-9:
            return
    pytest.fail(f"{one} and {other} chose the same split of every node")
