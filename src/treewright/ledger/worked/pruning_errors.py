"""Formulas of the pruning methods that use training errors: error-based and pessimistic.

`error_based` and `pessimistic` return the computation behind a decision, or None if it does not reproduce the numbers
of the report.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from treewright.language import N_
from treewright.ledger.worked.document import (
    AT_MOST,
    MORE,
    Call,
    Chain,
    Count,
    Expression,
    Formula,
    Fraction,
    Part,
    Power,
    Root,
    Sum,
    Symbol,
    Value,
    chain,
    fraction,
    less,
    quantity,
    row,
    table,
    times,
    total,
)
from treewright.ledger.worked.pruning_case import VERDICTS, PruningCase, agrees, comparison, short
from treewright.ledger.worked.sentences import Sentences, more_branches
from treewright.prune.error_based import ErrorBased
from treewright.prune.limits import CONFIDENCES, DEVIATIONS, LIMITS, Limit
from treewright.prune.losses import training_losses

NEAR = 1e-9
"""A sum of fractional weights that differs from an integer by at most this counts as that integer."""

FEW_ERRORS = 5
"""With fewer errors the binomial sum is written out."""

MAX_LIMITS = 6
"""Number of different leaves whose limit is written out; for the others the table has only the result."""

MAX_BRANCHES = 20
"""Largest number of branches in a table."""

LIMIT_NAMES = {
    "exact": N_("binomial distribution"),
    "release8": N_("normal approximation of C4.5 Release 8"),
    "weka": N_("normal approximation of Weka"),
}


class Estimate(NamedTuple):
    """A branch: its rows, its training errors (None if it is not a leaf) and its estimated errors."""

    node: int
    rows: float
    errors: float | None
    estimated: float


def error_limit(limit: Limit, rows: float, errors: float) -> float:
    """U_CF(E, N), computed as in pruning.

    >>> round(error_limit(Limit("exact", 0.25), 6, 0), 4)
    0.2063
    """
    if rows <= 0:
        return 0.0
    return float(limit.estimates(np.array([rows]), np.array([errors]))[0]) / rows


def limit_symbol(limit: Limit, rows: float, errors: float) -> Call:
    """The symbol of the limit, such as U_25%(E, N)."""
    return Call(Symbol("U", Value(limit.confidence, percent=True)), (quantity(errors), quantity(rows)))


def limit_formulas(limit: Limit, rows: float, errors: float, _: Sentences) -> list[Part]:
    """The formulas of U_CF(E, N); which ones depends on the kind of limit and the number of errors."""
    name, found = limit_symbol(limit, rows, errors), Value(error_limit(limit, rows, errors))
    if errors < NEAR:
        return [Formula(chain(name, less(Count(1), _root_of_confidence(limit, rows)), found))]
    if limit.name == "exact":
        return _binomial(limit, rows, errors, _)
    least = 0.9999 if limit.name == "release8" else 1.0 - NEAR
    if errors < least:
        low, high = (error_limit(limit, rows, e) for e in (0.0, 1.0))
        between = Sum(((1, limit_symbol(limit, rows, 0)), (1, times(quantity(errors), less(
            limit_symbol(limit, rows, 1), limit_symbol(limit, rows, 0))))))  # fmt: skip
        with_digits = Sum(((1, Value(low)), (1, times(quantity(errors), less(Value(high), Value(low))))))
        first = [*limit_formulas(limit, rows, 0, _), *limit_formulas(limit, rows, 1, _)]
        return [*first, Formula(chain(name, between, with_digits, found))]
    if errors + 0.5 >= rows - NEAR:
        return _nearly_all(limit, rows, errors, _)
    return [Formula(chain(name, _normal_letters(), _normal_digits(limit, rows, errors), found))]


def quantile_formulas(limit: Limit, _: Sentences) -> list[Part]:
    """The quantile z of the normal approximation, for limits that use it."""
    z, cf = Value(limit.square**0.5), limit.confidence
    if limit.name != "release8":
        quantile = chain(Symbol("z"), Call(Symbol("Φ", above=Count(-1)), (less(Count(1), Count(cf)),)), z)
        text = _("z is the quantile of the normal distribution at 1 − {cf}:", cf=Value(cf, percent=True))
        return [text, Formula(quantile)]
    i = min(max(int(np.searchsorted(CONFIDENCES, cf)), 1), len(CONFIDENCES) - 1)
    (low, high), (first, second) = CONFIDENCES[i - 1 : i + 1], DEVIATIONS[i - 1 : i + 1]
    position = Fraction(less(Count(cf), Count(low)), less(Count(high), Count(low)))
    line = Sum(((1, Count(first)), (1, times(position, less(Count(second), Count(first))))))
    text = _("z is interpolated linearly between two entries of a small table of the normal distribution:")
    return [text, Formula(chain(Symbol("z"), line, z))]


def _root_of_confidence(limit: Limit, rows: float) -> Expression:
    return Power(Count(limit.confidence), Fraction(Count(1), quantity(rows)))


def _binomial(limit: Limit, rows: float, errors: float, _: Sentences) -> list[Part]:
    """The exact limit: the equation for the error rate at which at most E errors have probability CF."""
    name, rate = limit_symbol(limit, rows, errors), error_limit(limit, rows, errors)
    found = Formula(chain(name, Value(rate)))
    n, e = round(rows), round(errors)
    if abs(n - rows) > NEAR or abs(e - errors) > NEAR or e >= FEW_ERRORS:
        text = _(
            "U is the error rate at which at most this many errors have probability CF, by the incomplete beta "
            "function:"
        )
        return [text, found]
    if e == n:
        return [Formula(chain(name, Count(1)))]
    u = Symbol("U")
    terms: list[Expression] = [_binomial_term(n, i, u) for i in range(e + 1)]
    equation = Chain(total(terms), (("=", Count(limit.confidence)),))
    text = _(
        "U is the error rate at which the probability of no more errors than {errors} is CF:",
        errors=quantity(errors),
    )
    return [text, Formula(equation), found]


def _binomial_term(n: int, i: int, u: Symbol) -> Expression:
    right = Power(less(Count(1), u), Count(n - i))
    if i == 0:
        return right
    errors = u if i == 1 else Power(u, Count(i))
    return times(Count(comb(n, i)), errors, right if n - i > 1 else less(Count(1), u))


def _nearly_all(limit: Limit, rows: float, errors: float, _: Sentences) -> list[Part]:
    """The limit if nearly all rows are errors, where the normal approximation is not used."""
    name, found = limit_symbol(limit, rows, errors), Value(error_limit(limit, rows, errors))
    if limit.name != "release8":
        every_row = chain(name, Fraction(quantity(rows), quantity(rows)), found)
        return [_("E + 0.5 reaches N, so every row is expected to be an error:"), Formula(every_row)]
    more = times(Count(0.67), less(quantity(rows), quantity(errors)))
    digits = Fraction(Sum(((1, quantity(errors)), (1, more))), quantity(rows))
    text = _(
        "E + 0.5 reaches N, where the approximation ends; 0.67 of the other rows are expected to be errors:"
    )
    return [text, Formula(chain(name, digits, found))]


def _normal_letters() -> Expression:
    e, n, z2 = Symbol("E"), Symbol("N"), Power(Symbol("z"), Count(2))
    return _normal(e, n, z2)


def _normal_digits(limit: Limit, rows: float, errors: float) -> Expression:
    return _normal(quantity(errors), quantity(rows), Value(limit.square))


def _normal(e: Expression, n: Expression, z2: Expression) -> Expression:
    above = Sum(((1, e), (1, Count(0.5))))
    inside = Sum(((1, times(above, less(Count(1), Fraction(above, n)))), (1, Fraction(z2, Count(4)))))
    top = Sum(((1, e), (1, Count(0.5)), (1, Fraction(z2, Count(2))), (1, Root(times(z2, inside)))))
    return Fraction(top, Sum(((1, n), (1, z2))))


def error_based(case: PruningCase) -> list[Part] | None:
    """Error-based pruning: N U(E, N) of the node as a leaf, of each branch, and their sum."""
    limit = _limit(case)
    if limit is None:
        return None
    one, _ = case.decision, case.sentences
    rows, errors = case.weight(case.node), case.errors(case.node)
    estimates = _branch_estimates(case, limit)
    pairs = [(rows, errors)]
    pairs += [(b.rows, b.errors) for b in estimates or () if b.rows > 0 and b.errors is not None]
    different = list(dict.fromkeys((round(n, 9), round(e, 9)) for n, e in pairs))
    cf = Value(limit.confidence, percent=True)
    rule = _(
        "A leaf with E errors among N rows is expected to make N·U(E, N) errors, where U is the upper "
        "confidence limit of its error rate at CF = {cf} ({limit}).",
        cf=cf,
        limit=_(LIMIT_NAMES[limit.name]),
    )
    parts: list[Part] = [rule]
    if any(pair[1] > 1e-9 for pair in different) and limit.name != "exact":
        parts += quantile_formulas(limit, _)
    for n, e in different[:MAX_LIMITS]:
        parts += limit_formulas(limit, n, e, _)
    if estimates is not None:
        parts += _branch_table(case, limit, estimates)
    as_leaf = chain(
        times(quantity(rows), limit_symbol(limit, rows, errors)),
        _expected(limit, rows, errors),
        Value(one.leaf),
    )
    parts += [_("As a leaf:"), Formula(as_leaf), _("As a subtree:")]
    if estimates is not None:
        terms = [
            Value(b.estimated) if b.errors is None else _expected(limit, b.rows, b.errors)
            for b in estimates
            if b.estimated
        ]
        parts.append(Formula(chain(total(terms) if terms else Count(0), Value(one.subtree))))
    else:
        parts.append(_("The branches together: {number}", number=Value(one.subtree)))
    return [*parts, *_comparison_with_raising(case)]


def _comparison_with_raising(case: PruningCase) -> list[Part]:
    """Compare the leaf with the subtree and, if subtree raising was tried, with the largest branch."""
    one, _ = case.decision, case.sentences
    if one.branch is None:
        return comparison(case)
    branch, allowance = Value(one.branch), short(one.allowance)

    def against(own: float, other: float) -> Formula:
        relation = AT_MOST if own <= other + one.allowance + 1e-12 else MORE
        limit = Sum(((1, Value(other)), (1, allowance))) if one.allowance else Value(other)
        return Formula(Chain(Value(own), ((relation, limit),)))

    parts: list[Part] = [
        _("With the largest branch in place of the node: {number}", number=branch),
        against(one.leaf, one.subtree),
    ]
    if one.leaf <= one.subtree + one.allowance + 1e-12:
        parts.append(against(one.leaf, one.branch))
    if one.verdict != "pruned":
        parts.append(against(one.branch, one.subtree))
    return [*parts, _(VERDICTS[one.verdict])]


def _limit(case: PruningCase) -> Limit | None:
    """The limit that reproduces the numbers of the report: that of the method, or one with the default confidence."""
    rows, errors, leaf = case.weight(case.node), case.errors(case.node), case.decision.leaf
    tried = [Limit(name, 0.25) for name in LIMITS]
    if isinstance(case.method, ErrorBased):
        tried.insert(0, Limit(case.method.limit, case.method.confidence))
    return next((limit for limit in tried if agrees(error_limit(limit, rows, errors) * rows, leaf)), None)


def _branch_estimates(case: PruningCase, limit: Limit) -> list[Estimate] | None:
    """The estimated errors of each branch; None if their sum is not the number of the subtree in the report."""
    found: list[Estimate] = []
    for node in case.branches:
        rows = case.weight(node)
        if case.is_leaf(node):
            errors = case.errors(node)
            found.append(Estimate(node, rows, errors, error_limit(limit, rows, errors) * rows))
            continue
        below = case.subtree(node)
        if below is None:
            return None
        found.append(Estimate(node, rows, None, below))
    return found if agrees(sum(one.estimated for one in found), case.decision.subtree) else None


def _branch_table(case: PruningCase, limit: Limit, estimates: list[Estimate]) -> list[Part]:
    _ = case.sentences
    head = _("branch"), Symbol("N"), Symbol("E"), Symbol("U"), times(Symbol("N"), Symbol("U"))
    rows = []
    for node, n, e, found in estimates[:MAX_BRANCHES]:
        if e is None:
            rows.append(row(case.condition(node), quantity(n), _("subtree"), "", Value(found)))
        else:
            rate = Value(error_limit(limit, n, e))
            rows.append(row(case.condition(node), quantity(n), quantity(e), rate, Value(found)))
    below = more_branches(len(estimates) - MAX_BRANCHES, _)
    return [table(head, rows, below=below)]


def _expected(limit: Limit, rows: float, errors: float) -> Expression:
    return times(quantity(rows), Value(error_limit(limit, rows, errors)))


def pessimistic(case: PruningCase) -> list[Part] | None:
    """Pessimistic pruning: errors, a penalty for each leaf and the standard error; for regression the factor of M5."""
    return _by_size(case) if case.tree.schema.target.is_number else _by_errors(case)


def _by_errors(case: PruningCase) -> list[Part] | None:
    one, _ = case.decision, case.sentences
    rows, errors = case.weight(case.node), case.errors(case.node)
    n_leaves, below = float(one.details["leaves"]), float(one.details["training errors"])
    penalty = round(one.leaf - errors, 12)
    if not agrees(below + penalty * n_leaves, one.subtree):
        return None
    rate = one.subtree / rows if rows > 0 else 0.0
    spread = float(np.sqrt(rows * min(rate, 1.0) * (1.0 - min(rate, 1.0))))
    times_se = round(one.allowance / spread, 9) if spread > 0 else 1.0
    each = Count(penalty)
    leaves = _leaf_errors(case)
    terms: Expression = quantity(below) if leaves is None else total([quantity(e) for e in leaves])
    se_digits = Root(times(quantity(rows), Value(rate), less(Count(1), Value(rate))))
    parts: list[Part] = [
        _(
            "Training errors are optimistic, so {penalty} of an error is added for each leaf. The node becomes "
            "a leaf when its number is at most S plus the standard error SE.",
            penalty=each,
        ),
        _("As a leaf:"),
        Formula(chain(Sum(((1, quantity(errors)), (1, each))), Value(one.leaf))),
        _("As a subtree:"),
        Formula(
            chain(Symbol("S"), Sum(((1, terms), (1, times(quantity(n_leaves), each)))), Value(one.subtree))
        ),
        Formula(
            chain(Symbol("e"), Fraction(Symbol("S"), Symbol("N")), fraction(one.subtree, rows), Value(rate))
        ),
        Formula(chain(Symbol("SE"), _se_letters(), se_digits, Value(spread))),
    ]
    allowed: Expression = Value(spread) if times_se == 1 else times(Count(times_se), Value(spread))
    limit = Sum(((1, Value(one.subtree)), (1, allowed)))
    relation = AT_MOST if one.verdict == "pruned" else MORE
    both = Chain(Value(one.leaf), ((relation, limit), ("=", Value(one.subtree + one.allowance))))
    return [*parts, Formula(both), _(VERDICTS[one.verdict])]


def _se_letters() -> Expression:
    return Root(times(Symbol("N"), Symbol("e"), less(Count(1), Symbol("e"))))


def _leaf_errors(case: PruningCase) -> list[float] | None:
    """The training errors of the leaves of the subtree; None if there are too many."""
    found, waiting = [], [case.node]
    while waiting:
        node = waiting.pop()
        first, n = int(case.tree.first_child[node]), int(case.tree.n_children[node])
        if n == 0:
            found.append(case.errors(node))
        if len(found) > 8 or len(waiting) + n > 64:
            return None
        waiting.extend(range(first + n - 1, first - 1, -1))
    return found if agrees(sum(found), float(case.decision.details["training errors"])) else None


def _by_size(case: PruningCase) -> list[Part] | None:
    """Pruning as in M5: the error is multiplied by (n + m v) / (n - v) for v parameters."""
    one, _ = case.decision, case.sentences
    n, v = case.weight(case.node), float(one.details["parameters"])
    squared = not case.tree.by_median
    loss = float(training_losses(case.tree).leaf[case.node])
    mean = loss / n if n > 0 else 0.0
    error = mean**0.5 if squared else mean
    if n <= v or n <= 1 or error <= 0:
        return None
    m = round(one.leaf / error * (n - 1) - n, 9)
    below = one.subtree * (n - v) / (n + m * v)
    name = Symbol("RMHD" if case.tree.by_deviance else "RMSE" if squared else "MAE")
    inside: Expression = fraction(loss, n)
    own = chain(name, Root(inside) if squared else inside, Value(error))
    rule = _("The error is multiplied by (n + {m}v)/(n − v) for n rows and v parameters.", m=Count(m))
    parts: list[Part] = [rule, _("As a leaf:"), Formula(own)]
    parts.append(Formula(chain(_scaled_error(Value(error), n, m, 1.0), Value(one.leaf))))
    parts += [_("As a subtree, with v = {v} and an error of {number}:", v=Count(v), number=Value(below))]
    parts.append(Formula(chain(_scaled_error(Value(below), n, m, v), Value(one.subtree))))
    return [*parts, *comparison(case)]


def _scaled_error(error: Expression, n: float, m: float, v: float) -> Expression:
    top = Sum(((1, quantity(n)), (1, times(Count(m), Count(v)))))
    return times(error, Fraction(top, less(quantity(n), Count(v))))
