"""Source: what may be drawn or written down.

In: a fitted estimator, or a tree. Out: the tree.
"""

from typing import Any

from treewright.errors import KindError
from treewright.model.tree import Tree


def tree_of(given: Any) -> Tree:
    """The tree of an estimator that is fitted, or the tree itself.

    >>> from treewright.model.build import golf_example
    >>> tree_of(golf_example())
    <Tree: 8 nodes, 5 leaves, depth 2>
    """
    if isinstance(given, Tree):
        return given
    if isinstance(given, type) or not hasattr(given, "fit"):
        shown = given.__name__ if isinstance(given, type) else type(given).__name__
        raise KindError(f"{shown} cannot be drawn; give a fitted estimator of Treewright, or a Tree.")
    tree = getattr(given, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    if tree is None and hasattr(given, "_tree"):
        found = given._tree()  # scikit-learn's NotFittedError
        if isinstance(found, Tree):
            return found
    raise KindError(
        f"{type(given).__name__} has no tree of Treewright; give a fitted estimator of Treewright, or a Tree."
    )
