"""Importance chart: what each column did for the tree.

In: a fitted estimator or a tree. Out: a bar for each column, the largest above.
"""

from typing import Any

import numpy as np

from treewright.errors import ParameterError
from treewright.explain.importance import column_gains
from treewright.export.colours import class_colour
from treewright.export.labels import Labels
from treewright.export.source import tree_of
from treewright.model.tree import Tree
from treewright.plot.axes import extent, open_axes, plain_frame, require_matplotlib, theme_of
from treewright.plot.lettering import Lettering


def importances(given: Any, ax: Any = None, *, top: int | None = 20) -> Any:
    """Draw `feature_importances_`, the columns that gained most first, and return the axes.

    given  a fitted estimator, or a Tree
    ax     where to draw; None: a new figure
    top    how many columns are shown, of those that gained anything; the others are one bar; None: all columns

    What a column gained on the rows it was chosen by flatters columns of many values; scikit-learn's
    `permutation_importance` on other rows does not.

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
    if top is not None and (isinstance(top, bool) or not isinstance(top, int | np.integer) or top < 1):
        raise ParameterError(f"top={top!r} cannot be used; give a whole number from 1 on, or None for all columns.")
    gained = column_gains(tree) if isinstance(given, Tree) else np.asarray(given.feature_importances_)
    order = np.argsort(-gained, kind="stable")
    used = max(1, int(np.count_nonzero(gained)))
    shown = order if top is None else order[: min(top, used)]
    labels = Labels(tree)
    names, values = [labels.names[i] for i in shown.tolist()], gained[shown].tolist()
    if len(shown) < len(order):
        n_others = len(order) - len(shown)
        names.append(f"{n_others} other column" + "s" * (n_others > 1))
        values.append(float(gained[order[len(shown) :]].sum()))
    ax = open_axes(ax, (6.4, max(1.8, min(40.0, 1.1 + 0.28 * len(names)))))
    letters, theme = Lettering([*names, labels.target, "…"]), theme_of(ax)
    colours = [class_colour(0)] * len(shown) + [theme.line] * (len(names) - len(shown))
    ax.barh(range(len(names)), values, height=0.7, color=colours)
    wide, high = extent(ax)
    room = min(190.0, max(60.0, 0.6 * wide))
    ax.set_yticks(range(len(names)), [letters.fit(name, room) for name in names], **letters.style)
    if high < len(names) * 12.0:  # on small axes smaller letters, so that no name covers the next
        ax.tick_params("y", labelsize=max(3.0, 0.8 * high / len(names)))
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(0, max([*values, 0.01]) * (1.0 + max(0.12, 40.0 / wide)))
    for i, value in enumerate(values):
        ax.text(value, i, f" {value:.3f}", va="center", fontsize="small", color=theme.ink)
    ax.set_xlabel("share of all that was gained")
    plain_frame(ax)
    return ax
