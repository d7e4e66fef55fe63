"""Charts of pruning: the errors of a path and of a comparison are those of the library."""

from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from tests.plot.drawn import closed, legend_of, texts_of
from treewright import C45Classifier, CARTClassifier, CARTRegressor, compare_pruning
from treewright.errors import InputError, KindError, ParameterError
from treewright.model.build import build, golf_example, leaf
from treewright.plot import pruning_comparison, pruning_path
from treewright.plot.pruning_charts import _spread_out
from treewright.prune import CostComplexity

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.patches import StepPatch
from matplotlib.text import Text


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
    assert ax.get_ylabel() == "error rate"
    assert legend_of(ax) == [
        "training rows", "cross-validation ± 1 standard error", "minimum error + 1 standard error", "chosen: 3 leaves",
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
    assert ax.get_ylabel() == "error relative to the root"
    assert risk[-1] == pytest.approx(1)
    assert error[-1] == pytest.approx(model.pruning_report_.path.error[-1] / (2 / 3))


@closed
def test_other_trees_have_a_path_without_a_choice():
    X, y = load_iris(return_X_y=True)
    for model in (C45Classifier().fit(X, y), golf_example(), CARTRegressor(pruning=None).fit(X, y)):
        ax = pruning_path(model)
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
    with pytest.raises(KindError, match="or a Tree, got str"):
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




@pytest.fixture(scope="module")
def table():
    X, y = load_iris(return_X_y=True)
    return compare_pruning(CARTClassifier(), X[::2], y[::2], X[1::2], y[1::2], folds=3)


def points(ax):
    return [tuple(c.get_offsets()[0].tolist()) for c in ax.collections]


FIELDS = [(None, "cv_error"), ("validation", "validation_error"), ("training", "training_error")]


@pytest.mark.parametrize(("error", "field"), FIELDS)
@closed
def test_each_method_stands_at_its_leaves_and_error(table, error, field):
    ax = pruning_comparison(table, error=error)
    assert points(ax) == [(row.n_leaves, pytest.approx(getattr(row, field))) for row in table.rows]
    said = ", ".join(texts_of(ax))
    assert all(row.method.replace("_", " ") in said for row in table.rows)


@closed
def test_methods_that_saw_the_validation_rows_are_hollow(table):
    ax = pruning_comparison(table, error="validation")
    hollow = [len(c.get_facecolors()) == 0 for c in ax.collections]
    assert hollow == [row.used_validation for row in table.rows]
    assert any(hollow)
    assert not any(len(c.get_facecolors()) == 0 for c in pruning_comparison(table).collections)


@closed
def test_names_do_not_overlap(table):
    ax = pruning_comparison(table)
    ax.figure.canvas.draw()
    places = [Text.get_window_extent(text) for text in ax.texts]  # without the line to the point
    assert len(places) == len(table.rows)
    for i, a in enumerate(places):
        assert not any(a.y0 < b.y1 - 2 and b.y0 < a.y1 - 2 for b in places[:i])


def test_what_is_not_there_is_named(table):
    X, y = load_iris(return_X_y=True)
    bare = compare_pruning(CARTClassifier(), X, y, methods=["pessimistic"], folds=None)
    with pytest.raises(InputError, match=r"no cv error\. Use one of 'training'"):
        pruning_comparison(bare, error="cv")
    with pytest.raises(ParameterError, match=r"error must be one of .* got 'test'"):
        pruning_comparison(table, error="test")
    with pytest.raises(KindError, match="comparison must be a result of compare_pruning, got list"):
        pruning_comparison([])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.01, 0.3))
def test_heights_are_apart_in_order_and_not_farther_than_needed(heights, room):
    heights = sorted(heights)
    found = _spread_out(heights, room)
    assert np.all(np.diff(found) >= room - 1e-9)
    assert sum(found) == pytest.approx(sum(heights))
    if np.all(np.diff(heights) >= room + 1e-9):
        assert found == pytest.approx(heights)
