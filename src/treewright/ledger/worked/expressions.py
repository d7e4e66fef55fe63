"""Expressions: arithmetic as a small tree, before anybody decides how it is drawn.

In: numbers, names of ours and the user's words. Out: frozen pieces that each renderer walks: text, LaTeX, MathML. A
number that was worked out keeps its exact value; how many of its digits are shown is the renderer's affair.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from treewright.model.words import number_words

MOST_TERMS = 8
"""Terms of a sum that are written out; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Words:
    """The user's own words: a name, a category, the way to a node. Every renderer shows them as text.

    most  characters that are shown; of a longer text the beginning
    """

    text: str
    most: int = 60


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of ours: Ent, D, ρ; with something below it, or above it."""

    name: str
    below: "Expression | None" = None
    above: "Expression | None" = None


@dataclass(frozen=True, slots=True)
class Value:
    """A number that was worked out: rounded when shown, exact inside.

    percent  whether it is shown in parts of a hundred
    more     digits shown beyond the usual number
    """

    value: float
    percent: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """A number as it stands in the table: a count, a threshold; all its digits are shown."""

    value: float


@dataclass(frozen=True, slots=True)
class Fraction:
    """One above the other."""

    top: "Expression"
    bottom: "Expression"


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms, each added or taken off (sign -1); `n_more` terms are left out."""

    terms: "tuple[tuple[int, Expression], ...]"
    n_more: int = 0


@dataclass(frozen=True, slots=True)
class Product:
    """Factors."""

    factors: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Power:
    """A base to an exponent."""

    base: "Expression"
    exponent: "Expression"


@dataclass(frozen=True, slots=True)
class Root:
    """The square root of something."""

    inside: "Expression"


@dataclass(frozen=True, slots=True)
class Bars:
    """A size: the number of rows of a set, or how far two numbers are apart."""

    inside: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    """A function of ours of some arguments: Gain(D, outlook); a logarithm when it is called log2 or ln."""

    name: Symbol
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Chain:
    """Expressions with a relation before each but the first.

    A relation is one of RELATIONS; EQUALS becomes "about" where the number behind it was rounded.
    """

    first: "Expression"
    rest: "tuple[tuple[str, Expression], ...]"


Expression = Words | Symbol | Value | Count | Fraction | Sum | Product | Power | Root | Bars | Call | Chain

EQUALS, ABOUT, LESS, AT_MOST, MORE, AT_LEAST, GIVEN = "=", "≈", "<", "≤", ">", "≥", "|"
RELATIONS = (EQUALS, ABOUT, LESS, AT_MOST, MORE, AT_LEAST, GIVEN)

CLOSE = 1e-12
"""Sums of shares are this close, in parts of them, to the whole number that they are."""


def quantity(value: float) -> Value | Count:
    """A weight: a count when it is whole, otherwise a number that was worked out.

    >>> quantity(3.0), quantity(3 + 5 / 13)
    (Count(value=3.0), Value(value=3.3846153846153846, percent=False, more=0))
    """
    whole = round(value)
    return Count(float(whole)) if abs(value - whole) <= CLOSE * max(1.0, abs(value)) else Value(value)


def datum(value: float) -> Count | Value:
    """A number of the user's table: as it stands where its digits are few, otherwise rounded.

    >>> datum(4.75), datum(1 / 3)
    (Count(value=4.75), Value(value=0.3333333333333333, percent=False, more=0))
    """
    return Count(value) if len(number_words(value)) <= 10 else Value(value)


def cut_point(threshold: float) -> Count:
    """A threshold, with no more digits than can be read in passing; what holds in a branch has all of them.

    >>> cut_point(0.3815), cut_point(1 / 3)
    (Count(value=0.3815), Count(value=0.333333))
    """
    return Count(threshold if len(number_words(threshold)) <= 10 else float(format(threshold, ".6g")))


def fraction(top: float, bottom: float) -> Fraction:
    """A fraction of two weights.

    >>> fraction(9, 14)
    Fraction(top=Count(value=9.0), bottom=Count(value=14.0))
    """
    return Fraction(quantity(top), quantity(bottom))


def total(terms: Iterable["Expression"], most: int = MOST_TERMS) -> "Expression":
    """A sum of which at most so many terms are written out; one term alone is itself.

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
    """What is left when the others are taken off the first."""
    return Sum(((1, first), *((-1, other) for other in others)))


def times(*factors: "Expression") -> Product:
    """A product."""
    return Product(factors)


def call(name: str, *arguments: "Expression") -> Call:
    """A function of ours.

    >>> call("Ent", Symbol("D")).name
    Symbol(name='Ent', below=None, above=None)
    """
    return Call(Symbol(name), arguments)


def log2(inside: "Expression") -> Call:
    """A logarithm to base 2."""
    return call("log2", inside)


def chain(first: "Expression", *others: "Expression") -> Chain:
    """Expressions that are all the same number."""
    return Chain(first, tuple((EQUALS, other) for other in others))


def given(first: "Expression", second: "Expression") -> Chain:
    """The first where the second is known: D | a."""
    return Chain(first, ((GIVEN, second),))
