"""Regions: what a tree answers for every pair of two numbers.

In: a fitted estimator or a tree, two of its columns, and rows to be drawn as dots. Out: the plane in the colours of the
answers. A tree cuts the plane along its thresholds, so the regions are drawn between these, without a grid.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import encode_table
from treewright.data.schema import Kind
from treewright.data.target import encode_like, same_length
from treewright.errors import InputError, KindError
from treewright.explain.importance import column_gains
from treewright.export.colours import class_colour, mixed, number_colour
from treewright.export.labels import Labels, clipped, short_number
from treewright.export.source import tree_of
from treewright.model.strategies import REFUSED
from treewright.model.tree import Tree
from treewright.model.words import category_words
from treewright.plot.axes import (
    MOST,
    class_style,
    extent,
    head,
    name_axis,
    name_classes,
    open_axes,
    require_matplotlib,
    theme_of,
)
from treewright.plot.lettering import Lettering
from treewright.plot.region_marks import draw_dots, draw_patterns
from treewright.predict.answers import class_codes, numbers
from treewright.predict.rule import Rule

MOST_CUTS = 1000
"""Cuts of one column that are drawn exactly; of more, so many steps of equal width."""


def decision_regions(
    given: Any,
    X: object = None,
    y: object = None,
    *,
    columns: tuple[Any, Any] | None = None,
    fixed: Mapping[Any, Any] | None = None,
    ax: Any = None,
) -> Any:
    """Draw what the tree answers for every pair of two numbers, and return the axes.

    given    a fitted estimator, or a Tree
    X, y     rows to draw as dots, of any table like the training table; None: the training rows, if they were kept
    columns  the names (or places) of the two columns of numbers; None: the two that the tree gained most by
    fixed    what the other columns hold, by name; a column that is not named holds its median or its commonest category

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
    across, up = _pair(tree, columns)
    values, target = _dots(given, tree, X, y)
    base, said = _held(tree, values, (across, up), fixed or {})
    ax = open_axes(ax, (6.2, 4.8))
    labels = Labels(tree)
    edges = [_edges(tree, column, values) for column in (across, up)]
    names = [labels.names[across], labels.names[up]]
    letters = Lettering([*names, labels.target, *labels.classes, *said, "…"])
    filled = _draw_regions(ax, labels, base, (across, up), edges)
    dots = draw_dots(ax, labels, values[:, [across, up]], target) if len(values) else {}
    ax.set_xlim(edges[0][0], edges[0][-1])
    ax.set_ylim(edges[1][0], edges[1][-1])
    name_axis(ax.xaxis, names[0], letters)
    name_axis(ax.yaxis, names[1], letters)
    if said:
        head(ax, _listed(said, letters, 1.1 * extent(ax)[0]), letters, "small")
    name_classes(ax, _entries(labels, filled, dots), letters, labels.target, place="beside")
    return ax


def _listed(said: list[str], letters: Lettering, room: float) -> str:
    """What the other columns hold, as much of it as there is room for."""
    for n in range(len(said), 0, -1):
        more = f", … {len(said) - n} more" if n < len(said) else ""
        words = f"where {', '.join(said[:n])}{more}"
        if n == 1 or letters.fit(words, room) == letters(words):
            break
    return words


def _entries(labels: Labels, filled: dict[Any, Any], dots: dict[Any, Any]) -> list[tuple[Any, str]]:
    """What the legend says: of a class that has both, its region with its mark on it."""
    if labels.is_number:
        return [(patch, value) for value, patch in filled.items()]
    found = []
    order = sorted(filled.keys() | dots.keys())
    if len(order) > MOST:  # not all are named: first those that the tree answers with
        order.sort(key=lambda code: code not in filled)
    for code in order:
        artists = tuple(part[code] for part in (filled, dots) if code in part)
        found.append((artists if len(artists) > 1 else artists[0], labels.classes[code]))
    return found


def _pair(tree: Tree, columns: Any) -> tuple[int, int]:
    """The places of the two columns."""
    places = {column.name: i for i, column in enumerate(tree.schema.columns)}
    if columns is None:
        gained = column_gains(tree)
        order = [i for i in np.argsort(-gained, kind="stable").tolist() if _is_number(tree, i)]
        if len(order) < 2:
            raise InputError("The table has fewer than two columns of numbers, so there is no plane to draw.")
        first, second = sorted(order[:2])
        return first, second
    if isinstance(columns, str) or not hasattr(columns, "__len__") or len(columns) != 2:
        raise InputError(f"columns={columns!r} cannot be drawn; give two names of columns.")
    found = [places.get(name, name) for name in columns]
    for name, place in zip(columns, found, strict=True):
        if isinstance(place, bool) or not isinstance(place, int | np.integer) or not 0 <= place < len(places):
            raise InputError(f"There is no column {name!r}; the columns are {clipped(repr(list(places)), 300)}.")
        if not _is_number(tree, int(place)):
            raise KindError(f"Column {name!r} is not a number; give two columns of numbers.")
    if found[0] == found[1]:
        raise InputError(f"columns={columns!r} names one column twice; give two different ones.")
    return int(found[0]), int(found[1])


