"""Places: the nodes of one tree that stand in the place of the nodes of another.

In: two trees over the same columns. Out: pairs of nodes with the same way above them: the same columns asked, the same
branches taken. Of a number the same branch is the same side of the cut, wherever that is; of a category it is the one
with most categories in common: more than half of those that either of the two has, among the categories that both nodes
met. So no branch has two partners.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.model.split import split_of
from treewright.model.tree import Tree


@dataclass(frozen=True, slots=True)
class Pair:
    """A node of the first tree, the node of the second in its place, and what they have in common.

    node, other    their numbers
    same_column    whether both ask for the same column
    same_question  and in the same way: the same categories together; of a number, at any cut
    """

    node: int
    other: int
    same_column: bool
    same_question: bool


def same_places(first: Tree, second: Tree) -> Iterator[Pair]:
    """The inner nodes of the first tree that have a partner in the second, each above those below it.

    >>> from treewright.model.build import golf_example
    >>> [(pair.node, pair.other, pair.same_question) for pair in same_places(golf_example(), golf_example())]
    [(0, 0, True), (3, 3, True), (1, 1, True)]
    """
    waiting = [(0, 0)]
    while waiting:
        node, other = waiting.pop()
        if first.n_children[node] == 0:
            continue
        same_column = bool(first.column[node] == second.column[other])
        same_question, branches = _compare(first, node, second, other) if same_column else (False, [])
        yield Pair(node, other, same_column, same_question)
        here, there = int(first.first_child[node]), int(second.first_child[other])
        waiting += [(here + a, there + b) for a, b in branches]


def _compare(first: Tree, node: int, second: Tree, other: int) -> tuple[bool, list[tuple[int, int]]]:
    """Whether two nodes that ask for the same column ask the same, and the branches that are the same."""
    cuts = float(first.threshold[node]), float(second.threshold[other])
    if np.isnan(cuts[0]) != np.isnan(cuts[1]) or np.isinf(cuts[0]) != np.isinf(cuts[1]):
        return False, []
    if not np.isnan(cuts[0]):
        n_branches = min(int(first.n_children[node]), int(second.n_children[other]))
        return True, [(b, b) for b in range(n_branches)]
    same, branches = _compare_tables(*_table(first, node), *_table(second, other))
    own = _only_missing(first, node), _only_missing(second, other)
    if own[0] is not None and own[1] is not None:
        branches.append((own[0], own[1]))
    return same, branches


def _table(tree: Tree, node: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    return tree.table_code[own], tree.table_branch[own]


def _compare_tables(
    codes: NDArray[np.int32], branch: NDArray[np.int32], other_codes: NDArray[np.int32], other: NDArray[np.int32]
) -> tuple[bool, list[tuple[int, int]]]:
    """Whether the categories that both tables have are grouped alike, and the branches that are the same."""
    _, at, at_other = np.intersect1d(codes, other_codes, assume_unique=True, return_indices=True)
    if not len(at):
        return False, []
    pairs, n_common = np.unique(np.stack([branch[at], other[at_other]]), axis=1, return_counts=True)
    n_here, n_there = np.bincount(branch[at])[pairs[0]], np.bincount(other[at_other])[pairs[1]]
    n_branches = len(np.unique(pairs[0])), len(np.unique(pairs[1]))
    alike = pairs.shape[1] == n_branches[0] == n_branches[1] and n_branches[0] > 1
    most = 2 * n_common > n_here + n_there - n_common
    return alike, [(int(a), int(b)) for a, b in pairs[:, most].T]


def _only_missing(tree: Tree, node: int) -> int | None:
    """The branch of missing values alone, of which there is one where growth made it so."""
    split = split_of(tree, node) if tree.strategy.adds_branch else None
    return None if split is None else split.only_missing
