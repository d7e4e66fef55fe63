"""Ledger: every candidate of one node, to be printed, shown and read.

In: an `Entry`. Out: the same as text, HTML, a frame or plain data, in the user's names and categories.
"""

from dataclasses import dataclass
from typing import Any

from treewright.errors import InputError
from treewright.ledger.ledger_page import as_frame, as_html, as_text, in_order
from treewright.ledger.record import Candidate, Entry
from treewright.model.plain import plain
from treewright.model.words import category_words


@dataclass(frozen=True, slots=True)
class Ledger:
    """Why a node asks what it asks: the candidates of all columns, the best first.

    Print it; ask for a column with `ledger["outlook"]`; read the numbers of `ledger.entry`, or take all of them with
    `to_frame` or `to_dict`.

    entry    the node and its candidates, in the order of the table
    classes  what the numbers in stats stand for, in order; None for regression: weight, value and loss

    >>> from treewright import CARTClassifier
    >>> ledger = CARTClassifier(pruning=None).fit([[1, 7], [2, 7], [3, 7], [4, 8]], ["a", "a", "b", "b"]).why()
    >>> print(ledger)
    Node 0 (root): 4 rows (a: 2, b: 2).
    Gini: 0.5000.
    It asks for x0: the highest gain, 0.3333 more than the next.
    <BLANKLINE>
       column  before   after    gain  split
    *  x0      0.5000  0.0000  0.5000  <= 2.5 (best of 3 cuts)
       x1      0.5000  0.3333  0.1667  <= 7.5 (the only cut)
    *: chosen
    <BLANKLINE>
       column  cut       gain  low side  high side
    *  x0      <= 2.5  0.5000  2 0       0 2
       x0      <= 1.5  0.1667  1 0       1 2
       x0      <= 3.5  0.1667  2 1       0 1
    *: the best cut of the column
    >>> ledger["x1"].reason
    'gain 0.167, the highest is 0.5'
    """

    entry: Entry
    classes: tuple[object, ...] | None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates, the best first; rejected columns are the last."""
        return in_order(self.entry)

    @property
    def chosen(self) -> Candidate | None:
        """The candidate that won; None where there is none."""
        return None if self.entry.chosen is None else self.entry.candidates[self.entry.chosen]

    @property
    def ties(self) -> tuple[Candidate, ...]:
        """The candidates that tie with the winner, itself not counted."""
        return tuple(c for c in self.candidates if c.verdict == "tied")

    def __getitem__(self, column: str) -> Candidate:
        """The candidate of a column, by its name."""
        for one in self.entry.candidates:
            if one.name == column:
                return one
        names = ", ".join(repr(c.name) for c in self.entry.candidates[:12])
        more = "" if len(self.entry.candidates) <= 12 else f" and {len(self.entry.candidates) - 12} more"
        raise InputError(f"There is no column {column!r}; the columns are {names}{more}.")

    def to_text(self) -> str:
        """The ledger as a table of words."""
        return as_text(self)

    def to_html(self) -> str:
        """The ledger as a fragment of HTML."""
        return as_html(self)

    def to_frame(self) -> Any:
        """A row for each column, the best first, as a frame of pandas, or of polars where pandas is not installed."""
        return as_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as data that JSON can hold; an endless threshold is the text "inf"."""
        classes = None if self.classes is None else [category_words(c) for c in self.classes]
        return {"classes": classes, **plain(self.entry)}

    def __str__(self) -> str:
        return as_text(self)

    def __repr__(self) -> str:
        return f"<Ledger of node {self.entry.node}: {len(self.entry.candidates)} columns>"

    def _repr_html_(self) -> str:
        return as_html(self)

