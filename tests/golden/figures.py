"""How a figure of a book is compared: the printed digits and the exact value, both."""

from decimal import ROUND_HALF_UP, Decimal

import pytest


def as_printed(value, digits):
    """A number rounded half up to some digits, as books do."""
    return str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def agrees(value, printed, exact):
    """Whether a value has the printed digits and the exact value (given to ten digits)."""
    assert value == pytest.approx(exact, rel=1e-9, abs=1e-12)
    digits = len(printed.partition(".")[2])
    assert as_printed(value, digits) == printed
    return True
