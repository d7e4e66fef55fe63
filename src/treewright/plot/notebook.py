"""Notebook: what a notebook shows of a fitted tree.

In: a tree and what its estimator is called. Out: a piece of HTML: a picture of the upper part, and a line of facts.
"""

from html import escape

from treewright.export.labels import compact, counted_leaves
from treewright.model.tree import Tree
from treewright.model.words import printable
from treewright.plot.svg import to_svg

MAX_NODES = 48
"""Nodes of the picture; `to_svg` draws the others."""

MAX_HEIGHT = 640
"""Pixels of the picture before it is scrolled."""


def display(tree: Tree, name: str, pruned: tuple[str, int] | None = None) -> str:
    """The picture of a tree, with the name of what made it and a line of facts.

    pruned  the method that pruned it, and how many leaves there were before; None: it was not pruned

    >>> from treewright.model.build import golf_example
    >>> print(display(golf_example(), "C45Classifier()").splitlines()[-1])
    </div><div style="font-size:90%"><code>C45Classifier()</code><br>fitted on 14 rows</div></div>
    """
    n_rows, weight = int(tree.count[0]), compact(float(tree.weight[0]))
    of_weight = "" if weight == compact(float(n_rows)) else f" of weight {weight}"
    facts = f"fitted on {n_rows:,} {'row' if n_rows == 1 else 'rows'}{of_weight}"
    if pruned is not None and pruned[1] != tree.n_leaves:
        method = printable(pruned[0]).replace("_", " ")
        facts += f"; {method} pruning left {tree.n_leaves:,} of {counted_leaves(pruned[1])}"
    if tree.n_nodes > MAX_NODES:
        facts += "; to_svg() draws more of it"
    picture = to_svg(tree, max_nodes=MAX_NODES)
    scroll = f"max-width:100%;max-height:{MAX_HEIGHT}px;overflow:auto"
    said = f"<code>{escape(printable(name))}</code><br>{escape(facts)}"
    return f'<div><div style="{scroll}">{picture}</div><div style="font-size:90%">{said}</div></div>'
