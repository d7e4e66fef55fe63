"""Charts inside the boxes of a picture: the training rows of each node, its split, and the cut.

In: labels, nodes and training rows. Out: a `Chart` for each node, which its box has room for. A split on a numeric
column is a histogram by class, or dots by column and target; a split on a category has a bar for each category, by
branch; a leaf shows its classes or its target. Missing values are on the right, or the last bar.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.export.colours import class_colour
from treewright.export.labels import Labels, clipped, compact, short_number, short_value
from treewright.language import messages
from treewright.model.split import Split, split_of
from treewright.plot.fonts import fit_text, text_width
from treewright.plot.node_box import TINY, node_colour, pattern
from treewright.plot.node_data import (
    MAX_REST,
    Bar,
    NodeRows,
    bin_numbers,
    category_bars,
    class_bars,
    fold_bars,
    histogram_edges,
    rows_of_nodes,
    top_classes,
)
from treewright.plot.shapes import Area, Chart, Label, Rectangle

WIDTH, HEIGHT, AXIS = 150.0, 56.0, 22.0
"""Size of the bars or dots of a numeric column, and height of the axis below them."""

N_BINS, N_LEVELS = 22, 16
"""About how many bars a histogram has, and how many levels of a numeric target are told apart."""

DOT = 5.0
"""Side of the dot of the most rows."""

MISSING_BAR, GAP = 12.0, 9.0
"""Width of the bar of missing values, and the space before it."""

ROW, BRANCH_GAP = 13.0, 6.0
"""Height of the bar of a category or class, and the space between branches."""

MAX_CATEGORIES, MAX_CLASSES = 8, 6
"""Bars of a split on a category, and of the classes of a leaf; the lightest are joined."""

MAX_NAME, BAR_LENGTH = 76.0, 74.0
"""Width of the name of a category, and length of the longest bar."""

SPARE = 1.08
"""Extra room for names, for wide fonts."""

PREDICTED = class_colour(5)
"""The colour of predicted values."""

_Shapes = list[Rectangle | Label | Area]


def node_charts(labels: Labels, nodes: Sequence[int], rows: Dataset) -> dict[int, Chart]:
    """Return the charts of some nodes; a node without rows has none.

    >>> from treewright import CARTClassifier
    >>> from treewright.plot.node_data import training_rows
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> charts = node_charts(Labels(model.tree_), [0, 1, 2], training_rows(model))
    >>> [label.text for label in charts[0].shapes if isinstance(label, Label)]
    ['2.5', '1', '3']
    """
    target = _Range.of(rows.target.astype(np.float64)) if labels.is_number else None
    each = rows_of_nodes(labels.tree, rows, nodes).items()
    return {node: _chart(labels, node, own, target) for node, own in each if len(own.weight)}


@dataclass(frozen=True, slots=True)
class _Range:
    """From where to where an axis goes."""

    low: float
    high: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "_Range":
        return cls(float(values.min()), float(values.max()))

    @property
    def distinct(self) -> tuple[float, ...]:
        """The two ends, or the one value of an axis without length."""
        return (self.low, self.high) if self.low < self.high else (self.low,)

    def positions(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where values are, from 0 to 1."""
        # Halves, because the whole range may be more than the largest number there is.
        wide = self.high / 2 - self.low / 2
        found: NDArray[np.float64] = (values / 2 - self.low / 2) / wide if wide > 0 else np.full(len(values), 0.5)
        return found.clip(0.0, 1.0)

    def position(self, value: float) -> float:
        """Where a value is, from 0 to 1."""
        return float(self.positions(np.array([value]))[0])

    def levels(self, values: NDArray[np.float64], n: int) -> NDArray[np.intp]:
        """In which of n equal parts values are."""
        return np.minimum((self.positions(values) * n).astype(np.intp), n - 1)


def _chart(labels: Labels, node: int, rows: NodeRows, target: _Range | None) -> Chart:
    """The chart of a node; `target` is the range of a numeric target, the same in all charts."""
    split = split_of(labels.tree, node)
    if split is None:
        return _leaf_classes(labels, node) if target is None else _leaf_target(labels, node, rows, target)
    if not split.column.categories:
        return _number_split(labels, node, split, rows, target)
    bars = category_bars(labels, node, split, rows, len(split.column.categories) + 1)
    return _category_split(labels, fold_bars(bars, MAX_CATEGORIES, labels.language), target)


