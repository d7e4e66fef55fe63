"""The chart of a comparison: a point for each method, named apart from the others."""

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from tests.plot.drawn import closed, texts_of
from treewright import CARTClassifier, compare_pruning
from treewright.errors import InputError, KindError, ParameterError
from treewright.plot import pruning_comparison
from treewright.plot.comparison_chart import _apart

mpl.use("agg")
from matplotlib.text import Text


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
    with pytest.raises(InputError, match="no cv error; choose one of 'training'"):
        pruning_comparison(bare, error="cv")
    with pytest.raises(ParameterError, match="error='test'"):
        pruning_comparison(table, error="test")
    with pytest.raises(KindError, match="comparison is a list; give what compare_pruning gave"):
        pruning_comparison([])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.01, 0.3))
def test_heights_are_apart_in_order_and_not_farther_than_needed(heights, room):
    heights = sorted(heights)
    found = _apart(heights, room)
    assert np.all(np.diff(found) >= room - 1e-9)
    assert sum(found) == pytest.approx(sum(heights))
    if np.all(np.diff(heights) >= room + 1e-9):
        assert found == pytest.approx(heights)
