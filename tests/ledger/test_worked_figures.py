"""Figures: numbers as they are printed, rounded half up, exact where nothing is cut off."""

from decimal import ROUND_HALF_UP, Decimal
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.ledger.worked.document import Count, Value, cut_point, quantity
from treewright.ledger.worked.rendering import format_figure

NUMBERS = st.floats(min_value=-1e11, max_value=1e11, allow_nan=False)
DIGITS = st.integers(1, 10)


def as_decimal(found):
    return Decimal(found.digits) * Decimal(10) ** (found.exponent or 0)


@given(NUMBERS, DIGITS)
def test_no_more_than_half_of_the_last_digit_is_lost(value, digits):
    found = format_figure(Value(value), digits)
    places = len(found.digits.partition(".")[2]) - (found.exponent or 0)
    lost = abs(as_decimal(found) - Decimal(value))
    noise = Decimal("1e-13") * abs(Decimal(value))
    assert lost <= Decimal("0.5") * Decimal(10) ** -places + noise
    assert found.exact == (lost <= Decimal("1e-12") * max(abs(Decimal(value)), abs(as_decimal(found))))


@given(st.floats(min_value=-900, max_value=900), DIGITS)
def test_as_many_digits_as_asked_for(value, digits):
    found = format_figure(Value(value), digits)
    if found.exponent is None:
        assert len(found.digits.partition(".")[2]) == digits
    else:  # only what would be shown as nothing is shown by its power of ten
        assert 0 < abs(value) < 0.5 * 10.0**-digits


@given(st.integers(-9999, 9999), st.integers(1, 3))
def test_a_half_is_rounded_up(thousandths, digits):
    """As books do, and whatever a float makes of the half."""
    value = thousandths / 10_000
    exact = Decimal(thousandths) / 10_000
    wanted = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    found = format_figure(Value(value), digits)
    if found.exponent is None:
        assert Decimal(found.digits) == wanted


@pytest.mark.parametrize(
    ("value", "shown"),
    [(3 / 7, "42.9"), (1.0, "100"), (0.0, "0"), (0.7, "70"), (1 / 3, "33.3"), (0.12345, "12.3")],
)
def test_percent(value, shown):
    assert format_figure(Value(value, percent=True)).digits == shown


def test_numbers_at_the_edges():
    assert format_figure(Value(inf)).digits == "∞"
    assert format_figure(Value(-0.0)).digits == "0.0000"
    assert format_figure(Value(-1e-9)).digits == "-1.00"
    assert (format_figure(Value(9.999e-7), 4).digits, format_figure(Value(9.999e-7), 4).exponent) == ("1.00", -6)
    assert format_figure(Value(1234567.891)).digits == "1234568"
    assert format_figure(Count(75.0)).digits == "75"


def test_weights_that_are_whole_but_for_rounding_are_counts():
    assert quantity(0.1 + 0.2 + 0.7) == Count(1.0)
    assert quantity(2 / 3) == Value(2 / 3)
    assert cut_point(2.4500000000000002) == Count(2.4500000000000002)
