"""What can be drawn: fitted estimators and trees; what cannot is told why."""

import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from treewright import C45Classifier, CARTClassifier
from treewright.errors import KindError
from treewright.export.outline import tree_of
from treewright.model.build import golf_example


def test_estimators_and_trees():
    model = CARTClassifier().fit([[1], [2]], ["a", "b"])
    assert tree_of(model) is model.tree_
    assert tree_of(model.grown_tree_) is model.grown_tree_


def test_what_is_not_fitted_gets_the_error_of_scikit_learn():
    with pytest.raises(NotFittedError, match="C45Classifier"):
        tree_of(C45Classifier())


@pytest.mark.parametrize("other", [None, 3, "tree", C45Classifier, golf_example().root])
def test_other_things_are_named(other):
    with pytest.raises(KindError, match="Expected a fitted Treewright estimator or a Tree, got"):
        tree_of(other)


def test_other_estimators_are_named():
    for theirs in (DecisionTreeClassifier(), DecisionTreeClassifier().fit([[1], [2]], [0, 1])):
        with pytest.raises(KindError, match="estimator or a Tree, got DecisionTreeClassifier"):
            tree_of(theirs)
