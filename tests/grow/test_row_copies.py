"""Tables with so many missing cells that shares of rows need more room than the rows do, again and again.

In: generated tables of thousands of rows. Out: trees that lose no weight, and are the same for any number of threads,
any order of rows and either order of growth. Trees of small tables are compared with the slow grower's in oracles/.
"""

import heapq
import tracemalloc
from dataclasses import replace
from math import floor

import numpy as np
import pytest

from tests.grow.examples import holed
from treewright.errors import InputError
from treewright.fast_paths import fast_path_sizes
from treewright.grow import threads, workspace
from treewright.grow.grower import grow
from treewright.grow.plan import MISSING, Limits, Plan
from treewright.model.check_tree import check_tree
from treewright.model.tree import Tree

STRATEGIES = [name for name in MISSING if name != "error"]
RATIO = {"criterion": "entropy", "merit": "ratio", "floor": "average"}
PLANS = {
    "gini": (Plan(), 2),
    "gini, five classes": (Plan(), 5),
    "c4.5": (Plan(**RATIO, grouping="each", minimum="weight", limits=Limits(min_leaf=2, min_split=4)), 2),
    "grouped": (Plan(**RATIO, grouping="greedy"), 5),
    "squared error": (Plan(criterion="squared_error"), 0),
    "squared error, each": (Plan(criterion="squared_error", grouping="each"), 0),
    "absolute error": (Plan(criterion="absolute_error"), 0),
}
CASES = [
    pytest.param(replace(plan, missing=missing), n_classes, id=f"{name}, {missing}")
    for name, (plan, n_classes) in PLANS.items()
    for missing in STRATEGIES
    if missing != "surrogate" or plan.grouping == "subset"
]
# only shares are made of weights: elsewhere a weighted row is as good as any other
WEIGHTED = [
    pytest.param(*case.values, weight, id=case.id + ", weighted" * weight)
    for case in CASES
    for weight in ([False, True] if case.values[0].missing == "fractional" else [False])
]


@pytest.fixture
def rooms(monkeypatch) -> list[tuple[int, int]]:
    """The room for ids and for entries, each time it was enlarged."""
    seen = []

    def make_room(work):
        before = len(work.table.origin), work.table.stride
        workspace.make_room_for_copies(work)
        after = len(work.table.origin), work.table.stride
        if after != before:
            seen.append(after)

    monkeypatch.setattr(threads, "make_room_for_copies", make_room)
    return seen


@pytest.fixture
def many_threads_even_for_small_tables():
    """Nodes of a thousand rows are split by all threads together, those below by one thread each."""
    with fast_path_sizes({"threads": 0, "subtrees": 1000}):
        yield


def sum_of_children(tree: Tree, name: str) -> np.ndarray:
    """For each node, the sum of a column of the tree over its children."""
    column = getattr(tree, name)
    total = np.zeros_like(column)
    np.add.at(total, tree.parent[1:], column[1:])
    return total


def no_weight_is_lost(tree: Tree) -> None:
    inner = tree.n_children > 0
    below, above = sum_of_children(tree, "weight")[inner], tree.weight[inner]
    if tree.missing == "stop":
        assert (below <= above * (1 + 1e-12)).all()
        assert (below < above * 0.9).any()
        return
    np.testing.assert_allclose(below, above, rtol=1e-12, atol=0)
    if not tree.schema.target.is_number:
        below, above = sum_of_children(tree, "stats")[inner], tree.stats[inner]
        np.testing.assert_allclose(below, above, rtol=0, atol=1e-12 * tree.weight[0])
    elif tree.criterion == "squared_error":  # the mean of the means
        total = np.zeros(tree.n_nodes)
        np.add.at(total, tree.parent[1:], (tree.weight * tree.value[:, 0])[1:])
        np.testing.assert_allclose(total[inner] / tree.weight[inner], tree.value[inner, 0], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("plan", "n_classes", "weight"), WEIGHTED)
def test_no_weight_is_lost(plan, n_classes, weight):
    dataset = holed(5000, seed=n_classes, n_classes=n_classes, levels=(60, 25), weight=weight)
    tree = grow(dataset, plan)
    check_tree(tree)
    assert tree.n_nodes > 200
    assert tree.weight[0] == pytest.approx(5000 if dataset.weight is None else dataset.weight.sum(), rel=1e-12)
    no_weight_is_lost(tree)
    inner = tree.n_children > 0
    more = (sum_of_children(tree, "count") > tree.count)[inner]
    assert more.any() == (plan.missing == "fractional")


@pytest.mark.parametrize(("plan", "n_classes", "weight"), WEIGHTED)
@pytest.mark.usefixtures("many_threads_even_for_small_tables")
def test_same_tree_for_threads_and_for_any_order_of_rows(plan, n_classes, weight):
    dataset = holed(3000, seed=1 + n_classes, n_classes=n_classes, levels=(60, 25), weight=weight)
    first = grow(dataset, plan)
    assert (first.count[first.n_children > 0] < 1000).sum() > 20
    order = np.random.default_rng(0).permutation(dataset.n_rows)
    assert grow(dataset.take(order), plan).fingerprint() == first.fingerprint()
    for n_jobs in (2, 3):
        assert grow(dataset, plan, n_jobs=n_jobs).fingerprint() == first.fingerprint()


@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.usefixtures("many_threads_even_for_small_tables")
def test_threads_rank_targets_apart(missing):
    """Among the rows known on a column targets have other ranks than in the node; each thread has its own column.

    A thread that used the ranks of another's would not be wrong every time, so there are twenty times.
    """
    dataset = holed(20_000, n_classes=0)
    plan = Plan(criterion="absolute_error", missing=missing, limits=Limits(max_depth=1))
    first = grow(dataset, plan).fingerprint()
    assert {grow(dataset, plan, n_jobs=4).fingerprint() for _ in range(20)} == {first}


