"""The parts of a picture: rectangles, curves, areas and labels, in pixels from the upper left corner.

A picture is drawn by `treewright.plot.svg` or `treewright.plot.matplotlib_painter`. A colour is `#rrggbb`, or a field
of `Theme`: paper, card, ink, muted, line, edge.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle; `fill` and `stroke` are colours, None for none."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None
    stroke: str | None = None
    line: float = 1.0
    radius: float = 0.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """A cubic Bézier curve (start, two control points, end), and a straight line from there to `end`."""

    points: tuple[float, float, float, float, float, float, float, float]
    end: tuple[float, float]
    stroke: str
    line: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A text; `anchor` is the part of it that is at x (start, middle or end), y is its baseline."""

    x: float
    y: float
    text: str
    size: float
    colour: str = "ink"
    bold: bool = False
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Area:
    """Polygons of one colour; each is x0, y0, x1, y1 and so on."""

    polygons: tuple[tuple[float, ...], ...]
    fill: str


Shape = Rectangle | Curve | Label | Area


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart inside a box: its size, and shapes from its upper left corner."""

    width: float
    height: float
    shapes: tuple[Rectangle | Label | Area, ...]

    def moved(self, dx: float, dy: float) -> list[Shape]:
        """Return the shapes at another place."""
        return [_moved(shape, dx, dy) for shape in self.shapes]


def _moved(shape: Rectangle | Label | Area, dx: float, dy: float) -> Shape:
    if not isinstance(shape, Area):
        return replace(shape, x=shape.x + dx, y=shape.y + dy)
    polygons = (tuple(at + (dy if i % 2 else dx) for i, at in enumerate(points)) for points in shape.polygons)
    return Area(tuple(polygons), shape.fill)


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together, and their tooltip, if they have one."""

    shapes: tuple[Shape, ...]
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a tree.

    groups       from the lowest to the topmost
    title        in one sentence
    description  the upper part of the tree as text, for screen readers
    n_nodes      how many nodes of the tree are drawn
    """

    width: float
    height: float
    groups: tuple[Group, ...]
    title: str
    description: str
    n_nodes: int = 0

    def texts(self) -> list[Label]:
        """All labels of the picture."""
        return [shape for group in self.groups for shape in group.shapes if isinstance(shape, Label)]
