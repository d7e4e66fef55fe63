"""A chart of the training rows of a node and its split.

For a numeric column it is a histogram by class with the threshold, or the target by the column with the predicted
values of the branches; for a category it has a bar for each category, by branch; for a leaf it shows the classes or the
target.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError
from treewright.export.colours import Theme, class_colour
from treewright.export.labels import Labels, compact, short_number
from treewright.export.outline import tree_of
from treewright.language import messages
from treewright.model.formatting import format_value
from treewright.model.split import Split, split_of
from treewright.plot.axes import (
    add_legend,
    axes_size,
    class_style,
    hide_spines,
    label_axis,
    label_weight_axis,
    open_axes,
    require_matplotlib,
    set_title,
    theme_of,
)
from treewright.plot.fonts import TextStyle, drawable_language
from treewright.plot.node_data import (
    MAX_BARS,
    MAX_REST,
    Bar,
    NodeRows,
    bin_weights,
    branch_bars,
    category_bars,
    class_bars,
    class_weights,
    histogram_edges,
    rows_of_nodes,
    top_classes,
    training_rows,
)

LINE_HEIGHT = 12.0
"""Points that a bar needs for its name."""

BRANCH_GAP = 0.6
"""Extra space between the bars of different branches."""

MAX_POINTS = 5000
"""Rows drawn as points; more are drawn as a density map."""


def node_distribution(
    given: Any,
    node: int = 0,
    X: object = None,
    y: object = None,
    *,
    sample_weight: object = None,
    ax: Any = None,
    bins: int = 30,
    language: str = "en",
) -> Any:
    """Draw the training rows of a node and its split.

    Parameters
    ----------
    given : estimator or Tree
        A fitted estimator. A tree has no rows; its branches are drawn instead.
    node : int, default=0
        The number of the node, as in pictures.
    X, y, sample_weight : optional
        The training rows, if the estimator has not kept them.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    bins : int, default=30
        About how many bars a histogram has.
    language : {"en", "zh"}, default="en"
        Language of the labels.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> ax = node_distribution(model, 0)
    >>> ax.get_xlabel()
    'x0'
    >>> plt.close(ax.figure)
    """
    tree = tree_of(given)
    number = tree.node(node).id
    require_matplotlib()
    n_bins = _read_bins(bins)
    most = MAX_BARS if ax is None else _n_bars_fitting(open_axes(ax))
    dataset = training_rows(given, X, y, sample_weight)
    rows = None if dataset is None else rows_of_nodes(tree, dataset, [number])[number]
    split, labels = split_of(tree, number), Labels(tree, language=drawable_language(language))
    if rows is None or not len(rows.weight):
        bars = class_bars(labels, number, most) if split is None else branch_bars(labels, number, most)
        return draw_bars(_open(ax, len(bars)), labels, number, bars)
    if split is None:
        if labels.is_number:
            return draw_leaf_target(open_axes(ax), labels, number, rows, n_bins)
        return draw_bars(_open(ax, len(labels.classes)), labels, number, class_bars(labels, number, most))
    if _is_number(split, rows):
        return draw_number_split(open_axes(ax), labels, number, rows, n_bins)
    bars = category_bars(labels, number, split, rows, most)
    return draw_bars(_open(ax, len(bars)), labels, number, bars)


def _is_number(split: Split, rows: NodeRows) -> bool:
    """Whether there are numbers to draw, and not only missing values."""
    return not split.column.categories and not np.isnan(rows.values).all()


def _n_bars_fitting(ax: Any) -> int:
    """How many bars are legible on axes that were passed."""
    return min(MAX_BARS, max(4, int(axes_size(ax)[1] / LINE_HEIGHT)))


def _open(ax: Any, n_bars: int) -> Any:
    """Axes tall enough for so many bars."""
    return open_axes(ax, (6.4, max(2.2, min(40.0, 1.4 + 0.28 * n_bars))))


def _read_bins(bins: object) -> int:
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or not 1 <= bins <= 1000:
        raise ParameterError(f"bins must be an integer from 1 to 1000, got {bins!r}.")
    return int(bins)


def draw_bars(ax: Any, labels: Labels, node: int, bars: Sequence[Bar]) -> Any:
    """Draw the bars of a node, grouped by branch, and return the axes."""
    theme = theme_of(ax)
    y = _bar_positions(bars)
    if labels.is_number:
        _draw_means(ax, labels, bars, y, theme)
        label_axis(ax.xaxis, labels.target)
    else:
        _draw_classes(ax, labels, bars, y)
        label_weight_axis(ax.xaxis, labels.tree, labels.language)
    style = TextStyle([*(bar.name for bar in bars), "…"])
    room = min(170.0, max(60.0, 0.6 * axes_size(ax)[0]))
    ax.set_yticks(y, [style.fit(bar.name, room) for bar in bars], **style.settings)
    ax.set_ylim(y[-1] + 0.7, -0.7)
    set_title(ax, node_title(labels, node))
    hide_spines(ax)
    _mark_branches(ax, bars, y, theme)
    return ax


def node_title(labels: Labels, node: int) -> str:
    """Return the title of a node chart.

    >>> from treewright.model.build import golf_example
    >>> node_title(Labels(golf_example()), 1)
    'node 1: humidity (n=5)'
    """
    _ = messages(labels.language)
    return _("node {node}: {name} ({weight})", node=node, name=labels.headline(node), weight=labels.facts(node)[1])


def format_node_value(labels: Labels, node: int) -> str:
    """Return the predicted value of a node with a few digits."""
    return short_number(float(labels.tree.value[node, 0]), 4)


def _bar_positions(bars: Sequence[Bar]) -> list[float]:
    """The vertical position of each bar; there is a gap between branches, unless every bar is a branch."""
    each = len({bar.child for bar in bars}) == len(bars)
    found, at = [], 0.0
    for i, bar in enumerate(bars):
        if i:
            at += 1.0 if each or bar.child == bars[i - 1].child else 1.0 + BRANCH_GAP
        found.append(at)
    return found


def _draw_classes(ax: Any, labels: Labels, bars: Sequence[Bar], y: list[float]) -> None:
    theme, _ = theme_of(ax), messages(labels.language)
    weights = np.array([bar.classes for bar in bars])
    shown, others = top_classes(weights.sum(axis=0))
    start = np.zeros(len(bars))
    entries = []
    for code in shown:
        drawn = ax.barh(y, weights[:, code], left=start, height=0.72, **class_style(code, theme))
        entries.append((drawn, labels.classes[code]))
        start += weights[:, code]
    if others:
        rest = weights.sum(axis=1) - start
        entries.append((ax.barh(y, rest, left=start, height=0.72, color=theme.line), _("other classes")))
    _cut_rest_bar(ax, bars, y)
    if any(bar.child >= 0 for bar in bars):
        add_legend(ax, entries, labels.target, place="beyond", language=labels.language)


def _cut_rest_bar(ax: Any, bars: Sequence[Bar], y: list[float]) -> None:
    """Cut the bar of the rest if it is so long that the others would be too short to be seen."""
    longest = max((bar.weight for bar in bars if not bar.is_rest), default=0.0)
    rest = bars[-1].weight if bars[-1].is_rest else 0.0
    if 0 < longest * MAX_REST < rest:
        ax.set_xlim(0, longest * 1.5)
        text = f"n={compact(rest)} …"
        paper = {"facecolor": theme_of(ax).card, "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
        ax.text(longest * 1.45, y[-1], text, ha="right", va="center", fontsize="small", bbox=paper)


def _draw_means(ax: Any, labels: Labels, bars: Sequence[Bar], y: list[float], theme: Theme) -> None:
    """Draw the mean and the standard deviation of the target, and the predicted value of each branch."""
    _ = messages(labels.language)
    means, deviations = [bar.mean for bar in bars], [bar.deviation for bar in bars]
    ax.errorbar(means, y, xerr=deviations, fmt="none", ecolor=theme.line, elinewidth=3)
    heaviest = max(bar.weight for bar in bars) or 1.0
    sizes = [20 + 80 * bar.weight / heaviest for bar in bars]
    points = ax.scatter(means, y, s=sizes, color=class_colour(0), zorder=3)
    entries = [(points, _("mean ± standard deviation"))]
    for child, group in groupby(range(len(bars)), key=lambda i: bars[i].child):
        at = [y[i] for i in group]
        if child >= 0:
            value = float(labels.tree.value[child, 0])
            line = ax.plot([value, value], [at[0] - 0.45, at[-1] + 0.45], color=class_colour(5), linewidth=1.8)[0]
            if len(entries) == 1:
                entries.append((line, _("predicted value of the branch")))
    if len(entries) > 1:
        add_legend(ax, entries, place="beyond", language=labels.language)


def _mark_branches(ax: Any, bars: Sequence[Bar], y: list[float], theme: Theme) -> None:
    """Write the number of the child beside the bars of each branch."""
    side = ax.get_yaxis_transform()
    for child, group in groupby(range(len(bars)), key=lambda i: bars[i].child):
        at = [y[i] for i in group]
        if child < 0:
            continue
        ax.plot([1.01, 1.01], [at[0] - 0.36, at[-1] + 0.36], transform=side, color=theme.line, clip_on=False, lw=1.5)
        ax.text(1.025, (at[0] + at[-1]) / 2, f"#{child}", transform=side, va="center", fontsize="small")


def draw_number_split(ax: Any, labels: Labels, node: int, rows: NodeRows, bins: int) -> Any:
    """Draw the split of a node on a numeric column, and return the axes."""
    split = split_of(labels.tree, node)
    assert split is not None, "a leaf has no split"
    _ = messages(labels.language)
    known = ~np.isnan(rows.values)
    part = NodeRows(rows.values[known], rows.target[known], rows.weight[known])
    name, missing = labels.names[split.position], float(rows.weight[~known].sum())
    if missing > 0:
        name = _("{column}  ({n} missing)", column=name, n=compact(missing))
    if labels.is_number:
        _draw_target_by_column(ax, labels, node, part, split)
        label_axis(ax.yaxis, labels.target)
    else:
        _draw_histogram(ax, labels, part, histogram_edges(part.values, split.threshold, bins))
        label_weight_axis(ax.yaxis, labels.tree, labels.language)
    label_axis(ax.xaxis, name)
    if split.column.is_moment:
        ax.xaxis.set_major_formatter(lambda value, _: format_value(split.column, round(value, 6)))
        ax.locator_params(axis="x", nbins=4)
    set_title(ax, node_title(labels, node), pad=20)
    hide_spines(ax)
    _mark_threshold(ax, labels, node, split)
    return ax


def draw_leaf_target(ax: Any, labels: Labels, node: int, rows: NodeRows, bins: int) -> Any:
    """Draw the target of the rows of a leaf and its predicted value, and return the axes."""
    theme = theme_of(ax)
    target = rows.target.astype(np.float64)
    edges = histogram_edges(target, None, bins)
    weights = bin_weights(target, rows.weight, edges)
    ax.bar(edges[:-1], weights, np.diff(edges), align="edge", **class_style(0, theme))
    value = float(labels.tree.value[node, 0])
    ax.axvline(value, color=class_colour(5), linewidth=1.8)
    high = ax.get_ylim()[1] * 1.12
    ax.set_ylim(0, high)
    ax.text(value, high * 0.95, f" {format_node_value(labels, node)}", va="center", fontsize="small")
    label_axis(ax.xaxis, labels.target)
    label_weight_axis(ax.yaxis, labels.tree, labels.language)
    set_title(ax, node_title(labels, node))
    hide_spines(ax)
    return ax


def _draw_histogram(ax: Any, labels: Labels, rows: NodeRows, edges: NDArray[np.float64]) -> None:
    theme, widths, _ = theme_of(ax), np.diff(edges), messages(labels.language)
    shown, others = top_classes(class_weights(rows.target, rows.weight, len(labels.classes)))
    total = bin_weights(rows.values, rows.weight, edges)
    base = np.zeros(len(widths))
    entries = []
    for code in shown:
        at = rows.target == code
        height = bin_weights(rows.values[at], rows.weight[at], edges)
        drawn = ax.bar(edges[:-1], height, widths, bottom=base, align="edge", **class_style(code, theme))
        entries.append((drawn, labels.classes[code]))
        base += height
    if others:
        drawn = ax.bar(edges[:-1], total - base, widths, base, align="edge", color=theme.line)
        entries.append((drawn, _("other classes")))
    ax.set_ylim(0, float(total.max()) * 1.06)
    add_legend(ax, entries, labels.target, language=labels.language)


def _draw_target_by_column(ax: Any, labels: Labels, node: int, rows: NodeRows, split: Split) -> None:
    """Draw the target by the column, and the predicted values of the node and its branches."""
    theme = theme_of(ax)
    if len(rows.values) > MAX_POINTS:
        look = {"gridsize": 50, "cmap": "Greys", "mincnt": 1}
        ax.hexbin(rows.values, rows.target, C=rows.weight, reduce_C_function=np.sum, **look)
    else:
        size = 6 + 20 * rows.weight / rows.weight.max()
        ax.scatter(rows.values, rows.target, s=size, color=theme.muted, alpha=0.55, linewidths=0)
    low, high = ax.get_xlim()
    cut = split.threshold if split.threshold is not None and np.isfinite(split.threshold) else high
    ax.axhline(float(labels.tree.value[node, 0]), color=theme.line, linestyle=":", linewidth=1.5)
    first = int(labels.tree.first_child[node])
    paper = {"facecolor": theme.card, "edgecolor": "none", "alpha": 0.75, "pad": 1.0}
    for branch, (start, end) in enumerate(((low, cut), (cut, high))):
        if branch < split.n_branches and branch != split.only_missing:
            value = float(labels.tree.value[first + branch, 0])
            ax.plot([start, end], [value, value], color=class_colour(5), linewidth=2.5)
            text = f"#{first + branch}: {format_node_value(labels, first + branch)}"
            ax.text((start + end) / 2, value, text, ha="center", va="bottom", fontsize="small", bbox=paper)
    ax.set_xlim(low, high)


def _mark_threshold(ax: Any, labels: Labels, node: int, split: Split) -> None:
    """Draw the threshold, and how many rows are on each side of it."""
    cut, tree = split.threshold, labels.tree
    if cut is None or not np.isfinite(cut):
        return
    ax.axvline(cut, color=theme_of(ax).ink, linestyle="--", linewidth=1.2)
    first, top = int(tree.first_child[node]), ax.get_xaxis_transform()
    for branch, side in ((0, "right"), (1, "left")):
        text = f" {labels.edge(node, branch).short}  (n={compact(float(tree.weight[first + branch]))}) "
        ax.text(cut, 1.01, text, transform=top, ha=side, va="bottom", fontsize="small")
