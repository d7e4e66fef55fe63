"""A grown draft -> the columns of a finished tree; subtrees grown apart.

    order    a grown draft -> the order of its nodes in the finished tree; midpoints of cuts
    freeze   a grown draft -> the columns of a finished tree; thresholds that are values of the table
    subtree  a subtree grown apart: its rows moved there, its nodes moved back
"""

try:
    from treewright._core._grow import *
except ModuleNotFoundError:  # not compiled
    from treewright._core.tree.order import *
    from treewright._core.tree.freeze import *
    from treewright._core.tree.subtree import *
