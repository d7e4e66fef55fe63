"""Outline: which nodes of a tree are shown.

In: a tree and how much of it. Out: the nodes that are drawn, level by level with siblings side by side, and for each
how many leaves below it are not. Where the tree is larger than the picture the nodes of most weight are shown.
"""

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from treewright.model.limit import read_limit
from treewright.model.tree import Tree

MAX_BRANCHES = 60
"""Branches of one node that are shown, where the tree is limited at all: those of most weight."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """What is shown of a tree; one entry per place, parents first, siblings side by side.

    tree      the tree
    node      the node of the tree; -1 for the rest of a node's branches, which are shown as one
    parent    the place of the parent, -1 at the root
    first     the place of the first child, -1 where none is shown
    n_shown   how many places are below it, the rest of the branches included
    n_hidden  how many leaves below it are not shown; at a rest, how many leaves it stands for
    n_rest    at a rest, how many branches it stands for; otherwise 0
    """

    tree: Tree
    node: list[int]
    parent: list[int]
    first: list[int]
    n_shown: list[int]
    n_hidden: list[int]
    n_rest: list[int]

    def __len__(self) -> int:
        return len(self.node)

    @property
    def n_nodes(self) -> int:
        """How many nodes of the tree are shown."""
        return len(self.nodes())

    def nodes(self) -> list[int]:
        """The nodes of the tree that are shown."""
        return [node for node in self.node if node >= 0]

    def depths(self) -> list[int]:
        """How many steps each place is from the root."""
        found = [0] * len(self.node)
        for i in range(1, len(found)):
            found[i] = found[self.parent[i]] + 1
        return found


def outline(tree: Tree, max_depth: int | None = None, max_nodes: int | None = None) -> Outline:
    """The part of the tree that is shown.

    max_depth  nodes deeper than this are not shown; None: no limit
    max_nodes  about how many nodes are shown at most, those of most weight; None: no limit

    >>> from treewright.model.build import golf_example
    >>> shown = outline(golf_example(), max_depth=1)
    >>> shown.node, shown.n_hidden
    ([0, 1, 2, 3], [0, 2, 0, 2])
    """
    depth_limit = read_limit("max_depth", max_depth)
    node_limit = read_limit("max_nodes", max_nodes, low=1)
    limited = depth_limit is not None or node_limit is not None
    opened = _opened(tree, depth_limit, node_limit) if limited else tree.n_children > 0
    leaves = _leaves_below(tree) if limited else None
    node, parent, first, n_shown, n_hidden, n_rest = [0], [-1], [-1], [0], [0], [0]

    def add(i: int, above: int, hidden: int, rest: int) -> None:
        node.append(i)
        parent.append(above)
        first.append(-1)
        n_shown.append(0)
        n_hidden.append(hidden)
        n_rest.append(rest)

    is_open, first_child, n_children = opened.tolist(), tree.first_child.tolist(), tree.n_children.tolist()
    place = 0
    while place < len(node):
        i = node[place]
        if i >= 0 and is_open[i]:
            start, many = first_child[i], n_children[i]
            shown = _heaviest(tree, start, many) if node_limit is not None else range(start, start + many)
            first[place] = len(node)
            for child in shown:
                add(child, place, 0, 0)
            if leaves is not None and len(shown) < many:
                left_out = leaves[start : start + many].sum() - sum(leaves[child] for child in shown)
                add(-1, place, int(left_out), many - len(shown))
            n_shown[place] = len(node) - first[place]
        elif i >= 0 and n_children[i] and leaves is not None:
            n_hidden[place] = int(leaves[i])
        place += 1
    return Outline(tree, node, parent, first, n_shown, n_hidden, n_rest)


def _opened(tree: Tree, max_depth: int | None, max_nodes: int | None) -> NDArray[np.bool_]:
    """Which nodes are shown with their branches: the heaviest first, until there are too many."""
    inner = tree.n_children > 0
    if max_depth is not None:
        inner &= tree.depths < max_depth
    if max_nodes is None or tree.n_nodes <= max_nodes:
        return inner
    opened = np.zeros(tree.n_nodes, bool)
    if not inner[0]:
        return opened
    waiting, n_left = [(-float(tree.weight[0]), 0)], max_nodes - 1
    while waiting and n_left > 0:
        _, i = heappop(waiting)
        first, many = int(tree.first_child[i]), int(tree.n_children[i])
        cost = min(many, MAX_BRANCHES)
        if cost > n_left and i:  # a root without its branches would be no tree
            continue
        opened[i] = True
        n_left -= cost
        for child in _heaviest(tree, first, many):
            if inner[child]:
                heappush(waiting, (-float(tree.weight[child]), child))
    return opened


def _heaviest(tree: Tree, first: int, many: int) -> list[int]:
    """The children that are shown, in their order; one short of the limit, to leave a place for the rest."""
    if many <= MAX_BRANCHES:
        return list(range(first, first + many))
    order = np.argsort(-tree.weight[first : first + many], kind="stable")[: MAX_BRANCHES - 1]
    return (first + np.sort(order)).tolist()


def _leaves_below(tree: Tree) -> NDArray[np.int64]:
    """How many leaves each node stands above; a leaf counts itself."""
    leaves, parent = tree.is_leaf.astype(np.int64).tolist(), tree.parent.tolist()
    for i in range(tree.n_nodes - 1, 0, -1):
        leaves[parent[i]] += leaves[i]
    return np.array(leaves)
