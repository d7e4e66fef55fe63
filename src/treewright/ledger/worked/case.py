"""Case: one decision of a pruning, with what its arithmetic needs close at hand.

In: a pruning report, a node of the grown tree, the method and the reader's language. Out: the rows, errors and branches
of the node in the rows that the method counted, and the number of each branch when the node was visited.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.ledger.worked.expressions import Words
from treewright.ledger.worked.say import Say
from treewright.ledger.worked.way import branch_words
from treewright.model.node import Node
from treewright.model.tree import Tree
from treewright.prune.costs import read_costs
from treewright.prune.method import Method
from treewright.prune.report import KEPT, PRUNED, Decision, PruningReport
from treewright.prune.units import tree_in

CLOSE = 1e-9
"""Arithmetic gives the number of a report when it differs by no more than this part of it."""


@dataclass(frozen=True)
class Case:
    """A decision.

    report  all decisions
    node    the node, by its number in the grown tree
    say     the reader's language
    method  how the tree was pruned; None where it is known by name only
    pruned  the tree that was left; with it the rows of nodes are known that other rows came to
    """

    report: PruningReport
    node: int
    say: Say
    method: Method | None = None
    pruned: Tree | None = None

    @cached_property
    def at(self) -> int:
        """The visit: the last one, where there were several."""
        return int(np.flatnonzero(self.report.node == self.node)[-1])

    @cached_property
    def decision(self) -> Decision:
        return self.report[self.at]

    @cached_property
    def unit(self) -> float:
        """The weight that counted as one row: what the root weighs, in parts of what it counted."""
        visits = np.flatnonzero(self.report.node == 0)
        counted = float(np.asarray(self.report.weight)[visits[-1]]) if len(visits) else 0.0
        whole = float(self.report.tree.weight[0])
        return whole / counted if counted > 0 else 1.0

    @cached_property
    def tree(self) -> Tree:
        """The grown tree, in rows."""
        return tree_in(self.report.tree, self.unit)

    @cached_property
    def _left(self) -> tuple[Tree, dict[int, int]] | None:
        """The tree that was left, in rows, and where in it each node of the grown tree is."""
        if self.pruned is None:
            return None
        return tree_in(self.pruned, self.unit), {old: new for new, old in enumerate(self.report.origin.tolist())}

    def weight(self, node: int) -> float:
        """The rows of a node when it was visited last."""
        return float(self._column("weight", node))

    def stats(self, node: int) -> NDArray[np.float64]:
        """Their classes, or weight, value and loss."""
        return np.asarray(self._column("stats", node), np.float64)

    def errors(self, node: int) -> float:
        """The weight of the rows that are not of the class of most weight; with costs, what the cheapest answer costs.

        As pruning counts them: how probabilities are smoothed afterwards does not matter.
        """
        stats, costs = self.stats(node), read_costs(None, self.tree)
        return float(stats.sum() - stats.max() if costs is None else (stats @ costs).min())

    def _column(self, name: str, node: int) -> NDArray[np.float64]:
        if self._left is not None and node in self._left[1]:
            tree, place = self._left
            return np.asarray(getattr(tree, name)[place[node]])
        return np.asarray(getattr(self.tree, name)[node])

    @property
    def branches(self) -> list[int]:
        first, n = int(self.tree.first_child[self.node]), int(self.tree.n_children[self.node])
        return list(range(first, first + n))

    @cached_property
    def _visits(self) -> dict[int, int]:
        """The last visit of each node."""
        return {node: i for i, node in enumerate(self.report.node.tolist())}

    def is_whole(self, node: int) -> bool:
        """Whether a branch counts as a leaf in this decision: it is one, or has become one."""
        visit = self._visits.get(node)
        return self.tree.n_children[node] == 0 or (visit is not None and self.report.verdict[visit] == PRUNED)

    def subtree(self, node: int) -> float | None:
        """The number of a branch that keeps its split; None where it is not known."""
        visit = self._visits.get(node)
        if visit is None or self.report.verdict[visit] != KEPT:
            return None
        return float(self.report.subtree[visit])

    def words(self, node: int) -> Words:
        """What holds in a branch."""
        one = Node(self.tree, node)
        split = None if one.parent is None else one.parent.split
        return branch_words("" if split is None else split.name, one.branch_words or "", self.say)


def same(found: float, reported: float) -> bool:
    """Whether arithmetic gives the number of the report.

    >>> same(0.1 + 0.2, 0.3), same(0.31, 0.3)
    (True, False)
    """
    return bool(abs(found - reported) <= CLOSE * max(abs(found), abs(reported)) + 1e-13)
