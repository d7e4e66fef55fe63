"""The contract between growth and the engines that count.

An engine has rows somewhere: in files, in a cluster, in a database. It finds out three things, all as integers that do
not depend on how the rows are divided or ordered: what the columns hold, how many rows have each code, and which rows
belong to some small nodes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.scale import reading

MOST_WEIGHTS = 2**20
"""Different weights of rows at most: they are counted first, so that their sum does not depend on the order of rows."""
Level = dict[str, Any]
"""Where the rows of each slot go; see `worker`."""
Cells = dict[str, Any]
"""Which cells are counted: by class, or by the branch of a split; and whether squares are, too; see
`worker.count_slots`."""

Result = TypeVar("Result")

NUMBER, TEXT, BOOLEAN = "number", "text", "boolean"
"""Kinds of columns of a source."""


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What a column of a source holds.

    n_missing   its missing values
    categories  its values if they are texts, booleans or declared as categories; None for a number
    top, following  of a number, the highest value of each code, rising; and the next value behind each but the last if
                these are bins, else None
    """

    n_missing: int
    categories: tuple[object, ...] | None = None
    top: NDArray[np.float64] | None = None
    following: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class SurveyRequest:
    """What is to be found out.

    columns   the columns to be used
    declared  those of them that are categories, whatever their type
    target    the target
    weight    the column of weights, or None
    max_bins  numbers with more distinct values are put into so many bins
    is_number whether the target is a number
    """

    columns: tuple[str, ...]
    declared: frozenset[str]
    target: str
    weight: str | None
    max_bins: int
    is_number: bool = False


class WeightCounts(NamedTuple):
    """The weights of some rows.

    values  the different weights, rising
    n_rows  the rows of each
    """

    values: NDArray[np.float64]
    n_rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SurveyFacts:
    """What was found out.

    columns  by name
    classes  the values of the target, and the weights of the rows of each; None for all rows if it is a number
    n_rows   the rows of a weight above 0
    ends     the lowest and the highest value of a target that is a number
    """

    columns: dict[str, ColumnFacts]
    classes: dict[object, WeightCounts]
    n_rows: int
    ends: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class RowUnits:
    """The units of weight of a row: its weight, times the factors of its class, times 2^scale, rounded, at least 1.

    factors  of each class; one tuple after the other
    """

    factors: tuple[tuple[float, ...], ...]
    scale: int

    def of(self, weight: NDArray[np.float64], label: NDArray[Any] | int) -> NDArray[np.int64]:
        """The units of rows of these weights and classes.

        >>> RowUnits(((1.0, 0.5),), 2).of(np.array([1.0, 1.0, 0.1]), np.array([0, 1, 1])).tolist()
        [4, 2, 1]
        """
        return reading.units_of(weight, label, self.factors, self.scale)


@dataclass(frozen=True, slots=True, eq=False)
class CodingRequest:
    """How cells become codes.

    columns  by name, the highest value of each code (a number), or the code of each category; the code behind the last
             is a missing value
    target   the target; `classes` has the code of each class, None for a number
    weight   the column of weights, or None
    units    the units of a row; None if every row counts once
    """

    columns: dict[str, NDArray[np.float64] | dict[object, int]]
    target: str
    classes: dict[object, int] | None
    weight: str | None
    units: RowUnits | None


@dataclass(frozen=True, slots=True, eq=False)
class CellLayout:
    """Where the cells of each column are: (code, class) of column f is at offset[f] + code * n_classes + class; for a
    number n_classes is 1.
    """

    offset: NDArray[np.int64]
    n_classes: int

    def as_dict(self) -> dict[str, Any]:
        """As the functions of `worker` take it."""
        return {"offset": self.offset.tolist(), "n_classes": self.n_classes}


@dataclass(frozen=True, slots=True)
class NumberUnits:
    """How a target that is a number becomes integers: weight times (target - centre) times 2^scale, rounded.

    copies  whether it is rounded before it is multiplied by the weight
    """

    centre: float
    scale: int
    copies: bool

    def as_dict(self) -> dict[str, Any]:
        """As the functions of `worker` take it."""
        return {"centre": self.centre, "scale": self.scale, "copies": self.copies}


