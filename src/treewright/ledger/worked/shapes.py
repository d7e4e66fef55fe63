"""Shapes: what all renderers ask about an expression before they draw it.

In: an expression. Out: how tightly it holds together, which sign stands before it, and how much of a long name is
shown.
"""

from treewright.ledger.worked.expressions import (
    ABOUT,
    EQUALS,
    Chain,
    Count,
    Expression,
    Fraction,
    Power,
    Product,
    Sum,
    Value,
    Words,
)
from treewright.ledger.worked.figures import figure
from treewright.model.words import beginning, category_words

RELATION, SUM, PRODUCT, ATOM = range(4)
"""How tightly an expression holds together; one that is looser than what it stands in needs brackets."""

LONG = 90
"""A formula with more characters of text than this is broken before its equals signs."""

REASON = 600
"""Characters of a sentence that the ledger says."""


def level(expression: Expression) -> int:
    """How tightly the expression holds together.

    >>> level(Value(0.5)), level(Value(-0.5)), level(Sum(((1, Count(2)), (1, Count(3)))))
    (3, 1, 1)
    """
    if isinstance(expression, Value | Count):
        return SUM if expression.value < 0 else ATOM
    if isinstance(expression, Sum):
        return SUM
    if isinstance(expression, Product | Fraction | Power):
        return PRODUCT
    return RELATION if isinstance(expression, Chain) else ATOM


def relation_of(relation: str, expression: Expression, digits: int) -> str:
    """The sign before an expression: a number that is rounded is only about what stands before it.

    >>> relation_of("=", Value(1 / 3), 4), relation_of("=", Value(0.25), 4)
    ('≈', '=')
    """
    if relation != EQUALS or not isinstance(expression, Value):
        return relation
    return EQUALS if figure(expression, digits).exact else ABOUT


def shortened(words: Words) -> str:
    """A name that can be read at a glance.

    >>> len(shortened(Words("a" * 10_000))), shortened(Words("outlook")), shortened(Words(""))
    (60, 'outlook', "''")
    """
    return beginning(category_words(words.text), words.most)  # what would leave no trace on the page is quoted
