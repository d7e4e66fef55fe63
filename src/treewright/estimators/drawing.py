"""Drawing: a fitted tree as a picture.

In: what to draw and how large. Out: SVG, DOT, a matplotlib picture, the display of a notebook.
"""

import os
from typing import Any

from treewright.estimators.fitted import FittedTree

MAX_NODES_SVG, MAX_NODES_AXES = 500, 120
"""Nodes of a picture, unless another number is asked for: matplotlib takes some milliseconds for each."""


class Drawing(FittedTree):
    """The tree as a picture."""

    def to_svg(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        max_depth: int | None = None,
        max_nodes: int | None = MAX_NODES_SVG,
        direction: str = "auto",
        theme: str = "auto",
        title: str | None = None,
    ) -> str:
        """The tree as an SVG picture, which any browser shows; written to `path` too, where one is given.

        max_depth  nodes deeper than this are not drawn; a line in the box above says how many leaves are below it
        max_nodes  about how many nodes are drawn at most, those of most weight; None: all
        direction  "down": the root above; "across": the root at the side, for many branches; "auto": down, unless that
                   is very wide
        theme      "light", "dark", or "auto": as the reader's screen is set
        title      a line above the picture

        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.to_svg().count("<path")
        2
        """
        from treewright.plot.svg import to_svg

        return to_svg(
            self._tree(),
            path,
            max_depth=max_depth,
            max_nodes=max_nodes,
            direction=direction,
            theme=theme,
            title=title,
        )

    def plot_tree(
        self,
        ax: Any = None,
        *,
        max_depth: int | None = None,
        max_nodes: int | None = MAX_NODES_AXES,
        direction: str = "auto",
        title: str | None = None,
    ) -> Any:
        """Draw the tree with matplotlib, and return the axes.

        ax         where to draw; None: a new figure, as large as the tree needs to be read
        max_depth, max_nodes, direction, title
                   as in `to_svg`

        >>> import matplotlib
        >>> matplotlib.use("agg")
        >>> import matplotlib.pyplot as plt
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> ax = model.plot_tree()
        >>> plt.close(ax.figure)
        """
        from treewright.plot.canvas import plot_tree

        tree = self._tree()
        return plot_tree(tree, ax, max_depth=max_depth, max_nodes=max_nodes, direction=direction, title=title)

    def to_dot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        max_depth: int | None = None,
        max_nodes: int | None = None,
    ) -> str:
        """The tree in the DOT language of Graphviz; written to `path` too, where one is given.

        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.to_dot().startswith("digraph")
        True
        """
        from treewright.export.dot import to_dot

        return to_dot(self._tree(), path, max_depth=max_depth, max_nodes=max_nodes)

    def _display(self) -> str:
        """What a notebook shows of a fitted tree."""
        from treewright.plot.notebook import display

        report = self.pruning_report_
        pruned = None if report is None else (report.method, self.grown_tree_.n_leaves)
        return display(self.tree_, repr(self), pruned)
