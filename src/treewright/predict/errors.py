"""Errors: how far a tree's answers are off.

In: a tree, rows with their answers, and a rule for what is missing. Out: the share of wrong answers, what they cost on
average, or the mean squared error.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers
from treewright.predict.rule import Rule


def error_of(tree: Tree, rows: Dataset, rule: Rule) -> float:
    """The share of wrong answers, or the mean squared error, by weight.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> error_of(tree, rows, Rule())
    0.5
    """
    return float(np.average(losses_of(tree, rows, rule), weights=rows.weight))


def losses_of(tree: Tree, rows: Dataset, rule: Rule) -> NDArray[Any]:
    """The loss of each row: whether its class is wrong, or the squared error of its number."""
    if tree.schema.target.is_number:
        return (numbers(tree, rows.values, rule) - rows.target) ** 2
    return class_codes(tree, rows.values, rule) != rows.target


def cost_of(tree: Tree, rows: Dataset, rule: Rule) -> float:
    """What the answers to rows cost on average, by weight; for a tree that knows no costs the same as `error_of`.

    >>> from treewright.model.answering import Answering, answered
    >>> from treewright.model.build import golf_example
    >>> tree = answered(golf_example(), Answering(costs=((0.0, 1.0), (5.0, 0.0))))
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> cost_of(tree, rows, Rule())
    2.5
    """
    return float(np.average(costs_of(tree, rows, rule), weights=rows.weight))


def costs_of(tree: Tree, rows: Dataset, rule: Rule) -> NDArray[Any]:
    """What the answer to each row costs; for a tree that knows no costs the same as `losses_of`."""
    if tree.answering.costs is None:
        return losses_of(tree, rows, rule)
    costs: NDArray[np.float64] = np.array(tree.answering.costs)[rows.target, class_codes(tree, rows.values, rule)]
    return costs
