"""Subset: of the rules for a class, those that together describe it best.

In: the rules' cover of the training cases and their bits. Out: which of them stay: half the bits of the theory and
those of its exceptions are least. A few rules are tried in all combinations; of many, several sets drawn by chance are
improved one rule at a time.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.model.columns import gather
from treewright.rules.chance import Chance
from treewright.rules.coding import THEORY, exception_bits, log2_factorial
from treewright.rules.cover import Cover

ALL_TRIED = 10
"""Up to so many rules, every set of them is tried."""
TRIALS = 10
"""Sets of many rules begin with each rule by a chance of 0, 1/10, 2/10 and so on to 1."""
SAME = 1e-9
"""Sets whose bits differ by less are equally good."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The rules for a class.

    cover    which rows satisfy each rule
    bits     what each rule costs
    inside   what each row counts for if it is of the class, else 0; in cases
    outside  the same for rows of other classes
    """

    cover: Cover
    bits: NDArray[np.float64]
    inside: NDArray[np.float64]
    outside: NDArray[np.float64]

    @property
    def n_rules(self) -> int:
        return len(self.bits)

    def value(
        self,
        theory: NDArray[np.float64],
        rightly: NDArray[np.float64],
        wrongly: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """What several sets of rules cost: by the bits of their theories, and the cases that they cover."""
        of_class, others = float(self.inside.sum()), float(self.outside.sum())
        exceptions = exception_bits(of_class + others, rightly + wrongly, wrongly, of_class - rightly)
        return THEORY * theory + exceptions


def best_subset(candidates: Candidates, chance: Chance) -> NDArray[np.bool_]:
    """Which rules stay; `chance` is only asked where there are many."""
    if candidates.n_rules <= ALL_TRIED:
        return _of_all(candidates)
    return _of_trials(candidates, chance)


def all_values(candidates: Candidates) -> NDArray[np.float64]:
    """What every set of rules costs; bit i of a set's number says whether rule i is in it."""
    n = candidates.n_rules
    pattern = np.zeros(len(candidates.inside), np.int64)
    np.add.at(pattern, candidates.cover.row, 1 << candidates.cover.rule)
    sets = np.arange(2**n)
    # Rows by the set of rules they satisfy, added up over all sets within a set: the rows that satisfy no rule of the
    # complement.
    found = []
    for counts in (candidates.inside, candidates.outside):
        within = np.bincount(pattern, counts, 2**n)
        for i in range(n):
            has = sets >> i & 1 == 1
            within[has] += within[~has]
        found.append(counts.sum() - within[2**n - 1 - sets])
    members = (sets[:, None] >> np.arange(n)) & 1
    fewer = np.array([log2_factorial(m) for m in range(n + 1)])[members.sum(axis=1)]
    return candidates.value((members * candidates.bits).sum(axis=1) - fewer, *found)


def _of_all(candidates: Candidates) -> NDArray[np.bool_]:
    values = all_values(candidates)
    best = int(np.argmax(values <= values.min() + SAME))
    return (best >> np.arange(candidates.n_rules)) & 1 == 1


def _of_trials(candidates: Candidates, chance: Chance) -> NDArray[np.bool_]:
    climb = _Climb(candidates)
    best, least = np.zeros(candidates.n_rules, bool), np.inf
    for trial in range(TRIALS + 1):
        drawn = [chance.following() for _ in range(candidates.n_rules)]
        climb.begin(np.array(drawn) < trial / TRIALS)
        while True:
            value, following = climb.look()
            if value < least - SAME:
                best, least = climb.chosen.copy(), value
            if following < 0:
                break
            climb.turn(following)
    return best


class _Climb:
    """A set of rules that is changed by one rule at a time.

    times  by how many rules of the set each row is covered
    alone  (2, 2, n_rules): the cases of the class, and of others, among the rows of each rule that are covered by no
           rule of the set, and by exactly one; what a rule would add, and what it would take away
    """

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        cover = candidates.cover
        order = np.argsort(cover.row, kind="stable")
        self.pair_rule = cover.rule
        self.rules_of_rows = self.pair_rule[order]
        self.row_length = np.bincount(cover.row, minlength=len(candidates.inside))
        self.row_start = np.cumsum(self.row_length) - self.row_length
        self.fewer = np.array([log2_factorial(m) for m in range(candidates.n_rules + 1)])

    def begin(self, chosen: NDArray[np.bool_]) -> None:
        """Start from a set."""
        all_of, cover = self.candidates, self.candidates.cover
        self.chosen = chosen
        self.times = np.bincount(cover.row[chosen[self.pair_rule]], minlength=len(all_of.inside))
        self.alone = np.zeros((2, 2, all_of.n_rules))
        for n_times in (0, 1):
            pairs = np.flatnonzero(self.times[cover.row] == n_times)
            for side, counts in enumerate((all_of.inside, all_of.outside)):
                weights = counts[cover.row[pairs]]
                self.alone[n_times, side] = np.bincount(self.pair_rule[pairs], weights, all_of.n_rules)
        covered = self.times > 0
        self.covered = np.array([all_of.inside[covered].sum(), all_of.outside[covered].sum()])

    def look(self) -> tuple[float, int]:
        """What the set costs, and the rule whose coming or going saves most; -1 when none saves anything."""
        all_of, chosen = self.candidates, self.chosen
        n_chosen, sign = int(chosen.sum()), np.where(chosen, -1, 1)
        theory = float(all_of.bits[chosen].sum())
        theories = theory + sign * all_of.bits - self.fewer[n_chosen + sign]
        changes = np.where(chosen, -self.alone[1], self.alone[0])
        theories = np.append(theories, theory - self.fewer[n_chosen])
        covered = np.append(self.covered[:, None] + changes, self.covered[:, None], axis=1)
        values = all_of.value(theories, covered[0], covered[1])
        value, least = float(values[-1]), float(values[:-1].min())
        return value, int(np.argmax(values[:-1] <= least + SAME)) if least < value - SAME else -1

    def turn(self, rule: int) -> None:
        """Put a rule into the set, or take it out."""
        rows = self.candidates.cover.of(rule)
        step = -1 if self.chosen[rule] else 1
        before = self.times[rows]
        self.covered += self._tally(rows[before == (0 if step > 0 else 1)]) * step
        for n_times in (0, 1):
            self._count(rows[before == n_times], n_times, -1)
            self._count(rows[before + step == n_times], n_times, 1)
        self.times[rows] += step
        self.chosen[rule] = not self.chosen[rule]

    def _tally(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.array([self.candidates.inside[rows].sum(), self.candidates.outside[rows].sum()])

    def _count(self, rows: NDArray[np.int32], n_times: int, sign: int) -> None:
        """Add or take away rows among those that are covered so many times."""
        length = self.row_length[rows]
        _, at = gather(self.row_start[rows], length)
        rules = self.rules_of_rows[at]
        for side, counts in enumerate((self.candidates.inside, self.candidates.outside)):
            weights = np.repeat(counts[rows], length)
            self.alone[n_times, side] += sign * np.bincount(rules, weights, self.candidates.n_rules)
