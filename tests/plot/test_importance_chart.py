"""The chart of importances: the numbers of the estimator, the largest first."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from tests.export.hostile import tree_of_all
from tests.plot.drawn import closed
from treewright import CARTClassifier
from treewright.errors import ParameterError
from treewright.plot import importances

mpl.use("agg")


@pytest.fixture(scope="module")
def model():
    data = load_breast_cancer(as_frame=True)
    holes = data.data.mask(np.random.default_rng(0).random(data.data.shape) < 0.05)
    return CARTClassifier(pruning=None, max_depth=4).fit(holes, data.target)


def shown(ax):
    names = [text.get_text() for text in ax.get_yticklabels()]
    return dict(zip(names, (bar.get_width() for bar in ax.patches), strict=True))


@closed
def test_bars_are_the_importances_of_the_estimator(model):
    found = shown(importances(model, top=None))
    wanted = dict(zip(model.feature_names_in_, model.feature_importances_, strict=True))
    assert found == pytest.approx(wanted)
    assert list(found.values()) == sorted(found.values(), reverse=True)


@closed
def test_a_tree_alone_has_the_same_ones(model):
    assert model.tree_.surrogates is not None
    assert shown(importances(model.tree_)) == pytest.approx(shown(importances(model)))


@closed
def test_the_others_are_one_bar(model):
    found = shown(importances(model, top=3))
    assert len(found) == 4
    assert list(found)[-1] == "27 other columns"
    assert sum(found.values()) == pytest.approx(1)


@closed
def test_columns_that_gained_nothing_are_joined():
    model = CARTClassifier(pruning=None).fit([[1, 5, 5], [2, 5, 5]], ["a", "b"])
    assert shown(importances(model)) == {"x0": 1.0, "2 other columns": 0.0}
    alone = CARTClassifier(pruning=None).fit([[1, 5], [2, 5]], ["a", "a"])
    assert shown(importances(alone)) == {"x0": 0.0, "1 other column": 0.0}


@closed
def test_hostile_names_are_text():
    ax = importances(tree_of_all(), top=None)
    ax.figure.canvas.draw()
    assert "$x^2$" in shown(ax)


@pytest.mark.parametrize("bad", [0, -1, 1.5, "3", True])
def test_a_bad_number_of_columns_is_named(model, bad):
    with pytest.raises(ParameterError, match="top must be an integer of at least 1, or None for all columns, got"):
        importances(model, top=bad)
