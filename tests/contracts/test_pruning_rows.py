"""Contracts of every pruning method on its rows: their order, weights as copies and as importances, deep trees."""

import sys
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from tests.contracts.pruning import Case, grown_case, noisy_table
from tests.contracts.pruning_methods import cases, every
from tests.oracles.plans import NAMED, allows
from tests.oracles.pruning_compare import inner_paths
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import Spec, build, leaf, number
from treewright.model.check_tree import check_tree


@every
def test_any_order_of_rows(method, regression):
    """Training and validation rows in another order: the same tree, to the last digit."""
    for case in cases(regression)[::2]:
        rng = np.random.default_rng(1)
        rows, validation = (d.take(rng.permutation(d.n_rows)) for d in (case.rows, case.validation))
        other = replace(case, tree=case.regrow(rows), rows=rows, validation=validation)
        assert other.prune(method).tree == case.prune(method).tree, case


@every
@pytest.mark.parametrize("missing", ["error", "learned", "stop"])
def test_weight_is_copies(method, regression, missing):
    """A row of weight k is k rows, in training and in validation."""
    named = [o for o in NAMED.values() if o.is_regression == regression and o.min_leaf == 1 and o.min_split == 2]
    for i, options in enumerate([o for o in named if missing == "error" or allows(o, missing)][::2]):
        table = noisy_table(("copies", i), regression=regression, holes=0.1 * (missing != "error"), n_rows=40)
        rng = Random(i)
        weighted = replace(table, weights=tuple(float(rng.randint(0, 3)) for _ in range(table.n_rows)))
        case = grown_case(i, replace(options, missing=missing), weighted)
        rows, validation = _copied(case.rows), _copied(case.validation, rng)
        copied = replace(case, tree=case.regrow(rows), rows=rows, validation=validation[1])
        once = replace(case, validation=validation[0]).prune(method).tree
        again = copied.prune(method).tree
        assert inner_paths(once) == inner_paths(again), case
        np.testing.assert_allclose(once.stats, again.stats, rtol=1e-12, atol=1e-12)


def _copied(rows: Dataset, rng: Random | None = None) -> object:
    """The rows as often as they weigh; with `rng` first whole weights are drawn, and both are given."""
    if rng is not None:
        rows = replace(rows, weight=np.array([float(rng.randint(1, 3)) for _ in range(rows.n_rows)]))
        return rows, _copied(rows)
    times = np.repeat(np.arange(rows.n_rows), rows.weight.astype(int))
    return replace(rows, weight=None).take(times)


@every
def test_only_proportions_of_importances_matter(method, regression):
    """Halves of weights that are not whole, in training and in validation: the same nodes stay."""
    for i, options in enumerate(o for o in NAMED.values() if o.is_regression == regression):
        rng = Random(i)
        plain = noisy_table(("halves", i), regression=regression, n_rows=50)
        whole = [replace(plain, weights=tuple(rng.randint(1, 9) / 8 for _ in range(plain.n_rows)))]
        whole.append(replace(plain, weights=tuple(w / 2 for w in whole[0].weights)))
        one, half = (grown_case(i, options, table) for table in whole)
        weight = np.array([rng.randint(1, 9) / 8 for _ in range(one.validation.n_rows)])
        one = replace(one, validation=replace(one.validation, weight=weight))
        half = replace(half, validation=replace(half.validation, weight=weight / 2))
        assert inner_paths(one.tree) == inner_paths(half.tree)
        assert inner_paths(one.prune(method).tree) == inner_paths(half.prune(method).tree)


@cache
def chain(n_splits: int, regression: bool) -> Case:
    """A tree as deep as it has splits, with a row or two for each leaf, every third of them another answer."""
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", None if regression else ("k0", "k1", "k2")))
    target = [float(i % 3 == 0) + (i > n_splits // 2) for i in range(n_splits + 1)]
    spec: Spec = leaf(target[-1]) if regression else leaf(f"k{int(target[-1])}")
    for i in range(n_splits - 1, -1, -1):
        spec = number("x", i, leaf(target[i]) if regression else leaf(f"k{int(target[i])}"), spec)
    tree = build(schema, spec)
    values = np.arange(n_splits + 1.0)[:, None]
    rows = Dataset(schema, values, np.array(target, np.float64 if regression else np.int32))
    other = Dataset(schema, values, np.roll(rows.target, 1))
    return Case(f"chain of {n_splits}", tree, other, rows)


@every
def test_deep_trees(method, regression):
    """Five thousand levels, with the recursion limit as it is, and each of them decided on."""
    case = chain(5000, regression)
    assert sys.getrecursionlimit() < case.tree.depth
    # Growing such trees is a matter of growth; here every fold has the same one.
    pruned = replace(case, regrow=lambda _: case.tree).prune(method)
    check_tree(pruned.tree)
    assert len(pruned.report) in range(1, 5001)
