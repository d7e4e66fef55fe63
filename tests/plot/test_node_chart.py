"""The chart of a node: its bars are the rows of the node, class by class and branch by branch."""

from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from tests.export.hostile import HOSTILE, tree_of_all
from tests.model.samples import every_kind, regression
from tests.plot.drawn import closed, legend_of, texts_of
from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier
from treewright.errors import InputError, ParameterError
from treewright.plot import node_distribution
from treewright.plot.node_data import MAX_BARS, MAX_CLASSES, histogram_edges

mpl.use("agg")
import matplotlib.pyplot as plt


def rows(n=300, seed=0):
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": random.integers(18, 80, n).astype(float),
            "size": random.normal(size=n),
            "colour": random.choice(["red", "green", "blue", "white"], n),
        }
    )
    answer = np.where((table.age > 40) ^ (table.colour == "red") ^ (random.random(n) < 0.1), "yes", "no")
    return table, answer


def bars_by_class(ax):
    """(start, end, weight) of the bars of each class in the legend's order."""
    return [[(b.get_x(), b.get_x() + b.get_width(), b.get_height()) for b in c.patches] for c in ax.containers]


@pytest.mark.parametrize("missing", ["error", "fractional", "learned", "branch", "stop", "surrogate"])
@closed
def test_on_each_side_of_the_cut_stand_the_rows_of_that_branch(missing):
    X, y = rows()
    if missing != "error":
        X.loc[::9, "age"] = np.nan
        X.loc[::7, "size"] = np.nan
    weight = np.random.default_rng(1).integers(1, 4, len(X))
    model = TreeClassifier(missing=missing, grouping="subset", max_depth=4)
    tree = model.fit(X, y, sample_weight=weight).tree_
    inner = [i for i in range(tree.n_nodes) if np.isfinite(tree.threshold[i])]
    assert inner
    for node in inner[:6]:
        ax = node_distribution(model, node)
        classes = bars_by_class(ax)
        cut, first = tree.threshold[node], int(tree.first_child[node])
        total = np.array([sum(height for _, _, height in bars) for bars in classes])
        low = np.array([sum(height for _, end, height in bars if end <= cut + 1e-9) for bars in classes])
        shown = np.flatnonzero(tree.stats[node])
        known = missing in ("error", "stop")  # elsewhere the branches also hold rows whose value is missing
        if known:
            assert low == pytest.approx(tree.stats[first][shown])
            assert total - low == pytest.approx(tree.stats[first + 1][shown])
        if missing == "error":
            assert total == pytest.approx(tree.stats[node][shown])
        assert np.all(total <= tree.stats[node][shown] + 1e-9)
        assert all(start >= cut - 1e-9 or end <= cut + 1e-9 for bars in classes for start, end, _ in bars)


@closed
def test_the_cut_and_the_branches_are_named():
    X, y = rows()
    model = CARTClassifier(pruning=None, max_depth=3).fit(X, y)
    node = next(i for i in range(model.tree_.n_nodes) if np.isfinite(model.tree_.threshold[i]))
    ax = node_distribution(model, node)
    words = texts_of(ax)
    first = int(model.tree_.first_child[node])
    assert any(f"(n={model.tree_.weight[first]:.0f})" in text and text.strip().startswith("≤") for text in words)
    assert legend_of(ax) == ["no", "yes"]
    cuts = [line.get_xdata()[0] for line in ax.lines]
    assert model.tree_.threshold[node] in cuts


@closed
def test_missing_values_are_counted():
    X, y = rows()
    X.loc[:29, "age"] = np.nan
    model = C45Classifier(pruning=None, max_depth=1).fit(X[["age"]], y)
    assert node_distribution(model).get_xlabel() == "age  (30 missing)"


