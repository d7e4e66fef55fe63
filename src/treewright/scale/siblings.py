"""Which nodes of a level are counted: what its siblings leave of a parent's counts is the largest child's.

In: the counts of the nodes that were split, and their children that may be split further. Out: the nodes of the next
level in the order of their slots, of which about half the rows need to be counted.

Counts are integers that add up, so the difference is exact. It is the child's if each row of the parent is in one child
with its whole weight: rows with missing values may join a branch, but not be divided or end at the parent.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.scale.levels import NONE, SplitNode

Longs = NDArray[np.int64]


class OpenNode(NamedTuple):
    """A node of the draft that has no split yet.

    rows     that it has at most; 0 if it is a leaf that had to be measured, or that is counted for a sibling
    is_leaf  whether it is a leaf, whose counts or rows are to be kept
    """

    node: int
    rows: int
    is_leaf: bool = False


class Frontier(NamedTuple):
    """The nodes of a level; their slots are the positions in the list.

    nodes    first those that get what their siblings leave, then the counted ones, then the fetched ones
    first    the first that is counted
    fetched  the first that is fetched
    end      behind the last that is counted: some fetched ones are counted, too, for the sake of a sibling
    n_added  leaves that are counted only for the sake of a sibling
    """

    nodes: list[OpenNode]
    first: int
    fetched: int
    end: int
    n_added: int = 0


class Rest:
    """What is left of a parent's counts while they are taken off.

    node       the child that gets the rest
    counts     of the parent at first
    n_waiting  the other children that are not counted yet
    """

    def __init__(self, node: int, counts: Longs, n_waiting: int) -> None:
        self.node, self.counts, self.n_waiting = node, counts, n_waiting


class SiblingCounts:
    """The counts of nodes that were split.

    most  how many of them are kept
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: dict[int, Longs] = {}
        self._rest_of: dict[int, Rest] = {}

    def keep(self, node: int, split: SplitNode, counts: Longs) -> None:
        """Keep the counts of a node if those of a child can be found from them."""
        is_whole = split.parts is None and (not split.n_missing or split.missing_branch != NONE)
        if is_whole and len(self._kept) < self.most:
            self._kept[node] = counts.copy()

    def arrange(
        self, splits: dict[int, SplitNode], counted: list[OpenNode], fetched: list[OpenNode], rows: Longs
    ) -> Frontier:
        """The next level; `rows` are those of each node of the draft."""
        is_open, is_fetched = {one.node for one in counted}, {one.node for one in fetched}
        left, added, first_fetched = set[int](), list[int](), set[int]()
        self._rest_of = {}
        for parent, counts in self._kept.items():
            children = [child for child in splits[parent].children if rows[child]]
            largest = max((child for child in children if child in is_open), key=lambda one: int(rows[one]), default=-1)
            others = [child for child in children if child != largest]
            more = [child for child in others if child not in is_open]  # they would not be counted otherwise
            if largest < 0 or not others or sum(int(rows[child]) for child in more) >= rows[largest]:
                continue
            self._rest_of |= dict.fromkeys(others, Rest(largest, counts, len(others)))
            left.add(largest)
            first_fetched |= is_fetched.intersection(more)
            added += [child for child in more if child not in is_fetched]
        self._kept = {}
        nodes = [one for one in counted if one.node in left]
        nodes += [one for one in counted if one.node not in left] + [OpenNode(one, 0) for one in added]
        first, behind = len(left), len(nodes)
        nodes += sorted(fetched, key=lambda one: one.node not in first_fetched)
        return Frontier(nodes, first, behind, behind + len(first_fetched), len(added))

    def sibling_of(self, node: int) -> int:
        """The node that gets what this one and its siblings leave; NONE if there is none."""
        rest = self._rest_of.get(node)
        return NONE if rest is None else rest.node

    def subtract(self, node: int, counts: Longs) -> tuple[int, Longs] | None:
        """Take the counts of a node off its parent's; the sibling that gets the rest, and this, if nothing else is to
        be taken off.
        """
        rest = self._rest_of.pop(node, None)
        if rest is None:
            return None
        rest.counts -= counts
        rest.n_waiting -= 1
        return None if rest.n_waiting else (rest.node, rest.counts)


def whole(nodes: Iterable[OpenNode], n_counted: int) -> Frontier:
    """A level of which nothing is known from the one before."""
    listed = list(nodes)
    return Frontier(listed, 0, n_counted, n_counted)
