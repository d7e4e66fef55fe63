"""Bars: a chart of categories or branches.

In: the lines of a node. Out: a bar of class weights for each, or the mean of the target and how far it spreads; the
branches stand apart, each with the node it leads to.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.export.colours import Theme, class_colour
from treewright.export.labels import Labels, compact, short_number
from treewright.plot.axes import (
    class_style,
    extent,
    head,
    name_axis,
    name_classes,
    name_weight,
    plain_frame,
    theme_of,
)
from treewright.plot.lettering import Lettering
from treewright.plot.lines import Line

APART = 0.6
"""More room between lines of different branches."""

FAR = 4.0
"""How many times the longest line the rest may be before its bar is cut off."""

N_CLASSES = 12
"""Classes with a colour of their own in a chart, those of most weight."""


def draw_bars(ax: Any, labels: Labels, node: int, lines: Sequence[Line]) -> Any:
    """Draw the lines of a node from above, and return the axes."""
    theme = theme_of(ax)
    title = node_title(labels, node)
    letters = Lettering([title, labels.target, *labels.classes, *(line.name for line in lines), "…±#n="])
    places = _places(lines)
    if labels.is_number:
        _draw_means(ax, labels, lines, places, theme)
        name_axis(ax.xaxis, labels.target, letters)
    else:
        _draw_classes(ax, labels, lines, places, letters)
        name_weight(ax.xaxis, labels.tree)
    room = min(170.0, max(60.0, 0.6 * extent(ax)[0]))
    names = [letters.fit(line.name, room) for line in lines]
    ax.set_yticks(places, names, **letters.style)
    ax.set_ylim(places[-1] + 0.7, -0.7)
    head(ax, title, letters)
    plain_frame(ax)
    _mark_branches(ax, lines, places, theme)
    return ax


def node_title(labels: Labels, node: int) -> str:
    """What a chart of a node is about.

    >>> from treewright.model.build import golf_example
    >>> node_title(Labels(golf_example()), 1)
    'node 1: humidity (n=5)'
    """
    return f"node {node}: {labels.headline(node)} ({labels.facts(node)[1]})"


def top_classes(weights: NDArray[np.float64]) -> tuple[list[int], bool]:
    """The classes of most weight in their order, and whether there are others."""
    present = int(np.count_nonzero(weights))
    most = np.argsort(-weights, kind="stable")[: min(N_CLASSES, present)]
    return np.sort(most).tolist(), present > len(most)


def _places(lines: Sequence[Line]) -> list[float]:
    """How far down each line is; where another branch begins there is more room, unless every line is a branch."""
    each = len({line.child for line in lines}) == len(lines)
    found, at = [], 0.0
    for i, line in enumerate(lines):
        if i:
            at += 1.0 if each or line.child == lines[i - 1].child else 1.0 + APART
        found.append(at)
    return found


def _draw_classes(ax: Any, labels: Labels, lines: Sequence[Line], places: list[float], letters: Lettering) -> None:
    theme = theme_of(ax)
    weights = np.array([line.classes for line in lines])
    shown, others = top_classes(weights.sum(axis=0))
    start = np.zeros(len(lines))
    entries = []
    for code in shown:
        bars = ax.barh(places, weights[:, code], left=start, height=0.72, **class_style(code, theme))
        entries.append((bars, labels.classes[code]))
        start += weights[:, code]
    if others:
        rest = weights.sum(axis=1) - start
        entries.append((ax.barh(places, rest, left=start, height=0.72, color=theme.line), "other classes"))
    _cut_the_rest(ax, lines, places)
    if any(line.child >= 0 for line in lines):
        name_classes(ax, entries, letters, labels.target, place="beyond")


def _cut_the_rest(ax: Any, lines: Sequence[Line], places: list[float]) -> None:
    """Where the rest outweighs every line by far, the lines would be too short to be seen: its bar is cut off."""
    longest = max((line.weight for line in lines if not line.is_rest), default=0.0)
    rest = lines[-1].weight if lines[-1].is_rest else 0.0
    if 0 < longest * FAR < rest:
        ax.set_xlim(0, longest * 1.5)
        words = f"n={compact(rest)} …"
        paper = {"facecolor": theme_of(ax).card, "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
        ax.text(longest * 1.45, places[-1], words, ha="right", va="center", fontsize="small", bbox=paper)


def _draw_means(ax: Any, labels: Labels, lines: Sequence[Line], places: list[float], theme: Theme) -> None:
    means, off_by = [line.mean for line in lines], [line.deviation for line in lines]
    ax.errorbar(means, places, xerr=off_by, fmt="none", ecolor=theme.line, elinewidth=3)
    heaviest = max(line.weight for line in lines) or 1.0
    sizes = [20 + 80 * line.weight / heaviest for line in lines]
    dots = ax.scatter(means, places, s=sizes, color=class_colour(0), zorder=3)
    entries = [(dots, "mean ± standard deviation")]
    for child, group in groupby(range(len(lines)), key=lambda i: lines[i].child):
        at = [places[i] for i in group]
        if child >= 0:
            value = float(labels.tree.value[child, 0])
            line = ax.plot([value, value], [at[0] - 0.45, at[-1] + 0.45], color=class_colour(5), linewidth=1.8)[0]
            if len(entries) == 1:
                entries.append((line, "the branch's number"))
    letters = Lettering([name for _, name in entries])
    if len(entries) > 1:
        name_classes(ax, entries, letters, place="beyond")


def _mark_branches(ax: Any, lines: Sequence[Line], places: list[float], theme: Theme) -> None:
    """The node that each branch leads to, beside its lines."""
    side = ax.get_yaxis_transform()
    for child, group in groupby(range(len(lines)), key=lambda i: lines[i].child):
        at = [places[i] for i in group]
        if child < 0:
            continue
        ax.plot([1.01, 1.01], [at[0] - 0.36, at[-1] + 0.36], transform=side, color=theme.line, clip_on=False, lw=1.5)
        ax.text(1.025, (at[0] + at[-1]) / 2, f"#{child}", transform=side, va="center", fontsize="small")


def value_words(labels: Labels, node: int) -> str:
    """The number of a node, short."""
    return short_number(float(labels.tree.value[node, 0]), 4)
