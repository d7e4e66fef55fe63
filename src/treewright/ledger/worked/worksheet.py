"""Worksheet: the data of a node that its worked solution is written from.

A `Worksheet` has the entry of the ledger, the plan, the rows of the node and the reader's language, and the symbols and
counts that several sections need. `NodeDetails` counts what a ledger does not contain: all cuts of a number with the
rows on both sides, each value of a category against the others, and the target numbers themselves where they are few.
"""

from dataclasses import dataclass
from functools import cached_property
from math import isinf

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.impurities import entropy
from treewright.criteria.registry import CRITERIA
from treewright.data.schema import Kind
from treewright.grow.candidates import GrowthReplay, ReplayedNode
from treewright.grow.plan import Plan
from treewright.ledger.node_cuts import Cuts, find_cuts
from treewright.ledger.node_statistics import NodeStatistics, node_statistics
from treewright.ledger.record import Candidate, Cut, Entry
from treewright.ledger.worked.document import (
    Count,
    Expression,
    Label,
    Sentence,
    Symbol,
    Value,
    cut_point,
    quantity,
)
from treewright.ledger.worked.impurity_formulas import Measure
from treewright.ledger.worked.sentences import Sentences
from treewright.model.formatting import format_category

ALL_CUTS = 20
"""A column with at most this many cuts has all of them listed, others only the best ones."""

BEST_CUTS = 8
"""Cuts that are listed of a column with many cuts."""

MAX_VALUES = 30
"""With more values a category is not compared value by value."""

FEW_ROWS = 12
"""At most this many target numbers are written out."""

MAX_CLASSES = 6
"""With more classes their counts have no columns of their own."""

MAX_HEADING = 24
"""Characters of a class in the heading of a column."""


@dataclass(frozen=True, slots=True)
class ValueAgainstRest:
    """One value of a category against all others: the stats of both, and the gain on the rows with a known value."""

    words: str
    own: tuple[float, ...]
    others: tuple[float, ...]
    gain: float


@dataclass(frozen=True, eq=False)
class NodeDetails:
    """The rows of a node.

    replay    of growth, at the node
    rows      of the node
    replayed  the node as growth saw it
    """

    replay: GrowthReplay
    rows: NodeStatistics
    replayed: ReplayedNode

    def cuts(self, one: Candidate) -> tuple[Cut, ...]:
        """The cuts of a number: all of them by threshold where they are few, otherwise the best ones, best first.

        `gain` is that of the rows that are cut, before rho and penalty.
        """
        found = self._cuts(one.column)
        tied = found.tied(self.rows.impurity)
        order = found.best_first(self.rows.impurity, BEST_CUTS)
        thresholds = found.threshold
        if len(thresholds) <= ALL_CUTS:
            order = np.lexsort((found.missing, thresholds))
        values = self.rows.values(one.column)
        is_missing = np.isnan(values)
        lines = []
        for i in order.tolist():
            threshold, side_of_missing = float(thresholds[i]), int(found.missing[i])
            branch = np.where(is_missing, side_of_missing, values > threshold).astype(np.intp)
            if isinf(threshold):
                branch = is_missing.astype(np.intp)
            low, high = self.rows.stats(branch, self.rows.tables(branch, 2))
            side = side_of_missing if side_of_missing >= 0 and is_missing.any() else None
            lines.append(Cut(threshold, float(found.gain[i]), low, high, bool(tied[i]), side))
        return tuple(lines)

    def n_cuts(self, one: Candidate) -> int:
        """The number of admissible cuts of a column."""
        return len(self._cuts(one.column).gain)

    def each_against_others(self, one: Candidate) -> tuple[ValueAgainstRest, ...]:
        """Each value of a category at the node against all others; empty where they are too many."""
        column = self.rows.prepared.dataset.schema.columns[one.column]
        values = self.rows.values(one.column)
        known = ~np.isnan(values)
        distinct = np.unique(values[known]).astype(np.intp)
        if column.kind is not Kind.CATEGORY or not 2 <= len(distinct) <= MAX_VALUES:
            return ()
        every = np.where(known, 0, -1)
        table = self.rows.tables(every, 1)
        before = float(self.rows.impurities(table, self.rows.stats(every, table))[0])
        found = []
        for code in distinct.tolist():
            branch = np.where(known, (values != code).astype(np.intp), -1)
            words = format_category(column.categories[code])
            found.append(self._two(words, branch, before))
        return tuple(found)

    def n_values(self, one: Candidate) -> int:
        """The number of different values of a column at the node."""
        values = self.rows.values(one.column)
        return len(np.unique(values[~np.isnan(values)]))

    def numbers(self) -> list[float]:
        """The targets of the rows, where they are few numbers of weight 1."""
        n, unit = len(self.rows.row), self.rows.unit
        once = n <= FEW_ROWS and bool(np.all(self.rows.weight * unit == 1.0))
        return np.asarray(self.rows.target, np.float64).tolist() if once and not self.rows.n_classes else []

    @cached_property
    def _known_cuts(self) -> dict[int, Cuts]:
        return {}

    def _cuts(self, column: int) -> Cuts:
        """All cuts of a column, computed once."""
        if column not in self._known_cuts:
            self._known_cuts[column] = find_cuts(self.replay, self.rows, column, self.rows.values(column))
        return self._known_cuts[column]

    def _two(self, words: str, branch: NDArray[np.intp], before: float) -> ValueAgainstRest:
        table = self.rows.tables(branch, 2)
        weight = self.rows.weights(table)
        own, others = self.rows.stats(branch, table)
        proportion = weight / weight.sum()
        gain = before - float((proportion * self.rows.impurities(table, [own, others])).sum())
        if self.rows.prepared.plan.measured_by.measure is not None:
            gain = self.rows.prepared.plan.measured_by.measure(table)
        return ValueAgainstRest(words, own, others, gain)


