"""Monotone trees by brute force: every cut of every number at a node, and which of them may be taken.

In: numbers, targets, weights, a sense for each column and the bounds of a node. Out: all cuts with their gains and what
their sides answer. Written from the definition alone, in plain numpy: no code is shared with the engine.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

NO_BOUNDS = (-np.inf, np.inf)


@dataclass(frozen=True)
class Cut:
    """A cut behind which both sides hold enough rows; `allowed` where they keep the order and the bounds."""

    column: int
    threshold: float
    gain: float
    low: float
    high: float
    allowed: bool


def answer(target, weight, criterion):
    """The share of class 1, the mean, or the median (halfway between two that share the middle)."""
    if criterion != "absolute_error":
        return float((target * weight).sum() / weight.sum())
    order = np.argsort(target, kind="stable")
    y, reached = target[order], np.cumsum(weight[order])
    at = int(np.argmax(2 * reached >= reached[-1]))
    return float((y[at] + y[at + 1]) / 2 if 2 * reached[at] == reached[-1] else y[at])


def impurity(target, weight, criterion):
    """Per unit of weight."""
    centre = answer(target, weight, criterion)
    if criterion == "squared_error":
        return float((weight * (target - centre) ** 2).sum() / weight.sum())
    if criterion == "absolute_error":
        return float((weight * np.abs(target - centre)).sum() / weight.sum())
    shares = np.array([centre, 1 - centre])
    if criterion == "gini":
        return float((shares * (1 - shares)).sum())
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def all_cuts(values, target, weight, criterion, senses, bounds=NO_BOUNDS, min_leaf=1):
    """Every cut of these rows that leaves `min_leaf` rows on both sides."""
    found = []
    whole, total = impurity(target, weight, criterion), weight.sum()
    for column, sense in enumerate(senses):
        distinct = np.unique(values[:, column])
        for below, above in pairwise(distinct):
            low = values[:, column] <= below
            if min(low.sum(), (~low).sum()) < min_leaf:
                continue
            sides = [(target[side], weight[side]) for side in (low, ~low)]
            left = sum(w.sum() / total * impurity(y, w, criterion) for y, w in sides)
            answers = [answer(y, w, criterion) for y, w in sides]
            within = all(bounds[0] <= one <= bounds[1] for one in answers)
            in_order = sense == 0 or sense * (answers[1] - answers[0]) >= 0
            found.append(Cut(column, (below + above) / 2, whole - left, *answers, within and in_order))
    return found


def child_bounds(cut, sense, bounds):
    """The bounds of both children."""
    middle = (cut.low + cut.high) / 2
    if sense > 0:
        return (bounds[0], middle), (middle, bounds[1])
    if sense < 0:
        return (middle, bounds[1]), (bounds[0], middle)
    return bounds, bounds
