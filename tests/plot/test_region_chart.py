"""Decision regions: every point of the plane has the colour of what the tree answers there."""

import re
from itertools import product

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tests.export.hostile import HOSTILE
from tests.plot.drawn import closed, legend_of
from treewright import CARTClassifier, CARTRegressor, TreeClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, KindError
from treewright.export.colours import LIGHT, class_colour, mixed
from treewright.model.build import build, golf_example, leaf, number
from treewright.plot import decision_regions

mpl.use("agg")
from matplotlib.colors import to_rgb


def colour_at(ax, x, y):
    mesh = ax.collections[0]
    edges = mesh.get_coordinates()
    column = np.searchsorted(edges[0, :, 0], x, side="left") - 1
    row = np.searchsorted(edges[:, 0, 1], y, side="left") - 1
    return mesh.get_facecolors().reshape(edges.shape[0] - 1, edges.shape[1] - 1, 4)[row, column, :3]


def tint(code):
    return to_rgb(mixed(LIGHT.card, class_colour(code), 0.4))


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    numbers = {"a": random.normal(size=400), "b": random.normal(size=400)}
    X = pd.DataFrame(numbers | {"kind": random.choice(list("pq"), 400)})
    y = np.where(X.kind == "p", X.a * X.b > 0, X.a + X.b > 0.5) ^ (random.random(400) < 0.05)
    return X, np.where(y, "yes", "no")


@pytest.mark.parametrize("kind", ["p", "q"])
@closed
def test_every_point_has_the_colour_of_its_answer(table, kind):
    X, y = table
    model = CARTClassifier(pruning=None).fit(X, y)
    ax = decision_regions(model, columns=("a", "b"), fixed={"kind": kind})
    ax.figure.canvas.draw()
    random = np.random.default_rng(1)
    grid = pd.DataFrame({"a": random.uniform(-2, 2, 300), "b": random.uniform(-2, 2, 300), "kind": kind})
    for (a, b), answer in zip(grid[["a", "b"]].to_numpy(), model.predict(grid), strict=True):
        assert colour_at(ax, a, b) == pytest.approx(tint(["no", "yes"].index(answer)), abs=1e-6)
    assert ax.get_title(loc="left") == f"where kind = {kind}"
    assert legend_of(ax) == ["no", "yes"]


@closed
def test_the_edge_of_a_region_is_the_threshold_itself():
    model = CARTClassifier(pruning=None).fit([[1, 0], [2, 0], [4, 0], [5, 0]], ["a", "a", "b", "b"])
    ax = decision_regions(model, columns=(0, 1))
    assert 3.0 in ax.collections[0].get_coordinates()[0, :, 0].tolist()


@closed
def test_rows_are_drawn_and_others_may_be_given(table):
    X, y = table
    model = CARTClassifier(pruning=None, max_depth=3).fit(X, y)
    ax = decision_regions(model, columns=("a", "b"))
    assert sum(len(dots.get_offsets()) for dots in ax.collections[1:]) == 400
    ax = decision_regions(model, X[:7], y[:7], columns=("b", "a"))
    drawn = np.vstack([dots.get_offsets() for dots in ax.collections[1:]])
    assert sorted(map(tuple, drawn.tolist())) == sorted(map(tuple, X[["b", "a"]][:7].to_numpy().tolist()))


@closed
def test_without_columns_those_that_gained_most_are_taken():
    X, y = load_iris(return_X_y=True, as_frame=True)
    ax = decision_regions(CARTClassifier().fit(X, y))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("petal length (cm)", "petal width (cm)")


@closed
def test_what_is_not_fixed_holds_its_median_or_commonest(table):
    X, y = table
    model = CARTClassifier(pruning=None).fit(X.assign(third=np.arange(400) % 7), y)
    common = X.kind.mode()[0]
    title = decision_regions(model, columns=("a", "b")).get_title(loc="left")
    assert f"kind = {common}" in title
    assert "third = 3" in title


@closed
def test_a_column_can_be_held_missing(table):
    X, y = table
    model = TreeClassifier(missing="fractional").fit(X.assign(kind=X.kind.where(X.index % 9 > 0)), y)
    ax = decision_regions(model, columns=("a", "b"), fixed={"kind": None})
    ax.figure.canvas.draw()
    assert ax.get_title(loc="left") == "where kind = missing"
    grid = pd.DataFrame({"a": [-1.0, 0.3, 1.2], "b": [0.7, -0.4, 1.0], "kind": [None] * 3})
    for (a, b), answer in zip(grid[["a", "b"]].to_numpy(), model.predict(grid), strict=True):
        assert colour_at(ax, a, b) == pytest.approx(tint(["no", "yes"].index(answer)), abs=1e-6)


