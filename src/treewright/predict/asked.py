"""Asked: a tree alone answers for a table.

In: a tree, and a table as the user has it. Out: classes, shares, numbers or leaves. The tree answers as it was grown:
missing values go where they went then, and a category that training never showed counts as missing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import encode_table
from treewright.data.frames import to_narwhals, unnamed
from treewright.data.unseen import BECOMES, warn_unseen
from treewright.errors import InputError
from treewright.model.strategies import REFUSED
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers, shares
from treewright.predict.route import leaves


def answers(tree: Tree, X: object) -> NDArray[Any]:
    """The class or the number of every row.

    >>> from treewright.model.build import golf_example
    >>> answers(golf_example(), [["overcast", 70.0, True]]).tolist()
    ['Play']
    """
    values = encoded(tree, X)
    if tree.schema.target.classes is None:
        return numbers(tree, values)
    return class_labels(tree.schema.target.classes)[class_codes(tree, values)]


def class_shares(tree: Tree, X: object) -> NDArray[np.float64]:
    """The share of each class for every row, in the order of the classes."""
    return shares(tree, encoded(tree, X))


def leaf_numbers(tree: Tree, X: object) -> NDArray[np.int64]:
    """The number of the leaf that every row comes to."""
    return leaves(tree, encoded(tree, X))


def class_labels(classes: tuple[Any, ...]) -> NDArray[Any]:
    """The classes as an array: of texts, numbers or truth values where all are of one type, otherwise of objects.

    >>> class_labels(("no", "yes")), class_labels((0, "zero"))
    (array(['no', 'yes'], dtype='<U3'), array([0, 'zero'], dtype=object))
    """
    kinds = {type(label) for label in classes}
    if len(kinds) == 1 and kinds <= {str, bool, int, float}:
        array = np.array(classes)
        # A text that ends in a null character loses it in numpy, and whole numbers may be too large.
        if array.tolist() == list(classes):
            return array
    labels = np.empty(len(classes), dtype=object)
    labels[:] = classes
    return labels


def encoded(tree: Tree, X: object) -> NDArray[np.float64]:
    """The table in the codes of the tree's columns, which have to come in their order."""
    columns = tree.schema.columns
    _refuse_other_names(tree.schema.names, getattr(to_narwhals(X), "columns", None))
    found = encode_table(X, columns, unseen_in(tree))
    if found.unseen:
        warn_unseen(found.unseen, f"such a value {BECOMES['missing']}")
    return found.values


def unseen_in(tree: Tree) -> str:
    """What a category that training never showed is for a tree alone: missing, or an error where nothing may be."""
    return "error" if tree.strategy.goes == REFUSED else "missing"


def _refuse_other_names(known: tuple[str, ...], given: list[str] | None) -> None:
    """Refuse a table whose names stand in another order; where one of the two has no names, the places count."""
    if given is None or len(given) != len(known) or known == unnamed(len(known)):
        return
    for i, (name, other) in enumerate(zip(known, given, strict=True)):
        if name != other:
            raise InputError(
                f"Column {i} of the table is {other!r}, where the tree knows {name!r}; give the columns "
                "that the tree knows, in their order."
            )