@pytest.mark.parametrize(("plan", "n_classes"), CASES)
def test_best_first_without_a_budget_is_depth_first(plan, n_classes):
    dataset = holed(5000, seed=2 + n_classes, n_classes=n_classes, levels=(60, 25))
    endless = replace(plan, limits=replace(plan.limits, max_leaves=10**9))
    assert grow(dataset, endless).fingerprint() == grow(dataset, plan).fingerprint()


def best_splits(tree: Tree, max_leaves: int) -> set[int]:
    """The nodes that growth with a leaf budget splits, found on the whole tree."""
    waiting, split, n_leaves, made = [(0.0, 0, 0)], set(), 1, 1
    while waiting:
        node = heapq.heappop(waiting)[2]
        if tree.n_children[node] == 0 or n_leaves + tree.n_children[node] - 1 > max_leaves:
            continue
        split.add(node)
        n_leaves += tree.n_children[node] - 1
        for child in range(tree.first_child[node], tree.first_child[node] + tree.n_children[node]):
            part = tree.weight[child] / tree.weight[0] * np.nan_to_num(tree.gain[child]) / tree.impurity[0]
            heapq.heappush(waiting, (-floor(part * 1e10 + 0.5), made, child))
            made += 1
    return split


@pytest.mark.parametrize("max_leaves", [2, 30, 400])
@pytest.mark.parametrize(("plan", "n_classes"), CASES)
def test_best_first_takes_the_best_of_the_whole_tree(plan, n_classes, max_leaves):
    dataset = holed(3000, seed=3 + n_classes, n_classes=n_classes, levels=(20, 9))
    whole = grow(dataset, plan)
    part = grow(dataset, replace(plan, limits=replace(plan.limits, max_leaves=max_leaves)))
    check_tree(part)
    expected, split = best_splits(whole, max_leaves), set()
    pairs = [(0, 0)]
    for a, b in pairs:
        assert (part.weight[a], part.count[a]) == (whole.weight[b], whole.count[b])
        assert np.array_equal(part.stats[a], whole.stats[b])
        if part.n_children[a]:
            split.add(b)
            assert (part.column[a], part.gain[a]) == (whole.column[b], whole.gain[b])
            pairs += [(part.first_child[a] + i, whole.first_child[b] + i) for i in range(part.n_children[a])]
    assert split == expected


@pytest.mark.parametrize("name", ["gini", "grouped", "absolute error"])
def test_room_is_made_more_than_once(name, rooms):
    """Depth first, room is used again once all below a node is done, so the table's size a few times over will do."""
    plan, n_classes = PLANS[name]
    dataset, plan = holed(5000, n_classes=n_classes, levels=(60, 25)), replace(plan, missing="fractional")
    grow(dataset, plan)
    assert len(rooms) >= 2
    assert np.max(rooms) < 10 * 5000
    rooms.clear()
    grow(dataset, replace(plan, limits=Limits(max_leaves=10**9)))
    assert len(rooms) >= 5
    assert max(ids for ids, _ in rooms) <= 256 * 5000


@pytest.mark.parametrize("missing", [m for m in STRATEGIES if m != "fractional"])
def test_only_shares_need_more_room(missing, rooms):
    grow(holed(5000, levels=(60, 25)), Plan(missing=missing))
    assert not rooms


@pytest.mark.usefixtures("many_threads_even_for_small_tables")
def test_threads_make_room_together(rooms):
    """With large nodes alone room has to be made too, and every thread has to see it."""
    plan = replace(PLANS["c4.5"][0], missing="fractional", limits=Limits(min_split=1000))
    dataset = holed(20_000, levels=(60, 25), share=0.5)
    first = grow(dataset, plan)
    assert rooms
    rooms.clear()
    assert grow(dataset, plan, n_jobs=3).fingerprint() == first.fingerprint()
    assert rooms


def bytes_per_row(n_rows: int, plan: Plan) -> float:
    dataset = holed(n_rows, levels=(200, 200, 200), share=0.5)
    tracemalloc.start()
    tree = grow(dataset, plan)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    no_weight_is_lost(tree)
    assert tree.count[tree.n_children == 0].sum() <= 256 * n_rows
    return peak / n_rows


@pytest.mark.parametrize(("grouping", "most"), [("subset", 3_000), ("each", 30_000)])
def test_memory_is_linear_in_the_rows(grouping, most, rooms):
    """A share takes about 60 bytes here. A branch for each of 200 categories makes 200 shares of half of the rows, and
    there is room for as many again; two-way splits, one after the other, need ten times less.
    """
    plan = Plan(criterion="entropy", grouping=grouping, missing="fractional")
    few, many = (bytes_per_row(n_rows, plan) for n_rows in (10_000, 20_000))
    assert many < most
    assert many < few * 1.25
    assert max(ids for ids, _ in rooms) <= 256 * 20_000


def test_too_many_shares_are_refused(monkeypatch):
    """Ids are numbers of 31 bits; here of fewer."""
    monkeypatch.setattr(workspace, "MOST_IDS", 20_000)
    plan = replace(PLANS["c4.5"][0], missing="fractional")
    said = "more than 20,000 copies of rows with missing values; use missing='surrogate'"
    with pytest.raises(InputError, match=said):
        grow(holed(2000, share=0.5), plan)
    assert grow(holed(2000, share=0.5), replace(plan, grouping="subset")).n_nodes > 100
