"""Node chart: how the rows of a node are shared out by its split.

In: a fitted estimator and a node. Out: for a number a histogram by class with the cut, or the target against the
number with the numbers of the branches; for categories a bar each, by branch; for a leaf its classes or its target.
"""

from typing import Any

import numpy as np

from treewright.export.labels import Labels
from treewright.export.source import tree_of
from treewright.model.split import Split, split_of
from treewright.plot.axes import extent, open_axes, require_matplotlib
from treewright.plot.bars import draw_bars
from treewright.plot.lines import N_LINES, branch_lines, category_lines, class_lines
from treewright.plot.numbers import draw_numbers, draw_target
from treewright.plot.rows import NodeRows, rows_at, training_rows

LINE_HEIGHT = 12.0
"""Points that a line of a chart needs for its name."""


def node_distribution(
    given: Any,
    node: int = 0,
    X: object = None,
    y: object = None,
    *,
    sample_weight: object = None,
    ax: Any = None,
    bins: int = 30,
) -> Any:
    """Draw how the training rows of a node are shared out by its split, and return the axes.

    given          a fitted estimator; a Tree alone, which has no rows, shows its branches
    node           the number of the node, as pictures show it
    X, y, sample_weight
                   the training rows again, where the estimator has not kept them
    ax             where to draw; None: a new figure
    bins           about how many bars a histogram has

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> ax = node_distribution(model, 0)
    >>> ax.get_xlabel()
    'x0'
    >>> plt.close(ax.figure)
    """
    tree = tree_of(given)
    number = tree.node(node).id
    require_matplotlib()
    bins = _read_bins(bins)
    most = N_LINES if ax is None else _lines_in(open_axes(ax))
    dataset = training_rows(given, X, y, sample_weight)
    column = int(tree.column[number])
    rows = None if dataset is None else rows_at(tree, dataset, number, column)
    split, labels = split_of(tree, number), Labels(tree)
    if rows is None or not len(rows.weight):
        lines = class_lines(labels, number, most) if split is None else branch_lines(labels, number, most)
        return draw_bars(_open(ax, len(lines)), labels, number, lines)
    if split is None:
        if labels.is_number:
            return draw_target(open_axes(ax), labels, number, rows, bins)
        return draw_bars(_open(ax, len(labels.classes)), labels, number, class_lines(labels, number, most))
    if _is_number(split, rows):
        return draw_numbers(open_axes(ax), labels, number, rows, bins)
    lines = category_lines(labels, number, split, rows, most)
    return draw_bars(_open(ax, len(lines)), labels, number, lines)


def _is_number(split: Split, rows: NodeRows) -> bool:
    """Whether there are numbers to draw, and not only missing cells."""
    return not split.column.categories and not np.isnan(rows.values).all()


def _lines_in(ax: Any) -> int:
    """How many lines can be read on axes that were given."""
    return min(N_LINES, max(4, int(extent(ax)[1] / LINE_HEIGHT)))


def _open(ax: Any, n_lines: int) -> Any:
    """Axes as tall as so many bars need."""
    return open_axes(ax, (6.4, max(2.2, min(40.0, 1.4 + 0.28 * n_lines))))


def _read_bins(bins: object) -> int:
    from treewright.errors import ParameterError

    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or not 1 <= bins <= 1000:
        raise ParameterError(f"bins={bins!r} cannot be used; give a whole number from 1 to 1000.")
    return int(bins)
