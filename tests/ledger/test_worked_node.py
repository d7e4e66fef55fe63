"""What can be asked of a worked solution: nodes, columns, digits, rows given again, trees of any size."""

import pickle
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from tests.golden.tables import GOLF
from tests.ledger.worked_cases import fitted, table
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.errors import InputError, ParameterError
from treewright.ledger.worked import WorkedSolution, worked_pruning
from treewright.model.build import golf_example
from treewright.prune import Pessimistic


@pytest.fixture(scope="module")
def golf():
    return C45Classifier().fit(GOLF.frame(), GOLF.y)


def headings(solution):
    return [section["heading"] for section in solution.to_dict()["sections"]]


def test_sections(golf):
    found = golf.worked_solution()
    assert isinstance(found, WorkedSolution)
    assert headings(found) == [
        "The rows", "outlook", "temperature (number)", "humidity (number)", "windy", "The choice",
        "Pruning: error-based (C4.5)",
    ]  # fmt: skip
    assert repr(found) == "<WorkedSolution of node 0: 7 sections>"
    assert str(found) == found.to_text() == found.to_text(digits=4)


def test_columns(golf):
    found = golf.worked_solution(columns=["windy", "outlook"])
    assert headings(found)[1:3] == ["windy", "outlook"]
    assert "temperature" in found.to_text()  # in the table of the choice
    assert headings(golf.worked_solution(columns="windy"))[1:3] == ["windy", "The choice"]
    assert headings(golf.worked_solution(columns=[]))[:2] == ["The rows", "The choice"]
    with pytest.raises(InputError, match="Unknown column 'wind' in `columns`; the columns are 'outlook'"):
        golf.worked_solution(columns=["wind"])


def test_of_many_columns_the_best_are_worked_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 40))
    y = np.where(X[:, 7] + X[:, 30] > 0, "a", "b")
    found = CARTClassifier(pruning=None).fit(X, y).worked_solution()
    worked = [heading for heading in headings(found) if heading.startswith("x")]
    assert len(worked) == 12
    assert {"x7 (number)", "x30 (number)"} <= set(worked)
    assert "… 10 more columns" in found.to_text()


@pytest.mark.parametrize("digits", [0, 13, 2.5, "4", True, None])
def test_digits_are_checked(golf, digits):
    found = golf.worked_solution()
    for method in (found.to_text, found.to_markdown, found.to_latex, found.to_html, found.to_dict):
        with pytest.raises(ParameterError, match=f"`digits` must be an integer from 1 to 12, got {digits!r}"):
            method(digits=digits)


def test_digits(golf):
    found = golf.worked_solution()
    for digits, shown in ((1, "≈ 0.9\n"), (3, "≈ 0.940\n"), (10, "≈ 0.9402859587\n")):
        assert shown in found.to_text(digits=digits)


def test_unknown_nodes_are_refused(golf):
    for node in (8, -1, "0", 1.5):
        with pytest.raises(InputError, match=f"Node {node!r} not found; the nodes of this tree are 0 to 7"):
            golf.worked_solution(node)


def test_unfitted():
    with pytest.raises(NotFittedError):
        ID3Classifier().worked_solution()


def test_rows_can_be_given_again(golf):
    stored = pickle.loads(pickle.dumps(golf))
    with pytest.raises(InputError, match="The training rows are required"):
        stored.worked_solution()
    assert str(stored.worked_solution(0, GOLF.frame(), GOLF.y)) == str(golf.worked_solution())


def test_order_of_rows_and_threads_do_not_matter(golf):
    X, y = GOLF.frame(), np.array(GOLF.y)
    order = np.random.default_rng(1).permutation(len(y))
    other = C45Classifier(n_jobs=2).fit(X.iloc[order], y[order])
    for node in range(golf.tree_.n_nodes):
        assert other.worked_solution(node).to_html() == golf.worked_solution(node).to_html()


def test_leaves(golf):
    said = str(golf.worked_solution(2))
    assert "Node 2: outlook = overcast" in said
    assert "Ent(D) = −4/4·log₂(4/4) = 0.0000" in said
    assert "All its rows have the class Play." in said
    assert headings(golf.worked_solution(2)) == ["The rows"]


def test_an_empty_branch():
    X = pd.DataFrame({"a": pd.Categorical(["u", "u", "v", "v"], categories=["u", "v", "w"])})
    model = ID3Classifier().fit(X, ["p", "p", "q", "q"])
    node = int(np.flatnonzero(model.tree_.count == 0)[0])
    assert "No training row reaches this node" in str(model.worked_solution(node))
    assert "没有训练样本" in str(model.worked_solution(node, language="zh"))


def test_a_tree_of_one_leaf():
    said = str(fitted("one leaf").worked_solution())
    assert "Gini(D) = 1 − (160/160)² = 0.0000" in said


