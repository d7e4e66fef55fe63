"""Axes: where a chart is drawn.

In: matplotlib's axes, or None for new ones. Out: axes; or one sentence when matplotlib is not installed.
"""

from importlib.util import find_spec
from typing import Any

from treewright.errors import KindError, TreewrightError
from treewright.export.colours import DARK, LIGHT, Theme, class_colour, class_pattern, is_dark
from treewright.model.tree import Tree
from treewright.plot.lettering import Lettering

HATCHES = {"plain": "", "upright": "|||", "level": "---", "crossed": "+++"}
"""The patterns of classes, as matplotlib calls them."""

MANY, MOST = 6, 14
"""A legend of more entries stands beside the axes; and so many it has at most."""

BESIDE = {"beside": 1.02, "beyond": 1.09}
"""Where a legend beside the axes begins, in their width; `beyond` is behind the numbers of the branches."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""One for each of the first classes, so that they differ in shape too."""


def open_axes(ax: Any, size: tuple[float, float] = (6.4, 4.4)) -> Any:
    """The axes that were given, or new ones in a figure of this size in inches.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> ax = open_axes(None)
    >>> open_axes(ax) is ax
    True
    >>> plt.close(ax.figure)
    """
    require_matplotlib()
    if ax is None:
        import matplotlib.pyplot as plt

        return plt.subplots(figsize=size, layout="constrained")[1]
    if not hasattr(ax, "transData"):
        raise KindError(f"ax is a {type(ax).__name__}; give axes of matplotlib, or None for new ones.")
    return ax


def require_matplotlib() -> None:
    """Say what to do where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise TreewrightError(
            "This drawing needs matplotlib, which is not installed; install it with "
            "`pip install treewright[plot]`, or use to_svg, which needs nothing."
        )


def theme_of(ax: Any) -> Theme:
    """The colours that are read on the figure's background.

    >>> from types import SimpleNamespace
    >>> night = SimpleNamespace(get_facecolor=lambda: (0, 0, 0, 1))
    >>> theme_of(SimpleNamespace(figure=night)) is DARK
    True
    """
    from matplotlib.colors import to_hex, to_rgba

    colour = to_rgba(ax.figure.get_facecolor())
    return DARK if colour[3] > 0 and is_dark(to_hex(colour)) else LIGHT


def class_style(code: int, theme: Theme) -> dict[str, Any]:
    """How the area of a class is filled.

    >>> class_style(9, LIGHT)["hatch"]
    '|||'
    """
    hatch = HATCHES[class_pattern(code)]
    return {"facecolor": class_colour(code), "hatch": hatch, "edgecolor": theme.card, "linewidth": 0.5}


def name_classes(
    ax: Any, entries: list[tuple[Any, str]], letters: Lettering, title: str = "", place: str = "best"
) -> None:
    """A legend of artists and their names, at a place that matplotlib knows, or one of BESIDE.

    Names are set behind matplotlib's back, which leaves those out that begin with an underscore.
    """
    if not entries:
        return
    where: dict[str, Any] = {"loc": place}
    if place in BESIDE or len(entries) > MANY:
        where = {"loc": "upper left", "bbox_to_anchor": (BESIDE.get(place, 1.02), 1.0), "borderaxespad": 0.0}
    if len(entries) > MOST:
        from matplotlib.patches import Patch

        entries = [*entries[: MOST - 1], (Patch(alpha=0.0), f"… {len(entries) - MOST + 1} more")]
    names = [f"entry {i}" for i in range(len(entries))]
    legend = ax.legend([artist for artist, _ in entries], names, fontsize="small", framealpha=0.85, **where)
    for text, (_, name) in zip(legend.get_texts(), entries, strict=True):
        text.set(text=letters.fit(name, 180), **letters.style)
    if title:
        legend.set_title(letters.fit(title, 180), prop={"size": "small", "family": letters.families})
        legend.get_title().set_parse_math(False)


def name_weight(axis: Any, tree: Tree) -> None:
    """Say what an axis of weights counts: rows, unless they weigh differently."""
    from matplotlib.ticker import MaxNLocator

    are_rows = float(tree.weight[0]) == float(tree.count[0])
    axis.set_label_text("rows" if are_rows else "weight of the rows")
    if are_rows:
        axis.set_major_locator(MaxNLocator(integer=True))


def plain_frame(ax: Any) -> None:
    """Only the two lines of the frame that carry numbers."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
