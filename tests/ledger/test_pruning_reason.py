"""Why a node was pruned, raised or kept: the lines of the reports, and sentences where there are none."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.golden.sets import load
from tests.ledger.cases import GOLF, HOSTILE, PLAY, mixed
from treewright import C45Classifier, CARTClassifier
from treewright.errors import InputError


@pytest.fixture(scope="module")
def model():
    table, classes, _ = mixed(300)
    return C45Classifier().fit(table, classes)


def test_every_node_has_its_line(model):
    report = model.pruning_report_
    for node, place in enumerate(report.origin.tolist()):
        reason = model.why_pruned(node)
        assert (reason.node, reason.grown_node) == (node, place)
        if model.grown_tree_.n_children[place]:
            assert reason.decision.words == report.of(place).words
            assert reason.decision.words in reason.words
            assert reason.words.endswith(f"Rule: {report.rule}")
        else:
            assert reason.decision is None
            assert f"Node {place} is a leaf of the grown tree, so there was nothing to prune." in reason.words
        if node != place:
            assert reason.words.startswith(f"Node {node} is node {place} of the grown tree.")


def test_nodes_that_are_gone_say_with_whom(model):
    kept = set(model.pruning_report_.origin.tolist())
    gone = [node for node in range(model.grown_tree_.n_nodes) if node not in kept]
    assert gone
    for node in gone:
        reason = model.why_pruned(node, grown=True)
        above = node
        while above not in kept:
            above = int(model.grown_tree_.parent[above])
        assert reason.node == reason.grown_node == node
        assert f"It was removed: node {above} above it became a leaf." in reason.words or "was raised" in reason.words


def test_nothing_was_pruned():
    model = CARTClassifier(pruning=None).fit(GOLF, PLAY)
    assert str(model.why_pruned(0)) == "Nothing was pruned: the tree is the grown tree."
    leaf = int(np.flatnonzero(model.tree_.is_leaf)[0])
    assert str(model.why_pruned(leaf)) == f"Node {leaf} is a leaf of the grown tree. Nothing was pruned."
    assert model.why_pruned(leaf).rule is None
    assert str(model.why_pruned(leaf, grown=True)) == str(model.why_pruned(leaf))


def test_wrong_numbers(model):
    for node in (-1, model.tree_.n_nodes, "0", None):
        with pytest.raises(InputError, match=f"Node {node!r} not found; the nodes of this tree are 0 to"):
            model.why_pruned(node)
    last = model.grown_tree_.n_nodes - 1
    with pytest.raises(InputError, match=f"Node {last} not found; the nodes of this tree are 0 to"):
        model.why_pruned(last)
    assert model.why_pruned(last, grown=True).node == last


def test_stopped_growth():
    table, classes, _ = mixed(300)
    model = CARTClassifier(pruning=None, pre_pruning=True, validation_fraction=0.3).fit(table, classes)
    report = model.pre_pruning_report_
    for node, place in enumerate(report.origin.tolist()):
        reason = model.why_pruned(node)
        assert reason.grown_node == node
        if report.tree.n_children[place]:
            assert reason.stop.words == report.of(place).words
            assert reason.words.splitlines() == [reason.stop.words, f"Rule: {report.rule}"]
        else:
            assert reason.stop is None


def test_stopped_and_pruned():
    table, classes, _ = mixed(400)
    model = C45Classifier(pruning="pessimistic", pre_pruning=True, validation_fraction=0.4).fit(table, classes)
    reason = model.why_pruned(0)
    assert reason.decision.words in reason.words
    assert f"pre-pruning on the validation rows: {reason.stop.words}" in reason.words


def test_pruning_that_did_not_come_to_a_node():
    """From the top down, nothing is decided below a node that is pruned."""
    table, classes, _ = mixed(300)
    model = CARTClassifier(pruning="pessimistic").fit(table, classes)
    visited = set(model.pruning_report_.node.tolist())
    inner = np.flatnonzero(model.grown_tree_.n_children).tolist()
    unseen = [node for node in inner if node not in visited]
    assert unseen
    for node in unseen:
        first, second = model.why_pruned(node, grown=True).words.splitlines()
        assert first == f"Pruning did not visit node {node}."
        assert second.startswith("It was removed: node ")


def test_raised(shared):
    """In labor negotiations a branch takes the place of its parent: both lines are told."""
    X, y = load(shared, "labor")
    model = C45Classifier().fit(X, y)
    reason, entry = model.why_pruned(2), model.why(2).entry
    assert reason.decision.verdict == "raised"
    lines = reason.words.splitlines()
    assert lines[0] == model.pruning_report_.of(2).words
    assert lines[1] == f"Its split is that of node 5, raised to this node. {model.pruning_report_.of(5).words}"
    assert entry.note.startswith("The split was raised: it was chosen at node 5 of the grown tree")
    assert entry.candidates == model.why(5, grown=True).entry.candidates
    assert (entry.node, entry.words) == (2, "wage-increase-first-year > 2.5")
    assert entry.note in " ".join(str(model.why(2)).split())
    below = model.why(3).entry
    assert below.note.startswith("A branch was raised above")


@pytest.mark.parametrize("name", ["labor", "hepatitis", "primary_tumor"])
@pytest.mark.parametrize("grouping", ["each", "greedy"])
def test_the_split_of_a_raised_node_is_that_of_its_source(shared, name, grouping):
    X, y = load(shared, name)
    model = C45Classifier(grouping=grouping).fit(X, y)
    lineage = model._lineage()
    tree, grown = model.tree_, model.grown_tree_
    raised = 0
    for node in np.flatnonzero(tree.n_children).tolist():
        source = lineage.source(node)
        raised += source != lineage.grown_node(node)
        assert tree.column[node] == grown.column[source]
        assert tree.gain[node] == grown.gain[source]
        assert np.array_equal(tree.threshold[node], grown.threshold[source], equal_nan=True)
        entry = model.why(node).entry
        assert entry.candidates[entry.chosen].gain == tree.gain[node]
    assert raised


def test_data_and_html(model):
    reason = model.why_pruned(0)
    told = reason.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["decision"]["verdict"] == reason.decision.verdict
    assert model.why_pruned(0).to_html().count("<p>") == len(reason.words.splitlines())
    assert reason._repr_html_() == reason.to_html()
    assert str(reason) == reason.to_text()
    assert max(map(len, str(reason).splitlines())) <= 110
    assert reason.to_text().split() == reason.words.split()


def test_hostile_names_are_text():
    n = len(HOSTILE)
    cells = [[HOSTILE[(i * (k + 1)) % n] for k in range(n)] for i in range(6 * n)]
    table = pd.DataFrame(cells, columns=pd.Index(HOSTILE, dtype=object), dtype=object)
    model = C45Classifier().fit(table, [HOSTILE[(i + i // 7) % n] for i in range(6 * n)])
    for node in range(model.grown_tree_.n_nodes):
        reason = model.why_pruned(node, grown=True)
        assert "<script" not in reason.to_html()
        str(reason).encode()
        assert not set("\x1b\x00\r\t\u2028\u202e") & set(str(reason))
