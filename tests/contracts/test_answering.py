"""Whoever answers for a tree answers as predict does: with costs, and with every way to estimate a probability.

Rules, explanations, consultations, texts, pictures and pages are each asked for the rows of one table with holes.
"""

import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from sklearn.base import clone

import treewright
from tests.page.asking import Asked
from tests.page.reading import document
from tests.page.tables import mixed
from treewright import C45Classifier, CARTClassifier
from treewright.cli.show import node_dict
from treewright.explain.consult import consult
from treewright.export.labels import Labels
from treewright.model.answering import Answering, answered
from treewright.model.words import category_words
from treewright.predict.answers import class_codes, shares
from treewright.prune import ErrorBased

COSTS = [[0, 1, 3], [2, 0, 1], [12, 9, 0]]
WAYS = {
    "laplace": {"probability": "laplace"},
    "m-estimate": {"probability": "m-estimate", "smoothing": 30.0},
    "shrinkage": {"probability": "shrinkage", "smoothing": 200.0},
    "costs": {"cost_matrix": COSTS},
    "all of it": {"probability": "shrinkage", "smoothing": 25.0, "cost_matrix": COSTS},
}
MODELS = {
    "c4.5": C45Classifier(min_samples_leaf=1, pruning=ErrorBased(confidence=0.6)),
    "cart": CARTClassifier(max_leaf_nodes=10, pruning=None),
}
CASES = [(model, way) for model in MODELS for way in WAYS]


@cache
def fitted(model, way):
    table, target, _ = mixed(noise=0.3, n=160)
    return clone(MODELS[model]).set_params(**WAYS[way]).fit(table, target)


def rows(n=60):
    return mixed(seed=5, n=n, holes=0.2)[0]


def asked(model, way):
    """The estimator, the rows, the answers of predict, and the same worked out from its probabilities."""
    estimator, table = fitted(model, way), rows()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", treewright.UnseenCategoryWarning)
        answers, found = estimator.predict(table), estimator.predict_proba(table)
    costs = np.array(COSTS) if "cost_matrix" in WAYS[way] else 1 - np.eye(3)
    assert answers.tolist() == estimator.classes_[np.argmin((found @ costs).round(11), axis=1)].tolist()
    return estimator, table, answers, found


@pytest.mark.parametrize(("model", "way"), CASES)
def test_the_way_alters_answers_or_probabilities(model, way):
    estimator, _, answers, found = asked(model, way)
    plain = answered(estimator.tree_, Answering())
    _, values, rule = estimator._ask(rows())
    assert not np.allclose(shares(plain, values, rule), found)
    if way in ("costs", "all of it", "shrinkage"):
        by_share = Answering(factors=estimator.tree_.answering.factors)
        codes = class_codes(answered(estimator.tree_, by_share), values, rule)
        assert (estimator.classes_[codes] != answers).any()


@pytest.mark.parametrize(("model", "way"), CASES)
def test_rules_of_leaves_answer_as_the_tree(model, way):
    estimator, table, answers, found = asked(model, way)
    rules = estimator.rules()
    assert rules.predict(table).tolist() == answers.tolist()
    assert np.array_equal(rules.predict_proba(table), found)
    tree = estimator.tree_
    for rule in rules.rules:
        assert rule.answer == tree.node(rule.node).majority
        assert rule.shares == tuple(tree.value[rule.node].tolist())
    told = rules.explain(table.iloc[[7]])
    assert told.answer == answers[7]


@pytest.mark.parametrize(("model", "way"), CASES)
def test_an_explanation_has_the_answer_and_how_it_came_about(model, way):
    estimator, table, answers, found = asked(model, way)
    for i in range(12):
        told = estimator.explain(table.iloc[[i]])
        assert told.answer == answers[i]
        assert list(told.shares.values()) == found[i].tolist()
        assert all(end.reckoned is not None for end in told.ends)
        assert (told.costs is None) == ("cost_matrix" not in WAYS[way])
        if told.costs is not None:
            assert list(told.costs.values()) == pytest.approx(found[i] @ np.array(COSTS), rel=1e-12)
            assert told.costs[told.answer] <= min(told.costs.values()) * (1 + 1e-12)
            assert "The cheapest answer." in told.to_text()
        if len(told.ends) == 1:
            assert f"The probability of {told.answer}: " in told.to_text()
        assert all(change.answer != told.answer for change in told.changes)


