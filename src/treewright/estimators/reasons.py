"""Reasons: why a node asks what it asks, and why it was pruned or kept.

In: the number of a node. Out: its ledger, the line of the pruning report, the arithmetic written out.
"""

from treewright.estimators.fitted import FittedTree


class Reasons(FittedTree):
    """Questions about the nodes of a tree."""
