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
from tests.page.document_tree import DocumentTree
from tests.page.reading import document
from tests.page.tables import mixed
from treewright import C45Classifier, CARTClassifier
from treewright.cli.show import node_dict
from treewright.estimators.prediction import encode_for_prediction
from treewright.explain.consult import consult
from treewright.export.labels import Labels
from treewright.model.formatting import format_category
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.predict.predictions import predict_class_codes, predict_probabilities
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
    plain = with_prediction_rule(estimator.tree_, PredictionRule())
    values, rule = encode_for_prediction(estimator, rows()), estimator._prediction_policy().rule
    assert not np.allclose(predict_probabilities(plain, values, rule), found)
    if way in ("costs", "all of it", "shrinkage"):
        by_share = PredictionRule(factors=estimator.tree_.prediction_rule.factors)
        codes = predict_class_codes(with_prediction_rule(estimator.tree_, by_share), values, rule)
        assert (estimator.classes_[codes] != answers).any()


@pytest.mark.parametrize(("model", "way"), CASES)
def test_rules_of_leaves_answer_as_the_tree(model, way):
    estimator, table, answers, found = asked(model, way)
    rules = estimator.rules()
    assert rules.predict(table).tolist() == answers.tolist()
    assert np.array_equal(rules.predict_proba(table), found)
    tree = estimator.tree_
    for rule in rules.rules:
        assert rule.prediction == tree.node(rule.node).majority
        assert rule.probabilities == tuple(tree.value[rule.node].tolist())
    assert rules.explain(table.iloc[[7]]).prediction == answers[7]


@pytest.mark.parametrize(("model", "way"), CASES)
def test_an_explanation_has_the_answer_and_how_it_came_about(model, way):
    estimator, table, answers, found = asked(model, way)
    for i in range(12):
        told = estimator.explain(table.iloc[[i]])
        assert told.prediction == answers[i]
        assert list(told.probabilities.values()) == found[i].tolist()
        assert all(end.arithmetic is not None for end in told.ends)
        assert (told.costs is None) == ("cost_matrix" not in WAYS[way])
        if told.costs is not None:
            assert list(told.costs.values()) == pytest.approx(found[i] @ np.array(COSTS), rel=1e-12)
            assert told.costs[told.prediction] <= min(told.costs.values()) * (1 + 1e-12)
            assert "Lowest expected cost." in told.to_text()
        if len(told.ends) == 1:
            assert f"The probability of {told.prediction}: " in told.to_text()
        assert all(change.prediction != told.prediction for change in told.changes)


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
            assert estimator.predict(other)[0] == change.prediction
            tried += 1
    assert tried > 5


@pytest.mark.parametrize(("model", "way"), CASES)
def test_texts_and_pictures_name_the_class_that_a_node_answers(model, way):
    tree = fitted(model, way).tree_
    labels, text = Labels(tree), tree.to_text()
    # The costs are those that were given and, as in growth, say nothing of the order of classes by weight.
    assert (tree.predicted_class != tree.stats.argmax(axis=1)).any() or way in ("laplace", "costs")
    for node in tree.walk():
        said = format_category(tree.schema.target.classes[tree.predicted_class[node.id]])
        assert format_category(node.majority) == said
        assert labels.prediction(node.id) == said
        assert node_dict(node)["prediction"] == said
        assert node_dict(node)["probabilities"] == [[format_category(c), p] for c, p in node.probabilities.items()]
        if node.is_leaf:
            assert f": {node.prediction_words()}" in text
            assert node.prediction_words().startswith(said)


def spoken(cell):
    """A cell as a person says it."""
    if cell is None or cell != cell:
        return "?"
    return format_category(cell) if isinstance(cell, str | bool) else repr(float(cell))


@pytest.mark.parametrize(("model", "way"), CASES)
def test_a_consultation_ends_with_the_answer(model, way):
    estimator, table, answers, found = asked(model, way)
    rule = estimator._prediction_policy().rule
    for i in range(8):
        case = consult(estimator.tree_, rule)
        while case.question is not None:
            cell = table.iloc[i][case.question.column.name]
            case = case.with_answer(spoken(cell))
        assert case.result.prediction == answers[i]
        assert list(case.result.probabilities.values()) == pytest.approx(found[i], rel=1e-12)
        assert (case.result.costs is None) == ("cost_matrix" not in WAYS[way])


@pytest.mark.parametrize(("model", "way"), CASES)
def test_a_page_answers_by_itself_and_its_views_answer_alike(model, way):
    estimator, table, answers, _ = asked(model, way)
    shown = document(estimator.to_html(methods=["pessimistic"]))
    assert (shown["prediction_rule"]["costs"] is None) == ("cost_matrix" not in WAYS[way])
    cells = table.astype(object).where(table.notna(), None).to_numpy().tolist()
    own = DocumentTree(shown, shown["views"][0]["key"])
    assert [own.predict(row) for row in cells] == [format_category(answer) for answer in answers.tolist()]
    other = estimator.pruned("pessimistic")
    asked_otherwise = DocumentTree(shown, "pessimistic")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", treewright.UnseenCategoryWarning)
        expected = [format_category(answer) for answer in other.predict(table).tolist()]
    assert [asked_otherwise.predict(row) for row in cells] == expected


@pytest.mark.parametrize(("model", "way"), CASES)
def test_a_model_from_a_file_answers_the_same(model, way):
    estimator, table, answers, found = asked(model, way)
    with TemporaryDirectory() as folder:
        estimator.save(Path(folder, "model.json"))
        again = treewright.load(Path(folder, "model.json"))
        estimator.rules().save(Path(folder, "rules.json"))
        rules = treewright.load(Path(folder, "rules.json"))
    assert again.tree_.prediction_rule == estimator.tree_.prediction_rule
    for one in (again, rules):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", treewright.UnseenCategoryWarning)
            assert one.predict(table).tolist() == answers.tolist()
            assert np.array_equal(one.predict_proba(table), found)
