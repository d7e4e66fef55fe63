"""Several threads make the tree that one makes."""

import os
import threading

import pytest

from tests.grow.examples import mixed
from treewright.fast_paths import fast_path_sizes
from treewright.grow import threads
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan

PLANS = {
    "cart": (Plan(), 3),
    "cart two classes": (Plan(), 2),
    "c4.5": (Plan(criterion="entropy", merit="ratio", floor="average", grouping="each", penalty="cuts",
                  side="release8", minimum="weight", collapse=True, limits=Limits(min_leaf=2, min_split=4)), 3),
    "grouped": (Plan(criterion="entropy", merit="ratio", floor="average", grouping="greedy"), 3),
    "regression": (Plan(criterion="squared_error"), 0),
    "absolute error": (Plan(criterion="absolute_error", limits=Limits(max_depth=5)), 0),
    "best first": (Plan(limits=Limits(max_leaves=40)), 3),
}


@pytest.fixture
def many_threads_even_for_small_tables():
    with fast_path_sizes({"threads": 0, "subtrees": 300}):
        yield


@pytest.mark.parametrize("weight", [False, True], ids=["unit", "weighted"])
@pytest.mark.parametrize("name", PLANS)
@pytest.mark.usefixtures("many_threads_even_for_small_tables")
def test_same_tree_for_any_number_of_threads(name, weight):
    plan, n_classes = PLANS[name]
    dataset = mixed(2000, seed=len(name), n_classes=n_classes, weight=weight)
    alone = grow(dataset, plan)
    assert alone.n_nodes > 20
    for n_jobs in (2, 3, 8):
        assert grow(dataset, plan, n_jobs=n_jobs).fingerprint() == alone.fingerprint()


@pytest.mark.usefixtures("many_threads_even_for_small_tables")
def test_no_thread_is_left_behind():
    grow(mixed(2000), Plan(), n_jobs=4)
    assert not [t for t in threading.enumerate() if t.name.startswith("treewright")]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.usefixtures("many_threads_even_for_small_tables")
def test_fork_after_fit():
    dataset = mixed(2000)
    before = grow(dataset, Plan(), n_jobs=2).fingerprint()
    child = os.fork()
    if child == 0:
        os._exit(0 if grow(dataset, Plan(), n_jobs=2).fingerprint() == before else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_errors_of_a_growing_thread_reach_the_caller():
    def fail(stop):
        raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"):
        threads.run_interruptible(fail)
