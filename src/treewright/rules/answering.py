"""Answering: rows to rules and answers.

In: encoded rows. Out: what the rules answer, and which of them applied. Rules of leaves answer as their tree does:
where a value is missing, it is the tree that decides where the row belongs. Generalised rules are asked in turn, and
the first that applies answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers, shares
from treewright.predict.ends import ends, parts, readable
from treewright.predict.rule import Rule as Asked
from treewright.rules.condition import Condition
from treewright.rules.cover import matching

ROWS = 2**16
"""Rows that are asked together, so that their columns stay in the processor's memory."""


@dataclass(frozen=True, slots=True)
class Firing:
    """What applied to one row.

    rules  (position, share) of each rule that answers; more than one where a missing value divides the row
    others positions of rules that apply too, and are not asked
    stops  (node, share) of each inner node of the tree that answers, because a missing value stops the row there
    """

    rules: tuple[tuple[int, float], ...]
    others: tuple[int, ...] = ()
    stops: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ByTree:
    """Rules of leaves: `place` has the position of each leaf's rule, by node."""

    tree: Tree
    asked: Asked
    place: dict[int, int]

    def codes(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        return class_codes(self.tree, values, self.asked)

    def shares(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return shares(self.tree, values, self.asked)

    def numbers(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return numbers(self.tree, values, self.asked)

    def firing(self, values: NDArray[np.float64]) -> Firing:
        """What applies to the one row."""
        values = readable(self.tree, values)
        nodes, several = ends(self.tree, values, self.asked)
        reached = [(int(nodes[0]), 1.0)]
        for part in parts(self.tree, values, self.asked.unseen, several, nodes[several]):
            reached = list(zip(part.nodes.tolist(), part.weights.tolist(), strict=True))
        reached.sort(key=lambda one: (-one[1], one[0]))
        found = tuple((self.place[node], share) for node, share in reached if node in self.place)
        return Firing(found, stops=tuple(one for one in reached if one[0] not in self.place))


@dataclass(frozen=True, slots=True, eq=False)
class InTurn:
    """Generalised rules.

    conditions  of each rule, in order
    code        the class code of each rule, and behind them that of the default
    share       (n_rules + 1, n_classes): the class shares of the training rows that satisfy each rule, and of those
                that satisfy none
    """

    conditions: tuple[Sequence[Condition], ...]
    code: NDArray[np.intp]
    share: NDArray[np.float64]

    def codes(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        return self.code[self.first(values)]

    def shares(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.share[self.first(values)]

    def numbers(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError("Generalised rules answer with classes.")

    def first(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """The first rule that each row satisfies; the number of rules where there is none."""
        found = np.full(len(values), len(self.conditions), np.intp)
        for start in range(0, len(values), ROWS):
            part = values[start : start + ROWS]
            columns = [np.ascontiguousarray(column) for column in part.T]
            free = np.arange(len(part), dtype=np.int32)
            for i, conditions in enumerate(self.conditions):
                rows = matching(conditions, columns, free)
                if len(rows):
                    found[start + rows] = i
                    free = free[found[start + free] > i]
                    if not len(free):
                        break
        return found

    def firing(self, values: NDArray[np.float64]) -> Firing:
        """What applies to the one row."""
        columns, here = list(values.T), np.zeros(1, np.int32)
        met = [i for i, conditions in enumerate(self.conditions) if len(matching(conditions, columns, here))]
        return Firing(tuple((i, 1.0) for i in met[:1]), tuple(met[1:]))
