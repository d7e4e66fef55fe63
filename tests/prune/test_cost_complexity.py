"""Cost-complexity pruning: the choice of a tree is the one made by hand, tree by tree and row by row."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import datasets

from tests.golden.rpart_pruned import grown
from tests.invariants.strategies import holed_cases, tables_and_options
from tests.oracles.compare import dataset, plan
from treewright import CARTClassifier, CARTRegressor
from treewright.data.dataset import Dataset
from treewright.data.folds import folds
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, KindError, ParameterError
from treewright.grow.grower import grow
from treewright.model.build import build, golf_example, leaf, number
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import find_leaves, predict_class_codes, predict_numbers
from treewright.prune.cost_complexity import (
    CostComplexity,
    LossSettings,
    PathLosses,
    choose_tree,
    cross_validate_path,
    validate_path,
)
from treewright.prune.cost_complexity_path import cost_complexity_path
from treewright.prune.cross_validation import RowFolds
from treewright.prune.losses import predicted_classes, validation_losses
from treewright.prune.method import GROWTH, TRAINING, VALIDATION

SETS = {
    "breast cancer": (datasets.load_breast_cancer, CARTClassifier),
    "wine": (datasets.load_wine, CARTClassifier),
    "digits": (datasets.load_digits, CARTClassifier),
    "diabetes": (datasets.load_diabetes, CARTRegressor),
}


def table_of(name):
    """A data set as rows, and the way to grow trees on it."""
    load, estimator = SETS[name]
    values, y = load(return_X_y=True)
    is_number = estimator is CARTRegressor
    target = Target("y", None if is_number else tuple(np.unique(y).tolist()))
    columns = tuple(Column(f"x{i}", Kind.NUMBER) for i in range(values.shape[1]))
    rows = Dataset(Schema(columns, target), values, y if is_number else y.astype(np.int32))
    return rows, lambda part: grow(part, estimator().plan())


def row_losses(tree, rows, costs=None):
    """What each row costs, answered by the tree."""
    if tree.schema.target.is_number:
        return (predict_numbers(tree, rows.values) - rows.target) ** 2
    if costs is None:
        return (predict_class_codes(tree, rows.values) != rows.target).astype(float)
    at = grown_answers(tree, rows, costs)
    return costs[rows.target, at]


def grown_answers(tree, rows, costs):
    """The cheapest answer of each row's leaf."""
    return predicted_classes(tree, costs)[find_leaves(tree, rows.values)]


def by_hand(alphas, rows, grow_on, k, costs=None, risk="error"):
    """The losses of cross-validation: every row, every alpha, one pruned tree at a time; and the weights."""
    between = [*(np.sqrt(a * b) for a, b in pairwise(alphas)), 1e300]
    losses, weights = [], []
    for training, held_out in folds(rows, k):
        path = cost_complexity_path(grow_on(training), risk, costs)
        trees = {}
        for i in {path.index_of(beta) for beta in between}:
            trees[i] = row_losses(path.tree_at(path.alphas[i]), held_out, costs)
        losses.append([trees[path.index_of(beta)] for beta in between])
        weights.append(np.ones(held_out.n_rows) if held_out.weight is None else held_out.weight)
    return np.concatenate(losses, axis=1), np.concatenate(weights)


def mean_and_spread(losses, weights, n_rows):
    error = np.average(losses, axis=1, weights=weights)
    variance = np.average((losses - error[:, None]) ** 2, axis=1, weights=weights)
    return error, np.sqrt(variance / n_rows)


# Cross-validation.


@pytest.mark.parametrize("risk", ["error", "impurity"])
@pytest.mark.parametrize("name", SETS)
def test_cross_validation(name, risk):
    rows, grow_on = table_of(name)
    tree = grow_on(rows)
    pruned = CostComplexity(choose="cv", risk=risk).prune(tree, rows=rows, grow=grow_on)
    path = pruned.report.path
    losses, weights = by_hand(path.alphas, rows, grow_on, 10, risk=risk)
    error, off_by = mean_and_spread(losses, weights, rows.n_rows)
    assert len(path) > 5
    np.testing.assert_allclose(path.error, error, rtol=1e-9)
    np.testing.assert_allclose(path.standard_error, off_by, rtol=1e-7)
    if name != "diabetes":
        np.testing.assert_allclose(off_by, np.sqrt(error * (1 - error) / rows.n_rows))
    best = np.flatnonzero(error <= error.min() + 1e-12)[-1]
    chosen = np.flatnonzero(error <= error[best] + off_by[best] + 1e-12)[-1]
    assert path.chosen == chosen
    assert pruned.tree == path.tree_at(path.alphas[chosen])
    assert 1 < pruned.tree.n_leaves < tree.n_leaves


