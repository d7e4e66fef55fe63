"""Paging: a fitted tree as a page.

In: a path, and rows to be counted. Out: one HTML file.
"""

from treewright.estimators.fitted import FittedTree


class Paging(FittedTree):
    """The tree as a page."""
