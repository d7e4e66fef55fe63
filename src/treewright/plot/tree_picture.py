"""A tree as a picture: boxes, the curves between them, the conditions of the branches, and a header with a legend.

`draw_tree` returns shapes; `treewright.plot.svg` and `treewright.plot.matplotlib_painter` draw them.
"""

from collections.abc import Callable

import numpy as np

from treewright.data.dataset import Dataset
from treewright.errors import one_of
from treewright.export.colours import class_colour, number_colour
from treewright.export.labels import Labels, clipped, counted_leaves, short_number
from treewright.export.outline import Outline, outline
from treewright.language import messages
from treewright.model.tree import Tree
from treewright.model.tree_text import to_text
from treewright.plot.box_charts import node_charts
from treewright.plot.fonts import fit_text, text_width
from treewright.plot.node_box import FACT, SWATCH, draw_box, pattern
from treewright.plot.shapes import Curve, Group, Label, Picture, Rectangle, Shape
from treewright.plot.tree_layout import (
    DIRECTIONS,
    LABEL_HEIGHT,
    Boxes,
    Positions,
    arrange_boxes,
    make_boxes,
    rest_weight,
)

MARGIN = 18.0
TITLE, SMALL = 15.0, 12.0
"""Font sizes of the header."""

LINE_HEIGHT = 21.0
MIN_WIDTH = 300.0
"""Minimum width of a picture."""

MAX_CLASSES = 40
"""Number of classes in the legend; the rest is counted."""

MAX_NAME_WIDTH = 160.0
"""Width of a name in the legend."""

N_SHADES = 24
"""Number of colours in the scale of a regression tree."""

MAX_CURVE_WIDTH = 14.0
"""Width of a curve that has all rows."""

THIN = 2.5
"""A curve narrower than this is darker."""

MAX_CHARTS = 40
"""Number of nodes whose rows are drawn; in a picture of more nodes all boxes are summaries."""

N_LINES, N_LETTERS = 40, 6000
"""Size of the description for screen readers."""

Points = tuple[float, float, float, float, float, float, float, float]


def draw_tree(
    tree: Tree,
    *,
    rows: Dataset | None = None,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    direction: str = "auto",
    title: str | None = None,
    language: str = "en",
    spell: Callable[[str], str] = str,
) -> Picture:
    """Return the picture of a tree.

    rows   the training rows, which are drawn in the boxes; None draws summaries
    spell  replaces characters of the user's names that cannot be drawn

    >>> from treewright.model.build import golf_example
    >>> picture = draw_tree(golf_example())
    >>> picture.title
    'Decision tree for golf: 8 nodes, 5 leaves, depth 2'
    """
    one_of("direction", direction, DIRECTIONS)
    _ = messages(language)
    shown = outline(tree, max_depth, max_nodes)
    labels = Labels(tree, spell, shown.nodes(), language)
    note, charts = "", None
    if rows is not None and shown.n_nodes > MAX_CHARTS:
        note = _("Rows are drawn for at most {n} nodes; set max_depth or max_nodes.", n=MAX_CHARTS)
    elif rows is not None:
        charts = node_charts(labels, shown.nodes(), rows)
    boxes, positions = arrange_boxes(make_boxes(shown, labels, charts), direction)
    width = max(positions.width, MIN_WIDTH, text_width(note, SMALL))
    groups, top = draw_header(labels, shown, spell(clipped(title or "")), (MARGIN, MARGIN), width)
    positions = positions.moved(MARGIN + (width - positions.width) / 2, top)
    groups += _branch_curves(boxes, positions)
    groups += _branch_labels(boxes, positions)
    for box, x, y in zip(boxes.boxes, positions.x, positions.y, strict=True):
        groups.append(draw_box(box, labels, x, y))
    bottom = top + positions.height
    if note:
        bottom += LINE_HEIGHT
        groups.append(Group((Label(MARGIN, bottom, note, SMALL, "muted"),)))
    size = describe_size(shown, language)
    return Picture(
        width=width + 2 * MARGIN,
        height=bottom + MARGIN,
        groups=tuple(groups),
        title=_("Decision tree for {target}: {size}", target=labels.target, size=size),
        description=_description(shown),
        n_nodes=shown.n_nodes,
    )