@pytest.mark.parametrize(("model", "way"), CASES)
def test_a_change_leads_to_the_answer_that_it_names(model, way):
    estimator, table, _, _ = asked(model, way)
    tried = 0
    for i in range(12):
        for change in estimator.explain(table.iloc[[i]]).changes:
            other = table.iloc[[i]].astype(object)
            other.iloc[0, change.column] = change.value
            for name in ("年龄", "收入"):
                other[name] = other[name].astype(float)
            assert estimator.predict(other)[0] == change.answer
            tried += 1
    assert tried > 5


@pytest.mark.parametrize(("model", "way"), CASES)
def test_texts_and_pictures_name_the_class_that_a_node_answers(model, way):
    tree = fitted(model, way).tree_
    labels, text = Labels(tree), tree.to_text()
    # The costs are those that were given and, as in growth, say nothing of the order of classes by weight.
    assert (tree.answers != tree.stats.argmax(axis=1)).any() or way in ("laplace", "costs")
    for node in tree.walk():
        said = category_words(tree.schema.target.classes[tree.answers[node.id]])
        assert category_words(node.majority) == said
        assert labels.answer(node.id) == said
        assert node_dict(node)["answer"] == said
        assert node_dict(node)["probabilities"] == [[category_words(c), p] for c, p in node.shares.items()]
        if node.is_leaf:
            assert f": {node.answer_words()}" in text
            assert node.answer_words().startswith(said)


def spoken(cell):
    """A cell as a person says it."""
    if cell is None or cell != cell:
        return "?"
    return category_words(cell) if isinstance(cell, str | bool) else repr(float(cell))


@pytest.mark.parametrize(("model", "way"), CASES)
def test_a_consultation_ends_with_the_answer(model, way):
    estimator, table, answers, found = asked(model, way)
    _, _, rule = estimator._ask(table)
    for i in range(8):
        case = consult(estimator.tree_, rule)
        while case.question is not None:
            cell = table.iloc[i][case.question.column.name]
            case = case.answered(spoken(cell))
        assert case.verdict.answer == answers[i]
        assert list(case.verdict.shares.values()) == pytest.approx(found[i], rel=1e-12)
        assert (case.verdict.costs is None) == ("cost_matrix" not in WAYS[way])


@pytest.mark.parametrize(("model", "way"), CASES)
def test_a_page_answers_by_itself_and_its_views_answer_alike(model, way):
    estimator, table, answers, _ = asked(model, way)
    shown = document(estimator.to_html(methods=["pessimistic"]))
    assert (shown["answering"]["costs"] is None) == ("cost_matrix" not in WAYS[way])
    cells = table.astype(object).where(table.notna(), None).to_numpy().tolist()
    own = Asked(shown, shown["views"][0]["key"])
    assert [own.answer(row) for row in cells] == [category_words(answer) for answer in answers.tolist()]
    other = estimator.pruned("pessimistic")
    asked_otherwise = Asked(shown, "pessimistic")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", treewright.UnseenCategoryWarning)
        expected = [category_words(answer) for answer in other.predict(table).tolist()]
    assert [asked_otherwise.answer(row) for row in cells] == expected


@pytest.mark.parametrize(("model", "way"), CASES)
def test_a_model_from_a_file_answers_the_same(model, way):
    estimator, table, answers, found = asked(model, way)
    with TemporaryDirectory() as folder:
        estimator.save(Path(folder, "model.json"))
        again = treewright.load(Path(folder, "model.json"))
        estimator.rules().save(Path(folder, "rules.json"))
        rules = treewright.load(Path(folder, "rules.json"))
    assert again.tree_.answering == estimator.tree_.answering
    for one in (again, rules):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", treewright.UnseenCategoryWarning)
            assert one.predict(table).tolist() == answers.tolist()
            assert np.array_equal(one.predict_proba(table), found)
