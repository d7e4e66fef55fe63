"""Outline: the nodes of a tree that are drawn: all of them, or the heaviest within a depth or a number of nodes."""

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import KindError
from treewright.model.formatting import read_limit
from treewright.model.tree import Tree
from treewright.model.tree_text import leaves_below


def tree_of(given: Any) -> Tree:
    """The tree of a fitted estimator, or the tree itself.

    >>> from treewright.model.build import golf_example
    >>> tree_of(golf_example())
    <Tree: 8 nodes, 5 leaves, depth 2>
    """
    if isinstance(given, Tree):
        return given
    if isinstance(given, type) or not hasattr(given, "fit"):
        shown = f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
        raise KindError(f"Expected a fitted Treewright estimator or a Tree, got {shown}.")
    tree = getattr(given, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    if tree is None and hasattr(given, "_tree"):
        found = given._tree()  # scikit-learn's NotFittedError
        if isinstance(found, Tree):
            return found
    raise KindError(f"Expected a fitted Treewright estimator or a Tree, got {type(given).__name__}.")


MAX_BRANCHES = 60
"""Branches of one node that are shown if the number of nodes is limited, the heaviest ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The shown part of a tree: one entry for each box, parents before children, siblings adjacent.

    Branches of a node that are not shown one by one share one box, the rest.

    tree      the tree
    node      the node of the tree; -1 for a rest
    parent    the index of the parent, -1 at the root
    first     the index of the first child, -1 if none is shown
    n_shown   number of children that are shown, a rest included
    n_hidden  number of leaves below it that are not shown; of a rest, its number of leaves
    n_rest    number of branches of a rest; otherwise 0
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
        """Number of nodes that are shown."""
        return len(self.nodes())

    def nodes(self) -> list[int]:
        """The nodes of the tree that are shown."""
        return [node for node in self.node if node >= 0]

    def depths(self) -> list[int]:
        """The depth of each entry."""
        found = [0] * len(self.node)
        for i in range(1, len(found)):
            found[i] = found[self.parent[i]] + 1
        return found


def outline(tree: Tree, max_depth: int | None = None, max_nodes: int | None = None) -> Outline:
    """Choose the nodes that are shown.

    max_depth  nodes deeper than this are not shown; None: no limit
    max_nodes  about how many nodes are shown, the heaviest ones; None: no limit

    >>> from treewright.model.build import golf_example
    >>> shown = outline(golf_example(), max_depth=1)
    >>> shown.node, shown.n_hidden
    ([0, 1, 2, 3], [0, 2, 0, 2])
    """
    depth_limit = read_limit("max_depth", max_depth)
    node_limit = read_limit("max_nodes", max_nodes, low=1)
    limited = depth_limit is not None or node_limit is not None
    opened = _opened(tree, depth_limit, node_limit) if limited else tree.n_children > 0
    leaves = leaves_below(tree) if limited else None
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
    """The nodes whose branches are shown: the heaviest first, up to the limit."""
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
        if cost > n_left and i:  # the branches of the root are always shown
            continue
        opened[i] = True
        n_left -= cost
        for child in _heaviest(tree, first, many):
            if inner[child]:
                heappush(waiting, (-float(tree.weight[child]), child))
    return opened


def _heaviest(tree: Tree, first: int, many: int) -> list[int]:
    """The children that are shown, in order; one fewer than the limit if the others need a box."""
    if many <= MAX_BRANCHES:
        return list(range(first, first + many))
    order = np.argsort(-tree.weight[first : first + many], kind="stable")[: MAX_BRANCHES - 1]
    return (first + np.sort(order)).tolist()
