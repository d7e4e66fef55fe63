"""Charts in the boxes of a picture: bars are the rows of the node, the cut is between them, and texts stay inside."""

import re

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from tests.export.hostile import HOSTILE
from tests.plot.drawn import closed, texts_of
from tests.plot.trees import SVG, boxes, overlap, read_svg, texts
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
    load,
)
from treewright.errors import InputError, ParameterError
from treewright.export.colours import CLASS_COLOURS, LIGHT
from treewright.export.labels import Labels, clipped
from treewright.model.build import golf_example
from treewright.model.formatting import format_category
from treewright.plot import to_svg
from treewright.plot.box_charts import BAR_LENGTH, HEIGHT, MAX_CATEGORIES, PREDICTED, node_charts
from treewright.plot.fonts import fit_text, text_width
from treewright.plot.node_data import training_rows
from treewright.plot.shapes import Area, Label, Rectangle

mpl.use("agg")

STRATEGIES = ["fractional", "learned", "branch", "surrogate"]


def rows(n=240, seed=0):
    """A table with a number, integers, a category and missing values, weights, two classes and a number to predict."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": random.integers(18, 80, n).astype(float),
            "size": random.normal(size=n),
            "colour": random.choice([f"colour {i}" for i in range(12)], n),
        }
    )
    table.loc[::9, "age"] = np.nan
    table.loc[::11, "colour"] = None
    low = table.colour.isin(["colour 1", "colour 4", "colour 7"])
    answer = np.where((table.age > 40) ^ low ^ (random.random(n) < 0.1), "yes", "no")
    number = table["size"] + 3 * low + np.where(table.age > 50, 5, 0) + random.normal(size=n) / 4
    return table, answer, number, random.integers(1, 4, n) / 2


def charts_of(model, nodes=None):
    tree = model.tree_
    every = range(tree.n_nodes) if nodes is None else nodes
    return node_charts(Labels(tree), list(every), training_rows(model))


def bars(chart):
    return [shape for shape in chart.shapes if isinstance(shape, Rectangle) and shape.fill in CLASS_COLOURS]


def words(chart):
    return [shape.text for shape in chart.shapes if isinstance(shape, Label)]


def by_class(parts, size):
    return np.array([sum(size(part) for part in parts if part.fill == colour) for colour in CLASS_COLOURS[:2]])


@pytest.mark.parametrize("missing", STRATEGIES)
def test_the_bars_of_each_node_are_its_rows(missing):
    """The heights of a histogram, or the lengths of bars, are proportional to the weight of each class of the node."""
    X, y, _, weight = rows()
    model = TreeClassifier(missing=missing, grouping="subset", max_depth=3).fit(X, y, sample_weight=weight)
    tree, sides = model.tree_, 0
    for node, chart in charts_of(model).items():
        parts = bars(chart)
        is_number = tree.column[node] >= 0 and tree.schema.columns[tree.column[node]].n_categories == 0
        found = by_class(parts, lambda part: part.height if is_number else part.width)  # noqa: B023
        assert found / found.sum() == pytest.approx(tree.stats[node] / tree.stats[node].sum())
        if is_number and np.isfinite(tree.threshold[node]):
            [cut] = (part.x + 0.6 for part in chart.shapes if isinstance(part, Rectangle) and part.fill == "ink")
            assert all(part.x >= cut - 1e-9 or part.x + part.width <= cut for part in parts)
            if "missing" not in words(chart):
                low, first = [part for part in parts if part.x < cut - 1e-9], tree.first_child[node]
                share = by_class(low, lambda part: part.height).sum() / found.sum()
                assert share == pytest.approx(tree.weight[first] / tree.weight[node])
                sides += 1
    assert sides or missing == "fractional"


def test_missing_values_have_their_own_bar():
    X, y, _, weight = rows()
    model = C45Classifier(pruning=None, max_depth=1).fit(X[["age"]], y, sample_weight=weight)
    chart = charts_of(model, [0])[0]
    assert "missing" in words(chart)
    start = max(part.x for part in bars(chart))
    last = sum(part.height for part in bars(chart) if part.x == start)
    everything = sum(part.height for part in bars(chart))
    assert last / everything == pytest.approx(weight[::9].sum() / weight.sum())


def test_of_many_categories_the_lightest_of_each_branch_are_joined():
    X, y, _, weight = rows()
    model = CARTClassifier(pruning=None, max_depth=1).fit(X[["colour"]].fillna("none"), y, sample_weight=weight)
    chart, tree = charts_of(model, [0])[0], model.tree_
    names = [word for word in words(chart) if not word.startswith("#")]
    assert len(names) == MAX_CATEGORIES
    hidden = sum(int(re.search(r"\d+", name)[0]) for name in names if name.startswith("…"))
    assert hidden + sum(not name.startswith("…") for name in names) == 13
    # A line between the two branches, with the rows of each on its side.
    [line] = [part.y for part in chart.shapes if isinstance(part, Rectangle) and part.fill == "muted"]
    upper = sum(part.width for part in bars(chart) if part.y < line)
    assert upper / sum(part.width for part in bars(chart)) == pytest.approx(tree.weight[1] / tree.weight[0])


def test_the_long_bar_of_many_joined_categories_is_shortened():
    """Of 30 branches of 10 rows each, 7 have a bar of full length, and 23 share one of the same length with a gap."""
    towns = [f"town {i:02}" for i in range(30)] * 10
    model = ID3Classifier().fit(pd.DataFrame({"town": towns}), ["ab"[i % 30 % 2] for i in range(300)])
    chart = charts_of(model, [0])[0]
    lengths = {y: sum(part.width for part in bars(chart) if part.y == y) for y in {part.y for part in bars(chart)}}
    assert sorted(lengths.values()) == pytest.approx([BAR_LENGTH] * 8)
    gaps = [part.y + 1 for part in chart.shapes if isinstance(part, Rectangle) and part.fill == "card"]
    assert gaps == [max(lengths)]
    assert "… 23 more" in words(chart)


def test_integers_and_a_threshold_that_is_one_of_them():
    """C4.5 cuts at a value of the table: 1 and 2 are on the left of "2", each in its own bar."""
    X, y = [[1]] * 5 + [[2]] * 10 + [[3]] * 20, ["no"] * 15 + ["yes"] * 20
    model = C45Classifier(pruning=None).fit(X, y)
    found = [(part.y, part.height) for part in bars(charts_of(model, [0])[0])]
    assert found == [(HEIGHT * 3 / 4, HEIGHT / 4), (HEIGHT / 2, HEIGHT / 2), (0, HEIGHT)]


@pytest.mark.parametrize("missing", STRATEGIES[1:])
def test_a_numeric_target_is_drawn_by_the_column_and_in_the_leaves(missing):
    X, _, number, weight = rows()
    model = TreeRegressor(missing=missing, grouping="subset", max_depth=3).fit(X, number, sample_weight=weight)
    tree = model.tree_
    low, high, n_categories = number.min(), number.max(), 0
    for node, chart in charts_of(model).items():
        marks = [part for part in chart.shapes if isinstance(part, Rectangle) and part.fill == PREDICTED]
        n_branches = int(tree.n_children[node])
        if not n_branches:
            [mark] = marks
            assert (mark.x + 1.1) / 150 == pytest.approx((tree.value[node, 0] - low) / (high - low))
            continue
        assert len(marks) == n_branches
        first = int(tree.first_child[node])
        wanted = (tree.value[first : first + n_branches, 0] - low) / (high - low)
        if any(isinstance(part, Area) and len(part.polygons) > 1 for part in chart.shapes):
            assert [1 - (mark.y + 1.1) / HEIGHT for mark in marks] == pytest.approx(wanted)
        else:
            start = chart.shapes[-1].x + 1  # the line before the bars
            assert [(mark.x + 1.1 - start) / BAR_LENGTH for mark in marks] == pytest.approx(wanted)
            n_categories += 1
    assert n_categories


def models():
    X, y, number, weight = rows()
    yield CARTClassifier(pruning=None, max_leaf_nodes=20).fit(X, y, sample_weight=weight)
    yield CARTRegressor(pruning=None, max_leaf_nodes=9).fit(X, number)
    yield ID3Classifier(numeric="bisect", max_depth=2).fit(X.dropna(), y[X.notna().all(axis=1)])
    names = X.rename(columns={"age": "the number of years since birth, rounded down", "colour": "颜色"})
    many = [f"class {i % 19} with a long name" for i in range(len(X))]
    yield TreeClassifier(missing="branch", max_depth=3).fit(names, many)


@pytest.mark.parametrize("direction", ["down", "across"])
@pytest.mark.parametrize("number", range(4))
def test_texts_are_inside_their_boxes_and_do_not_overlap(number, direction):
    model = list(models())[number]
    root = read_svg(model.to_svg(nodes="distribution", direction=direction, language="zh"))
    drawn, n_charts = list(boxes(read_svg(model.to_svg(nodes="distribution", direction=direction))).values()), 0
    assert len(drawn) == model.tree_.n_nodes
    assert not any(overlap(a, b) for i, a in enumerate(drawn) for b in drawn[:i])
    for group in root.iter(SVG + "g"):
        cards = [r for r in group.findall(SVG + "rect") if r.get("rx") == "7"]
        if not cards:
            continue
        x, y, width, height = (float(cards[-1].get(key)) for key in ("x", "y", "width", "height"))
        places = []
        for text in group.findall(SVG + "text"):
            size = float(text.get("font-size"))
            wide = text_width(text.text, size, bold=text.get("font-weight") is not None)
            start = float(text.get("x")) - {"middle": wide / 2, "end": wide}.get(text.get("text-anchor"), 0.0)
            base = float(text.get("y"))
            assert x < start
            assert start + wide < x + width
            assert y < base - 0.8 * size
            assert base < y + height
            places.append((start + 0.1, base - 0.75 * size, wide - 0.2, 0.75 * size))
        assert not any(overlap(a, b) for i, a in enumerate(places) for b in places[:i])
        for part in group.findall(SVG + "rect"):
            assert x - 0.1 <= float(part.get("x")) <= x + width + 4.1
            assert float(part.get("x")) + float(part.get("width")) <= x + width + 4.1
        n_charts += len(group) > 10
    assert n_charts


@pytest.mark.parametrize("estimator", [CARTClassifier(pruning=None), TreeRegressor(missing="branch", max_depth=3)])
def test_the_bytes_do_not_depend_on_the_order_of_rows(estimator):
    X, y, number, weight = rows()
    target = number if isinstance(estimator, TreeRegressor) else y
    weight = weight / 3
    one = estimator.fit(X, target, sample_weight=weight).to_svg(nodes="distribution", max_depth=3)
    order = np.random.default_rng(3).permutation(len(X))
    again = estimator.fit(X.iloc[order], np.asarray(target)[order], sample_weight=weight[order])
    assert again.to_svg(nodes="distribution", max_depth=3) == one


def test_rows_are_passed_again_or_their_lack_is_named(tmp_path):
    X, y, _, weight = rows()
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y, sample_weight=weight)
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    with pytest.raises(InputError, match="pass X and y"):
        loaded.to_svg(nodes="distribution")
    assert loaded.to_svg(nodes="distribution", X=X, y=y, sample_weight=weight) == model.to_svg(nodes="distribution")
    with pytest.raises(InputError, match="A Tree has no training rows"):
        to_svg(golf_example(), nodes="distribution")
    with pytest.raises(ParameterError, match=r"nodes.* must be .*'distribution'.* got 'bars'"):
        to_svg(golf_example(), nodes="bars")


def test_a_large_picture_has_summaries_and_a_note():
    X, y, _, _ = rows()
    model = CARTClassifier(pruning=None).fit(X, y)
    assert model.tree_.n_nodes > 41
    root = read_svg(model.to_svg(nodes="distribution"))
    summary = read_svg(model.to_svg())
    assert boxes(root) == boxes(summary)
    assert texts(root)[-1] == "Rows are drawn for at most 40 nodes; set max_depth or max_nodes."
    assert float(root.get("height")) > float(summary.get("height"))
    assert "Rows are drawn" not in model.to_svg(nodes="distribution", max_nodes=40)


@closed
def test_matplotlib_draws_the_same():
    X, _, number, _ = rows()
    model = CARTRegressor(pruning=None, max_leaf_nodes=5).fit(X, number)
    found = texts_of(model.plot_tree(nodes="distribution"))
    assert set(found) == set(texts(read_svg(model.to_svg(nodes="distribution"))))
    assert LIGHT.ink in model.to_svg(nodes="distribution", theme="light")


def named(evil):
    """A model with a category and a class of this name."""
    table = np.array([[evil, "b", "c"] * 4, [1.0, 2.0, 3.0, 4.0] * 3], object).T
    return CARTClassifier(pruning=None).fit(table, np.array([evil, "b", "b"] * 4, object))


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_are_text_that_is_cut_to_fit(evil):
    root = read_svg(named(evil).to_svg(nodes="distribution"))
    assert fit_text(clipped(format_category(evil)), 10, 76) in texts(root)


@closed
def test_characters_that_no_font_has_are_codes():
    found = texts_of(named("\U000f0000$x$").plot_tree(nodes="distribution"))
    assert found.count("\\U000f0000$x$") == 4  # the legend, the category, its branch and its leaf


def test_extreme_values():
    huge = CARTRegressor(criterion="absolute_error", pruning=None, min_samples_leaf=1)
    read_svg(huge.fit([[-1e300], [1e300], [np.nan]], [1e289, -1e289, 0.0]).to_svg(nodes="distribution"))
    known = CARTClassifier(missing="branch", pruning=None).fit([[1.0], [np.nan]] * 3, ["a", "b"] * 3)
    assert "missing" in texts(read_svg(known.to_svg(nodes="distribution")))
    one = CARTRegressor().fit([[1], [2]], [3.0, 3.0])
    read_svg(one.to_svg(nodes="distribution"))
