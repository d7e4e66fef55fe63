"""Which nodes are shown: as deep and as many as was asked for, the heaviest first, and nothing goes uncounted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.samples import CLASSES, SPECS, chain, every_kind
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError
from treewright.export.outline import MAX_BRANCHES, outline
from treewright.model.build import build, golf_example, leaf, table


def fan(n_branches: int):
    """A root with so many branches; the k-th leaf has weight k + 1."""
    words = tuple(f"w{i}" for i in range(n_branches))
    schema = Schema((Column("word", Kind.CATEGORY, words),), Target("t", ("a", "b")))
    return build(schema, table("word", {word: leaf({"a": i + 1.0}) for i, word in enumerate(words)}))


def leaves_under(shown, place):
    """The leaves of the tree below a place, counted by walking the tree."""
    return sum(node.is_leaf for node in shown.tree.node(shown.node[place]).walk())


@given(SPECS, st.none() | st.integers(0, 6), st.none() | st.integers(1, 12))
def test_every_leaf_is_shown_or_counted(spec, max_depth, max_nodes):
    tree = build(CLASSES, spec)
    shown = outline(tree, max_depth, max_nodes)
    drawn = sum(i >= 0 and tree.is_leaf[i] for i in shown.node)
    assert drawn + sum(shown.n_hidden) == tree.n_leaves
    assert shown.n_nodes == sum(i >= 0 for i in shown.node) == len(set(shown.node))
    for place, node in enumerate(shown.node):
        below = range(shown.first[place], shown.first[place] + shown.n_shown[place])
        assert all(shown.parent[child] == place for child in below)
        if node >= 0 and not below and not tree.is_leaf[node]:
            assert shown.n_hidden[place] == leaves_under(shown, place)
        elif node >= 0:
            assert shown.n_hidden[place] == 0
    depths = shown.depths()
    assert all(depths[p] == tree.depths[i] for p, i in enumerate(shown.node) if i >= 0)
    if max_depth is not None:
        assert max(depths) <= max_depth
    if max_nodes is not None:
        assert shown.n_nodes <= max(max_nodes, 1 + tree.n_children[0])  # the root is shown with its branches
    if max_depth is None and max_nodes is None:
        assert sorted(shown.node) == list(range(tree.n_nodes))


def test_without_room_for_all_the_heaviest_are_shown():
    shown = outline(golf_example(), max_nodes=6)
    # outlook first (weight 14), then one of sunny and rain (5 each): the lower number.
    assert shown.node == [0, 1, 2, 3, 4, 5]
    assert shown.n_hidden == [0, 0, 0, 2, 0, 0]


def test_a_family_that_does_not_fit_leaves_room_for_one_that_does():
    """Nodes 1 (weight 6, two branches) and 2 (weight 6.5, three) cannot both be opened with five nodes left."""
    tree = every_kind()
    assert tree.n_children.tolist()[:3] == [2, 2, 3]
    shown = outline(tree, max_nodes=5)
    assert shown.node == [0, 1, 2, 3, 4]
    assert shown.n_hidden == [0, 0, 3, 0, 0]


def test_of_very_many_branches_the_heaviest_are_shown_and_the_rest_is_one_place():
    tree = fan(1000)
    shown = outline(tree, max_nodes=500)
    assert shown.node == [0, *range(1000 - MAX_BRANCHES + 2, 1001), -1]
    assert shown.n_rest[-1] == shown.n_hidden[-1] == 1000 - MAX_BRANCHES + 1
    assert outline(tree).node == list(range(1001))
    assert len(outline(fan(MAX_BRANCHES), max_nodes=500)) == MAX_BRANCHES + 1


def test_a_chain_of_100_000_splits_is_no_trouble():
    tree = chain(100_000)
    shown = outline(tree, max_nodes=301)
    assert shown.n_nodes == 301
    assert sum(shown.n_hidden) + 150 == tree.n_leaves
    assert outline(tree).n_nodes == tree.n_nodes


@pytest.mark.parametrize("bad", [-1, 1.5, "2", True])
def test_a_bad_limit_is_named(bad):
    with pytest.raises(ParameterError, match="`max_depth` must be an integer of at least 0, or None, got"):
        outline(golf_example(), max_depth=bad)
    with pytest.raises(ParameterError, match="`max_nodes` must be an integer of at least 1, or None, got"):
        outline(golf_example(), max_nodes=bad)
    with pytest.raises(ParameterError, match="`max_nodes` must be an integer of at least 1, or None, got 0"):
        outline(golf_example(), max_nodes=0)