def test_a_pruned_node_says_so_and_why():
    model = fitted("pruned mdl")
    report = model.pruning_report_
    place = {old: new for new, old in enumerate(report.origin.tolist())}
    pruned = [one.node for one in report if one.verdict == "pruned" and one.node in place]
    assert pruned
    found = model.worked_solution(place[pruned[0]])
    assert "The node is a leaf: its split was pruned." in found.to_text()
    assert headings(found)[-1] == "Pruning: description length"
    assert "The node becomes a leaf." in found.to_text()


def test_below_a_new_leaf_nothing_was_decided():
    model = fitted("pruned mdl").pruned("pessimistic", standard_errors=20)
    report, tree = model.pruning_report_, model.grown_tree_
    unseen = set(np.flatnonzero(tree.n_children)) - set(report.node.tolist())
    assert unseen
    said = str(model.worked_solution(int(min(unseen)), grown=True))
    assert "This node was not visited: a node above it became a leaf first." in said


def test_pre_pruning_is_part_of_growth():
    X, _, y, _, _ = table()
    model = CARTClassifier(pruning="mdl", pre_pruning=True, validation_fraction=0.3).fit(X, y)
    found = headings(model.worked_solution())
    assert "Pruning: pre-pruning" in found
    stopped = next(
        i for i in range(model.grown_tree_.n_nodes)
        if model.grown_tree_.is_leaf[i]
        and model.pre_pruning_report_.tree.n_children[model.pre_pruning_report_.origin[i]]
    )  # fmt: skip
    said = str(model.worked_solution(stopped, grown=True))
    assert "Pre-pruning decision: do not split." in said


def test_parameters_that_were_set_anew_do_not_matter(golf):
    other = C45Classifier().fit(GOLF.frame(), GOLF.y)
    other.set_params(pruning="no such method", variant="j48")
    assert str(other.worked_solution()) == str(golf.worked_solution())


def test_pruning_of_a_tree_made_by_hand():
    report = Pessimistic(standard_errors=2).prune(golf_example()).report
    found = worked_pruning(report, 3)
    assert "2.5000 ≤ 1.0000 + 2·0.8944 ≈ 2.7889" in found.to_text()
    with pytest.raises(InputError, match="Node 99 not found"):
        worked_pruning(report, 99)


def test_frames_of_other_libraries_and_arrays():
    pl = pytest.importorskip("polars")
    X, y = GOLF.frame().astype({"outlook": str, "windy": str}), GOLF.y
    said = str(C45Classifier().fit(X, y).worked_solution())
    assert str(C45Classifier().fit(pl.from_pandas(X), y).worked_solution()) == said
    assert "Gain(D, x0)" in str(C45Classifier().fit(X.to_numpy(), y).worked_solution())


def test_weights_are_shown_in_rows():
    X, _, y, _, _ = table()
    doubled = CARTClassifier(pruning="pessimistic").fit(X, y, sample_weight=np.full(len(y), 2))
    copied = CARTClassifier(pruning="pessimistic").fit(pd.concat([X, X], ignore_index=True), np.tile(y, 2))
    assert str(doubled.worked_solution()) == str(copied.worked_solution())


def test_many_classes_and_many_values():
    rng = np.random.default_rng(2)
    n = 3000
    X = pd.DataFrame({"code": pd.Categorical(rng.integers(0, 900, n).astype(str)), "x": rng.normal(size=n)})
    y = rng.integers(0, 300, n)
    said = str(ID3Classifier(numeric="bisect", max_depth=1).fit(X, y).worked_solution())
    assert "more branches" in said
    assert "and 294 more classes" in said
    assert len(said) < 20_000


def test_extreme_targets():
    X = np.arange(20.0)[:, None]
    for scale in (1e-9, 1e9):
        y = np.where(X[:, 0] > 9, 1.0, 2.0) * scale + np.arange(20) * scale * 1e-3
        found = CARTRegressor(max_depth=2, pruning=None).fit(X, y).worked_solution()
        for text in (found.to_text(), found.to_markdown(), found.to_latex(), found.to_html()):
            assert "nan" not in text
            assert "e-" not in text.replace("e-{", "")


@pytest.mark.long
def test_a_large_tree_is_worked_out_in_seconds():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60_000, 10))
    y = rng.integers(0, 2, len(X))
    model = CARTClassifier(pruning=None).fit(X, y)
    assert model.tree_.n_nodes > 20_000
    for node in (0, 1000, model.tree_.n_nodes - 1):
        start = time.perf_counter()
        str(model.worked_solution(node))
        assert time.perf_counter() - start < 20


def test_columns_that_are_no_names(golf):
    with pytest.raises(ParameterError, match="`columns` must be a list of column names or None, got 5"):
        golf.worked_solution(columns=5)
    with pytest.raises(InputError, match=r"Unknown column \['outlook'\] in `columns`"):
        golf.worked_solution(columns=[["outlook"]])
    twice = golf.worked_solution(columns=["outlook", "outlook"])
    assert str(twice) == str(golf.worked_solution(columns=["outlook"]))
