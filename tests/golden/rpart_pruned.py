"""Trees of R's rpart with its cp tables, and ours, grown as rpart grows and cut where it cuts.

In: a table. Out: our tree, the rows of its cp table, and where these differ from rpart's, with the cause.

rpart finds the cp of each node while it grows, from the bottom up. It looks at a branch only as it is when the branch
itself becomes a leaf; where a node goes before its branches do, nodes further down are still there, and rpart has
counted them as gone. Such a node gets a cp that is too small, and so do all nodes below it. `by_recursion` does as
rpart does; `treewright.prune.cost_complexity_path` follows the book. It also prints the cp of a root that is
never split as 0.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.golden.rpart import CONTROL, compare, frame, load_known, results
from tests.golden.sets import load
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.schema import Schema
from treewright.data.target import encode_classes, encode_numbers
from treewright.data.weights import apply_class_weight
from treewright.grow.grower import grow
from treewright.predict.predictions import predict_class_codes, predict_numbers
from treewright.presets import NO_GAIN, rpart
from treewright.prune.cost_complexity import CostComplexity
from treewright.prune.losses import training_losses

CP = 0.01
"""rpart's default."""

RPART = {**CONTROL, "max_depth": 30, "missing": "surrogate", "surrogates": "always", "min_impurity_decrease": NO_GAIN}
"""rpart's other defaults, as the preset has them."""

JOIN = 1e-5
"""rpart joins cps a and b when |a - b| / (a + b) is below this."""


@dataclass(frozen=True)
class Difference:
    """Where a set differs: in "leaves", "cp", "frame" or "fit"; what we have, what rpart has, and why."""

    name: str
    what: str
    ours: Any
    theirs: Any
    cause: str


CAUSES = {
    "anneal": "recursion",
    "anneal_orig": "recursion",
    "credit_a": "recursion",
    "tic_tac_toe": "recursion",
    "letter": "recursion",
    "monks2_test": "recursion",
    "postoperative": "unsplit root",
    "fishcatch": "tie",
}
"""The sets that differ, and why; see SAID."""

SAID = {
    "recursion": "rpart takes a branch as it is when it becomes a leaf itself, though the node above goes first",
    "unsplit root": "rpart prints 0 for the cp of a root that is never split",
    "tie": "Length1, Length2 and Length3 part 28 fish alike; we take the first, rpart the last",
}


def grown(estimator, X, y):
    """The tree before any pruning."""
    table = read_table(X)
    is_class = hasattr(estimator, "class_weight")
    target, answers = encode_classes(y) if is_class else encode_numbers(y)
    weight = apply_class_weight(None, estimator.class_weight, target, answers) if is_class else None
    return grow(Dataset(Schema(table.columns, target), table.values, answers, weight), estimator.plan())


def cp_rows(path, cp=CP):
    """(cp, splits, relative risk) from the root down to the tree that is best at `cp`."""
    rows = []
    for i in reversed(range(len(path))):
        own = path.alphas[i] / path.root_risk
        rows.append((max(own, cp), int(path.splits[i]), path.risk[i] / path.root_risk))
        if own <= cp:
            break
    return rows


def read_cp(text):
    """The stored rows of a cp table.

    >>> read_cp("0.88622754:0:1.00000000 0.01000000:1:0.11377246 ")
    [(0.88622754, 0, 1.0), (0.01, 1, 0.11377246)]
    """
    cells = (row.split(":") for row in text.split())
    return [(float(cp), int(splits), float(risk)) for cp, splits, risk in cells]


def same_rows(ours, theirs):
    """Whether two cp tables are the same to the eight digits that are stored."""
    return len(ours) == len(theirs) and np.allclose(ours, theirs, rtol=0, atol=5.1e-9)


def by_recursion(tree, cp=CP):
    """The rows of the cp table as rpart finds them on the whole tree, binary and grown without regard to cp."""
    risk = training_losses(tree).leaf
    alpha = cp * risk[0]
    own, below, splits = np.full(tree.n_nodes, alpha), risk.copy(), np.zeros(tree.n_nodes, int)
    for i in np.flatnonzero(tree.n_children)[::-1]:
        children = tree.first_child[i] + np.arange(2)
        branch = {c: (below[c], splits[c]) for c in children}

        def link(i=i, branch=branch):
            return (risk[i] - sum(r for r, _ in branch.values())) / (1 + sum(s for _, s in branch.values()))

        for c in sorted(children, key=own.__getitem__):  # the weaker one is the first to go
            if link() <= own[c]:
                break
            branch[c] = (risk[c], 0)
        if link() > alpha:
            own[i], below[i] = link(), sum(r for r, _ in branch.values())
            splits[i] = 1 + sum(s for _, s in branch.values())
    for i in range(1, tree.n_nodes):
        own[i] = min(own[i], own[tree.parent[i]])
    listed = []
    for one in sorted({alpha, *own[own > alpha]}, reverse=True):
        if not listed or (listed[-1] - one) / (listed[-1] + one) >= JOIN:
            listed.append(one)
    return [(one / risk[0], *_counted(tree, risk, own > one * (1 + 1e-12))) for one in listed]


def _counted(tree, risk, stays):
    """The splits of the tree whose inner nodes stay, and its relative risk."""
    leaf = ~stays & np.append(True, stays[tree.parent[1:]])
    return int(stays.sum()), risk[leaf].sum() / risk[0]


def fit_loss(tree, X, y):
    """Wrong answers, or the sum of squares, over all rows; also those that rpart did not grow on."""
    values = read_table(X).values
    if tree.schema.target.is_number:
        return float(((predict_numbers(tree, values) - y.to_numpy()) ** 2).sum())
    answered = np.array(tree.schema.target.classes)[predict_class_codes(tree, values)]
    return float((answered != y.to_numpy()).sum())


def grown_set(shared, name):
    """Our tree of a stored set."""
    task = results(shared)[name]["task"]
    return grown(rpart(method="class" if task == "classification" else "anova"), *load_known(shared, name))


def differences(shared, name):
    """All differences of one set."""
    stored, tree = results(shared)[name], grown_set(shared, name)
    pruned = CostComplexity(cp=CP).prune(tree)
    rows, nodes = read_cp(stored["cp"]), frame(stored["frame"])
    pairs, apart = compare(pruned.tree, nodes)
    loss = fit_loss(pruned.tree, *load(shared, name))
    found = []
    if pruned.tree.n_leaves != int(stored["leaves"]):
        found.append(("leaves", pruned.tree.n_leaves, int(stored["leaves"])))
    if not same_rows(cp_rows(pruned.report.path), rows):
        found.append(("cp", cp_rows(pruned.report.path), rows))
    if apart or len(nodes) != pruned.tree.n_nodes or len(pairs) != len(nodes):
        found.append(("frame", [(number, ours) for number, ours, _ in apart], stored["frame"]))
    if not np.isclose(loss, float(stored["fit"]), rtol=1e-6):
        found.append(("fit", loss, float(stored["fit"])))
    return [Difference(name, *one, SAID[CAUSES[name]]) for one in found]


def rpart_agreement(shared):
    """How many of the stored sets are equal in leaves, cp table, frame and fit, of how many, and all differences."""
    by_set = {name: differences(shared, name) for name in results(shared)}
    equal = sum(not found for found in by_set.values())
    return equal, len(by_set), [one for found in by_set.values() for one in found]
