"""Tables for the tests of growth: generated, deterministic, larger than those of the oracle."""

import numpy as np

from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target


def mixed(n_rows: int, seed: int = 0, n_classes: int = 3, weight: bool = False) -> Dataset:
    """Three numbers, a small and a large category, an ordered one; regression when n_classes is 0."""
    rng = np.random.default_rng(seed)
    numbers = np.round(rng.normal(size=(n_rows, 3)), 2)
    codes = np.stack([rng.integers(0, k, n_rows) for k in (3, 12, 5)], axis=1)
    values = np.column_stack([numbers, codes]).astype(float)
    noise = rng.normal(size=n_rows)
    score = numbers[:, 0] + rng.normal(size=12)[codes[:, 1]] + 0.5 * codes[:, 2] * numbers[:, 1] + noise
    if n_classes:
        cuts = np.quantile(score, np.arange(1, n_classes) / n_classes)
        target, kind = np.digitize(score, cuts).astype(np.int32), tuple(range(n_classes))
    else:
        target, kind = score, None
    columns = [Column(f"x{i}", Kind.NUMBER) for i in range(3)]
    columns += [Column("small", Kind.CATEGORY, tuple("abc")), Column("large", Kind.CATEGORY, tuple("abcdefghijkl"))]
    columns += [Column("size", Kind.ORDERED, tuple("STMLX"))]
    given = rng.integers(1, 9, n_rows) / 4 if weight else None
    return Dataset(Schema(tuple(columns), Target("y", kind)), values, target, given)


def numbers_only(values: np.ndarray, target: np.ndarray) -> Dataset:
    """A table of numbers with class codes as target."""
    columns = tuple(Column(f"x{i}", Kind.NUMBER) for i in range(values.shape[1]))
    classes = tuple(range(int(target.max()) + 1))
    return Dataset(Schema(columns, Target("y", classes)), values, target.astype(np.int32))


def holed(n_rows: int, seed: int = 0, n_classes: int = 2, levels: tuple[int, ...] = (60,), share: float = 0.4,
          weight: bool = False) -> Dataset:
    """Categories of many levels and three numbers, each cell missing with probability `share`.

    The numbers have a hundred values, so that rows stand in ties; regression when n_classes is 0.
    """
    rng = np.random.default_rng(seed)
    numbers = np.round(rng.normal(size=(n_rows, 3)), 1)
    codes = np.stack([rng.integers(0, k, n_rows) for k in levels], axis=1)
    score = numbers[:, 0] + numbers[:, 1] * (codes[:, 0] % 3) + rng.normal(size=n_rows)
    score += sum(rng.normal(size=k)[codes[:, i]] for i, k in enumerate(levels))
    values = np.column_stack([codes, numbers]).astype(float)
    values[rng.random(values.shape) < share] = np.nan
    columns = [Column(f"c{i}", Kind.CATEGORY, tuple(range(k))) for i, k in enumerate(levels)]
    columns += [Column(f"x{i}", Kind.NUMBER) for i in range(3)]
    given = rng.integers(1, 9, n_rows) / 4 if weight else None
    if not n_classes:
        return Dataset(Schema(tuple(columns), Target("y")), values, np.round(score, 1), given)
    cuts = np.quantile(score, np.arange(1, n_classes) / n_classes)
    target = Target("y", tuple(range(n_classes)))
    return Dataset(Schema(tuple(columns), target), values, np.digitize(score, cuts).astype(np.int32), given)
