"""Charges: what the cuts of a number pay that were not chosen.

In: the rows of a node and a column's candidate. Out: the charge of any of its cuts. Growth says what the candidate
itself pays; for classes all cuts of a column pay the same, for numbers a part of the loss that the cut leaves.
"""

from collections.abc import Callable
from math import log2

from treewright.criteria.registry import CRITERIA
from treewright.grow.candidates import Candidate as Found
from treewright.ledger.held import Held

ONE_MORE_ANSWER = 0.5
"""Regression: bits that one leaf more takes to tell its answer, for each doubling of the rows; as in `_core.charge`."""

MOST_BITS = 1000.0
"""2 to the power of more may be no number; as in `_core.charge`."""


def split_bit(rows: Held) -> float:
    """What tells a split from a leaf, in bits: for classes all of one bit where the floor is the price of a name, and
    nothing where it is the average gain.
    """
    if rows.prepared.plan.charge != "description":
        return 0.0
    return 1.0 - float(rows.prepared.numbers["average_part"]) if rows.n_classes else 1.0


def answer_bits(rows: Held) -> float:
    """What one more answer takes, in bits: regression only."""
    described = rows.prepared.plan.charge == "description"
    return 0.0 if rows.n_classes or not described else ONE_MORE_ANSWER * log2(max(rows_of(rows), 1.0))


def rows_of(rows: Held) -> float:
    """The weight of the rows in weights of one row: what bits are divided by."""
    return rows.total / rows.prepared.weights.one


def charge_of_cuts(rows: Held, found: Found) -> Callable[[float], float]:
    """What a cut pays among the cuts of the column, as a function of its gain before the charge."""
    if rows.n_classes or rows.prepared.plan.charge == "none" or not found.n_cuts:
        return lambda _: found.charge
    bits = (log2(found.n_cuts) + split_bit(rows) + answer_bits(rows)) / rows_of(rows)
    worth = worth_of(rows.prepared.plan.criterion, bits)
    return lambda gain: (rows.impurity - gain) * worth


def worth_of(criterion: str, bits: float) -> float:
    """Regression: the part of the loss that is left which so many bits a row are worth.

    >>> worth_of("squared_error", 0.5), worth_of("absolute_error", 1.0)
    (1.0, 1.0)
    """
    return float(2.0 ** min(bits * (1.0 if CRITERIA[criterion].by_median else 2.0), MOST_BITS) - 1.0)
