"""Why a leaf asks nothing: every cause has its sentence, and the candidates are there where they mean something."""

import re

import numpy as np
import pandas as pd
import pytest

from tests.ledger.cases import GOLF, PLAY, mixed
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier


def leaves(model, *, grown=False):
    """The entries of all leaves."""
    tree = model.grown_tree_ if grown else model.tree_
    return [model.why(int(node), grown=grown).entry for node in np.flatnonzero(tree.is_leaf)]


def test_pure_and_empty():
    words = pd.DataFrame({"a": pd.Categorical(["u", "v", "u", "v"], categories=["u", "v", "w"])})
    model = ID3Classifier().fit(words, ["yes", "no", "yes", "no"])
    assert [e.leaf for e in leaves(model)] == [
        "All its rows have the class yes.",
        "All its rows have the class no.",
        "No training row reaches this node; it predicts like its parent.",
    ]
    assert [{c.reason for c in e.candidates} for e in leaves(model)] == [
        {"every row here has the same target value"},
        {"every row here has the same target value"},
        {"no training row reaches this node"},
    ]
    assert all(e.chosen is None and e.margin is None and e.average is None for e in leaves(model))


def test_pure_number():
    model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [2.5, 2.5, 7])
    assert leaves(model)[0].leaf == "All its rows have the same target value, 2.5."


def test_too_few_rows():
    model = CARTClassifier(min_samples_split=6, pruning=None).fit(GOLF, PLAY)
    small = [e for e in leaves(model) if e.impurity > 0]
    assert small
    for entry in small:
        assert entry.count < 6
        assert entry.leaf == f"It has {entry.count} row{'s' * (entry.count > 1)}, fewer than min_samples_split=6."
        # the split it would have had is told all the same
        assert entry.chosen is not None


def test_too_little_weight():
    model = C45Classifier(min_samples_split=10, pruning=None).fit(GOLF, PLAY, np.full(14, 2.0))
    assert "It has rows of weight 8, fewer than min_samples_split=10." not in [e.leaf for e in leaves(model)]
    model = C45Classifier(min_samples_split=11, variant="textbook", pruning=None).fit(GOLF, PLAY, np.full(14, 2.0))
    assert "It has rows of weight 10, fewer than min_samples_split=11." in [e.leaf for e in leaves(model)]


@pytest.mark.parametrize("weight", [0.5, 3.0])
def test_rows_are_told_where_rows_are_counted(weight):
    """The minimum of CART counts rows, whatever they weigh."""
    model = CARTClassifier(min_samples_split=6, pruning=None).fit(GOLF, PLAY, np.full(14, weight))
    small = [e for e in leaves(model) if e.impurity > 0]
    assert small
    assert {e.leaf for e in small} == {f"It has {e.count} rows, fewer than min_samples_split=6." for e in small}


def test_weights_that_are_importances_are_told_in_mean_weights():
    weight = np.tile([0.5, 2.0], 7)
    model = C45Classifier(min_samples_split=6, min_samples_leaf=1, variant="textbook", pruning=None)
    model.fit(GOLF, PLAY, weight)
    small = [e for e in leaves(model) if e.impurity > 0 and "min_samples_split" in e.leaf]
    assert small
    for entry in small:
        worth = float(re.search(r"equivalent to ([\d.]+) rows, fewer than min_samples_split=6", entry.leaf)[1])
        assert worth == pytest.approx(entry.weight / 1.25, abs=0.005)
        assert worth < 6


def test_a_minimum_of_mean_weights_is_told_as_a_weight():
    """Weights of 0.5 and 2 are 1.25 in the mean, so min_samples_leaf=8 asks for 10 on both sides."""
    weight = np.tile([0.5, 2.0], 7)
    model = C45Classifier(min_samples_leaf=8, variant="textbook", pruning=None).fit(GOLF, PLAY, weight)
    reasons = {c.name: c.reason for c in model.why().candidates}
    assert reasons["temperature"] == "no cut leaves at least a weight of 10 on both sides"
    assert reasons["outlook"] == "no two branches would have at least a weight of 10"


def test_too_deep():
    model = CARTClassifier(max_depth=1, pruning=None).fit(GOLF, PLAY)
    deep = [e for e in leaves(model) if e.impurity > 0]
    assert {e.leaf for e in deep} == {"It is 1 level below the root, the limit of max_depth=1."}
    assert all(e.chosen is not None for e in deep)


def test_no_candidate():
    model = CARTClassifier(pruning=None).fit([[1], [1], [2], [2]], ["a", "b", "a", "b"])
    assert "No column has a candidate split." in [e.leaf for e in leaves(model)]
    model = CARTClassifier(min_samples_leaf=5, pruning=None).fit(GOLF[:8], PLAY[:8])
    assert leaves(model)[0].leaf == "No column has a candidate split."
    reasons = [c.reason for c in leaves(model)[0].candidates]
    assert reasons[1] == "no cut leaves at least 5 rows on both sides"
    assert reasons[0] == "no two branches would have at least 5 rows"


def test_little_gain():
    model = CARTClassifier(min_impurity_decrease=0.2, pruning=None).fit(GOLF, PLAY)
    entry = model.why().entry
    assert entry.leaf == (
        "Its best split, on outlook, would improve the tree by 0.102, less than min_impurity_decrease=0.2."
    )
    assert entry.candidates[0].verdict == "chosen"


def test_leaf_budget():
    table, classes, _ = mixed(200)
    model = CARTClassifier(max_leaf_nodes=4, pruning=None).fit(table, classes)
    open_leaves = [e for e in leaves(model) if e.impurity > 0]
    assert len(open_leaves) > 1
    for entry in open_leaves:
        best = entry.candidates[entry.chosen]
        improves = entry.weight / 200 * best.gain
        assert entry.leaf.startswith(f"Its best split, on {best.name}, would improve the tree by {improves:.3g};")
        assert "max_leaf_nodes=4" in entry.leaf


