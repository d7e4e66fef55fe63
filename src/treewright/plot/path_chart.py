"""Path chart: the trees of cost-complexity pruning, their errors, and which of them is chosen.

In: a fitted estimator, or its `CostComplexityPath`. Out: error against alpha: that of the training rows, that of rows
the trees were not grown on with its standard error, the line of the least error and one standard error, and the tree.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import KindError
from treewright.export.colours import Theme, class_colour
from treewright.export.labels import counted_leaves
from treewright.export.source import tree_of
from treewright.model.tree import Tree
from treewright.plot.axes import extent, name_classes, open_axes, plain_frame, require_matplotlib, theme_of
from treewright.plot.lettering import Lettering
from treewright.prune.path import CostComplexityPath, cost_complexity_path

MOST_BARS = 40
"""Trees with a standard error drawn as a bar; that of more is drawn as a band."""

LEGEND_LINE = 11.5
"""Points that a line of the legend takes."""

WORDS_APART = 24.0
"""Points between the middles of two numbers along the axis."""

N_SIZES = 9
"""Trees whose number of leaves is written above the chart."""


def pruning_path(given: Any, ax: Any = None) -> Any:
    """Draw the error of the trees of a cost-complexity path against alpha, and return the axes.

    given  an estimator that was pruned by cost and complexity, its `pruning_report_.path`, or any other estimator or
           Tree, whose path is then made, without a choice
    ax     where to draw; None: a new figure

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> from treewright.model.build import golf_example
    >>> ax = pruning_path(golf_example())
    >>> ax.get_xlabel()
    'alpha, the price of a leaf'
    >>> plt.close(ax.figure)
    """
    path, said = _path_of(given)
    require_matplotlib()
    ax = open_axes(ax, (6.8, 4.2))
    theme = theme_of(ax)
    risk, error, off_by, unit = _measures(path)
    positive = path.alphas[path.alphas > 0]
    low = float(positive.min()) if len(positive) else 1.0
    high = float(positive.max()) * 3 if len(positive) else 2.0
    # A logarithmic scale, with a place before it for alpha = 0.
    ax.set_xscale("symlog", linthresh=low, linscale=0.6)
    edges = np.append(path.alphas, high)
    entries = [(ax.stairs(risk, edges, baseline=None, color=class_colour(5), linewidth=1.8), "training rows")]
    if error is not None and off_by is not None:
        entries += _draw_error(ax, edges, error, off_by, said)
    if path.chosen is not None:
        entries.append(_draw_chosen(ax, path, edges, error if error is not None else risk, theme))
    ax.set_xlim(0, high)
    # Room above for the legend, which would hide what is behind it.
    taken = min(0.6, (len(entries) * LEGEND_LINE + 12.0) / extent(ax)[1])
    ax.set_ylim(0, (ax.get_ylim()[1] or 1.0) / (1.0 - taken))
    _decades(ax, low, high)
    ax.set_xlabel("alpha, the price of a leaf")
    ax.set_ylabel(unit)
    plain_frame(ax)
    _name_sizes(ax, path, edges)
    name_classes(ax, entries, Lettering([name for _, name in entries]), place="upper left")
    return ax


def _path_of(given: Any) -> tuple[CostComplexityPath, str]:
    """The path, and what the rows are that its trees were judged by."""
    if isinstance(given, CostComplexityPath):
        return given, "rows not grown on"
    if isinstance(given, Tree):
        return cost_complexity_path(given), ""
    if not hasattr(given, "fit"):
        raise KindError(
            f"A {type(given).__name__} has no path; give a fitted estimator, its pruning_report_.path, or a Tree."
        )
    tree_of(given)
    report = getattr(given, "pruning_report_", None)
    path = None if report is None else report.path
    if report is None or not isinstance(path, CostComplexityPath):
        return cost_complexity_path(getattr(given, "grown_tree_", given.tree_)), ""
    return path, "cross-validation" if "cross-validation" in report.rule else "validation rows"


def _measures(
    path: CostComplexityPath,
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, NDArray[np.float64] | None, str]:
    """Training and other errors on one scale: their own where it is the same, otherwise in parts of the root's."""
    is_number = path.tree.schema.target.is_number
    if path.error is None or path.standard_error is None:
        return path.risk, None, None, "risk of the training rows"
    root = path.root_error or 1.0
    if _is_error(path):
        unit = "mean squared error" if is_number else "share of wrong answers"
        return path.risk, path.error, path.standard_error, unit
    risk = path.risk / (path.root_risk or 1.0)
    return risk, path.error / root, path.standard_error / root, "error in parts of the root's"


