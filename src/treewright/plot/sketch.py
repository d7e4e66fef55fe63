"""Sketch: a tree as a picture, before anybody paints it.

In: a tree, how much of it is shown, and which way it grows. Out: a `Sketch` of boxes, the curves between them as wide
as the rows they carry, and the words of the branches.
"""

from collections.abc import Callable

import numpy as np

from treewright.errors import one_of
from treewright.export.labels import Labels, clipped
from treewright.export.outline import Outline, outline
from treewright.model.text import to_text
from treewright.model.tree import Tree
from treewright.plot.card import FACT, draw_card
from treewright.plot.header import NARROWEST, header, size_words
from treewright.plot.places import DIRECTIONS, LABEL_HEIGHT, Parts, Places, parts_of, places_of, rest_weight
from treewright.plot.shapes import Curve, Group, Rectangle, Shape, Sketch, Words

MARGIN = 18.0

ROPE = 14.0
"""The width of a curve that carries all rows."""

THIN = 2.5
"""A curve that is narrower than this is darker."""

N_LINES, N_LETTERS = 40, 6000
"""How much of the tree's text a screen reader is offered."""

Points = tuple[float, float, float, float, float, float, float, float]


def sketch(
    tree: Tree,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    direction: str = "auto",
    title: str | None = None,
    spell: Callable[[str], str] = str,
) -> Sketch:
    """The tree as shapes; `spell` says how the user's words are written, for those who lack letters.

    >>> from treewright.model.build import golf_example
    >>> picture = sketch(golf_example())
    >>> picture.title
    'Decision tree for golf: 8 nodes, 5 leaves, depth 2'
    """
    one_of("direction", direction, DIRECTIONS)
    shown = outline(tree, max_depth, max_nodes)
    parts, places = places_of(parts_of(shown, Labels(tree, spell, shown.nodes())), direction)
    width = max(places.width, NARROWEST)
    groups, top = header(parts.labels, parts.shown, spell(clipped(title or "")), (MARGIN, MARGIN), width)
    places = places.moved(MARGIN + (width - places.width) / 2, top)
    groups += _ropes(parts, places)
    groups += _signs(parts, places)
    for card, x, y in zip(parts.cards, places.x, places.y, strict=True):
        groups.append(draw_card(card, parts.labels, x, y))
    return Sketch(
        width=width + 2 * MARGIN,
        height=top + places.height + MARGIN,
        groups=tuple(groups),
        title=f"Decision tree for {parts.labels.target}: {size_words(parts.shown)}",
        description=_described(parts.shown),
        n_nodes=parts.shown.n_nodes,
    )


def _ropes(parts: Parts, places: Places) -> list[Group]:
    """The curves: side by side where they leave a box, as wide as the share of all rows that they carry."""
    shown, cards, tree = parts.shown, parts.cards, parts.shown.tree
    total = float(tree.weight[0])
    weight = [float(tree.weight[i]) if i >= 0 else rest_weight(shown, at) for at, i in enumerate(shown.node)]
    ropes = [max(1.0, ROPE * w / total) if w > 0 < total else 1.0 for w in weight]
    groups = []
    below = _row_ends(parts, places)
    for place, card in enumerate(cards):
        children = range(shown.first[place], shown.first[place] + shown.n_shown[place])
        side = card.width if places.down else card.height
        bundle = sum(ropes[child] for child in children)
        squeezed = min(1.0, (side - 16) / bundle) if bundle else 1.0
        at = (places.x[place] if places.down else places.y[place]) + (side - bundle * squeezed) / 2
        for child in children:
            leaves_at = at + ropes[child] * squeezed / 2
            at += ropes[child] * squeezed
            points, end = _rope(parts, places, (place, child), leaves_at, below[place])
            # A thin line needs more contrast to be seen.
            stroke = "line" if ropes[child] < THIN else "edge"
            curve = Curve(points, end, stroke, ropes[child], dashed=weight[child] == 0)
            shapes: tuple[Shape, ...] = (curve,)
            start = places.y[place] + card.height
            if places.down and start < below[place]:
                wide = ropes[child]
                straight = Rectangle(leaves_at - wide / 2, start, wide, below[place] - start + 0.3, stroke)
                shapes = (straight, curve)
            groups.append(Group(shapes, parts.words[child][1]))
    return groups


def _row_ends(parts: Parts, places: Places) -> list[float]:
    """For each box, where its row ends below: curves bend from there on, so that none runs behind a taller box."""
    depths = parts.shown.depths()
    ends = [0.0] * (max(depths) + 1)
    for depth, card, y in zip(depths, parts.cards, places.y, strict=True):
        ends[depth] = max(ends[depth], y + card.height)
    return [ends[depth] for depth in depths]


def _rope(
    parts: Parts, places: Places, pair: tuple[int, int], leaves_at: float, start: float
) -> tuple[Points, tuple[float, float]]:
    """The points of a curve from a box towards the next, and the end of the straight line behind it.

    start  where a curve that goes down may bend
    """
    above, below = pair
    upper, lower, to = parts.cards[above], parts.cards[below], places.bends_to[below]
    if places.down:
        centre = places.x[below] + lower.width / 2
        bend = (to - start) * 0.55
        return (leaves_at, start, leaves_at, start + bend, centre, to - bend, centre, to), (centre, to)
    start, centre = places.x[above] + upper.width, places.y[below] + lower.height / 2
    bend = (to - start) * 0.6
    end = max(to, places.words_at[below] - 4)
    return (start, leaves_at, start + bend, leaves_at, to - bend, centre, to, centre), (end, centre)


def _signs(parts: Parts, places: Places) -> list[Group]:
    """The words of the branches, each at its box."""
    groups = []
    for place, (text, full, _) in enumerate(parts.words):
        card = parts.cards[place]
        if not text:
            continue
        if places.down:
            x, y = places.words_at[place], places.y[place] - LABEL_HEIGHT - 2
        else:
            x, y = places.words_at[place], places.y[place] + card.height / 2 - LABEL_HEIGHT / 2
        groups.append(Group((Words(x, y + 12.5, text, FACT),), full))
    return groups


def _described(shown: Outline) -> str:
    """The upper part of the tree in words, as deep as it takes few lines."""
    n_lines = np.cumsum(np.bincount(shown.tree.depths)) - 1
    depth = max(1, int(np.searchsorted(n_lines, N_LINES, side="right")) - 1)
    if shown.tree.depth and n_lines[depth] > N_LINES:
        return ""
    text = to_text(shown.tree, min(depth, max(shown.depths()), shown.tree.depth))
    return "\n".join(clipped(line, N_LETTERS // N_LINES) for line in text.splitlines())
