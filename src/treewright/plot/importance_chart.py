"""A chart of feature importances: a bar for each column, the largest at the top."""

from typing import Any

import numpy as np

from treewright.errors import ParameterError
from treewright.explain.importance import column_gains
from treewright.export.colours import class_colour
from treewright.export.labels import Labels
from treewright.export.outline import tree_of
from treewright.language import messages
from treewright.model.tree import Tree
from treewright.plot.axes import axes_size, hide_spines, label_axis, open_axes, require_matplotlib, theme_of
from treewright.plot.fonts import TextStyle, drawable_language

LINE_HEIGHT = 12.0
"""Points of a bar below which the names get a smaller font."""


def importances(given: Any, ax: Any = None, *, top: int | None = 20, language: str = "en") -> Any:
    """Draw `feature_importances_`, the largest first.

    The gain of a column on the training rows overestimates columns with many values; scikit-learn's
    `permutation_importance` on other rows does not.

    Parameters
    ----------
    given : estimator or Tree
        A fitted estimator, or a tree.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    top : int, default=20
        How many columns with a gain are shown; the others are one bar. None shows all columns.
    language : {"en", "zh"}, default="en"
        Language of the labels.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> from treewright.model.build import golf_example
    >>> ax = importances(golf_example())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['humidity', 'windy', 'outlook']
    >>> plt.close(ax.figure)
    """
    tree = tree_of(given)
    require_matplotlib()
    _ = messages(drawable_language(language))
    if top is not None and (isinstance(top, bool) or not isinstance(top, int | np.integer) or top < 1):
        raise ParameterError(f"top must be an integer of at least 1, or None for all columns, got {top!r}.")
    gains = column_gains(tree) if isinstance(given, Tree) else np.asarray(given.feature_importances_)
    order = np.argsort(-gains, kind="stable")
    n_used = max(1, int(np.count_nonzero(gains)))
    shown = order if top is None else order[: min(top, n_used)]
    column_names = Labels(tree).names
    names, values = [column_names[i] for i in shown.tolist()], gains[shown].tolist()
    n_others = len(order) - len(shown)
    if n_others:
        names.append(_.plural("{n} other column", "{n} other columns", n_others))
        values.append(float(gains[order[len(shown) :]].sum()))
    ax = open_axes(ax, (6.4, max(1.8, min(40.0, 1.1 + 0.28 * len(names)))))
    style, theme = TextStyle([*names, "…"]), theme_of(ax)
    colours = [class_colour(0)] * len(shown) + [theme.line] * (len(names) - len(shown))
    ax.barh(range(len(names)), values, height=0.7, color=colours)
    width, height = axes_size(ax)
    room = min(190.0, max(60.0, 0.6 * width))
    ax.set_yticks(range(len(names)), [style.fit(name, room) for name in names], **style.settings)
    if height < len(names) * LINE_HEIGHT:
        ax.tick_params("y", labelsize=max(3.0, 0.8 * height / len(names)))
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(0, max([*values, 0.01]) * (1.0 + max(0.12, 40.0 / width)))
    for i, value in enumerate(values):
        ax.text(value, i, f" {value:.3f}", va="center", fontsize="small", color=theme.ink)
    label_axis(ax.xaxis, _("proportion of the total gain"))
    hide_spines(ax)
    return ax