class SlotTotals(NamedTuple):
    """Of each slot the rows, their weight and moments, and the lowest and the highest target."""

    rows: NDArray[np.int64]
    weight: NDArray[np.int64]
    moment: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class SlotScales(NamedTuple):
    """Of each slot, from where targets are counted, and the powers of two by which they are multiplied; 0 for a slot
    where nothing is added up.

    low, distance  for the sum of distances from the lowest target
    centre, loss   for the sum of squares
    """

    low: NDArray[np.float64]
    distance: NDArray[np.float64]
    centre: NDArray[np.float64]
    loss: NDArray[np.float64]


class TargetPowers(NamedTuple):
    """How powers of a target that is a number become integers: those of (target - centre) times 2^scale, times the
    weight, times 2^exponents[k - 1] for the power k.
    """

    centre: float
    scale: int
    exponents: tuple[int, ...]


class RowPart(NamedTuple):
    """A part of the rows, by a hash of their codes and targets; see `row_parts`.

    conditions  (modulus, low, high, inside): the hash modulo `modulus` is from `low` to `high` - 1, or not
    shift       weights are multiplied by 2^shift
    """

    conditions: tuple[tuple[int, int, int, bool], ...] = ()
    shift: int = 0


ALL_ROWS = RowPart()


@dataclass(slots=True)
class Effort:
    """What an engine did: passes over the rows or statements, and bytes that it sent back."""

    n_passes: int = 0
    n_bytes: int = 0
    log: list[str] = field(default_factory=list)


class RowCounts(Protocol):
    """Counts rows that have codes: those of a source, or of a part of it."""

    effort: Effort

    def count(
        self, levels: list[Level], first: int, end: int, cells: Cells | None = None
    ) -> NDArray[np.int64]:
        """Send the rows down the levels from the root on, and count those of the slots `first` to `end` - 1: all cells
        by class, or other ones.

        Returns (kinds, end - first, n_cells): of a number, the squares, if they are wanted, and the moments; the weight
        in units; and the rows, if they do not all count once.
        """

    def tally(self, levels: list[Level], n_slots: list[int]) -> NDArray[np.int64]:
        """Send the rows down the levels, and count those of each class in every slot of every level, of which there
        are so many, the root's first; 0 if a level is not counted. Returns (kinds, all slots, n_classes), the kinds as
        those of `count`.
        """

    def take(self, levels: list[Level], first: int, end: int) -> dict[str, Any]:
        """The rows of these slots: codes, target, weight and slot of each."""

    # --- only for a target that is a number ---

    def total(self, levels: list[Level], n_slots: int) -> SlotTotals:
        """Send the rows down the levels, and add up what is in each slot."""

    def sum_losses(self, levels: list[Level], scales: SlotScales) -> NDArray[np.int64]:
        """The sums of distances, of their rests and of squares of each slot; see `worker.sum_losses`."""

    def sum_powers(self, levels: list[Level], n_slots: list[int], powers: TargetPowers) -> NDArray[np.int64]:
        """Send the rows down the levels, and add up the weights and the powers of the target in every slot of every
        level, of which there are so many: (sums, all slots); see `worker.sum_powers`.
        """


class Engine(RowCounts, Protocol):
    """Counts the rows of a source."""

    name: str

    def kinds(self) -> dict[str, str]:
        """The columns of the source with their kinds: NUMBER, TEXT, BOOLEAN, or the name of another type."""

    def survey(self, request: SurveyRequest) -> SurveyFacts:
        """Find out what the columns hold."""

    def encode(self, request: CodingRequest, layout: CellLayout) -> None:
        """Replace the cells by codes, and keep these where they are counted quickly, instead of earlier ones."""

    def on_parts(
        self, parts: Sequence[RowPart], task: Callable[[RowCounts, int], Result], n_at_once: int = 1
    ) -> list[Result]:
        """The results of task(rows, i) on parts of the rows; in the same passes, if the engine can, where at most so
        many tasks compute at a time.
        """

    def restrict(self, part: RowPart) -> None:
        """From now on, count the rows of a part only; `on_parts` still takes any rows."""

    # --- only for a target that is a number ---

    def find_median(self, half: int) -> float:
        """The lowest target up to which the rows have at least this weight."""

    def sum_distances(self, units: NumberUnits) -> int:
        """The sum of weight times distance from the centre times 2^scale, each rounded down."""

    def keep_moments(self, units: NumberUnits) -> None:
        """From now on, count and add up the moments in these units."""

    def close(self) -> None:
        """Remove what the engine keeps."""


def too_many_weights(name: str | None) -> InputError:
    """The error about a column with too many different weights."""
    return InputError(
        f"The weights {name!r} must have at most {MOST_WEIGHTS:,} different values in a class on a source; round them "
        "to a few digits."
    )
