"""Shapes: what a picture is made of, whoever paints it.

In: nothing. Out: rectangles, curves and words in pixels from the upper corner, in groups with a text for a hover. A
colour is `#rrggbb`, or the name of a part of a `Theme`: paper, card, ink, muted, line, edge.
"""

from dataclasses import dataclass


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
    """A line from a point to another one by two points that it leans to, and from there straight to the end."""

    points: tuple[float, float, float, float, float, float, float, float]
    end: tuple[float, float]
    stroke: str
    line: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A text; `anchor` says which end of it is at x: start, middle or end; y is the line it stands on."""

    x: float
    y: float
    text: str
    size: float
    colour: str = "ink"
    bold: bool = False
    anchor: str = "start"


Shape = Rectangle | Curve | Words


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together, and what is said about them on a hover; None for nothing."""

    shapes: tuple[Shape, ...]
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Sketch:
    """A picture: its size, its groups from the lowest to the uppermost, and what it is in a sentence and in words.

    n_nodes  how many nodes of the tree are drawn
    """

    width: float
    height: float
    groups: tuple[Group, ...]
    title: str
    description: str
    n_nodes: int = 0
