"""The path of cost-complexity pruning: Breiman's loop, brute force and a chain's hull find the same."""

import time
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from sklearn import datasets

from tests.golden.rpart_pruned import grown
from tests.invariants.strategies import holed_cases, tables_and_options
from tests.oracles.compare import dataset, engine_tree
from tests.oracles.cost_complexity import (
    Branch,
    best_of_all,
    links_of,
    own_alphas,
    random_branch,
    weakest_link_loop,
)
from tests.oracles.tables import make_table
from treewright import CARTClassifier, CARTRegressor
from treewright._core import _prune as compiled
from treewright._core.prune import cost_complexity as uncompiled
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError
from treewright.grow.grower import grow
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.prune.cost_complexity_path import cost_complexity_path, find_weakest_links, node_losses


def links(parent, n_children, risk, staying=None, module=compiled):
    """What the kernel says: alpha, rise, fewer."""
    n = len(parent)
    alpha, rise, fewer = np.full(n, -9.0), np.full(n, -9.0), np.full(n, -9)
    heap = tuple(np.full(n, -9) for _ in range(3))
    both = np.asarray(parent), np.asarray(n_children)
    staying = np.zeros(n) if staying is None else np.asarray(staying, float)
    module.weakest_links(both, np.asarray(risk, float), staying, heap, alpha, rise, fewer)
    return alpha, rise, fewer


def of_branch(root, module=compiled):
    nodes = sorted(root.below(), key=lambda node: node.number)
    risks, staying = [float(node.risk) for node in nodes], [float(node.staying) for node in nodes]
    return links(*links_of(root), risks, staying, module)


def as_branch(tree, losses):
    """A tree for the slow twin: losses in parts of the weight, each float as the fraction it is."""
    total = Fraction(losses.total)
    nodes = [
        Branch(i, Fraction(losses.leaf[i]) / total, Fraction(losses.staying[i]) / total)
        for i in range(tree.n_nodes)
    ]
    for i in range(1, tree.n_nodes):
        nodes[tree.parent[i]].children.append(nodes[i])
    return nodes[0]


# The kernel.


@pytest.mark.parametrize("module", [compiled, uncompiled], ids=["compiled", "uncompiled"])
@pytest.mark.parametrize("seed", range(40))
def test_every_node_goes_where_the_loop_cuts_it(seed, module):
    rng = Random(f"kernel {seed}")
    root = random_branch(rng, rng.choice([1, 3, 10, 25]), stays=seed % 4 == 0)
    alpha, rise, fewer = of_branch(root, module)
    own = own_alphas(root)
    # Whole risks leave nothing to round but one division.
    assert {i: alpha[i] for i in own} == {i: float(a) for i, a in own.items()}
    for node in root.below():
        if node.children:
            last = weakest_link_loop(node)
            before = last[-2].best if len(last) > 1 and last[-1].alpha > 0 else None
            if before is not None:
                assert (rise[node.number], fewer[node.number]) == (node.risk - before.risk, before.n_leaves - 1)
        else:
            assert (alpha[node.number], rise[node.number], fewer[node.number]) == (0, 0, 0)


def test_the_two_are_two():
    assert uncompiled.__file__.endswith(".py")
    assert not compiled.__file__.endswith(".py"), "the kernels are not compiled; run `make setup`"


def test_sums_below_marked_nodes():
    parent, n_children = np.array([-1, 0, 0, 1, 1, 2, 2]), np.array([2, 2, 2, 0, 0, 0, 0])
    risk, staying = np.array([10.0, 4, 5, 1, 1, 2, 2]), np.array([0.5, 0, 0.25, 9, 9, 9, 9])
    for module in (compiled, uncompiled):
        below, leaves = np.empty(7), np.empty(7, np.int64)
        marked = np.array([1, 1, 0, 0, 0, 0, 0], np.uint8)
        module.sum_branches((parent, n_children), risk, staying, marked, below, leaves)
        assert below.tolist() == [0.5 + 4 + 4.25, 2, 4.25, 1, 1, 2, 2]
        assert leaves.tolist() == [3, 2, 2, 1, 1, 1, 1]


