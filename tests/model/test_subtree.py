"""A cut tree is the tree that would have been written down with these leaves."""

import dataclasses
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.model.missing_trees import KINDS, own_branches, prostate
from tests.model.samples import CLASSES, LEAVES, NUMBERS, chain, every_kind, level_order, splits, weight_of
from treewright.model.build import LeafSpec, Spec, SplitSpec, build, golf_example, leaf, number
from treewright.model.strategies import GROWTH_STRATEGIES
from treewright.model.subtree import collapse_nodes, rebuild_tree
from treewright.model.tree import Tree


def total(spec: Spec) -> dict[str, float]:
    """The class weights of all leaves together."""
    found: dict[str, float] = {}
    waiting = [spec]
    for one in waiting:
        waiting.extend(one.children if isinstance(one, SplitSpec) else ())
        for label, weight in (one.classes or {}).items() if isinstance(one, LeafSpec) else ():
            found[label] = found.get(label, 0.0) + weight
    return found


def written(spec: Spec, leaves: set[int], number_of: dict[int, int]) -> Spec:
    """The same tree, written down with leaves in these places."""
    if isinstance(spec, LeafSpec) or number_of[id(spec)] in leaves:
        return leaf(total(spec)) if total(spec) else leaf()
    return dataclasses.replace(spec, children=tuple(written(c, leaves, number_of) for c in spec.children))


def strict(tree: Tree) -> Tree:
    """The tree, through the validator."""
    return Tree(**{f.name: getattr(tree, f.name) for f in fields(tree)})


@st.composite
def specs(draw: st.DrawFn) -> tuple[Spec, str]:
    missing = draw(st.sampled_from(GROWTH_STRATEGIES))
    spec = draw(st.recursive(LEAVES | LEAVES | st.just(leaf()), KINDS.get(missing, splits), max_leaves=20))
    assume(weight_of(spec) > 0)
    return spec, missing


@given(specs(), st.data())
def test_a_cut_tree_is_the_tree_with_these_leaves(given_spec, data):
    spec, missing = given_spec
    tree = build(CLASSES, spec, missing=missing)
    leaves = data.draw(st.sets(st.integers(0, tree.n_nodes - 1)))
    before = tree.fingerprint()
    smaller = collapse_nodes(tree, np.isin(np.arange(tree.n_nodes), list(leaves)))
    expected = build(CLASSES, written(spec, leaves, level_order(spec)), missing=missing)
    # What is not written down has no surrogates; a tree that was grown with some keeps an empty list of them.
    if expected.surrogates is None and smaller.tree.surrogates is not None:
        assert smaller.tree.surrogates.start[-1] == 0
        expected = dataclasses.replace(expected, surrogates=smaller.tree.surrogates)
    assert strict(smaller.tree) == expected
    assert tree.fingerprint() == before


@given(specs(), st.data())
def test_origin_says_where_each_node_stood(given_spec, data):
    spec, missing = given_spec
    tree = build(CLASSES, spec, missing=missing)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=tree.n_nodes, max_size=tree.n_nodes)))
    smaller = collapse_nodes(tree, mask)
    assert smaller.origin[0] == 0
    assert len(smaller.origin) == smaller.tree.n_nodes
    for i, old in enumerate(smaller.origin.tolist()):
        new = smaller.tree.node(i)
        assert new.branch_words == tree.node(old).branch_words
        assert new.depth == tree.node(old).depth
        assert new.is_leaf == (tree.node(old).is_leaf or bool(mask[old]))
        np.testing.assert_array_equal(smaller.tree.stats[i], tree.stats[old])


def test_nothing_cut_is_the_same_tree():
    for tree in (golf_example(), every_kind(), prostate(), own_branches()):
        left = collapse_nodes(tree, np.zeros(tree.n_nodes, bool))
        assert left.tree == tree
        assert left.origin.tolist() == list(range(tree.n_nodes))


def test_the_root_can_become_a_leaf():
    left = collapse_nodes(golf_example(), np.ones(8, bool))
    assert left.tree.to_text() == "Play (14/5)"
    assert strict(left.tree).n_nodes == 1


def test_numbers_of_a_regression_tree_stay():
    tree = build(NUMBERS, number("price", 9.5, number("price", 1, leaf(1.0, 2, 0.5), leaf(3.0, 1)), leaf(8.0)))
    left = collapse_nodes(tree, np.arange(5) == 1).tree
    assert left == build(NUMBERS, number("price", 9.5, leaf(5 / 3, 3, 0.5 + 2 / 3 * 4), leaf(8.0)))


def test_a_deep_tree_is_cut_without_recursion():
    tree = chain(30_000)
    half = np.flatnonzero(tree.depths == 15_000)
    left = collapse_nodes(tree, np.isin(np.arange(tree.n_nodes), half))
    assert (left.tree.depth, left.tree.n_leaves) == (15_000, 15_001)


def test_a_branch_takes_the_place_of_its_parent():
    tree = golf_example()
    # Node 0 asks what node 1 asked; its rows are sent down that way.
    split_of = np.array([1, -1, -1, -1, -1, -1, -1, -1])
    stats = tree.stats.copy()
    stats[4], stats[5] = [1, 4], [4, 5]
    contents = {"stats": stats, "weight": stats.sum(axis=1), "value": stats / stats.sum(axis=1, keepdims=True)}
    raised = rebuild_tree(tree, split_of, contents)
    assert raised.origin.tolist() == [0, 4, 5]
    assert strict(dataclasses.replace(raised.tree, count=raised.tree.weight)).to_text().splitlines() == [
        "humidity <= 75: Play (5/1)",
        "humidity > 75: Play (9/4)",
    ]


@pytest.mark.parametrize("mask", [[1, 0, 0], np.array([True, False, False]), (np.uint8(1), 0, 0)])
def test_a_mask_may_be_of_any_kind(mask):
    tree = build(CLASSES, number("price", 1, leaf("no"), leaf("yes")))
    assert collapse_nodes(tree, mask).tree.n_nodes == 1
