"""Card: the box of a node: its number, its question or answer, how its rows are shared out, how many there are.

In: the words of a tree and a node. Out: the size of its box, and the shapes of it at a place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.export.colours import class_colour, class_pattern, number_colour
from treewright.export.labels import Edge, Labels, counted_leaves
from treewright.plot.measure import fitted, text_width
from treewright.plot.shapes import Group, Rectangle, Shape, Words

HEAD, FACT, TINY = 13.0, 11.0, 10.0
"""Sizes of letters: the question or answer; the facts below it; the number of the node."""

PAD = 10.0
LEAST, MOST = 92.0, 236.0
"""The width of a box."""

HEIGHT, STUB = 58.0, 19.0
"""The height of a box, and of the line for what is not shown below it."""

BAR = 8.0
SWATCH = 10.0
N_SEGMENTS = 32
"""Classes in a bar, those of most weight; the others are one grey part."""


@dataclass(frozen=True, slots=True)
class Card:
    """A box: the words that fit into it, and its size.

    node    the number of the node; -1 for branches that are shown as one
    number  the node's number as it is written
    head    the question or the answer
    fact, weight  how sure the answer is, and of how many rows
    stub    what is not shown below; empty where all is
    full    what is said on a hover
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


def node_card(labels: Labels, node: int, n_hidden: int) -> Card:
    """The box of a node that stands above so many leaves that are not shown."""
    fact, weight = labels.facts(node)
    head, number = labels.headline(node), f"#{node}"
    stub = f"… {counted_leaves(n_hidden)}" if n_hidden else ""
    is_leaf = labels.tree.column[node] < 0
    swatch = SWATCH + 5 if is_leaf else 0.0
    beside = swatch + 10 + text_width(number, TINY)
    fact_room = MOST - 2 * PAD - 10 - text_width(weight, FACT)
    head = fitted(head, HEAD, MOST - 2 * PAD - beside, bold=True)
    fact = fitted(fact, FACT, fact_room)
    width = max(
        text_width(head, HEAD, bold=True) + beside,
        text_width(fact, FACT) + 10 + text_width(weight, FACT),
        text_width(stub, FACT),
    )
    full = labels.full(node)
    if n_hidden:
        full.append(f"{counted_leaves(n_hidden)} below, not shown")
    size = max(LEAST, width + 2 * PAD), HEIGHT + (STUB if stub else 0.0)
    return Card(node, number, head, fact, weight, stub, "\n".join(full), *size)


def rest_card(n_branches: int, n_leaves: int, weight: str) -> Card:
    """The box of the branches that are not shown one by one."""
    head, fact = f"… {n_branches:,} more branches", counted_leaves(n_leaves)
    width = max(text_width(head, HEAD), text_width(fact, FACT) + 10 + text_width(weight, FACT)) + 2 * PAD
    return Card(-1, "", head, fact, weight, "", f"{n_branches:,} branches that are not shown", width, 44.0)


def draw_card(card: Card, labels: Labels, x: float, y: float) -> Group:
    """The shapes of a box whose upper corner is here."""
    if card.node < 0:
        shapes: list[Shape] = [Rectangle(x, y, card.width, card.height, "card", "line", radius=7, dashed=True)]
        shapes.append(Words(x + PAD, y + 18, card.head, HEAD, "muted"))
        return Group((*shapes, *_facts(card, x, y + 35)), card.full)
    tree, node = labels.tree, card.node
    is_leaf, is_empty = bool(tree.column[node] < 0), tree.weight[node] == 0
    colour = node_colour(labels, node)
    shapes = []
    if card.stub:  # one more box peeps out from below
        shapes.append(Rectangle(x + 4, y + 4, card.width, card.height, "card", "line", radius=7))
    stroke, line = (colour, 2.0) if is_leaf else ("line", 1.2)
    shapes.append(Rectangle(x, y, card.width, card.height, "card", stroke, line, 7, bool(is_empty)))
    inner, at = card.width - 2 * PAD, x + PAD
    if is_leaf:
        swatch = Rectangle(at, y + 10, SWATCH, SWATCH, colour, "line", 0.8, 2)
        shapes += [swatch, *([] if labels.is_number else pattern(swatch, labels.majority(node)))]
        at += SWATCH + 5
    shapes.append(Words(at, y + 19.5, card.head, HEAD, bold=True))
    shapes.append(Words(x + card.width - PAD, y + 18, card.number, TINY, "muted", anchor="end"))
    frame = Rectangle(x + PAD, y + 28, inner, BAR, "paper", "line", 0.8)
    shapes += _gauge(frame, labels, node) if labels.is_number else _bar(frame, tree.value[node])
    shapes += _facts(card, x, y + 50)
    if card.stub:
        shapes.append(Words(x + card.width / 2, y + HEIGHT + 10, card.stub, FACT, "muted", anchor="middle"))
    return Group(tuple(shapes), card.full)


