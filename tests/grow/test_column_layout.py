"""Columns are sorted as numpy sorts them, whatever bits their values have, on any number of threads."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.grow.examples import mixed
from treewright._core import _table as radix
from treewright._core.table import fill_columns, rows_by_class, take_columns
from treewright._core.table import sort_columns as radix_source
from treewright.grow.column_batches import column_batches
from treewright.grow.plan import Plan
from treewright.grow.prepare import prepare

FLAG = np.uint32(1 << 31)
ROW_BITS = 13
LABEL = np.uint32(1 << ROW_BITS)


def kinds(n, random):
    """Columns whose values differ in their leading bits, in their last ones only, or not at all."""
    close = np.full(n, 1e300)
    close[1:] = 1.0 + random.random(n - 1) * 1e-12
    return {
        "normal": random.normal(size=n),
        "float32": random.normal(size=n).astype(np.float32).astype(np.float64),
        "few": random.integers(0, 9, n).astype(np.float64),
        "one": np.full(n, -3.5),
        "seconds": 1.6e9 + random.random(n),
        "close, and one far away": close,
        "last bits and large": np.where(
            random.random(n) < 0.5, 1 + random.integers(0, 50, n) * 2.0**-52, -random.random(n) * 1e200
        ),
        "zeros and holes": random.choice([0.0, -0.0, 1.0, np.nan], n),
        "infinite": random.choice([-np.inf, np.inf, 5e-324, -5e-324, 0.0], n),
    }


def sorted_by_numpy(values, start):
    rows = start & (LABEL - np.uint32(1))
    order = np.argsort(values[rows], kind="stable")
    rising = values[rows][order]
    first = np.ones(len(rows), bool)
    first[1:] = (rising[1:] != rising[:-1]) & ~np.isnan(rising[:-1])
    return start[order] | np.where(first, FLAG, np.uint32(0))


def sorted_by(kernel, values, start):
    entries = np.empty(len(start), np.uint32)
    room = np.empty((3, len(start)), np.uint64)
    kernel.sort_entries(values.view(np.uint64), start, int(LABEL) - 1, entries, room)
    return entries


@pytest.mark.parametrize("n", [2, 64, 65, 4_000])
def test_entries_are_in_order_of_value_and_keep_the_order_they_had(n):
    random = np.random.default_rng(n)
    start = random.permutation(n).astype(np.uint32) | LABEL
    for kind, values in kinds(n, random).items():
        expected = sorted_by_numpy(values, start)
        assert np.array_equal(sorted_by(radix, values, start), expected), kind
        if n <= 100:
            assert np.array_equal(sorted_by(radix_source, values, start), expected), kind


@pytest.mark.parametrize("n", [1, 2, 64, 65, 4_000])
def test_values_alone_are_sorted_as_numpy_does(n):
    for kind, values in kinds(n, np.random.default_rng(n)).items():
        for kernel in (radix, radix_source) if n <= 100 else (radix,):
            found = values.copy()
            kernel.sort_values(found.view(np.uint64), np.empty((2, n), np.uint64))
            np.testing.assert_array_equal(found, np.sort(values), err_msg=kind)  # 0.0 and -0.0 are equal


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=200))
def test_any_floats_are_in_order(numbers):
    values = np.array(numbers)
    start = np.arange(len(values), dtype=np.uint32)
    assert np.array_equal(sorted_by(radix, values, start), sorted_by_numpy(values, start))


@given(st.integers(1, 60), st.integers(1, 10**8), st.integers(1, 5))
def test_batches_hold_every_column_once(n_columns, n_rows, n_jobs):
    parts = column_batches(n_columns, n_rows, n_jobs)
    assert [f for part in parts for f in part] == list(range(n_columns))
    assert all(1 <= len(part) <= 8 for part in parts)


@pytest.mark.parametrize("order", ["C", "F"])
def test_columns_are_taken_from_any_layout(order):
    table = np.asarray(np.arange(40.0).reshape(8, 5), order=order)
    out = np.empty((2, 4))
    take_columns(table[::2], np.array([4, 1], np.int32), out)
    assert np.array_equal(out, table[::2, [4, 1]].T)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=80), st.booleans())
def test_rows_stand_in_order_of_their_class(labels, packed):
    labels = np.array(labels, np.int32)
    entries = np.empty(len(labels), np.uint32)
    rows_by_class(labels, 7, ROW_BITS, packed, entries)
    order = np.argsort(labels, kind="stable")
    assert np.array_equal(entries, order + (labels[order] << ROW_BITS if packed else 0))


@pytest.mark.parametrize("n", [1, 40, 300])
def test_columns_are_sorted_and_coded_side_by_side(n):
    random = np.random.default_rng(n)
    gone = random.random(n) < 0.2
    numbers, codes = random.integers(0, 30, n) / 4, random.integers(0, 5, n)
    cells = np.array([np.where(gone, -np.nan, numbers), np.where(gone, np.nan, codes), random.normal(size=n)])
    lists, coded = np.empty((3, n), np.uint32), np.empty((1, n), np.int32)
    lists[2] = start = random.permutation(n).astype(np.uint32) | LABEL
    places = np.array([[1, -1, 0], [-1, 0, -1]], np.int32)
    columns = np.array([0, 1, 2], np.int32)
    fill_columns(cells.T, columns, places, np.array([0, 5, 0]), int(LABEL) - 1, lists, coded)
    assert np.array_equal(lists[1], sorted_by_numpy(cells[0], start))
    assert np.array_equal(lists[0], sorted_by_numpy(cells[2], start))
    assert np.array_equal(coded[0], np.where(gone, 5, codes))


def test_threads_prepare_the_same():
    dataset = mixed(500, 3)
    one, three = prepare(dataset, Plan()), prepare(dataset, Plan(), n_jobs=3)
    for name in ("lists", "codes", "places"):
        assert np.array_equal(one.table[name], three.table[name])
