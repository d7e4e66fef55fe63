"""The prediction of a leaf: how its probability or number was computed, its expected costs, its confidence interval.

A proportion has the interval of Clopper and Pearson (1934): whatever the number of rows, it misses the true value in at
most 1 - confidence of all samples, and its limits are those that C4.5 prunes by. A mean has Student's interval. Both
take the leaf as given, but growth searched for leaves as pure as this one, so both intervals are too narrow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.distributions import beta_quantile, student_quantile
from treewright.language import N_, messages
from treewright.model.prediction_rule import expected_costs, pseudo_counts, without_cost_factors
from treewright.model.tree import Tree

CAVEAT = N_("The leaf was chosen using these rows, so the interval is too narrow.")
"""The caveat below every interval."""

N_STEPS = 8
"""Steps of a path that the arithmetic of a prediction lists."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval for the prediction of a leaf.

    low, high   its limits
    confidence  how often such an interval holds the true value, if the leaf had not been chosen by its rows
    n_rows      how many rows it is computed from: their weight, counted in rows
    method      "Clopper-Pearson" for a proportion, "Student" for a mean
    """

    low: float
    high: float
    confidence: float
    n_rows: float
    method: str


def proportion_interval(hits: float, n_rows: float, confidence: float) -> Interval | None:
    """Return the interval of a proportion: `hits` of `n_rows`, which need not be whole; None without rows.

    >>> found = proportion_interval(6, 6, 0.5)  # C4.5's U25(0, 6) is 0.206
    >>> round(1 - found.low, 3), found.high
    (0.206, 1.0)
    """
    if not n_rows > 0:
        return None
    hits = min(max(hits, 0.0), n_rows)
    outside = (1.0 - confidence) / 2.0
    low = beta_quantile(hits, n_rows - hits + 1.0, outside) if hits > 0 else 0.0
    high = beta_quantile(hits + 1.0, n_rows - hits, 1.0 - outside) if hits < n_rows else 1.0
    return Interval(low, high, confidence, float(n_rows), "Clopper-Pearson")


def mean_interval(mean: float, loss: float, n_rows: float, confidence: float) -> Interval | None:
    """Return the interval of a mean, from the sum of squared errors of `n_rows` rows; None for one row or less.

    >>> found = mean_interval(5.0, 8.0, 5, 0.95)  # 5 ± 2.776 * sqrt(8 / (5 * 4))
    >>> round(found.low, 3), round(found.high, 3)
    (3.244, 6.756)
    """
    if not n_rows > 1:
        return None
    reach = student_quantile(n_rows - 1.0, (1.0 + confidence) / 2.0) * sqrt(max(loss, 0.0) / n_rows / (n_rows - 1.0))
    return Interval(mean - reach, mean + reach, confidence, float(n_rows), "Student")


def equivalent_rows(tree: Tree, node: int, row_weight: float) -> float:
    """Return the weight of a node as a number of rows.

    row_weight  the weight that counts as one row. Weights that express importance make no more rows than there are;
                whole weights that express copies do.
    """
    n_rows = row_weight_at(tree, node) / row_weight
    are_copies = row_weight == 1.0 and tree.weight[0] > tree.count[0] + 0.5
    return n_rows if are_copies else min(n_rows, float(tree.count[node]))


def row_weight_at(tree: Tree, node: int) -> float:
    """Return the weight of the rows at a node, before costs changed class weights."""
    if tree.prediction_rule.factors is None:
        return float(tree.weight[node])
    return float(without_cost_factors(tree.prediction_rule, tree.stats[node]).sum())


def probability_arithmetic(tree: Tree, node: int, code: int, language: str = "en") -> str | None:
    """Return how the probability of a class at a node was computed; None if it is the class frequency.

    >>> from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
    >>> from treewright.model.build import golf_example
    >>> probability_arithmetic(with_prediction_rule(golf_example(), PredictionRule("laplace")), 0, 1)
    '(9 + 1) / (14 + 2) = 62.5%'
    >>> probability_arithmetic(with_prediction_rule(golf_example(), PredictionRule("shrinkage", 14.0)), 4, 1)
    '64.3% + (40% - 64.3%) / (1 + 14 / 14) + (100% - 40%) / (1 + 14 / 5) = 67.9%'
    """
    rule, _ = tree.prediction_rule, messages(language)
    if rule.probability == "frequency" and rule.factors is None:
        return None
    if not tree.weight[node] > 0:
        return _("no training row reaches this node, so it is the probability at the parent node")
    result = f" = {_percent(float(tree.value[node, code]))}"
    if rule.probability == "shrinkage":
        path = _path_to(tree, node)
        rows = without_cost_factors(rule, tree.stats[path]) / rule.row_weight
        total = rows.sum(axis=1)
        frequency = [_percent(one) for one in (rows[:, code] / total).tolist()]
        differences = [f"{after} - {before}" for before, after in pairwise(frequency)]
        return _shrinkage_terms([frequency[0], *differences], total.tolist(), rule.amount, language) + result
    rows = without_cost_factors(rule, tree.stats[node]) / rule.row_weight
    of_class, total = _number(float(rows[code])), _number(float(rows.sum()))
    if rule.probability == "frequency":
        return f"{of_class} / {total}{result}"
    root = without_cost_factors(rule, tree.stats[0])
    added, amount = pseudo_counts(rule, root / root.sum())
    return f"({of_class} + {_number(float(added[code]))}) / ({total} + {_number(amount)}){result}"


def number_arithmetic(tree: Tree, node: int, language: str = "en") -> str | None:
    """Return how the number that a node of a regression tree predicts was computed; None if it is its mean.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
    >>> tree = build(Schema((Column("age", Kind.NUMBER),), Target("price")), number("age", 3, leaf(20.0), leaf(10.0)))
    >>> number_arithmetic(with_prediction_rule(tree, PredictionRule("shrinkage", 5.0)), 1)
    '15 + (20 - 15) / (1 + 5 / 2) = 16.4286'
    """
    rule, _ = tree.prediction_rule, messages(language)
    if rule.is_default:
        return None
    if not tree.weight[node] > 0:
        return _("no training row reaches this node, so it predicts the same as its parent")
    path = _path_to(tree, node)
    mean = tree.stats[path, 1].tolist()
    rows = (tree.weight[path] / rule.row_weight).tolist()
    differences = [_difference(after, before) for before, after in pairwise(mean)]
    terms = _shrinkage_terms([_number(mean[0]), *differences], rows, rule.amount, language)
    return f"{terms} = {_number(float(tree.value[node, 0]))}"


def _path_to(tree: Tree, node: int) -> list[int]:
    """Return the nodes from the root to this one."""
    path = [node]
    while path[-1] > 0:
        path.append(int(tree.parent[path[-1]]))
    return path[::-1]


def _shrinkage_terms(steps: list[str], rows: list[float], amount: float, language: str) -> str:
    """Return the value at the root, and what each step of the path adds.

    steps  the value at the root, and the difference of each step
    rows   at the nodes of the path
    """
    terms = [
        f"({difference}) / (1 + {_number(amount)} / {_number(above)})"
        for difference, above in zip(steps[1:], rows, strict=False)
    ]
    if len(terms) > N_STEPS:
        _ = messages(language)
        more = _("… ({n} more steps)", n=len(terms) - N_STEPS)
        terms = [*terms[: N_STEPS - 1], more, terms[-1]]
    return " + ".join([steps[0], *terms])


def costs_by_class(tree: Tree, probabilities: NDArray[np.float64]) -> Mapping[Any, float] | None:
    """Return the expected cost of predicting each class, given class probabilities; None if the tree has no costs.

    >>> from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
    >>> from treewright.model.build import golf_example
    >>> tree = with_prediction_rule(golf_example(), PredictionRule(costs=((0, 4), (1, 0))))
    >>> costs_by_class(tree, np.array([0.25, 0.75]))
    {"Don't Play": 0.75, 'Play': 1.0}
    """
    if tree.prediction_rule.costs is None:
        return None
    costs = expected_costs(tree.prediction_rule, probabilities).tolist()
    return dict(zip(tree.schema.target.classes or (), costs, strict=True))


def _number(number: float) -> str:
    return f"{number + 0.0:.6g}"


def _difference(one: float, other: float) -> str:
    return f"{_number(one)} + {_number(-other)}" if other < 0 else f"{_number(one)} - {_number(other)}"


def _percent(proportion: float) -> str:
    return f"{100 * proportion:.3g}%"