@dataclass(frozen=True, slots=True, eq=False)
class _Bins:
    """The bars of a numeric column.

    index    the bar of each row; missing values are in the last one
    x        the position of each row
    spans    the start and the width of each bar
    width    of all bars but that of missing values
    ends     the smallest and the largest value; None if all are missing
    cut      the position of the cut; None if it cannot be seen
    missing  the name of the last bar; empty if no value is missing
    """

    index: NDArray[np.intp]
    x: NDArray[np.float64]
    spans: list[tuple[float, float]]
    width: float
    ends: _Range | None
    cut: float | None
    missing: str


def _bins(labels: Labels, split: Split, rows: NodeRows) -> _Bins:
    _, is_known = messages(labels.language), ~np.isnan(rows.values)
    known = rows.values[is_known]
    name = "" if is_known.all() else _("missing")
    slot = max(text_width(name, TINY), MISSING_BAR)
    width = WIDTH - (slot + GAP if name else 0.0)
    edges = histogram_edges(known, split.threshold, N_BINS) if len(known) else np.array([0.0, 1.0])
    axis = _Range(float(edges[0]), float(edges[-1]))
    spans = [(start, end - start) for start, end in pairwise((width * axis.positions(edges)).tolist())]
    index, x = np.full(len(rows.values), len(spans)), np.full(len(rows.values), WIDTH - slot / 2)
    index[is_known], x[is_known] = bin_numbers(known, edges), width * axis.positions(known)
    if name:
        spans.append((WIDTH - slot / 2 - MISSING_BAR / 2, MISSING_BAR))
    cut = width + GAP / 2 if name else None
    if split.threshold is not None and np.isfinite(split.threshold):
        cut = width * axis.position(split.threshold)
    return _Bins(index, x, spans, width, _Range.of(known) if len(known) else None, cut, name)


def _number_split(labels: Labels, node: int, split: Split, rows: NodeRows, target: _Range | None) -> Chart:
    """A split on a numeric column: its rows, the cut, and missing values on the right."""
    bins = _bins(labels, split, rows)
    shapes: _Shapes = [Rectangle(0.0, HEIGHT, bins.width, 1.0, "line")]
    if bins.missing:
        slot = text_width(bins.missing, TINY)
        shapes.append(Rectangle(WIDTH - slot, HEIGHT, slot, 1.0, "line"))
        shapes.append(Label(WIDTH, HEIGHT + AXIS - 5, bins.missing, TINY, "muted", anchor="end"))
    if target is None:
        shapes += _histogram(labels, rows, bins)
    else:
        shapes += [_dots(rows, bins, target), *_predicted_values(labels, node, split, bins, target)]
    if bins.cut is not None:
        shapes.append(Rectangle(bins.cut - 0.6, -3.0, 1.2, HEIGHT + 3, "ink"))
    threshold = split.threshold
    number = "" if threshold is None or not np.isfinite(threshold) else short_value(split.column, threshold)
    ends = None if bins.ends is None else [short_value(split.column, end, 4) for end in bins.ends.distinct]
    shapes += _axis_marks(ends, bins.width, bins.cut, number)
    return Chart(WIDTH, HEIGHT + AXIS, tuple(shapes))


def _histogram(labels: Labels, rows: NodeRows, bins: _Bins) -> _Shapes:
    """The weight of each class in each bar, one upon the other."""
    n = len(labels.classes)
    counted = np.bincount(bins.index * n + rows.target, rows.weight, len(bins.spans) * n)
    table = counted.astype(np.float64).reshape(-1, n)
    scale = HEIGHT / float(table.sum(axis=1).max())
    shapes: _Shapes = []
    for (x, width), weights in zip(bins.spans, table, strict=True):
        y = HEIGHT
        for code, weight in _class_parts(weights, table.sum(axis=0)):
            y -= weight * scale
            shapes += _part(Rectangle(x, y, max(width - 0.6, 0.6), weight * scale, None), code)
    return shapes


def _class_parts(weights: NDArray[np.float64], total: NDArray[np.float64]) -> Iterator[tuple[int, float]]:
    """The parts of a bar: the heaviest classes of the chart by code, and -1 for the others."""
    shown, _ = top_classes(total)
    for code in shown:
        if weights[code] > 0:
            yield code, float(weights[code])
    rest = float(weights.sum() - weights[shown].sum())
    if len(shown) < np.count_nonzero(total) and rest > 0:
        yield -1, rest