def _is_number(tree: Tree, place: int) -> bool:
    return tree.schema.columns[place].kind is Kind.NUMBER


def _dots(given: Any, tree: Tree, X: object, y: object) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """The rows that are drawn, in the codes of the tree."""
    if X is None:
        kept = None if isinstance(given, Tree) else getattr(given, "_kept", None)
        if kept is None:
            return np.empty((0, tree.schema.n_columns)), np.empty(0)
        return kept.values, kept.target
    values = encode_table(X, tree.schema.columns, "missing").values
    if y is None:
        raise InputError("X is given without y; give the answers of the rows too.")
    target = encode_like(y, tree.schema.target)
    same_length(len(values), y=target)
    return values, target


def _held(
    tree: Tree, values: NDArray[np.float64], pair: tuple[int, int], fixed: Mapping[Any, Any]
) -> tuple[NDArray[np.float64], list[str]]:
    """A row with what the other columns hold, and those of them that the tree asks for in words."""
    places = {column.name: i for i, column in enumerate(tree.schema.columns)}
    base = np.array([_usual(tree, i, values) for i in range(len(places))])
    for name, cell in fixed.items():
        place = places.get(name, name)
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(places) or place in pair:
            free = [column for i, column in enumerate(places) if i not in pair]
            raise InputError(f"fixed names {name!r}; the columns that can be held are {clipped(repr(free), 300)}.")
        base[place] = encode_table([[cell]], [tree.schema.columns[place]]).values[0, 0]
    asked = [i for i in np.unique(tree.column[tree.column >= 0]).tolist() if i not in pair]
    return base, [f"{tree.schema.columns[i].name} = {_cell(tree, i, base[i])}" for i in asked]


def _usual(tree: Tree, place: int, values: NDArray[np.float64]) -> float:
    """The median of a number, the commonest category; without rows, where the tree cuts it most often."""
    cells = values[:, place][~np.isnan(values[:, place])]
    if tree.schema.columns[place].kind is Kind.CATEGORY:
        return float(np.bincount(cells[cells >= 0].astype(np.int64)).argmax()) if len(cells) else 0.0
    if not len(cells):
        cells = tree.threshold[(tree.column == place) & np.isfinite(tree.threshold)]
    return float(np.quantile(cells, 0.5, method="lower")) if len(cells) else 0.0


def _cell(tree: Tree, place: int, value: float) -> str:
    column = tree.schema.columns[place]
    if np.isnan(value):
        return "missing"
    return category_words(column.categories[int(value)]) if column.categories else short_number(value)


def _edges(tree: Tree, column: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cuts of a column, with an edge before the first and behind the last."""
    cuts = np.unique(tree.threshold[(tree.column == column) & np.isfinite(tree.threshold)])
    cells = values[:, column][~np.isnan(values[:, column])]
    met = np.concatenate([cuts, cells])
    low, high = (float(met.min()), float(met.max())) if len(met) else (0.0, 1.0)
    margin = (high - low) * 0.06 or max(abs(low), 1.0) * 0.1
    low, high = low - margin, high + margin
    if len(cuts) > MOST_CUTS:
        return np.linspace(low, high, MOST_CUTS)
    return np.concatenate([[low], cuts, [high]])


def _draw_regions(
    ax: Any, labels: Labels, base: NDArray[np.float64], pair: tuple[int, int], edges: list[NDArray[np.float64]]
) -> dict[Any, Any]:
    """Fill the plane with the answers; patches for the legend, by class code or number."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Patch

    tree, theme = labels.tree, theme_of(ax)
    # Half of each edge first: the sum of two large ones may be more than the largest number there is.
    middle = [edge[:-1] / 2 + edge[1:] / 2 for edge in edges]
    rows = np.tile(base, (len(middle[0]) * len(middle[1]), 1))
    rows[:, pair[0]] = np.tile(middle[0], len(middle[1]))
    rows[:, pair[1]] = np.repeat(middle[1], len(middle[0]))
    rule = Rule("majority") if tree.strategy.goes == REFUSED else Rule()
    if labels.is_number:
        answers = numbers(tree, rows, rule)
        wide = labels.most - labels.least
        share = (answers - labels.least) / wide if wide > 0 else np.full(len(answers), 0.5)
        shades = np.array([to_rgb(mixed(theme.card, number_colour(i / 255), 0.8)) for i in range(256)])
        colours = shades[np.clip((share * 255).astype(int), 0, 255)]
        steps = [(at, labels.least + at * wide) for at in (1.0, 0.75, 0.5, 0.25, 0.0)]
        filled = {short_number(value, 4): Patch(color=number_colour(at)) for at, value in steps}
    else:
        codes = class_codes(tree, rows, rule)
        tints = np.array([to_rgb(mixed(theme.card, class_colour(c), 0.4)) for c in range(len(labels.classes))])
        colours = tints[codes]
        filled = {c: Patch(**class_style(c, theme)) for c in np.unique(codes).tolist()}
        draw_patterns(ax, codes.reshape(len(middle[1]), len(middle[0])), edges)
    ax.pcolormesh(edges[0], edges[1], colours.reshape(len(middle[1]), len(middle[0]), 3), rasterized=True)
    return filled