def _is_error(path: CostComplexityPath) -> bool:
    """Whether the path was made by the error that its trees are judged by, and not by impurity, costs or medians."""
    if path.tree.by_median:
        return False
    plain = cost_complexity_path(path.tree)
    return np.array_equal(plain.leaves, path.leaves) and np.allclose(plain.risk, path.risk, rtol=1e-9, atol=0.0)


def _draw_error(
    ax: Any, edges: NDArray[np.float64], error: NDArray[np.float64], off_by: NDArray[np.float64], said: str
) -> list[tuple[Any, str]]:
    """The error on other rows with its standard error, and the line that the choice is made by."""
    blue = class_colour(0)
    entries = [(ax.stairs(error, edges, baseline=None, color=blue, linewidth=2), f"{said} ± 1 standard error")]
    if len(error) <= MOST_BARS:
        middle = _middles(edges)
        ax.errorbar(middle, error, yerr=off_by, fmt="none", ecolor=blue, elinewidth=1.2, capsize=2.5)
    else:
        ax.stairs(error + off_by, edges, baseline=error - off_by, fill=True, color=blue, alpha=0.18, linewidth=0)
    best = int(np.flatnonzero(error <= error.min() * (1 + 1e-12))[-1])
    limit = float(error[best] + off_by[best])
    line = ax.axhline(limit, color=class_colour(2), linestyle="--", linewidth=1.3)
    return [*entries, (line, "least error + 1 standard error")]


def _draw_chosen(
    ax: Any, path: CostComplexityPath, edges: NDArray[np.float64], error: NDArray[np.float64], theme: Theme
) -> tuple[Any, str]:
    at = path.chosen or 0
    words = f"chosen: {counted_leaves(int(path.leaves[at]))}"
    ax.axvspan(edges[at], edges[at + 1], color=class_colour(6), alpha=0.25, linewidth=0)
    place = float(_middles(edges)[at])
    return ax.plot([place], [error[at]], "o", markersize=8, color=theme.ink, linestyle="none")[0], words


def _middles(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middle of each step as the axis shows it: of the logarithms, and half of the first alpha for the first."""
    middle = np.sqrt(edges[:-1]) * np.sqrt(edges[1:])
    middle[0] = edges[1] / 2
    return middle


def _name_sizes(ax: Any, path: CostComplexityPath, edges: NDArray[np.float64]) -> None:
    """How many leaves some of the trees have, above the chart."""
    middle = _middles(edges)
    places = ax.transData.transform(np.column_stack([middle, np.zeros(len(middle))]))[:, 0]
    span = ax.transAxes.transform([[0, 0], [1, 0]])[:, 0]
    room = max((span[1] - span[0]) / (N_SIZES + 1), WORDS_APART * ax.figure.dpi / 72)
    chosen = [] if path.chosen is None else [path.chosen]
    shown: list[int] = []
    for i in [*chosen, len(path) - 1, *range(len(path))]:
        if all(abs(places[i] - places[j]) >= room for j in shown):
            shown.append(i)
    top = ax.get_xaxis_transform()
    for i in shown:
        ax.text(middle[i], 1.015, f"{path.leaves[i]:,}", transform=top, ha="center", fontsize="small")
    ax.text(-0.01, 1.015, "leaves:", transform=ax.transAxes, ha="right", fontsize="small")


def _decades(ax: Any, low: float, high: float) -> None:
    """Zero and the powers of ten, as many as have room."""
    first, last = int(np.ceil(np.log10(low) - 1e-9)), int(np.floor(np.log10(high)))
    room = max(1, min(8, int(extent(ax)[0] / WORDS_APART) - 1))
    step = max(1, -(-(last - first + 1) // room))
    powers = range(first, last + 1, step)
    ax.set_xticks([0.0, *(10.0**power for power in powers)], ["0", *(f"$10^{{{power}}}$" for power in powers)])
    ax.set_xticks([], minor=True)
