"""Explaining: why a row gets its answer, and how sure the tree itself is.

In: a row, or the training rows. Out: an explanation of one answer; how often each split returns.
"""

from treewright.estimators.fitted import FittedTree


class Explaining(FittedTree):
    """Questions about answers."""
