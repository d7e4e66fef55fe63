"""Pruning by training errors, written out: error-based and pessimistic.

In: a `Case`. Out: the arithmetic of its decision, or None where the numbers of the report cannot be had by it.
"""

import numpy as np

from treewright.ledger.worked.case import Case, same
from treewright.ledger.worked.document import Formula, Part, row, table
from treewright.ledger.worked.expressions import (
    AT_MOST,
    MORE,
    Chain,
    Count,
    Expression,
    Fraction,
    Root,
    Sum,
    Symbol,
    Value,
    chain,
    fraction,
    less,
    quantity,
    times,
    total,
)
from treewright.ledger.worked.limits_written import quantile_written, rate_of, rate_written, symbol
from treewright.ledger.worked.verdict import compared, short
from treewright.prune.error_based import ErrorBased
from treewright.prune.limits import LIMITS, Limit
from treewright.prune.losses import training_losses

N_WRITTEN = 6
"""Different leaves whose limit is worked out; of the others only the result is in the table."""

N_BRANCHES = 20
"""Branches that a table lists."""


def error_based(case: Case) -> list[Part] | None:
    """N U(E, N) of the node as a leaf, of each branch, and their sum."""
    limit = _limit(case)
    if limit is None:
        return None
    one, say = case.decision, case.say
    rows, errors = case.weight(case.node), case.errors(case.node)
    worked = _branch_estimates(case, limit)
    pairs = [(rows, errors), *((n, e) for _, n, e, _ in worked or () if n > 0 and e is not None)]
    different = list(dict.fromkeys((round(n, 9), round(e, 9)) for n, e in pairs))
    cf = Value(limit.confidence, percent=True)
    parts: list[Part] = [say("ebp.rule", cf=cf, limit=say.word(f"limit.{limit.name}"))]
    if any(e > 1e-9 for _, e in different) and limit.name != "exact":
        parts += quantile_written(limit, say)
    for n, e in different[:N_WRITTEN]:
        parts += rate_written(limit, n, e, say)
    if worked is not None:
        parts += _branch_table(case, limit, worked)
    as_leaf = chain(times(quantity(rows), symbol(limit, rows, errors)), _expected(limit, rows, errors), Value(one.leaf))
    parts += [say("as.leaf"), Formula(as_leaf), say("as.subtree")]
    if worked is not None:
        terms = [_expected(limit, n, e) if e is not None else Value(found) for _, n, e, found in worked if found]
        parts.append(Formula(chain(total(terms) if terms else Count(0), Value(one.subtree))))
    else:
        parts.append(say("as.subtree.is", number=Value(one.subtree)))
    return [*parts, *_decided(case)]


def _decided(case: Case) -> list[Part]:
    """The leaf against the branches and, where it was tried, the largest branch in the place of the node."""
    one, say = case.decision, case.say
    if one.branch is None:
        return compared(case)
    branch, allowance = Value(one.branch), short(one.allowance)

    def against(own: float, other: float) -> Formula:
        relation = AT_MOST if own <= other + one.allowance + 1e-12 else MORE
        limit = Sum(((1, Value(other)), (1, allowance))) if one.allowance else Value(other)
        return Formula(Chain(Value(own), ((relation, limit),)))

    parts: list[Part] = [say("ebp.branch", number=branch), against(one.leaf, one.subtree)]
    if one.leaf <= one.subtree + one.allowance + 1e-12:
        parts.append(against(one.leaf, one.branch))
    if one.verdict != "pruned":
        parts.append(against(one.branch, one.subtree))
    return [*parts, say(f"verdict.{one.verdict}")]


def _limit(case: Case) -> Limit | None:
    """The limit that gives the report's numbers: the method's, or one of the usual ones."""
    rows, errors, leaf = case.weight(case.node), case.errors(case.node), case.decision.leaf
    tried = [Limit(name, 0.25) for name in LIMITS]
    if isinstance(case.method, ErrorBased):
        tried.insert(0, Limit(case.method.limit, case.method.confidence))
    return next((limit for limit in tried if same(rate_of(limit, rows, errors) * rows, leaf)), None)


Estimate = tuple[int, float, float | None, float]
"""A branch, its rows, its errors (None where it keeps a split), and its estimated errors."""


def _branch_estimates(case: Case, limit: Limit) -> list[Estimate] | None:
    """What each branch added to the number of the subtree; None where that is not their sum."""
    found: list[Estimate] = []
    for node in case.branches:
        rows = case.weight(node)
        if case.is_whole(node):
            errors = case.errors(node)
            found.append((node, rows, errors, rate_of(limit, rows, errors) * rows))
            continue
        below = case.subtree(node)
        if below is None:
            return None
        found.append((node, rows, None, below))
    return found if same(sum(one[3] for one in found), case.decision.subtree) else None


