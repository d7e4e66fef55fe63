"""Axes: where a chart is drawn.

In: matplotlib's axes, or None for new ones. Out: axes; or one sentence when matplotlib is not installed.
"""

from typing import Any

from treewright.errors import KindError
from treewright.export.colours import CLASS_COLOURS, DARK, LIGHT, Theme, class_colour, class_pattern, is_dark
from treewright.extras import require
from treewright.model.tree import Tree
from treewright.plot.lettering import Lettering

HATCHES = {"plain": "", "upright": "|||", "level": "---", "crossed": "+++"}
"""The patterns of classes, as matplotlib calls them."""

MANY, MOST = 6, 14
"""A legend of more entries stands beside the axes; and so many it has at most."""

BESIDE = {"beside": 8.0, "beyond": 40.0}
"""Points from the axes to a legend beside them; `beyond` is behind the numbers of the branches."""

NARROW = 210.0
"""Points of axes that are too narrow for a legend beside them."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""One for each of the first classes, so that they differ in shape too."""


def marker(code: int) -> str:
    """The mark of a class; when the colours come again, each with another mark.

    >>> marker(0), marker(8), marker(16)
    ('o', 's', '^')
    """
    return MARKERS[(code + code // len(CLASS_COLOURS)) % len(MARKERS)]


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
    require("matplotlib", "This drawing", ", or use to_svg, which needs nothing")


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


def extent(ax: Any) -> tuple[float, float]:
    """How wide and how high axes are, in points.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> ax = plt.figure(figsize=(4, 2)).add_axes((0, 0, 1, 1))
    >>> extent(ax)
    (288.0, 144.0)
    >>> plt.close(ax.figure)
    """
    box, point = ax.get_window_extent(), ax.figure.dpi / 72
    return float(box.width / point), float(box.height / point)


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

    In narrow axes a few names stand inside, in small letters: beside them, they would take the room of the chart.

    Names are set behind matplotlib's back, which leaves those out that begin with an underscore.
    """
    if not entries:
        return
    from matplotlib.transforms import ScaledTranslation

    wide = extent(ax)[0]
    narrow = wide < NARROW
    where: dict[str, Any] = {"loc": "best" if place in BESIDE else place}
    if len(entries) > MANY or (place in BESIDE and not narrow):
        # In points, because the layout of the figure may make the axes narrower.
        away = ScaledTranslation(BESIDE.get(place, 8.0) / 72, 0.0, ax.figure.dpi_scale_trans)
        where = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "bbox_transform": ax.transAxes + away}
        where["borderaxespad"] = 0.0
    if len(entries) > MOST:
        from matplotlib.patches import Patch

        entries = [*entries[: MOST - 1], (Patch(alpha=0.0), f"… {len(entries) - MOST + 1} more")]
    names = [f"entry {i}" for i in range(len(entries))]
    size, share = ("x-small", 1.0) if narrow else ("small", 0.7 if "bbox_to_anchor" in where else 0.5)
    room = min(180.0, max(60.0, share * wide))
    if narrow:
        where |= {"handlelength": 1.2, "borderpad": 0.3, "labelspacing": 0.3}
    legend = ax.legend([artist for artist, _ in entries], names, fontsize=size, framealpha=0.85, **where)
    for text, (_, name) in zip(legend.get_texts(), entries, strict=True):
        text.set(text=letters.fit(name, room), **letters.style)
    if title:
        legend.set_title(letters.fit(title, room), prop={"size": size, "family": letters.families})
        legend.get_title().set_parse_math(False)


def name_weight(axis: Any, tree: Tree) -> None:
    """Say what an axis of weights counts: rows, unless they weigh differently."""
    from matplotlib.ticker import MaxNLocator

    are_rows = float(tree.weight[0]) == float(tree.count[0])
    axis.set_label_text("rows" if are_rows else "weight of the rows")
    if are_rows:
        axis.set_major_locator(MaxNLocator("auto", integer=True))


def name_axis(axis: Any, text: str, letters: Lettering) -> None:
    """A name below or beside an axis, not much longer than the axis is."""
    wide, high = extent(axis.axes)
    room = wide if axis.axis_name == "x" else high
    axis.set_label_text(letters.fit(text, min(300.0, max(80.0, room))), **letters.style)


def head(ax: Any, text: str, letters: Lettering, size: str = "medium", pad: float | None = None) -> None:
    """A title that begins with the axes and does not go far beyond them."""
    room = min(420.0, max(120.0, 1.2 * extent(ax)[0]))
    ax.set_title(letters.fit(text, room), loc="left", fontsize=size, pad=pad, **letters.style)


def plain_frame(ax: Any) -> None:
    """Only the two lines of the frame that carry numbers."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
