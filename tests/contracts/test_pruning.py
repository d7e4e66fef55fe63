"""Contracts of every pruning method: what comes out is a part of the grown tree, for reasons that can be checked.

A method is found in the registry, so that a new one is tested without a word here. Which properties do not hold for
which methods, and why, stands with the test.
"""

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.contracts.pruning import Case
from tests.contracts.pruning_methods import (
    FOR_CLASSES,
    cases,
    every,
    grows,
    raises_branches,
    results,
    small_cases,
)
from tests.oracles.plans import STRATEGIES
from tests.oracles.pruning_compare import CONTENTS, as_nodes, inner_paths, paths_of, same_nodes
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, leaf, table
from treewright.model.check_tree import check_tree
from treewright.model.tree import Tree
from treewright.prune.method import GROWTH, Method
from treewright.prune.registry import METHODS
from treewright.prune.report import KEPT, PRUNED, RAISED


@every
def test_part_of_the_grown_tree(method, regression):
    """The result is valid, what is left of the grown tree is as it was, and the grown tree itself is untouched."""
    n_smaller = 0
    for case, pruned in results(method, regression):
        check_tree(pruned.tree)
        assert _fingerprint_anew(case.tree) == case.fingerprint, case
        assert pruned.tree.n_leaves <= case.tree.n_leaves, case
        if not raises_branches(method):
            assert not same_nodes(pruned.tree, case.tree), f"{same_nodes(pruned.tree, case.tree)}\n{case}"
        n_smaller += pruned.tree.n_leaves < case.tree.n_leaves
    assert n_smaller > 5


def _fingerprint_anew(tree: Tree) -> str:
    """The fingerprint of the columns as they are now; a tree remembers the one it was first asked for."""
    return Tree(**{f.name: getattr(tree, f.name) for f in fields(tree)}).fingerprint()


@every
def test_origin(method, regression):
    """Each node of the result says which node it was, and has what that had."""
    for case, pruned in results(method, regression):
        small, origin = pruned.tree, pruned.report.origin
        assert pruned.report.tree is case.tree
        assert origin[0] == 0
        assert len(set(origin.tolist())) == small.n_nodes
        if raises_branches(method):
            continue
        there = paths_of(case.tree)
        assert [there[i] for i in origin] == paths_of(small), case
        for name in CONTENTS:
            np.testing.assert_array_equal(getattr(small, name), getattr(case.tree, name)[origin])


def is_pruned(method: Method, leaf: float, subtree: float, allowance: float) -> tuple[bool, bool]:
    """Whether a node of these numbers may be pruned, and whether it may be kept; both where rounding decides."""
    limit = subtree + allowance
    if np.isfinite(limit) and abs(leaf - limit) <= 1e-9 * (abs(leaf) + abs(limit)):
        strict = method.name in ("critical_value", "max_leaves") or getattr(method, "ties", "prune") == "keep"
        return not strict, strict
    return leaf < limit, leaf > limit


@every
def test_the_report_gives_reasons(method, regression):
    """Each inner node is visited once, or lies below one that becomes a leaf; its numbers say why it is what it is."""
    for case, pruned in results(method, regression):
        report, tree = pruned.report, case.tree
        assert report.method == method.name
        visited = report.node.tolist()
        assert len(set(visited)) == len(visited)
        assert (tree.n_children[report.node] > 0).all()
        verdict = dict(zip(visited, report.verdict.tolist(), strict=True))
        for node in np.flatnonzero(tree.n_children).tolist():
            if node not in verdict:
                assert PRUNED in [verdict.get(one) for one in _above(tree, node)], case
        if raises_branches(method):
            _justified_raising(report, case)
        else:
            left = {i for i in report.origin.tolist() if pruned.tree.n_children[_place(report.origin, i)]}
            gone = {i for i, v in verdict.items() if v == PRUNED}
            assert left == {i for i in visited if i not in gone and not gone & set(_above(tree, i))}, case
            assert set(verdict.values()) <= {KEPT, PRUNED}
            _justified(method, report, case)
        depth = tree.depths[report.node]
        assert (np.diff(depth) <= 0).all() or (np.diff(depth) >= 0).all()


def _place(origin: np.ndarray, i: int) -> int:
    return int(np.flatnonzero(origin == i)[0])


def _above(tree: Tree, node: int) -> list[int]:
    found = []
    while tree.parent[node] >= 0:
        node = int(tree.parent[node])
        found.append(node)
    return found


