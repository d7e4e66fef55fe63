"""Answers: rows to shares, class codes and numbers.

In: a tree, encoded values or rows to be read in blocks, and a rule for what is missing. Out: what the tree answers for
each row: what stands at the node where it ends or, for a row that goes down several branches, the mean of what stands
at their ends, by the row's weight there.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import mean_predictions
from treewright.errors import KindError
from treewright.model.answering import TIE, decide
from treewright.model.tree import Tree
from treewright.predict.blocks import Given, in_blocks, read_in_blocks
from treewright.predict.ends import PLACES, branches, ends
from treewright.predict.route import USUAL
from treewright.predict.rule import Rule

LEAST_SHARE = 1e-15
"""What a class without any share counts as in the log loss: otherwise one row would make it endless."""


def shares(tree: Tree, rows: Given, rule: Rule = USUAL, n_threads: int = 1) -> NDArray[np.float64]:
    """The probabilities of the classes of every row, (n_rows, n_classes).

    >>> from treewright.model.build import golf_example
    >>> shares(golf_example(), np.array([[1, 70.0, 0], [0, np.nan, 0]]), Rule("fractional"))
    array([[0. , 1. ],
           [0.6, 0.4]])
    """
    _refuse_numbers(tree)
    rows = read_in_blocks(tree, rows, rule)
    found = np.empty((rows.n_rows, tree.value.shape[1]))

    def answer(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, several = ends(tree, values, rule, start, known)
        tree.value.take(nodes, axis=0, out=found[start : start + len(values)], mode="clip")
        for part, mean in _means(tree, values, rule, several, nodes[several]):
            found[start + part] = mean

    in_blocks(tree, rows, answer, n_threads)
    return found


def class_codes(tree: Tree, rows: Given, rule: Rule = USUAL, n_threads: int = 1) -> NDArray[np.intp]:
    """The code of the class that every row is answered with: the likeliest one, or with costs the cheapest one.

    >>> from treewright.model.build import golf_example
    >>> class_codes(golf_example(), np.array([[1, 70.0, 0], [0, np.nan, 0]]), Rule("fractional"))
    array([1, 0])
    """
    _refuse_numbers(tree)
    rows = read_in_blocks(tree, rows, rule)
    codes = np.empty(rows.n_rows, np.intp)

    def answer(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, several = ends(tree, values, rule, start, known)
        tree.answers.take(nodes, out=codes[start : start + len(values)], mode="clip")
        for part, mean in _means(tree, values, rule, several, nodes[several]):
            # Shares that are added up may be apart by their rounding where they are the same.
            codes[start + part] = decide(tree.answering, mean, TIE)

    in_blocks(tree, rows, answer, n_threads)
    return codes


def numbers(tree: Tree, rows: Given, rule: Rule = USUAL, n_threads: int = 1) -> NDArray[np.float64]:
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
    rows = read_in_blocks(tree, rows, rule)
    found = np.empty(rows.n_rows)

    def answer(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, several = ends(tree, values, rule, start, known)
        tree.value[:, 0].take(nodes, out=found[start : start + len(values)], mode="clip")
        for part, mean in _means(tree, values, rule, several, nodes[several]):
            found[start + part] = mean[:, 0]

    in_blocks(tree, rows, answer, n_threads)
    return found


def _means(
    tree: Tree,
    values: NDArray[np.float64],
    rule: Rule,
    rows: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Rows that go down several branches from their nodes, some at a time, and the means at their ends."""
    width, packed = tree.value.shape[1], tree.packed
    shares = (branches(tree, rule.unseen), tree.n_children, tree.branch_shares, tree.value)
    room = np.empty((tree.depth, 2), np.int64), np.empty(tree.depth), np.empty(width)
    done = 0
    while done < len(rows):
        left = slice(done, done + max(1, PLACES // width))
        mean = np.empty((len(rows[left]), width))
        given = rows[left], nodes[left]
        n = mean_predictions(values, packed.cells, packed.tables, shares, *given, (PLACES, *room), mean)
        yield given[0][:n], mean[:n]
        done += n


def _refuse_numbers(tree: Tree) -> None:
    if tree.schema.target.is_number:
        raise KindError("This tree answers with a number, not a class; ask for its numbers.")
