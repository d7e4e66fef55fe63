"""The state of a tree whose branches are raised on a source: what the kernels of raising have, without the rows.

A place is a node of the tree that is pruned. When a branch is raised, its split moves to the place of its parent, and
so do its branches. In: the class weights of places, as they were counted. Out: estimates, verdicts, the smaller tree.
"""

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.model.strategies import STAYS
from treewright.model.tree import Tree
from treewright.prune.limits import Limit
from treewright.prune.raising import RaisingResult, update_row_columns
from treewright.prune.raising_rows import costs_of_errors, least_costs

Longs = NDArray[np.int64]


class Places:
    """A tree and the class weights of its places.

    split_of  the node whose split a place has; -1 at a leaf
    parent    the place above
    stats     class weights, in units; `count` rows
    staying   the weight of the rows that stop at an inner place
    as_leaf   the estimated errors of a place as a leaf; `now` those of its subtree
    changed   whether other rows came to a place than in growth
    recorded  the estimates at the last visit of each node, and its `verdict`
    size      about how many rows a place has, also before they are counted
    """

    def __init__(self, tree: Tree, limit: Limit, allowance: float, unit: float) -> None:
        n = tree.n_nodes
        self.tree, self.limit, self.allowance, self.unit = tree, limit, allowance, unit
        self.costs, self.stops = costs_of_errors(tree), tree.strategy.goes == STAYS
        self.split_of = np.where(tree.is_leaf, -1, np.arange(n))
        self.parent = tree.parent.astype(np.int64)
        self.stats, self.count = np.zeros((n, tree.schema.target.n_classes), np.int64), np.zeros(n, np.int64)
        self.size = tree.count.astype(np.int64)
        self.staying = np.zeros(n, np.int64)
        self.as_leaf, self.now = np.zeros(n), np.zeros(n)
        self.changed, self.recorded, self.verdict = np.zeros(n, np.uint8), np.zeros((n, 3)), np.zeros(n, np.int8)
        self._first, self._n_children = tree.first_child.tolist(), tree.n_children.tolist()

    def is_leaf(self, place: int) -> bool:
        """Whether a place has no split."""
        return bool(self.split_of[place] < 0)

    def children(self, place: int) -> list[int]:
        """The places of the branches of a place."""
        node = int(self.split_of[place])
        return [] if node < 0 else list(range(self._first[node], self._first[node] + self._n_children[node]))

    def below(self, place: int) -> list[int]:
        """A place and all places below it, each after the one above it."""
        found = [place]
        for one in found:
            found += self.children(one)
        return found

    # --- estimates, as the kernels compute them ---

    def estimates(self, stats: Longs) -> NDArray[np.float64]:
        """The estimated errors of leaves with these class weights."""
        weight = stats.sum(axis=1)
        wrong = weight - stats.max(axis=1) if self.costs is None else least_costs(stats, self.costs)
        return self.limit.estimates(weight * self.unit, wrong * self.unit)

    def set_rows(self, places: list[int], stats: Longs, count: Longs) -> None:
        """Set the rows of some places."""
        if not places:
            return
        self.stats[places], self.count[places] = stats, count
        self.as_leaf[places] = self.estimates(stats)
        leaves = [place for place in places if self.split_of[place] < 0]
        self.now[leaves] = self.as_leaf[leaves]
        for place in places if self.stops else ():
            self.staying[place] = self.staying_of(place, self.stats)

    def staying_of(self, place: int, stats: Longs) -> int:
        """The weight of the rows that stop at an inner place, if all places have these class weights."""
        children = self.children(place)
        return int(stats[place].sum() - stats[children].sum()) if children else 0

    @staticmethod
    def part_that_stays(estimate: float, staying: int, weight: int) -> float:
        """The estimated errors of the rows that stop at a place: their part of those of all its rows."""
        return estimate * (float(staying) / float(weight)) if staying else 0.0

    def sum_of_branches(self, place: int) -> float:
        """The estimated errors of the subtree of a place, whose branches are decided."""
        total = self.part_that_stays(self.as_leaf[place], int(self.staying[place]), int(self.stats[place].sum()))
        for child in self.children(place):
            total += self.now[child]
        return float(total)

    def judge(self, place: int, branch: float | None) -> int:
        """The verdict on an inner place, which is recorded; a branch that is raised has yet to take its place.

        branch  the estimated errors of its largest branch in its place; None if that is a leaf
        """
        leaf, node, subtree = float(self.as_leaf[place]), int(self.split_of[place]), self.sum_of_branches(place)
        found, tried = codes.KEPT, leaf if branch is None else branch
        if not_above(leaf, subtree + self.allowance) and not_above(leaf, tried + self.allowance):
            found = codes.PRUNED
        elif not_above(tried, subtree + self.allowance):
            found = codes.RAISED
        self.recorded[node] = leaf, subtree, np.nan if branch is None else branch
        self.verdict[node] = found
        if found == codes.PRUNED:
            self.become_leaf(place)
        elif found == codes.KEPT:
            self.now[place] = subtree
        return int(found)

    # --- other splits ---

    def become_leaf(self, place: int) -> None:
        """Take the split off a place."""
        self.split_of[place], self.staying[place], self.now[place] = -1, 0, self.as_leaf[place]

    def take_over(self, place: int, child: int) -> None:
        """Move the split of one of its branches to a place."""
        self.split_of[place], self.split_of[child] = self.split_of[child], -1
        self.staying[place] = self.staying[child]
        self.parent[self.children(place)] = place

    def result(self) -> RaisingResult:
        """What was decided."""
        contents = {}
        if self.changed.any():
            found = {"split_of": self.split_of, "changed": self.changed, "count": self.count, "stats": self.stats}
            contents = update_row_columns(self.tree, **found, unit=self.unit)
        return RaisingResult(self.split_of, contents, self.recorded, self.verdict)


def not_above(number: float, limit: float) -> bool:
    """Whether a number is at most a limit, or above it by rounding only.

    >>> not_above(0.1 + 0.2, 0.3), not_above(2.0, 1.0)
    (True, False)
    """
    return number <= limit + codes.TIE * (abs(number) + abs(limit))