def _part(place: Rectangle, code: int) -> list[Rectangle]:
    """A part of a bar in the colour and pattern of its class; -1 is other classes."""
    fill = class_colour(code) if code >= 0 else "line"
    part = Rectangle(place.x, place.y, place.width, place.height, fill)
    return [part, *(pattern(part, code) if code >= 0 else [])]


def _dots(rows: NodeRows, bins: _Bins, target: _Range) -> Area:
    """Rows by column and target; the area of a dot is the weight of the rows nearby, its place their mean."""
    y = HEIGHT * (1 - target.positions(rows.target.astype(np.float64)))
    cell = bins.index * N_LEVELS + target.levels(rows.target.astype(np.float64), N_LEVELS)
    weight = np.bincount(cell, rows.weight)
    used = np.flatnonzero(weight)
    middle_x, middle_y = (np.bincount(cell, rows.weight * at)[used] / weight[used] for at in (bins.x, y))
    half = np.maximum(DOT * np.sqrt(weight[used] / weight.max()), 1.8) / 2
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    found = [part for i, j in corners for part in (middle_x + i * half, middle_y + j * half)]
    return Area(tuple(map(tuple, np.column_stack(found).tolist())), "muted")


def _predicted_values(labels: Labels, node: int, split: Split, bins: _Bins, target: _Range) -> list[Rectangle]:
    """The predicted value of each branch, over the values that take it."""
    cut = bins.width if bins.cut is None else min(bins.cut, bins.width)
    pieces = [(0.0, cut), (cut, bins.width - cut)][: split.n_branches]
    if split.only_missing is not None:
        pieces[split.only_missing :] = [bins.spans[-1]] if bins.missing else []
    first, found = int(labels.tree.first_child[node]), []
    for branch, (x, width) in enumerate(pieces):
        y = HEIGHT * (1 - target.position(float(labels.tree.value[first + branch, 0])))
        found.append(Rectangle(x, y - 1.1, width, 2.2, PREDICTED))
    return found


def _axis_marks(ends: Sequence[str] | None, width: float, mark: float | None, number: str) -> _Shapes:
    """Below an axis a triangle at a place with its number, and the one or two ends of the axis where there is room."""
    shapes: _Shapes = []
    y, start, stop = HEIGHT + AXIS - 5, width, 0.0
    if mark is not None:
        triangle = (mark, HEIGHT + 1, mark + 3.5, HEIGHT + 7, mark - 3.5, HEIGHT + 7)
        shapes.append(Area((triangle,), "ink"))
    if mark is not None and number:
        half = text_width(number, TINY) / 2
        middle = max(min(mark, width - half), half)
        start, stop = middle - half, middle + half
        shapes.append(Label(middle, y, number, TINY, anchor="middle"))
    if ends is None:
        return shapes
    low, high = ends[0], ends[-1]
    if text_width(low, TINY) + 8 <= start:
        shapes.append(Label(0.0, y, low, TINY, "muted"))
        stop = max(stop, text_width(low, TINY))
    if stop + 8 <= width - text_width(high, TINY) and len(ends) > 1:
        shapes.append(Label(width, y, high, TINY, "muted", anchor="end"))
    return shapes


def _category_split(labels: Labels, bars: Sequence[Bar], target: _Range | None) -> Chart:
    """A split on a category: a bar for each category, with a line between branches and the numbers of the children."""
    names = [fit_text(labels.spell(clipped(bar.name)), TINY, MAX_NAME) for bar in bars]
    start = max(text_width(name, TINY) for name in names) * SPARE + 6
    end = start + BAR_LENGTH + 9
    width = end + max(text_width(f"#{bar.child}", TINY) for bar in bars)
    shapes: _Shapes = []
    y, at = 0.0, 0
    for child, group in groupby(bars, key=lambda bar: bar.child):
        branch = list(group)
        if at and len({bar.child for bar in bars}) < len(bars):
            shapes.append(Rectangle(0.0, y + BRANCH_GAP / 2 - 0.5, width, 1.0, "muted"))
            y += BRANCH_GAP
        top = y
        for bar in branch:
            shapes.append(Label(start - 6, y + 9.5, names[at], TINY, anchor="end"))
            place = Rectangle(start, y + 1.5, BAR_LENGTH, ROW - 3, None)
            shapes += _class_bar(bar, bars, place) if target is None else _mean(bar, place, target)
            y, at = y + ROW, at + 1
        if child >= 0:
            shapes.append(Label(width, (top + y) / 2 + 3.5, f"#{child}", TINY, "muted", anchor="end"))
        if child >= 0 and target is not None:
            x = start + BAR_LENGTH * target.position(float(labels.tree.value[child, 0]))
            shapes.append(Rectangle(x - 1.1, top, 2.2, y - top, PREDICTED))
    shapes.append(Rectangle(start - 1.0, 0.0, 1.0, y, "line"))
    return Chart(width, y + 3, tuple(shapes))


