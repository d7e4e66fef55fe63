"""Two subsets by running sums of squares: the same as by definition, and as the search that knows no such sums."""

from itertools import product

import numpy as np
import pytest

from treewright import CARTClassifier


def drawn(seed, n_rows, n_categories, n_classes):
    """A column of categories and a class that depends on it."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, n_categories, n_rows)
    noise = (rng.random(n_rows) < 0.6) * rng.integers(0, n_classes, n_rows)
    return x.reshape(-1, 1).astype(float), (rng.integers(0, n_classes, n_categories)[x] + noise) % n_classes


def grown(x, y, weights=None, **options):
    tree = CARTClassifier(categorical_features=list(range(x.shape[1])), pruning=None, **options)
    return tree.fit(x, y, sample_weight=weights).tree_


def gains_of_all(x, y, least):
    """The gain, times the rows, of each split by the categories that leave the first one, in the order of the rules."""
    present, n_classes = np.unique(x), y.max() + 1
    counts = np.array([np.bincount(y[x == v], minlength=n_classes) for v in present])

    def squares(side):
        return (side**2).sum() / side.sum()

    for leave in list(product((False, True), repeat=len(present) - 1))[1:]:
        mask = np.array([False, *leave[::-1]])
        low, high = counts[~mask].sum(axis=0), counts[mask].sum(axis=0)
        if min(low.sum(), high.sum()) >= least:
            yield squares(low) + squares(high) - squares(low + high), set(present[mask])


@pytest.mark.parametrize("seed", range(25))
def test_up_to_ten_categories_the_first_of_the_best_splits_is_found(seed):
    least = 1 + seed % 4
    x, y = drawn(seed, 25 + 10 * seed, 2 + seed % 9, 3 + seed % 5)
    splits = list(gains_of_all(x[:, 0], y, least))
    best = max(gain for gain, _ in splits)
    leave = next(leave for gain, leave in splits if gain > best - 1e-9)
    tree = grown(x, y, max_depth=1, min_samples_leaf=least)
    assert tree.gain[0] * len(y) == pytest.approx(best)
    root = slice(tree.table_start[0], tree.table_start[1])
    assert set(tree.table_code[root][tree.table_branch[root] == 1]) == leave


@pytest.mark.parametrize("seed", range(12))
def test_rows_that_count_once_and_weights_find_the_same_subsets(seed):
    """Weights have no running sums, and are searched move by move."""
    x, y = drawn(seed, 400, 12 + 6 * seed, 3 + seed % 5)
    x = np.hstack([x, drawn(seed + 100, 400, 8, 3)[0]])
    copies = np.random.default_rng(seed).integers(1, 4, len(y))
    repeated = grown(np.repeat(x, copies, axis=0), np.repeat(y, copies))
    weighted = grown(x, y, copies.astype(float))
    assert repeated.n_nodes > 50
    for name in ("column", "parent", "table_code", "table_branch"):
        np.testing.assert_array_equal(getattr(repeated, name), getattr(weighted, name))
