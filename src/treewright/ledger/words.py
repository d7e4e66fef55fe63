"""Words of a ledger: what it says about the floor and about charges.

In: the numbers of a node or of a candidate. Out: sentences and parts of them. A floor is the average gain, the price of
naming one of the columns, or a part of each; a charge pays for the choice among cuts or among groupings of values,
and on large tables for being a split at all.
"""

from math import floor, log10

from treewright.ledger.record import SURE, Candidate, Entry, Naming, floor_of
from treewright.model.words import number_words
from treewright.prune.report_page import figures


def digits(number: float | None) -> str:
    """Four decimals, and three digits of a small number; nothing for what infinite numbers leave undecided.

    >>> digits(0.24675), digits(0.00087654), digits(None)
    ('0.2467', '0.000877', '')
    """
    if number is None or number != number:
        return ""
    size = abs(number)
    if size >= 1e6 or 0 < size < 1e-6:
        return format(number, ".4g")
    if size == 0 or size >= 0.01:
        return format(number, ".4f")
    return format(number, f".{2 - floor(log10(size))}f").rstrip("0")


def floor_words(entry: Entry) -> str | None:
    """Which columns are ranked, in a sentence; None where all are.

    >>> from treewright.model.build import golf_example
    >>> from treewright.ledger.entries import told_by_tree
    >>> rest = dict(criterion="entropy", ranked_by="ratio", candidates=(), chosen=None, margin=None, leaf=None)
    >>> print(floor_words(Entry(**told_by_tree(golf_example(), 0), average=0.12756, **rest)))
    Only columns that gain at least the average, 0.1276, are ranked.
    """
    average, naming, reach = entry.average, entry.naming, entry.floor
    if reach is None or (naming is not None and naming.n_columns == 1):  # nothing else that it has to be named among
        return None
    if naming is None:
        return f"Only columns that gain at least the average, {digits(average)}, are ranked."
    price = f"the price of naming one of {naming.n_columns} columns, {price_words(naming)} = {digits(naming.price)}"
    if average is None:
        return f"Only columns that gain at least {price}, are ranked."
    own, other = number_words(round(naming.average_part, 6)), number_words(round(1.0 - naming.average_part, 6))
    return (
        f"Only columns that gain at least {digits(reach)} are ranked: {own} of the average, {digits(average)}, and "
        f"{other} of {price}."
    )


def price_words(naming: Naming) -> str:
    """The formula of the price of a name.

    >>> price_words(Naming(15, 4000.0))
    '0.9 log2(15) / 4000'
    """
    return f"{SURE:g} log2({naming.n_columns}) / {number_words(round(naming.rows, 6))}"


def below_words(average: float | None, naming: Naming | None) -> str:
    """What a column was below, for a legend.

    >>> below_words(0.1, None), below_words(None, Naming(15, 4000.0)), below_words(0.1, Naming(15, 900.0, 0.4))
    ('below the average', 'below the price of its name', 'below the floor')
    """
    if naming is None:
        return "below the average"
    return "below the price of its name" if average is None else "below the floor"


def why_below(gain: float, average: float | None, naming: Naming | None = None) -> str:
    """Why a column was not ranked.

    >>> why_below(0.0481, 0.1513)
    'the gain 0.0481 is below the average 0.151'
    >>> why_below(0.0005, None, Naming(15, 4000.0))
    'the gain 0.0005 is below 0.000879, the price of naming one of 15 columns'
    >>> why_below(0.01, 0.05, Naming(15, 900.0, 0.5))
    'the gain 0.01 is below the floor 0.027, a part of the average and of the price of naming one of 15 columns'
    """
    own, reach = figures([gain, floor_of(average, naming) or 0.0])
    if naming is None:
        return f"the gain {own} is below the average {reach}"
    price = f"the price of naming one of {naming.n_columns} columns"
    if average is None:
        return f"the gain {own} is below {reach}, {price}"
    return f"the gain {own} is below the floor {reach}, a part of the average and of {price}"


def why_eaten(one: Candidate, n_met: int) -> str:
    """Why a split is no candidate that gains no more than its charge; `n_met` values of the column are met.

    >>> cut = Candidate(0, "age", "number", "", "", 14.0, 0.0, 1.0, 0.94, charge=0.25, gain=-0.13, n_cuts=11)
    >>> why_eaten(cut, 12)
    'its best cut gains 0.12, not more than the charge of 0.25 for 11 cuts'
    """
    assert one.gain is not None
    if one.n_cuts:
        split, price = ("its best cut", f"{one.n_cuts} cuts") if one.n_cuts > 1 else ("its only cut", "a split")
    elif one.n_values:
        split, price = f"its best grouping of {one.n_values} values", "telling it"
    else:
        only = len(one.branches) < n_met
        split, price = "its only grouping" if only else "a branch for each of its values", "a split"
    if one.charge <= 0.0:  # log2(1): there was no choice
        return f"{split} gains nothing"
    raw, charge = figures([one.gain + one.charge, one.charge])
    return f"{split} gains {raw}, not more than the charge of {charge} for {price}"