def chain(savings):
    """Links and risks of a chain: each inner node has a leaf and the next one, and saves so much by its split."""
    n = 2 * len(savings) + 1
    parent = np.repeat(np.arange(-2, n - 1, 2), 2)[1 : n + 1]
    parent[0] = -1
    n_children = np.where((np.arange(n) % 2 == 0) & (np.arange(n) < n - 1), 2, 0)
    risk = np.zeros(n)
    risk[0:-1:2] = np.cumsum(savings[::-1])[::-1]
    return parent, n_children, risk


def hull_slopes(savings):
    """For each node of a chain the largest mean saving of splits from it on, by the hull of the sums: its alpha."""
    height = [0, *np.cumsum(savings).tolist()]
    hull, slopes = [len(savings)], np.zeros(len(savings))
    for i in range(len(savings) - 1, -1, -1):
        while len(hull) > 1 and (height[hull[-1]] - height[i]) * (hull[-2] - i) <= (height[hull[-2]] - height[i]) * (
            hull[-1] - i
        ):
            hull.pop()
        slopes[i] = (height[hull[-1]] - height[i]) / (hull[-1] - i)
        hull.append(i)
    return slopes


@pytest.mark.parametrize("shape", ["weak at the end", "weak at the root", "any"])
def test_long_chains(shape):
    """A loop that updates all nodes above the weakest link would take 10^10 steps."""
    n = 100_000
    rng = np.random.default_rng(1)
    rising = np.sort(rng.integers(1, 1000, n))
    savings = {"weak at the end": rising[::-1], "weak at the root": rising}.get(shape, rng.permutation(rising))
    parent, n_children, risk = chain(savings.astype(float))
    start = time.perf_counter()
    alpha, _, _ = links(parent, n_children, risk)
    assert time.perf_counter() - start < 5
    np.testing.assert_allclose(alpha[0:-1:2], hull_slopes(savings), rtol=1e-12)


def test_the_hull_of_a_chain_is_right():
    savings = [Random(7).randint(0, 9) for _ in range(12)]
    slopes = hull_slopes(savings)
    for i in range(12):
        means = [sum(savings[i:j]) / (j - i) for j in range(i + 1, 13)]
        assert slopes[i] == pytest.approx(max(means))


def test_risk_below_that_of_the_branches():
    """Where rounding, or rows that stay, make a split worse than none, it goes at 0 and hides nothing."""
    parent, n_children = [-1, 0, 0, 1, 1, 2, 2], [2, 2, 2, 0, 0, 0, 0]
    alpha, rise, fewer = links(parent, n_children, [10, 1, 5, 1, 1, 2, 2])
    assert alpha.tolist() == [4.0, 0.0, 1.0, 0, 0, 0, 0]
    assert rise.tolist() == [4.0, -1.0, 1.0, 0, 0, 0, 0]
    assert fewer.tolist() == [1, 1, 1, 0, 0, 0, 0]
    alpha, _, _ = links(parent, n_children, [10, 4 + 1e-13, 5, 2, 2, 2, 2])
    assert alpha[1] == 0.0


# Trees.


def check_path(tree, risk="error"):
    """All that a path says, by the slow twin, and by the trees themselves."""
    path = cost_complexity_path(tree, risk)
    losses = node_losses(tree, risk)
    steps = weakest_link_loop(as_branch(tree, losses))
    # Sums of floats tell ties apart that are ties: of alphas this close the last is compared. None that differ in
    # truth are, in tables of a few rows.
    slack = 1e-11 * path.root_risk
    told = [s for s, t in pairwise([*steps, None]) if t is None or t.alpha - s.alpha > slack]
    assert path.alphas == pytest.approx([float(s.alpha) for s in told], rel=1e-9, abs=slack)
    assert path.leaves.tolist() == [s.best.n_leaves for s in told]
    assert path.splits.tolist() == [len(s.best.inner) for s in told]
    assert path.risk == pytest.approx([float(s.best.risk) for s in told], rel=1e-9, abs=slack)
    assert path.root_risk == pytest.approx(losses.leaf[0] / losses.total)
    for i, step in enumerate(told):
        stays = ~path.become_leaf(path.alphas[i]) & ~tree.is_leaf
        reached = np.array([all(stays[a] for a in above(tree, node)) for node in range(tree.n_nodes)])
        assert set(np.flatnonzero(stays & reached).tolist()) == step.best.inner
        smaller = path.tree_at(path.alphas[i])
        assert (smaller.n_leaves, path.index_of(path.alphas[i])) == (step.best.n_leaves, i)


