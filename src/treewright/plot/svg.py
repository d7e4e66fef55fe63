"""SVG: a tree as a picture that any browser shows, and no other program has to make.

In: a fitted estimator or a tree. Out: the text of an SVG picture. It is complete in itself: no script, no font and no
address of another file; colours follow the reader's light or dark page; every box says more on a hover.
"""

import os
import re
from functools import lru_cache
from typing import Any

from treewright.disk.write import write_file
from treewright.errors import one_of
from treewright.export.colours import DARK, LIGHT, Theme
from treewright.export.source import tree_of
from treewright.plot.shapes import Curve, Group, Rectangle, Shape, Sketch
from treewright.plot.sketch import sketch

MAX_NODES = 500
"""Nodes of a picture, unless another number is asked for."""

THEMES = ("auto", "light", "dark")
"""auto: light, and dark where the reader prefers that."""

FONTS = (
    "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', 'Source Han Sans SC', sans-serif"
)

ROLES = tuple(Theme.__dataclass_fields__)

# Characters that XML 1.0 has no way to write, besides those that `printable` shows escaped already.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_PLAIN = re.compile(r"[\w .,:;#%=()+\-\n]*", re.ASCII)


def to_svg(
    given: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = MAX_NODES,
    direction: str = "auto",
    theme: str = "auto",
    title: str | None = None,
) -> str:
    """The tree as an SVG picture; written to `path` too, where one is given.

    given      a fitted estimator, or a Tree
    max_depth  nodes deeper than this are not drawn; a line in the box above says how many leaves are below it
    max_nodes  about how many nodes are drawn at most, those of most weight; None: all
    direction  "down": the root above; "across": the root at the side, for many branches; "auto": down, unless that is
               very wide
    theme      "light", "dark", or "auto": as the reader's screen is set
    title      a line above the picture

    >>> from treewright.model.build import golf_example
    >>> to_svg(golf_example())[:39]
    '<svg xmlns="http://www.w3.org/2000/svg"'
    """
    one_of("theme", theme, THEMES)
    picture = sketch(tree_of(given), max_depth=max_depth, max_nodes=max_nodes, direction=direction, title=title)
    text = paint(picture, theme)
    if path is not None:
        write_file(path, text)
    return text


def paint(picture: Sketch, theme: str = "auto") -> str:
    """The shapes as SVG.

    >>> paint(Sketch(10, 20, (), "nothing", "")).splitlines()[-1]
    '</svg>'
    """
    colours = DARK if theme == "dark" else LIGHT
    width, height = _px(picture.width), _px(picture.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escaped(picture.title)}" font-family="{FONTS}" class="treewright">',
        f"<title>{escaped(picture.title)}</title>",
    ]
    if picture.description:
        lines.append(f"<desc>{escaped(picture.description)}</desc>")
    if theme == "auto":
        lines.append(_dark_style())
    paper = Rectangle(0.5, 0.5, picture.width - 1, picture.height - 1, "paper", "edge", radius=10)
    lines.append(_shape(paper, colours))
    lines += [_group(group, colours) for group in picture.groups]
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """The text inside an element or an attribute, whatever it holds.

    >>> escaped("a < b & c"), escaped("\\ufffe")
    ('a &lt; b &amp; c', '\\\\ufffe')
    """
    if _PLAIN.fullmatch(text):
        return text
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text).translate(_ENTITIES)


def _dark_style() -> str:
    """The other colours, for readers who prefer a dark page.

    Each colour is also written at its shape, so that a page which takes styles away leaves the light picture.
    """
    rules = []
    for role in ROLES:
        colour = getattr(DARK, role)
        rules.append(f".treewright .tw-f-{role}{{fill:{colour}}}.treewright .tw-s-{role}{{stroke:{colour}}}")
    return f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"


def _group(group: Group, colours: Theme) -> str:
    shapes = "".join(_shape(shape, colours) for shape in group.shapes)
    return f"<g>{shapes}</g>" if not group.title else f"<g><title>{escaped(group.title)}</title>{shapes}</g>"


def _shape(shape: Shape, colours: Theme) -> str:
    if isinstance(shape, Rectangle):
        corner = f' rx="{_px(shape.radius)}"' if shape.radius else ""
        place = f'x="{_px(shape.x)}" y="{_px(shape.y)}" width="{_px(shape.width)}" height="{_px(shape.height)}"'
        line = _line(shape.line, shape.dashed) if shape.stroke else ""
        return f"<rect {place}{corner}{_ink(shape.fill, shape.stroke, colours)}{line}/>"
    if isinstance(shape, Curve):
        x0, y0, *rest = map(_px, shape.points)
        way = f"M{x0} {y0}C{' '.join(rest)}"
        if shape.end != shape.points[6:]:
            way += f"L{_px(shape.end[0])} {_px(shape.end[1])}"
        return f'<path d="{way}"{_ink(None, shape.stroke, colours)}{_line(shape.line, shape.dashed)}/>'
    anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
    bold = ' font-weight="600"' if shape.bold else ""
    place = f'x="{_px(shape.x)}" y="{_px(shape.y)}" font-size="{_px(shape.size)}"'
    return f"<text {place}{bold}{anchor}{_ink(shape.colour, None, colours)}>{escaped(shape.text)}</text>"


@lru_cache(maxsize=1024)
def _ink(fill: str | None, stroke: str | None, colours: Theme) -> str:
    """Fill and stroke as attributes; those of the page also as classes, which a dark page changes."""
    roles = [f"tw-{kind}-{role}" for kind, role in (("f", fill), ("s", stroke)) if role in ROLES]
    found = f' class="{" ".join(roles)}"' if roles else ""
    found += f' fill="{_colour(fill, colours)}"'
    return found + (f' stroke="{_colour(stroke, colours)}"' if stroke else "")


def _colour(name: str | None, colours: Theme) -> str:
    if name is None:
        return "none"
    return name if name.startswith("#") else getattr(colours, name)


def _line(width: float, dashed: bool) -> str:
    return f' stroke-width="{_px(width)}"' + (' stroke-dasharray="4 3"' if dashed else "")


def _px(length: float) -> str:
    """A length with at most one digit behind the point: a tenth of a pixel is seen by nobody."""
    return f"{length:.1f}".removesuffix(".0")
