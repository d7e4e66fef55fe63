"""Document: the parts of a worked solution, before it is rendered as text, Markdown, LaTeX or HTML.

A document has sections of sentences, formulas and tables. Arithmetic is a tree of expressions; a number that was
computed keeps its exact value, and the renderer decides how many digits are shown. A plain string is text of Treewright
and safe; text of the user is a `Label`, so that each renderer knows what to escape.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from treewright.model.formatting import format_number

MAX_TERMS = 8
"""Terms of a sum that are written out."""


@dataclass(frozen=True, slots=True)
class Label:
    """Text that is escaped: a name, a category, a condition, or a word in a formula.

    most  characters that are shown; a longer text is truncated
    """

    text: str
    most: int = 60


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol such as Ent, D or ρ, with a subscript (`below`) or a superscript (`above`)."""

    name: str
    below: "Expression | None" = None
    above: "Expression | None" = None


@dataclass(frozen=True, slots=True)
class Value:
    """A number that was computed: exact here, rounded when shown.

    percent  whether it is shown as a percentage
    more     additional digits
    """

    value: float
    percent: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """A number of the data, such as a count or a threshold; all its digits are shown."""

    value: float


@dataclass(frozen=True, slots=True)
class Fraction:
    """A numerator (`top`) over a denominator (`bottom`)."""

    top: "Expression"
    bottom: "Expression"


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms, each with its sign 1 or -1; `n_more` further terms are not written out."""

    terms: "tuple[tuple[int, Expression], ...]"
    n_more: int = 0


@dataclass(frozen=True, slots=True)
class Product:
    """A product of factors."""

    factors: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Power:
    """A base and its exponent."""

    base: "Expression"
    exponent: "Expression"


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    inside: "Expression"


@dataclass(frozen=True, slots=True)
class Bars:
    """Vertical bars: the size of a set, or an absolute value."""

    inside: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    """A function with arguments, such as Gain(D, outlook); log2 and ln are logarithms."""

    name: Symbol
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Chain:
    """Expressions joined by relations, one of RELATIONS; EQUALS is shown as ≈ before a number that is rounded."""

    first: "Expression"
    rest: "tuple[tuple[str, Expression], ...]"


Expression = Label | Symbol | Value | Count | Fraction | Sum | Product | Power | Root | Bars | Call | Chain

EQUALS, ABOUT, LESS, AT_MOST, MORE, AT_LEAST, GIVEN = "=", "≈", "<", "≤", ">", "≥", "|"
RELATIONS = (EQUALS, ABOUT, LESS, AT_MOST, MORE, AT_LEAST, GIVEN)

CLOSE = 1e-12
"""A sum of fractions of rows that differs from an integer by at most this part is that integer."""


def quantity(value: float) -> Value | Count:
    """A weight: a `Count` when it is an integer, otherwise a `Value`.

    >>> quantity(3.0), quantity(3 + 5 / 13)
    (Count(value=3.0), Value(value=3.3846153846153846, percent=False, more=0))
    """
    whole = round(value)
    return Count(float(whole)) if abs(value - whole) <= CLOSE * max(1.0, abs(value)) else Value(value)


def datum(value: float) -> Count | Value:
    """A number of the user's table: with all its digits where they are few, otherwise rounded.

    >>> datum(4.75), datum(1 / 3)
    (Count(value=4.75), Value(value=0.3333333333333333, percent=False, more=0))
    """
    return Count(value) if len(format_number(value)) <= 10 else Value(value)


def cut_point(threshold: float) -> Count:
    """A threshold with few digits; the conditions of branches have all of them.

    >>> cut_point(0.3815), cut_point(1 / 3)
    (Count(value=0.3815), Count(value=0.333333))
    """
    return Count(threshold if len(format_number(threshold)) <= 10 else float(format(threshold, ".6g")))


def fraction(top: float, bottom: float) -> Fraction:
    """A fraction of two weights.

    >>> fraction(9, 14)
    Fraction(top=Count(value=9.0), bottom=Count(value=14.0))
    """
    return Fraction(quantity(top), quantity(bottom))


def total(terms: Iterable["Expression"], most: int = MAX_TERMS) -> "Expression":
    """A sum of which at most `most` terms are written out; a single term is returned as it is.

    >>> total([Count(1)])
    Count(value=1)
    >>> total([Count(1)] * 12).n_more
    5
    """
    every = list(terms)
    if len(every) == 1:
        return every[0]
    shown = every if len(every) <= most else every[: most - 1]
    return Sum(tuple((1, term) for term in shown), len(every) - len(shown))


def less(first: "Expression", *others: "Expression") -> Sum:
    """The first minus the others."""
    return Sum(((1, first), *((-1, other) for other in others)))


def times(*factors: "Expression") -> Product:
    """A product."""
    return Product(factors)


def call(name: str, *arguments: "Expression") -> Call:
    """A function of arguments.

    >>> call("Ent", Symbol("D")).name
    Symbol(name='Ent', below=None, above=None)
    """
    return Call(Symbol(name), arguments)


def log2(inside: "Expression") -> Call:
    """A logarithm to base 2."""
    return call("log2", inside)


def chain(first: "Expression", *others: "Expression") -> Chain:
    """Expressions joined by equals signs."""
    return Chain(first, tuple((EQUALS, other) for other in others))


def given(first: "Expression", second: "Expression") -> Chain:
    """The first given the second: D | a."""
    return Chain(first, ((GIVEN, second),))


Piece = str | Expression
"""A part of a sentence: text of Treewright, text of the user, or arithmetic."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Pieces, one after the other."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A chain of equal expressions, shown on its own line."""

    chain: Chain


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells with a heading; `right` are the right-aligned columns, `below` sentences under the table."""

    head: tuple[Sentence, ...]
    rows: tuple[tuple[Sentence, ...], ...]
    right: tuple[bool, ...]
    below: tuple[Sentence, ...] = ()


Part = Sentence | Formula | Table


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its parts."""

    heading: Sentence
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A title and its sections; `note` is the small print at the end."""

    title: Sentence
    sections: tuple[Section, ...]
    note: Sentence


def sentence(*pieces: Piece | Sentence | None) -> Sentence:
    """The pieces as one sentence; the pieces of a sentence among them are taken over.

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
    n_labels: int = 1,
    below: Iterable[Sentence] = (),
    *,
    ends_in_labels: bool = False,
) -> Table:
    """A table whose first `n_labels` columns, and perhaps the last one, are text; the others are numbers."""
    names = row(*head)
    last = len(names) - 1 if ends_in_labels else len(names)
    right = tuple(n_labels <= i < last for i in range(len(names)))
    return Table(names, tuple(rows), right, tuple(below))
