"""Scale: letters and lines that keep their size in the picture, not on the paper.

In: artists of matplotlib and the shapes they stand for. Out: an artist that draws nothing, but before the others are
drawn sets their letters and lines to the size of the axes. It imports matplotlib: fetch it where that is needed.
"""

from typing import Any

from matplotlib.artist import Artist

from treewright.plot.shapes import Curve, Rectangle, Shape, Words


class Scale(Artist):
    """Sets sizes just before drawing; the lowest of the axes' artists, so that it comes first."""

    def __init__(self, squeeze: float = 1.0) -> None:
        super().__init__()
        self.squeeze = squeeze
        self.set_zorder(-1000)
        self._kept: list[tuple[Any, float]] = []

    def add(self, artist: Any, shape: Shape) -> None:
        """Keep an artist in step, by the size its shape has in the picture."""
        if isinstance(shape, Words):
            self._kept.append((artist, shape.size * self.squeeze))
        elif isinstance(shape, Curve) or (isinstance(shape, Rectangle) and shape.stroke is not None):
            self._kept.append((artist, shape.line))
        else:
            artist.set_linewidth(0)

    def draw(self, renderer: Any) -> None:
        """Give every letter and line its size in points."""
        ax = self.axes
        if ax is None or ax.figure is None:
            return
        (x0, y0), (x1, y1) = ax.transData.transform([(0.0, 0.0), (1.0, 1.0)])
        points = min(abs(x1 - x0), abs(y1 - y0)) * 72 / ax.figure.dpi
        for artist, size in self._kept:
            if hasattr(artist, "set_fontsize"):
                artist.set_fontsize(max(size * points, 0.01))
            else:
                artist.set_linewidth(size * points)

    def get_window_extent(self, renderer: Any = None) -> Any:
        """It takes no room."""
        from matplotlib.transforms import Bbox

        return Bbox.null()

    def get_tightbbox(self, renderer: Any = None) -> None:
        """It takes no room."""
        return
