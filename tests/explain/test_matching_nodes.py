"""Matching nodes of two trees, found slowly from whole paths, and the rule for branches of categories."""

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, TreeClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.explain.stability import matching_nodes
from treewright.model.build import build, is_missing, leaf, number, table

COLOURS = tuple("abcdef")
COLUMNS = (Column("x", Kind.NUMBER), Column("z", Kind.NUMBER), Column("c", Kind.CATEGORY, COLOURS))
SCHEMA = Schema(COLUMNS, Target("y", ("no", "yes")))


def ways(tree):
    """The way to each inner node as text: the columns asked and the branches taken; its column."""
    found = {}
    for node in tree.walk():
        if not node.is_leaf:
            way = tuple((above.split.name, branch_of(above, node)) for above, _ in node.path())
            found[way] = (node.id, node.split.name)
    return found


def branch_of(above, node):
    while node.parent is not None and node.parent.id != above.id:
        node = node.parent
    return node.branch


@pytest.mark.parametrize(
    "estimator", [CARTClassifier(pruning=None, max_depth=6), C45Classifier(pruning=None, variant="textbook")], ids=repr
)
def test_numbers_have_the_partners_that_whole_ways_say(estimator):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=150) / 2 > 0).astype(int)
    n_pairs = 0
    for seed in range(8):
        some = np.random.default_rng(seed).integers(0, 150, 150)
        first, second = estimator.fit(X, y).tree_, estimator.fit(X[some], y[some]).tree_
        one, other = ways(first), ways(second)
        leaves = {way for way in one if way not in other}
        pairs = {pair.node: pair for pair in matching_nodes(first, second)}
        for way, (node, column) in one.items():
            if way in leaves:
                assert node not in pairs or second.n_children[pairs[node].other] == 0
                continue
            assert pairs[node].other == other[way][0]
            assert pairs[node].same_column == pairs[node].same_split == (column == other[way][1])
            n_pairs += 1
    assert n_pairs > 30


def split(*groups):
    branches = {tuple(group): number("x", i, leaf("no"), leaf("yes")) for i, group in enumerate(groups)}
    return build(SCHEMA, table("c", branches))


@pytest.mark.parametrize(
    ("one", "other", "same", "partners"),
    [
        (("abc", "def"), ("abc", "def"), True, {1: 1, 2: 2}),
        (("abc", "def"), ("def", "abc"), True, {1: 2, 2: 1}),
        (("abc", "def"), ("ab", "cdef"), False, {1: 1, 2: 2}),  # 2 of 3 and 3 of 4
        (("abc", "def"), ("a", "bcdef"), False, {2: 2}),  # 1 of 3 is too few, 3 of 5 is more than half
        (("abcd", "ef"), ("ab", "cdef"), False, {}),  # 2 of 4 is not more than half
        (("abc", "def"), ("ab", "de"), True, {1: 1, 2: 2}),  # c and f did not come there
        (("ab", "cd", "ef"), ("ab", "cdef"), False, {1: 1}),
        (("ab", "cd"), ("ac", "bd"), False, {}),
        (("ab", "cd"), ("a", "b"), False, {}),  # a and b are apart; neither has more than half
        (("a", "bcd"), ("a", "ef"), False, {1: 1}),  # only one branch can be compared
    ],
)
def test_branches_of_categories(one, other, same, partners):
    first, second = split(*one), split(*other)
    pairs = {pair.node: pair for pair in matching_nodes(first, second)}
    assert pairs[0].same_column
    assert pairs[0].same_split == same
    assert {node: pair.other for node, pair in pairs.items() if node} == partners
    back = {pair.node: pair.other for pair in matching_nodes(second, first) if pair.node}
    assert back == {b: a for a, b in partners.items()}


def test_missing_values_have_partners_of_their_own():
    below = number("z", 1, leaf("no"), leaf("yes"))
    three = build(SCHEMA, number("x", 1, below, leaf("no"), missing=below))
    two = build(SCHEMA, number("x", 5, below, below))
    asked = build(SCHEMA, is_missing("x", below, below))
    grouped = build(SCHEMA, table("c", {("a", "b"): leaf("no"), "c": below}, missing=below))
    assert {(p.node, p.other) for p in matching_nodes(three, three)} == {(0, 0), (1, 1), (3, 3)}
    assert {(p.node, p.other) for p in matching_nodes(three, two)} == {(0, 0), (1, 1)}
    (pair,) = matching_nodes(three, asked)
    assert (pair.same_column, pair.same_split) == (True, False)
    assert len(list(matching_nodes(asked, asked))) == 3
    assert {(p.node, p.other) for p in matching_nodes(grouped, grouped)} == {(0, 0), (2, 2), (3, 3)}


def test_another_column_or_a_leaf_ends_the_way():
    tree = split("abc", "def")
    other = build(SCHEMA, number("x", 1, leaf("no"), leaf("yes")))
    (pair,) = matching_nodes(tree, other)
    assert (pair.same_column, pair.same_split) == (False, False)
    (pair,) = matching_nodes(tree, build(SCHEMA, leaf("no")))
    assert pair.other == 0
    assert list(matching_nodes(build(SCHEMA, leaf("no")), tree)) == []


def test_a_split_for_each_category_is_one_question():
    rng = np.random.default_rng(0)
    X = rng.choice(list("abcde"), (80, 2))
    y = (X[:, 0] < "c") ^ (rng.random(80) < 0.2)
    tree = TreeClassifier(grouping="each").fit(X, y).tree_
    assert all(pair.same_split for pair in matching_nodes(tree, tree))
    assert len(list(matching_nodes(tree, tree))) == np.count_nonzero(tree.n_children)
