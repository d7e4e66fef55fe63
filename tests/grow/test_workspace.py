"""Trees that are grown at a desk where others were grown before are the trees of a new one."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from tests.grow.examples import mixed, numbers_only
from treewright.data.dataset import Dataset
from treewright.fast_paths import fast_path_sizes, size_of, without_fast_paths
from treewright.grow import workspace
from treewright.grow.draft import Draft
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan

PLANS = {
    "CART": Plan(criterion="gini"),
    "C4.5": Plan(criterion="entropy", merit="ratio", floor="average", grouping="each", threshold="value"),
    "collapsed": Plan(criterion="entropy", grouping="each", collapse=True),
    "groups": Plan(criterion="entropy", merit="ratio", floor="average", grouping="greedy"),
    "best first": Plan(criterion="gini", limits=Limits(max_leaves=5)),
    "shallow": Plan(criterion="entropy", limits=Limits(max_depth=2)),
}


def tables() -> list[Dataset]:
    """Tables of the same form; one of them has a column with a single value, one whole weights, one a single class."""
    found = [mixed(60, seed) for seed in range(4)]
    constant = found[0].values.copy()
    constant[:, 0] = 1.0
    weight = np.arange(60) % 3 + 1.0
    one_class = np.zeros(60, np.int32)
    found += [replace(found[0], values=constant), replace(found[1], weight=weight)]
    return [*found, replace(found[2], target=one_class)]


@pytest.fixture(autouse=True)
def no_desks():
    workspace._kept.clear()
    yield
    workspace._kept.clear()


def grown_anew(dataset: Dataset, plan: Plan) -> str:
    workspace._kept.clear()
    return grow(dataset, plan).fingerprint()


@pytest.mark.parametrize("name", PLANS)
def test_what_was_grown_before_makes_no_difference(name):
    given = tables()
    expected = [grown_anew(dataset, PLANS[name]) for dataset in given]
    assert len(set(expected)) == len(given)
    for order in (given, given[::-1]):
        workspace._kept.clear()
        found = [grow(dataset, PLANS[name]).fingerprint() for dataset in order]
        assert found == (expected if order is given else expected[::-1])
        assert len(workspace._kept) == 1


def test_plans_and_forms_take_turns():
    given = [(dataset, plan) for dataset in (*tables(), mixed(60, 9, n_classes=2)) for plan in PLANS.values()]
    given += [(mixed(60, 5, n_classes=0), Plan(criterion=name)) for name in ("squared_error", "absolute_error")]
    expected = [grown_anew(*pair) for pair in given]
    workspace._kept.clear()
    for _ in range(2):
        assert [grow(*pair).fingerprint() for pair in given] == expected
        assert 0 < len(workspace._kept) <= workspace.MOST_KEPT


def test_a_tree_keeps_nothing_of_the_desk():
    first = grow(tables()[0], PLANS["C4.5"])
    columns = {name: column.copy() for name, column in vars(first).items() if isinstance(column, np.ndarray)}
    for dataset in tables():
        grow(dataset, PLANS["C4.5"])
    for name, column in columns.items():
        assert np.array_equal(getattr(first, name), column, equal_nan=True)


def test_threads_have_desks_of_their_own():
    given = tables() * 10
    expected = [grow(dataset, PLANS["CART"]).fingerprint() for dataset in given]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda dataset: grow(dataset, PLANS["CART"]).fingerprint(), given)
        assert list(found) == expected


def test_large_tables_and_those_with_holes_leave_none():
    values = np.random.default_rng(0).normal(size=(int(size_of("kept workspace")) // 2 + 1, 2))
    grow(numbers_only(values, np.arange(len(values)) % 2), Plan())
    values = values[:20].copy()
    values[3, 1] = np.nan
    grow(numbers_only(values, np.arange(20) % 2), Plan(missing="fractional"))
    assert not workspace._kept


@pytest.mark.parametrize("name", PLANS)
def test_drafts_of_earlier_trees_make_no_difference(name):
    given = [mixed(n, seed) for seed, n in enumerate((40, 300, 90))]
    given += [replace(given[1], values=np.where(given[1].values == given[1].values[0], np.nan, given[1].values))]
    in_two = PLANS[name].grouping == "subset"
    plan = replace(PLANS[name], missing="surrogate" if in_two else "fractional")
    other = numbers_only(np.arange(80.0).reshape(20, 4), np.arange(20, dtype=np.int32) % 2)
    drafts: list[Draft] = []
    with fast_path_sizes({"kept workspace": 0}):
        for dataset in (*given, *given[::-1], other):
            assert grow(dataset, plan, drafts=drafts).fingerprint() == grow(dataset, plan).fingerprint()
            assert len(drafts) == 1
        with without_fast_paths("kept workspace"):
            grow(given[0], plan, drafts=drafts)
        assert not drafts
