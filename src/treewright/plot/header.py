"""Header: what stands above a picture: its title, how large the tree is, and what the colours mean.

In: the words of a tree, what is shown of it, and the width there is. Out: the shapes, and how much room they take.
"""

from treewright.export.colours import class_colour, number_colour
from treewright.export.labels import Labels, short_number
from treewright.export.outline import Outline
from treewright.model.grid import counted
from treewright.plot.card import SWATCH, pattern
from treewright.plot.measure import fitted, text_width
from treewright.plot.shapes import Group, Rectangle, Shape, Words

TITLE, SMALL = 15.0, 12.0
"""Sizes of letters."""

LINE = 21.0
NARROWEST = 300.0
"""The least width of a picture."""

N_CLASSES = 40
"""Classes that are named; the number of the others is given."""

LONGEST = 160.0
"""The width of a class's name."""

N_SHADES = 24


def size_words(shown: Outline) -> str:
    """How large the tree is, and how much of it is shown.

    >>> from treewright.export.outline import outline
    >>> from treewright.model.build import golf_example
    >>> size_words(outline(golf_example())), size_words(outline(golf_example(), max_depth=1))
    ('8 nodes, 5 leaves, depth 2', '8 nodes, 5 leaves, depth 2; 4 nodes shown')
    """
    tree = shown.tree
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    nodes = counted(tree.n_nodes, "node") if tree.n_nodes < 1000 else f"{tree.n_nodes:,} nodes"
    words = f"{nodes}, {leaves}, depth {tree.depth:,}"
    return words if shown.n_nodes == tree.n_nodes else f"{words}; {counted(shown.n_nodes, 'node')} shown"


def header(
    labels: Labels, shown: Outline, title: str, corner: tuple[float, float], width: float
) -> tuple[list[Group], float]:
    """The groups of the header, from the upper corner on, and where what is below it may begin."""
    groups: list[Group] = []
    start, y = corner
    if title:
        words = Words(start, y + 15, fitted(title, TITLE, width, bold=True), TITLE, bold=True)
        groups.append(Group((words,), title))
        y += LINE + 2
    groups.append(Group((Words(start, y + 13, fitted(size_words(shown), SMALL, width), SMALL, "muted"),)))
    y += LINE
    legend, y = (_scale(labels, start, y, width) if labels.is_number else _classes(labels, start, y, width))
    return groups + legend, y + 8


def _classes(labels: Labels, start: float, y: float, width: float) -> tuple[list[Group], float]:
    """The classes with their colours, on as many lines as they need."""
    name = fitted(labels.target, SMALL, min(LONGEST, width / 2))
    groups = [Group((Words(start, y + 13, name, SMALL, "muted"),), labels.target)]
    x = start + text_width(name, SMALL) + 12
    for code, full in enumerate(labels.classes[:N_CLASSES]):
        words = fitted(full, SMALL, min(LONGEST, width - SWATCH - 6))
        needed = SWATCH + 6 + text_width(words, SMALL)
        if x > start and x + needed > start + width:
            x, y = start, y + LINE - 2
        swatch = Rectangle(x, y + 4, SWATCH, SWATCH, class_colour(code), "line", 0.8, 2)
        shapes: list[Shape] = [swatch, *pattern(swatch, code)]
        shapes.append(Words(x + SWATCH + 6, y + 13, words, SMALL))
        groups.append(Group(tuple(shapes), full))
        x += needed + 14
    n_more = len(labels.classes) - N_CLASSES
    if n_more > 0:
        y += LINE - 2
        groups.append(Group((Words(start, y + 13, f"… {n_more} more classes", SMALL, "muted"),)))
    return groups, y + LINE


def _scale(labels: Labels, start: float, y: float, width: float) -> tuple[list[Group], float]:
    """The colours from the least to the greatest number."""
    name = fitted(labels.target, SMALL, min(LONGEST, width / 3))
    low, high = short_number(labels.least, 4), short_number(labels.most, 4)
    x = start + text_width(name, SMALL) + 12
    shapes: list[Shape] = [Words(start, y + 13, name, SMALL, "muted"), Words(x, y + 13, low, SMALL)]
    if labels.least == labels.most:  # one number, and nothing to compare it with
        return [Group(tuple(shapes), labels.target)], y + LINE
    x += text_width(low, SMALL) + 6
    step = 110.0 / N_SHADES
    shades = ((x + i * step, number_colour(i / (N_SHADES - 1))) for i in range(N_SHADES))
    shapes += [Rectangle(at, y + 4, step + 0.3, SWATCH, shade) for at, shade in shades]
    shapes.append(Rectangle(x, y + 4, 110.0, SWATCH, None, "line", 0.8))
    shapes.append(Words(x + 116, y + 13, high, SMALL))
    return [Group(tuple(shapes), labels.target)], y + LINE
