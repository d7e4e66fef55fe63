"""Document: what a worked solution says, before it is text, Markdown, LaTeX or HTML.

In: sentences, formulas and tables in order. Out: frozen pieces. A plain string is ours and safe; what comes from the
user's table stands as `Words`, so that each renderer knows what it has to escape.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from treewright.ledger.worked.expressions import Chain, Expression

Piece = str | Expression
"""A part of a sentence: words of ours, the user's words, or arithmetic."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Pieces, one after the other."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A chain of equal expressions, on lines of its own."""

    chain: Chain


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below a head; `right` are the columns of numbers, `below` what is said under the table."""

    head: tuple[Sentence, ...]
    rows: tuple[tuple[Sentence, ...], ...]
    right: tuple[bool, ...]
    below: tuple[Sentence, ...] = ()


Part = Sentence | Formula | Table


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it."""

    heading: Sentence
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A title and its sections; `note` is the small print at the end."""

    title: Sentence
    sections: tuple[Section, ...]
    note: Sentence


def sentence(*pieces: Piece | Sentence | None) -> Sentence:
    """The pieces as one sentence; a sentence among them brings its own pieces.

    >>> sentence("Node ", sentence("1"), ": root").pieces
    ('Node ', '1', ': root')
    """
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Sentence):
            found += piece.pieces
        elif piece is not None and piece != "":
            found.append(piece)
    return Sentence(tuple(found))


def row(*cells: Piece | Sentence | None) -> tuple[Sentence, ...]:
    """The cells of a row of a table; None is an empty one."""
    return tuple(cell if isinstance(cell, Sentence) else sentence(cell) for cell in cells)


def table(
    head: Iterable[Piece | Sentence | None],
    rows: Iterable[tuple[Sentence, ...]],
    n_words: int = 1,
    below: Iterable[Sentence] = (),
    *,
    ends_in_words: bool = False,
) -> Table:
    """A table whose first `n_words` columns, and perhaps the last one, are words and whose others are numbers."""
    names = row(*head)
    last = len(names) - 1 if ends_in_words else len(names)
    right = tuple(n_words <= i < last for i in range(len(names)))
    return Table(names, tuple(rows), right, tuple(below))