def _class_bar(bar: Bar, bars: Sequence[Bar], place: Rectangle) -> _Shapes:
    """The weight of each class, one after the other; a bar of joined categories may be shortened, with a gap in it."""
    longest = max(one.weight for one in bars)
    longest_own = max((one.weight for one in bars if not one.is_rest), default=0.0)
    is_cut = longest > MAX_REST * longest_own > 0
    length = min(bar.weight / (longest_own if is_cut else longest), 1.0) * place.width
    total = np.sum([one.classes for one in bars], axis=0)
    shapes: _Shapes = []
    x = place.x
    for code, weight in _class_parts(bar.classes, total):
        width = length * weight / bar.weight
        shapes += _part(Rectangle(x, place.y, width, place.height, None), code)
        x += width
    if is_cut and bar.weight > longest_own:
        shapes.append(Rectangle(place.x + 0.8 * length, place.y - 1, 4.0, place.height + 2, "card"))
    return shapes


def _mean(bar: Bar, place: Rectangle, target: _Range) -> _Shapes:
    """The mean of the target, and one standard deviation on both sides of it."""
    ends = np.array([bar.mean - bar.deviation, bar.mean, bar.mean + bar.deviation])
    low, mean, high = (place.x + place.width * target.positions(ends)).tolist()
    middle = place.y + place.height / 2
    return [Rectangle(low, middle - 1.5, high - low, 3.0, "line"), Rectangle(mean - 2.5, middle - 2.5, 5, 5, "muted")]


def _leaf_classes(labels: Labels, node: int) -> Chart:
    """The classes of a leaf: a bar for each, and its weight."""
    present = [bar for bar in class_bars(labels, node, len(labels.classes) + 1) if bar.weight > 0]
    bars = fold_bars(present, MAX_CLASSES, labels.language)
    texts = [compact(bar.weight) for bar in bars]
    scale = BAR_LENGTH / max(bar.weight for bar in bars)
    shapes: _Shapes = []
    for at, (bar, text) in enumerate(zip(bars, texts, strict=True)):
        code = -1 if bar.is_rest else int(bar.classes.argmax())
        place = Rectangle(0.0, at * ROW + 1.5, bar.weight * scale, ROW - 3, None)
        shapes += [*_part(place, code), Label(place.width + 5, at * ROW + 9.5, text, TINY, "muted")]
    shapes.append(Rectangle(-1.0, 0.0, 1.0, len(bars) * ROW, "line"))
    return Chart(BAR_LENGTH + 5 + max(text_width(text, TINY) for text in texts), len(bars) * ROW + 3, tuple(shapes))


def _leaf_target(labels: Labels, node: int, rows: NodeRows, target: _Range) -> Chart:
    """The target of a leaf, and its predicted value."""
    weights = np.bincount(target.levels(rows.target.astype(np.float64), N_BINS), rows.weight, N_BINS)
    scale, step, colour = HEIGHT / float(weights.max()), WIDTH / N_BINS, node_colour(labels, node)
    shapes: _Shapes = [Rectangle(0.0, HEIGHT, WIDTH, 1.0, "line")]
    for at, weight in enumerate(weights.tolist()):
        if weight > 0:
            height = weight * scale
            shapes.append(Rectangle(at * step, HEIGHT - height, step - 0.6, height, colour))
    value = float(labels.tree.value[node, 0])
    x = WIDTH * target.position(value)
    shapes.append(Rectangle(x - 1.1, -3.0, 2.2, HEIGHT + 3, PREDICTED))
    ends = [short_number(end, 4) for end in target.distinct]
    return Chart(WIDTH, HEIGHT + AXIS, (*shapes, *_axis_marks(ends, WIDTH, x, short_number(value, 4))))
