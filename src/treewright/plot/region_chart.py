"""A chart of decision regions: the predictions of a tree over two numeric columns, with rows as points.

A tree cuts the plane along its thresholds, so the regions are drawn exactly between them, without a grid.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import encode_table
from treewright.data.schema import Kind
from treewright.data.target import check_same_length, encode_known_target
from treewright.errors import InputError, KindError
from treewright.explain.importance import column_gains
from treewright.export.colours import class_colour, mixed, number_colour
from treewright.export.labels import Labels, clipped, short_number, short_value
from treewright.export.outline import tree_of
from treewright.language import messages
from treewright.model.formatting import format_category
from treewright.model.strategies import REFUSED
from treewright.model.tree import Tree
from treewright.plot.axes import (
    MAX_ENTRIES,
    add_legend,
    axes_size,
    class_style,
    label_axis,
    marker,
    open_axes,
    require_matplotlib,
    set_title,
    theme_of,
)
from treewright.plot.fonts import TextStyle, drawable_language
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_numbers

MAX_THRESHOLDS = 1000
"""Thresholds of one column that are drawn exactly; more are replaced by steps of equal width."""

MAX_POINTS = 3000
"""Rows that are drawn; of more, every k-th."""


def decision_regions(
    given: Any,
    X: object = None,
    y: object = None,
    *,
    columns: tuple[Any, Any] | None = None,
    fixed: Mapping[Any, Any] | None = None,
    ax: Any = None,
    language: str = "en",
) -> Any:
    """Draw the predictions of a tree over two numeric columns.

    Parameters
    ----------
    given : estimator or Tree
        A fitted estimator, or a tree.
    X, y : optional
        Rows to draw as points; by default the training rows, if they were kept.
    columns : tuple of two, optional
        Names or positions of the two numeric columns; by default the two with the highest importance.
    fixed : mapping, optional
        Values of the other columns by name; by default the median or the most frequent category.
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
    >>> from treewright import CARTClassifier
    >>> X, y = [[1, 5], [2, 6], [3, 1], [4, 2]], ["a", "a", "b", "b"]
    >>> ax = decision_regions(CARTClassifier(pruning=None).fit(X, y), columns=(0, 1))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('x0', 'x1')
    >>> plt.close(ax.figure)
    """
    tree = tree_of(given)
    require_matplotlib()
    across, up = _read_columns(tree, columns)
    values, target = _read_points(given, tree, X, y)
    labels = Labels(tree, language=drawable_language(language))
    base, conditions = _fixed_row(labels, values, (across, up), fixed or {})
    ax = open_axes(ax, (6.2, 4.8))
    edges = [_edges(tree, column, values) for column in (across, up)]
    regions = _draw_regions(ax, labels, base, (across, up), edges)
    points = draw_points(ax, labels, values[:, [across, up]], target) if len(values) else {}
    ax.set_xlim(edges[0][0], edges[0][-1])
    ax.set_ylim(edges[1][0], edges[1][-1])
    label_axis(ax.xaxis, labels.names[across])
    label_axis(ax.yaxis, labels.names[up])
    if conditions:
        set_title(ax, _title(conditions, 1.1 * axes_size(ax)[0], labels.language), "small")
    add_legend(ax, _legend_entries(labels, regions, points), labels.target, place="beside", language=labels.language)
    return ax


def _title(conditions: list[str], room: float, language: str) -> str:
    """The values of the other columns, as many as fit."""
    _, style = messages(language), TextStyle([*conditions, "…"])
    for n in range(len(conditions), 0, -1):
        shown = conditions[:n]
        if n < len(conditions):
            shown = [*shown, _("… {n} more", n=len(conditions) - n)]
        text = _("where {conditions}", conditions=", ".join(shown))
        if n == 1 or style.fit(text, room) == style(text):
            break
    return text


def _legend_entries(labels: Labels, regions: dict[Any, Any], points: dict[Any, Any]) -> list[tuple[Any, str]]:
    """The entries of the legend; a class with both has its marker on its region."""
    if labels.is_number:
        return [(patch, value) for value, patch in regions.items()]
    found = []
    order = sorted(regions.keys() | points.keys())
    if len(order) > MAX_ENTRIES:  # not all are named: predicted classes come first
        order.sort(key=lambda code: code not in regions)
    for code in order:
        artists = tuple(part[code] for part in (regions, points) if code in part)
        found.append((artists if len(artists) > 1 else artists[0], labels.classes[code]))
    return found


def _read_columns(tree: Tree, columns: Any) -> tuple[int, int]:
    """The positions of the two columns."""
    places = {column.name: i for i, column in enumerate(tree.schema.columns)}
    if columns is None:
        gained = column_gains(tree)
        order = [i for i in np.argsort(-gained, kind="stable").tolist() if _is_number(tree, i)]
        if len(order) < 2:
            raise InputError("decision_regions requires a table with at least two numeric columns.")
        first, second = sorted(order[:2])
        return first, second
    if isinstance(columns, str) or not hasattr(columns, "__len__") or len(columns) != 2:
        raise InputError(f"columns must be two names of columns, got {columns!r}.")
    found = [places.get(name, name) for name in columns]
    for name, place in zip(columns, found, strict=True):
        if isinstance(place, bool) or not isinstance(place, int | np.integer) or not 0 <= place < len(places):
            raise InputError(f"Column {name!r} not found. The columns are {clipped(repr(list(places)), 300)}.")
        if not _is_number(tree, int(place)):
            raise KindError(f"Column {name!r} is not numeric. Use two numeric columns.")
    if found[0] == found[1]:
        raise InputError(f"columns must be two different columns, got {columns!r}.")
    return int(found[0]), int(found[1])


def _is_number(tree: Tree, place: int) -> bool:
    return tree.schema.columns[place].kind is Kind.NUMBER


def _read_points(given: Any, tree: Tree, X: object, y: object) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """The rows that are drawn, in the codes of the tree."""
    if X is None:
        kept = None if isinstance(given, Tree) else getattr(given, "_kept", None)
        if kept is None:
            return np.empty((0, tree.schema.n_columns)), np.empty(0)
        return kept.values, kept.target
    values = encode_table(X, tree.schema.columns, "missing").values
    if y is None:
        raise InputError("X and y must be passed together, got X without y.")
    target = encode_known_target(y, tree.schema.target)
    check_same_length(len(values), y=target)
    return values, target


def _fixed_row(
    labels: Labels, values: NDArray[np.float64], pair: tuple[int, int], fixed: Mapping[Any, Any]
) -> tuple[NDArray[np.float64], list[str]]:
    """A row with the values of the other columns, and those that the tree uses as text."""
    tree = labels.tree
    places = {column.name: i for i, column in enumerate(tree.schema.columns)}
    base = np.array([_typical_value(tree, i, values) for i in range(len(places))])
    for name, cell in fixed.items():
        place = places.get(name, name)
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(places) or place in pair:
            free = [column for i, column in enumerate(places) if i not in pair]
            raise InputError(f"Unknown column {name!r} in fixed. Expected one of {clipped(repr(free), 300)}.")
        base[place] = encode_table([[cell]], [tree.schema.columns[place]]).values[0, 0]
    used = [i for i in np.unique(tree.column[tree.column >= 0]).tolist() if i not in pair]
    return base, [f"{tree.schema.columns[i].name} = {_format_value(labels, i, base[i])}" for i in used]


def _typical_value(tree: Tree, place: int, values: NDArray[np.float64]) -> float:
    """The median or the most frequent category; without rows, the median threshold."""
    cells = values[:, place][~np.isnan(values[:, place])]
    if tree.schema.columns[place].kind is Kind.CATEGORY:
        return float(np.bincount(cells[cells >= 0].astype(np.int64)).argmax()) if len(cells) else 0.0
    if not len(cells):
        cells = tree.threshold[(tree.column == place) & np.isfinite(tree.threshold)]
    return float(np.quantile(cells, 0.5, method="lower")) if len(cells) else 0.0


def _format_value(labels: Labels, place: int, value: float) -> str:
    _, column = messages(labels.language), labels.tree.schema.columns[place]
    if np.isnan(value):
        return _("missing")
    return format_category(column.categories[int(value)]) if column.categories else short_value(column, value)


def _edges(tree: Tree, column: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The thresholds of a column, with an edge before the first and one after the last."""
    cuts = np.unique(tree.threshold[(tree.column == column) & np.isfinite(tree.threshold)])
    cells = values[:, column][~np.isnan(values[:, column])]
    all_values = np.concatenate([cuts, cells])
    low, high = (float(all_values.min()), float(all_values.max())) if len(all_values) else (0.0, 1.0)
    margin = (high - low) * 0.06 or max(abs(low), 1.0) * 0.1
    low, high = low - margin, high + margin
    if len(cuts) > MAX_THRESHOLDS:
        return np.linspace(low, high, MAX_THRESHOLDS)
    return np.concatenate([[low], cuts, [high]])


