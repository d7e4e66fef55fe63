"""Tables and plans for the comparison of fast paths with the plain one, from a seed.

In: a seed. Out: a dataset, a plan, and sizes of the fast paths that the table straddles. Columns have many ties or
none, few values, nearly all rows in one value, one value, or as many values as a code can hold; some lack most of their
cells.
"""

from dataclasses import dataclass, replace

import numpy as np

from tests.oracles.compare import plan as plan_of
from tests.oracles.plans import STRATEGIES, random_missing, random_options
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.plan import Limits, Plan

LEVELS = (2, 3, 4, 9, 12, 30, 70, 254, 255, 256, 300)
SKEWED = 0.97
KINDS = (Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.CATEGORY, Kind.CATEGORY, Kind.ORDERED)


@dataclass(frozen=True)
class Case:
    """A table, a plan, and the sizes at which the fast paths start or end."""

    seed: int
    dataset: Dataset
    plan: Plan
    sizes: dict[str, float]

    def __str__(self) -> str:
        return f"seed {self.seed!r}, {self.dataset.n_rows} rows, sizes {self.sizes}\n{self.plan}"


def numbers(rng: np.random.Generator, n_rows: int) -> np.ndarray:
    """A number column."""
    match rng.integers(10):
        case 0 | 1:
            return rng.normal(size=n_rows)
        case 2:
            return rng.normal(size=n_rows).round(1)
        case 3:
            return rng.integers(0, rng.choice([2, 3, 8, 40]), n_rows) * rng.choice([1.0, 0.3, -2.0])
        case 4 | 9:  # nearly all rows have the lowest value, or the highest
            rare = np.where(rng.random(n_rows) < SKEWED, 0.0, rng.integers(1, 6, n_rows))
            return rare * rng.choice([1.0, -1.0])
        case 5:
            return np.full(n_rows, 2.5)
        case 6:  # whole numbers around the most that codes can tell apart
            return rng.integers(0, rng.choice([255, 256, 257, 400]), n_rows) + float(rng.choice([0, -100, 10**6]))
        case 7:  # whole numbers up to a late row, as if they were all
            values = rng.integers(0, 9, n_rows).astype(float)
            values[-1] = rng.choice([0.5, 1e9, -3.0])
            return values
        case _:
            return rng.choice([-0.0, 0.0, 1.0, 1.0 + 2**-52, -1e308, 1e308, 5e-324], n_rows)


