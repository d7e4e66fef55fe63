"""The axes along which the work grows, each with its tables.

In: a size. Out: a table of that size and how its tree is grown. Numbers are normal, the target depends on the first
five columns and on chance, so that full trees are deep.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.peers import Setting
from benchmarks.tables import Table, through_float32

Drawn = tuple[Table, Setting]


@dataclass(frozen=True, slots=True)
class Axis:
    """What grows, in which steps, what stays as it is, and whether scikit-learn can do it as well."""

    name: str
    sizes: tuple[int, ...]
    draw: Callable[[int], Drawn]
    words: str
    has_peer: bool = True


def numbers(n_rows: int, n_columns: int, n_classes: int = 2) -> Table:
    """A table of numbers with classes of equal size."""
    random = np.random.default_rng(20_260_107)
    values = through_float32(random.normal(size=(n_rows, n_columns)))
    return Table(values, _classes(values[:, :5].sum(axis=1), n_classes, random))


def _classes(score: np.ndarray, n_classes: int, random: np.random.Generator) -> np.ndarray:
    """By the rank of a score with as much noise as it has spread."""
    noisy = score + random.normal(size=len(score)) * score.std()
    place = np.empty(len(score), dtype=np.int64)
    place[np.argsort(noisy)] = np.arange(len(score))
    return place * n_classes // len(score)


def categories(n_rows: int, n_levels: int) -> Table:
    """A category whose values matter, and four numbers."""
    random = np.random.default_rng(20_260_108)
    codes = random.integers(0, n_levels, n_rows)
    values = through_float32(random.normal(size=(n_rows, 5)))
    score = values[:, 1:3].sum(axis=1) + random.normal(size=n_levels)[codes]
    values[:, 0] = codes
    return Table(values, _classes(score, 2, random), (0,))


def identity(n_rows: int) -> Table:
    """A category that is different in every row."""
    random = np.random.default_rng(20_260_109)
    values = random.permutation(n_rows).astype(np.float64)[:, None]
    return Table(values, random.integers(0, 2, n_rows), (0,))


FULL = Setting()
AXES = (
    Axis(
        "rows",
        (1_000, 10_000, 100_000, 1_000_000, 10_000_000),
        lambda n: (numbers(n, 5), FULL),
        "5 columns, 2 classes, full tree",
    ),
    Axis(
        "columns",
        (1, 3, 10, 30, 100, 300, 1_000),
        lambda n: (numbers(10_000, n), FULL),
        "10,000 rows, 2 classes, full tree",
    ),
    Axis(
        "classes",
        (2, 5, 10, 20, 50, 100),
        lambda n: (numbers(50_000, 10, n), FULL),
        "50,000 rows, 10 columns, full tree",
    ),
    Axis(
        "categories",
        (2, 10, 100, 1_000, 10_000, 100_000),
        lambda n: (categories(100_000, n), FULL),
        "one category and 4 numbers, 100,000 rows, full tree",
    ),
    Axis(
        "identity",
        (1_000, 10_000, 100_000, 1_000_000),
        lambda n: (identity(n), Setting(max_depth=1)),
        "a category that is different in every row, one split",
        has_peer=False,
    ),
    Axis(
        "depth",
        (1, 2, 4, 8, 16, 32),
        lambda n: (numbers(100_000, 10), Setting(max_depth=n)),
        "100,000 rows, 10 columns, 2 classes",
    ),
)
