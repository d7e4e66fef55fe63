"""Monotone trees at the stage of growth: what is refused, what changes nothing, threads, budgets, the order of rows."""

from dataclasses import replace

import numpy as np
import pytest

from tests.oracles.monotone_trees import MISSING, PLANS, dataset_of, trees
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, ParameterError
from treewright.fast_paths import fast_path_sizes
from treewright.grow import prepare
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan, check_monotonic, monotonic_fields

NUMBERS = Schema((Column("age", Kind.NUMBER), Column("debt", Kind.NUMBER)), Target("buys", ("no", "yes")))


def test_without_a_sense_nothing_is_constrained():
    assert monotonic_fields(NUMBERS, ()) == monotonic_fields(NUMBERS, (0, 0)) == {"monotone": False}
    assert monotonic_fields(NUMBERS, (0, -1))["monotonic"].tolist() == [0, -1]


def test_what_has_no_order_is_refused():
    with pytest.raises(InputError, match="monotonic_cst must have 2 entries, one for each column, got 1"):
        check_monotonic(NUMBERS, (1,))
    categories = replace(NUMBERS, columns=(Column("town", Kind.CATEGORY, ("A", "B")), NUMBERS.columns[1]))
    said = "must be 0 for column 'town', whose categories have no order, got 1; or declare"
    with pytest.raises(InputError, match=said):
        check_monotonic(categories, (1, 0))
    check_monotonic(categories, (0, 1))
    ordered = replace(NUMBERS, columns=(Column("size", Kind.ORDERED, ("S", "M")), NUMBERS.columns[1]))
    check_monotonic(ordered, (1, 0))
    three = replace(NUMBERS, target=Target("buys", ("no", "perhaps", "yes", "never")))
    said = r"second of two classes, but the target has 4 classes \(no, perhaps, yes, \.\.\.\); use two classes"
    with pytest.raises(InputError, match=said):
        check_monotonic(three, (1, 0))
    with pytest.raises(ParameterError, match="monotonic must be -1, 0 or 1 for each column, got \\(2, 0\\)"):
        Plan(monotonic=(2, 0))


@pytest.mark.parametrize("name", PLANS)
def test_senses_of_0_change_nothing(name):
    for seed in range(8):
        dataset, plan = dataset_of(seed, PLANS[name])
        free = grow(dataset, replace(plan, monotonic=()))
        assert grow(dataset, replace(plan, monotonic=(0,) * dataset.n_columns)).fingerprint() == free.fingerprint()


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("name", PLANS)
def test_the_search_of_monotone_trees_finds_the_cuts_of_the_others(name, missing, monkeypatch):
    """Without a sense every cut is admissible: the scan that skips nothing takes the cut that the quick ones take."""
    free = [(d, p, grow(d, replace(p, monotonic=()))) for d, p, _ in trees(name, missing, range(4))]
    nothing = {"monotone": True, "monotonic": np.zeros(4, np.int8)}
    monkeypatch.setattr(prepare, "monotonic_fields", lambda schema, senses: nothing)
    for dataset, plan, tree in free:
        slow = grow(dataset, plan)
        assert slow.column.tolist() == tree.column.tolist()
        np.testing.assert_array_equal(slow.threshold, tree.threshold)
        np.testing.assert_array_equal(slow.value, tree.value)
        np.testing.assert_allclose(slow.gain, tree.gain, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("weighted", [False, True])
def test_an_order_that_the_rows_keep_changes_nothing(name, weighted):
    """Targets that rise with both columns: every split of the free tree is in order already."""
    plan = PLANS[name]
    for seed in range(4):
        draw = np.random.default_rng(seed)
        values = draw.integers(0, 12, (60, 1)).astype(float)
        schema = Schema(NUMBERS.columns[:1], Target("y") if plan.for_numbers else NUMBERS.target)
        target = values[:, 0] ** 2 if plan.for_numbers else (values[:, 0] > 5).astype(np.int32)
        weight = draw.integers(1, 4, 60).astype(float) / 2 if weighted else None
        dataset = replace(dataset_of(seed, plan)[0], schema=schema, values=values, target=target, weight=weight)
        free = grow(dataset, plan)
        kept = grow(dataset, replace(plan, monotonic=(1,)))
        assert kept.n_nodes == free.n_nodes > 1
        assert kept.column.tolist() == free.column.tolist()
        np.testing.assert_array_equal(kept.threshold, free.threshold)
        np.testing.assert_allclose(kept.gain, free.gain, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(kept.value, free.value, rtol=1e-12)
        fallen = grow(dataset, replace(plan, monotonic=(-1,)))
        assert fallen.n_nodes == 1


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("name", PLANS)
def test_neither_threads_nor_the_order_of_rows_matter(name, missing):
    found = list(trees(name, missing, range(3)))
    for dataset, plan, tree in found:
        shuffled = dataset.take(np.random.default_rng(1).permutation(dataset.n_rows))
        assert grow(shuffled, plan).fingerprint() == tree.fingerprint()
    with fast_path_sizes({"threads": 0, "subtrees": 5}):
        for dataset, plan, tree in found:
            assert grow(dataset, plan, n_jobs=2).fingerprint() == tree.fingerprint()


@pytest.mark.parametrize("missing", MISSING)
def test_best_first_with_leaves_to_spare_is_the_same_tree(missing):
    for dataset, plan, tree in trees("gini", missing, range(5)):
        budget = replace(plan, limits=replace(plan.limits, max_leaves=10_000))
        assert grow(dataset, budget).fingerprint() == tree.fingerprint()


def test_weight_k_is_k_copies():
    """Also where children are made, looked at and taken back."""
    for missing in MISSING:
        for dataset, plan, _ in trees("gini", missing, range(3)):
            weight = np.random.default_rng(3).integers(1, 4, dataset.n_rows)
            by_weight = replace(plan, minimum="weight", limits=Limits(min_leaf=3, min_split=6))
            heavy = grow(replace(dataset, weight=weight.astype(float)), by_weight)
            copied = grow(dataset.take(np.repeat(np.arange(dataset.n_rows), weight)), by_weight)
            assert copied.n_nodes == heavy.n_nodes
            assert copied.column.tolist() == heavy.column.tolist()
            np.testing.assert_allclose(copied.value, heavy.value, atol=1e-9)
