"""Region marks: what is drawn over the regions of a plane: patterns of classes, and rows as dots.

In: the class of each region, or rows. Out: marks on the axes, by which classes differ whose colours are the same.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.export.colours import class_colour, number_colour
from treewright.export.labels import Labels
from treewright.plot.axes import class_style, marker, theme_of

MOST_DOTS = 3000
"""Rows that are drawn; of more, every so many-th."""


def draw_patterns(ax: Any, codes: NDArray[np.intp], edges: list[NDArray[np.float64]]) -> None:
    """The patterns of the ninth class and of those behind it, over their regions."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    theme = theme_of(ax)
    # Neighbours of a line that are of one class are one rectangle.
    begins = np.ones(codes.shape, bool)
    begins[:, 1:] = codes[:, 1:] != codes[:, :-1]
    ends = np.ones(codes.shape, bool)
    ends[:, :-1] = begins[:, 1:]
    (line, first), last = np.nonzero(begins), np.nonzero(ends)[1]
    of = codes[line, first]
    for code in np.unique(of).tolist():
        style = class_style(code, theme)
        if not style["hatch"]:
            continue
        at = of == code
        x0, x1, y0, y1 = edges[0][first[at]], edges[0][last[at] + 1], edges[1][line[at]], edges[1][line[at] + 1]
        corners = np.stack([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]).transpose(2, 0, 1).reshape(-1, 2)
        steps = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], np.count_nonzero(at))
        look = {"facecolor": "none", "edgecolor": theme.card, "linewidth": 0.0, "hatch": style["hatch"]}
        ax.add_patch(PathPatch(Path(corners, steps), zorder=2, **look))


def draw_dots(ax: Any, labels: Labels, places: NDArray[np.float64], target: NDArray[Any]) -> dict[Any, Any]:
    """The rows, each class with a mark of its own; the marks by class code, for the legend."""
    theme = theme_of(ax)
    step = -(-len(places) // MOST_DOTS)
    known = ~np.isnan(places).any(axis=1)
    places, target = places[known][::step], target[known][::step]
    size = 26 if len(places) < 400 else 12
    look = {"s": size, "edgecolors": theme.card, "linewidths": 0.5, "zorder": 3}
    if labels.is_number:
        wide = labels.most - labels.least
        share = np.clip((target - labels.least) / wide, 0, 1) if wide > 0 else np.full(len(target), 0.5)
        ax.scatter(places[:, 0], places[:, 1], c=[number_colour(at) for at in share.tolist()], **look)
        return {}
    drawn = {}
    for code in np.unique(target).tolist():
        at = target == code
        style = {"color": class_colour(code), "marker": marker(code)}
        drawn[code] = ax.scatter(places[at, 0], places[at, 1], **style, **look)
    return drawn
