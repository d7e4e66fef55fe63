"""Walking a grown tree once more: every node is found with its rows and its candidates, at the price of its ways."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from tests.grow.examples import mixed
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.grow.candidates import GrowthReplay, root_candidates
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan
from treewright.model.subtree import collapse_nodes
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import decision_paths

PLANS = {
    "cart": Plan(),
    "best first": Plan(limits=Limits(max_leaves=40)),
    "release 8": Plan(
        criterion="entropy", merit="ratio", floor="average", grouping="each", penalty="cuts", side="release8",
        threshold="value", minimum="weight", slack=1e-3, min_info=1e-3, wide=0.3, collapse=True,
        limits=Limits(min_split=4, min_leaf=2),
    ),
    "limits": Plan(limits=Limits(max_depth=5, min_split=9, min_leaf=3, min_gain=0.001)),
}  # fmt: skip
STRATEGIES = ("fractional", "surrogate", "learned", "branch", "stop")


def holed(n_rows, seed=0):
    dataset = mixed(n_rows)
    rng = np.random.default_rng(seed)
    values = np.where(rng.random(dataset.values.shape) < 0.15, np.nan, dataset.values)
    return Dataset(dataset.schema, values, dataset.target)


def check(dataset, plan, tree, nodes):
    """The nodes found are those asked for, with the rows and the split of the tree."""
    walk = GrowthReplay(dataset, plan)
    found = {seen.node: seen for seen in walk.visit(tree, nodes)}
    assert set(found) == set(nodes)
    for node, seen in found.items():
        assert len(seen.rows) == len(np.unique(seen.rows)) == tree.count[node]
        assert seen.weights.sum() * walk.prepared.weights.unit == tree.weight[node]
        assert seen.path.tolist() == way_to(tree, node)
        if tree.n_children[node]:
            chosen = seen.candidates[seen.chosen]
            assert (chosen.column, chosen.gain, chosen.merit) == (
                tree.column[node],
                tree.gain[node],
                tree.merit[node],
            )
            assert np.array_equal(chosen.threshold, tree.threshold[node], equal_nan=True)
            assert seen.closed is None
    return found


def way_to(tree, node):
    way = []
    while node > 0:
        node = int(tree.parent[node])
        way.append(node)
    return way[::-1]


@pytest.mark.parametrize("name", PLANS)
def test_all_nodes(name):
    dataset = mixed(400)
    tree = grow(dataset, PLANS[name])
    found = check(dataset, PLANS[name], tree, range(tree.n_nodes))
    where = decision_paths(tree, dataset.values, MissingPolicy("fractional")).tocsc()
    for node, seen in found.items():
        assert sorted(seen.rows.tolist()) == sorted(where[:, node].nonzero()[0].tolist())


@pytest.mark.parametrize("missing", STRATEGIES)
def test_all_nodes_with_missing_values(missing):
    dataset, plan = holed(300), Plan(criterion="entropy", missing=missing)
    tree = grow(dataset, plan)
    check(dataset, plan, tree, range(tree.n_nodes))


@pytest.mark.parametrize("missing", STRATEGIES)
def test_any_node_alone_is_as_among_all(missing):
    dataset, plan = holed(200), Plan(missing=missing)
    tree = grow(dataset, plan)
    everything = check(dataset, plan, tree, range(tree.n_nodes))
    for node in np.random.default_rng(0).permutation(tree.n_nodes)[:12].tolist():
        alone = check(dataset, plan, tree, [node])[node]
        assert repr(alone.candidates) == repr(everything[node].candidates)
        assert sorted(alone.rows.tolist()) == sorted(everything[node].rows.tolist())
        assert sorted(alone.weights.tolist()) == sorted(everything[node].weights.tolist())


def test_a_tree_that_was_cut_back():
    dataset = mixed(400)
    tree = grow(dataset, Plan())
    smaller = collapse_nodes(tree, np.arange(tree.n_nodes) % 7 == 3).tree
    assert smaller.n_nodes < tree.n_nodes
    check(dataset, Plan(), smaller, range(smaller.n_nodes))


def test_the_root_is_that_of_root_candidates():
    dataset, plan = holed(200), Plan(missing="fractional")
    tree = grow(dataset, plan)
    (seen,) = GrowthReplay(dataset, plan).visit(tree, [0])
    assert repr(root_candidates(dataset, plan)) == repr([c for c in seen.candidates if c.ok])


def test_rows_of_weight_zero_are_left_out():
    dataset = mixed(200)
    weight = np.tile([1.0, 0.0, 2.5, 1.0], 50)
    weighted = Dataset(dataset.schema, dataset.values, dataset.target, weight)
    tree = grow(weighted, Plan())
    check(weighted, Plan(), tree, range(tree.n_nodes))


def test_other_rows_are_refused():
    dataset = mixed(200)
    tree = grow(dataset, Plan())
    other = Dataset(dataset.schema, dataset.values, np.roll(dataset.target, 1))
    with pytest.raises(InputError, match="unchanged"):
        list(GrowthReplay(other, Plan()).visit(tree, range(tree.n_nodes)))


def chain(n_rows):
    """A table whose tree is one long path: each cut takes one row off."""
    schema = Schema((Column("x", Kind.NUMBER),), Target("y"))
    return Dataset(schema, np.arange(n_rows, dtype=float)[:, None], 1.4 ** np.arange(n_rows))


def test_a_deep_tree_needs_no_recursion():
    dataset, plan = chain(1000), Plan(criterion="squared_error")
    tree = grow(dataset, plan)
    assert tree.depth > 400
    found = check(dataset, plan, tree, range(tree.n_nodes))
    assert len(found) == tree.n_nodes


def test_only_the_ways_are_walked():
    """A few deep nodes of a large tree cost a part of what all nodes do."""
    dataset = mixed(20_000)
    tree = grow(dataset, Plan())
    assert tree.n_nodes > 2000
    last = [tree.n_nodes - 1]
    started = time.perf_counter()
    check(dataset, Plan(), tree, last)
    one = time.perf_counter() - started
    started = time.perf_counter()
    check(dataset, Plan(), tree, range(tree.n_nodes))
    assert one < 0.5 * (time.perf_counter() - started)


ASK = textwrap.dedent("""
    import time
    import numpy as np
    from treewright import CARTClassifier
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100_000, 20)), rng.integers(0, 2, 100_000)
    model = CARTClassifier(max_depth=8, pruning=None).fit(X, y)
    print("ready", flush=True)
    try:
        for node in range(10_000):
            model.why(node % 100)
        print("too quick", flush=True)
    except KeyboardInterrupt:
        print(time.time(), flush=True)
""")


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
def test_ctrl_c_comes_through():
    with subprocess.Popen([sys.executable, "-c", ASK], stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.25)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        assert float(process.stdout.readline()) - sent < 1.2
