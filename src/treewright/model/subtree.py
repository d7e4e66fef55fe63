"""Smaller trees from a tree: nodes become leaves, or take over the split of a node below.

The result is a new tree, numbered level by level, with the old number of each of its nodes; the old tree is unchanged.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.tree import by_level
from treewright.model.prediction_rule import node_values
from treewright.model.surrogates import SURROGATE_COLUMNS, Surrogates
from treewright.model.tree import Tree
from treewright.model.tree_columns import gather

CONTENTS = ("count", "weight", "stats", "value", "impurity")
"""The columns about the rows of a node; the others are about its split."""

AT_LEAF = {
    "kind": 0,
    "column": -1,
    "threshold": np.nan,
    "other": -1,
    "missing_branch": -1,
    "gain": np.nan,
    "merit": np.nan,
}
"""The values of the columns about splits at a leaf."""


@dataclass(frozen=True, slots=True)
class Subtree:
    """A smaller tree, and the number that each of its nodes had in the old tree."""

    tree: Tree
    origin: NDArray[np.int64]


def collapse_nodes(tree: Tree, become_leaf: NDArray[Any]) -> Subtree:
    """Return the tree in which these nodes are leaves, without the nodes below them.

    >>> from treewright.model.build import golf_example
    >>> smaller = collapse_nodes(golf_example(), np.arange(8) == 1)
    >>> smaller.tree.n_nodes, smaller.origin.tolist()
    (6, [0, 1, 2, 3, 6, 7])
    """
    inner = (tree.n_children > 0) & ~np.asarray(become_leaf, bool)
    return rebuild_tree(tree, np.where(inner, np.arange(tree.n_nodes), -1))


def rebuild_tree(tree: Tree, split_of: NDArray[np.int64], contents: dict[str, NDArray[Any]] | None = None) -> Subtree:
    """Return the tree in which node i has the split and the branches of node split_of[i]; -1 makes it a leaf.

    contents  new columns about the rows of each node, by the old numbers; the other columns stay the same
    """
    first_child = np.where(split_of < 0, -1, tree.first_child[split_of])
    n_children = np.where(split_of < 0, 0, tree.n_children[split_of])
    links = np.empty((3, tree.n_nodes), np.int64)
    order, parent, first = links[:, : by_level(first_child, n_children, *links)]
    source = split_of[order]
    leaf = source < 0
    columns: dict[str, NDArray[Any]] = {
        "parent": parent,
        "first_child": first,
        "n_children": n_children[order],
        **{name: np.where(leaf, value, getattr(tree, name)[source]) for name, value in AT_LEAF.items()},
        **{name: getattr(tree, name)[order] for name in CONTENTS},
        **{name: column[order] for name, column in (contents or {}).items()},
    }
    columns["table_start"], at = _entries_of(tree.table_start, source)
    columns["table_code"], columns["table_branch"] = tree.table_code[at], tree.table_branch[at]
    surrogates = None if tree.surrogates is None else _surrogates_of(tree.surrogates, source)
    rule = tree.prediction_rule
    if not rule.is_default:  # the predictions depend on the rows and on the path
        is_number = tree.schema.target.is_number
        columns["value"] = node_values(rule, columns["stats"], columns["weight"], parent, is_number=is_number)
    smaller = Tree.unchecked(tree.schema, tree.criterion, tree.missing, surrogates, prediction_rule=rule, **columns)
    return Subtree(smaller, order)


def _surrogates_of(kept: Surrogates, source: NDArray[np.int64]) -> Surrogates:
    start, at = _entries_of(kept.start, source)
    table_start, table_at = _entries_of(kept.table_start, at)
    own = [name for name in SURROGATE_COLUMNS if "start" not in name and "table" not in name]
    columns = {name: getattr(kept, name)[at] for name in own}
    return Surrogates(
        start=start,
        **columns,
        table_start=table_start,
        table_code=kept.table_code[table_at],
        table_branch=kept.table_branch[table_at],
    )


def _entries_of(start: NDArray[np.int64], owner: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The offsets of the entries of these owners in this order (-1 has none), and the entries."""
    return gather(start[owner], np.where(owner < 0, 0, start[owner + 1] - start[owner]))
