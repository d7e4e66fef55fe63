"""Helpers shared by all renderers of worked solutions: rounding, operator precedence and truncated labels."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite
from operator import index

from treewright.errors import ParameterError
from treewright.ledger.worked.document import (
    ABOUT,
    EQUALS,
    Chain,
    Count,
    Expression,
    Fraction,
    Label,
    Power,
    Product,
    Sum,
    Value,
)
from treewright.model.formatting import format_category, format_number, truncate

DIGITS, MAX_DIGITS = 4, 12
"""The default and the largest number of decimals."""

EXACT = 1e-12
"""Relative difference up to which a rounded number counts as exact; floating-point errors are that large."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A formatted number: its digits, its power of ten if any, and whether the digits are exact."""

    digits: str
    exponent: int | None
    exact: bool


def read_digits(given: object) -> int:
    """Check the parameter `digits`.

    >>> read_digits(3)
    3
    """
    try:
        digits = -1 if isinstance(given, bool) else index(given)  # type: ignore[arg-type]
    except TypeError:
        digits = -1
    if not 1 <= digits <= MAX_DIGITS:
        raise ParameterError(f"`digits` must be an integer from 1 to {MAX_DIGITS}, got {given!r}.")
    return digits


def format_figure(number: Value | Count, digits: int = DIGITS) -> Figure:
    """Format a number with this many decimals, rounded half up.

    >>> format_figure(Value(0.99750), 3).digits, format_figure(Value(7.475), 2).digits
    ('0.998', '7.48')
    >>> format_figure(Value(3 / 7, percent=True)).digits
    '42.9'
    >>> format_figure(Value(0.00000123)), format_figure(Count(0.3815)).digits
    (Figure(digits='1.23', exponent=-6, exact=True), '0.3815')
    """
    if isinstance(number, Count):
        return Figure(format_number(number.value), None, True)
    value = number.value
    if not isfinite(value):
        return Figure("∞" if value > 0 else "−∞" if value < 0 else "?", None, True)
    if number.percent:
        places = max(1, digits - 3) + number.more
        whole = round(100.0 * value)
        shown = str(whole) if _same(whole, 100.0 * value) else _rounded(100.0 * value, places)
        return Figure(shown, None, _same(float(shown), 100.0 * value))
    places = min(digits + number.more, MAX_DIGITS)
    if value != 0.0 and (abs(value) < 0.5 * 10.0**-places or abs(value) >= 1e12):
        return _scientific(value)
    before = len(str(int(abs(value))))
    places = max(0, places - max(0, before - 3))
    shown = _rounded(value, places)
    return Figure(shown, None, _same(float(shown), value))


def _scientific(value: float) -> Figure:
    """Format a number with two decimals and a power of ten."""
    short = Decimal(format(value, ".14g"))
    exponent = short.adjusted()
    shown = short.scaleb(-exponent).quantize(Decimal("0.01"), ROUND_HALF_UP)
    if abs(shown) >= 10:
        exponent, shown = exponent + 1, (shown / 10).quantize(Decimal("0.01"))
    whole, own = shown.scaleb(exponent), Decimal(value)  # as decimals: tiny floats have few digits
    return Figure(str(shown), exponent, abs(whole - own) <= Decimal(EXACT) * max(abs(whole), abs(own)))


def _rounded(value: float, places: int) -> str:
    """Round half up, as textbooks do; digits after the fourteenth are floating-point noise and are ignored."""
    short = Decimal(format(value, ".14g"))
    found = short.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return format(abs(found) if found == 0 else found, "f")


def _same(shown: float, value: float) -> bool:
    return abs(shown - value) <= EXACT * max(abs(value), abs(shown))


RELATION, SUM, PRODUCT, ATOM = range(4)
"""Operator precedence, lowest first; an operand of lower precedence than its operator needs parentheses."""

LONG = 90
"""A formula whose text is longer than this is broken before its equals signs."""

MAX_SENTENCE = 600
"""Largest length of a sentence taken from the ledger."""


def precedence(expression: Expression) -> int:
    """The precedence of an expression.

    >>> precedence(Value(0.5)), precedence(Value(-0.5)), precedence(Sum(((1, Count(2)), (1, Count(3)))))
    (3, 1, 1)
    """
    if isinstance(expression, Value | Count):
        return SUM if expression.value < 0 else ATOM
    if isinstance(expression, Sum):
        return SUM
    if isinstance(expression, Product | Fraction | Power):
        return PRODUCT
    return RELATION if isinstance(expression, Chain) else ATOM


def relation_of(relation: str, expression: Expression, digits: int) -> str:
    """The relation sign before an expression: "≈" instead of "=" before a rounded number.

    >>> relation_of("=", Value(1 / 3), 4), relation_of("=", Value(0.25), 4)
    ('≈', '=')
    """
    if relation != EQUALS or not isinstance(expression, Value):
        return relation
    return EQUALS if format_figure(expression, digits).exact else ABOUT


def label_text(words: Label) -> str:
    """A name or category, truncated to the length of the label.

    >>> len(label_text(Label("a" * 10_000))), label_text(Label("outlook")), label_text(Label(""))
    (60, 'outlook', "''")
    """
    return truncate(format_category(words.text), words.most)  # empty and blank names are quoted
