"""Pruning by information, written out: critical value and description length.

Each function returns the arithmetic of a decision, or None where it does not lead to the numbers of the report.
"""

from math import lgamma, log, log2, pi

import numpy as np

from treewright.language import N_
from treewright.ledger.worked.document import (
    AT_LEAST,
    LESS,
    Call,
    Chain,
    Count,
    Expression,
    Formula,
    Fraction,
    Part,
    Power,
    Sum,
    Symbol,
    Value,
    call,
    chain,
    fraction,
    less,
    quantity,
    row,
    table,
    times,
    total,
)
from treewright.ledger.worked.document import log2 as log2_of
from treewright.ledger.worked.pruning_case import PruningCase, agrees, comparison, short
from treewright.ledger.worked.sentences import more_branches
from treewright.model.strategies import STAYS
from treewright.prune.class_stats import branch_class_weights, class_information, count_present_classes
from treewright.prune.critical_value import CutOffs, g_values
from treewright.prune.mdl import label_bits, split_bits

MAX_BRANCHES = 20
"""Branches that a table lists."""

MAX_TREES = 12
"""Trees of a series that a table lists."""


def critical_value(case: PruningCase) -> list[Part] | None:
    """G = 2 N IM of the node's split, with IM the information gain in natural units; the strongest split decides."""
    one, _, report = case.decision, case.sentences, case.report
    own = float(one.details["own split"])
    if report.unit != "G":
        return [
            _("The strength of a split is the merit by which its column was chosen."),
            *_strongest(case, own),
        ]
    stats = branch_class_weights(case.tree)[case.node]
    rows = float(stats.sum())
    parts: list[Part] = [
        _(
            "G = 2N·IM, where IM is the information gain in natural units; for a split that is unrelated to the "
            "classes, G is approximately χ²-distributed."
        )
    ]
    if rows > 0:
        parts += _information(case, stats, rows, own)
    parts += _strongest(case, own)
    if case.node == 0:
        g = g_values(case.tree)
        inner = np.flatnonzero(case.tree.n_children)
        every = total([Value(float(g[i])) for i in inner])
        parts.append(_("The G of the whole tree is the sum over its splits:"))
        parts.append(Formula(chain(Symbol("G"), every, Value(float(g.sum())))))
        if isinstance(report.path, CutOffs):
            parts += _series(case, report.path)
    return parts


def _information(case: PruningCase, stats: np.ndarray, rows: float, own: float) -> list[Part]:
    _ = case.sentences
    before = float(class_information(stats[None, :])[0]) / rows
    lines, terms, after = [], [], 0.0
    for node in case.branches:
        classes = case.tree.stats[node]
        n = float(classes.sum())
        part = float(class_information(classes[None, :])[0]) / n if n > 0 else 0.0
        lines.append(row(case.condition(node), quantity(n), Value(part)))
        if n > 0:
            terms.append(times(fraction(n, rows), Value(part)))
            after += n / rows * part
    below = more_branches(len(lines) - MAX_BRANCHES, _)
    gain = before - after
    shown = [Formula(_natural(Symbol("D"), stats))]
    shown.append(Formula(chain(Symbol("IM"), less(Value(before), total(terms)), Value(gain))))
    shown.append(Formula(chain(Symbol("G"), times(Count(2), Symbol("N"), Symbol("IM")),
                               times(Count(2), quantity(rows), Value(gain)), Value(own))))  # fmt: skip
    head = _("branch"), Symbol("N"), Symbol("H")
    return [shown[0], table(head, lines[:MAX_BRANCHES], below=below), *shown[1:]]


def _natural(name: Symbol, stats: np.ndarray) -> Chain:
    """The entropy of class weights in natural units."""
    rows = float(stats.sum())
    terms = [
        times(fraction(n, rows), Call(Symbol("ln"), (fraction(n, rows),))) for n in stats.tolist() if n > 0
    ]
    found = float(class_information(stats[None, :])[0]) / rows
    return chain(call("H", name), Sum(((-1, total(terms)),)), Value(found))


def _strongest(case: PruningCase, own: float) -> list[Part]:
    one, _ = case.decision, case.sentences
    parts: list[Part] = []
    if not agrees(own, one.leaf):
        numbers = {"own": Value(own), "best": Value(one.leaf)}
        parts.append(
            _("Its own split has {own}; the strongest split, its own or one below it, has {best}.", **numbers)
        )
    needed: Expression = Value(one.subtree)
    relation = LESS if one.verdict == "pruned" else AT_LEAST
    both = Chain(Value(one.leaf), ((relation, short(one.subtree) if np.isfinite(one.subtree) else needed),))
    if one.verdict == "pruned":
        return [
            *parts,
            Formula(both),
            _("Neither its split nor any below it is strong enough: the node becomes a leaf."),
        ]
    return [
        *parts,
        Formula(both),
        _("Its split, or one below it, is strong enough: the node keeps its split."),
    ]