def above(tree, node):
    while tree.parent[node] >= 0:
        node = int(tree.parent[node])
        yield node


@given(case=tables_and_options(weights="eighths"))
def test_grown_trees(case):
    tree = engine_tree(*case)
    check_path(tree)
    check_path(tree, "impurity")


@pytest.mark.parametrize("missing", ["fractional", "stop", "surrogate"])
def test_grown_trees_with_holes(missing):
    @given(case=holed_cases(missing))
    def check(case):
        tree = engine_tree(*case)
        check_path(tree)
        check_path(tree, "impurity")

    check()


def test_brute_force_on_grown_trees():
    """At, between and beyond the alphas the tree is the smallest of the best of all pruned subtrees."""
    seen = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 6, (14, 2)), rng.integers(0, 3, 14)
        tree = grown(CARTClassifier(), X, y)
        if not 5 <= tree.n_leaves <= 8:
            continue
        seen += 1
        path, root = cost_complexity_path(tree), as_branch(tree, node_losses(tree))
        for low, high in pairwise([*path.alphas, path.alphas[-1] + 0.1]):
            for alpha in (low, (low + high) / 2):
                (best,) = best_of_all(root, Fraction(alpha).limit_denominator(10**9))
                assert path.tree_at(alpha).n_leaves == best.n_leaves
                assert path.risk[path.index_of(alpha)] == pytest.approx(float(best.risk))
    assert seen > 10


