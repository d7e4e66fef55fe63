"""Pre-pruning, against growth that is told at every split how the validation rows like it."""

import numpy as np
import pytest
from hypothesis import given

from tests.model.samples import CLASSES
from tests.prune.brute import loss_of, trees_and_rows
from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.model.build import build, golf_example, leaf
from treewright.model.subtree import collapse_nodes
from treewright.prune import PrePruning


def step_by_step(tree, rows):
    """From a single leaf on, level by level: try each split, and keep it where fewer rows are answered wrongly."""
    stopped = np.ones(tree.n_nodes, bool)
    visits, waiting = [], [0]
    for node in waiting:
        if tree.n_children[node] == 0:
            continue
        before = loss_of(collapse_nodes(tree, stopped).tree, rows)
        stopped[node] = False
        after = loss_of(collapse_nodes(tree, stopped).tree, rows)
        stopped[node] = not after < before - 1e-9
        visits.append((node, before, after, "pruned" if stopped[node] else "kept"))
        if not stopped[node]:
            waiting.extend(range(tree.first_child[node], tree.first_child[node] + tree.n_children[node]))
    return collapse_nodes(tree, stopped).tree, visits


@given(trees_and_rows())
def test_it_stops_where_growth_would_have_stopped(case):
    tree, rows = case
    expected, visits = step_by_step(tree, rows)
    pruned = PrePruning().prune(tree, validation=rows)
    assert pruned.tree == expected
    total = rows.n_rows if rows.weight is None else rows.weight.sum()
    found = [
        (one.node, one.details["accuracy before"], one.details["accuracy after"], one.verdict) for one in pruned.report
    ]
    assert [one[0] for one in found] == [one[0] for one in visits]
    assert [one[3] for one in found] == [one[3] for one in visits]
    for (_, before, after, _), (_, lost, lost_then, _) in zip(found, visits, strict=True):
        assert (before, after) == pytest.approx((1 - lost / total, 1 - lost_then / total))


@given(trees_and_rows(regression=True))
def test_regression_by_squared_errors(case):
    tree, rows = case
    expected, visits = step_by_step(tree, rows)
    pruned = PrePruning().prune(tree, validation=rows)
    assert pruned.tree == expected
    total = rows.n_rows if rows.weight is None else rows.weight.sum()
    if visits:
        found = np.column_stack([pruned.report.details["loss before"], pruned.report.details["loss after"]])
        np.testing.assert_allclose(found, np.array([v[1:3] for v in visits]) / total, rtol=1e-9, atol=1e-9)


def test_a_split_that_pays_only_later_is_not_made():
    # The classes depend on both columns together: neither split alone answers better than a leaf.
    tree = golf_example()
    rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 0], np.int32))
    pruned = PrePruning().prune(tree, validation=rows)
    # As a leaf, sunny is "Don't Play": one of the two rows is wrong, as it is at the root.
    assert pruned.tree.n_nodes == 1
    assert [one.words for one in pruned.report] == [
        "Node 0 (root): 1 validation error as a leaf, 1 when split: pruned."
    ]
    assert pruned.report.rule == "From the root down, a split is made only when it lowers the validation errors."
    assert pruned.report.origin.tolist() == [0]


def test_what_is_wrong_is_told():
    with pytest.raises(InputError, match=r"^Pre-pruning needs validation rows; pass X_val and y_val"):
        PrePruning().prune(golf_example())


def test_a_tree_of_one_leaf_stays():
    tree = build(CLASSES, leaf("yes"))
    rows = Dataset(CLASSES, np.zeros((1, 4)), np.zeros(1, np.int32))
    assert PrePruning().prune(tree, validation=rows).tree == tree
