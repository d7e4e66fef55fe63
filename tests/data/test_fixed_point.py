"""Weights and targets as whole numbers: what is exact, what is rounded, and how much."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.data.fixed_point import class_totals, exact_sum, moments_in_units, weights_in_units
from treewright.errors import InputError


def test_no_weights_and_weights_of_one_are_the_same():
    assert weights_in_units(None).whole is None
    assert weights_in_units(np.ones(3)).whole is None


def test_whole_weights_keep_their_value():
    weights = weights_in_units(np.array([3.0, 1.0, 2.0]))
    assert weights.whole.tolist() == [3, 1, 2]
    assert (weights.unit, weights.one) == (1.0, 1.0)


@given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=50))
def test_other_weights_are_rounded_far_below_what_matters(values):
    weight = np.array(values)
    weights = weights_in_units(weight)
    whole = np.ones(len(weight)) if weights.whole is None else weights.whole
    np.testing.assert_allclose(whole * weights.unit, weight, rtol=0, atol=weight.sum() * 2.0**-51)
    assert weights.unit == 1.0 or weights.one * weights.unit == pytest.approx(weight.mean(), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 0.3, 1.0, 1e300])
def test_the_scale_of_weights_does_not_matter(scale):
    weight = np.array([0.25, 0.5, 0.125, 3.5])
    plain, scaled = weights_in_units(weight), weights_in_units(weight * scale)
    np.testing.assert_allclose(scaled.whole / scaled.one, plain.whole / plain.one, rtol=1e-14)


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=50))
def test_moments_keep_the_digits_their_sum_leaves_room_for(values):
    y = np.array(values)
    moments = moments_in_units(y, weights_in_units(None), np.argsort(y))
    size = np.abs(y - moments.units.centre).sum()
    np.testing.assert_allclose(moments.whole * moments.units.unit + moments.units.centre, y, rtol=4e-16,
                               atol=size * 2.0**-52 + 2.0**-899)
    assert abs(int(moments.whole.sum())) < 2**62


@given(st.lists(st.floats(0, 1e300), max_size=50), st.randoms())
def test_an_exact_sum_is_rounded_once(values, random):
    exact = float(sum(map(Fraction, values)))
    random.shuffle(values)
    assert exact_sum(np.array(values)) == exact


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(1e-100, 1e100)), min_size=1, max_size=50))
def test_the_weights_of_classes_are_exact_sums(rows):
    codes, weight = map(np.array, zip(*rows, strict=True))
    exact = [float(sum(Fraction(w) for code, w in rows if code == c)) for c in range(5)]
    assert class_totals(codes, weight, 5).tolist() == exact


@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.integers(1, 2**45)), min_size=2, max_size=50))
def test_large_weights_leave_the_digits_of_the_product(rows):
    y, weight = np.array([row[0] for row in rows]), np.array([float(row[1]) for row in rows])
    assume(np.ptp(y) > 1e-3 and weight.sum() > 2**30)
    moments = moments_in_units(y, weights_in_units(weight), np.lexsort((weight, y)))
    exact = [(Fraction(a) - Fraction(moments.units.centre)) * Fraction(b) for a, b in zip(y, weight, strict=True)]
    for found, one in zip(moments.whole.tolist(), exact, strict=True):
        assert abs(found * Fraction(moments.units.unit) - one) <= sum(map(abs, exact)) * Fraction(2.0**-52)


def test_one_far_value_leaves_digits_for_the_others():
    y = np.array([1.0, 1.5, 2.25, 3.0, 1e12])
    moments = moments_in_units(y, weights_in_units(None), np.argsort(y))
    np.testing.assert_allclose(moments.whole[:4] * moments.units.unit + moments.units.centre, y[:4], atol=2e-6)


@pytest.mark.parametrize(("largest", "criterion"), [(1e154, "squared_error"), (1.5e308, "absolute_error")])
def test_sums_that_overflow_are_refused(largest, criterion):
    y = np.array([largest, -largest, 0.0])
    with pytest.raises(InputError, match=re.escape(f"as large as {largest:g}")):
        moments_in_units(y, weights_in_units(None), np.argsort(y), criterion)


def test_a_row_of_weight_three_is_three_rows():
    y = np.array([0.1, 0.7, 5.3])
    weight = np.array([1.0, 3.0, 2.0])
    copies = np.repeat(y, weight.astype(int))
    once = moments_in_units(y, weights_in_units(weight), np.argsort(y))
    repeated = moments_in_units(copies, weights_in_units(None), np.argsort(copies))
    assert once.units.centre == repeated.units.centre
    assert once.units.unit == repeated.units.unit
    assert once.whole.sum() == repeated.whole.sum()
