"""max_leaf_nodes on a source: best-first growth, found out from a tree that grows level by level.

Growth in memory always splits the open node whose split improves the tree most, until there are enough leaves. What a
split improves does not depend on when it is made, so the same splits are found afterwards: by going through the splits
of a draft in that order. After each level `within_reach` says which open nodes can still be among them.
"""

from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import Work

Longs = NDArray[np.int64]


def improvements(work: Work) -> NDArray[np.float64]:
    """What the split of each node improves, rounded as growth in memory rounds it; NaN for a leaf."""
    draft = work.draft
    n = draft.n_nodes
    part = np.asarray(draft.weight)[:n].astype(np.float64) / draft.root_weight
    improved = np.floor(part * np.asarray(draft.gain)[:n] / draft.root_impurity * codes.GAIN_STEPS + 0.5)
    return np.where(np.asarray(draft.first_child)[:n] < 0, np.nan, improved)


def keep_best_leaves(work: Work, max_leaves: int) -> None:
    """Make leaves of the nodes of a draft that best-first growth does not split."""
    first, n_children = (np.asarray(getattr(work.draft, name)) for name in ("first_child", "n_children"))
    improved, n_leaves, n_made = improvements(work), 1, 1
    heap: list[tuple[float, int, int]] = []  # on a tie the node that was made first
    kept = np.zeros(work.draft.n_nodes, bool)
    if first[0] >= 0:
        heap.append((-improved[0], 0, 0))
    while heap:
        node = heappop(heap)[2]
        if n_leaves + n_children[node] - 1 > max_leaves:
            continue
        kept[node] = True
        n_leaves += int(n_children[node]) - 1
        for child in range(first[node], first[node] + n_children[node]):
            if first[child] >= 0:
                heappush(heap, (-improved[child], n_made + child - int(first[node]), child))
        n_made += int(n_children[node])
    first[: work.draft.n_nodes][~kept] = -1


def within_reach(work: Work, nodes: list[int], max_leaves: int) -> set[int]:
    """Those of the open nodes that best-first growth may split.

    A split is made after all those that improve more, on its path as well as itself. Each of them that divides a node
    in two, below such nodes alone, takes one of the leaves; if these use up all leaves, it is not made.
    """
    draft = work.draft
    improved = improvements(work)
    first, n_children = np.asarray(draft.first_child), np.asarray(draft.n_children)
    least, is_sure = np.full(draft.n_nodes, np.inf), np.zeros(draft.n_nodes, bool)  # on the path to a node
    is_sure[0] = True
    certain, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if first[node] < 0:
            continue
        in_two = bool(is_sure[node] and n_children[node] == 2)
        lowest = min(least[node], improved[node])
        if in_two:
            certain.append(lowest)
        children = range(first[node], first[node] + n_children[node])
        least[children.start : children.stop], is_sure[children.start : children.stop] = lowest, in_two
        waiting += children
    n_splits = max_leaves - 1
    if len(certain) < n_splits:
        return set(nodes)
    bound = -np.partition(-np.array(certain), n_splits - 1)[n_splits - 1]
    return {node for node in nodes if least[node] >= bound}
