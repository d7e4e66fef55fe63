"""Rows of values -> the nodes of a tree where they end.

    rows            columns of a table -> a block of rows to be routed
    routing         rows -> the nodes where they end, one row at a time
    routing_batch   the same for many ordinary rows, side by side
    routing_shared  rows with missing values -> all branches they go down, and where they end
    shrinkage       pairs of a node and a class -> probabilities drawn towards the nodes above
"""

try:
    from treewright._core._predict import *
except ModuleNotFoundError:  # not compiled
    from treewright._core.predict.rows import *
    from treewright._core.predict.routing import *
    from treewright._core.predict.routing_batch import *
    from treewright._core.predict.routing_shared import *
    from treewright._core.predict.shrinkage import *
