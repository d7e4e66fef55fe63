"""Folds: every row is held out once, classes are shared out evenly, and nothing depends on the order of rows."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.invariants.strategies import finite, tables, with_holes
from tests.oracles.compare import dataset
from treewright.data.dataset import Dataset
from treewright.data.folds import folds, hold_out, order_rows
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError

SIZES = st.sampled_from([2, 3, 5, 10])


def contents(rows):
    """The rows with their answers and how much each weighs, whatever their order."""
    weight = np.ones(rows.n_rows) if rows.weight is None else rows.weight
    found = Counter()
    for values, answer, w in zip(rows.values.tolist(), rows.target.tolist(), weight.tolist(), strict=True):
        found[(*(None if v != v else v + 0.0 for v in values), answer)] += Fraction(w)
    return found


def all_parts(rows, k):
    return [tuple(map(contents, pair)) for pair in folds(rows, k)]


def plain(values, target, classes=("a", "b"), weight=None):
    values = np.asarray(values, float)
    columns = tuple(Column(f"x{i}", Kind.NUMBER) for i in range(values.shape[1]))
    target = np.asarray(target, np.float64 if classes is None else np.int32)
    return Dataset(Schema(columns, Target("y", classes)), values, target, weight)


@st.composite
def rows(draw, **options):
    table = draw(tables(regression=draw(st.booleans()), **options))
    return dataset(draw(with_holes(table)))


# What a part is.


@given(rows=rows(weights="whole"), k=SIZES)
def test_every_unit_is_held_out_once(rows, k):
    held_out = Counter()
    for training, held in all_parts(rows, k):
        assert training + held == contents(rows)
        held_out += held
    assert held_out == contents(rows)


@given(rows=rows(weights="whole"), k=SIZES)
def test_parts_are_even_over_all_and_in_each_class(rows, k):
    n_units = int(rows.weight.sum())
    sizes, by_class = [], []
    for _, held in folds(rows, k):
        sizes.append(held.weight.sum())
        if not rows.schema.target.is_number:
            by_class.append(np.bincount(held.target, held.weight, rows.schema.target.n_classes))
    assert len(sizes) == min(k, n_units)
    assert max(sizes) - min(sizes) <= 1
    if by_class:
        assert np.ptp(by_class, axis=0).max() <= 1


def test_numbers_are_spread_over_the_parts():
    rng = np.random.default_rng(0)
    rows = plain(rng.normal(size=(100, 2)), rng.normal(size=100), classes=None)
    ordered = np.sort(rows.target)
    for _, held in folds(rows, 10):
        # One of the lowest ten, one of the next ten and so on.
        assert np.searchsorted(ordered, np.sort(held.target)).tolist() == pytest.approx(range(0, 100, 10), abs=9.5)
        assert (np.searchsorted(ordered, np.sort(held.target)) // 10).tolist() == list(range(10))


def test_parts_look_drawn_by_chance():
    """Neighbours are in the same part as often as any two rows; no column's order comes through."""
    rng = np.random.default_rng(0)
    values = np.column_stack([np.arange(3000.0), rng.integers(0, 3, 3000), np.arange(3000.0) % 10])
    rows = plain(values, np.zeros(3000), classes=("a",))
    part = np.empty(3000, int)
    for i, (_, held) in enumerate(folds(rows, 10)):
        part[held.values[:, 0].astype(int)] = i
    for lag in (1, 2, 10, 100):
        assert 0.07 < (part[lag:] == part[:-lag]).mean() < 0.13
    means = [part[values[:, 2] == v].mean() for v in range(10)]
    assert 3.8 < min(means) < max(means) < 5.2


def test_columns_differ():
    """The same values in another column are another key: rows (1, 2) and (2, 1) are not alike."""
    pairs = [[a, b] for a in range(30) for b in range(30)]
    dealt = order_rows(plain(pairs, np.arange(900) % 2))
    order = [tuple(dealt.dataset.values[i]) for i in dealt.order]
    places = {pair: i for i, pair in enumerate(order)}
    apart = [abs(places[a, b] - places[b, a]) for a in range(30) for b in range(a) if (a + b) % 2 == 0]
    assert np.mean(apart) > 50


