"""Records of a ledger: the candidate splits of a node, with the numbers that growth compared.

An `Entry` describes a node and has a `Candidate` for each column, with its `Branch` and `Cut` records. Text, data
frames, the interactive page and worked solutions are made from these records. A number that does not apply is None,
never NaN.
"""

from dataclasses import dataclass
from math import log2

from treewright.deprecation import DeprecatedAlias

CHOSEN, TIED, RANKED, BELOW, REJECTED = "chosen", "tied", "ranked", "below", "rejected"
"""Verdicts: the best column; tied with it, but later in the table; ranked lower; below the floor; no candidate."""

NAMING_FACTOR = 0.9
"""Factor of log2(columns) in the description-length floor; `_core.grow` has the same."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a candidate. Rows with a missing value count only if the split sends them to this branch.

    words     the condition, such as "outlook = sunny"; empty if texts were not requested
    weight    total weight of the rows
    stats     class weights; for regression the weight, the value (mean or median) and the loss
    impurity  by the tree's criterion, per unit of weight
    """

    words: str
    weight: float
    stats: tuple[float, ...]
    impurity: float


@dataclass(frozen=True, slots=True)
class Cut:
    """One admissible cut of a numeric or ordered column.

    threshold  the threshold that the tree would have
    gain       as in `Candidate`
    low, high  stats of the rows on both sides, as in `Branch`; empty if they were not requested
    tied       whether the cut ties with the best one
    missing    the side that missing values are sent to, 0 or 1, if it is part of the cut; otherwise None
    words      the condition of the low side, such as "size <= M"; empty if texts were not requested
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
    """The best split of one column at a node. `gain`, `split_info`, `ratio` and `merit` are those used in growth.

    column, name     the position in the table and the name of the column
    kind             "number", "ordered" or "category"
    verdict          CHOSEN, TIED, RANKED, BELOW (the floor) or REJECTED
    reason           the reason for the verdict
    known, missing   weight of the rows with a known value, and with a missing value
    rho              known / (known + missing)
    before, after    impurity of the known rows, and the weighted impurity of the branches
    raw_gain         before - after (for twoing, the twoing measure), on the known rows
    penalty          subtracted from the gain for the description of the split: bits per row; for regression the part
                     of the loss that corresponds to these bits
    gain             rho * raw_gain - penalty; see docs/rules-of-growth.md if branches have rows with missing values
    split_info       the intrinsic value of the split
    ratio            gain / split_info
    gini_index       weighted Gini impurity of the branches, for any criterion; None for regression
    merit            gain or ratio, by which columns are ranked; None below the floor
    threshold        threshold of a numeric or ordered column; None for a category
    branches         branches with rows; empty for a rejected column, unless it was rejected because of its penalty
    n_cuts           number of admissible cuts
    cuts             the best cuts, best first
    tied_cuts        number of other cuts that tie with the best one
    n_values         number of values of a category that were grouped, if the grouping has a penalty; otherwise 0
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
    penalty: float = 0.0
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

    charge = DeprecatedAlias("penalty")


@dataclass(frozen=True, slots=True)
class NamingCost:
    """The cost of naming one of the columns, as a part of the floor: 0.9 log2(columns) / rows.

    n_columns     number of columns with a candidate
    rows          weight of the node, in units of one row
    average_part  weight of the average gain in the floor, from 0 to 1; the naming cost has the rest

    >>> round(NamingCost(16, 1000.0).cost, 6)
    0.0036
    """

    n_columns: int
    rows: float
    average_part: float = 0.0

    @property
    def cost(self) -> float:
        """The cost of naming a column, in bits per row."""
        return NAMING_FACTOR * log2(self.n_columns) / self.rows

    price = DeprecatedAlias("cost")


@dataclass(frozen=True, slots=True)
class Entry:
    """The candidates of one node, and how the best one was chosen.

    node       number of the node
    words      path from the root
    count      number of rows that reach the node, in full or with a fractional weight
    weight     total weight of these rows
    stats      as in `Branch`
    impurity   impurity of the node
    criterion  the name of the impurity
    ranked_by  "gain" or "ratio"
    average    the average gain, if it is part of the floor; otherwise None
    candidates one for each column, in the order of the table
    chosen     position of the chosen column, or None. In a leaf, the column that would be chosen, or that was chosen
               before the split was undone
    margin     merit of the chosen column minus that of the next best; None if no other column is ranked
    leaf       why the node is a leaf; None if it is split
    note       a remark, such as that the split was raised to this node, or None
    naming     the cost of naming a column, if it is part of the floor; otherwise None
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
    naming: NamingCost | None = None

    @property
    def floor(self) -> float | None:
        """The gain that a column must reach to be ranked; None if there is no floor."""
        return floor_of(self.average, self.naming)


def floor_of(average: float | None, naming: NamingCost | None) -> float | None:
    """The floor: the average gain, the cost of naming a column, or a weighted mean of both.

    >>> floor_of(0.25, None), floor_of(None, NamingCost(2, 9.0)), floor_of(0.5, NamingCost(2, 9.0, average_part=0.5))
    (0.25, 0.1, 0.3)
    """
    if naming is None:
        return average
    return naming.average_part * (average or 0.0) + (1.0 - naming.average_part) * naming.cost
