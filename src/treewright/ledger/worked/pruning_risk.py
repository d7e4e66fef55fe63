"""Pruning by expected errors and by the price of leaves, written out: minimum error and cost-complexity.

In: a `Case`. Out: the arithmetic of its decision, or None where the numbers of the report cannot be had by it.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.ledger.worked.case import Case, same
from treewright.ledger.worked.document import Formula, Part, row, table
from treewright.ledger.worked.expressions import (
    Bars,
    Call,
    Count,
    Expression,
    Fraction,
    Sum,
    Symbol,
    Value,
    call,
    chain,
    fraction,
    less,
    quantity,
    times,
    total,
)
from treewright.ledger.worked.verdict import compared, short
from treewright.model.tree import Tree
from treewright.prune.cost_complexity import CostComplexity
from treewright.prune.costs import read_costs, read_priors
from treewright.prune.links import RISKS, node_losses
from treewright.prune.losses import Losses
from treewright.prune.minimum_error import MinimumError

N_BRANCHES = 20
"""Branches that a table lists."""

T, SUBTREE = Symbol("t"), Symbol("T", Symbol("t"))


def minimum_error(case: Case) -> list[Part] | None:
    """The expected error of the node as a leaf, and the mean of those of its branches, by their rows."""
    method = case.method if isinstance(case.method, MinimumError) else MinimumError()
    one, say = case.decision, case.say
    if method.cost_matrix is not None:
        return None
    priors = read_priors(method.priors, case.tree)
    m = float(len(priors) if method.m is None else method.m)
    rows = case.weight(case.node)
    if rows <= 0 or not same(_expected(case, case.node, m, priors)[0], one.leaf):
        return None
    laplace = method.m is None and isinstance(method.priors, str) and method.priors == "equal"
    parts: list[Part] = [say("mep.laplace", k=str(len(priors))) if laplace else say("mep.m", m=short(m))]
    name = call("E", T)
    parts += [say("as.leaf"), Formula(chain(name, *_written(case, case.node, m, priors)))]
    shares, lines = [], []
    for node in case.branches:
        n = case.weight(node)
        if case.is_whole(node):
            error, digits = _expected(case, node, m, priors)[0], _written(case, node, m, priors)[0]
            lines.append(row(case.words(node), quantity(n), digits, Value(error)))
        else:
            below = case.subtree(node)
            if below is None:
                return None
            error = below
            lines.append(row(case.words(node), quantity(n), say("subtree"), Value(error)))
        if n > 0:
            shares.append((n, error))
    if not same(sum(n * error for n, error in shares) / rows, one.subtree):
        return None
    below_table = [say("more.branches", n=str(len(lines) - N_BRANCHES))] if len(lines) > N_BRANCHES else []
    head = say("branch"), Symbol("n"), "", Symbol("E")
    parts += [say("as.subtree"), table(head, lines[:N_BRANCHES], below=below_table)]
    mean = total([times(fraction(n, rows), Value(error)) for n, error in shares])
    parts.append(Formula(chain(call("E", SUBTREE), mean, Value(one.subtree))))
    return [*parts, *compared(case)]


def _expected(case: Case, node: int, m: float, priors: NDArray[np.float64]) -> tuple[float, int]:
    """The expected error of a node as a leaf, and the class that it answers then."""
    stats = case.stats(node)
    n = case.weight(node)
    if n + m <= 0:
        return float((1.0 - priors).min()), int(priors.argmax())
    wrong = (n - stats + m * (1.0 - priors)) / (n + m)
    return float(wrong.min()), int(wrong.argmin())


def _written(case: Case, node: int, m: float, priors: NDArray[np.float64]) -> tuple[Expression, Value]:
    error, answer = _expected(case, node, m, priors)
    n, own = case.weight(node), float(case.stats(node)[answer])
    if np.ptp(priors) == 0 and m == len(priors):
        added: Expression = less(Count(m), Count(1))
        top = Sum(((1, quantity(n)), (-1, quantity(own)), (1, Count(m)), (-1, Count(1))))
    else:
        added = times(less(Count(1), short(float(priors[answer]))), short(m))
        top = Sum(((1, quantity(n)), (-1, quantity(own)), (1, added)))
    return Fraction(top, Sum(((1, quantity(n)), (1, short(m))))), Value(error)


def cost_complexity(case: Case) -> list[Part] | None:
    """g(t) = (R(t) - R(T_t)) / (|T_t| - 1), and the two costs at the alpha that was taken."""
    found = _risk(case)
    if found is None:
        return None
    losses, alpha, risk = found
    one, say = case.decision, case.say
    own, n_leaves = float(losses.leaf[case.node]) / losses.total, float(one.details["leaves"])
    below = one.subtree - alpha * n_leaves
    parts: list[Part] = [say(f"ccp.rule.{risk}")]
    parts += _weakest(case, losses)
    parts.append(say("ccp.at", alpha=Value(alpha)))
    a = Value(alpha)
    leaf = chain(Sum(((1, call("R", T)), (1, Symbol("α")))), Sum(((1, Value(own)), (1, a))), Value(one.leaf))
    names = Sum(((1, call("R", SUBTREE)), (1, times(Symbol("α"), Bars(SUBTREE)))))
    digits = Sum(((1, Value(max(below, 0.0))), (1, times(a, quantity(n_leaves)))))
    parts += [Formula(leaf), Formula(chain(names, digits, Value(one.subtree)))]
    return [*parts, *compared(case)]


def _risk(case: Case) -> tuple[Losses, float, str] | None:
    """The losses that the report's numbers were made of, and alpha: what every leaf was charged with."""
    method = case.method if isinstance(case.method, CostComplexity) else CostComplexity()
    costs = read_costs(method.cost_matrix, case.tree)
    for risk in dict.fromkeys((method.risk, *RISKS)):
        losses = node_losses(case.tree, risk, costs)
        alphas = case.report.leaf - losses.leaf[case.report.node] / losses.total
        if same(float(np.ptp(alphas)) + 1.0, 1.0) and float(alphas.min()) > -1e-12:
            return losses, max(float(np.median(alphas)), 0.0), risk
    return None


