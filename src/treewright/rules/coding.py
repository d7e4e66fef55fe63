"""Coding: what rules cost to write down, and what their mistakes cost, in bits.

In: the training cases; rules; how many cases a set of rules covers and how many of them wrongly. Out: the bits of each
rule, and of the exceptions to a set of them. The set of rules whose theory and exceptions are shortest is the best one.
"""

from dataclasses import dataclass
from math import lgamma, log, log2

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.rules.cases import Cases
from treewright.rules.path import SUBSET
from treewright.rules.shorten import Shortened

THEORY = 0.5
"""How much a bit of the theory counts against a bit of the exceptions."""
NEARLY = 1e-6
ENDLESS = 1e6
"""The bits of an exception that cannot be."""


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """What conditions cost.

    value      bits to name a value of each column
    attribute  bits to name a column
    redundancy by which the latter are divided
    """

    value: NDArray[np.float64]
    attribute: float
    redundancy: float = 1.0

    def rule_bits(self, rule: Shortened) -> float:
        """The bits of a rule: those of its conditions, less what their order could tell."""
        n = len(rule.tests)
        bits = log2(n) - log2_factorial(n)
        for test in rule.tests:
            named = test.condition.column.n_categories if test.kind == SUBSET else self.value[test.position]
            bits += self.attribute / self.redundancy + float(named)
        return bits


def coding_of(cases: Cases, redundancy: float = 1.0) -> Coding:
    """What conditions on these columns cost.

    A value of a category: the entropy of the column over all cases, missing ones included in their number. A threshold:
    1 + log2(k) / 2 of k distinct values, where missing counts as one; nothing when there is only one.
    """
    value = np.array([_value_bits(cases, i) for i in range(len(cases.columns))])
    share = value[value > 0] / value.sum() if value.any() else np.zeros(0)
    return Coding(value, float(-(share * np.log2(share)).sum()) + 0.0, redundancy)


def _value_bits(cases: Cases, position: int) -> float:
    cells = cases.columns[position]
    known = np.flatnonzero(~np.isnan(cells))
    if cases.schema.columns[position].kind is not Kind.CATEGORY:
        k = len(np.unique(cells[known])) + (len(known) < len(cells))
        return 1.0 + log2(k) / 2.0 if k > 1 else 0.0
    counted = cases.count(cells[known].astype(np.intp), cases.schema.columns[position].n_categories, known)
    share = counted[counted > 0] / cases.total
    return float(-(share * np.log2(share)).sum()) + 0.0


def log2_factorial(n: int) -> float:
    """log2 of n!.

    >>> round(log2_factorial(5), 4)
    6.9069
    """
    return lgamma(n + 1) / log(2)


def exception_bits(
    n_cases: float,
    covered: NDArray[np.float64],
    wrongly: NDArray[np.float64],
    left_out: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The bits that name the exceptions to rules for a class, for several sets of rules at once.

    covered   the cases that the rules cover
    wrongly   those of other classes among them
    left_out  the cases of the class that they do not cover

    >>> exception_bits(14.0, np.array([0.0]), np.array([0.0]), np.array([9.0])).round(1)
    array([21.3])
    """
    errors, uncovered = wrongly + left_out, n_cases - covered
    most = covered > n_cases / 2
    among_covered = _bits(covered, wrongly, np.where(most, errors / 2, wrongly))
    among_others = _bits(uncovered, left_out, np.where(most, left_out, errors / 2))
    return log2(n_cases) + among_covered + among_others


def _bits(
    n: NDArray[np.float64], e: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The bits that say which e of n cases are errors, where so many are expected."""
    none, all_of_them = expected <= NEARLY, expected >= n - NEARLY
    between = ~none & ~all_of_them
    rate = np.divide(expected, n, out=np.full_like(n, 0.5), where=between)
    bits = -e * np.log2(rate) - (n - e) * np.log2(1.0 - rate)
    bits = np.where(all_of_them, np.where(np.abs(n - e) <= NEARLY, 0.0, ENDLESS), bits)
    return np.where(none, np.where(e <= NEARLY, 0.0, ENDLESS), bits)