def test_less_than_one_standard_error_leaves_a_larger_tree():
    rows, grow_on = table_of("digits")
    tree = grow_on(rows)
    sizes = [
        CostComplexity(standard_errors=k, folds=5).prune(tree, rows=rows, grow=grow_on).tree.n_leaves
        for k in (0, 0.5, 1, 3)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) > 2


@settings(max_examples=60)
@given(case=tables_and_options(weights="whole"), k=st.sampled_from([2, 3, 10]))
def test_cross_validation_of_weighted_rows(case, k):
    """All kinds of columns, several branches, weights; a weight is copies."""
    table, options = case
    rows = dataset(table)

    def grow_on(part):
        return grow(part, plan(options))

    path = cost_complexity_path(grow_on(rows))
    assume(len(path) > 1)
    trial = cross_validate_path(path, RowFolds(rows, grow_on), k, LossSettings(MissingPolicy()))
    losses, weights = by_hand(path.alphas, rows, grow_on, k)
    error, off_by = mean_and_spread(losses, weights, rows.weight.sum())
    np.testing.assert_allclose(trial.error, error, rtol=1e-9, atol=1e-12)
    # a variance as a difference of sums of squares is off by their rounding, and its root by the root of that
    rounding = np.sqrt(np.finfo(float).eps * rows.n_rows) * np.abs(losses).max()
    np.testing.assert_allclose(trial.standard_error, off_by, rtol=1e-6, atol=rounding)
    copies = replace(rows.take(np.repeat(np.arange(rows.n_rows), rows.weight.astype(int))), weight=None)
    other = cross_validate_path(path, RowFolds(copies, grow_on), k, LossSettings(MissingPolicy()))
    np.testing.assert_allclose(other.error, error, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(other.standard_error, trial.standard_error, rtol=1e-6, atol=rounding)


@settings(max_examples=60)
@given(case=tables_and_options(weights="eighths"), data=st.data())
def test_order_of_rows_and_scale_of_importances(case, data):
    table, options = case
    rows = dataset(table)
    assume((rows.weight % 1).any())

    def grow_on(part):
        return grow(part, plan(options))

    def prune(each):
        return CostComplexity(folds=3).prune(grow_on(each), rows=each, grow=grow_on)

    one = prune(rows)
    shuffled = rows.take(np.array(data.draw(st.permutations(range(rows.n_rows)))))
    assert prune(shuffled).tree == one.tree
    half = prune(replace(rows, weight=rows.weight / 2))
    assert half.report.path.chosen == one.report.path.chosen
    if one.report.path.error is not None:
        np.testing.assert_allclose(half.report.path.error, one.report.path.error)
        np.testing.assert_allclose(half.report.path.standard_error, one.report.path.standard_error, atol=1e-8)


def test_a_part_of_whole_weights_among_others():
    """Whether weights are copies is told by all rows, not by those of a part."""
    rng = np.random.default_rng(5)
    weight = np.where(np.arange(60) == 0, 1.5, rng.integers(1, 9, 60))
    rows, _ = table_of("wine")
    rows = replace(rows.take(rng.permutation(rows.n_rows)[:60]), weight=weight)

    def grow_on(part):
        return grow(part, CARTClassifier().plan())

    path = cost_complexity_path(grow_on(rows))
    trial = cross_validate_path(path, RowFolds(rows, grow_on), 10, LossSettings(MissingPolicy()))
    assert (trial.weight, trial.n_rows) == (weight.sum(), 60)


@pytest.mark.parametrize("missing", ["fractional", "stop", "surrogate", "learned", "branch"])
def test_rows_with_holes(missing):
    """The losses of all trees at once are those of each pruned tree, wherever rows with holes end."""

    @settings(max_examples=40)
    @given(case=holed_cases(missing, weights="whole"))
    def check(case):
        table, options = case
        rows = dataset(table)
        path = cost_complexity_path(grow(rows, plan(options)))
        trial = validate_path(path, rows, LossSettings(MissingPolicy()))
        for i, tree in enumerate(path.trees()):
            losses = validation_losses(tree, rows, MissingPolicy())
            total = losses.leaf[tree.is_leaf].sum() + losses.staying.sum()
            assert trial.error[i] == pytest.approx(total / rows.weight.sum(), rel=1e-9, abs=1e-12)

    check()


def test_targets_far_from_0_and_huge():
    rows, grow_on = table_of("diabetes")
    usual = CostComplexity().prune(grow_on(rows), rows=rows, grow=grow_on).report.path
    for shift, scale in ((1e6, 1.0), (0.0, 2.0**300), (0.0, 2.0**-300)):
        other = replace(rows, target=(rows.target + shift) * scale)
        found = CostComplexity().prune(grow_on(other), rows=other, grow=grow_on).report.path
        assert found.chosen == usual.chosen
        np.testing.assert_allclose(found.error / scale / scale, usual.error, rtol=1e-8)
        np.testing.assert_allclose(found.standard_error / scale / scale, usual.standard_error, rtol=1e-6)


def test_absolute_error_is_judged_by_squares():
    rows, _ = table_of("diabetes")

    def grow_on(part):
        return grow(part, CARTRegressor(criterion="absolute_error", min_samples_leaf=5).plan())

    path = CostComplexity(folds=4).prune(grow_on(rows), rows=rows, grow=grow_on).report.path
    losses, weights = by_hand(path.alphas, rows, grow_on, 4)
    np.testing.assert_allclose(path.error, mean_and_spread(losses, weights, rows.n_rows)[0], rtol=1e-9)
    assert path.to_frame()["relative_error"].iloc[-1] == 1.0


def test_unit_of_weights():
    """Counted in rows of half a unit everything is the same, and the path cuts the tree that was grown."""
    rows, grow_on = table_of("wine")
    rows = replace(rows, weight=np.linspace(0.4, 0.6, rows.n_rows))
    tree = grow_on(rows)
    one, other = (CostComplexity().prune(tree, rows=rows, grow=grow_on, unit=unit) for unit in (1.0, 0.5))
    assert (
        other.tree == one.tree == other.report.path.tree_at(other.report.path.alphas[one.report.path.chosen])
    )
    np.testing.assert_allclose(other.report.path.error, one.report.path.error)
    np.testing.assert_allclose(other.report.path.standard_error, one.report.path.standard_error)
    np.testing.assert_allclose(other.report.leaf, one.report.leaf)


# Validation rows.


@pytest.mark.parametrize("name", SETS)
def test_validation(name):
    rows, grow_on = table_of(name)
    half = np.arange(rows.n_rows) % 2 == 0
    training, held_out = rows.take(np.flatnonzero(half)), rows.take(np.flatnonzero(~half))
    tree = grow_on(training)
    pruned = CostComplexity().prune(tree, rows=training, grow=grow_on, validation=held_out)
    path = pruned.report.path
    losses = np.array([row_losses(one, held_out) for one in path.trees()])
    error, off_by = mean_and_spread(losses, np.ones(held_out.n_rows), held_out.n_rows)
    np.testing.assert_allclose(path.error, error, rtol=1e-9)
    np.testing.assert_allclose(path.standard_error, off_by, rtol=1e-7)
    assert "by validation rows" in pruned.report.rule
    forced = CostComplexity(choose="cv", folds=3).prune(
        tree, rows=training, grow=grow_on, validation=held_out
    )
    assert "by 3-fold cross-validation" in forced.report.rule


def test_validation_rows_without_weight():
    """Where no row says anything, no tree is worse than the root."""
    rows, grow_on = table_of("wine")
    nothing = replace(rows, weight=np.zeros(rows.n_rows))
    assert CostComplexity(choose="validation").prune(grow_on(rows), validation=nothing).tree.n_nodes == 1


# Costs.


def test_costs():
    rows, grow_on = table_of("wine")
    rng = np.random.default_rng(0)
    rows = replace(rows, target=np.where(rng.random(rows.n_rows) < 0.2, 2, rows.target).astype(np.int32))
    costs = np.array([[0, 1, 5], [2, 0, 1], [9, 3, 0]], float)
    pruned = CostComplexity(cost_matrix=costs).prune(grow_on(rows), rows=rows, grow=grow_on)
    path = pruned.report.path
    losses, weights = by_hand(path.alphas, rows, grow_on, 10, costs)
    error, off_by = mean_and_spread(losses, weights, rows.n_rows)
    np.testing.assert_allclose(path.error, error)
    np.testing.assert_allclose(path.standard_error, off_by)
    assert "mean cost" in pruned.report.rule
    with pytest.raises(
        KindError,
        match="`cost_matrix` applies to classes only, but this tree predicts a number; leave it out",
    ):
        CostComplexity(alpha=0, cost_matrix=costs).prune(table_of("diabetes")[1](table_of("diabetes")[0]))


# The choice itself.


def trial_of(errors, n_rows):
    errors = np.array(errors, float)
    return PathLosses(errors, errors, n_rows, n_rows)


def test_standard_errors_of_rpart():
    """xerror and xstd of rpart's stagec example: 146 rows, of which the root has 54 wrong."""
    printed = [(1.0, 0.1080241), (0.9814815, 0.1075992), (0.8888889, 0.1051147)]
    trial = trial_of([round(error * 54) for error, _ in printed], 146)
    root = 54 / 146
    np.testing.assert_allclose(trial.error / root, [error for error, _ in printed], rtol=5e-7)
    np.testing.assert_allclose(trial.standard_error / root, [off_by for _, off_by in printed], rtol=5e-7)


def path_of(n):
    rows, grow_on = table_of("digits")
    path = cost_complexity_path(grow_on(rows))
    assert len(path) >= n
    cut_off = {name: getattr(path, name)[:n] for name in ("alphas", "leaves", "splits", "risk")}
    return replace(path, **cut_off)


@pytest.mark.parametrize(
    ("errors", "standard_errors", "chosen"),
    [
        # 20 of 100 wrong: the standard error is 4 of 100.
        ([25, 20, 23, 24, 25, 40], 1, 3),
        ([25, 20, 23, 24.1, 25, 40], 1, 2),
        ([25, 20, 23, 24, 25, 40], 0, 1),
        ([25, 20, 23, 24, 28, 40], 2, 4),
        ([25, 20, 20.01, 24, 25, 40], 0, 1),
        # Of equal ones the smallest tree.
        ([20, 20, 20, 30, 40, 50], 0, 2),
        # A smaller tree may be good enough where one between is not.
        ([25, 20, 30, 24, 50, 50], 1, 3),
        ([20, 20, 20, 20, 20, 20], 0, 5),
    ],
)
def test_choice(errors, standard_errors, chosen):
    found = choose_tree(path_of(6), trial_of(errors, 100), standard_errors, LossSettings(MissingPolicy()))
    assert found.chosen == chosen
    assert found.error.tolist() == [error / 100 for error in errors]


def test_nothing_to_choose():
    """A single leaf needs no folds, and no trees are grown."""
    tree = grown(CARTClassifier(), [[1.0], [1.0]], ["a", "b"])
    rows = Dataset(tree.schema, np.ones((2, 1)), np.array([0, 1]))
    pruned = CostComplexity().prune(tree, rows=rows, grow=lambda _: pytest.fail("grown for nothing"))
    assert (pruned.tree.n_nodes, pruned.report.path.chosen, pruned.report.path.error) == (1, 0, None)
    assert "the tree has no node to prune" in str(pruned.report)


# A given alpha.


def test_alpha_and_cp():
    tree = golf_example()  # 5 of 14 wrong at the root, none at its 5 leaves: alpha = 5 / 4 / 14, cp = 1 / 4
    for method, n_leaves in (
        (CostComplexity(alpha=0), 5),
        (CostComplexity(alpha=0.0892), 5),
        (CostComplexity(alpha=5 / 56), 1),
        (CostComplexity(cp=0.249), 5),
        (CostComplexity(cp=0.25), 1),
        (CostComplexity(cp=7), 1),
    ):
        pruned = method.prune(tree)
        assert pruned.tree.n_leaves == n_leaves
        assert pruned.report.path.chosen == (n_leaves == 1)
    assert "alpha = 0.08929, 0.25 times the error of the root" in CostComplexity(cp=0.25).prune(tree).report.rule
    assert "alpha = 0.1, as given" in CostComplexity(alpha=0.1).prune(tree).report.rule


def test_report():
    """Every node with its two costs at alpha = 0.05; node 2 is a leaf at 0.05, so that node 0 has two leaves."""
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", ("a", "b")))
    low = number("x", 1, leaf({"a": 6}), leaf({"b": 4}))
    high = number("x", 8, leaf({"b": 5, "a": 1}), leaf({"b": 2, "a": 2}))
    tree = build(schema, number("x", 4, low, high))
    pruned = CostComplexity(alpha=0.05).prune(tree)
    report = pruned.report
    assert report.node.tolist() == [1, 2, 0]
    assert report.leaf.tolist() == pytest.approx([4 / 20 + 0.05, 3 / 20 + 0.05, 9 / 20 + 0.05])
    assert report.subtree.tolist() == pytest.approx([0 + 0.1, 3 / 20 + 0.1, 3 / 20 + 0.15])
    assert report.verdict.tolist() == [0, 1, 0]
    assert report.details["alpha"].tolist() == pytest.approx([0.2, 0.0, 0.15])
    assert report.details["leaves"].tolist() == [2, 2, 3]
    assert report.of(2).words == "Node 2 (x > 4): 0.2 cost as a leaf, 0.25 as a subtree: pruned."
    assert pruned.tree.n_leaves == 3
    assert report.rule == (
        "A node becomes a leaf when its error + alpha is at most that of its subtree + alpha for each leaf; "
        "alpha = 0.05, as given."
    )
    told = "cost_complexity: 3 nodes visited, 2 kept, 1 pruned; 4 leaves before, 3 after."
    assert str(report).splitlines()[0] == told


@settings(max_examples=60)
@given(case=tables_and_options(weights="eighths"), alpha=st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.3]))
def test_verdicts_follow_the_two_numbers(case, alpha):
    table, options = case
    tree = grow(dataset(table), plan(options))
    pruned = CostComplexity(alpha=alpha).prune(tree)
    report = pruned.report
    close = np.abs(report.leaf - report.subtree) <= 1e-9 * report.leaf
    assert ((report.leaf <= report.subtree) == (report.verdict == 1))[~close].all()
    left = np.flatnonzero(np.isin(np.arange(tree.n_nodes), report.origin))
    assert len(left) == pruned.tree.n_nodes


