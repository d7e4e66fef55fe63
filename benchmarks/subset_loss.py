"""What the search for two subsets loses against trying all of them: `python -m benchmarks.subset_loss`.

In: random columns of 11 to 14 categories and 3 to 7 classes, where trying all splits is still possible. Out: a table of
how often the search finds the best split, and how much of the best gain it has on average and at worst.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan

N_TABLES = 200
N_ROWS = 1000


def column(seed: int, n_categories: int, n_classes: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Codes and labels: each category has class fractions of its own, drawn from a flat distribution."""
    rng = np.random.default_rng([seed, n_categories, n_classes])
    fractions = rng.dirichlet(np.ones(n_classes), n_categories)
    codes = np.r_[np.arange(n_categories), rng.integers(0, n_categories, N_ROWS - n_categories)]
    labels = (rng.random(N_ROWS)[:, None] > fractions[codes].cumsum(axis=1)).sum(axis=1)
    return codes, np.minimum(labels, n_classes - 1)


def best_gain(counts: NDArray[np.float64], criterion: str) -> float:
    """The most gain of all splits of these rows (category by class) into two."""
    masks = np.arange(1, 2 ** (len(counts) - 1))
    low = ((masks[:, None] >> np.arange(len(counts))) & 1).astype(float) @ counts
    total = counts.sum(axis=0)
    weight = total.sum()
    inner = sum(side.sum(axis=1) * impurity(side, criterion) for side in (low, total - low)) / weight
    return float((impurity(total[None], criterion)[0] - inner).max())


def impurity(counts: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    """Of each row of counts."""
    p = counts / counts.sum(axis=1, keepdims=True)
    if criterion == "gini":
        return 1 - (p * p).sum(axis=1)
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=1)


def kept(criterion: str, n_categories: int, n_classes: int, n_tables: int) -> NDArray[np.float64]:
    """The fraction of the best gain that the search has, for each table."""
    fractions = np.empty(n_tables)
    plan = Plan(criterion=criterion, limits=Limits(max_depth=1))
    for seed in range(n_tables):
        codes, labels = column(seed, n_categories, n_classes)
        counts = np.zeros((n_categories, n_classes))
        np.add.at(counts, (codes, labels), 1.0)
        colour = Column("colour", Kind.CATEGORY, tuple(range(n_categories)))
        schema = Schema((colour,), Target("y", tuple(range(n_classes))))
        tree = grow(Dataset(schema, codes[:, None].astype(float), labels.astype(np.int32)), plan)
        fractions[seed] = tree.gain[0] / best_gain(counts, criterion)
    return fractions


def main() -> None:
    """Print the table."""
    print(f"{N_TABLES} tables of {N_ROWS} rows each; fraction of the best gain")
    print(f"{'criterion':10} {'categories':>10} {'classes':>7} {'best found':>10} {'mean':>8} {'worst':>8}")
    for criterion in ("gini", "entropy"):
        for n_categories in (11, 14):
            for n_classes in (3, 5, 7):
                fraction = kept(criterion, n_categories, n_classes, N_TABLES)
                found = (fraction > 1 - 1e-9).mean()
                print(f"{criterion:10} {n_categories:10} {n_classes:7} {found:10.1%} "
                      f"{fraction.mean():8.5f} {fraction.min():8.5f}")


if __name__ == "__main__":
    main()
