"""Answers: leaves to shares, class codes and numbers.

In: a tree and the leaf of every row. Out: what the tree answers for each row.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.errors import KindError
from treewright.model.tree import Tree


def shares(tree: Tree, leaves: NDArray[np.int64]) -> NDArray[np.float64]:
    """The class shares of every row, (n_rows, n_classes).

    >>> from treewright.model.build import golf_example
    >>> shares(golf_example(), np.array([2, 5]))
    array([[0., 1.],
           [1., 0.]])
    """
    _refuse_numbers(tree)
    return tree.value[leaves]


def class_codes(tree: Tree, leaves: NDArray[np.int64]) -> NDArray[np.intp]:
    """The code of the class of most weight of every row; on a tie the first class.

    >>> from treewright.model.build import golf_example
    >>> class_codes(golf_example(), np.array([2, 5]))
    array([1, 0])
    """
    _refuse_numbers(tree)
    return tree.value.argmax(axis=1)[leaves]


def numbers(tree: Tree, leaves: NDArray[np.int64]) -> NDArray[np.float64]:
    """The number a regression tree answers for every row.

    >>> from treewright.model.build import build, leaf, number
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    >>> numbers(build(schema, number("age", 3, leaf(20.0), leaf(12.5))), np.array([2, 1]))
    array([12.5, 20. ])
    """
    if not tree.schema.target.is_number:
        raise KindError("This tree answers with a class, not a number; ask for its shares or class codes.")
    return tree.value[leaves, 0]


def _refuse_numbers(tree: Tree) -> None:
    if tree.schema.target.is_number:
        raise KindError("This tree answers with a number, not a class; ask for its numbers.")
