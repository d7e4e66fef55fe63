"""Charts of pruning: the errors along a cost-complexity path, and a comparison of pruning methods."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError, KindError, one_of
from treewright.export.colours import Theme, class_colour
from treewright.export.labels import counted_leaves
from treewright.export.outline import tree_of
from treewright.language import N_, messages
from treewright.model.tree import Tree
from treewright.plot.axes import (
    MARKERS,
    add_legend,
    axes_size,
    hide_spines,
    label_axis,
    open_axes,
    require_matplotlib,
    theme_of,
)
from treewright.plot.fonts import TextStyle, drawable_language
from treewright.prune.cost_complexity_path import CostComplexityPath, cost_complexity_path

MAX_ERROR_BARS = 40
"""Number of trees with an error bar; the standard error of more trees is drawn as a band."""

LEGEND_LINE = 11.5
"""Height of a line of the legend, in points."""

TICK_DISTANCE = 24.0
"""Distance of two numbers along an axis, in points."""

N_SIZES = 9
"""Number of trees whose leaves are written above the chart."""

NAME_DISTANCE = 0.19
"""Distance of two names of methods, in inches."""

ERRORS = {"cv": "cv_error", "validation": "validation_error", "training": "training_error"}
"""The errors of a comparison, and their fields."""

ERROR_LABELS = {
    "cv": N_("{unit} in cross-validation"),
    "validation": N_("{unit} on validation rows"),
    "training": N_("{unit} on training rows"),
}

CROSS_VALIDATION, VALIDATION_ROWS, OTHER_ROWS = N_("cross-validation"), N_("validation rows"), N_("other rows")


def pruning_path(given: Any, ax: Any = None, *, language: str = "en") -> Any:
    """Draw the error of the trees of a cost-complexity path by alpha.

    Parameters
    ----------
    given : estimator, CostComplexityPath or Tree
        An estimator that was pruned by cost-complexity pruning, or its `pruning_report_.path`. For another estimator or
        a tree the path is computed, without a chosen tree.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
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
    >>> from treewright.model.build import golf_example
    >>> ax = pruning_path(golf_example())
    >>> ax.get_xlabel()
    'alpha, the penalty for each leaf'
    >>> plt.close(ax.figure)
    """
    require_matplotlib()
    language = drawable_language(language)
    _ = messages(language)
    path, source = _path_of(given)
    ax = open_axes(ax, (6.8, 4.2))
    theme = theme_of(ax)
    errors = _errors_of(path)
    positive = path.alphas[path.alphas > 0]
    low = float(positive.min()) if len(positive) else 1.0
    high = float(positive.max()) * 3 if len(positive) else 2.0
    # A logarithmic scale with a linear part for alpha = 0.
    ax.set_xscale("symlog", linthresh=low, linscale=0.6)
    edges = np.append(path.alphas, high)
    training = ax.stairs(errors.training, edges, baseline=None, color=class_colour(5), linewidth=1.8)
    entries = [(training, _("training rows"))]
    if errors.other is not None and errors.deviation is not None:
        entries += _draw_error(ax, edges, errors.other, errors.deviation, _(source), language)
    if path.chosen is not None:
        shown = errors.training if errors.other is None else errors.other
        entries.append(_draw_chosen(ax, path, edges, shown, theme, language))
    ax.set_xlim(0, high)
    # Space at the top for the legend, which would hide what is behind it.
    taken = min(0.6, (len(entries) * LEGEND_LINE + 12.0) / axes_size(ax)[1])
    ax.set_ylim(0, (ax.get_ylim()[1] or 1.0) / (1.0 - taken))
    _set_decades(ax, low, high)
    label_axis(ax.xaxis, _("alpha, the penalty for each leaf"))
    label_axis(ax.yaxis, _(errors.unit))
    hide_spines(ax)
    _label_sizes(ax, path, edges, _("leaves:"))
    add_legend(ax, entries, place="upper left", language=language)
    return ax


def _path_of(given: Any) -> tuple[CostComplexityPath, str]:
    """The path, and the rows on which its trees were evaluated."""
    if isinstance(given, CostComplexityPath):
        return given, OTHER_ROWS
    if isinstance(given, Tree):
        return cost_complexity_path(given), ""
    if not hasattr(given, "fit"):
        raise KindError(
            f"Expected a fitted estimator, its pruning_report_.path or a Tree, got {type(given).__name__}."
        )
    tree_of(given)
    report = getattr(given, "pruning_report_", None)
    path = None if report is None else report.path
    if report is None or not isinstance(path, CostComplexityPath):
        return cost_complexity_path(getattr(given, "grown_tree_", given.tree_)), ""
    return path, CROSS_VALIDATION if "cross-validation" in report.rule else VALIDATION_ROWS


class _PathErrors(NamedTuple):
    """Errors of the trees of a path on one scale, with the label of the scale."""

    training: NDArray[np.float64]
    other: NDArray[np.float64] | None
    deviation: NDArray[np.float64] | None
    unit: str


def _errors_of(path: CostComplexityPath) -> _PathErrors:
    """Training and other errors: as they are if they have the same unit, otherwise relative to those of the root."""
    if path.error is None or path.standard_error is None:
        return _PathErrors(path.risk, None, None, N_("risk on the training rows"))
    if _is_error(path):
        unit = N_("mean squared error") if path.tree.schema.target.is_number else N_("error rate")
        return _PathErrors(path.risk, path.error, path.standard_error, unit)
    risk, root = path.risk / (path.root_risk or 1.0), path.root_error or 1.0
    return _PathErrors(risk, path.error / root, path.standard_error / root, N_("error relative to the root"))


def _is_error(path: CostComplexityPath) -> bool:
    """Whether the path was computed from the error by which its trees are evaluated, not from another loss."""
    if path.tree.not_squared:
        return False
    plain = cost_complexity_path(path.tree)
    return np.array_equal(plain.leaves, path.leaves) and np.allclose(plain.risk, path.risk, rtol=1e-9, atol=0.0)


def _draw_error(
    ax: Any,
    edges: NDArray[np.float64],
    error: NDArray[np.float64],
    deviation: NDArray[np.float64],
    source: str,
    language: str,
) -> list[tuple[Any, str]]:
    """Draw the error on other rows with its standard error, and the line below which a tree is chosen."""
    _, blue = messages(language), class_colour(0)
    steps = ax.stairs(error, edges, baseline=None, color=blue, linewidth=2)
    entries = [(steps, _("{rows} ± 1 standard error", rows=source))]
    if len(error) <= MAX_ERROR_BARS:
        middle = _middles(edges)
        ax.errorbar(middle, error, yerr=deviation, fmt="none", ecolor=blue, elinewidth=1.2, capsize=2.5)
    else:
        ax.stairs(error + deviation, edges, baseline=error - deviation, fill=True, color=blue, alpha=0.18, linewidth=0)
    best = int(np.flatnonzero(error <= error.min() * (1 + 1e-12))[-1])
    limit = float(error[best] + deviation[best])
    line = ax.axhline(limit, color=class_colour(2), linestyle="--", linewidth=1.3)
    return [*entries, (line, _("minimum error + 1 standard error"))]


def _draw_chosen(
    ax: Any,
    path: CostComplexityPath,
    edges: NDArray[np.float64],
    error: NDArray[np.float64],
    theme: Theme,
    language: str,
) -> tuple[Any, str]:
    _, at = messages(language), path.chosen or 0
    name = _("chosen: {leaves}", leaves=counted_leaves(int(path.leaves[at]), language))
    ax.axvspan(edges[at], edges[at + 1], color=class_colour(6), alpha=0.25, linewidth=0)
    place = float(_middles(edges)[at])
    return ax.plot([place], [error[at]], "o", markersize=8, color=theme.ink, linestyle="none")[0], name


def _middles(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middle of each step on the axis: that of the logarithms, and half of the first alpha for the first step."""
    middle = np.sqrt(edges[:-1]) * np.sqrt(edges[1:])
    middle[0] = edges[1] / 2
    return middle