def _justified(method: Method, report: object, case: Case) -> None:
    for k in range(len(report)):
        numbers = report.leaf[k], report.subtree[k], report.allowance[k]
        may_go, may_stay = is_pruned(method, *numbers)
        if report.verdict[k] == PRUNED:
            assert may_go, f"node {report.node[k]} is pruned with {numbers}\n{case}"
        else:
            assert may_stay, f"node {report.node[k]} is kept with {numbers}\n{case}"


def _justified_raising(report: object, case: Case) -> None:
    """A leaf that is above neither of the others; else the branch that is not above the subtree; else as it was."""
    for k in range(len(report)):
        a_leaf, subtree, branch = report.leaf[k], report.subtree[k], report.branch[k]
        allowance = report.allowance[k]
        rounding = 1e-9 * (abs(a_leaf) + abs(subtree) + abs(branch))
        if min(abs(a_leaf - min(subtree, branch) - allowance), abs(branch - subtree - allowance)) <= rounding:
            continue
        as_leaf, raised = a_leaf <= min(subtree, branch) + allowance, branch <= subtree + allowance
        expected = PRUNED if as_leaf else RAISED if raised else KEPT
        assert report.verdict[k] == expected, f"node {report.node[k]}: {a_leaf}, {subtree}, {branch}\n{case}"


@every
def test_the_report_speaks(method, regression):
    """Text, table and page name every visited node, and each decision is a sentence of one line."""
    for _, pruned in results(method, regression)[:3]:
        report = pruned.report
        assert len(report.to_frame()) == len(report)
        assert len(report.to_text().splitlines()) >= len(report)
        assert f"{len(report)} node" in repr(report)
        assert "<table" in report._repr_html_()
        for i, one in enumerate(report):
            assert report.sentence(i) == one.words
            assert one.words.startswith(f"Node {report.node[i]} ")
            assert one.words.endswith(("kept.", "pruned.", "raised."))
            assert "\n" not in one.words
            assert report.of(int(report.node[i])).words == one.words
        for column in report.details.values():
            assert len(column) == len(report)


def is_settled(method: Method) -> bool:
    """Whether pruning what was pruned changes nothing.

    Not so for pessimistic pruning of classes, which decides from the root down by the tree as it was grown: once the
    branches of a node are pruned its subtree has more errors and it may be pruned too. Nor where one of a series of
    trees is chosen that lies a standard error above the best, which is no longer there the next time; nor where the
    errors of the tree that comes are the measure, which are more the next time; nor where trees are grown anew.
    """
    if method.name == "global":
        return method.standard_errors == 0
    if method.name == "cost_complexity" and getattr(method, "alpha", None) is None and method.cp is None:
        return method.choose == "validation" and method.standard_errors == 0
    return not grows(method)


@every
def test_pruning_twice(method, regression):
    settled = is_settled(method) and not (method.name == "pessimistic" and not regression)
    for case, pruned in results(method, regression):
        again = case.prune(method, pruned.tree).tree
        assert again == pruned.tree if settled else again.n_leaves <= pruned.tree.n_leaves, case


def test_pessimistic_pruning_may_go_on():
    """A case in which it does: so the exception above is one."""
    method = METHODS["pessimistic"]()
    found = [c for c in cases(False) + small_cases(False) if _changes(c, method)]
    assert found


def _changes(case: Case, method: Method) -> bool:
    once = case.prune(method).tree
    return case.prune(method, once).tree != once


RAISING = [method for method in FOR_CLASSES if raises_branches(method)]


@pytest.mark.parametrize("method", RAISING, ids=repr)
def test_rows_of_raised_branches_are_sent_again(method):
    """What each node of the result says about its rows is what comes there when all rows are sent down."""
    n_raised = 0
    for case, pruned in results(method, False):
        n_raised += int((pruned.report.verdict == RAISED).sum())
        if case.tree.missing == "fractional":
            continue  # growth leaves out small shares, prediction does not
        root = as_nodes(pruned.tree, case.rows)
        for node in root.below():
            arrived = [sum(w for w, y in node.arrived if y == k) for k in range(len(node.stats))]
            assert node.stats == arrived, f"{node.path} {case}"
    assert n_raised > 5


ONE_COLUMN = (Column("x", Kind.NUMBER),)
SINGLE = [
    build(Schema(ONE_COLUMN, Target("y", ("a", "b"))), leaf({"a": 2, "b": 1})),
    build(Schema(ONE_COLUMN, Target("y")), leaf(1.5, 3)),
]


