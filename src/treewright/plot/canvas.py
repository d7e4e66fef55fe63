"""Canvas: a tree drawn by matplotlib.

In: a fitted estimator or a tree, and axes. Out: the same picture as `to_svg`, on the axes. Letters and lines grow and
shrink with the boxes, whatever the size of the figure, so nothing overlaps.
"""

from typing import Any

from treewright.export.colours import Theme
from treewright.export.source import tree_of
from treewright.plot.axes import open_axes, require_matplotlib, theme_of
from treewright.plot.lettering import Lettering
from treewright.plot.measure import text_width
from treewright.plot.shapes import Curve, Shape, Sketch, Words
from treewright.plot.sketch import sketch

MAX_NODES = 120
"""Nodes of a drawing, unless another number is asked for."""

UNIT = 0.85
"""Points of a pixel of the picture in a figure that is made for it."""

LARGEST = 200.0
"""Inches of such a figure; a larger picture is drawn smaller."""


def plot_tree(
    given: Any,
    ax: Any = None,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = MAX_NODES,
    direction: str = "auto",
    title: str | None = None,
) -> Any:
    """Draw the tree with matplotlib, and return the axes.

    given      a fitted estimator, or a Tree
    ax         where to draw; None: a new figure, as large as the tree needs to be read
    max_depth  nodes deeper than this are not drawn; a line in the box above says how many leaves are below it
    max_nodes  about how many nodes are drawn at most, those of most weight; None: all
    direction  "down": the root above; "across": the root at the side, for many branches; "auto": down, unless that is
               very wide
    title      a line above the picture

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> from treewright.model.build import golf_example
    >>> ax = plot_tree(golf_example())
    >>> ax.figure.get_size_inches().round(1).tolist()
    [6.2, 4.4]
    >>> plt.close(ax.figure)
    """
    tree = tree_of(given)
    require_matplotlib()
    limits: dict[str, Any] = {"max_depth": max_depth, "max_nodes": max_nodes, "direction": direction}
    picture = sketch(tree, **limits, title=title)
    letters = _letters(picture)
    if letters.missing:  # written by their numbers, words are longer, and need larger boxes
        picture = sketch(tree, **limits, title=title, spell=letters)
    ax = _new_axes(picture) if ax is None else open_axes(ax)
    paint(picture, ax)
    return ax


def _new_axes(picture: Sketch) -> Any:
    """The axes of a new figure, which they fill."""
    import matplotlib.pyplot as plt

    inch = UNIT / 72
    shrunk = min(1.0, LARGEST / (max(picture.width, picture.height) * inch))
    figure = plt.figure(figsize=(picture.width * inch * shrunk, picture.height * inch * shrunk))
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def paint(picture: Sketch, ax: Any) -> None:
    """Draw the shapes on the axes, and keep letters and lines in step with them."""
    from treewright.plot.scale import Scale

    theme, letters = theme_of(ax), _letters(picture)
    scale = Scale(_squeeze(_texts(picture), letters))
    ax.set_axis_off()
    ax.set_xlim(0, picture.width)
    ax.set_ylim(picture.height, 0)
    ax.set_aspect("equal")
    for order, group in enumerate(picture.groups):
        for shape in group.shapes:
            artist = _artist(shape, letters, theme)
            artist.set_zorder(1 + order / len(picture.groups))
            scale.add(artist, shape)
            ax.add_artist(artist)
    ax.add_artist(scale)


def _artist(shape: Shape, letters: Lettering, theme: Theme) -> Any:
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.patches import Rectangle as Plain
    from matplotlib.path import Path
    from matplotlib.text import Text

    if isinstance(shape, Words):
        place: Any = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        look = letters.style | {"color": _colour(shape.colour, theme), "fontweight": "bold" if shape.bold else "normal"}
        return Text(shape.x, shape.y, letters(shape.text), horizontalalignment=place, clip_on=True, **look)
    if isinstance(shape, Curve):
        x0, y0, x1, y1, x2, y2, x3, y3 = shape.points
        points = [(x0, y0), (x1, y1), (x2, y2), (x3, y3), shape.end]
        way = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO])
        return PathPatch(way, facecolor="none", edgecolor=_colour(shape.stroke, theme), capstyle="butt")
    ink: dict[str, Any] = {"facecolor": _colour(shape.fill, theme), "edgecolor": _colour(shape.stroke, theme)}
    ink["linestyle"] = "--" if shape.dashed else "-"
    if not shape.radius:
        return Plain((shape.x, shape.y), shape.width, shape.height, **ink)
    style = f"round,pad=0,rounding_size={shape.radius}"
    return FancyBboxPatch((shape.x, shape.y), shape.width, shape.height, boxstyle=style, **ink)


def _colour(name: str | None, theme: Theme) -> str:
    if name is None:
        return "none"
    return name if name.startswith("#") else getattr(theme, name)


def _texts(picture: Sketch) -> list[Words]:
    return [shape for group in picture.groups for shape in group.shapes if isinstance(shape, Words)]


def _letters(picture: Sketch) -> Lettering:
    return Lettering(words.text for words in _texts(picture))


def _squeeze(texts: list[Words], letters: Lettering) -> float:
    """By how much letters are made smaller, because the font is wider than the one that was measured by."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    measure = TextToPath()
    widest = 1.0
    longest = sorted(texts, key=lambda words: (-len(words.text), words.text))[:30]
    for words in longest:
        font = FontProperties(family=letters.families, weight="bold" if words.bold else "normal", size=words.size)
        shown = letters(words.text)
        wide, _, _ = measure.get_text_width_height_descent(shown, font, ismath=False)
        known = text_width(shown, words.size, words.bold)
        if known > 0:
            widest = max(widest, wide / known)
    return 1 / widest
