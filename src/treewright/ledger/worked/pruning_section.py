"""Pruning sections: the arithmetic of the decision to prune a node or to keep it.

The arithmetic of most methods is in the other modules `pruning_...`. Where it does not lead to the numbers of the
report, these are shown without it.
"""

from collections.abc import Callable

import numpy as np

from treewright.language import N_
from treewright.ledger.worked.document import (
    AT_MOST,
    MORE,
    Chain,
    Count,
    Formula,
    Fraction,
    Part,
    Root,
    Section,
    Symbol,
    Value,
    chain,
    fraction,
    less,
    quantity,
    times,
)
from treewright.ledger.worked.pruning_bits import critical_value, mdl
from treewright.ledger.worked.pruning_case import (
    VERDICTS,
    PruningCase,
    agrees,
    comparison,
    report_numbers,
    short,
)
from treewright.ledger.worked.pruning_errors import error_based, pessimistic
from treewright.ledger.worked.pruning_risk import cost_complexity, minimum_error
from treewright.ledger.worked.pruning_validation import pre_pruning, reduced_error
from treewright.prune.global_budget import Global
from treewright.prune.steps import Steps, node_in_each_step

E, N, B, L = Symbol("E"), Symbol("N"), Symbol("B"), Symbol("L")


def global_pruning(case: PruningCase) -> list[Part]:
    """The budget, and the errors of the whole tree once the node is pruned."""
    one, _ = case.decision, case.sentences
    is_number = case.tree.schema.target.is_number
    rule = _(
        "The nodes that add the fewest errors per leaf removed are pruned first, as long as the training errors "
        "of the whole tree increase by at most the budget B. The tree makes E errors on N rows."
    )
    if is_number:
        rule = _(
            "The nodes that add the least loss per leaf removed are pruned first, as long as the training loss "
            "of the whole tree, E, increases by at most the budget B: its standard error, with normal errors in "
            "each leaf."
        )
    parts: list[Part] = [rule]
    parts.append(Formula(chain(E, quantity(one.subtree))))
    parts.append(Formula(_budget(case)))
    each, n_leaves = float(one.details["extra for each leaf"]), int(one.details["leaves"])
    parts.append(
        _(
            "The node is pruned at {number} more per leaf removed; the number of leaves of the tree is then {n}.",
            number=Value(each),
            n=str(n_leaves),
        )
    )
    return [*parts, _("Loss of the whole tree then, compared with E plus the budget:"), *comparison(case)]


def _budget(case: PruningCase) -> Chain:
    """B = k sqrt(E (1 - E / N)) where that is the budget, otherwise the number alone."""
    one, rows = case.decision, float(case.tree.weight[0])
    method = case.method if isinstance(case.method, Global) else Global()
    k, e = method.standard_errors, one.subtree
    if case.tree.schema.target.is_number or not agrees(
        k * float(np.sqrt(max(e * (1 - e / rows), 0.0))), one.allowance
    ):
        return chain(B, Value(one.allowance))
    letters = Root(times(E, less(Count(1), Fraction(E, N))))
    digits = Root(times(quantity(e), less(Count(1), fraction(e, rows))))
    if k == 1:
        return chain(B, letters, digits, Value(one.allowance))
    return chain(B, times(Count(k), letters), times(Count(k), digits), Value(one.allowance))


def same_decision(case: PruningCase) -> list[Part]:
    """The number of leaves below with another prediction, or the largest difference."""
    _ = case.sentences
    if case.tree.schema.target.is_number:
        rule = _(
            "A node becomes a leaf when every leaf below it makes the same prediction; the number is the "
            "largest difference."
        )
    else:
        rule = _(
            "A node becomes a leaf when every leaf below it makes the same prediction; the number counts the "
            "leaves that do not."
        )
    return [rule, *report_numbers(case)]


def max_leaves(case: PruningCase) -> list[Part]:
    """The leaves of the tree in which the node still has its split, and the maximum."""
    one, _ = case.decision, case.sentences
    return [
        _(
            "The nodes that save the least loss per leaf are pruned first, until the tree has at most {limit} leaves.",
            limit=short(one.leaf),
        ),
        _(
            "This node saves {number} per leaf. L is the number of leaves of the tree with this node and all that save "
            "more:",
            number=Value(float(one.details["extra for each leaf"])),
        ),
        Formula(chain(L, quantity(one.subtree))),
        Formula(Chain(L, ((MORE if one.verdict == "pruned" else AT_MOST, quantity(one.leaf)),))),
        _(VERDICTS[one.verdict]),
    ]


METHODS: dict[str, Callable[[PruningCase], list[Part] | None]] = {
    "error_based": error_based,
    "pessimistic": pessimistic,
    "reduced_error": reduced_error,
    "pre_pruning": pre_pruning,
    "cost_complexity": cost_complexity,
    "minimum_error": minimum_error,
    "critical_value": critical_value,
    "mdl": mdl,
    "global": global_pruning,
    "same_decision": same_decision,
    "max_leaves": max_leaves,
}
"""The arithmetic of each method, by its name."""

NAMES = {
    "error_based": N_("error-based (C4.5)"),
    "pessimistic": N_("pessimistic"),
    "reduced_error": N_("reduced error"),
    "pre_pruning": N_("pre-pruning"),
    "cost_complexity": N_("cost-complexity (CART)"),
    "minimum_error": N_("minimum error"),
    "critical_value": N_("critical value"),
    "mdl": N_("description length"),
    "global": N_("global, within a budget of errors"),
    "same_decision": N_("same decision"),
    "max_leaves": N_("maximum number of leaves"),
}
"""The name of each method in a heading."""


def pruning_sections(case: PruningCase) -> list[Section]:
    """The sections of the decision at a node: one, or one for each step of pruning that visited it with a split."""
    report = case.report
    if not report.steps:
        return [pruning_section(case)]
    methods = case.method.methods if isinstance(case.method, Steps) else (None,) * len(report.steps)
    trees_after = [*(one.tree for one in report.steps[1:]), case.pruned]
    return [
        pruning_section(PruningCase(one, node, case.sentences, method, pruned))
        for one, node, method, pruned in zip(
            report.steps, node_in_each_step(report, case.node), methods, trees_after, strict=True
        )
        if node >= 0 and one.tree.n_children[node]
    ]


def pruning_section(case: PruningCase) -> Section:
    """The section of the decision at a node, or that it was not visited."""
    _, method = case.sentences, case.report.method
    heading = _("Pruning: {method}", method=_(NAMES[method]) if method in NAMES else method)
    if not (case.report.node == case.node).any():
        return Section(heading, (_("This node was not visited: a node above it became a leaf first."),))
    written = METHODS[method](case) if method in METHODS else None
    return Section(heading, tuple(report_numbers(case) if written is None else written))
