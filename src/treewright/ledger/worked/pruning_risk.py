"""Pruning by expected errors and by the cost of leaves, written out: minimum error and cost-complexity.

Each function returns the arithmetic of a decision, or None where it does not lead to the numbers of the report.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.ledger.worked.document import (
    Bars,
    Call,
    Count,
    Expression,
    Formula,
    Fraction,
    Part,
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
from treewright.ledger.worked.pruning_case import PruningCase, agrees, comparison, short
from treewright.ledger.worked.sentences import more_branches
from treewright.model.tree import Tree
from treewright.prune.cost_complexity import CostComplexity
from treewright.prune.cost_complexity_path import RISKS, node_losses
from treewright.prune.losses import Losses, read_costs, read_priors
from treewright.prune.minimum_error import MinimumError

MAX_BRANCHES = 20
"""Branches that a table lists."""

T, SUBTREE = Symbol("t"), Symbol("T", Symbol("t"))


def minimum_error(case: PruningCase) -> list[Part] | None:
    """The expected error of the node as a leaf, and the weighted mean of those of its branches."""
    method = case.method if isinstance(case.method, MinimumError) else MinimumError()
    one, _ = case.decision, case.sentences
    if method.cost_matrix is not None:
        return None
    priors = read_priors(method.priors, case.tree)
    m = float(len(priors) if method.m is None else method.m)
    rows = case.weight(case.node)
    if rows <= 0 or not agrees(_expected(case, case.node, m, priors)[0], one.leaf):
        return None
    laplace = method.m is None and isinstance(method.priors, str) and method.priors == "equal"
    if laplace:
        rule = _(
            "The expected error of a node with n rows, n_c of them of its class, is (n − n_c + k − 1)/(n + k), "
            "k = {k} classes (Laplace).",
            k=str(len(priors)),
        )
    else:
        rule = _(
            "The expected error of a node with n rows, n_c of them of its class, is (n − n_c + (1 − p)m)/(n + "
            "m), p the prior of that class and m = {m}.",
            m=short(m),
        )
    parts: list[Part] = [rule]
    name = call("E", T)
    parts += [_("As a leaf:"), Formula(chain(name, *_written(case, case.node, m, priors)))]
    weighted_errors, lines = [], []
    for node in case.branches:
        n = case.weight(node)
        if case.is_leaf(node):
            error, digits = _expected(case, node, m, priors)[0], _written(case, node, m, priors)[0]
            lines.append(row(case.condition(node), quantity(n), digits, Value(error)))
        else:
            below = case.subtree(node)
            if below is None:
                return None
            error = below
            lines.append(row(case.condition(node), quantity(n), _("subtree"), Value(error)))
        if n > 0:
            weighted_errors.append((n, error))
    if not agrees(sum(n * error for n, error in weighted_errors) / rows, one.subtree):
        return None
    below_table = more_branches(len(lines) - MAX_BRANCHES, _)
    head = _("branch"), Symbol("n"), "", Symbol("E")
    parts += [_("As a subtree:"), table(head, lines[:MAX_BRANCHES], below=below_table)]
    mean = total([times(fraction(n, rows), Value(error)) for n, error in weighted_errors])
    parts.append(Formula(chain(call("E", SUBTREE), mean, Value(one.subtree))))
    return [*parts, *comparison(case)]


def _expected(case: PruningCase, node: int, m: float, priors: NDArray[np.float64]) -> tuple[float, int]:
    """The expected error of a node as a leaf, and its predicted class."""
    stats = case.stats(node)
    n = case.weight(node)
    if n + m <= 0:
        return float((1.0 - priors).min()), int(priors.argmax())
    wrong = (n - stats + m * (1.0 - priors)) / (n + m)
    return float(wrong.min()), int(wrong.argmin())


def _written(case: PruningCase, node: int, m: float, priors: NDArray[np.float64]) -> tuple[Expression, Value]:
    error, predicted = _expected(case, node, m, priors)
    n, own = case.weight(node), float(case.stats(node)[predicted])
    if np.ptp(priors) == 0 and m == len(priors):
        added: Expression = less(Count(m), Count(1))
        top = Sum(((1, quantity(n)), (-1, quantity(own)), (1, Count(m)), (-1, Count(1))))
    else:
        added = times(less(Count(1), short(float(priors[predicted]))), short(m))
        top = Sum(((1, quantity(n)), (-1, quantity(own)), (1, added)))
    return Fraction(top, Sum(((1, quantity(n)), (1, short(m))))), Value(error)


def cost_complexity(case: PruningCase) -> list[Part] | None:
    """g(t) = (R(t) - R(T_t)) / (|T_t| - 1), and the two costs at the chosen alpha."""
    found = _risk(case)
    if found is None:
        return None
    losses, alpha, risk = found
    one, _ = case.decision, case.sentences
    own, n_leaves = float(losses.leaf[case.node]) / losses.total, float(one.details["leaves"])
    below = one.subtree - alpha * n_leaves
    rule = _("R is the impurity, weighted by rows; each leaf costs α.")
    if risk == "error":
        rule = _(
            "R is the proportion of misclassified training rows (for regression the mean loss); each leaf costs α."
        )
    parts: list[Part] = [rule]
    parts += _weakest(case, losses)
    parts.append(_("At α = {alpha}:", alpha=Value(alpha)))
    a = Value(alpha)
    leaf = chain(Sum(((1, call("R", T)), (1, Symbol("α")))), Sum(((1, Value(own)), (1, a))), Value(one.leaf))
    names = Sum(((1, call("R", SUBTREE)), (1, times(Symbol("α"), Bars(SUBTREE)))))
    digits = Sum(((1, Value(max(below, 0.0))), (1, times(a, quantity(n_leaves)))))
    parts += [Formula(leaf), Formula(chain(names, digits, Value(one.subtree)))]
    return [*parts, *comparison(case)]


def _risk(case: PruningCase) -> tuple[Losses, float, str] | None:
    """The losses behind the numbers of the report, alpha (the cost of a leaf), and the name of the risk."""
    method = case.method if isinstance(case.method, CostComplexity) else CostComplexity()
    costs = read_costs(method.cost_matrix, case.tree)
    for risk in dict.fromkeys((method.risk, *RISKS)):
        losses = node_losses(case.tree, risk, costs)
        alphas = case.report.leaf - losses.leaf[case.report.node] / losses.total
        if agrees(float(np.ptp(alphas)) + 1.0, 1.0) and float(alphas.min()) > -1e-12:
            return losses, max(float(np.median(alphas)), 0.0), risk
    return None


def _weakest(case: PruningCase, losses: Losses) -> list[Part]:
    """The alpha at which the node becomes a leaf: the decrease of R per leaf when weaker links are pruned."""
    tree, _, alpha = case.tree, case.sentences, float(case.decision.details["alpha"])
    path = case.report.path
    below, n_leaves = _subtree(case, losses, alpha if path is None else float(path.node_alpha[case.node]))
    own = float(losses.leaf[case.node])
    if (
        n_leaves < 2
        or not np.isfinite(alpha)
        or not agrees((own - below) / losses.total / (n_leaves - 1), alpha)
    ):
        return [_("The node becomes a leaf from α = {alpha} on.", alpha=Value(alpha))]
    name: Call = call("g", T)
    letters = Fraction(less(call("R", T), call("R", SUBTREE)), less(Bars(SUBTREE), Count(1)))
    top = less(_proportion(own, losses.total), _proportion(below, losses.total))
    digits = Fraction(top, less(quantity(n_leaves), Count(1)))
    text = _("Decrease of R per leaf:")
    if n_leaves < _count_leaves(tree, case.node):
        text = _("Decrease of R per leaf, once weaker links below are pruned:")
    return [text, Formula(chain(name, letters, digits, Value(alpha)))]


def _proportion(loss: float, whole: float) -> Expression:
    return fraction(max(loss, 0.0), whole)


def _subtree(case: PruningCase, losses: Losses, alpha: float) -> tuple[float, int]:
    """The loss and the number of leaves below the node when all links weaker than `alpha` are pruned."""
    tree, path = case.tree, case.report.path
    weaker = np.zeros(tree.n_nodes, bool) if path is None else path.node_alpha < alpha * (1 - 1e-11)
    lost, n_leaves, waiting = 0.0, 0, [case.node]
    while waiting:
        node = waiting.pop()
        n = int(tree.n_children[node])
        if n == 0 or (weaker[node] and node != case.node):
            lost, n_leaves = lost + float(losses.leaf[node]), n_leaves + 1
            continue
        lost += float(losses.staying[node])
        first = int(tree.first_child[node])
        waiting.extend(range(first, first + n))
    return lost, n_leaves


def _count_leaves(tree: Tree, node: int) -> int:
    """The number of leaves below a node."""
    n_children, first_child = tree.n_children, tree.first_child
    n_leaves, waiting = 0, [node]
    while waiting:
        at = waiting.pop()
        n = int(n_children[at])
        n_leaves += n == 0
        waiting.extend(range(int(first_child[at]), int(first_child[at]) + n))
    return n_leaves