@pytest.mark.parametrize("target", [lambda a, b: 0, lambda a, b: (a + b) % 2, lambda a, b: a])
def test_rows_that_are_alike_but_for_their_columns(target):
    """Columns that say the same of the target, each for itself, are still two columns."""
    pairs = [(a, b) for a in range(8) for b in range(8)]
    rows = plain(pairs, [target(a, b) for a, b in pairs], classes=tuple("abcdefgh"))
    for seed in range(5):
        other = rows.take(np.random.default_rng(seed).permutation(64))
        assert all_parts(rows, 5) == all_parts(other, 5)


# What does not matter.


@given(rows=rows(), k=SIZES, data=st.data())
def test_any_order_of_rows(rows, k, data):
    other = rows.take(np.array(data.draw(st.permutations(range(rows.n_rows)))))
    assert all_parts(rows, k) == all_parts(other, k)
    for (_, one), (_, two) in zip(folds(rows, k), folds(other, k), strict=True):
        # Held-out rows have one order too, so that sums over them are the same to the last bit.
        assert one.target.tolist() == two.target.tolist()
        np.testing.assert_array_equal(one.values, two.values)


@given(rows=rows(weights="any"), k=SIZES, data=st.data())
def test_any_order_of_weighted_rows(rows, k, data):
    other = rows.take(np.array(data.draw(st.permutations(range(rows.n_rows)))))
    assert all_parts(rows, k) == all_parts(other, k)


@given(rows=rows(weights="whole"), k=SIZES, fraction=st.sampled_from([0.1, 0.25, 0.5, 0.8]))
def test_weight_is_copies(rows, k, fraction):
    copies = replace(rows.take(np.repeat(np.arange(rows.n_rows), rows.weight.astype(int))), weight=None)
    assert all_parts(rows, k) == all_parts(copies, k)
    assume(int(copies.n_rows * fraction) > rows.schema.target.n_classes)
    assert [*map(contents, hold_out(rows, fraction))] == [*map(contents, hold_out(copies, fraction))]


@given(rows=rows(weights="eighths"), k=SIZES, data=st.data())
def test_weight_zero_is_no_row(rows, k, data):
    gone = np.array(data.draw(st.lists(st.booleans(), min_size=rows.n_rows, max_size=rows.n_rows)))
    gone[:2] = False
    zeroed = replace(rows, weight=np.where(gone, 0.0, rows.weight))
    assert all_parts(zeroed, k) == all_parts(rows.take(np.flatnonzero(~gone)), k)


@given(rows=rows(weights="eighths"), k=SIZES)
def test_scale_of_importances(rows, k):
    """Weights that are not whole are importances: a row stays one row, and keeps its weight."""
    assume((rows.weight % 1).any())
    half = replace(rows, weight=rows.weight / 2)
    for (_, one), (_, two) in zip(folds(rows, k), folds(half, k), strict=True):
        assert (one.weight / 2).tolist() == two.weight.tolist()
        np.testing.assert_array_equal(one.values, two.values)


@given(rows=rows(kinds=("number",), numbers=finite), k=SIZES, data=st.data())
def test_only_the_order_of_numbers_counts(rows, k, data):
    stretched = np.full_like(rows.values, np.nan)
    for f in range(rows.n_columns):
        known = ~np.isnan(rows.values[:, f])
        distinct, place = np.unique(rows.values[known, f], return_inverse=True)
        steps = data.draw(st.lists(st.floats(1e-3, 1e6), min_size=len(distinct), max_size=len(distinct)))
        stretched[known, f] = (np.cumsum(steps) - 7)[place] if len(distinct) else 0
    other = replace(rows, values=stretched)
    one, two = (order_rows(each) for each in (rows, other))
    np.testing.assert_array_equal(rows.target[one.order], rows.target[two.order])
    np.testing.assert_array_equal(stretched[one.order], stretched[two.order])


