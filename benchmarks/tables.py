"""The tables that are timed.

In: a name and a fraction of the full size. Out: a Table, the same one every time. Every number fits into
a float32, so that a program that works in float32 sees the same table as one that works in float64.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVELS = (3, 4, 6, 9, 14, 22, 35, 50)
"""Levels of the eight category columns of the mixed table."""

GOLF = """
sunny,85,85,FALSE,no; sunny,80,90,TRUE,no; overcast,83,86,FALSE,yes; rainy,70,96,FALSE,yes
rainy,68,80,FALSE,yes; rainy,65,70,TRUE,no; overcast,64,65,TRUE,yes; sunny,72,95,FALSE,no
sunny,69,70,FALSE,yes; rainy,75,80,FALSE,yes; sunny,75,70,TRUE,yes; overcast,72,90,TRUE,yes
overcast,81,75,FALSE,yes; rainy,71,91,TRUE,no
"""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers and category codes in one array, the target, which columns are categories, and the frame of a real table
    that these were read from.
    """

    values: NDArray[np.float64]
    target: NDArray[np.int64] | NDArray[np.float64]
    categories: tuple[int, ...] = ()
    frame: Any = None

    @property
    def is_regression(self) -> bool:
        return self.target.dtype == np.float64

    @property
    def given(self) -> Any:
        """The table as a user has it."""
        return self.values if self.frame is None else self.frame

    @property
    def shape(self) -> str:
        return "{:,} x {}".format(*self.values.shape)

    def as_float32(self) -> NDArray[np.float32]:
        """The form in which scikit-learn works."""
        return np.ascontiguousarray(self.values, dtype=np.float32)

    def take(self, rows: NDArray[np.intp] | slice) -> "Table":
        """Some of the rows."""
        frame = None if self.frame is None else self.frame.iloc[rows]
        return replace(self, values=self.values[rows], target=self.target[rows], frame=frame)

    def shuffled(self) -> "Table":
        """The same rows in another order."""
        return self.take(np.random.default_rng(20_260_106).permutation(len(self.target)))