def describe_size(shown: Outline, language: str = "en") -> str:
    """Return the size of the tree, and how much of it is shown.

    >>> from treewright.export.outline import outline
    >>> from treewright.model.build import golf_example
    >>> describe_size(outline(golf_example())), describe_size(outline(golf_example(), max_depth=1))
    ('8 nodes, 5 leaves, depth 2', '8 nodes, 5 leaves, depth 2; 4 nodes shown')
    """
    tree, _ = shown.tree, messages(language)
    nodes = _.plural("{n} node", "{n} nodes", tree.n_nodes, n=f"{tree.n_nodes:,}")
    leaves = counted_leaves(tree.n_leaves, language)
    size = _("{nodes}, {leaves}, depth {depth}", nodes=nodes, leaves=leaves, depth=f"{tree.depth:,}")
    if shown.n_nodes == tree.n_nodes:
        return size
    return _.plural("{size}; {n} node shown", "{size}; {n} nodes shown", shown.n_nodes, size=size)


def draw_header(
    labels: Labels, shown: Outline, title: str, corner: tuple[float, float], width: float
) -> tuple[list[Group], float]:
    """Return the title, the size of the tree and the legend, and the y below them."""
    groups: list[Group] = []
    start, y = corner
    if title:
        label = Label(start, y + 15, fit_text(title, TITLE, width, bold=True), TITLE, bold=True)
        groups.append(Group((label,), title))
        y += LINE_HEIGHT + 2
    size = fit_text(describe_size(shown, labels.language), SMALL, width)
    groups.append(Group((Label(start, y + 13, size, SMALL, "muted"),)))
    y += LINE_HEIGHT
    draw_legend = _colour_scale if labels.is_number else _class_legend
    legend, y = draw_legend(labels, start, y, width)
    return groups + legend, y + 8


def _class_legend(labels: Labels, start: float, y: float, width: float) -> tuple[list[Group], float]:
    """The classes with their colours, on as many lines as needed."""
    name = fit_text(labels.target, SMALL, min(MAX_NAME_WIDTH, width / 2))
    groups = [Group((Label(start, y + 13, name, SMALL, "muted"),), labels.target)]
    x = start + text_width(name, SMALL) + 12
    for code, full in enumerate(labels.classes[:MAX_CLASSES]):
        text = fit_text(full, SMALL, min(MAX_NAME_WIDTH, width - SWATCH - 6))
        needed = SWATCH + 6 + text_width(text, SMALL)
        if x > start and x + needed > start + width:
            x, y = start, y + LINE_HEIGHT - 2
        swatch = Rectangle(x, y + 4, SWATCH, SWATCH, class_colour(code), "line", 0.8, 2)
        shapes: list[Shape] = [swatch, *pattern(swatch, code)]
        shapes.append(Label(x + SWATCH + 6, y + 13, text, SMALL))
        groups.append(Group(tuple(shapes), full))
        x += needed + 14
    n_more = len(labels.classes) - MAX_CLASSES
    if n_more > 0:
        y += LINE_HEIGHT - 2
        more = messages(labels.language).plural("… {n} more class", "… {n} more classes", n_more)
        groups.append(Group((Label(start, y + 13, more, SMALL, "muted"),)))
    return groups, y + LINE_HEIGHT


def _colour_scale(labels: Labels, start: float, y: float, width: float) -> tuple[list[Group], float]:
    """The colours from the smallest to the largest predicted value."""
    name = fit_text(labels.target, SMALL, min(MAX_NAME_WIDTH, width / 3))
    low, high = short_number(labels.least, 4), short_number(labels.most, 4)
    x = start + text_width(name, SMALL) + 12
    shapes: list[Shape] = [Label(start, y + 13, name, SMALL, "muted"), Label(x, y + 13, low, SMALL)]
    if labels.least == labels.most:
        return [Group(tuple(shapes), labels.target)], y + LINE_HEIGHT
    x += text_width(low, SMALL) + 6
    step = 110.0 / N_SHADES
    shades = ((x + i * step, number_colour(i / (N_SHADES - 1))) for i in range(N_SHADES))
    shapes += [Rectangle(at, y + 4, step + 0.3, SWATCH, shade) for at, shade in shades]
    shapes.append(Rectangle(x, y + 4, 110.0, SWATCH, None, "line", 0.8))
    shapes.append(Label(x + 116, y + 13, high, SMALL))
    return [Group(tuple(shapes), labels.target)], y + LINE_HEIGHT


