"""The box of a node: its number, the column it splits on or its prediction, a bar of the classes, and its weight."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treewright.export.colours import class_colour, class_pattern, number_colour
from treewright.export.labels import Edge, Labels, counted_leaves
from treewright.language import messages
from treewright.plot.fonts import fit_text, text_width
from treewright.plot.shapes import Chart, Group, Label, Rectangle, Shape

HEAD, FACT, TINY = 13.0, 11.0, 10.0
"""Font sizes: the column or prediction; the line below it; the number of the node."""

PAD = 10.0
MIN_WIDTH, MAX_WIDTH = 92.0, 236.0
"""Width of a box."""

HEIGHT, STUB = 58.0, 19.0
"""Height of a box, and of the extra line for hidden leaves below it."""

BAR = 8.0
SWATCH = 10.0
N_SEGMENTS = 32
"""Classes in a bar, the heaviest ones; the others are one grey part."""


@dataclass(frozen=True, slots=True)
class NodeBox:
    """The texts of a box, cut to fit, and its size.

    node    the number of the node; -1 for several branches in one box
    number  the node's number as text
    head    the column it splits on, or the prediction
    fact, weight  the prediction with its probability, and the weight
    stub    how many leaves below are hidden; empty if none
    full    the tooltip
    chart   what is drawn in place of the bar; None draws the bar
    """

    node: int
    number: str
    head: str
    fact: str
    weight: str
    stub: str
    full: str
    width: float
    height: float
    chart: Chart | None = None


class BranchLabel(NamedTuple):
    """The label of a branch, cut to fit: its text, its tooltip, and the width of the text."""

    text: str
    full: str
    width: float


def make_node_box(labels: Labels, node: int, n_hidden: int, chart: Chart | None = None) -> NodeBox:
    """Return the box of a node with so many hidden leaves below it."""
    _ = messages(labels.language)
    fact, weight = labels.facts(node)
    head, number = labels.headline(node), f"#{node}"
    hidden = counted_leaves(n_hidden, labels.language)
    stub = f"… {hidden}" if n_hidden else ""
    is_leaf = labels.tree.column[node] < 0
    swatch = SWATCH + 5 if is_leaf else 0.0
    beside = swatch + 10 + text_width(number, TINY)
    gap = 18 if labels.is_number else 10  # the facts of a number are longer, and a wider font needs more room for them
    fact_room = MAX_WIDTH - 2 * PAD - gap - text_width(weight, FACT)
    head = fit_text(head, HEAD, MAX_WIDTH - 2 * PAD - beside, bold=True)
    fact = fit_text(fact, FACT, fact_room)
    width = max(
        text_width(head, HEAD, bold=True) + beside,
        text_width(fact, FACT) + gap + text_width(weight, FACT),
        text_width(stub, FACT),
        0.0 if chart is None else chart.width,
    )
    full = labels.full(node)
    if n_hidden:
        full.append(_("{leaves} below, not shown", leaves=hidden))
    height = HEIGHT + (0.0 if chart is None else chart.height - BAR) + (STUB if stub else 0.0)
    size = max(MIN_WIDTH, width + 2 * PAD), height
    return NodeBox(node, number, head, fact, weight, stub, "\n".join(full), *size, chart)


def make_rest_box(n_branches: int, n_leaves: int, weight: str, language: str = "en") -> NodeBox:
    """Return the box of several branches that are not drawn one by one."""
    _, fact = messages(language), counted_leaves(n_leaves, language)
    head = _.plural("… {n} more branch", "… {n} more branches", n_branches, n=f"{n_branches:,}")
    full = _.plural("{n} branch, not shown", "{n} branches, not shown", n_branches, n=f"{n_branches:,}")
    width = max(text_width(head, HEAD), text_width(fact, FACT) + 10 + text_width(weight, FACT)) + 2 * PAD
    return NodeBox(-1, "", head, fact, weight, "", full, width, 44.0)


def draw_box(box: NodeBox, labels: Labels, x: float, y: float) -> Group:
    """Return the shapes of a box with this upper left corner."""
    if box.node < 0:
        shapes: list[Shape] = [Rectangle(x, y, box.width, box.height, "card", "line", radius=7, dashed=True)]
        shapes.append(Label(x + PAD, y + 18, box.head, HEAD, "muted"))
        return Group((*shapes, *_facts(box, x, y + 35)), box.full)
    tree, node = labels.tree, box.node
    is_leaf, is_empty = bool(tree.column[node] < 0), tree.weight[node] == 0
    colour = node_colour(labels, node)
    shapes = []
    if box.stub:  # a second box is visible behind it
        shapes.append(Rectangle(x + 4, y + 4, box.width, box.height, "card", "line", radius=7))
    stroke, line = (colour, 2.0) if is_leaf else ("line", 1.2)
    shapes.append(Rectangle(x, y, box.width, box.height, "card", stroke, line, 7, bool(is_empty)))
    inner, at = box.width - 2 * PAD, x + PAD
    if is_leaf:
        swatch = Rectangle(at, y + 10, SWATCH, SWATCH, colour, "line", 0.8, 2)
        shapes += [swatch, *([] if labels.is_number else pattern(swatch, labels.majority(node)))]
        at += SWATCH + 5
    shapes.append(Label(at, y + 19.5, box.head, HEAD, bold=True))
    shapes.append(Label(x + box.width - PAD, y + 18, box.number, TINY, "muted", anchor="end"))
    frame = Rectangle(x + PAD, y + 28, inner, BAR, "paper", "line", 0.8)
    below = y
    if box.chart is not None:
        shapes += box.chart.moved(frame.x, frame.y)
        below += box.chart.height - BAR
    else:
        shapes += _value_mark(frame, labels, node) if labels.is_number else _bar(frame, tree.value[node])
    shapes += _facts(box, x, below + 50)
    if box.stub:
        shapes.append(Label(x + box.width / 2, below + HEIGHT + 10, box.stub, FACT, "muted", anchor="middle"))
    return Group(tuple(shapes), box.full)


def node_colour(labels: Labels, node: int) -> str:
    """Return the colour of a node's prediction."""
    return number_colour(labels.position(node)) if labels.is_number else class_colour(labels.majority(node))