def echo(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """A number column that tells part of what another one tells, so that it may stand in for it: its rank, in steps, or
    only whether it is low or high; some cells are those of other rows.
    """
    ranks = np.unique(values, return_inverse=True)[1] / len(values)
    match rng.integers(3):
        case 0:
            told = ranks
        case 1:
            told = (ranks * rng.integers(2, 40)).round()
        case _:
            told = (ranks > rng.choice([0.03, 0.3, 0.5, 0.9, 0.97]) * ranks.max()).astype(float)
    other = rng.random(len(values)) < rng.choice([0.0, 0.02, 0.2])
    return np.where(other, rng.permutation(told), told)


def category(rng: np.random.Generator, n_rows: int, n_levels: int) -> np.ndarray:
    """Codes of a category: all about as frequent, or some far more than others."""
    shares = rng.random(n_levels) ** rng.choice([0.0, 1.0, 8.0]) + 1e-9
    return rng.choice(n_levels, n_rows, p=shares / shares.sum()).astype(float)


def columns_of(rng: np.random.Generator, n_rows: int, n_columns: int) -> tuple[list[Column], np.ndarray]:
    """Numbers and categories, or, as often as not, numbers alone."""
    columns, values, kinds = [], [], KINDS if rng.random() < 0.5 else (Kind.NUMBER,)
    for i in range(n_columns):
        kind = kinds[rng.integers(len(kinds))]
        if kind is Kind.NUMBER:
            columns.append(Column(f"c{i}", kind))
            values.append(echo(rng, values[-1]) if i and rng.random() < 0.4 else numbers(rng, n_rows))
        else:
            n_levels = int(rng.choice(LEVELS)) if kind is Kind.CATEGORY else int(rng.integers(2, 9))
            columns.append(Column(f"c{i}", kind, tuple(range(n_levels))))
            values.append(category(rng, n_rows, n_levels))
    return columns, np.column_stack(values)


def signal_of(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """A number for each row that follows two of the columns, by rank, and noise."""
    ranks = [np.unique(values[:, f], return_inverse=True)[1] for f in rng.integers(0, values.shape[1], 2)]
    first, second = (rank / (rank.max() + 1.0) for rank in ranks)
    noise = rng.choice([0.0, 0.1, 0.5, 3.0, 3.0]) * rng.normal(size=len(values))
    return first + (second > 0.5) * first + second % 0.3 + noise


def target_of(rng: np.random.Generator, signal: np.ndarray, n_classes: int) -> np.ndarray:
    if not n_classes:
        return signal.round(int(rng.choice([0, 1, 9])))
    cuts = np.sort(rng.choice(signal, n_classes - 1)) if rng.random() < 0.7 else np.linspace(0, 2, n_classes + 1)[1:-1]
    return rng.permutation(n_classes)[np.digitize(signal, cuts)].astype(np.int32)


def weights_of(rng: np.random.Generator, n_rows: int) -> np.ndarray | None:
    """None as often as not; whole ones, multiples of 1/8, or any; some of them 0."""
    match rng.integers(7):
        case 0:
            weight = rng.integers(1, 5, n_rows).astype(float)
        case 1:
            weight = rng.integers(1, 30, n_rows) / 8
        case 2:
            weight = rng.random(n_rows) + 1e-3
        case _:
            return None
    weight[1:] *= rng.random(n_rows - 1) >= rng.choice([0.0, 0.2])
    return weight


def plan_for(rng: np.random.Generator, seed: int, columns: list[Column], n_classes: int, missing: str) -> Plan:
    regression = n_classes == 0
    if missing == "error":
        plan = plan_of(random_options(seed, regression=regression))
        if rng.random() < 0.2 and plan.grouping == "subset":
            plan = replace(plan, missing="surrogate", surrogates="always")
    else:
        plan = plan_of(random_missing(seed, missing=missing, regression=regression))
    if rng.random() < 0.5:  # what most people grow: full trees by gain alone
        plan = replace(plan, merit="decrease", floor="none", penalty="none", min_info=1e-10, collapse=False)
        plan = replace(plan, limits=Limits())
        return replace(plan, criterion="gini") if plan.criterion == "entropy" and rng.random() < 0.5 else plan
    if rng.random() < 0.2:
        plan = replace(plan, max_bins=int(rng.choice([2, 5, 40, 255])))
    if n_classes <= 2 and rng.random() < 0.2:
        senses = [0 if column.kind is Kind.CATEGORY else int(rng.integers(-1, 2)) for column in columns]
        plan = replace(plan, monotonic=tuple(senses))
    return replace(plan, limits=replace(plan.limits, min_leaf=float(rng.choice([1, 1, 1, 2, 3, 8, 20]))))


def sizes_for(rng: np.random.Generator, n_rows: int) -> dict[str, float]:
    """Sizes on both sides of the table's."""
    return {
        "coded columns": int(rng.choice([1, 1, 1, n_rows, n_rows + 1])),
        "kept counts": float(rng.choice([0.01, 0.3, 1.0, 5.0])),
        "skipped blocks": int(rng.choice([1, 30, 100, 512])),
        "subtrees": int(rng.choice([2, 10, 60, n_rows // 2, n_rows])),
        "threads": 0,
        "value lookup": 0,
        "kept workspace": 2**30,
        "rows side by side": int(rng.choice([1, 16])),
        "threads of prediction": 1,
    }


def make_case(seed: int, n_rows: int | None = None) -> Case:
    """The case of a seed; of so many rows, and with the sizes as they are, if that is given."""
    rng = np.random.default_rng(seed)
    drawn = int(rng.choice([rng.integers(2, 20), rng.integers(20, 150), rng.integers(150, 900)], p=[0.1, 0.5, 0.4]))
    n = drawn if n_rows is None else n_rows
    columns, values = columns_of(rng, n, int(rng.integers(1, 7)))
    n_classes = int(rng.choice([0, 2, 3, 9, 40], p=[0.25, 0.35, 0.2, 0.15, 0.05]))
    target = target_of(rng, signal_of(rng, values), n_classes)
    missing = str(rng.choice(["error", *STRATEGIES], p=[0.45, 0.07, 0.17, 0.12, 0.1, 0.09]))
    if missing != "error":
        shares = rng.choice([0.0, 0.05, 0.3, 0.99, 1.0], values.shape[1], p=[0.3, 0.25, 0.3, 0.13, 0.02])
        values[rng.random(values.shape) < shares] = np.nan
    schema = Schema(tuple(columns), Target("y", tuple(range(n_classes)) or None))
    dataset = Dataset(schema, values, target, weights_of(rng, n))
    plan = plan_for(rng, seed, columns, n_classes, missing)
    return Case(seed, dataset, plan, sizes_for(rng, n) if n_rows is None else {})
