"""Pruning by information, written out: critical value and description length.

In: a `Case`. Out: the arithmetic of its decision, or None where the numbers of the report cannot be had by it.
"""

from math import lgamma, log, log2, pi

import numpy as np

from treewright.ledger.worked.case import Case, same
from treewright.ledger.worked.document import Formula, Part, row, table
from treewright.ledger.worked.expressions import (
    AT_LEAST,
    LESS,
    Call,
    Chain,
    Count,
    Expression,
    Fraction,
    Power,
    Sum,
    Symbol,
    Value,
    Words,
    call,
    chain,
    fraction,
    less,
    quantity,
    times,
    total,
)
from treewright.ledger.worked.expressions import log2 as log2_of
from treewright.ledger.worked.verdict import compared, short
from treewright.model.strategies import STAYS
from treewright.prune.class_stats import in_branches, information, present_classes
from treewright.prune.critical_value import g_values
from treewright.prune.cut_offs import CutOffs
from treewright.prune.mdl import label_bits, split_bits

N_BRANCHES = 20
"""Branches that a table lists."""

N_TREES = 12
"""Trees of a series that are listed."""


def critical_value(case: Case) -> list[Part] | None:
    """G = 2 N IM, IM the information gain in natural units, of the node's own split; the strongest one decides."""
    one, say, report = case.decision, case.say, case.report
    own = float(one.details["own split"])
    if report.unit != "G":
        return [say("cvp.merit"), *_strongest(case, own)]
    stats = in_branches(case.tree)[case.node]
    rows = float(stats.sum())
    parts: list[Part] = [say("cvp.rule")]
    if rows > 0:
        parts += _information(case, stats, rows, own)
    parts += _strongest(case, own)
    if case.node == 0:
        g = g_values(case.tree)
        inner = np.flatnonzero(case.tree.n_children)
        every = total([Value(float(g[i])) for i in inner])
        parts += [say("cvp.tree"), Formula(chain(Symbol("G"), every, Value(float(g.sum()))))]
        if isinstance(report.path, CutOffs):
            parts += _series(case, report.path)
    return parts


def _information(case: Case, stats: np.ndarray, rows: float, own: float) -> list[Part]:
    say = case.say
    before = float(information(stats[None, :])[0]) / rows
    lines, terms, after = [], [], 0.0
    for node in case.branches:
        classes = case.tree.stats[node]
        n = float(classes.sum())
        part = float(information(classes[None, :])[0]) / n if n > 0 else 0.0
        lines.append(row(case.words(node), quantity(n), Value(part)))
        if n > 0:
            terms.append(times(fraction(n, rows), Value(part)))
            after += n / rows * part
    below = [say("more.branches", n=str(len(lines) - N_BRANCHES))] if len(lines) > N_BRANCHES else []
    gain = before - after
    shown = [Formula(_natural(Symbol("D"), stats))]
    shown.append(Formula(chain(Symbol("IM"), less(Value(before), total(terms)), Value(gain))))
    shown.append(Formula(chain(Symbol("G"), times(Count(2), Symbol("N"), Symbol("IM")),
                               times(Count(2), quantity(rows), Value(gain)), Value(own))))  # fmt: skip
    head = say("branch"), Symbol("N"), Symbol("H")
    return [shown[0], table(head, lines[:N_BRANCHES], below=below), *shown[1:]]


def _natural(name: Symbol, stats: np.ndarray) -> Chain:
    """The entropy of some classes in natural units."""
    rows = float(stats.sum())
    terms = [times(fraction(n, rows), Call(Symbol("ln"), (fraction(n, rows),))) for n in stats.tolist() if n > 0]
    found = float(information(stats[None, :])[0]) / rows
    return chain(call("H", name), Sum(((-1, total(terms)),)), Value(found))


def _strongest(case: Case, own: float) -> list[Part]:
    one, say = case.decision, case.say
    parts: list[Part] = []
    if not same(own, one.leaf):
        parts.append(say("cvp.below", own=Value(own), best=Value(one.leaf)))
    needed: Expression = Value(one.subtree)
    relation = LESS if one.verdict == "pruned" else AT_LEAST
    both = Chain(Value(one.leaf), ((relation, short(one.subtree) if np.isfinite(one.subtree) else needed),))
    return [*parts, Formula(both), say(f"cvp.{one.verdict}")]


