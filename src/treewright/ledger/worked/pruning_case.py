"""Pruning case: one decision of a pruning report, with the numbers that its arithmetic needs.

A `PruningCase` has the rows, errors and branches of the node, in the rows that the method counted, and the number of
each branch when the node was visited. `comparison` ends the arithmetic of every method.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.language import N_
from treewright.ledger.worked.document import (
    AT_MOST,
    MORE,
    Chain,
    Count,
    Expression,
    Formula,
    Label,
    Part,
    Sum,
    Value,
    quantity,
)
from treewright.ledger.worked.sentences import Sentences
from treewright.model.formatting import format_number
from treewright.model.tree import Tree
from treewright.prune.losses import read_costs
from treewright.prune.method import Method, tree_in_units
from treewright.prune.report import KEPT, PRUNED, Decision, PruningReport

CLOSE = 1e-9
"""Arithmetic agrees with the number of a report when it differs by at most this part of it."""

VERDICTS = {
    "pruned": N_("The node becomes a leaf."),
    "kept": N_("The node keeps its split."),
    "raised": N_("The largest branch replaces the node."),
}


@dataclass(frozen=True)
class PruningCase:
    """A decision.

    report     all decisions
    node       the node, by its number in the grown tree
    sentences  in the reader's language
    method     the pruning method; None where only its name is known
    pruned     the pruned tree; needed for the rows of nodes that changed when a branch was raised
    """

    report: PruningReport
    node: int
    sentences: Sentences
    method: Method | None = None
    pruned: Tree | None = None

    @cached_property
    def at(self) -> int:
        """The position of the last visit of the node."""
        return int(np.flatnonzero(self.report.node == self.node)[-1])

    @cached_property
    def decision(self) -> Decision:
        """The decision of the report."""
        return self.report[self.at]

    @cached_property
    def unit(self) -> float:
        """The weight that counted as one row: the weight of the root divided by its row count."""
        visits = np.flatnonzero(self.report.node == 0)
        counted = float(np.asarray(self.report.weight)[visits[-1]]) if len(visits) else 0.0
        whole = float(self.report.tree.weight[0])
        return whole / counted if counted > 0 else 1.0

    @cached_property
    def tree(self) -> Tree:
        """The grown tree, in rows."""
        return tree_in_units(self.report.tree, self.unit)

    @cached_property
    def _left(self) -> tuple[Tree, dict[int, int]] | None:
        """The pruned tree, in rows, and the position in it of each node of the grown tree."""
        if self.pruned is None:
            return None
        return tree_in_units(self.pruned, self.unit), {
            old: new for new, old in enumerate(self.report.origin.tolist())
        }

    def weight(self, node: int) -> float:
        """The rows of a node at its last visit."""
        return float(self._column("weight", node))

    def stats(self, node: int) -> NDArray[np.float64]:
        """Their class weights, or weight, value and loss."""
        return np.asarray(self._column("stats", node), np.float64)

    def errors(self, node: int) -> float:
        """The weight of the rows outside the majority class; with costs, the cost of the cheapest prediction.

        They are counted as in pruning, whatever the smoothing of probabilities.
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

    def is_leaf(self, node: int) -> bool:
        """Whether a branch counts as a leaf in this decision: it is a leaf, or became one."""
        visit = self._visits.get(node)
        return self.tree.n_children[node] == 0 or (visit is not None and self.report.verdict[visit] == PRUNED)

    def subtree(self, node: int) -> float | None:
        """The number of a branch that keeps its split; None where it is unknown."""
        visit = self._visits.get(node)
        if visit is None or self.report.verdict[visit] != KEPT:
            return None
        return float(self.report.subtree[visit])

    def condition(self, node: int) -> Label:
        """The condition of a branch."""
        return Label(self.tree.node(node).condition(self.sentences.language) or "")


def agrees(found: float, reported: float) -> bool:
    """Whether arithmetic leads to the number of the report.

    >>> agrees(0.1 + 0.2, 0.3), agrees(0.31, 0.3)
    (True, False)
    """
    return bool(abs(found - reported) <= CLOSE * max(abs(found), abs(reported)) + 1e-13)


def comparison(case: PruningCase) -> list[Part]:
    """The two numbers, the relation between them, and the verdict."""
    one, _ = case.decision, case.sentences
    limit: Expression = quantity(one.subtree)
    if one.allowance:
        limit = Sum(((1, Value(one.subtree)), (1, short(one.allowance))))
    # A leaf may also lose to its largest branch.
    relation = AT_MOST if one.verdict == "pruned" or one.leaf <= one.subtree + one.allowance else MORE
    return [Formula(Chain(quantity(one.leaf), ((relation, limit),))), _(VERDICTS[one.verdict])]


def report_numbers(case: PruningCase) -> list[Part]:
    """The numbers of the report without arithmetic, for methods that have none."""
    one, _ = case.decision, case.sentences
    parts: list[Part] = [
        _("As a leaf: {number}", number=short(one.leaf)),
        _("As a subtree: {number}", number=short(one.subtree)),
    ]
    if one.branch is not None:
        parts.append(_("With the largest branch in place of the node: {number}", number=Value(one.branch)))
    return [*parts, *comparison(case)]


def short(number: float) -> Count | Value:
    """A number with all its digits where they are few, otherwise rounded.

    >>> short(0.1), short(1 / 3).value == 1 / 3
    (Count(value=0.1), True)
    """
    return Count(number) if len(format_number(number)) <= 6 else Value(number)
