"""Records: the numbers that growth compared at a node, spread out to be read.

In: nothing; these are the shapes. Out: `Branch`, `Cut` and `Candidate`, the lines of a ledger, with which text, frame,
page and worked solution are made. A number that has no meaning for the tree is None, never NaN.
"""

from dataclasses import dataclass
from math import log2

CHOSEN, TIED, RANKED, BELOW, REJECTED = "chosen", "tied", "ranked", "below", "rejected"
"""The winner; as good as it, but later in the table; ranked and beaten; below the floor; no candidate at all."""

SURE = 0.9
"""The part of log2(columns) that the description-length floor asks for, as in `_core.choose`."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a candidate, of the rows whose value is known (and of missing ones, where these have a branch).

    words     what holds in it, in the user's words: "outlook = sunny"; empty where they were not asked for
    weight    of its rows
    stats     class weights; for regression the weight, the value (mean or median) and the loss
    impurity  by the tree's criterion, per unit of weight
    """

    words: str
    weight: float
    stats: tuple[float, ...]
    impurity: float


@dataclass(frozen=True, slots=True)
class Cut:
    """One admissible cut of a number.

    threshold  as the tree would write it
    gain       as `Candidate.gain`
    low, high  stats of the rows on both sides, as in `Branch`; empty where they were not asked for
    tied       whether it is as good as the best cut
    missing    the side that missing rows are on, 0 or 1, where the cut puts them on one; otherwise None
    words      what holds for the low side, in the user's words: "size <= M"; empty as well
    """

    threshold: float
    gain: float
    low: tuple[float, ...]
    high: tuple[float, ...]
    tied: bool
    missing: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one column offers at a node. `gain`, `split_info`, `ratio` and `merit` are the numbers growth used.

    column, name     the place in the table and the name of the column
    kind             "number", "ordered" or "category"
    verdict          CHOSEN, TIED, RANKED, BELOW (the floor) or REJECTED
    reason           the verdict in a sentence
    known, missing   weight of the node's rows with a known value, and without one
    rho              known / (known + missing)
    before, after    impurity of the known rows, and of the branches weighed by their rows
    raw_gain         before - after (twoing: its own measure), on the known rows
    charge           what was taken off the gain for the description of the split: bits for each row, for regression
                     the part of the loss that they are worth
    gain             rho * raw_gain - charge; with missing rows in branches, see docs/rules-of-growth.md
    split_info       the intrinsic value of the split
    ratio            gain / split_info
    gini_index       Gini impurity of the branches weighed by their rows, whatever the criterion; None for regression
    merit            gain or ratio, whichever ranks columns; None below the floor
    threshold        of a number or an ordered category; None for a category
    branches         those that hold rows; empty for a rejected column, unless it has a split that its charge eats up
    n_cuts           admissible cuts of a number
    cuts             the best of them and the runners-up, best first
    tied_cuts        how many cuts of this column tie with its best, itself not counted
    n_values         values of a category that its groups were made of, where that choice pays a charge; otherwise 0
    """

    column: int
    name: str
    kind: str
    verdict: str
    reason: str
    known: float
    missing: float
    rho: float
    before: float
    after: float | None = None
    raw_gain: float | None = None
    charge: float = 0.0
    gain: float | None = None
    split_info: float | None = None
    ratio: float | None = None
    gini_index: float | None = None
    merit: float | None = None
    threshold: float | None = None
    branches: tuple[Branch, ...] = ()
    n_cuts: int = 0
    cuts: tuple[Cut, ...] = ()
    tied_cuts: int = 0
    n_values: int = 0


@dataclass(frozen=True, slots=True)
class Naming:
    """The part of a floor that is the price of naming one of the columns: 0.9 log2(columns) / rows.

    n_columns     that have a candidate
    rows          of the node: its weight in weights of a row
    average_part  how much of the floor is the average gain instead: 0 nothing

    >>> round(Naming(16, 1000.0).price, 6)
    0.0036
    """

    n_columns: int
    rows: float
    average_part: float = 0.0

    @property
    def price(self) -> float:
        """What it takes to name a column, in bits for each row."""
        return SURE * log2(self.n_columns) / self.rows


@dataclass(frozen=True, slots=True)
class Entry:
    """The candidates of one node and how the choice among them was made.

    node       its number
    words      the way to it
    count      rows with some of their weight here
    weight     that weight
    stats      as in `Branch`
    impurity   of the rows
    criterion  the name of the impurity
    ranked_by  "gain" or "ratio"
    average    the mean gain that a column had to reach; None where that is no part of a floor
    candidates one for each column, in the order of the table
    chosen     the column that won, None where there is none
    margin     merit of the winner less that of the next best column; None without a next
    leaf       why the node asks nothing, in a sentence; None where it asks. `chosen` is then the column that would have
               won, or had won before the split was taken back
    note       what else has to be known: the split was raised to this node from elsewhere; None where there is nothing
    naming     the price of a name that a column had to reach, in place of the average or of a part of it; None where
               that is no part of a floor
    """

    node: int
    words: str
    count: int
    weight: float
    stats: tuple[float, ...]
    impurity: float
    criterion: str
    ranked_by: str
    average: float | None
    candidates: tuple[Candidate, ...]
    chosen: int | None
    margin: float | None
    leaf: str | None
    note: str | None = None
    naming: Naming | None = None

    @property
    def floor(self) -> float | None:
        """What a column had to gain to be ranked; None where there was no floor."""
        return floor_of(self.average, self.naming)


def floor_of(average: float | None, naming: Naming | None) -> float | None:
    """The gain to be reached: the average, the price of a name, or a part of each.

    >>> floor_of(0.25, None), floor_of(None, Naming(2, 9.0)), floor_of(0.5, Naming(2, 9.0, average_part=0.5))
    (0.25, 0.1, 0.3)
    """
    if naming is None:
        return average
    return naming.average_part * (average or 0.0) + (1.0 - naming.average_part) * naming.price
