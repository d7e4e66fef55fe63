"""Draws a tree with matplotlib: the same picture as `to_svg`, on axes."""

from typing import Any

from treewright.export.outline import tree_of
from treewright.plot.axes import open_axes, require_matplotlib
from treewright.plot.fonts import TextStyle, drawable_language
from treewright.plot.node_data import distribution_rows
from treewright.plot.shapes import Picture
from treewright.plot.tree_picture import draw_tree

MAX_NODES = 120
"""Default number of nodes in a drawing."""

POINTS_PER_PIXEL = 0.85
"""Points of a new figure for each pixel of the picture."""

LARGEST_FIGURE = 200.0
"""Inches of a new figure; a larger picture is drawn smaller."""


def plot_tree(
    given: Any,
    ax: Any = None,
    *,
    nodes: str = "summary",
    X: object = None,
    y: object = None,
    sample_weight: object = None,
    max_depth: int | None = None,
    max_nodes: int | None = MAX_NODES,
    direction: str = "auto",
    title: str | None = None,
    language: str = "en",
) -> Any:
    """Draw the tree with matplotlib.

    Parameters
    ----------
    given : estimator or Tree
        A fitted estimator, or a tree.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure that is large enough for the tree.
    nodes : {"summary", "distribution"}, default="summary"
        What a box shows: the class proportions or the predicted value; or the training rows of the node: the column it
        splits on, by class or with the target, and the cut. More than 40 nodes are drawn as summaries.
    X, y, sample_weight : optional
        The training rows for `nodes="distribution"`, if the estimator has not kept them.
    max_depth : int, optional
        Depth of the deepest nodes drawn. A box shows how many leaves below it are hidden.
    max_nodes : int, default=120
        About how many nodes are drawn, the heaviest ones. None draws all.
    direction : {"auto", "down", "across"}, default="auto"
        Root at the top ("down") or on the left ("across"); "auto" chooses "across" for very wide trees.
    title : str, optional
        A line above the picture.
    language : {"en", "zh"}, default="en"
        Language of the words between your names and categories.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
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
    from treewright.plot.matplotlib_painter import draw_picture

    options: dict[str, Any] = {"max_depth": max_depth, "max_nodes": max_nodes, "direction": direction}
    options |= {"title": title, "language": drawable_language(language)}
    options["rows"] = distribution_rows(given, nodes, X, y, sample_weight)
    picture = draw_tree(tree, **options)
    style = _style_of(picture)
    if style.missing:  # characters shown as codes are longer, and need larger boxes
        picture = draw_tree(tree, **options, spell=style)
        style = _style_of(picture)
    ax = _new_axes(picture) if ax is None else open_axes(ax)
    draw_picture(picture, ax, style)
    return ax


def _style_of(picture: Picture) -> TextStyle:
    return TextStyle(words.text for words in picture.texts())


def _new_axes(picture: Picture) -> Any:
    """Axes that fill a new figure."""
    import matplotlib.pyplot as plt

    inch = POINTS_PER_PIXEL / 72
    scale = min(1.0, LARGEST_FIGURE / (max(picture.width, picture.height) * inch))
    figure = plt.figure(figsize=(picture.width * inch * scale, picture.height * inch * scale))
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))
