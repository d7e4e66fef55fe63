"""Reduced-error pruning, against every tree that the grown one can be cut to."""

import numpy as np
import pytest
from hypothesis import given, settings

from tests.model.samples import CLASSES, chain
from tests.prune.brute import all_cuts, loss_of, trees_and_rows
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, KindError, ParameterError
from treewright.model.build import build, golf_example, leaf, number
from treewright.model.subtree import collapse_nodes
from treewright.predict.missing_policy import MissingPolicy
from treewright.prune import ReducedError

COSTS = np.array([[0.0, 1.0, 5.0], [2.0, 0.0, 1.0], [0.5, 3.0, 0.0]])


def smallest_of_the_best(tree, rows, costs=None):
    """The least loss of any cut, and the one of fewest leaves among those that have it."""
    judged = [(loss_of(one, rows, costs), one) for one in all_cuts(tree)]
    least = min(loss for loss, _ in judged)
    best = [one for loss, one in judged if loss <= least + 1e-9]
    return least, min(best, key=lambda one: one.n_leaves), max(one.n_leaves for one in best)


@given(trees_and_rows())
def test_it_finds_the_smallest_of_the_most_accurate_trees(case):
    tree, rows = case
    least, smallest, _ = smallest_of_the_best(tree, rows)
    pruned = ReducedError().prune(tree, validation=rows).tree
    assert loss_of(pruned, rows) == pytest.approx(least)
    assert pruned == smallest


@given(trees_and_rows())
def test_keeping_ties_finds_the_largest_of_them(case):
    tree, rows = case
    least, _, n_leaves = smallest_of_the_best(tree, rows)
    pruned = ReducedError(ties="keep").prune(tree, validation=rows).tree
    assert loss_of(pruned, rows) == pytest.approx(least)
    assert pruned.n_leaves == n_leaves


@settings(max_examples=50)
@given(trees_and_rows())
def test_by_costs(case):
    tree, rows = case
    least, smallest, _ = smallest_of_the_best(tree, rows, COSTS)
    pruned = ReducedError(cost_matrix=COSTS).prune(tree, validation=rows)
    assert loss_of(pruned.tree, rows, COSTS) == pytest.approx(least)
    assert pruned.tree == smallest
    by_name = {a: dict(zip(CLASSES.target.classes, row, strict=True))
               for a, row in zip(CLASSES.target.classes, COSTS.tolist(), strict=True)}  # fmt: skip
    assert ReducedError(cost_matrix=by_name).prune(tree, validation=rows).tree == pruned.tree
    if len(pruned.report):
        assert list(pruned.report.details) == ["cost before", "cost after"]
        assert "validation cost" in pruned.report.sentence(0)


@settings(max_examples=50)
@given(trees_and_rows(regression=True))
def test_regression_by_squared_errors(case):
    tree, rows = case
    least, _, _ = smallest_of_the_best(tree, rows)
    pruned = ReducedError().prune(tree, validation=rows)
    assert loss_of(pruned.tree, rows) == pytest.approx(least, abs=1e-9)
    if len(pruned.report):
        assert list(pruned.report.details) == ["loss before", "loss after"]


@pytest.mark.parametrize("ties", ["prune", "keep"])
@given(case=trees_and_rows())
def test_the_report_follows_the_accuracy_of_the_whole_tree(ties, case):
    tree, rows = case
    report = ReducedError(ties=ties).prune(tree, validation=rows).report
    total = rows.n_rows if rows.weight is None else rows.weight.sum()
    gone = np.zeros(tree.n_nodes, bool)
    for one in report:
        before = 1 - loss_of(collapse_nodes(tree, gone).tree, rows) / total
        gone[one.node] = True
        after = 1 - loss_of(collapse_nodes(tree, gone).tree, rows) / total
        assert one.details == pytest.approx({"accuracy before": before, "accuracy after": after})
        better = after > before + 1e-9 if ties == "keep" else after > before - 1e-9
        assert (one.verdict == "pruned") == better
        gone[one.node] = better
    assert collapse_nodes(tree, gone).tree == ReducedError(ties=ties).prune(tree, validation=rows).tree


def golf_rows(weight=None):
    rows = np.array(
        [[0, 70.0, 0], [0, 90.0, 0], [2, 70.0, 1], [2, 70.0, 0], [1, np.nan, 0], [2, 70.0, np.nan]]
    )
    return Dataset(golf_example().schema, rows, np.array([1, 0, 1, 1, 1, 0], np.int32), weight)