@closed
def test_categories_stand_by_branch_with_their_classes():
    X, y = rows()
    model = CARTClassifier(pruning=None, max_depth=1).fit(X[["colour"]], y)
    ax = node_distribution(model)
    labels = [text.get_text() for text in ax.get_yticklabels()]
    tree, split = model.tree_, model.tree_.root.split
    assert labels == [c for branch in (0, 1) for c in split.categories(branch)]
    widths = np.array([[bar.get_width() for bar in container.patches] for container in ax.containers])
    counted = pd.crosstab(X.colour, y)
    for at, colour in enumerate(labels):
        assert widths[:, at].tolist() == counted.loc[colour].tolist()
    assert {"#1", "#2"} <= set(texts_of(ax))
    n_first = len(split.categories(0))
    assert widths[:, :n_first].sum(axis=1) == pytest.approx(tree.stats[1])


@closed
def test_missing_categories_have_a_line_of_their_own():
    X, y = rows()
    X.loc[:9, "colour"] = None
    for missing in ("fractional", "branch"):
        model = TreeClassifier(missing=missing, max_depth=1).fit(X[["colour"]], y)
        ax = node_distribution(model)
        assert [text.get_text() for text in ax.get_yticklabels()][-1] == "missing"
        assert sum(c.patches[-1].get_width() for c in ax.containers) == 10


@closed
def test_very_many_categories_are_shortened():
    X = pd.DataFrame({"word": [f"w{i % 500:03}" for i in range(2000)]})
    model = CARTClassifier(pruning=None, max_depth=1).fit(X, [i % 500 < 200 for i in range(2000)])
    ax = node_distribution(model)
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert len(labels) == MAX_BARS
    assert labels[-1] == f"… {500 - MAX_BARS + 1} more"
    assert sum(bar.get_width() for c in ax.containers for bar in c.patches) == 2000


@closed
def test_very_many_classes_are_joined():
    X = [[i] for i in range(200)]
    model = CARTClassifier(pruning=None, max_depth=1).fit(X, [f"c{i // 5}" for i in range(200)])
    ax = node_distribution(model)
    assert len(legend_of(ax)) == MAX_CLASSES + 1
    assert sum(height for bars in bars_by_class(ax) for _, _, height in bars) == 200


@closed
def test_a_target_of_numbers_stands_against_the_number():
    X, _ = rows()
    y = X.age * 2 + X["size"]
    model = CARTRegressor(pruning=None, max_depth=2).fit(X, y)
    ax = node_distribution(model)
    dots = ax.collections[0].get_offsets()
    assert sorted(dots[:, 0]) == sorted(X.age)
    level = [line for line in ax.lines if len(set(line.get_ydata())) == 1 and line.get_linewidth() > 2]
    levels = sorted({line.get_ydata()[0] for line in level})
    assert levels == pytest.approx(sorted(model.tree_.value[[1, 2], 0]))
    assert ax.get_ylabel() == "target"


@closed
def test_a_large_table_of_numbers_is_a_map():
    random = np.random.default_rng(0)
    X = random.normal(size=(20_000, 1))
    model = CARTRegressor(pruning=None, max_depth=1).fit(X, X[:, 0] + random.normal(size=20_000))
    ax = node_distribution(model)
    assert len(ax.collections[0].get_offsets()) < 5000


@closed
def test_categories_of_a_target_of_numbers_have_their_mean_and_spread():
    X, _ = rows()
    y = X.colour.map({"red": 1.0, "green": 5.0, "blue": 1.5, "white": 9.0}) + X["size"]
    model = CARTRegressor(pruning=None, max_depth=1).fit(X[["colour"]], y)
    ax = node_distribution(model)
    labels = [text.get_text() for text in ax.get_yticklabels()]
    dots = {label: x for label, (x, _) in zip(labels, ax.collections[-1].get_offsets(), strict=True)}
    assert dots == pytest.approx(y.groupby(X.colour).mean().to_dict())


@closed
def test_a_leaf_shows_its_classes_or_its_target():
    X, y = rows()
    model = CARTClassifier(pruning=None, max_depth=1).fit(X, y)
    ax = node_distribution(model, 1)
    widths = [max(container.patches[i].get_width() for container in ax.containers) for i in range(2)]
    assert widths == model.tree_.stats[1].tolist()
    numbers = CARTRegressor(pruning=None, max_depth=1).fit(X[["age"]], X["size"])
    ax = node_distribution(numbers, 1, bins=10)
    assert sum(bar.get_height() for bar in ax.containers[0].patches) == numbers.tree_.weight[1]
    assert ax.lines[0].get_xdata()[0] == numbers.tree_.value[1, 0]


