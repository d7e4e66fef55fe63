"""Prediction by a tree alone: from a table of the user to classes, probabilities, numbers or leaves.

`Tree.predict`, `predict_proba` and `apply` call these functions. Missing values are treated as in growth, and a
category that did not occur in training counts as a missing value.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import UNSEEN_EFFECTS, encode_table, warn_unseen
from treewright.data.frames import default_names, to_narwhals
from treewright.errors import InputError
from treewright.model.strategies import REFUSED
from treewright.model.tree import Tree
from treewright.predict.predictions import (
    find_leaves,
    predict_class_codes,
    predict_numbers,
    predict_probabilities,
)


def predict_table(tree: Tree, X: object) -> NDArray[Any]:
    """Predict the class or the number of every row.

    >>> from treewright.model.build import golf_example
    >>> predict_table(golf_example(), [["overcast", 70.0, True]]).tolist()
    ['Play']
    """
    values = encode_for_tree(tree, X)
    if tree.schema.target.classes is None:
        return predict_numbers(tree, values)
    return class_labels(tree.schema.target.classes)[predict_class_codes(tree, values)]


def predict_table_probabilities(tree: Tree, X: object) -> NDArray[np.float64]:
    """Predict the probability of each class for every row, in the order of the classes."""
    return predict_probabilities(tree, encode_for_tree(tree, X))


def find_table_leaves(tree: Tree, X: object) -> NDArray[np.int64]:
    """Find the leaf of every row."""
    return find_leaves(tree, encode_for_tree(tree, X))


def class_labels(classes: tuple[Any, ...]) -> NDArray[Any]:
    """The classes as an array: of strings, numbers or booleans where all have one type, otherwise of objects.

    >>> class_labels(("no", "yes")), class_labels((0, "zero"))
    (array(['no', 'yes'], dtype='<U3'), array([0, 'zero'], dtype=object))
    """
    kinds = {type(label) for label in classes}
    if len(kinds) == 1 and kinds <= {str, bool, int, float}:
        array = np.array(classes)
        # numpy drops a null character at the end of a string, and integers may be too large for it.
        if array.tolist() == list(classes):
            return array
    labels = np.empty(len(classes), dtype=object)
    labels[:] = classes
    return labels


def encode_for_tree(tree: Tree, X: object) -> NDArray[np.float64]:
    """Encode a table by the columns of the tree, which must come in the same order."""
    columns = tree.schema.columns
    check_column_names(tree.schema.names, getattr(to_narwhals(X), "columns", None))
    found = encode_table(X, columns, unseen_handling(tree))
    if found.unseen:
        warn_unseen(found.unseen, f"such a value {UNSEEN_EFFECTS['missing']}")
    return found.values


def unseen_handling(tree: Tree) -> str:
    """What an unseen category is for a tree alone: a missing value, or an error where missing values are errors."""
    return "error" if tree.strategy.goes == REFUSED else "missing"


def check_column_names(known: tuple[str, ...], given: list[str] | None) -> None:
    """Refuse a table with other column names or another order; where one of the two has no names, the order counts."""
    if given is None or len(given) != len(known) or known == default_names(len(known)):
        return
    for i, (name, other) in enumerate(zip(known, given, strict=True)):
        if name != other:
            raise InputError(
                f"Column {i} of the table is {other!r}, but the tree expects {name!r}; pass the columns of the tree "
                "in their order."
            )