def node_details(replay: GrowthReplay, replayed: ReplayedNode) -> NodeDetails:
    """The rows of a node that a replay has reached."""
    return NodeDetails(replay, node_statistics(replay.prepared, replayed), replayed)


def gini_of(*branches: tuple[float, ...]) -> float:
    """The weighted Gini impurity of branches.

    >>> round(gini_of((6.0, 0.0), (3.0, 6.0)), 4)
    0.2667
    """
    table = np.array(branches)
    weight = table.sum(axis=1)
    return float((weight / weight.sum() * CRITERIA["gini"].of_weights(table)).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Worksheet:
    """A node whose arithmetic is written out.

    entry      its candidates, in the reader's language
    classes    of the target; None for regression
    plan       of growth
    details    the rows of the node
    sentences  in the reader's language
    """

    entry: Entry
    classes: tuple[object, ...] | None
    plan: Plan
    details: NodeDetails
    sentences: Sentences

    @property
    def measure(self) -> Measure:
        """The impurity of the tree."""
        return Measure(self.entry.criterion)

    def rows_of(self, one: Candidate) -> Symbol:
        """The rows that a candidate divides: all rows of the node, or those with a known value."""
        return Symbol("D̃") if self.leaves_out_missing(one) else Symbol("D")

    def leaves_out_missing(self, one: Candidate) -> bool:
        """Whether rows with a missing value are in none of the branches."""
        in_branches = sum(branch.weight for branch in one.branches) if one.branches else one.known
        return one.missing > 0 and in_branches <= one.known * (1 + 1e-9)

    def split_arguments(self, one: Candidate, rows: Symbol | None = None) -> tuple[Expression, ...]:
        """The arguments of a gain: the rows, the column and the cut."""
        first = self.rows_of(one) if rows is None else rows
        name = Label(one.name)
        if one.threshold is None or one.kind != "number":
            return first, name
        return first, name, cut_point(one.threshold)

    def gain_head(self) -> Sentence:
        """The heading of a column of gains."""
        _ = self.sentences
        if CRITERIA[self.entry.criterion].impurity is entropy:
            return _.context("information", "gain")
        return _("gain")

    @property
    def shows_classes(self) -> bool:
        """Whether each class has a column of its own."""
        return self.classes is not None and len(self.classes) <= MAX_CLASSES

    def class_heads(self) -> list[Label]:
        """The headings of the columns of classes."""
        return [Label(str(label), MAX_HEADING) for label in self.classes or ()] if self.shows_classes else []

    def class_cells(self, stats: tuple[float, ...]) -> list[Value | Count]:
        """The class weights below these headings."""
        return [quantity(weight) for weight in stats] if self.shows_classes else []

    def class_counts(self, stats: tuple[float, ...]) -> Sentence:
        """The class weights in a sentence, such as "no: 5, yes: 9"; of many classes the heaviest."""
        _ = self.sentences
        pairs = list(zip(stats, self.classes or (), strict=True))
        shown = pairs if len(pairs) <= MAX_CLASSES else sorted(pairs, key=lambda p: -p[0])[:MAX_CLASSES]
        counts = [
            _("{label}: {n}", n=quantity(weight), label=Label(str(label)))
            for weight, label in shown
            if weight > 0 or len(pairs) <= MAX_CLASSES
        ]
        listed, n_more = _.listed(counts), len(pairs) - len(shown)
        if not n_more:
            return listed
        return _.plural(
            "{first}, and {n} more class",
            "{first}, and {n} more classes",
            n_more,
            first=listed,
            n=str(n_more),
        )

    def row_count(self, weight: float) -> Sentence:
        """A number of rows, such as "14 rows"."""
        _ = self.sentences
        return _.plural("{n} row", "{n} rows", weight, n=quantity(weight))
