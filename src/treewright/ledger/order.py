"""Order: which cuts a monotone tree can have at a node, and what is said of those that it cannot.

In: the rows a node holds, its bounds, and the places of cuts. Out: the places whose sides answer within the bounds and,
on a constrained column, in order; reasons in words. Growth decides by the same rules (`_core/monotone.py`).
"""

from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.data.schema import Kind
from treewright.grow.candidates import Candidate as Found
from treewright.ledger.held import Floats, Held
from treewright.ledger.medians import medians_of_beginnings
from treewright.ledger.record import REJECTED, Candidate
from treewright.model.words import number_words
from treewright.prune.report_page import figures

LITTLE = 1e-10
"""A gain after the charge that is none."""
Places = NDArray[np.intp]


def in_order(rows: Held, column: int, order: Places, place: Places, test: int = -1) -> Places:
    """Of these places, each the last one below a cut of the rows in this order, those that a monotone tree can have.

    `test` is the place behind which all rows are missing: there no order is asked for.
    """
    numbers = rows.prepared.numbers
    if not numbers["monotone"] or not len(place):
        return place
    low, high = _answers(rows, order, place)
    least, most = rows.bounds
    kept = (low >= least) & (low <= most) & (high >= least) & (high <= most)
    sense = int(numbers["monotonic"][column])
    if sense:
        kept &= ((high >= low) if sense > 0 else (high <= low)) | (place == test)
    return place[kept]


def why_barred(rows: Held, found: Found, one: Candidate) -> str | None:
    """Why a column has no candidate, where it would have one in a tree without constraints; None where it has not.

    A column whose best cut is not worth its charge has a cut that keeps the order, so the charge is the reason.
    """
    if not found.n_barred or found.ok or (one.charge > 0 and one.gain is not None and one.gain <= LITTLE):
        return None
    number = rows.prepared.dataset.schema.columns[found.column].kind is not Kind.CATEGORY
    what = f"none of its {found.n_cuts} cuts keeps" if number and found.n_cuts > 1 else "a split on it would not keep"
    return f"{what} the order that monotonic_cst asks for{_asked(rows, found.column)}"


def with_barred(one: Candidate, found: Found) -> Candidate:
    """A candidate whose reason says how many cuts were left out for the sake of the order."""
    if one.verdict == REJECTED or not found.n_barred or not found.n_cuts:
        return one
    left_out = f"{found.n_barred} of its {found.n_cuts} cuts would break the order that monotonic_cst asks for"
    return replace(one, reason=f"{one.reason}; {left_out}")


def _asked(rows: Held, column: int) -> str:
    """The bounds of the node and the sense of the column, in words."""
    sense = int(rows.prepared.numbers["monotonic"][column])
    least, most = rows.bounds
    parts = []
    if least > -inf and most < inf:
        parts.append("answers here lie between {} and {}".format(*figures([least, most])))
    elif least > -inf:
        parts.append(f"answers here are at least {number_words(round(least, 6))}")
    elif most < inf:
        parts.append(f"answers here are at most {number_words(round(most, 6))}")
    if sense:
        parts.append(f"they {'rise' if sense > 0 else 'fall'} with it")
    return f" ({' and '.join(parts)})" if parts else ""


def _answers(rows: Held, order: Places, place: Places) -> tuple[Floats, Floats]:
    """What both sides of each cut would answer."""
    numbers, table, weight = rows.prepared.numbers, rows.prepared.table, rows.weight[order]
    if rows.prepared.plan.by_median:
        values, rank = np.unique(rows.target[order], return_inverse=True)
        high = medians_of_beginnings(rank[::-1], weight[::-1], values, len(order) - place - 1)
        return medians_of_beginnings(rank, weight, values, place + 1), high
    moment = np.where(rows.target == 1, rows.weight, 0) if rows.n_classes else rows.moment
    reached, summed = np.cumsum(weight), np.cumsum(moment[order])
    known, total = int(reached[-1]), rows.total
    sides = []
    for own, part in ((summed[place], reached[place]), (summed[-1] - summed[place], known - reached[place])):
        mean = own / part
        if numbers["missing"] == codes.FRACTIONAL and len(order) < len(rows.row):
            mean = (known * mean + float(int(moment.sum()) - int(summed[-1]))) / total
        sides.append(mean if rows.n_classes else table["y_centre"] + mean * table["y_unit"])
    return sides[0], sides[1]