def through_float32(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same numbers, rounded to what float32 can hold."""
    return values.astype(np.float32).astype(np.float64)


def draw_classes(scores: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.int64]:
    """One class a row: the highest score after Gumbel noise, so that no tree can be perfect."""
    noisy = 2.0 * (scores - scores.mean(axis=0)) + random.gumbel(size=scores.shape)
    classes: NDArray[np.int64] = np.argmax(noisy, axis=1)
    return classes


def smooth_scores(
    values: NDArray[np.float64], n_scores: int, random: np.random.Generator
) -> NDArray[np.float64]:
    """Scores made of lines, steps and one product each, over columns of about unit spread."""
    n_rows, n_columns = values.shape
    scores = np.zeros((n_rows, n_scores))
    for k in range(n_scores):
        lines = random.normal(size=n_columns) * (random.random(n_columns) < 0.4)
        scores[:, k] = values @ lines
        for j in random.choice(n_columns, 4, replace=False):
            scores[:, k] += random.normal(0.0, 1.5) * (values[:, j] > random.normal(0.0, 0.7))
        i, j = random.choice(n_columns, 2, replace=False)
        scores[:, k] += values[:, i] * values[:, j]
    return scores


def floats(n_rows: int, n_classes: int) -> Table:
    """Twenty columns of all-different numbers."""
    random = np.random.default_rng(20_260_101)
    values = through_float32(random.normal(size=(n_rows, 20)))
    return Table(values, draw_classes(smooth_scores(values, n_classes, random), random))


def integers(n_rows: int, n_values: int, n_classes: int) -> Table:
    """Twenty columns of the numbers 0 .. n_values - 1, the middle ones more often."""
    random = np.random.default_rng(20_260_102)
    normal = random.normal(size=(n_rows, 20))
    values = np.clip(np.floor((normal + 2.5) * n_values / 5.0), 0, n_values - 1)
    centred = (values - values.mean(axis=0)) / values.std(axis=0)
    return Table(values, draw_classes(smooth_scores(centred, n_classes, random), random))


def mixed(n_rows: int, n_classes: int) -> Table:
    """Eight categories of 3 to 50 levels, rare and frequent ones, then eight numbers."""
    random = np.random.default_rng(20_260_103)
    codes = np.empty((n_rows, len(LEVELS)), dtype=np.int64)
    for j, n_levels in enumerate(LEVELS):
        probabilities = random.dirichlet(np.full(n_levels, 1.5))
        codes[:, j] = random.choice(n_levels, n_rows, p=probabilities)
    numbers = through_float32(np.round(random.normal(size=(n_rows, 8)), 4))
    scores = smooth_scores(numbers, n_classes, random)
    for k in range(n_classes):
        for j, n_levels in enumerate(LEVELS):
            scores[:, k] += random.normal(0.0, 0.9 if j % 2 == 0 else 0.2, n_levels)[codes[:, j]]
    values = np.hstack([codes.astype(np.float64), numbers])
    return Table(values, draw_classes(scores, random), tuple(range(len(LEVELS))))


SKEWED_LEVELS = (3, 4, 6, 8, 12, 20, 32, 50)
SCALES = (1, 2, 5, 10, 1, 1, 3, 1)
MATTERS = (1.0, 1.0, 0.3, 0.0, 1.0, 0.0, 0.5, 0.0)


def skewed(n_rows: int, n_classes: int) -> Table:
    """Eight categories whose low codes are frequent, then eight numbers of various scales, some of which matter; in
    each class one category matters more where the first number is high. Classes are not of equal size.
    """
    random = np.random.default_rng(20_260_110)
    drawn = random.beta(1.2, 2.0, size=(n_rows, len(SKEWED_LEVELS)))
    codes = np.minimum((drawn * SKEWED_LEVELS).astype(np.int64), np.array(SKEWED_LEVELS) - 1)
    unit = random.normal(size=(n_rows, len(SCALES)))
    scores = np.zeros((n_rows, n_classes))
    for k in range(n_classes):
        for j, n_levels in enumerate(SKEWED_LEVELS):
            scores[:, k] += random.normal(0.0, 1.0 if j in (0, 2, 4, 6, 7) else 0.2, n_levels)[codes[:, j]]
        scores[:, k] += unit @ (random.normal(size=len(SCALES)) * MATTERS)
        more = random.normal(0.0, 1.5, SKEWED_LEVELS[2])[codes[:, 2]]
        scores[:, k] += more * (unit[:, 0] > random.normal())
    numbers = through_float32(np.round(unit * SCALES + np.arange(len(SCALES)), 4))
    target = np.argmax(2.0 * scores + random.gumbel(size=scores.shape), axis=1)
    return Table(np.hstack([codes.astype(np.float64), numbers]), target, tuple(range(len(SKEWED_LEVELS))))


def add_missing(table: Table, fraction: float) -> Table:
    """The same table with this fraction of the cells of every column missing."""
    random = np.random.default_rng(20_260_105)
    gone = random.random(table.values.shape) < fraction
    return replace(table, values=np.where(gone, np.nan, table.values))


def regression(n_rows: int) -> Table:
    """Twenty columns of all-different numbers and a noisy number to predict."""
    random = np.random.default_rng(20_260_104)
    values = through_float32(random.normal(size=(n_rows, 20)))
    target = smooth_scores(values, 1, random)[:, 0] + random.normal(size=n_rows)
    return Table(values, through_float32(target))


def golf_rows() -> list[list[str]]:
    """Quinlan's fourteen days, as they are printed."""
    return [row.strip().split(",") for row in GOLF.replace("\n", ";").split(";") if row.strip()]


def golf() -> Table:
    """The same, categories as codes."""
    words = np.array(golf_rows())
    columns = [
        words[:, j].astype(float) if j in (1, 2) else np.unique(words[:, j], return_inverse=True)[1]
        for j in range(4)
    ]
    target = (words[:, 4] == "yes").astype(np.int64)
    return Table(np.column_stack(columns).astype(np.float64), target, categories=(0, 3))


def iris() -> Table:
    """Fisher's irises, as scikit-learn ships them."""
    from sklearn.datasets import load_iris

    data = load_iris()
    return Table(through_float32(data.data), data.target.astype(np.int64))


def sized(make: Callable[..., Table], n_rows: int, *rest: int) -> Callable[[float], Table]:
    """`make` with its number of rows scaled by what is passed later."""
    return lambda fraction: make(max(int(n_rows * fraction), 100), *rest)


MISSING_FRACTION = 0.05
"""The fraction of missing cells in every column."""


def with_missing(n_rows: int, n_classes: int) -> Table:
    """The skewed mixed table with missing cells."""
    return add_missing(skewed(n_rows, n_classes), MISSING_FRACTION)


SMALL: dict[str, Callable[[], Table]] = {"golf": golf, "iris": iris}