def _draw_regions(
    ax: Any, labels: Labels, base: NDArray[np.float64], pair: tuple[int, int], edges: list[NDArray[np.float64]]
) -> dict[Any, Any]:
    """Fill the plane with the predictions; return patches for the legend, by class code or number."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Patch

    tree, theme = labels.tree, theme_of(ax)
    # Halves first, because the sum of two large numbers may overflow.
    middle = [edge[:-1] / 2 + edge[1:] / 2 for edge in edges]
    rows = np.tile(base, (len(middle[0]) * len(middle[1]), 1))
    rows[:, pair[0]] = np.tile(middle[0], len(middle[1]))
    rows[:, pair[1]] = np.repeat(middle[1], len(middle[0]))
    rule = MissingPolicy("majority") if tree.strategy.goes == REFUSED else MissingPolicy()
    if labels.is_number:
        predicted = predict_numbers(tree, rows, rule)
        wide = labels.most - labels.least
        position = (predicted - labels.least) / wide if wide > 0 else np.full(len(predicted), 0.5)
        shades = np.array([to_rgb(mixed(theme.card, number_colour(i / 255), 0.8)) for i in range(256)])
        colours = shades[np.clip((position * 255).astype(int), 0, 255)]
        steps = [(at, labels.least + at * wide) for at in (1.0, 0.75, 0.5, 0.25, 0.0)]
        filled = {short_number(value, 4): Patch(color=number_colour(at)) for at, value in steps}
    else:
        codes = predict_class_codes(tree, rows, rule)
        tints = np.array([to_rgb(mixed(theme.card, class_colour(c), 0.4)) for c in range(len(labels.classes))])
        colours = tints[codes]
        filled = {c: Patch(**class_style(c, theme)) for c in np.unique(codes).tolist()}
        draw_patterns(ax, codes.reshape(len(middle[1]), len(middle[0])), edges)
    ax.pcolormesh(edges[0], edges[1], colours.reshape(len(middle[1]), len(middle[0]), 3), rasterized=True)
    return filled


def draw_patterns(ax: Any, codes: NDArray[np.intp], edges: list[NDArray[np.float64]]) -> None:
    """Draw the patterns of the ninth and later classes over their regions."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    theme = theme_of(ax)
    # Neighbours in a row with the same class are one rectangle.
    begins = np.ones(codes.shape, bool)
    begins[:, 1:] = codes[:, 1:] != codes[:, :-1]
    ends = np.ones(codes.shape, bool)
    ends[:, :-1] = begins[:, 1:]
    (line, first), last = np.nonzero(begins), np.nonzero(ends)[1]
    of = codes[line, first]
    for code in np.unique(of).tolist():
        style = class_style(code, theme)
        if not style["hatch"]:
            continue
        at = of == code
        x0, x1, y0, y1 = edges[0][first[at]], edges[0][last[at] + 1], edges[1][line[at]], edges[1][line[at] + 1]
        corners = np.stack([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]).transpose(2, 0, 1).reshape(-1, 2)
        steps = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], np.count_nonzero(at))
        look = {"facecolor": "none", "edgecolor": theme.card, "linewidth": 0.0, "hatch": style["hatch"]}
        ax.add_patch(PathPatch(Path(corners, steps), zorder=2, **look))


def draw_points(ax: Any, labels: Labels, places: NDArray[np.float64], target: NDArray[Any]) -> dict[Any, Any]:
    """Draw the rows, each class with its own marker; return the artists by class code, for the legend."""
    theme = theme_of(ax)
    step = -(-len(places) // MAX_POINTS)
    known = ~np.isnan(places).any(axis=1)
    places, target = places[known][::step], target[known][::step]
    size = 26 if len(places) < 400 else 12
    look = {"s": size, "edgecolors": theme.card, "linewidths": 0.5, "zorder": 3}
    if labels.is_number:
        wide = labels.most - labels.least
        position = np.clip((target - labels.least) / wide, 0, 1) if wide > 0 else np.full(len(target), 0.5)
        ax.scatter(places[:, 0], places[:, 1], c=[number_colour(at) for at in position.tolist()], **look)
        return {}
    drawn = {}
    for code in np.unique(target).tolist():
        at = target == code
        style = {"color": class_colour(code), "marker": marker(code)}
        drawn[code] = ax.scatter(places[at, 0], places[at, 1], **style, **look)
    return drawn
