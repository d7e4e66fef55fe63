"""Pruning by validation rows, written out: reduced error and pre-pruning.

In: a `Case`. Out: how many validation rows the whole tree answers rightly before and after, as Zhou's textbook has it;
costs and squared errors where these take the place of errors.
"""

import numpy as np

from treewright.ledger.worked.case import Case
from treewright.ledger.worked.document import Formula, Part, row, table
from treewright.ledger.worked.expressions import (
    EQUALS,
    LESS,
    MORE,
    Chain,
    Expression,
    Value,
    Words,
    chain,
    fraction,
)
from treewright.ledger.worked.verdict import short
from treewright.ledger.worked.way import way_to
from treewright.prune.losses import training_losses
from treewright.prune.report import KEPT, PRUNED, PruningReport

N_STEPS = 12
"""Decisions of a walk that are listed at the root."""

TIE = 1e-12


def reduced_error(case: Case) -> list[Part]:
    """Before and after the node becomes a leaf."""
    return _walked(case, "rep")


def pre_pruning(case: Case) -> list[Part]:
    """Before and after the node is split."""
    return _walked(case, "pre")


def _walked(case: Case, key: str) -> list[Part]:
    one, say = case.decision, case.say
    judge = next(name.removesuffix(" before") for name in one.details if name.endswith(" before"))
    before, after = (float(one.details[f"{judge} {when}"]) for when in ("before", "after"))
    parts: list[Part] = [say(f"{key}.rule")]
    parts += [
        say("validation.leaf", number=short(one.leaf)),
        say("validation.split" if key == "pre" else "validation.subtree", number=short(one.subtree)),
    ]
    weight = validation_weight(case.report, judge)
    parts += [
        Formula(_score(say.word(f"{key}.before.{judge}"), before, judge, weight)),
        Formula(_score(say.word(f"{key}.after.{judge}"), after, judge, weight)),
    ]
    signs = (MORE, LESS) if judge == "accuracy" else (LESS, MORE)
    same = abs(after - before) <= TIE * max(abs(before), abs(after), 1e-300)
    sign = EQUALS if same else signs[0] if after > before else signs[1]
    relation = {MORE: "better", LESS: "worse", EQUALS: "equal"}[sign]
    parts.append(say(relation))
    parts.append(say(f"{key}.{'made' if (one.verdict == 'pruned') == (key == 'rep') else 'not'}"))
    if case.node == 0:
        parts += _whole_tree(case, judge, key)
    return parts


def validation_weight(report: PruningReport, judge: str) -> float | None:
    """The weight of all validation rows, by what one more error does to the score; None where no step changed it."""
    change = report.leaf - report.subtree
    step = np.asarray(report.details[f"{judge} after"]) - np.asarray(report.details[f"{judge} before"])
    told = np.flatnonzero(np.abs(change) > 1e-9)
    if not len(told):
        return None
    largest = told[int(np.argmax(np.abs(change[told])))]
    return float(abs(change[largest] / step[largest])) if step[largest] != 0 else None


def _score(name: str, score: float, judge: str, weight: float | None) -> Chain:
    shown = Value(score, percent=judge == "accuracy")
    if weight is None or judge == "loss":
        return chain(Words(name), shown)
    return chain(Words(name), fraction(round(score * weight, 9), round(weight, 9)), shown)


def _whole_tree(case: Case, judge: str, key: str) -> list[Part]:
    """The walk step by step, and how well the trees before and after it do."""
    report, say = case.report, case.say
    before, after = (np.asarray(report.details[f"{judge} {when}"]) for when in ("before", "after"))
    is_share = judge == "accuracy"
    n = min(len(report), N_STEPS)
    rows = []
    for i in range(n):
        one = report[i]
        made = (one.verdict == "pruned") == (key == "rep")
        scores = (Value(float(column[i]), percent=is_share) for column in (before, after))
        verdict = say(f"{key}.step.{'made' if made else 'not'}")
        rows.append(row(str(one.node), way_to(report.tree, one.node, say), Words(one.column), *scores, verdict))
    head = say("node"), say("where"), say("asks"), say("before"), say("after"), say("verdict")
    below = [say("more.steps", n=str(len(report) - n))] if len(report) > n else []
    parts: list[Part] = [say("walk"), table(head, rows, n_words=3, below=below, ends_in_words=True)]
    changed = PRUNED if key == "rep" else KEPT
    last = float((after if report.verdict[-1] == changed else before)[-1])
    ends = {"first": float(before[0]), "last": last}
    parts.append(say(f"{key}.ends", **{name: Value(score, percent=is_share) for name, score in ends.items()}))
    if is_share:
        parts += _training(case)
    return parts


def _training(case: Case) -> list[Part]:
    """How many training rows the tree answers rightly, as it was grown and as it is left."""
    tree, say = case.tree, case.say
    losses = training_losses(tree)
    left = np.zeros(tree.n_nodes, bool)
    left[case.report.origin] = True
    # Nodes of the tree that is left are leaves when none of their branches is left.
    parents = np.zeros(tree.n_nodes, bool)
    parents[tree.parent[np.flatnonzero(left)[1:]]] = True
    whole = float(tree.weight[0])
    lines: list[Part] = []
    for key, inner in (("grown", tree.n_children > 0), ("left", parents)):
        here = np.ones(tree.n_nodes, bool) if key == "grown" else left
        wrong = float(losses.leaf[here & ~inner].sum() + losses.staying[here & inner].sum())
        right: Expression = fraction(whole - wrong, whole)
        lines.append(Formula(chain(Words(say.word(f"training.{key}")), right, Value(1 - wrong / whole, percent=True))))
    return lines

