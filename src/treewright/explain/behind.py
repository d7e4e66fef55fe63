"""Behind: the training rows behind a few nodes of a tree.

In: a tree, the rows it was grown on, and some of its nodes. Out: for each of these nodes the rows that came to it, with
all of their weight or a share of it. Only the part of the tree that leads there is walked.
"""

from collections.abc import Sequence

import numpy as np

from treewright.data.dataset import Dataset
from treewright.model.cut import cut
from treewright.model.tree import Tree
from treewright.predict.ends import ends, parts, readable
from treewright.predict.rule import Rule

AS_GROWN = Rule()


def rows_behind(tree: Tree, rows: Dataset, nodes: Sequence[int], n: int) -> list[tuple[int, ...]]:
    """The first n rows behind each of these nodes, of which none is above another, in the order of the table.

    Rows of weight 0 are behind none.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> table = np.array([[0, 70.0, 0], [1, 80.0, 0], [0, 90.0, 0], [0, 65.0, 1]])
    >>> rows_behind(tree, Dataset(tree.schema, table, np.zeros(4, np.int32)), [4, 2], 20)
    [(0, 3), (1,)]
    """
    on_the_way = np.zeros(tree.n_nodes, bool)
    for node in nodes:
        above = int(tree.parent[node])
        while above >= 0 and not on_the_way[above]:
            on_the_way[above] = True
            above = int(tree.parent[above])
    part = cut(tree, ~on_the_way)
    place = {origin: i for i, origin in enumerate(part.origin.tolist())}
    here = [place[node] for node in nodes]
    values = readable(part.tree, rows.values)
    end, several = ends(part.tree, values, AS_GROWN)
    starts = end[several]
    end[several] = -1
    came = [end == i for i in here]
    for some in parts(part.tree, values, AS_GROWN.unseen, several, starts):
        which = np.repeat(some.rows, some.counts)
        for i, reached in zip(here, came, strict=True):
            reached[which[some.nodes == i]] = True
    if rows.weight is not None:
        came = [reached & (rows.weight > 0) for reached in came]
    return [tuple(np.flatnonzero(reached)[:n].tolist()) for reached in came]
