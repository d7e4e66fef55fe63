"""Choose the rules of a class by minimum description length: the second step of c4.5rules.

A set of rules costs the bits that write its rules down (the theory), and the bits that name its exceptions: covered
cases of other classes, and cases of the class that are not covered. The best set has the lowest sum of half the bits of
the theory and the bits of the exceptions. Of up to ten rules all sets are compared; of more, several random sets are
improved one rule at a time.
"""

from dataclasses import dataclass
from math import lgamma, log, log2

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.model.tree_columns import gather
from treewright.rules.drop_conditions import SUBSET, SimplifiedRule
from treewright.rules.glibc_random import GlibcRandom
from treewright.rules.training_cases import Cases, Cover

THEORY_WEIGHT = 0.5
"""How much a bit of the theory counts, relative to a bit of the exceptions."""
NEARLY = 1e-6
IMPOSSIBLE_BITS = 1e6
"""The bits of an exception that has probability 0."""

MAX_EXHAUSTIVE = 10
"""Up to this many rules, all sets are compared."""
N_STARTS = 10
"""The random sets start with each rule in them with probability 0, 1/10, 2/10, ..., 1."""
SAME = 1e-9
"""Sets whose bits differ by less are equally good."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleCost:
    """The bits that write conditions down.

    value       bits that name a value of each column
    attribute   bits that name a column
    redundancy  divides the bits that name a column
    """

    value: NDArray[np.float64]
    attribute: float
    redundancy: float = 1.0

    def rule_bits(self, rule: SimplifiedRule) -> float:
        """Return the bits of a rule: those of its conditions, less the bits of their order, which does not matter."""
        n = len(rule.tests)
        bits = log2(n) - log2_factorial(n)
        for test in rule.tests:
            value_bits = test.condition.column.n_categories if test.kind == SUBSET else self.value[test.position]
            bits += self.attribute / self.redundancy + float(value_bits)
        return bits


def rule_costs(cases: Cases, redundancy: float = 1.0) -> RuleCost:
    """Return what conditions on these columns cost.

    A value of a category costs the entropy of the column over all cases, with missing values in the number of cases. A
    threshold costs 1 + log2(k) / 2 for k distinct values, where missing counts as one; 0 if there is only one.
    """
    value = np.array([_value_bits(cases, i) for i in range(len(cases.columns))])
    proportion = value[value > 0] / value.sum() if value.any() else np.zeros(0)
    return RuleCost(value, _entropy(proportion), redundancy)


def _value_bits(cases: Cases, position: int) -> float:
    cells = cases.columns[position]
    known = np.flatnonzero(~np.isnan(cells))
    if cases.schema.columns[position].kind is not Kind.CATEGORY:
        k = len(np.unique(cells[known])) + (len(known) < len(cells))
        return 1.0 + log2(k) / 2.0 if k > 1 else 0.0
    counts = cases.count(cells[known].astype(np.intp), cases.schema.columns[position].n_categories, known)
    return _entropy(counts[counts > 0] / cases.total)


def _entropy(proportion: NDArray[np.float64]) -> float:
    return float(-(proportion * np.log2(proportion)).sum()) + 0.0


def log2_factorial(n: int) -> float:
    """Return log2(n!).

    >>> round(log2_factorial(5), 4)
    6.9069
    """
    return lgamma(n + 1) / log(2)


def exception_bits(
    n_cases: float,
    covered: NDArray[np.float64],
    false_positives: NDArray[np.float64],
    false_negatives: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the bits that name the exceptions to the rules of a class, for several sets of rules at once.

    covered          the cases that the rules cover
    false_positives  those of other classes among them
    false_negatives  the cases of the class that the rules do not cover

    >>> exception_bits(14.0, np.array([0.0]), np.array([0.0]), np.array([9.0])).round(1)
    array([21.3])
    """
    errors, uncovered = false_positives + false_negatives, n_cases - covered
    most = covered > n_cases / 2
    among_covered = _error_bits(covered, false_positives, np.where(most, errors / 2, false_positives))
    among_others = _error_bits(uncovered, false_negatives, np.where(most, false_negatives, errors / 2))
    return log2(n_cases) + among_covered + among_others