@closed
def test_a_tree_alone_shows_its_branches():
    ax = node_distribution(every_kind(), 2)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["{red, blue}", "green", "{white, black}"]
    assert ax.get_xlabel() == "weight of the rows"  # 12.5 of them
    ax = node_distribution(regression(), 0)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["≤ 9.5", "> 9.5"]
    assert [x for x, _ in ax.collections[-1].get_offsets()] == [2, 8]
    node_distribution(regression(), 1)
    node_distribution(every_kind(), 3)


@closed
def test_rows_that_were_not_kept_are_asked_for_and_can_be_given():
    X, y = rows()
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    model._kept = None
    with pytest.raises(InputError, match="pass X and y"):
        node_distribution(model)
    assert node_distribution(model, 0, X, y).containers
    with pytest.raises(InputError, match="Node 99 not found"):
        node_distribution(model, 99)
    with pytest.raises(ParameterError, match="bins must be an integer from 1 to 1000, got 0"):
        node_distribution(model, 0, X, y, bins=0)


@closed
def test_hostile_names_are_text():
    names = list(dict.fromkeys(HOSTILE))
    table = [[name, float(i)] for i, name in enumerate(names)] * 2
    y = [names[i % 10] for i in range(len(names))] * 2
    model = C45Classifier(pruning=None, variant="textbook").fit(table, y)
    for node in range(0, model.tree_.n_nodes, 20):
        node_distribution(model, node).figure.canvas.draw()
    words = texts_of(node_distribution(tree_of_all(), 0))
    assert "$x^2$" in words
    few = C45Classifier(pruning=None).fit([[1.0], [2.0]] * 5, ["_hidden", "$x$"] * 5)
    assert legend_of(node_distribution(few, 0)) == ["$x$", "_hidden"]


@pytest.mark.parametrize("values", [[1.0, 1.0, 2.0], [5.0, 5.0], [0.1, 0.2, 0.35], [-1e300, 1e300], [1e-300, 3e-300]])
def test_bars_cover_all_values_and_begin_at_the_cut(values):
    values = np.array(values)
    for cut in (None, float(values.mean())):
        edges = histogram_edges(values, cut, 7)
        assert edges[0] <= values.min()
        assert edges[-1] >= values.max()
        assert np.all(np.diff(edges) > 0)
        assert len(edges) <= 20
        if cut is not None:
            assert cut in edges.tolist()


def covered(first, second):
    """Whether two texts lie over each other."""
    return first.get_window_extent().overlaps(second.get_window_extent())


@closed
def test_small_axes_keep_room_for_the_chart():
    """A legend beside narrow axes would leave nothing of them when the figure is laid out."""
    figure, axes = plt.subplots(2, 2, layout="constrained")
    towns = pd.DataFrame({"town": [f"a town of number {i % 100}" for i in range(800)]})
    model = C45Classifier(pruning=None).fit(towns, [i % 100 % 2 for i in range(800)])
    for ax in axes.flat:
        node_distribution(model, 0, ax=ax)
    figure.canvas.draw()
    for ax in axes.flat:
        assert ax.get_window_extent().width > 100
        names = ax.get_yticklabels()
        assert not any(covered(one, other) for one, other in pairwise(names))
        assert names[-1].get_text().startswith("… ")


@closed
def test_a_large_rest_does_not_hide_the_lines():
    towns = pd.DataFrame({"town": [f"town {i % 500}" for i in range(1000)]})
    model = C45Classifier(pruning=None).fit(towns, [i % 500 % 2 for i in range(1000)])
    ax = node_distribution(model)
    assert ax.get_xlim()[1] == 3.0
    assert "n=922 …" in [text.get_text() for text in ax.texts]
