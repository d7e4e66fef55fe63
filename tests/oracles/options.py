"""What the slow grower is asked: columns and the parts of an algorithm, as plain records of its own.

In: nothing. Out: `Column` and `Options`. The fields mirror the package's plan so that one test can fill both,
but nothing is imported from the package: the oracle shares no code with what it judges.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Cell = float | None
"""A number or a code; None is a missing cell."""

REGRESSION = ("squared_error", "absolute_error", "poisson")


@dataclass(frozen=True)
class Column:
    """One column: kind is "number", "ordered" or "category"; the latter two hold codes."""

    kind: str
    values: Sequence[Cell]
    n_categories: int = 0


@dataclass(frozen=True, kw_only=True)
class Options:
    """The parts of an algorithm, named as in docs/rules-of-growth.md."""

    criterion: str = "gini"
    merit: str = "decrease"
    floor: str = "none"
    grouping: str = "subset"
    threshold: str = "midpoint"
    penalty: str = "none"
    side: str = "leaf"
    minimum: str = "rows"
    slack: float = 1e-10
    min_info: float = 1e-10
    wide: float | None = None
    collapse: bool = False
    max_depth: int | None = None
    min_split: float = 2
    min_leaf: float = 1
    min_gain: float = 0.0
    max_leaves: int | None = None
    missing: str = "error"
    info: str = "known"
    max_surrogates: int = 5
    surrogates: str = "needed"

    @property
    def is_regression(self) -> bool:
        return self.criterion in REGRESSION


ID3 = Options(criterion="entropy", grouping="each")

TEXTBOOK = Options(
    criterion="entropy",
    merit="ratio",
    floor="average",
    grouping="each",
    minimum="weight",
)

RELEASE8 = Options(
    criterion="entropy",
    merit="ratio",
    floor="average",
    grouping="each",
    threshold="value",
    penalty="cuts",
    side="release8",
    minimum="weight",
    slack=1e-3,
    min_info=1e-3,
    wide=0.3,
    collapse=True,
    min_split=4,
    min_leaf=2,
)

CART = Options(criterion="gini", grouping="subset")

DESCRIBED = Options(
    criterion="entropy", floor="description", grouping="binary", penalty="description", minimum="weight"
)
