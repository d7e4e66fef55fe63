"""Classifier and regressor: classes of every sort come back as they were, shares and numbers are right."""

import numpy as np
import pandas as pd
import pytest

from treewright import CARTClassifier, CARTRegressor

Golf = tuple[pd.DataFrame, pd.Series]


@pytest.mark.parametrize(
    "classes",
    [
        ["no", "yes"],
        [0, 1],
        [-1, 1],
        [False, True],
        [0.0, 1.0],
        ["否", "是"],
        ["⛔", "🎾"],
        ["a", "a\0"],
        ["", " "],
    ],
    ids=repr,
)
def test_classes_come_back_as_they_were(classes: list) -> None:
    y = np.array([classes[0], classes[1], classes[1]], dtype=object)
    model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], y)
    assert model.classes_.tolist() == classes
    assert model.n_classes_ == 2
    assert model.predict([[0.0], [9.0]]).tolist() == classes


def test_classes_have_a_numpy_type() -> None:
    X = [[1.0], [2.0]]
    assert CARTClassifier(pruning=None).fit(X, [0, 1]).classes_.dtype.kind == "i"
    assert CARTClassifier(pruning=None).fit(X, ["a", "b"]).classes_.dtype.kind == "U"
    assert CARTClassifier(pruning=None).fit(X, [False, True]).classes_.dtype == bool


def test_shares_are_of_the_leaf() -> None:
    X = [["a"], ["a"], ["a"], ["b"]]
    model = CARTClassifier(pruning=None).fit(X, ["x", "y", "y", "x"])
    np.testing.assert_allclose(model.predict_proba([["a"], ["b"]]), [[1 / 3, 2 / 3], [1, 0]])
    np.testing.assert_allclose(model.predict_log_proba([["a"]]), np.log([[1 / 3, 2 / 3]]))


def test_no_share_has_a_logarithm_of_minus_infinity_without_a_warning(
    recwarn: pytest.WarningsRecorder,
) -> None:
    model = CARTClassifier(pruning=None).fit([[1.0], [2.0]], ["x", "y"])
    assert model.predict_log_proba([[1.0]]).tolist() == [[0.0, -np.inf]]
    assert not recwarn.list


def test_the_first_class_wins_a_tie() -> None:
    model = CARTClassifier(pruning=None).fit([[1.0], [1.0]], ["b", "a"])
    assert model.predict([[1.0]]).tolist() == ["a"]


def test_class_weight_is_a_weight() -> None:
    X = [["a"], ["a"], ["a"]]
    y = ["x", "x", "y"]
    assert CARTClassifier(pruning=None).fit(X, y).predict([["a"]]).tolist() == ["x"]
    weighted = CARTClassifier(pruning=None, class_weight={"y": 3}).fit(X, y)
    assert weighted.predict_proba([["a"]]).tolist() == [[0.4, 0.6]]
    balanced = CARTClassifier(pruning=None, class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(balanced.predict_proba([["a"]]), [[0.5, 0.5]])


def test_class_weight_multiplies_sample_weight() -> None:
    X = [["a"], ["a"]]
    model = CARTClassifier(pruning=None, class_weight={"x": 2}).fit(X, ["x", "y"], sample_weight=[3, 4])
    np.testing.assert_allclose(model.predict_proba([["a"]]), [[0.6, 0.4]])


def test_the_regressor_answers_mean_or_median() -> None:
    X = [["a"]] * 4
    y = [0.0, 0.0, 1.0, 9.0]
    assert CARTRegressor(pruning=None).fit(X, y).predict([["a"]]).tolist() == [2.5]
    median = CARTRegressor(pruning=None, criterion="absolute_error").fit(X, y).predict([["a"]])
    assert 0.0 <= median[0] <= 1.0


def test_score_is_accuracy_and_r2(golf: Golf) -> None:
    X, y = golf
    stump = CARTClassifier(pruning=None, max_depth=1).fit(X, y)
    assert stump.score(X, y) == np.mean(stump.predict(X) == y)
    line = np.arange(10.0)
    assert CARTRegressor(pruning=None).fit(line[:, None], line).score(line[:, None], line) == 1.0
