"""Training rows at leaves: as many as the tree counted, and those that decision_path sends there."""

import numpy as np
import pytest

from tests.golden.sets import load
from treewright import C45Classifier, CARTClassifier, TreeClassifier
from treewright.explain.explanation import training_rows_at


@pytest.mark.parametrize(
    "model",
    [C45Classifier(), CARTClassifier(), *(TreeClassifier(missing=how) for how in ("learned", "branch", "stop"))],
    ids=repr,
)
@pytest.mark.parametrize("name", ["labor", "vote", "iris"])
def test_the_rows_are_those_that_the_tree_counted(shared, model, name):
    X, y = load(shared, name)
    model.fit(X, y)
    tree, path = model.tree_, model.decision_path(X).toarray() > 0
    leaves = np.flatnonzero(tree.is_leaf).tolist()
    for some in (leaves, leaves[-1:], leaves[:3]):
        found = training_rows_at(tree, model._kept, some, len(X))
        assert [list(rows) for rows in found] == [np.flatnonzero(path[:, leaf]).tolist() for leaf in some]
        # With shares a row may be counted in fewer leaves than predict sends a hair of it to.
        if not np.isnan(model._kept.values).any() or model.missing != "fractional":
            assert [len(rows) for rows in found] == tree.count[some].tolist()
    assert training_rows_at(tree, model._kept, leaves, 2) == [
        rows[:2] for rows in training_rows_at(tree, model._kept, leaves, 9)
    ]


def test_rows_of_weight_0_are_behind_nothing():
    X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
    model = CARTClassifier(pruning=None).fit(X, y, [1, 0, 1, 2])
    assert training_rows_at(model.tree_, model._kept, [1, 2], 9) == [(0,), (1, 2)]  # places among the rows that count
    assert model.explain([4]).ends[0].rows == (1, 2)
