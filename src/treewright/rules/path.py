"""Path: the tests on the way to a leaf.

In: a tree. Out: for each leaf of some weight its tests, one for each step from the root, and its class: the rules that
generalisation starts from. As in Quinlan's program a missing value satisfies no test; only "x is missing", a test that
the program does not have, holds for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from treewright.model.tree import THRESHOLD, Tree
from treewright.rules.branch import branch_conditions
from treewright.rules.condition import Condition

VALUE, CUT, SUBSET = 1, 2, 3
"""Kinds of test, in the order in which the program ranks them: one value, a threshold, several values."""

CLOSE = 1e-9
"""A leaf of one row whose parts were added up may be this much lighter."""


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """One step of a way: its condition, the kind of test, the node that asks, and the threshold (0 if it has none)."""

    condition: Condition
    kind: int
    node: int
    cut: float = 0.0

    @property
    def position(self) -> int:
        """The place of the column in the table."""
        return self.condition.position

    @property
    def key(self) -> tuple[int, int, float]:
        """What makes two tests count as the same: a cut whatever its side, a subset whatever its branch.

        It is the program's comparison, and kept as it is, because its rules depend on it.
        """
        if self.kind == VALUE:
            condition = self.condition
            unknown = -2 if condition.known else -1
            same: float = unknown if condition.codes is None else int(condition.codes[0])
        else:
            same = self.cut if self.kind == CUT else self.node
        return self.kind, self.position, same


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The tests on the way to a leaf, and the code of the leaf's class."""

    tests: tuple[Test, ...]
    code: int


def paths_to_leaves(tree: Tree, row_weight: float = 1.0) -> Iterator[Path]:
    """The ways to the leaves with the weight of one row or more, in the order in which the tree is printed.

    >>> from treewright.model.build import golf_example
    >>> [len(path.tests) for path in paths_to_leaves(golf_example())]
    [2, 2, 1, 2, 2]
    """
    if tree.n_nodes == 1:
        return
    steps: list[Test | None] = [None] * tree.n_nodes
    waiting = [0]
    while waiting:
        node = waiting.pop()
        n_branches, first = int(tree.n_children[node]), int(tree.first_child[node])
        if n_branches:
            steps[first : first + n_branches] = branch_tests(tree, node)
            waiting.extend(range(first + n_branches - 1, first - 1, -1))
        elif tree.weight[node] >= row_weight * (1.0 - CLOSE):
            yield Path(_way(tree, steps, node), int(tree.answers[node]))


def branch_tests(tree: Tree, node: int) -> list[Test]:
    """The test of each branch of a node.

    >>> from treewright.model.build import golf_example
    >>> [test.key for test in branch_tests(golf_example(), 0)]
    [(1, 0, 0), (1, 0, 1), (1, 0, 2)]
    """
    conditions = branch_conditions(tree, node)
    if tree.kind[node] == THRESHOLD:
        cut = float(tree.threshold[node])
        # Whether a value is known has no cut that could be compared.
        kinds = [CUT if condition.known and cut < inf else VALUE for condition in conditions]
        return [Test(c, kind, node, cut if kind == CUT else 0.0) for c, kind in zip(conditions, kinds, strict=True)]
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    several = bool(np.bincount(tree.table_branch[own]).max() > 1)
    return [Test(c, SUBSET if several and c.known else VALUE, node) for c in conditions]


def _way(tree: Tree, steps: list[Test | None], node: int) -> tuple[Test, ...]:
    found = []
    while node > 0:
        step = steps[node]
        if step is not None:
            found.append(step)
        node = int(tree.parent[node])
    return tuple(found[::-1])
