"""Pessimistic pruning: Quinlan's of classes and Weka's of numbers, by hand and step by step.

Quinlan 1987, Simplifying decision trees, section 2.3; Weka, weka.classifiers.trees.m5.RuleNode.
"""

import re
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.missing_trees import grown_trees
from tests.model.samples import CLASSES, NUMBERS, SPECS, chain
from tests.prune.brute import as_numbers
from treewright import CARTRegressor
from treewright._core import _prune as compiled
from treewright._core.prune import bottom_up as plain
from treewright.errors import ParameterError
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.model.subtree import collapse_nodes
from treewright.prune import Pessimistic


def children_of(tree, node):
    return range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])


def leaves_of(tree, node):
    below = [node]
    for one in below:
        below.extend(children_of(tree, one))
    return [one for one in below if tree.n_children[one] == 0]


def by_quinlan(tree, penalty, spread):
    """From the root down: the nodes that are looked at, with their numbers."""
    found, waiting = [], [0]
    for node in waiting:
        if tree.n_children[node] == 0:
            continue
        leaves = leaves_of(tree, node)
        n = float(tree.weight[node])
        own, below = tree.node(node).error + penalty, sum(tree.node(i).error + penalty for i in leaves)
        e = min(below / n, 1.0) if n else 1.0
        limit = below + spread * sqrt(n * e * (1 - e))
        found.append((node, own, below, limit, own <= limit * (1 + 1e-12) + 1e-12))
        if not found[-1][-1]:
            waiting.extend(children_of(tree, node))
    return found


@given(grown_trees(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0, 2.0]))
def test_classes_step_by_step(tree, penalty, spread):
    pruned = Pessimistic(penalty=penalty, standard_errors=spread).prune(tree)
    expected = by_quinlan(tree, penalty, spread)
    report = pruned.report
    assert report.node.tolist() == [one[0] for one in expected]
    assert report.leaf.tolist() == pytest.approx([one[1] for one in expected])
    assert report.subtree.tolist() == pytest.approx([one[2] for one in expected])
    assert (report.subtree + report.allowance).tolist() == pytest.approx([one[3] for one in expected])
    assert report.verdict.astype(bool).tolist() == [one[4] for one in expected]
    gone = np.isin(np.arange(tree.n_nodes), [one[0] for one in expected if one[4]])
    assert pruned.tree == collapse_nodes(tree, gone).tree
    assert report.origin.tolist() == collapse_nodes(tree, gone).origin.tolist()


def test_golf_by_hand():
    report = Pessimistic().prune(golf_example()).report
    # 5 leaves without an error: 2.5; SE = sqrt(14 * 2.5/14 * 11.5/14).
    assert report.of(0).subtree == 2.5
    assert report.of(0).allowance == pytest.approx(sqrt(2.5 * 11.5 / 14))
    assert report.of(0).details == pytest.approx(
        {"leaves": 5, "training errors": 0.0, "error rate": 2.5 / 14}
    )
    assert [one.verdict for one in report] == ["kept"] * 3
    # Twice the standard error lets go of both lower splits: 2.5 <= 1 + 2 sqrt(0.8).
    wide = Pessimistic(standard_errors=2).prune(golf_example())
    assert [one.verdict for one in wide.report] == ["kept", "pruned", "pruned"]
    assert wide.report.of(1).words == (
        "Node 1 (outlook = sunny): 2.5 errors as a leaf, 1 as a subtree, 2.79 with 2 standard errors: pruned."
    )
    assert wide.tree.n_leaves == 3


def test_rules_in_words():
    assert Pessimistic(penalty=1).prune(golf_example()).report.rule == (
        "From the root down, a node becomes a leaf when its errors + 1 are at most those of its subtree + 1 "
        "for each leaf + one standard error."
    )


def test_more_errors_than_rows_have_no_standard_error():
    schema = golf_example().schema
    parts = {"sunny": leaf("Play"), "overcast": leaf(), "rain": leaf("Don't Play")}
    report = Pessimistic(penalty=1).prune(build(schema, table("outlook", parts))).report
    assert (report.leaf[0], report.subtree[0], report.allowance[0]) == (2.0, 3.0, 0.0)
    assert report.of(0).verdict == "pruned"


def test_rows_that_stay_at_a_node_count_with_their_errors():
    # Three rows of "no" have no price, and stay at the root with its answer, "yes".
    tree = build(CLASSES, number("price", 1, leaf({"yes": 20}), leaf({"no": 4})), missing="stop")
    state = tree.__getstate__()
    stats = tree.stats.copy()
    stats[0, 0] += 3
    weight = stats.sum(axis=1)
    state |= {"stats": stats, "weight": weight, "count": weight.astype(int), "value": stats / weight[:, None]}
    report = Pessimistic().prune(type(tree)(**state)).report
    assert (report.leaf[0], report.subtree[0]) == (7.5, 4.0)