@given(rows=rows(), k=SIZES, data=st.data())
def test_order_of_columns_and_constant_columns(rows, k, data):
    # Columns that say the same of the target are told apart by their place; of values only their order counts.
    ranks = [np.unique(cells, return_inverse=True)[1].astype(float)[:, None] for cells in rows.values.T]
    said = {frozenset(contents(replace(rows, values=rank)).items()) for rank in ranks}
    assume(len(said) == rows.n_columns)
    order = data.draw(st.permutations(range(rows.n_columns)))
    columns = tuple(rows.schema.columns[f] for f in order)
    value = data.draw(st.sampled_from([0.0, 3.0, np.nan]))
    turned = np.column_stack([rows.values[:, order], np.full(rows.n_rows, value)])
    schema = replace(rows.schema, columns=(*columns, Column("constant", Kind.NUMBER)))
    other = replace(rows, schema=schema, values=turned)
    for (_, one), (_, two) in zip(folds(rows, k), folds(other, k), strict=True):
        np.testing.assert_array_equal(one.values[:, order], two.values[:, :-1])


def test_layout_and_forms_of_cells():
    """Strides, -0.0 and other NaNs are no difference; the table is left as it is, read-only or not."""
    rng = np.random.default_rng(1)
    values = rng.integers(-1, 2, (60, 3)) * 1.0
    values[rng.random((60, 3)) < 0.2] = np.nan
    target = rng.integers(0, 2, 60)
    others = np.asfortranarray(values).copy(order="F")
    others[others == 0] = -0.0
    others[np.isnan(others)] = -np.nan
    for each in (values, others):
        each.setflags(write=False)
    assert all_parts(plain(values, target), 5) == all_parts(plain(others, target), 5)
    number = rng.normal(size=60)
    number.setflags(write=False)
    assert sum(held.n_rows for _, held in folds(plain(values, number, None), 5)) == 60


# Limits.


