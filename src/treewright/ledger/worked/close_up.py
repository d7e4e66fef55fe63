"""Close up: what a ledger has no room for, counted from the rows of the node.

In: the rows a node holds and a column. Out: all its cuts, each with the rows on both sides; for a category that is put
into two groups, each value against the others; and of few numbers the numbers themselves.
"""

from dataclasses import dataclass
from functools import cached_property
from math import isinf

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CRITERIA
from treewright.data.schema import Kind
from treewright.grow.candidates import Seen, Walk
from treewright.ledger.cuts import Cuts, cuts_of
from treewright.ledger.held import Held, held
from treewright.ledger.record import Candidate, Cut
from treewright.model.words import category_words

ALL_CUTS = 20
"""A number with no more cuts than this has all of them listed; of others the best."""

BEST_CUTS = 8
"""Cuts that are listed of a number that has many."""

MOST_VALUES = 30
"""Values of a category that are each set against the others."""

FEW_ROWS = 12
"""So many numbers can be written out."""


@dataclass(frozen=True, slots=True)
class OneValue:
    """One value of a category against all others: the rows of both, and what that split gains among known rows."""

    words: str
    own: tuple[float, ...]
    others: tuple[float, ...]
    gain: float


@dataclass(frozen=True, eq=False)
class CloseUp:
    """The rows of a node, looked at closely.

    walk  growth once more, at the node
    rows  that the node holds
    seen  why growth left it a leaf, where it did
    """

    walk: Walk
    rows: Held
    seen: Seen

    def cuts(self, one: Candidate) -> tuple[Cut, ...]:
        """The cuts of a number: all of them by threshold where they are few, otherwise the best, the best first.

        `gain` is that of the rows that are cut, before rho and charge.
        """
        found = self._cuts(one.column)
        tied = found.tied(self.rows.impurity)
        order = found.best_first(self.rows.impurity, BEST_CUTS)
        thresholds = found.threshold
        if len(thresholds) <= ALL_CUTS:
            order = np.lexsort((found.missing, thresholds))
        values = self.rows.values(one.column)
        gone = np.isnan(values)
        lines = []
        for i in order.tolist():
            threshold, place = float(thresholds[i]), int(found.missing[i])
            branch = np.where(gone, place, values > threshold).astype(np.intp)
            if isinf(threshold):
                branch = gone.astype(np.intp)
            low, high = self.rows.stats(branch, self.rows.tables(branch, 2))
            side = place if place >= 0 and gone.any() else None
            lines.append(Cut(threshold, float(found.gain[i]), low, high, bool(tied[i]), side))
        return tuple(lines)

    def n_cuts(self, one: Candidate) -> int:
        """How many admissible cuts a number has."""
        return len(self._cuts(one.column).gain)

    def each_against_others(self, one: Candidate) -> tuple[OneValue, ...]:
        """Every value of a category that is met here, against all others; none where they are too many."""
        column = self.rows.prepared.dataset.schema.columns[one.column]
        values = self.rows.values(one.column)
        known = ~np.isnan(values)
        met = np.unique(values[known]).astype(np.intp)
        if column.kind is not Kind.CATEGORY or not 2 <= len(met) <= MOST_VALUES:
            return ()
        every = np.where(known, 0, -1)
        table = self.rows.tables(every, 1)
        before = float(self.rows.impurities(table, self.rows.stats(every, table))[0])
        found = []
        for code in met.tolist():
            branch = np.where(known, (values != code).astype(np.intp), -1)
            words = category_words(column.categories[code])
            found.append(self._two(words, branch, before))
        return tuple(found)

    def n_values(self, one: Candidate) -> int:
        """How many different values of a column are met here."""
        values = self.rows.values(one.column)
        return len(np.unique(values[~np.isnan(values)]))

    def numbers(self) -> list[float]:
        """The answers of the rows here, where they are few numbers that each count once."""
        n, unit = len(self.rows.row), self.rows.unit
        once = n <= FEW_ROWS and bool(np.all(self.rows.weight * unit == 1.0))
        return np.asarray(self.rows.target, np.float64).tolist() if once and not self.rows.n_classes else []

    @cached_property
    def _known_cuts(self) -> dict[int, Cuts]:
        return {}

    def _cuts(self, column: int) -> Cuts:
        """All cuts of a column, worked out once."""
        if column not in self._known_cuts:
            self._known_cuts[column] = cuts_of(self.walk, self.rows, column, self.rows.values(column))
        return self._known_cuts[column]

    def _two(self, words: str, branch: NDArray[np.intp], before: float) -> OneValue:
        table = self.rows.tables(branch, 2)
        weight = self.rows.weights(table)
        own, others = self.rows.stats(branch, table)
        share = weight / weight.sum()
        gain = before - float((share * self.rows.impurities(table, [own, others])).sum())
        if self.rows.prepared.plan.measured_by.measure is not None:
            gain = self.rows.prepared.plan.measured_by.measure(table)
        return OneValue(words, own, others, gain)


def close_up(walk: Walk, seen: Seen) -> CloseUp:
    """The rows of a node that a walk has come to."""
    return CloseUp(walk, held(walk.prepared, seen), seen)


def gini_of(*branches: tuple[float, ...]) -> float:
    """The Gini impurity of branches, weighed by their rows.

    >>> round(gini_of((6.0, 0.0), (3.0, 6.0)), 4)
    0.2667
    """
    table = np.array(branches)
    weight = table.sum(axis=1)
    return float((weight / weight.sum() * CRITERIA["gini"].of_weights(table)).sum())
