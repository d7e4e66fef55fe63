"""Places: the boxes of a picture and where they stand.

In: the nodes that are shown. Out: the box of each, the words of the branch that leads to it, and a place for both, so
that nothing overlaps: down from the root, or across.
"""

from dataclasses import dataclass, replace

from treewright.export.labels import Labels, compact
from treewright.export.outline import Outline
from treewright.plot.card import Card, label_of, node_card, rest_card
from treewright.plot.layout import tidy

DIRECTIONS = ("auto", "down", "across")
"""Which way a tree grows."""

WIDE = 1250.0
"""A picture that would be wider than this grows across rather than down, unless that is wider still."""

LABEL = 170.0
"""The width of a branch's words at most."""

LABEL_HEIGHT = 17.0
GAP = 14.0
"""Between siblings."""

STEP = 34.0
"""Between a level and the words that lead to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Boxes, and the words on the way to each (short, in full, width); one entry per place of the outline."""

    shown: Outline
    labels: Labels
    cards: list[Card]
    words: list[tuple[str, str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the boxes stand, and the size of it all.

    x, y      the upper corner of each box
    words_at  where the words before it start, from the side
    bends_to  where the curve to it ends to bend, from above or from the side; from there on it is straight
    """

    x: list[float]
    y: list[float]
    words_at: list[float]
    bends_to: list[float]
    width: float
    height: float
    down: bool

    def moved(self, dx: float, dy: float) -> "Places":
        """The same elsewhere."""
        x, y = [at + dx for at in self.x], [at + dy for at in self.y]
        bends_to = [at + (dy if self.down else dx) for at in self.bends_to]
        return replace(self, x=x, y=y, words_at=[at + dx for at in self.words_at], bends_to=bends_to)


def parts_of(shown: Outline, labels: Labels) -> Parts:
    """The boxes of the nodes that are shown, and the words on the way to each."""
    tree = shown.tree
    cards: list[Card] = []
    words: list[tuple[str, str, float]] = []
    first_child = tree.first_child.tolist()
    for place, node in enumerate(shown.node):
        above = shown.parent[place]
        if node < 0:
            weight = f"n={compact(rest_weight(shown, place))}"
            cards.append(rest_card(shown.n_rest[place], shown.n_hidden[place], weight))
            words.append(("", "", 0.0))
            continue
        cards.append(node_card(labels, node, shown.n_hidden[place]))
        if above < 0:
            words.append(("", "", 0.0))
            continue
        parent = shown.node[above]
        edge = labels.edge(parent, node - first_child[parent])
        text, width = label_of(edge, LABEL)
        words.append((text, edge.full, width))
    return Parts(shown, labels, cards, words)


def rest_weight(shown: Outline, place: int) -> float:
    """The weight of the branches that are shown as one."""
    tree, above = shown.tree, shown.parent[place]
    parent = shown.node[above]
    first, many = int(tree.first_child[parent]), int(tree.n_children[parent])
    alone = shown.node[shown.first[above] : place]
    return max(0.0, float(tree.weight[first : first + many].sum() - tree.weight[alone].sum()))


def places_of(parts: Parts, direction: str) -> tuple[Parts, Places]:
    """Where all of it stands; boxes below each other are made equally wide."""
    if direction == "across":
        return _across(parts)
    down = _down(parts)
    if direction == "down" or down.width <= WIDE:
        return parts, down
    widened, across = _across(parts)
    return (widened, across) if across.width < down.width else (parts, down)


def _down(parts: Parts) -> Places:
    """The root above, a level below the other; the words of a branch stand over its box."""
    shown, cards = parts.shown, parts.cards
    sizes = [max(card.width, width + 8) for card, (_, _, width) in zip(cards, parts.words, strict=True)]
    centres = tidy(shown.parent, shown.first, shown.n_shown, sizes, GAP)
    depths = shown.depths()
    tallest = [0.0] * (max(depths) + 1)
    for depth, card in zip(depths, cards, strict=True):
        tallest[depth] = max(tallest[depth], card.height)
    tops, y = [0.0] * len(tallest), 0.0
    for depth, height in enumerate(tallest):
        tops[depth] = y
        y += height + STEP + LABEL_HEIGHT + 4
    x = [centre - card.width / 2 for centre, card in zip(centres, cards, strict=True)]
    tops_of = [tops[depth] for depth in depths]
    width = max(centre + size / 2 for centre, size in zip(centres, sizes, strict=True))
    words_at = [centre - words[2] / 2 for centre, words in zip(centres, parts.words, strict=True)]
    bends_to = [top - LABEL_HEIGHT - 4 for top in tops_of]
    return Places(x, tops_of, words_at, bends_to, width, tops[-1] + tallest[-1], down=True)


def _across(parts: Parts) -> tuple[Parts, Places]:
    """The root at the side, a level beside the other; the words of a branch stand before its box."""
    shown, cards = parts.shown, parts.cards
    sizes = [card.height for card in cards]
    centres = tidy(shown.parent, shown.first, shown.n_shown, sizes, GAP * 0.75)
    depths = shown.depths()
    widest, longest = [0.0] * (max(depths) + 1), [0.0] * (max(depths) + 1)
    for depth, card, (_, _, width) in zip(depths, cards, parts.words, strict=True):
        widest[depth] = max(widest[depth], card.width)
        longest[depth] = max(longest[depth], width)
    starts, x = [0.0] * len(widest), 0.0
    for depth, (width, words) in enumerate(zip(widest, longest, strict=True)):
        x += words + 12 if depth else 0.0
        starts[depth] = x
        x += width + STEP * 1.4
    y = [centre - card.height / 2 for centre, card in zip(centres, cards, strict=True)]
    starts_of = [starts[depth] for depth in depths]
    words_at = [start - 8 - words[2] for start, words in zip(starts_of, parts.words, strict=True)]
    height = max(centre + size / 2 for centre, size in zip(centres, sizes, strict=True))
    bends_to = [starts[depth] - 12 - longest[depth] for depth in depths]
    places = Places(starts_of, y, words_at, bends_to, starts[-1] + widest[-1], height, down=False)
    aligned = [replace(card, width=widest[depth]) for depth, card in zip(depths, cards, strict=True)]
    return replace(parts, cards=aligned), places
