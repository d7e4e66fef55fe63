"""Columns of many categories: shared empty branches, grouping that gives way, and subsets that are searched.

In: tables with more categories than small ones have. Out: the oracle's tree where the rules are exact; where a
search is allowed to miss the best subset, that no single move improves it and that it never claims too much.
"""

import time
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.oracles.candidates import by_category, enough
from tests.oracles.compare import check_same, describe, engine_tree, oracle_tree, plan
from tests.oracles.ground import prepare
from tests.oracles.options import CART, DESCRIBED, ID3, RELEASE8, TEXTBOOK, Column
from tests.oracles.tables import Table
from treewright.data.dataset import Dataset
from treewright.data.schema import Column as PackageColumn
from treewright.data.schema import Kind, Schema, Target
from treewright.grow.grower import grow


def wide_table(seed: object, n_rows: int, n_categories: int, n_classes: int, n_present: int = 0) -> Table:
    """One column of many categories next to a number and a narrow category."""
    rng = Random(f"wide {seed}")
    present = rng.sample(range(n_categories), n_present or n_categories)
    codes = [float(present[r] if r < len(present) else rng.choice(present)) for r in range(n_rows)]
    rank = {code: i for i, code in enumerate(rng.sample(present, len(present)))}
    target = [
        rank[int(c)] * n_classes // len(rank) if rng.random() < 0.7 else rng.randrange(n_classes)
        for c in codes
    ]
    columns = (
        Column("category", codes, n_categories),
        Column("number", [float(rng.randint(0, 9)) for _ in range(n_rows)]),
        Column("category", [float(rng.randrange(3)) for _ in range(n_rows)], 3),
    )
    return Table(columns, tuple(target), n_classes)


@pytest.mark.parametrize("n_categories", [256 + 5, 256 + 6, 300, 1000])
@pytest.mark.parametrize("n_present", [5, 6])
def test_absent_categories_share_a_branch(n_categories, n_present):
    """Up to 256 absent categories have an empty branch each, more share the last one."""
    for number in range(3):
        table = wide_table(number, 30, n_categories, 2, n_present)
        check_same(number, table, ID3)
        check_same(number, table, replace(RELEASE8, wide=None))
        check_same(number, table, CART)


@pytest.mark.parametrize("n_categories", [512, 513])
def test_groups_of_many_categories(n_categories):
    """Above 512 categories present a grouped column has a branch for each."""
    table = wide_table("groups", 1200, n_categories, 2)
    table = replace(table, columns=table.columns[:1])
    options = replace(TEXTBOOK, grouping="greedy", max_depth=1, min_leaf=2)
    if n_categories > 512:
        check_same("groups", table, options)
    else:
        tree = describe(engine_tree(table, options))
        assert len(tree["children"]) < 512


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error"])
def test_ordered_subsets_have_no_limit(criterion):
    """Two classes and regression cut an order, whatever the number of categories."""
    for number in range(5):
        table = wide_table(number, 80, 40, 2)
        if criterion in ("squared_error", "absolute_error"):
            table = replace(table, n_classes=0)
        check_same(number, table, replace(CART, criterion=criterion))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
def test_exhaustive_subsets(criterion):
    """Ten categories of three classes: every split into two is considered."""
    for number in range(3):
        check_same(number, wide_table(number, 60, 12, 3, 10), replace(CART, criterion=criterion, max_depth=2))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
@pytest.mark.parametrize("n_categories", [11, 12])
def test_searched_subsets(criterion, n_categories):
    """Above ten a search is made: at most the best gain, at least nine tenths of it, and no move improves it."""
    options = replace(CART, criterion=criterion, max_depth=1)
    for number in range(4):
        table = wide_table(number, 70, n_categories, 3)
        table = replace(table, columns=table.columns[:1])
        ours, best = describe(engine_tree(table, options)), oracle_tree(table, options)
        assert 0.9 * best["gain"] <= ours["gain"] <= best["gain"] + 1e-11
        ground = prepare(table.columns, table.target, None, table.n_classes, options)
        present = by_category(ground, 0, ground.rows)
        claimed = split_gain(ground, present, ours["branch_of"])
        assert claimed == pytest.approx(ours["gain"], abs=1e-9)
        for code in present:
            moved = list(ours["branch_of"])
            moved[code] = 1 - moved[code]
            assert split_gain(ground, present, moved) <= ours["gain"] + 1e-9


def split_gain(ground, present, branch_of):
    """The gain of two branches, 0 when one is too small."""
    branches = [[r for code in present if branch_of[code] == b for r in present[code]] for b in (0, 1)]
    return float(ground.gain(ground.rows, branches)) if enough(ground, branches) else 0.0


@pytest.mark.parametrize("grouping", ["binary", "least-loss"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_merged_groups_of_many_categories(grouping, n_classes):
    """Thirty-six values of one to five rows: the whole path is walked."""
    table = wide_table((grouping, n_classes), 100, 36, n_classes)
    check_same(grouping, table, replace(DESCRIBED, grouping=grouping, max_depth=1))


def test_values_of_one_row_do_not_count_towards_the_512():
    """Three classes, 900 values of which 888 have one row: these are one value, so the others are merged with it."""
    rng = Random("pooled")
    codes = [float(c) for c in range(900)] + [float(rng.randrange(12)) for _ in range(120)]
    target = tuple(int(c * 3 // 12) if c < 12 and rng.random() < 0.8 else rng.randrange(3) for c in codes)
    table = Table((Column("category", codes, 900),), target, 3)
    check_same("pooled", table, replace(DESCRIBED, max_depth=1))


@pytest.mark.parametrize("grouping", ["each", "binary", "least-loss"])
@pytest.mark.parametrize("n_categories", [512, 10_000])
def test_many_categories_take_no_time(grouping, n_categories):
    """Three classes: up to 512 values are merged, which takes some n^2 steps; more are ordered and cut, or not grouped.

    A tenth of a second here; quadratic steps for 10,000 values would take minutes.
    """
    rng = np.random.default_rng(0)
    codes = rng.integers(0, n_categories, 30_000)
    target = np.where(rng.random(30_000) < 0.7, codes * 3 // n_categories, rng.integers(0, 3, 30_000))
    schema = Schema((PackageColumn("c", Kind.CATEGORY, tuple(range(n_categories))),), Target("y", ("a", "b", "c")))
    rows = Dataset(schema, codes.astype(np.float64)[:, None], target.astype(np.int32))
    started = time.process_time()
    tree = grow(rows, plan(replace(DESCRIBED, grouping=grouping, floor="none")))
    assert time.process_time() - started < 10
    assert tree.n_nodes > 1
