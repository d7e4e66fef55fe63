"""A node view says what the columns say, in the user's words."""

import math

import pytest

from tests.model.samples import CLASSES, chain, every_kind, regression
from treewright.errors import KindError, ParameterError
from treewright.model.build import build, golf_example, leaf, table
from treewright.model.node import Node


def test_the_root():
    root = every_kind().root
    assert (root.id, root.depth, root.parent, root.branch, root.branch_words) == (0, 0, None, None, None)
    assert [child.id for child in root.children] == [1, 2]
    assert root.path() == []
    assert root.count == 12
    assert root.weight == 12.5
    assert root.class_weights == {"no": 6.0, "perhaps": 2.5, "yes": 4.0}
    assert root.majority == "no"
    assert root.error == 6.5
    # By hand: H(6, 2.5, 4) - 6/12.5 H(2, 4) - 6.5/12.5 H(4, 2.5) = 1.4987 - 0.48 * 0.9183 - 0.52 * 0.9612
    assert root.gain == root.merit == pytest.approx(0.5581, abs=1e-4)


def test_golf_has_the_numbers_of_the_textbook():
    root = golf_example().root
    assert root.impurity == pytest.approx(0.940, abs=5e-4)
    assert root.gain == pytest.approx(0.247, abs=5e-4)
    assert [c.impurity for c in root.children] == pytest.approx([0.971, 0.0, 0.971], abs=5e-4)


def test_a_leaf():
    node = every_kind().node(4)
    assert node.is_leaf
    assert node.children == ()
    assert node.parent == every_kind().node(1)
    assert (node.depth, node.branch, node.branch_words) == (2, 1, "size > M")
    assert [(above.id, words) for above, words in node.path()] == [(0, "price <= 9.5"), (1, "size > M")]
    assert node.class_weights == {"no": 2.0, "perhaps": 0.0, "yes": 1.0}
    assert node.probabilities == {"no": 2 / 3, "perhaps": 0.0, "yes": 1 / 3}
    assert (node.majority, node.error) == ("no", 1.0)
    assert math.isnan(node.gain)
    assert math.isnan(node.merit)


def test_an_empty_branch_answers_as_its_parent():
    node = every_kind().node(7)
    assert (node.weight, node.count, node.error) == (0.0, 0, 0.0)
    assert set(node.class_weights.values()) == {0.0}
    assert node.majority == "no"
    assert node.probabilities == node.parent.probabilities


def test_the_first_class_wins_a_tie():
    assert build(CLASSES, leaf({"yes": 2, "perhaps": 2})).root.majority == "perhaps"


def test_regression():
    root = regression().root
    assert root.value == pytest.approx(3.5)
    assert root.weight == 4
    # Three rows around 2 with loss 1.5 and one at 8: 1.5 + 3 * 1.5^2 + 4.5^2.
    assert root.loss == pytest.approx(28.5)
    assert root.impurity == pytest.approx(28.5 / 4)
    assert root.gain == pytest.approx((28.5 - 1.5) / 4)
    assert [c.value for c in root.children] == [2.0, 8.0]


@pytest.mark.parametrize("name", ["majority", "error", "class_weights", "probabilities"])
def test_a_regression_tree_has_no_classes(name):
    with pytest.raises(KindError, match=f"have no `{name}`; use `value`"):
        getattr(regression().root, name)


@pytest.mark.parametrize("name", ["value", "loss"])
def test_a_classification_tree_has_no_number(name):
    with pytest.raises(KindError, match=f"have no `{name}`; use `"):
        getattr(every_kind().root, name)


def test_views_are_equal_frozen_and_readable():
    node = every_kind().node(2)
    assert node == Node(every_kind(), 2)
    assert len({node, Node(every_kind(), 2), Node(every_kind(), 3)}) == 2
    with pytest.raises(AttributeError):
        node.id = 3
    assert repr(node) == "<Node 2: price > 9.5; 3 branches on colour; no (6.5/2.5)>"
    assert repr(node.tree.root).startswith("<Node 0: root; 2 branches on price; ")
    assert repr(regression().node(1)) == "<Node 1: price <= 9.5; leaf; mean 2, n 3, sd 0.7071>"


def test_walk_below_a_node():
    assert [n.id for n in every_kind().node(2).walk()] == [2, 5, 6, 7]
    assert [n.id for n in every_kind().node(6).walk()] == [6]


def test_a_deep_view_needs_no_recursion():
    node = chain(20_000).node(40_000)
    assert node.depth == 20_000
    assert "\n" not in repr(node)


def test_the_builder_names_what_is_wrong():
    with pytest.raises(ValueError, match="Column 'weather' not found; the columns are"):
        build(CLASSES, table("weather", {"a": leaf("no"), "b": leaf("yes")}))
    with pytest.raises(ValueError, match="Category 'pink' not found; the categories of 'colour' are"):
        build(CLASSES, table("colour", {"red": leaf("no"), "pink": leaf("yes")}))
    with pytest.raises(ValueError, match="Class 'never' not found; the classes of 'sold' are"):
        build(CLASSES, leaf("never"))
    with pytest.raises(ValueError, match=r"\{'colour': 'red'\} is not a node of a tree; use leaf, number"):
        build(CLASSES, {"colour": "red"})
    with pytest.raises(ValueError, match="At least one leaf must have a weight above 0"):
        build(CLASSES, leaf())
    with pytest.raises(ParameterError, match="criterion must be one of 'entropy', 'gini', 'log_loss', got 'twoing'"):
        build(CLASSES, leaf("no"), criterion="twoing")
    with pytest.raises(ValueError, match="A leaf must predict a number for 'days', got"):
        build(regression().schema, leaf("no"))
