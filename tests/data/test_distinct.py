"""Numbers are counted where they are whole and near each other, and what comes out is what sorting gives."""


import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treewright._core import _table as kernel
from treewright._core.table import values as source
from treewright.data import column_ranges
from treewright.data.cells import Numbers, as_categories, distinct

ODD = st.sampled_from([-0.0, 0.5, 300.0, 2.0**53, -(2.0**60)])
NUMBERS = st.lists(st.integers(-9, 9).map(float) | ODD, max_size=30)


@given(NUMBERS)
@example([])
@example([-0.0])
def test_numbers_that_occur_and_their_places_are_those_of_numpy(numbers):
    values = np.array(numbers, np.float64)
    expected, places = np.unique(values, return_inverse=True)
    found, codes = distinct(np.repeat(values, 2)[::2])
    assert np.array_equal(found, expected)
    assert np.array_equal(codes, places)


def kernel_says(values):
    """What the kernel finds, compiled and not; None where it leaves the numbers to be sorted."""
    found = []
    for module in (kernel, source):
        places = np.empty(len(values), np.int64)
        rising = module.count_places(values, 256, places)
        found.append(None if rising is None else (rising.tolist(), places.tolist()))
    return found


@given(NUMBERS)
def test_the_kernel_does_the_same_uncompiled(numbers):
    compiled, plain = kernel_says(np.array(numbers, np.float64))
    assert compiled == plain


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float32])
def test_the_type_of_the_numbers_stays(dtype):
    found, codes = distinct(np.array([7, 5, 7, 100], dtype))
    assert found.dtype == dtype
    assert (found.tolist(), codes.tolist()) == ([5, 7, 100], [1, 0, 1, 2])


def test_whole_numbers_that_floats_cannot_tell_apart_are_told_apart():
    high = 2**53
    found, codes = distinct(np.array([high + 1, high, high + 1]))
    assert (found.tolist(), codes.tolist()) == ([high, high + 1], [1, 0, 1])


@pytest.mark.parametrize("gap", [1.0, 0.25, 1000.0])
def test_categories_of_numbers_with_holes(gap):
    words = as_categories(Numbers(np.array([3 * gap, np.nan, 1 * gap, 3 * gap])))
    assert words.codes.tolist() == [1, -1, 0, 1]
    assert words.categories == (gap, 3 * gap)


@given(NUMBERS)
@example([300.0, 44.0])
def test_a_column_becomes_its_places_where_numbers_are_whole_and_near(numbers):
    for module in (kernel, source):
        table = np.array([numbers, numbers]).T.copy(order="F")
        before = table.copy()
        found = module.put_places(table, 1, 256)
        assert np.array_equal(table[:, 0], before[:, 0])
        if found is None:
            assert np.array_equal(table, before)
            whole = all(float(x).is_integer() and abs(x) < 2**53 for x in numbers)
            assert not whole or np.ptp(numbers) > 256
        else:
            expected, places = np.unique(before[:, 1], return_inverse=True)
            assert found == expected.tolist()
            assert {type(label) for label in found} <= {int}
            assert np.array_equal(table[:, 1], places)


LABELS = st.lists(st.integers(-9, 9) | st.sampled_from([400, 2**62, -(2**63), 2**63 - 1]), max_size=30)


@given(LABELS)
@example([-(2**63), 2**63 - 1])
def test_labels_are_coded_where_they_are_near(labels):
    for module in (kernel, source):
        codes = np.full(len(labels), -1, np.int32)
        found = module.count_labels(np.repeat(np.array(labels, np.int64), 2)[::2], 256, codes)
        if found is None:
            assert max(labels) - min(labels) > 256
        else:
            expected, places = np.unique(np.array(labels, np.int64), return_inverse=True)
            assert found == expected.tolist()
            assert np.array_equal(codes, places)


@given(st.lists(st.sampled_from([0.0, -1.5, 1e308, np.nan, np.inf, -np.inf]), max_size=12))
def test_what_is_strange_in_a_table(cells):
    values = np.array(cells).reshape(-1, 1)
    for module in (kernel, source):
        assert module.look(values) == np.isinf(values).any() + 2 * np.isnan(values).any()


@pytest.mark.parametrize("n_rows", [3, column_ranges.SMALL + 1])
@pytest.mark.parametrize("cell", [0.0, np.nan, np.inf, -np.inf])
def test_small_and_large_tables_are_looked_at(n_rows, cell):
    values = np.zeros((n_rows, 1))
    values[n_rows // 2] = cell
    assert column_ranges.has_missing(values) == np.isnan(cell)
    assert column_ranges.has_infinite(values) == np.isinf(cell)
