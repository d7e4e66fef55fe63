"""Draws a picture of a tree on matplotlib axes.

This module imports matplotlib; `treewright.plot.matplotlib_tree` imports it when something is drawn. Text and lines are
scaled with the boxes: `SizeKeeper` sets their sizes before each drawing, whatever the size of the figure.
"""

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.patches import Rectangle as RectanglePatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import TextToPath
from matplotlib.transforms import Bbox

from treewright.export.colours import Theme
from treewright.plot.axes import theme_of
from treewright.plot.fonts import TextStyle, text_width
from treewright.plot.shapes import Area, Curve, Label, Picture, Rectangle, Shape

N_MEASURED = 30
"""Number of texts, the longest ones, by which the font is compared with the assumed widths."""


def draw_picture(picture: Picture, ax: Any, style: TextStyle) -> None:
    """Draw the shapes of a picture on axes."""
    theme = theme_of(ax)
    sizes = SizeKeeper(_font_scale(picture.texts(), style))
    ax.set_axis_off()
    ax.set_xlim(0, picture.width)
    ax.set_ylim(picture.height, 0)
    ax.set_aspect("equal")
    for order, group in enumerate(picture.groups):
        for shape in group.shapes:
            artist = _artist(shape, style, theme)
            artist.set_zorder(1 + order / len(picture.groups))
            sizes.add(artist, shape)
            ax.add_artist(artist)
    ax.add_artist(sizes)


class SizeKeeper(Artist):
    """An invisible artist that sets the sizes of the others; its z-order is the lowest, so that it is drawn first."""

    def __init__(self, font_scale: float = 1.0) -> None:
        super().__init__()
        self.font_scale = font_scale
        self.set_zorder(-1000)
        self._sizes: list[tuple[Any, float]] = []

    def add(self, artist: Any, shape: Shape) -> None:
        """Scale an artist with the axes, by the size that its shape has in the picture."""
        if isinstance(shape, Label):
            self._sizes.append((artist, shape.size * self.font_scale))
        elif isinstance(shape, Curve) or (isinstance(shape, Rectangle) and shape.stroke is not None):
            self._sizes.append((artist, shape.line))
        else:
            artist.set_linewidth(0)

    def draw(self, renderer: Any) -> None:
        """Set the font size or line width of every artist in points."""
        ax = self.axes
        if ax is None or ax.figure is None:
            return
        (x0, y0), (x1, y1) = ax.transData.transform([(0.0, 0.0), (1.0, 1.0)])
        points = min(abs(x1 - x0), abs(y1 - y0)) * 72 / ax.figure.dpi
        for artist, size in self._sizes:
            if hasattr(artist, "set_fontsize"):
                artist.set_fontsize(max(size * points, 0.01))
            else:
                artist.set_linewidth(size * points)

    def get_window_extent(self, renderer: Any = None) -> Any:
        """It has no extent."""
        return Bbox.null()

    def get_tightbbox(self, renderer: Any = None) -> None:
        """It has no extent."""
        return


def _artist(shape: Shape, style: TextStyle, theme: Theme) -> Any:
    if isinstance(shape, Label):
        align: Any = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        weight = "bold" if shape.bold else "normal"
        look = style.settings | {"color": _colour(shape.colour, theme), "fontweight": weight}
        return Text(shape.x, shape.y, style(shape.text), horizontalalignment=align, clip_on=True, **look)
    if isinstance(shape, Curve):
        x0, y0, x1, y1, x2, y2, x3, y3 = shape.points
        points = [(x0, y0), (x1, y1), (x2, y2), (x3, y3), shape.end]
        path = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO])
        return PathPatch(path, facecolor="none", edgecolor=_colour(shape.stroke, theme), capstyle="butt")
    if isinstance(shape, Area):
        outlines = [Path(np.reshape(polygon, (-1, 2))) for polygon in shape.polygons]
        return PathPatch(Path.make_compound_path(*outlines), facecolor=_colour(shape.fill, theme), edgecolor="none")
    ink: dict[str, Any] = {"facecolor": _colour(shape.fill, theme), "edgecolor": _colour(shape.stroke, theme)}
    ink["linestyle"] = "--" if shape.dashed else "-"
    if not shape.radius:
        return RectanglePatch((shape.x, shape.y), shape.width, shape.height, **ink)
    box = f"round,pad=0,rounding_size={shape.radius}"
    return FancyBboxPatch((shape.x, shape.y), shape.width, shape.height, boxstyle=box, **ink)


def _colour(name: str | None, theme: Theme) -> str:
    if name is None:
        return "none"
    return name if name.startswith("#") else getattr(theme, name)


def _font_scale(texts: list[Label], style: TextStyle) -> float:
    """The factor by which text is made smaller because the font is wider than the assumed one."""
    measure = TextToPath()
    widest = 1.0
    for words in sorted(texts, key=lambda words: (-len(words.text), words.text))[:N_MEASURED]:
        font = FontProperties(family=style.families, weight="bold" if words.bold else "normal", size=words.size)
        shown = style(words.text)
        width, _, _ = measure.get_text_width_height_descent(shown, font, ismath=False)
        assumed = text_width(shown, words.size, words.bold)
        if assumed > 0:
            widest = max(widest, width / assumed)
    return 1 / widest
