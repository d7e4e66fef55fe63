"""Warnings of trees that are of little use: a single leaf, very many leaves, a split with many branches."""

import warnings

import numpy as np
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    ID3Classifier,
    MDLTreeClassifier,
    TreeRegressor,
    TreeShapeWarning,
    compare_pruning,
)
from treewright.evaluate.cross import cross_validate

RNG = np.random.default_rng(0)
NOISE = RNG.random((100, 2)), RNG.integers(0, 2, 100)
IDS = [[f"id {i}", i % 3] for i in range(40)], [i % 2 for i in range(40)]


def many_steps(n_rows=400):
    """A target of more than 100 steps that pruning keeps."""
    x = np.arange(n_rows, dtype=float)
    return x[:, None], (x // 3 % 2).astype(int)


def caught(fit):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", TreeShapeWarning)
        fit()
    return [str(one.message) for one in found if one.category is TreeShapeWarning]


def test_a_single_leaf_is_left():
    model = CARTClassifier()
    with pytest.warns(TreeShapeWarning, match="single leaf") as found:
        model.fit(*NOISE)
    assert model.tree_.n_leaves == 1
    assert len(found) == 1
    assert found[0].filename == __file__
    said = str(found[0].message)
    assert "'cost_complexity'" in said
    assert f"{model.grown_tree_.n_leaves} leaves" in said
    assert "pruning=None" in said


def test_the_step_that_left_a_single_leaf_is_named():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1, 0] * 5
    said = caught(lambda: CARTClassifier(pruning=None, size=2).fit(X, y))
    assert len(said) == 1
    assert "'max_leaves'" in said[0]
    assert "larger size" in said[0]
    said = caught(lambda: CARTClassifier(pruning=None, validation_fraction=0.3).fit(*NOISE))
    assert len(said) == 1
    assert "'pre_pruning'" in said[0]


def test_a_tree_that_never_had_a_split_is_no_surprise():
    assert not caught(lambda: CARTClassifier().fit([[1.0], [2.0]], ["a", "a"]))
    assert not caught(lambda: CARTClassifier(max_leaf_nodes=2).fit([[1.0], [1.0]], ["a", "b"]))


def test_too_many_leaves():
    X, y = many_steps()
    said = caught(lambda: CARTClassifier(pruning="same_decision").fit(X, y))
    assert len(said) == 1
    assert "134 leaves for 400 training rows" in said[0]
    assert "size='readable'" in said[0]
    for asked_for in ({"pruning": None}, {"pruning": "same_decision", "size": 150}):
        assert not caught(lambda asked_for=asked_for: CARTClassifier(**asked_for).fit(X, y))
    assert not caught(lambda: CARTClassifier(pruning="same_decision").fit(*many_steps(10_000)))


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (ID3Classifier(numeric="bisect"), "C45Classifier with grouping='binary'"),
        (C45Classifier(pruning=None, min_samples_leaf=1, variant="textbook"), "set grouping='binary'"),
        (TreeRegressor(grouping="each"), "set grouping='binary'"),
    ],
)
def test_too_many_branches(model, advice):
    said = caught(lambda: model.fit(*IDS))
    assert model.tree_.n_children.max() == 40
    assert len(said) == 1
    assert "column 'x0' has 40 branches" in said[0]
    assert advice in said[0]
    assert "drop the column" in said[0]
    assert not caught(lambda: MDLTreeClassifier(pruning=None).fit(*IDS))


def test_fits_inside_of_others_do_not_warn():
    assert not caught(lambda: compare_pruning(ID3Classifier(numeric="bisect"), *IDS, folds=2))
    assert not caught(lambda: cross_validate({"cart": CARTClassifier()}, *NOISE, folds=3))
    assert len(caught(lambda: MDLTreeClassifier(tune=True).fit(*NOISE))) <= 1


@pytest.mark.parametrize(
    ("model", "data", "option"),
    [
        (CARTClassifier(), NOISE, "--pruning none"),
        (CARTClassifier(pruning=None, size=2), ([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1, 0] * 5), "--size"),
        (CARTClassifier(pruning="same_decision"), many_steps(), "--size readable"),
        (ID3Classifier(numeric="bisect"), IDS, "-a c4.5 --set grouping=binary"),
        (TreeRegressor(grouping="each"), IDS, "--set grouping=binary"),
    ],
)
def test_the_command_line_names_its_options_in_both_languages(model, data, option):
    with pytest.warns(TreeShapeWarning) as found:
        model.fit(*data)
    assert option in found[0].message.cli_message("en")
    chinese = found[0].message.cli_message("zh")
    assert option in chinese
    assert "tree" not in chinese
