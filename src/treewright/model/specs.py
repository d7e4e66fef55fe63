"""Specs: a tree as it is written down by hand.

In: leaves and questions in the user's words. Out: their description, which `build` makes a Tree of.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from treewright.data.schema import Kind


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LeafSpec:
    """A leaf as written down: class weights, or a number with weight and loss; both None when it is empty."""

    classes: Mapping[Any, float] | None
    number: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SurrogateSpec:
    """A surrogate as written down; `cut` is a threshold, an ordered category, or a branch for each category."""

    column: str
    cut: Any
    agree: float
    adjusted: float
    low: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SplitSpec:
    """A split as written down; `cut` is a threshold or category, `groups` the categories of each branch.

    missing  the branch of missing values; None is the heaviest. An own branch, for them alone, is the last child.
    """

    column: str
    kind: Kind
    children: tuple["LeafSpec | SplitSpec", ...]
    cut: Any = None
    groups: tuple[tuple[Any, ...], ...] = ()
    has_other: bool = False
    missing: int | None = None
    has_own: bool = False
    surrogates: tuple[SurrogateSpec, ...] = ()


Spec = LeafSpec | SplitSpec
ToMissing = Spec | int | None
"""Where missing values go: a branch of their own, a branch by its number, or the heaviest branch."""


def leaf(answer: Any = None, weight: float = 1.0, loss: float = 0.0) -> LeafSpec:
    """A leaf: {class: weight, ...}, one class, or a number; without an answer an empty branch of weight 0.

    `weight` goes with one class or a number, `loss` with a number.
    """
    if answer is None:
        return LeafSpec(None, None)
    if isinstance(answer, Mapping):
        return LeafSpec(dict(answer), None)
    number = (float(answer), weight, loss) if isinstance(answer, int | float) else None
    return LeafSpec({answer: weight}, number)


def number(
    column: str,
    threshold: float,
    low: Spec,
    high: Spec,
    missing: ToMissing = None,
    surrogates: Iterable[SurrogateSpec] = (),
) -> SplitSpec:
    """A number against a threshold: `low` takes value <= threshold."""
    children, missing, has_own = _with_own((low, high), missing)
    return SplitSpec(
        column, Kind.NUMBER, children, threshold, missing=missing, has_own=has_own, surrogates=tuple(surrogates)
    )


def ordered(
    column: str,
    category: Any,
    low: Spec,
    high: Spec,
    missing: ToMissing = None,
    surrogates: Iterable[SurrogateSpec] = (),
) -> SplitSpec:
    """An ordered category: `low` takes it up to and including the given one."""
    children, missing, has_own = _with_own((low, high), missing)
    return SplitSpec(
        column, Kind.ORDERED, children, category, missing=missing, has_own=has_own, surrogates=tuple(surrogates)
    )


def table(
    column: str,
    branches: Mapping[Any, Spec],
    other: Spec | None = None,
    missing: ToMissing = None,
    surrogates: Iterable[SurrogateSpec] = (),
) -> SplitSpec:
    """A category: branches by category, or by tuple of categories.

    Categories that are not listed take the branch `other`, which is behind those listed; without it the heaviest.
    """
    groups = tuple(key if isinstance(key, tuple) else (key,) for key in branches)
    children, missing, has_own = _with_own((*branches.values(), *(() if other is None else (other,))), missing)
    return SplitSpec(
        column,
        Kind.CATEGORY,
        children,
        groups=groups,
        has_other=other is not None,
        missing=missing,
        has_own=has_own,
        surrogates=tuple(surrogates),
    )


def is_missing(column: str, known: Spec, missing: Spec) -> SplitSpec:
    """Whether a value of any kind is missing."""
    return SplitSpec(column, Kind.NUMBER, (known, missing), inf, missing=1, has_own=True)


def surrogate(
    column: str, cut: Any, agree: float = 1.0, adjusted: float = 1.0, low: int = 0
) -> SurrogateSpec:
    """What stands in for a split in two, the best one first.

    cut  a threshold, the last low category of an ordered column, or {category or tuple of categories: branch}
    low  the branch of low values
    """
    return SurrogateSpec(column, cut, agree, adjusted, low)


def _with_own(
    children: tuple[Spec, ...], missing: ToMissing
) -> tuple[tuple[Spec, ...], int | None, bool]:
    """The children with that of missing values behind them, its branch, and whether there is one."""
    if missing is None or isinstance(missing, int):
        return children, missing, False
    return (*children, missing), len(children), True
