"""Drop conditions from the path of a leaf while the rule does not get worse: the first step of c4.5rules.

A rule starts as the tests on the path to a leaf and the class of the leaf. As in c4.5rules, a missing value satisfies
no test, except "x is missing", which c4.5rules does not have.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import THRESHOLD, Tree
from treewright.prune.limits import Limit
from treewright.rules.leaf_rules import branch_conditions
from treewright.rules.rule import Condition
from treewright.rules.training_cases import Cases

VALUE, CUT, SUBSET = 1, 2, 3
"""Kinds of test, in the order in which c4.5rules sorts them: one value, a threshold, several values."""

CLOSE = 1e-9
"""A leaf of one row, whose weight was added up from fractions, may be this much lighter."""


@dataclass(frozen=True, slots=True, eq=False)
class PathTest:
    """One test on a path: its condition, kind and node, and its threshold (0 if it has none)."""

    condition: Condition
    kind: int
    node: int
    cut: float = 0.0

    @property
    def position(self) -> int:
        """The index of the column in the table."""
        return self.condition.position

    @property
    def key(self) -> tuple[int, int, float]:
        """What makes two tests count as the same: of a cut its threshold but not its side, of a subset its node.

        This is the comparison of c4.5rules, and the rules depend on it.
        """
        if self.kind == VALUE:
            condition = self.condition
            no_code = -2 if condition.known else -1
            same: float = no_code if condition.codes is None else int(condition.codes[0])
        else:
            same = self.cut if self.kind == CUT else self.node
        return self.kind, self.position, same


@dataclass(frozen=True, slots=True, eq=False)
class LeafPath:
    """The tests on the path to a leaf, and the class code of the leaf."""

    tests: tuple[PathTest, ...]
    code: int


@dataclass(frozen=True, slots=True, eq=False)
class SimplifiedRule:
    """A rule whose needless conditions are dropped: its tests, its class code, and its estimated error rate."""

    tests: tuple[PathTest, ...]
    code: int
    error: float

    @property
    def key(self) -> tuple[Any, ...]:
        """Two rules with the same key count as one."""
        return self.code, *(test.key for test in self.tests)


def paths_to_leaves(tree: Tree, row_weight: float = 1.0) -> Iterator[LeafPath]:
    """Yield the paths to the leaves with the weight of at least one row, in the order of the printed tree.

    >>> from treewright.model.build import golf_example
    >>> [len(path.tests) for path in paths_to_leaves(golf_example())]
    [2, 2, 1, 2, 2]
    """
    if tree.n_nodes == 1:
        return
    tests: list[PathTest | None] = [None] * tree.n_nodes
    waiting = [0]
    while waiting:
        node = waiting.pop()
        n_branches, first = int(tree.n_children[node]), int(tree.first_child[node])
        if n_branches:
            tests[first : first + n_branches] = branch_tests(tree, node)
            waiting.extend(range(first + n_branches - 1, first - 1, -1))
        elif tree.weight[node] >= row_weight * (1.0 - CLOSE):
            yield LeafPath(_tests_on_path(tree, tests, node), int(tree.predicted_class[node]))


def branch_tests(tree: Tree, node: int) -> list[PathTest]:
    """Return the test of each branch of a node.

    >>> from treewright.model.build import golf_example
    >>> [test.key for test in branch_tests(golf_example(), 0)]
    [(1, 0, 0), (1, 0, 1), (1, 0, 2)]
    """
    conditions = branch_conditions(tree, node)
    if tree.kind[node] == THRESHOLD:
        cut = float(tree.threshold[node])
        # A test whether a value is known has no threshold to compare.
        kinds = [CUT if condition.known and cut < inf else VALUE for condition in conditions]
        return [PathTest(c, kind, node, cut if kind == CUT else 0.0) for c, kind in zip(conditions, kinds, strict=True)]
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    several = bool(np.bincount(tree.table_branch[own]).max() > 1)
    return [PathTest(c, SUBSET if several and c.known else VALUE, node) for c in conditions]


def _tests_on_path(tree: Tree, tests: list[PathTest | None], node: int) -> tuple[PathTest, ...]:
    found = []
    while node > 0:
        test = tests[node]
        if test is not None:
            found.append(test)
        node = int(tree.parent[node])
    return tuple(found[::-1])


def simplify_rule(path: LeafPath, cases: Cases, limit: Limit) -> SimplifiedRule | None:
    """Drop conditions of a path; None if no useful rule is left.

    While a condition can be dropped without raising the estimated or the actual error rate, the condition whose absence
    has the lowest estimate is dropped, the later one on a tie. The estimate of a rule that no case satisfies is the
    proportion of the other classes, and a rule with no lower estimate than that is useless.

    >>> from treewright.data.dataset import Dataset
    >>> from treewright.model.build import golf_example
    >>> from treewright.rules.training_cases import training_cases
    >>> tree = golf_example()
    >>> days = np.array([[0, 70, 1], [0, 90, 0], [0, 95, 1], [1, 80, 0], [1, 90, 1], [2, 70, 0]] * 2, float)
    >>> cases = training_cases(Dataset(tree.schema, days, np.array([1, 0, 0, 1, 1, 1] * 2, np.int32)))
    >>> for path in list(paths_to_leaves(tree))[:2]:
    ...     rule = simplify_rule(path, cases, Limit("release8", 0.25))
    ...     print([test.condition.words() for test in rule.tests], round(rule.error, 3))
    ['humidity <= 75'] 0.293
    ['outlook = sunny', 'humidity > 75'] 0.293
    """
    default_error = 1.0 - (float(cases.class_counts[path.code]) + 1.0) / (cases.total + 2.0)
    kept = list(range(len(path.tests)))
    failures = _TestFailures(path, cases)
    while kept:
        satisfied, wrong = failures.without_each(kept)
        actual = np.divide(wrong, satisfied, out=np.zeros_like(wrong), where=satisfied > 0)
        estimate = np.full_like(actual, default_error)
        np.divide(limit.estimates(satisfied, wrong), satisfied, out=estimate, where=satisfied > 0)
        # The last entry is the rule with all its conditions.
        lowest = len(kept) - 1 - int(estimate[-2::-1].argmin())
        if not ((estimate[:-1] <= estimate[-1]) | (actual[:-1] <= actual[-1])).any():
            useless = satisfied[-1] == 0 or estimate[-1] >= default_error
            tests = sort_as_c45rules([path.tests[i] for i in kept])
            return None if useless else SimplifiedRule(tests, path.code, float(estimate[-1]))
        failures.drop(kept.pop(lowest))
    return None


class _TestFailures:
    """How many tests each case fails and, if it is one, which.

    Only these cases matter: a case that fails no test satisfies the rule, and a case that fails one test would satisfy
    it without that test. `which` is the exclusive or of the indices of the failed tests: for a single one its index.
    """

    def __init__(self, path: LeafPath, cases: Cases) -> None:
        n = len(path.tests)
        dtype = np.uint8 if n < 2**8 else np.uint16 if n < 2**16 else np.uint32
        self.path, self.cases = path, cases
        self.wrong = cases.target != path.code
        self.n_failed: NDArray[np.unsignedinteger] = np.zeros(cases.n_rows, dtype)
        self.which: NDArray[np.unsignedinteger] = np.zeros(cases.n_rows, dtype)
        for i in range(n):
            self._update(i, np.add)

    def drop(self, test: int) -> None:
        self._update(test, np.subtract)

    def _update(self, test: int, change: np.ufunc) -> None:
        condition = self.path.tests[test].condition
        failed = (~condition.holds(self.cases.columns[condition.position])).view(np.uint8)
        change(self.n_failed, failed, out=self.n_failed)
        np.bitwise_xor(self.which, failed * self.which.dtype.type(test), out=self.which)

    def without_each(self, kept: list[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Count the cases that satisfy the rule without each kept test, and those of other classes among them.

        The last entry of both counts is for the rule with all kept tests.
        """
        rows = np.flatnonzero(self.n_failed <= 1)
        n = len(self.path.tests)
        group = np.where(self.n_failed[rows] == 0, n, self.which[rows].astype(np.intp))
        counts = self.cases.count(2 * group + self.wrong[rows], 2 * n + 2, rows).reshape(-1, 2)
        whole = counts[n]
        found = counts[[*kept, n]]
        found[:-1] += whole
        return found.sum(axis=1), np.ascontiguousarray(found[:, 1])


def sort_as_c45rules(tests: list[PathTest]) -> tuple[PathTest, ...]:
    """Sort the tests as c4.5rules does: a selection sort by a comparison that is not transitive.

    A later test is preferred if its column comes first, or its kind sorts lower, or it has the lower threshold of the
    same column. The result depends on the steps of the sort, so they are repeated here one by one.
    """
    found = list(tests)
    for i in range(len(found)):
        best = i
        for j in range(i + 1, len(found)):
            x, y = found[j], found[best]
            same_column = x.position == y.position
            if x.position < y.position or x.kind < y.kind or (same_column and x.cut < y.cut):
                best = j
        found[i], found[best] = found[best], found[i]
    return tuple(found)