def node_colour(labels: Labels, node: int) -> str:
    """The colour of a node's answer."""
    return number_colour(labels.position(node)) if labels.is_number else class_colour(labels.majority(node))


def pattern(part: Rectangle, code: int) -> list[Shape]:
    """What is drawn over the colour of a class."""
    kind = class_pattern(code)
    found: list[Shape] = []
    if kind in ("upright", "crossed"):
        n = max(1, int(part.width / 4))
        step = part.width / n
        if part.width >= 2:
            lines = (part.x + (i + 0.5) * step - 0.6 for i in range(n))
            found += [Rectangle(x, part.y, 1.2, part.height, "card") for x in lines]
    if kind in ("level", "crossed"):
        found.append(Rectangle(part.x, part.y + part.height / 2 - 0.8, part.width, 1.6, "card"))
    return found


def _facts(card: Card, x: float, y: float) -> list[Shape]:
    return [
        Words(x + PAD, y, card.fact, FACT, "muted"),
        Words(x + card.width - PAD, y, card.weight, FACT, "muted", anchor="end"),
    ]


def _bar(frame: Rectangle, shares: Sequence[float] | np.ndarray) -> list[Shape]:
    """The shares of the classes, in their order, as parts of the frame."""
    share = np.asarray(shares, dtype=np.float64)
    codes = np.sort(np.argsort(-share, kind="stable")[:N_SEGMENTS])
    found: list[Shape] = [frame]
    x = frame.x
    for code in codes[share[codes] > 0].tolist():
        part = Rectangle(x, frame.y, frame.width * float(share[code]), frame.height, class_colour(code))
        found += [part, *pattern(part, code)]
        x += part.width
    left = frame.x + frame.width - x
    if len(share) > N_SEGMENTS and left > 0.01:
        found.append(Rectangle(x, frame.y, left, frame.height, "muted"))
    found.append(Rectangle(frame.x, frame.y, frame.width, frame.height, None, "line", 0.8))
    return found


def _gauge(frame: Rectangle, labels: Labels, node: int) -> list[Shape]:
    """Where the number of the node lies between the least and the greatest that is shown."""
    at = labels.position(node)
    filled = Rectangle(frame.x, frame.y, frame.width * at, frame.height, number_colour(at))
    mark = Rectangle(frame.x + frame.width * at - 1, frame.y - 2, 2, frame.height + 4, "ink")
    return [frame, filled, mark]


def label_of(edge: Edge, width: float) -> tuple[str, float]:
    """The words of a branch made to fit, and how wide they are.

    Of several categories as many are named as there is room for, but never none.

    >>> label_of(Edge("", "", ("red", "green", "blue"), 4), 90.0)[0], label_of(Edge("sunny", ""), 90.0)[0]
    ('{red, … 6 more}', 'sunny')
    """
    words = list(edge.words)
    if not words:
        shown = fitted(edge.short, FACT, width)
        return shown, text_width(shown, FACT)
    for n in range(len(words), 0, -1):
        n_more = edge.n_more + len(words) - n
        more = f", … {n_more} more" if n_more else ""
        shown = "{" + ", ".join(words[:n]) + more + "}"
        if text_width(shown, FACT) <= width:
            return shown, text_width(shown, FACT)
    first = fitted(words[0], FACT, width - text_width(f"{{{more}}}", FACT))
    shown = f"{{{first}{more}}}"
    return shown, text_width(shown, FACT)