def test_a_row_without_a_value_counts_where_the_rule_sends_it():
    tree, rows = golf_example(), golf_rows()
    stopped = ReducedError().prune(tree, validation=rows, rule=MissingPolicy("stop")).report.of(3)
    # Of three rows one is wrong below; the one that stays is wrong too, with or without the split.
    assert (stopped.leaf, stopped.subtree) == (1.0, 2.0)
    shared = ReducedError().prune(tree, validation=rows, rule=MissingPolicy("fractional")).report.of(3)
    # 3/5 of it goes to Play, where it is wrong.
    assert (shared.leaf, shared.subtree) == pytest.approx((1.0, 1.6))


def test_a_weight_is_so_many_rows():
    tree = golf_example()
    weights = np.array([1, 3, 2, 1, 2, 1])
    many = golf_rows().take(np.repeat(np.arange(6), weights))
    one, other = (
        ReducedError().prune(tree, validation=rows, rule=MissingPolicy("fractional"))
        for rows in (many, golf_rows(weights.astype(float)))
    )
    assert one.tree == other.tree
    assert str(one.report) == str(other.report)


def test_a_node_where_no_validation_row_comes_is_pruned_or_kept_as_ties_are():
    rows = golf_rows().take(np.array([2, 3, 4]))
    assert ReducedError().prune(golf_example(), validation=rows).report.of(1).verdict == "pruned"
    assert ReducedError(ties="keep").prune(golf_example(), validation=rows).report.of(1).verdict == "kept"


def test_the_rule_in_words():
    rule = (
        ReducedError().prune(golf_example(), validation=golf_rows(), rule=MissingPolicy("stop")).report.rule
    )
    assert (
        rule == "From the bottom up, a node becomes a leaf when this does not raise the validation errors."
    )
    keep = (
        ReducedError(ties="keep")
        .prune(golf_example(), validation=golf_rows(), rule=MissingPolicy("stop"))
        .report.rule
    )
    assert keep == "From the bottom up, a node becomes a leaf when this lowers the validation errors."


def test_origin_is_where_the_nodes_stood():
    pruned = ReducedError().prune(golf_example(), validation=golf_rows(), rule=MissingPolicy("stop"))
    assert pruned.report.origin.tolist() == [0, 1, 2, 3, 4, 5]
    assert pruned.tree.n_nodes == 6


def test_what_is_wrong_is_told():
    with pytest.raises(ParameterError, match=r"ties must be one of 'prune', 'keep'.*, got 'both'"):
        ReducedError(ties="both")
    with pytest.raises(InputError, match="Reduced-error pruning needs validation rows; pass X_val and y_val"):
        ReducedError().prune(golf_example())
    with pytest.raises(
        ParameterError,
        match="`cost_matrix` must be 2 by 2, with true classes as rows and predicted classes as columns, "
        "got 3 by 3",
    ):
        ReducedError(cost_matrix=COSTS).prune(golf_example(), validation=golf_rows())
    schema = Schema((Column("x", Kind.NUMBER),), Target("y"))
    tree = build(schema, number("x", 0, leaf(1.0), leaf(2.0)))
    with pytest.raises(
        KindError,
        match="`cost_matrix` applies to classes only, but this tree predicts a number; leave it out",
    ):
        ReducedError(cost_matrix=COSTS).prune(tree, validation=Dataset(schema, np.zeros((1, 1)), np.zeros(1)))


def test_a_tree_of_one_leaf_stays():
    tree = build(golf_example().schema, leaf("Play", 4))
    pruned = ReducedError().prune(tree, validation=golf_rows(), rule=MissingPolicy("stop"))
    assert pruned.tree == tree
    assert len(pruned.report) == 0


def test_a_deep_tree_is_pruned_without_recursion():
    tree = chain(20_000)
    rows = Dataset(CLASSES, np.array([[1e9, 0, 0, 0]]), np.array([2], np.int32))
    assert ReducedError().prune(tree, validation=rows).tree.n_leaves == 20_001
    rows = Dataset(CLASSES, np.array([[1e9, 0, 0, 0]]), np.array([0], np.int32))
    assert ReducedError().prune(tree, validation=rows).tree.n_leaves == 1