def test_costs():
    """The loop on costs: what the cheapest answer of each node costs."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 8, (60, 3)), rng.integers(0, 3, 60)
    tree = grown(CARTClassifier(), X, y)
    costs = np.array([[0, 1, 4], [2, 0, 1], [10, 3, 0]], float)
    path = cost_complexity_path(tree, "error", costs)
    cheapest = (tree.stats @ costs).min(axis=1)
    assert node_losses(tree, "error", costs).leaf == pytest.approx(cheapest)
    steps = weakest_link_loop(as_branch(tree, node_losses(tree, "error", costs)))
    assert path.alphas == pytest.approx([float(s.alpha) for s in steps])
    assert path.leaves.tolist() == [s.best.n_leaves for s in steps]
    assert path.leaves.tolist() != cost_complexity_path(tree).leaves.tolist()


def test_rows_that_stay_at_a_split():
    """Four of ten rows lack the value that the root asks for and end there; half of them are wrong."""
    X = [[1.0], [1.0], [1.0], [2.0], [2.0], [2.0], [np.nan], [np.nan], [np.nan], [np.nan]]
    y = ["a", "a", "a", "b", "b", "b", "a", "a", "b", "b"]
    tree = grown(CARTClassifier(missing="stop"), X, y)
    assert (tree.n_nodes, tree.weight.tolist()) == (3, [10.0, 3.0, 3.0])
    for risk, whole in (("error", 0.5), ("impurity", 0.5)):
        path = cost_complexity_path(tree, risk)
        # Six rows are right below the root; the four others are as mixed as all ten.
        assert path.risk.tolist() == pytest.approx([4 * whole / 10, whole])
        assert path.alphas.tolist() == pytest.approx([0.0, 6 * whole / 10])


def test_splits_that_save_nothing_are_gone_at_0():
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", ("a", "b")))
    idle = number("x", 1, leaf({"a": 3}), leaf({"a": 2, "b": 1}))
    tree = build(schema, number("x", 2, idle, leaf({"b": 4})), "gini")
    path = cost_complexity_path(tree)
    assert (tree.n_leaves, path.leaves.tolist(), path.alphas.tolist()) == (3, [2, 1], [0.0, 0.4])
    # The same split does lower the impurity.
    assert cost_complexity_path(tree, "impurity").leaves.tolist() == [3, 2, 1]


def test_alphas_that_only_their_quotients_make_equal():
    """A node that goes a hair before the one above it is counted, though both have one alpha in the end."""
    columns = (Column("x", Kind.NUMBER), Column("z", Kind.CATEGORY, ("u", "v", "w")))
    schema = Schema(columns, Target("y", ("a", "b", "c", "d")))
    found = 0
    for k in range(1, 200):
        low = 1.2 + k / 2000
        high = np.nextafter(low, 2)
        node = number("x", 1, leaf({"a": 10 + k / 7}), leaf({"b": low}))
        tree = build(schema, table("z", {"u": node, "v": leaf({"c": high}), "w": leaf({"d": high})}))
        of_root = (node_losses(tree).leaf[0] - low) / 2  # the node goes at the weight `low`, the root at this one
        if of_root > low and of_root / tree.weight[0] == low / tree.weight[0]:
            found += 1
            path = cost_complexity_path(tree)
            assert (path.leaves.tolist(), path.splits.tolist()) == ([4, 1], [2, 0])
            assert path.risk.tolist() == [0.0, pytest.approx((low + 2 * high) / tree.weight[0])]
    assert found > 5


def test_single_leaf():
    tree = grown(CARTClassifier(), [[1.0], [1.0], [1.0]], ["a", "a", "b"])
    path = cost_complexity_path(tree)
    assert (path.alphas.tolist(), path.leaves.tolist(), path.splits.tolist()) == ([0.0], [1], [0])
    assert path.risk.tolist() == [path.root_risk]
    assert path.tree_at(5.0).n_nodes == 1
    assert "1   0       0          1" in str(path)


def test_trees_are_nested_and_the_grown_one_stays():
    X, y = datasets.load_digits(return_X_y=True)
    tree = grown(CARTClassifier(), X, y)
    before = tree.fingerprint()
    path = cost_complexity_path(tree)
    sizes = [smaller.n_leaves for smaller in path.trees()]
    assert sizes == path.leaves.tolist()
    assert len(path) == len(sizes) > 20
    assert all(a > b for a, b in pairwise(sizes))
    assert tree.fingerprint() == before
    errors = [(one.stats.sum(1) - one.stats.max(1))[one.is_leaf].sum() / len(y) for one in path.trees()]
    assert path.risk == pytest.approx(errors, abs=1e-12)


def test_alpha_of_a_chosen_tree_is_found_again():
    """An alpha that went through another unit still finds its tree."""
    X, y = datasets.load_digits(return_X_y=True)
    path = cost_complexity_path(grown(CARTClassifier(), X, y), "impurity")
    for i, alpha in enumerate(path.alphas.tolist()):
        assert path.index_of(alpha / path.root_risk * path.root_risk) == i
        assert path.tree_at(alpha / path.root_risk * path.root_risk).n_leaves == path.leaves[i]
    assert path.index_of(1e9) == len(path) - 1


def test_unknown_risk():
    with pytest.raises(ParameterError, match=r"risk must be one of 'error', 'impurity', got 'gini'\."):
        cost_complexity_path(golf_example(), "gini")


# What people see.


def test_frame():
    path = cost_complexity_path(golf_example())
    table = path.to_frame()
    assert list(table.columns) == ["alpha", "cp", "leaves", "splits", "risk", "relative_risk"]
    assert table["cp"].tolist() == [0.0, 0.25]
    assert table["relative_risk"].tolist() == [0.0, 1.0]


def test_long_tables_are_shortened():
    X, y = datasets.load_diabetes(return_X_y=True)
    path = cost_complexity_path(grown(CARTRegressor(), X, y))
    lines = str(path).splitlines()
    assert len(path) > 200
    assert len(lines) == 1 + 30 + 1 + 1
    assert lines[1].split()[:3] == ["1", f"{path.alphas[-1] / path.root_risk:.5g}", "0"]
    assert lines[31].strip() == "…"
    assert lines[-1].split()[0] == str(len(path))


def test_weights_scale():
    """Halving all weights leaves the alphas as they are."""
    rows = dataset(make_table("weights of a path"))
    halved = replace(rows, weight=rows.weight / 2)
    one, other = (cost_complexity_path(grow(each, CARTClassifier().plan())) for each in (rows, halved))
    assert len(one) > 2
    assert one.alphas == pytest.approx(other.alphas)
    assert one.leaves.tolist() == other.leaves.tolist()


def test_links_in_parts_of_the_weight():
    tree = golf_example()
    found = find_weakest_links(tree, node_losses(tree))
    assert found.above.tolist() == [np.inf, *[pytest.approx(1.25 / 14)] * 7]
    assert found.risk_added[0] == pytest.approx(5 / 14)