def test_no_more_parts_than_rows():
    rows = plain([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert [held.n_rows for _, held in folds(rows, 10)] == [1, 1, 1]
    weighted = replace(rows, weight=np.array([0.0, 2.0, 0.0]))
    assert [held.weight.tolist() for _, held in folds(weighted, 10)] == [[1.0], [1.0]]
    with pytest.raises(InputError, match=r"^Folds need at least 2 rows, got 1\.$"):
        next(folds(plain([[1.0]], [0]), 2))


def test_a_large_weight_is_shared_out():
    rows = plain([[1.0], [2.0]], [0, 1], weight=np.array([1e9, 3.0]))
    for training, held in folds(rows, 10):
        assert held.weight[0] == 1e8
        assert training.weight[0] == 9e8
    # Beyond what floats count, weights are importances.
    assert not order_rows(replace(rows, weight=np.array([1e16, 3.0]))).counted


def test_folds_come_one_by_one():
    parts = folds(plain(np.arange(10.0)[:, None], np.arange(10) % 2), 5)
    assert next(parts)[1].n_rows == 2
    assert sum(1 for _ in parts) == 4


# Held out.


@given(rows=rows(weights="whole"), fraction=st.floats(0.05, 0.95))
def test_a_fraction_is_held_out(rows, fraction):
    n_units = int(rows.weight.sum())
    n_held = int(n_units * fraction)
    n_classes = rows.schema.target.n_classes
    assume(n_held > n_classes)
    training, held = hold_out(rows, fraction)
    assert contents(training) + contents(held) == contents(rows)
    assert n_held - n_classes <= held.weight.sum() <= n_held
    if n_classes:
        before, left = (np.bincount(each.target, each.weight, n_classes) for each in (rows, training))
        assert (left[before > 0] >= 1).all()
        assert np.abs(left - before * (1 - fraction)).max() <= 1 + 1e-9


def test_a_class_of_one_row_is_never_held_out():
    rng = np.random.default_rng(2)
    for fraction in (0.1, 0.5, 0.9):
        rows = plain(rng.normal(size=(40, 2)), np.minimum(np.arange(40), 30) // 30, weight=None)
        rows = replace(rows, target=np.where(np.arange(40) == 7, 2, rows.target).astype(np.int32))
        rows = replace(rows, schema=replace(rows.schema, target=Target("y", ("a", "b", "c"))))
        training, held = hold_out(rows, fraction)
        assert 2 not in held.target
        assert set(training.target.tolist()) == {0, 1, 2}


def test_a_fraction_of_no_row():
    rows = plain([[1.0], [2.0], [3.0]], [0, 0, 1])
    message = r"A fraction of 0\.2 of 3 rows holds out no row; use a larger fraction, or pass validation rows"
    with pytest.raises(InputError, match=message):
        hold_out(rows, 0.2)


def test_unit_u_is_of_part_u_modulo_k():
    rows = plain(np.arange(23.0)[:, None], np.arange(23) % 2, weight=np.arange(23) % 3 + 1.0)
    dealt = order_rows(rows)
    units = np.repeat(dealt.order, dealt.dataset.weight[dealt.order].astype(int))
    assert dealt.n_units == len(units)
    for fold, (_, held) in enumerate(folds(rows, 4)):
        told = np.repeat(held.values[:, 0], held.weight.astype(int))
        assert told.tolist() == units[fold::4].tolist()


# Other deals of the same rows.


@settings(max_examples=25)
@given(rows=rows(weights="whole"), k=SIZES, repeat=st.sampled_from([1, 2, 7]))
def test_every_repeat_is_a_deal(rows, k, repeat):
    held_out, sizes = Counter(), []
    for training, held in folds(rows, k, repeat):
        assert contents(training) + contents(held) == contents(rows)
        held_out += contents(held)
        sizes.append(held.weight.sum())
    assert held_out == contents(rows)
    assert max(sizes) - min(sizes) <= 1


@settings(max_examples=25)
@given(rows=rows(), k=SIZES, data=st.data())
def test_a_repeat_does_not_depend_on_the_order_of_rows(rows, k, data):
    other = rows.take(np.array(data.draw(st.permutations(range(rows.n_rows)))))
    for repeat in (1, 2):
        one, two = ([tuple(map(contents, pair)) for pair in folds(some, k, repeat)] for some in (rows, other))
        assert one == two


@settings(max_examples=25)
@given(rows=rows(weights="whole"), k=SIZES)
def test_weight_is_copies_in_a_repeat(rows, k):
    copies = replace(rows.take(np.repeat(np.arange(rows.n_rows), rows.weight.astype(int))), weight=None)
    one, two = ([tuple(map(contents, pair)) for pair in folds(some, k, 3)] for some in (rows, copies))
    assert one == two


@pytest.mark.parametrize("classes", [None, ("a", "b", "c")])
def test_repeats_differ_and_keep_to_classes_and_numbers(classes):
    """Two rows meet in a part as often as chance has it, whichever two repeats are compared."""
    rng = np.random.default_rng(0)
    target = rng.normal(size=600) if classes is None else rng.integers(0, 3, 600)
    rows = plain(np.column_stack([np.arange(600.0), rng.normal(size=600)]), target, classes=classes)
    parts = []
    for repeat in range(4):
        part = np.empty(600, int)
        for i, (_, held) in enumerate(folds(rows, 10, repeat)):
            part[held.values[:, 0].astype(int)] = i
            if classes is None:  # a third of the part is in each third of the numbers, or nearly so
                ranks = np.searchsorted(np.sort(target), held.target) // 200
                assert np.ptp(np.bincount(ranks, minlength=3)) <= 4
            else:
                assert np.abs(np.bincount(held.target) - np.bincount(rows.target) / 10).max() < 1
        parts.append(part)
    for i in range(4):
        for j in range(i):
            assert 0.06 < (parts[i] == parts[j]).mean() < 0.14
