"""Verdict: the two numbers of a decision beside each other, and what follows.

In: a `Case`. Out: the comparison as every method ends with it, and for methods without arithmetic of their own, all
there is to say.
"""

from treewright.ledger.worked.case import Case
from treewright.ledger.worked.document import Formula, Part
from treewright.ledger.worked.expressions import AT_MOST, MORE, Chain, Count, Expression, Sum, Value, quantity
from treewright.model.words import number_words


def compared(case: Case) -> list[Part]:
    """The two numbers, the relation between them, and the verdict."""
    one = case.decision
    limit: Expression = quantity(one.subtree)
    if one.allowance:
        limit = Sum(((1, Value(one.subtree)), (1, short(one.allowance))))
    # A leaf may also be turned down for a branch that does better in its place.
    relation = AT_MOST if one.verdict == "pruned" or one.leaf <= one.subtree + one.allowance else MORE
    return [Formula(Chain(quantity(one.leaf), ((relation, limit),))), case.say(f"verdict.{one.verdict}")]


def plainly(case: Case) -> list[Part]:
    """The numbers of the report as they are."""
    one, say = case.decision, case.say
    parts: list[Part] = [
        say("plain.leaf", number=short(one.leaf)),
        say("plain.subtree", number=short(one.subtree)),
    ]
    if one.branch is not None:
        parts.append(say("ebp.branch", number=Value(one.branch)))
    return [*parts, *compared(case)]


def short(number: float) -> Count | Value:
    """A number as it stands where it has few digits, otherwise rounded.

    >>> short(0.1), short(1 / 3).value == 1 / 3
    (Count(value=0.1), True)
    """
    return Count(number) if len(number_words(number)) <= 6 else Value(number)
