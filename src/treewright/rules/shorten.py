"""Shorten: conditions of a rule are dropped while it does not get worse by them.

In: the tests on the way to a leaf, its class, and the training cases. Out: the tests that are left, in the order in
which they are printed, and the estimate of the rule's errors; nothing where the rule is no better than chance.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.prune.limits import Limit
from treewright.rules.cases import Cases
from treewright.rules.path import Path, Test


@dataclass(frozen=True, slots=True, eq=False)
class Shortened:
    """A rule in the making: its tests, the code of its class, and its estimated share of errors."""

    tests: tuple[Test, ...]
    code: int
    error: float

    @property
    def key(self) -> tuple[Any, ...]:
        """Two rules with the same key count as one."""
        return self.code, *(test.key for test in self.tests)


def shorten(path: Path, cases: Cases, limit: Limit) -> Shortened | None:
    """The path with fewer conditions; None when nothing of use is left.

    While some condition can go without a rise of the estimated or the actual share of errors, the one goes whose
    absence has the lowest estimate, the later one on a tie. The estimate of a rule that no case satisfies is `chance`,
    the share of the other classes.

    >>> from treewright.data.dataset import Dataset
    >>> from treewright.model.build import golf_example
    >>> from treewright.rules.cases import cases_of
    >>> from treewright.rules.path import paths_to_leaves
    >>> tree = golf_example()
    >>> days = np.array([[0, 70, 1], [0, 90, 0], [0, 95, 1], [1, 80, 0], [1, 90, 1], [2, 70, 0]] * 2, float)
    >>> cases = cases_of(Dataset(tree.schema, days, np.array([1, 0, 0, 1, 1, 1] * 2, np.int32)))
    >>> for path in list(paths_to_leaves(tree))[:2]:
    ...     rule = shorten(path, cases, Limit("release8", 0.25))
    ...     print([test.condition.words() for test in rule.tests], round(rule.error, 3))
    ['humidity <= 75'] 0.293
    ['outlook = sunny', 'humidity > 75'] 0.293
    """
    chance = 1.0 - (float(cases.frequency[path.code]) + 1.0) / (cases.total + 2.0)
    left = list(range(len(path.tests)))
    failing = _Failing(path, cases)
    while left:
        satisfied, wrong = failing.without_each(left)
        actual = np.divide(wrong, satisfied, out=np.zeros_like(wrong), where=satisfied > 0)
        estimate = np.full_like(actual, chance)
        np.divide(limit.estimates(satisfied, wrong), satisfied, out=estimate, where=satisfied > 0)
        # The last entry is the rule as it is.
        lowest = len(left) - 1 - int(estimate[-2::-1].argmin())
        if not ((estimate[:-1] <= estimate[-1]) | (actual[:-1] <= actual[-1])).any():
            useless = satisfied[-1] == 0 or estimate[-1] >= chance
            tests = in_program_order([path.tests[i] for i in left])
            return None if useless else Shortened(tests, path.code, float(estimate[-1]))
        failing.drop(left.pop(lowest))
    return None


class _Failing:
    """For every case, how many tests it fails and, where it is one, which.

    Only these cases decide: one that fails no test satisfies the rule, and one that fails a single test would satisfy
    it without that test. `which` is the exclusive or of the numbers of the tests failed: with one of them, its number.
    """

    def __init__(self, path: Path, cases: Cases) -> None:
        n = len(path.tests)
        dtype = np.uint8 if n < 2**8 else np.uint16 if n < 2**16 else np.uint32
        self.path, self.cases = path, cases
        self.wrong = cases.target != path.code
        self.n_failed: NDArray[np.unsignedinteger] = np.zeros(cases.n_rows, dtype)
        self.which: NDArray[np.unsignedinteger] = np.zeros(cases.n_rows, dtype)
        for i in range(n):
            self._change(i, np.add)

    def drop(self, test: int) -> None:
        self._change(test, np.subtract)

    def _change(self, test: int, change: np.ufunc) -> None:
        condition = self.path.tests[test].condition
        failed = (~condition.holds(self.cases.columns[condition.position])).view(np.uint8)
        change(self.n_failed, failed, out=self.n_failed)
        np.bitwise_xor(self.which, failed * self.which.dtype.type(test), out=self.which)

    def without_each(self, left: list[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The cases that satisfy the rule without each test that is left, and those of other classes among them.

        The last entry of both is about the rule with all its tests.
        """
        rows = np.flatnonzero(self.n_failed <= 1)
        n = len(self.path.tests)
        place = np.where(self.n_failed[rows] == 0, n, self.which[rows].astype(np.intp))
        counted = self.cases.count(2 * place + self.wrong[rows], 2 * n + 2, rows).reshape(-1, 2)
        whole = counted[n]
        found = counted[[*left, n]]
        found[:-1] += whole
        return found.sum(axis=1), np.ascontiguousarray(found[:, 1])


def in_program_order(tests: list[Test]) -> tuple[Test, ...]:
    """The tests as the program orders them: a selection sort by a comparison that is no true order.

    A later test takes the place if its column stands earlier, or its kind ranks lower, or it has the lower cut of the
    same column; so the result depends on the steps of the sort, which are repeated here one by one.
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
