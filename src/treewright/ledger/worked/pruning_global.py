"""Global pruning written out: the budget, what the node costs for each leaf, and the errors of the whole tree.

In: a `Case`. Out: the arithmetic of its decision.
"""

import numpy as np

from treewright.ledger.worked.case import Case, same
from treewright.ledger.worked.document import Formula, Part
from treewright.ledger.worked.expressions import (
    Chain,
    Count,
    Fraction,
    Root,
    Symbol,
    Value,
    chain,
    fraction,
    less,
    quantity,
    times,
)
from treewright.ledger.worked.verdict import compared
from treewright.prune.global_budget import Global

E, N, B = Symbol("E"), Symbol("N"), Symbol("B")


def within_budget(case: Case) -> list[Part]:
    """The standard error of the whole tree's errors, and the errors once the node is cut."""
    one, say = case.decision, case.say
    is_number = case.tree.schema.target.is_number
    parts: list[Part] = [say("global.rule.number" if is_number else "global.rule")]
    parts.append(Formula(chain(E, quantity(one.subtree))))
    parts.append(Formula(_budget(case)))
    each, n_leaves = float(one.details["extra for each leaf"]), int(one.details["leaves"])
    parts.append(say("global.each", number=Value(each), n=str(n_leaves)))
    return [*parts, say("global.after"), *compared(case)]


def _budget(case: Case) -> Chain:
    """B = k sqrt(E (1 - E / N)) where that is so, otherwise the number alone."""
    one, rows = case.decision, float(case.tree.weight[0])
    method = case.method if isinstance(case.method, Global) else Global()
    k, e = method.standard_errors, one.subtree
    if case.tree.schema.target.is_number or not same(k * float(np.sqrt(max(e * (1 - e / rows), 0.0))), one.allowance):
        return chain(B, Value(one.allowance))
    letters = Root(times(E, less(Count(1), Fraction(E, N))))
    digits = Root(times(quantity(e), less(Count(1), fraction(e, rows))))
    if k == 1:
        return chain(B, letters, digits, Value(one.allowance))
    return chain(B, times(Count(k), letters), times(Count(k), digits), Value(one.allowance))
