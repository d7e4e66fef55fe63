"""The decisions of a page: those of the reports, by the numbers of the grown tree."""

import numpy as np
import pytest

from tests.page.reading import document
from tests.page.tables import CLASSIFIERS, ESTIMATORS, document_of, fitted, rows_for
from treewright import CARTClassifier, TreeClassifier
from treewright.page import decisions as decisions_module

PRUNED = [name for name in ESTIMATORS if fitted(name).tree_ is not fitted(name).grown_tree_]


@pytest.mark.parametrize("name", PRUNED)
def test_every_decision_is_there(name):
    shown, report = document_of(name), fitted(name).pruning_report_
    assert shown["decision_method"] == report.method
    assert set(map(int, shown["decisions"])) == set(report.node.tolist())
    for key, one in shown["decisions"].items():
        own = report.of(int(key))
        assert one["verdict"] == own.verdict
        assert one["words"] == own.words
        assert one["unit"] == report.unit
        for number in ("leaf", "subtree", "allowance"):
            assert one[number] == pytest.approx(getattr(own, number), rel=1e-6)
        assert one.get("branch") == (None if own.branch is None else pytest.approx(own.branch, rel=1e-6))


def test_nothing_was_decided():
    shown = document_of("cart learned")
    assert (shown["decisions"], shown["decision_method"]) == ({}, None)


@pytest.mark.parametrize("pruning", [None, "same_decision"])
def test_pre_pruning_has_the_numbers_of_the_page(pruning):
    X, y = rows_for("c45")
    X_val, y_val = rows_for("c45", "validation")
    model = TreeClassifier(missing="fractional", pre_pruning=True, pruning=pruning)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    shown, report = document(model.to_html()), model.pre_pruning_report_
    assert model.grown_tree_.n_nodes > 3
    if pruning is not None:
        assert shown["decision_method"] == "same_decision"
        return
    assert shown["decision_method"] == "pre_pruning"
    place = {int(origin): node for node, origin in enumerate(report.origin)}
    assert len(shown["decisions"]) == len(report)
    for old in report.node.tolist():
        one, own, node = shown["decisions"][str(place[old])], report.of(old), place[old]
        assert one["words"] == own.words.replace(f"Node {old} ", f"Node {node} ", 1)
        assert one["verdict"] == own.verdict
        assert (own.verdict == "pruned") == bool(model.grown_tree_.is_leaf[node])


def test_sentences_only_for_the_heaviest(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    monkeypatch.setattr(decisions_module, "N_WORDS", 5)
    model = CARTClassifier().fit(X, y)
    shown = document(model.to_html(methods=()))["decisions"]
    told = [int(node) for node, one in shown.items() if one["words"] is not None]
    inner = np.flatnonzero(model.grown_tree_.n_children)
    heaviest = inner[np.argsort(-model.grown_tree_.weight[inner], kind="stable")][:5]
    assert sorted(told) == sorted(heaviest.tolist())
    assert len(shown) == len(inner)


def test_there_are_enough_pruned_trees_to_try():
    assert len(PRUNED) > len(CLASSIFIERS) // 2
