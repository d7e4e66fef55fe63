"""Pruning written out: why a node became a leaf, or did not, with the digits.

In: a pruning report and a node of the grown tree. Out: a section of a document. Each method has its arithmetic in one
of the modules beside this one; where it does not lead to the numbers of the report, these are shown as they are.
"""

from collections.abc import Callable

from treewright.ledger.worked.case import Case
from treewright.ledger.worked.document import Part, Section, sentence
from treewright.ledger.worked.pruning_bits import critical_value, mdl
from treewright.ledger.worked.pruning_errors import error_based, pessimistic
from treewright.ledger.worked.pruning_global import within_budget
from treewright.ledger.worked.pruning_risk import cost_complexity, minimum_error
from treewright.ledger.worked.pruning_validation import pre_pruning, reduced_error
from treewright.ledger.worked.verdict import plainly
from treewright.prune.steps import Steps, nodes_of


def same_decision(case: Case) -> list[Part]:
    """How many leaves below answer otherwise, or how far off they are."""
    key = "same.rule.number" if case.tree.schema.target.is_number else "same.rule"
    return [case.say(key), *plainly(case)]


METHODS: dict[str, Callable[[Case], list[Part] | None]] = {
    "error_based": error_based,
    "pessimistic": pessimistic,
    "reduced_error": reduced_error,
    "pre_pruning": pre_pruning,
    "cost_complexity": cost_complexity,
    "minimum_error": minimum_error,
    "critical_value": critical_value,
    "mdl": mdl,
    "global": within_budget,
    "same_decision": same_decision,
}
"""The arithmetic of each method, by its name."""


def pruning_sections(case: Case) -> list[Section]:
    """The sections about what was decided at a node: one, or one for each step that came to it with a split."""
    report = case.report
    if not report.steps:
        return [pruning_section(case)]
    methods = case.method.methods if isinstance(case.method, Steps) else (None,) * len(report.steps)
    left = [*(one.tree for one in report.steps[1:]), case.pruned]
    return [
        pruning_section(Case(one, node, case.say, method, pruned))
        for one, node, method, pruned in zip(report.steps, nodes_of(report, case.node), methods, left, strict=True)
        if node >= 0 and one.tree.n_children[node]
    ]


def pruning_section(case: Case) -> Section:
    """The section about the decision at a node; at one that was not visited, that is said."""
    say, method = case.say, case.report.method
    name = say.word(f"method.{method}") if method in METHODS else method
    heading = say("pruning", method=sentence(name))
    if not (case.report.node == case.node).any():
        return Section(heading, (say("not.visited"),))
    written = METHODS[method](case) if method in METHODS else None
    return Section(heading, tuple(plainly(case) if written is None else written))