def _series(case: Case, path: CutOffs) -> list[Part]:
    """The trees that rising critical values make."""
    say = case.say
    first = max(0, min(path.chosen - N_TREES // 2, len(path) - N_TREES))
    shown = range(first, min(first + N_TREES, len(path)))
    lines = [
        row(Value(float(path.cut_off[i])), str(path.n_leaves[i]), str(path.degrees[i]), Value(float(path.g[i])),
            say("chosen") if i == path.chosen else "")
        for i in shown
    ]  # fmt: skip
    below = [say("more.trees", n=str(len(path) - len(shown)))] if len(path) > len(shown) else []
    head = say("cut-off"), say("leaves"), say("degrees"), Symbol("G"), ""
    return [say("cvp.series"), table(head, lines, n_words=0, below=below, ends_in_words=True)]


def mdl(case: Case) -> list[Part] | None:
    """The bits of the classes in a leaf, against those of the test and of the branches."""
    one, say = case.decision, case.say
    k = present_classes(case.tree)
    test = float(one.details["bits of the test"])
    lines, numbers = [], []
    for node in case.branches:
        whole = case.is_whole(node)
        bits = 1.0 + float(label_bits(case.stats(node)[None, :], k)[0]) if whole else case.subtree(node)
        if bits is None:
            return None
        numbers.append(bits)
        lines.append(row(case.words(node), quantity(case.weight(node)), "" if whole else say("subtree"), Value(bits)))
    stays = one.subtree - 1.0 - test - sum(numbers)
    if abs(stays) > 1e-9 * one.subtree and case.tree.strategy.goes != STAYS:
        return None
    below = [say("more.branches", n=str(len(lines) - N_BRANCHES))] if len(lines) > N_BRANCHES else []
    parts: list[Part] = [say("mdl.rule", k=str(k)), say("as.leaf"), *_leaf_bits(case, k), say("as.subtree")]
    head = say("branch"), Symbol("n"), "", say("bits")
    parts += [Formula(_test_bits(case, test)), table(head, lines[:N_BRANCHES], below=below)]
    terms: list[Expression] = [Count(1), Value(test), *map(Value, numbers)]
    if abs(stays) > 1e-9 * one.subtree:
        terms.append(Value(stays))
    parts.append(Formula(chain(total(terms), Value(one.subtree))))
    return [*parts, *compared(case)]


def _leaf_bits(case: Case, k: int) -> list[Part]:
    """1 + sum n_i log2(n / n_i) + (k - 1)/2 log2(n / 2) + log2(pi^(k/2) / Gamma(k/2))."""
    one, say, stats = case.decision, case.say, case.stats(case.node)
    n = float(stats.sum())
    if n <= 0:
        return [say("plain.leaf", number=Value(one.leaf))]
    classes = float(information(stats[None, :])[0]) / log(2)
    shares = (k - 1) / 2.0 * log2(n / 2.0)
    last = k / 2.0 * log2(pi) - lgamma(k / 2.0) / log(2)
    if not same(1.0 + classes + shares + last, one.leaf):
        return [say("mdl.counted", number=Value(one.leaf))]
    terms: list[Expression] = [times(quantity(c), log2_of(fraction(n, c))) for c in stats.tolist() if c > 0]
    half = Fraction(Count(k), Count(2))
    code = log2_of(Fraction(Power(Symbol("π"), half), Call(Symbol("Γ"), (half,))))
    priors = times(Fraction(Count(k - 1), Count(2)), log2_of(fraction(n, 2)))
    letters = Sum(((1, Count(1)), (1, total(terms)), (1, priors), (1, code)))
    digits = Sum(((1, Count(1)), (1, Value(classes)), (1, Value(shares)), (1, Value(last))))
    return [Formula(chain(call("L", Symbol("t")), letters, digits, Value(one.leaf)))]


def _test_bits(case: Case, test: float) -> Chain:
    """log2 of the columns, and of the tests that the column has."""
    n_columns = max(case.tree.schema.n_columns, 1)
    rest = float(split_bits(case.tree)[case.node]) - log2(n_columns)
    n_tests = 2.0**rest if rest < 40 else float("inf")
    tests: Expression = log2_of(quantity(round(n_tests, 9))) if np.isfinite(n_tests) else Value(rest)
    return chain(call("L", Words(case.say.word("test"))),
                 Sum(((1, log2_of(Count(n_columns))), (1, tests))), Value(test))  # fmt: skip
