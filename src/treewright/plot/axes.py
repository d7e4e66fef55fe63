"""Helpers for charts on matplotlib axes: new axes, legends, axis labels and titles."""

from typing import Any

from treewright.errors import KindError
from treewright.export.colours import CLASS_COLOURS, DARK, LIGHT, Theme, class_colour, class_pattern, is_dark
from treewright.extras import require
from treewright.language import messages
from treewright.model.tree import Tree
from treewright.plot.fonts import TextStyle

HATCHES = {"plain": "", "upright": "|||", "level": "---", "crossed": "+++"}
"""The patterns of classes as matplotlib hatches."""

MANY_ENTRIES, MAX_ENTRIES = 6, 14
"""A legend with more than MANY_ENTRIES is placed beside the axes; it has at most MAX_ENTRIES."""

BESIDE = {"beside": 8.0, "beyond": 40.0}
"""Points from the axes to a legend beside them; "beyond" leaves space for node numbers."""

NARROW = 210.0
"""Axes narrower than this, in points, have no legend beside them."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""The markers of the first classes, so that they differ in shape too."""


def marker(code: int) -> str:
    """Return the marker of a class; where the colours repeat, the markers differ.

    >>> marker(0), marker(8), marker(16)
    ('o', 's', '^')
    """
    return MARKERS[(code + code // len(CLASS_COLOURS)) % len(MARKERS)]


def open_axes(ax: Any, size: tuple[float, float] = (6.4, 4.4)) -> Any:
    """Return the axes that were passed, or new ones in a figure of this size in inches.

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
        raise KindError(f"ax must be matplotlib axes or None, got {type(ax).__name__}.")
    return ax


def require_matplotlib() -> None:
    """Raise an error that says what to do if matplotlib is not installed."""
    require("matplotlib", "This drawing", ", or use to_svg, which needs nothing")


def theme_of(ax: Any) -> Theme:
    """Return the colours that are legible on the figure's background.

    >>> from types import SimpleNamespace
    >>> night = SimpleNamespace(get_facecolor=lambda: (0, 0, 0, 1))
    >>> theme_of(SimpleNamespace(figure=night)) is DARK
    True
    """
    from matplotlib.colors import to_hex, to_rgba

    colour = to_rgba(ax.figure.get_facecolor())
    return DARK if colour[3] > 0 and is_dark(to_hex(colour)) else LIGHT


def axes_size(ax: Any) -> tuple[float, float]:
    """Return the width and height of axes in points.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> ax = plt.figure(figsize=(4, 2)).add_axes((0, 0, 1, 1))
    >>> axes_size(ax)
    (288.0, 144.0)
    >>> plt.close(ax.figure)
    """
    box, point = ax.get_window_extent(), ax.figure.dpi / 72
    return float(box.width / point), float(box.height / point)


def class_style(code: int, theme: Theme) -> dict[str, Any]:
    """Return the fill settings of a class.

    >>> class_style(9, LIGHT)["hatch"]
    '|||'
    """
    hatch = HATCHES[class_pattern(code)]
    return {"facecolor": class_colour(code), "hatch": hatch, "edgecolor": theme.card, "linewidth": 0.5}


def add_legend(
    ax: Any, entries: list[tuple[Any, str]], title: str = "", place: str = "best", language: str = "en"
) -> None:
    """Add a legend of artists and their names, at a place of matplotlib, or at one of BESIDE.

    In narrow axes a short legend is placed inside in small print: beside them it would take the space of the chart.
    The names are set after the legend is made, because matplotlib leaves out those that begin with an underscore.
    """
    if not entries:
        return
    from matplotlib.transforms import ScaledTranslation

    wide = axes_size(ax)[0]
    narrow = wide < NARROW
    where: dict[str, Any] = {"loc": "best" if place in BESIDE else place}
    if len(entries) > MANY_ENTRIES or (place in BESIDE and not narrow):
        # In points, because the layout of the figure may make the axes narrower.
        away = ScaledTranslation(BESIDE.get(place, 8.0) / 72, 0.0, ax.figure.dpi_scale_trans)
        where = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "bbox_transform": ax.transAxes + away}
        where["borderaxespad"] = 0.0
    if len(entries) > MAX_ENTRIES:
        from matplotlib.patches import Patch

        _ = messages(language)
        more = _("… {n} more", n=len(entries) - MAX_ENTRIES + 1)
        entries = [*entries[: MAX_ENTRIES - 1], (Patch(alpha=0.0), more)]
    artists, full_names = [artist for artist, name in entries], [name for artist, name in entries]
    style = TextStyle([title, "…", *full_names])
    placeholders = [f"entry {i}" for i in range(len(entries))]
    size, part = ("x-small", 1.0) if narrow else ("small", 0.7 if "bbox_to_anchor" in where else 0.5)
    room = min(180.0, max(60.0, part * wide))
    if narrow:
        where |= {"handlelength": 1.2, "borderpad": 0.3, "labelspacing": 0.3}
    legend = ax.legend(artists, placeholders, fontsize=size, framealpha=0.85, **where)
    for text, name in zip(legend.get_texts(), full_names, strict=True):
        text.set(text=style.fit(name, room), **style.settings)
    if title:
        legend.set_title(style.fit(title, room), prop={"size": size, "family": style.families})
        legend.get_title().set_parse_math(False)


def label_weight_axis(axis: Any, tree: Tree, language: str) -> None:
    """Label an axis of weights: as rows if every row has weight 1."""
    from matplotlib.ticker import MaxNLocator

    _ = messages(language)
    are_rows = float(tree.weight[0]) == float(tree.count[0])
    label_axis(axis, _("rows") if are_rows else _("weight of the rows"))
    if are_rows:
        axis.set_major_locator(MaxNLocator("auto", integer=True))


def label_axis(axis: Any, text: str) -> None:
    """Label an axis with a text that is not much longer than the axis."""
    style = TextStyle([text, "…"])
    wide, high = axes_size(axis.axes)
    room = wide if axis.axis_name == "x" else high
    axis.set_label_text(style.fit(text, min(300.0, max(80.0, room))), **style.settings)


def set_title(ax: Any, text: str, size: str = "medium", pad: float | None = None) -> None:
    """Set a left-aligned title that does not extend far beyond the axes."""
    style = TextStyle([text, "…"])
    room = min(420.0, max(120.0, 1.2 * axes_size(ax)[0]))
    ax.set_title(style.fit(text, room), loc="left", fontsize=size, pad=pad, **style.settings)


def hide_spines(ax: Any) -> None:
    """Hide the top and right lines of the frame."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
