"""How weight lies in branches: against a plain loop over the children."""

from fractions import Fraction

import numpy as np
from hypothesis import given

from tests.model.missing_trees import grown_trees
from tests.model.samples import CLASSES, every_kind
from treewright.model.build import build, leaf
from treewright.model.tree import Tree
from treewright.model.tree_columns import branch_fractions, heaviest_branch


@given(grown_trees())
def test_heaviest_branch_and_shares_are_those_of_a_plain_loop(tree):
    heaviest, share = [-1] * tree.n_nodes, [Fraction(1)] * tree.n_nodes
    for node in range(tree.n_nodes):
        children = [c for c in range(tree.n_nodes) if tree.parent[c] == node]
        weights = [Fraction(float(tree.weight[c])) for c in children]
        if not children:
            continue
        heaviest[node] = weights.index(max(weights))
        for branch, child in enumerate(children):
            to_missing = Fraction(int(branch == tree.missing_branch[node]))
            share[child] = weights[branch] / sum(weights) if sum(weights) else to_missing
    assert tree.heaviest_branch.tolist() == heaviest
    assert tree.branch_fractions.tolist() == [float(s) for s in share]


def test_siblings_may_stand_in_any_order():
    """Node 2 has its children before those of node 1."""
    tree = every_kind()
    order = np.array([0, 1, 2, 5, 6, 7, 3, 4])
    place = np.argsort(order)
    first = np.where(tree.first_child >= 0, place[tree.first_child], -1)[order]
    weight, missing = tree.weight[order], tree.missing_branch[order]
    turned = heaviest_branch(first, tree.n_children[order], weight)
    assert turned.tolist() == tree.heaviest_branch[order].tolist()
    shares = branch_fractions(first, tree.n_children[order], weight, missing)
    assert shares.tolist() == tree.branch_fractions[order].tolist()


def test_a_single_leaf_has_no_branches():
    tree = build(CLASSES, leaf("no"))
    assert tree.heaviest_branch.tolist() == [-1]
    assert tree.branch_fractions.tolist() == [1.0]


def test_the_columns_are_read_only_and_not_stored():
    tree = every_kind()
    assert not tree.heaviest_branch.flags.writeable
    assert not tree.branch_fractions.flags.writeable
    assert {"heaviest_branch", "branch_fractions"}.isdisjoint(tree.__getstate__())
    assert Tree(**tree.__getstate__()) == tree
