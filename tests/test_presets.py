"""Presets: estimators that grow and prune as another program does.

The whole comparison with those programs stands in tests/golden; here each preset is held against a figure that can be
had without the reference data, and its options against what they stand for.
"""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ParameterError,
    TreeClassifier,
    presets,
    prune,
)

IRIS = load_iris(return_X_y=True, as_frame=True)


def test_rpart_on_iris_is_the_printed_tree():
    """rpart.md, iris default: 3 leaves, cp 0.50, 0.44, 0.01; with cp=0 and minsplit=2, 9 leaves."""
    model = presets.rpart().fit(*IRIS)
    assert model.get_n_leaves() == 3
    assert model.tree_.threshold[model.tree_.n_children > 0].tolist() == pytest.approx([2.45, 1.75])
    assert model.pruning_report_.path.alphas[::-1][:2] == pytest.approx([0.5 * 2 / 3, 0.44 * 2 / 3])
    full = presets.rpart(cp=0.0, minsplit=2, minbucket=1).fit(*IRIS)
    assert full.get_n_leaves() == 9


def test_rpart_searches_surrogates_in_a_complete_table():
    assert len(presets.rpart().fit(*IRIS).tree_.surrogates)
    assert presets.rpart(maxsurrogate=2).fit(*IRIS).tree_.node(0).surrogates[2:] == []


def test_j48_on_iris_is_the_printed_tree():
    """weka.md: petalwidth <= 0.6; <= 1.7; petallength <= 4.9; petalwidth <= 1.5: 5 leaves, 9 nodes, 3 errors."""
    tree = presets.j48().fit(*IRIS).tree_
    assert (tree.n_leaves, tree.n_nodes) == (5, 9)
    assert tree.threshold[tree.n_children > 0].tolist() == [0.6, 1.7, 4.9, 1.5]


def test_release8_on_iris_is_the_same_tree():
    tree = presets.c45_release8().fit(*IRIS).tree_
    assert tree.threshold[tree.n_children > 0].tolist() == [0.6, 1.7, 4.9, 1.5]


@pytest.mark.parametrize("ccp_alpha", [0.0, 0.003, 0.02])
def test_scikit_learn_has_its_leaves(ccp_alpha):
    X, y = load_breast_cancer(return_X_y=True)
    theirs = DecisionTreeClassifier(ccp_alpha=ccp_alpha, random_state=0).fit(X, y)
    ours = presets.scikit_learn(ccp_alpha=ccp_alpha).fit(X, y)
    # Columns of this table tie here and there, and scikit-learn takes one of them by chance.
    assert abs(ours.get_n_leaves() - theirs.get_n_leaves()) <= (2 if ccp_alpha == 0.0 else 0)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-12)


def test_scikit_learn_has_its_numbers():
    X, y = load_diabetes(return_X_y=True)
    theirs = DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, y)
    ours = presets.scikit_learn(task="regression", max_depth=4).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


def test_options_are_those_of_the_programs():
    assert presets.c45_release8(gain=True, subset=True, min_cases=5, confidence=0.1).get_params() == (
        C45Classifier(
            criterion="gain",
            grouping="greedy",
            min_samples_leaf=5,
            pruning=prune.ErrorBased(confidence=0.1, limit="release8"),
        ).get_params()
    )
    assert presets.j48(raising=False).pruning == prune.ErrorBased(limit="weka", raising=False)
    assert presets.j48(unpruned=True).pruning is None
    assert isinstance(presets.rpart(method="anova"), CARTRegressor)
    assert presets.rpart(0.1, 30, 10, 5, 2).get_params() == (
        CARTClassifier(
            max_depth=5,
            min_samples_split=30,
            min_samples_leaf=10,
            min_impurity_decrease=presets.NO_GAIN,
            max_surrogates=2,
            surrogates="always",
            pruning=prune.CostComplexity(cp=0.1),
        ).get_params()
    )
    assert presets.scikit_learn(max_depth=3).max_depth == 3


@pytest.mark.parametrize("make", [presets.c45_release8, presets.j48, presets.rpart, presets.scikit_learn])
def test_presets_are_estimators_like_any_other(make):
    model = make()
    assert not isinstance(model, TreeClassifier)
    assert clone(model).get_params() == model.get_params()
    assert "Known differences" in make.__doc__


@pytest.mark.parametrize(
    ("make", "given"), [(presets.rpart, {"method": "exp"}), (presets.scikit_learn, {"task": "x"})]
)
def test_an_unknown_choice_lists_the_known_ones(make, given):
    ((name, value),) = given.items()
    with pytest.raises(
        ParameterError, match=rf"{name} must be one of '(class|classification)', .*got '{value}'"
    ):
        make(**given)
