"""Subtrees grown apart, in rows of their own, are those that grow in the whole table."""

from dataclasses import replace

import numpy as np
import pytest

from tests.grow.examples import holed, mixed, numbers_only
from treewright._core.grow import make_root
from treewright._core.tree import begin_subtree, move_rows
from treewright.fast_paths import fast_path_sizes, without_fast_paths
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan
from treewright.grow.prepare import prepare
from treewright.grow.threads import SubtreeGrower, allocate_new_ids, moves_rows
from treewright.grow.workspace import new_workspace

C45 = Plan(criterion="entropy", merit="ratio", floor="average", grouping="each", penalty="cuts", side="release8",
           minimum="weight", collapse=True, limits=Limits(min_leaf=2, min_split=4))  # fmt: skip
PLANS = {
    "cart": (Plan(), 3),
    "two classes": (Plan(), 2),
    "c4.5": (C45, 3),
    "regression": (Plan(criterion="squared_error"), 0),
    "absolute error": (Plan(criterion="absolute_error", limits=Limits(max_depth=6)), 0),
}
STRATEGIES = ("fractional", "surrogate", "learned", "branch", "stop")


@pytest.fixture
def no_codes():
    """Tallies go by the rows of the table."""
    with without_fast_paths("coded columns"):
        yield


def check_twigs(dataset, plan):
    with without_fast_paths("subtrees"):
        whole = grow(dataset, plan)
    assert whole.n_nodes > 20
    for small in (2, 40, 400):
        for n_jobs in (1, 3):
            with fast_path_sizes({"threads": 0, "subtrees": small}):
                assert grow(dataset, plan, n_jobs=n_jobs).fingerprint() == whole.fingerprint()


@pytest.mark.parametrize("weight", [False, True], ids=["unit", "weighted"])
@pytest.mark.parametrize("name", PLANS)
@pytest.mark.usefixtures("no_codes")
def test_same_tree_apart(name, weight):
    plan, n_classes = PLANS[name]
    check_twigs(mixed(900, seed=len(name), n_classes=n_classes, weight=weight), plan)


@pytest.mark.parametrize("n_classes", [0, 3])
@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.usefixtures("no_codes")
def test_same_tree_apart_where_values_are_missing(missing, n_classes):
    plan = Plan(criterion="gini" if n_classes else "squared_error", missing=missing)
    check_twigs(holed(400, n_classes=n_classes, levels=(6,), share=0.2), plan)


def test_rows_are_moved_unless_most_columns_are_coded_or_there_are_surrogates():
    few = np.random.default_rng(0).integers(0, 9, (900, 4)).astype(float)
    coded = numbers_only(few, (few[:, 0] > few[:, 1]).astype(np.int32))
    with fast_path_sizes({"coded columns": 1}):
        check_twigs(mixed(900, n_classes=0), Plan(criterion="squared_error"))
        check_twigs(coded, Plan())
        assert moves_rows(prepare(mixed(900), Plan(), coded=True))
        assert not moves_rows(prepare(coded, Plan(), coded=True))
    assert not moves_rows(prepare(holed(400), Plan(missing="surrogate")))
    assert not moves_rows(prepare(holed(400), Plan(missing="fractional")))
    assert moves_rows(prepare(mixed(900), Plan()))


@pytest.mark.parametrize("n_classes", [0, 3])
def test_rows_are_moved_in_the_order_of_the_target(n_classes):
    plan = replace(Plan(), criterion="gini" if n_classes else "squared_error")
    dataset = mixed(50, n_classes=n_classes, weight=True)
    prepared = prepare(dataset, plan)
    _, work = new_workspace(prepared)
    make_root(work)
    own = SubtreeGrower(prepared, work, 60, allocate_new_ids(prepared, work)).work
    own.clear()
    begin_subtree(work, 0, own)
    move_rows(work, 0, own, np.empty(50, np.uint32))
    lists, moved = np.asarray(work.table.lists).reshape(-1, 50), np.asarray(own.table.lists).reshape(-1, 60)[:, :50]
    mask = np.uint32(work.table.row_mask)
    origin = np.asarray(own.table.origin)[:50]
    assert np.array_equal(origin, lists[-1] & mask)
    assert np.array_equal(origin[moved & mask], lists & mask)
    assert np.array_equal(moved & ~mask, lists & ~mask)
    for name in ("weights", "labels") if n_classes else ("weights", "moments", "y"):
        assert np.array_equal(np.asarray(getattr(own.table, name))[:50], np.asarray(getattr(work.table, name))[origin])
    assert np.array_equal(np.asarray(own.table.codes)[:, :50], np.asarray(work.table.codes)[:, origin])
