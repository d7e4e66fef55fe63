"""Pruning by validation rows, written out: reduced error and pre-pruning.

As in Zhou's textbook, the arithmetic is the validation accuracy of the whole tree before and after the decision; costs
and squared errors take its place where the method uses them.
"""

from dataclasses import dataclass

import numpy as np

from treewright.language import N_
from treewright.ledger.worked.document import (
    Chain,
    Formula,
    Label,
    Part,
    Value,
    chain,
    fraction,
    row,
    table,
)
from treewright.ledger.worked.pruning_case import PruningCase, short
from treewright.ledger.worked.sentences import path_sentence
from treewright.prune.losses import training_losses
from treewright.prune.report import KEPT, PRUNED, PruningReport

MAX_DECISIONS = 12
"""Decisions that are listed at the root."""

TIE = 1e-12
"""Scores that differ by at most this part are equal."""


@dataclass(frozen=True)
class Wording:
    """The texts of a method that is judged by validation rows.

    rule          how it works
    subtree       the errors that are compared with those of the leaf
    before, after the score of the whole tree, by the name of the score
    done, refused what was decided, when the method changes the tree and when it does not
    verdicts      the same in a table
    summary       the scores of the first and the last tree
    """

    rule: str
    subtree: str
    before: dict[str, str]
    after: dict[str, str]
    done: str
    refused: str
    verdicts: tuple[str, str]
    summary: str


REDUCED_ERROR = Wording(
    rule=N_("From the bottom up, each node is tried as a leaf and judged by the validation rows."),
    subtree=N_("Validation errors of its subtree: {number}"),
    before={
        "accuracy": N_("validation accuracy before pruning"),
        "cost": N_("validation cost before pruning"),
        "loss": N_("validation squared error before pruning"),
    },
    after={
        "accuracy": N_("validation accuracy after pruning"),
        "cost": N_("validation cost after pruning"),
        "loss": N_("validation squared error after pruning"),
    },
    done=N_("Post-pruning decision: prune."),
    refused=N_("Post-pruning decision: keep the split."),
    verdicts=(N_("pruned"), N_("kept")),
    summary=N_("On the validation rows the whole tree goes from {first} to {last}."),
)

PRE_PRUNING = Wording(
    rule=N_(
        "From the root down, each split is tried and judged by the validation rows, its branches as leaves."
    ),
    subtree=N_("Validation errors of its branches as leaves: {number}"),
    before={
        "accuracy": N_("validation accuracy before the split"),
        "loss": N_("validation squared error before the split"),
    },
    after={
        "accuracy": N_("validation accuracy after the split"),
        "loss": N_("validation squared error after the split"),
    },
    done=N_("Pre-pruning decision: split."),
    refused=N_("Pre-pruning decision: do not split."),
    verdicts=(N_("split"), N_("not split")),
    summary=N_("On the validation rows the tree goes from {first}, the root as a leaf, to {last}."),
)


def reduced_error(case: PruningCase) -> list[Part]:
    """The validation score before and after the node becomes a leaf."""
    return _validated(case, REDUCED_ERROR)


def pre_pruning(case: PruningCase) -> list[Part]:
    """The validation score before and after the node is split."""
    return _validated(case, PRE_PRUNING)


def _validated(case: PruningCase, wording: Wording) -> list[Part]:
    one, _ = case.decision, case.sentences
    score = next(name.removesuffix(" before") for name in one.details if name.endswith(" before"))
    before, after = (float(one.details[f"{score} {when}"]) for when in ("before", "after"))
    weight = validation_weight(case.report, score)
    is_tie = abs(after - before) <= TIE * max(abs(before), abs(after), 1e-300)
    improves = (after > before) == (score == "accuracy")
    effect = _("The tree gets worse.")
    if is_tie:
        effect = _("The tree is neither better nor worse.")
    elif improves:
        effect = _("The tree improves.")
    parts: list[Part] = [
        _(wording.rule),
        _("Validation errors of the node as a leaf: {number}", number=short(one.leaf)),
        _(wording.subtree, number=short(one.subtree)),
        Formula(_score(_.label(wording.before[score]), before, score, weight)),
        Formula(_score(_.label(wording.after[score]), after, score, weight)),
        effect,
        _(wording.done if _changes_tree(one.verdict, wording) else wording.refused),
    ]
    if case.node == 0:
        parts += _whole_tree(case, score, wording)
    return parts


