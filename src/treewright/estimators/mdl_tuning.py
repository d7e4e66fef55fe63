"""Tuning of MDLTree: the size of its tree, chosen by cross-validation, and whether missing values are informative.

The minimum number of cases, the confidence and the standard errors are those of the smallest tree within half a
standard error of the least loss. The folds are always the same, so there is no random choice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import log2

import numpy as np
from numpy.typing import NDArray

from treewright import prune
from treewright.data.dataset import Dataset
from treewright.data.folds import folds
from treewright.estimators.class_probabilities import remove_cost_factors
from treewright.grow.plan import Plan
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import row_costs
from treewright.prune.method import Method, PruningInput, weight_of_one_row

Losses = NDArray[np.float64]
MIN_CASES = (2.0, 5.0, 10.0, 20.0)
CONFIDENCES = (0.05, 0.15, 0.25, 0.5)
STANDARD_ERRORS = (0.0, 1.25, 2.5)
N_FOLDS = 5
MAX_STANDARD_ERRORS = 0.5
"""How many standard errors the loss of a smaller tree may be above the least."""


@dataclass(frozen=True, slots=True)
class Size:
    """The parameters that decide the size of a tree.

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
        """Return a plan with these minimums."""
        return replace(plan, limits=replace(plan.limits, min_leaf=self.min_cases, min_split=2 * self.min_cases))

    def methods(self) -> tuple[Method, ...]:
        """Return the pruning methods, applied one after the other."""
        last = prune.Global(standard_errors=self.standard_errors)
        if self.confidence is None:
            return (last,)
        return prune.ErrorBased(confidence=self.confidence, raising=self.raising), last

    def pruning(self) -> Method:
        """Return the pruning as one method.

        >>> Size(2.0, None, 1.0).pruning()
        Global(standard_errors=1.0)
        """
        methods = self.methods()
        return methods[0] if len(methods) == 1 else prune.Steps(methods)


@dataclass(frozen=True, slots=True)
class Tried:
    """A size and the result of its trees on held-out rows: mean loss, its standard error, mean number of leaves."""

    size: Size
    loss: float
    standard_error: float
    leaves: float


def tune(
    rows: Dataset,
    plan: Plan,
    grow: Callable[[Dataset, Plan], Tree],
    rule: MissingPolicy,
    max_leaves: int | None = None,
) -> tuple[Size, tuple[Tried, ...]]:
    """Return the chosen size, and all that were tried.

    rows        the training rows, with their weights
    plan        how trees are grown; its minimums are replaced
    grow        grows a tree by a plan
    rule        where rows with missing values go
    max_leaves  the maximum number of leaves after pruning; None: any number

    For each minimum one tree is grown in each fold and pruned by all combinations; pruning that two combinations have
    in common is done once.
    """
    found: dict[Size, list[tuple[int, Losses]]] = {}
    weights = []
    for training, held_out in folds(rows, N_FOLDS):
        judged = held_out
        for size, tree in _trees_of_sizes(training, plan, grow, rule, max_leaves):
            judged = remove_cost_factors(held_out, tree.prediction_rule)
            loss = np.asarray(row_costs(tree, judged, rule), np.float64)
            found.setdefault(size, []).append((tree.n_leaves, loss))
        weights.append(judged.row_weights)
    weight = np.concatenate(weights)
    # Effective number of rows (Kish): importances do not add rows, copies do.
    n_rows = float(weight.sum() if rows.is_counted else weight.sum() ** 2 / np.square(weight).sum())
    tried = []
    for size, parts in found.items():
        leaves, losses = zip(*parts, strict=True)
        tried.append(_mean_loss(size, np.concatenate(losses), weight, n_rows, float(np.mean(leaves))))
    return choose_size(tuple(tried)).size, tuple(tried)


def choose_size(tried: tuple[Tried, ...]) -> Tried:
    """Return the size of fewest leaves within half a standard error of the least loss; on a tie the one of less loss,
    then the first.

    >>> sizes = [Size(2.0, 0.25, 0.0), Size(5.0, 0.25, 0.0), Size(10.0, 0.25, 0.0)]
    >>> losses = [Tried(sizes[0], 0.20, 0.02, 9.0), Tried(sizes[1], 0.209, 0.02, 5.0), Tried(sizes[2], 0.22, 0.02, 3.0)]
    >>> choose_size(tuple(losses)).size.min_cases
    5.0
    """
    least = min(tried, key=lambda one: one.loss)
    most = least.loss + MAX_STANDARD_ERRORS * least.standard_error + 1e-12 * abs(least.loss)
    return min((one for one in tried if one.loss <= most), key=lambda one: (one.leaves, one.loss))


