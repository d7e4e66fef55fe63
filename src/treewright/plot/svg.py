"""A tree as an SVG picture, and as the HTML that a notebook shows.

The picture is self-contained: no script, no font, no other file. Its colours follow the light or dark theme of the
reader, and every box has a tooltip.
"""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import product
from typing import Any

from treewright.disk.atomic_write import write_file
from treewright.errors import one_of
from treewright.export.colours import DARK, LIGHT, Theme
from treewright.export.labels import compact, counted_leaves
from treewright.export.outline import tree_of
from treewright.model.formatting import printable
from treewright.model.tree import Tree
from treewright.plot.node_data import distribution_rows
from treewright.plot.shapes import Area, Curve, Group, Picture, Rectangle, Shape
from treewright.plot.tree_picture import draw_tree

MAX_NODES = 500
"""Default number of nodes in a picture."""

NOTEBOOK_NODES, NOTEBOOK_DEPTH = (48, 24, 12), 8
"""Numbers of nodes that are tried for the picture in a notebook, and its depth."""

NOTEBOOK_WIDTH, NOTEBOOK_HEIGHT = 1000, 900
"""Pixels of the picture in a notebook; a larger one is scrolled."""

THEMES = ("auto", "light", "dark")
"""auto: light, and dark if the reader prefers it."""

FONTS = (
    "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', "
    "'Noto Sans CJK SC', 'Source Han Sans SC', sans-serif"
)

ROLES = tuple(Theme.__dataclass_fields__)

# Characters that XML 1.0 does not allow, besides those that `printable` escapes.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_PLAIN = re.compile(r"[\w .,:;#%=()+\-\n]*", re.ASCII)


def to_svg(
    given: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    nodes: str = "summary",
    X: object = None,
    y: object = None,
    sample_weight: object = None,
    max_depth: int | None = None,
    max_nodes: int | None = MAX_NODES,
    direction: str = "auto",
    theme: str = "auto",
    title: str | None = None,
    language: str = "en",
    overwrite: bool = False,
) -> str:
    """Return the tree as an SVG picture, and write it to `path` if there is one.

    Parameters
    ----------
    given : estimator or Tree
        A fitted estimator, or a tree.
    path : path-like, optional
        The file to write.
    nodes : {"summary", "distribution"}, default="summary"
        What a box shows: the class proportions or the predicted value; or the training rows of the node: the column it
        splits on, by class or with the target, and the cut. More than 40 nodes are drawn as summaries.
    X, y, sample_weight : optional
        The training rows for `nodes="distribution"`, if the estimator has not kept them.
    max_depth : int, optional
        Depth of the deepest nodes drawn. A box shows how many leaves below it are hidden.
    max_nodes : int, default=500
        About how many nodes are drawn, the heaviest ones. None draws all.
    direction : {"auto", "down", "across"}, default="auto"
        Root at the top ("down") or on the left ("across"); "auto" chooses "across" for very wide trees.
    theme : {"auto", "light", "dark"}, default="auto"
        "auto" follows the settings of the reader.
    title : str, optional
        A line above the picture.
    language : {"en", "zh"}, default="en"
        Language of the words between your names and categories.
    overwrite : bool, default=False
        Whether an existing file is replaced; otherwise it is an error.

    Returns
    -------
    str
        The text of the picture.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> to_svg(golf_example())[:39]
    '<svg xmlns="http://www.w3.org/2000/svg"'
    """
    one_of("theme", theme, THEMES)
    tree = tree_of(given)
    picture = draw_tree(
        tree,
        rows=distribution_rows(given, nodes, X, y, sample_weight),
        max_depth=max_depth,
        max_nodes=max_nodes,
        direction=direction,
        title=title,
        language=language,
    )
    text = render_svg(picture, theme)
    if path is not None:
        write_file(path, text, overwrite=overwrite)
    return text


def render_svg(picture: Picture, theme: str = "auto") -> str:
    """Return a picture as SVG.

    >>> render_svg(Picture(10, 20, (), "nothing", "")).splitlines()[-1]
    '</svg>'
    """
    colours = DARK if theme == "dark" else LIGHT
    width, height = _px(picture.width), _px(picture.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape_xml(picture.title)}" font-family="{FONTS}" class="treewright">',
        f"<title>{escape_xml(picture.title)}</title>",
    ]
    if picture.description:
        lines.append(f"<desc>{escape_xml(picture.description)}</desc>")
    if theme == "auto":
        lines.append(_dark_style())
    paper = Rectangle(0.5, 0.5, picture.width - 1, picture.height - 1, "paper", "edge", radius=10)
    lines.append(_shape(paper, colours))
    lines += [_group(group, colours) for group in picture.groups]
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def escape_xml(text: str) -> str:
    """Return any text escaped for an element or an attribute.

    >>> escape_xml("a < b & c"), escape_xml("\\ufffe")
    ('a &lt; b &amp; c', '\\\\ufffe')
    """
    if _PLAIN.fullmatch(text):
        return text
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text).translate(_ENTITIES)


