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
