"""Plan: an algorithm as data.

In: names of parts. Out: a frozen record that the grower turns into numbers for the compiled loop. ID3, C4.5,
CART and MDLTree differ in the values of a plan and in nothing else.
"""

from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral

from treewright.criteria.registry import CRITERIA, Criterion
from treewright.errors import ParameterError, one_of
from treewright.model.strategies import GROWN, STRATEGIES

MERITS = ("decrease", "ratio")
FLOORS = ("none", "average", "description")
NUMBERS = ("bisect", "refuse")
GROUPINGS = ("each", "subset", "greedy", "least-loss", "binary")
IN_TWO = ("subset", "binary")
"""The groupings that split categories into two groups always."""
THRESHOLDS = ("midpoint", "value")
CHARGES = ("none", "cuts", "description")
MINIMUMS = ("rows", "weight")
SIDES = ("leaf", "release8")
MISSING = GROWN
SURROGATES = ("needed", "always")
INFOS = ("known", "all")
MOST_BINS = 255
"""As many as a byte tells apart, less one."""
NAMES = {
    "criterion": tuple(CRITERIA),
    "merit": MERITS,
    "floor": FLOORS,
    "number": NUMBERS,
    "grouping": GROUPINGS,
    "threshold": THRESHOLDS,
    "charge": CHARGES,
    "side": SIDES,
    "minimum": MINIMUMS,
    "missing": MISSING,
    "surrogates": SURROGATES,
    "info": INFOS,
}
"""The valid names of each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where growth stops: the one place.

    min_split and min_leaf count rows or weight, as `Plan.minimum` says; min_leaf_weight is a weight always.
    """

    max_depth: int | None = None
    min_split: float = 2
    min_leaf: float = 1
    min_leaf_weight: float = 0.0
    min_gain: float = 0.0
    max_leaves: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("max_depth", 0), ("max_leaves", 2)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ParameterError(f"{name}={value!r} is too small; give at least {least}, or None for no limit.")
        for name, least in (("min_split", 0), ("min_leaf", 0), ("min_leaf_weight", 0), ("min_gain", 0)):
            value = getattr(self, name)
            if not (isfinite(value) and value >= least):
                raise ParameterError(f"{name}={value!r} has to be a number of at least {least}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parts an algorithm is made of.

    criterion  what a split improves: a name in treewright.criteria.CRITERIA
    merit      what columns are ranked by: the decrease, or the ratio of decrease to split information
    floor      which columns may be ranked: all, those of at least average decrease, or those that pay for their name
               among the others (the average on small tables: see docs/rules-of-growth.md)
    number     numbers are bisected, or refused with advice
    grouping   a branch for each category; two subsets, the best there are; groups merged greedily while the ratio
               improves; groups merged at the least loss, the stage of the best ratio; or two groups, ordered by class
               share or merged at the least loss, where values of a single row are one
    threshold  the midpoint between two values, or the largest training value not above it
    charge     what a split pays: nothing; log2(admissible cuts) / weight for a number; or that, and for a category
               log2(ways to group its values) / weight
    side       the smallest side of a cut: the leaf minimum, or Release 8's share of the node
    minimum    whether minimums count rows or weight
    slack      how far below the floor a column may be and still be ranked (bits)
    min_info   the split information a ratio needs
    info       split information over the branches of known rows, or with the missing rows as one more
    missing    what is done with rows that are missing on a column: see docs/rules-of-growth.md
    max_surrogates, surrogates  how many a split has, and whether they are searched in a table without missing cells
    wide       columns with at least this share of the training rows as categories stay out of the average
    monotonic  by column 1 or -1 where answers must not fall or not rise with it, 0 elsewhere; empty: no column is so
    max_bins   numbers with more different values than this are drawn together into so many bins; None: all are kept
    collapse   after growth, a split whose branches make no fewer errors than the node is taken back
    """

    criterion: str = "gini"
    merit: str = "decrease"
    floor: str = "none"
    number: str = "bisect"
    grouping: str = "subset"
    threshold: str = "midpoint"
    charge: str = "none"
    side: str = "leaf"
    minimum: str = "rows"
    info: str = "known"
    missing: str = "error"
    max_surrogates: int = 5
    surrogates: str = "needed"
    slack: float = 1e-10
    min_info: float = 1e-10
    wide: float | None = None
    collapse: bool = False
    monotonic: tuple[int, ...] = ()
    max_bins: int | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name, valid in NAMES.items():
            if getattr(self, name) not in valid:
                one_of(name, getattr(self, name), valid)
        for name in ("slack", "min_info"):
            if not (isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise ParameterError(f"{name}={getattr(self, name)!r} has to be a number of at least 0.")
        if any(sense not in (-1, 0, 1) for sense in self.monotonic):
            raise ParameterError(f"monotonic={self.monotonic!r} cannot be used; give -1, 0 or 1 for each column.")
        if self.max_bins is not None and not 2 <= self.max_bins <= MOST_BINS:
            raise ParameterError(f"max_bins={self.max_bins!r} has to be from 2 to {MOST_BINS}, or None.")
        self._check_missing()
        if self.measured_by.two_branches and self.grouping != "subset":
            raise ParameterError(
                f"criterion={self.criterion!r} compares two branches, so it needs grouping='subset', not "
                f"{self.grouping!r}."
            )
        if self.for_numbers and self.merit == "ratio":
            raise ParameterError(
                f"merit='ratio' compares entropies; it has no meaning for criterion={self.criterion!r}: "
                "choose merit='decrease'."
            )

    def _check_missing(self) -> None:
        given = self.max_surrogates
        if not isinstance(given, Integral) or isinstance(given, bool) or given < 0:
            raise ParameterError(
                f"max_surrogates={self.max_surrogates!r} cannot be used; give a whole number of at least 0."
            )
        strategy = STRATEGIES[self.missing]
        if strategy.surrogates and self.grouping not in IN_TWO:
            raise ParameterError(
                f"missing={self.missing!r} stands in for two-way splits, so it needs grouping='subset' or 'binary', "
                f"not {self.grouping!r}; choose another way with missing values, for example 'fractional'."
            )
        if strategy.adds_branch and self.measured_by.two_branches:
            raise ParameterError(
                f"missing={self.missing!r} adds a third branch, but criterion={self.criterion!r} compares two; "
                "choose another criterion or another way with missing values."
            )
        if strategy.joins and self.by_median and self.grouping not in IN_TWO:
            raise ParameterError(
                f"missing={self.missing!r} cannot be used with criterion={self.criterion!r} and "
                f"grouping={self.grouping!r}; choose grouping='subset' or another way with missing values."
            )

    @property
    def measured_by(self) -> Criterion:
        """The record of the criterion."""
        return CRITERIA[self.criterion]

    @property
    def for_numbers(self) -> bool:
        """Whether the plan is one for regression."""
        return self.measured_by.for_numbers

    @property
    def by_median(self) -> bool:
        """Whether leaves predict medians, and losses are absolute distances from them."""
        return self.measured_by.by_median
