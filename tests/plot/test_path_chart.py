"""The chart of a cost-complexity path: its lines are the numbers of the path."""

from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_iris

from tests.plot.drawn import closed, legend_of, texts_of
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.errors import KindError
from treewright.model.build import build, golf_example, leaf
from treewright.plot import pruning_path
from treewright.prune import CostComplexity

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.patches import StepPatch


@pytest.fixture(scope="module")
def iris():
    return CARTClassifier().fit(*load_iris(return_X_y=True))


def steps(ax):
    return [patch.get_data().values for patch in ax.patches if isinstance(patch, StepPatch)]


@closed
def test_training_and_cross_validated_errors_are_those_of_the_path(iris):
    path = iris.pruning_report_.path
    ax = pruning_path(iris)
    risk, error = steps(ax)
    assert risk.tolist() == path.risk.tolist()
    assert error.tolist() == path.error.tolist()
    assert ax.get_ylabel() == "share of wrong answers"
    assert legend_of(ax) == [
        "training rows", "cross-validation ± 1 standard error", "least error + 1 standard error", "chosen: 3 leaves",
    ]  # fmt: skip
    best = int(np.flatnonzero(path.error == path.error.min())[-1])
    levels = [line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == "--"]
    assert path.error[best] + path.standard_error[best] in levels
    assert "3" in texts_of(ax)


@closed
def test_the_path_itself_and_validation_rows(iris):
    assert steps(pruning_path(iris.pruning_report_.path))[0].tolist() == steps(pruning_path(iris))[0].tolist()
    X, y = load_iris(return_X_y=True)
    model = CARTClassifier().fit(X[::2], y[::2], X_val=X[1::2], y_val=y[1::2])
    assert "validation rows ± 1 standard error" in legend_of(pruning_path(model))


@closed
def test_a_path_by_impurity_is_drawn_in_parts_of_the_root():
    X, y = load_iris(return_X_y=True)
    model = CARTClassifier(pruning=CostComplexity(risk="impurity")).fit(X, y)
    ax = pruning_path(model)
    risk, error = steps(ax)
    assert ax.get_ylabel() == "error in parts of the root's"
    assert risk[-1] == pytest.approx(1)
    assert error[-1] == pytest.approx(model.pruning_report_.path.error[-1] / (2 / 3))


@closed
def test_other_trees_have_a_path_without_a_choice():
    X, y = load_iris(return_X_y=True)
    for given in (C45Classifier().fit(X, y), golf_example(), CARTRegressor(pruning=None).fit(X, y)):
        ax = pruning_path(given)
        ax.figure.canvas.draw()
        assert len(steps(ax)) == 1
        assert legend_of(ax) == ["training rows"]


@closed
def test_long_paths_have_a_band_and_few_labels():
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 3))
    model = CARTRegressor().fit(X, X[:, 0] + random.normal(size=600))
    path = model.pruning_report_.path
    assert len(path) > 100
    ax = pruning_path(model)
    assert len([text for text in ax.texts if text.get_text()]) < 15
    ax.figure.canvas.draw()


@closed
def test_a_single_leaf_has_a_path_too():
    tree = build(golf_example().schema, leaf({"Play": 3, "Don't Play": 1}))
    pruning_path(tree).figure.canvas.draw()
    pruning_path(CARTClassifier().fit([[1], [2]], ["a", "a"])).figure.canvas.draw()


def test_what_has_no_path_is_named():
    with pytest.raises(KindError, match="A str has no path"):
        pruning_path("path")


@pytest.mark.parametrize("size", [(6.8, 4.2), (2.6, 2.0)])
@closed
def test_the_legend_hides_no_line(size):
    X, y = load_iris(return_X_y=True)
    ax = pruning_path(CARTClassifier().fit(X, y), plt.subplots(figsize=size, layout="constrained")[1])
    ax.figure.canvas.draw()
    low = ax.get_legend().get_window_extent().y0
    highest = max(stairs.get_data().values.max() for stairs in ax.patches if hasattr(stairs, "get_data"))
    assert ax.transData.transform([0.0, highest])[1] < low
    sizes = [text for text in ax.texts if text.get_text() != "leaves:"]
    ordered = sorted(sizes, key=lambda text: text.get_window_extent().x0)
    assert not any(one.get_window_extent().overlaps(other.get_window_extent()) for one, other in pairwise(ordered))
