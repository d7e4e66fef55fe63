"""Tuning: how large the tree of MDLTree is to be, chosen by rows it was not grown on.

In: training rows, a plan and the two steps of pruning. Out: the minimum cases, confidence and standard errors whose
trees did best, the smallest of them within half a standard error. The folds are always the same ones.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright import prune
from treewright.data.dataset import Dataset
from treewright.data.folds import folds
from treewright.estimators.costs import unpriced
from treewright.grow.plan import Plan
from treewright.model.tree import Tree
from treewright.predict.errors import costs_of
from treewright.predict.rule import Rule
from treewright.prune.method import Material, Method
from treewright.prune.units import one_row

Losses = NDArray[np.float64]
MIN_CASES = (2.0, 5.0, 10.0, 20.0)
CONFIDENCES = (0.05, 0.15, 0.25, 0.5)
STANDARD_ERRORS = (0.0, 1.25, 2.5)
N_FOLDS = 5
WITHIN = 0.5
"""How many standard errors above the least a smaller tree may be."""


@dataclass(frozen=True, slots=True)
class Size:
    """What decides how large a tree gets.

    min_cases        the least weight of two branches; a split needs twice as much
    confidence       of error-based pruning; None where that has no meaning
    standard_errors  of global pruning
    raising          whether error-based pruning may raise branches
    """

    min_cases: float
    confidence: float | None
    standard_errors: float
    raising: bool = True

    def plan(self, plan: Plan) -> Plan:
        """A plan with these minimums."""
        return replace(plan, limits=replace(plan.limits, min_leaf=self.min_cases, min_split=2 * self.min_cases))

    def methods(self) -> tuple[Method, ...]:
        """The steps of pruning."""
        last = prune.Global(standard_errors=self.standard_errors)
        if self.confidence is None:
            return (last,)
        return prune.ErrorBased(confidence=self.confidence, raising=self.raising), last

    def pruning(self) -> Method:
        """The same as one method.

        >>> Size(2.0, None, 1.0).pruning()
        Global(standard_errors=1.0)
        """
        methods = self.methods()
        return methods[0] if len(methods) == 1 else prune.Steps(methods)


@dataclass(frozen=True, slots=True)
class Tried:
    """A size with what its trees did on the rows they were not grown on: mean loss, its standard error, leaves."""

    size: Size
    loss: float
    standard_error: float
    leaves: float


def tune(
    rows: Dataset, plan: Plan, grow: Callable[[Dataset, Plan], Tree], rule: Rule
) -> tuple[Size, tuple[Tried, ...]]:
    """The size chosen, and all that were tried.

    rows  the training rows, with their weights
    plan  how trees are grown; its minimums are replaced
    grow  grows a tree by a plan
    rule  how rows that lack a value are answered

    Of each minimum one tree is grown in each fold and pruned in every way: the steps that two ways have in common are
    taken once.
    """
    found: dict[Size, list[tuple[int, Losses]]] = {}
    weights = []
    for training, held_out in folds(rows, N_FOLDS):
        judged = held_out
        for size, tree in _trees(training, plan, grow, rule):
            judged = unpriced(held_out, tree.answering)
            loss = np.asarray(costs_of(tree, judged, rule), np.float64)
            found.setdefault(size, []).append((tree.n_leaves, loss))
        weights.append(judged.row_weights)
    weight = np.concatenate(weights)
    # Importances make no more rows than there are (Kish); copies do.
    n_rows = float(weight.sum() if rows.is_counted else weight.sum() ** 2 / np.square(weight).sum())
    tried = []
    for size, parts in found.items():
        leaves, losses = zip(*parts, strict=True)
        tried.append(_tried(size, np.concatenate(losses), weight, n_rows, float(np.mean(leaves))))
    return chosen(tuple(tried)).size, tuple(tried)


def chosen(tried: tuple[Tried, ...]) -> Tried:
    """The one of fewest leaves within half a standard error of the least loss; on a tie the one of less loss, then
    the first.

    >>> sizes = [Size(2.0, 0.25, 0.0), Size(5.0, 0.25, 0.0), Size(10.0, 0.25, 0.0)]
    >>> losses = [Tried(sizes[0], 0.20, 0.02, 9.0), Tried(sizes[1], 0.209, 0.02, 5.0), Tried(sizes[2], 0.22, 0.02, 3.0)]
    >>> chosen(tuple(losses)).size.min_cases
    5.0
    """
    least = min(tried, key=lambda one: one.loss)
    most = least.loss + WITHIN * least.standard_error + 1e-12 * abs(least.loss)
    return min((one for one in tried if one.loss <= most), key=lambda one: (one.leaves, one.loss))


def _trees(
    training: Dataset, plan: Plan, grow: Callable[[Dataset, Plan], Tree], rule: Rule
) -> Iterator[tuple[Size, Tree]]:
    """The tree of each size."""
    confidences: tuple[float | None, ...] = (None,) if plan.for_numbers else CONFIDENCES
    unit, raising = one_row(training), not any(plan.monotonic)
    for cases in MIN_CASES:
        tree = grow(training, Size(cases, None, 0.0).plan(plan))
        for confidence in confidences:
            left = Material(tree, training, None, None, rule, unit)
            if confidence is not None:
                left = replace(left, tree=prune.ErrorBased(confidence=confidence, raising=raising).prune_by(left).tree)
            for off_by in STANDARD_ERRORS:
                yield Size(cases, confidence, off_by, raising), prune.Global(standard_errors=off_by).prune_by(left).tree


def _tried(size: Size, loss: Losses, weight: Losses, n_rows: float, leaves: float) -> Tried:
    total = float(weight.sum())
    mean = float(loss @ weight) / total
    spread = float(weight @ np.square(loss - mean)) / total
    return Tried(size, mean, float(np.sqrt(spread / n_rows)), leaves)
