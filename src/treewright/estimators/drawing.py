"""Drawing: a fitted tree as a picture.

In: what to draw and how large. Out: SVG, DOT, a matplotlib picture, the display of a notebook.
"""

from treewright.estimators.fitted import FittedTree


class Drawing(FittedTree):
    """The tree as a picture."""