def _label_sizes(ax: Any, path: CostComplexityPath, edges: NDArray[np.float64], heading: str) -> None:
    """Write the numbers of leaves of some of the trees above the chart."""
    middle = _middles(edges)
    places = ax.transData.transform(np.column_stack([middle, np.zeros(len(middle))]))[:, 0]
    span = ax.transAxes.transform([[0, 0], [1, 0]])[:, 0]
    room = max((span[1] - span[0]) / (N_SIZES + 1), TICK_DISTANCE * ax.figure.dpi / 72)
    chosen = [] if path.chosen is None else [path.chosen]
    shown: list[int] = []
    for i in [*chosen, len(path) - 1, *range(len(path))]:
        if all(abs(places[i] - places[j]) >= room for j in shown):
            shown.append(i)
    top = ax.get_xaxis_transform()
    for i in shown:
        ax.text(middle[i], 1.015, f"{path.leaves[i]:,}", transform=top, ha="center", fontsize="small")
    style = TextStyle([heading])
    ax.text(-0.01, 1.015, heading, transform=ax.transAxes, ha="right", fontsize="small", **style.settings)


def _set_decades(ax: Any, low: float, high: float) -> None:
    """Set the ticks of alpha: zero and as many powers of ten as fit."""
    first, last = int(np.ceil(np.log10(low) - 1e-9)), int(np.floor(np.log10(high)))
    room = max(1, min(8, int(axes_size(ax)[0] / TICK_DISTANCE) - 1))
    step = max(1, -(-(last - first + 1) // room))
    powers = range(first, last + 1, step)
    ax.set_xticks([0.0, *(10.0**power for power in powers)], ["0", *(f"$10^{{{power}}}$" for power in powers)])
    ax.set_xticks([], minor=True)


def pruning_comparison(comparison: Any, ax: Any = None, *, error: str | None = None, language: str = "en") -> Any:
    """Draw the error of the trees of several pruning methods by their number of leaves.

    A hollow marker is a method that used the validation rows to choose the tree, so that its validation error is
    optimistic.

    Parameters
    ----------
    comparison : PruningComparison
        The result of `compare_pruning`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    error : {"cv", "validation", "training"}, optional
        Which error is drawn; by default the first of these that the comparison has.
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
        raise KindError(f"comparison must be a result of compare_pruning, got {type(comparison).__name__}.")
    require_matplotlib()
    _ = messages(drawable_language(language))
    which = _choose_error(rows, error)
    leaves = np.array([row.n_leaves for row in rows], dtype=np.float64)
    errors = np.array([getattr(row, ERRORS[which]) for row in rows], dtype=np.float64)
    hollow = [which == "validation" and row.used_validation for row in rows]
    ax = open_axes(ax, (7.2, 4.2))
    ax.set_xscale("log")
    _draw_points(ax, leaves, errors, hollow)
    spread = float(np.ptp(errors)) or max(float(errors.max()), 0.01)
    ax.set_ylim(errors.min() - 0.12 * spread, errors.max() + 0.12 * spread)
    ax.set_xlim(leaves.min() / 1.35, leaves.max() * 1.35)
    _set_integer_ticks(ax, leaves)
    label_axis(ax.xaxis, _("leaves"))
    unit = comparison.unit if isinstance(comparison.unit, str) else N_("error")
    label_axis(ax.yaxis, _(ERROR_LABELS[which], unit=_(unit)))
    hide_spines(ax)
    _label_points(ax, [row.method for row in rows], leaves, errors)
    return ax


def _choose_error(rows: tuple[Any, ...], error: str | None) -> str:
    available = [name for name, field in ERRORS.items() if getattr(rows[0], field) is not None]
    if error is None:
        return available[0]
    one_of("error", error, ERRORS)
    if error not in available:
        raise InputError(
            f"The comparison has no {error} error. Use one of {', '.join(map(repr, available))}, or compare again with "
            "validation rows or folds."
        )
    return error


def _draw_points(ax: Any, leaves: NDArray[np.float64], errors: NDArray[np.float64], hollow: list[bool]) -> None:
    theme = theme_of(ax)
    for i, (x, y) in enumerate(zip(leaves, errors, strict=True)):
        colour = theme.muted if i == 0 else class_colour(i - 1)
        mark = "o" if i == 0 else MARKERS[(i - 1) % len(MARKERS)]
        inside = "none" if hollow[i] else colour
        ax.scatter([x], [y], s=75, marker=mark, facecolors=inside, edgecolors=colour, linewidths=1.6, zorder=3)


def _set_integer_ticks(ax: Any, leaves: NDArray[np.float64]) -> None:
    """Set ticks at numbers of leaves, as many as fit."""
    ticks = sorted(set(leaves.astype(int).tolist()))
    kept: list[int] = []
    for tick in ticks:
        if not kept or np.log(tick / kept[-1]) > np.log(max(ticks[-1] / ticks[0], 2.0)) / 12:
            kept.append(tick)
    ax.set_xticks(kept, [f"{tick:,}" for tick in kept])
    ax.set_xticks([], minor=True)


def _label_points(ax: Any, methods: list[str], leaves: NDArray[np.float64], errors: NDArray[np.float64]) -> None:
    """Write the names beside the chart at the height of their points, without overlaps, with a line to each point."""
    theme, style = theme_of(ax), TextStyle(methods)
    low, high = ax.get_ylim()
    order = sorted(range(len(methods)), key=lambda i: (errors[i], leaves[i], i))
    inches = ax.figure.get_figheight() * ax.get_position().height
    heights = _spread_out([(errors[i] - low) / (high - low) for i in order], NAME_DISTANCE / inches)
    arrow = {"arrowstyle": "-", "color": theme.line, "linewidth": 0.8, "shrinkB": 5}
    look: dict[str, Any] = {"textcoords": "axes fraction", "fontsize": "small", "va": "center", "arrowprops": arrow}
    for i, height in zip(order, heights, strict=True):
        name = style.fit(methods[i].replace("_", " "), 200)
        point = float(leaves[i]), float(errors[i])
        ax.annotate(name, point, xytext=(1.03, height), annotation_clip=False, **look, **style.settings)


def _spread_out(heights: list[float], distance: float) -> list[float]:
    """Ascending heights with at least this distance; each group of moved ones keeps its mean.

    >>> [round(h, 3) for h in _spread_out([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1:
            top, bottom = _extent(groups[-2], distance)[1], _extent(groups[-1], distance)[0]
            if top + distance <= bottom + 1e-12:
                break
            groups[-2:] = [groups[-2] + groups[-1]]
    found: list[float] = []
    for group in groups:
        start = _extent(group, distance)[0]
        found += [start + i * distance for i in range(len(group))]
    return found


def _extent(group: list[float], distance: float) -> tuple[float, float]:
    """The lowest and the highest of a group that is spread out about its mean."""
    middle, half = sum(group) / len(group), distance * (len(group) - 1) / 2
    return middle - half, middle + half