@every
def test_a_single_leaf_stays(method, regression):
    tree = SINGLE[regression]
    target = np.array([0, 0, 1], np.float64 if regression else np.int32)
    rows = Dataset(tree.schema, np.zeros((3, 1)), target)
    if getattr(method, "cost_matrix", None) is not None:
        method = replace(method, cost_matrix=[[0, 1], [2, 0]])
    pruned = method.prune(tree, rows=rows, validation=rows, grow=lambda _: tree)
    assert pruned.tree == tree
    assert len(pruned.report) == 0
    assert "0 nodes" in repr(pruned.report)
    assert pruned.report.to_text()


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("risk", ["error", "impurity"])
def test_the_trees_of_a_path_lie_within_each_other(regression, risk):
    """The larger alpha, the smaller the tree: it lies within the one before, and its risk is no less."""
    method = METHODS["cost_complexity"]
    for case in cases(regression)[::3] + small_cases(regression):
        path = case.prune(method(alpha=0.0, risk=risk)).report.path
        assert path.alphas[0] == 0
        assert (np.diff(path.alphas) > 0).all()
        assert (np.diff(path.risk) >= -1e-12 * path.root_risk).all()
        before = inner_paths(case.tree)
        middles = (path.alphas + np.append(path.alphas[1:], 2 * path.alphas[-1] + 1)) / 2
        for tree, alpha, middle, n_leaves in zip(path.trees(), path.alphas, middles, path.leaves, strict=True):
            left = inner_paths(tree)
            assert left <= before, case
            assert left < before or alpha == 0
            assert tree.n_leaves == n_leaves
            assert case.prune(method(alpha=float(alpha), risk=risk)).tree == tree
            assert case.prune(method(alpha=float(middle), risk=risk)).tree == tree
            before = left
        assert not before


@every
def test_the_last_split(method, regression):
    """A stump is kept or made a leaf; whichever it is, nothing else can be."""
    for case, pruned in results(method, regression):
        if case.tree.depth == 1:
            assert pruned.tree.n_nodes in (1, case.tree.n_nodes)


def test_empty_branches_go_with_their_siblings():
    """A branch that no row took is a leaf like any other: it is never all that is left of a split."""
    n_empty = 0
    for method in FOR_CLASSES:
        for _, found in results(method, False):
            pruned = found.tree
            empty = np.flatnonzero(pruned.weight == 0)
            n_empty += len(empty)
            for node in empty:
                parent = pruned.parent[node]
                np.testing.assert_array_equal(pruned.value[node], pruned.value[parent])
    assert n_empty > 50


def test_a_split_into_nothing_is_pruned_by_every_method_that_counts_errors():
    """All rows take one branch, the others are empty: the split changes no answer."""
    schema = Schema((Column("c", Kind.CATEGORY, ("a", "b", "c")),), Target("y", ("k0", "k1", "k2")))
    tree = build(schema, table("c", {"a": leaf({"k0": 5, "k1": 2}), "b": leaf(), "c": leaf()}))
    rows = Dataset(schema, np.zeros((7, 1)), np.array([0] * 5 + [1] * 2, np.int32))
    for method in FOR_CLASSES:
        counts_leaves = method.name == "max_leaves"  # and leaves a tree of few leaves as it is
        if counts_leaves or GROWTH in method.needs or method == METHODS["reduced_error"](ties="keep"):
            continue
        assert method.prune(tree, rows=rows, validation=rows, grow=lambda _: tree).tree.n_nodes == 1, method
    keep = METHODS["reduced_error"](ties="keep")
    assert keep.prune(tree, validation=rows).tree == tree


def test_the_cases_are_varied():
    """The contract is worth what its trees are."""
    for regression in (False, True):
        trees = [case.tree for case in cases(regression)]
        assert {tree.missing for tree in trees} == {"error", *STRATEGIES}
        assert min(tree.n_leaves for tree in trees) > 5
        assert any(tree.surrogates is not None for tree in trees)
        assert any((tree.n_children > 3).any() for tree in trees)
    small = [case.tree for case in small_cases(False)]
    assert sum(tree.n_nodes == 1 for tree in small) >= 1
    assert sum(bool((tree.weight == 0).any()) for tree in small) > 5
    assert {tree.schema.target.n_classes for tree in small} == {1, 2, 3, 4}
