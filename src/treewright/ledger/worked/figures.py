"""Figures: a number as it is printed, rounded as books do.

In: a number and how many digits behind the point are wanted. Out: its digits, and whether they are all of it.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite
from operator import index

from treewright.errors import ParameterError
from treewright.ledger.worked.expressions import Count, Value
from treewright.model.words import number_words

DIGITS, MOST_DIGITS = 4, 12
"""Digits behind the point unless others are asked for; beyond the second a float has no more to say."""

EXACT = 1e-12
"""A rounded number is the number when it differs by no more than this part of it: that much is rounding of floats."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The digits of a number, and the power of ten behind them where there is one; `exact` when nothing is cut off."""

    digits: str
    exponent: int | None
    exact: bool


def read_digits(given: object) -> int:
    """`digits`, checked.

    >>> read_digits(3)
    3
    """
    try:
        digits = -1 if isinstance(given, bool) else index(given)  # type: ignore[arg-type]
    except TypeError:
        digits = -1
    if not 1 <= digits <= MOST_DIGITS:
        raise ParameterError(f"digits={given!r} cannot be used; give a whole number from 1 to {MOST_DIGITS}.")
    return digits


def figure(number: Value | Count, digits: int = DIGITS) -> Figure:
    """A number with so many digits behind the point, rounded half up.

    >>> figure(Value(0.99750), 3).digits, figure(Value(7.475), 2).digits, figure(Value(3 / 7, percent=True)).digits
    ('0.998', '7.48', '42.9')
    >>> figure(Value(0.00000123)), figure(Count(0.3815)).digits
    (Figure(digits='1.23', exponent=-6, exact=True), '0.3815')
    """
    if isinstance(number, Count):
        return Figure(number_words(number.value), None, True)
    value = number.value
    if not isfinite(value):
        return Figure("∞" if value > 0 else "−∞" if value < 0 else "?", None, True)
    if number.percent:
        places = max(1, digits - 3) + number.more
        whole = round(100.0 * value)
        shown = str(whole) if _same(whole, 100.0 * value) else _rounded(100.0 * value, places)
        return Figure(shown, None, _same(float(shown), 100.0 * value))
    places = min(digits + number.more, MOST_DIGITS)
    if value != 0.0 and (abs(value) < 0.5 * 10.0**-places or abs(value) >= 1e12):
        return _scientific(value)
    before = len(str(int(abs(value))))
    places = max(0, places - max(0, before - 3))
    shown = _rounded(value, places)
    return Figure(shown, None, _same(float(shown), value))


def _scientific(value: float) -> Figure:
    """With two digits behind the point and a power of ten."""
    short = Decimal(format(value, ".14g"))
    exponent = short.adjusted()
    shown = short.scaleb(-exponent).quantize(Decimal("0.01"), ROUND_HALF_UP)
    if abs(shown) >= 10:
        exponent, shown = exponent + 1, (shown / 10).quantize(Decimal("0.01"))
    whole, own = shown.scaleb(exponent), Decimal(value)  # floats near the smallest there is are too far apart for this
    return Figure(str(shown), exponent, abs(whole - own) <= Decimal(EXACT) * max(abs(whole), abs(own)))


def _rounded(value: float, places: int) -> str:
    """Half up, as in books; the noise of floats behind the fourteenth digit does not decide a half."""
    short = Decimal(format(value, ".14g"))
    found = short.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return format(abs(found) if found == 0 else found, "f")


def _same(shown: float, value: float) -> bool:
    return abs(shown - value) <= EXACT * max(abs(value), abs(shown))
