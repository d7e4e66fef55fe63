"""Answers: rows to shares, class codes and numbers.

In: a tree, encoded values and a rule for what is missing. Out: what the tree answers for each row: what stands at
the node where it ends or, for a row that goes down several branches, the mean of what stands at their ends, by
the row's weight there.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treewright._core.route_missing import mean_of_ends
from treewright.errors import KindError
from treewright.model.answering import TIE, decide
from treewright.model.tree import Tree
from treewright.predict.ends import ends, parts, readable
from treewright.predict.route import USUAL
from treewright.predict.rule import Rule

LEAST_SHARE = 1e-15
"""What a class without any share counts as in the log loss: otherwise one row would make it endless."""


def shares(tree: Tree, values: NDArray[np.float64], rule: Rule = USUAL) -> NDArray[np.float64]:
    """The probabilities of the classes of every row, (n_rows, n_classes).

    >>> from treewright.model.build import golf_example
    >>> shares(golf_example(), np.array([[1, 70.0, 0], [0, np.nan, 0]]), Rule("fractional"))
    array([[0. , 1. ],
           [0.6, 0.4]])
    """
    _refuse_numbers(tree)
    values = readable(tree, values)
    nodes, several = ends(tree, values, rule)
    found = tree.value[nodes]
    for rows, mean in _means(tree, values, rule, several, nodes[several]):
        found[rows] = mean
    return found


def class_codes(tree: Tree, values: NDArray[np.float64], rule: Rule = USUAL) -> NDArray[np.intp]:
    """The code of the class that every row is answered with: the likeliest one, or with costs the cheapest one.

    >>> from treewright.model.build import golf_example
    >>> class_codes(golf_example(), np.array([[1, 70.0, 0], [0, np.nan, 0]]), Rule("fractional"))
    array([1, 0])
    """
    _refuse_numbers(tree)
    values = readable(tree, values)
    nodes, several = ends(tree, values, rule)
    codes = tree.answers[nodes]
    for rows, mean in _means(tree, values, rule, several, nodes[several]):
        # Shares that are added up may be apart by their rounding where they are the same.
        codes[rows] = decide(tree.answering, mean, TIE)
    return codes


def numbers(tree: Tree, values: NDArray[np.float64], rule: Rule = USUAL) -> NDArray[np.float64]:
    """The number a regression tree answers for every row.

    >>> from treewright.model.build import build, leaf, number
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    >>> tree = build(schema, number("age", 3, leaf(20.0), leaf(12.5)))
    >>> numbers(tree, np.array([[4.0], [1.0], [np.nan]]), Rule("fractional"))
    array([12.5 , 20.  , 16.25])
    """
    if not tree.schema.target.is_number:
        raise KindError("This tree answers with a class, not a number; ask for its shares or class codes.")
    values = readable(tree, values)
    nodes, several = ends(tree, values, rule)
    found = tree.value[nodes, 0]
    for rows, mean in _means(tree, values, rule, several, nodes[several]):
        found[rows] = mean[:, 0]
    return found


def _means(
    tree: Tree,
    values: NDArray[np.float64],
    rule: Rule,
    rows: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Rows that go down several branches from their nodes, and the means of the values at their ends."""
    width = tree.value.shape[1]
    for part in parts(tree, values, rule.unseen, rows, nodes):
        mean = np.empty((len(part.rows), width))
        mean_of_ends(part.nodes, part.weights, part.starts, tree.value, np.empty(width), mean)
        yield part.rows, mean


def _refuse_numbers(tree: Tree) -> None:
    if tree.schema.target.is_number:
        raise KindError("This tree answers with a number, not a class; ask for its numbers.")
