"""What threads may do: save time, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from tests.oracles.compare import engine_tree, plan
from tests.oracles.options import Options
from tests.oracles.plans import NAMED
from tests.oracles.tables import make_table
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.fast_paths import fast_path_sizes
from treewright.grow import grower


def large_dataset(options: Options, *, weighted: bool) -> Dataset:
    """More cells than the engine grows in one thread: nine numbers, some of few values, and three categories."""
    rng = np.random.default_rng(7)
    n_rows = grower.LARGE // 12 + 1
    values = rng.normal(size=(n_rows, 12))
    values[:, 3:6] = values[:, 3:6].round(1)
    values[:, 9:] = rng.integers(0, 12, size=(n_rows, 3))
    signal = values[:, 0] + values[:, 4] * values[:, 1] + (values[:, 9] % 3) + rng.normal(size=n_rows)
    columns = [Column(f"n{i}", Kind.NUMBER) for i in range(9)]
    columns += [Column(f"c{i}", Kind.CATEGORY, tuple(range(12))) for i in range(3)]
    weight = rng.integers(1, 9, size=n_rows) / 4 if weighted else None
    if options.is_regression:
        return Dataset(Schema(tuple(columns), Target("y")), values, signal, weight)
    codes = np.digitize(signal, [0.5, 1.5]).astype(np.int32)
    return Dataset(Schema(tuple(columns), Target("y", ("a", "b", "c"))), values, codes, weight)


@pytest.mark.parametrize(
    ("name", "weighted"),
    [
        ("c45 release8", False),
        ("cart gini", True),
        ("cart squared_error", True),
        pytest.param("c45 release8", True, marks=pytest.mark.long),
        pytest.param("cart gini", False, marks=pytest.mark.long),
        pytest.param("cart squared_error", False, marks=pytest.mark.long),
    ],
)
def test_a_table_worth_sharing(name, weighted):
    options = replace(NAMED[name], max_depth=10)
    dataset = large_dataset(options, weighted=weighted)
    one, two, three = (grower.grow(dataset, plan(options), n_jobs=n) for n in (1, 2, 3))
    assert one.fingerprint() == two.fingerprint() == three.fingerprint()


def test_a_leaf_budget_on_a_table_worth_sharing():
    options = replace(NAMED["cart gini"], max_leaves=20)
    dataset = large_dataset(options, weighted=False)
    one, two = (grower.grow(dataset, plan(options), n_jobs=n) for n in (1, 2))
    assert one.n_leaves == 20
    assert one.fingerprint() == two.fingerprint()


@pytest.mark.parametrize("name", NAMED)
def test_small_tables_in_threads(name):
    """Small tables are grown in one thread; here they are made to be worth sharing."""
    options = NAMED[name]
    tables = [make_table((name, number), regression=options.is_regression) for number in range(15)]
    alone = [engine_tree(table, options).fingerprint() for table in tables]
    with fast_path_sizes({"threads": 0, "subtrees": 5}):
        assert alone == [engine_tree(table, options, n_jobs=2).fingerprint() for table in tables]


@pytest.mark.parametrize("max_leaves", [2, 7, 30])
def test_a_leaf_budget_in_threads(max_leaves):
    """Best first is an order of its own."""
    options = replace(NAMED["cart gini"], max_leaves=max_leaves)
    for table in (make_table(("budget", number)) for number in range(20)):
        alone = engine_tree(table, options).fingerprint()
        with fast_path_sizes({"threads": 0, "subtrees": 5}):
            assert alone == engine_tree(table, options, n_jobs=2).fingerprint()