def pattern(part: Rectangle, code: int) -> list[Rectangle]:
    """Return the pattern that is drawn over the colour of a class."""
    kind = class_pattern(code)
    found: list[Rectangle] = []
    if kind in ("upright", "crossed"):
        n = max(1, int(part.width / 4))
        step = part.width / n
        if part.width >= 2:
            lines = (part.x + (i + 0.5) * step - 0.6 for i in range(n))
            found += [Rectangle(x, part.y, 1.2, part.height, "card") for x in lines]
    if kind in ("level", "crossed"):
        found.append(Rectangle(part.x, part.y + part.height / 2 - 0.8, part.width, 1.6, "card"))
    return found


def _facts(box: NodeBox, x: float, y: float) -> list[Shape]:
    return [
        Label(x + PAD, y, box.fact, FACT, "muted"),
        Label(x + box.width - PAD, y, box.weight, FACT, "muted", anchor="end"),
    ]


def _bar(frame: Rectangle, values: Sequence[float] | np.ndarray) -> list[Shape]:
    """The class proportions as parts of the frame, in the order of the classes."""
    proportion = np.asarray(values, dtype=np.float64)
    codes = np.sort(np.argsort(-proportion, kind="stable")[:N_SEGMENTS])
    found: list[Shape] = [frame]
    x = frame.x
    for code in codes[proportion[codes] > 0].tolist():
        part = Rectangle(x, frame.y, frame.width * float(proportion[code]), frame.height, class_colour(code))
        found += [part, *pattern(part, code)]
        x += part.width
    left = frame.x + frame.width - x
    if len(proportion) > N_SEGMENTS and left > 0.01:
        found.append(Rectangle(x, frame.y, left, frame.height, "muted"))
    found.append(Rectangle(frame.x, frame.y, frame.width, frame.height, None, "line", 0.8))
    return found


def _value_mark(frame: Rectangle, labels: Labels, node: int) -> list[Shape]:
    """The predicted value between the smallest and the largest that are shown."""
    at = labels.position(node)
    filled = Rectangle(frame.x, frame.y, frame.width * at, frame.height, number_colour(at))
    mark = Rectangle(frame.x + frame.width * at - 1, frame.y - 2, 2, frame.height + 4, "ink")
    return [frame, filled, mark]


def fit_branch_label(edge: Edge, width: float, language: str = "en") -> BranchLabel:
    """Return the label of a branch, cut to a width.

    Of several categories all are named if they fit; otherwise the exceptions, if these are fewer and fit; otherwise as
    many as fit, but at least one.

    >>> fit_branch_label(Edge("", "", ("red", "green", "blue"), 4), 90.0).text
    '{red, … 6 more}'
    >>> fit_branch_label(Edge("", "", ("red", "green", "blue"), 4, ("black", "white")), 170.0).text
    '7 of 9: all but black, white'
    """
    if not edge.words:
        return _branch_label(fit_text(edge.short, FACT, width), edge)
    texts = [_list_words(edge, n, language) for n in range(len(edge.words), 0, -1)]
    if edge.others:
        n, _ = len(edge.words) + edge.n_more, messages(language)
        listed = ", ".join(edge.others)
        exceptions = _("{n} of {all}: all but {categories}", n=n, all=n + len(edge.others), categories=listed)
        texts.insert(0 if edge.n_more else 1, exceptions)
    for text in texts:
        if text_width(text, FACT) <= width:
            return _branch_label(text, edge)
    around = text_width(texts[-1], FACT) - text_width(edge.words[0], FACT)
    first = fit_text(edge.words[0], FACT, width - around)
    return _branch_label(texts[-1].replace(edge.words[0], first, 1), edge)


def _branch_label(text: str, edge: Edge) -> BranchLabel:
    return BranchLabel(text, edge.full, text_width(text, FACT))


def _list_words(edge: Edge, n: int, language: str) -> str:
    """The first n categories of a branch, and how many more there are."""
    _, n_more = messages(language), edge.n_more + len(edge.words) - n
    more = [_("… {n} more", n=n_more)] if n_more else []
    return "{" + ", ".join([*edge.words[:n], *more]) + "}"
