"""Working: the arithmetic of a node, written out as a textbook does.

In: the number of a node. Out: a `WorkedSolution`.
"""

from treewright.estimators.fitted import FittedTree


class Working(FittedTree):
    """The arithmetic behind a tree."""
