"""Comparison chart: methods of pruning, the size of their trees against their error.

In: a `PruningComparison`. Out: a point for each method, and its name beside the chart.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError, KindError, one_of
from treewright.export.colours import class_colour
from treewright.plot.axes import MARKERS, open_axes, plain_frame, require_matplotlib, theme_of
from treewright.plot.lettering import Lettering

ERRORS = {"cv": "cv_error", "validation": "validation_error", "training": "training_error"}
"""Which error is drawn, and where it is found."""

LINE = 0.19
"""Inches between two names."""

SAID = {"cv": "in cross-validation", "validation": "on validation rows", "training": "on training rows"}


def pruning_comparison(comparison: Any, ax: Any = None, *, error: str | None = None) -> Any:
    """Draw the trees that methods of pruning leave, their leaves against their error, and return the axes.

    comparison  what `compare_pruning` gave
    ax          where to draw; None: a new figure
    error       "cv", "validation" or "training"; None: the first of these that there is. A hollow mark is a method that
                the validation rows decided for, so that their error flatters it

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> from treewright import CARTClassifier, compare_pruning
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> table = compare_pruning(CARTClassifier(), X, y, methods=["pessimistic", "cost_complexity"], folds=5)
    >>> ax = pruning_comparison(table)
    >>> ax.get_xlabel()
    'leaves'
    >>> plt.close(ax.figure)
    """
    rows = getattr(comparison, "rows", None)
    if not isinstance(rows, tuple) or not rows or not hasattr(rows[0], "training_error"):
        raise KindError(f"comparison is a {type(comparison).__name__}; give what compare_pruning gave.")
    require_matplotlib()
    which = _which(rows, error)
    leaves = np.array([row.n_leaves for row in rows], dtype=np.float64)
    errors = np.array([getattr(row, ERRORS[which]) for row in rows], dtype=np.float64)
    hollow = [which == "validation" and row.used_validation for row in rows]
    ax = open_axes(ax, (7.2, 4.2))
    ax.set_xscale("log")
    _draw_points(ax, leaves, errors, hollow)
    spread = float(np.ptp(errors)) or max(float(errors.max()), 0.01)
    ax.set_ylim(errors.min() - 0.12 * spread, errors.max() + 0.12 * spread)
    ax.set_xlim(leaves.min() / 1.35, leaves.max() * 1.35)
    _whole_ticks(ax, leaves)
    ax.set_xlabel("leaves")
    unit = comparison.unit if isinstance(comparison.unit, str) else "error"
    ax.set_ylabel(f"{unit} {SAID[which]}")
    plain_frame(ax)
    _name_points(ax, [row.method for row in rows], leaves, errors)
    return ax


def _which(rows: tuple[Any, ...], error: str | None) -> str:
    there = [name for name, field in ERRORS.items() if getattr(rows[0], field) is not None]
    if error is None:
        return there[0]
    one_of("error", error, ERRORS)
    if error not in there:
        raise InputError(
            f"The comparison has no {error} error; choose one of {', '.join(map(repr, there))}, or compare again "
            "with validation rows or folds."
        )
    return error


def _draw_points(ax: Any, leaves: NDArray[np.float64], errors: NDArray[np.float64], hollow: list[bool]) -> None:
    theme = theme_of(ax)
    for i, (x, y) in enumerate(zip(leaves, errors, strict=True)):
        colour = theme.muted if i == 0 else class_colour(i - 1)
        mark = "o" if i == 0 else MARKERS[(i - 1) % len(MARKERS)]
        inside = "none" if hollow[i] else colour
        ax.scatter([x], [y], s=75, marker=mark, facecolors=inside, edgecolors=colour, linewidths=1.6, zorder=3)


def _whole_ticks(ax: Any, leaves: NDArray[np.float64]) -> None:
    """Whole numbers of leaves on the axis, as many as have room."""
    ticks = sorted(set(leaves.astype(int).tolist()))
    kept: list[int] = []
    for tick in ticks:
        if not kept or np.log(tick / kept[-1]) > np.log(max(ticks[-1] / ticks[0], 2.0)) / 12:
            kept.append(tick)
    ax.set_xticks(kept, [f"{tick:,}" for tick in kept])
    ax.set_xticks([], minor=True)


def _name_points(ax: Any, methods: list[str], leaves: NDArray[np.float64], errors: NDArray[np.float64]) -> None:
    """The names beside the chart, as high as their points and apart from each other, with a line to each point."""
    theme, letters = theme_of(ax), Lettering(methods)
    low, high = ax.get_ylim()
    order = sorted(range(len(methods)), key=lambda i: (errors[i], leaves[i], i))
    inches = ax.figure.get_figheight() * ax.get_position().height
    heights = _apart([(errors[i] - low) / (high - low) for i in order], LINE / inches)
    arrow = {"arrowstyle": "-", "color": theme.line, "linewidth": 0.8, "shrinkB": 5}
    look: dict[str, Any] = {"textcoords": "axes fraction", "fontsize": "small", "va": "center", "arrowprops": arrow}
    for i, height in zip(order, heights, strict=True):
        words = letters.fit(methods[i].replace("_", " "), 200)
        point = float(leaves[i]), float(errors[i])
        ax.annotate(words, point, xytext=(1.03, height), annotation_clip=False, **look, **letters.style)


def _apart(heights: list[float], room: float) -> list[float]:
    """Rising heights at least so far apart, about the same middle as before.

    >>> [round(h, 3) for h in _apart([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    groups = [([height], height) for height in heights]
    joined: list[tuple[list[float], float]] = []
    for members, middle in groups:
        joined.append((members, middle))
        while len(joined) > 1 and _reach(joined[-2], room)[1] + room > _reach(joined[-1], room)[0] + 1e-12:
            (first, _), (second, _) = joined[-2], joined[-1]
            both = first + second
            joined[-2:] = [(both, sum(both) / len(both))]
    found: list[float] = []
    for group in joined:
        start = _reach(group, room)[0]
        found += [start + i * room for i in range(len(group[0]))]
    return found


def _reach(group: tuple[list[float], float], room: float) -> tuple[float, float]:
    half = room * (len(group[0]) - 1) / 2
    return group[1] - half, group[1] + half
