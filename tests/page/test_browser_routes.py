"""The page sends cases where the library does: answers, shares and ways of hundreds of rows, with holes and strangers.

`window.treewright.path` is asked for whole tables; what comes back is compared with predict, predict_proba and
decision_path of the estimator, of the same estimator with other prunings, and of the trees of the path.
"""

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier

from tests.golden.sets import load
from tests.page.tables import CLASSIFIERS, ESTIMATORS, fitted, mixed, page_of, rows_for
from treewright import C45Classifier, CARTClassifier, CARTRegressor, UnseenCategoryWarning
from treewright.estimators.prediction import encode_for_prediction
from treewright.model.formatting import format_category
from treewright.predict.predictions import predict_numbers, predict_probabilities
from treewright.prune.cost_complexity_path import cost_complexity_path

PATHS = "text => JSON.stringify(JSON.parse(text).map(row => treewright.path(row)))"
"""Asked and answered as text, which the driver of the browser passes on much faster than lists of lists."""


def bare(estimator):
    """Its page without what only the training rows can tell; a stored model has none."""
    return pickle.loads(pickle.dumps(estimator)).to_html(methods=[])


def paths(visit, table):
    """Where the page sends the rows of a table, and what it answers."""
    return json.loads(visit.ask(PATHS, json.dumps(cells(table))))


def cells(table):
    """The rows of a table as the page takes them: numbers, words, None."""
    columns = []
    for name in table.columns:
        as_cell = float if table[name].dtype.kind in "iuf" else format_category
        columns.append([None if pd.isna(x) else as_cell(x) for x in table[name].tolist()])
    return [list(row) for row in zip(*columns, strict=True)]


def strangers(table, seed=3):
    """The table with further holes and with categories that training never showed."""
    rng = np.random.default_rng(seed)
    changed = table.astype(object).where(rng.random(table.shape) > 0.15, None)
    for name in table.columns:
        if table[name].dtype.kind not in "iuf":
            changed.loc[rng.random(len(table)) < 0.08, name] = "never seen 没见过"
        else:
            changed[name] = pd.to_numeric(changed[name])
    return changed


def assert_same(visit, estimator, table):
    """The page answers these rows as the estimator does, and they go the same way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        answers = estimator.predict(table)
        ways = estimator.decision_path(table)
        by_class = estimator.predict_proba(table) if is_classifier(estimator) else answers[:, None]
    found = paths(visit, table)
    assert len(found) == len(table) > 0
    met = [sorted(map(tuple, one["numbers"])) for one in found]
    assert [[node for node, _ in way] for way in met] == [
        part.tolist() for part in np.split(ways.indices, ways.indptr[1:-1])
    ]
    assert [weight for way in met for _, weight in way] == pytest.approx(ways.data.tolist(), rel=1e-12)
    assert np.array([one["value"] for one in found]) == pytest.approx(by_class, rel=1e-12, abs=1e-15)
    if is_classifier(estimator):
        assert [one["answer"] for one in found] == [format_category(answer) for answer in answers.tolist()]
    else:
        assert [one["answer"] for one in found] == pytest.approx(answers.tolist(), rel=1e-12)


OTHERWISE_FITTED = (
    *("c45 textbook", "c45 raised and balanced", "twoing", "tree held out", "tree pruned by held out", "tree both"),
    "tree numbers held out",
)
"""Estimators whose trees are grown or pruned in another way than others', and asked in the same way."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) if name in OTHERWISE_FITTED else name for name in ESTIMATORS],
)
def test_every_strategy_sends_rows_where_predict_does(visit, name):
    page = visit(bare(fitted(name)))
    table, _, _ = mixed(noise=0.3 if "raised" in name else 0.1)
    assert_same(page, fitted(name), strangers(table))


@pytest.mark.parametrize(
    "name",
    [
        *("c45 raised", "c45 raised by costs", "cart", "cart numbers"),
        pytest.param("c45 raised and grouped", marks=pytest.mark.long),
    ],
)
def test_every_view_answers_as_the_tree_pruned_that_way(visit, name):
    page = visit(page_of(name, given=False))
    table = strangers(mixed(noise=0.3 if "raised" in name else 0.1)[0])[:100]
    keys = page.ask("treewright.document.views.map(view => view.key)")
    assert len(keys) > 3
    raised = 0
    for key in keys:
        page.ask("key => treewright.setView(key)", key)
        changes = page.ask("key => treewright.document.views.find(view => view.key === key).changes", key)
        raised += sum(question >= 0 for _, question in changes)
        if key == "own":
            other = fitted(name)
        else:
            other = clone(ESTIMATORS[name]).set_params(pruning=None if key == "grown" else key).fit(*rows_for(name))
        assert page.ask("treewright.view()") == key
        assert page.shown()["leaves"] == other.get_n_leaves()
        assert_same(page, other, table)
    assert (raised > 0) == ("raised" in name)


@pytest.mark.parametrize("name", ["cart", "c45", "cart numbers"])
def test_trees_of_the_path_answer_as_they_do_in_the_library(visit, name):
    estimator = fitted(name)
    page = visit(bare(estimator))
    path = cost_complexity_path(estimator.grown_tree_)
    table = strangers(mixed()[0])[:60]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        values = encode_for_prediction(estimator, table)
    rule = estimator._prediction_policy().rule
    assert page.ask("treewright.document.path.alphas.length") == len(path.alphas) > 2
    for i in np.unique(np.linspace(0, len(path.alphas) - 1, 9).astype(int)).tolist():
        page.ask("i => treewright.setAlpha(i)", i)
        tree = path.tree_at(path.alphas[i])
        assert page.shown()["leaves"] == tree.n_leaves
        predict = predict_probabilities if name in CLASSIFIERS else predict_numbers
        expected = predict(tree, values, rule).reshape(len(table), -1)
        found = paths(page, table)
        assert np.array([one["value"] for one in found]) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("set_name", "estimator"),
    [
        ("golf", C45Classifier()),
        ("vote", C45Classifier()),
        ("vote", CARTClassifier(pruning=None)),
        ("autompg", CARTRegressor(pruning=None)),
    ],
    ids=["golf", "vote by C4.5", "vote by CART", "autompg"],
)
def test_reference_tables_are_answered_row_by_row(visit, shared, set_name, estimator):
    table, target = load(shared, set_name)
    model = clone(estimator).fit(table, target)
    page = visit(bare(model))
    assert_same(page, model, table)
    assert_same(page, model, strangers(table))


def assert_adult_is_answered(visit, shared, n_rows):
    table, target = load(shared, "adult")
    model = C45Classifier().fit(table[:n_rows], target[:n_rows])
    page = visit(bare(model))
    assert model.get_n_leaves() > 80
    # Rows with holes are the hard ones.
    holes = table[table.isna().any(axis=1)]
    assert_same(page, model, pd.concat([table[-150:], holes[:150]]))
    assert_same(page, model, strangers(table[:150]))


def test_a_part_of_adult_is_answered_row_by_row(visit, shared):
    assert_adult_is_answered(visit, shared, 6_000)


@pytest.mark.long
def test_adult_is_answered_row_by_row(visit, shared):
    assert_adult_is_answered(visit, shared, None)


def test_a_rule_that_refuses_says_so(visit):
    table, classes, _ = mixed(holes=0.0)
    model = CARTClassifier(missing="error").fit(table, classes)
    page = visit(model.to_html())
    assert_same(page, model, table)
    said = page.ask("row => { try { treewright.path(row); } catch (error) { return error.message; } }", [None] * 6)
    assert said.startswith("No prediction: the value of")