def _weakest(case: Case, losses: Losses) -> list[Part]:
    """The alpha at which the node becomes a leaf: what each of its leaves saves, when weaker links are gone."""
    tree, say, alpha = case.tree, case.say, float(case.decision.details["alpha"])
    path = case.report.path
    below, n_leaves = _subtree(case, losses, alpha if path is None else float(path.node_alpha[case.node]))
    own = float(losses.leaf[case.node])
    if n_leaves < 2 or not np.isfinite(alpha) or not same((own - below) / losses.total / (n_leaves - 1), alpha):
        return [say("ccp.alpha", alpha=Value(alpha))]
    name: Call = call("g", T)
    letters = Fraction(less(call("R", T), call("R", SUBTREE)), less(Bars(SUBTREE), Count(1)))
    top = less(_share(own, losses.total), _share(below, losses.total))
    digits = Fraction(top, less(quantity(n_leaves), Count(1)))
    said = say("ccp.weaker") if n_leaves < _count(tree, case.node) else say("ccp.link")
    return [said, Formula(chain(name, letters, digits, Value(alpha)))]


def _share(loss: float, whole: float) -> Expression:
    return fraction(max(loss, 0.0), whole)


def _subtree(case: Case, losses: Losses, alpha: float) -> tuple[float, int]:
    """The loss and the leaves below the node when all links weaker than `alpha` are gone."""
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


def _count(tree: Tree, node: int) -> int:
    """How many leaves stand below a node."""
    n_children, first_child = tree.n_children, tree.first_child
    n_leaves, waiting = 0, [node]
    while waiting:
        at = waiting.pop()
        n = int(n_children[at])
        n_leaves += n == 0
        waiting.extend(range(int(first_child[at]), int(first_child[at]) + n))
    return n_leaves

