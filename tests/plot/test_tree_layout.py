"""The tidy layout: nothing overlaps, parents stand over the middle, subtrees keep their shape, and it is as narrow as
the slow way to draw a tree makes it."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plot.trees import SHAPES, SIZES, TWOFOLD, Links, links
from treewright.plot.tree_layout import COUSIN_GAP, tidy

GAP = 7.0


def draw(tree):
    return tidy(tree.parent, tree.first, tree.many, tree.size, GAP)


def gap(tree, a, b):
    return GAP if tree.parent[a] == tree.parent[b] else GAP * COUSIN_GAP


@settings(max_examples=300)
@given(SHAPES, SIZES)
def test_neighbours_of_a_level_keep_their_distance(shape, sizes):
    tree = links(shape, sizes)
    place = draw(tree)
    assert min(p - s / 2 for p, s in zip(place, tree.size, strict=True)) == pytest.approx(0, abs=1e-9)
    for level in tree.levels():
        for a, b in pairwise(level):
            between = (place[b] - tree.size[b] / 2) - (place[a] + tree.size[a] / 2)
            assert between >= gap(tree, a, b) - 1e-6


@settings(max_examples=300)
@given(SHAPES, SIZES)
def test_a_parent_stands_over_the_middle_of_its_children(shape, sizes):
    tree = links(shape, sizes)
    place = draw(tree)
    for node in range(len(place)):
        if tree.many[node]:
            below = [place[child] for child in tree.children(node)]
            assert place[node] == pytest.approx((below[0] + below[-1]) / 2, abs=1e-6)


@given(SHAPES, SHAPES, SIZES)
def test_a_subtree_keeps_its_shape_wherever_it_stands(shape, other, sizes):
    """The same subtree, once as the first and once as the last branch, beside another one."""
    size = [sizes[0]]  # all of one size, so that the two are the same
    alone = draw(links(shape, size))
    for siblings, branch in (([shape, other], 0), ([other, shape], 1)):
        tree = links(siblings, size)
        place = draw(tree)
        nodes = [tree.first[0] + branch]
        for node in nodes:
            nodes.extend(tree.children(node))
        assert [place[i] - place[nodes[0]] for i in nodes] == pytest.approx([p - alone[0] for p in alone], abs=1e-6)


def slow(tree, node=0):
    """Two branches each, drawn by hand: the second is set as near to the first as all levels allow.

    Gives the places of all nodes below, counted from the node itself.
    """
    if not tree.many[node]:
        return {node: 0.0}
    one, two = (slow(tree, child) for child in tree.children(node))
    depth = {}
    for level, nodes in enumerate(tree.levels()):
        depth |= dict.fromkeys(nodes, level)
    away = 0.0
    for a, x in one.items():
        for b, y in two.items():
            if depth[a] == depth[b]:
                away = max(away, x + tree.size[a] / 2 + tree.size[b] / 2 + gap(tree, a, b) - y)
    return {node: 0.0} | {a: x - away / 2 for a, x in one.items()} | {b: y + away / 2 for b, y in two.items()}


@given(TWOFOLD, SIZES)
def test_two_branches_stand_as_near_as_they_can(shape, sizes):
    tree = links(shape, sizes)
    place, wanted = draw(tree), slow(tree)
    assert [p - place[0] for p in place] == pytest.approx([wanted[i] for i in range(len(place))], abs=1e-6)


def test_small_siblings_between_large_ones_are_spread_evenly():
    """A leaf between two wide fans stands in the middle of them."""
    fan = [[]] * 9
    tree = links([fan, [], [], fan], [10])
    place = draw(tree)
    first, *between, last = (place[child] for child in tree.children(0))
    steps = [b - a for a, b in zip([first, *between], [*between, last], strict=True)]
    assert steps == pytest.approx([steps[0]] * 3)


@given(st.integers(1, 50), SIZES)
def test_a_row_of_leaves_is_as_wide_as_they_are(n, sizes):
    tree = links([[]] * n, sizes)
    place = draw(tree)
    tree.size[0] = 0.0
    width = max(p + s / 2 for p, s in zip(place[1:], tree.size[1:], strict=True)) - (place[1] - tree.size[1] / 2)
    assert width == pytest.approx(sum(tree.size[1:]) + GAP * (n - 1))


def chain(n_splits):
    parent, first, many = [-1], [-1] * (2 * n_splits + 1), [0] * (2 * n_splits + 1)
    node = 0
    for _ in range(n_splits):
        first[node], many[node] = len(parent), 2
        parent += [node, node]
        node = len(parent) - 1
    return Links(parent, first, many, [50.0] * len(parent))


def test_a_chain_of_100_000_splits_and_a_fan_of_100_000_leaves_take_moments():
    start = time.process_time()
    place = draw(chain(100_000))
    # Each step down moves the leaf by half of two boxes and a gap.
    assert max(place) - min(place) == pytest.approx((100_000 + 1) * (50 + GAP) / 2)
    fan = Links([-1] + [0] * 100_000, [1] + [-1] * 100_000, [100_000] + [0] * 100_000, [50.0] * 100_001)
    assert max(draw(fan)) == pytest.approx(100_000 * 57 - 7 - 25)
    assert time.process_time() - start < 10


def test_two_long_chains_side_by_side_take_moments():
    """A contour that is walked again for each node would take ten thousand times as long."""
    shape = []
    for _ in range(10_000):
        shape = [[], shape]
    tree = links([shape, shape], [50])
    start = time.process_time()
    place = draw(tree)
    assert time.process_time() - start < 5
    assert max(place) - min(place) > 10_000 * 50 / 2