# What it needs, and what it refuses.


def test_needs():
    assert CostComplexity().needs == frozenset()
    assert CostComplexity().uses == {TRAINING, VALIDATION, GROWTH}
    assert CostComplexity(choose="cv").needs == CostComplexity(choose="cv").uses == {TRAINING, GROWTH}
    assert CostComplexity(choose="validation").needs == {VALIDATION}
    assert CostComplexity(alpha=0.1).uses == CostComplexity(cp=0.1).uses == frozenset()
    assert CostComplexity.for_numbers


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": -1}, "alpha must be a number of at least 0, got -1."),
        ({"cp": float("nan")}, "cp must be a number of at least 0, got nan."),
        ({"alpha": 0.1, "cp": 0.1}, "alpha and cp cannot both be set; pass one of them."),
        (
            {"cp": 1, "choose": "cv"},
            "choose and cp cannot both be set, got 'cv' and 1; leave one of them out.",
        ),
        ({"choose": "best"}, "choose must be one of 'auto', 'cv', 'validation', got 'best'."),
        ({"folds": 1}, "folds must be an integer of at least 2, got 1."),
        ({"folds": 2.5}, "folds must be an integer of at least 2, got 2.5."),
        ({"folds": "ten"}, "folds must be an integer of at least 2, got 'ten'."),
        ({"standard_errors": -1}, "standard_errors must be a number of at least 0, got -1."),
        ({"risk": "gini"}, "risk must be one of 'error', 'impurity', got 'gini'."),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ParameterError) as raised:
        CostComplexity(**parameters)
    assert str(raised.value) == message


def test_no_rows_to_choose_by():
    message = "needs rows to choose alpha; pass X and y, or X_val and y_val, or set alpha or cp"
    with pytest.raises(InputError, match=message):
        CostComplexity().prune(golf_example())
    with pytest.raises(InputError, match="grows trees on parts of the training rows"):
        CostComplexity(choose="cv").prune(golf_example())


def test_printed_table():
    rows, grow_on = table_of("wine")
    path = CostComplexity().prune(grow_on(rows), rows=rows, grow=grow_on).report.path
    lines = str(path).splitlines()
    assert lines[0].split() == ["CP", "nsplit", "rel", "error", "xerror", "xstd"]
    assert len(lines) == len(path) + 1
    assert [line.endswith("chosen") for line in lines].index(True) == len(path) - path.chosen
    root = path.root_error
    told = lines[len(path) - path.chosen].split()
    assert told[4:6] == [
        f"{path.error[path.chosen] / root:.5g}",
        f"{path.standard_error[path.chosen] / root:.5g}",
    ]
    assert root == pytest.approx(1 - 71 / 178)
    table = path.to_frame()
    assert table["chosen"].sum() == 1
    assert {"error", "standard_error", "relative_error", "relative_standard_error"} <= set(table.columns)
