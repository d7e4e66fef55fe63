"""Passes over a finished tree that decide what is pruned.

    bottom_up        passes over the nodes: children to parents, parents to children
    cost_complexity  risks of nodes -> the alpha at which each becomes a leaf
    error_limits     errors of a leaf -> an upper confidence limit
    raising_state    a tree while branches are raised, and the rows at each of its nodes
    raising          error-based pruning where every row takes one path: leaf, largest branch or subtree
    raising_shared   the same where rows with missing values go down every branch
"""

try:
    from treewright._core._prune import *
except ModuleNotFoundError:  # not compiled
    from treewright._core.prune.bottom_up import *
    from treewright._core.prune.cost_complexity import *
    from treewright._core.prune.error_limits import *
    from treewright._core.prune.raising_state import *
    from treewright._core.prune.raising import *
    from treewright._core.prune.raising_shared import *