def _trees_of_sizes(
    training: Dataset,
    plan: Plan,
    grow: Callable[[Dataset, Plan], Tree],
    rule: MissingPolicy,
    max_leaves: int | None,
) -> Iterator[tuple[Size, Tree]]:
    """Yield the tree of each size."""
    confidences: tuple[float | None, ...] = (None,) if plan.for_numbers else CONFIDENCES
    unit, raising = weight_of_one_row(training), not any(plan.monotonic)
    for cases in MIN_CASES:
        tree = grow(training, Size(cases, None, 0.0).plan(plan))
        for confidence in confidences:
            left = PruningInput(tree, training, None, None, rule, unit)
            if confidence is not None:
                left = replace(left, tree=prune.ErrorBased(confidence=confidence, raising=raising).prune_by(left).tree)
            for off_by in STANDARD_ERRORS:
                pruned = prune.Global(standard_errors=off_by).prune_by(left)
                if max_leaves is not None:
                    pruned = prune.MaxLeaves(max_leaves).prune_by(replace(left, tree=pruned.tree))
                yield Size(cases, confidence, off_by, raising), pruned.tree


def _mean_loss(size: Size, loss: Losses, weight: Losses, n_rows: float, leaves: float) -> Tried:
    total = float(weight.sum())
    mean = float(loss @ weight) / total
    spread = float(weight @ np.square(loss - mean)) / total
    return Tried(size, mean, float(np.sqrt(spread / n_rows)), leaves)


def informative_missing_column(rows: Dataset) -> int | None:
    """Return the column whose missing values save most bits about the target, if they save more than they cost.

    Splitting all rows into those with and those without a value costs one bit to say that there is a split, log2 of the
    number of columns, and log2(rows) / 2 for each number that one more leaf predicts with: a proportion for each class
    but one, or a mean.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("income", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> buys = np.repeat(np.array([0, 1], np.int32), 50)
    >>> informative_missing_column(Dataset(schema, np.where(buys, 1000.0, np.nan)[:, None], buys))
    0
    >>> every_other = np.where(np.arange(100) % 2, 1000.0, np.nan)[:, None]
    >>> informative_missing_column(Dataset(schema, every_other, buys)) is None
    True
    """
    weight = rows.row_weights
    weight = weight * (np.count_nonzero(weight) / max(float(weight.sum()), 1e-300))  # a row is 1 on average
    if float(weight.sum()) < 2:
        return None
    missing = np.isnan(rows.values) & (weight > 0)[:, None]
    if not rows.schema.target.is_number:
        n_classes = rows.schema.target.n_classes
        labels = rows.target.astype(np.intp)
        by_class = np.array([np.bincount(labels[cells], weight[cells], n_classes) for cells in missing.T], np.float64)
        return informative_missing(np.bincount(labels, weight, n_classes).astype(np.float64), by_class)
    # only ratios of squares matter; scaling keeps them finite and above 0
    target = np.ldexp(rows.target, -int(np.frexp(np.abs(rows.target).max())[1]))
    whole, n = _squares(target, weight), float(weight.sum())
    parts = []
    for cells in missing.T:
        known = ~cells & (weight > 0)
        both = cells.any() and known.any()
        parts.append(sum(_squares(target[part], weight[part]) for part in (cells, known)) if both else whole)
    return informative_missing_number(whole, parts, n)


def informative_missing_number(whole: float, parts: list[float], n_rows: float) -> int | None:
    """Return the same column for numbers, from the squared errors of all rows, and those when the rows that are missing
    on a column have a mean of their own.

    >>> informative_missing_number(8.0, [7.9, 2.0], 50.0), informative_missing_number(8.0, [7.9, 8.0], 50.0)
    (1, None)
    """
    least = whole * 2.0**-50
    saved = [n_rows / 2.0 * log2(whole / max(part, least)) if whole > 0 else 0.0 for part in parts]
    return _most_saved(saved, 1, n_rows)


def informative_missing(whole: NDArray[np.float64], missing: NDArray[np.float64]) -> int | None:
    """Return the same column for classes, from the weight of each class in all rows and in those missing on a column.

    >>> informative_missing(np.array([50.0, 50.0]), np.array([[50.0, 0.0], [5.0, 5.0]]))
    0
    """
    known = whole - missing
    both = (missing.sum(axis=1) > 0) & (known.sum(axis=1) > 0)
    bits = _class_bits(whole)
    saved = [
        bits - _class_bits(lost) - _class_bits(left) if told else 0.0
        for lost, left, told in zip(missing, known, both, strict=True)
    ]
    return _most_saved(saved, len(whole) - 1, float(whole.sum()))


def _most_saved(saved: list[float], n_numbers: int, n_rows: float) -> int | None:
    """Return the first column that saves most bits, if that is more than it costs."""
    best = int(np.argmax(saved)) if saved else 0
    cost = 1.0 + log2(max(len(saved), 1)) + n_numbers / 2.0 * log2(max(n_rows, 1.0))
    return best if saved and saved[best] > cost else None


def _class_bits(counts: NDArray[np.float64]) -> float:
    """Return the weight times the entropy of classes."""
    counts = counts[counts > 0]
    total = float(counts.sum())
    return float(total * log2(total) - counts @ np.log2(counts))


def _squares(target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Return the sum of squares about the mean."""
    mean = float(weight @ target) / float(weight.sum())
    return float(weight @ np.square(target - mean))
