"""Notebook: what a notebook shows of a fitted tree.

In: a tree and what its estimator is called. Out: a piece of HTML: a picture of the upper part, and a line of facts.
"""

from html import escape
from itertools import product

from treewright.export.labels import compact, counted_leaves
from treewright.model.tree import Tree
from treewright.model.words import printable
from treewright.plot.shapes import Sketch
from treewright.plot.sketch import sketch
from treewright.plot.svg import paint

NODES, MAX_DEPTH = (48, 24, 12), 8
"""How much of the tree the picture shows at most; `to_svg` draws the rest."""

MAX_WIDTH, MAX_HEIGHT = 1000, 900
"""Pixels that a notebook shows at once; what is larger in spite of all is scrolled."""


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
        method = printable(pruned[0]).replace("_", " ").replace("+", " and ")
        facts += f"; {method} pruning left {tree.n_leaves:,} of {counted_leaves(pruned[1])}"
    picture = _picture(tree)
    if picture.n_nodes < tree.n_nodes:
        facts += "; to_svg() draws more of it"
    scroll = f"max-width:100%;max-height:{MAX_HEIGHT}px;overflow:auto"
    said = f"<code>{escape(printable(name))}</code><br>{escape(facts)}"
    return f'<div><div style="{scroll}">{paint(picture)}</div><div style="font-size:90%">{said}</div></div>'


def _picture(tree: Tree) -> Sketch:
    """As much of the tree as can be seen at once: of a wide picture one would see a corner, without the root."""
    best = sketch(tree, max_depth=1, max_nodes=NODES[0])
    for depth, n in product(range(min(MAX_DEPTH, tree.depth), 1, -1), NODES):
        picture = sketch(tree, max_depth=depth, max_nodes=n)
        fits = picture.width <= MAX_WIDTH and picture.height <= MAX_HEIGHT
        if fits and picture.n_nodes == tree.n_nodes:
            return picture
        if fits and picture.n_nodes > best.n_nodes:
            best = picture
    return best
