"""Cut: a tree -> a smaller one of the same nodes.

In: a tree, and for each node whose split it has from now on. Out: a new tree, numbered level by level, and where
each of its nodes stood before. The tree that came in stays as it is.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.tree import by_level
from treewright.model.answering import node_values
from treewright.model.columns import gather
from treewright.model.surrogates import SURROGATE_COLUMNS, Surrogates
from treewright.model.tree import Tree

CONTENTS = ("count", "weight", "stats", "value", "impurity")
"""What a node says about its rows; the other columns are about its split."""

AT_LEAF = {
    "kind": 0,
    "column": -1,
    "threshold": np.nan,
    "other": -1,
    "missing_branch": -1,
    "gain": np.nan,
    "merit": np.nan,
}
"""What the columns about splits hold at a leaf."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A smaller tree, and the node of the tree before that each of its nodes was."""

    tree: Tree
    origin: NDArray[np.int64]


def cut(tree: Tree, become_leaf: NDArray[Any]) -> Cut:
    """The tree in which these nodes are leaves; what was below them is gone.

    >>> from treewright.model.build import golf_example
    >>> smaller = cut(golf_example(), np.arange(8) == 1)
    >>> smaller.tree.n_nodes, smaller.origin.tolist()
    (6, [0, 1, 2, 3, 6, 7])
    """
    inner = (tree.n_children > 0) & ~np.asarray(become_leaf, bool)
    return assemble(tree, np.where(inner, np.arange(tree.n_nodes), -1))


def assemble(tree: Tree, split_of: NDArray[np.int64], contents: dict[str, NDArray[Any]] | None = None) -> Cut:
    """The tree in which node i asks what node split_of[i] asked and has its branches; -1 makes it a leaf.

    contents  new columns about the rows of each node, in the old numbers; those left out stay as they are
    """
    first_child = np.where(split_of < 0, -1, tree.first_child[split_of])
    n_children = np.where(split_of < 0, 0, tree.n_children[split_of])
    links = np.empty((3, tree.n_nodes), np.int64)
    order, parent, first = links[:, : by_level(first_child, n_children, *links)]
    asked = split_of[order]
    leaf = asked < 0
    columns: dict[str, NDArray[Any]] = {
        "parent": parent,
        "first_child": first,
        "n_children": n_children[order],
        **{name: np.where(leaf, value, getattr(tree, name)[asked]) for name, value in AT_LEAF.items()},
        **{name: getattr(tree, name)[order] for name in CONTENTS},
        **{name: column[order] for name, column in (contents or {}).items()},
    }
    columns["table_start"], at = _owned(tree.table_start, asked)
    columns["table_code"], columns["table_branch"] = tree.table_code[at], tree.table_branch[at]
    backups = None if tree.surrogates is None else _surrogates(tree.surrogates, asked)
    how = tree.answering
    if not how.is_plain:  # other rows, or another way from the root, are other probabilities
        columns["value"] = node_values(how, columns["stats"], columns["weight"], parent)
    smaller = Tree.unchecked(tree.schema, tree.criterion, tree.missing, backups, answering=how, **columns)
    return Cut(smaller, order)


def _surrogates(kept: Surrogates, asked: NDArray[np.int64]) -> Surrogates:
    start, at = _owned(kept.start, asked)
    table_start, table_at = _owned(kept.table_start, at)
    own = [name for name in SURROGATE_COLUMNS if "start" not in name and "table" not in name]
    columns = {name: getattr(kept, name)[at] for name in own}
    return Surrogates(
        start=start,
        **columns,
        table_start=table_start,
        table_code=kept.table_code[table_at],
        table_branch=kept.table_branch[table_at],
    )


def _owned(start: NDArray[np.int64], owner: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Offsets for these owners in turn (-1 owns nothing), and the entries they own."""
    return gather(start[owner], np.where(owner < 0, 0, start[owner + 1] - start[owner]))
