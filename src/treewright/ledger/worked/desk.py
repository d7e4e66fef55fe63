"""Desk: what the arithmetic of a node is written with.

In: the entry of a ledger, the rows behind it and the reader's language. Out: the same in one hand, and small things
that every section needs: symbols of rows, names of branches, counts of classes.
"""

from dataclasses import dataclass

from treewright.criteria.impurities import entropy
from treewright.criteria.registry import CRITERIA
from treewright.grow.plan import Plan
from treewright.ledger.record import Candidate, Entry
from treewright.ledger.worked.close_up import CloseUp
from treewright.ledger.worked.document import Piece, Sentence
from treewright.ledger.worked.expressions import Count, Expression, Symbol, Value, Words, cut_point, quantity
from treewright.ledger.worked.impurity import Measure
from treewright.ledger.worked.say import Say
from treewright.ledger.worked.way import branch_words

MOST_CLASSES = 6
"""Classes whose counts have a column of their own."""

HEAD = 24
"""Characters of a class above a column."""


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """A node to be worked out.

    entry    its candidates
    classes  of the target; None for a number
    plan     what the tree was grown by
    view     the rows of the node
    say      the reader's language
    """

    entry: Entry
    classes: tuple[object, ...] | None
    plan: Plan
    view: CloseUp
    say: Say

    @property
    def measure(self) -> Measure:
        return Measure(self.entry.criterion)

    def rows_of(self, one: Candidate) -> Symbol:
        """The rows that a candidate divides: all of the node, or those with a known value."""
        return Symbol("D̃") if self.is_apart(one) else Symbol("D")

    def is_apart(self, one: Candidate) -> bool:
        """Whether rows with a missing value are in none of the branches."""
        placed = sum(branch.weight for branch in one.branches) if one.branches else one.known
        return one.missing > 0 and placed <= one.known * (1 + 1e-9)

    def split_arguments(self, one: Candidate, rows: Symbol | None = None) -> tuple[Expression, ...]:
        """What a gain is a function of: the rows, the column and the cut."""
        first = self.rows_of(one) if rows is None else rows
        name = Words(one.name)
        if one.threshold is None or one.kind != "number":
            return first, name
        return first, name, cut_point(one.threshold)

    def branch_words(self, one: Candidate, words: str) -> Words:
        """What holds in a branch of a candidate."""
        return branch_words(one.name, words, self.say)

    def gain_head(self) -> Sentence:
        """What a gain is called above a column of them."""
        return self.say("gain" if CRITERIA[self.entry.criterion].impurity is entropy else "gain.other")

    @property
    def shows_classes(self) -> bool:
        return self.classes is not None and len(self.classes) <= MOST_CLASSES

    def class_heads(self) -> list[Words]:
        """A column for each class, where they are few."""
        return [Words(str(label), HEAD) for label in self.classes or ()] if self.shows_classes else []

    def class_cells(self, stats: tuple[float, ...]) -> list[Value | Count]:
        return [quantity(weight) for weight in stats] if self.shows_classes else []

    def counts(self, stats: tuple[float, ...]) -> Sentence:
        """Class weights in a row: 9 Play, 5 Don't Play; the heaviest where they are many."""
        pairs = list(zip(stats, self.classes or (), strict=True))
        shown = pairs if len(pairs) <= MOST_CLASSES else sorted(pairs, key=lambda p: -p[0])[:MOST_CLASSES]
        said = [
            self.say("count.of", n=quantity(weight), label=Words(str(label)))
            for weight, label in shown
            if weight > 0 or len(pairs) <= MOST_CLASSES
        ]
        listed = self.say.listed(said)
        if len(pairs) == len(shown):
            return listed
        return self.say("and.more", first=listed, n=str(len(pairs) - len(shown)))

    def rows_said(self, weight: float) -> Sentence:
        """So many rows."""
        piece: Piece = quantity(weight)
        return self.say("row" if weight == 1 else "rows", n=piece)


def weight_of(stats: tuple[float, ...], measure: Measure) -> float:
    """The weight behind stats.

    >>> weight_of((9.0, 5.0), Measure("gini")), weight_of((10.0, 6.6, 19.1), Measure("squared_error"))
    (14.0, 10.0)
    """
    return stats[0] if measure.for_numbers else sum(stats)
