"""Ruling: a fitted tree as rules.

In: which rules are wanted. Out: a `RuleSet`.
"""

from treewright.estimators.fitted import FittedTree


class Ruling(FittedTree):
    """The tree as rules."""
