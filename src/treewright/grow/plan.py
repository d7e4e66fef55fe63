"""Plan: an algorithm as data.

A plan names the parts of an algorithm; the grower turns it into numbers for the compiled loop. ID3, C4.5, CART and
MDLTree differ in the values of their plans and in nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral
from typing import Any

import numpy as np

from treewright.criteria.registry import CRITERIA, Criterion
from treewright.data.schema import Kind, Schema
from treewright.errors import InputError, ParameterError, one_of
from treewright.model.formatting import format_category
from treewright.model.strategies import GROWTH_STRATEGIES, STRATEGIES

MERITS = ("decrease", "ratio")
FLOORS = ("none", "average", "description")
NUMBERS = ("bisect", "refuse")
GROUPINGS = ("each", "subset", "greedy", "least-loss", "binary")
TWO_WAY_GROUPINGS = ("subset", "binary")
"""The groupings that always make two groups of categories."""
THRESHOLDS = ("midpoint", "value")
PENALTIES = ("none", "cuts", "description")
MINIMUMS = ("rows", "weight")
SIDES = ("leaf", "release8")
MISSING = GROWTH_STRATEGIES
SURROGATES = ("needed", "always")
INFOS = ("known", "all")
MOST_BINS = 255
"""One less than the values of a byte."""
NAMES = {
    "criterion": tuple(CRITERIA),
    "merit": MERITS,
    "floor": FLOORS,
    "number": NUMBERS,
    "grouping": GROUPINGS,
    "threshold": THRESHOLDS,
    "penalty": PENALTIES,
    "side": SIDES,
    "minimum": MINIMUMS,
    "missing": MISSING,
    "surrogates": SURROGATES,
    "info": INFOS,
}
"""The valid values of each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When growth stops.

    min_split and min_leaf count rows or weight, see `Plan.minimum`; min_leaf_weight is always a weight.
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
                raise ParameterError(f"{name} must be at least {least}, or None for no limit, got {value!r}.")
        for name, least in (("min_split", 0), ("min_leaf", 0), ("min_leaf_weight", 0), ("min_gain", 0)):
            value = getattr(self, name)
            if not (isfinite(value) and value >= least):
                raise ParameterError(f"{name} must be a number of at least {least}, got {value!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parts an algorithm is made of.

    criterion  the impurity or measure of a split: a name in treewright.criteria.CRITERIA
    merit      what columns are ranked by: the decrease, or the ratio of decrease to split information
    floor      which columns are ranked: all, those with at least the average decrease, or those whose decrease exceeds
               the bits that name the column (on small tables the average: see docs/rules-of-growth.md)
    number     numbers are split at thresholds, or raise an error
    grouping   a branch for each category; the best two subsets; groups merged greedily while the ratio improves; groups
               merged at the least loss, the stage with the best ratio; or two groups, ordered by class proportion or
               merged at the least loss, where categories of a single row are one
    threshold  the midpoint between two values, or the largest training value that is not above it
    penalty    what is taken off the gain of a split: nothing; log2(admissible cuts) / weight for a number; or that, and
               for a category log2(ways to group its values) / weight
    side       the smallest side of a cut: the leaf minimum, or that of Release 8, a fraction of the node
    minimum    whether minimums count rows or weight
    slack      how far below the floor a column may be and still be ranked (bits)
    min_info   the smallest split information of a ratio
    info       split information over the branches of known rows, or with the missing rows as one more branch
    missing    the strategy for missing values: see docs/rules-of-growth.md
    max_surrogates, surrogates  how many surrogates a split has, and whether they are searched if no value is missing
    wide       columns with at least this fraction of the training rows as categories are left out of the average
    monotonic  by column 1 or -1 if predictions must not fall or not rise with it, else 0; empty: no constraints
    max_bins   numbers with more different values than this are put into so many bins; None: no bins
    collapse   after growth, a split whose branches make as many errors as the node is removed
    """

    criterion: str = "gini"
    merit: str = "decrease"
    floor: str = "none"
    number: str = "bisect"
    grouping: str = "subset"
    threshold: str = "midpoint"
    penalty: str = "none"
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
                raise ParameterError(f"{name} must be a number of at least 0, got {getattr(self, name)!r}.")
        if any(sense not in (-1, 0, 1) for sense in self.monotonic):
            raise ParameterError(f"monotonic must be -1, 0 or 1 for each column, got {self.monotonic!r}.")
        if self.max_bins is not None and not 2 <= self.max_bins <= MOST_BINS:
            raise ParameterError(f"max_bins must be from 2 to {MOST_BINS}, or None, got {self.max_bins!r}.")
        self._check_missing()
        if self.measured_by.two_branches and self.grouping != "subset":
            raise ParameterError(
                f"criterion={self.criterion!r} requires binary splits: grouping must be 'subset', got "
                f"{self.grouping!r}."
            )
        if self.for_numbers and self.merit == "ratio":
            raise ParameterError(
                f"merit='ratio' is for classification and cannot be used with criterion={self.criterion!r}; "
                "use merit='decrease'."
            )

        if self.measured_by.by_deviance and self.penalty != "none":
            raise ParameterError(
                f"penalty={self.penalty!r} cannot be used with criterion={self.criterion!r}, whose losses are not "
                "counted in bits; use penalty='none' or criterion='squared_error'."
            )
        if self.measured_by.by_deviance and any(self.monotonic):
            raise ParameterError(
                f"monotonic_cst cannot be used with criterion={self.criterion!r}; remove it or use "
                "criterion='squared_error'."
            )

    def _check_missing(self) -> None:
        given = self.max_surrogates
        if not isinstance(given, Integral) or isinstance(given, bool) or given < 0:
            raise ParameterError(f"max_surrogates must be an integer of at least 0, got {self.max_surrogates!r}.")
        strategy = STRATEGIES[self.missing]
        if strategy.surrogates and self.grouping not in TWO_WAY_GROUPINGS:
            raise ParameterError(
                f"missing={self.missing!r} requires binary splits: grouping must be 'subset' or 'binary', got "
                f"{self.grouping!r}; or use another strategy for missing values, for example 'fractional'."
            )
        if strategy.adds_branch and self.measured_by.two_branches:
            raise ParameterError(
                f"missing={self.missing!r} adds a third branch, but criterion={self.criterion!r} requires binary "
                "splits; use another criterion or another strategy for missing values."
            )
        if strategy.joins and self.by_median and self.grouping not in TWO_WAY_GROUPINGS:
            raise ParameterError(
                f"missing={self.missing!r} cannot be used with criterion={self.criterion!r} and "
                f"grouping={self.grouping!r}; use grouping='subset' or another strategy for missing values."
            )

    @property
    def measured_by(self) -> Criterion:
        """The record of the criterion."""
        return CRITERIA[self.criterion]

    @property
    def for_numbers(self) -> bool:
        """Whether the plan grows regression trees."""
        return self.measured_by.for_numbers

    @property
    def by_median(self) -> bool:
        """Whether leaves predict medians, with absolute errors as losses."""
        return self.measured_by.by_median


def monotonic_fields(schema: Schema, senses: Sequence[int]) -> dict[str, Any]:
    """The fields of the workspace's plan about monotonic constraints; none if all senses are 0 or there are none.

    >>> from treewright.data.schema import Column, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> monotonic_fields(schema, (1,))["monotone"], monotonic_fields(schema, ())["monotone"]
    (True, False)
    """
    if not any(senses):
        return {"monotone": False}
    check_monotonic(schema, senses)
    return {"monotone": True, "monotonic": np.array(senses, np.int8)}


def check_monotonic(schema: Schema, senses: Sequence[int]) -> None:
    """Raise an error if a constraint makes no sense for this table.

    Categories have no order to rise with, and of three classes or more not all probabilities can rise.
    """
    if len(senses) != schema.n_columns:
        raise InputError(
            f"monotonic_cst must have {schema.n_columns} entries, one for each column, got {len(senses)}; or pass a "
            "dict of column names or positions."
        )
    for column, sense in zip(schema.columns, senses, strict=True):
        if sense and column.kind is Kind.CATEGORY:
            raise InputError(
                f"monotonic_cst must be 0 for column {column.name!r}, whose categories have no order, got {sense}; or "
                f"declare the order of the categories: categorical_features={{{column.name!r}: [low, ..., high]}}."
            )
    classes = schema.target.classes
    if any(senses) and classes is not None and len(classes) > 2:
        words = ", ".join(format_category(one) for one in classes[:3])
        raise InputError(
            f"monotonic_cst constrains the probability of the second of two classes, but the target has {len(classes)} "
            f"classes ({words}{', ...' if len(classes) > 3 else ''}); use two classes, or fit one tree for each class "
            "against the others."
        )