def _error_bits(
    n: NDArray[np.float64], e: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the bits that name which e of n cases are errors, if `expected` errors are expected."""
    none, all_of_them = expected <= NEARLY, expected >= n - NEARLY
    between = ~none & ~all_of_them
    rate = np.divide(expected, n, out=np.full_like(n, 0.5), where=between)
    bits = -e * np.log2(rate) - (n - e) * np.log2(1.0 - rate)
    bits = np.where(all_of_them, np.where(np.abs(n - e) <= NEARLY, 0.0, IMPOSSIBLE_BITS), bits)
    return np.where(none, np.where(e <= NEARLY, 0.0, IMPOSSIBLE_BITS), bits)


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The rules of a class.

    cover    which rows satisfy each rule
    bits     what each rule costs
    inside   what each row counts for, in cases, if it is of the class; else 0
    outside  the same for rows of other classes
    """

    cover: Cover
    bits: NDArray[np.float64]
    inside: NDArray[np.float64]
    outside: NDArray[np.float64]

    @property
    def n_rules(self) -> int:
        return len(self.bits)

    def set_bits(
        self,
        theory: NDArray[np.float64],
        true_positives: NDArray[np.float64],
        false_positives: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return what several sets of rules cost, from the bits of their theories and the cases that they cover."""
        of_class, others = float(self.inside.sum()), float(self.outside.sum())
        covered = true_positives + false_positives
        exceptions = exception_bits(of_class + others, covered, false_positives, of_class - true_positives)
        return THEORY_WEIGHT * theory + exceptions


def best_subset(candidates: Candidates, random: GlibcRandom) -> NDArray[np.bool_]:
    """Return which rules are in the best set; random numbers are drawn only if there are many rules."""
    if candidates.n_rules <= MAX_EXHAUSTIVE:
        return _best_of_all(candidates)
    return _best_of_random_starts(candidates, random)


def all_set_bits(candidates: Candidates) -> NDArray[np.float64]:
    """Return what every set of rules costs; bit i of the index of a set says whether rule i is in it."""
    n = candidates.n_rules
    pattern = np.zeros(len(candidates.inside), np.int64)
    np.add.at(pattern, candidates.cover.row, 1 << candidates.cover.rule)
    sets = np.arange(2**n)
    # Rows by the set of rules they satisfy, summed over all subsets of a set: the rows that satisfy no rule of the
    # complement.
    covered = []
    for counts in (candidates.inside, candidates.outside):
        within = np.bincount(pattern, counts, 2**n)
        for i in range(n):
            has = sets >> i & 1 == 1
            within[has] += within[~has]
        covered.append(counts.sum() - within[2**n - 1 - sets])
    members = (sets[:, None] >> np.arange(n)) & 1
    order_bits = np.array([log2_factorial(m) for m in range(n + 1)])[members.sum(axis=1)]
    return candidates.set_bits((members * candidates.bits).sum(axis=1) - order_bits, *covered)


def _best_of_all(candidates: Candidates) -> NDArray[np.bool_]:
    bits = all_set_bits(candidates)
    best = int(np.argmax(bits <= bits.min() + SAME))
    return (best >> np.arange(candidates.n_rules)) & 1 == 1


def _best_of_random_starts(candidates: Candidates, random: GlibcRandom) -> NDArray[np.bool_]:
    search = _HillClimbing(candidates)
    best, lowest = np.zeros(candidates.n_rules, bool), np.inf
    for start in range(N_STARTS + 1):
        drawn = [random.draw() for _ in range(candidates.n_rules)]
        search.start_from(np.array(drawn) < start / N_STARTS)
        while True:
            bits, best_move = search.find_best_move()
            if bits < lowest - SAME:
                best, lowest = search.chosen.copy(), bits
            if best_move < 0:
                break
            search.flip(best_move)
    return best


class _HillClimbing:
    """A set of rules that changes by one rule at a time.

    n_covering  by how many rules of the set each row is covered
    margin      (2, 2, n_rules): the cases of the class, and of others, among the rows of each rule that no rule of the
                set covers, and that exactly one covers: what adding the rule gains, and what removing it loses
    """

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        cover = candidates.cover
        order = np.argsort(cover.row, kind="stable")
        self.pair_rule = cover.rule
        self.rules_of_rows = self.pair_rule[order]
        self.row_length = np.bincount(cover.row, minlength=len(candidates.inside))
        self.row_start = np.cumsum(self.row_length) - self.row_length
        self.order_bits = np.array([log2_factorial(m) for m in range(candidates.n_rules + 1)])

    def start_from(self, chosen: NDArray[np.bool_]) -> None:
        """Start from a set of rules."""
        candidates, cover = self.candidates, self.candidates.cover
        self.chosen = chosen
        self.n_covering = np.bincount(cover.row[chosen[self.pair_rule]], minlength=len(candidates.inside))
        self.margin = np.zeros((2, 2, candidates.n_rules))
        for n_covering in (0, 1):
            pairs = np.flatnonzero(self.n_covering[cover.row] == n_covering)
            for side, counts in enumerate((candidates.inside, candidates.outside)):
                weights = counts[cover.row[pairs]]
                self.margin[n_covering, side] = np.bincount(self.pair_rule[pairs], weights, candidates.n_rules)
        self.covered = self._count_cases(np.flatnonzero(self.n_covering > 0))

    def find_best_move(self) -> tuple[float, int]:
        """Return what the set costs, and the rule whose adding or removing saves most; -1 if none saves anything."""
        candidates, chosen = self.candidates, self.chosen
        n_chosen, sign = int(chosen.sum()), np.where(chosen, -1, 1)
        theory = float(candidates.bits[chosen].sum())
        theories = theory + sign * candidates.bits - self.order_bits[n_chosen + sign]
        changes = np.where(chosen, -self.margin[1], self.margin[0])
        theories = np.append(theories, theory - self.order_bits[n_chosen])  # the last entry is the set as it is
        covered = np.append(self.covered[:, None] + changes, self.covered[:, None], axis=1)
        bits = candidates.set_bits(theories, covered[0], covered[1])
        now, lowest = float(bits[-1]), float(bits[:-1].min())
        return now, int(np.argmax(bits[:-1] <= lowest + SAME)) if lowest < now - SAME else -1

    def flip(self, rule: int) -> None:
        """Add a rule to the set, or remove it."""
        rows = self.candidates.cover.rows_of(rule)
        step = -1 if self.chosen[rule] else 1
        before = self.n_covering[rows]
        self.covered += self._count_cases(rows[before == (0 if step > 0 else 1)]) * step
        for n_covering in (0, 1):
            self._update_margin(rows[before == n_covering], n_covering, -1)
            self._update_margin(rows[before + step == n_covering], n_covering, 1)
        self.n_covering[rows] += step
        self.chosen[rule] = not self.chosen[rule]

    def _count_cases(self, rows: NDArray[np.integer]) -> NDArray[np.float64]:
        return np.array([self.candidates.inside[rows].sum(), self.candidates.outside[rows].sum()])

    def _update_margin(self, rows: NDArray[np.int32], n_covering: int, sign: int) -> None:
        """Add or remove rows among those that this many rules cover."""
        length = self.row_length[rows]
        _, at = gather(self.row_start[rows], length)
        rules = self.rules_of_rows[at]
        for side, counts in enumerate((self.candidates.inside, self.candidates.outside)):
            weights = np.repeat(counts[rows], length)
            self.margin[n_covering, side] += sign * np.bincount(rules, weights, self.candidates.n_rules)