def _changes_tree(verdict: str, wording: Wording) -> bool:
    """Whether a decision changes the tree: post-pruning by a leaf, pre-pruning by a split."""
    return (verdict == "pruned") == (wording is REDUCED_ERROR)


def validation_weight(report: PruningReport, score: str) -> float | None:
    """The weight of all validation rows, from the effect of one error on the score; None if it never changed."""
    change = report.leaf - report.subtree
    step = np.asarray(report.details[f"{score} after"]) - np.asarray(report.details[f"{score} before"])
    changed = np.flatnonzero(np.abs(change) > 1e-9)
    if not len(changed):
        return None
    largest = changed[int(np.argmax(np.abs(change[changed])))]
    return float(abs(change[largest] / step[largest])) if step[largest] != 0 else None


def _score(name: Label, value: float, score: str, weight: float | None) -> Chain:
    shown = Value(value, percent=score == "accuracy")
    if weight is None or score == "loss":
        return chain(name, shown)
    return chain(name, fraction(round(value * weight, 9), round(weight, 9)), shown)


def _whole_tree(case: PruningCase, score: str, wording: Wording) -> list[Part]:
    """All decisions, and the scores of the first and the last tree."""
    report, _ = case.report, case.sentences
    before, after = (np.asarray(report.details[f"{score} {when}"]) for when in ("before", "after"))
    percent = score == "accuracy"
    n = min(len(report), MAX_DECISIONS)
    rows = []
    for i in range(n):
        one = report[i]
        scores = (Value(float(column[i]), percent=percent) for column in (before, after))
        verdict = _(wording.verdicts[0 if _changes_tree(one.verdict, wording) else 1])
        rows.append(
            row(str(one.node), path_sentence(report.tree, one.node, _), Label(one.column), *scores, verdict)
        )
    head = _("node"), _("path"), _("splits on"), _("before"), _("after"), _("verdict")
    n_more = len(report) - n
    below = [_.plural("… {n} more decision", "… {n} more decisions", n_more, n=str(n_more))] if n_more else []
    parts: list[Part] = [
        _("All decisions, in the order in which they were made:"),
        table(head, rows, n_labels=3, below=below, ends_in_labels=True),
    ]
    changed = PRUNED if wording is REDUCED_ERROR else KEPT
    last = float((after if report.verdict[-1] == changed else before)[-1])
    first_last = {"first": Value(float(before[0]), percent=percent), "last": Value(last, percent=percent)}
    parts.append(_(wording.summary, **first_last))
    return [*parts, *_training_accuracy(case)] if percent else parts


def _training_accuracy(case: PruningCase) -> list[Part]:
    """The training accuracy of the grown tree and of the pruned tree."""
    tree, _ = case.tree, case.sentences
    losses = training_losses(tree)
    is_left = np.zeros(tree.n_nodes, bool)
    is_left[case.report.origin] = True
    # Nodes of the pruned tree are leaves when none of their branches is left.
    is_parent = np.zeros(tree.n_nodes, bool)
    is_parent[tree.parent[np.flatnonzero(is_left)[1:]]] = True
    everywhere, weight = np.ones(tree.n_nodes, bool), float(tree.weight[0])
    lines: list[Part] = []
    for label, here, inner in (
        (_.label(N_("training accuracy of the grown tree")), everywhere, tree.n_children > 0),
        (_.label(N_("training accuracy of the pruned tree")), is_left, is_parent),
    ):
        wrong = float(losses.leaf[here & ~inner].sum() + losses.staying[here & inner].sum())
        lines.append(
            Formula(chain(label, fraction(weight - wrong, weight), Value(1 - wrong / weight, percent=True)))
        )
    return lines
