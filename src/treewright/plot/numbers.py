"""Numbers: a chart of a split by a number.

In: the rows of a node and its cut. Out: a histogram by class whose bars begin at the cut, or the target against the
number with the numbers of the branches; for a leaf a histogram of its target.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.export.colours import Theme, class_colour
from treewright.export.labels import Labels, compact
from treewright.model.split import Split, split_of
from treewright.plot.axes import (
    class_style,
    head,
    name_axis,
    name_classes,
    name_weight,
    plain_frame,
    theme_of,
)
from treewright.plot.bars import node_title, top_classes, value_words
from treewright.plot.lettering import Lettering
from treewright.plot.rows import NodeRows, class_weights

MOST_DOTS = 5000
"""Rows that are drawn as dots; more of them as a map of how many there are."""


def draw_numbers(ax: Any, labels: Labels, node: int, rows: NodeRows, bins: int) -> Any:
    """Draw the split of a node by a number, and return the axes."""
    split = split_of(labels.tree, node)
    assert split is not None, "a leaf has no split"
    theme, title = theme_of(ax), node_title(labels, node)
    known = ~np.isnan(rows.values)
    part = NodeRows(rows.values[known], rows.target[known], rows.weight[known])
    missing = float(rows.weight[~known].sum())
    about = labels.names[split.position] + (f"  ({compact(missing)} missing)" if missing > 0 else "")
    letters = Lettering([title, about, labels.target, *labels.classes, "≤>±…"])
    if labels.is_number:
        _draw_against(ax, labels, node, part, split)
        name_axis(ax.yaxis, labels.target, letters)
    else:
        _draw_histogram(ax, labels, part, letters, edges_at(part.values, split.threshold, bins))
        name_weight(ax.yaxis, labels.tree)
    name_axis(ax.xaxis, about, letters)
    head(ax, title, letters, pad=20)
    plain_frame(ax)
    _mark_cut(ax, labels, node, split, theme)
    return ax


def draw_target(ax: Any, labels: Labels, node: int, rows: NodeRows, bins: int) -> Any:
    """Draw the target of a leaf's rows and its number, and return the axes."""
    theme, title = theme_of(ax), node_title(labels, node)
    letters = Lettering([title, labels.target])
    target = rows.target.astype(np.float64)
    edges = edges_at(target, None, bins)
    ax.bar(edges[:-1], _heights(target, rows.weight, edges), np.diff(edges), align="edge", **class_style(0, theme))
    value = float(labels.tree.value[node, 0])
    ax.axvline(value, color=class_colour(5), linewidth=1.8)
    high = ax.get_ylim()[1] * 1.12
    ax.set_ylim(0, high)
    ax.text(value, high * 0.95, f" {value_words(labels, node)}", va="center", fontsize="small")
    name_axis(ax.xaxis, labels.target, letters)
    name_weight(ax.yaxis, labels.tree)
    head(ax, title, letters)
    plain_frame(ax)
    return ax


def edges_at(values: NDArray[np.float64], cut: float | None, bins: int) -> NDArray[np.float64]:
    """Where the bars of a histogram begin and end: all equally wide, and one of them begins at the cut.

    >>> edges_at(np.array([1.0, 2.0, 4.0, 5.0]), 3.0, 4).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    low, high = float(values.min()), float(values.max())
    step = (high / bins - low / bins) or max(abs(low), 1.0) / 4
    whole = bool((values == np.floor(values)).all()) and step < 1e9
    if whole:
        step = max(1.0, np.ceil(step))
    start = cut if cut is not None and low <= cut <= high else (low - 0.5 if whole else low)
    first, last = np.floor((low - start) / step), np.ceil((high - start) / step)
    edges = start + step * np.arange(first, max(last, first + 1) + 1)
    # What lies on the last edge belongs to the last bar, unless that edge is the cut.
    return edges if high <= edges[-1] else np.append(edges, edges[-1] + step)


def _heights(
    values: NDArray[np.float64], weight: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weight in each bar; a value on an edge belongs to the bar before, as the cut itself does."""
    place = np.clip(np.searchsorted(edges, values, side="left") - 1, 0, len(edges) - 2)
    return np.bincount(place, weight, len(edges) - 1).astype(np.float64)


def _draw_histogram(
    ax: Any, labels: Labels, rows: NodeRows, letters: Lettering, edges: NDArray[np.float64]
) -> None:
    theme, widths = theme_of(ax), np.diff(edges)
    shown, others = top_classes(class_weights(rows.target, rows.weight, len(labels.classes)))
    below = np.zeros(len(widths))
    entries = []
    for code in shown:
        at = rows.target == code
        height = _heights(rows.values[at], rows.weight[at], edges)
        bars = ax.bar(edges[:-1], height, widths, bottom=below, align="edge", **class_style(code, theme))
        entries.append((bars, labels.classes[code]))
        below += height
    if others:
        rest = _heights(rows.values, rows.weight, edges) - below
        entries.append((ax.bar(edges[:-1], rest, widths, below, align="edge", color=theme.line), "other classes"))
    ax.set_ylim(0, float(_heights(rows.values, rows.weight, edges).max()) * 1.06)
    name_classes(ax, entries, letters, labels.target)


def _draw_against(ax: Any, labels: Labels, node: int, rows: NodeRows, split: Split) -> None:
    """The target against the number, and what the node and its branches say."""
    theme = theme_of(ax)
    if len(rows.values) > MOST_DOTS:
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
            words = f"#{first + branch}: {value_words(labels, first + branch)}"
            ax.text((start + end) / 2, value, words, ha="center", va="bottom", fontsize="small", bbox=paper)
    ax.set_xlim(low, high)


def _mark_cut(ax: Any, labels: Labels, node: int, split: Split, theme: Theme) -> None:
    """The cut, and how many rows go to each side of it."""
    cut, tree = split.threshold, labels.tree
    if cut is None or not np.isfinite(cut):
        return
    ax.axvline(cut, color=theme.ink, linestyle="--", linewidth=1.2)
    first, top = int(tree.first_child[node]), ax.get_xaxis_transform()
    for branch, place in ((0, "right"), (1, "left")):
        words = f" {labels.edge(node, branch).short}  (n={compact(float(tree.weight[first + branch]))}) "
        ax.text(cut, 1.01, words, transform=top, ha=place, va="bottom", fontsize="small")