def _branch_table(case: Case, limit: Limit, worked: list[Estimate]) -> list[Part]:
    say = case.say
    head = say("branch"), Symbol("N"), Symbol("E"), Symbol("U"), times(Symbol("N"), Symbol("U"))
    rows = []
    for node, n, e, found in worked[:N_BRANCHES]:
        if e is None:
            rows.append(row(case.words(node), quantity(n), say("subtree"), "", Value(found)))
        else:
            rows.append(row(case.words(node), quantity(n), quantity(e), Value(rate_of(limit, n, e)), Value(found)))
    below = [say("more.branches", n=str(len(worked) - N_BRANCHES))] if len(worked) > N_BRANCHES else []
    return [table(head, rows, below=below)]


def _expected(limit: Limit, rows: float, errors: float) -> Expression:
    return times(quantity(rows), Value(rate_of(limit, rows, errors)))


def pessimistic(case: Case) -> list[Part] | None:
    """Errors with a part of an error more for each leaf, and the standard error; M5's factor for regression."""
    return _by_size(case) if case.tree.schema.target.is_number else _by_errors(case)


def _by_errors(case: Case) -> list[Part] | None:
    one, say = case.decision, case.say
    rows, errors = case.weight(case.node), case.errors(case.node)
    n_leaves, below = float(one.details["leaves"]), float(one.details["training errors"])
    penalty = round(one.leaf - errors, 12)
    if not same(below + penalty * n_leaves, one.subtree):
        return None
    rate = one.subtree / rows if rows > 0 else 0.0
    spread = float(np.sqrt(rows * min(rate, 1.0) * (1.0 - min(rate, 1.0))))
    times_se = round(one.allowance / spread, 9) if spread > 0 else 1.0
    each = Count(penalty)
    leaves = _leaf_errors(case)
    terms: Expression = quantity(below) if leaves is None else total([quantity(e) for e in leaves])
    se_digits = Root(times(quantity(rows), Value(rate), less(Count(1), Value(rate))))
    parts: list[Part] = [
        say("pep.rule", penalty=each),
        say("as.leaf"),
        Formula(chain(Sum(((1, quantity(errors)), (1, each))), Value(one.leaf))),
        say("as.subtree"),
        Formula(chain(Symbol("S"), Sum(((1, terms), (1, times(quantity(n_leaves), each)))), Value(one.subtree))),
        Formula(chain(Symbol("e"), Fraction(Symbol("S"), Symbol("N")), fraction(one.subtree, rows), Value(rate))),
        Formula(chain(Symbol("SE"), _se_letters(), se_digits, Value(spread))),
    ]
    allowed: Expression = Value(spread) if times_se == 1 else times(Count(times_se), Value(spread))
    limit = Sum(((1, Value(one.subtree)), (1, allowed)))
    relation = AT_MOST if one.verdict == "pruned" else MORE
    both = Chain(Value(one.leaf), ((relation, limit), ("=", Value(one.subtree + one.allowance))))
    return [*parts, Formula(both), say(f"verdict.{one.verdict}")]


def _se_letters() -> Expression:
    return Root(times(Symbol("N"), Symbol("e"), less(Count(1), Symbol("e"))))


def _leaf_errors(case: Case) -> list[float] | None:
    """The errors of the leaves below, where they are few."""
    found, waiting = [], [case.node]
    while waiting:
        node = waiting.pop()
        first, n = int(case.tree.first_child[node]), int(case.tree.n_children[node])
        if n == 0:
            found.append(case.errors(node))
        if len(found) > 8 or len(waiting) + n > 64:
            return None
        waiting.extend(range(first + n - 1, first - 1, -1))
    return found if same(sum(found), float(case.decision.details["training errors"])) else None


def _by_size(case: Case) -> list[Part] | None:
    """The pruning of M5: the error times (n + m v) / (n - v) for v parameters."""
    one, say = case.decision, case.say
    n, v = case.weight(case.node), float(one.details["parameters"])
    squared = not case.tree.by_median
    loss = float(training_losses(case.tree).leaf[case.node])
    mean = loss / n if n > 0 else 0.0
    error = mean**0.5 if squared else mean
    if n <= v or n <= 1 or error <= 0:
        return None
    m = round(one.leaf / error * (n - 1) - n, 9)
    below = one.subtree * (n - v) / (n + m * v)
    name = Symbol("RMSE" if squared else "MAE")
    inside: Expression = fraction(loss, n)
    own = chain(name, Root(inside) if squared else inside, Value(error))
    parts: list[Part] = [say("m5.rule", m=Count(m)), say("as.leaf"), Formula(own)]
    parts.append(Formula(chain(_charged(Value(error), n, m, 1.0), Value(one.leaf))))
    parts += [say("m5.subtree", v=Count(v), number=Value(below))]
    parts.append(Formula(chain(_charged(Value(below), n, m, v), Value(one.subtree))))
    return [*parts, *compared(case)]


def _charged(error: Expression, n: float, m: float, v: float) -> Expression:
    top = Sum(((1, quantity(n)), (1, times(Count(m), Count(v)))))
    return times(error, Fraction(top, less(quantity(n), Count(v))))

