"""compare_pruning: every method over one growth, against the estimators that prune by themselves."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    InputError,
    KindError,
    ParameterError,
    compare_pruning,
    prune,
)
from treewright.data.dataset import Dataset
from treewright.data.folds import folds
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.prune.registry import compared_methods

X, Y = load_breast_cancer(return_X_y=True)
TRAINING, VALIDATION = (X[::2], Y[::2]), (X[1::2], Y[1::2])


@pytest.mark.parametrize("estimator", [C45Classifier(), CARTClassifier(), ID3Classifier(numeric="bisect")], ids=repr)
def test_every_row_is_what_the_estimator_makes(estimator):
    table = compare_pruning(estimator, *TRAINING, *VALIDATION, folds=None)
    assert [row.method for row in table.rows] == ["none", *compared_methods(is_number=False)]
    for row in table.rows:
        pruning = None if row.method == "none" else row.method
        model = clone(estimator).set_params(pruning=pruning, pre_pruning=False)
        model.fit(*TRAINING, X_val=VALIDATION[0], y_val=VALIDATION[1])
        if pruning == "error_based" and isinstance(estimator, C45Classifier):
            assert model._method() == prune.ErrorBased()
        assert (row.n_leaves, row.depth) == (model.get_n_leaves(), model.get_depth())
        assert row.training_error == pytest.approx(1 - model.score(*TRAINING))
        assert row.validation_error == pytest.approx(1 - model.score(*VALIDATION))
        n_splits = [np.count_nonzero(tree.n_children) for tree in (model.grown_tree_, model.tree_)]
        assert row.n_removed == n_splits[0] - n_splits[1]
        assert row.cv_error is None


def test_cross_validation_grows_and_prunes_anew():
    """The folds are taken from the same dealer, the rest is done through the estimator."""
    table = compare_pruning(CARTClassifier(), X, Y, methods=["pessimistic"], folds=5)
    schema = Schema(tuple(Column(f"x{i}", Kind.NUMBER) for i in range(X.shape[1])), Target("target", (0, 1)))
    wrong = {"none": 0.0, "pessimistic": 0.0}
    for training, held_out in folds(Dataset(schema, X, Y.astype(np.int32)), 5):
        for name in wrong:
            model = CARTClassifier(pruning=None if name == "none" else name).fit(training.values, training.target)
            wrong[name] += np.count_nonzero(model.predict(held_out.values) != held_out.target)
    assert {row.method: row.cv_error for row in table.rows} == pytest.approx({n: w / len(Y) for n, w in wrong.items()})


def test_without_validation_rows_the_methods_that_need_them_are_named():
    table = compare_pruning(CARTClassifier(), X, Y, folds=None)
    assert {name for name, _ in table.left_out} == {"reduced_error", "pre_pruning"}
    assert all(row.validation_error is None for row in table.rows)
    assert "reduced_error is left out: it needs validation rows" in str(table)


def test_regression_has_the_methods_that_mean_something():
    numbers, target = load_diabetes(return_X_y=True)
    table = compare_pruning(CARTRegressor(), numbers[::2], target[::2], numbers[1::2], target[1::2], folds=3)
    assert [row.method for row in table.rows] == ["none", *compared_methods(is_number=True)]
    model = CARTRegressor(pruning=None).fit(numbers[::2], target[::2])
    assert table.rows[0].validation_error == pytest.approx(np.mean((model.predict(numbers[1::2]) - target[1::2]) ** 2))
    with pytest.raises(KindError, match="cannot be used for regression"):
        compare_pruning(CARTRegressor(), numbers, target, methods=["mdl"])


def test_settings_of_one_method_are_told_apart():
    strict, usual = prune.ErrorBased(confidence=0.01), prune.ErrorBased()
    table = compare_pruning(C45Classifier(), X, Y, methods=[usual, strict], folds=None)
    assert [row.method for row in table.rows] == ["none", "error_based", repr(strict)]


def test_the_estimator_is_left_alone():
    model = CARTClassifier().fit(X, Y)
    before = model.tree_.fingerprint(), model.get_params()
    compare_pruning(model, X, Y, methods=["mdl"], folds=None)
    assert (model.tree_.fingerprint(), model.get_params()) == before


def test_it_is_a_table_for_people():
    colours = pd.DataFrame({"颜色": ["红", "蓝", "红", "蓝"] * 5, "尺寸": np.arange(20)})
    answers = ["是", "否"] * 9 + ["否", "否"]
    table = compare_pruning(ID3Classifier(numeric="bisect"), colours, answers, folds=4)
    assert "颜色 = 红" in str(table)
    frame = table.to_frame()
    assert frame["method"].tolist() == [row.method for row in table.rows]
    assert "<table>" in table._repr_html_()
    assert "error rate" in str(table)


def test_the_table_in_chinese():
    colours = pd.DataFrame({"颜色": ["红", "蓝", "红", "蓝"] * 5, "尺寸": np.arange(20)})
    answers = ["是", "否"] * 9 + ["否", "否"]
    table = compare_pruning(ID3Classifier(numeric="bisect"), colours, answers, folds=4, language="zh")
    lines = str(table).splitlines()
    assert lines[0].split() == ["方法", "叶结点数", "深度", "训练", "交叉验证", "剪去的划分", "剪去的最大结点"]
    assert "训练, 交叉验证：错误率" in lines
    assert "未列入 reduced_error：需要验证集 X_val 和 y_val" in lines
    english = compare_pruning(ID3Classifier(numeric="bisect"), colours, answers, folds=4)
    assert [row.cv_error for row in table.rows] == [row.cv_error for row in english.rows]
    assert list(table.to_frame().columns) == list(english.to_frame().columns)
    assert "剪去的划分" in table._repr_html_()
    model = ID3Classifier(numeric="bisect")
    checked = compare_pruning(model, colours, answers, colours, answers, folds=None, language="zh")
    assert "用验证集剪枝" in str(checked)
    with pytest.raises(ParameterError, match="language must be one of 'en', 'zh', got 'fr'"):
        compare_pruning(CARTClassifier(), X, Y, language="fr")


def test_what_cannot_be_compared_is_said():
    with pytest.raises(InputError, match="X_val and y_val must be passed together"):
        compare_pruning(CARTClassifier(), X, Y, X)
    with pytest.raises(ParameterError, match="folds must be an integer of at least 2, got 1"):
        compare_pruning(CARTClassifier(), X, Y, folds=1)
    with pytest.raises(ParameterError, match=r"pruning must be one of .*, got 'trim'"):
        compare_pruning(CARTClassifier(), X, Y, methods=["trim"])
