"""Impossible: branches that no row can take, because a split above sends all their categories elsewhere.

In: a pruned tree. Out: the tree without them. They come from grouped categories: the categories that are absent at a
node form a last, empty branch. Release 8 leaves it out of a pruned tree when a split of the same column above does not
let any of them through.
"""

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import nearest_same_column
from treewright.model.columns import COLUMNS
from treewright.model.cut import Cut
from treewright.model.tree import TABLE, Tree


def without_impossible(left: Cut) -> Cut:
    """The tree without its impossible branches; a split keeps two branches at least.

    >>> from treewright.model.build import golf_example
    >>> from treewright.model.cut import cut
    >>> without_impossible(cut(golf_example(), np.zeros(8))).tree.n_nodes
    8
    """
    tree = left.tree
    empty = np.flatnonzero((tree.count == 0) & tree.is_leaf & (tree.parent >= 0))
    empty = empty[tree.kind[tree.parent[empty]] == TABLE]
    if not len(empty):
        return left
    asker, step = _askers(tree)
    gone = np.zeros(tree.n_nodes, bool)
    for node in empty[asker[tree.parent[empty]] >= 0].tolist():
        parent = int(tree.parent[node])
        above, branch = int(asker[parent]), node - int(tree.first_child[parent])
        if tree.kind[above] != TABLE or branch == tree.missing_branch[parent]:
            continue
        let_through = _branches(tree, above) == step[parent] - tree.first_child[above]
        if not (let_through & (_branches(tree, parent) == branch)).any():
            siblings = slice(int(tree.first_child[parent]), int(tree.first_child[parent] + tree.n_children[parent]))
            gone[node] = np.count_nonzero(~gone[siblings]) > 2
    return Cut(_without(tree, gone), left.origin[~gone]) if gone.any() else left


def _askers(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n = tree.n_nodes
    asker, step = np.empty(n, np.int64), np.empty(n, np.int64)
    work = np.full(tree.schema.n_columns, -1), np.empty(2 * n, np.int64), np.empty(n, np.int64)
    nearest_same_column((tree.parent, tree.first_child, tree.n_children), tree.column, work, asker, step)
    return asker, step


def _branches(tree: Tree, node: int) -> NDArray[np.int32]:
    """The branch of each category of the node's column."""
    found = np.full(tree.schema.columns[tree.column[node]].n_categories, tree.other[node])
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    found[tree.table_code[own]] = tree.table_branch[own]
    return found


def _without(tree: Tree, gone: NDArray[np.bool_]) -> Tree:
    """The tree without these leaves; what led there leads nowhere, or to the heaviest branch."""
    kept = ~gone
    place: NDArray[np.int64] = np.cumsum(kept) - kept  # of a node that is gone: the place of the next one that is left
    inner = tree.n_children > 0

    def moved(node: NDArray[np.int64], branch: NDArray[np.int64]) -> NDArray[np.int64]:
        """A branch by its number among those that are left."""
        before = np.concatenate([[0], np.cumsum(gone)])
        first = tree.first_child[node]
        return branch - (before[first + branch] - before[first])

    node = np.arange(tree.n_nodes)
    lost = np.bincount(tree.parent[gone], minlength=tree.n_nodes)
    owner = np.repeat(node, np.diff(tree.table_start))
    stays = kept[tree.first_child[owner] + tree.table_branch]
    tables = tree.kind == TABLE
    other = tree.other.astype(np.int64)
    leads_nowhere = tables & gone[np.where(tables, tree.first_child + other, 0)]
    other[leads_nowhere] = tree.heaviest_branch[leads_nowhere]
    other[tables] = moved(node[tables], other[tables])
    missing = tree.missing_branch.astype(np.int64)
    missing[inner] = moved(node[inner], missing[inner])
    columns = {name: getattr(tree, name) for name in COLUMNS if not name.startswith("table")}
    columns |= {
        "parent": np.where(tree.parent < 0, -1, place[tree.parent]),
        "first_child": np.where(inner, place[tree.first_child], -1),
        "n_children": tree.n_children - lost,
        "other": other,
        "missing_branch": missing,
    }
    columns = {name: column[kept] for name, column in columns.items()}
    owned = np.bincount(owner[stays], minlength=tree.n_nodes)[kept]
    columns["table_start"] = np.concatenate([[0], np.cumsum(owned)])
    columns["table_code"] = tree.table_code[stays]
    columns["table_branch"] = moved(owner, tree.table_branch.astype(np.int64))[stays]
    how = tree.answering
    return Tree.unchecked(tree.schema, tree.criterion, tree.missing, tree.surrogates, answering=how, **columns)