def by_weka(tree, multiplier):
    """From the bottom up; the losses and parameters of the pruned subtrees, and which nodes become leaves."""
    total = tree.stats[:, 2].copy()
    size = np.ones(tree.n_nodes)
    numbers, gone = {}, np.zeros(tree.n_nodes, bool)

    def penalised_error(loss, n, v):
        factor = 10.0 if n <= v else (n + multiplier * v) / (n - v)
        return sqrt(loss / n) * factor if n else 0.0

    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.n_children[node] == 0:
            continue
        below = list(children_of(tree, node))
        subtree, v = sum(total[below]), sum(size[below]) + len(below) - 1
        n = float(tree.weight[node])
        numbers[node] = penalised_error(tree.stats[node, 2], n, 1), penalised_error(subtree, n, v), v
        own, lower, _ = numbers[node]
        gone[node] = own <= lower * (1 + 1e-12) or own < 1e-5 * sqrt(tree.stats[0, 2] / tree.weight[0])
        if not gone[node]:
            total[node], size[node] = subtree, v
    return numbers, gone


@given(SPECS, st.sampled_from([0.0, 1.0, 2.0, 5.0]))
def test_numbers_step_by_step(spec, multiplier):
    tree = as_numbers(build(CLASSES, spec))
    pruned = Pessimistic(multiplier=multiplier).prune(tree)
    numbers, gone = by_weka(tree, multiplier)
    report = pruned.report
    assert sorted(report.node.tolist()) == sorted(numbers)
    for one in report:
        assert (one.leaf, one.subtree, one.details["parameters"]) == pytest.approx(
            numbers[one.node], abs=1e-12
        )
        assert (one.verdict == "pruned") == gone[one.node]
    assert pruned.tree == collapse_nodes(tree, gone).tree


def test_numbers_by_hand():
    # 6 rows, sum of squares 24 as a leaf and 1.5 below: 2 * 8/5 = 3.2 against 0.5 * 12/3 = 2.
    low, high = leaf(0.0, 3, 0.75), leaf(sqrt(15), 3, 0.75)
    report = Pessimistic().prune(build(NUMBERS, number("price", 1, low, high))).report
    assert report.of(0).leaf == pytest.approx(3.2)
    assert report.of(0).subtree == pytest.approx(2.0)
    assert report.of(0).details == {"parameters": 3}
    assert report.of(0).words == "Node 0 (root): 3.2 estimated error as a leaf, 2 as a subtree: kept."
    assert report.rule == (
        "From the bottom up, a node becomes a leaf when its root mean squared error * (n + 2 v) / (n - v), with n rows "
        "and v = 1 parameter, is at most that of its subtree, which has more parameters."
    )
    # With as many parameters as rows the factor is 10.
    few = build(NUMBERS, number("price", 1, leaf(0.0, 1, 0.5), leaf(3.0, 2, 1.0)))
    assert Pessimistic().prune(few).report.of(0).subtree == pytest.approx(10 * sqrt(0.5))


def test_a_node_with_next_to_no_error_is_a_leaf():
    def tree(spread):
        tiny = number("price", 1, leaf(0.0, 500), leaf(spread, 500))
        return build(NUMBERS, number("price", 9, tiny, leaf(1.0, 1000)))

    # The root's deviation is 0.5; that of the lower node half its spread.
    assert Pessimistic().prune(tree(0.9e-5)).report.of(1).verdict == "pruned"
    assert Pessimistic().prune(tree(1.1e-5)).report.of(1).verdict == "kept"


def test_absolute_errors_are_not_squared():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 2))
    y = np.where(x[:, 0] > 0, 3.0, 0.0) + rng.normal(size=60)
    tree = CARTRegressor(criterion="absolute_error", max_depth=3, pruning=None).fit(x, y).tree_
    pruned = Pessimistic().prune(tree)
    mean = float(np.abs(y - np.median(y)).mean())
    assert pruned.report.of(0).leaf == pytest.approx(mean * 62 / 59)
    assert "mean absolute error" in pruned.report.rule
    assert 1 < pruned.tree.n_leaves < tree.n_leaves


@pytest.mark.parametrize("name", ["penalty", "standard_errors", "multiplier"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "0.5", None, True])
def test_bad_parameters_are_told(name, value):
    said = rf"^{name} must be a number of at least 0, got {re.escape(repr(value))}\.$"
    with pytest.raises(ParameterError, match=said):
        Pessimistic(**{name: value})


def test_a_deep_tree_is_pruned_without_recursion():
    tree = chain(20_000)
    assert Pessimistic(penalty=0, standard_errors=0).prune(tree).tree.n_leaves == 20_001
    assert Pessimistic().prune(tree).tree.n_leaves == 1


def test_a_subtree_without_any_error_stays():
    # Nothing times 10 is nothing: M5 grows no such tree, as it does not split fewer than four rows.
    tree = as_numbers(chain(20_000))
    assert Pessimistic().prune(tree).tree == tree


def test_the_kernel_is_its_source():
    assert not compiled.__file__.endswith(".py"), "the kernels are not compiled; run `make setup`"
    rng = np.random.default_rng(5)
    for seed in range(30):
        x = rng.integers(0, 6, size=(40, 3)).astype(float)
        tree = CARTRegressor(max_depth=seed % 6 + 1).fit(x, x @ [1, 2, 0.5] + rng.normal(size=40)).tree_
        found = []
        for module in (compiled, plain):
            numbers, prune = tuple(np.empty(tree.n_nodes) for _ in range(3)), np.empty(tree.n_nodes, np.uint8)
            tables = tree.stats[:, 2].copy(), np.zeros(tree.n_nodes), tree.weight
            links = tree.parent, tree.n_children
            module.prune_by_size(links, tables, 2.0, seed % 2, 1e-5, numbers, prune)
            found.append([*numbers, prune])
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-14)
