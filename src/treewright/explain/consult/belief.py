"""Belief: what is known of one column of a case, exactly or not.

In: a value, a range, categories with probabilities, or nothing. Out: how a question of a tree parts it: the branches it
may take, with which probability, and what is known behind each.

Within a range every number is as probable as any other. A range without an end cannot be shared out so: it goes by the
training rows of the branches, as long as it has no end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite

from treewright.data.schema import Column, Kind
from treewright.model.split import Split


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number from `low` to `high`; known exactly where they are the same."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some categories, by their codes, rising, with probabilities whose sum is 1."""

    codes: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """It was asked and is not known: the tree's rule for missing values decides."""


@dataclass(frozen=True, slots=True)
class Open:
    """It was not asked yet; what it may still be, and whether it may be missing."""

    values: "Numbers | Choice"
    missing: bool = False


Known = Numbers | Choice
Belief = Numbers | Choice | Unknown | Open
UNKNOWN = Unknown()

Part = tuple[int, float, Known]
"""A branch, its probability, and what is known behind it."""


def open_belief(column: Column, missing: bool) -> Open:
    """Everything is possible."""
    if column.kind is Kind.NUMBER:
        return Open(Numbers(-inf, inf), missing)
    return Open(choice(dict.fromkeys(range(column.n_categories), 1.0)), missing)


def choice(weights: Mapping[int, float]) -> Choice:
    """Categories with weights as probabilities.

    >>> choice({2: 3.0, 0: 1.0})
    Choice(codes=(0, 2), shares=(0.25, 0.75))
    """
    total = sum(weights.values())
    codes = sorted(weights)
    return Choice(tuple(codes), tuple(weights[code] / total for code in codes))


def parted(split: Split, known: Known, weights: Sequence[float]) -> list[Part]:
    """The branches that what is known may take, in order; a category that the split does not know has branch -1.

    weights  of the training rows in the branches, for ranges without an end

    >>> humidity = Split(Column("humidity", Kind.NUMBER), 0, 2, threshold=75.0)
    >>> parted(humidity, Numbers(70, 80), (5, 9))
    [(0, 0.5, Numbers(low=70, high=75.0)), (1, 0.5, Numbers(low=75.0, high=80))]
    >>> parted(humidity, Numbers(80, 80), (5, 9))
    [(1, 1.0, Numbers(low=80, high=80))]
    """
    if isinstance(known, Numbers):
        return _parted_numbers(split, known, weights)
    by_branch: dict[int, dict[int, float]] = {}
    table = None if split.table is None else dict(zip(*split.table, strict=True))
    for code, share in zip(known.codes, known.shares, strict=True):
        if table is None:
            branch = int(split.threshold is not None and code > split.threshold)
        else:
            branch = table.get(code, -1 if split.other is None else split.other)
        by_branch.setdefault(branch, {})[code] = share
    if len(by_branch) == 1:
        return [(next(iter(by_branch)), 1.0, known)]
    return [(b, sum(by_branch[b].values()), choice(by_branch[b])) for b in sorted(by_branch)]


def _parted_numbers(split: Split, known: Numbers, weights: Sequence[float]) -> list[Part]:
    cut = inf if split.threshold is None else split.threshold
    if known.high <= cut:
        return [(0, 1.0, known)]
    if known.low >= cut:  # the cut itself would take branch 0, but a single point of a range has no width
        return [(1, 1.0, known)]
    width = known.high - known.low
    if isfinite(width):
        share = (cut - known.low) / width
    else:
        here = weights[0] + weights[1]
        share = weights[0] / here if here > 0 else 0.5
    parts = [(0, share, replace(known, high=cut)), (1, 1.0 - share, replace(known, low=cut))]
    return [part for part in parts if part[1] > 0.0]
