"""Scores against scikit-learn's metrics, which count the same things in another way."""

import json
import warnings

import numpy as np
import pytest
from sklearn import metrics

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.evaluate.score_report import (
    class_lines,
    confusion_lines,
    describe_error,
    leaf_lines,
    leaf_scores,
    score_lines,
)
from treewright.evaluate.scores import UNKNOWN_CLASS, class_scores, number_scores, score_tree
from treewright.model.build import golf_example
from treewright.predict.missing_policy import MissingPolicy
from treewright.text_table import text_width

CLASSES = ("a", "b", "c")


def answers(seed, weighted):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 60))
    actual, answered = random.integers(0, 3, n), random.integers(0, 3, n)
    shares = random.random((n, 3)) * (random.random((n, 3)) > 0.3)
    shares[np.arange(n), answered] += 0.1
    shares /= shares.sum(axis=1, keepdims=True)
    weight = random.integers(0, 4, n).astype(float) + 0.25 if weighted else None
    return actual, answered, shares, weight


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_figures_of_classes_are_those_of_scikit_learn(seed, weighted):
    actual, answered, shares, weight = answers(seed, weighted)
    found = class_scores(CLASSES, actual, answered, shares, weight)
    labels, given = [0, 1, 2], {"sample_weight": weight}
    expected = metrics.confusion_matrix(actual, answered, labels=labels, **given)
    np.testing.assert_allclose(found.confusion, expected, rtol=1e-12)
    assert found.accuracy == pytest.approx(metrics.accuracy_score(actual, answered, **given), rel=1e-12)
    assert found.error == pytest.approx(1 - found.accuracy, abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of classes that were never answered
        parts = metrics.precision_recall_fscore_support(
            actual, answered, labels=labels, zero_division=np.nan, **given
        )
    for ours, theirs in zip((found.precision, found.recall, found.f1), parts, strict=False):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    expected = metrics.log_loss(actual, np.maximum(shares, 1e-15), labels=labels, **given)
    assert found.log_loss == pytest.approx(expected, rel=1e-9)
    ruled_out = shares[np.arange(len(actual)), actual] == 0
    assert found.ruled_out == pytest.approx((np.ones(len(actual)) if weight is None else weight)[ruled_out].sum())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_figures_of_numbers_are_those_of_scikit_learn(seed, weighted):
    random = np.random.default_rng(seed)
    actual, answered = random.normal(size=30), random.normal(size=30)
    weight = random.random(30) if weighted else None
    found, given = number_scores(actual, answered, weight), {"sample_weight": weight}
    assert found.rmse == pytest.approx(metrics.root_mean_squared_error(actual, answered, **given), rel=1e-12)
    assert found.mae == pytest.approx(metrics.mean_absolute_error(actual, answered, **given), rel=1e-12)
    assert found.r2 == pytest.approx(metrics.r2_score(actual, answered, **given), rel=1e-9)


def test_r2_of_equal_numbers_is_not_known():
    found = number_scores(np.ones(3), np.zeros(3))
    assert found.r2 is None
    assert "undefined" in "\n".join(score_lines(found))
    assert found.to_dict()["r2"] is None


def test_a_class_that_training_never_showed_is_wrong_whatever_is_answered():
    found = class_scores(("a", "b"), np.array([0, UNKNOWN_CLASS, 1]), np.array([0, 1, 1]), np.full((3, 2), 0.5))
    assert found.unknown_weight == 1
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.confusion.tolist() == [[1, 0], [0, 1]]
    assert found.ruled_out == 1
    assert confusion_lines(found)[-1] == "1 row of a class that is not in the training data, counted as wrong"


def test_what_cannot_be_said_is_null_in_json():
    found = class_scores(("a", "b"), np.array([0, 0]), np.array([0, 0]))
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["classes"][1] == {"class": "b", "weight": 0.0, "precision": None, "recall": None, "f1": None}
    assert class_lines(found)[2].split() == ["b", "0", "-", "-", "-"]


@pytest.mark.parametrize("weight", [None, np.zeros(0)])
def test_no_row_is_refused(weight):
    with pytest.raises(InputError, match="no labelled rows"):
        class_scores(("a",), np.zeros(0, int), np.zeros(0, int), weight=weight)


def test_rows_without_weight_are_refused():
    with pytest.raises(InputError, match="no labelled rows"):
        number_scores(np.ones(2), np.ones(2), np.zeros(2))


def test_a_matrix_is_aligned_for_wide_characters():
    found = class_scores(("好瓜", "坏瓜", "x\x1b[31m"), np.array([0, 1, 2, 0]), np.array([0, 1, 2, 1]))
    lines = confusion_lines(found)
    assert len({text_width(line) for line in lines}) == 1
    assert "\x1b" not in "".join(lines)
    assert "\\x1b[31m" in lines[0]


def test_many_classes_are_counted_instead_of_shown():
    codes = np.arange(21)
    lines = confusion_lines(class_scores(tuple(map(str, codes)), codes, codes))
    assert len(lines) == 1
    assert "21 classes" in lines[0]


def golf_rows():
    """Quinlan's 14 days, in the codes of the example tree, two of them answered otherwise."""
    tree = golf_example()
    values = np.array([[0, 70.0, 0], [0, 90, 0], [1, 80, 1], [2, 80, 0], [2, 80, 1], [2, 70, 1]])
    return tree, Dataset(tree.schema, values, np.array([1, 0, 1, 1, 0, 1], dtype=np.int32))


def test_leaves_add_up_to_the_whole():
    tree, rows = golf_rows()
    whole, parts = score_tree(tree, rows, MissingPolicy()), leaf_scores(tree, rows, MissingPolicy())
    assert sum(one.loss for one in parts) == whole.errors == 1
    assert sum(one.rows for one in parts) == 6
    assert [one.node for one in parts] == np.flatnonzero(tree.is_leaf).tolist()
    assert parts[-1].where == "outlook = rain and windy = True"
    assert parts[-1].to_dict()["error"] == 0.5
    lines = leaf_lines(parts, is_number=False)
    assert lines[1].split()[:4] == [str(parts[-1].node), "2", "1", "50.0%"]
    assert describe_error(whole) == "16.7% (1 of 6)"


def test_the_scores_of_a_regression_tree_are_numbers():
    from treewright import CARTRegressor

    X, y = np.arange(20.0)[:, None], np.repeat([1.0, 5.0], 10)
    model = CARTRegressor(pruning=None).fit(X, y)
    rows = Dataset(model.tree_.schema, X, y + np.tile([0.0, 1.0], 10))
    assert score_tree(model.tree_, rows, MissingPolicy()).mae == 0.5
    found = leaf_scores(model.tree_, rows, MissingPolicy())
    assert [one.error for one in found] == [0.5, 0.5]
    assert leaf_lines(found, is_number=True)[0].split() == ["leaf", "rows", "RMSE", "prediction", "path"]