def _branch_curves(boxes: Boxes, positions: Positions) -> list[Group]:
    """The curves, side by side where they leave a box, as wide as the proportion of all rows in the branch."""
    shown, tree = boxes.shown, boxes.shown.tree
    total = float(tree.weight[0])
    weight = [float(tree.weight[i]) if i >= 0 else rest_weight(shown, at) for at, i in enumerate(shown.node)]
    widths = [max(1.0, MAX_CURVE_WIDTH * w / total) if w > 0 < total else 1.0 for w in weight]
    groups = []
    bottoms = _level_bottoms(boxes, positions)
    for place, box in enumerate(boxes.boxes):
        children = range(shown.first[place], shown.first[place] + shown.n_shown[place])
        side = box.width if positions.down else box.height
        bundle = sum(widths[child] for child in children)
        scale = min(1.0, (side - 16) / bundle) if bundle else 1.0
        at = (positions.x[place] if positions.down else positions.y[place]) + (side - bundle * scale) / 2
        for child in children:
            leaves_at = at + widths[child] * scale / 2
            at += widths[child] * scale
            points, end = _curve_points(boxes, positions, (place, child), leaves_at, bottoms[place])
            # A thin line needs more contrast to be seen.
            stroke = "line" if widths[child] < THIN else "edge"
            curve = Curve(points, end, stroke, widths[child], dashed=weight[child] == 0)
            shapes: tuple[Shape, ...] = (curve,)
            start = positions.y[place] + box.height
            if positions.down and start < bottoms[place]:
                wide = widths[child]
                straight = Rectangle(leaves_at - wide / 2, start, wide, bottoms[place] - start + 0.3, stroke)
                shapes = (straight, curve)
            groups.append(Group(shapes, boxes.labels_above[child].full))
    return groups


def _level_bottoms(boxes: Boxes, positions: Positions) -> list[float]:
    """For each box the bottom of its level: curves bend below it, so that none runs behind a taller box."""
    depths = boxes.shown.depths()
    bottoms = [0.0] * (max(depths) + 1)
    for depth, box, y in zip(depths, boxes.boxes, positions.y, strict=True):
        bottoms[depth] = max(bottoms[depth], y + box.height)
    return [bottoms[depth] for depth in depths]


def _curve_points(
    boxes: Boxes, positions: Positions, pair: tuple[int, int], leaves_at: float, start: float
) -> tuple[Points, tuple[float, float]]:
    """The points of a curve from a box to a child, and the end of the straight line after it.

    start  the y from which a curve that goes down may bend
    """
    parent, child = pair
    upper, lower, to = boxes.boxes[parent], boxes.boxes[child], positions.bends_to[child]
    if positions.down:
        centre = positions.x[child] + lower.width / 2
        bend = (to - start) * 0.55
        return (leaves_at, start, leaves_at, start + bend, centre, to - bend, centre, to), (centre, to)
    start, centre = positions.x[parent] + upper.width, positions.y[child] + lower.height / 2
    bend = (to - start) * 0.6
    end = max(to, positions.label_x[child] - 4)
    return (start, leaves_at, start + bend, leaves_at, to - bend, centre, to, centre), (end, centre)


def _branch_labels(boxes: Boxes, positions: Positions) -> list[Group]:
    """The conditions of the branches, each at its box."""
    groups = []
    for place, (label, box) in enumerate(zip(boxes.labels_above, boxes.boxes, strict=True)):
        if not label.text:
            continue
        if positions.down:
            y = positions.y[place] - LABEL_HEIGHT - 2
        else:
            y = positions.y[place] + box.height / 2 - LABEL_HEIGHT / 2
        groups.append(Group((Label(positions.label_x[place], y + 12.5, label.text, FACT),), label.full))
    return groups


def _description(shown: Outline) -> str:
    """The upper part of the tree as text, as deep as a few lines allow."""
    n_lines = np.cumsum(np.bincount(shown.tree.depths)) - 1
    depth = max(1, int(np.searchsorted(n_lines, N_LINES, side="right")) - 1)
    if shown.tree.depth and n_lines[depth] > N_LINES:
        return ""
    text = to_text(shown.tree, min(depth, max(shown.depths()), shown.tree.depth))
    return "\n".join(clipped(line, N_LETTERS // N_LINES) for line in text.splitlines())