def _series(case: PruningCase, path: CutOffs) -> list[Part]:
    """The trees of increasing critical values."""
    _ = case.sentences
    first = max(0, min(path.chosen - MAX_TREES // 2, len(path) - MAX_TREES))
    shown = range(first, min(first + MAX_TREES, len(path)))
    lines = [
        row(Value(float(path.cut_off[i])), str(path.n_leaves[i]), str(path.degrees[i]), Value(float(path.g[i])),
            _("chosen") if i == path.chosen else "")
        for i in shown
    ]  # fmt: skip
    n_more = len(path) - len(shown)
    below = [_.plural("… {n} more tree", "… {n} more trees", n_more, n=str(n_more))] if n_more else []
    head = _.context("table", "critical value"), _("leaves"), _("df"), Symbol("G"), ""
    found = table(head, lines, n_labels=0, below=below, ends_in_labels=True)
    return [_("The trees of increasing critical values:"), found]


def mdl(case: PruningCase) -> list[Part] | None:
    """The bits of the classes in a leaf, compared with those of the test and of the branches."""
    one, _ = case.decision, case.sentences
    k = count_present_classes(case.tree)
    test = float(one.details["bits of the test"])
    lines, numbers = [], []
    for node in case.branches:
        is_leaf = case.is_leaf(node)
        bits = 1.0 + float(label_bits(case.stats(node)[None, :], k)[0]) if is_leaf else case.subtree(node)
        if bits is None:
            return None
        numbers.append(bits)
        lines.append(
            row(
                case.condition(node),
                quantity(case.weight(node)),
                "" if is_leaf else _("subtree"),
                Value(bits),
            )
        )
    stays = one.subtree - 1.0 - test - sum(numbers)
    if abs(stays) > 1e-9 * one.subtree and case.tree.strategy.goes != STAYS:
        return None
    below = more_branches(len(lines) - MAX_BRANCHES, _)
    rule = _(
        "Bits of a message that encodes the classes of the rows; there are k = {k} classes. A node takes 1 bit, "
        "a split also the bits of its test.",
        k=str(k),
    )
    parts: list[Part] = [rule, _("As a leaf:"), *_leaf_bits(case, k), _("As a subtree:")]
    head = _("branch"), Symbol("n"), "", _("bits")
    parts += [Formula(_test_bits(case, test)), table(head, lines[:MAX_BRANCHES], below=below)]
    terms: list[Expression] = [Count(1), Value(test), *map(Value, numbers)]
    if abs(stays) > 1e-9 * one.subtree:
        terms.append(Value(stays))
    parts.append(Formula(chain(total(terms), Value(one.subtree))))
    return [*parts, *comparison(case)]


def _leaf_bits(case: PruningCase, k: int) -> list[Part]:
    """1 + sum n_i log2(n / n_i) + (k - 1)/2 log2(n / 2) + log2(pi^(k/2) / Gamma(k/2))."""
    one, _, stats = case.decision, case.sentences, case.stats(case.node)
    n = float(stats.sum())
    if n <= 0:
        return [_("As a leaf: {number}", number=Value(one.leaf))]
    classes = float(class_information(stats[None, :])[0]) / log(2)
    proportions = (k - 1) / 2.0 * log2(n / 2.0)
    last = k / 2.0 * log2(pi) - lgamma(k / 2.0) / log(2)
    if not agrees(1.0 + classes + proportions + last, one.leaf):
        return [
            _(
                "With so few rows the code length is computed directly (Krichevsky and Trofimov): {number}",
                number=Value(one.leaf),
            )
        ]
    terms: list[Expression] = [times(quantity(c), log2_of(fraction(n, c))) for c in stats.tolist() if c > 0]
    half = Fraction(Count(k), Count(2))
    code = log2_of(Fraction(Power(Symbol("π"), half), Call(Symbol("Γ"), (half,))))
    priors = times(Fraction(Count(k - 1), Count(2)), log2_of(fraction(n, 2)))
    letters = Sum(((1, Count(1)), (1, total(terms)), (1, priors), (1, code)))
    digits = Sum(((1, Count(1)), (1, Value(classes)), (1, Value(proportions)), (1, Value(last))))
    return [Formula(chain(call("L", Symbol("t")), letters, digits, Value(one.leaf)))]


def _test_bits(case: PruningCase, test: float) -> Chain:
    """log2 of the number of columns, plus log2 of the number of tests of the column."""
    _ = case.sentences
    n_columns = max(case.tree.schema.n_columns, 1)
    rest = float(split_bits(case.tree)[case.node]) - log2(n_columns)
    n_tests = 2.0**rest if rest < 40 else float("inf")
    tests: Expression = log2_of(quantity(round(n_tests, 9))) if np.isfinite(n_tests) else Value(rest)
    return chain(call("L", _.label(N_("test"))),
                 Sum(((1, log2_of(Count(n_columns))), (1, tests))), Value(test))  # fmt: skip