def collapsing():
    """Release 8 on noise: splits that save no error are taken back."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"a": rng.choice(["u", "v", "w"], 120), "b": rng.choice(["x", "y"], 120)})
    return table, np.where(rng.random(120) < 0.8, "yes", "no")


def test_collapsed():
    table, y = collapsing()
    model = C45Classifier(pruning=None).fit(table, y)
    taken_back = [e for e in leaves(model) if e.leaf and "was undone" in e.leaf]
    assert taken_back
    root = model.why().entry
    errors = min(root.stats)
    assert root.leaf == (
        f"Its best split, on {root.candidates[root.chosen].name}, was undone: "
        f"its branches make {errors:g} training errors, the node itself makes {errors:g}."
    )


def test_collapsed_and_leaf_budget_are_told_apart():
    table, y = collapsing()
    model = TreeClassifier(criterion="entropy", grouping="each", max_leaf_nodes=5).fit(table, y)
    assert not any("taken back" in e.leaf for e in leaves(model))
    assert any("max_leaf_nodes=5" in e.leaf for e in leaves(model))


def test_stopped_by_validation_rows():
    table, classes, _ = mixed(300)
    model = CARTClassifier(pruning=None, pre_pruning=True, validation_fraction=0.3).fit(table, classes)
    assert model.tree_ is model.grown_tree_
    report = model.pre_pruning_report_
    stopped = [e for e in leaves(model) if e.leaf and "was not made" in e.leaf]
    assert stopped
    for entry in stopped:
        line = report.of(int(report.origin[entry.node])).words
        best = entry.candidates[entry.chosen].name
        assert entry.leaf == f"Its best split, on {best}, was not made. {line}"
        assert line.endswith("pruned.")


def test_stopped_and_then_pruned():
    """Numbers of three trees: the one growth would have come to, the stopped one, and the pruned one."""
    table, classes, _ = mixed(400)
    model = C45Classifier(pruning="pessimistic", pre_pruning=True, validation_fraction=0.4).fit(table, classes)
    sizes = model.pre_pruning_report_.tree.n_nodes, model.grown_tree_.n_nodes, model.tree_.n_nodes
    assert sizes[0] > sizes[1] > sizes[2]
    told = {e.leaf.split(".")[0] for e in leaves(model) if e.leaf}
    assert any(words.startswith("Its split was pruned") for words in told)
    for entry in leaves(model, grown=True):
        assert entry.leaf
        assert "pruned; in the grown" not in entry.leaf


@pytest.mark.parametrize("method", ["pessimistic", "cost_complexity", "minimum_error"])
def test_pruned_leaves_have_the_line_of_the_report(method):
    table, classes, _ = mixed(300)
    model = CARTClassifier(pruning=method).fit(table, classes)
    report = model.pruning_report_
    pruned = 0
    for entry in leaves(model):
        place = int(report.origin[entry.node])
        if model.grown_tree_.n_children[place]:
            pruned += 1
            assert entry.leaf.endswith(report.of(place).words)
            assert entry.leaf.startswith("Its split was pruned")
            assert entry.chosen == model.grown_tree_.column[place]
    assert pruned


def test_a_node_has_the_same_candidates_before_and_after_pruning():
    table, classes, _ = mixed(300, holes=0.1)
    model = C45Classifier().fit(table, classes)
    for node, place in enumerate(model.pruning_report_.origin.tolist()):
        after, before = model.why(node).entry, model.why(place, grown=True).entry
        if after.note is None:
            assert after.candidates == before.candidates
            assert (after.words, after.count, after.stats) == (before.words, before.count, before.stats)


def test_a_cut_without_a_charge_that_gains_nothing():
    """Release 8: one cut costs nothing, so it is not the charge, nor the split information, that speaks against it."""
    table = pd.DataFrame({"n": [1, 1, 1, 1, 2, 2, 2, 2], "k": [1, 2, 3, 4, 1, 2, 3, 4]})
    model = C45Classifier(pruning=None, min_samples_leaf=1).fit(table, list("abababab"))
    assert model.why()["n"].reason == "its only cut gains nothing"
    assert "唯一的划分点没有增益" in str(model.worked_solution(columns=["n"], language="zh"))


def test_two_groups_that_growth_does_not_look_at():
    """{p} against {q, r} is 6 : 5, but in the order of the shares of y (r, p, q) there are only 3 : 8 and 9 : 2."""
    values = ["p"] * 6 + ["q"] * 2 + ["r"] * 3
    two = CARTClassifier(pruning=None, min_samples_leaf=4).fit(pd.DataFrame({"c": values}), list("xxxyyyxyxxy"))
    [reason] = [one.reason for one in two.why().candidates]
    assert reason == "ordered by their proportion of y, no cut of its values leaves at least 4 rows on both sides"
    three = CARTClassifier(pruning=None, min_samples_leaf=6).fit(pd.DataFrame({"c": values}), list("xxxyyyzyxxy"))
    [reason] = [one.reason for one in three.why().candidates]
    assert reason == "no division of its values into two groups leaves at least 6 rows on both sides"
    y = [2] * 6 + [3, 3, 1, 1, 1]
    numbers = CARTRegressor(pruning=None, min_samples_leaf=4).fit(pd.DataFrame({"c": values}), y)
    [reason] = [one.reason for one in numbers.why().candidates]
    assert reason == "ordered by their mean target, no cut of its values leaves at least 4 rows on both sides"