@closed
def test_numbers_missing_values_and_large_tables(table):
    X, y = table
    number = CARTRegressor(pruning=None, max_depth=4).fit(X, X.a)
    assert len(legend_of(decision_regions(number, columns=("a", "b")))) == 5
    holes = X.assign(a=X.a.where(X.a > -1))
    for missing in ("fractional", "learned", "branch", "stop", "surrogate"):
        model = TreeClassifier(missing=missing, grouping="subset").fit(holes, y)
        decision_regions(model, columns=("a", "b")).figure.canvas.draw()
    random = np.random.default_rng(0)
    many = CARTClassifier(pruning=None).fit(random.normal(size=(20_000, 2)), random.integers(0, 2, 20_000))
    assert np.count_nonzero(many.tree_.column == 0) > 1500
    ax = decision_regions(many)
    assert sum(len(dots.get_offsets()) for dots in ax.collections[1:]) <= 3000


def test_what_cannot_be_drawn_is_named(table):
    X, y = table
    model = CARTClassifier(pruning=None).fit(X, y)
    with pytest.raises(KindError, match="Column 'kind' is not numeric"):
        decision_regions(model, columns=("a", "kind"))
    with pytest.raises(InputError, match=r"Column 'c' not found\. The columns are"):
        decision_regions(model, columns=("a", "c"))
    with pytest.raises(InputError, match="must be two different columns"):
        decision_regions(model, columns=("a", 0))
    with pytest.raises(InputError, match="must be two names of columns"):
        decision_regions(model, columns="ab")
    with pytest.raises(InputError, match=r"Unknown column 'a' in fixed\. Expected one of"):
        decision_regions(model, columns=("a", "b"), fixed={"a": 1})
    with pytest.raises(
        InputError,
        match="Column 'kind' has the value 'z', which does not occur in training; use one of 'p', 'q'",
    ):
        decision_regions(model, columns=("a", "b"), fixed={"kind": "z"})
    with pytest.raises(InputError, match="X and y must be passed together"):
        decision_regions(model, X, columns=("a", "b"))
    with pytest.raises(InputError, match="at least two numeric columns"):
        decision_regions(golf_example())


@closed
def test_hostile_names_are_text():
    names = list(dict.fromkeys(HOSTILE))
    y = names * 2
    model = CARTClassifier(pruning=None).fit([[i, i % 7] for i in range(len(y))], y)
    decision_regions(model, columns=(0, 1)).figure.canvas.draw()
    for evil in ("$", "\ud800", "\n"):
        schema = Schema(
            (Column(evil, Kind.NUMBER), Column(evil + "2", Kind.NUMBER)), Target(evil, (evil, "ok"))
        )
        tree = build(schema, number(evil, 1, leaf({evil: 1}), number(evil + "2", 3, leaf("ok"), leaf(evil))))
        decision_regions(tree).figure.canvas.draw()


@closed
def test_classes_of_one_colour_differ_by_pattern_and_mark():
    """Class 8 has the colour of class 0 again."""
    X = [[i, i % 3] for i in range(36)]
    model = CARTClassifier(pruning=None).fit(X, [f"{i // 3:02}" for i in range(36)])
    ax = decision_regions(model, columns=(0, 1))
    ax.figure.canvas.draw()
    assert {patch.get_hatch() for patch in ax.patches} == {"|||"}
    # Only the classes from 8 on are under it: those where the first number is above 23.5.
    for x, y in product(np.arange(0.25, 35.0, 0.5), (0.5, 1.5)):
        assert sum(patch.get_path().contains_point((x, y)) for patch in ax.patches) == (x > 23.5)
    marks = [dots.get_paths()[0].vertices.tolist() for dots in ax.collections[1:]]
    looks = [(class_colour(code), str(mark)) for code, mark in enumerate(marks)]
    assert len(set(looks)) == 12


@closed
def test_the_legend_names_what_is_answered_first_and_dots_too():
    X = [[i, 0] for i in range(60)]
    y = [f"c{i % 20:02}" for i in range(60)]
    model = CARTClassifier(pruning=None, max_leaf_nodes=2).fit(X, y)
    named = legend_of(decision_regions(model, columns=(0, 1)))
    answered = sorted(set(model.predict(X)))
    assert named[: len(answered)] == answered
    assert named[-1] == "… 7 more"
    few = CARTClassifier(pruning=None, max_depth=1).fit([[i, 0] for i in range(9)], list("aaabbbcac"))
    assert legend_of(decision_regions(few, columns=(0, 1))) == ["a", "b", "c"]


@closed
def test_many_held_columns_are_counted(table):
    X, y = table
    random = np.random.default_rng(0)
    wide = X.assign(**{f"a rather long name {i}": random.normal(size=len(X)) for i in range(9)})
    title = decision_regions(CARTClassifier(pruning=None).fit(wide, y), columns=("a", "b")).get_title(
        loc="left"
    )
    assert re.fullmatch(r"where kind = [pq], a rather long name \d = [-\d.]+.*, … \d more", title)
