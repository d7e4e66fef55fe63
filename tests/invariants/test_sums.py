"""What is added up: children make their parent, and every row is in one node of each level."""

import numpy as np
import pytest
from hypothesis import given

from tests.invariants.partitions import sent_tree
from tests.invariants.strategies import tables_and_options
from tests.oracles.compare import dataset, describe, engine_tree
from tests.oracles.tables import Table
from treewright.predict.predictions import find_leaves


def check_sums(table: Table, options) -> None:
    tree = sent_tree(table, options)
    weights = table.weights or (1.0,) * table.n_rows
    rounding = 2.0**-52 * sum(weights)  # of a weight that is not whole, by the rules of growth
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        assert node["count"] == len(node["rows"])
        total = sum(weights[r] for r in node["rows"])
        assert node["weight"] == pytest.approx(total, rel=1e-15, abs=rounding * max(node["count"], 1))
        children = node.get("children", [])
        nodes += children
        if not children:
            continue
        assert len(children) >= 2
        assert sum(c["count"] for c in children) == node["count"]
        assert sum(c["weight"] for c in children) == pytest.approx(node["weight"], rel=1e-12)
        if table.n_classes:
            total = np.sum([c["stats"] for c in children], axis=0)
            np.testing.assert_allclose(total, node["stats"], rtol=1e-12, atol=1e-12)
        else:
            assert sum(c["stats"][2] for c in children) <= node["stats"][2] * (1 + 1e-9) + 1e-9


@given(case=tables_and_options(weights="eighths"))
def test_children_make_their_parent(case):
    check_sums(*case)


@given(case=tables_and_options(weights="any"))
def test_children_make_their_parent_with_any_weights(case):
    check_sums(*case)


@given(case=tables_and_options(weights="whole"))
def test_whole_weights_are_exact(case):
    """Class weights are the whole numbers one counts by hand."""
    table, options = case
    tree = sent_tree(table, options)
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        nodes += node.get("children", [])
        if table.n_classes:
            counted = [0.0] * table.n_classes
            for r in node["rows"]:
                counted[int(table.target[r])] += table.weights[r]
            assert node["stats"] == counted
        assert node["weight"] == sum(table.weights[r] for r in node["rows"])


@given(case=tables_and_options())
def test_routing_agrees_with_growth(case):
    """The rows sent through the finished tree land where growth counted them."""
    table, options = case
    tree = engine_tree(table, options)
    landed = find_leaves(tree, dataset(table).values)
    assert (tree.first_child[landed] == -1).all()
    counted = np.bincount(landed, minlength=len(tree.parent))
    is_leaf = tree.first_child == -1
    np.testing.assert_array_equal(counted[is_leaf], tree.count[is_leaf])


@given(case=tables_and_options(weights="eighths"))
def test_shape_of_the_tree(case):
    """Root first, siblings neighbours, parents before children; empty leaves have their parent's shares."""
    table, options = case
    tree = engine_tree(table, options)
    n_nodes = len(tree.parent)
    assert tree.parent[0] == -1
    for i in range(n_nodes):
        children = range(tree.first_child[i], tree.first_child[i] + tree.n_children[i])
        if tree.n_children[i] == 0:
            assert tree.first_child[i] == -1
            assert np.isnan(tree.gain[i])
        for child in children:
            assert i < child < n_nodes
            assert tree.parent[child] == i
            if tree.count[child] == 0:
                np.testing.assert_array_equal(tree.value[child], tree.value[i])
    assert int(tree.n_children.sum()) == n_nodes - 1
    assert describe(tree)["count"] == table.n_rows