def _dark_style() -> str:
    """The style sheet with the colours of the dark theme.

    Every shape also has its light colour as an attribute, so that the picture works where style sheets are removed.
    """
    rules = []
    for role in ROLES:
        colour = getattr(DARK, role)
        rules.append(f".treewright .tw-f-{role}{{fill:{colour}}}.treewright .tw-s-{role}{{stroke:{colour}}}")
    return f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"


def _group(group: Group, colours: Theme) -> str:
    shapes = "".join(_shape(shape, colours) for shape in group.shapes)
    return f"<g>{shapes}</g>" if not group.title else f"<g><title>{escape_xml(group.title)}</title>{shapes}</g>"


def _shape(shape: Shape, colours: Theme) -> str:
    if isinstance(shape, Rectangle):
        corner = f' rx="{_px(shape.radius)}"' if shape.radius else ""
        place = f'x="{_px(shape.x)}" y="{_px(shape.y)}" width="{_px(shape.width)}" height="{_px(shape.height)}"'
        line = _line(shape.line, shape.dashed) if shape.stroke else ""
        return f"<rect {place}{corner}{_ink(shape.fill, shape.stroke, colours)}{line}/>"
    if isinstance(shape, Curve):
        x0, y0, *rest = map(_px, shape.points)
        path = f"M{x0} {y0}C{' '.join(rest)}"
        if shape.end != shape.points[6:]:
            path += f"L{_px(shape.end[0])} {_px(shape.end[1])}"
        return f'<path d="{path}"{_ink(None, shape.stroke, colours)}{_line(shape.line, shape.dashed)}/>'
    if isinstance(shape, Area):
        path = "".join(f"M{'L'.join(_points(polygon))}Z" for polygon in shape.polygons)
        return f'<path d="{path}"{_ink(shape.fill, None, colours)}/>'
    anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
    bold = ' font-weight="600"' if shape.bold else ""
    place = f'x="{_px(shape.x)}" y="{_px(shape.y)}" font-size="{_px(shape.size)}"'
    return f"<text {place}{bold}{anchor}{_ink(shape.colour, None, colours)}>{escape_xml(shape.text)}</text>"


def _points(polygon: tuple[float, ...]) -> Iterator[str]:
    return (f"{_px(x)} {_px(y)}" for x, y in zip(polygon[::2], polygon[1::2], strict=True))


@lru_cache(maxsize=1024)
def _ink(fill: str | None, stroke: str | None, colours: Theme) -> str:
    """Fill and stroke as attributes; colours of the theme also as classes, which the dark style sheet changes."""
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
    """A length with at most one decimal: a tenth of a pixel is not visible."""
    return f"{length:.1f}".removesuffix(".0")


def notebook_html(tree: Tree, name: str, pruned: tuple[str, int] | None = None) -> str:
    """Return what a notebook shows of a fitted tree: a picture of its upper part, its estimator and a summary.

    pruned  the method that pruned it, and the number of leaves before; None if it was not pruned

    >>> from treewright.model.build import golf_example
    >>> print(notebook_html(golf_example(), "C45Classifier()").splitlines()[-1])
    </div><div style="font-size:90%"><code>C45Classifier()</code><br>fitted on 14 rows</div></div>
    """
    n_rows, weight = int(tree.count[0]), compact(float(tree.weight[0]))
    with_weight = "" if weight == compact(float(n_rows)) else f" with weight {weight}"
    summary = f"fitted on {n_rows:,} {'row' if n_rows == 1 else 'rows'}{with_weight}"
    if pruned is not None and pruned[1] != tree.n_leaves:
        method = printable(pruned[0]).replace("_", " ").replace("+", " and ")
        summary += f"; {method} pruning kept {tree.n_leaves:,} of {counted_leaves(pruned[1])}"
    picture = _notebook_picture(tree)
    if picture.n_nodes < tree.n_nodes:
        summary += "; to_svg() draws more nodes"
    scroll = f"max-width:100%;max-height:{NOTEBOOK_HEIGHT}px;overflow:auto"
    text = f"<code>{escape(printable(name))}</code><br>{escape(summary)}"
    return f'<div><div style="{scroll}">{render_svg(picture)}</div><div style="font-size:90%">{text}</div></div>'


def _notebook_picture(tree: Tree) -> Picture:
    """As many nodes as fit on the screen: of a wider picture only a corner without the root would be visible."""
    best = draw_tree(tree, max_depth=1, max_nodes=NOTEBOOK_NODES[0])
    for depth, n in product(range(min(NOTEBOOK_DEPTH, tree.depth), 1, -1), NOTEBOOK_NODES):
        picture = draw_tree(tree, max_depth=depth, max_nodes=n)
        fits = picture.width <= NOTEBOOK_WIDTH and picture.height <= NOTEBOOK_HEIGHT
        if fits and picture.n_nodes == tree.n_nodes:
            return picture
        if fits and picture.n_nodes > best.n_nodes:
            best = picture
    return best
